"""A U.S. phase up to its engagements: the orders of one letter, and the Event cards, carried out.

The same code looks ahead: `legality` asks it about a single order, and about all orders of a seat.
"""

# Rule 1: cubes are placed before any moves; everything else happens in the order in which it was written.
# Rule 2: an order that cannot be carried out is told with a Fault, and nothing else changes because of it.

from collections.abc import Sequence
from typing import assert_never

from games.plains_indian_wars import event_cards, hands, standing_orders
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS
from games.plains_indian_wars.events import CardPlayed, LeftOut, OrderFault, Placed, Recovered
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
from games.plains_indian_wars.phase import UsPhase
from games.plains_indian_wars.phase_limits import PhaseLimits
from games.plains_indian_wars.railroad import served_regions
from games.plains_indian_wars.working_state import WorkingState


def carry_out_orders(phase: UsPhase) -> None:
    """Carry out cards, cubes and moves; leave out and tell everything that cannot be done."""
    if phase.colour != "Purple":
        play_action_card(phase.play, phase.colour, phase.orders, phase.allowance)
    for card in (event_order for event_order in phase.orders if isinstance(event_order, PlayEvent)):
        event_cards.announce_event(phase, card)
    for cubes in (place_order for place_order in phase.orders if isinstance(place_order, Place)):
        _report_fault(phase, cubes, _place_cubes(phase, cubes))
    for order in phase.orders:
        if isinstance(order, Move):
            _report_fault(phase, order, phase.marches.move(order))
        elif isinstance(order, PlayEvent):
            _report_fault(phase, order, event_cards.carry_out_event(phase, order))
        elif isinstance(order, Recover):
            _report_fault(phase, order, recover(phase.play, phase.colour, phase.allowance))
        elif not isinstance(order, Begin | PlayAction | Discard | Place | NoPlace | Instruction):
            assert_never(order)
    phase.marches.part_brown_from_purple()


def _report_fault(phase: UsPhase, order: AnyOrder, fault: OrderFault | None) -> None:
    if fault is not None:
        partly = isinstance(order, Place) and fault.detail.get("count", "0") != "0"
        phase.play.tell(LeftOut, order=order, why=fault, partly=partly)


def _place_cubes(phase: UsPhase, order: Place) -> OrderFault | None:
    fault = placement_fault(phase.play, phase.colour, order, phase.allowance)
    if fault is not None:
        return fault
    belt = belt_of(order.at)
    wanted = min(order.count, phase.allowance.cubes_left(belt))
    here = min(wanted, phase.play.us_room(order.at))
    came = phase.play.add_from_ready(order.at, phase.colour, here)
    phase.allowance.count_placed(belt, came)
    if came:
        phase.play.tell(Placed, colour=phase.colour, at=order.at, count=came)
    if came == order.count:
        return None
    code = "too-many" if wanted < order.count else "no-room" if here < wanted else "ready-box-empty"
    return OrderFault(code=code, detail={"count": str(came), "at": order.at})


def play_action_card(
    play: WorkingState, colour: Colour, orders: Sequence[AnyOrder], allowance: PhaseLimits
) -> None:
    """Play one action card; if none was named, the first in hand. Source: PIW1.cards.action, PIW2.cards.1."""
    deck = play.materials.deck_for(colour)
    assert deck is not None, f"{colour} has a deck"
    named = [order for order in orders if isinstance(order, PlayAction | Discard)]
    if possible := hands.action_cards(play.now, deck):
        ids = [card.id for card in possible]
        chosen = next((order.card for order in named if order.card in ids), ids[0])
        allowance.take_card(play.materials.cards[chosen])
        hands.play_card(play, chosen)
        play.tell(CardPlayed, card=chosen)
    elif hand := hands.cards_in_hand(play.now, deck):
        ids = [card.id for card in hand]
        chosen = next((order.card for order in named if order.card in ids), ids[0])
        allowance.only_event = chosen
        if not any(isinstance(order, PlayEvent) and order.card == chosen for order in orders):
            hands.play_card(play, chosen)
            play.tell(CardPlayed, card=chosen, discarded=True)


def recover(play: WorkingState, colour: Colour, allowance: PhaseLimits) -> OrderFault | None:
    """Empty the Casualty Box into the Ready Box for one activation. Source: PIW1.move.recover."""
    if not play.fallen.get(colour):
        return OrderFault(code="nobody-fell", detail={"colour": colour})
    if not allowance.activate(None):
        return OrderFault(code="no-activation")
    bring_back(play, colour)
    return None


def bring_back(play: WorkingState, colour: Colour) -> int:
    """Move the Casualty Box to the Ready Box; return how many cubes."""
    count = play.fallen.get(colour, 0)
    play.fallen[colour] = 0
    play.ready[colour] = play.ready.get(colour, 0) + count
    if count:
        play.tell(Recovered, colour=colour, count=count)
    return count


def placement_fault(
    play: WorkingState, colour: Colour, order: Place, allowance: PhaseLimits
) -> OrderFault | None:
    """Return why cubes of a colour may not be placed in a region at all.

    Source: PIW1.place.blue, PIW1.place.brown.
    """
    if order.at not in placement_regions(play, colour):
        return OrderFault(
            code="no-place-there", detail={"at": order.at, "near": " ".join(placement_regions(play, colour))}
        )
    if allowance.city and order.at in (ST_LOUIS, SACRAMENTO) and order.at != allowance.city:
        return OrderFault(code="other-city", detail={"at": order.at, "near": allowance.city})
    if not standing_orders.may_mingle(play, order.at, (colour,)):
        return OrderFault(code="apart", detail={"at": order.at})
    return None


def placement_regions(play: WorkingState, colour: Colour) -> tuple[Region, ...]:
    """Return where cubes of a U.S. colour come on the board, in board order."""
    if colour == "Purple":
        return play.board.regions_in_zones("NE", "SE")
    cities = (SACRAMENTO, ST_LOUIS)
    if colour == "Blue":
        return cities
    return play.board.in_board_order(
        (*cities, *(region for region in served_regions(play.now) if not play.tribe_cubes(region)))
    )
