"""What the units of a power may be ordered to do now, one lawful order after the other."""

from collections.abc import Iterator

from games.diplomacy import canoe_law
from games.diplomacy.adjustments import claim, homes
from games.diplomacy.afloat import is_afloat
from games.diplomacy.board import Board
from games.diplomacy.boards import Variant
from games.diplomacy.lawful import Law
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
    by_place,
    parted,
)
from games.diplomacy.sea_law import Seas
from games.protocol import Seat
from games.protocol.optional import Neighbour, Possible
from games.record import changed

Said = Iterator[tuple[AnyOrder, str]]


def possible(variant: Variant, view: View, seat: Seat) -> Iterator[Possible]:
    """The lawful orders of each unit of a power; of builds, those of each centre."""
    law = Law(variant.board, variant.rulebook, view)
    for of, said in _units(variant, view, seat):
        for order, words in said:
            if law.objection(seat, order) is None:
                yield Possible(of=of, order=order, words=words)


def _units(variant: Variant, view: View, seat: Seat) -> Iterator[tuple[str, Said]]:
    board = variant.board
    if view.phase.kind == "A":
        yield from _adjusting(variant, view, seat)
        return
    if view.phase.kind == "R":
        for one in view.beaten:
            if one.unit.power == seat:
                yield _called(board, one.unit), _retreating(board, one.unit, one.retreats)
        return
    seas = Seas(board, by_place(view))
    for unit in view.units:
        if unit.power == seat:
            yield _called(board, unit), _moving(variant, view, seas, unit)


def beside(board: Board, place: Province) -> tuple[Neighbour, ...] | None:
    """What lies beside a province, or beside a coast of one; None where that is none."""
    at, coast = parted(place)
    if at not in board.places:
        return None
    walked = () if coast else board.army[at]
    starts = (place,) if coast else (board.spots[at] or (at,))
    sailed = {there for start in starts for there in board.sailing.get(start, ())}
    afloat = {parted(there)[0] for there in sailed} | (set() if coast else set(board.fleet[at]))
    found = board.sorted((*walked, *afloat))
    return tuple(
        Neighbour(place=f"{board.name(one)} ({board.abbr(one)})", how=_way(one in walked, one in afloat))
        for one in found
    )


def _way(walked: bool, sailed: bool) -> str:
    return " and ".join(("on foot",) * walked + ("by water",) * sailed)


def _called(board: Board, unit: Unit) -> str:
    return f"{unit.kind} {board.name(unit.at)}"


def _moving(variant: Variant, view: View, seas: Seas, unit: Unit) -> Said:
    board, piece = variant.board, unit.piece
    yield Hold(unit=piece), "it stays where it is"
    for goal in _goals(board, seas, unit):
        to, coast = parted(goal)
        carried = unit.kind == "A" and to not in board.army[unit.at]
        how = ", carried by fleets" if carried else ""
        yield Move(unit=piece, to=to, coast=coast), f"it goes to {board.name(goal)}{how}"
        if unit.kind == "A" and not carried and seas.is_carried(unit.at, to):
            yield Move(unit=piece, to=to, via=True), f"it goes to {board.name(to)}, carried by fleets"
    if "W" in board.kinds:
        yield from _paddling(variant, view, unit)
    yield from _helping(board, view, seas, unit)


def _goals(board: Board, seas: Seas, unit: Unit) -> tuple[Province, ...]:
    if unit.kind == "F":
        return board.sailing[unit.spot]
    near = board.army[unit.at]
    if unit.kind == "W":
        return near
    return (*near, *(one for one in board.places if one not in near and seas.is_carried(unit.at, one)))


def _paddling(variant: Variant, view: View, unit: Unit) -> Said:
    board, piece = variant.board, unit.piece
    afloat = is_afloat(board, piece)
    if afloat or view.canoes.get(unit.at):
        for to in canoe_law.goals(board, variant.rulebook, unit.at):
            yield Move(unit=piece, to=to, canoe=not afloat), f"it goes by canoe-fleet to {board.name(to)}"
    yield BuildCanoe(unit=piece), "it stays, and builds a canoe-fleet"
    yield Destroy(at=unit.at), "one canoe-fleet there is destroyed besides"


def _helping(board: Board, view: View, seas: Seas, unit: Unit) -> Said:
    near = [one for one in board.places if seas.reaches(unit.piece, one)]
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
                    if coast := parted(goal)[1]:
                        yield changed(order, coast=coast), f"it helps {name} to get to {board.name(goal)}"
        if unit.kind == "F" and other.kind == "A" and not board.is_land(unit.at):
            for to in board.shores:
                yield (
                    Convoy(unit=unit.piece, other=other.piece, to=to),
                    f"it carries {name} to {board.name(to)}",
                )


def _retreating(board: Board, unit: Unit, retreats: tuple[Province, ...]) -> Said:
    for goal in retreats:
        to, coast = parted(goal)
        yield Move(unit=unit.piece, to=to, coast=coast), f"it retreats to {board.name(goal)}"
    yield Disband(unit=unit.piece), "it is disbanded"


def _adjusting(variant: Variant, view: View, seat: Seat) -> Iterator[tuple[str, Said]]:
    board, rulebook = variant.board, variant.rulebook
    due = claim(board, rulebook, view, seat)
    if due.removals:
        for unit in view.units:
            if unit.power == seat:
                yield _called(board, unit), iter([(Disband(unit=unit.piece), "it is taken off the board")])
    if due.builds:
        for home in homes(board, rulebook, view, seat):
            yield board.name(home), _building(board, home)
        yield "a build", iter([(Waive(), "it is not made")])


def _building(board: Board, home: Province) -> Said:
    for kind in board.kinds:
        spots = board.spots[home] if kind == "F" else (home,)
        for one in spots:
            at, coast = parted(one)
            yield Build(unit=Piece(kind=kind, at=at, coast=coast)), f"a new {_KINDS[kind]} comes there"


_KINDS = {"W": "War Party", "A": "army", "F": "fleet"}
