"""The close-up of a side's front: where most of the turn took place and most of its cubes stand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.close_up import Box, CloseUp, CloseUpFrame, bounding_box, is_inside, overlaps
from games.plains_indian_wars.events import AnyEvent, Fought, NightRaid, Struck, WagonsFought
from games.plains_indian_wars.map import board_scene
from games.plains_indian_wars.map_background import LEGEND_STRIP_HEIGHT
from games.plains_indian_wars.map_layout import Atlas, atlas, text_width
from games.plains_indian_wars.model import SOLDIERS, TRIBES, US_SEAT, Colour, Region, View
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Seat

FRONT_ZOOMS = (3.0, 2.5, 2.15)
"""How many times as large as the whole map: at the least, type of 18 is 11 pixels high on a phone."""
_TALL = 1.3
_AROUND, _BESIDE = 100.0, 60.0
"""How much is seen round the cubes of a region of the front, and of one beside it."""
_FOUGHT, _MOVED, _CAME, _HELD = 6.0, 4.0, 1.0, 0.5
"""How much a region matters where there was a fight, whence and whither somebody went, where cubes came, and
where own cubes stood all the time."""


def front_scene(view: View, seat: Seat, events: Sequence[AnyEvent]) -> dict[str, Any] | None:
    """Return the context of board.svg for the front of a side; window: its left, top, right and bottom.

    None where nothing happened and it has no cube on the map.
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
        size=(sheet.size[0], sheet.size[1] - LEGEND_STRIP_HEIGHT), zooms=FRONT_ZOOMS, tall=_TALL
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
    """Return the regions that matter to a side, in the order of the board, with how much each does."""
    own: Sequence[Colour] = (*SOLDIERS, "White") if seat == US_SEAT else TRIBES
    weights = {area: _HELD for area in sheet.rings if any(play.count(area, colour) for colour in own)}
    for event in events:
        for region in _places_of_event(event):
            went = _MOVED if hasattr(event, "start") else _CAME
            much = _FOUGHT if isinstance(event, Fought | WagonsFought | Struck) else went
            weights[region] = max(weights.get(region, 0.0), much)
    return {area: weights[area] for area in sheet.rings if area in weights}


def _places_of_event(event: AnyEvent) -> Iterator[Region]:
    """Yield the regions of an event: where it took place, from where and to where."""
    regions_named = {getattr(event, key, None) for key in ("at", "start", "to")}
    yield from (region for region in atlas().rings if region in regions_named)
    if isinstance(event, NightRaid):
        yield from event.thrown


def _slip_boxes(sheet: Atlas, region: Region, fights: Sequence[Mapping[str, Any]]) -> Iterator[Box]:
    """Yield the boxes of the slips on which the dice of a region's fights lie."""
    x, y = sheet.at[region]
    yield from (
        _parse_box(fight["box"]) for fight in fights if (fight["lead"]["x1"], fight["lead"]["y1"]) == (x, y)
    )


def _visible_background(sheets: Mapping[str, Any], window: Box) -> dict[str, Any]:
    """Return the part of the background that is seen, without names or numbers that would be cut."""
    boxes = {region: bounding_box(box for _, _, box in name.lines) for region, name in atlas().names.items()}
    return {
        **sheets,
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
