"""Maps and charts as pictures, put together from cached parts: sheets that never change, and small pieces.

In a drawing, the parts between ``<!--sheet NAME-->`` and ``<!--end-->`` stay the same every turn. ``<!--sheet
NAME 1200-->`` gives the height of a sheet if the height of the drawing varies. Between ``<!--pieces-->`` and
``<!--end-->`` are groups, each with its box (``data-box``). Each part is drawn once and cached. A turn's
picture has the same pixels with and without the cache.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from math import ceil, floor, sqrt
from threading import Lock
from typing import Any

import resvg_py
from markupsafe import Markup
from PIL import Image

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
from adjudicator.reports.render import render
from adjudicator.reports.report import History, Report
from adjudicator.reports.times import CalendarEntry, Organizer, method_of, render_calendar
from games.protocol import Event, Game, Seat, State, View
from games.record import MutableRecord, Value, field, replace_fields

_SECTION = re.compile(r"<!--(sheet \w+(?: (\d+))?|pieces)-->\n(.*?)<!--end-->\n?", re.DOTALL)
_DRAWING_SIZE = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
_PIECE_GROUP = re.compile(r'<g data-box="([-\d ]+)"(?: transform="translate\(([-\d.]+) ([-\d.]+)\)")?>')
_SHAPE = re.compile(r'<path id="(\w+)" (d="[^"]*")')
_USE = re.compile(r'<use href="#(\w+)"')
_STYLE_ELEMENT = re.compile(r"<style>.*?</style>", re.DOTALL)
_DEFS = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_TITLE_ELEMENT = re.compile(r"<title>.*?</title>")
_BOLD = re.compile(r'<text [^>]*class="(?:letter|count|figure)"')
_TILE_PX = 120
"""The width and height of the tiles of a sheet, in pixels. Empty tiles aren't cached."""
_MOST_PIXELS = 3_000_000
"""The size of the cache of pieces, enough for three boards."""
_MAX_CACHED_SHEETS = 12

Spot = tuple[int, int]


class _DrawnCache(MutableRecord):
    """A cache of drawn pieces, each after its number of pixels, the latest last, up to a number of pixels."""

    pixels: int
    pictures: OrderedDict[str, tuple[int, Sequence[tuple[Spot, Image.Image]]]] = field(
        default_factory=OrderedDict
    )
    filled: int = 0
    lock: Lock = field(default_factory=Lock)

    def get(self, key: str) -> Sequence[tuple[Spot, Image.Image]] | None:
        """Return what was drawn for a key, if it is still cached."""
        with self.lock:
            if key not in self.pictures:
                return None
            self.pictures.move_to_end(key)
            return self.pictures[key][1]

    def put(self, key: str, drawn: Sequence[tuple[Spot, Image.Image]]) -> None:
        """Cache the drawn pieces of a key, and remove the pieces that haven't been used for longest."""
        area = sum(picture.width * picture.height for _, picture in drawn)
        with self.lock:
            if key not in self.pictures:
                self.pictures[key] = area, drawn
                self.filled += area
            while self.filled > self.pixels and len(self.pictures) > 1:
                _, (gone, _) = self.pictures.popitem(last=False)
                self.filled -= gone


_pieces = _DrawnCache(_MOST_PIXELS)
_sheets = _DrawnCache(_MAX_CACHED_SHEETS * 1200 * 1200)


def compose_picture(svg: str, width_px: int) -> Image.Image:
    """Return the picture of a drawing that is put together from cached parts."""
    size = _DRAWING_SIZE.search(svg)
    assert size, "every drawing says how large it is"
    width, height = int(size[1]), int(size[2])
    style, defs = _STYLE_ELEMENT.search(svg), _DEFS.search(svg)
    compositor = _Compositor(
        (width_px, ceil(height * width_px / width)),
        width_px / width,
        style[0] if style else "",
        defs[0] if defs else "",
        dict(_SHAPE.findall(svg)),
    )
    picture = Image.new("RGB", compositor.size_px, "#ffffff")
    for section in _SECTION.finditer(svg):
        kind, high, text = section.groups()
        is_apart = kind == "pieces" or text.startswith("<g data-box")
        parts = compositor.pieces(text) if is_apart else compositor.sheet(text, int(high or height))
        for at, drawn in parts:
            picture.paste(drawn, at, drawn)
    return picture


