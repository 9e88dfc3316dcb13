"""The geometry of the board: 37 hexes, their names, distances and straight lines.

The name of a hex is its column, ``a`` to ``g`` from the left, and its place in that column from the bottom:
``d4`` is the centre. Calculations use axial coordinates: q to the right, r down, the centre (0, 0).
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import NewType

from games import paths

Hex = NewType("Hex", str)

RADIUS = 3
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def _name(q: int, r: int) -> Hex:
    lowest = min(RADIUS, RADIUS - q)
    return Hex(f"{'abcdefg'[q + RADIUS]}{lowest - r + 1}")


AXIAL: Mapping[Hex, tuple[int, int]] = {
    _name(q, r): (q, r)
    for r in range(-RADIUS, RADIUS + 1)
    for q in range(-RADIUS, RADIUS + 1)
    if abs(q + r) <= RADIUS
}
"""The axial coordinates of every hex, in the fixed order: by r, then by q."""

HEXES: tuple[Hex, ...] = tuple(AXIAL)
HEX_ORDER: Mapping[Hex, int] = {hex_id: place for place, hex_id in enumerate(HEXES)}
HEX_AT: Mapping[tuple[int, int], Hex] = {axial: hex_id for hex_id, axial in AXIAL.items()}
CENTRE_HEX = HEX_AT[0, 0]

NEIGHBOURS: Mapping[Hex, tuple[Hex, ...]] = {
    hex_id: tuple(HEX_AT[q + dq, r + dr] for dq, dr in DIRECTIONS if (q + dq, r + dr) in HEX_AT)
    for hex_id, (q, r) in AXIAL.items()
}


@cache
def distance(start: Hex, other: Hex) -> int:
    """Return the number of steps between two hexes on an empty board."""
    (q, r), (s, t) = AXIAL[start], AXIAL[other]
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))


@cache
def hexes_between(start: Hex, other: Hex) -> tuple[Hex, ...] | None:
    """Return the hexes between two hexes on one of the six straight lines; None if no line joins them."""
    (q, r), (s, t) = AXIAL[start], AXIAL[other]
    steps = distance(start, other)
    if steps == 0 or (s - q) % steps or (t - r) % steps:
        return None
    dq, dr = (s - q) // steps, (t - r) // steps
    if (dq, dr) not in DIRECTIONS:
        return None
    return tuple(HEX_AT[q + n * dq, r + n * dr] for n in range(1, steps))


@cache
def next_in_line(start: Hex, other: Hex) -> Hex | None:
    """Return the hex behind `other`, seen from `start`; None off the board or off a straight line."""
    steps = distance(start, other)
    if hexes_between(start, other) is None:
        return None
    (q, r), (s, t) = AXIAL[start], AXIAL[other]
    return HEX_AT.get((s + (s - q) // steps, t + (t - r) // steps))


def distances(start: Hex, occupied: Collection[Hex]) -> dict[Hex, int]:
    """Return the distance from `start` to each hex that can be reached around occupied hexes.

    Both ends of a route may be occupied.
    """
    return paths.distances(NEIGHBOURS, start, lambda here, _there: here == start or here not in occupied)


def nearest(ways: Mapping[Hex, int], goals: Iterable[Hex]) -> int | None:
    """Return the least distance to any of the goals; None if no goal can be reached."""
    return min((ways[goal] for goal in goals if goal in ways), default=None)


def in_order(hexes: Iterable[Hex]) -> tuple[Hex, ...]:
    """Return the hexes in the fixed order: by r, then by q."""
    return tuple(sorted(hexes, key=HEX_ORDER.__getitem__))
