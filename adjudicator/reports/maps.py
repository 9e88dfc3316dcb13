"""Maps and charts as pictures: whole boards, close-ups of them, and the files that go with a report."""

from __future__ import annotations

import hashlib
import re
import struct
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from math import ceil, sqrt
from typing import Any

from markupsafe import Markup
from PIL import Image
from zlib_ng import zlib_ng

from adjudicator.clock import Millis
from adjudicator.model.deadline_status import is_solo
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import (
    PENDING_PICTURE_PLACEHOLDER,
    PENDING_PICTURE_PREFIX,
    Attachment,
    HeaderText,
    PictureSource,
)
from adjudicator.reports.compositor import (
    compose_picture,
    distinct_colours,
    map_to_palette,
    render_svg,
)
from adjudicator.reports.render import render
from adjudicator.reports.report import History, Report
from adjudicator.reports.times import CalendarEntry, Organizer, method_of, render_calendar
from games.close_up import Box, is_inside, overlaps
from games.protocol import Event, Game, Seat, State, View
from games.record import Value, replace_fields

# Pictures with their source: drawn already, or drawn later.
#
# After an email is sent, only the source of its picture is kept. A picture that isn't needed earlier is drawn
# when its email is sent.


_PIXELS_PER_BYTE = 8
"""For the assumed size of a square board that isn't drawn yet. A chart counts as much as its drawing."""


class Picture(bytes):
    """A PNG. svg: its drawing. width_px: its width. name: its SHA-256."""

    svg: str
    width_px: int

    @classmethod
    def of(cls, png: bytes, svg: str, width_px: int) -> Picture:
        """Return a PNG with its source."""
        made = cls(png)
        made.svg, made.width_px = svg, width_px
        return made

    @property
    def name(self) -> str:
        """Return the SHA-256 of the PNG. The picture is stored under it."""
        return hashlib.sha256(self).hexdigest()


class DeferredPicture(Picture):
    """A stand-in for a PNG that is drawn when its email is sent."""

    @classmethod
    def from_svg(cls, svg: str, width_px: int) -> DeferredPicture:
        """Return the stand-in for the picture of a drawing."""
        name = PENDING_PICTURE_PREFIX + hashlib.sha256(f"{width_px} {svg}".encode()).hexdigest()
        made = cls(PENDING_PICTURE_PLACEHOLDER + name.encode())
        made.svg, made.width_px = svg, width_px
        return made

    @property
    def name(self) -> str:
        """Return the name of the stored picture until it is drawn."""
        return self[len(PENDING_PICTURE_PLACEHOLDER) :].decode()


def sources(values: Iterable[object]) -> tuple[PictureSource, ...]:
    """Return the sources of the pictures among some values."""
    return tuple(
        PictureSource(sha=picture.name, svg=picture.svg, width_px=picture.width_px)
        for picture in values
        if isinstance(picture, Picture)
    )


def shown_width(png: bytes) -> int:
    """Return the width at which a close-up is shown in an email, in pixels: half its own or more."""
    if isinstance(png, DeferredPicture):
        size = _VIEW_BOX.search(png.svg)
        assert size, "every drawing says how large it is"
        width, height = float(size[1]), float(size[2])
    else:
        width, height = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    return min(round(sqrt(_SHOWN_AREA * width / max(height, 1))), BESIDE_PX)


