"""Where everything stands on the picture: points, their names, the links between them.

Distances are not true: the crowded middle is drawn wide and the empty west narrow, so that every point has
room for its name and its leaders, and no two links cross.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from math import atan2, degrees, hypot
from typing import Literal

from games.data import read_json
from games.record import Value

Point = tuple[float, float]
Side = Literal["below", "above", "left", "right"]
PACKAGE = "games.boer_war"

HALF_WIDTH, HALF_HEIGHT = 26.0, 12.0
"""Of the box that a point is drawn as, in units of the picture."""

_NAME_AT: Mapping[Side, tuple[float, float, str]] = {
    "below": (0.0, 30.0, "middle"),
    "above": (0.0, -18.0, "middle"),
    "left": (-31.0, 6.0, "end"),
    "right": (31.0, 6.0, "start"),
}
"""By side: where a name's baseline begins, counted from its point, and how it is anchored."""

_LEAVE, _STOP = 26.0, 34.0
"""How far from the middles of its points an arrow begins and ends."""


class Spot(Value, frozen=True):
    """A point of the picture: its middle, the name beside it, and on which side that stands.

    chips: where leaders are drawn, above or below.
    """

    at: Point
    name: str
    side: Side
    chips: Side

    @property
    def label(self) -> dict[str, float | str]:
        """Where its name stands: x, y of the baseline, and the anchor."""
        dx, dy, anchor = _NAME_AT[self.side]
        return {"x": self.at[0] + dx, "y": self.at[1] + dy, "anchor": anchor}


class Atlas(Value, frozen=True):
    """The whole picture. size: width and height; spots: by the code of a point."""

    size: tuple[int, int]
    spots: Mapping[str, Spot]

    def path(self, links: Iterable[tuple[str, str]]) -> str:
        """Links as the ``d`` of one SVG path."""
        return "".join(f"M{_xy(self.spots[a].at)}L{_xy(self.spots[b].at)}" for a, b in links)

    def middle(self, a: str, b: str) -> Point:
        """The middle of the line between two points."""
        (x1, y1), (x2, y2) = self.spots[a].at, self.spots[b].at
        return round((x1 + x2) / 2, 1), round((y1 + y2) / 2, 1)

    def stroke(self, a: str, b: str) -> dict[str, float]:
        """An arrow from a point to another: x1, y1, x2, y2 and the angle of its head."""
        (x1, y1), (x2, y2) = self.spots[a].at, self.spots[b].at
        length = hypot(x2 - x1, y2 - y1)
        leave, stop = _LEAVE / length, _STOP / length
        return {
            "x1": round(x1 + (x2 - x1) * leave, 1),
            "y1": round(y1 + (y2 - y1) * leave, 1),
            "x2": round(x2 - (x2 - x1) * stop, 1),
            "y2": round(y2 - (y2 - y1) * stop, 1),
            "angle": round(degrees(atan2(y2 - y1, x2 - x1)), 1),
        }


@cache
def atlas() -> Atlas:
    """The picture's plan, read from data/chart.json."""
    plan = read_json(PACKAGE, "data/chart.json")
    spots = {
        code: Spot(
            at=(float(row["at"][0]), float(row["at"][1])),
            name=row["name"],
            side=row["label"],
            chips=row["chips"],
        )
        for code, row in plan["points"].items()
    }
    return Atlas(size=(plan["size"][0], plan["size"][1]), spots=spots)


def _xy(point: Point) -> str:
    return f"{point[0]:g} {point[1]:g}"
