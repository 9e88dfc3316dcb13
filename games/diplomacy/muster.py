"""Who stands where, in numbers: what all order sets that are tried on a position share."""

# Provinces are small integers in here: their place in board order.

from collections.abc import Iterable, Sequence
from functools import cached_property

from games.diplomacy import routes
from games.diplomacy.board import Board
from games.diplomacy.model import Unit
from games.diplomacy.rulebook import Rulebook
from games.record import Value


class Muster(Value, frozen=True, dict=True):
    """A position, prepared for the resolver.

    places: the provinces with units, in board order; nation: by province, whose unit stands there.
    """

    board: Board
    rulebook: Rulebook
    places: tuple[int, ...]
    nation: Sequence[str | None]

    def is_open(self, start: int, goal: int, fleets: int) -> bool:
        """Whether the fleets, a set of bits, make a chain from one shore to another."""
        way = start, goal, fleets
        found = self._ways.get(way)
        if found is None:
            found = self._ways[way] = routes.is_open(self.board.waters, start, goal, fleets)
        return found

    @cached_property
    def _ways(self) -> dict[tuple[int, int, int], bool]:
        # Order sets of one position differ little, so that few chains are asked for, each many times.
        return {}


def muster(board: Board, rulebook: Rulebook, units: Iterable[Unit]) -> Muster:
    """The muster of all units on the board, given in any order."""
    index = board.index
    nation: list[str | None] = [None] * len(index)
    places = []
    for unit in units:
        place = index[unit.at]
        nation[place] = unit.power
        places.append(place)
    return Muster(board, rulebook, tuple(sorted(places)), nation)
