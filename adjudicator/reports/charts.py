"""Charts: lines over time as a picture, with scales and labels worked out for ``chart.svg``."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

from adjudicator.reports.render import render
from games.protocol import SeatColours

WIDTH, HEIGHT = 1000, 620
_LEFT, _RIGHT, _TOP, _LOW = 70, 190, 96, 64
_NAME, _LETTER = 34, 10
"""The width in pixels of a name beside its line: a fixed part, and a part per letter, up to `_RIGHT`."""
_BADGE = 22
"""The width in pixels of the badge before a name."""

_SHIFT = 3.2
"""The distance in pixels between lines that pass through the same point."""

_TICK = 58
"""The smallest distance in pixels between numbers below the chart."""
_LABEL_SPACING_PX = 20.0
"""The smallest distance in pixels between two labels."""

# The colours of Okabe and Ito, which colour-blind readers can tell apart, darkened for white paper.
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
    name_time: Callable[[int], str] = str,
) -> str:
    """Return a chart as SVG. Each line is named at its end. After the last colour, the dashes change.

    across, up: the titles of the axes; series: the points of each line from left to right, by name; size: in
    pixels; badges: by name, the colours of the line and its badge; name_time: names a number across.
    """
    marks, (width, height) = badges or {}, size
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
        "columns": [{"at": place((x, 0))[0], "text": name_time(x)} for x in range(first, last + 1, every)],
    }
    return render(None, "chart.svg", context)


def shifts(lines: Sequence[Sequence[tuple[int, float]]]) -> list[list[float]]:
    """Return the shift up or down of each point of each line, so that no line hides another one."""
    at: dict[tuple[int, float], list[int]] = {}
    for number, line in enumerate(lines):
        for point in line:
            at.setdefault(point, []).append(number)
    return [
        [(at[point].index(number) - (len(at[point]) - 1) / 2) * _SHIFT for point in line]
        for number, line in enumerate(lines)
    ]


def _step(span: float, most: int) -> int:
    """Return the smallest round step that divides a span into a number of steps or fewer."""
    sizes: list[int] = [size * 10**power for power in range(9) for size in (1, 2, 5)]
    return next(size for size in sizes if size * most >= span)


def _space_labels(wished: Sequence[float]) -> list[float]:
    """Return heights near the wished ones, far enough apart for labels, in the same order."""
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
