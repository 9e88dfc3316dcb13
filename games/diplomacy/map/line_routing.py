"""The course of a line on the map from one province to the next, without crossing others.

It is straight if possible. Otherwise it goes through the shared border, or around corners.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from math import hypot

from games.diplomacy.boards.board import Board, Chart, compile_board
from games.diplomacy.map.outlines import Atlas, Point, atlas
from games.diplomacy.model import Province
from games.record import load, plain

_Side = tuple[Point, Point]

Course = tuple[Point, ...]
"""The points of a line, from its beginning to its end."""

_MAX_COURSES_KEPT = 4000
"""The most courses of a board that are remembered."""
_GATE_SPACING = 5.0
"""The distance between the points of a border that are tried as gates, in board units."""
_OFF = (4.0, 2.0, 0.6)
"""Distances at which a course passes a corner. The first with enough room is used."""
_SLAB = 8.0
"""The height of the slabs of an outline. A search for what is inside only looks at one slab."""
_CORNER = 7.0
"""A course prefers to cross a border at least this far from a corner of three provinces."""


@dataclass(frozen=True)
class _Wall:
    """A border that a line may run into: its sides, its points, and the box around them."""

    sides: frozenset[Province]
    points: Course
    left: float
    top: float
    right: float
    low: float

    def bars(self, start: Point, end: Point) -> bool:
        """Return whether the wall crosses the line between two points."""
        (px, py), (qx, qy) = start, end
        dx, dy = qx - px, qy - py
        ax, ay = self.points[0]
        beyond = dx * (ay - py) - dy * (ax - px) > 0
        for bx, by in self.points[1:]:
            was, beyond = beyond, dx * (by - py) - dy * (bx - px) > 0
            if was != beyond:
                ex, ey = bx - ax, by - ay
                if (ex * (py - ay) - ey * (px - ax) > 0) != (ex * (qy - ay) - ey * (qx - ax) > 0):
                    return True
            ax, ay = bx, by
        return False


@dataclass(frozen=True, eq=False)
class Courses:
    """Finds courses on one board, each once.

    shapes: the outlines; walls: the borders of each province.
    """

    shapes: Atlas
    walls: Mapping[Province, Sequence[_Wall]]
    _round_about: dict[frozenset[Province], tuple[_Wall, ...]] = field(default_factory=dict)
    _slabs: dict[Province, Mapping[int, Sequence[_Side]]] = field(default_factory=dict)
    _corners: dict[frozenset[Province], tuple[Point, ...]] = field(default_factory=dict)
    _found: dict[tuple[Point, Point, Province, Province], Course] = field(default_factory=dict)

    @staticmethod
    def of(board: Board) -> "Courses":
        """Return the courses of a board."""
        return _courses(board.key)

    def course(self, start: Point, end: Point, here: Province, there: Province) -> Course:
        """Return the course from a point in one province to a point in its neighbour, over these two only.

        If they share no border (narrows between two lakes), it crosses the gap where that is narrowest.
        """
        key = (start, end, here, there)
        if len(self._found) > _MAX_COURSES_KEPT:
            self._found.clear()
        if key not in self._found:
            self._found[key] = self._course(start, end, here, there)
        return self._found[key]

    def contains(self, province: Province, point: Point) -> bool:
        """Return whether a point is in a province."""
        (x, y), inside = point, False
        slabs = self._slabs.get(province) or self._slabs.setdefault(
            province, _slabs(self.shapes.rings[province])
        )
        for (ax, ay), (bx, by) in slabs.get(int(y // _SLAB), ()):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
        return inside

    def is_clear(self, start: Point, end: Point, provinces: frozenset[Province]) -> bool:
        """Return whether a straight line stays within some provinces."""
        (px, py), (qx, qy) = start, end
        left_edge, right = (px, qx) if px < qx else (qx, px)
        top, low = (py, qy) if py < qy else (qy, py)
        return not any(
            wall.left <= right
            and wall.right >= left_edge
            and wall.top <= low
            and wall.low >= top
            and wall.bars(start, end)
            for wall in self._walls_round(provinces)
        )

    def _walls_round(self, provinces: frozenset[Province]) -> tuple[_Wall, ...]:
        """Return the outline of some provinces together."""
        walls = self._round_about.get(provinces)
        if walls is None:
            walls = tuple(
                wall
                for province in sorted(provinces)
                for wall in self.walls[province]
                if len(provinces & wall.sides) == 1
            )
            self._round_about[provinces] = walls
        return walls

    def _course(self, start: Point, end: Point, here: Province, there: Province) -> Course:
        both = frozenset((here, there))
        shared = [wall for wall in self.walls[here] if there in wall.sides]
        if not shared and here != there:
            quay, other = self._nearest_points(here, there)
            return (*self._course(start, quay, here, here), *self._course(other, end, there, there))
        if self.is_clear(start, end, both):
            return start, end
        for gate in _gates(shared, start, end):
            if self.is_clear(start, gate, both) and self.is_clear(gate, end, both):
                return start, gate, end
        return self._way_round(start, end, both)

    def _nearest_points(self, here: Province, there: Province) -> tuple[Point, Point]:
        """Return the two points of two outlines that are nearest to each other."""
        return min(
            (
                (here_point, there_point)
                for ring in self.shapes.rings[here]
                for here_point in ring
                for other in self.shapes.rings[there]
                for there_point in other
            ),
            key=lambda pair: hypot(pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]),
        )

    def _way_round(self, start: Point, end: Point, provinces: frozenset[Province]) -> Course:
        """Return the shortest course around the corners, or a straight line if there is none.

        Checking whether a step is clear is expensive, so it is only done for steps whose turn comes.
        """
        ahead = {end: 0.0} | {corner: distance(corner, end) for corner in self._corners_of(provinces)}
        before: dict[Point, Point] = {}
        edge = [(distance(start, end), 0.0, start, start)]
        while edge and end not in before:
            _, far, here, last = heappop(edge)
            if here in before or (here != start and not self.is_clear(last, here, provinces)):
                continue
            before[here] = last
            for there, remaining in ahead.items():
                if there not in before:
                    total = far + distance(here, there)
                    heappush(edge, (total + remaining, total, there, here))
        way = [end]
        while way[-1] in before and way[-1] != start:
            way.append(before[way[-1]])
        return tuple(reversed(way)) if way[-1] == start else (start, end)

    def _corners_of(self, provinces: frozenset[Province]) -> tuple[Point, ...]:
        """Return points near the corners that project into the outline of some provinces."""
        if provinces not in self._corners:
            beside: dict[Point, list[Point]] = {}
            for wall in self._walls_round(provinces):
                for first, second in pairwise(wall.points):
                    beside.setdefault(first, []).append(second)
                    beside.setdefault(second, []).append(first)
            corner_points = (self._point_beside(corner, near, provinces) for corner, near in beside.items())
            self._corners[provinces] = tuple(point for point in corner_points if point is not None)
        return self._corners[provinces]

    def _point_beside(
        self, corner: Point, near: Sequence[Point], provinces: frozenset[Province]
    ) -> Point | None:
        """Return a point inside, beside a corner that projects, or None beside any other corner."""
        x, y = sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)
        away = distance(corner, (x, y))
        for off in _OFF if away else ():
            share = off / away
            point = (
                round(corner[0] + share * (corner[0] - x), 2),
                round(corner[1] + share * (corner[1] - y), 2),
            )
            room = all(
                any(
                    self.contains(province, (point[0] + dx * off / 2, point[1] + dy * off / 2))
                    for province in provinces
                )
                for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
            )
            if room:
                return point
        return None


@cache
def _courses(key: bytes) -> Courses:
    shapes = atlas(compile_board(plain(load(Chart, key))))
    walls: dict[Province, list[_Wall]] = {province: [] for province in shapes.rings}
    for border in shapes.borders:
        across, down = [x for x, _ in border.points], [y for _, y in border.points]
        box = min(across), min(down), max(across), max(down)
        for side in border.sides:
            walls[side].append(_Wall(frozenset(border.sides), border.points, *box))
    return Courses(shapes, walls)


def _slabs(rings: Sequence[Sequence[Point]]) -> Mapping[int, Sequence[_Side]]:
    """Return the sides of an outline by the slabs that they reach into."""
    sides_by_slab: dict[int, list[_Side]] = {}
    for ring in rings:
        for first, second in zip((ring[-1], *ring[:-1]), ring, strict=True):
            low, high = sorted((first[1], second[1]))
            for slab in range(int(low // _SLAB), int(high // _SLAB) + 1):
                sides_by_slab.setdefault(slab, []).append((first, second))
    return sides_by_slab


def _gates(shared: Iterable[_Wall], start: Point, end: Point) -> list[Point]:
    """Return points for crossing a border, the shortest way first. Points near its ends come later."""
    gates: list[tuple[float, Point]] = []
    for border in shared:
        tips = border.points[0], border.points[-1]
        for first, second in pairwise(border.points):
            steps = max(int(hypot(second[0] - first[0], second[1] - first[1]) // _GATE_SPACING), 1)
            for number in range(steps):
                gate = between(first, second, (number + 0.5) / steps)
                length = distance(start, gate) + distance(gate, end)
                cornered = min(distance(gate, tip) for tip in tips)
                gates.append((length + 4 * max(_CORNER - cornered, 0), gate))
    return [gate for _, gate in sorted(gates)]


def between(start: Point, end: Point, share: float) -> Point:
    """Return the point after a share of the way from one point to another."""
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def distance(first: Point, second: Point) -> float:
    """Return the distance of two points."""
    return hypot(second[0] - first[0], second[1] - first[1])


def distance_to_course(point: Point, course: Sequence[Point]) -> float:
    """Return the distance of a point from the nearest point of a course."""
    return min(distance(point, nearest_between(point, first, second)) for first, second in pairwise(course))


def nearest_between(point: Point, start: Point, end: Point) -> Point:
    """Return the point of a straight line that is nearest to another point."""
    across, down = end[0] - start[0], end[1] - start[1]
    square = across * across + down * down
    share = ((point[0] - start[0]) * across + (point[1] - start[1]) * down) / square if square else 0.0
    return between(start, end, min(max(share, 0.0), 1.0))


def course_length(course: Sequence[Point]) -> float:
    """Return the length of a course."""
    return sum(distance(first, second) for first, second in pairwise(course))


def point_along(course: Sequence[Point], far: float) -> Point:
    """Return the point of a course at a distance from its beginning."""
    for first, second in pairwise(course):
        step = distance(first, second)
        if far <= step and step:
            return between(first, second, far / step)
        far -= step
    return course[-1]


def trim_course(course: Sequence[Point], before: float, after: float) -> Course:
    """Return a course without some of its beginning and its end, at most 45 % of each."""
    whole = course_length(course)
    first, last = min(before, 0.45 * whole), whole - min(after, 0.45 * whole)
    kept, gone = [point_along(course, first)], 0.0
    for start, end in pairwise(course):
        gone += distance(start, end)
        if first < gone < last:
            kept.append(end)
    return (*kept, point_along(course, last))


def bend_course(course: Sequence[Point], bow: float) -> Course:
    """Return a course bent to the right of its direction, most in its middle. Its ends stay in place."""
    whole, count = course_length(course), 8
    if not whole:
        return tuple(course)
    points = [course[0]]
    for number in range(1, count):
        share = number / count
        x, y = point_along(course, share * whole)
        back, ahead = point_along(course, (share - 0.06) * whole), point_along(course, (share + 0.06) * whole)
        step = distance(back, ahead) or 1.0
        out = 4 * bow * share * (1 - share)
        points.append((x - out * (ahead[1] - back[1]) / step, y + out * (ahead[0] - back[0]) / step))
    return (*points, course[-1])
