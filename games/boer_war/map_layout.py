"""The places of everything on the drawing: points, their names, the links between them.

Distances are not true: the crowded middle is drawn wide and the empty west narrow, so that every point has
room for its name and its leaders, and no two links cross.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from math import atan2, degrees, hypot
from typing import Literal

from games.data import read_json
from games.record import Value

Coordinates = tuple[float, float]
LabelSide = Literal["below", "above", "left", "right"]
CHART_PACKAGE = "games.boer_war"

POINT_HALF_WIDTH, POINT_HALF_HEIGHT = 26.0, 12.0
"""Of the box that a point is drawn as, in units of the picture."""

_LABEL_OFFSETS: Mapping[LabelSide, tuple[float, float, str]] = {
    "below": (0.0, 30.0, "middle"),
    "above": (0.0, -18.0, "middle"),
    "left": (-31.0, 6.0, "end"),
    "right": (31.0, 6.0, "start"),
}
"""By side: where a name's baseline begins, counted from its point, and how it is anchored."""

_ARROW_START_GAP, _ARROW_END_GAP = 26.0, 34.0
"""How far from the middles of its points an arrow begins and ends."""


class DrawnPoint(Value, frozen=True):
    """A point of the picture: its middle, the name beside it, and on which side that stands.

    chips: where leaders are drawn, above or below.
    """

    at: Coordinates
    name: str
    side: LabelSide
    chips: LabelSide

    @property
    def label(self) -> dict[str, float | str]:
        """Where its name stands: x, y of the baseline, and the anchor."""
        dx, dy, anchor = _LABEL_OFFSETS[self.side]
        return {"x": self.at[0] + dx, "y": self.at[1] + dy, "anchor": anchor}


class MapLayout(Value, frozen=True):
    """The whole picture. size: width and height; spots: by the code of a point."""

    size: tuple[int, int]
    spots: Mapping[str, DrawnPoint]

    def path(self, links: Iterable[tuple[str, str]]) -> str:
        """Return links as the ``d`` of one SVG path."""
        return "".join(
            f"M{_format_coordinates(self.spots[a].at)}L{_format_coordinates(self.spots[b].at)}"
            for a, b in links
        )

    def link_middle(self, a: str, b: str) -> Coordinates:
        """Return the middle of the line between two points."""
        (x1, y1), (x2, y2) = self.spots[a].at, self.spots[b].at
        return round((x1 + x2) / 2, 1), round((y1 + y2) / 2, 1)

    def arrow(self, a: str, b: str) -> dict[str, float]:
        """Return an arrow from a point to another: x1, y1, x2, y2 and the angle of its head."""
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
    """Return the picture's plan, read from data/chart.json."""
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
