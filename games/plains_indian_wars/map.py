"""The map: the drawing of the board, its clickable regions, and the close-up of a side's front."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, ceil, degrees, hypot
from typing import Any

from games.close_up import Box, CloseUp, CloseUpFrame, bounding_box, is_inside, overlaps
from games.messages import sentence
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.dice_slips import fight_slips, place_slips
from games.plains_indian_wars.events import (
    AnyEvent,
    ColumnMoved,
    Fought,
    LeftOut,
    Moved,
    NightRaid,
    PartyMoved,
    Struck,
    TrainMoved,
    WagonsFought,
)
from games.plains_indian_wars.map_background import (
    COLOUR_LETTERS,
    CUBE_PAINT,
    HELD_LAND_COLOURS,
    ROAD,
    background,
    has_rails,
    has_trails,
    is_variant_ii,
    land_colour,
    legend,
    step_numbers,
    tile_shape,
)
from games.plains_indian_wars.map_layout import (
    LEGEND_STRIP_HEIGHT,
    Atlas,
    PictureBox,
    Point,
    atlas,
    geography,
    space_positions,
    text_width,
    tile_box,
)
from games.plains_indian_wars.model import (
    CUBE_COLOURS,
    NATIONS_SEAT,
    SOLDIERS,
    TRIBES,
    US_SEAT,
    Colour,
    Region,
    View,
)
from games.plains_indian_wars.phrases import cubes_text, region_name
from games.plains_indian_wars.railroad import line_of
from games.plains_indian_wars.scoring import points_text, schedule, totals
from games.plains_indian_wars.tables import standing_text
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import EventPlaces, MapRegion, Seat, SeatColours

_ARROW_GAP = 23.0
"""The distance of an arrow from the middle of tiles."""
_STROKE_STEP, _STROKE_WIDTH, _HEAD_SIZE = 10.0, 6.0, 14.0
"""The distance of the boxes along an arrow, and half their size on its line and at its head."""


def badges(_view: View) -> dict[str, SeatColours]:
    """Return the colours of the sides: those of the northern tribes' cubes and of the Cavalry's."""
    colours = {NATIONS_SEAT: CUBE_PAINT["Green"], US_SEAT: CUBE_PAINT["Blue"]}
    return {str(seat): SeatColours(ink=colour, land=colour) for seat, colour in colours.items()}


def board_scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the context of board.svg for a position and the events that led to it.

    sheets: the background, which is the same for a whole scenario (see map_background.py); cells: regions
    that only the U.S. holds, or where a card forbids engagements; cubes: tiles of cubes and wagons; spaces:
    of the railroad; strokes: arrows of moves; fights: slips with dice; figures: the numbers of the legend.
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
        "fights": [*_placed_slips(play, events, tiles, rails, strokes)],
        "legend": rows,
        "figures": [*_figures(rows)],
        "discs": _disc_marks(view),
        "standing": _standing_text(play),
    }


def _standing_text(play: WorkingState) -> str:
    """Return the state of the game in a few words: points in Variant I, the decisive things in Variant II."""
    if is_variant_ii(play.scenario):
        return standing_text(play.now)
    nations, us = (points_text(halves) for halves in totals(schedule(play.now)))
    return sentence("plains_indian_wars.standing.points", nations=nations, us=us)


def _cells(play: WorkingState) -> Iterator[dict[str, Any]]:
    """Yield the regions that differ from the background: held by the U.S., or without engagements."""
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
    """Yield a tile for each colour in a region."""
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
    """Yield the spaces of the plains from St. Louis, then the spaces of the mountains from Sacramento."""
    line = line_of(view)
    plains = line.plains_spaces
    for number, (x, y) in enumerate(space_positions(line)):
        if number < plains:
            built = number < view.union or number >= plains - view.central
        else:
            built = number - plains < view.mountains
        yield {"x": x, "y": y, "built": built, "mountain": number >= plains}


def _arrows(play: WorkingState, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Yield an arrow for each move, up to the tiles; for a retreat a broken one."""
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
    """Return the box around a line with a margin on each side, as a text."""
    left_edge, right = sorted((start[0], end[0]))
    top, low = sorted((start[1], end[1]))
    return f"{left_edge - far:.0f} {top - far:.0f} {right + far:.0f} {low + far:.0f}"


def _mark_box(mark: Mapping[str, Any], far: float) -> PictureBox:
    """Return the box around a mark with a margin on each side."""
    return mark["x"] - far, mark["y"] - far, mark["x"] + far, mark["y"] + far


