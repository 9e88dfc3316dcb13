"""Where names and pieces stand on a map: inside their province, as large as there is room for.

Every province is looked at in rows. A box fits where each row that it crosses has one span that holds it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import ceil, floor, hypot

from games.diplomacy.atlas import Point, atlas
from games.diplomacy.board import Board, Chart, Place, compile_board
from games.diplomacy.model import Province
from games.record import canonical, load, plain

_ROW = 2.5
_STEP = 3.0
_MARGIN = 1.0
_PIECE = (23.0, 23.0)
"""Width and height of the place that is kept for a unit, in board units."""
_CENTRE = 18.0
"""How much wider the place is where a supply centre is marked to the left of the unit."""
NUMBER = 0.66
"""The size of a province's number, beside that of its name."""
_LEADING = 1.02
_LEAST = 12.0
"""The smallest type, in board units."""
_TRIED = 250
"""How many free places for the piece are looked at, the nearest to the middle of the province first."""

_WIDE, _SLIM = frozenset("mwMW"), frozenset("ijltfrI.'-, ")

_Spans = Mapping[int, Sequence[tuple[float, float]]]
_Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Lettering:
    """How a province is lettered, in board units.

    number: printed small before the first line, or ""; lines: the name, or the abbreviation where there is no
    room for it; size: of the type; at: the middle of each line's baseline; piece, centre: the middle of a
    unit's place and of a supply centre's mark; boxes: of the lines (left, top, right, bottom).
    """

    number: str
    lines: tuple[str, ...]
    size: float
    at: tuple[Point, ...]
    piece: Point
    centre: Point
    boxes: tuple[_Box, ...]


def lettering(board: Board) -> Mapping[Province, Lettering]:
    """The lettering of each province of a board."""
    return _lettering(canonical(board.chart))


def text_width(text: str, size: float) -> float:
    """About how wide a text is in the condensed faces of the maps, rather more than less."""
    thousandths = 0
    for letter in text:
        if letter in _WIDE:
            thousandths += 880
        elif letter in _SLIM:
            thousandths += 370
        else:
            thousandths += 680 if letter.isupper() else 600
    return size * thousandths / 1000


@cache
def _lettering(chart: bytes) -> Mapping[Province, Lettering]:
    board = compile_board(plain(load(Chart, chart)))
    rings = atlas(board).rings
    found: dict[Province, Lettering] = {}
    crowded = []
    for place in board.places.values():
        spans = _spans(rings[place.id])
        letters = _letter(place, spans)
        if letters:
            found[place.id] = letters
        else:
            crowded.append((place, spans))
    for place, spans in crowded:
        taken = [box for letters in found.values() for box in (*letters.boxes, _around(letters.piece))]
        found[place.id] = _squeezed(place, spans, taken)
    return {place: found[place] for place in board.places}


def _letter(place: Place, spans: _Spans) -> Lettering | None:
    """The first layout that has room, round the free place for the piece that is nearest to the middle."""
    free = _free(place, spans)
    widest = max(right - left for row in spans.values() for left, right in row)
    for layout in _layouts(place, _room(place)):
        boxes = layout.boxes
        if any(right - left + 2 * _MARGIN > widest for left, _, right, _ in boxes):
            continue
        for spot in free:
            if all(_fits(line, spot, spans) for line in boxes):
                return layout.at(spot)
    return None


def _squeezed(place: Place, spans: _Spans, taken: Sequence[_Box]) -> Lettering:
    """The abbreviation beside the piece, across the border, on the side where it covers least of the rest."""
    spot = (_free(place, spans) or [place.label])[0]
    ways = [
        _Layout(_number(place), (place.abbr,), _LEAST, _room(place), side).at(spot)
        for side in ("below", "above", "right", "left")
    ]
    return min(ways, key=lambda way: sum(_shared(box, other) for box in way.boxes for other in taken))


def _free(place: Place, spans: _Spans) -> list[Point]:
    """Where the piece has room, the nearest to the middle of the province first."""
    room = _room(place)
    box = (-room / 2, -_PIECE[1] / 2, room / 2, _PIECE[1] / 2)
    return list(islice((spot for spot in _spots(place.label, spans) if _fits(box, spot, spans)), _TRIED))


def _room(place: Place) -> float:
    return _PIECE[0] + (_CENTRE if place.centre else 0)


def _around(spot: Point) -> _Box:
    return spot[0] - 10, spot[1] - 11, spot[0] + 10, spot[1] + 11


def _shared(one: _Box, two: _Box) -> float:
    """The area that two boxes share."""
    width = min(one[2], two[2]) - max(one[0], two[0])
    height = min(one[3], two[3]) - max(one[1], two[1])
    return max(width, 0.0) * max(height, 0.0)


