"""The legal orders of a power's units now, one after the other."""

from collections.abc import Iterator

from games.diplomacy.adjudication import canoe_law
from games.diplomacy.adjudication.adjustments import adjustments_due, homes
from games.diplomacy.adjudication.afloat import is_afloat
from games.diplomacy.adjudication.legality import OrderChecker
from games.diplomacy.adjudication.sea_law import Seas
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
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
    Unit,
    View,
    Waive,
    split_spot,
    units_by_place,
)
from games.protocol import Seat
from games.protocol.optional import AdjacentPlace, LegalOrder
from games.record import replace_fields

UnitOrdersInWords = Iterator[tuple[AnyOrder, str]]


def legal_orders(variant: Variant, view: View, seat: Seat) -> Iterator[LegalOrder]:
    """Return the legal orders of each unit of a power; of builds, those of each centre."""
    law = OrderChecker(variant.board, variant.rulebook, view)
    for of, orders in _units(variant, view, seat):
        for order, words in orders:
            if law.objection(seat, order) is None:
                yield LegalOrder(of=of, order=order, words=words)


def _units(variant: Variant, view: View, seat: Seat) -> Iterator[tuple[str, UnitOrdersInWords]]:
    board = variant.board
    if view.phase.kind == "A":
        yield from _adjustment_orders(variant, view, seat)
        return
    if view.phase.kind == "R":
        for beaten_unit in view.beaten:
            if beaten_unit.unit.power == seat:
                yield (
                    _unit_name(board, beaten_unit.unit),
                    _retreat_orders(board, beaten_unit.unit, beaten_unit.retreats),
                )
        return
    seas = Seas(board, units_by_place(view))
    for unit in view.units:
        if unit.power == seat:
            yield _unit_name(board, unit), _movement_orders(variant, view, seas, unit)


def adjacent_places(board: Board, place: Province) -> tuple[AdjacentPlace, ...] | None:
    """Return the places beside a province, or beside a coast of one; None for an unknown place."""
    at, coast = split_spot(place)
    if at not in board.places:
        return None
    walked = () if coast else board.army[at]
    starts = (place,) if coast else (board.spots[at] or (at,))
    sailed = {there for start in starts for there in board.sailing.get(start, ())}
    afloat = {split_spot(there)[0] for there in sailed} | (set() if coast else set(board.fleet[at]))
    neighbours = board.in_board_order((*walked, *afloat))
    return tuple(
        AdjacentPlace(
            place=f"{board.name(neighbour)} ({board.abbr(neighbour)})",
            how=_way(neighbour in walked, neighbour in afloat),
        )
        for neighbour in neighbours
    )


def _way(walked: bool, sailed: bool) -> str:
    return " and ".join(("on foot",) * walked + ("by water",) * sailed)


def _unit_name(board: Board, unit: Unit) -> str:
    return f"{unit.kind} {board.name(unit.at)}"


def _movement_orders(variant: Variant, view: View, seas: Seas, unit: Unit) -> UnitOrdersInWords:
    board, piece = variant.board, unit.piece
    yield Hold(unit=piece), "it stays where it is"
    for goal in _goals(board, seas, unit):
        to, coast = split_spot(goal)
        carried = unit.kind == "A" and to not in board.army[unit.at]
        how = ", carried by fleets" if carried else ""
        yield Move(unit=piece, to=to, coast=coast), f"it goes to {board.name(goal)}{how}"
        if unit.kind == "A" and not carried and seas.is_carried(unit.at, to):
            yield Move(unit=piece, to=to, via=True), f"it goes to {board.name(to)}, carried by fleets"
    if "W" in board.kinds:
        yield from _paddling(variant, view, unit)
    yield from _helping_orders(board, view, seas, unit)


def _goals(board: Board, seas: Seas, unit: Unit) -> tuple[Province, ...]:
    if unit.kind == "F":
        return board.sailing[unit.spot]
    near = board.army[unit.at]
    if unit.kind == "W":
        return near
    return (
        *near,
        *(place for place in board.places if place not in near and seas.is_carried(unit.at, place)),
    )


def _paddling(variant: Variant, view: View, unit: Unit) -> UnitOrdersInWords:
    board, piece = variant.board, unit.piece
    afloat = is_afloat(board, piece)
    if afloat or view.canoes.get(unit.at):
        for to in canoe_law.goals(board, variant.rulebook, unit.at):
            yield Move(unit=piece, to=to, canoe=not afloat), f"it goes by canoe-fleet to {board.name(to)}"
    yield BuildCanoe(unit=piece), "it stays, and builds a canoe-fleet"
    yield Destroy(at=unit.at), "one canoe-fleet there is destroyed besides"


def _helping_orders(board: Board, view: View, seas: Seas, unit: Unit) -> UnitOrdersInWords:
    near = [place for place in board.places if seas.reaches(unit.piece, place)]
    for other in view.units:
        name = f"{other.kind} {board.name(other.at)} ({other.power})"
        if other.at == unit.at:
            continue
        if other.at in near:
            yield SupportHold(unit=unit.piece, other=other.piece), f"it helps {name} to stay"
        for to in near:
            if to != other.at:
                order = SupportMove(unit=unit.piece, other=other.piece, to=to)
                yield order, f"it helps {name} to get to {board.name(to)}"
                for goal in board.spots[to] if other.kind == "F" else ():
                    if coast := split_spot(goal)[1]:
                        yield (
                            replace_fields(order, coast=coast),
                            f"it helps {name} to get to {board.name(goal)}",
                        )
        if unit.kind == "F" and other.kind == "A" and not board.is_land(unit.at):
            for to in board.shores:
                yield (
                    Convoy(unit=unit.piece, other=other.piece, to=to),
                    f"it carries {name} to {board.name(to)}",
                )


def _retreat_orders(board: Board, unit: Unit, retreats: tuple[Province, ...]) -> UnitOrdersInWords:
    for goal in retreats:
        to, coast = split_spot(goal)
        yield Move(unit=unit.piece, to=to, coast=coast), f"it retreats to {board.name(goal)}"
    yield Disband(unit=unit.piece), "it is disbanded"


def _adjustment_orders(variant: Variant, view: View, seat: Seat) -> Iterator[tuple[str, UnitOrdersInWords]]:
    board, rulebook = variant.board, variant.rulebook
    due = adjustments_due(board, rulebook, view, seat)
    if due.removals:
        for unit in view.units:
            if unit.power == seat:
                yield _unit_name(board, unit), iter([(Disband(unit=unit.piece), "it is taken off the board")])
    if due.builds:
        for home in homes(board, rulebook, view, seat):
            yield board.name(home), _build_orders(board, home)
        yield "a build", iter([(Waive(), "it is not made")])


def _build_orders(board: Board, home: Province) -> UnitOrdersInWords:
    for kind in board.kinds:
        spots = board.spots[home] if kind == "F" else (home,)
        for build_spot in spots:
            at, coast = split_spot(build_spot)
            yield (
                Build(unit=Piece(kind=kind, at=at, coast=coast)),
                f"a new {_NEW_UNIT_NAMES[kind]} comes there",
            )


_NEW_UNIT_NAMES = {"W": "War Party", "A": "army", "F": "fleet"}
