"""Where names and pieces stand on a map: inside their province, as large as there is room for.

Every province is looked at in rows. A box fits where each row that it crosses has one span that holds it. A
name without such a place may lie across a border, where it covers nothing of a neighbour's; where there is
none for it either, its abbreviation stands for it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from games.diplomacy.atlas import Point, atlas
from games.diplomacy.board import Board, Chart, Place, compile_board
from games.diplomacy.model import Province
from games.diplomacy.rows import MARGIN, Box, Spans, fits, shared, spans_of, spots_in
from games.record import load, plain

_PIECE = 23.0
"""Width and height of the place that is kept for a unit of the usual size, in board units."""
_CENTRE = 18.0
"""How much wider that is where a supply centre is marked to the left of the unit."""
_USUAL = 118.0
"""Where a province has on the average the area of a square of that side, pieces are of the usual size."""
_SMALLEST, _LARGEST = 1.0, 1.5
NUMBER = 0.66
"""The size of a province's number, beside that of its name."""
_LEADING = 1.02
_NAMES = (24.0, 22.0, 20.0, 18.5, 17.0)
"""The type of names written out, in board units: where the map is 600 pixels wide, 17 are more than 6."""
_SHORT = (20.0, 18.5, 17.0, 15.5)
"""The type of abbreviations."""
_STRAY = 0.22
"""So much of its width a name may lie beyond the borders of its province on either side."""
_TRIED = 150
"""How many free places for the piece are looked at, the nearest to the middle of the province first."""

_WIDE, _SLIM = frozenset("mwMW"), frozenset("ijltfrI.'-, ")


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
    boxes: tuple[Box, ...]


def lettering(board: Board) -> Mapping[Province, Lettering]:
    """The lettering of each province of a board."""
    return _lettering(board.key)


def scale(board: Board) -> float:
    """How large pieces and signs are on a board, beside their usual size: the more room, the larger."""
    width, height = board.chart.size
    fair = (width * height / len(board.places)) ** 0.5 / _USUAL
    return round(float(min(max(fair, _SMALLEST), _LARGEST)), 2)


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
    desk = _Desk.for_(board)
    found: dict[Province, Lettering] = {}
    # Those with room to themselves come first; the others are fitted in between.
    for way in (desk.inside, desk.straying, desk.shortened, desk.squeezed):
        for place in board.places.values():
            if place.id not in found and (letters := way(place, found)) is not None:
                found[place.id] = letters
    return {place: found[place] for place in board.places}


_Found = Mapping[Province, Lettering]


@dataclass(frozen=True)
class _Desk:
    """Letters a board, province by province.

    k: the size of its pieces; spans: of each province; free: where its piece has room, the nearest to the
    middle first; nooks: where it stands where there is none; tight: the boxes of those pieces, which
    stand out of their province.
    """

    k: float
    spans: Mapping[Province, Spans]
    free: Mapping[Province, Sequence[Point]]
    nooks: Mapping[Province, Point]
    tight: Sequence[Box]

    @staticmethod
    def for_(board: Board) -> "_Desk":
        k = scale(board)
        spans = {place: spans_of(rings) for place, rings in atlas(board).rings.items()}
        free = {}
        for place in board.places.values():
            room, high = _room(place, k), _PIECE * k
            box = (-room / 2, -high / 2, room / 2, high / 2)
            own = spans[place.id]
            spots = (spot for spot in spots_in(place.label, own) if fits(box, spot, own))
            free[place.id] = tuple(islice(spots, _TRIED))
        nooks = {
            place: _nook(board.places[place], spans[place], k) for place, spots in free.items() if not spots
        }
        tight = [_around(nook, k) for nook in nooks.values()]
        return _Desk(k, spans, free, nooks, tight)

    def inside(self, place: Place, found: _Found) -> Lettering | None:
        """The name written out within the borders."""
        return self._first(
            place, _named(place, _room(place, self.k), self.k), 0.0, self._clear_of(self.tight)
        )

    def straying(self, place: Place, found: _Found) -> Lettering | None:
        """The name written out across a border, where nothing else stands."""
        layouts = _named(place, _room(place, self.k), self.k)
        return self._first(place, layouts, _STRAY, self._clear_of(self._taken(found)))

    def shortened(self, place: Place, found: _Found) -> Lettering | None:
        """The abbreviation within the borders."""
        layouts = _shortened(place, _room(place, self.k), self.k)
        return self._first(place, layouts, 0.0, self._clear_of(self._taken(found)))

    def squeezed(self, place: Place, found: _Found) -> Lettering:
        """The abbreviation beside the piece, where it covers least of the rest."""
        spots = (self.free[place.id] or (self.nooks[place.id],))[:20]
        others = [spots[0] for one, spots in self.free.items() if spots and one not in found]
        taken = [*self._taken(found), *(_around(spot, self.k) for spot in others)]
        ways = [
            _Layout(_number(place), (place.abbr,), _SHORT[-1], _room(place, self.k), side, self.k).at(spot)
            for spot in spots
            for side in _SIDES
        ]
        return min(ways, key=lambda way: sum(shared(box, other) for box in way.boxes for other in taken))

    def _first(
        self,
        place: Place,
        layouts: Iterator["_Layout"],
        stray: float,
        suits: Callable[[Lettering], bool],
    ) -> Lettering | None:
        """The first layout with room round a free place for the piece, the nearest to the middle first."""
        free, spans = self.free[place.id], self.spans[place.id]
        widest = max(right - left for row in spans.values() for left, right in row)
        for layout in layouts:
            boxes = [_narrowed(box, stray) for box in layout.boxes]
            if any(right - left + 2 * MARGIN > widest for left, _, right, _ in boxes):
                continue
            for spot in free:
                if all(fits(line, spot, spans) for line in boxes) and suits(letters := layout.at(spot)):
                    return letters
        return None

    def _taken(self, found: _Found) -> list[Box]:
        placed = [box for one in found.values() for box in (*one.boxes, _around(one.piece, self.k))]
        return [*placed, *self.tight]

    def _clear_of(self, taken: Sequence[Box]) -> Callable[[Lettering], bool]:
        def is_clear(letters: Lettering) -> bool:
            boxes = (*letters.boxes, _around(letters.piece, self.k))
            return not any(shared(box, other) for box in boxes for other in taken)

        return is_clear