class _Compositor(Value, frozen=True):
    """Composes a drawing. scale: pixels per unit. shapes: the outlines that pieces use, by id."""

    size_px: Spot
    scale: float
    style: str
    defs: str
    shapes: dict[str, str]

    def sheet(self, text: str, high: int) -> Sequence[tuple[Spot, Image.Image]]:
        """Return a sheet as its tiles that aren't empty. high: its height in units."""
        size = self.size_px[0], ceil(high * self.scale)
        key = f"{size}{self.scale}{self.style}{self.defs}{text}"
        tiles = _sheets.get(key)
        if tiles is None:
            tiles = tuple(_tiles(self._render_window(text, (0, 0), size)))
            _sheets.put(key, tiles)
        return tiles

    def pieces(self, text: str) -> Iterator[tuple[Spot, Image.Image]]:
        """Yield each piece with the place where it is drawn."""
        marks = list(_PIECE_GROUP.finditer(text))
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        for mark, end in zip(marks, ends, strict=False):
            inside = text[mark.end() : end].rstrip().removesuffix("</g>")
            # A title names the unit's owner. It doesn't change how the unit looks.
            inside = _TITLE_ELEMENT.sub("", inside)
            inside = _USE.sub(lambda use: f"<path {self.shapes[use[1]]}", inside)
            left_edge, top, right, low = (float(value) * self.scale for value in mark[1].split())
            first, last = (floor(left_edge), floor(top)), (ceil(right), ceil(low))
            x, y = (round(float(value or 0) * self.scale) for value in (mark[2], mark[3]))
            size = last[0] - first[0], last[1] - first[1]
            defs = self.defs if "url(#" in inside else ""
            key = f"{first}{size}{self.scale}{defs}{inside}"
            parts = _pieces.get(key)
            if parts is None:
                parts = (((0, 0), self._render_window(inside, first, size)),)
                _pieces.put(key, parts)
            yield (x + first[0], y + first[1]), parts[0][1]

    def _render_window(self, inside: str, first: Spot, size: Spot) -> Image.Image:
        """Return the part of some markup that shows in a window of the picture, in pixels."""
        lettered = "<text" in inside
        head = (self.style if "class=" in inside else "") + (self.defs if "url(#" in inside else "")
        left_edge, top, wide, high = (value / self.scale for value in (*first, *size))
        attributes = {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"{left_edge:.4f} {top:.4f} {wide:.4f} {high:.4f}",
            "width": size[0],
            "height": size[1],
            "preserveAspectRatio": "none",
            "font-family": "DejaVu Sans",
        }
        signs = " ".join(f'{name}="{value}"' for name, value in attributes.items())
        drawing = f"<svg {signs}>{head}{inside}</svg>"
        lettering = fonts() if lettered else ()
        if lettered and inside.count("<text") == len(_BOLD.findall(inside)):
            # Reading all the fonts takes ten times as long as drawing a letter with one.
            lettering = tuple(file for file in lettering if file.endswith("Sans-Bold.ttf"))
        raw = resvg_py.svg_to_bytes(svg_string=drawing, font_files=list(lettering), skip_system_fonts=True)
        with Image.open(BytesIO(bytes(raw))) as picture:
            return picture.convert("RGBA")


def _tiles(picture: Image.Image) -> Iterator[tuple[Spot, Image.Image]]:
    for top in range(0, picture.height, _TILE_PX):
        for left_edge in range(0, picture.width, _TILE_PX):
            tile = picture.crop(
                (
                    left_edge,
                    top,
                    min(left_edge + _TILE_PX, picture.width),
                    min(top + _TILE_PX, picture.height),
                )
            )
            box = tile.getbbox()
            if box:
                yield (left_edge + box[0], top + box[1]), tile.crop(box)


