"""Ways over the water: chains of fleets from one shore to another.

A way is searched over the fleets that are there, never listed for the map. Fleets and waters are sets of
bits, one for each province by its place in board order: a search is a few operations on whole numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from games.diplomacy.board import Board
from games.diplomacy.model import Unit

Waters = Sequence[int]
"""For each province the waters that it touches (`Board.waters`)."""


def at_sea(board: Board, units: Iterable[Unit]) -> int:
    """The fleets on open water: those that can convoy."""
    fleets, index = 0, board.index
    for unit in units:
        if unit.kind == "F":
            fleets |= 1 << index[unit.at]
    return fleets & board.open_water


def is_open(waters: Waters, start: int, goal: int, fleets: int) -> bool:
    """Whether the fleets make a chain from one shore to another."""
    shore = waters[goal]
    reached = edge = waters[start] & fleets
    while edge:
        if edge & shore:
            return True
        edge = _beside(waters, edge) & fleets & ~reached
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


def on_shortest(waters: Waters, start: int, goal: int, fleets: int) -> int:
    """The fleets of all shortest chains from one shore to another; none where there is no chain.

    None of them has a link to spare, so that each of these fleets is wanted.
    """
    first, last = waters[start] & fleets, waters[goal] & fleets
    layers = []
    edge, left = first, fleets & ~first
    while edge and not edge & last:
        layers.append(edge)
        edge = _beside(waters, edge) & left
        left &= ~edge
    found = edge = edge & last
    for layer in reversed(layers):
        edge = _beside(waters, edge) & layer
        found |= edge
    return found


def is_wanted(waters: Waters, start: int, goal: int, fleets: int, one: int) -> bool:
    """Whether a fleet (its province) can be part of a chain that has no link to spare.

    Source: DATC 6.F.12, 6.G.19: a fleet that could always be left out is on no route.
    """
    first, last = waters[start] & fleets, waters[goal] & fleets
    return any(_threads(waters, here, fleets & ~first, last, one, met=here == one) for here in places(first))


def _beside(waters: Waters, fleets: int) -> int:
    near = 0
    while fleets:
        lowest = fleets & -fleets
        near |= waters[lowest.bit_length() - 1]
        fleets ^= lowest
    return near


def _threads(waters: Waters, here: int, others: int, last: int, one: int, *, met: bool) -> bool:
    """Whether a chain goes on from a fleet through the wanted one; others: which may still be links of it."""
    if last >> here & 1:
        return met
    if not (met or others >> one & 1):
        return False
    near = waters[here] & others
    others &= ~near
    while near:
        lowest = near & -near
        there = lowest.bit_length() - 1
        if _threads(waters, there, others, last, one, met=met or there == one):
            return True
        near ^= lowest
    return False


@lru_cache(maxsize=4096)
def places(bits: int) -> tuple[int, ...]:
    """The places of a set of bits, in board order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(found)
