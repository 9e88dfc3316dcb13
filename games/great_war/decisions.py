"""The player's decision in rows: what may be the base, what may be added, what else."""

from collections.abc import Iterator

from games.great_war.automaton import count_led
from games.great_war.components import HIDDEN_CARD, CardId
from games.great_war.legal_orders import addable_cards, bases, flatten_effects, legal_orders, takeable_cards
from games.great_war.model import PLAYER, BonusPlay, View
from games.great_war.phrases import effect_text, join_words
from games.great_war.working_state import WorkingState

Row = tuple[str, str]


def decisions(view: View) -> Iterator[Row]:
    """Yield what there is to decide, and with which cards; nothing for a reader who cannot see the hand."""
    if view.stage == "over" or HIDDEN_CARD in view.armies[PLAYER].hand:
        return
    if view.stage in ("round 1", "round 2"):
        yield from _round(view)
    elif view.stage == "bonus":
        yield from _bonus(view)
    elif view.stage == "set-up":
        yield "The beginning", "write  begin,  and the first Turn is dealt"
    else:
        yield "Stop or go on", "write  TURNS 5  or  TURNS 10"


def event_text(view: View) -> str:
    """The Random Event and what has become of it."""
    if view.event is None:
        return "none"
    card = view.book[view.event]
    effects = "; ".join(effect_text(effect) for effect in card.effects) or "nothing happens"
    state = "in force" if view.event in view.force else "not in force yet" if card.effects else "no effect"
    state = "waits for your Round 1" if view.waits else state
    return f"{card.id} {card.name}: {effects} ({state})"


def _round(view: View) -> Iterator[Row]:
    verb = "attack" if view.role(PLAYER) == "attack" else "defend"
    number = "1ST" if view.round == 1 else "2ND"
    yield (
        f"You {verb}",
        f"one line, {verb.upper()} {number}: and a base, then + before each card added; or PASS {number}",
    )
    if view.event is not None:
        yield "Random Event", event_text(view)
    yield "Base now", _cards_with_points(view, bases(view))
    if more := addable_cards(view):
        yield (
            "May be added now",
            f"{', '.join(more)} to what lies on the table; others to a base that they link to",
        )
    leaders = [card_id for card_id in bases(view) if count_led(WorkingState(view), card_id)]
    for card_id in leaders:
        yield (
            "Leader",
            f"{card_id} LEADS up to {count_led(WorkingState(view), card_id)} of your cards, with him as "
            f"the base",
        )
    if view.waits and (
        stops := [card_id for card_id in _hand(view) if WorkingState(view).stops_events(card_id)]
    ):
        yield "It may be cancelled", f"CANCEL EVENT WITH {join_words(stops, 'or')}"


def _bonus(view: View) -> Iterator[Row]:
    options = [option.order for option in legal_orders(view, PLAYER)]
    cards = [order.play.card for order in options if isinstance(order, BonusPlay) and order.play]
    yield "Bonus phase", "one card, or BONUS: NONE"
    yield "May be laid now", _cards_with_points(view, tuple(dict.fromkeys(cards)))


def _hand(view: View) -> tuple[CardId, ...]:
    return tuple(dict.fromkeys(view.armies[PLAYER].hand))


def _cards_with_points(view: View, cards: tuple[CardId, ...]) -> str:
    """Cards with their Battle Points, and the best that each takes out."""
    table = WorkingState(view)
    texts = []
    for card_id in cards:
        aims, ops = (
            takeable_cards(view, card_id),
            [effect.op for effect in flatten_effects(view.book[card_id].effects)],
        )
        verb = "cancels" if "cancel" in ops else "discards"
        texts.append(f"{card_id} ({table.bp(card_id)}{f', {verb} {aims[0]}' if aims else ''})")
    return ", ".join(texts) or "none"
