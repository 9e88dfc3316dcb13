"""The places of a map's title, table, signs and names: off the provinces, or on a strip below the board.

They don't make the board smaller, and their sizes follow the sheet.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil, floor, hypot
from typing import Any

from games.diplomacy.boards.board import Board, Chart, ProvinceEntry, compile_board
from games.diplomacy.map.labels import (
    USUAL_SHEET_WIDTH,
    Box,
    Spans,
    province_labels,
    province_number,
    spans_of,
    text_width,
)
from games.diplomacy.map.outlines import Point, atlas
from games.record import load, plain

_CELL = 10.0
"""The width and height of the cells in which free room is searched."""
_EDGE, _GAP = 14.0, 12.0
"""The distances of blocks from the edge of the sheet and from each other."""
_ROW = 30.0
"""The height of a row of the table, and of the signs if they aren't many."""
_BLOCK_WIDTH, _TABLE_HEAD, _PADDING = 266.0, 38.0, 6.0
_NAME_ROW, _NAME_TYPE = 23.0, 18.5
_NAME_SCALES, _MAX_NAMES_SHARE = (1.4, 1.25, 1.1, 1.0), 0.15
"""The sizes of names in the key, and the most of the board's height that they may take below it."""
_TITLE_TYPE, _MIN_TITLE_WIDTH, _TITLE_HEIGHT = 42.0, 360.0, 92.0
_NOTE_HEIGHT = 26.0
"""The height of the line below the title that says that a drawing is schematic."""
_KEY_SCALE, _LONG_TABLE_SCALE = 1.4, 1.1
"""The size of signs and of the table, and that of a long table."""
_LONG_TABLE = 9
"""A table with more powers is below the board, in several columns."""
_USUAL_SIGNS = 12
"""The signs for which there is room in one column. If a map shows more, they are closer together."""


@dataclass(frozen=True)
class MapLegend:
    """The places of everything beside the provinces, in board units.

    scale: the size of title and lines, relative to the usual one; key_scale, table_scale: those of signs and
    of the table; height: that of the drawing, with the strip; strip: the top of the strip below the board, or
    None; title: its left end; table, signs: their boxes; rows: the left ends of the middle lines of the
    table's rows; names: the rows of the names that aren't written out on the board; box: around all of these
    but the signs.
    """

    scale: float
    key_scale: float
    table_scale: float
    height: int
    strip: int | None
    title: Point
    table: Box | None
    signs: Box
    rows: Sequence[Point]
    names: tuple[dict[str, Any], ...]
    box: tuple[int, int, int, int]

    def sign_rows(self, count: int) -> tuple[Sequence[Point], Box]:
        """Return the left ends of the middle lines of some signs, and the box around them."""
        left_edge, top, right, low = self.signs
        pad, rows = _PADDING * self.key_scale, ceil(count / _columns(self.signs, self.key_scale))
        high = min(_ROW * self.key_scale, (low - top - 2 * pad) / max(rows, 1))
        box = left_edge, top, right, top + rows * high + 2 * pad
        return _places_in(self.signs, count, pad, high, self.key_scale), box


def _columns(box: Box, scale: float) -> int:
    return max(floor((box[2] - box[0]) / (_BLOCK_WIDTH * scale)), 1)


