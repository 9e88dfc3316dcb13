"""A province looked at in rows: the stretches that lie inside, and the boxes they hold."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, hypot

from games.diplomacy.atlas import Point

ROW = 2.5
"""How far apart the rows lie, in board units."""
STEP = 3.0
"""How far apart the points of a row lie that are looked at."""
MARGIN = 1.0
"""How far a box keeps away from the border on either side."""

Spans = Mapping[int, Sequence[tuple[float, float]]]
"""For each row, by its number, the stretches that lie inside."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def shared(one: Box, two: Box) -> float:
    """The area that two boxes share."""
    if one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]:
        return 0.0
    return (min(one[2], two[2]) - max(one[0], two[0])) * (min(one[3], two[3]) - max(one[1], two[1]))


def spots_in(wish: Point, spans: Spans) -> list[Point]:
    """Points inside the province, the nearest to the wish first."""
    inside = [
        (left + STEP * number, row * ROW)
        for row, several in spans.items()
        for left, right in several
        for number in range(int((right - left) / STEP))
    ]
    return sorted(inside, key=lambda spot: hypot(spot[0] - wish[0], 1.3 * (spot[1] - wish[1])))


def fits(box: Box, spot: Point, spans: Spans) -> bool:
    """Whether a box round a point lies within the rows, with a margin at its sides."""
    left, right = spot[0] + box[0] - MARGIN, spot[0] + box[2] + MARGIN
    for row in range(floor((spot[1] + box[1]) / ROW), ceil((spot[1] + box[3]) / ROW) + 1):
        for low, high in spans.get(row, ()):
            if low <= left and right <= high:
                break
        else:
            return False
    return True


def spans_of(rings: Sequence[Sequence[Point]], apart: float = ROW) -> Spans:
    """For each row of the map the stretches inside the rings, from left to right."""
    crossings: dict[int, list[float]] = {}
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if ay != by:
                for row in range(ceil(min(ay, by) / apart), ceil(max(ay, by) / apart)):
                    crossings.setdefault(row, []).append(ax + (row * apart - ay) * (bx - ax) / (by - ay))
    return {
        row: tuple(zip(sorted(xs)[::2], sorted(xs)[1::2], strict=True))
        for row, xs in sorted(crossings.items())
    }