_SIDES = ("below", "above", "right", "left")


def _room(place: Place, k: float) -> float:
    """How wide the place for a unit is, with the mark of a supply centre beside it."""
    return (_PIECE + (_CENTRE if place.centre else 0)) * k


def _nook(place: Place, spans: Spans, k: float) -> Point:
    """Where the piece stands in a province without room for it: its middle at least is inside."""
    off, core = (_CENTRE * k / 2 if place.centre else 0), 4.0
    box = (off - core, -core, off + core, core)
    return next(
        (spot for spot in (place.label, *spots_in(place.label, spans)) if fits(box, spot, spans)), place.label
    )


def _narrowed(box: Box, share: float) -> Box:
    """A box without a share of its width on either side."""
    width = (box[2] - box[0]) * share
    return box[0] + width, box[1], box[2] - width, box[3]


def _around(spot: Point, k: float) -> Box:
    return spot[0] - 10 * k, spot[1] - 11 * k, spot[0] + 10 * k, spot[1] + 11 * k


@dataclass(frozen=True)
class _Layout:
    """One way to set a name round the middle of the piece's place, which is at 0, 0. k: the piece's size."""

    number: str
    lines: tuple[str, ...]
    size: float
    room: float
    side: str
    k: float

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes of the lines: left, top, right, bottom."""
        high, gap = self.size * _LEADING, 1.0
        widths = [self._width(number) for number in range(len(self.lines))]
        if self.side == "below":
            middle, top = 0.0, _PIECE * self.k / 2 + gap
        elif self.side == "above":
            middle, top = 0.0, -_PIECE * self.k / 2 - gap - high * len(widths)
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
        marked = self.room > _PIECE * self.k
        return Lettering(
            number=self.number,
            lines=self.lines,
            size=self.size,
            at=tuple((round((box[0] + box[2]) / 2, 1), round(box[3] - 0.2 * self.size, 1)) for box in boxes),
            piece=(round(x + (_CENTRE * self.k / 2 if marked else 0), 1), round(y, 1)),
            centre=(round(x - (_PIECE / 2 + 1) * self.k, 1), round(y + self.k, 1)),
            boxes=boxes,
        )

    def _width(self, number: int) -> float:
        digits = text_width(f"{self.number} ", self.size * NUMBER) if self.number and number == 0 else 0
        return text_width(self.lines[number], self.size) + digits


def _named(place: Place, room: float, k: float) -> Iterator[_Layout]:
    """The ways to write a name out, the most welcome first."""
    names: list[tuple[str, ...]] = [(place.name,), *_broken(place.name)]
    return _layouts(place, names, _NAMES, room, k)


def _shortened(place: Place, room: float, k: float) -> Iterator[_Layout]:
    return _layouts(place, [(place.abbr,)], _SHORT, room, k)


def _layouts(
    place: Place, names: Sequence[tuple[str, ...]], sizes: Sequence[float], room: float, k: float
) -> Iterator[_Layout]:
    number = _number(place)
    for size in sizes:
        for lines in names:
            for side in _SIDES:
                yield _Layout(number, lines, size, room, side, k)


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