def _places_in(box: Box, count: int, head: float, high: float, scale: float) -> list[Point]:
    """Return the left ends of the middle lines of a block's rows. head: what is above them."""
    rows = max(ceil(count / _columns(box, scale)), 1)
    left_edge, top = box[0] + 16 * scale, box[1] + head + high / 2
    return [
        (round(left_edge + number // rows * _BLOCK_WIDTH * scale, 1), round(top + number % rows * high, 1))
        for number in range(count)
    ]


def map_legend(board: Board) -> MapLegend:
    """Return the places of everything beside the provinces of a board."""
    return _map_legend(board.key, len(board.powers), board.chart.title)


@cache
def _map_legend(chart: bytes, powers: int, title: str) -> MapLegend:
    board = compile_board(plain(load(Chart, chart)))
    (width, height), scale = board.chart.size, board.chart.size[0] / USUAL_SHEET_WIDTH
    if board.chart.zoom != 1:
        # Close-ups have no legend.
        return MapLegend(scale, scale, scale, height, None, (0, 0), None, (0, 0, 1, 1), (), (), (0, 0, 1, 1))
    is_long, room, strip = powers > _LONG_TABLE, _FreeRoom.of(board, scale), _Strip(width, height, scale)
    key, rows = scale * _KEY_SCALE, scale * (_LONG_TABLE_SCALE if is_long else _KEY_SCALE)
    high = _TITLE_HEIGHT + (_NOTE_HEIGHT if atlas(board).is_schematic else 0)
    heading = max(1.2 * text_width(title, _TITLE_TYPE), _MIN_TITLE_WIDTH) * scale, high * scale
    signs = _BLOCK_WIDTH * key, _block_height(_USUAL_SIGNS, 1, _PADDING) * key
    table = _BLOCK_WIDTH * rows, _block_height(powers, 1, _TABLE_HEAD) * rows
    table_box: Box | None = None
    signs_box: Box | None = None
    # The table and the signs are one above the other, if there is room for that.
    if not is_long and (both := room.take(signs[0], table[1] + _GAP * scale + signs[1])):
        left_edge, top, right, low_edge = both
        table_box = left_edge, top, right, top + table[1]
        signs_box = left_edge, low_edge - signs[1], right, low_edge
    else:
        table_box = None if is_long else room.take(*table)
        shapes = [
            (signs[0] * number, _block_height(_USUAL_SIGNS, number, _PADDING) * key) for number in (1, 2, 3)
        ]
        signs_box = next(filter(None, (room.take(*shape) for shape in shapes)), None)
    heading_box = room.take(*heading, on_left=True) or strip.take(heading[1])
    table_box = table_box or strip.take_grid(powers, _TABLE_HEAD, rows)
    names = tuple(strip.take_names([*_names_in_key(board)]))
    signs_box = signs_box or strip.take_grid(_USUAL_SIGNS, _PADDING, key)
    low, is_strip = strip.low(), strip.used > 0
    boxes = [(0.0, float(height), float(width), float(low))] if is_strip else []
    boxes.append(table_box)
    lefts, tops, rights, lows = zip(*boxes, strict=True)
    return MapLegend(
        scale=scale,
        key_scale=key,
        table_scale=rows,
        height=low,
        strip=height if is_strip else None,
        title=(heading_box[0] + 16 * scale, heading_box[1] + 44 * scale),
        table=table_box,
        signs=signs_box,
        rows=_places_in(table_box, powers, _TABLE_HEAD * rows, _ROW * rows, rows),
        names=names,
        box=(floor(min(lefts)), floor(min(tops)), ceil(max(rights)), ceil(max(lows))),
    )


def _block_height(count: int, columns: int, head: float) -> float:
    """Return the height of a block of rows in columns, of the usual size."""
    return head + ceil(count / columns) * _ROW + _PADDING


def _names_in_key(board: Board) -> Iterator[ProvinceEntry]:
    """Yield the provinces whose names aren't written out on the board, by number or by abbreviation."""
    labels = province_labels(board)
    short = [
        place
        for place in board.places.values()
        if labels[place.id].lines in ((), (place.abbr,)) and place.abbr != place.name
    ]
    numbered = [place for place in short if province_number(place)]
    yield from numbered
    yield from sorted((place for place in short if place not in numbered), key=lambda place: place.abbr)


@dataclass(frozen=True)
class _FreeRoom:
    """The cells of a sheet that no province and no name covers. rows: bits of the taken cells, from left."""

    cell: float
    columns: int
    rows: list[int]
    margin: float

    @staticmethod
    def of(board: Board, scale: float) -> "_FreeRoom":
        """Return the free room of a board."""
        (width, height), cell, shapes = board.chart.size, _CELL * scale, atlas(board)
        room = _FreeRoom(cell, floor(width / cell), [0] * floor(height / cell), _EDGE * scale)
        for rings in (*shapes.rings.values(), *shapes.closed.values()):
            room.fill(spans_of(rings, cell))
        for label in province_labels(board).values():
            for box in label.boxes:
                room.mark(box)
        for link in shapes.links:
            for first, second in pairwise(link.points):
                room.mark_line(first, second)
        return room

    def fill(self, spans: Spans) -> None:
        """Mark what lies inside the rows of a shape, and the cells beside it."""
        for row, stretches in spans.items():
            for low, high in stretches:
                self.mark((low, row * self.cell - self.cell, high, row * self.cell + self.cell / 2))

    def mark_line(self, start: Point, end: Point) -> None:
        """Mark the cells along a straight line."""
        steps = ceil(hypot(end[0] - start[0], end[1] - start[1]) / self.cell) or 1
        for number in range(steps + 1):
            x = start[0] + (end[0] - start[0]) * number / steps
            y = start[1] + (end[1] - start[1]) * number / steps
            self.mark((x - self.cell, y - self.cell, x + self.cell, y + self.cell))

    def mark(self, box: Box) -> None:
        """Mark a box as taken."""
        left_edge, right = max(floor(box[0] / self.cell), 0), min(ceil(box[2] / self.cell), self.columns)
        for row in range(max(floor(box[1] / self.cell), 0), min(ceil(box[3] / self.cell), len(self.rows))):
            if right > left_edge:
                self.rows[row] |= ((1 << (right - left_edge)) - 1) << left_edge

    def take(self, width: float, height: float, *, on_left: bool = False) -> Box | None:
        """Return the box for a block of some size, as near to a lower corner as possible, and mark it."""
        edge = ceil(self.margin / self.cell)
        wide, high = ceil(width / self.cell), ceil(height / self.cell)
        last_row, last_column = len(self.rows) - edge - high, self.columns - edge - wide
        best: tuple[float, int, int] | None = None
        for row in range(edge, last_row + 1):
            taken = 0
            for other in self.rows[row : row + high]:
                taken |= other
            for column in range(edge, last_column + 1):
                if not taken >> column & ((1 << wide) - 1):
                    aside = column - edge if on_left else last_column - column
                    far = (aside + last_row - row, row, column)
                    best = min(best, far) if best else far
        if best is None:
            return None
        _, row, column = best
        x = column * self.cell if on_left else (column + wide) * self.cell - width
        y = (row + high) * self.cell - height
        self.mark((x - self.cell, y - self.cell, x + width + self.cell, y + height + self.cell))
        return x, y, x + width, y + height


@dataclass
class _Strip:
    """The strip below a board: full rows, one below the other, for everything without room on the board."""

    width: int
    height: int
    scale: float
    used: float = 0.0

    def take(self, high: float) -> Box:
        """Return the box for a row of some height."""
        edge, top = _EDGE * self.scale, self.height + _GAP * self.scale + self.used
        self.used += high + _GAP * self.scale
        return edge, top, self.width - edge, top + high

    def take_grid(self, count: int, head: float, scale: float) -> Box:
        """Return the box for the rows of a block in as many columns as fit. scale: its size."""
        columns = max(floor((self.width - 2 * _EDGE * self.scale) / (_BLOCK_WIDTH * scale)), 1)
        return self.take(_block_height(count, columns, head) * scale)

    def take_names(self, places: Sequence[ProvinceEntry]) -> Iterator[dict[str, Any]]:
        """Yield the rows of names: number, abbr, name; x: the left ends of these three; y; size."""
        if not places:
            return
        for scale in _NAME_SCALES:
            size, high = _NAME_TYPE * self.scale * scale, _NAME_ROW * self.scale * scale
            columns, widths, number, abbr = self._columns_of_names(places, size)
            rows = len(columns[0])
            if rows * high <= _MAX_NAMES_SHARE * self.height:
                break
        room, gap = self.width - 2 * _EDGE * self.scale, size
        left_edge, top, _, _ = self.take(rows * high)
        spare = max(room - sum(widths) + gap, 0.0) / len(columns)
        for column, width in zip(columns, widths, strict=True):
            for row, place in enumerate(column):
                yield {
                    "number": province_number(place),
                    "abbr": place.abbr,
                    "name": place.name,
                    "x": [round(left_edge + by, 1) for by in (0.0, number, abbr)],
                    "y": round(top + (row + 0.7) * high, 1),
                    "size": round(size, 1),
                }
            left_edge += width + spare

    def _columns_of_names(
        self, places: Sequence[ProvinceEntry], size: float
    ) -> tuple[Sequence[Sequence[ProvinceEntry]], Sequence[float], float, float]:
        """Return places in columns, as few rows as possible, and the widths of columns and their first parts.

        Each column is as wide as its longest name.
        """

        def widest(texts: Iterable[str]) -> float:
            return max(text_width(text, size) for text in texts)

        number = widest(f"{province_number(place)} " for place in places)
        abbr = number + widest(f"{place.abbr}  " for place in places)
        for rows in range(1, len(places) + 1):
            columns = [places[first : first + rows] for first in range(0, len(places), rows)]
            widths = [abbr + widest(place.name for place in column) + size for column in columns]
            if sum(widths) - size <= self.width - 2 * _EDGE * self.scale:
                break
        return columns, widths, number, abbr

    def low(self) -> int:
        """Return the lower edge of the strip, or of the board if the strip is empty."""
        # At the widths of pictures, such heights are whole pixels.
        unit = 40 * self.scale
        return round(unit * ceil((self.height + self.used) / unit)) if self.used else self.height
