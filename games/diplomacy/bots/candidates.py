"""The legal orders of a seat's units, constructed rather than tried out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from games.dice import Dice
from games.diplomacy.adjudication import legality
from games.diplomacy.adjudication.adjustments import free_homes
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.reasons import AnyMotive, Backs, PlannedOrder, Reasoned
from games.diplomacy.model import (
    NEUTRAL,
    BuildCanoe,
    Convoy,
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

Sheet = Mapping[Province, UnitOrder]
"""Orders by the province of the unit."""


class Repertoire:
    """The legal orders of one movement season. variant: as the options of the game make it.

    Convoys are left out, since they take several orders that only work together.
    """

    def __init__(self, variant: Variant, view: View) -> None:
        self.board = variant.board
        self.rulebook = variant.rulebook
        self.view = view
        self._moves: dict[Province, tuple[Move, ...]] = {}
        self._reach: dict[Province, frozenset[Province]] = {}

    @cached_property
    def standing(self) -> dict[Province, Unit]:
        """The units by province."""
        return {unit.at: unit for unit in self.view.units}

    def mine(self, seat: Seat) -> tuple[Unit, ...]:
        """Return the units of a seat, in board order."""
        return tuple(unit for unit in self.view.units if unit.power == seat)

    def moves(self, unit: Unit) -> tuple[Move, ...]:
        """Return the moves that a unit can make by itself: on foot, by fleet, by a canoe-fleet there."""
        if unit.at not in self._moves:
            self._moves[unit.at] = tuple(self._going(unit))
        return self._moves[unit.at]

    def reach(self, unit: Unit) -> frozenset[Province]:
        """Return the provinces that a unit can attack and support into: adjacent ones, not by canoe-fleet."""
        if unit.at not in self._reach:
            self._reach[unit.at] = frozenset(self._next_door(unit))
        return self._reach[unit.at]

    def orders(self, unit: Unit) -> tuple[UnitOrder, ...]:
        """Return all orders that a unit can carry out by itself or for another unit of its nation."""
        orders: list[UnitOrder] = [Hold(unit=unit.piece), *self.moves(unit)]
        if self.can_build_canoe(unit):
            orders.append(BuildCanoe(unit=unit.piece))
        for other in self.mine(unit.power):
            orders += self.supports(unit, other)
        return tuple(orders)

    def can_build_canoe(self, unit: Unit) -> bool:
        """Return whether a unit can build a canoe-fleet in its place."""
        order = BuildCanoe(unit=unit.piece)
        return self.rulebook.canoes and legality.building(self.board, order) is None

    def supports(self, unit: Unit, other: Unit) -> Iterator[SupportHold | SupportMove]:
        """Yield the supports that one unit can give another: to hold, and to move where both can go."""
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
        for to in legality.goals(self.board, self.rulebook, unit.at):
            move = Move(unit=unit.piece, to=to, canoe=not afloat)
            if legality.going(self.board, self.rulebook, self.view, move) is None:
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


# Order sheets that differ a little from another: a different move for a unit, with or without supports.


Change = Mapping[Province, UnitOrder]
"""New orders for some units, by province."""

_HELPERS = 3
"""An attack is tried with at most this many supports."""


class Variations:
    """The sheets next to a sheet, in one situation. No unit goes to a friend's place or a closed province.

    units: the seat's units that have orders in the sheets, in board order.
    """

    def __init__(self, situation: Situation, units: Sequence[Unit]) -> None:
        self._situation = situation
        self._repertoire = Repertoire(situation.variant, situation.view)
        self._mine = {unit.at: unit for unit in units}
        self._barred = frozenset(
            place
            for place in situation.board.places
            if place in situation.closed_provinces
            or (situation.is_spared(place) and place not in situation.prizes)
        )

    def changes(self, sheet: Sheet) -> list[Change]:
        """Return the changes to try: first those about centres to win or in danger, then all others."""
        changes = [change for unit in self._mine.values() for change in self._changes_for(unit, sheet)]
        return sorted(changes, key=self._is_idle)

    def apply(self, sheet: Sheet, change: Change) -> Sheet:
        """Return the sheet with a change. Supports that no longer fit support another, or become holds."""
        changed = {**sheet, **change}
        for at, order in changed.items():
            if at in change or not isinstance(order, SupportMove | SupportHold | Convoy):
                continue
            if order.other.at in change and not _matches(order, changed[order.other.at]):
                changed[at] = self._fallback_order(self._mine[at], changed)
        for at, order in changed.items():
            if at not in change and isinstance(order, Move) and _is_taken(order.to, change):
                changed[at] = self._fallback_order(self._mine[at], changed)
        return changed

    def _changes_for(self, unit: Unit, sheet: Sheet) -> Iterator[Change]:
        if self._situation.is_held(unit):
            return
        for move in self._repertoire.moves(unit):
            if move.to not in self._barred:
                yield from self._going(unit, move, sheet)
        yield {unit.at: Hold(unit=unit.piece)}
        for other in self._mine.values():
            yield from self._helping(unit, other, sheet)
        if self._repertoire.can_build_canoe(unit):
            yield {unit.at: BuildCanoe(unit=unit.piece)}
        yield from self._ferrying(unit)

    def _going(self, unit: Unit, move: Move, sheet: Sheet) -> Iterator[Change]:
        there = self._mine.get(move.to)
        if there is not None and not isinstance(sheet[there.at], Move):
            return
        yield {unit.at: move}
        if move.to not in self._repertoire.reach(unit) or move.canoe:
            return
        helpers = [
            other
            for other in self._mine.values()
            if other.at not in (unit.at, move.to) and self._helps(other, move.to)
        ]
        for count in range(1, _HELPERS + 1):
            for some in combinations(helpers, count) if count < _HELPERS else (helpers[:count],):
                if len(some) == count:
                    yield {unit.at: move, **{other.at: _support(other, move) for other in some}}

    def _helping(self, unit: Unit, other: Unit, sheet: Sheet) -> Iterator[Change]:
        order = sheet[other.at]
        if other == unit or not self._helps(unit, order.to if isinstance(order, Move) else other.at):
            return
        if not isinstance(order, Move):
            yield {unit.at: SupportHold(unit=unit.piece, other=other.piece)}
        elif order.to in self._repertoire.reach(other) and not order.canoe:
            yield {unit.at: _support(unit, order)}

    def _ferrying(self, fleet: Unit) -> Iterator[Change]:
        """Yield changes that let a fleet at sea convoy an army from one shore to another."""
        board = self._situation.board
        if fleet.kind != "F" or not board.has_convoys(fleet.at):
            return
        shores = [place for place in board.fleet[fleet.at] if board.is_land(place)]
        for army in (self._mine[at] for at in shores if at in self._mine):
            if army.kind != "A":
                continue
            for to in shores:
                if to not in self._barred and to not in self._mine and to not in board.army[army.at]:
                    carried = Move(unit=army.piece, to=to)
                    yield {army.at: carried, fleet.at: Convoy(unit=fleet.piece, other=army.piece, to=to)}

    def _helps(self, unit: Unit, to: Province) -> bool:
        return to in self._repertoire.reach(unit) and not is_afloat(self._situation.board, unit.piece)

    def _fallback_order(self, unit: Unit, sheet: Sheet) -> UnitOrder:
        """Return the order of a unit whose order has become useless: it supports a comrade, or holds."""
        for other in self._mine.values():
            for change in self._helping(unit, other, sheet) if other.at in sheet else ():
                return change[unit.at]
        return Hold(unit=unit.piece)

    def _is_idle(self, change: Change) -> bool:
        situation = self._situation
        goals = [order.to for order in change.values() if isinstance(order, Move)]
        return not any(
            goal in situation.prizes or (goal in situation.own_centres and situation.threat(goal))
            for goal in goals
        )


def _support(unit: Unit, move: Move) -> SupportMove:
    return SupportMove(unit=unit.piece, other=move.unit, to=move.to)


def _matches(order: SupportMove | SupportHold | Convoy, other: UnitOrder) -> bool:
    """Return whether a support or a convoy matches the other unit's order."""
    if isinstance(order, SupportHold):
        return not isinstance(other, Move)
    return isinstance(other, Move) and other.to == order.to


