"""What the player decides now, in rows: what may be the base, what may be added, what else."""

from collections.abc import Iterator

from games.great_war.components import HIDDEN, CardId
from games.great_war.in_play import Table
from games.great_war.model import PLAYER, BonusPlay, View
from games.great_war.phrases import effect_text, listed
from games.great_war.possible import added, bases, flat, possible, taken
from games.great_war.solo import leads

Row = tuple[str, str]


def decisions(view: View) -> Iterator[Row]:
    """What there is to decide, and with which cards; nothing for whoever does not see the hand."""
    if view.stage == "over" or HIDDEN in view.armies[PLAYER].hand:
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
    said = "; ".join(effect_text(effect) for effect in card.effects) or "nothing happens"
    state = "in force" if view.event in view.force else "not in force yet" if card.effects else "no effect"
    state = "waits for your Round 1" if view.waits else state
    return f"{card.id} {card.name}: {said} ({state})"


def _round(view: View) -> Iterator[Row]:
    verb = "attack" if view.role(PLAYER) == "attack" else "defend"
    number = "1ST" if view.round == 1 else "2ND"
    yield (
        f"You {verb}",
        f"one line, {verb.upper()} {number}: and a base, then + before each card added; or PASS {number}",
    )
    if view.event is not None:
        yield "Random Event", event_text(view)
    yield "Base now", _cards(view, bases(view))
    if more := added(view):
        yield (
            "May be added now",
            f"{', '.join(more)} to what lies on the table; others to a base that they link to",
        )
    leaders = [one for one in bases(view) if leads(Table(view), one)]
    for one in leaders:
        yield "Leader", f"{one} LEADS up to {leads(Table(view), one)} of your cards, with him as the base"
    if view.waits and (stops := [one for one in _hand(view) if Table(view).stops_events(one)]):
        yield "It may be cancelled", f"CANCEL EVENT WITH {listed(stops, 'or')}"


def _bonus(view: View) -> Iterator[Row]:
    found = [one.order for one in possible(view, PLAYER)]
    cards = [one.play.card for one in found if isinstance(one, BonusPlay) and one.play]
    yield "Bonus phase", "one card, or BONUS: NONE"
    yield "May be laid now", _cards(view, tuple(dict.fromkeys(cards)))


def _hand(view: View) -> tuple[CardId, ...]:
    return tuple(dict.fromkeys(view.armies[PLAYER].hand))


def _cards(view: View, cards: tuple[CardId, ...]) -> str:
    """Cards with their Battle Points, and the best that each takes out."""
    table = Table(view)
    told = []
    for one in cards:
        aims, ops = taken(view, one), [effect.op for effect in flat(view.book[one].effects)]
        verb = "cancels" if "cancel" in ops else "discards"
        told.append(f"{one} ({table.bp(one)}{f', {verb} {aims[0]}' if aims else ''})")
    return ", ".join(told) or "none"
