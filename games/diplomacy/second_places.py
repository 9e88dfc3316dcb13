"""Where a dislodged unit stands: in its province, beside the one that drove it out.

In the province itself, smaller where there is little room; where there is none, on the water before it, with
a line that leads to the province. On another's land never.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin

from games.diplomacy.atlas import Point
from games.diplomacy.board import Board, Chart, compile_board
from games.diplomacy.courses import Courses, distance
from games.diplomacy.lettering import lettering
from games.diplomacy.model import Province
from games.diplomacy.rows import Box, fits, shared, spans_of, spots_in
from games.diplomacy.sizes import scale
from games.record import load, plain

HALF = 11.5
"""Half the width of a unit of the usual size."""
_SIZES = (0.9, 0.8, 0.7)
_LEAST = 0.6
"""The sizes of the second unit, beside that of the first; the least only where nothing else is left."""
_RINGS = (26.0, 32.0, 38.0, 46.0, 56.0, 70.0)
"""How far before the shore it is set down, for a unit of the usual size."""
_WAYS = 24
_TRIED = 400
"""So many points of the province are looked at, the nearest to the first unit first."""


@dataclass(frozen=True)
class SecondPlace:
    """The middle of a second unit, and its size beside the first's; outside: it stands on the water."""

    at: Point
    size: float
    outside: bool = False


def second_place(board: Board, province: Province) -> SecondPlace:
    """The second place of a province."""
    return _surveyor(board.key).place(province)


@dataclass(frozen=True, eq=False)
class _Surveyor:
    """Looks for second places on one board. k: the size of its pieces; names: the boxes of all names."""

    board: Board
    courses: Courses
    k: float
    names: Sequence[Box]
    found: dict[Province, SecondPlace]

    def place(self, province: Province) -> SecondPlace:
        """The second place of a province, looked for once."""
        if province not in self.found:
            self.found[province] = next(self._tried(province))
        return self.found[province]

    def _tried(self, province: Province) -> Iterator[SecondPlace]:
        """Places, the best first: inside and clear of the first unit, before the shore, half behind it."""
        spans = spans_of(self.courses.shapes.rings[province])
        spots = spots_in(lettering(self.board)[province].piece, spans)[::3][:_TRIED]

        def within(size: float) -> list[SecondPlace]:
            half = HALF * size * self.k
            return [SecondPlace(one, size) for one in spots if fits((-half, -half, half, half), one, spans)]

        for size in _SIZES:
            yield from self._best(province, within(size), 0.0)
        if self.board.fleet[province]:
            yield from self._best(province, self._ashore(province), 0.0)
        for most in (0.25, 0.5, 1.0):
            for size in (_SIZES[-1], _LEAST):
                yield from self._best(province, within(size), most)
        yield SecondPlace(lettering(self.board)[province].piece, _LEAST)

    def _best(self, province: Province, places: Sequence[SecondPlace], most: float) -> list[SecondPlace]:
        """The one that hides least of the names, the nearer the better; none that hides more of a unit."""
        first, taken = lettering(self.board)[province].piece, self._taken(province)

        def cost(one: SecondPlace) -> tuple[float, Point]:
            box = self._box(one)
            hidden = sum(shared(box, name) for name in self.names)
            return hidden + distance(one.at, first), one.at

        clear = [one for one in places if _covered(self._box(one), taken) <= most]
        return [min(clear, key=cost)] if clear else []

    def _ashore(self, province: Province) -> list[SecondPlace]:
        """Places before a province: on water, or beyond the edge of the board."""
        near = {other for one in self._beside(province) for other in self._beside(one)}
        lands = [one for one in self.board.sorted(near) if self.board.is_land(one)]
        (x, y), found = lettering(self.board)[province].piece, []
        width, height = self.board.chart.size
        for far in _RINGS:
            for way in range(_WAYS):
                turn = 2 * pi * way / _WAYS
                at = round(x + far * self.k * cos(turn), 1), round(y + far * self.k * sin(turn), 1)
                left, top, right, low = self._box(place := SecondPlace(at, _SIZES[0], outside=True))
                if left < 0 or top < 0 or right > width or low > height:
                    continue
                corners = [(across, down) for across in (left, at[0], right) for down in (top, at[1], low)]
                if not any(self.courses.contains(one, corner) for one in lands for corner in corners):
                    found.append(place)
        return found

    def _beside(self, province: Province) -> set[Province]:
        return {province, *self.board.army[province], *self.board.fleet[province]}

    def _taken(self, province: Province) -> list[Box]:
        """What must be seen: whoever stands in the province or beside it, and marks of supply centres."""
        letters, places, k = lettering(self.board), self.board.places, self.k
        near = self._beside(province)
        units = [
            spot
            for one in self.board.sorted(near)
            for spot in (letters[one].piece, *places[one].anchors.values())
        ]
        marks = [letters[one].centre for one in self.board.sorted(near) if places[one].centre]
        return [_square(spot, HALF * k) for spot in units] + [_square(spot, 8.0 * k) for spot in marks]

    def _box(self, one: SecondPlace) -> Box:
        return _square(one.at, HALF * one.size * self.k)


@cache
def _surveyor(chart: bytes) -> _Surveyor:
    board = compile_board(plain(load(Chart, chart)))
    names = [box for one in lettering(board).values() for box in one.boxes]
    return _Surveyor(board, Courses.of(board), scale(board), names, {})


def _square(middle: Point, half: float) -> Box:
    return middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half


def _covered(box: Box, taken: Sequence[Box]) -> float:
    """The share of a box that others lie on; of several the largest."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    return max((shared(box, other) / area for other in taken), default=0.0)
