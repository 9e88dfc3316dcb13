"""The plan of a tribe for its phase: the orders of one letter, carried out up to the engagements.

The same code looks ahead: `nations.lawful` asks it about all orders of the seat together.
"""

# Rule 1: cards that bring cubes back come first, then cubes are placed, then everything else happens in the
# order in which it was written.
# Rule 2: an order that cannot be carried out is told with a Fault, and nothing else changes because of it.
# Rule 3: looking ahead throws no dice, so that an attack by a card does nothing then.

from typing import assert_never

from games.plains_indian_wars.board import tribe_of
from games.plains_indian_wars.carrying_out import play_card, recover
from games.plains_indian_wars.event_cards import may_play
from games.plains_indian_wars.events import Fault, LeftOut, Placed
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
)
from games.plains_indian_wars.nations import event_cards
from games.plains_indian_wars.nations.lands import places_for
from games.plains_indian_wars.nations.phase import Plan

FIRST, WITH_CUBES = ("muster",), ("fierce",)
"""Events that are carried out before cubes are placed, and among them."""


def carry_out(plan: Plan) -> None:
    """Cards, cubes, moves; what cannot be done is left out and told. Source: PIW2.turn.plan."""
    play_card(plan.play, plan.colour, plan.orders, plan.allowance)
    early = [order for order in plan.orders if _op(plan, order) in FIRST]
    cubes = [o for o in plan.orders if isinstance(o, Place) or _op(plan, o) in WITH_CUBES]
    rest = [order for order in plan.orders if order not in (*early, *cubes)]
    for order in (*early, *cubes, *rest):
        if isinstance(order, Place):
            _try(plan, order, _place(plan, order))
        elif isinstance(order, Move):
            _try(plan, order, plan.warpaths.move(order))
        elif isinstance(order, PlayEvent):
            _try(plan, order, _event(plan, order))
        elif isinstance(order, Recover):
            _try(plan, order, recover(plan.play, plan.colour, plan.allowance))
        elif not isinstance(order, Begin | PlayAction | Discard | NoPlace | Instruction):
            assert_never(order)
    plan.warpaths.turn_back()


def _try(plan: Plan, order: AnyOrder, fault: Fault | None) -> None:
    if fault is not None:
        partly = isinstance(order, Place) and fault.detail.get("count", "0") != "0"
        plan.play.tell(LeftOut, order=order, why=fault, partly=partly)


def _place(plan: Plan, order: Place) -> Fault | None:
    """Cubes of the action card, as many as it has. Source: PIW2.place.home."""
    fault = place_fault(plan.play, plan.colour, order.at)
    if fault is not None:
        return fault
    wanted = min(order.count, plan.allowance.cubes(None))
    came = plan.put(order.at, wanted)
    plan.allowance.place(None, came)
    if came:
        plan.play.tell(Placed, colour=plan.colour, at=order.at, count=came)
    if came == order.count:
        return None
    code = "too-many" if wanted < order.count else "ready-box-empty"
    return Fault(code=code, detail={"count": str(came), "at": order.at})


def _event(plan: Plan, order: PlayEvent) -> Fault | None:
    """An Event; one without a target may be played and does nothing. Source: PIW1.cards.events."""
    fault = may_play(plan.play, plan.colour, plan.allowance, plan.events_played, order)
    if fault is not None:
        return fault
    plan.events_played += 1
    return event_cards.carry_out(plan, order)


def _op(plan: Plan, order: AnyOrder) -> str:
    if not isinstance(order, PlayEvent):
        return ""
    effect = plan.play.box.cards[order.card].effect
    return effect.op if effect else ""


def place_fault(play: Play, colour: Colour, at: Region) -> Fault | None:
    """Why cubes of a tribe may not be placed in a region."""
    open_to = places_for(play, colour)
    if at in open_to:
        return None
    code = "not-held" if tribe_of(at) == colour and play.board.is_plains(at) else "no-home"
    return Fault(code=code, detail={"at": at, "near": " ".join(open_to)})
