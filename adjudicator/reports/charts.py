"""Charts: lines over time as a picture, with scales and labels worked out for ``chart.svg``."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from adjudicator.reports.render import render
from games.protocol import SeatColours

WIDTH, HEIGHT = 1000, 620
_LEFT, _RIGHT, _TOP, _LOW = 70, 190, 96, 64
_NAME, _LETTER = 34, 10
"""What a name beside its line takes, and each of its letters, in pixels; `_RIGHT` at most."""
_BADGE = 22
"""What the badge before a name takes."""

_SHIFT = 3.2
"""How far lines that pass through one point are drawn apart, in pixels."""

_TICK = 58
"""Pixels that a number below the chart has for itself, at least."""
_LABEL_SPACING_PX = 20.0
"""How far apart two labels are at least, in pixels."""

# Okabe and Ito's colours, which the colour-blind tell apart, darkened where white paper wants it.
_LINE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b1608f", "#8f7400", "#3f93c4", "#000000", "#7f5539")
_LINE_DASHES = ("", "9 5", "2.5 4", "12 4 2.5 4")


def line_chart(
    title: str,
    note: str,
    across: str,
    up: str,
    series: Mapping[str, Sequence[tuple[int, float]]],
    size: tuple[int, int] = (WIDTH, HEIGHT),
    badges: Mapping[str, SeatColours] | None = None,
) -> str:
    """Return a chart as SVG. Each line is named at its end; colours repeat with other dashes.

    across, up: what the axes count; series: by name, the points of a line, from left to right; size: in
    pixels; badges: by name, the colours in which a line is drawn, and that stand before its name.
    """
    marks = badges or {}
    width, height = size
    points = [point for line in series.values() for point in line]
    assert points, "a chart of nothing"
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    step = _step(max(y for _, y in points), 8)
    top = step * max(ceil(max(y for _, y in points) / step), 1)
    right = width - min(_NAME + _LETTER * max(map(len, series)), _RIGHT) - (_BADGE if marks else 0)
    moved_by = shifts(list(series.values()))

    def place(point: tuple[float, float], shift: float = 0) -> tuple[float, float]:
        x = _LEFT + (right - _LEFT) * (point[0] - first) / max(last - first, 1)
        return round(x, 1), round(height - _LOW - (height - _TOP - _LOW) * point[1] / top + shift, 1)

    courses = [list(map(place, line, moved)) for line, moved in zip(series.values(), moved_by, strict=True)]
    ends = [course[-1] for course in courses]
    labels = _space_labels([height for _, height in ends])
    lines = [
        {
            "name": name,
            "path": "M" + "L".join(f"{x} {y}" for x, y in courses[number]),
            "end": ends[number],
            "label": labels[number],
            "colour": marks[name].ink if name in marks else _LINE_COLOURS[number % len(_LINE_COLOURS)],
            "land": marks[name].land if name in marks else "",
            "dashes": _LINE_DASHES[number // len(_LINE_COLOURS) % len(_LINE_DASHES)],
        }
        for number, name in enumerate(series)
    ]
    every = _step(last - first, max((right - _LEFT) // _TICK, 1))
    context: dict[str, Any] = {
        "title": title,
        "note": note,
        "across": across,
        "up": up,
        "width": width,
        "height": height,
        "left": _LEFT,
        "right": right,
        "low": height - _LOW,
        "beside": right + 24 + (_BADGE if marks else 0),
        "lines": lines,
        "rows": [{"at": place((first, y))[1], "text": str(y)} for y in range(0, top + 1, step)],
        "columns": [{"at": place((x, 0))[0], "text": str(x)} for x in range(first, last + 1, every)],
    }
    return render(None, "chart.svg", context)


def shifts(lines: Sequence[Sequence[tuple[int, float]]]) -> list[list[float]]:
    """Return for each point of each line the shift up or down that keeps it from hiding another line."""
    at: dict[tuple[int, float], list[int]] = {}
    for number, line in enumerate(lines):
        for point in line:
            at.setdefault(point, []).append(number)
    return [
        [(at[point].index(number) - (len(at[point]) - 1) / 2) * _SHIFT for point in line]
        for number, line in enumerate(lines)
    ]


def _step(span: float, most: int) -> int:
    """The round step with which a span is gone through in so many steps at most."""
    sizes: list[int] = [size * 10**power for power in range(9) for size in (1, 2, 5)]
    return next(size for size in sizes if size * most >= span)


def _space_labels(wished: Sequence[float]) -> list[float]:
    """Return heights near those wished for, far enough apart for a label each, in the same order."""
    order = sorted(range(len(wished)), key=lambda number: wished[number])
    heights = [wished[number] for number in order]
    for _ in range(50):
        for at in range(1, len(heights)):
            lack = _LABEL_SPACING_PX - (heights[at] - heights[at - 1])
            if lack > 0.01:
                heights[at - 1] -= lack / 2
                heights[at] += lack / 2
    height_by_index = dict(zip(order, heights, strict=True))
    return [round(height_by_index[number], 1) for number in range(len(wished))]
