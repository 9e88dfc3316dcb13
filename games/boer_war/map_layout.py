"""The layout of the drawing: points, names, links, and room for counters."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import atan2, degrees, hypot
from typing import Literal

from games.data import read_json
from games.record import MutableRecord, Value, field

Coordinates = tuple[float, float]
LabelSide = Literal["below", "above", "left", "right"]
CHART_PACKAGE = "games.boer_war"

POINT_HALF_WIDTH, POINT_HALF_HEIGHT = 26.0, 12.0
"""Half the width and height of the box of a point, in units of the picture."""

_LABEL_OFFSETS: Mapping[LabelSide, tuple[float, float, str]] = {
    "below": (0.0, 30.0, "middle"),
    "above": (0.0, -18.0, "middle"),
    "left": (-31.0, 6.0, "end"),
    "right": (31.0, 6.0, "start"),
}
"""The offset of a name's baseline from its point and the text anchor, for each side of the point."""

_ARROW_START_GAP, _ARROW_END_GAP = 26.0, 34.0
"""The distance of an arrow's start and end from the middles of its points."""


class DrawnPoint(Value, frozen=True):
    """A point of the picture.

    at: its middle. name, side: the name next to it, and the side of the name. chips: the side of the leaders.
    """

    at: Coordinates
    name: str
    side: LabelSide
    chips: LabelSide

    @property
    def label(self) -> dict[str, float | str]:
        """The place of the name: x and y of the baseline, and the text anchor."""
        dx, dy, anchor = _LABEL_OFFSETS[self.side]
        return {"x": self.at[0] + dx, "y": self.at[1] + dy, "anchor": anchor}


class MapLayout(Value, frozen=True):
    """The layout of the whole picture. size: width and height; spots: the points by code."""

    size: tuple[int, int]
    spots: Mapping[str, DrawnPoint]

    def path(self, links: Iterable[tuple[str, str]]) -> str:
        """Return the attribute ``d`` of an SVG path for links."""
        return "".join(
            f"M{_format_coordinates(self.spots[a].at)}L{_format_coordinates(self.spots[b].at)}"
            for a, b in links
        )

    def link_middle(self, a: str, b: str) -> Coordinates:
        """Return the middle of the line between two points."""
        (x1, y1), (x2, y2) = self.spots[a].at, self.spots[b].at
        return round((x1 + x2) / 2, 1), round((y1 + y2) / 2, 1)

    def arrow(self, a: str, b: str) -> dict[str, float]:
        """Return an arrow from a point to another: its ends x1, y1, x2, y2 and the angle of its head."""
        (x1, y1), (x2, y2) = self.spots[a].at, self.spots[b].at
        length = hypot(x2 - x1, y2 - y1)
        leave, stop = _ARROW_START_GAP / length, _ARROW_END_GAP / length
        return {
            "x1": round(x1 + (x2 - x1) * leave, 1),
            "y1": round(y1 + (y2 - y1) * leave, 1),
            "x2": round(x2 - (x2 - x1) * stop, 1),
            "y2": round(y2 - (y2 - y1) * stop, 1),
            "angle": round(degrees(atan2(y2 - y1, x2 - x1)), 1),
        }


@cache
def map_layout() -> MapLayout:
    """Return the layout of the picture from data/chart.json."""
    plan = read_json(CHART_PACKAGE, "data/chart.json")
    spots = {
        code: DrawnPoint(
            at=(float(row["at"][0]), float(row["at"][1])),
            name=row["name"],
            side=row["label"],
            chips=row["chips"],
        )
        for code, row in plan["points"].items()
    }
    return MapLayout(size=(plan["size"][0], plan["size"][1]), spots=spots)


def _format_coordinates(point: Coordinates) -> str:
    return f"{point[0]:g} {point[1]:g}"


# Room for counters next to their point. They don't cover names or other counters and don't cross the edge.


LayoutBox = tuple[float, float, float, float]
"""The left, top, right and bottom edge of a box."""

EDGE_MARGIN = 6.0
"""The distance that all counters keep from the edge of the picture."""

_OBSTACLE_DISTANCE = 320.0
"""The distance around a point that is searched for obstacles."""

_DISTANCES_TRIED = (0.0, 4.0, 8.0, 13.0, 18.0, 24.0, 30.0, 37.0, 44.0, 52.0, 60.0, 80.0, 105.0, 135.0)
"""The distances from their point at which counters are tried, in addition to the smallest one."""

_SHARES_ASIDE = (0.0, -0.15, 0.15, -0.3, 0.3, -0.45, 0.45, -0.6, 0.6, -0.75, 0.75, -0.9, 0.9)
"""The shares of their width by which counters above or below their point are tried aside."""

_MAX_DETOUR = 16.0
"""How much farther counters may lie from their point if that makes plain whose they are."""

_COUNTER_GAP = 2.0
_NARROW_LETTERS, _WIDE_LETTERS = "fijltrI.-' ", "mwMW"


