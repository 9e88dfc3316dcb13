"""The places of names and pieces on a map: inside their province, as large as possible, and never cut off.

A province is divided into rows. A box fits if in each row that it crosses one span holds it. A name is
printed beside the piece, elsewhere in the province, along the land, or across a border where it covers
nothing. Otherwise the abbreviation is printed, and if that would hide something, no text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import islice
from math import atan2, ceil, cos, degrees, floor, hypot, radians, sin

from games.diplomacy.boards.board import Board, Chart, ProvinceEntry, compile_board
from games.diplomacy.map.layouts import kept_layout
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


def square(middle: Point, half: float) -> Box:
    """Return the square around a point. half: half its width."""
    return middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half


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
    # The stretches of a row in which a point has room.
    known: dict[float, Sequence[Stretch]] = {}
    for spot in spots:
        x, y = spot
        if (room := known.get(y)) is None:
            known[y] = room = _room_in_row(boxes, y, spans)
        for low, high in room:
            if low <= x <= high:
                yield spot
                break


def _room_in_row(boxes: Sequence[Box], y: float, spans: Spans) -> Sequence[Stretch]:
    room: Sequence[Stretch] | None = None
    for left_edge, top, right, low in boxes:
        stretches = spans.common(floor((y + top) / ROW_HEIGHT), ceil((y + low) / ROW_HEIGHT))
        before, behind = BOX_MARGIN - left_edge, right + BOX_MARGIN
        ways = [(start + before, end - behind) for start, end in stretches if end - start >= before + behind]
        room = ways if room is None else _intersect(room, ways)
        if not room:
            break
    return room or ()


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
_SMALLEST, _LARGEST = 1.0, 2.0
"""The limits of the size of units on a sheet of the usual width."""
USUAL_SHEET_WIDTH = 1600
"""On a sheet of this width, lines and blocks have their usual size."""
_NUMBER_SCALE = 0.66
"""The size of a province's number relative to its name."""


@dataclass(frozen=True)
class MapSizes:
    """Sizes on one board.

    unit, centre: the sizes of units and signs, and of marks of centres, relative to the usual ones; type: the
    smallest type of names, in board units; close: this is for a close-up; coded: units bear codes of several
    letters, so that they are wider, and the mark of a centre is a pin at their corner.
    """

    unit: float
    centre: float
    type: float
    close: bool
    coded: bool = False

    @property
    def unit_width(self) -> float:
        """Return the width of the place for a unit."""
        return (_CODED_UNIT_WIDTH if self.coded else _UNIT_SIZE) * self.unit

    def around(self, spot: Point) -> Box:
        """Return the box that a unit covers at a place."""
        across, down = self.unit * (16.5 if self.coded else 10.0), self.unit * 11.0
        return spot[0] - across, spot[1] - down, spot[0] + across, spot[1] + down

    @property
    def mark_distance(self) -> float:
        """Return the distance from the middle of a centre's mark to the middle of the unit beside it."""
        return round(12.9 * self.unit + self.centre * CENTRE_DISC_SIZE / 2, 2)

    @property
    def mark_width(self) -> float:
        """Return the width that a centre's mark adds to a unit's place."""
        return 0.0 if self.coded else round(0.8 * self.unit + self.centre * CENTRE_DISC_SIZE, 2)

    def number(self, size: float) -> float:
        """Return the size of a province's number beside a name of this size."""
        return round(max(_NUMBER_SCALE * size, self.type if self.close else 0.0), 1)


def sizes(board: Board) -> MapSizes:
    """Return the sizes for a board at its `zoom`."""
    (width, height), zoom = board.chart.size, board.chart.zoom
    fair = (width * height / len(board.places)) ** 0.5 / _USUAL_PROVINCE_SIDE
    coded = any(len(power.letter) > 1 for power in board.chart.powers)
    unit = min(max(fair, _SMALLEST * width / USUAL_SHEET_WIDTH), _LARGEST * width / USUAL_SHEET_WIDTH)
    if zoom == 1.0:
        least = round(IN_MAIL_PX * width / MAIL_PX, 1)
        disc = round(max(unit, least / CENTRE_DISC_SIZE), 2)
        return MapSizes(round(unit, 2), disc, least, close=False, coded=coded)
    least = round(ON_PHONE_PX * width / zoom / PHONE_PX + 0.05, 1)
    unit = max(unit, least / COUNTER_TYPE + 0.005)
    disc = round(max(unit, least / CENTRE_TYPE + 0.005), 2)
    return MapSizes(round(unit, 2), disc, least, close=True, coded=coded)


