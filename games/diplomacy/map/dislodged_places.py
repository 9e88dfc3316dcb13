"""The place of a dislodged unit on the map: in its province, beside the unit that dislodged it.

It is smaller in a small province. If there's no room at all, it is on the water nearby, with a line to the
province. It is never on other land.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin

from games.diplomacy.boards.board import Board, Chart, compile_board
from games.diplomacy.map.labels import (
    Box,
    fits,
    province_labels,
    shared_area,
    sizes,
    spans_of,
    spots_in,
    square,
)
from games.diplomacy.map.layouts import kept_layout, shipped_layout
from games.diplomacy.map.line_routing import Courses, distance
from games.diplomacy.map.outlines import Point
from games.diplomacy.model import Province
from games.record import load, plain

HALF_UNIT_SIZE = 11.5
"""Half the width of a unit of the usual size."""
SECOND_PLACES = "second_places"
"""The name of the shipped layout."""
_SIZES = (0.9, 0.8, 0.7)
_MIN_SECOND_SIZE = 0.6
"""The least size of the second unit, relative to the first. It is the last resort after `_SIZES`."""
_RING_DISTANCES = (26.0, 32.0, 38.0, 46.0, 56.0, 70.0)
"""Distances from the first unit to places on the water, for a unit of the usual size."""
_RING_DIRECTIONS = 24
_MAX_SECOND_PLACES_TRIED = 400
"""The most points of the province that are tried, the nearest to the first unit first."""


@dataclass(frozen=True)
class SecondPlace:
    """The middle of a second unit, and its size relative to the first. outside: it is on the water."""

    at: Point
    size: float
    outside: bool = False


def second_place(board: Board, province: Province) -> SecondPlace:
    """Return the place of a dislodged unit in a province."""
    return _finder(board.key).place(province)


@dataclass(frozen=True, eq=False)
class _SecondPlaceFinder:
    """Finds second places on one board.

    k: the size of its units; names: the boxes of all names; places: those that are known already.
    """

    board: Board
    courses: Courses
    k: float
    names: Sequence[Box]
    places: dict[Province, SecondPlace]

    @staticmethod
    def of(chart: bytes, places: dict[Province, SecondPlace]) -> "_SecondPlaceFinder":
        """Return what finds second places on a board. chart: its key."""
        board = compile_board(plain(load(Chart, chart)))
        names = [box for label in province_labels(board).values() for box in label.boxes]
        return _SecondPlaceFinder(board, Courses.of(board), sizes(board).unit, names, places)

    def place(self, province: Province) -> SecondPlace:
        """Return the second place of a province. It is remembered."""
        if province not in self.places:
            name, key = f"second place of {province}", self.board.key
            place = kept_layout(name, SecondPlace, key, lambda: self.compute_place(province))
            self.places[province] = place
        return self.places[province]

    def compute_place(self, province: Province) -> SecondPlace:
        """Return the second place of a province, without anything that is kept."""
        return next(self._candidate_places(province))

    def _candidate_places(self, province: Province) -> Iterator[SecondPlace]:
        """Yield places, the best first: inside clear of the first unit, on the water, half behind it."""
        spans = spans_of(self.courses.shapes.rings[province])
        spots = spots_in(province_labels(self.board)[province].piece, spans)[::3][:_MAX_SECOND_PLACES_TRIED]

        def within(size: float) -> list[SecondPlace]:
            half = HALF_UNIT_SIZE * size * self.k
            return [
                SecondPlace(point, size) for point in spots if fits((-half, -half, half, half), point, spans)
            ]

        for size in _SIZES:
            yield from self._best(province, within(size), 0.0)
        if self.board.fleet[province]:
            yield from self._best(province, self._offshore_places(province), 0.0)
        for most in (0.25, 0.5, 1.0):
            for size in (_SIZES[-1], _MIN_SECOND_SIZE):
                yield from self._best(province, within(size), most)
        yield SecondPlace(province_labels(self.board)[province].piece, _MIN_SECOND_SIZE)

    def _best(self, province: Province, places: Sequence[SecondPlace], most: float) -> list[SecondPlace]:
        """Return the nearest place that hides least of the names. most: the share of a unit it may hide."""
        first, taken = province_labels(self.board)[province].piece, self._boxes_to_keep_clear(province)

        def cost(place: SecondPlace) -> tuple[float, Point]:
            box = self._box(place)
            hidden = sum(shared_area(box, name) for name in self.names)
            return hidden + distance(place.at, first), place.at

        clear = [place for place in places if _covered_share(self._box(place), taken) <= most]
        return [min(clear, key=cost)] if clear else []

    def _offshore_places(self, province: Province) -> list[SecondPlace]:
        """Return places near a province: on water, or off the board."""
        near = {other for neighbour in self._beside(province) for other in self._beside(neighbour)}
        lands = [neighbour for neighbour in self.board.in_board_order(near) if self.board.is_land(neighbour)]
        (x, y), places = province_labels(self.board)[province].piece, []
        width, height = self.board.chart.size
        for far in _RING_DISTANCES:
            for way in range(_RING_DIRECTIONS):
                turn = 2 * pi * way / _RING_DIRECTIONS
                at = round(x + far * self.k * cos(turn), 1), round(y + far * self.k * sin(turn), 1)
                left_edge, top, right, low = self._box(place := SecondPlace(at, _SIZES[0], outside=True))
                if left_edge < 0 or top < 0 or right > width or low > height:
                    continue
                corners = [
                    (across, down) for across in (left_edge, at[0], right) for down in (top, at[1], low)
                ]
                if not any(
                    self.courses.contains(neighbour, corner) for neighbour in lands for corner in corners
                ):
                    places.append(place)
        return places

    def _beside(self, province: Province) -> set[Province]:
        return {province, *self.board.army[province], *self.board.fleet[province]}

    def _boxes_to_keep_clear(self, province: Province) -> list[Box]:
        """Return the boxes of units in and beside the province, and of marks of supply centres."""
        letters, places, k = province_labels(self.board), self.board.places, self.k
        near = self._beside(province)
        units = [
            spot
            for neighbour in self.board.in_board_order(near)
            for spot in (letters[neighbour].piece, *places[neighbour].anchors.values())
        ]
        marks = [
            letters[neighbour].centre
            for neighbour in self.board.in_board_order(near)
            if places[neighbour].centre
        ]
        return [square(spot, HALF_UNIT_SIZE * k) for spot in units] + [
            square(spot, 8.0 * k) for spot in marks
        ]

    def _box(self, place: SecondPlace) -> Box:
        return square(place.at, HALF_UNIT_SIZE * place.size * self.k)


@cache
def _finder(chart: bytes) -> _SecondPlaceFinder:
    known = shipped_layout(SECOND_PLACES, dict[Province, SecondPlace], chart)
    return _SecondPlaceFinder.of(chart, known or {})


def compute_second_places(chart: bytes) -> dict[Province, SecondPlace]:
    """Return the second place of each province of a board. chart: its key."""
    finder = _SecondPlaceFinder.of(chart, {})
    return {province: finder.compute_place(province) for province in finder.board.places}


def _covered_share(box: Box, taken: Sequence[Box]) -> float:
    """Return the largest share of a box that one of the others covers."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    return max((shared_area(box, other) / area for other in taken), default=0.0)