class CounterLayout(MutableRecord):
    """The layout of the counters in a picture. points: the middles of its points; taken: the used boxes."""

    size: tuple[int, int]
    points: Sequence[Coordinates] = ()
    taken: list[LayoutBox] = field(default_factory=list)

    def find_place(self, at: Coordinates, wide: float, high: float, prefer: LabelSide) -> LayoutBox | None:
        """Return the nearest free box of a size next to a point, or None."""
        near = self._obstacles(at)
        best, most = None, 0.0
        for box in _boxes_around(*at, wide, high, prefer):
            if not self.holds(box) or not _is_unobstructed(box, near):
                continue
            far = distance_to_box(box, at)
            if best is None:
                best, most = box, far + _MAX_DETOUR
            if far <= most and self.is_plain(box, at):
                return box
        return best

    def place_counter(self, at: Coordinates, wide: float, high: float, prefer: LabelSide) -> LayoutBox:
        """Return the nearest free box, or the box that covers least, and mark it as used."""
        box = self.find_place(at, wide, high, prefer) or self.least_covering_box(at, wide, high, prefer)
        self.taken.append(box)
        return box

    def least_covering_box(self, at: Coordinates, wide: float, high: float, prefer: LabelSide) -> LayoutBox:
        """Return the box next to a point that covers least of what is there."""
        near, tried = self._obstacles(at), [*_boxes_around(*at, wide, high, prefer)]
        inside = [candidate for candidate in tried if self.holds(candidate)] or tried
        return min(inside, key=lambda candidate: sum(overlap_area(candidate, other) for other in near))

    def is_plain(self, box: LayoutBox, at: Coordinates) -> bool:
        """Return whether a box is nearer to its own point than to any other."""
        x_min, y_min, x_max, y_max = box
        own = distance_to_box(box, at)
        for x, y in self.points:  # a plain loop, because a picture needs it some thousand times
            if (
                x_min - own < x < x_max + own
                and y_min - own < y < y_max + own
                and distance_to_box(box, (x, y)) < own
            ):
                return False
        return True

    def _obstacles(self, at: Coordinates) -> list[LayoutBox]:
        """Return the used boxes near a point."""
        x, y = at
        return [
            box
            for box in self.taken
            if box[0] < x + _OBSTACLE_DISTANCE
            and box[2] > x - _OBSTACLE_DISTANCE
            and box[1] < y + _OBSTACLE_DISTANCE
            and box[3] > y - _OBSTACLE_DISTANCE
        ]

    def holds(self, box: LayoutBox) -> bool:
        """Return whether a box is inside the picture."""
        width, height = self.size
        return (
            box[0] >= EDGE_MARGIN
            and box[1] >= EDGE_MARGIN
            and box[2] <= width - EDGE_MARGIN
            and box[3] <= height - EDGE_MARGIN
        )


def _is_unobstructed(box: LayoutBox, near: Sequence[LayoutBox]) -> bool:
    """Return whether a box overlaps no other box. A picture needs it some ten thousand times."""
    x_min, y_min, x_max, y_max = box
    for other in near:
        if other[0] < x_max and other[2] > x_min and other[1] < y_max and other[3] > y_min:
            return False
    return True


def overlap_area(first: LayoutBox, second: LayoutBox) -> float:
    """Return the area that two boxes share."""
    wide = min(first[2], second[2]) - max(first[0], second[0])
    high = min(first[3], second[3]) - max(first[1], second[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def distance_to_box(box: LayoutBox, at: Coordinates) -> float:
    """Return the distance of a point from a box."""
    return hypot(max(box[0] - at[0], 0, at[0] - box[2]), max(box[1] - at[1], 0, at[1] - box[3]))


def text_length(text: str) -> float:
    """Return the least width of a name at text size 18, in units of the picture."""
    return sum(
        6.6
        if letter in _NARROW_LETTERS
        else 16.0
        if letter in _WIDE_LETTERS
        else 12.8
        if letter.isupper()
        else 10.4
        for letter in text
    )


def name_box(spot: DrawnPoint) -> LayoutBox:
    """Return the box of the name of a point."""
    label, wide = spot.label, text_length(spot.name)
    shift = {"start": 0.0, "middle": wide / 2, "end": wide}[str(label["anchor"])]
    x, y = float(label["x"]) - shift, float(label["y"])
    return x, y - 15, x + wide, y + 5


def region_box(name: str, x: float, y: float) -> LayoutBox:
    """Return the box of the name of a region at text size 22, from its middle."""
    return x - 6.8 * len(name), y - 19, x + 6.8 * len(name), y + 6


def _boxes_around(x: float, y: float, wide: float, high: float, prefer: str) -> Iterator[LayoutBox]:
    """Yield boxes next to a point, the nearest and most usual first."""
    upright = (-1, 1) if prefer == "above" else (1, -1)
    for step in _DISTANCES_TRIED:
        for sign in upright:
            for aside in _SHARES_ASIDE:
                yield _centred_box(
                    x + aside * wide, y + sign * (19 + step + high / 2 + _COUNTER_GAP), wide, high
                )
        for sign in (-1, 1):
            for lift in (0.0, -0.5, 0.5, -1.0, 1.0):
                yield _centred_box(
                    x + sign * (35 + step + wide / 2 + _COUNTER_GAP), y + lift * high, wide, high
                )


def _centred_box(x: float, y: float, wide: float, high: float) -> LayoutBox:
    return round(x - wide / 2, 1), round(y - high / 2, 1), round(x + wide / 2, 1), round(y + high / 2, 1)