def _is_taken(place: Province, change: Change) -> bool:
    """Return whether a comrade goes to a place, or stays there, after a change."""
    return any((order.to if isinstance(order, Move) else at) == place for at, order in change.items())


# The plan of a movement season: the units with orders, those that stay and may support, and each goal.


@dataclass
class SeasonPlan:
    """A season being planned. It grows until every unit has its order.

    planned: by unit; rooted: the units that stay in their places and may support, with the reason; taken: the
    places of the seat's units after the moves; backing: for each place that they go to, the unit that goes,
    how many units take part and how many are needed.
    """

    situation: Situation
    dice: Dice
    planned: dict[Unit, PlannedOrder] = field(default_factory=dict)
    rooted: dict[Unit, AnyMotive] = field(default_factory=dict)
    taken: set[Province] = field(default_factory=set)
    backing: dict[Province, tuple[Unit, int, int]] = field(default_factory=dict)

    def idle(self) -> tuple[Unit, ...]:
        """Return the units without an order, in board order."""
        return tuple(unit for unit in self.situation.mine if unit not in self.planned)

    def free(self) -> tuple[Unit, ...]:
        """Return the units without an order that may leave their places."""
        return tuple(unit for unit in self.idle() if unit not in self.rooted)

    def root(self, unit: Unit, motive: AnyMotive) -> None:
        """Let a unit stay in its place. Its order is chosen later."""
        self.rooted[unit] = motive
        self.taken.add(unit.at)

    def order(self, unit: Unit, order: UnitOrder, motive: AnyMotive) -> None:
        """Give a unit its order. Its place after the moves is taken from then on."""
        self.planned[unit] = PlannedOrder(order, motive)
        self.taken.add(order.to if isinstance(order, Move) else unit.at)

    def hold(self, unit: Unit, motive: AnyMotive) -> None:
        """Let a unit hold."""
        self.order(unit, Hold(unit=unit.piece), motive)

    def lead(self, unit: Unit, spot: Province, motive: AnyMotive, wanted: int) -> None:
        """Send a unit to a spot where others may support it. wanted: how many units are needed in all.

        A unit that lands from a canoe-fleet can't be supported (Indianomacy §6, ruling C12).
        """
        self.order(unit, self.situation.move(unit, spot), motive)
        if not is_afloat(self.situation.board, unit):
            self.backing[split_spot(spot)[0]] = unit, 1, wanted

    def back(self, unit: Unit, to: Province) -> None:
        """Let a unit support the comrade that goes to a place."""
        lead, number, wanted = self.backing[to]
        order = SupportMove(unit=unit.piece, other=lead.piece, to=to)
        self.order(unit, order, Backs(to=to, number=number + 1, of=wanted))
        self.backing[to] = lead, number + 1, wanted

    def is_open(self, place: Province) -> bool:
        """Return whether an own unit may go to a place: it will be empty, and isn't closed."""
        unit = self.situation.standing.get(place)
        is_left = unit is None or (unit in self.planned and isinstance(self.planned[unit].order, Move))
        return is_left and place not in self.taken and place not in self.situation.closed_provinces

    def lacking(self) -> tuple[Province, ...]:
        """Return the places with fewer units going there than are needed."""
        return tuple(to for to, (_, number, wanted) in self.backing.items() if number < wanted)

    def is_leaving(self, unit: Unit) -> bool:
        """Return whether a unit is ordered away."""
        return unit in self.planned and isinstance(self.planned[unit].order, Move)


def powers_of(units: Sequence[Unit]) -> tuple[Seat, ...]:
    """Return the nations of some units, each once."""
    return tuple(dict.fromkeys(unit.power for unit in units))


def sheet_of(planned: Sequence[Reasoned]) -> Sheet:
    """Return the orders of a plan, by the province of the unit."""
    orders = (planned_order.order for planned_order in planned)
    return {order.unit.at: order for order in orders if isinstance(order, UnitOrder)}
