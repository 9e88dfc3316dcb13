"""Distances on one board: on foot, by canoe-fleet, carried over the water, or under sail."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from heapq import heappop, heappush

from games.diplomacy.boards.board import Board
from games.diplomacy.model import Province, split_spot

UNREACHABLE_STEPS = 999
"""Steps to what cannot be reached."""

_LAUNCH = 2
"""A canoe-fleet is built, and then goes on the water."""
_STORMY = 9
"""A stormy water costs a year and, more often than not, the War Party: only a last way."""
_FERRY = 3
"""An army waits for the fleet that carries it over one water."""

Steps = Mapping[Province, int]
"""The steps to a goal from each spot from which it can be reached: seasons, if nobody is in the way."""


class Ways:
    """The ways of one board. Each is found once and kept: only the taboo and who stands ashore change them.

    canoes: whether there are canoe-fleets to go by.
    """

    def __init__(self, board: Board, *, canoes: bool) -> None:
        self._board = board
        self._canoes = canoes
        self._ferries = "A" in board.kinds
        self._found: dict[tuple[Province, bool, Province | None], Steps] = {}
        self._sailed: dict[Province, Steps] = {}
        self._next: dict[Province, tuple[Province, ...]] = {}
        self._before: dict[Province, tuple[tuple[Province, int, bool], ...]] = {}

    def walked_to(self, goal: Province, *, landing: bool, shunned: Province | None) -> Steps:
        """The steps of a War Party or an army to a goal.

        landing: whether one may come ashore there from a canoe-fleet; shunned: where nobody goes.
        """
        key = goal, landing, shunned
        if key not in self._found:
            self._found[key] = self._spread(goal, landing, shunned)
        return self._found[key]

    def sailed_to(self, goal: Province) -> Steps:
        """The steps of a fleet to a goal, by spot."""
        if goal not in self._sailed:
            edge = list(self._board.spots[goal])
            steps = dict.fromkeys(edge, 0)
            for here in edge:
                for there in self._board.sailing[here]:
                    if there not in steps:
                        steps[there] = steps[here] + 1
                        edge.append(there)
            self._sailed[goal] = steps
        return self._sailed[goal]

    def sailed_from(self, spot: Province) -> tuple[Province, ...]:
        """The provinces next to a fleet's spot, whatever the coast, each once."""
        if spot not in self._next:
            self._next[spot] = tuple(
                dict.fromkeys(split_spot(there)[0] for there in self._board.sailing[spot])
            )
        return self._next[spot]

    @cached_property
    def outward(self) -> Steps:
        """The steps of each province from the middle of the board.

        The middle is the land that has the fewest steps to all supply centres together; of equals the first.
        """
        board = self._board
        lands = [place for place in board.places if board.is_land(place) and board.army[place]]
        total = dict.fromkeys(lands, 0)
        for centre in board.centres:
            steps = board.steps([centre])
            for land in lands:
                total[land] += steps.get(land, UNREACHABLE_STEPS)
        return board.steps([min(lands, key=lambda land: total[land])])

    def _spread(self, goal: Province, landing: bool, shunned: Province | None) -> Steps:
        steps: dict[Province, int] = {}
        edge = [(0, self._board.index[goal], goal)]
        while edge:
            far, _, here = heappop(edge)
            if here in steps:
                continue
            steps[here] = far
            for there, cost, lands in self._ways_into(here):
                if there not in steps and there != shunned and not (lands and here == goal and not landing):
                    heappush(edge, (far + cost, self._board.index[there], there))
        return steps

    def _ways_into(self, here: Province) -> tuple[tuple[Province, int, bool], ...]:
        """The provinces from which one goes to this one, what it costs, and whether one comes ashore then."""
        if here not in self._before:
            on_foot = ((there, 1, False) for there in self._board.army[here])
            self._before[here] = (*on_foot, *self._by_canoe(here), *self._by_ferry(here))
        return self._before[here]

    def _by_canoe(self, here: Province) -> Iterable[tuple[Province, int, bool]]:
        board = self._board
        for there in board.fleet[here] if self._canoes else ():
            if there in board.chart.stormy:
                yield there, _STORMY, board.is_land(here)
            elif not board.is_land(there):
                yield there, 1, board.is_land(here)
            elif not board.is_land(here):
                yield there, _LAUNCH, False

    def _by_ferry(self, here: Province) -> Iterable[tuple[Province, int, bool]]:
        board = self._board
        if not self._ferries or not board.is_land(here):
            return
        shores = (
            there for water in board.fleet[here] if not board.is_land(water) for there in board.fleet[water]
        )
        for there in board.in_board_order(shores):
            if there != here and board.is_land(there):
                yield there, _FERRY, False
