"""Close-ups: the part of a board that is drawn larger, and its magnification. A player's front is one."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

from games.data import read_json
from games.messages import sentence
from games.record import Value

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in units of the board."""

_MIN_HEIGHT_RATIO = 0.62
"""The least height of a close-up, as a share of its width."""
_EDGE_TOLERANCE = 0.1


class CloseUpFrame(Value, frozen=True):
    """The close-ups that a board of a size allows.

    zooms: the magnifications compared with the whole board, the largest first; tall: the greatest height as a
    share of the width; most: the least share of the important boxes that must be visible.
    """

    size: tuple[float, float]
    zooms: Sequence[float]
    tall: float
    most: float = 0.0

    def around(self, at: Point, far: float) -> Box:
        """Return a box that reaches this far from a point, up to the board's edge."""
        (x, y), (width, height) = at, self.size
        return max(x - far, 0.0), max(y - far, 0.0), min(x + far, width), min(y + far, height)

    def of(self, core: Sequence[Box], near: Sequence[Box] = (), weights: Sequence[float] = ()) -> "CloseUp":
        """Return the magnification and the box of the board to show; None if that would show too little.

        core: the important boxes; near: boxes to include if there is room; weights: how important each box of
        the core is if there isn't room for all (default: equally).
        """
        if not core:
            return None
        for wanted in (bounding_box([*core, *near]), bounding_box(core)):
            for zoom in self.zooms:
                width = self.size[0] / zoom
                if wanted[2] - wanted[0] <= width and wanted[3] - wanted[1] <= width * self.tall:
                    return zoom, self._window(wanted, width)
        return self._fullest(core, weights or [1.0] * len(core))

    def _fullest(self, core: Sequence[Box], weights: Sequence[float]) -> "CloseUp":
        """Return the close-up with most of the core, or the first such close-up."""
        width = self.size[0] / self.zooms[-1]
        high = width * self.tall
        lefts, tops = dict.fromkeys(box[0] for box in core), dict.fromkeys(box[1] for box in core)
        best, most = core[0], -inf
        for left_edge in lefts:
            for top in tops:
                window = self._inside((left_edge + width / 2, top + high / 2), width, high)
                seen = sum(
                    weight for box, weight in zip(core, weights, strict=True) if is_inside(window, box)
                )
                if seen > most:
                    best, most = window, seen
        if most <= 0 or most < self.most * sum(weights):
            return None
        return self.zooms[-1], self._window(bounding_box(box for box in core if is_inside(best, box)), width)

    def _window(self, wanted: Box, width: float) -> Box:
        """Return a box of some width around the wanted part, inside the board."""
        left_edge, top, right, low = wanted
        high = min(max(low - top, width * _MIN_HEIGHT_RATIO), width * self.tall)
        return self._inside(((left_edge + right) / 2, (top + low) / 2), width, high)

    def _inside(self, middle: Point, width: float, high: float) -> Box:
        across, down = self.size
        left_edge = round(min(max(middle[0] - width / 2, 0), across - width), 1)
        top = round(min(max(middle[1] - high / 2, 0), down - high), 1)
        return left_edge, top, round(left_edge + width, 1), round(top + high, 1)


CloseUp = tuple[float, Box] | None
"""The magnification, and the part of the board."""


def bounding_box(boxes: Iterable[Box]) -> Box:
    """Return the smallest box that holds all."""
    lefts, top, right, low = zip(*boxes, strict=True)
    return min(lefts), min(top), max(right), max(low)


def is_inside(window: Box, box: Box) -> bool:
    """Return whether all of a box is seen in a window."""
    return (
        window[0] <= box[0] + _EDGE_TOLERANCE
        and window[1] <= box[1] + _EDGE_TOLERANCE
        and box[2] <= window[2] + _EDGE_TOLERANCE
        and box[3] <= window[3] + _EDGE_TOLERANCE
    )


def overlaps(window: Box, box: Box) -> bool:
    """Return whether some of a box is seen in a window."""
    return box[0] < window[2] and box[2] > window[0] and box[1] < window[3] and box[3] > window[1]


# The share of a game's data that is our own and not its publisher's, by the marks in its files.


_ASSUMED_MARKS = frozenset(("A", "assumed"))


def count_assumed(package: str, file: str, key: str, within: Iterable[str] | None = None) -> tuple[int, int]:
    """Return the number of our own rows among the marked ones under a key of a data file, and of all.

    within: the keys below it that count; None for all.
    """
    rows = read_json(package, file)[key]
    if within is not None:
        rows = [rows[name] for name in within]
    marks = list(_marks(rows))
    return sum(mark in _ASSUMED_MARKS for mark in marks), len(marks)


def describe_counts(counts: Iterable[tuple[str, tuple[int, int]]]) -> str:
    """Return such counts in words: "these values are our own: 53 of 60 cards, 41 of 41 leaders"."""
    shares = ", ".join(
        sentence("protocol.own_values.share", own=own, total=total, things=things)
        for things, (own, total) in counts
    )
    return sentence("protocol.own_values.shares", shares=shares)


def _marks(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        if "mark" in value:
            yield value["mark"]
        for below in value.values():
            yield from _marks(below)
    elif isinstance(value, list):
        for below in value:
            yield from _marks(below)
