"""A close-up of a side's own front: where it acted and fought and where its leaders stand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import forces
from games.boer_war.codes import Point, Side
from games.boer_war.events import AnyEvent
from games.boer_war.map import map_scene
from games.boer_war.map_layout import map_layout
from games.boer_war.model import BOERS, EMPIRE, SIDES, View
from games.boer_war.placing import name_box, region_box
from games.close_up import Box, CloseUp, CloseUpFrame, bounding_box, is_inside, overlaps
from games.protocol import Seat

CLOSE_UP_ZOOMS = (3.0, 2.5, 2.15)
"""How many times as large as the whole map: at the least, type of 18 is 11 pixels high on a phone."""
_MAX_HEIGHT_RATIO = 1.3
_VIEW_AROUND_POINT, _VIEW_AROUND_NEIGHBOUR = 70.0, 45.0
"""How much is seen round a point of the front, and round one that is linked to it."""
_FIGHT_WEIGHT, _OWN_ACTION_WEIGHT, _ENEMY_ACTION_WEIGHT = 6.0, 4.0, 1.0
"""How much a point matters where there was a fight, where the side acted, where the other did; a leader who
stands there matters by his strength."""
_COUNTER_EXTENTS = {"chips": (0.0, 13.0), "sieges": (54.0, 13.0), "fights": (15.0, 15.0)}
"""By what lies at a point how far it reaches from its middle; of chips across, it is their own affair."""


def close_up(view: View, seat: Seat, events: Sequence[AnyEvent]) -> dict[str, Any] | None:
    """Return the context of board.svg for the front of a side, or of both where one person leads them.

    window: its left, top, right and bottom. None where the side has nobody on the map and nothing
    happened.
    """
    drawn = map_scene(view, events)
    counter_boxes = [
        (counter["at"], _counter_box(counter, key)) for key in _COUNTER_EXTENTS for counter in drawn[key]
    ]
    found_window = _find_window(view, _sides_of(seat), events, counter_boxes)
    if found_window is None:
        return None
    window = found_window[1]
    lands = [
        land for land in drawn["lands"] if is_inside(window, region_box(land["name"], land["x"], land["y"]))
    ]
    return {
        **drawn,
        "window": window,
        "named": lands,
        "names": [
            point
            for point in drawn["points"]
            if is_inside(window, _visible_name_box(point["code"]))
            and is_inside(window, _square_box(point, 12))
        ],
        "points": [point for point in drawn["points"] if overlaps(window, _square_box(point, 40))],
        "marks": [mark for mark in drawn["marks"] if overlaps(window, _square_box(mark, 14))],
        "arrows": [arrow for arrow in drawn["arrows"] if overlaps(window, arrow["box"])],
        **{
            key: [counter for counter in drawn[key] if is_inside(window, _counter_box(counter, key))]
            for key in _COUNTER_EXTENTS
        },
    }


def _sides_of(seat: Seat) -> Sequence[Side]:
    return SIDES if seat not in (BOERS, EMPIRE) else ("boers",) if seat == BOERS else ("empire",)


def _find_window(
    view: View, sides: Sequence[Side], events: Sequence[AnyEvent], counter_boxes: Sequence[tuple[Point, Box]]
) -> CloseUp:
    chart, ground = map_layout(), view.board
    weights = _point_weights(view, sides, events)
    frame = CloseUpFrame(size=chart.size, zooms=CLOSE_UP_ZOOMS, tall=_MAX_HEIGHT_RATIO)
    near = [there for here in weights for there in ground.near[here]]
    shown = {
        point: [_visible_name_box(point), *(box for at, box in counter_boxes if at == point)]
        for point in weights
    }
    return frame.of(
        [
            bounding_box([frame.around(chart.spots[point].at, _VIEW_AROUND_POINT), *shown[point]])
            for point in weights
        ],
        [frame.around(chart.spots[point].at, _VIEW_AROUND_NEIGHBOUR) for point in near],
        [*weights.values()],
    )


def _point_weights(view: View, sides: Sequence[Side], events: Sequence[AnyEvent]) -> dict[Point, float]:
    """Return the points that matter to sides, in the order of the board, and how much each does."""
    weights = {point: _leader_strength(view, sides, point) for point in view.board.points}
    for event in events:
        much = (
            _ENEMY_ACTION_WEIGHT if getattr(event, "side", None) not in (*sides, None) else _OWN_ACTION_WEIGHT
        )
        if isinstance(event, event_types.Battle | event_types.Skirmish):
            much = _FIGHT_WEIGHT
        for point in _points_of(event):
            weights[point] = max(weights[point], much)
    return {point: much for point, much in weights.items() if much}


def _leader_strength(view: View, sides: Sequence[Side], point: Point) -> float:
    leaders = [leader for side in sides for leader in forces.leaders_at(view, point, side)]
    return float(sum(max(view.leaders[leader].sp, 1) for leader in leaders))


def _points_of(event: AnyEvent) -> Iterator[Point]:
    """Yield the points of an event: where it took place, from where, to where and by which path."""
    points = (getattr(event, "at", None), getattr(event, "to", None), *getattr(event, "path", ()))
    yield from (point for point in (*points, *getattr(event, "points", ())) if point in map_layout().spots)


def _visible_name_box(point: Point) -> Box:
    """Return the box of a point's name: inside the map, though letters are counted as wide ones."""
    x_min, y_min, x_max, y_max = name_box(map_layout().spots[point])
    return max(x_min, 0.0), y_min, min(x_max, float(map_layout().size[0])), y_max


def _counter_box(counter: Mapping[str, Any], key: str) -> Box:
    wide, high = _COUNTER_EXTENTS[key]
    wide = wide or counter["half"] + 2
    return counter["x"] - wide, counter["y"] - high, counter["x"] + wide, counter["y"] + high


def _square_box(entry: Mapping[str, Any], far: float) -> Box:
    return entry["x"] - far, entry["y"] - far, entry["x"] + far, entry["y"] + far
