"""The places of names and pieces on a map: inside their province, as large as possible.

A province is divided into rows. A box fits if in each row that it crosses one span holds it. A name that
doesn't fit may cross a border if it covers nothing there. Otherwise the abbreviation is printed, and if that
would hide something, no text.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from math import ceil, floor, hypot

from games.diplomacy.boards.board import Board, Chart, ProvinceEntry, compile_board
from games.diplomacy.map.outlines import Point, atlas
from games.diplomacy.model import Province
from games.record import canonical, load, plain, replace_fields

# Provinces in rows.


ROW_HEIGHT = 2.5
"""The distance between rows, in board units."""
POINT_SPACING = 3.0
"""The distance between the points of a row that are tried."""
BOX_MARGIN = 1.0
"""The distance from a box to the border on either side."""

Stretch = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Spans(dict[int, Sequence[Stretch]]):
    """The stretches inside a shape for each row, by its number."""

    def __init__(self, rows: Mapping[int, Sequence[Stretch]]) -> None:
        super().__init__(rows)
        self._common: dict[tuple[int, int], Sequence[Stretch]] = {}

    def common(self, first: int, last: int) -> Sequence[Stretch]:
        """Return the stretches that are inside in all rows from the first to the last."""
        stretches = self._common.get((first, last))
        if stretches is None:
            stretches = self.get(last, ())
            if first < last and stretches:
                stretches = _intersect(self.common(first, last - 1), stretches)
            self._common[first, last] = stretches
        return stretches


def _intersect(some: Sequence[Stretch], others: Sequence[Stretch]) -> Sequence[Stretch]:
    pairs = [(max(first[0], second[0]), min(first[1], second[1])) for first in some for second in others]
    return tuple([(low, high) for low, high in pairs if low <= high])


def shared_area(first: Box, second: Box) -> float:
    """Return the area that two boxes share."""
    if first[2] <= second[0] or second[2] <= first[0] or first[3] <= second[1] or second[3] <= first[1]:
        return 0.0
    return (min(first[2], second[2]) - max(first[0], second[0])) * (
        min(first[3], second[3]) - max(first[1], second[1])
    )


def covered_area(some: Iterable[Box], others: Sequence[Box]) -> float:
    """Return the sum of the areas that each of some boxes shares with each of the others."""
    area = 0.0
    for box in some:
        left_edge, top, right, low = box
        for other in others:
            if left_edge < other[2] and other[0] < right and top < other[3] and other[1] < low:
                area += shared_area(box, other)
    return area


def are_apart(some: Iterable[Box], others: Sequence[Box]) -> bool:
    """Return whether none of some boxes overlaps one of the others."""
    for left_edge, top, right, low in some:
        for other in others:
            if left_edge < other[2] and other[0] < right and top < other[3] and other[1] < low:
                return False
    return True


def spots_in(wish: Point, spans: Spans) -> list[Point]:
    """Return points inside the province, the nearest to the wish first."""
    inside = [
        (left_edge + POINT_SPACING * number, row * ROW_HEIGHT)
        for row, several in spans.items()
        for left_edge, right in several
        for number in range(int((right - left_edge) / POINT_SPACING))
    ]
    x, y = wish
    far = [hypot(spot[0] - x, 1.3 * (spot[1] - y)) for spot in inside]
    return [inside[number] for number in sorted(range(len(inside)), key=far.__getitem__)]


def fits(box: Box, spot: Point, spans: Spans) -> bool:
    """Return whether a box around a point is inside the rows, with a margin at its sides."""
    return any(points_with_room((box,), (spot,), spans))


def points_with_room(boxes: Sequence[Box], spots: Iterable[Point], spans: Spans) -> Iterator[Point]:
    """Yield the points around which each of the boxes is inside the rows, with a margin at its sides."""
    # Points of one row need the same rows.
    known: dict[float, Sequence[tuple[float, float, Sequence[Stretch]]]] = {}
    for spot in spots:
        x, y = spot
        if (room := known.get(y)) is None:
            common = [
                spans.common(floor((y + box[1]) / ROW_HEIGHT), ceil((y + box[3]) / ROW_HEIGHT))
                for box in boxes
            ]
            room = [(box[0], box[2], some) for box, some in zip(boxes, common, strict=True)]
            known[y] = room = room if all(common) else ()
        for left_edge, right, stretches in room:
            begins, ends = x + left_edge - BOX_MARGIN, x + right + BOX_MARGIN
            for low, high in stretches:
                if low <= begins and ends <= high:
                    break
            else:
                break
        else:
            if room:
                yield spot


def spans_of(rings: Sequence[Sequence[Point]], apart: float = ROW_HEIGHT) -> Spans:
    """Return the stretches inside the rings for each row of the map, from left to right."""
    crossings: dict[int, list[float]] = {}
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if ay != by:
                for row in range(ceil(min(ay, by) / apart), ceil(max(ay, by) / apart)):
                    crossings.setdefault(row, []).append(ax + (row * apart - ay) * (bx - ax) / (by - ay))
    rows = ((row, sorted(xs)) for row, xs in sorted(crossings.items()))
    return Spans({row: tuple(zip(xs[::2], xs[1::2], strict=True)) for row, xs in rows})


# Sizes that can be read in an email, and in close-ups on a phone.


MAIL_PX, PHONE_PX = 600, 347
"""The width of pictures in an email: in a mail program, and on a phone of 375 pixels."""
IN_MAIL_PX, ON_PHONE_PX = 9.0, 11.0
"""The least size of important things there. On a phone it applies to close-ups."""
COUNTER_TYPE, CENTRE_TYPE, CENTRE_DISC_SIZE = 16.2, 12.0, 17.2
"""The type on counters and on marks of centres, and the width of these marks, as in kit.svg."""
_USUAL_PROVINCE_SIDE = 118.0
"""Pieces have the usual size if the average province has the area of a square of this side."""
_SMALLEST, _LARGEST = 1.0, 1.5
_NUMBER_SCALE = 0.66
"""The size of a province's number relative to its name."""


