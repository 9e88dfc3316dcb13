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
from itertools import pairwise
from math import ceil, cos, floor, hypot, pi, radians, sin
from threading import Lock
from typing import Any

import resvg_py
from PIL import Image, ImageColor, ImageDraw
from PIL import __version__ as pillow_version
from zlib_ng import zlib_ng

from adjudicator import compile_cache
from adjudicator.compile_cache import CachedTable
from games.data import keep_results_in
from games.record import MutableRecord, Value, field

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
    x, y = compositor.origin
    for text, high in sections:
        is_apart = text.lstrip().startswith("<g data-box") or high is None
        for piece in compositor.pieces(text) if is_apart else ():
            for layer in piece.layers():
                layer.paste_on(picture, (x - piece.shift[0], y - piece.shift[1]), piece.paint)
        for layer in () if is_apart else compositor.sheet(text, high or 0):
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

    def paste_on(self, picture: Image.Image, origin: Spot, colour: Colour | None = None) -> None:
        """Paste the layer on a picture whose upper left corner is at a place of the board.

        colour: of a layer that is kept as a mask for all colours.
        """
        left_edge, top = self.at[0] - origin[0], self.at[1] - origin[1]
        right, low = left_edge + self.size[0], top + self.size[1]
        width, height = picture.size
        if right <= 0 or low <= 0 or left_edge >= width or top >= height:
            return
        paint, mask = colour or self.paint, self.mask
        # A picture has hundreds of layers, and the checks of `Image.paste` take longer than most pastes.
        if isinstance(paint, tuple):
            # Pasting a picture through a mask takes half the time of pasting a colour.
            pixels = Image.new("RGB", self.size, paint).im
        elif paint.mode == "RGBA":
            pixels, mask = paint.im, paint
        else:
            pixels = paint.im.convert("RGB", 0)
        box = left_edge, top, right, low
        if mask is None:
            picture.im.paste(pixels, box)
        else:
            picture.im.paste(pixels, box, mask.im)

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
        picture.load()  # the palette takes effect
    return picture


class _Look(Value, frozen=True, eq=False):
    """What the look of a piece depends on, besides its markup. scale: pixels per unit.

    shapes: the outlines that pieces use, by id.
    """

    scale: float
    style: str
    defs: str
    shapes: Mapping[str, str]


@lru_cache(maxsize=16)
def _look(scale: float, style: str, defs: str, sheets: tuple[str, ...]) -> _Look:
    return _Look(scale, style, defs, dict(shape for text in sheets for shape in _SHAPE.findall(text)))


