"""What moved, as lines on the map: arrows, crosses, dashes. Positions are in board units."""

from collections.abc import Callable, Iterator, Sequence
from math import atan2, degrees, hypot
from typing import Any

from games.diplomacy.atlas import Point
from games.diplomacy.model import Convoy, Move, Province, Resolved, SupportHold, SupportMove
from games.protocol import Event

_CLEAR = 15.0
"""How far a line keeps away from the middle of a unit."""

_GOING = ("moved", "bounced", "disrupted", "retreated", "disbanded")
_HELPING = ("supported", "convoyed", "cut", "disrupted", "void")

Where = Callable[[Province], Point]


def strokes(where: Where, events: Sequence[Event]) -> tuple[dict[str, Any], ...]:
    """The lines of a turn, supports and convoys first, so that moves are drawn over them.

    where: the middle of a unit's place in a province. Each line has kind ("move", "retreat", "support",
    "guard"), power, failed, the points x1, y1 to x2, y2, their angle in degrees, and the place x, y of the
    cross that a failed one gets.
    """
    resolved = [event for event in events if isinstance(event, Resolved) and event.unit and event.order]
    supports = [line for event in resolved for line in _support(where, event)]
    moves = [line for event in resolved for line in _move(where, event)]
    return (*supports, *moves)


def _move(where: Where, event: Resolved) -> Iterator[dict[str, Any]]:
    order = event.order
    if not isinstance(order, Move) or event.outcome not in _GOING:
        return
    start, end = where(order.unit.at), where(order.to)
    failed = event.outcome not in ("moved", "retreated")
    kind = "retreat" if event.outcome in ("retreated", "disbanded") else "move"
    if failed:
        end = _between(start, end, 0.57)
        yield _line(kind, event, _toward(start, end, _CLEAR), end, failed=True)
    else:
        yield _line(kind, event, _toward(start, end, 5.0), _toward(end, start, _CLEAR + 1), failed=False)


def _support(where: Where, event: Resolved) -> Iterator[dict[str, Any]]:
    order = event.order
    if not isinstance(order, SupportHold | SupportMove | Convoy) or event.outcome not in _HELPING:
        return
    start, other = where(order.unit.at), where(order.other.at)
    failed = event.outcome not in ("supported", "convoyed")
    if isinstance(order, SupportHold):
        yield _line("guard", event, _toward(start, other, _CLEAR), _toward(other, start, _CLEAR + 2), failed)
    else:
        end = _between(other, where(order.to), 0.42)
        yield _line("support", event, _toward(start, end, _CLEAR), end, failed)


def _line(kind: str, event: Resolved, start: Point, end: Point, failed: bool) -> dict[str, Any]:
    cross = end if kind in ("move", "retreat") else _between(start, end, 0.5)
    return {
        "kind": kind,
        "power": event.power,
        "failed": failed,
        "x1": round(start[0], 1),
        "y1": round(start[1], 1),
        "x2": round(end[0], 1),
        "y2": round(end[1], 1),
        "angle": round(degrees(atan2(end[1] - start[1], end[0] - start[0])), 1),
        "x": round(cross[0], 1),
        "y": round(cross[1], 1),
    }


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _toward(start: Point, end: Point, distance: float) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    return _between(start, end, min(distance / length, 0.45) if length else 0.0)
