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

_CORNER_CUT = 0.25
"""Where corners are cut, from either end of a stretch (Chaikin)."""


class Projection(Record, frozen=True, kw_only=True):
    """The corner where the sheet begins, in degrees, and the picture's units for a degree of longitude."""

    west: float
    north: float
    degree: float

    def project(self, at: Point) -> Point:
        """Return a place of the earth in units of the picture."""
        down = (_mercator_latitude(self.north) - _mercator_latitude(at[1])) * self.degree
        return round((at[0] - self.west) * self.degree, 1), round(down, 1)


class RegionBorder(Record, frozen=True, kw_only=True):
    """The line between two regions; "" is land without a part in the game, the sea or the sheet's edge."""

    between: tuple[Region, Region]
    line: tuple[Point, ...]


class MapLabel(Record, frozen=True, kw_only=True):
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
    borders: tuple[RegionBorder, ...]
    rivers: dict[str, tuple[Point, ...]]
    great: tuple[str, ...]
    trails: dict[Belt, tuple[tuple[Point, ...], ...]]
    numbers: dict[str, Point]
    frontiers: tuple[tuple[Point, ...], ...]
    shores: tuple[tuple[Point, ...], ...]
    lakes: dict[str, tuple[Point, ...]]
    cities: dict[Region, Point]
    waters: tuple[MapLabel, ...]

    def project_line(self, line: Sequence[Point]) -> tuple[Point, ...]:
        """Return a line of the earth in units of the picture."""
        return tuple(self.projection.project(point) for point in line)


@cache
def geography() -> Geography:
    """The land, read once. Raises Invalid that names what is wrong in the file."""
    try:
        land: Geography = revive(Geography, read_json(PACKAGE, "data/geography.json"))
    except Malformed as fault:
        raise Invalid("data/geography.json", str(fault)) from fault
    return land


def region_rings(land: Geography) -> Mapping[Region, tuple[tuple[Point, ...], ...]]:
    """Return the outlines of each region, closed, from its borders: one, or one for each part of it.

    Raises Invalid for a region whose borders do not close.
    """
    lines_by_region: dict[Region, list[tuple[Point, ...]]] = {}
    for border in land.borders:
        line = round_corners(land.project_line(border.line))
        for region in filter(None, border.between):
            lines_by_region.setdefault(region, []).append(line)
    return {region: _join_lines(region, lines) for region, lines in lines_by_region.items()}


def round_corners(line: Sequence[Point]) -> tuple[Point, ...]:
    """Return a line with its corners cut twice, as hand-drawn ones are; both its ends stay where they are."""
    points = list(line)
    for _ in range(2):
        bends = [
            _point_between(point, other, share)
            for point, other in itertools.pairwise(points)
            for share in (_CORNER_CUT, 1 - _CORNER_CUT)
        ]
        points = [points[0], *bends[1:-1], points[-1]]
    return tuple((round(x, 1), round(y, 1)) for x, y in points)


def svg_path(line: Sequence[Point]) -> str:
    """Return the ``d`` of an SVG path along a line, bent where the line has corners."""
    steps = [f"M{_xy(line[0])}"]
    for corner, other in itertools.pairwise(line):
        end = other if other == line[-1] else _point_between(corner, other, 0.5)
        steps.append(f"Q{_xy(corner)} {_xy(end)}")
    return "".join(steps if len(line) > 2 else [*steps, *(f"L{_xy(point)}" for point in line[1:])])


def svg_outline(ring: Sequence[Point]) -> str:
    """The ``d`` of an SVG path around a region."""
    return "M" + "L".join(_xy(point) for point in ring) + "Z"


def _join_lines(region: Region, lines: Sequence[tuple[Point, ...]]) -> tuple[tuple[Point, ...], ...]:
    """Join lines end to end until they come back to where they began, for as long as lines are left."""
    rest, closed_rings = list(lines), []
    while rest:
        ring = list(rest.pop(0))
        while ring[0] != ring[-1]:
            following = next((line for line in rest if ring[-1] in (line[0], line[-1])), None)
            if following is None:
                raise Invalid(f"data/geography.json: {region}", f"its borders do not meet near {ring[-1]}")
            rest.remove(following)
            ring += following[1:] if following[0] == ring[-1] else following[-2::-1]
        closed_rings.append(tuple(ring[:-1]))
    return tuple(closed_rings)


def _mercator_latitude(latitude: float) -> float:
    """Return how far north a latitude lies on a map of Mercator's, in degrees of longitude."""
    return degrees(log(tan(pi / 4 + radians(latitude) / 2)))


def _point_between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _xy(point: Point) -> str:
    return f"{round(point[0], 1):g} {round(point[1], 1):g}"