_UNIT_SIZE = 23.0
"""Width and height of the place for a unit of the usual size, in board units."""
_CODED_UNIT_WIDTH = 36.0
"""The width of the place for a unit with a code of several letters."""
_LABEL_LINE_SPACING = 1.02
_NAME_TYPE_SIZES = (1.15, 1.08, 1.0)
"""The sizes of names, relative to the smallest readable type."""
_ABBREVIATION_TYPE_SIZES = (1.0,)
"""The sizes of abbreviations, relative to the smallest readable type."""
_STRAY_SHARE, _WATER_STRAY_SHARE = 0.22, 0.1
"""The most of its width that a name may cross a border on either side, and that of a water a coast."""
_LEAN = 0.4
"""The most of its width that an abbreviation may cross a border, as a last resort."""
_HIDES = (0.09, 0.09, 0.12)
"""The most of a label that may cover something else, as a last resort, in each attempt."""
_MAX_SPOTS_LOOKED_AT = 1500
"""The most points of a province that are tried, the nearest first."""
_MAX_LABEL_PLACES_TRIED = 150
"""The most free places for the piece that are tried, the nearest to the middle first."""

_SHEET_MARGIN = 4.0
"""The least distance of a name from the edge of the sheet."""
_NAME_PADDING = 0.2
"""The distance between two names beside each other, relative to their size."""
_NUMBER_GAP = 0.3
"""The distance from a number to the name beside it, relative to the size of the number."""
_MIN_ELONGATION = 1.5
"""A name turns along a province that is so many times as long as wide."""
_STEEPEST = 75
_MAX_PLACES_OF_A_NAME = 30
"""The most places of a name in its province that are tried, the nearest to the middle first."""

_GLYPH_WIDTHS = {
    270: "'ijlIJ",
    320: " .f-,",
    370: "rt",
    475: "sz",
    530: "ckvxyFL",
    572: "abdeghnopquEPSTY0123456789",
    625: "ABCKRVXZ",
    685: "DHNU",
    710: "GOQ",
    740: "w",
    780: "M",
    885: "mW",
}
"""The glyphs of DejaVu Sans Condensed by their width, in thousandths of the size of the type."""
_WIDTHS = {glyph: width for width, glyphs in _GLYPH_WIDTHS.items() for glyph in glyphs}
_WATER_SPACING = 80
"""The space after each letter on the water, as in board.svg, in thousandths of the size of the type."""
_WATER_CAPITAL, _WATER_SMALL = 1.14, 1.05
"""The width of the letters of waters, relative to those of lands."""


@dataclass(frozen=True)
class ProvinceLabel:
    """The label of a province, in board units.

    number: printed beside the first line, or ""; number_size: its size; number_at: the middle of its
    baseline; lines: the name, its abbreviation, or no line; size: the size of the type; at: the middle of
    each line's baseline; turn: the angle of the text, in degrees; piece, centre: the middle of a unit and of
    a supply centre's mark; boxes: boxes that cover the text.
    """

    number: str
    number_size: float
    number_at: Point
    lines: tuple[str, ...]
    size: float
    at: tuple[Point, ...]
    turn: int
    piece: Point
    centre: Point
    boxes: tuple[Box, ...]


def province_labels(board: Board) -> Mapping[Province, ProvinceLabel]:
    """Return the label of each province of a board."""
    return _place_labels(board.key)


@cache
def text_width(text: str, size: float, *, on_water: bool = False) -> float:
    """Return an upper estimate of a text's width in the condensed fonts of the maps."""
    if not on_water:
        return size * sum(_WIDTHS.get(letter, 625) for letter in text) / 1000
    widths = (
        _WIDTHS.get(letter, 625) * (_WATER_CAPITAL if letter.isupper() else _WATER_SMALL) + _WATER_SPACING
        for letter in text
    )
    return size * sum(widths) / 1000


