"""Drawings as pixels: put together from layers that are drawn once and kept, in memory and on disk.

In a drawing, the parts between ``<!--sheet NAME-->`` and ``<!--end-->`` stay the same every turn. ``<!--sheet
NAME 1200-->`` gives the height of a sheet if the height of the drawing varies. Between ``<!--pieces-->`` and
``<!--end-->`` are groups, each with its box (``data-box``). A close-up says of which board it is a part and
how much larger it is (``data-board``). All close-ups of a board with one magnification share their layers.
A picture has the same pixels whatever was kept.
"""

from __future__ import annotations

import hashlib
import marshal
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from math import ceil, floor
from threading import Lock
from typing import Any

import resvg_py
from PIL import Image, ImageColor
from PIL import __version__ as pillow_version
from zlib_ng import zlib_ng

from adjudicator import compile_cache
from adjudicator.compile_cache import CachedTable
from games.data import keep_results_in
from games.record import MutableRecord, Value, field, replace_fields

Spot = tuple[int, int]
Colour = tuple[int, ...]

_MARK = re.compile(r"<!--(?:sheet \w+(?: (\d+))?|(pieces)(?: \w+)?|(end))-->\n?")
_WINDOW = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)"')
_BOARD = re.compile(r'data-board="(\d+) (\d+) ([\d.]+)"')
_PIECE = re.compile(
    r'<g data-box="([-\d ]+)"(?: data-whole="")?(?: transform="translate\(([-\d.]+) ([-\d.]+)\)")?>'
)
_SHAPE = re.compile(r'<path id="(\w+)" (d="[^"]*")')
_USE = re.compile(r'<use href="#(\w+)"')
_TINTED = re.compile(r'(<path [^>]*"(#[0-9a-f]{6})"[^>]*/>)')
_COLOUR_ATTRIBUTE = re.compile(r"#[0-9a-f]{6}\b")
_STYLE_ELEMENT = re.compile(r"<style>.*?</style>", re.DOTALL)
_DEFS = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_TITLE_ELEMENT = re.compile(r"<title>.*?</title>")
_BOLD = re.compile(r'<text [^>]*class="(?:letter|count|figure)"')
_TILE_PX = 128
"""The width and height of the tiles of a sheet, in pixels. Empty tiles aren't kept."""
_STRIP_TILES = 8
"""The number of rows of tiles that are drawn at once, so that a large board doesn't fill the memory."""
_MAX_COLOURS = 256
_LAYER_BYTES, _LAYER_BYTES_WITHOUT_DISK, _PASSING_BYTES = 40_000_000, 80_000_000, 4_000_000
"""The size of the layers in memory: most of those of a board with its close-ups. Layers take long to draw."""
_OPAQUE = 255


def compose_picture(svg: str, width_px: int) -> Image.Image:
    """Return the picture of a drawing that is put together from layers."""
    sections = tuple(_sections(svg))
    compositor = _Compositor.of(svg, width_px, sections)
    picture = Image.new("RGB", compositor.size_px, "#ffffff")
    for text, high in sections:
        is_apart = text.lstrip().startswith("<g data-box") or high is None
        for layer in compositor.pieces(text) if is_apart else compositor.sheet(text, high or 0):
            layer.paste_on(picture, compositor.origin)
    _layers.save()
    return picture


def _sections(svg: str) -> Iterator[tuple[str, int | None]]:
    """Yield the text of each section: with the height that it gives or 0 for a sheet, None for pieces."""
    start, high, inside = 0, None, False
    for mark in _MARK.finditer(svg):
        if mark[3] and inside:
            yield svg[start : mark.start()], high
        start, inside = mark.end(), not mark[3]
        high = None if mark[2] else int(mark[1] or 0)


class Layer(Value, frozen=True):
    """Pixels at a place of a board.

    paint: one colour, an RGBA picture, or a palette picture. mask: what the paint covers; None for all of it,
    or for the opaque pixels of an RGBA picture.
    """

    at: Spot
    size: Spot
    paint: Image.Image | Colour
    mask: Image.Image | None = None

    def paste_on(self, picture: Image.Image, origin: Spot) -> None:
        """Paste the layer on a picture whose upper left corner is at a place of the board."""
        left_edge, top = self.at[0] - origin[0], self.at[1] - origin[1]
        right, low = left_edge + self.size[0], top + self.size[1]
        if right <= 0 or low <= 0 or left_edge >= picture.width or top >= picture.height:
            return
        paint, mask = self.paint, self.mask
        if isinstance(paint, tuple):
            # Pasting a picture through a mask takes half the time of pasting a colour.
            paint = Image.new("RGB", self.size, paint)
        elif paint.mode == "RGBA":
            mask = paint
        else:
            paint = paint.convert("RGB")
        picture.paste(paint, (left_edge, top, right, low), mask)

    def pack(self) -> bytes:
        """Return the layer as bytes."""
        paint: Any = _pack_pixels(self.paint) if isinstance(self.paint, Image.Image) else self.paint
        mask: Any = self.mask and _pack_pixels(self.mask)
        return marshal.dumps((self.at, self.size, paint, mask))

    @staticmethod
    def unpack(packed: bytes) -> Layer:
        """Return a layer from its bytes."""
        at, size, paint, mask = marshal.loads(packed)  # from a folder of our own
        return Layer(
            at,
            size,
            _unpack_pixels(paint, size) if isinstance(paint[0], str) else paint,
            mask and _unpack_pixels(mask, size),
        )

    @property
    def weight(self) -> int:
        """Return the number of bytes in memory."""
        area = self.size[0] * self.size[1]
        paint = len(self.paint.getbands()) * area if isinstance(self.paint, Image.Image) else 0
        return paint + (area if self.mask else 0)


