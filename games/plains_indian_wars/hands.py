"""Hands and decks: what is drawn, what goes back, and Custer, who acts as soon as he is drawn."""

from collections.abc import Sequence

from games.plains_indian_wars import custer
from games.plains_indian_wars.box import box
from games.plains_indian_wars.components import Card, Materials
from games.plains_indian_wars.events import CardPlayed, Redrawn, Refilled
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import CardId, DeckName, State


def actions(state: State, deck: DeckName) -> tuple[Card, ...]:
    """The action cards of a hand, in the order of their numbers."""
    return actions_of(state, state.hands[deck])


def actions_of(state: State, cards: Sequence[CardId]) -> tuple[Card, ...]:
    """The action cards among some."""
    named = [box(state.options).materials.cards[one] for one in cards]
    return tuple(card for card in named if card.kind == "action")


def in_hand(state: State, deck: DeckName) -> tuple[Card, ...]:
    """The cards of a hand."""
    return tuple(box(state.options).materials.cards[one] for one in state.hands[deck])


def play_card(play: Play, card: CardId) -> None:
    """A card leaves its hand for good."""
    deck = play.box.deck_of[card]
    _lay(play, deck, hand=tuple(one for one in play.now.hands[deck] if one != card), played=card)


def refill(play: Play, deck: DeckName) -> None:
    """Draw until the hand is full or the deck is empty; Custer is carried out at once and replaced.

    Source: PIW1.blue.1, PIW1.brown.1.
    """
    drawn: list[CardId] = []
    while play.now.decks[deck] and len(play.now.hands[deck]) < play.box.hand:
        card = _draw(play, deck, f"{play.label}/draw/{deck}/{len(play.now.decks[deck])}")
        if is_custer(play.box, card):
            play.tell(CardPlayed, card=card)
            custer.ride(play)
        else:
            drawn.append(card)
    if drawn:
        play.tell(Refilled, deck=deck, cards=tuple(sorted(drawn)))


def with_action(play: Play, deck: DeckName) -> None:
    """A hand without an action card goes back, until one is drawn that has it. Source: PIW1.cards.redraw."""
    times = 0
    while not actions(play.now, deck) and _has_action(play, play.now.decks[deck]):
        times += 1
        together = tuple(sorted((*play.now.decks[deck], *play.now.hands[deck])))
        play.set(
            decks={**play.now.decks, deck: together},
            hands={**play.now.hands, deck: ()},
        )
        while play.now.decks[deck] and len(play.now.hands[deck]) < play.box.hand:
            card = _draw(play, deck, f"{play.label}/redraw/{times}/{len(play.now.decks[deck])}")
            if is_custer(play.box, card):
                play.tell(CardPlayed, card=card)
                custer.ride(play)
    if times:
        play.tell(Redrawn, deck=deck, times=times)


def deal(play: Play) -> bool:
    """The hands of the set-up. Answers whether Custer was drawn; he waits for the end of the set-up."""
    rode = False
    decks = {name: tuple(card.id for card in play.box.decks[name].cards) for name in play.scenario.decks}
    play.set(decks=decks, hands=dict.fromkeys(decks, ()), played=dict.fromkeys(decks, ()))
    for deck in decks:
        while play.now.decks[deck] and len(play.now.hands[deck]) < play.box.hand:
            card = _draw(play, deck, f"{play.label}/draw/{deck}/{len(play.now.decks[deck])}")
            rode = rode or is_custer(play.box, card)
    return rode


def is_custer(lies: Materials, card: CardId) -> bool:
    """Whether a card is Custer's."""
    effect = lies.cards[card].effect
    return effect is not None and effect.op == "custer"


def is_spent(state: State, deck: DeckName) -> bool:
    """Whether the last card of a deck was played. Source: PIW1.end.2."""
    return not state.decks[deck] and not state.hands[deck]


def _has_action(play: Play, cards: tuple[CardId, ...]) -> bool:
    return any(play.box.cards[one].kind == "action" for one in cards)


def _draw(play: Play, deck: DeckName, label: str) -> CardId:
    """A card by lot: into the hand, but Custer onto the played ones."""
    card = play.dice.pick(label, play.now.decks[deck])
    rest = tuple(one for one in play.now.decks[deck] if one != card)
    play.set(decks={**play.now.decks, deck: rest})
    if is_custer(play.box, card):
        _lay(play, deck, hand=play.now.hands[deck], played=card)
    else:
        play.set(hands={**play.now.hands, deck: tuple(sorted((*play.now.hands[deck], card)))})
    return card


def _lay(play: Play, deck: DeckName, hand: tuple[CardId, ...], played: CardId) -> None:
    play.set(
        hands={**play.now.hands, deck: hand},
        played={**play.now.played, deck: tuple(sorted((*play.now.played[deck], played)))},
    )
