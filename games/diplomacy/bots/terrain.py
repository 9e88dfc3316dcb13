"""How far it is, on foot and by canoe-fleet, and who stands where: what a bot reads off a position."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from games.diplomacy import storms
from games.diplomacy.board import Board
from games.diplomacy.boards import Variant
from games.diplomacy.marks import is_afloat
from games.diplomacy.model import NEUTRAL, Move, Province, State, Unit, parted
from games.protocol import Seat

FAR = 999
"""Steps to what cannot be reached."""

_LAUNCH = 2
"""A canoe-fleet is built, and then goes on the water."""
_STORMY = 9
"""A stormy water costs a year and, more often than not, the War Party: only a last way."""

Steps = Mapping[Province, int]
"""The steps to a goal from each province from which it can be reached: seasons, if nobody is in the way."""


class Terrain:
    """The ways of one board. Each is found once and kept, since only canoe-fleets and the taboo change them.

    canoes: whether there are canoe-fleets to go by.
    """

    def __init__(self, board: Board, *, canoes: bool) -> None:
        self._board = board
        self._canoes = canoes
        self._found: dict[tuple[Province, bool, Province | None], Steps] = {}
        self._sailed: dict[tuple[Province, ...], Steps] = {}

    def steps_to(self, goal: Province, *, landing: bool, shunned: Province | None) -> Steps:
        """The steps to a goal. landing: whether one may come ashore there; shunned: where nobody goes."""
        key = goal, landing, shunned
        if key not in self._found:
            self._found[key] = self._spread((goal,), landing, shunned)
        return self._found[key]

    def sailed_to(self, goals: tuple[Province, ...]) -> Steps:
        """The steps of a fleet to the nearest of some goals, by spot."""
        if goals not in self._sailed:
            edge = [there for goal in goals for there in self._board.spots[goal]]
            steps = dict.fromkeys(edge, 0)
            for here in edge:
                for there in self._board.sailing[here]:
                    if there not in steps:
                        steps[there] = steps[here] + 1
                        edge.append(there)
            self._sailed[goals] = steps
        return self._sailed[goals]

    def steps_to_any(self, goals: Iterable[Province], shunned: Province | None) -> Steps:
        """The steps to the nearest of some goals."""
        return self._spread(tuple(goals), True, shunned)

    def _spread(self, goals: tuple[Province, ...], landing: bool, shunned: Province | None) -> Steps:
        steps: dict[Province, int] = {}
        edge = [(0, self._board.index[goal], goal) for goal in goals]
        while edge:
            far, _, here = heappop(edge)
            if here in steps:
                continue
            steps[here] = far
            for there, cost in self._before(here, landing or here not in goals):
                if there not in steps and there != shunned:
                    heappush(edge, (far + cost, self._board.index[there], there))
        return steps

    def _before(self, here: Province, landing: bool) -> Iterable[tuple[Province, int]]:
        """The provinces from which one goes to this one, and what it costs."""
        board = self._board
        for there in board.army[here]:
            yield there, 1
        if self._canoes and (landing or not board.is_land(here)):
            for there in board.fleet[here]:
                if there in board.chart.stormy:
                    yield there, _STORMY
                elif not board.is_land(there):
                    yield there, 1
                elif not board.is_land(here):
                    yield there, _LAUNCH


@dataclass(frozen=True)
class Situation:
    """One seat's reading of a position. variant: as the options of the game make it."""

    variant: Variant
    terrain: Terrain
    view: State
    seat: Seat

    @property
    def board(self) -> Board:
        """The board that the game is played on."""
        return self.variant.board

    @cached_property
    def standing(self) -> Mapping[Province, Unit]:
        """Who stands where."""
        return {unit.at: unit for unit in self.view.units}

    @cached_property
    def mine(self) -> tuple[Unit, ...]:
        """The seat's own units, in board order."""
        return tuple(unit for unit in self.view.units if unit.power == self.seat)

    @cached_property
    def prizes(self) -> tuple[Province, ...]:
        """Centres worth going to: not owned by the seat, or occupied by others; nobody of ours is there."""
        return tuple(
            centre
            for centre in self.board.centres
            if not self.is_ours(centre)
            and (self.view.centres.get(centre) != self.seat or centre in self.standing)
        )

    @cached_property
    def owned(self) -> tuple[Province, ...]:
        """The seat's own centres, in board order."""
        return tuple(centre for centre in self.board.centres if self.view.centres.get(centre) == self.seat)

    @property
    def shunned(self) -> Province | None:
        """The province that nobody enters unpunished."""
        return self.board.chart.taboo if self.view.taboo else None

    def is_ours(self, place: Province) -> bool:
        """Whether a unit of the seat stands there."""
        return place in self.standing and self.standing[place].power == self.seat

    def enemies(self, place: Province) -> tuple[Unit, ...]:
        """Units of other nations next door, in board order; neutrals never move and are no enemies."""
        around = self.board.sorted((*self.board.army[place], *self._sea_around(place)))
        found = (self.standing.get(other) for other in around)
        return tuple(
            unit
            for unit in found
            if unit and unit.power not in (self.seat, NEUTRAL) and place in self.reach(unit)
        )

    def _sea_around(self, place: Province) -> tuple[Province, ...]:
        return self.board.fleet[place] if self.has_fleets else ()

    @property
    def has_fleets(self) -> bool:
        """Whether fleets sail on this board."""
        return "F" in self.variant.rulebook.builds_of

    def reach(self, unit: Unit) -> tuple[Province, ...]:
        """The provinces next door to a unit, on foot or, for a fleet, by water."""
        if unit.kind != "F":
            return self.board.army[unit.at]
        return tuple(dict.fromkeys(parted(there)[0] for there in self.board.sailing[unit.spot]))

    def move(self, unit: Unit, to: Province) -> Move:
        """The move to a province next door, for a fleet to the first coast that it reaches."""
        if unit.kind != "F":
            return Move(unit=unit.piece, to=to)
        spots = (parted(there) for there in self.board.sailing[unit.spot])
        return Move(unit=unit.piece, to=to, coast=next(coast for at, coast in spots if at == to))

    def way(self, unit: Unit, goal: Province) -> Steps:
        """The steps to a goal from each province, for a unit of that kind."""
        if unit.kind != "F":
            return self.steps_to(goal)
        sailed = self.terrain.sailed_to((goal,))
        near = {parted(there)[0]: sailed[there] for there in self.board.sailing[unit.spot] if there in sailed}
        return {**near, unit.at: sailed[unit.spot]} if unit.spot in sailed else near

    def strength_wanted(self, prize: Province) -> int:
        """How many units an attack on the place takes, its own supports apart: a defender counts one, and one
        more when a comrade of its stands next door."""
        unit = self.standing.get(prize)
        if unit is None:
            return 1
        comrades = [other for other in self.enemies(prize) if other.power == unit.power]
        return 3 if comrades and unit.power != NEUTRAL else 2

    def steps_to(self, goal: Province) -> Steps:
        """The steps to a goal; ashore one comes only where nobody is."""
        return self.terrain.steps_to(goal, landing=goal not in self.standing, shunned=self.shunned)

    def steps_to_any(self, goals: Iterable[Province]) -> Steps:
        """The steps to the nearest of some goals."""
        return self.terrain.steps_to_any(goals, self.shunned)

    def is_afloat(self, unit: Unit) -> bool:
        """Whether a unit is on the water."""
        return is_afloat(self.board, unit)

    def is_held(self, unit: Unit) -> bool:
        """Whether a unit is on a water that it may not leave yet."""
        return storms.is_held(self.view, unit.at)

    def landings(self, unit: Unit) -> tuple[Province, ...]:
        """Where a unit afloat may go: free shores and other waters."""
        if not self.is_afloat(unit) or self.is_held(unit):
            return ()
        book, view = self.variant.rulebook, self.view
        return tuple(
            place
            for place in self.board.fleet[unit.at]
            if place not in self.standing and not storms.is_shut(book, view, unit.at, place)
        )
