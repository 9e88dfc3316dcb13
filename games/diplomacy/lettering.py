"""Where names and pieces stand on a map: inside their province, as large as there is room for.

Every province is looked at in rows. A box fits where each row that it crosses has one span that holds it. A
name without such a place may lie across a border, where it covers nothing of a neighbour's; where there is
none for it either, its abbreviation stands for it, and where that would hide something, nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice

from games.diplomacy.atlas import Point, atlas
from games.diplomacy.board import Board, Chart, Place, compile_board
from games.diplomacy.model import Province
from games.diplomacy.rows import MARGIN, Box, Spans, are_apart, covered, fitting, spans_of, spots_in
from games.diplomacy.sizes import Sizes, sizes
from games.record import canonical, changed, load, plain

_PIECE = 23.0
"""Width and height of the place that is kept for a unit of the usual size, in board units."""
_LEADING = 1.02
_NAMES = (1.15, 1.08, 1.0)
"""The type of names written out, beside the smallest that can be read."""
_SHORT = (1.0,)
"""The type of abbreviations."""
_STRAY = 0.22
"""So much of its width a name may lie beyond the borders of its province on either side."""
_LEAN = 0.4
"""So much of its width an abbreviation may, where nothing else is left."""
_HIDES = 0.12
"""So much of it may at most lie on something else."""
_LOOKED = 1500
"""So many points of a province are looked at, the nearest first."""
_TRIED = 150
"""How many free places for the piece are looked at, the nearest to the middle of the province first."""

_WIDE, _SLIM = frozenset("mwMW"), frozenset("ijltfrI.'-, ")


@dataclass(frozen=True)
class Lettering:
    """How a province is lettered, in board units.

    number: printed before the first line, or "", and its size; lines: the name, its abbreviation where there
    is no room for it, or none; size: of the type; at: the middle of each line's baseline; piece, centre: of a
    unit's place and of a supply centre's mark the middle; boxes: of the lines (left, top, right, bottom).
    """

    number: str
    number_size: float
    lines: tuple[str, ...]
    size: float
    at: tuple[Point, ...]
    piece: Point
    centre: Point
    boxes: tuple[Box, ...]


def lettering(board: Board) -> Mapping[Province, Lettering]:
    """The lettering of each province of a board."""
    return _lettering(board.key)


def text_width(text: str, size: float) -> float:
    """About how wide a text is in the condensed faces of the maps, rather more than less."""
    return size * _thousandths(text) / 1000


@cache
def _thousandths(text: str) -> int:
    """How wide a text is, in thousandths of the size of its type."""
    thousandths = 0
    for letter in text:
        if letter in _WIDE:
            thousandths += 880
        elif letter in _SLIM:
            thousandths += 370
        else:
            thousandths += 680 if letter.isupper() else 600
    return thousandths


@cache
def _lettering(chart: bytes) -> Mapping[Province, Lettering]:
    board = compile_board(plain(load(Chart, chart)))
    desk = _Desk.for_(board)
    found: dict[Province, Lettering] = {}
    # Those with room to themselves come first; the others are fitted in between.
    for way in (desk.inside, desk.straying, desk.shortened, desk.leaning, desk.squeezed):
        for place in board.places.values():
            if place.id not in found and (letters := way(place, found)) is not None:
                found[place.id] = letters
    return {place: found[place] for place in board.places}


_Found = Mapping[Province, Lettering]


@dataclass(frozen=True)
class _Ground:
    """A province in rows, and the points in it, the nearest to where its name is wished first."""

    spans: Spans
    spots: tuple[Point, ...]


@cache
def _grounds(chart: bytes) -> Mapping[Province, _Ground]:
    """The provinces of a board, however much of it is drawn how large."""
    board = compile_board(plain(load(Chart, chart)))
    found = {}
    for place, rings in atlas(board).rings.items():
        spans = spans_of(rings)
        found[place] = _Ground(spans, tuple(spots_in(board.places[place].label, spans)[:_LOOKED]))
    return found


@dataclass(frozen=True)
class _Desk:
    """Letters a board, province by province.

    sizes: of what is drawn; spans: of each province; free: where its piece has room, the nearest to the
    middle first; nooks: where it stands where there is none; tight: the boxes of those pieces, which
    stand out of their province.
    """

    sizes: Sizes
    spans: Mapping[Province, Spans]
    free: Mapping[Province, Sequence[Point]]
    nooks: Mapping[Province, Point]
    tight: Sequence[Box]

    @staticmethod
    def for_(board: Board) -> "_Desk":
        of_board, grounds = sizes(board), _grounds(canonical(changed(board.chart, zoom=1.0)))
        k = of_board.unit
        spans = {place: ground.spans for place, ground in grounds.items()}
        free = {}
        for place in board.places.values():
            room, high = _room(place, of_board), _PIECE * k
            box = (-room / 2, -high / 2, room / 2, high / 2)
            own = grounds[place.id]
            free[place.id] = tuple(islice(fitting((box,), own.spots, own.spans), _TRIED))
        nooks = {
            place: _nook(board.places[place], spans[place], of_board)
            for place, spots in free.items()
            if not spots
        }
        tight = [_around(nook, k) for nook in nooks.values()]
        return _Desk(of_board, spans, free, nooks, tight)

    def inside(self, place: Place, found: _Found) -> Lettering | None:
        """The name written out within the borders."""
        return self._first(place, _named(place, self.sizes), 0.0, self._clear_of(self.tight))

    def straying(self, place: Place, found: _Found) -> Lettering | None:
        """The name written out across a border, where nothing else stands."""
        layouts = _named(place, self.sizes)
        return self._first(place, layouts, _STRAY, self._clear_of(self._taken(found)))

    def shortened(self, place: Place, found: _Found) -> Lettering | None:
        """The abbreviation within the borders."""
        layouts = _shortened(place, self.sizes)
        return self._first(place, layouts, 0.0, self._clear_of(self._taken(found)))

    def leaning(self, place: Place, found: _Found) -> Lettering | None:
        """The abbreviation across a border, where nothing else stands or is to stand."""
        taken = [*self._taken(found), *self._reserved(place, found)]
        return self._first(place, _shortened(place, self.sizes), _LEAN, self._clear_of(taken))

    def squeezed(self, place: Place, found: _Found) -> Lettering:
        """The abbreviation beside the piece, where it covers least; nothing if that is too much."""
        spots = (self.free[place.id] or (self.nooks[place.id],))[:20]
        unit = self.sizes.unit
        own = _around(spots[0], unit)
        taken = [box for box in (*self._taken(found), *self._reserved(place, found)) if box != own]
        ways = [
            _Layout("", (place.abbr,), _SHORT[-1] * self.sizes.type, bool(place.centre), side, self.sizes).at(
                spot
            )
            for spot in spots
            for side in _SIDES
        ]

        def hidden(way: Lettering, *, name: bool = True) -> float:
            boxes = (*(way.boxes if name else ()), _around(way.piece, unit))
            return covered(boxes, taken)

        best = min(ways, key=hidden)
        (box,) = best.boxes
        if hidden(best) <= _HIDES * (box[2] - box[0]) * (box[3] - box[1]):
            return best
        return replace(min(ways, key=partial(hidden, name=False)), lines=(), at=(), boxes=())

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
            for spot in fitting(boxes, free, spans):
                if suits(letters := layout.at(spot)):
                    return letters
        return None

    def _reserved(self, place: Place, found: _Found) -> list[Box]:
        """Where the pieces of others will stand whose names have no place yet."""
        others = [
            spots[0] for one, spots in self.free.items() if spots and one not in found and one != place.id
        ]
        return [_around(spot, self.sizes.unit) for spot in others]

    def _taken(self, found: _Found) -> list[Box]:
        placed = [box for one in found.values() for box in (*one.boxes, _around(one.piece, self.sizes.unit))]
        return [*placed, *self.tight]

    def _clear_of(self, taken: Sequence[Box]) -> Callable[[Lettering], bool]:
        def is_clear(letters: Lettering) -> bool:
            return are_apart((*letters.boxes, _around(letters.piece, self.sizes.unit)), taken)

        return is_clear


_SIDES = ("below", "above", "right", "left")


def _room(place: Place, sizes: Sizes) -> float:
    """How wide the place for a unit is, with the mark of a supply centre beside it."""
    return _PIECE * sizes.unit + (sizes.beside if place.centre else 0)


def _nook(place: Place, spans: Spans, sizes: Sizes) -> Point:
    """Where the piece stands in a province without room for it: its middle at least is inside."""
    off, core = (sizes.beside / 2 if place.centre else 0), 4.0
    box = (off - core, -core, off + core, core)
    return next(fitting((box,), (place.label, *spots_in(place.label, spans)), spans), place.label)


def _narrowed(box: Box, share: float) -> Box:
    """A box without a share of its width on either side."""
    width = (box[2] - box[0]) * share
    return box[0] + width, box[1], box[2] - width, box[3]


def _around(spot: Point, k: float) -> Box:
    return spot[0] - 10 * k, spot[1] - 11 * k, spot[0] + 10 * k, spot[1] + 11 * k


@dataclass(frozen=True)
class _Layout:
    """One way to set a name round the middle of the piece's place, which is at 0, 0.

    marked: whether a centre's mark stands there as well.
    """

    number: str
    lines: tuple[str, ...]
    size: float
    marked: bool
    side: str
    sizes: Sizes

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes of the lines: left, top, right, bottom."""
        high, gap = self.size * _LEADING, 1.0
        widths = [self._width(number) for number in range(len(self.lines))]
        if self.side == "below":
            middle, top = 0.0, _PIECE * self.sizes.unit / 2 + gap
        elif self.side == "above":
            middle, top = 0.0, -_PIECE * self.sizes.unit / 2 - gap - high * len(widths)
        else:
            way = 1 if self.side == "right" else -1
            room = _PIECE * self.sizes.unit + (self.sizes.beside if self.marked else 0)
            middle, top = way * (room + max(widths) + 2 * gap) / 2, -high * len(widths) / 2
        return tuple(
            (middle - width / 2, top + number * high, middle + width / 2, top + (number + 1) * high)
            for number, width in enumerate(widths)
        )

    def at(self, spot: Point) -> Lettering:
        """The layout set down on the map."""
        x, y = spot
        boxes = tuple((x + left, y + top, x + right, y + low) for left, top, right, low in self.boxes)
        drawn = self.sizes
        unit = x + (drawn.beside / 2 if self.marked else 0)
        return Lettering(
            number=self.number,
            number_size=drawn.number(self.size),
            lines=self.lines,
            size=self.size,
            at=tuple((round((box[0] + box[2]) / 2, 1), round(box[3] - 0.2 * self.size, 1)) for box in boxes),
            piece=(round(unit, 1), round(y, 1)),
            centre=(round(x + drawn.beside / 2 - drawn.apart, 1), round(y + drawn.unit, 1)),
            boxes=boxes,
        )

    def _width(self, number: int) -> float:
        width = text_width(self.lines[number], self.size)
        if self.number and number == 0:
            width += text_width(f"{self.number} ", self.sizes.number(self.size))
        return width


def _named(place: Place, sizes: Sizes) -> Iterator[_Layout]:
    """The ways to write a name out, the most welcome first."""
    names: list[tuple[str, ...]] = [(place.name,), *_broken(place.name)]
    return _layouts(place, names, _NAMES, sizes)


def _shortened(place: Place, sizes: Sizes) -> Iterator[_Layout]:
    return _layouts(place, [(place.abbr,)], _SHORT, sizes)


def _layouts(
    place: Place, names: Sequence[tuple[str, ...]], types: Sequence[float], sizes: Sizes
) -> Iterator[_Layout]:
    for size in types:
        for lines in names:
            for side in _SIDES:
                # On the whole board a number would take the room that a neighbour's abbreviation needs.
                number = _number(place) if sizes.close or lines != (place.abbr,) else ""
                yield _Layout(number, lines, round(size * sizes.type, 1), bool(place.centre), side, sizes)


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
