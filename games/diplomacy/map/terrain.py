"""The terrain of a map: rivers, ranges, names of coasts, and land that units can't enter.

It keeps clear of units, centres and names, and never changes on a board.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, sin
from typing import Any

from games.diplomacy.boards.board import Board, ProvinceEntry
from games.diplomacy.map.dislodged_places import HALF_UNIT_SIZE, second_place
from games.diplomacy.map.labels import (
    Box,
    MapSizes,
    fits,
    province_labels,
    shared_area,
    sizes,
    spans_of,
    spots_in,
    square,
    text_width,
)
from games.diplomacy.map.layouts import shipped_layout
from games.diplomacy.map.outlines import Atlas, Point, atlas, path
from games.diplomacy.map.patterns import Lines, crossing, short
from games.diplomacy.model import Province, split_spot
from games.messages import sentence

_PEAK = (-9.0, -8.0, 9.0, 8.0)
"""The box of a peak around its middle. The drawing is a little smaller."""
_PEAK_SPACING = 21.0
"""The distance between the peaks of a range along its crest."""
_PEAK_OFFSETS = (0.0, 8.0, -8.0, 16.0, -16.0)
"""Distances of a peak from the crest, if something else is in the way."""
_CLOSED_LAND_LINES = Lines(45, 7.5)
"""The hatching of land that units can't enter."""
_COAST_NAME_DISTANCES = (18.0, 22.0, 26.0, 30.0, 36.0, 42.0, 50.0)
"""Distances from the fleet's place to the name of its coast, for units of the usual size."""
_COAST_NAME_DIRECTIONS = 16
_ARROW_SPACING, _ARROW_HALF = 6.0, 11.0
"""The distance of the points of a border where an arrow is tried, and half the width of an arrow."""
_BESIDE = 4.0
"""The distance from a border at which a point is on one side of it."""
_Step = tuple[Point, Point]
"""A point of a line, and the direction there."""


def terrain(board: Board) -> dict[str, Any]:
    """Return the terrain as the context of sheets.svg.

    rivers: name, path; peaks: x, y; closed: name, path, hatch (a path), peaks; coasts: text, size, x, y of
    the name of each coast of a province with several; arrows: x, y, angle and title of each border that
    leads one way.
    """
    # On boards of others it has sentences, which may change, and it takes a tenth of the time of the labels.
    return shipped_layout("terrain", dict[str, Any], board.key) or compute_terrain(board)


def compute_terrain(board: Board) -> dict[str, Any]:
    """Return the same as `terrain`, without anything that is kept."""
    survey = _TerrainMap(board)
    return {
        "rivers": [
            {"name": name, "path": path([course], closed=False)}
            for name, course in survey.shapes.rivers.items()
        ],
        "peaks": _peaks(survey.ranges()),
        "closed": [survey.closed_land(name, rings) for name, rings in survey.shapes.closed.items()],
        "coasts": [*survey.coasts()],
        "arrows": [survey.arrow(*pair) for pair in board.chart.one_way],
    }


