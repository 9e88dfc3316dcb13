"""Hands and decks: cards are drawn and played. The Custer card acts as soon as it is drawn."""

from collections.abc import Sequence

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.components import Card, Effect, Materials
from games.plains_indian_wars.engagements import EngagementTerms, engage
from games.plains_indian_wars.events import CardPlayed, CusterFell, CusterRode, Fought, Redrawn, Refilled
from games.plains_indian_wars.model import CardId, DeckName, Region, State
from games.plains_indian_wars.owner_data import box
from games.plains_indian_wars.working_state import WorkingState


def action_cards(state: State, deck: DeckName) -> tuple[Card, ...]:
    """Return the action cards of a hand, in the order of their numbers."""
    return action_cards_among(state, state.hands[deck])


def action_cards_among(state: State, cards: Sequence[CardId]) -> tuple[Card, ...]:
    """Return the action cards among some cards."""
    named = [box(state.options).materials.cards[card_id] for card_id in cards]
    return tuple(card for card in named if card.kind == "action")


def cards_in_hand(state: State, deck: DeckName) -> tuple[Card, ...]:
    """Return the cards of a hand."""
    return tuple(box(state.options).materials.cards[card_id] for card_id in state.hands[deck])


def play_card(play: WorkingState, card: CardId) -> None:
    """Move a card from its hand to the played cards."""
    deck = play.materials.deck_of[card]
    _set_hand(play, deck, hand=tuple(other for other in play.now.hands[deck] if other != card), played=card)


def refill_hand(play: WorkingState, deck: DeckName) -> None:
    """Draw until the hand is full or the deck is empty. Custer rides at once, and another card is drawn.

    Source: PIW1.blue.1, PIW1.brown.1.
    """
    drawn: list[CardId] = []
    while play.now.decks[deck] and len(play.now.hands[deck]) < play.materials.hand:
        card = _draw_card(play, deck, f"{play.dice_label}/draw/{deck}/{len(play.now.decks[deck])}")
        if is_custer(play.materials, card):
            play.tell(CardPlayed, card=card)
            ride_custer(play)
        else:
            drawn.append(card)
    if drawn:
        play.tell(Refilled, deck=deck, cards=tuple(sorted(drawn)))


def ensure_action_card(play: WorkingState, deck: DeckName) -> None:
    """Redraw a hand without an action card until it has one. Source: PIW1.cards.redraw."""
    times = 0
    while not action_cards(play.now, deck) and any(
        play.materials.cards[card_id].kind == "action" for card_id in play.now.decks[deck]
    ):
        times += 1
        together = tuple(sorted((*play.now.decks[deck], *play.now.hands[deck])))
        play.set(
            decks={**play.now.decks, deck: together},
            hands={**play.now.hands, deck: ()},
        )
        while play.now.decks[deck] and len(play.now.hands[deck]) < play.materials.hand:
            card = _draw_card(play, deck, f"{play.dice_label}/redraw/{times}/{len(play.now.decks[deck])}")
            if is_custer(play.materials, card):
                play.tell(CardPlayed, card=card)
                ride_custer(play)
    if times:
        play.tell(Redrawn, deck=deck, times=times)


def deal_hands(play: WorkingState) -> bool:
    """Deal the hands of the set-up; return whether Custer was drawn, who rides after the set-up."""
    rode = False
    decks = {
        name: tuple(card.id for card in play.materials.decks[name].cards) for name in play.scenario.decks
    }
    play.set(decks=decks, hands=dict.fromkeys(decks, ()), played=dict.fromkeys(decks, ()))
    for deck in decks:
        while play.now.decks[deck] and len(play.now.hands[deck]) < play.materials.hand:
            card = _draw_card(play, deck, f"{play.dice_label}/draw/{deck}/{len(play.now.decks[deck])}")
            rode = rode or is_custer(play.materials, card)
    return rode


def is_custer(components: Materials, card: CardId) -> bool:
    """Return whether a card is the Custer card."""
    effect = components.cards[card].effect
    return effect is not None and effect.op == "custer"


def is_deck_spent(state: State, deck: DeckName) -> bool:
    """Return whether the last card of a deck was played. Source: PIW1.end.2."""
    return not state.decks[deck] and not state.hands[deck]


def _draw_card(play: WorkingState, deck: DeckName, label: str) -> CardId:
    """Draw a card at random into the hand; Custer goes to the played cards."""
    card = play.dice.pick(label, play.now.decks[deck])
    rest = tuple(other for other in play.now.decks[deck] if other != card)
    play.set(decks={**play.now.decks, deck: rest})
    if is_custer(play.materials, card):
        _set_hand(play, deck, hand=play.now.hands[deck], played=card)
    else:
        play.set(hands={**play.now.hands, deck: tuple(sorted((*play.now.hands[deck], card)))})
    return card


def _set_hand(play: WorkingState, deck: DeckName, hand: tuple[CardId, ...], played: CardId) -> None:
    play.set(
        hands={**play.now.hands, deck: hand},
        played={**play.now.played, deck: tuple(sorted((*play.now.played[deck], played)))},
    )


# Custer's ride: his force goes where most Green cubes are, and fights at once.


def custer_goals(play: WorkingState) -> tuple[Region, ...]:
    """Return the N regions with the most Green cubes, or () if there are no Green cubes in N regions.

    Source: PIW1.custer.3.
    """
    plains = play.board.regions_in_zones("N")
    most = max(play.count(region, "Green") for region in plains)
    return tuple(region for region in plains if most and play.count(region, "Green") == most)


def ride_custer(play: WorkingState) -> None:
    """Place Custer's force and fight its engagement. Source: PIW1.custer.3."""
    targets = custer_goals(play)
    force = min(_custer_effect(play).cubes, play.ready.get("Blue", 0) + play.fallen.get("Blue", 0))
    if not targets or not force:
        return
    at = standing_orders.custer_region(play, targets)
    from_ready = play.add_from_ready(at, "Blue", force)
    play.fallen["Blue"] = play.fallen.get("Blue", 0) - (force - from_ready)
    play.add_cubes(at, "Blue", force - from_ready)
    play.tell(CusterRode, at=at, count=force, tied=tuple(region for region in targets if region != at))
    if at in play.now.quiet:
        return
    begun = len(play.events)
    engage(play, at, EngagementTerms(custer={at: force}))
    fights = [event for event in play.events[begun:] if isinstance(event, Fought)]
    if not play.count(at, "Blue") and not any(_has_escaped(fight) for fight in fights):
        play.set(custer=True)
        play.tell(CusterFell, at=at)


def _has_escaped(fight: Fought) -> bool:
    """Return whether a treaty let Blue cubes leave. Custer's cubes fall last, so they are among them."""
    return any(retreat.colour == "Blue" and retreat.to is not None for retreat in fight.retreats)


def _custer_effect(play: WorkingState) -> Effect:
    effects = [card.effect for card in play.materials.cards.values() if card.effect]
    return next(effect for effect in effects if effect.op == "custer")