def weight_of(png: bytes) -> int:
    """Return the size of a PNG in bytes."""
    if isinstance(png, DeferredPicture):
        return min(png.width_px**2 // _PIXELS_PER_BYTE, len(png.svg))
    return len(png)


# The map of a turn: the game's board.svg filled, and made into a PNG that fits into an email.


_TEMPLATE = "board.svg"
_SHEETS_TEMPLATE = "sheets.svg"
_SHEET_SECTION = re.compile(r"<!--(?:sheet|pieces) (\w+)-->\n.*?<!--end-->", re.DOTALL)
_PIECES_SECTION = re.compile(r"<!--pieces(?: \w+)?-->\n(.*?)<!--end-->", re.DOTALL)
_PIECE_START = re.compile(
    r'<g data-box="([-\d ]+)"( data-whole="")?(?: transform="translate\(([-\d.]+) ([-\d.]+)\)")?>'
)
_FREQUENT_COLOURS, _MAX_NAMED_COLOURS, _MIXED_COLOURS = 40, 160, 12
_VIEW_BOX = re.compile(r'viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"')
_COLOUR_CODE = re.compile(r"#[0-9a-f]{6}\b")
_written: dict[tuple[str, str], Mapping[str, Markup]] = {}
"""The parts of boards that never change, by package and key, so that they are written once."""
_MAX_WRITTEN = 64
"""The most such boards in memory. Close-ups of some games have parts of their own."""
_MAX_REMEMBERED = 8
"""The number of cached pictures, a few hundred kilobytes each. Drawing one takes half a second."""

LETTER_PX, BESIDE_PX = 760, 600
"""The widths of a map in an email: alone, and with a close-up. Both are shown up to 600 pixels wide."""
CLOSE_UP_PX = 900
"""The width of a close-up. It is shown half as large, so that it is sharp on a phone."""
MAP_PX = 1120
"""The width of the map that MAP sends. A large board in 1,200 pixels has more than 180 KB."""
_SHOWN_AREA = 190_000
"""The area in which a close-up is shown: a higher one is narrower."""

_CHART_WIDTH = 640
"""The width of a chart in pixels. It is shown 600 pixels wide."""

_COMPRESSION_LEVEL = 5
"""The level of zlib-ng: smaller than level 5 of zlib in two thirds of its time. Pillow has another zlib."""
_HIGHEST_LEVEL = 9
"""The level for a large picture: 4 % smaller in four times the time."""
MAX_PNG_BYTES = 180_000
"""A picture with more bytes is made again with fewer shades."""
_MOST_FREQUENT_COLOURS, _LEAST_SHADE, _LEAST_FREQUENT_SHADE = 24, 20, 11
"""The colours of a large picture that stay in any case, and how far others differ in red, green or blue."""
_SAMPLED = 6
"""Every sixth pixel of every sixth row shows which colours a picture has."""


class Drawing(Value, frozen=True):
    """A map as SVG and as PNG. front: an enlarged PNG of the part that concerns the reader."""

    svg: str
    png: bytes
    front: bytes | None = None


def has_fronts(game: Game) -> bool:
    """Return whether each seat of a game gets an enlarged part of the map."""
    return game.telling.has_fronts


def svg(game: Game, view: View, events: Sequence[Event], caption: str | None = None) -> str | None:
    """Return the map as SVG, or None for a game without a picture.

    view, events: the position, and the events that led to it, as the readers may know them. caption: the text
    below the title (default: the name of the coming turn).
    """
    for kept_game, kept_view, kept_events, kept_caption, kept in _last_boards:
        is_same = kept_game is game and kept_view is view and kept_caption == caption
        if is_same and kept_events == tuple(events):
            return kept
    scene = game.telling.scene(view, events)
    if scene is None:
        return None
    board = _fill_template(game, scene, game.rules.turn(view).name if caption is None else caption)
    _last_boards.appendleft((game, view, tuple(events), caption, board))
    return board


_last_boards: deque[tuple[Game, View, tuple[Event, ...], str | None, str]] = deque(maxlen=2)
"""The last boards. All readers of a turn get the same one."""


def front(
    game: Game, view: View, seat: Seat | None, events: Sequence[Event], caption: str | None = None
) -> str | None:
    """Return an enlarged part of the map for a seat as SVG, or None if the whole map does as well.

    If seat is None, return the crowded part for observers.
    """
    scene = game.telling.front(view, seat, events)
    if scene is None:
        return None
    caption_text = game.rules.turn(view).name if caption is None else caption
    whole = {**scene, "window": (0, 0, scene["width"], scene["height"])}
    return _closer_board(game, whole, caption_text).cut_out(scene["window"])


def _closer_board(game: Game, scene: Mapping[str, Any], caption: str) -> _CloserBoard:
    """Return the board of a scene. Seats whose close-ups have the same scale share it."""
    for package, kept_scene, kept_caption, kept in _closer_boards:
        if package == game.package and kept_caption == caption and kept_scene == scene:
            return kept
    closer = _CloserBoard.of(_fill_template(game, scene, caption))
    _closer_boards.appendleft((game.package, scene, caption, closer))
    return closer


_closer_boards: deque[tuple[str, Mapping[str, Any], str, _CloserBoard]] = deque(maxlen=4)
"""The last boards drawn for close-ups: one for each scale of a turn."""


class _CloserBoard(Value, frozen=True):
    """A whole board at the scale of close-ups. parts: markup, and pieces with their boxes, in order.

    Of a piece that is marked so, nothing shows unless all of it does.
    """

    parts: Sequence[str | tuple[Box, bool, str]]

    @staticmethod
    def of(svg: str) -> _CloserBoard:
        """Return a drawing as a board to cut close-ups from."""
        parts: list[str | tuple[Box, bool, str]] = []
        start = 0
        for section in _PIECES_SECTION.finditer(svg):
            parts.append(svg[start : section.start(1)])
            marks = list(_PIECE_START.finditer(section[1]))
            ends = [*(mark.start() for mark in marks[1:]), len(section[1])]
            for mark, end in zip(marks, ends, strict=False):
                x, y = float(mark[3] or 0), float(mark[4] or 0)
                left_edge, top, right, low = map(float, mark[1].split())
                box = left_edge + x, top + y, right + x, low + y
                parts.append((box, mark[2] is not None, section[1][mark.start() : end]))
            start = section.end(1)
        return _CloserBoard([*parts, svg[start:]])

    def cut_out(self, window: Box) -> str:
        """Return the part of the board in a window as SVG."""
        left_edge, top, right, low = window
        box = f'viewBox="{left_edge:g} {top:g} {right - left_edge:g} {low - top:g}"'
        return _VIEW_BOX.sub(box, "".join(self._shown(window)), count=1)

    def _shown(self, window: Box) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            else:
                box, is_whole, markup = part
                if is_inside(window, box) if is_whole else overlaps(window, box):
                    yield markup


def _fill_template(game: Game, scene: Mapping[str, Any], caption: str) -> str:
    sheets: Mapping[str, Markup] = {}
    if "sheets" in scene:
        key = game.package, str(scene["sheets"]["key"])
        if key not in _written:
            if len(_written) >= _MAX_WRITTEN:
                _written.clear()
            text = render(game, _SHEETS_TEMPLATE, scene["sheets"])
            _written[key] = {part[1]: Markup(part[0]) for part in _SHEET_SECTION.finditer(text)}
        sheets = _written[key]
    return render(game, _TEMPLATE, {**scene, "sheets": sheets, "caption": caption})


def map_of(game: Game, state: State, viewer: Seat | None) -> bytes | None:
    """Return the map as a viewer may see it now, as PNG, or None for a game without a picture."""
    scene = svg(game, game.rules.view(state, viewer), ())
    return None if scene is None else map_picture(scene)


def chart_of(history: History, *, later: bool = False) -> bytes:
    """Return the chart of a game over time as PNG. later: whether it is drawn when its email is sent."""
    chart = history.chart()
    return DeferredPicture.from_svg(chart, _CHART_WIDTH) if later else _chart_picture(chart)


@lru_cache(maxsize=_MAX_REMEMBERED)
def _chart_picture(svg: str) -> Picture:
    return Picture.of(png(svg, _CHART_WIDTH), svg, _CHART_WIDTH)


@lru_cache(maxsize=_MAX_REMEMBERED)
def map_picture(svg: str, width_px: int = MAP_PX) -> Picture:
    """Return the picture of a map, drawn once for all readers of the same map."""
    return Picture.of(png(svg, width_px), svg, width_px)


def png(svg: str, width_px: int = MAP_PX) -> bytes:
    """Return the picture of an SVG as a PNG of few colours, lettered with the service's fonts only."""
    if "<!--sheet " in svg:
        picture = compose_picture(svg, width_px)
    else:
        picture = render_svg(svg, width_px=width_px).convert("RGB")
    colours = [*_palette(picture, svg)]
    made = _encode_png(map_to_palette(picture, distinct_colours(colours)), _COMPRESSION_LEVEL)
    if len(made) <= MAX_PNG_BYTES:
        return made
    return _encode_png(map_to_palette(picture, distinct_colours(_without_shades(colours))), _HIGHEST_LEVEL)


def _encode_png(picture: Image.Image, level: int) -> bytes:
    """Return a palette picture as a PNG with eight bits a pixel, unfiltered: lands are even areas."""
    width, height = picture.size
    rows = Image.new("P", (width + 1, height))  # each row begins with a byte that names no filter: zero
    rows.im.paste(picture.im, (1, 0, width + 1, height))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(picture.getpalette() or ())),
        (b"IDAT", zlib_ng.compress(rows.tobytes(), level)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib_ng.crc32(name + content))
        for name, content in chunks
    )


