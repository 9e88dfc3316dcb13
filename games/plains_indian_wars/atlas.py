"""The shapes of the board: each region a cell that touches exactly the cells of its neighbours.

The map is a graph that can be drawn without crossings. Every triangle of neighbours gets a corner in its
middle, and the border of two regions runs from corner to corner past the middle of the line that joins them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import atan2, hypot

from games.plains_indian_wars.board import CANADA, MEXICO, Board, board
from games.plains_indian_wars.model import Region

Point = tuple[float, float]

SCALE: Point = (1.62, 1.42)
"""Units of the picture for one of the map, across and down."""

_OUTWARD = 74.0
"""How far the cells at the rim reach out, in units of the picture."""


@dataclass(frozen=True)
class Atlas:
    """Cells as the ``d`` of SVG paths, and where the middle of each region is, in units of the picture."""

    cells: Mapping[Region, str]
    at: Mapping[Region, Point]


@cache
def atlas() -> Atlas:
    """The shapes of the board. Canada, Mexico, cities and edges have no cell: the template draws them."""
    ground = board()
    inner = [one for one in ground.zone("N", "S", "NE", "SE") if one not in (CANADA, MEXICO)]
    drawing = _Drawing(ground, inner)
    return Atlas(cells={region: drawing.cell(region) for region in inner}, at=drawing.at)


def scaled(point: Point) -> Point:
    """A place of the map in units of the picture."""
    return round(point[0] * SCALE[0], 1), round(point[1] * SCALE[1], 1)


class _Drawing:
    """The graph as it is drawn. ring: a region's neighbours, clockwise; rim: the outermost face."""

    def __init__(self, ground: Board, inner: Sequence[Region]) -> None:
        self.at = {place.id: scaled(place.at) for place in ground.places.values()}
        self.ring = {region: self._clockwise(region, ground.near[region], inner) for region in inner}
        westmost = min(inner, key=lambda region: self.at[region])
        self.rim = max((self._face(westmost, other) for other in self.ring[westmost]), key=len)

    def cell(self, region: Region) -> str:
        """The outline of a region: past the middle of each line to a neighbour, from corner to corner."""
        ring = self.ring[region]
        steps = [f"M{_xy(self._corner_before(region, 0))}"]
        for place, other in enumerate(ring):
            corner = self._corner(region, other)
            middle = _between(self.at[region], self.at[other])
            if corner is not None:
                steps.append(f"Q{_xy(middle)} {_xy(corner)}")
                continue
            following = ring[(place + 1) % len(ring)]
            around = (self._beyond(region, other), self._out(region), self._beyond(region, following))
            steps += [f"Q{_xy(middle)} {_xy(around[0])}", *(f"L{_xy(point)}" for point in around[1:])]
        return "".join(steps) + "Z"

    def _clockwise(
        self, region: Region, near: Sequence[Region], inner: Sequence[Region]
    ) -> tuple[Region, ...]:
        x, y = self.at[region]

        def bearing(other: Region) -> float:
            return atan2(self.at[other][1] - y, self.at[other][0] - x)

        return tuple(sorted((other for other in near if other in inner), key=bearing))

    def _face(self, start: Region, second: Region) -> tuple[Region, ...]:
        """The regions around the face between a neighbour and the one that follows it clockwise."""
        face, one, other = [start], start, second
        while other != start:
            face.append(other)
            ring = self.ring[other]
            one, other = other, ring[(ring.index(one) - 1) % len(ring)]
        return tuple(face)

    def _corner(self, region: Region, other: Region) -> Point | None:
        """The middle of the face that follows a neighbour; None for the outermost."""
        face = self._face(region, other)
        if len(face) == len(self.rim):
            return None
        across = sum(self.at[one][0] for one in sorted(face)) / len(face)
        down = sum(self.at[one][1] for one in sorted(face)) / len(face)
        return round(across, 1), round(down, 1)

    def _corner_before(self, region: Region, place: int) -> Point:
        """Where the border with a neighbour begins."""
        ring = self.ring[region]
        return self._corner(region, ring[place - 1]) or self._beyond(region, ring[place])

    def _beyond(self, region: Region, other: Region) -> Point:
        """Where the border of two regions of the rim leaves the board."""
        nx, ny = self._away(region, other)
        x, y = _between(self.at[region], self.at[other])
        return round(x + nx * _OUTWARD, 1), round(y + ny * _OUTWARD, 1)

    def _out(self, region: Region) -> Point:
        """How far a region of the rim reaches out."""
        place = self.rim.index(region)
        before = self._away(self.rim[place - 1], region)
        after = self._away(region, self.rim[(place + 1) % len(self.rim)])
        nx, ny = before[0] + after[0], before[1] + after[1]
        length = hypot(nx, ny) or 1.0
        x, y = self.at[region]
        return round(x + nx / length * _OUTWARD, 1), round(y + ny / length * _OUTWARD, 1)

    def _away(self, one: Region, other: Region) -> Point:
        """The direction away from the board across a line of the rim, one unit long."""
        if self.rim[(self.rim.index(one) + 1) % len(self.rim)] != other:
            one, other = other, one
        dx, dy = self.at[other][0] - self.at[one][0], self.at[other][1] - self.at[one][1]
        length = hypot(dx, dy)
        return -dy / length, dx / length


def _between(one: Point, other: Point) -> Point:
    return round((one[0] + other[0]) / 2, 1), round((one[1] + other[1]) / 2, 1)


def _xy(point: Point) -> str:
    return f"{point[0]:g} {point[1]:g}"
