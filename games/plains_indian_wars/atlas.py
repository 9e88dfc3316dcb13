"""The shapes of the board: regions on a map of the real land, where names and cubes stand."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from games.plains_indian_wars.board import CANADA, MEXICO, ROCKIES, Place, Railroad, board
from games.plains_indian_wars.geography import Point, geography, outline, rings
from games.plains_indian_wars.model import Region
from games.record import Value

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in units of the picture."""

TYPE = 18.0
"""The size of all lettering that matters: 9 pixels where the picture is shown 600 wide."""
TILE: Point = (32.0, 34.0)
"""The room that a cube's tile takes, across and down."""
_LINE = 19.0
_ABOVE = 24.0
"""From the middle of the tiles up to the baseline of the last line of a name."""
_WIDE, _SLIM = frozenset("mwMW"), frozenset("ijltfrI.'-, ")
_STAR = 19.0


class Name(Value, frozen=True):
    """A region's name in lines, each with the middle of its baseline and its box; number: in the first."""

    number: str
    lines: tuple[tuple[str, Point, Box], ...]


class Atlas(Value, frozen=True):
    """Outlines of regions as rings of points and as the ``d`` of paths; where their tiles stand; names."""

    size: tuple[int, int]
    rings: Mapping[Region, tuple[Point, ...]]
    cells: Mapping[Region, str]
    at: Mapping[Region, Point]
    names: Mapping[Region, Name]

    def tiles(self, region: Region, count: int) -> tuple[Point, ...]:
        """Where so many tiles of a region stand: in a row, or in two where one row would leave the region."""
        return _tiles(self.rings[region], self.at[region], count)

    def box(self, region: Region) -> Box:
        """The smallest box around a region."""
        across, down = zip(*self.rings[region], strict=True)
        return min(across), min(down), max(across), max(down)


@cache
def atlas() -> Atlas:
    """The shapes of the board."""
    land, ground = geography(), board()
    found = rings(land)
    at = {place.id: land.projection.place(place.at) for place in ground.places.values()}
    return Atlas(
        size=land.size,
        rings={region: _main(parts, at[region]) for region, parts in found.items()},
        cells={region: "".join(outline(ring) for ring in parts) for region, parts in found.items()},
        at=at,
        names={
            place.id: _name(place, at[place.id]) for place in ground.places.values() if place.id != ROCKIES
        },
    )


def spaces(line: Railroad) -> tuple[Point, ...]:
    """Where the spaces of a railroad are drawn."""
    return geography().placed(line.at)


def tile_box(at: Point) -> Box:
    """The room of a tile."""
    return at[0] - TILE[0] / 2, at[1] - TILE[1] / 2, at[0] + TILE[0] / 2, at[1] + TILE[1] / 2


def encloses(ring: Sequence[Point], point: Point) -> bool:
    """Whether a point lies within an outline."""
    return is_between(point[0], crossings(ring, point[1]))


def crossings(ring: Sequence[Point], y: float) -> tuple[float, ...]:
    """How far across each place is where an outline goes from above a height to below, or back."""
    return tuple(
        x1 + (y - y1) * (x2 - x1) / (y2 - y1)
        for (x1, y1), (x2, y2) in pairwise((*ring, ring[0]))
        if (y1 > y) != (y2 > y)
    )


def is_between(x: float, ends: Sequence[float]) -> bool:
    """Whether what lies so far across is inside an outline that crosses its height in these places."""
    return sum(x < end for end in ends) % 2 == 1


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes have any room in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def text_width(text: str, size: float = TYPE, bold: bool = False) -> float:
    """About how wide a text is in condensed type, rather more than less."""
    thousandths = sum(
        880 if one in _WIDE else 370 if one in _SLIM else 640 if one.isupper() or one.isdigit() else 560
        for one in text
    )
    return thousandths / 1000 * size * (1.12 if bold else 1)


def _main(parts: Sequence[tuple[Point, ...]], at: Point) -> tuple[Point, ...]:
    """The part of a region in which its cubes stand."""
    return next((ring for ring in parts if encloses(ring, at)), parts[0])


@cache
def _tiles(ring: tuple[Point, ...], at: Point, count: int) -> tuple[Point, ...]:
    ways = [*_rows(at, count)]
    return next((way for way in ways if all(_corners_in(ring, tile_box(one)) for one in way)), ways[0])


def _rows(at: Point, count: int) -> Iterator[tuple[Point, ...]]:
    for most in (count, (count + 1) // 2, (count + 2) // 3):
        rows = [range(first, min(first + most, count)) for first in range(0, count, most or 1)]
        yield tuple(
            (at[0] + (place - (len(row) - 1) / 2) * TILE[0], at[1] + number * TILE[1])
            for number, row in enumerate(rows)
            for place in range(len(row))
        )


def _corners_in(ring: Sequence[Point], box: Box) -> bool:
    left, top, right, low = box
    return all(encloses(ring, corner) for corner in ((left, top), (right, top), (left, low), (right, low)))


def _name(place: Place, at: Point) -> Name:
    """The name above the tiles; on two lines where the file breaks it."""
    number = "" if place.zone in ("CITY", "EDGE") or place.id in (CANADA, MEXICO) else place.id
    parts = place.name.split(" ", 1) if place.broken else [place.name]
    lines: list[tuple[str, Point, Box]] = []
    for up, part in zip(range(len(parts) - 1, -1, -1), parts, strict=True):
        ahead = text_width(number + " ", bold=True) if number and not lines else 0.0
        ahead += _STAR if place.key and not lines else 0.0
        width, base = ahead + text_width(part), at[1] - _ABOVE - up * _LINE
        box = (at[0] - width / 2, base - 15, at[0] + width / 2, base + 4.5)
        lines.append((part, (at[0], round(base, 1)), box))
    return Name(number=number, lines=tuple(lines))
