"""The plan of a tribe for its phase: orders and Event cards carried out, up to the engagements.

The same code looks ahead: `nations.legality` asks it about all orders of the seat together.
"""

# Rule 1: cards that bring cubes back come first, then cubes are placed, then everything else happens in the
# order in which it was written.
# Rule 2: an order that cannot be carried out is told with a Fault, and nothing else changes because of it.
# Rule 3: looking ahead throws no dice, so that an attack by a card does nothing then.

from typing import assert_never

from games.plains_indian_wars.board import tribe_of
from games.plains_indian_wars.event_cards import event_fault
from games.plains_indian_wars.events import LeftOut, OrderFault, Placed
from games.plains_indian_wars.execution import play_action_card, recover
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
)
from games.plains_indian_wars.nations import event_cards
from games.plains_indian_wars.nations.lands import placement_regions
from games.plains_indian_wars.nations.tribe_phase import TribePhase
from games.plains_indian_wars.working_state import WorkingState

FIRST_OPERATIONS, PLACING_OPERATIONS = ("muster",), ("fierce",)
"""Events that are carried out before cubes are placed, and among them."""


def carry_out_plan(plan: TribePhase) -> None:
    """Carry out cards, cubes and moves; leave out and tell what cannot be done. Source: PIW2.turn.plan."""
    play_action_card(plan.play, plan.colour, plan.orders, plan.allowance)
    early = [order for order in plan.orders if _operation_of(plan, order) in FIRST_OPERATIONS]
    cubes = [o for o in plan.orders if isinstance(o, Place) or _operation_of(plan, o) in PLACING_OPERATIONS]
    rest = [order for order in plan.orders if order not in (*early, *cubes)]
    for order in (*early, *cubes, *rest):
        if isinstance(order, Place):
            _report_fault(plan, order, _place_cubes(plan, order))
        elif isinstance(order, Move):
            _report_fault(plan, order, plan.warpaths.move(order))
        elif isinstance(order, PlayEvent):
            _report_fault(plan, order, _play_event(plan, order))
        elif isinstance(order, Recover):
            _report_fault(plan, order, recover(plan.play, plan.colour, plan.allowance))
        elif not isinstance(order, Begin | PlayAction | Discard | NoPlace | Instruction):
            assert_never(order)
    plan.warpaths.turn_back()


def _report_fault(plan: TribePhase, order: AnyOrder, fault: OrderFault | None) -> None:
    if fault is not None:
        partly = isinstance(order, Place) and fault.detail.get("count", "0") != "0"
        plan.play.tell(LeftOut, order=order, why=fault, partly=partly)


def _place_cubes(plan: TribePhase, order: Place) -> OrderFault | None:
    """Place cubes of the action card, as many as it has. Source: PIW2.place.home."""
    fault = home_fault(plan.play, plan.colour, order.at)
    if fault is not None:
        return fault
    wanted = min(order.count, plan.allowance.cubes_left(None))
    came = plan.place_cubes(order.at, wanted)
    plan.allowance.count_placed(None, came)
    if came:
        plan.play.tell(Placed, colour=plan.colour, at=order.at, count=came)
    if came == order.count:
        return None
    code = "too-many" if wanted < order.count else "ready-box-empty"
    return OrderFault(code=code, detail={"count": str(came), "at": order.at})


def _play_event(plan: TribePhase, order: PlayEvent) -> OrderFault | None:
    """Play an Event; without a target it may be played and does nothing. Source: PIW1.cards.events."""
    fault = event_fault(plan.play, plan.colour, plan.allowance, plan.events_played, order)
    if fault is not None:
        return fault
    plan.events_played += 1
    return event_cards.carry_out_event(plan, order)


def _operation_of(plan: TribePhase, order: AnyOrder) -> str:
    if not isinstance(order, PlayEvent):
        return ""
    effect = plan.play.materials.cards[order.card].effect
    return effect.op if effect else ""


def home_fault(play: WorkingState, colour: Colour, at: Region) -> OrderFault | None:
    """Return why cubes of a tribe may not be placed in a region."""
    open_to = placement_regions(play, colour)
    if at in open_to:
        return None
    code = "not-held" if tribe_of(at) == colour and play.board.is_plains(at) else "no-home"
    return OrderFault(code=code, detail={"at": at, "near": " ".join(open_to)})