@cache
def fonts() -> tuple[str, ...]:
    """Return the paths of the fonts for maps, which are beside this module."""
    folder = files("adjudicator.reports").joinpath("fonts")
    return tuple(sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf")))


# Pictures with their source: drawn already, or drawn later.
#
# After an email is sent, only the source of its picture is kept. A picture that isn't needed earlier is drawn
# when its email is sent.


ASSUMED_BOARD_BYTES = 50_000
"""The assumed size of a board that isn't drawn yet. A chart counts as much as its drawing."""


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


def width_of(png: bytes) -> int:
    """Return the width of a PNG in pixels, read from its header."""
    return png.width_px if isinstance(png, DeferredPicture) else int.from_bytes(png[16:20], "big")


def weight_of(png: bytes) -> int:
    """Return the size of a PNG in bytes."""
    return min(ASSUMED_BOARD_BYTES, len(png.svg)) if isinstance(png, DeferredPicture) else len(png)


# The map of a turn: the game's board.svg filled, and made into a PNG that fits into an email.


_TEMPLATE = "board.svg"
_SHEETS_TEMPLATE = "sheets.svg"
_SHEET_SECTION = re.compile(r"<!--sheet (\w+)-->\n.*?<!--end-->", re.DOTALL)
_MAX_COLOURS = 64
_VIEW_BOX = re.compile(r'viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"')
_COLOUR_CODE = re.compile(r"#[0-9a-f]{6}\b")
_written: dict[tuple[str, str], Mapping[str, Markup]] = {}
"""The parts of boards that never change, by package and key, so that they are written once."""
_MAX_REMEMBERED = 8
"""The number of cached pictures, a few hundred kilobytes each. Drawing one takes half a second."""

LETTER_PX, BESIDE_PX = 760, 600
"""The widths of a map in an email: alone, and with an enlarged part. Both are shown up to 600 pixels wide."""
_FRONT_PIXELS = 190_000
"""The area of an enlarged part: a higher one is narrower. So an email with both stays below 200 kilobytes."""

_CHART_WIDTH = 640
"""The width of a chart in pixels. It is shown 600 pixels wide."""

_COMPRESSION_LEVEL = 6
"""The level of zlib. Level 9 takes seven times as long and saves a twentieth."""


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
    scene = game.telling.scene(view, events)
    if scene is None:
        return None
    sheets: Mapping[str, Markup] = {}
    if "sheets" in scene:
        key = game.package, str(scene["sheets"]["key"])
        if key not in _written:
            _written[key] = _written_out(game, scene["sheets"])
        sheets = _written[key]
    return _fill_template(game, view, scene, sheets, caption)


def front(
    game: Game, view: View, seat: Seat | None, events: Sequence[Event], caption: str | None = None
) -> str | None:
    """Return an enlarged part of the map for a seat as SVG, or None if the whole map does as well.

    If seat is None, return the crowded part for observers.
    """
    scene = game.telling.front(view, seat, events)
    if scene is None:
        return None
    sheets = _written_out(game, scene["sheets"]) if "sheets" in scene else {}
    return _fill_template(game, view, scene, sheets, caption)


def _fill_template(
    game: Game, view: View, scene: Mapping[str, Any], sheets: Mapping[str, Markup], caption: str | None
) -> str:
    caption_text = game.rules.turn(view).name if caption is None else caption
    return render(game, _TEMPLATE, {**scene, "sheets": sheets, "caption": caption_text})


def _written_out(game: Game, context: Mapping[str, Any]) -> Mapping[str, Markup]:
    """Return the parts of a board that never change, by name."""
    text = render(game, _SHEETS_TEMPLATE, context)
    return {sheet[1]: Markup(sheet[0]) for sheet in _SHEET_SECTION.finditer(text)}


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


def front_px(svg: str) -> int:
    """Return the width of a part of a map in pixels: that of the map, or less if the part is high."""
    size = _VIEW_BOX.search(svg)
    assert size, "every drawing says how large it is"
    return min(round(sqrt(_FRONT_PIXELS * float(size[1]) / float(size[2]))), BESIDE_PX)


@lru_cache(maxsize=_MAX_REMEMBERED)
def map_picture(svg: str, width_px: int = 1200) -> Picture:
    """Return the picture of a map, drawn once for all readers of the same map."""
    return Picture.of(png(svg, width_px), svg, width_px)


def png(svg: str, width_px: int = 1200) -> bytes:
    """Return the picture of an SVG as a PNG of few colours, lettered with the service's fonts only."""
    # Enlarged parts of a board differ every turn, so they have no sheets that could be cached.
    has_sheets = "<!--sheet " in svg and _DRAWING_SIZE.search(svg) is not None
    picture = compose_picture(svg, width_px) if has_sheets else _draw_whole(svg, width_px)
    # The palette begins with the colours that the drawing names. Otherwise the quantizer drops the colours of
    # small areas, and one nation's swatch becomes another's.
    colours = sorted(set(_COLOUR_CODE.findall(svg)))
    rest = max(_MAX_COLOURS - len(colours), 16)
    mixed = picture.quantize(rest, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).getpalette() or []
    named = [int(colour[at : at + 2], 16) for colour in colours[: 256 - len(mixed) // 3] for at in (1, 3, 5)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*named, *mixed])
    out = BytesIO()
    flat = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    flat.save(out, "PNG", compress_level=_COMPRESSION_LEVEL)
    return out.getvalue()


def _draw_whole(svg: str, width_px: int) -> Image.Image:
    """Return the picture of a drawing without cached parts."""
    raw = resvg_py.svg_to_bytes(
        svg_string=svg, width=width_px, font_files=list(fonts()), skip_system_fonts=True
    )
    with Image.open(BytesIO(bytes(raw))) as picture:
        return picture.convert("RGB")


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
