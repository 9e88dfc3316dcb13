"""Who stands where, in numbers: what all order sets that are tried on a position share."""

# Provinces are small integers in here: their place in board order.

from collections.abc import Iterable, Sequence

from games.diplomacy.board import Board
from games.diplomacy.model import Unit
from games.diplomacy.rulebook import Rulebook
from games.record import Value


class Muster(Value, frozen=True):
    """A position, prepared for the resolver.

    places: the provinces with units, in board order; nation: by province, whose unit stands there.
    """

    board: Board
    rulebook: Rulebook
    places: tuple[int, ...]
    nation: Sequence[str | None]


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