class _Compositor(Value, frozen=True):
    """Composes a drawing. origin: the corner of the picture on the board, in pixels.

    board_px: the size of the whole board.
    """

    size_px: Spot
    origin: Spot
    board_px: Spot
    look: _Look

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
            (round(left_edge * scale), round(top * scale)),
            (ceil(round(across * scale, 3)), ceil(round(down * scale, 3))),
            _look(
                scale,
                style[0] if style else "",
                defs[0] if defs else "",
                tuple(text for text, high in sections if high is not None),
            ),
        )

    def sheet(self, text: str, high: int) -> Iterator[Layer]:
        """Yield the tiles of a sheet that show. high: its height in units, 0 for that of the board."""
        look = self.look
        size = self.board_px[0], ceil(high * look.scale) if high else self.board_px[1]
        name = _sheet_name(size, look, text)
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
        window = size[0], min(_STRIP_TILES * _TILE_PX, size[1] - top)
        strip = _render_window(self.look, text, (0, top), window)
        for down in range(0, strip.height, _TILE_PX):
            for across in range(0, strip.width, _TILE_PX):
                corner = min(across + _TILE_PX, strip.width), min(down + _TILE_PX, strip.height)
                tile = strip.crop((across, down, *corner))
                box = tile.getbbox()
                at = across, top + down
                layers = (_tile_layer(at, tile, box),) if box else ()
                yield (across // _TILE_PX, at[1] // _TILE_PX), layers

    def pieces(self, text: str) -> Iterator[_Part]:
        """Yield the parts of each piece."""
        marks = list(_PIECE.finditer(text))
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        for mark, end in zip(marks, ends, strict=False):
            yield from _parts(self.look, text[mark.start() : end])


class _Part(Value, frozen=True):
    """A piece, or one of its elements if each has its own colour.

    first, size: its window of the board, in pixels. shift: how far it is moved then. paint: its only colour,
    if it is kept as a mask for all colours. recurs: whether it will be needed on later turns and other days.
    """

    look: _Look
    name: str
    inside: str
    first: Spot
    size: Spot
    shift: Spot
    paint: Colour | None
    recurs: bool

    def layers(self) -> Sequence[Layer]:
        """Return the layers that show it, if anything shows."""
        cached = _layers if self.recurs else _passing_layers
        layers = cached.get(self.name)
        if layers is None:
            if not self.recurs:
                layers = _draw_strokes(self.inside, self.look.scale, self.first, self.size)
            if layers is None:
                drawn = _render_window(self.look, self.inside, self.first, self.size)
                if self.paint is None:
                    layers = tuple(_piece_layers(self.first, drawn, None))
                else:
                    layers = tuple(_piece_layers(self.first, drawn.getchannel("A"), self.paint))
            cached.put(self.name, layers)
        return layers


@lru_cache(maxsize=2048)
def _parts(look: _Look, markup: str) -> tuple[_Part, ...]:
    """Return the parts of a piece. The close-ups of a turn, and later turns, have the same pieces."""
    mark = _PIECE.match(markup)
    assert mark, "a piece begins with its box"
    left_edge, top, right, low = (float(value) * look.scale for value in mark[1].split())
    first, last = (floor(left_edge), floor(top)), (ceil(right), ceil(low))
    shift = round(float(mark[2] or 0) * look.scale), round(float(mark[3] or 0) * look.scale)
    # A title names the unit's owner. It doesn't change how the unit looks.
    inside = _TITLE_ELEMENT.sub("", markup[mark.end() :].rstrip().removesuffix("</g>"))
    uses_shape = inside.startswith("<use")
    inside = _USE.sub(lambda use: f"<path {look.shapes[use[1]]}", inside)
    size = last[0] - first[0], last[1] - first[1]
    # Lines of orders and heads of arrows are seldom the same again. All else is, on later turns and days.
    recurs = uses_shape or "class=" in inside or (mark[2] is not None and _elements(inside) is None)
    parts = []
    for part, paint in _tinted_parts(inside) if uses_shape else ((inside, ""),):
        # The mask is the same in every colour.
        plain = part.replace(paint, "#000000") if paint else part
        name = _name_of(
            f"piece {first} {size} {look.scale}",
            look.style if "class=" in plain else "",
            look.defs if "url(#" in plain else "",
            f"{bool(paint)}{plain}",
        )
        colour = ImageColor.getrgb(paint) if paint else None
        parts.append(_Part(look, name, plain, first, size, shift, colour, recurs))
    return tuple(parts)


def _render_window(look: _Look, inside: str, first: Spot, size: Spot) -> Image.Image:
    """Return the part of some markup that shows in a window of the board, in pixels."""
    lettered = "<text" in inside
    head = (look.style if "class=" in inside else "") + (look.defs if "url(#" in inside else "")
    left_edge, top, wide, high = (value / look.scale for value in (*first, *size))
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
    mapped.load()  # the palette takes effect
    return mapped


def _piece_layers(first: Spot, drawn: Image.Image, colour: Colour | None) -> Iterator[Layer]:
    """Yield the layer of a drawing, if anything shows. colour: of a drawing that is a mask."""
    box = drawn.getbbox()
    if box:
        part = drawn.crop(box)
        at = first[0] + box[0], first[1] + box[1]
        yield Layer(at, part.size, part) if colour is None else Layer(at, part.size, colour, part)


# Lines of orders and heads of arrows, which differ every turn. Drawing them here takes a tenth of the time
# of resvg, which compresses all pixels of a long line's box.


_ELEMENT = re.compile(r"\s*<(path|circle) ([^<>]*)/>\s*")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_PATH_COMMAND = re.compile(r"([MmLlHhVvZz])([^A-Za-z]*)")
_PATH_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_TURN = re.compile(r"rotate\((-?[\d.]+)\) scale\(([\d.]+)\)")
_LINE_COLOUR = re.compile(r"#[0-9a-f]{6}")
_DRAWN_HERE = frozenset(
    {"d", "cx", "cy", "r", "fill", "stroke", "stroke-width", "paint-order", "transform"}
    | {"stroke-dasharray", "stroke-linecap", "stroke-linejoin"}
)
_FINE = 4
"""A mask is drawn this many times larger in both directions, and then made smaller: 17 shades of an edge."""
_CIRCLE_STEPS = 48
"""The corners of a circle that is drawn as a line."""

Points = Sequence[tuple[float, float]]


def _draw_strokes(inside: str, scale: float, first: Spot, size: Spot) -> Sequence[Layer] | None:
    """Return the layers of straight lines, circles and polygons, or None if there is anything else.

    Corners of lines are round.
    """
    elements = _elements(inside)
    if elements is None:
        return None
    layers: list[Layer] = []
    for attributes, lines in elements:
        turn = _TURN.fullmatch(attributes.get("transform", ""))
        stretch = scale * _FINE * (float(turn[2]) if turn else 1)
        angle = radians(float(turn[1])) if turn else 0.0
        across, down, left_edge, top = cos(angle) * stretch, sin(angle) * stretch, *first
        shown = [
            [
                (x * across - y * down - left_edge * _FINE, x * down + y * across - top * _FINE)
                for x, y in line
            ]
            for line in lines
        ]
        lengths = [float(value) * stretch for value in attributes.get("stroke-dasharray", "").split()]
        works = [name for name in ("fill", "stroke") if attributes.get(name, "none") != "none"]
        for work in reversed(works) if attributes.get("paint-order") == "stroke" else works:
            mask = Image.new("L", (size[0] * _FINE, size[1] * _FINE))
            pen = ImageDraw.Draw(mask)
            for line in shown:
                if work == "fill":
                    pen.polygon([(round(x - 0.5), round(y - 0.5)) for x, y in line], _OPAQUE)
                    continue
                for dash in _dashes(line, lengths) if lengths else (line,):
                    width = float(attributes.get("stroke-width", "1")) * stretch
                    _draw_line(pen, dash, width, is_round=attributes.get("stroke-linecap") == "round")
            layers += _piece_layers(first, mask.reduce(_FINE), ImageColor.getrgb(attributes[work]))
    return tuple(layers)


def _elements(inside: str) -> list[tuple[dict[str, str], list[Points]]] | None:
    """Return the attributes and the lines of each element, or None if some can't be drawn here."""
    elements, at = [], 0
    while at < len(inside):
        element = _ELEMENT.match(inside, at)
        if element is None:
            return None
        attributes = dict(_ATTRIBUTE.findall(element[2]))
        if element[1] == "circle":
            x, y, radius = (float(attributes.get(name, "0")) for name in ("cx", "cy", "r"))
            steps = [2 * pi * step / _CIRCLE_STEPS for step in range(_CIRCLE_STEPS + 1)]
            lines: list[Points] | None = [
                [(x + radius * cos(step), y + radius * sin(step)) for step in steps]
            ]
        else:
            lines = _lines(attributes.get("d", ""))
        is_known = (
            lines is not None
            and _DRAWN_HERE.issuperset(attributes)
            and all(
                attributes.get(name, "none") == "none" or _LINE_COLOUR.fullmatch(attributes[name])
                for name in ("fill", "stroke")
            )
            and ("transform" not in attributes or _TURN.fullmatch(attributes["transform"]))
            # Without the attribute, areas are filled with black.
            and ("fill" in attributes or all(len(line) == 2 for line in lines))
        )
        if not is_known:
            return None
        elements.append((attributes, lines or []))
        at = element.end()
    return elements


def _lines(d: str) -> list[Points] | None:
    """Return the lines of a path of straight steps, or None for another path."""
    lines: list[Any] = []
    x = y = 0.0
    end = 0
    for step in _PATH_COMMAND.finditer(d):
        if step.start() != end:
            return None
        end = step.end()
        values = [float(value) for value in _PATH_NUMBER.findall(step[2])]
        verb = step[1].upper()
        is_relative = step[1] != verb
        if verb == "Z":
            lines[-1].append(lines[-1][0])
            x, y = lines[-1][0]
            continue
        if verb in "HV":
            pairs = [
                (value, 0.0 if is_relative else y) if verb == "H" else (0.0 if is_relative else x, value)
                for value in values
            ]
        else:
            pairs = list(zip(values[::2], values[1::2], strict=True))
        for number, (across, down) in enumerate(pairs):
            x, y = (x + across, y + down) if is_relative else (across, down)
            if verb == "M" and number == 0:
                lines.append([])
            lines[-1].append((x, y))
    return lines if end == len(d) and lines else None


def _dashes(line: Points, lengths: Sequence[float]) -> Iterator[Points]:
    """Yield the dashes of a line. lengths: of a dash, of the gap after it, and so on."""
    number, left, dash = 0, lengths[0], [line[0]]
    for (x1, y1), (x2, y2) in pairwise(line):
        long, at = hypot(x2 - x1, y2 - y1), 0.0
        while long - at > left:
            at += left
            spot = x1 + (x2 - x1) * at / long, y1 + (y2 - y1) * at / long
            if number % 2 == 0:
                yield [*dash, spot]
            number += 1
            left, dash = lengths[number % len(lengths)], [spot]
        left -= long - at
        dash.append((x2, y2))
    if number % 2 == 0:
        yield dash


def _draw_line(pen: ImageDraw.ImageDraw, line: Points, width: float, *, is_round: bool) -> None:
    """Draw a line with round corners. is_round: whether its ends are round too."""
    # A polygon includes the pixels of its edges, so it is drawn a little narrower.
    half = width / 2 - 0.25
    for (x1, y1), (x2, y2) in pairwise(line):
        long = hypot(x2 - x1, y2 - y1)
        if long >= 1:
            across, down = (y1 - y2) / long * half, (x2 - x1) / long * half
            corners = (
                (x1 + across, y1 + down),
                (x2 + across, y2 + down),
                (x2 - across, y2 - down),
                (x1 - across, y1 - down),
            )
            pen.polygon([(round(x - 0.5), round(y - 0.5)) for x, y in corners], _OPAQUE)
    is_closed = line[0] == line[-1]
    for x, y in line if is_round or is_closed else line[1:-1]:
        far = width / 2
        pen.ellipse((round(x - far), round(y - far), round(x + far) - 1, round(y + far) - 1), _OPAQUE)


@lru_cache(maxsize=64)
def _sheet_name(size: Spot, look: _Look, text: str) -> str:
    return _name_of(f"sheet {size} {look.scale}", look.style, look.defs, text)


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


_LAYER_FORMAT = "3"
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
