"""Points that can be pointed at: who holds them, who stands there; where each event happens."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import forces, names
from games.boer_war.atlas import HALF_HEIGHT, HALF_WIDTH, atlas
from games.boer_war.board import board
from games.boer_war.codes import Link, Point, ends
from games.boer_war.events import AnyEvent
from games.boer_war.model import SIDE_NAMES, SIDES, View
from games.boer_war.phrases import led, the
from games.boer_war.placing import Box, name_box
from games.protocol.optional import Mention, Spot

_ROUND = 5.0
"""So much further a point can be touched than it is drawn."""

Marched = event_types.Went | event_types.Battle | event_types.Retreated
"""What the map draws arrows of."""

_ONE, _MANY = ("came", "at", "to"), ("path", "points")
_LINKS = ("link", "links")
"""The fields of an event, or of an order, that name a point, several, or links."""


def spots(view: View) -> tuple[Spot, ...]:
    """Every point of the map with its name beside it; none where the board lies on the player's own table."""
    if view.mode == "table":
        return ()
    return tuple(
        Spot(
            at=point,
            path=_outlines()[point],
            name=names.place(point),
            owner=the(holder) if (holder := view.control.get(point)) else None,
            pieces=tuple(_standing(view, point)),
        )
        for point in view.board.points
    )


def mention(event: AnyEvent) -> Mention | None:
    """The points that an event is about, the one first where it began; with an order those that it names."""
    at = tuple(dict.fromkeys(_points(event)))
    if not at:
        return None
    if isinstance(event, Marched) and (said := title(event)):
        side = event.attacker.side if isinstance(event, event_types.Battle) else event.side
        return Mention(at=at, of=SIDE_NAMES[side], title=said)
    return Mention(at=at)


def title(event: Marched) -> str:
    """What board.svg calls the arrows of an event; "" where it draws none."""
    if isinstance(event, event_types.Battle):
        came = event.came
        return f"{led(event.attacker.leaders)}: {event.came} attacks {event.at}" if came else ""
    if isinstance(event, event_types.Retreated):
        return f"{led(event.leaders)}: {event.at} retreats {event.to}" if event.beaten else ""
    return f"{led(event.leaders)}: {' - '.join(event.path)}"


@cache
def _outlines() -> dict[Point, str]:
    """Round each point a box, and one round its name."""
    found = {}
    for point in board().points:
        spot = atlas().spots[point]
        (x, y), wide, high = spot.at, HALF_WIDTH + _ROUND, HALF_HEIGHT + _ROUND
        found[point] = _boxed((x - wide, y - high, x + wide, y + high)) + _boxed(name_box(spot))
    return found


def _boxed(box: Box) -> str:
    left, top, right, low = box
    return f"M{left:.0f} {top:.0f}H{right:.0f}V{low:.0f}H{left:.0f}Z"


def _standing(view: View, point: Point) -> Iterator[str]:
    """Leaders with their strength, garrison, siege, camp."""
    for side in SIDES:
        for leader in forces.leaders_at(view, point, side):
            yield f"{names.leader(leader)} of {the(side)}, {view.leaders[leader].sp} SP"
    if point in view.garrisons:
        yield f"a garrison of the Empire, {view.garrisons[point]} SP"
    if point in view.sieges:
        yield f"besieged, level {view.sieges[point]} of {view.box.places[point].resistance}"
    if point in view.camps:
        yield "a camp"


def _points(event: AnyEvent) -> Iterator[Point]:
    told: Any = event.order if isinstance(event, event_types.Refused) else event
    for field in _ONE:
        if (point := getattr(told, field, None)) in board().points:
            yield point
    for field in _MANY:
        yield from (one for one in getattr(told, field, ()) if one in board().points)
    for field in _LINKS:
        found = getattr(told, field, None) or ()
        for link in (found,) if isinstance(found, str) else found:
            yield from ends(Link(link))