def _placed_slips(
    play: WorkingState,
    events: Sequence[AnyEvent],
    tiles: Sequence[Mapping[str, Any]],
    rails: Sequence[Mapping[str, Any]],
    strokes: Sequence[Mapping[str, Any]],
) -> Iterator[dict[str, Any]]:
    """Yield a slip with the dice of each fight, placed where it covers no name, cube, space or arrow."""
    sheet = atlas()
    read = [box for name in sheet.names.values() for _, _, box in name.lines]
    read += [tile_box((tile["x"], tile["y"])) for tile in tiles]
    seen = [_mark_box(space, 11) for space in rails]
    seen += (
        [_mark_box(step_number, 13) for step_number in step_numbers(play.board, geography())]
        if has_trails(play.scenario)
        else []
    )
    seen += [box for stroke in strokes for box in _stroke_boxes(stroke)]
    some = [slip for slip in fight_slips(events) if slip.at in sheet.rings]
    for placed_slip in place_slips(some, sheet, read, seen, sheet.size[1] - LEGEND_STRIP_HEIGHT):
        left_edge, top, right, low = placed_slip.box
        x, y = sheet.at[placed_slip.slip.at]
        yield {
            "left": left_edge,
            "top": top,
            "wide": round(right - left_edge, 1),
            "high": round(low - top, 1),
            "number": placed_slip.slip.at,
            "tab": placed_slip.slip.tab,
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


def _stroke_boxes(stroke: Mapping[str, Any]) -> Iterator[PictureBox]:
    """Yield boxes along an arrow that cover its line and its head."""
    (x1, y1), (x2, y2) = (stroke["x1"], stroke["y1"]), (stroke["x2"], stroke["y2"])
    steps = max(1, ceil(hypot(x2 - x1, y2 - y1) / _STROKE_STEP))
    for step in range(steps + 1):
        x, y = x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps
        far = _HEAD_SIZE if step == steps else _STROKE_WIDTH
        yield x - far, y - far, x + far, y + far


def _figures(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the numbers of the legend with their places."""
    for row in rows:
        for key in ("ready", "fallen"):
            yield {"x": row[f"{key}_x"], "y": row["y"], "text": row[key]}


def _disc_marks(view: View) -> list[dict[str, Any]]:
    """Return the discs of the scenario, each with whether it was drawn this turn."""
    discs = materials().scenarios[str(view.options["scenario"])].discs
    return [
        {
            "colour": CUBE_PAINT[disc],
            "letters": COLOUR_LETTERS[disc],
            "drawn": bool(view.turn) and disc not in view.bag,
        }
        for disc in discs
    ]


# Clickable regions with their holders and pieces, and the regions of each event.


MovedEvent = Moved | TrainMoved | PartyMoved | ColumnMoved
"""The events that are drawn as arrows."""

_REGION_FIELDS = ("start", "at", "to", "lender")
"""The fields of an event, or of an order, that name a region."""


def spots(view: View) -> tuple[MapRegion, ...]:
    """Return every region of the map with the id of its shape in sheets.svg."""
    play = WorkingState(view)
    scenario = str(view.options["scenario"])
    return tuple(
        MapRegion(
            at=region,
            shape=f"c{region}",
            name=region_name(region),
            owner=_holder_name(holder := _holder(play, region)),
            colour=badges(view)[holder].land if holder else "",
            pieces=tuple(
                cubes_text({colour: n}, scenario)
                for colour in CUBE_COLOURS
                if (n := play.count(region, colour))
            ),
        )
        for region in atlas().cells
    )


def mention(event: AnyEvent) -> EventPlaces | None:
    """Return the regions of an event, starting with the one where it began; None for no regions.

    An order that was left out has the regions that it names.
    """
    at = tuple(dict.fromkeys(_regions(event)))
    if not at:
        return None
    if isinstance(event, MovedEvent) and any(event.cubes.values()):
        return EventPlaces(at=at, of=_side(event), title=move_title(event))
    return EventPlaces(at=at)


def move_title(event: MovedEvent) -> str:
    """Return the title of a move's arrow in board.svg."""
    return sentence(
        "plains_indian_wars.map.move",
        cubes=cubes_text(event.cubes, event.scenario),
        start=region_name(event.start),
        to=region_name(event.to),
    )


def _side(event: MovedEvent) -> str:
    tribes = any(colour in TRIBES for colour in event.cubes)
    return sentence("plains_indian_wars.map.side_tribes" if tribes else "plains_indian_wars.map.side_us")


def _holder(play: WorkingState, region: Region) -> Seat | None:
    """Return the side that is alone in a region; None if both sides or none are there."""
    tribes = any(play.count(region, colour) for colour in TRIBES)
    us = bool(play.us_cubes(region))
    if tribes == us:
        return None
    return NATIONS_SEAT if tribes else US_SEAT


def _holder_name(holder: Seat | None) -> str | None:
    if holder is None:
        return None
    return sentence(
        "plains_indian_wars.map.holder_us" if holder == US_SEAT else "plains_indian_wars.map.holder_tribes"
    )


def _regions(event: AnyEvent) -> Iterator[Region]:
    source: Any = event.order if isinstance(event, LeftOut) else event
    for field in _REGION_FIELDS:
        region = getattr(source, field, None)
        if region is not None and region in board().places:
            yield Region(region)
    yield from getattr(source, "thrown", {})


# The close-up of a side's front: the part of the map with most of its events and cubes.


FRONT_ZOOMS = (3.0, 2.5, 2.15)
"""The magnifications of a close-up. With the smallest one, type of size 18 is 11 pixels high on a phone."""
_CLOSE_UP_HEIGHT = 1.3
_AROUND, _BESIDE = 100.0, 60.0
"""The margin around the cubes of a region of the front, and around the cubes of its neighbours."""
_FOUGHT, _MOVED, _CAME, _HELD = 6.0, 4.0, 1.0, 0.5
"""The weight of a region with a fight, at the start or end of a move, with new cubes, and with old cubes of
the side."""


def front_scene(view: View, seat: Seat, events: Sequence[AnyEvent]) -> dict[str, Any] | None:
    """Return the context of board.svg for the front of a side, with the box of the close-up as ``window``.

    None if nothing happened and the side has no cube on the map.
    """
    drawn = board_scene(view, events)
    close_up = _find_close_up(view, seat, events, drawn["fights"])
    if close_up is None:
        return None
    window = close_up[1]
    pieces = {
        key: [piece for piece in drawn[key] if overlaps(window, _parse_box(piece["box"]))]
        for key in ("cells", "strokes")
    }
    fights = [piece for piece in drawn["fights"] if is_inside(window, _parse_box(piece["box"]))]
    placed = {
        key: [piece for piece in drawn[key] if overlaps(window, _square_around(piece, 20))]
        for key in ("cubes", "spaces")
    }
    sheets = _visible_background(drawn["sheets"], window)
    return {**drawn, **pieces, **placed, "window": window, "sheets": sheets, "fights": fights, "figures": ()}


def _find_close_up(
    view: View, seat: Seat, events: Sequence[AnyEvent], fights: Sequence[Mapping[str, Any]]
) -> CloseUp:
    sheet = atlas()
    weights = _region_weights(WorkingState(view), seat, events, sheet)
    frame = CloseUpFrame(
        size=(sheet.size[0], sheet.size[1] - LEGEND_STRIP_HEIGHT), zooms=FRONT_ZOOMS, tall=_CLOSE_UP_HEIGHT
    )
    near = [
        there for here in weights for there in WorkingState(view).board.near[here] if there in sheet.rings
    ]
    return frame.of(
        [
            bounding_box([frame.around(sheet.at[region], _AROUND), *_slip_boxes(sheet, region, fights)])
            for region in weights
        ],
        [frame.around(sheet.at[region], _BESIDE) for region in near],
        [*weights.values()],
    )


def _region_weights(
    play: WorkingState, seat: Seat, events: Sequence[AnyEvent], sheet: Atlas
) -> dict[Region, float]:
    """Return the weights of the regions that matter to a side, in board order."""
    own: Sequence[Colour] = (*SOLDIERS, "White") if seat == US_SEAT else TRIBES
    weights = {area: _HELD for area in sheet.rings if any(play.count(area, colour) for colour in own)}
    for event in events:
        for region in _places_of_event(event):
            went = _MOVED if hasattr(event, "start") else _CAME
            much = _FOUGHT if isinstance(event, Fought | WagonsFought | Struck) else went
            weights[region] = max(weights.get(region, 0.0), much)
    return {area: weights[area] for area in sheet.rings if area in weights}


def _places_of_event(event: AnyEvent) -> Iterator[Region]:
    """Yield the regions of an event: where it happened, and the start and end of a move."""
    regions_named = {getattr(event, key, None) for key in ("at", "start", "to")}
    yield from (region for region in atlas().rings if region in regions_named)
    if isinstance(event, NightRaid):
        yield from event.thrown


def _slip_boxes(sheet: Atlas, region: Region, fights: Sequence[Mapping[str, Any]]) -> Iterator[Box]:
    """Yield the boxes of the slips for a region's fights."""
    x, y = sheet.at[region]
    yield from (
        _parse_box(fight["box"]) for fight in fights if (fight["lead"]["x1"], fight["lead"]["y1"]) == (x, y)
    )


def _visible_background(sheets: Mapping[str, Any], window: Box) -> dict[str, Any]:
    """Return the part of the background in a window, without names and numbers that its edge would cut."""
    boxes = {region: bounding_box(box for _, _, box in name.lines) for region, name in atlas().names.items()}
    return {
        **sheets,
        "key": f"{sheets['key']} {window}",
        "whole": False,
        "names": [label for label in sheets["names"] if is_inside(window, boxes[label["id"]])],
        "numbers": [label for label in sheets["numbers"] if is_inside(window, _square_around(label, 13))],
        "waters": [
            label
            for label in sheets["waters"]
            if is_inside(window, _square_around(label, text_width(label["text"]) / 2))
        ],
    }


def _square_around(mark: Mapping[str, Any], far: float) -> Box:
    return mark["x"] - far, mark["y"] - far, mark["x"] + far, mark["y"] + far


def _parse_box(text: str) -> Box:
    left_edge, top, right, low = map(float, text.split())
    return left_edge, top, right, low
