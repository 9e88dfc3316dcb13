"""A plan before it is carried out: orders that can be, and instructions that come into force."""

from collections.abc import Callable, Sequence

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.events import Instructed, LeftOut, OrderFault
from games.plains_indian_wars.model import AnyOrder, Instruction, State
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Objection


def validate_orders(
    play: WorkingState, orders: Sequence[AnyOrder], objection: Callable[[State, AnyOrder], Objection | None]
) -> list[AnyOrder]:
    """Return the orders that can be carried out; tell the others. Standing instructions come into force."""
    state, valid_orders = play.now, []
    for order in orders:
        problem = objection(state, order)
        if problem is None:
            valid_orders.append(order)
        else:
            play.tell(LeftOut, order=order, why=OrderFault(code=problem.code, detail=problem.detail))
    for order in valid_orders:
        if isinstance(order, Instruction) and play.now.standing.get(order.slot) != order.says:
            play.set(standing=standing_orders.with_instruction(play.now, order))
            play.tell(Instructed, order=order)
    return valid_orders
