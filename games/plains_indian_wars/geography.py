"""The land that the board lies on: rivers, coasts, frontiers, and the borders of its regions.

The projection is Mercator's, as on maps of the time: north is up everywhere, the 49th parallel straight.
"""

import itertools
from collections.abc import Mapping, Sequence
from functools import cache
from math import degrees, log, pi, radians, tan

from games.data import read_json
from games.plains_indian_wars.board import PACKAGE
from games.plains_indian_wars.model import Belt, Region
from games.protocol import Invalid
from games.record import Malformed, Record, revive

Point = tuple[float, float]
"""Across and down, in units of the picture; or, in the file, degrees east and degrees north."""

_CUT = 0.25
"""Where corners are cut, from either end of a stretch (Chaikin)."""


class Projection(Record, frozen=True, kw_only=True):
    """Where the sheet begins, in degrees, and how many units of the picture a degree of longitude has."""

    west: float
    north: float
    degree: float

    def place(self, at: Point) -> Point:
        """A place of the earth in units of the picture."""
        down = (_stretched(self.north) - _stretched(at[1])) * self.degree
        return round((at[0] - self.west) * self.degree, 1), round(down, 1)


class Border(Record, frozen=True, kw_only=True):
    """What lies between two regions; "" is land without a part in the game, the sea or the sheet's edge."""

    between: tuple[Region, Region]
    line: tuple[Point, ...]


class Lettered(Record, frozen=True, kw_only=True):
    """A name that belongs to no region, its middle, and by how many degrees it is turned."""

    name: str
    at: Point
    turn: float


class Geography(Record, frozen=True, kw_only=True):
    """The file as it is written.

    trails: the courses of each, a fork making several; shores, lakes: outlines of the land and of lakes in
    it; frontiers: of the United States; great: rivers that are drawn broader; numbers: where the number of
    each step of the trails stands; cities: where the railroad ends; waters: names of rivers, of the gulf, of
    the parallel.
    """

    projection: Projection
    size: tuple[int, int]
    borders: tuple[Border, ...]
    rivers: dict[str, tuple[Point, ...]]
    great: tuple[str, ...]
    trails: dict[Belt, tuple[tuple[Point, ...], ...]]
    numbers: dict[str, Point]
    frontiers: tuple[tuple[Point, ...], ...]
    shores: tuple[tuple[Point, ...], ...]
    lakes: dict[str, tuple[Point, ...]]
    cities: dict[Region, Point]
    waters: tuple[Lettered, ...]

    def placed(self, line: Sequence[Point]) -> tuple[Point, ...]:
        """A line of the earth in units of the picture."""
        return tuple(self.projection.place(point) for point in line)


@cache
def geography() -> Geography:
    """The land, read once. Raises Invalid that names what is wrong in the file."""
    try:
        land: Geography = revive(Geography, read_json(PACKAGE, "data/geography.json"))
    except Malformed as fault:
        raise Invalid("data/geography.json", str(fault)) from fault
    return land


def rings(land: Geography) -> Mapping[Region, tuple[tuple[Point, ...], ...]]:
    """The outlines of each region, closed, from its borders: one, or one for each part of it.

    Raises Invalid for a region whose borders do not close.
    """
    found: dict[Region, list[tuple[Point, ...]]] = {}
    for border in land.borders:
        line = rounded(land.placed(border.line))
        for region in filter(None, border.between):
            found.setdefault(region, []).append(line)
    return {region: _closed(region, lines) for region, lines in found.items()}


def rounded(line: Sequence[Point]) -> tuple[Point, ...]:
    """A line with its corners cut twice, as hand-drawn ones are; both its ends stay where they are."""
    points = list(line)
    for _ in range(2):
        bends = [
            _between(one, other, share)
            for one, other in itertools.pairwise(points)
            for share in (_CUT, 1 - _CUT)
        ]
        points = [points[0], *bends[1:-1], points[-1]]
    return tuple((round(x, 1), round(y, 1)) for x, y in points)


def path(line: Sequence[Point]) -> str:
    """The ``d`` of an SVG path along a line, bent where the line has corners."""
    steps = [f"M{_xy(line[0])}"]
    for one, other in itertools.pairwise(line):
        end = other if other == line[-1] else _between(one, other, 0.5)
        steps.append(f"Q{_xy(one)} {_xy(end)}")
    return "".join(steps if len(line) > 2 else [*steps, *(f"L{_xy(point)}" for point in line[1:])])


def outline(ring: Sequence[Point]) -> str:
    """The ``d`` of an SVG path around a region."""
    return "M" + "L".join(_xy(point) for point in ring) + "Z"


def _closed(region: Region, lines: Sequence[tuple[Point, ...]]) -> tuple[tuple[Point, ...], ...]:
    """Lines laid end to end until they come back to where they began, for as long as lines are left."""
    rest, found = list(lines), []
    while rest:
        ring = list(rest.pop(0))
        while ring[0] != ring[-1]:
            following = next((line for line in rest if ring[-1] in (line[0], line[-1])), None)
            if following is None:
                raise Invalid(f"data/geography.json: {region}", f"its borders do not meet near {ring[-1]}")
            rest.remove(following)
            ring += following[1:] if following[0] == ring[-1] else following[-2::-1]
        found.append(tuple(ring[:-1]))
    return tuple(found)


def _stretched(latitude: float) -> float:
    """How far north a latitude lies on a map of Mercator's, in degrees of longitude."""
    return degrees(log(tan(pi / 4 + radians(latitude) / 2)))


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def _xy(point: Point) -> str:
    return f"{round(point[0], 1):g} {round(point[1], 1):g}"
