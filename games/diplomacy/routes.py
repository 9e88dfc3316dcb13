"""Ways over the water: chains of fleets from one shore to another.

A way is searched over the fleets that are there, never listed for the map. Fleets and waters are sets of
bits, one for each province by its place in board order: a search is a few operations on whole numbers.
"""

from collections.abc import Iterable, Mapping, Sequence

from games.diplomacy.board import Board
from games.diplomacy.model import Unit

Waters = Sequence[int]
"""For each province the waters that it touches (`Board.waters`)."""


def at_sea(board: Board, units: Iterable[Unit]) -> int:
    """The fleets on open water: those that can convoy."""
    return sum(1 << board.index[unit.at] for unit in units if unit.kind == "F" and not board.is_land(unit.at))


def is_open(waters: Waters, start: int, goal: int, fleets: int) -> bool:
    """Whether the fleets make a chain from one shore to another."""
    shore = waters[goal]
    reached = edge = waters[start] & fleets
    while edge:
        if edge & shore:
            return True
        near = 0
        while edge:
            lowest = edge & -edge
            near |= waters[lowest.bit_length() - 1]
            edge ^= lowest
        edge = near & fleets & ~reached
        reached |= edge
    return False


def shortest(waters: Waters, start: int, goal: int, fleets: int) -> list[int]:
    """The fleets of a shortest chain from one shore to another, in its order; empty where there is none."""
    came: dict[int, int | None] = {here: None for here in places(waters[start] & fleets)}
    for here in (line := list(came)):
        if waters[goal] >> here & 1:
            return _back(came, here)
        for there in places(waters[here] & fleets):
            if there not in came:
                came[there] = here
                line.append(there)
    return []


def _back(came: Mapping[int, int | None], last: int) -> list[int]:
    found, here = [last], came[last]
    while here is not None:
        found.append(here)
        here = came[here]
    return found[::-1]


def is_wanted(waters: Waters, start: int, goal: int, fleets: int, one: int) -> bool:
    """Whether a fleet (its province) can be part of a chain that has no link to spare.

    Source: DATC 6.F.12, 6.G.19: a fleet that could always be left out is on no route.
    """
    first, last = waters[start] & fleets, waters[goal] & fleets
    return any(_threads(waters, here, fleets & ~first, last, one, met=here == one) for here in places(first))


def _threads(waters: Waters, here: int, others: int, last: int, one: int, *, met: bool) -> bool:
    """Whether a chain goes on from a fleet through the wanted one; others: which may still be links of it."""
    if last >> here & 1:
        return met
    near = waters[here] & others
    return any(
        _threads(waters, there, others & ~near, last, one, met=met or there == one) for there in places(near)
    )


def places(bits: int) -> list[int]:
    """The places of a set of bits, in board order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
