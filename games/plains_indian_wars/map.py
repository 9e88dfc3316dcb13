"""The drawing of the board: cells, cubes, wagons, tracks and moves, in picture units."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, degrees, hypot
from typing import Any

from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.dice_slips import fight_slips, place_slips
from games.plains_indian_wars.events import AnyEvent, ColumnMoved
from games.plains_indian_wars.geography import Point, geography
from games.plains_indian_wars.map_background import (
    COLOUR_LETTERS,
    LEGEND_STRIP_HEIGHT,
    background,
    has_rails,
    has_trails,
    is_variant_ii,
    land_colour,
    legend,
    step_numbers,
    tile_shape,
)
from games.plains_indian_wars.map_layout import PictureBox, atlas, space_positions, tile_box
from games.plains_indian_wars.model import CUBE_COLOURS, SOLDIERS, TRIBES, Colour, Region, View
from games.plains_indian_wars.nations.tables import standing_text
from games.plains_indian_wars.paints import CUBE_PAINT, HELD_LAND_COLOURS, ROAD
from games.plains_indian_wars.pointing import MovedEvent, move_title
from games.plains_indian_wars.railroad import line_of
from games.plains_indian_wars.scoring import points_text, schedule, totals
from games.plains_indian_wars.working_state import WorkingState

_ARROW_GAP = 23.0
"""How far from the middle of tiles an arrow stays."""
_LEGEND_CORNER, _LEGEND_COLUMN_WIDTH, _LEGEND_ROWS, _LEGEND_ROW_HEIGHT = (500, 44), 350, 4, 34
_READY_OFFSET, _FALLEN_OFFSET = 262, 322
"""The legend's first row in its strip, how rows follow each other, and where their numbers stand."""


def board_scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the context of board.svg for a position and the events that led to it.

    sheets: what never changes in a scenario (see map_background.py); cells: those that the U.S. alone
    holds, or where a treaty rules (id, path, box, fill); cubes: tiles (kind, colour, letters, count, x,
    y); spaces of the railroad; strokes: arrows of moves; fights: slips with the dice that fell; figures:
    of the legend.
    """
    play = WorkingState(view)
    tiles = [tile for region in play.board.places for tile in _tiles(play, region)]
    rails = [*_spaces(view)] if has_rails(play.scenario) else []
    strokes = [*_arrows(play, events)]
    rows = [*legend(play)]
    return {
        "title": board().chart.title,
        "window": None,
        "subtitle": play.scenario.title if is_variant_ii(play.scenario) else "",
        "width": atlas().size[0],
        "height": atlas().size[1],
        "band": atlas().size[1] - LEGEND_STRIP_HEIGHT,
        "sheets": background(play),
        "cells": [*_cells(play)],
        "cubes": tiles,
        "spaces": rails,
        "strokes": strokes,
        "fights": [*_placed_slips(play, events, tiles, rails)],
        "legend": rows,
        "figures": [*_figures(rows)],
        "discs": _disc_marks(view),
        "standing": _standing_text(play),
    }


def _standing_text(play: WorkingState) -> str:
    """Return how the game stands: points, or what decides it."""
    if is_variant_ii(play.scenario):
        return standing_text(play.now)
    nations, us = (points_text(halves) for halves in totals(schedule(play.now)))
    return f"Points now: tribes {nations}, U.S. {us}"


def _cells(play: WorkingState) -> Iterator[dict[str, Any]]:
    """Yield the regions that look different from the background: held by the U.S., or under a treaty."""
    for region, cell in atlas().cells.items():
        held = board().places[region].zone in HELD_LAND_COLOURS and play.is_us_held(region)
        quiet = region in play.now.quiet
        if held or quiet:
            left_edge, top, right, low = atlas().box(region)
            yield {
                "id": region,
                "path": cell,
                "box": f"{left_edge - 4:.0f} {top - 4:.0f} {right + 4:.0f} {low + 4:.0f}",
                "fill": land_colour(region, held),
                "holder": "us" if held else "",
                "quiet": quiet,
            }


def _tiles(play: WorkingState, region: Region) -> Iterator[dict[str, Any]]:
    """Yield cubes and wagons of a region, side by side."""
    order: tuple[Colour, ...] = (*TRIBES, *SOLDIERS, "White", "Black")
    here = [(colour, n) for colour in order if (n := play.count(region, colour))]
    if region in atlas().rings:
        for (colour, count), (x, y) in zip(here, atlas().tiles(region, len(here)), strict=True):
            yield {
                "kind": tile_shape(play, colour),
                "colour": CUBE_PAINT[colour],
                "letters": COLOUR_LETTERS[colour],
                "count": count,
                "x": round(x, 1),
                "y": round(y, 1),
            }


def _spaces(view: View) -> Iterator[dict[str, Any]]:
    """The spaces of the railroad from St. Louis, then the mountains from Sacramento."""
    line = line_of(view)
    plains = line.plains_spaces
    for number, (x, y) in enumerate(space_positions(line)):
        if number < plains:
            built = number < view.union or number >= plains - view.central
        else:
            built = number - plains < view.mountains
        yield {"x": x, "y": y, "built": built, "mountain": number >= plains}


def _arrows(play: WorkingState, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Yield the moves as arrows up to the tiles; a retreat has a broken one."""
    for event in events:
        if isinstance(event, MovedEvent) and any(event.cubes.values()):
            start, end = atlas().at[event.start], atlas().at[event.to]
            tiles = sum(bool(play.count(event.to, colour)) for colour in CUBE_COLOURS)
            length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
            leave, stop = _ARROW_GAP / length, min(0.6, (_ARROW_GAP + 11 * max(0, tiles - 1)) / length)
            x1, y1 = start[0] + (end[0] - start[0]) * leave, start[1] + (end[1] - start[1]) * leave
            x2, y2 = end[0] - (end[0] - start[0]) * stop, end[1] - (end[1] - start[1]) * stop
            lead = next(iter(event.cubes))
            yield {
                "x1": round(x1, 1),
                "y1": round(y1, 1),
                "x2": round(x2, 1),
                "y2": round(y2, 1),
                "box": _box_around((x1, y1), (x2, y2), 16),
                "angle": round(degrees(atan2(y2 - y1, x2 - x1)), 1),
                "failed": isinstance(event, ColumnMoved) and event.back,
                "title": move_title(event),
                "colour": ROAD if lead == "White" else CUBE_PAINT[lead],
            }


