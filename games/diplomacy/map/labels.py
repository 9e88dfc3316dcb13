"""Where names and pieces stand on a map: inside their province, as large as there is room for.

Every province is looked at in rows. A box fits where each row that it crosses has one span that holds it. A
name without such a place may lie across a border, where it covers nothing of a neighbour's; where there is
none for it either, its abbreviation stands for it, and where that would hide something, nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice

from games.diplomacy.boards.board import Board, Chart, ProvinceEntry, compile_board
from games.diplomacy.map.outlines import Point, atlas
from games.diplomacy.map.rows import (
    BOX_MARGIN,
    Box,
    Spans,
    are_apart,
    covered_area,
    points_with_room,
    spans_of,
    spots_in,
)
from games.diplomacy.map.sizes import MapSizes, sizes
from games.diplomacy.model import Province
from games.record import canonical, load, plain, replace_fields

_UNIT_SIZE = 23.0
"""Width and height of the place that is kept for a unit of the usual size, in board units."""
_LABEL_LINE_SPACING = 1.02
_NAME_TYPE_SIZES = (1.15, 1.08, 1.0)
"""The type of names written out, beside the smallest that can be read."""
_ABBREVIATION_TYPE_SIZES = (1.0,)
"""The type of abbreviations."""
_STRAY_SHARE = 0.22
"""So much of its width a name may lie beyond the borders of its province on either side."""
_LEAN = 0.4
"""So much of its width an abbreviation may, where nothing else is left."""
_HIDES = 0.12
"""So much of it may at most lie on something else."""
_MAX_SPOTS_LOOKED_AT = 1500
"""So many points of a province are looked at, the nearest first."""
_MAX_LABEL_PLACES_TRIED = 150
"""How many free places for the piece are looked at, the nearest to the middle of the province first."""

_WIDE_GLYPHS, _SLIM_GLYPHS = frozenset("mwMW"), frozenset("ijltfrI.'-, ")


@dataclass(frozen=True)
class ProvinceLabel:
    """The label of a province, in board units.

    number: printed before the first line, or "", and its size; lines: the name, its abbreviation where
    there is no room for it, or none; size: of the type; at: the middle of each line's baseline; piece,
    centre: of a unit's place and of a supply centre's mark the middle; boxes: of the lines (left, top,
    right, bottom).
    """

    number: str
    number_size: float
    lines: tuple[str, ...]
    size: float
    at: tuple[Point, ...]
    piece: Point
    centre: Point
    boxes: tuple[Box, ...]


def province_labels(board: Board) -> Mapping[Province, ProvinceLabel]:
    """The lettering of each province of a board."""
    return _place_labels(board.key)


def text_width(text: str, size: float) -> float:
    """About how wide a text is in the condensed faces of the maps, rather more than less."""
    return size * _thousandths(text) / 1000


@cache
def _thousandths(text: str) -> int:
    """Return the width of a text, in thousandths of the size of its type."""
    thousandths = 0
    for letter in text:
        if letter in _WIDE_GLYPHS:
            thousandths += 880
        elif letter in _SLIM_GLYPHS:
            thousandths += 370
        else:
            thousandths += 680 if letter.isupper() else 600
    return thousandths


@cache
def _place_labels(chart: bytes) -> Mapping[Province, ProvinceLabel]:
    board = compile_board(plain(load(Chart, chart)))
    desk = _LabelPlacer.for_(board)
    labels: dict[Province, ProvinceLabel] = {}
    # Those with room to themselves come first; the others are fitted in between.
    for way in (
        desk.place_inside,
        desk.place_straying,
        desk.place_abbreviation,
        desk.place_leaning,
        desk.squeeze,
    ):
        for place in board.places.values():
            if place.id not in labels and (letters := way(place, labels)) is not None:
                labels[place.id] = letters
    return {place: labels[place] for place in board.places}


_PlacedLabels = Mapping[Province, ProvinceLabel]


@dataclass(frozen=True)
class _ProvinceRows:
    """A province in rows, and the points in it, the nearest to where its name is wished first."""

    spans: Spans
    spots: tuple[Point, ...]


@cache
def _rows_by_province(chart: bytes) -> Mapping[Province, _ProvinceRows]:
    """Return the provinces of a board, at whatever scale the board is drawn."""
    board = compile_board(plain(load(Chart, chart)))
    rows = {}
    for place, rings in atlas(board).rings.items():
        spans = spans_of(rings)
        rows[place] = _ProvinceRows(
            spans, tuple(spots_in(board.places[place].label, spans)[:_MAX_SPOTS_LOOKED_AT])
        )
    return rows


@dataclass(frozen=True)
class _LabelPlacer:
    """Letters a board, province by province.

    sizes: of what is drawn; spans: of each province; free: where its piece has room, the nearest to the
    middle first; nooks: where it stands where there is none; tight: the boxes of those pieces, which
    stand out of their province.
    """

    sizes: MapSizes
    spans: Mapping[Province, Spans]
    free: Mapping[Province, Sequence[Point]]
    nooks: Mapping[Province, Point]
    tight: Sequence[Box]

    @staticmethod
    def for_(board: Board) -> "_LabelPlacer":
        of_board, grounds = sizes(board), _rows_by_province(canonical(replace_fields(board.chart, zoom=1.0)))
        k = of_board.unit
        spans = {place: ground.spans for place, ground in grounds.items()}
        free = {}
        for place in board.places.values():
            room, high = _room_width(place, of_board), _UNIT_SIZE * k
            box = (-room / 2, -high / 2, room / 2, high / 2)
            own = grounds[place.id]
            free[place.id] = tuple(
                islice(points_with_room((box,), own.spots, own.spans), _MAX_LABEL_PLACES_TRIED)
            )
        nooks = {
            place: _nook(board.places[place], spans[place], of_board)
            for place, spots in free.items()
            if not spots
        }
        tight = [_around(nook, k) for nook in nooks.values()]
        return _LabelPlacer(of_board, spans, free, nooks, tight)

    def place_inside(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the name written out within the borders, or None."""
        return self._first_layout(place, _name_layouts(place, self.sizes), 0.0, self._clear_of(self.tight))

    def place_straying(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the name written out across a border, where nothing else stands, or None."""
        layouts = _name_layouts(place, self.sizes)
        return self._first_layout(place, layouts, _STRAY_SHARE, self._clear_of(self._taken_boxes(labels)))

    def place_abbreviation(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the abbreviation within the borders, or None."""
        layouts = _abbreviation_layouts(place, self.sizes)
        return self._first_layout(place, layouts, 0.0, self._clear_of(self._taken_boxes(labels)))

    def place_leaning(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the abbreviation across a border, where nothing else stands or is to stand, or None."""
        taken = [*self._taken_boxes(labels), *self._reserved_boxes(place, labels)]
        return self._first_layout(
            place, _abbreviation_layouts(place, self.sizes), _LEAN, self._clear_of(taken)
        )

    def squeeze(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel:
        """Return the abbreviation beside the piece, where it covers least; no text if that is too much."""
        spots = (self.free[place.id] or (self.nooks[place.id],))[:20]
        unit = self.sizes.unit
        own = _around(spots[0], unit)
        taken = [
            box for box in (*self._taken_boxes(labels), *self._reserved_boxes(place, labels)) if box != own
        ]
        ways = [
            _Layout(
                "",
                (place.abbr,),
                _ABBREVIATION_TYPE_SIZES[-1] * self.sizes.type,
                bool(place.centre),
                side,
                self.sizes,
            ).set_down(spot)
            for spot in spots
            for side in _NUMBER_SIDES
        ]

        def hidden_area(way: ProvinceLabel, *, name: bool = True) -> float:
            boxes = (*(way.boxes if name else ()), _around(way.piece, unit))
            return covered_area(boxes, taken)

        best = min(ways, key=hidden_area)
        (box,) = best.boxes
        if hidden_area(best) <= _HIDES * (box[2] - box[0]) * (box[3] - box[1]):
            return best
        return replace(min(ways, key=partial(hidden_area, name=False)), lines=(), at=(), boxes=())

    def _first_layout(
        self,
        place: ProvinceEntry,
        layouts: Iterator["_Layout"],
        stray: float,
        suits: Callable[[ProvinceLabel], bool],
    ) -> ProvinceLabel | None:
        """Return the first layout with room round a free place for the piece, nearest the middle first."""
        free, spans = self.free[place.id], self.spans[place.id]
        widest = max(right - left_edge for row in spans.values() for left_edge, right in row)
        for layout in layouts:
            boxes = [_narrow_box(box, stray) for box in layout.boxes]
            if any(right - left_edge + 2 * BOX_MARGIN > widest for left_edge, _, right, _ in boxes):
                continue
            for spot in points_with_room(boxes, free, spans):
                if suits(letters := layout.set_down(spot)):
                    return letters
        return None

    def _reserved_boxes(self, place: ProvinceEntry, labels: _PlacedLabels) -> list[Box]:
        """Return the boxes of the pieces of provinces whose names have no place yet."""
        others = [
            spots[0]
            for province, spots in self.free.items()
            if spots and province not in labels and province != place.id
        ]
        return [_around(spot, self.sizes.unit) for spot in others]

    def _taken_boxes(self, labels: _PlacedLabels) -> list[Box]:
        placed = [
            box for label in labels.values() for box in (*label.boxes, _around(label.piece, self.sizes.unit))
        ]
        return [*placed, *self.tight]

    def _clear_of(self, taken: Sequence[Box]) -> Callable[[ProvinceLabel], bool]:
        def is_clear(letters: ProvinceLabel) -> bool:
            return are_apart((*letters.boxes, _around(letters.piece, self.sizes.unit)), taken)

        return is_clear


_NUMBER_SIDES = ("below", "above", "right", "left")


def _room_width(place: ProvinceEntry, sizes: MapSizes) -> float:
    """Return the width of the place for a unit, with the mark of a supply centre beside it."""
    return _UNIT_SIZE * sizes.unit + (sizes.mark_width if place.centre else 0)


def _nook(place: ProvinceEntry, spans: Spans, sizes: MapSizes) -> Point:
    """Where the piece stands in a province without room for it: its middle at least is inside."""
    off, core = (sizes.mark_width / 2 if place.centre else 0), 4.0
    box = (off - core, -core, off + core, core)
    return next(points_with_room((box,), (place.label, *spots_in(place.label, spans)), spans), place.label)


def _narrow_box(box: Box, share: float) -> Box:
    """Return a box without a share of its width on either side."""
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
    sizes: MapSizes

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes of the lines: left, top, right, bottom."""
        high, gap = self.size * _LABEL_LINE_SPACING, 1.0
        widths = [self._width(number) for number in range(len(self.lines))]
        if self.side == "below":
            middle, top = 0.0, _UNIT_SIZE * self.sizes.unit / 2 + gap
        elif self.side == "above":
            middle, top = 0.0, -_UNIT_SIZE * self.sizes.unit / 2 - gap - high * len(widths)
        else:
            way = 1 if self.side == "right" else -1
            room = _UNIT_SIZE * self.sizes.unit + (self.sizes.mark_width if self.marked else 0)
            middle, top = way * (room + max(widths) + 2 * gap) / 2, -high * len(widths) / 2
        return tuple(
            (middle - width / 2, top + number * high, middle + width / 2, top + (number + 1) * high)
            for number, width in enumerate(widths)
        )

    def set_down(self, spot: Point) -> ProvinceLabel:
        """Return the label with this layout at a point of the map."""
        x, y = spot
        boxes = tuple(
            (x + left_edge, y + top, x + right, y + low) for left_edge, top, right, low in self.boxes
        )
        drawn = self.sizes
        unit = x + (drawn.mark_width / 2 if self.marked else 0)
        return ProvinceLabel(
            number=self.number,
            number_size=drawn.number(self.size),
            lines=self.lines,
            size=self.size,
            at=tuple((round((box[0] + box[2]) / 2, 1), round(box[3] - 0.2 * self.size, 1)) for box in boxes),
            piece=(round(unit, 1), round(y, 1)),
            centre=(round(x + drawn.mark_width / 2 - drawn.mark_distance, 1), round(y + drawn.unit, 1)),
            boxes=boxes,
        )

    def _width(self, number: int) -> float:
        width = text_width(self.lines[number], self.size)
        if self.number and number == 0:
            width += text_width(f"{self.number} ", self.sizes.number(self.size))
        return width


def _name_layouts(place: ProvinceEntry, sizes: MapSizes) -> Iterator[_Layout]:
    """Return the ways to write a name out, the most welcome first."""
    names: list[tuple[str, ...]] = [(place.name,), *_break_name(place.name)]
    return _layouts(place, names, _NAME_TYPE_SIZES, sizes)


def _abbreviation_layouts(place: ProvinceEntry, sizes: MapSizes) -> Iterator[_Layout]:
    return _layouts(place, [(place.abbr,)], _ABBREVIATION_TYPE_SIZES, sizes)


def _layouts(
    place: ProvinceEntry, names: Sequence[tuple[str, ...]], types: Sequence[float], sizes: MapSizes
) -> Iterator[_Layout]:
    for size in types:
        for lines in names:
            for side in _NUMBER_SIDES:
                # On the whole board a number would take the room that a neighbour's abbreviation needs.
                number = _number(place) if sizes.close or lines != (place.abbr,) else ""
                yield _Layout(number, lines, round(size * sizes.type, 1), bool(place.centre), side, sizes)


def _number(place: ProvinceEntry) -> str:
    return place.id if place.id.isdigit() or len(place.id) == 1 else ""


def _break_name(name: str) -> Iterator[tuple[str, ...]]:
    """Yield the name in two lines, broken where the longer one is shortest, and in a line for each word."""
    words = name.replace("-", "- ").split()
    if len(words) > 1:
        halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
        yield min(halves, key=lambda pair: max(map(len, pair)))
    if len(words) > 2:
        yield tuple(words)
