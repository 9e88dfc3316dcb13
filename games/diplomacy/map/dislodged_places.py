"""The place of a dislodged unit on the map: in its province, beside the unit that dislodged it.

It is smaller in a small province. If there's no room at all, it is on the water nearby, with a line to the
province. It is never on other land. A province has a place in each direction with room for one, so that a
unit stands clear of the arrow that dislodged it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import atan2, cos, pi, sin

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
from games.diplomacy.map.line_routing import Course, Courses, distance, distance_to_course, trim_course
from games.diplomacy.map.outlines import Point
from games.diplomacy.model import Beaten, Province, split_spot
from games.record import load, plain

HALF_UNIT_SIZE = 11.5
"""Half the width of a unit of the usual size."""
_EDGE = 1.0
"""The width of the edge of a dislodged unit beyond that."""
SECOND_PLACES = "second_places"
"""The name of the shipped layout."""
_SIZES = (0.9, 0.8, 0.7)
_MIN_SECOND_SIZE = 0.6
"""The least size of the second unit, relative to the first. It is the last resort after `_SIZES`."""
_RING_DISTANCES = (26.0, 32.0, 38.0, 46.0, 56.0, 70.0)
"""Distances from the first unit to places on the water, for a unit of the usual size."""
_RING_DIRECTIONS = 24
_SECTORS = 8
"""The directions from the first unit, of which each can have a place."""
_SIZE_COST, _OFFSHORE_COST = 12.0, 10_000.0
"""What the next smaller size and a place on the water cost, in board units of distance."""
_ARROW_CLEARANCE = 8.0
"""The least distance of an arrow from the edge of a dislodged unit."""
_MAX_SECOND_PLACES_TRIED = 400
"""The most points of the province that are tried, the nearest to the first unit first."""


@dataclass(frozen=True)
class SecondPlace:
    """The middle of a second unit, and its size relative to the first. outside: it is on the water."""

    at: Point
    size: float
    outside: bool = False


def second_place(board: Board, province: Province) -> SecondPlace:
    """Return the best place of a second unit in a province."""
    return second_places(board, province)[0]


def second_places(board: Board, province: Province) -> tuple[SecondPlace, ...]:
    """Return the places of a second unit in a province, in several directions, the best first."""
    return _finder(board.key).places_in(province)


def dislodged_place(board: Board, beaten: Beaten) -> SecondPlace:
    """Return the place of a dislodged unit, clear of the arrow of the unit that dislodged it.

    If there is a choice, the ways of its retreat don't cross that unit.
    """
    at, origin = beaten.unit.at, split_spot(beaten.by_from)[0]
    places = second_places(board, at)
    labels, k = province_labels(board), sizes(board).unit
    first = labels[at].piece
    course: Course = (first, first)
    if origin in board.army[at] or origin in board.fleet[at]:
        course = Courses.of(board).course(labels[origin].piece, first, origin, at)
    elif origin in labels:
        course = labels[origin].piece, first
    arrow = trim_course(course, 0, HALF_UNIT_SIZE * k)
    goals = [labels[split_spot(spot)[0]].piece for spot in beaten.retreats]

    def cost(number: int) -> tuple[float, int]:
        place = places[number]
        half = HALF_UNIT_SIZE * place.size * k
        missing = max(half + _ARROW_CLEARANCE * k - distance_to_course(place.at, arrow), 0.0)
        under = sum(distance_to_course(first, (place.at, goal)) < HALF_UNIT_SIZE * k for goal in goals)
        return missing + 6 * k * under + (3 * k if place.outside else 0.0), number

    return places[min(range(len(places)), key=cost)]


@dataclass(frozen=True, eq=False)
class _SecondPlaceFinder:
    """Finds second places on one board.

    k: the size of its units; half_width: half the width of one; names: the boxes of all names; places: those
    that are known already.
    """

    board: Board
    courses: Courses
    k: float
    half_width: float
    names: Sequence[Box]
    places: dict[Province, tuple[SecondPlace, ...]]

    @staticmethod
    def of(chart: bytes, places: dict[Province, tuple[SecondPlace, ...]]) -> "_SecondPlaceFinder":
        """Return what finds second places on a board. chart: its key."""
        board = compile_board(plain(load(Chart, chart)))
        names = [box for label in province_labels(board).values() for box in label.boxes]
        drawn = sizes(board)
        half_width = drawn.unit_width / 2 if drawn.coded else HALF_UNIT_SIZE * drawn.unit
        return _SecondPlaceFinder(board, Courses.of(board), drawn.unit, half_width, names, places)

    def places_in(self, province: Province) -> tuple[SecondPlace, ...]:
        """Return the second places of a province. They are remembered."""
        if province not in self.places:
            name, key, kind = f"second places of {province}", self.board.key, tuple[SecondPlace, ...]
            self.places[province] = kept_layout(name, kind, key, lambda: self.compute_places(province))
        return self.places[province]

    def compute_places(self, province: Province) -> tuple[SecondPlace, ...]:
        """Return the second places of a province, without anything that is kept."""
        clear = self._clear_places(province)
        return clear or (next(self._crowded_places(province)),)

    def _clear_places(self, province: Province) -> tuple[SecondPlace, ...]:
        """Return the best place in each direction that is clear of the first unit, the best first."""
        x, y = first = province_labels(self.board)[province].piece
        taken, best = self._boxes_to_keep_clear(province), dict[int, tuple[float, SecondPlace]]()
        groups = [(self._inside(province, size), _SIZE_COST * number) for number, size in enumerate(_SIZES)]
        if self.board.fleet[province]:
            groups.append((self._offshore_places(province), _OFFSHORE_COST))
        for places, extra in groups:
            for place in places:
                cost = distance(place.at, first) + extra * self.k
                sector = round(atan2(place.at[1] - y, place.at[0] - x) * _SECTORS / (2 * pi)) % _SECTORS
                if sector in best and cost >= best[sector][0]:
                    continue
                box = self._box(place)
                if _covered_share(box, taken) > 0:
                    continue
                cost += sum(shared_area(box, name) for name in self.names)
                if sector not in best or cost < best[sector][0]:
                    best[sector] = cost, place
        return tuple(place for _, place in sorted(best.values(), key=lambda one: (one[0], one[1].at)))

    def _inside(self, province: Province, size: float) -> list[SecondPlace]:
        """Return the places inside a province for a unit of some size."""
        spans = spans_of(self.courses.shapes.rings[province])
        spots = spots_in(province_labels(self.board)[province].piece, spans)[::3][:_MAX_SECOND_PLACES_TRIED]
        across, down = self._half(size)
        return [
            SecondPlace(point, size) for point in spots if fits((-across, -down, across, down), point, spans)
        ]

    def _crowded_places(self, province: Province) -> Iterator[SecondPlace]:
        """Yield places that are partly behind the first unit, the best first."""
        for most in (0.25, 0.5, 1.0):
            for size in (_SIZES[-1], _MIN_SECOND_SIZE):
                yield from self._best(province, self._inside(province, size), most)
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
                place, (wide, high) = SecondPlace(at, _SIZES[0], outside=True), self._half(_SIZES[0])
                left_edge, top, right, low = at[0] - wide, at[1] - high, at[0] + wide, at[1] + high
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
        across, down = self.half_width, HALF_UNIT_SIZE * k
        return [(x - across, y - down, x + across, y + down) for x, y in units] + [
            square(spot, 8.0 * k) for spot in marks
        ]

    def _half(self, size: float) -> Point:
        """Return half the width and height of a unit of some size."""
        return self.half_width * size, HALF_UNIT_SIZE * size * self.k

    def _box(self, place: SecondPlace) -> Box:
        """Return the box of a dislodged unit with its red edge."""
        (x, y), (across, down), edge = place.at, self._half(place.size), _EDGE * self.k
        return x - across - edge, y - down - edge, x + across + edge, y + down + edge


@cache
def _finder(chart: bytes) -> _SecondPlaceFinder:
    known = shipped_layout(SECOND_PLACES, dict[Province, tuple[SecondPlace, ...]], chart)
    return _SecondPlaceFinder.of(chart, known or {})


def compute_second_places(chart: bytes) -> dict[Province, tuple[SecondPlace, ...]]:
    """Return the second places of each province of a board. chart: its key."""
    finder = _SecondPlaceFinder.of(chart, {})
    return {province: finder.compute_places(province) for province in finder.board.places}


def _covered_share(box: Box, taken: Sequence[Box]) -> float:
    """Return the largest share of a box that one of the others covers."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    return max((shared_area(box, other) / area for other in taken), default=0.0)