def _box_around(start: Point, end: Point, far: float) -> str:
    """Return the box of a piece from one place to another, wider by a margin on each side."""
    left_edge, right = sorted((start[0], end[0]))
    top, low = sorted((start[1], end[1]))
    return f"{left_edge - far:.0f} {top - far:.0f} {right + far:.0f} {low + far:.0f}"


def _mark_box(mark: Mapping[str, Any], far: float) -> PictureBox:
    """Return the box of a mark that reaches a distance to each side."""
    return mark["x"] - far, mark["y"] - far, mark["x"] + far, mark["y"] + far


def _placed_slips(
    play: WorkingState,
    events: Sequence[AnyEvent],
    tiles: Sequence[Mapping[str, Any]],
    rails: Sequence[Mapping[str, Any]],
) -> Iterator[dict[str, Any]]:
    """The dice of each fight on a slip beside its region, over no name, cube or space of the railroad."""
    sheet = atlas()
    read = [box for name in sheet.names.values() for _, _, box in name.lines]
    read += [tile_box((tile["x"], tile["y"])) for tile in tiles]
    seen = [_mark_box(space, 11) for space in rails]
    seen += (
        [_mark_box(step_number, 13) for step_number in step_numbers(play.board, geography())]
        if has_trails(play.scenario)
        else []
    )
    some = [slip for slip in fight_slips(events) if slip.at in sheet.rings]
    for placed_slip in place_slips(some, sheet, read, seen, sheet.size[1] - LEGEND_STRIP_HEIGHT):
        left_edge, top, right, low = placed_slip.box
        x, y = sheet.at[placed_slip.slip.at]
        yield {
            "left": left_edge,
            "top": top,
            "wide": round(right - left_edge, 1),
            "high": round(low - top, 1),
            "box": f"{left_edge - 3:.0f} {top - 3:.0f} {right + 3:.0f} {low + 3:.0f}",
            "lead": {
                "x1": x,
                "y1": y,
                "x2": round((left_edge + right) / 2, 1),
                "y2": round((top + low) / 2, 1),
            },
            "lead_box": _box_around((x, y), ((left_edge + right) / 2, (top + low) / 2), 8),
            "rows": [
                {
                    "side": row.side,
                    "won": row.won,
                    "fell": row.fell,
                    "y": round(middle, 1),
                    "dice": [
                        {"colour": CUBE_PAINT[colour], "face": face, "x": round(x, 1), "y": round(y, 1)}
                        for colour, face, x, y in dice
                    ],
                }
                for row, middle, dice in placed_slip.slip.dice(left_edge, top)
            ],
        }


def _figures(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The numbers of the legend, where its rows have them."""
    for place, row in enumerate(rows):
        for key, across in (("ready", _READY_OFFSET), ("fallen", _FALLEN_OFFSET)):
            x, y = (
                _LEGEND_CORNER[0] + _LEGEND_COLUMN_WIDTH * (place // _LEGEND_ROWS) + across,
                _LEGEND_CORNER[1] + _LEGEND_ROW_HEIGHT * (place % _LEGEND_ROWS),
            )
            yield {"x": x, "y": y, "text": row[key]}


def _disc_marks(view: View) -> list[dict[str, Any]]:
    """Return the discs, and which were drawn this turn; none where a scenario has none."""
    discs = materials().scenarios[str(view.options["scenario"])].discs
    return [
        {
            "colour": CUBE_PAINT[disc],
            "letters": COLOUR_LETTERS[disc],
            "drawn": bool(view.turn) and disc not in view.bag,
        }
        for disc in discs
    ]
