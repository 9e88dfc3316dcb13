"""A position indexed by province numbers, shared by all order sets that are tried on it."""

# Provinces are small integers in here: their place in board order.

from collections.abc import Iterable, Sequence
from functools import cached_property

from games.diplomacy.adjudication import convoy_routes
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.model import Unit
from games.record import Value


class IndexedPosition(Value, frozen=True, dict=True):
    """A position, prepared for the resolver.

    places: the provinces with units, in board order; nation: by province, whose unit stands there.
    """

    board: Board
    rulebook: Rulebook
    places: tuple[int, ...]
    nation: Sequence[str | None]

    def is_open(self, start: int, goal: int, fleets: int) -> bool:
        """Return whether the fleets, a set of bits, make a chain from one shore to another."""
        way = start, goal, fleets
        answer = self._chain_cache.get(way)
        if answer is None:
            answer = self._chain_cache[way] = convoy_routes.is_chain_open(
                self.board.waters, start, goal, fleets
            )
        return answer

    @cached_property
    def _chain_cache(self) -> dict[tuple[int, int, int], bool]:
        # Order sets of one position differ little, so that few chains are asked for, each many times.
        return {}


def index_position(board: Board, rulebook: Rulebook, units: Iterable[Unit]) -> IndexedPosition:
    """Return a position with all units on the board, given in any order."""
    index = board.index
    nation: list[str | None] = [None] * len(index)
    places = []
    for unit in units:
        place = index[unit.at]
        nation[place] = unit.power
        places.append(place)
    return IndexedPosition(board, rulebook, tuple(sorted(places)), nation)
