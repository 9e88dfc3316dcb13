"""A drawing put together from what was drawn before: sheets that stay, and small pieces.

Between the marks ``<!--sheet NAME-->`` and ``<!--end-->`` a drawing holds what is the same turn after turn;
``<!--sheet NAME 1200-->`` says how far down it reaches, where the drawing is now higher, now lower. Between
``<!--pieces-->`` and ``<!--end-->`` are groups, each with its box (``data-box``). Either is drawn once and
kept; the picture of a turn is laid together from them, pixel by pixel the same whatever was kept before.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO
from math import ceil, floor
from threading import Lock

import resvg_py
from PIL import Image

from games.record import MutableRecord, Value, field

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
"""Sheets are kept in tiles of so many pixels, those that show something."""
_MOST_PIXELS = 3_000_000
"""So much is kept of pieces: three boards' worth."""
_MAX_CACHED_SHEETS = 12

Spot = tuple[int, int]


class _DrawnCache(MutableRecord):
    """A cache of drawn pieces, the latest last, up to a number of pixels."""

    pixels: int
    pictures: OrderedDict[str, Sequence[tuple[Spot, Image.Image]]] = field(default_factory=OrderedDict)
    filled: int = 0
    lock: Lock = field(default_factory=Lock)

    def get(self, key: str) -> Sequence[tuple[Spot, Image.Image]] | None:
        """Return what was drawn for a key, if it is still cached."""
        with self.lock:
            parts = self.pictures.get(key)
            if parts is not None:
                self.pictures.move_to_end(key)
            return parts

    def put(self, key: str, drawn: Sequence[tuple[Spot, Image.Image]]) -> None:
        """Keep what was drawn, and let go of what nobody asked for lately."""
        with self.lock:
            if key not in self.pictures:
                self.pictures[key] = drawn
                self.filled += _area(drawn)
            while self.filled > self.pixels and len(self.pictures) > 1:
                _, gone = self.pictures.popitem(last=False)
                self.filled -= _area(gone)


_pieces = _DrawnCache(_MOST_PIXELS)
_sheets = _DrawnCache(_MAX_CACHED_SHEETS * 1200 * 1200)


def is_composed(svg: str) -> bool:
    """Return whether a drawing marks the sheets and pieces that can be cached.

    For a part of a board nothing is cached: each turn has another one.
    """
    return "<!--sheet " in svg and _DRAWING_SIZE.search(svg) is not None


def compose_picture(svg: str, width_px: int) -> Image.Image:
    """Return the picture of a drawing that is put together from cached parts."""
    compositor = _Compositor.of(svg, width_px)
    picture = Image.new("RGB", compositor.size_px, "#ffffff")
    for section in _SECTION.finditer(svg):
        kind, high, text = section.groups()
        is_apart = kind == "pieces" or text.startswith("<g data-box")
        parts = (
            compositor.pieces(text) if is_apart else compositor.sheet(text, int(high or compositor.size[1]))
        )
        for at, drawn in parts:
            picture.paste(drawn, at, drawn)
    return picture


class _Compositor(Value, frozen=True):
    """Lays one drawing. size: in its units; shapes: the outlines that pieces use, by id."""

    size: Spot
    size_px: Spot
    style: str
    defs: str
    shapes: dict[str, str]

    @staticmethod
    def of(svg: str, width_px: int) -> _Compositor:
        """That for a drawing."""
        size = _DRAWING_SIZE.search(svg)
        style, defs = _STYLE_ELEMENT.search(svg), _DEFS.search(svg)
        assert size, "every drawing says how large it is"
        width, height = int(size[1]), int(size[2])
        return _Compositor(
            (width, height),
            (width_px, ceil(height * width_px / width)),
            style[0] if style else "",
            defs[0] if defs else "",
            dict(_SHAPE.findall(svg)),
        )

    @property
    def scale(self) -> float:
        """Pixels for each unit."""
        return self.size_px[0] / self.size[0]

    def sheet(self, text: str, high: int) -> Sequence[tuple[Spot, Image.Image]]:
        """A sheet so many units high, in the tiles that show something."""
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
            # What says whose unit it is changes nothing of how it looks.
            inside = _TITLE_ELEMENT.sub("", inside)
            inside = _USE.sub(lambda use: f"<path {self.shapes[use[1]]}", inside)
            left_edge, top, right, low = (float(value) * self.scale for value in mark[1].split())
            first, last = (floor(left_edge), floor(top)), (ceil(right), ceil(low))
            x, y = (round(float(value or 0) * self.scale) for value in (mark[2], mark[3]))
            drawn = self._piece(inside, first, (last[0] - first[0], last[1] - first[1]))
            yield (x + first[0], y + first[1]), drawn

    def _piece(self, inside: str, first: Spot, size: Spot) -> Image.Image:
        defs = self.defs if "url(#" in inside else ""
        key = f"{first}{size}{self.scale}{defs}{inside}"
        parts = _pieces.get(key)
        if parts is None:
            parts = (((0, 0), self._render_window(inside, first, size)),)
            _pieces.put(key, parts)
        return parts[0][1]

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


def _area(drawn: Sequence[tuple[Spot, Image.Image]]) -> int:
    return sum(picture.width * picture.height for _, picture in drawn)


@cache
def fonts() -> tuple[str, ...]:
    """The fonts that maps are lettered with, which lie beside this module."""
    folder = files("adjudicator.reports").joinpath("fonts")
    return tuple(sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf")))
