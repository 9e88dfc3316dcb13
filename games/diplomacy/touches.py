"""Orders put together on the map: what is touched one after the other, and what goes along with it."""

from collections.abc import Mapping
from typing import assert_never

from games.diplomacy.adjudication.convoy_routes import at_sea, shortest
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.coasts import COASTS
from games.diplomacy.map.dislodged_places import second_place
from games.diplomacy.map.order_arrows import middle
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
from games.diplomacy.phrases import UNIT_KIND_NAMES
from games.protocol import Seat
from games.protocol.optional import TouchOrder, TouchStep


def points(board: Board, view: View) -> Mapping[str, tuple[float, float]]:
    """Return where a piece stands in each province: a dislodged one beside the unit that drove it out."""
    positions = {str(at): middle(board, at) for at in board.places}
    positions |= {unit.at: middle(board, unit.spot) for unit in view.units}
    return positions | {
        beaten_unit.unit.at: second_place(board, beaten_unit.unit.at).at for beaten_unit in view.beaten
    }


def touch_order(board: Board, view: View, seat: Seat, order: AnyOrder) -> TouchOrder:
    """Return an order as touches: the unit first, then its goal, or the unit it helps and that one's goal."""
    match order:
        case Waive():
            return TouchOrder(thing="A build", at="", steps=(TouchStep(said="waive it"),))
        case Destroy():
            step = TouchStep(said="destroy one canoe-fleet")
            return TouchOrder(thing=_occupant_name(board, view, order.at), at=order.at, steps=(step,))
        case Build():
            coast = f" ({COASTS[order.unit.coast]})" if order.unit.coast else ""
            step = TouchStep(said=f"{_kind(order.unit)}{coast}")
            at = order.unit.at
            return TouchOrder(thing=board.name(at), at=at, steps=(step,), sort="new", ends=at)
        case Hold():
            return _of(board, order.unit, TouchStep(said="hold"))
        case BuildCanoe():
            return _of(board, order.unit, TouchStep(said="build a canoe-fleet"))
        case Disband():
            return _of(board, order.unit, TouchStep(said="disband"), sort="off")
        case Move():
            return _touch_move(board, view, seat, order)
        case SupportHold():
            whom = TouchStep(said=f"support {_unit_name(board, order.other)}", at=order.other.at)
            stays = TouchStep(said="where it stands", at=order.other.at)
            here = order.other.at
            return _of(board, order.unit, whom, stays, sort="support", helps=(here, here))
        case SupportMove():
            whom = TouchStep(said=f"support {_unit_name(board, order.other)}", at=order.other.at)
            goal = TouchStep(said=f"to {_place(board, order.to, order.coast)}", at=order.to)
            helps = (str(order.other.at), str(order.to))
            return _of(board, order.unit, whom, goal, sort="support", helps=helps)
        case Convoy():
            whom = TouchStep(said=f"convoy {_unit_name(board, order.other)}", at=order.other.at)
            goal = TouchStep(said=f"to {board.name(order.to)}", at=order.to)
            helps = (str(order.other.at), str(order.to))
            return _of(board, order.unit, whom, goal, sort="convoy", helps=helps)
    assert_never(order)


def _of(board: Board, unit: Piece, *steps: TouchStep, sort: str = "stay", **more: object) -> TouchOrder:
    return TouchOrder(thing=_unit_name(board, unit), at=unit.at, steps=steps, sort=sort, **more)  # type: ignore[arg-type]


def _touch_move(board: Board, view: View, seat: Seat, order: Move) -> TouchOrder:
    label = _place(board, order.to, order.coast)
    carriers = _carriers(board, view, seat, order)
    if order.canoe:
        label += ", taking a canoe-fleet"
    elif order.via or carriers is not None:
        label += ", by convoy"
    along = tuple(Convoy(unit=fleet, other=order.unit, to=order.to) for fleet in carriers or ())
    step = TouchStep(said=label, at=order.to)
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
        chain = [names[number] for number in shortest(board.waters, start, goal, fleets)]
        if chain:
            standing = {unit.at: unit.piece for unit in own}
            return tuple(standing[at] for at in chain if at in standing)
    return ()


def _occupant_name(board: Board, view: View, at: Province) -> str:
    """Return the unit in a province, as a person calls it; the province itself if none is there."""
    unit = next((candidate for candidate in view.units if candidate.at == at), None)
    return _unit_name(board, unit.piece) if unit else board.name(at)


def _unit_name(board: Board, unit: Piece) -> str:
    return f"{_kind(unit)} {board.name(unit.at)}"


def _kind(unit: Piece) -> str:
    name = UNIT_KIND_NAMES[unit.kind]
    return name[0].upper() + name[1:]


def _place(board: Board, at: Province, coast: str) -> str:
    return board.name(spot(at, coast))
