"""The board's geometry: 37 hexes, their names, steps, straight lines, and ways around others.

A hex is named by its column, ``a`` to ``g`` from the left, and its place in that column, from the bottom:
``d4`` is the centre. Reckoning uses axial coordinates: q to the right, r down, the centre (0, 0).
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import NewType

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
ORDER: Mapping[Hex, int] = {one: place for place, one in enumerate(HEXES)}
AT: Mapping[tuple[int, int], Hex] = {axial: one for one, axial in AXIAL.items()}
CENTRE = AT[0, 0]

NEIGHBOURS: Mapping[Hex, tuple[Hex, ...]] = {
    one: tuple(AT[q + dq, r + dr] for dq, dr in DIRECTIONS if (q + dq, r + dr) in AT)
    for one, (q, r) in AXIAL.items()
}


@cache
def apart(one: Hex, other: Hex) -> int:
    """How many steps lie between two hexes of an empty board."""
    (q, r), (s, t) = AXIAL[one], AXIAL[other]
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))


@cache
def line(one: Hex, other: Hex) -> tuple[Hex, ...] | None:
    """The hexes between two hexes on one of the six straight lines; None where no line joins them."""
    (q, r), (s, t) = AXIAL[one], AXIAL[other]
    steps = apart(one, other)
    if steps == 0 or (s - q) % steps or (t - r) % steps:
        return None
    dq, dr = (s - q) // steps, (t - r) // steps
    if (dq, dr) not in DIRECTIONS:
        return None
    return tuple(AT[q + n * dq, r + n * dr] for n in range(1, steps))


@cache
def beyond(one: Hex, other: Hex) -> Hex | None:
    """The next hex on the straight line from one hex through another; None off the board or off a line."""
    steps = apart(one, other)
    if line(one, other) is None:
        return None
    (q, r), (s, t) = AXIAL[one], AXIAL[other]
    return AT.get((s + (s - q) // steps, t + (t - r) // steps))


def distances(start: Hex, occupied: Collection[Hex]) -> dict[Hex, int]:
    """How far every hex is, going around occupied ones; both ends of a way may be occupied.

    A hex that cannot be reached is missing.
    """
    found = {start: 0}
    edge = [start]
    while edge:
        step = []
        for one in edge:
            for near in NEIGHBOURS[one]:
                if near not in found:
                    found[near] = found[one] + 1
                    if near not in occupied:
                        step.append(near)
        edge = step
    return found


def nearest(ways: Mapping[Hex, int], goals: Iterable[Hex]) -> int | None:
    """The least distance to any of the goals; None if there is none, or none can be reached."""
    return min((ways[goal] for goal in goals if goal in ways), default=None)


def in_order(hexes: Iterable[Hex]) -> tuple[Hex, ...]:
    """The hexes in the fixed order: by r, then by q."""
    return tuple(sorted(hexes, key=ORDER.__getitem__))