@dataclass(frozen=True)
class MapSizes:
    """Sizes on one board.

    unit, centre: the sizes of units and signs, and of marks of centres, relative to the usual ones; type: the
    smallest type of names, in board units; close: this is for a close-up.
    """

    unit: float
    centre: float
    type: float
    close: bool

    @property
    def mark_distance(self) -> float:
        """Return the distance from the middle of a centre's mark to the middle of the unit beside it."""
        return round(12.9 * self.unit + self.centre * CENTRE_DISC_SIZE / 2, 2)

    @property
    def mark_width(self) -> float:
        """Return the width that a centre's mark adds to a unit's place."""
        return round(0.8 * self.unit + self.centre * CENTRE_DISC_SIZE, 2)

    def number(self, size: float) -> float:
        """Return the size of a province's number before a name of this size."""
        return round(max(_NUMBER_SCALE * size, self.type if self.close else 0.0), 1)


def sizes(board: Board) -> MapSizes:
    """Return the sizes for a board at its `zoom`."""
    (width, height), zoom = board.chart.size, board.chart.zoom
    fair = (width * height / len(board.places)) ** 0.5 / _USUAL_PROVINCE_SIDE
    unit = min(max(fair, _SMALLEST), _LARGEST)
    if zoom == 1.0:
        least = round(IN_MAIL_PX * width / MAIL_PX, 1)
        return MapSizes(round(unit, 2), round(max(unit, least / CENTRE_DISC_SIZE), 2), least, close=False)
    least = round(ON_PHONE_PX * width / zoom / PHONE_PX + 0.05, 1)
    unit = max(unit, least / COUNTER_TYPE + 0.005)
    return MapSizes(round(unit, 2), round(max(unit, least / CENTRE_TYPE + 0.005), 2), least, close=True)


_UNIT_SIZE = 23.0
"""Width and height of the place for a unit of the usual size, in board units."""
_LABEL_LINE_SPACING = 1.02
_NAME_TYPE_SIZES = (1.15, 1.08, 1.0)
"""The sizes of names, relative to the smallest readable type."""
_ABBREVIATION_TYPE_SIZES = (1.0,)
"""The sizes of abbreviations, relative to the smallest readable type."""
_STRAY_SHARE = 0.22
"""The most of its width that a name may cross a border on either side."""
_LEAN = 0.4
"""The most of its width that an abbreviation may cross a border, as a last resort."""
_HIDES = 0.12
"""The most of a label that may cover something else, as a last resort."""
_MAX_SPOTS_LOOKED_AT = 1500
"""The most points of a province that are tried, the nearest first."""
_MAX_LABEL_PLACES_TRIED = 150
"""The most free places for the piece that are tried, the nearest to the middle first."""

