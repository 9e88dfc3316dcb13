"""A side's own front: where it acted and fought and where its leaders stand, drawn larger."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import forces
from games.boer_war.atlas import atlas
from games.boer_war.codes import Point, Side
from games.boer_war.events import AnyEvent
from games.boer_war.model import BOERS, EMPIRE, SIDES, View
from games.boer_war.placing import name_box, region_box
from games.boer_war.scene import scene
from games.close_up import Box, Found, Frame, holds, joined, meets
from games.protocol import Seat

ZOOMS = (3.0, 2.5, 2.15)
"""How many times as large as the whole map: at the least, type of 18 is 11 pixels high on a phone."""
_TALL = 1.3
_AROUND, _BESIDE = 70.0, 45.0
"""How much is seen round a point of the front, and round one that is linked to it."""
_FOUGHT, _DID, _SUFFERED = 6.0, 4.0, 1.0
"""How much a point matters where there was a fight, where the side acted, where the other did; a leader who
stands there matters by his strength."""
_BOXES = {"chips": (0.0, 13.0), "sieges": (54.0, 13.0), "fights": (15.0, 15.0)}
"""By what lies at a point how far it reaches from its middle; of chips across, it is their own affair."""


def closer(view: View, seat: Seat, events: Sequence[AnyEvent]) -> dict[str, Any] | None:
    """The context of board.svg for the front of a side, or of both where one person leads them; window: its
    left, top, right and bottom. None where it has nobody on the map and nothing happened.
    """
    drawn = scene(view, events)
    laid = [(one["at"], _counter(one, key)) for key in _BOXES for one in drawn[key]]
    found = _found(view, _sides(seat), events, laid)
    if found is None:
        return None
    window = found[1]
    lands = [one for one in drawn["lands"] if holds(window, region_box(one["name"], one["x"], one["y"]))]
    return {
        **drawn,
        "window": window,
        "named": lands,
        "names": [
            one
            for one in drawn["points"]
            if holds(window, _name(one["code"])) and holds(window, _square(one, 12))
        ],
        "points": [one for one in drawn["points"] if meets(window, _square(one, 40))],
        "marks": [one for one in drawn["marks"] if meets(window, _square(one, 14))],
        "arrows": [one for one in drawn["arrows"] if meets(window, one["box"])],
        **{key: [one for one in drawn[key] if holds(window, _counter(one, key))] for key in _BOXES},
    }


def _sides(seat: Seat) -> Sequence[Side]:
    return SIDES if seat not in (BOERS, EMPIRE) else ("boers",) if seat == BOERS else ("empire",)


def _found(
    view: View, sides: Sequence[Side], events: Sequence[AnyEvent], laid: Sequence[tuple[Point, Box]]
) -> Found:
    chart, ground = atlas(), view.board
    weights = _concerned(view, sides, events)
    frame = Frame(size=chart.size, zooms=ZOOMS, tall=_TALL)
    near = [there for here in weights for there in ground.near[here]]
    shown = {one: [_name(one), *(box for at, box in laid if at == one)] for one in weights}
    return frame.of(
        [joined([frame.around(chart.spots[one].at, _AROUND), *shown[one]]) for one in weights],
        [frame.around(chart.spots[one].at, _BESIDE) for one in near],
        [*weights.values()],
    )


def _concerned(view: View, sides: Sequence[Side], events: Sequence[AnyEvent]) -> dict[Point, float]:
    """The points that matter to sides, in the order of the board, and how much each does."""
    weights = {point: _strength(view, sides, point) for point in view.board.points}
    for event in events:
        much = _SUFFERED if getattr(event, "side", None) not in (*sides, None) else _DID
        if isinstance(event, event_types.Battle | event_types.Skirmish):
            much = _FOUGHT
        for point in _named(event):
            weights[point] = max(weights[point], much)
    return {point: much for point, much in weights.items() if much}


def _strength(view: View, sides: Sequence[Side], point: Point) -> float:
    leaders = [one for side in sides for one in forces.leaders_at(view, point, side)]
    return float(sum(max(view.leaders[one].sp, 1) for one in leaders))


def _named(event: AnyEvent) -> Iterator[Point]:
    """The points of an event: where it took place, whence, whither and by which way."""
    told = (getattr(event, "at", None), getattr(event, "to", None), *getattr(event, "path", ()))
    yield from (point for point in (*told, *getattr(event, "points", ())) if point in atlas().spots)


def _name(point: Point) -> Box:
    """Where a point's name stands: inside the map, though letters are counted as wide ones."""
    left, top, right, low = name_box(atlas().spots[point])
    return max(left, 0.0), top, min(right, float(atlas().size[0])), low


def _counter(one: Mapping[str, Any], key: str) -> Box:
    wide, high = _BOXES[key]
    wide = wide or one["half"] + 2
    return one["x"] - wide, one["y"] - high, one["x"] + wide, one["y"] + high


def _square(one: Mapping[str, Any], far: float) -> Box:
    return one["x"] - far, one["y"] - far, one["x"] + far, one["y"] + far
