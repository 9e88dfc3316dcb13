"""Convoy routes: chains of fleets from one shore to another.

Routes are found from the fleets of the position. No list of routes exists for the map. Fleets and waters are
sets of bits, with one bit for each province by its index in board order. So a search takes a few operations
on integers.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from games.diplomacy.boards.board import Board
from games.diplomacy.model import Move, Piece, Unit

Waters = Sequence[int]
"""The waters that each province leads to, or that lead to it (`Board.waters`, `Board.waters_into`)."""


def at_sea(board: Board, units: Iterable[Unit]) -> int:
    """Return the fleets that can convoy, as a set of bits: those at sea, and on some lands."""
    fleets, index = 0, board.index
    for unit in units:
        if unit.kind == "F":
            fleets |= 1 << index[unit.at]
    return fleets & board.convoy_places


def is_chain_open(board: Board, start: int, goal: int, fleets: int) -> bool:
    """Return whether the fleets make a chain from one shore to another."""
    waters, shore = board.waters, board.waters_into[goal]
    reached = edge = waters[start] & fleets
    while edge:
        if edge & shore:
            return True
        edge = _beside(waters, edge) & fleets & ~reached
        reached |= edge
    return False


def shortest(board: Board, start: int, goal: int, fleets: int) -> list[int]:
    """Return the fleets of a shortest chain from one shore to another, in its order, or no fleets."""
    waters, shore = board.waters, board.waters_into[goal]
    came: dict[int, int | None] = {here: None for here in places_of_bits(waters[start] & fleets)}
    for here in (line := list(came)):
        if shore >> here & 1:
            return _trace_back(came, here)
        for there in places_of_bits(waters[here] & fleets):
            if there not in came:
                came[there] = here
                line.append(there)
    return []


def _trace_back(came: Mapping[int, int | None], last: int) -> list[int]:
    chain, here = [last], came[last]
    while here is not None:
        chain.append(here)
        here = came[here]
    return chain[::-1]


def fleets_on_shortest(board: Board, start: int, goal: int, fleets: int) -> int:
    """Return the fleets of all shortest chains from one shore to another, or 0 if there's no chain.

    A shortest chain has no spare link, so each of these fleets is needed.
    """
    waters, origins = board.waters, board.waters_into
    first, last = waters[start] & fleets, origins[goal] & fleets
    layers = []
    edge, rest = first, fleets & ~first
    while edge and not edge & last:
        layers.append(edge)
        edge = _beside(waters, edge) & rest
        rest &= ~edge
    on_chain = edge = edge & last
    for layer in reversed(layers):
        edge = _beside(origins, edge) & layer
        on_chain |= edge
    return on_chain


def is_wanted(board: Board, start: int, goal: int, fleets: int, fleet: int) -> bool:
    """Return whether a fleet can be part of a chain without a spare link. fleet: its province.

    Source: DATC 6.F.12, 6.G.19: a fleet that could always be left out is on no route.
    """
    waters = board.waters
    first, last = waters[start] & fleets, board.waters_into[goal] & fleets
    return any(
        _reaches_through(waters, here, fleets & ~first, last, fleet, met=here == fleet)
        for here in places_of_bits(first)
    )


def _beside(waters: Waters, fleets: int) -> int:
    near = 0
    while fleets:
        lowest = fleets & -fleets
        near |= waters[lowest.bit_length() - 1]
        fleets ^= lowest
    return near


def _reaches_through(waters: Waters, here: int, others: int, last: int, fleet: int, *, met: bool) -> bool:
    """Return whether a chain continues from a fleet through the wanted one. others: possible next links."""
    if last >> here & 1:
        return met
    if not (met or others >> fleet & 1):
        return False
    near = waters[here] & others
    others &= ~near
    while near:
        lowest = near & -near
        there = lowest.bit_length() - 1
        if _reaches_through(waters, there, others, last, fleet, met=met or there == fleet):
            return True
        near ^= lowest
    return False


@lru_cache(maxsize=4096)
def places_of_bits(bits: int) -> tuple[int, ...]:
    """Return the indices of a set of bits, in board order."""
    indices = []
    while bits:
        lowest = bits & -bits
        indices.append(lowest.bit_length() - 1)
        bits ^= lowest
    return tuple(indices)


# Canoe-fleets.


def is_by_canoe(board: Board, move: Move) -> bool:
    """Return whether a move is made by canoe-fleet: the order says so, or the War Party is afloat.

    Source: Indianomacy §6, ruling C5.
    """
    return move.canoe or is_afloat(board, move.unit)


def is_afloat(board: Board, unit: Unit | Piece) -> bool:
    """Return whether a War Party is on the water. It is in a canoe-fleet then."""
    return unit.kind == "W" and not board.is_land(unit.at)