_WIDE_GLYPHS, _SLIM_GLYPHS = frozenset("mwMW"), frozenset("ijltfrI.'-, ")


@dataclass(frozen=True)
class ProvinceLabel:
    """The label of a province, in board units.

    number: printed before the first line, or ""; number_size: its size; lines: the name, its abbreviation, or
    no line; size: the size of the type; at: the middle of each line's baseline; piece, centre: the middle of
    a unit and of a supply centre's mark; boxes: the boxes of the lines.
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
    """Return the label of each province of a board."""
    return _place_labels(board.key)


def text_width(text: str, size: float) -> float:
    """Return an upper estimate of a text's width in the condensed fonts of the maps."""
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
    context = _LabelPlacer.for_(board)
    labels: dict[Province, ProvinceLabel] = {}
    # Provinces with enough room come first. The other labels are fitted in between.
    for way in (
        context.place_inside,
        context.place_straying,
        context.place_abbreviation,
        context.place_leaning,
        context.squeeze,
    ):
        for place in board.places.values():
            if place.id not in labels and (letters := way(place, labels)) is not None:
                labels[place.id] = letters
    return {place: labels[place] for place in board.places}


_PlacedLabels = Mapping[Province, ProvinceLabel]


@dataclass(frozen=True)
class _ProvinceRows:
    """A province in rows, and the points in it, the nearest to the wished place of its name first."""

    spans: Spans
    spots: tuple[Point, ...]


@cache
def _rows_by_province(chart: bytes) -> Mapping[Province, _ProvinceRows]:
    """Return the provinces of a board in rows. The scale of the drawing doesn't matter."""
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
    """Places the labels of a board, province by province.

    sizes: the sizes on the board; spans: the rows of each province; free: the places with room for its piece,
    the nearest to the middle first; nooks: the place of the piece in a province without room; tight: the
    boxes of those pieces.
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

    def place_inside(self, place: ProvinceEntry, _labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the whole name inside the borders, or None."""
        return self._first_layout(place, _name_layouts(place, self.sizes), 0.0, self._clear_of(self.tight))

    def place_straying(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the whole name across a border, where it covers nothing else, or None."""
        layouts = _name_layouts(place, self.sizes)
        return self._first_layout(place, layouts, _STRAY_SHARE, self._clear_of(self._taken_boxes(labels)))

    def place_abbreviation(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the abbreviation inside the borders, or None."""
        layouts = _abbreviation_layouts(place, self.sizes)
        return self._first_layout(place, layouts, 0.0, self._clear_of(self._taken_boxes(labels)))

    def place_leaning(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the abbreviation across a border, where it covers nothing now or later, or None."""
        taken = [*self._taken_boxes(labels), *self._reserved_boxes(place, labels)]
        return self._first_layout(
            place, _abbreviation_layouts(place, self.sizes), _LEAN, self._clear_of(taken)
        )

    def squeeze(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel:
        """Return the abbreviation beside the piece, where it covers least, or no text if that is too much."""
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
        """Return the first layout with room around a free place for the piece, nearest the middle first."""
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
        """Return the boxes of the pieces of provinces that have no label yet."""
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
    """Return the place of the piece in a province without room for it. At least its middle is inside."""
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
    """One way to place a name around the middle of the piece's place, which is at 0, 0.

    marked: there's also the mark of a centre.
    """

    number: str
    lines: tuple[str, ...]
    size: float
    marked: bool
    side: str
    sizes: MapSizes

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Return the boxes of the lines: left, top, right, bottom."""
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
    """Return the ways to write a name out, the preferred one first."""
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
                # On the whole board, a neighbour's abbreviation needs the room of a number.
                number = _number(place) if sizes.close or lines != (place.abbr,) else ""
                yield _Layout(number, lines, round(size * sizes.type, 1), bool(place.centre), side, sizes)


def _number(place: ProvinceEntry) -> str:
    return place.id if place.id.isdigit() or len(place.id) == 1 else ""


def _break_name(name: str) -> Iterator[tuple[str, ...]]:
    """Yield the name in two lines of similar length, and with one word in each line."""
    words = name.replace("-", "- ").split()
    if len(words) > 1:
        halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
        yield min(halves, key=lambda pair: max(map(len, pair)))
    if len(words) > 2:
        yield tuple(words)
