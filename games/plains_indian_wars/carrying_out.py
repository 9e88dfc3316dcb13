"""A U.S. phase up to its engagements: the orders of one letter, carried out one after the other.

The same code looks ahead: `lawful` asks it about a single order, and about all orders of a seat together.
"""

# Rule 1: cubes are placed before any moves; everything else happens in the order in which it was written.
# Rule 2: an order that cannot be carried out is told with a Fault, and nothing else changes because of it.

from collections.abc import Sequence
from typing import assert_never

from games.plains_indian_wars import event_cards, hands, standing
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.events import CardPlayed, Fault, LeftOut, Placed, Recovered
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import (
    AnyOrder,
    Begin,
    Colour,
    Discard,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    belt_of,
)
from games.plains_indian_wars.phase import Phase
from games.plains_indian_wars.phase_limits import Allowance
from games.plains_indian_wars.railroad import served


def carry_out(phase: Phase) -> None:
    """Cards, cubes, moves; everything that cannot be done is left out and told."""
    if phase.colour != "Purple":
        play_card(phase.play, phase.colour, phase.orders, phase.allowance)
    for card in (one for one in phase.orders if isinstance(one, PlayEvent)):
        event_cards.announce(phase, card)
    for cubes in (one for one in phase.orders if isinstance(one, Place)):
        _try(phase, cubes, _place(phase, cubes))
    for order in phase.orders:
        if isinstance(order, Move):
            _try(phase, order, phase.marches.move(order))
        elif isinstance(order, PlayEvent):
            _try(phase, order, event_cards.carry_out(phase, order))
        elif isinstance(order, Recover):
            _try(phase, order, recover(phase.play, phase.colour, phase.allowance))
        elif not isinstance(order, Begin | PlayAction | Discard | Place | NoPlace | Instruction):
            assert_never(order)
    phase.marches.part()


def _try(phase: Phase, order: AnyOrder, fault: Fault | None) -> None:
    if fault is not None:
        partly = isinstance(order, Place) and fault.detail.get("count", "0") != "0"
        phase.play.tell(LeftOut, order=order, why=fault, partly=partly)


def _place(phase: Phase, order: Place) -> Fault | None:
    fault = may_place(phase.play, phase.colour, order, phase.allowance)
    if fault is not None:
        return fault
    belt = belt_of(order.at)
    wanted = min(order.count, phase.allowance.cubes(belt))
    here = min(wanted, phase.play.room(order.at))
    came = phase.play.muster(order.at, phase.colour, here)
    phase.allowance.place(belt, came)
    if came:
        phase.play.tell(Placed, colour=phase.colour, at=order.at, count=came)
    if came == order.count:
        return None
    code = "too-many" if wanted < order.count else "no-room" if here < wanted else "ready-box-empty"
    return Fault(code=code, detail={"count": str(came), "at": order.at})


def play_card(play: Play, colour: Colour, orders: Sequence[AnyOrder], allowance: Allowance) -> None:
    """One action card; if none was named, the first of the hand. Source: PIW1.cards.action, PIW2.cards.1."""
    deck = play.box.deck_for(colour)
    assert deck is not None, f"{colour} has a deck"
    named = [one for one in orders if isinstance(one, PlayAction | Discard)]
    if possible := hands.actions(play.now, deck):
        ids = [card.id for card in possible]
        chosen = next((one.card for one in named if one.card in ids), ids[0])
        allowance.of_card(play.box.cards[chosen])
        hands.play_card(play, chosen)
        play.tell(CardPlayed, card=chosen)
    elif hand := hands.in_hand(play.now, deck):
        ids = [card.id for card in hand]
        chosen = next((one.card for one in named if one.card in ids), ids[0])
        allowance.only_event = chosen
        if not any(isinstance(one, PlayEvent) and one.card == chosen for one in orders):
            hands.play_card(play, chosen)
            play.tell(CardPlayed, card=chosen, discarded=True)


def recover(play: Play, colour: Colour, allowance: Allowance) -> Fault | None:
    """One activation empties the Casualty Box into the Ready Box. Source: PIW1.move.recover."""
    if not play.fallen.get(colour):
        return Fault(code="nobody-fell", detail={"colour": colour})
    if not allowance.activate(None):
        return Fault(code="no-activation")
    bring_back(play, colour)
    return None


def bring_back(play: Play, colour: Colour) -> int:
    """The Casualty Box goes to the Ready Box; how many cubes."""
    count = play.fallen.get(colour, 0)
    play.fallen[colour] = 0
    play.ready[colour] = play.ready.get(colour, 0) + count
    if count:
        play.tell(Recovered, colour=colour, count=count)
    return count


def may_place(play: Play, colour: Colour, order: Place, allowance: Allowance) -> Fault | None:
    """Why cubes of a colour may not be placed in a region at all.

    Source: PIW1.place.blue, PIW1.place.brown.
    """
    if order.at not in places_for(play, colour):
        return Fault(
            code="no-place-there", detail={"at": order.at, "near": " ".join(places_for(play, colour))}
        )
    if allowance.city and order.at in (ST_LOUIS, SACRAMENTO) and order.at != allowance.city:
        return Fault(code="other-city", detail={"at": order.at, "near": allowance.city})
    if not standing.may_mingle(play, order.at, (colour,)):
        return Fault(code="apart", detail={"at": order.at})
    return None


def places_for(play: Play, colour: Colour) -> tuple[Region, ...]:
    """Where cubes of a U.S. colour come on the board, in board order."""
    if colour == "Purple":
        return play.board.zone("NE", "SE")
    cities = (SACRAMENTO, ST_LOUIS)
    if colour == "Blue":
        return cities
    return play.board.sorted((*cities, *(region for region in served(play.now) if not play.tribes(region))))
