"""Orders put together on the map: what is touched one after the other, and what goes along with it."""

from collections.abc import Mapping
from typing import assert_never

from games.diplomacy.board import Board
from games.diplomacy.coasts import COASTS
from games.diplomacy.model import (
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Move,
    Piece,
    Province,
    SupportHold,
    SupportMove,
    View,
    Waive,
    spot,
)
from games.diplomacy.pen import middle
from games.diplomacy.phrases import KINDS
from games.diplomacy.routes import at_sea, shortest
from games.diplomacy.second_places import second_place
from games.protocol import Seat
from games.protocol.optional import Laid, Step


def points(board: Board, view: View) -> Mapping[str, tuple[float, float]]:
    """Where a piece stands in each province: a dislodged one beside whoever drove it out."""
    found = {str(at): middle(board, at) for at in board.places}
    found |= {unit.at: middle(board, unit.spot) for unit in view.units}
    return found | {one.unit.at: second_place(board, one.unit.at).at for one in view.beaten}


def laid(board: Board, view: View, seat: Seat, order: AnyOrder) -> Laid:
    """An order as touches: the unit first, then its goal, or whom it helps and that one's goal."""
    match order:
        case Waive():
            return Laid(thing="A build", at="", steps=(Step(said="waive it"),))
        case Destroy():
            step = Step(said="destroy one canoe-fleet")
            return Laid(thing=_standing(board, view, order.at), at=order.at, steps=(step,))
        case Build():
            coast = f" ({COASTS[order.unit.coast]})" if order.unit.coast else ""
            step = Step(said=f"{_kind(order.unit)}{coast}")
            at = order.unit.at
            return Laid(thing=board.name(at), at=at, steps=(step,), sort="new", ends=at)
        case Hold():
            return _of(board, order.unit, Step(said="hold"))
        case BuildCanoe():
            return _of(board, order.unit, Step(said="build a canoe-fleet"))
        case Disband():
            return _of(board, order.unit, Step(said="disband"), sort="off")
        case Move():
            return _moving(board, view, seat, order)
        case SupportHold():
            whom = Step(said=f"support {_called(board, order.other)}", at=order.other.at)
            stays = Step(said="where it stands", at=order.other.at)
            here = order.other.at
            return _of(board, order.unit, whom, stays, sort="support", helps=(here, here))
        case SupportMove():
            whom = Step(said=f"support {_called(board, order.other)}", at=order.other.at)
            goal = Step(said=f"to {_place(board, order.to, order.coast)}", at=order.to)
            helps = (str(order.other.at), str(order.to))
            return _of(board, order.unit, whom, goal, sort="support", helps=helps)
        case Convoy():
            whom = Step(said=f"convoy {_called(board, order.other)}", at=order.other.at)
            goal = Step(said=f"to {board.name(order.to)}", at=order.to)
            helps = (str(order.other.at), str(order.to))
            return _of(board, order.unit, whom, goal, sort="convoy", helps=helps)
    assert_never(order)


def _of(board: Board, unit: Piece, *steps: Step, sort: str = "stay", **more: object) -> Laid:
    return Laid(thing=_called(board, unit), at=unit.at, steps=steps, sort=sort, **more)  # type: ignore[arg-type]


def _moving(board: Board, view: View, seat: Seat, order: Move) -> Laid:
    said = _place(board, order.to, order.coast)
    carriers = _carriers(board, view, seat, order)
    if order.canoe:
        said += ", taking a canoe-fleet"
    elif order.via or carriers is not None:
        said += ", by convoy"
    along = tuple(Convoy(unit=fleet, other=order.unit, to=order.to) for fleet in carriers or ())
    step = Step(said=said, at=order.to)
    return _of(board, order.unit, step, sort="move", ends=str(order.to), along=along)


def _carriers(board: Board, view: View, seat: Seat, order: Move) -> tuple[Piece, ...] | None:
    """The seat's own fleets that a move hangs on, of a shortest way; None where it needs no fleet.

    A way of its own fleets alone comes before a shorter one with others'.
    """
    walks = order.to in board.army[order.unit.at] and not order.via
    if view.phase.kind != "M" or order.unit.kind != "A" or walks:
        return None
    start, goal = board.index[order.unit.at], board.index[order.to]
    own = [unit for unit in view.units if unit.power == seat]
    names = list(board.places)
    for fleets in (at_sea(board, own), at_sea(board, view.units)):
        chain = [names[one] for one in shortest(board.waters, start, goal, fleets)]
        if chain:
            standing = {unit.at: unit.piece for unit in own}
            return tuple(standing[at] for at in chain if at in standing)
    return ()


def _standing(board: Board, view: View, at: Province) -> str:
    """Who stands in a province, as a person calls it; the province itself if nobody does."""
    unit = next((one for one in view.units if one.at == at), None)
    return _called(board, unit.piece) if unit else board.name(at)


def _called(board: Board, unit: Piece) -> str:
    return f"{_kind(unit)} {board.name(unit.at)}"


def _kind(unit: Piece) -> str:
    name = KINDS[unit.kind]
    return name[0].upper() + name[1:]


def _place(board: Board, at: Province, coast: str) -> str:
    return board.name(spot(at, coast))
