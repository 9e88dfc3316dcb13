"""The map of a turn: the game's board.svg filled, and made into a PNG that a letter can carry."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from math import sqrt
from typing import Any

import resvg_py
from markupsafe import Markup
from PIL import Image

from adjudicator.reports import maps
from adjudicator.reports.drawn_from import DeferredPicture, Picture
from adjudicator.reports.history import History
from adjudicator.reports.render import render
from games.protocol import Event, Game, Seat, State, View
from games.protocol.optional import SupportsZoomedMap
from games.record import Value

_TEMPLATE = "board.svg"
_SHEETS_TEMPLATE = "sheets.svg"
_SHEET_SECTION = re.compile(r"<!--sheet (\w+)-->\n.*?<!--end-->", re.DOTALL)
_MAX_COLOURS = 64
_VIEW_BOX = re.compile(r'viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"')
_COLOUR_CODE = re.compile(r"#[0-9a-f]{6}\b")
_written: dict[tuple[str, str], Mapping[str, Markup]] = {}
_MAX_REMEMBERED = 8
"""So many pictures are remembered, each of some hundred kilobytes: drawing one takes half a second."""

LETTER_PX, BESIDE_PX = 760, 600
"""How wide pictures in letters are, all of which are shown 600 pixels wide at most: the map alone, and beside
a part of it drawn larger."""
_FRONT_PIXELS = 190_000
"""Of a part drawn larger: the higher it is, the narrower, for it weighs by its area. So a letter with both
stays below 200 kilobytes."""

_CHART_WIDTH = 640
"""Of a chart that is shown 600 pixels wide."""

_COMPRESSION_LEVEL = 6
"""Of zlib: 9 takes seven times as long and saves a twentieth."""


class Drawing(Value, frozen=True):
    """A map in both its forms. front: the part of it that concerns somebody, larger, as PNG."""

    svg: str
    png: bytes
    front: bytes | None = None


def has_fronts(game: Game) -> bool:
    """Return whether the seats of a game are shown parts of the map of their own."""
    return isinstance(game.telling, SupportsZoomedMap)


def svg(game: Game, view: View, events: Sequence[Event], caption: str | None = None) -> str | None:
    """The map as SVG, or None for a game that has no picture.

    view: the position as its readers may know it; events: what led to it, as they may know that too. caption:
    what stands below the title; the name of the turn to come if nothing is said.
    """
    scene = game.telling.scene(view, events)
    if scene is None:
        return None
    sheets = _sheets(game, scene["sheets"]) if "sheets" in scene else {}
    return _fill_template(game, view, scene, sheets, caption)


def front(
    game: Game, view: View, seat: Seat | None, events: Sequence[Event], caption: str | None = None
) -> str | None:
    """The part of the map that concerns a seat, larger, as SVG; None where the whole map does as well.

    seat None: the crowded part of the board, for who watches.
    """
    scene = game.telling.front(view, seat, events) if isinstance(game.telling, SupportsZoomedMap) else None
    if scene is None:
        return None
    sheets = _written_out(game, scene["sheets"]) if "sheets" in scene else {}
    return _fill_template(game, view, scene, sheets, caption)


def _fill_template(
    game: Game, view: View, scene: Mapping[str, Any], sheets: Mapping[str, Markup], caption: str | None
) -> str:
    caption_text = game.rules.turn(view).name if caption is None else caption
    return render(game, _TEMPLATE, {**scene, "sheets": sheets, "caption": caption_text})


def _sheets(game: Game, context: Mapping[str, Any]) -> Mapping[str, Markup]:
    """The sheets of a board, by name: what never changes on it, written once for each key."""
    key = game.package, str(context["key"])
    if key not in _written:
        _written[key] = _written_out(game, context)
    return _written[key]


def _written_out(game: Game, context: Mapping[str, Any]) -> Mapping[str, Markup]:
    text = render(game, _SHEETS_TEMPLATE, context)
    return {sheet[1]: Markup(sheet[0]) for sheet in _SHEET_SECTION.finditer(text)}


def map_of(game: Game, state: State, viewer: Seat | None) -> bytes | None:
    """The map as a viewer may see it now, as PNG; None for a game that has no picture."""
    scene = svg(game, game.rules.view(state, viewer), ())
    return None if scene is None else map_picture(scene)


def chart_of(history: History, *, later: bool = False) -> bytes:
    """The chart of a game over time, as PNG. later: drawn when its letter goes."""
    chart = history.chart()
    return DeferredPicture.from_svg(chart, _CHART_WIDTH) if later else _chart_picture(chart)


@lru_cache(maxsize=_MAX_REMEMBERED)
def _chart_picture(svg: str) -> Picture:
    return Picture.of(png(svg, _CHART_WIDTH), svg, _CHART_WIDTH)


def front_px(svg: str) -> int:
    """Return the width in pixels at which a part of a map is drawn: the map's, or less if the part
    is high.
    """
    size = _VIEW_BOX.search(svg)
    assert size, "every drawing says how large it is"
    return min(round(sqrt(_FRONT_PIXELS * float(size[1]) / float(size[2]))), BESIDE_PX)


@lru_cache(maxsize=_MAX_REMEMBERED)
def map_picture(svg: str, width_px: int = 1200) -> Picture:
    """Return the picture of a map, drawn once for all who see the same map."""
    return Picture.of(png(svg, width_px), svg, width_px)


def png(svg: str, width_px: int = 1200) -> bytes:
    """The picture of an SVG as a PNG of few colours, lettered with the fonts beside this module only."""
    return _encode_png(
        maps.compose_picture(svg, width_px) if maps.is_composed(svg) else _whole(svg, width_px), svg
    )


def _encode_png(picture: Image.Image, svg: str) -> bytes:
    flat = _reduce_colours(picture, sorted(set(_COLOUR_CODE.findall(svg))))
    out = BytesIO()
    flat.save(out, "PNG", compress_level=_COMPRESSION_LEVEL)
    return out.getvalue()


def _whole(svg: str, width_px: int) -> Image.Image:
    """The picture of a drawing of which nothing is kept."""
    raw = resvg_py.svg_to_bytes(
        svg_string=svg, width=width_px, font_files=list(maps.fonts()), skip_system_fonts=True
    )
    with Image.open(BytesIO(bytes(raw))) as picture:
        return picture.convert("RGB")


def _reduce_colours(picture: Image.Image, kept: list[str]) -> Image.Image:
    """Return the picture in few colours, those that the drawing names among them.

    Left to itself the quantizer drops the colours of small areas, and one nation's swatch becomes
    another's.
    """
    rest = max(_MAX_COLOURS - len(kept), 16)
    mixed = picture.quantize(rest, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).getpalette() or []
    named = [int(colour[at : at + 2], 16) for colour in kept[: 256 - len(mixed) // 3] for at in (1, 3, 5)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*named, *mixed])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)