def _pack_pixels(picture: Image.Image) -> tuple[str, bytes, bytes]:
    palette = bytes(picture.getpalette() or ()) if picture.mode == "P" else b""
    return picture.mode, palette, zlib_ng.compress(picture.tobytes(), 1)


def _unpack_pixels(packed: tuple[str, bytes, bytes], size: Spot) -> Image.Image:
    mode, palette, pixels = packed
    picture = Image.frombytes(mode, size, zlib_ng.decompress(pixels))
    if mode == "P":
        picture.putpalette(palette)
    return picture


class _Compositor(Value, frozen=True):
    """Composes a drawing. scale: pixels per unit. origin: the corner of the picture on the board, in pixels.

    board_px: the size of the whole board. shapes: the outlines that pieces use, by id.
    """

    size_px: Spot
    scale: float
    origin: Spot
    board_px: Spot
    style: str
    defs: str
    shapes: Mapping[str, str]

    @staticmethod
    def of(svg: str, width_px: int, sections: Sequence[tuple[str, int | None]]) -> _Compositor:
        """Return the compositor of a drawing."""
        head = svg[: svg.find("<!--")]
        view, board = _WINDOW.search(head), _BOARD.search(head)
        assert view, "every drawing says how large it is"
        left_edge, top, width, height = map(float, view.groups())
        # All close-ups with one magnification have exactly the same scale.
        scale = width_px * float(board[3]) / int(board[1]) if board else width_px / width
        size_px = width_px, ceil(round(height * scale, 3))
        across, down = (int(board[1]), int(board[2])) if board else (left_edge + width, top + height)
        style, defs = _STYLE_ELEMENT.search(head), _DEFS.search(head)
        return _Compositor(
            size_px,
            scale,
            (round(left_edge * scale), round(top * scale)),
            (ceil(round(across * scale, 3)), ceil(round(down * scale, 3))),
            style[0] if style else "",
            defs[0] if defs else "",
            dict(shape for text, high in sections if high is not None for shape in _shapes(text)),
        )

    def sheet(self, text: str, high: int) -> Iterator[Layer]:
        """Yield the tiles of a sheet that show. high: its height in units, 0 for that of the board."""
        size = self.board_px[0], ceil(high * self.scale) if high else self.board_px[1]
        name = _name_of(f"sheet {size} {self.scale}", self.style, self.defs, text)
        (left_edge, top), (width, height) = self.origin, self.size_px
        for row in range(max(top, 0) // _TILE_PX, ceil(min(top + height, size[1]) / _TILE_PX)):
            for column in range(
                max(left_edge, 0) // _TILE_PX, ceil(min(left_edge + width, size[0]) / _TILE_PX)
            ):
                layers = _layers.get(f"{name} {column} {row}")
                if layers is None:
                    tiles = dict(self._strip(text, size, row // _STRIP_TILES))
                    for (across, down), drawn in tiles.items():
                        _layers.put(f"{name} {across} {down}", drawn)
                    layers = tiles[column, row]
                yield from layers

    def _strip(self, text: str, size: Spot, number: int) -> Iterator[tuple[Spot, Sequence[Layer]]]:
        """Yield the tiles of some rows of a sheet, which are always drawn together, as a layer or none."""
        top = number * _STRIP_TILES * _TILE_PX
        strip = self._render_window(text, (0, top), (size[0], min(_STRIP_TILES * _TILE_PX, size[1] - top)))
        for down in range(0, strip.height, _TILE_PX):
            for across in range(0, strip.width, _TILE_PX):
                corner = min(across + _TILE_PX, strip.width), min(down + _TILE_PX, strip.height)
                tile = strip.crop((across, down, *corner))
                box = tile.getbbox()
                at = across, top + down
                layers = (_tile_layer(at, tile, box),) if box else ()
                yield (across // _TILE_PX, at[1] // _TILE_PX), layers

    def pieces(self, text: str) -> Iterator[Layer]:
        """Yield the layers of each piece, at its place."""
        marks = list(_PIECE.finditer(text))
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        for mark, end in zip(marks, ends, strict=False):
            inside = text[mark.end() : end].rstrip().removesuffix("</g>")
            left_edge, top, right, low = (float(value) * self.scale for value in mark[1].split())
            first, last = (floor(left_edge), floor(top)), (ceil(right), ceil(low))
            x, y = (round(float(value or 0) * self.scale) for value in (mark[2], mark[3]))
            # A title names the unit's owner. It doesn't change how the unit looks.
            inside = _TITLE_ELEMENT.sub("", inside)
            uses_shape = inside.startswith("<use")
            inside = _USE.sub(lambda use: f"<path {self.shapes[use[1]]}", inside)
            size = last[0] - first[0], last[1] - first[1]
            # Lines of orders are seldom the same again. All else is, on later turns and other days.
            recurs = mark[2] is not None or "class=" in inside
            for part, paint in _tinted_parts(inside) if uses_shape else ((inside, ""),):
                for layer in self._piece(part, first, size, paint, recurs=recurs or uses_shape):
                    at = layer.at[0] + x, layer.at[1] + y
                    yield replace_fields(
                        layer, at=at, paint=ImageColor.getrgb(paint) if paint else layer.paint
                    )

    def _piece(self, inside: str, first: Spot, size: Spot, paint: str, *, recurs: bool) -> Sequence[Layer]:
        """Return the layer of a piece, if it shows anything. paint: its only colour, or empty."""
        if paint:
            # The mask is the same in every colour.
            inside = inside.replace(paint, "#000000")
        name = _name_of(
            f"piece {first} {size} {self.scale}",
            self.style if "class=" in inside else "",
            self.defs if "url(#" in inside else "",
            f"{bool(paint)}{inside}",
        )
        cached = _layers if recurs else _passing_layers
        layers = cached.get(name)
        if layers is None:
            drawn = self._render_window(inside, first, size)
            layers = tuple(_piece_layers(first, drawn, is_mask=bool(paint)))
            cached.put(name, layers)
        return layers

    def _render_window(self, inside: str, first: Spot, size: Spot) -> Image.Image:
        """Return the part of some markup that shows in a window of the board, in pixels."""
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
        lettering = fonts() if lettered else ()
        if lettered and inside.count("<text") == len(_BOLD.findall(inside)):
            # Reading all the fonts takes ten times as long as drawing a letter with one.
            lettering = tuple(file for file in lettering if file.endswith("Sans-Bold.ttf"))
        return render_svg(f"<svg {signs}>{head}{inside}</svg>", lettering)


def _tinted_parts(inside: str) -> Sequence[tuple[str, str]]:
    """Return the elements of a piece, each with its colour, or all of it if some element has several."""
    parts: list[tuple[str, str]] = _TINTED.findall(inside)
    is_all = "".join(part for part, _ in parts) == inside and len(_COLOUR_ATTRIBUTE.findall(inside)) == len(
        parts
    )
    return parts if is_all else ((inside, ""),)


def _tile_layer(at: Spot, tile: Image.Image, box: tuple[int, int, int, int]) -> Layer:
    """Return a tile of a sheet without its empty edges, in few colours. box: what isn't empty."""
    part = tile.crop(box)
    covers = part.getchannel("A")
    mask = None if covers.getextrema() == (_OPAQUE, _OPAQUE) else covers
    paint = _reduce(part)
    place = at[0] + box[0], at[1] + box[1]
    return Layer(place, part.size, paint, mask)


def _reduce(part: Image.Image) -> Image.Image | Colour:
    """Return a picture with 256 colours at most, or its only colour. Its most frequent colours stay exact."""
    counts = part.getcolors(part.width * part.height) or []
    frequent = sorted((-count, colour) for count, colour in counts if isinstance(colour, tuple) and colour[3])
    palette = distinct_colours(colour[:3] for _, colour in frequent)
    return palette[0] if len(palette) == 1 else map_to_palette(part.convert("RGB"), palette)


def distinct_colours(colours: Iterable[Colour]) -> Sequence[Colour]:
    """Return the first 256 colours that can be told apart by the quantizer, which ignores two bits."""
    palette: dict[Colour, Colour] = {}
    for colour in colours:
        palette.setdefault(tuple(value >> 2 for value in colour), colour)
        if len(palette) == _MAX_COLOURS:
            break
    return [*palette.values()]


def map_to_palette(picture: Image.Image, colours: Sequence[Colour]) -> Image.Image:
    """Return an RGB picture in at most 256 distinct colours: of each pixel the nearest."""
    # The quantizer compares colours without their last two bits. A colour of the palette stays exact only if
    # it is compared in the same way.
    palette = Image.new("P", (1, 1))
    palette.putpalette([value & ~3 for colour in colours for value in colour])
    mapped = picture.quantize(palette=palette, dither=Image.Dither.NONE)
    mapped.putpalette([value for colour in colours for value in colour])
    return mapped


def _piece_layers(first: Spot, drawn: Image.Image, *, is_mask: bool) -> Iterator[Layer]:
    box = drawn.getbbox()
    if box:
        part = drawn.crop(box)
        at = first[0] + box[0], first[1] + box[1]
        yield Layer(at, part.size, (0, 0, 0), part.getchannel("A")) if is_mask else Layer(at, part.size, part)


@lru_cache(maxsize=32)
def _shapes(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(_SHAPE.findall(text))


@lru_cache(maxsize=1024)
def _name_of(*parts: str) -> str:
    """Return the name that a layer is kept under: a hash of all that it depends on."""
    made_by = (resvg_py.__version__, pillow_version, _LAYER_FORMAT)
    return hashlib.sha256("\0".join((*made_by, *parts)).encode()).hexdigest()


def render_svg(svg: str, lettering: Sequence[str] | None = None, width_px: int | None = None) -> Image.Image:
    """Return the RGBA picture of an SVG. lettering: the font files, by default all."""
    raw = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width_px,
        font_files=list(fonts() if lettering is None else lettering),
        skip_system_fonts=True,
    )
    with Image.open(BytesIO(bytes(raw))) as picture:
        return picture.convert("RGBA")


@cache
def fonts() -> tuple[str, ...]:
    """Return the paths of the fonts for maps, which are beside this module."""
    folder = files("adjudicator.reports").joinpath("fonts")
    return tuple(sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf")))


# Kept layers: the latest in memory, and those that will be needed again on disk too. So the first picture
# of a process draws only what is new. Each can be drawn again, so a disk that can't be used is ignored.


_LAYER_FORMAT = "2"
"""The number of this form of layers. It changes with what `_Compositor` makes of a drawing."""
_MAX_TABLE_BYTES = 150_000_000
"""When the file is larger it is deleted, since most layers are of boards that were drawn long ago."""
_MAX_LAYOUT_BYTES = 20_000_000
"""The same for the file with places of names, which games compute: some 100 kB for a board and scale."""
_ENTRY_BYTES = 400
"""What a name and its objects take in memory."""


class LayerCache(MutableRecord):
    """Layers by name, the latest last.

    room, room_without_disk: the most bytes in memory. table: the layers on disk, if any are kept there.
    """

    room: int
    room_without_disk: int
    table: CachedTable | None = None
    kept: OrderedDict[str, tuple[int, Sequence[Layer]]] = field(default_factory=OrderedDict)
    filled: int = 0
    new: dict[str, bytes] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def get(self, name: str) -> Sequence[Layer] | None:
        """Return the layers that are kept under a name, or None."""
        with self.lock:
            if name in self.kept:
                self.kept.move_to_end(name)
                return self.kept[name][1]
            packed = self.table.read(name) if self.table else None
            if packed is None:
                return None
            layers = tuple(map(Layer.unpack, marshal.loads(packed)))  # from a folder of our own
            self._remember(name, layers)
            return layers

    def put(self, name: str, layers: Sequence[Layer]) -> None:
        """Keep layers under a name. `save` writes them to disk."""
        with self.lock:
            self._remember(name, layers)
            if self.table and compile_cache.is_enabled():
                self.new[name] = marshal.dumps([layer.pack() for layer in layers])

    def save(self) -> None:
        """Write new layers to disk."""
        with self.lock:
            if self.table:
                self.table.write(self.new)
            self.new.clear()

    def clear(self) -> None:
        """Forget everything in memory."""
        with self.lock:
            self.kept.clear()
            self.new.clear()
            self.filled = 0

    def _remember(self, name: str, layers: Sequence[Layer]) -> None:
        if name in self.kept:
            self.filled -= self.kept.pop(name)[0]
        weight = _ENTRY_BYTES + sum(layer.weight for layer in layers)
        self.kept[name] = weight, layers
        self.filled += weight
        room = self.room if compile_cache.is_enabled() else self.room_without_disk
        while self.filled > room and len(self.kept) > 1:
            _, (gone, _) = self.kept.popitem(last=False)
            self.filled -= gone


_layers = LayerCache(_LAYER_BYTES, _LAYER_BYTES_WITHOUT_DISK, CachedTable("layers.sqlite", _MAX_TABLE_BYTES))
keep_results_in(CachedTable("layouts.sqlite", _MAX_LAYOUT_BYTES))
_passing_layers = LayerCache(_PASSING_BYTES, _PASSING_BYTES)
"""Lines of orders, which the close-ups of a turn share. They must not drive out what every turn needs."""
