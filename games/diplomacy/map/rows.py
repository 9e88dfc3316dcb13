"""A province looked at in rows: the stretches that lie inside, and the boxes they hold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, floor, hypot

from games.diplomacy.map.outlines import Point

ROW_HEIGHT = 2.5
"""How far apart the rows lie, in board units."""
POINT_SPACING = 3.0
"""How far apart the points of a row lie that are looked at."""
BOX_MARGIN = 1.0
"""How far a box keeps away from the border on either side."""

Stretch = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Spans(dict[int, Sequence[Stretch]]):
    """For each row, by its number, the stretches that lie inside."""

    def __init__(self, rows: Mapping[int, Sequence[Stretch]]) -> None:
        super().__init__(rows)
        self._common: dict[tuple[int, int], Sequence[Stretch]] = {}

    def common(self, first: int, last: int) -> Sequence[Stretch]:
        """The stretches that lie inside in each of the rows from the first to the last."""
        stretches = self._common.get((first, last))
        if stretches is None:
            stretches = self.get(last, ())
            if first < last and stretches:
                stretches = _intersect(self.common(first, last - 1), stretches)
            self._common[first, last] = stretches
        return stretches


def _intersect(some: Sequence[Stretch], others: Sequence[Stretch]) -> Sequence[Stretch]:
    pairs = [(max(first[0], second[0]), min(first[1], second[1])) for first in some for second in others]
    return tuple([(low, high) for low, high in pairs if low <= high])


def shared_area(first: Box, second: Box) -> float:
    """Return the area that two boxes share."""
    if first[2] <= second[0] or second[2] <= first[0] or first[3] <= second[1] or second[3] <= first[1]:
        return 0.0
    return (min(first[2], second[2]) - max(first[0], second[0])) * (
        min(first[3], second[3]) - max(first[1], second[1])
    )


def covered_area(some: Iterable[Box], others: Sequence[Box]) -> float:
    """Return the area that some boxes share with others, one by one."""
    area = 0.0
    for box in some:
        left_edge, top, right, low = box
        for other in others:
            if left_edge < other[2] and other[0] < right and top < other[3] and other[1] < low:
                area += shared_area(box, other)
    return area


def are_apart(some: Iterable[Box], others: Sequence[Box]) -> bool:
    """Return whether none of some boxes shares anything with one of the others."""
    for left_edge, top, right, low in some:
        for other in others:
            if left_edge < other[2] and other[0] < right and top < other[3] and other[1] < low:
                return False
    return True


def spots_in(wish: Point, spans: Spans) -> list[Point]:
    """Points inside the province, the nearest to the wish first."""
    inside = [
        (left_edge + POINT_SPACING * number, row * ROW_HEIGHT)
        for row, several in spans.items()
        for left_edge, right in several
        for number in range(int((right - left_edge) / POINT_SPACING))
    ]
    x, y = wish
    far = [hypot(spot[0] - x, 1.3 * (spot[1] - y)) for spot in inside]
    return [inside[number] for number in sorted(range(len(inside)), key=far.__getitem__)]


def fits(box: Box, spot: Point, spans: Spans) -> bool:
    """Return whether a box round a point lies within the rows, with a margin at its sides."""
    return any(points_with_room((box,), (spot,), spans))


def points_with_room(boxes: Sequence[Box], spots: Iterable[Point], spans: Spans) -> Iterator[Point]:
    """Yield the points round which each of the boxes lies within the rows, with a margin at its sides."""
    # Points of one row ask for the same rows.
    known: dict[float, Sequence[tuple[float, float, Sequence[Stretch]]]] = {}
    for spot in spots:
        x, y = spot
        if (room := known.get(y)) is None:
            common = [
                spans.common(floor((y + box[1]) / ROW_HEIGHT), ceil((y + box[3]) / ROW_HEIGHT))
                for box in boxes
            ]
            room = [(box[0], box[2], some) for box, some in zip(boxes, common, strict=True)]
            known[y] = room = room if all(common) else ()
        for left_edge, right, stretches in room:
            begins, ends = x + left_edge - BOX_MARGIN, x + right + BOX_MARGIN
            for low, high in stretches:
                if low <= begins and ends <= high:
                    break
            else:
                break
        else:
            if room:
                yield spot


def spans_of(rings: Sequence[Sequence[Point]], apart: float = ROW_HEIGHT) -> Spans:
    """For each row of the map the stretches inside the rings, from left to right."""
    crossings: dict[int, list[float]] = {}
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if ay != by:
                for row in range(ceil(min(ay, by) / apart), ceil(max(ay, by) / apart)):
                    crossings.setdefault(row, []).append(ax + (row * apart - ay) * (bx - ax) / (by - ay))
    rows = ((row, sorted(xs)) for row, xs in sorted(crossings.items()))
    return Spans({row: tuple(zip(xs[::2], xs[1::2], strict=True)) for row, xs in rows})
