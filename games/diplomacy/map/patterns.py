"""Patterns that distinguish lands without their colour: lines that end at the border.

They are drawn as lines, because patterns of SVG took two thirds of the time of a picture.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil, cos, radians, sin
from typing import NamedTuple

from games.diplomacy.map.labels import spans_of
from games.diplomacy.map.outlines import Point

Rings = tuple[tuple[Point, ...], ...]


class Lines(NamedTuple):
    """Parallel lines, in board units.

    degrees: their angle from horizontal; apart: the distance between them; first: the distance of the first
    line from the origin; dash: the length of dashes, 0 for whole lines; every: the distance between the
    starts of dashes. Dashes of every other line are between those of its neighbours.
    """

    degrees: int
    apart: float
    first: float = 0.0
    dash: float = 0.0
    every: float = 1.0


HATCHES: tuple[tuple[Lines, ...], ...] = (
    (Lines(-45, 16.5),),
    (Lines(45, 16.5),),
    (Lines(90, 14.3),),
    (Lines(0, 14.3),),
    (Lines(-45, 18.3), Lines(45, 18.3)),
    (Lines(0, 18.2), Lines(90, 18.2)),
    (Lines(0, 12, 3, 2.6, 20),),
    (Lines(-45, 21), Lines(-45, 21, 4)),
    (Lines(45, 10, 0, 9, 18),),
)
"""The patterns of lands. Their numbers count from 1."""
_MIN_STROKE_LENGTH = 1.2
_STROKE_WIDTH = 1.4
"""The width of a line. It ends half of that before the border."""


@lru_cache(maxsize=1000)
def hatch_path(rings: Rings, number: int) -> str:
    """Return the lines of a pattern inside some rings, as the ``d`` of a path."""
    return short([line for lines in HATCHES[number - 1] for line in crossing(rings, lines)])


def short(lines: Sequence[tuple[Point, Point]]) -> str:
    """Return many short lines as the ``d`` of a path, in relative steps with one decimal."""
    x = y = 0
    parts = []
    for (ax, ay), (bx, by) in lines:
        nx, ny = round(ax * 10), round(ay * 10)
        parts.append("m" + _step(nx - x, ny - y))
        x, y = round(bx * 10), round(by * 10)
        parts.append("l" + _step(x - nx, y - ny))
    return "".join(parts)


def _step(across: int, down: int) -> str:
    """Return tenths as text. A minus sign separates two numbers as a blank does."""
    return f"{across / 10:g}{'' if down < 0 else ' '}{down / 10:g}"


def crossing(rings: Sequence[Sequence[Point]], lines: Lines) -> Iterator[tuple[Point, Point]]:
    """Yield the parts of parallel lines inside rings."""
    across, down = cos(radians(lines.degrees)), sin(radians(lines.degrees))
    turned = [
        [(x * across + y * down, y * across - x * down - lines.first) for x, y in ring] for ring in rings
    ]
    for row, stretches in spans_of(turned, lines.apart).items():
        y = row * lines.apart + lines.first
        for left_edge, right in (part for stretch in stretches for part in _dashes(lines, row, *stretch)):
            start, end = left_edge + _STROKE_WIDTH / 2, right - _STROKE_WIDTH / 2
            if end - start >= _MIN_STROKE_LENGTH:
                yield tuple((x * across - y * down, x * down + y * across) for x in (start, end))  # type: ignore[misc]  # two points


def _dashes(lines: Lines, row: int, left_edge: float, right: float) -> Iterator[tuple[float, float]]:
    """Yield the parts of a stretch that are drawn. Broken lines only have whole dashes."""
    if not lines.dash:
        yield left_edge, right
        return
    shift = lines.every / 2 * (row % 2)
    long = lines.dash + _STROKE_WIDTH
    for number in range(ceil((left_edge - shift) / lines.every), ceil((right - shift) / lines.every)):
        start = shift + number * lines.every
        if start + long <= right:
            yield start, start + long