@dataclass(frozen=True)
class _TerrainMap:
    """Finds free places on one board."""

    board: Board

    @cached_property
    def shapes(self) -> Atlas:
        """Return the shapes of the board."""
        return atlas(self.board)

    @cached_property
    def sizes(self) -> MapSizes:
        """Return the sizes on the board."""
        return sizes(self.board)

    @cached_property
    def occupied_boxes(self) -> Sequence[Box]:
        """Return the boxes of names, of places of units and of marks of supply centres."""
        letters, places = province_labels(self.board), self.board.places
        units = [
            at for province in places for at in (letters[province].piece, *places[province].anchors.values())
        ]
        marks = [letters[province].centre for province in places if places[province].centre]
        return [
            *(box for label in letters.values() for box in label.boxes),
            *(square(at, HALF_UNIT_SIZE * self.sizes.unit) for at in units),
            *(square(at, 8 * self.sizes.centre) for at in marks),
        ]

    def ranges(self) -> Iterator[Point]:
        """Yield peaks along the crests, or beside them if something is in the way."""
        for crest in self.shapes.mountains.values():
            for at, (ahead, down) in _points_along(crest, _PEAK_SPACING):
                beside = ((at[0] - down * far, at[1] + ahead * far) for far in _PEAK_OFFSETS)
                yield from self._free(_PEAK, beside)

    def closed_land(self, name: str, rings: Sequence[Sequence[Point]]) -> dict[str, Any]:
        """Return land that units can't enter: hatched, with as many mountains as fit."""
        spans, peaks, boxes = spans_of(rings), list[Point](), list[Box]()
        xs, ys = zip(*rings[0], strict=True)
        for at in spots_in(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2), spans):
            here = _box_at(_PEAK, at)
            if fits(_PEAK, at, spans) and not any(shared_area(here, other) for other in boxes):
                peaks.append(at)
                boxes.append(here)
        return {
            "name": name,
            "path": path(rings),
            "hatch": short([*crossing(rings, _CLOSED_LAND_LINES)]),
            "peaks": _peaks(peaks),
        }

    def coasts(self) -> Iterator[dict[str, Any]]:
        """Yield the names of coasts, each beside the place of its fleets, on the province or on the water."""
        size = self.sizes.type
        for place in self.board.places.values():
            for coast, anchor in place.anchors.items() if place.coasts else ():
                text = coast.lower()
                wide = text_width(text, size) / 2
                box = (-wide, -size / 2, wide, size / 2)
                places = self._points_near(place, coast, anchor, box)
                for x, y in self._free(box, places, self._aside(place)):
                    yield {"text": text, "size": size, "x": round(x, 1), "y": round(y + 0.3 * size, 1)}

    def arrow(self, here: Province, there: Province) -> dict[str, Any]:
        """Return the arrow on a border that only leads from one province to another."""
        ways = [*self._ways_over(here, there)]
        free = self._free(square((0, 0), _ARROW_HALF * self.sizes.unit), (at for at, _ in ways))
        at = next(free, ways[0][0])
        ahead = dict(ways)[at]
        names = (self.board.places[province].name for province in (here, there))
        title = sentence(
            "diplomacy.map.leads_one_way", **dict(zip(("province", "other"), names, strict=True))
        )
        x, y = round(at[0], 1), round(at[1], 1)
        return {"x": x, "y": y, "angle": round(degrees(atan2(ahead[1], ahead[0]))), "title": title}

    def _ways_over(self, here: Province, there: Province) -> Iterator[tuple[Point, Point]]:
        """Yield points on a border, the middle first, each with the direction from here to there."""
        for link in self.shapes.links:
            if {split_spot(end)[0] for end in link.ends} == {here, there}:
                way = 1 if split_spot(link.ends[0])[0] == here else -1
                steps = [*_points_along(link.points, _ARROW_SPACING)]
                for at, (ahead, down) in _from_the_middle(steps):
                    yield at, (way * ahead, way * down)
        inside = spans_of(self.shapes.rings[there])
        for line in self.shapes.borders:
            if {*line.sides} == {here, there}:
                for at, (ahead, down) in _from_the_middle([*_points_along(line.points, _ARROW_SPACING)]):
                    beside = at[0] - _BESIDE * down, at[1] + _BESIDE * ahead
                    way = 1 if fits((0, 0, 0, 0), beside, inside) else -1
                    yield at, (-way * down, way * ahead)
        (ax, ay), (bx, by) = (self.board.places[province].label for province in (here, there))
        yield ((ax + bx) / 2, (ay + by) / 2), (bx - ax, by - ay)

    def _points_near(self, place: ProvinceEntry, coast: str, anchor: Point, box: Box) -> Iterator[Point]:
        """Yield points around a fleet's place on its province or on the water nearby, the nearest first."""
        near = [split_spot(water)[0] for water in place.coasts[coast]]
        waters = [water for water in near if not self.board.is_land(water)]
        grounds = [spans_of(self.shapes.rings[province]) for province in (place.id, *waters)]
        for far in _COAST_NAME_DISTANCES:
            for spans in grounds:
                for turn in (2 * pi * way / _COAST_NAME_DIRECTIONS for way in range(_COAST_NAME_DIRECTIONS)):
                    at = (
                        anchor[0] + far * self.sizes.unit * cos(turn),
                        anchor[1] + far * self.sizes.unit * sin(turn),
                    )
                    if fits(box, at, spans):
                        yield at

    def _aside(self, place: ProvinceEntry) -> Box:
        """Return the box of a dislodged unit of a place."""
        if self.shapes.is_schematic:
            return 0.0, 0.0, 0.0, 0.0  # the small box of a coast has no other room for its name
        second = second_place(self.board, place.id)
        return square(second.at, HALF_UNIT_SIZE * second.size * self.sizes.unit)

    def _free(self, box: Box, places: Iterable[Point], *taken: Box) -> Iterator[Point]:
        """Yield the first place where the box covers nothing, if there is one."""
        for at in places:
            here = _box_at(box, at)
            if not any(shared_area(here, other) for other in (*taken, *self.occupied_boxes)):
                yield at
                return


def _from_the_middle(steps: Sequence[_Step]) -> list[_Step]:
    """Return the points of a line, those in its middle first."""
    return sorted(steps, key=lambda step: abs(steps.index(step) - (len(steps) - 1) / 2))


def _points_along(line: Sequence[Point], apart: float) -> Iterator[tuple[Point, Point]]:
    """Yield points on a line at even distances, each with the direction there, of length 1."""
    offset = apart / 2
    for (ax, ay), (bx, by) in pairwise(line):
        length = hypot(bx - ax, by - ay)
        while offset < length:
            ahead = (bx - ax) / length, (by - ay) / length
            yield (ax + offset * ahead[0], ay + offset * ahead[1]), ahead
            offset += apart
        offset -= length


def _peaks(points: Iterable[Point]) -> list[dict[str, float]]:
    return [{"x": round(x, 1), "y": round(y, 1)} for x, y in points]


def _box_at(box: Box, at: Point) -> Box:
    return at[0] + box[0], at[1] + box[1], at[0] + box[2], at[1] + box[3]
