"""What board.svg draws: cells, cubes, wagons, tracks and what moved, in picture units."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, degrees, hypot
from typing import Any

from games.plains_indian_wars.atlas import Box, atlas, spaces, tile_box
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import AnyEvent, ColumnMoved
from games.plains_indian_wars.geography import Point, geography
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import COLOURS, SOLDIERS, TRIBES, Colour, Region, View
from games.plains_indian_wars.nations.tables import state_of_play
from games.plains_indian_wars.paints import HELD, PAINT, ROAD
from games.plains_indian_wars.pointing import Went, title
from games.plains_indian_wars.railroad import line_of
from games.plains_indian_wars.scoring import points, schedule, totals
from games.plains_indian_wars.sheets import (
    BAND,
    LETTERS,
    ground,
    has_rails,
    has_trails,
    kind,
    legend,
    nations_play,
    numbers,
    sheets,
)
from games.plains_indian_wars.slips import laid, slips

_SHORT = 23.0
"""How far from the middle of tiles an arrow stays."""
_LEGEND, _COLUMN, _ROWS, _LEADING = (500, 44), 350, 4, 34
_READY, _FALLEN = 262, 322
"""The legend's first row in its strip, how rows follow each other, and where their numbers stand."""


def scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a position and what led to it.

    sheets: what never changes in a scenario (see sheets.py); cells: those that the U.S. alone holds, or
    where a treaty rules (id, path, box, fill); cubes: tiles (kind, colour, letters, count, x, y); spaces of
    the railroad; strokes of what moved; fights: slips with the dice that fell; figures: of the legend.
    """
    play = Play(view)
    tiles = [tile for region in play.board.places for tile in _tiles(play, region)]
    rails = [*_spaces(view)] if has_rails(play.scenario) else []
    strokes = [*_strokes(play, events)]
    rows = [*legend(play)]
    return {
        "title": board().chart.title,
        "window": None,
        "subtitle": play.scenario.title if nations_play(play.scenario) else "",
        "width": atlas().size[0],
        "height": atlas().size[1],
        "band": atlas().size[1] - BAND,
        "sheets": sheets(play),
        "cells": [*_cells(play)],
        "cubes": tiles,
        "spaces": rails,
        "strokes": strokes,
        "fights": [*_fights(play, events, tiles, rails)],
        "legend": rows,
        "figures": [*_figures(rows)],
        "discs": _discs(view),
        "standing": _standing(play),
    }


def _standing(play: Play) -> str:
    """How the game stands: points, or what decides it."""
    if nations_play(play.scenario):
        return state_of_play(play.now)
    nations, us = (points(one) for one in totals(schedule(play.now)))
    return f"Points now: tribes {nations}, U.S. {us}"


def _cells(play: Play) -> Iterator[dict[str, Any]]:
    """The regions that look different from what is on the sheet: held by the U.S., or under a treaty."""
    for region, cell in atlas().cells.items():
        held = board().places[region].zone in HELD and play.is_us_held(region)
        quiet = region in play.now.quiet
        if held or quiet:
            left, top, right, low = atlas().box(region)
            yield {
                "id": region,
                "path": cell,
                "box": f"{left - 4:.0f} {top - 4:.0f} {right + 4:.0f} {low + 4:.0f}",
                "fill": ground(region, held),
                "holder": "us" if held else "",
                "quiet": quiet,
            }


def _tiles(play: Play, region: Region) -> Iterator[dict[str, Any]]:
    """Cubes and wagons of a region, side by side."""
    order: tuple[Colour, ...] = (*TRIBES, *SOLDIERS, "White", "Black")
    here = [(colour, n) for colour in order if (n := play.count(region, colour))]
    if region in atlas().rings:
        for (colour, count), (x, y) in zip(here, atlas().tiles(region, len(here)), strict=True):
            yield {
                "kind": kind(play, colour),
                "colour": PAINT[colour],
                "letters": LETTERS[colour],
                "count": count,
                "x": round(x, 1),
                "y": round(y, 1),
            }


def _spaces(view: View) -> Iterator[dict[str, Any]]:
    """The spaces of the railroad from St. Louis, then the mountains from Sacramento."""
    line = line_of(view)
    plains = line.plains_spaces
    for number, (x, y) in enumerate(spaces(line)):
        if number < plains:
            built = number < view.union or number >= plains - view.central
        else:
            built = number - plains < view.mountains
        yield {"x": x, "y": y, "built": built, "mountain": number >= plains}


def _strokes(play: Play, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """What moved, as arrows up to the tiles; whoever fell back with a broken one."""
    for event in events:
        if isinstance(event, Went) and any(event.cubes.values()):
            start, end = atlas().at[event.start], atlas().at[event.to]
            tiles = sum(bool(play.count(event.to, colour)) for colour in COLOURS)
            length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
            leave, stop = _SHORT / length, min(0.6, (_SHORT + 11 * max(0, tiles - 1)) / length)
            x1, y1 = start[0] + (end[0] - start[0]) * leave, start[1] + (end[1] - start[1]) * leave
            x2, y2 = end[0] - (end[0] - start[0]) * stop, end[1] - (end[1] - start[1]) * stop
            lead = next(iter(event.cubes))
            yield {
                "x1": round(x1, 1),
                "y1": round(y1, 1),
                "x2": round(x2, 1),
                "y2": round(y2, 1),
                "box": _around((x1, y1), (x2, y2), 16),
                "angle": round(degrees(atan2(y2 - y1, x2 - x1)), 1),
                "failed": isinstance(event, ColumnMoved) and event.back,
                "title": title(event),
                "colour": ROAD if lead == "White" else PAINT[lead],
            }


def _around(one: Point, other: Point, far: float) -> str:
    """The box of a piece that goes from one place to another, so much wider on each side."""
    left, right = sorted((one[0], other[0]))
    top, low = sorted((one[1], other[1]))
    return f"{left - far:.0f} {top - far:.0f} {right + far:.0f} {low + far:.0f}"


def _square(one: Mapping[str, Any], far: float) -> Box:
    """The box of a mark that reaches so far to each side."""
    return one["x"] - far, one["y"] - far, one["x"] + far, one["y"] + far


def _fights(
    play: Play,
    events: Sequence[AnyEvent],
    tiles: Sequence[Mapping[str, Any]],
    rails: Sequence[Mapping[str, Any]],
) -> Iterator[dict[str, Any]]:
    """The dice of each fight on a slip beside its region, over no name, cube or space of the railroad."""
    sheet = atlas()
    read = [box for name in sheet.names.values() for _, _, box in name.lines]
    read += [tile_box((one["x"], one["y"])) for one in tiles]
    seen = [_square(one, 11) for one in rails]
    seen += (
        [_square(one, 13) for one in numbers(play.board, geography())] if has_trails(play.scenario) else []
    )
    some = [slip for slip in slips(events) if slip.at in sheet.rings]
    for one in laid(some, sheet, read, seen, sheet.size[1] - BAND):
        left, top, right, low = one.box
        x, y = sheet.at[one.slip.at]
        yield {
            "left": left,
            "top": top,
            "wide": round(right - left, 1),
            "high": round(low - top, 1),
            "box": f"{left - 3:.0f} {top - 3:.0f} {right + 3:.0f} {low + 3:.0f}",
            "lead": {"x1": x, "y1": y, "x2": round((left + right) / 2, 1), "y2": round((top + low) / 2, 1)},
            "lead_box": _around((x, y), ((left + right) / 2, (top + low) / 2), 8),
            "rows": [
                {
                    "side": row.side,
                    "won": row.won,
                    "fell": row.fell,
                    "y": round(middle, 1),
                    "dice": [
                        {"colour": PAINT[colour], "face": face, "x": round(x, 1), "y": round(y, 1)}
                        for colour, face, x, y in dice
                    ],
                }
                for row, middle, dice in one.slip.dice(left, top)
            ],
        }


def _figures(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The numbers of the legend, where its rows have them."""
    for place, row in enumerate(rows):
        for key, across in (("ready", _READY), ("fallen", _FALLEN)):
            x, y = _LEGEND[0] + _COLUMN * (place // _ROWS) + across, _LEGEND[1] + _LEADING * (place % _ROWS)
            yield {"x": x, "y": y, "text": row[key]}


def _discs(view: View) -> list[dict[str, Any]]:
    """The discs, and which were drawn this turn; none where a scenario has none."""
    discs = materials().scenarios[str(view.options["scenario"])].discs
    return [
        {"colour": PAINT[one], "letters": LETTERS[one], "drawn": bool(view.turn) and one not in view.bag}
        for one in discs
    ]