@dataclass(frozen=True)
class _Layout:
    """One way to set a name round the middle of the piece's place, which is at 0, 0."""

    number: str
    lines: tuple[str, ...]
    size: float
    room: float
    side: str

    @property
    def boxes(self) -> tuple[_Box, ...]:
        """The boxes of the lines: left, top, right, bottom."""
        high, gap = self.size * _LEADING, 1.0
        widths = [self._width(number) for number in range(len(self.lines))]
        if self.side == "below":
            middle, top = 0.0, _PIECE[1] / 2 + gap
        elif self.side == "above":
            middle, top = 0.0, -_PIECE[1] / 2 - gap - high * len(widths)
        else:
            way = 1 if self.side == "right" else -1
            middle, top = way * (self.room + max(widths) + 2 * gap) / 2, -high * len(widths) / 2
        return tuple(
            (middle - width / 2, top + number * high, middle + width / 2, top + (number + 1) * high)
            for number, width in enumerate(widths)
        )

    def at(self, spot: Point) -> Lettering:
        """The layout set down on the map."""
        x, y = spot
        boxes = tuple((x + left, y + top, x + right, y + low) for left, top, right, low in self.boxes)
        marked = self.room > _PIECE[0]
        return Lettering(
            number=self.number,
            lines=self.lines,
            size=self.size,
            at=tuple((round((box[0] + box[2]) / 2, 1), round(box[3] - 0.2 * self.size, 1)) for box in boxes),
            piece=(round(x + (_CENTRE / 2 if marked else 0), 1), round(y, 1)),
            centre=(round(x - _PIECE[0] / 2 - 1, 1), round(y + 1, 1)),
            boxes=boxes,
        )

    def _width(self, number: int) -> float:
        digits = text_width(f"{self.number} ", self.size * NUMBER) if self.number and number == 0 else 0
        return text_width(self.lines[number], self.size) + digits


def _layouts(place: Place, room: float) -> Iterator[_Layout]:
    """The ways to letter a province, the most welcome first."""
    number = _number(place)
    names: list[tuple[str, ...]] = [(place.name,), *_broken(place.name)]
    sizes: tuple[tuple[list[tuple[str, ...]], tuple[float, ...]], ...] = (
        (names, (21.0, 19.0, 17.0, 15.5, 14.0, 13.0, _LEAST)),
        ([(place.abbr,)], (15.0, 14.0, 13.0, _LEAST)),
    )
    for several, steps in sizes:
        for size in steps:
            for lines in several:
                for side in ("below", "above", "right", "left"):
                    yield _Layout(number, lines, size, room, side)


def _number(place: Place) -> str:
    return place.id if place.id.isdigit() or len(place.id) == 1 else ""


def _broken(name: str) -> Iterator[tuple[str, ...]]:
    """The name in two lines, broken where the longer one is shortest, and in a line for each word."""
    words = name.replace("-", "- ").split()
    if len(words) > 1:
        halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
        yield min(halves, key=lambda pair: max(map(len, pair)))
    if len(words) > 2:
        yield tuple(words)


def _spots(wish: Point, spans: _Spans) -> list[Point]:
    """Points inside the province, the nearest to the wish first."""
    inside = [
        (left + _STEP * number, row * _ROW)
        for row, several in spans.items()
        for left, right in several
        for number in range(int((right - left) / _STEP))
    ]
    return sorted(inside, key=lambda spot: hypot(spot[0] - wish[0], 1.3 * (spot[1] - wish[1])))


def _fits(box: _Box, spot: Point, spans: _Spans) -> bool:
    left, right = spot[0] + box[0] - _MARGIN, spot[0] + box[2] + _MARGIN
    for row in range(floor((spot[1] + box[1]) / _ROW), ceil((spot[1] + box[3]) / _ROW) + 1):
        for low, high in spans.get(row, ()):
            if low <= left and right <= high:
                break
        else:
            return False
    return True


def _spans(rings: Sequence[Sequence[Point]]) -> _Spans:
    """For each row of the map the stretches inside the rings, from left to right."""
    crossings: dict[int, list[float]] = {}
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if ay != by:
                for row in range(ceil(min(ay, by) / _ROW), ceil(max(ay, by) / _ROW)):
                    crossings.setdefault(row, []).append(ax + (row * _ROW - ay) * (bx - ax) / (by - ay))
    return {
        row: tuple(zip(sorted(xs)[::2], sorted(xs)[1::2], strict=True))
        for row, xs in sorted(crossings.items())
    }
