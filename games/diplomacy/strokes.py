"""What moved, as lines on the map: arrows, crosses, dashes. Positions are in board units."""

from collections.abc import Callable, Iterator, Sequence
from math import atan2, degrees, hypot
from typing import Any

from games.diplomacy.atlas import Point
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.model import Beaten, Convoy, Move, Province, SupportHold, SupportMove

_CLEAR = 15.0
"""How far a line keeps away from the middle of a unit of the usual size."""

_GOING = ("moved", "bounced", "disrupted", "retreated", "disbanded")
_HELPING = ("supported", "convoyed", "cut", "disrupted", "void")

Where = Callable[[Province], Point]


def strokes(where: Where, events: Sequence[AnyEvent], k: float = 1.0) -> tuple[dict[str, Any], ...]:
    """The lines of a turn, supports and convoys first, so that moves are drawn over them.

    where: the middle of a unit's place at a spot; k: the size of units. Each line has kind ("move",
    "retreat", "support", "guard", "convoy"), power, failed, the points x1, y1 to x2, y2, their angle in
    degrees, and x, y: where the cross of a failed one stands.
    """
    resolved = [event for event in events if isinstance(event, Resolved) and event.unit and event.order]
    supports = [line for event in resolved for line in _support(where, event, _CLEAR * k)]
    moves = [line for event in resolved for line in _move(where, event, _CLEAR * k)]
    return (*supports, *moves)


def ways_out(where: Where, beaten: Sequence[Beaten], k: float = 1.0) -> tuple[dict[str, Any], ...]:
    """Where dislodged units may retreat to, as lines like those of `strokes`, of the kind "way"."""
    return tuple(
        _line(
            "way",
            one.unit.power,
            _toward(where(one.unit.spot), where(spot), _CLEAR * k),
            _toward(where(spot), where(one.unit.spot), _CLEAR * k),
            failed=False,
        )
        for one in beaten
        for spot in one.retreats
    )


def _move(where: Where, event: Resolved, clear: float) -> Iterator[dict[str, Any]]:
    order = event.order
    if not isinstance(order, Move) or event.outcome not in _GOING:
        return
    start, end = where(order.unit.spot), where(order.goal)
    failed = event.outcome not in ("moved", "retreated")
    kind = "retreat" if event.outcome in ("retreated", "disbanded") else "move"
    if failed:
        end = _between(start, end, 0.57)
        yield _line(kind, event.power, _toward(start, end, clear), end, failed=True)
    else:
        yield _line(kind, event.power, _toward(start, end, 5.0), _toward(end, start, clear + 1), failed=False)


def _support(where: Where, event: Resolved, clear: float) -> Iterator[dict[str, Any]]:
    order = event.order
    if not isinstance(order, SupportHold | SupportMove | Convoy) or event.outcome not in _HELPING:
        return
    start, other = where(order.unit.spot), where(order.other.spot)
    failed = event.outcome not in ("supported", "convoyed")
    if isinstance(order, SupportHold):
        yield _line(
            "guard", event.power, _toward(start, other, clear), _toward(other, start, clear + 2), failed
        )
    else:
        goal = where(order.to) if isinstance(order, Convoy) else where(order.goal)
        end = _nearest(start, other, goal) if isinstance(order, Convoy) else _between(other, goal, 0.42)
        kind = "convoy" if isinstance(order, Convoy) else "support"
        yield _line(kind, event.power, _toward(start, end, clear), end, failed)


def _line(kind: str, power: str, start: Point, end: Point, failed: bool) -> dict[str, Any]:
    cross = end if kind in ("move", "retreat") else _between(start, end, 0.5)
    return {
        "kind": kind,
        "power": power,
        "failed": failed,
        "x1": round(start[0], 1),
        "y1": round(start[1], 1),
        "x2": round(end[0], 1),
        "y2": round(end[1], 1),
        "angle": round(degrees(atan2(end[1] - start[1], end[0] - start[0])), 1),
        "x": round(cross[0], 1),
        "y": round(cross[1], 1),
    }


def _nearest(at: Point, start: Point, end: Point) -> Point:
    """The point of a way that is nearest to a place, but for its first and last sixth."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = ((at[0] - start[0]) * dx + (at[1] - start[1]) * dy) / length if length else 0.5
    return _between(start, end, min(max(share, 1 / 6), 5 / 6))


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _toward(start: Point, end: Point, distance: float) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    return _between(start, end, min(distance / length, 0.45) if length else 0.0)