@cache
def _place_labels(chart: bytes) -> Mapping[Province, ProvinceLabel]:
    kind = dict[Province, ProvinceLabel]
    return kept_layout("labels", kind, chart, lambda: compute_labels(chart))


def compute_labels(chart: bytes) -> dict[Province, ProvinceLabel]:
    """Return the label of each province of a board. chart: its key."""
    board = compile_board(plain(load(Chart, chart)))
    placer = _LabelPlacer.for_(board)
    whole: dict[Province, ProvinceLabel] = {}
    for place in board.places.values():
        label = placer.place_inside(place, whole) or placer.place_apart(place, whole)
        if label is not None:
            whole[place.id] = label
    # The other labels are fitted in between. If one finds no room, it comes first in the next attempt.
    first: list[ProvinceEntry] = []
    attempts = []
    for hides in _HIDES:
        attempts.append(replace(placer, hides=hides).fit_between(whole, first, board))
        bare = [place for place in board.places.values() if not attempts[-1][place.id].lines]
        if not bare:
            break
        first = [*bare, *(place for place in first if place not in bare)]
    labels = min(attempts, key=lambda labels: sum(not label.lines for label in labels.values()))
    return {place: labels[place] for place in board.places}


_PlacedLabels = Mapping[Province, ProvinceLabel]


@dataclass(frozen=True)
class _ProvinceRows:
    """A province in rows.

    spots: points in it, the nearest to the wished place of its name first; widest: the length of its longest
    row; turns: the angles of a name along it.
    """

    spans: Spans
    spots: tuple[Point, ...]
    widest: float
    turns: tuple[int, ...]


@cache
def _rows_by_province(chart: bytes) -> Mapping[Province, _ProvinceRows]:
    """Return the provinces of a board in rows. The scale of the drawing doesn't matter."""
    board = compile_board(plain(load(Chart, chart)))
    rows = {}
    for place, rings in atlas(board).rings.items():
        spans = spans_of(rings)
        spots = tuple(spots_in(board.places[place].label, spans)[:_MAX_SPOTS_LOOKED_AT])
        widest = max((high - low for stretches in spans.values() for low, high in stretches), default=0.0)
        rows[place] = _ProvinceRows(spans, spots, widest, _turns_along(spans))
    return rows


