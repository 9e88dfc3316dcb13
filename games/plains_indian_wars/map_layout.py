"""The shapes of the board on a map of the real land: regions, rivers, where names and cubes stand."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from games.plains_indian_wars.board import CANADA, MEXICO, ROCKIES, BoardRegion, Railroad, board
from games.plains_indian_wars.geography import Point, geography, region_rings, svg_outline
from games.plains_indian_wars.model import Region
from games.record import Value

PictureBox = tuple[float, float, float, float]
"""Left, top, right, bottom, in units of the picture."""

TYPE_SIZE = 18.0
"""The size of all lettering that matters: 9 pixels where the picture is shown 600 wide."""
TILE_SIZE: Point = (32.0, 34.0)
"""The room that a cube's tile takes, across and down."""
_NAME_LINE_HEIGHT = 19.0
_NAME_ABOVE_TILES = 24.0
"""From the middle of the tiles up to the baseline of the last line of a name."""
_WIDE_LETTERS, _SLIM_LETTERS = frozenset("mwMW"), frozenset("ijltfrI.'-, ")
_STAR_WIDTH = 19.0


class RegionName(Value, frozen=True):
    """A region's name in lines, each with the middle of its baseline and its box; number: in the first."""

    number: str
    lines: tuple[tuple[str, Point, PictureBox], ...]


class Atlas(Value, frozen=True):
    """Outlines of regions as rings of points and as the ``d`` of paths; where their tiles stand; names."""

    size: tuple[int, int]
    rings: Mapping[Region, tuple[Point, ...]]
    cells: Mapping[Region, str]
    at: Mapping[Region, Point]
    names: Mapping[Region, RegionName]

    def tiles(self, region: Region, count: int) -> tuple[Point, ...]:
        """Return where tiles of a region stand: in a row, or in more if one row would leave the region."""
        return _tiles(self.rings[region], self.at[region], count)

    def box(self, region: Region) -> PictureBox:
        """The smallest box around a region."""
        across, down = zip(*self.rings[region], strict=True)
        return min(across), min(down), max(across), max(down)


@cache
def atlas() -> Atlas:
    """The shapes of the board."""
    land, ground = geography(), board()
    rings_by_region = region_rings(land)
    at = {place.id: land.projection.project(place.at) for place in ground.places.values()}
    return Atlas(
        size=land.size,
        rings={region: _main(parts, at[region]) for region, parts in rings_by_region.items()},
        cells={
            region: "".join(svg_outline(ring) for ring in parts) for region, parts in rings_by_region.items()
        },
        at=at,
        names={
            place.id: _name(place, at[place.id]) for place in ground.places.values() if place.id != ROCKIES
        },
    )


def space_positions(line: Railroad) -> tuple[Point, ...]:
    """Return where the spaces of a railroad are drawn."""
    return geography().project_line(line.at)


def tile_box(at: Point) -> PictureBox:
    """The room of a tile."""
    return (
        at[0] - TILE_SIZE[0] / 2,
        at[1] - TILE_SIZE[1] / 2,
        at[0] + TILE_SIZE[0] / 2,
        at[1] + TILE_SIZE[1] / 2,
    )


def encloses(ring: Sequence[Point], point: Point) -> bool:
    """Return whether a point lies within an outline."""
    return is_between(point[0], crossings(ring, point[1]))


def crossings(ring: Sequence[Point], y: float) -> tuple[float, ...]:
    """Return the positions across where an outline goes from above a height to below it, or back."""
    return tuple(
        x1 + (y - y1) * (x2 - x1) / (y2 - y1)
        for (x1, y1), (x2, y2) in pairwise((*ring, ring[0]))
        if (y1 > y) != (y2 > y)
    )


def is_between(x: float, ends: Sequence[float]) -> bool:
    """Return whether a position across is inside an outline that crosses its height in these places."""
    return sum(x < end for end in ends) % 2 == 1


def overlap(first: PictureBox, other: PictureBox) -> bool:
    """Return whether two boxes have any room in common."""
    return first[0] < other[2] and other[0] < first[2] and first[1] < other[3] and other[1] < first[3]


def text_width(text: str, size: float = TYPE_SIZE, bold: bool = False) -> float:
    """Return about how wide a text is in condensed type, rather more than less."""
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


def _main(parts: Sequence[tuple[Point, ...]], at: Point) -> tuple[Point, ...]:
    """The part of a region in which its cubes stand."""
    return next((ring for ring in parts if encloses(ring, at)), parts[0])


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
    """The name above the tiles; on two lines where the file breaks it."""
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
