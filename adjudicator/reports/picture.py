"""The map of a turn: the game's board.svg filled, and made into a PNG that a letter can carry."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import resvg_py
from PIL import Image

from adjudicator.reports.render import render
from games.protocol import Event, Game

_TEMPLATE = "board.svg"
_COLOURS = 128


def svg(game: Game, view: Any, events: Sequence[Event], caption: str | None = None) -> str | None:
    """The map as SVG, or None for a game that has no picture.

    view: the position as its readers may know it; events: what led to it, as they may know that too. caption:
    what stands below the title; the name of the turn to come if nothing is said.
    """
    scene = game.telling.scene(view, events)
    if scene is None:
        return None
    said = game.rules.turn(view).name if caption is None else caption
    return render(game, _TEMPLATE, {**scene, "caption": said})


def png(svg: str, width_px: int = 1200) -> bytes:
    """The picture of an SVG as a PNG of 128 colours, lettered with the fonts beside this module only."""
    raw = bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width_px, font_files=list(_fonts()), skip_system_fonts=True
        )
    )
    with Image.open(BytesIO(raw)) as picture:
        flat = picture.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    out = BytesIO()
    flat.save(out, "PNG", optimize=True)
    return out.getvalue()


@cache
def _fonts() -> tuple[str, ...]:
    folder = files("adjudicator.reports").joinpath("fonts")
    return tuple(sorted(str(file) for file in folder.iterdir() if file.name.endswith(".ttf")))
