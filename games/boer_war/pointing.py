"""Points that can be pointed at: their holders, the forces there, and the points of each event."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import forces, names
from games.boer_war.board import board
from games.boer_war.codes import Link, Point, link_ends
from games.boer_war.events import AnyEvent
from games.boer_war.map_layout import POINT_HALF_HEIGHT, POINT_HALF_WIDTH, map_layout
from games.boer_war.model import SIDE_NAMES, SIDES, View
from games.boer_war.phrases import leader_names, the_side
from games.boer_war.placing import LayoutBox, name_box
from games.protocol.optional import EventPlaces, MapRegion

_TOUCH_MARGIN = 5.0
"""So much further a point can be touched than it is drawn."""

ArrowEvent = event_types.Went | event_types.Battle | event_types.Retreated
"""What the map draws arrows of."""

_POINT_FIELDS, _POINTS_FIELDS = ("came", "at", "to"), ("path", "points")
_LINK_FIELDS = ("link", "links")
"""The fields of an event, or of an order, that name a point, several, or links."""


def map_spots(view: View) -> tuple[MapRegion, ...]:
    """Return every point of the map with its name beside it; none at the player's own table."""
    if view.mode == "table":
        return ()
    return tuple(
        MapRegion(
            at=point,
            path=_spot_outlines()[point],
            name=names.place_name(point),
            owner=the_side(holder) if (holder := view.control.get(point)) else None,
            pieces=tuple(_pieces_at(view, point)),
        )
        for point in view.board.points
    )


def event_mention(event: AnyEvent) -> EventPlaces | None:
    """Return the points that an event is about, in order; of a refused order those that it names."""
    at = tuple(dict.fromkeys(_points_named(event)))
    if not at:
        return None
    if isinstance(event, ArrowEvent) and (arrow := arrow_title(event)):
        side = event.attacker.side if isinstance(event, event_types.Battle) else event.side
        return EventPlaces(at=at, of=SIDE_NAMES[side], title=arrow)
    return EventPlaces(at=at)


def arrow_title(event: ArrowEvent) -> str:
    """Return the name that board.svg gives the arrows of an event; "" where it draws none."""
    if isinstance(event, event_types.Battle):
        came = event.came
        return f"{leader_names(event.attacker.leaders)}: {event.came} attacks {event.at}" if came else ""
    if isinstance(event, event_types.Retreated):
        return f"{leader_names(event.leaders)}: {event.at} retreats {event.to}" if event.beaten else ""
    return f"{leader_names(event.leaders)}: {' - '.join(event.path)}"


@cache
def _spot_outlines() -> dict[Point, str]:
    """Return, by point, the outline of a box round it and of one round its name."""
    outlines = {}
    for point in board().points:
        spot = map_layout().spots[point]
        (x, y), wide, high = spot.at, POINT_HALF_WIDTH + _TOUCH_MARGIN, POINT_HALF_HEIGHT + _TOUCH_MARGIN
        outlines[point] = _box_path((x - wide, y - high, x + wide, y + high)) + _box_path(name_box(spot))
    return outlines


def _box_path(box: LayoutBox) -> str:
    x_min, y_min, x_max, y_max = box
    return f"M{x_min:.0f} {y_min:.0f}H{x_max:.0f}V{y_max:.0f}H{x_min:.0f}Z"


def _pieces_at(view: View, point: Point) -> Iterator[str]:
    """Yield leaders with their strength, garrison, siege, camp."""
    for side in SIDES:
        for leader in forces.leaders_at(view, point, side):
            yield f"{names.leader_name(leader)} of {the_side(side)}, {view.leaders[leader].sp} SP"
    if point in view.garrisons:
        yield f"a garrison of the Empire, {view.garrisons[point]} SP"
    if point in view.sieges:
        yield f"besieged, level {view.sieges[point]} of {view.box.places[point].resistance}"
    if point in view.camps:
        yield "a camp"


def _points_named(event: AnyEvent) -> Iterator[Point]:
    source: Any = event.order if isinstance(event, event_types.Refused) else event
    for field in _POINT_FIELDS:
        if (point := getattr(source, field, None)) in board().points:
            yield point
    for field in _POINTS_FIELDS:
        yield from (point for point in getattr(source, field, ()) if point in board().points)
    for field in _LINK_FIELDS:
        links = getattr(source, field, None) or ()
        for link in (links,) if isinstance(links, str) else links:
            yield from link_ends(Link(link))