@dataclass(frozen=True)
class _LabelPlacer:
    """Places the labels of a board, province by province.

    sizes: the sizes on the board; rows: each province in rows; free: the places with room for its piece, the
    nearest to the middle first; nooks: the place of the piece in a province without room; fixed: the boxes of
    those pieces, of fleets at their coasts, and of everything beyond the sheet; marked: the provinces with
    the mark of a centre beside the unit; hides: the most of a label that may cover something else.
    """

    sizes: MapSizes
    rows: Mapping[Province, _ProvinceRows]
    free: Mapping[Province, Sequence[Point]]
    nooks: Mapping[Province, Point]
    fixed: Sequence[Box]
    marked: Sequence[Province]
    hides: float = 0.0

    @staticmethod
    def for_(board: Board) -> "_LabelPlacer":
        of_board, rows = sizes(board), _rows_by_province(canonical(replace_fields(board.chart, zoom=1.0)))
        free = {}
        for place in board.places.values():
            own = rows[place.id]
            room = points_with_room((_room(place, of_board),), own.spots, own.spans)
            free[place.id] = tuple(islice(room, _MAX_LABEL_PLACES_TRIED))
        nooks = {
            place: _nook(board.places[place], rows[place].spans, of_board)
            for place, spots in free.items()
            if not spots
        }
        (width, height), far = board.chart.size, float(sum(board.chart.size))
        beyond = [
            (-far, -far, _SHEET_MARGIN, 2 * far),
            (-far, -far, 2 * far, _SHEET_MARGIN),
            (width - _SHEET_MARGIN, -far, 2 * far, 2 * far),
            (-far, height - _SHEET_MARGIN, 2 * far, 2 * far),
        ]
        berths = [at for place in board.places.values() if place.coasts for at in place.anchors.values()]
        fixed = [*(of_board.around(spot) for spot in (*nooks.values(), *berths)), *beyond]
        return _LabelPlacer(of_board, rows, free, nooks, fixed, () if of_board.coded else board.centres)

    def fit_between(
        self, whole: _PlacedLabels, first: Sequence[ProvinceEntry], board: Board
    ) -> dict[Province, ProvinceLabel]:
        """Return all labels of a board. whole: those with enough room; first: the places that come next."""
        labels = dict(whole)
        ways = (self.place_straying, self.place_abbreviation, self.place_leaning, self.squeeze)
        small_first = sorted(board.places.values(), key=lambda place: len(self.rows[place.id].spots))
        for places in (first, small_first):
            for way in ways:
                for place in places:
                    if place.id not in labels and (label := way(place, labels)) is not None:
                        labels[place.id] = label
        return labels

    def place_inside(self, place: ProvinceEntry, _labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the whole name beside the piece and inside the borders, or None."""
        return self._beside(place, _name_blocks(place, self.sizes), 0.0, self.fixed)

    def place_apart(self, place: ProvinceEntry, _labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the whole name anywhere inside the borders, if need be along the land, or None."""
        size = _NAME_TYPE_SIZES[-1] * self.sizes.type
        for turn in (0, *self.rows[place.id].turns):
            for lines in _name_lines(place):
                block = _NameBlock.of(place, lines, size, self.sizes, turn=turn)
                if (label := self._apart(place, block, self.fixed)) is not None:
                    return label
        return None

    def place_straying(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the whole name across a border, where it covers nothing else, or None."""
        stray = _WATER_STRAY_SHARE if place.kind == "sea" else _STRAY_SHARE
        blocks = _name_blocks(place, self.sizes, _NAME_TYPE_SIZES[-1:])
        return self._beside(place, blocks, stray, self._taken_boxes(labels))

    def place_abbreviation(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the abbreviation inside the borders, or None."""
        taken, blocks = self._taken_boxes(labels), _abbreviation_blocks(place, self.sizes)
        label = self._beside(place, blocks, 0.0, taken)
        found = (self._apart(place, block, taken) for block in blocks if label is None)
        return label or next(filter(None, found), None)

    def place_leaning(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel | None:
        """Return the abbreviation across a border, where it covers nothing now or later, or None.

        It has no number if only that leaves room for it.
        """
        taken = [*self._taken_boxes(labels), *self._reserved_boxes(place, labels)]
        blocks = _abbreviation_blocks(place, self.sizes)
        return self._beside(place, [*blocks, replace(blocks[0], number="")], _LEAN, taken)

    def squeeze(self, place: ProvinceEntry, labels: _PlacedLabels) -> ProvinceLabel:
        """Return the abbreviation beside the piece, where it covers least, or no text if that is too much.

        It has no number if only that leaves room for it.
        """
        spots = (self.free[place.id] or (self.nooks[place.id],))[:20]
        own = self.sizes.around(spots[0])
        taken = [
            box for box in (*self._taken_boxes(labels), *self._reserved_boxes(place, labels)) if box != own
        ]
        around = self.sizes.around

        def hidden_area(way: ProvinceLabel, *, name: bool = True) -> float:
            return covered_area((*(way.boxes if name else ()), around(way.piece)), taken)

        numbered = _abbreviation_blocks(place, self.sizes)
        for blocks in (numbered, [replace(numbered[0], number="")]):
            ways = [
                self._label(place, block, block.middle(side, _room(place, self.sizes)), spot)
                for spot in spots
                for block in blocks
                for side in _NAME_SIDES
            ]
            best = min(ways, key=hidden_area)
            least = min((box[2] - box[0]) * (box[3] - box[1]) for box in best.boxes)
            if covered_area(best.boxes, taken) <= self.hides * least:
                return best
        return replace(min(ways, key=partial(hidden_area, name=False)), number="", lines=(), at=(), boxes=())

    def _beside(
        self, place: ProvinceEntry, blocks: Iterable["_NameBlock"], stray: float, taken: Sequence[Box]
    ) -> ProvinceLabel | None:
        """Return the first block with room beside a free place for the piece, nearest the middle first."""
        free, spans, room = self.free[place.id], self.rows[place.id].spans, _room(place, self.sizes)
        widest = self.rows[place.id].widest
        for block in blocks:
            for side in _NAME_SIDES:
                middle = block.middle(side, room)
                boxes = [_narrow_box(_shift(box, middle), stray) for box in block.boxes]
                if any(right - left_edge + 2 * BOX_MARGIN > widest for left_edge, _, right, _ in boxes):
                    break
                for spot in points_with_room(boxes, free, spans):
                    label = self._label(place, block, middle, spot)
                    if are_apart((*label.boxes, self.sizes.around(label.piece)), taken):
                        return label
        return None

    def _apart(self, place: ProvinceEntry, block: "_NameBlock", taken: Sequence[Box]) -> ProvinceLabel | None:
        """Return a block anywhere inside the borders, with the piece elsewhere inside, or None."""
        own, room = self.rows[place.id], _room(place, self.sizes)
        pieces = self.free[place.id][::3] or (self.nooks[place.id],)
        if max(box[2] - box[0] for box in block.boxes) + 2 * BOX_MARGIN > own.widest:
            return None
        places = points_with_room(block.boxes, own.spots[::3], own.spans)
        for at in islice(places, _MAX_PLACES_OF_A_NAME):
            boxes = [_shift(box, at) for box in block.boxes]
            if not are_apart(boxes, taken):
                continue
            for spot in pieces:
                here = _shift(room, spot)
                if are_apart((here,), boxes):
                    label = self._label(place, block, (at[0] - spot[0], at[1] - spot[1]), spot)
                    if place.id in self.nooks or are_apart((self.sizes.around(label.piece),), taken):
                        return label
        return None

    def _label(self, place: ProvinceEntry, block: "_NameBlock", middle: Point, spot: Point) -> ProvinceLabel:
        """Return a label. spot: the middle of the piece's place; middle: that of the block, from there."""
        (x, y), drawn = spot, self.sizes
        at = x + middle[0], y + middle[1]
        unit = x + (drawn.mark_width / 2 if place.centre else 0)
        pin = (-14.5 * drawn.unit, -9.5 * drawn.unit)
        mark = pin if drawn.coded else (-drawn.mark_distance, drawn.unit)
        number, *lines = [
            (round(at[0] + dx, 1), round(at[1] + dy, 1)) for dx, dy in (block.number_at, *block.at)
        ]
        return ProvinceLabel(
            number=block.number,
            number_size=block.number_size,
            number_at=number,
            lines=block.lines,
            size=block.size,
            at=tuple(lines),
            turn=block.turn,
            piece=(round(unit, 1), round(y, 1)),
            centre=(round(unit + mark[0], 1), round(y + mark[1], 1)),
            boxes=tuple(_shift(box, at) for box in block.boxes),
        )

    def _reserved_boxes(self, place: ProvinceEntry, labels: _PlacedLabels) -> list[Box]:
        """Return the boxes of the pieces of provinces that have no label yet."""
        others = [
            spots[0]
            for province, spots in self.free.items()
            if spots and province not in labels and province != place.id
        ]
        return [self.sizes.around(spot) for spot in others]

    def _taken_boxes(self, labels: _PlacedLabels) -> list[Box]:
        placed = [box for label in labels.values() for box in (*label.boxes, self.sizes.around(label.piece))]
        half = 8 * self.sizes.centre
        marks = [square(labels[place].centre, half) for place in self.marked if place in labels]
        return [*placed, *marks, *self.fixed]


_NAME_SIDES = ("below", "above", "right", "left")


def _room(place: ProvinceEntry, sizes: MapSizes) -> Box:
    """Return the box for a unit, with the mark of a centre beside it, around the middle of its place."""
    width, high = sizes.unit_width + (sizes.mark_width if place.centre else 0), _UNIT_SIZE * sizes.unit
    return -width / 2, -high / 2, width / 2, high / 2


def _nook(place: ProvinceEntry, spans: Spans, sizes: MapSizes) -> Point:
    """Return the place of the piece in a province without room for it. At least its middle is inside."""
    off, core = (sizes.mark_width / 2 if place.centre else 0), 4.0
    box = (off - core, -core, off + core, core)
    return next(points_with_room((box,), (place.label, *spots_in(place.label, spans)), spans), place.label)


def _narrow_box(box: Box, share: float) -> Box:
    """Return a box without a share of its width on either side."""
    width = (box[2] - box[0]) * share
    return box[0] + width, box[1], box[2] - width, box[3]


def _shift(box: Box, by: Point) -> Box:
    return box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1]


def _turns_along(spans: Spans) -> tuple[int, ...]:
    """Return the angles at which a name lies along a long province, in degrees, the best first."""
    area = across = down = across_2 = down_2 = mixed = 0.0
    for row, stretches in spans.items():
        y = row * ROW_HEIGHT
        for low, high in stretches:
            length, half = high - low, (high * high - low * low) / 2
            area += length
            across += half
            down += length * y
            across_2 += (high**3 - low**3) / 3
            down_2 += length * y * y
            mixed += half * y
    if not area:
        return ()
    x, y = across / area, down / area
    xx, yy, xy = across_2 / area - x * x, down_2 / area - y * y, mixed / area - x * y
    spread = hypot(xx - yy, 2 * xy)
    if (xx + yy + spread) < _MIN_ELONGATION**2 * (xx + yy - spread):
        return ()
    angle = 5 * round(degrees(atan2(2 * xy, xx - yy)) / 10)
    return tuple(turn for turn in (angle, angle - 15, angle + 15) if 5 <= abs(turn) <= _STEEPEST)


@dataclass(frozen=True)
class _NameBlock:
    """A province's number and name, as one block around a point, which is at 0, 0.

    stacked: the number is above the name, not beside it; turn: the angle in degrees.
    """

    number: str
    number_size: float
    lines: tuple[str, ...]
    size: float
    on_water: bool
    stacked: bool = False
    turn: int = 0

    @staticmethod
    def of(
        place: ProvinceEntry,
        lines: tuple[str, ...],
        size: float,
        sizes: MapSizes,
        *,
        stacked: bool = False,
        turn: int = 0,
    ) -> "_NameBlock":
        """Return the block of a province's number and of some lines."""
        size = round(size, 1)
        return _NameBlock(
            province_number(place), sizes.number(size), lines, size, place.kind == "sea", stacked, turn
        )

    @cached_property
    def _parts(self) -> tuple[Box, ...]:
        """Return the boxes of the number and of the lines before the block is turned."""
        high = self.size * _LABEL_LINE_SPACING
        pad = _NAME_PADDING * self.size
        number = text_width(self.number, self.number_size) if self.number else 0.0
        widths = [pad + text_width(line, self.size, on_water=self.on_water) for line in self.lines]
        stack = (
            self.number_size * _LABEL_LINE_SPACING + 0.12 * self.size if self.number and self.stacked else 0.0
        )
        beside = number + _NUMBER_GAP * self.number_size if self.number and not self.stacked else 0.0
        top = -(stack + high * len(widths)) / 2
        left_edge = -(beside + widths[0]) / 2
        first = (
            (-number / 2, top, number / 2, top + stack)
            if self.stacked
            else (left_edge, top, left_edge + number, top + high)
        )
        top += stack
        middles = [beside / 2, *(0.0 for _ in widths[1:])]
        lines = [
            (middle - width / 2, top + number * high, middle + width / 2, top + (number + 1) * high)
            for number, (middle, width) in enumerate(zip(middles, widths, strict=True))
        ]
        return first, *lines

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """Return boxes that cover the text. Those of a turned text are as long as it is high."""
        number, first, *others = self._parts
        parts = [first, *others] if not self.number else [number, first, *others]
        if self.number and not self.stacked:
            parts = [(number[0], first[1], first[2], first[3]), *others]
        if not self.turn:
            return tuple(parts)
        cosine, sine = cos(radians(self.turn)), sin(radians(self.turn))
        chunks = []
        for left_edge, top, right, low in parts:
            count = ceil((right - left_edge) / (low - top))
            wide, high = (right - left_edge) / count, low - top
            half_across = (wide * cosine + high * abs(sine)) / 2
            half_down = (wide * abs(sine) + high * cosine) / 2
            for chunk in range(count):
                x, y = self._turned((left_edge + (chunk + 0.5) * wide, (top + low) / 2))
                chunks.append((x - half_across, y - half_down, x + half_across, y + half_down))
        return tuple(chunks)

    @cached_property
    def at(self) -> tuple[Point, ...]:
        """Return the middle of each line's baseline."""
        return tuple(
            self._turned(((box[0] + box[2]) / 2, box[3] - 0.2 * self.size)) for box in self._parts[1:]
        )

    @cached_property
    def number_at(self) -> Point:
        """Return the middle of the number's baseline."""
        box = self._parts[0]
        drop = 0.2 * (self.number_size + 0.6 * self.size if self.stacked else self.size)
        return self._turned(((box[0] + box[2]) / 2, box[3] - drop))

    def middle(self, side: str, room: Box) -> Point:
        """Return the block's middle beside a unit's place, relative to its middle."""
        left_edge, top = min(box[0] for box in self.boxes), min(box[1] for box in self.boxes)
        right, gap = max(box[2] for box in self.boxes), 1.0
        if side in ("below", "above"):
            far = room[3] + gap - top
            return -(left_edge + right) / 2, far if side == "below" else -far
        far = room[2] + 2 * gap + (right - left_edge) / 2
        return (far if side == "right" else -far) - (left_edge + right) / 2, 0.0

    def _turned(self, point: Point) -> Point:
        if not self.turn:
            return point
        cosine, sine = cos(radians(self.turn)), sin(radians(self.turn))
        return point[0] * cosine - point[1] * sine, point[0] * sine + point[1] * cosine


def _name_blocks(
    place: ProvinceEntry, sizes: MapSizes, type_sizes: Sequence[float] = _NAME_TYPE_SIZES
) -> Iterator[_NameBlock]:
    """Yield the ways to write a name out, the preferred one first."""
    for stacked in (False, True) if province_number(place) else (False,):
        for size in type_sizes:
            for lines in _name_lines(place):
                yield _NameBlock.of(place, lines, size * sizes.type, sizes, stacked=stacked)


def least_box(place: ProvinceEntry, sizes: MapSizes, *, whole: bool) -> Point:
    """Return width and height of the smallest box for a unit with the province's name below it.

    whole: the name is written out, not abbreviated.
    """
    left_edge, top, right, low = _room(place, sizes)
    blocks = [*_name_blocks(place, sizes, _NAME_TYPE_SIZES[-1:])] if whole else []
    shapes = [
        (
            max(right - left_edge, max(box[2] for box in block.boxes) - min(box[0] for box in block.boxes)),
            low - top + max(box[3] for box in block.boxes) - min(box[1] for box in block.boxes),
        )
        for block in blocks or _abbreviation_blocks(place, sizes)
    ]
    return min(shapes, key=lambda shape: shape[0] * shape[1])


def _abbreviation_blocks(place: ProvinceEntry, sizes: MapSizes) -> list[_NameBlock]:
    """Return the ways to write an abbreviation, the preferred one first."""
    stackings = (False, True) if province_number(place) else (False,)
    return [_NameBlock.of(place, (place.abbr,), sizes.type, sizes, stacked=stacked) for stacked in stackings]


def province_number(place: ProvinceEntry) -> str:
    """Return the number or the letter by which a province may be ordered, or ""."""
    return place.id if place.id.isdigit() or len(place.id) == 1 else ""


def _name_lines(place: ProvinceEntry) -> list[tuple[str, ...]]:
    """Return the name in one line, in two lines of similar length, and with one word in each line."""
    words = place.name.replace("-", "- ").split()
    ways: list[tuple[str, ...]] = [(place.name,)]
    if len(words) > 1:
        halves = [(_join(words[:cut]), _join(words[cut:])) for cut in range(1, len(words))]
        ways.append(min(halves, key=lambda pair: max(map(len, pair))))
    if len(words) > 2:
        ways.append(tuple(words))
    return ways


def _join(words: Sequence[str]) -> str:
    """Return words as one text. There is no space after a hyphen."""
    return " ".join(words).replace("- ", "-")
