"""A plan before it is carried out: orders that can be, and instructions that come into force."""

from collections.abc import Callable, Sequence

from games.plains_indian_wars import standing
from games.plains_indian_wars.events import Fault, Instructed, LeftOut
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import AnyOrder, Instruction, State
from games.protocol import Objection


def sifted(
    play: Play, orders: Sequence[AnyOrder], objection: Callable[[State, AnyOrder], Objection | None]
) -> list[AnyOrder]:
    """The orders that can be carried out; the others are told. Standing instructions come into force."""
    state, found = play.now, []
    for order in orders:
        said = objection(state, order)
        if said is None:
            found.append(order)
        else:
            play.tell(LeftOut, order=order, why=Fault(code=said.code, detail=said.detail))
    for order in found:
        if isinstance(order, Instruction) and play.now.standing.get(order.slot) != order.says:
            play.set(standing=standing.with_instruction(play.now, order))
            play.tell(Instructed, order=order)
    return found
