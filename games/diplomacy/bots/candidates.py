"""The legal orders of a seat's units, constructed rather than tried out."""

from collections.abc import Iterator
from functools import cached_property

from games.diplomacy.adjudication import canoe_law
from games.diplomacy.adjudication.adjustments import free_homes
from games.diplomacy.adjudication.afloat import is_afloat
from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import (
    NEUTRAL,
    BuildCanoe,
    Hold,
    Move,
    Piece,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    View,
    split_spot,
)
from games.protocol import Seat


class Repertoire:
    """The lawful orders of one movement season. variant: as the options of the game make it.

    Convoys are not among them: they take several orders that are nothing without each other.
    """

    def __init__(self, variant: Variant, view: View) -> None:
        self.board = variant.board
        self.rulebook = variant.rulebook
        self.view = view
        self._moves: dict[Province, tuple[Move, ...]] = {}
        self._reach: dict[Province, frozenset[Province]] = {}

    @cached_property
    def standing(self) -> dict[Province, Unit]:
        """The units by their provinces."""
        return {unit.at: unit for unit in self.view.units}

    def mine(self, seat: Seat) -> tuple[Unit, ...]:
        """The units of a seat, in board order."""
        return tuple(unit for unit in self.view.units if unit.power == seat)

    def moves(self, unit: Unit) -> tuple[Move, ...]:
        """Where a unit may go by itself: on foot, under sail, in a canoe-fleet that is there."""
        if unit.at not in self._moves:
            self._moves[unit.at] = tuple(self._going(unit))
        return self._moves[unit.at]

    def reach(self, unit: Unit) -> frozenset[Province]:
        """The provinces that a unit attacks and supports into: next door, not by canoe-fleet."""
        if unit.at not in self._reach:
            self._reach[unit.at] = frozenset(self._next_door(unit))
        return self._reach[unit.at]

    def orders(self, unit: Unit) -> tuple[UnitOrder, ...]:
        """Return all that a unit may do by itself or for another unit of its nation."""
        orders: list[UnitOrder] = [Hold(unit=unit.piece), *self.moves(unit)]
        if self.can_build_canoe(unit):
            orders.append(BuildCanoe(unit=unit.piece))
        for other in self.mine(unit.power):
            orders += self.supports(unit, other)
        return tuple(orders)

    def can_build_canoe(self, unit: Unit) -> bool:
        """Return whether a unit may build a canoe-fleet where it stands."""
        order = BuildCanoe(unit=unit.piece)
        return self.rulebook.canoes and canoe_law.building(self.board, order) is None

    def supports(self, unit: Unit, other: Unit) -> Iterator[SupportHold | SupportMove]:
        """The supports that one unit can give another one: to stand, and to go wherever both can."""
        if unit == other or is_afloat(self.board, unit.piece):
            return
        reach = self.reach(unit)
        if other.at in reach:
            yield SupportHold(unit=unit.piece, other=other.piece)
        if other.power != NEUTRAL:
            for to in self.board.in_board_order(reach & self.reach(other)):
                yield SupportMove(unit=unit.piece, other=other.piece, to=to)

    def _going(self, unit: Unit) -> Iterator[Move]:
        if unit.kind == "F":
            for at, coast in map(split_spot, self.board.sailing[unit.spot]):
                yield Move(unit=unit.piece, to=at, coast=coast)
            return
        for to in self.board.army[unit.at]:
            yield Move(unit=unit.piece, to=to)
        if self.rulebook.canoes:
            yield from self._paddling(unit)

    def _paddling(self, unit: Unit) -> Iterator[Move]:
        afloat = is_afloat(self.board, unit.piece)
        if not afloat and not self.view.canoes.get(unit.at):
            return
        for to in canoe_law.goals(self.board, self.rulebook, unit.at):
            move = Move(unit=unit.piece, to=to, canoe=not afloat)
            if canoe_law.going(self.board, self.rulebook, self.view, move) is None:
                yield move

    def _next_door(self, unit: Unit) -> Iterator[Province]:
        if unit.kind == "F":
            yield from (split_spot(there)[0] for there in self.board.sailing[unit.spot])
        else:
            yield from self.board.army[unit.at]


def buildable_units(variant: Variant, view: View, seat: Seat) -> tuple[Piece, ...]:
    """Return the units that a seat could build, in board order, War Parties and armies before fleets."""
    board, book = variant.board, variant.rulebook
    pieces = []
    for place in free_homes(board, book, view, seat):
        pieces += [Piece(kind=kind, at=place) for kind in book.builds_of if kind != "F"]
        for at, coast in map(split_spot, board.spots[place] if "F" in book.builds_of else ()):
            pieces.append(Piece(kind="F", at=at, coast=coast))
    return tuple(pieces)
