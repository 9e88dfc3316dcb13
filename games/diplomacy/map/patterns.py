"""Patterns that tell lands apart without their colour: lines, cut off where the land ends.

They are drawn as lines and not as patterns of SVG: those took two thirds of the time of a picture.
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

    degrees: how far they are turned from level; apart: how far they lie from each other; first: how far the
    first lies from the origin; dash, every: how long their dashes are, and one after how much, where they are
    not whole: those of every other line stand between their neighbours'.
    """

    degrees: int
    apart: float
    first: float = 0.0
    dash: float = 0.0
    every: float = 1.0


HATCHES: tuple[tuple[Lines, ...], ...] = (
    (Lines(-45, 12.7),),
    (Lines(45, 12.7),),
    (Lines(90, 11),),
    (Lines(0, 11),),
    (Lines(-45, 14.1), Lines(45, 14.1)),
    (Lines(0, 14), Lines(90, 14)),
    (Lines(0, 10, 3, 2.6, 18),),
    (Lines(-45, 17), Lines(-45, 17, 3.4)),
    (Lines(45, 8, 0, 9, 16),),
)
"""The patterns of lands, by their number, which counts from 1."""
_MIN_STROKE_LENGTH = 1.2
_STROKE_WIDTH = 1.6
"""How wide a line is drawn: it ends half of that before the border."""


@lru_cache(maxsize=1000)
def hatch_path(rings: Rings, number: int) -> str:
    """Return the lines of a pattern inside some rings, as the ``d`` of a path."""
    return short([line for lines in HATCHES[number - 1] for line in crossing(rings, lines)])


def short(lines: Sequence[tuple[Point, Point]]) -> str:
    """Many short lines as the ``d`` of a path, each from where the last one ended, with one decimal."""
    x = y = 0
    parts = []
    for (ax, ay), (bx, by) in lines:
        nx, ny = round(ax * 10), round(ay * 10)
        parts.append("m" + _step(nx - x, ny - y))
        x, y = round(bx * 10), round(by * 10)
        parts.append("l" + _step(x - nx, y - ny))
    return "".join(parts)


def _step(across: int, down: int) -> str:
    """Tenths as they are written: a minus sign parts two numbers as well as a blank."""
    return f"{across / 10:g}{'' if down < 0 else ' '}{down / 10:g}"


def crossing(rings: Sequence[Sequence[Point]], lines: Lines) -> Iterator[tuple[Point, Point]]:
    """Parallel lines across rings: rows of the rings when they are turned, turned back."""
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
    """The parts of a stretch that are drawn; whole dashes where they are broken."""
    if not lines.dash:
        yield left_edge, right
        return
    shift = lines.every / 2 * (row % 2)
    long = lines.dash + _STROKE_WIDTH
    for number in range(ceil((left_edge - shift) / lines.every), ceil((right - shift) / lines.every)):
        start = shift + number * lines.every
        if start + long <= right:
            yield start, start + long
