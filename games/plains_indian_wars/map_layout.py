"""The shapes of the board on a real map: regions, rivers, and the places of names and cubes."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import degrees, log, pi, radians, tan

from games.data import read_value
from games.messages import sentence
from games.plains_indian_wars.board import CANADA, MEXICO, PACKAGE, ROCKIES, BoardRegion, Railroad, board
from games.plains_indian_wars.model import Belt, Region
from games.protocol import Invalid
from games.record import Record, Value

# The land below the board: rivers, coasts, frontiers, and the borders of regions.
#
# The projection is Mercator's, as on maps of the time: north is up, and the 49th parallel is a straight line.


Point = tuple[float, float]
"""Across and down in units of the picture, or, in the file, degrees east and degrees north."""

_CORNER_CUT = 0.25
"""The distance of a cut from a corner, as a share of the line to the next corner (Chaikin's algorithm)."""


class Projection(Record, frozen=True, kw_only=True):
    """A Mercator projection.

    west, north: the upper left corner of the sheet, in degrees; degree: the units of the picture for a degree
    of longitude.
    """

    west: float
    north: float
    degree: float

    def project(self, at: Point) -> Point:
        """Return a place on earth in units of the picture."""
        down = (_mercator_latitude(self.north) - _mercator_latitude(at[1])) * self.degree
        return round((at[0] - self.west) * self.degree, 1), round(down, 1)


class RegionBorder(Record, frozen=True, kw_only=True):
    """The line between two regions. The region "" is land outside the game, the sea or the sheet's edge."""

    between: tuple[Region, Region]
    line: tuple[Point, ...]


class MapLabel(Record, frozen=True, kw_only=True):
    """A name that doesn't belong to a region. at: its middle; turn: the degrees by which it is turned."""

    name: str
    at: Point
    turn: float


class Geography(Record, frozen=True, kw_only=True):
    """The file data/geography.json as it is written.

    great: the rivers that are drawn broader; trails: the lines of each trail, several because of forks;
    numbers: the place of each trail step's number; frontiers: the frontiers of the United States; shores,
    lakes: the outlines of the land and of its lakes; cities: the ends of the railroad; waters: the names of
    rivers, the gulf and the parallel.
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
        """Return a line on earth in units of the picture."""
        return tuple(self.projection.project(point) for point in line)


@cache
def geography() -> Geography:
    """Return the land, read once. Raises Invalid, which names the mistake in the file."""
    land: Geography = read_value(PACKAGE, "data/geography.json", Geography)
    return land


def region_rings(land: Geography) -> Mapping[Region, tuple[tuple[Point, ...], ...]]:
    """Return the closed outlines of each region, one for each part of it, from its borders.

    Raises Invalid for a region with borders that don't close.
    """
    lines_by_region: dict[Region, list[tuple[Point, ...]]] = {}
    for border in land.borders:
        line = round_corners(land.project_line(border.line))
        for region in filter(None, border.between):
            lines_by_region.setdefault(region, []).append(line)
    return {region: _join_lines(region, lines) for region, lines in lines_by_region.items()}


def round_corners(line: Sequence[Point]) -> tuple[Point, ...]:
    """Return a line with its corners cut twice, so that it looks hand-drawn. Both ends stay in place."""
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
    """Return the ``d`` of an SVG path along a line, with curves at its corners."""
    steps = [f"M{_xy(line[0])}"]
    for corner, other in itertools.pairwise(line):
        end = other if other == line[-1] else _point_between(corner, other, 0.5)
        steps.append(f"Q{_xy(corner)} {_xy(end)}")
    return "".join(steps if len(line) > 2 else [*steps, *(f"L{_xy(point)}" for point in line[1:])])


def svg_outline(ring: Sequence[Point]) -> str:
    """Return the ``d`` of an SVG path around a region."""
    return "M" + "L".join(_xy(point) for point in ring) + "Z"


def _join_lines(region: Region, lines: Sequence[tuple[Point, ...]]) -> tuple[tuple[Point, ...], ...]:
    """Return closed rings of lines that were joined end to end. Raises Invalid if a ring doesn't close."""
    rest, closed_rings = list(lines), []
    while rest:
        ring = list(rest.pop(0))
        while ring[0] != ring[-1]:
            following = next((line for line in rest if ring[-1] in (line[0], line[-1])), None)
            if following is None:
                problem = sentence("plains_indian_wars.owner_data.outline", at=ring[-1])
                raise Invalid(f"data/geography.json: {region}", problem)
            rest.remove(following)
            ring += following[1:] if following[0] == ring[-1] else following[-2::-1]
        closed_rings.append(tuple(ring[:-1]))
    return tuple(closed_rings)


def _mercator_latitude(latitude: float) -> float:
    """Return the distance of a latitude from the equator on Mercator's map, in degrees of longitude."""
    return degrees(log(tan(pi / 4 + radians(latitude) / 2)))


def _point_between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _xy(point: Point) -> str:
    return f"{round(point[0], 1):g} {round(point[1], 1):g}"


PictureBox = tuple[float, float, float, float]
"""The left, top, right and bottom of a box in units of the picture."""

LEGEND_STRIP_HEIGHT, FILE_STRIP_HEIGHT = 336, 190
"""The height of the strip below the map, with the title and the legend, and that in the size of the file."""
TYPE_SIZE = 18.0
"""The size of important text: 9 pixels if the picture is 600 pixels wide."""
TILE_SIZE: Point = (32.0, 34.0)
"""The width and height of a cube's tile with its margin."""
_NAME_LINE_HEIGHT = 19.0
_NAME_ABOVE_TILES = 24.0
"""The distance from the middle of the tiles up to the baseline of a name's last line."""
_WIDE_LETTERS, _SLIM_LETTERS = frozenset("mwMW"), frozenset("ijltfrI.'-, ")
_STAR_WIDTH = 19.0


class RegionName(Value, frozen=True):
    """A region's name.

    number: the number before the name in its first line; lines: each line of the name with the middle of its
    baseline and its box.
    """

    number: str
    lines: tuple[tuple[str, Point, PictureBox], ...]


class Atlas(Value, frozen=True):
    """The shapes of all regions.

    rings: the outline of each region; cells: the ``d`` of its SVG path; at: the place of its tiles.
    """

    size: tuple[int, int]
    rings: Mapping[Region, tuple[Point, ...]]
    cells: Mapping[Region, str]
    at: Mapping[Region, Point]
    names: Mapping[Region, RegionName]

    def tiles(self, region: Region, count: int) -> tuple[Point, ...]:
        """Return the places of a region's tiles: in a row, or in more rows if one doesn't fit."""
        return _tiles(self.rings[region], self.at[region], count)

    def box(self, region: Region) -> PictureBox:
        """Return the smallest box around a region."""
        across, down = zip(*self.rings[region], strict=True)
        return min(across), min(down), max(across), max(down)


@cache
def atlas() -> Atlas:
    """Return the shapes of all regions, computed once."""
    land, ground = geography(), board()
    rings_by_region = region_rings(land)
    at = {place.id: land.projection.project(place.at) for place in ground.places.values()}
    return Atlas(
        size=(land.size[0], land.size[1] + LEGEND_STRIP_HEIGHT - FILE_STRIP_HEIGHT),
        # The part of a region that contains its cubes.
        rings={
            region: next((ring for ring in parts if encloses(ring, at[region])), parts[0])
            for region, parts in rings_by_region.items()
        },
        cells={
            region: "".join(svg_outline(ring) for ring in parts) for region, parts in rings_by_region.items()
        },
        at=at,
        names={
            place.id: _name(place, at[place.id]) for place in ground.places.values() if place.id != ROCKIES
        },
    )


def space_positions(line: Railroad) -> tuple[Point, ...]:
    """Return the places of a railroad's spaces."""
    return geography().project_line(line.at)


def tile_box(at: Point) -> PictureBox:
    """Return the box of a tile with its middle at a point."""
    return (
        at[0] - TILE_SIZE[0] / 2,
        at[1] - TILE_SIZE[1] / 2,
        at[0] + TILE_SIZE[0] / 2,
        at[1] + TILE_SIZE[1] / 2,
    )


def encloses(ring: Sequence[Point], point: Point) -> bool:
    """Return whether a point is inside an outline."""
    return is_between(point[0], crossings(ring, point[1]))


def crossings(ring: Sequence[Point], y: float) -> tuple[float, ...]:
    """Return the x-coordinates of the points where an outline crosses a height."""
    return tuple(
        x1 + (y - y1) * (x2 - x1) / (y2 - y1)
        for (x1, y1), (x2, y2) in pairwise((*ring, ring[0]))
        if (y1 > y) != (y2 > y)
    )


def is_between(x: float, ends: Sequence[float]) -> bool:
    """Return whether an x-coordinate is inside an outline that crosses its height at these ends."""
    return sum(x < end for end in ends) % 2 == 1


def overlap(first: PictureBox, other: PictureBox) -> bool:
    """Return whether two boxes overlap."""
    return first[0] < other[2] and other[0] < first[2] and first[1] < other[3] and other[1] < first[3]


def text_width(text: str, size: float = TYPE_SIZE, bold: bool = False) -> float:
    """Return the approximate width of a text in condensed type. It is rather too large than too small."""
    thousandths = sum(
        880
        if letter in _WIDE_LETTERS
        else 370
        if letter in _SLIM_LETTERS
        else 640
        if letter.isupper() or letter.isdigit()
        else 560
        for letter in text
    )
    return thousandths / 1000 * size * (1.12 if bold else 1)


@cache
def _tiles(ring: tuple[Point, ...], at: Point, count: int) -> tuple[Point, ...]:
    ways = [*_rows(at, count)]
    return next((way for way in ways if all(_corners_in(ring, tile_box(tile)) for tile in way)), ways[0])


def _rows(at: Point, count: int) -> Iterator[tuple[Point, ...]]:
    for most in (count, (count + 1) // 2, (count + 2) // 3):
        rows = [range(first, min(first + most, count)) for first in range(0, count, most or 1)]
        yield tuple(
            (at[0] + (place - (len(row) - 1) / 2) * TILE_SIZE[0], at[1] + number * TILE_SIZE[1])
            for number, row in enumerate(rows)
            for place in range(len(row))
        )


def _corners_in(ring: Sequence[Point], box: PictureBox) -> bool:
    left_edge, top, right, low = box
    return all(
        encloses(ring, corner) for corner in ((left_edge, top), (right, top), (left_edge, low), (right, low))
    )


def _name(place: BoardRegion, at: Point) -> RegionName:
    """Return a region's name above its tiles, on two lines if the file says so."""
    number = "" if place.zone in ("CITY", "EDGE") or place.id in (CANADA, MEXICO) else place.id
    parts = place.name.split(" ", 1) if place.broken else [place.name]
    lines: list[tuple[str, Point, PictureBox]] = []
    for up, part in zip(range(len(parts) - 1, -1, -1), parts, strict=True):
        ahead = text_width(number + " ", bold=True) if number and not lines else 0.0
        ahead += _STAR_WIDTH if place.key and not lines else 0.0
        width, base = ahead + text_width(part), at[1] - _NAME_ABOVE_TILES - up * _NAME_LINE_HEIGHT
        box = (at[0] - width / 2, base - 15, at[0] + width / 2, base + 4.5)
        lines.append((part, (at[0], round(base, 1)), box))
    return RegionName(number=number, lines=tuple(lines))
