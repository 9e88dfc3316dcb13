"""A side's own front: where most of the turn took place and most of its cubes stand, larger."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.close_up import Box, Found, Frame, holds, joined, meets
from games.plains_indian_wars.atlas import Atlas, atlas, text_width
from games.plains_indian_wars.events import AnyEvent, Fought, NightRaid, Struck, WagonsFought
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import SOLDIERS, TRIBES, US, Colour, Region, View
from games.plains_indian_wars.scene import scene
from games.plains_indian_wars.sheets import BAND
from games.protocol import Seat

ZOOMS = (3.0, 2.5, 2.15)
"""How many times as large as the whole map: at the least, type of 18 is 11 pixels high on a phone."""
_TALL = 1.3
_AROUND, _BESIDE = 100.0, 60.0
"""How much is seen round the cubes of a region of the front, and of one beside it."""
_FOUGHT, _MOVED, _CAME, _HELD = 6.0, 4.0, 1.0, 0.5
"""How much a region matters where there was a fight, whence and whither somebody went, where cubes came, and
where own cubes stood all the time."""


def closer(view: View, seat: Seat, events: Sequence[AnyEvent]) -> dict[str, Any] | None:
    """The context of board.svg for the front of a side; window: its left, top, right and bottom.

    None where nothing happened and it has no cube on the map.
    """
    drawn = scene(view, events)
    found = _found(view, seat, events, drawn["fights"])
    if found is None:
        return None
    window = found[1]
    pieces = {
        key: [one for one in drawn[key] if meets(window, _box(one["box"]))] for key in ("cells", "strokes")
    }
    fights = [one for one in drawn["fights"] if holds(window, _box(one["box"]))]
    placed = {
        key: [one for one in drawn[key] if meets(window, _square(one, 20))] for key in ("cubes", "spaces")
    }
    sheets = _seen(drawn["sheets"], window)
    return {**drawn, **pieces, **placed, "window": window, "sheets": sheets, "fights": fights, "figures": ()}


def _found(view: View, seat: Seat, events: Sequence[AnyEvent], fights: Sequence[Mapping[str, Any]]) -> Found:
    sheet = atlas()
    weights = _concerned(Play(view), seat, events, sheet)
    frame = Frame(size=(sheet.size[0], sheet.size[1] - BAND), zooms=ZOOMS, tall=_TALL)
    near = [there for here in weights for there in Play(view).board.near[here] if there in sheet.rings]
    return frame.of(
        [joined([frame.around(sheet.at[one], _AROUND), *_slips(sheet, one, fights)]) for one in weights],
        [frame.around(sheet.at[one], _BESIDE) for one in near],
        [*weights.values()],
    )


def _concerned(play: Play, seat: Seat, events: Sequence[AnyEvent], sheet: Atlas) -> dict[Region, float]:
    """The regions that matter to a side, in the order of the board, and how much each does."""
    own: Sequence[Colour] = (*SOLDIERS, "White") if seat == US else TRIBES
    weights = {one: _HELD for one in sheet.rings if any(play.count(one, colour) for colour in own)}
    for event in events:
        for region in _named(event):
            went = _MOVED if hasattr(event, "start") else _CAME
            much = _FOUGHT if isinstance(event, Fought | WagonsFought | Struck) else went
            weights[region] = max(weights.get(region, 0.0), much)
    return {one: weights[one] for one in sheet.rings if one in weights}


def _named(event: AnyEvent) -> Iterator[Region]:
    """The regions of an event: where it took place, whence and whither."""
    told = {getattr(event, key, None) for key in ("at", "start", "to")}
    yield from (region for region in atlas().rings if region in told)
    if isinstance(event, NightRaid):
        yield from event.thrown


def _slips(sheet: Atlas, region: Region, fights: Sequence[Mapping[str, Any]]) -> Iterator[Box]:
    """The papers on which the dice of a region's fights lie."""
    x, y = sheet.at[region]
    yield from (_box(one["box"]) for one in fights if (one["lead"]["x1"], one["lead"]["y1"]) == (x, y))


def _seen(sheets: Mapping[str, Any], window: Box) -> dict[str, Any]:
    """What of the sheets is seen. A name or a number that would be cut is left out."""
    boxes = {region: joined(box for _, _, box in name.lines) for region, name in atlas().names.items()}
    return {
        **sheets,
        "whole": False,
        "names": [one for one in sheets["names"] if holds(window, boxes[one["id"]])],
        "numbers": [one for one in sheets["numbers"] if holds(window, _square(one, 13))],
        "waters": [
            one for one in sheets["waters"] if holds(window, _square(one, text_width(one["text"]) / 2))
        ],
    }


def _square(one: Mapping[str, Any], far: float) -> Box:
    return one["x"] - far, one["y"] - far, one["x"] + far, one["y"] + far


def _box(text: str) -> Box:
    left, top, right, low = map(float, text.split())
    return left, top, right, low