def _without_shades(colours: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """Yield the colours of a palette without those that are hardly another shade of an earlier one.

    The most frequent ones are lands, waters and their patterns, and stay as they are.
    """
    kept = [*dict.fromkeys(colours[:_MOST_FREQUENT_COLOURS])]
    frequent, others = colours[_MOST_FREQUENT_COLOURS:_FREQUENT_COLOURS], colours[_FREQUENT_COLOURS:]
    for shades, least in ((others, _LEAST_SHADE), (frequent, _LEAST_FREQUENT_SHADE)):
        for colour in shades:
            if all(max(abs(a - b) for a, b in zip(colour, one, strict=True)) > least for one in kept):
                kept.append(colour)
    yield from kept


def _palette(picture: Image.Image, svg: str) -> Iterator[tuple[int, ...]]:
    """Yield the colours for a picture, those that matter most first.

    The frequent ones are lands with their patterns. The quantizer alone drops the colours of small areas, and
    one nation's swatch becomes another's. So all that the drawing names come next.
    """
    size = ceil(picture.width / _SAMPLED), ceil(picture.height / _SAMPLED)
    sample = picture.resize(size, Image.Resampling.NEAREST)
    counted = sample.getcolors(size[0] * size[1]) or []
    yield from (colour for _, colour in nlargest(_FREQUENT_COLOURS, counted) if isinstance(colour, tuple))
    codes = sorted(set(_COLOUR_CODE.findall(svg)))[:_MAX_NAMED_COLOURS]
    yield from (tuple(bytes.fromhex(code[1:])) for code in codes)
    mixed = (
        sample.quantize(_MIXED_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).getpalette()
        or []
    )
    yield from (tuple(mixed[at : at + 3]) for at in range(0, len(mixed), 3))


# The files that go with a report: the map to print or to zoom into, the deadline for a calendar.


SVG = HeaderText("image/svg+xml")


def calendar_entry(position: GamePosition, seat: Seat | None) -> CalendarEntry:
    """Return the deadline of a game for a seat's calendar, or the entry that removes it if no deadline runs.

    position: the game after the change that the email reports.
    """
    game = position.game
    gone = CalendarEntry(position.name, game.about.title, seat)
    if not position.is_running or position.deadline is None or is_solo(position):
        return gone
    turn = game.rules.turn(position.state)
    length = position.deadlines.length(turn.kind)
    return replace_fields(gone, turn=turn, deadline=position.deadline, length=length)


def deadline_file(
    position: GamePosition, seat: Seat | None, now: Millis, organizer: Organizer
) -> tuple[Attachment, ...]:
    """Return the game's calendar entry as a file. It replaces or removes an earlier entry."""
    return (_calendar_attachment(calendar_entry(position, seat), now, organizer),)


def deadlines_file(
    entries: Sequence[CalendarEntry], now: Millis, organizer: Organizer
) -> tuple[Attachment, ...]:
    """Return all deadlines of a player's games as one calendar file, or no file if there are none."""
    stand = [entry for entry in entries if entry.has_deadline]
    return (_calendar_file("deadlines", stand, now, organizer),) if stand else ()


def attachments(
    report: Report, position: GamePosition, svg: str | None, now: Millis, organizer: Organizer
) -> tuple[Attachment, ...]:
    """Return the files for one reader.

    position: the game after the turns of the report. svg: the map, as the reader may see it. organizer: the
    service. When a game is over, the file removes its deadline from the reader's calendar.
    """
    due = f"{report.game}-{report.turn.short if report.turn else 'end'}"
    name = f"{report.game}-{report.first_turn.short}" if report.first_turn else due
    files: list[Attachment] = []
    if (report.turn and report.deadline) or (report.result and not is_solo(position)):
        entry = CalendarEntry(report.game, report.title, report.viewer)
        if report.turn and report.deadline:
            length = position.deadlines.length(report.turn.kind)
            entry = replace_fields(entry, turn=report.turn, deadline=report.deadline, length=length)
        files.append(_calendar_attachment(entry, now, organizer))
    if svg is not None:
        files.append(Attachment(name=HeaderText(f"{name}.svg"), media=SVG, content=svg.encode()))
    return tuple(files)


def _calendar_attachment(entry: CalendarEntry, now: Millis, organizer: Organizer) -> Attachment:
    short = entry.turn.short if entry.turn else "no-deadline"
    return _calendar_file(f"{entry.game}-{short}", [entry], now, organizer)


def _calendar_file(
    name: str, entries: Sequence[CalendarEntry], now: Millis, organizer: Organizer
) -> Attachment:
    # The method is in the header of the part and in the file (RFC 6047, section 2.4).
    media = HeaderText(f'text/calendar; method={method_of(entries)}; charset="utf-8"')
    return Attachment(
        name=HeaderText(f"{name}.ics"), media=media, content=render_calendar(entries, now, organizer)
    )
