"""The lines of orders on the map: arrows, supports and convoys, with the crosses of failed orders."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import atan2, degrees, inf
from typing import Any

from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.map.dislodged_places import HALF_UNIT_SIZE, second_place
from games.diplomacy.map.labels import (
    CENTRE_DISC_SIZE,
    Box,
    are_apart,
    province_labels,
    shared_area,
    sizes,
    square,
)
from games.diplomacy.map.line_routing import (
    Course,
    Courses,
    bend_course,
    course_length,
    distance,
    point_along,
    trim_course,
)
from games.diplomacy.map.outlines import Point, path
from games.diplomacy.model import (
    Beaten,
    Convoy,
    Hold,
    Move,
    Piece,
    Province,
    SupportHold,
    SupportMove,
    split_spot,
)
from games.diplomacy.phrases import order_title

CLEAR = 15.0
"""The distance of a line from the middle of a unit of the usual size."""
_DEPARTURE_GAP = 5.0
"""The distance of a line from the former place of a unit that has left."""
_HOLD_RING_RADIUS = 17.5
"""The radius of the ring around a unit that is supported in place or convoys."""
_RING_STEP = 3.6
_SUPPORT_STAGGER = 8.5
"""The distance from the head of a move to the end of a support, and between supports."""
_BEND_SIZES = (10.0, 7.0, 4.5)
"""How far two opposite lines are bent apart. The first size with enough room is used."""
_CROSS = (0.45, 0.4, 0.5, 0.35, 0.55, 0.3, 0.25, 0.6, 0.2, 0.15, 0.1, 0.65, 0.75, 0.85, 0.95, 0.0, 1.0)
"""Places of a cross as shares of its line, the preferred one first."""

_HEAD_SHIFTS = (0.0, 4.0, 8.0, 12.0, 16.0, 20.0)
"""How much earlier than usual a line may end."""
_HALF_HEAD, _LEAST_LENGTH = 7.0, 24.0
"""Half the length of an arrow's head, and the least length of an arrow that ends earlier."""
_SMALL_HEAD = 0.65
"""The size of a head that would otherwise hide too much of a name."""
_HALF_CROSS = 6.0
"""Half the width of a cross."""
_CROSS_CLEARANCE = 18.0
"""At this distance from the middle of a unit, a cross hides none of it."""

_SUCCESSFUL_OUTCOMES = ("moved", "retreated", "supported", "convoyed")
_MOVE_OUTCOMES = ("moved", "bounced", "disrupted", "retreated", "disbanded", "void")
_HELP_OUTCOMES = ("supported", "convoyed", "cut", "disrupted", "void")


@dataclass(frozen=True)
class OrderLine:
    """One line. kind: "move", "retreat", "support", "guard", "convoy" or "way"; power: the order's power.

    points: the course; cross: the place of a cross, if the order failed; ring: the middle and size of the
    ring at its end; title: the tooltip; head: the size of its head.
    """

    kind: str
    power: str
    failed: bool
    points: Course
    cross: Point
    ring: tuple[Point, float] | None = None
    title: str = ""
    head: float = 1.0

    def template_values(self) -> dict[str, Any]:
        """Return values for the map's template. x2, y2, angle: the head; x, y: the cross."""
        (ax, ay), (bx, by) = self.points[-2:]
        marks = [*self.points, self.cross]
        if self.ring:
            (x, y), size = self.ring
            marks += [(x - size, y - size), (x + size, y + size)]
        across, down = [x for x, _ in marks], [y for _, y in marks]
        # The box leaves room for the head and the cross: left, top, right, bottom.
        box = f"{int(min(across)) - 22} {int(min(down)) - 22} {int(max(across)) + 22} {int(max(down)) + 22}"
        return {
            "kind": self.kind,
            "power": self.power,
            "failed": self.failed,
            "title": self.title,
            "head": self.head,
            "box": box,
            "points": [(round(x, 1), round(y, 1)) for x, y in self.points],
            "d": path([self.points], closed=False),
            "x2": round(bx, 1),
            "y2": round(by, 1),
            "angle": round(degrees(atan2(by - ay, bx - ax)), 1),
            "x": round(self.cross[0], 1),
            "y": round(self.cross[1], 1),
            "ring": (*(round(value, 1) for value in self.ring[0]), round(self.ring[1], 1))
            if self.ring
            else None,
        }


def middle(board: Board, spot: Province) -> Point:
    """Return the middle of a unit's place at a spot. A fleet on one of several coasts is at that coast."""
    at, coast = split_spot(spot)
    return board.places[at].anchors.get(coast, province_labels(board)[at].piece)


@dataclass(frozen=True, eq=False)
class OrderPen:
    """Draws the orders of a turn.

    k: the size of units; vacated: the provinces whose dislodged units are drawn aside; names: the boxes of
    names, which crosses leave free where they can.
    """

    board: Board
    k: float
    courses: Courses
    events: tuple[Resolved, ...]
    vacated: frozenset[Province]
    names: Sequence[Box]
    _rings: Counter[Province] = field(default_factory=Counter)
    _ends: Counter[tuple[Province, Province]] = field(default_factory=Counter)

    @cached_property
    def moves(self) -> dict[tuple[Province, Province], OrderLine]:
        """Return the lines of all moves, by origin and goal."""
        going = {
            (event.order.unit.at, event.order.to): (event, event.order)
            for event in self.events
            if isinstance(event.order, Move) and event.outcome in _MOVE_OUTCOMES
        }
        lines = {}
        for (here, there), (event, order) in going.items():
            retreats = event.outcome in ("retreated", "disbanded")
            points = self.route(order.unit, order.goal, via=order.via, departed=retreats)
            if (there, here) in going and len(points) < 4:
                points = self._bend_aside(points, here, there)
            beside = points[0], points[-1]
            succeeds = event.outcome in _SUCCESSFUL_OUTCOMES
            points = self._into(points, there, (_DEPARTURE_GAP if succeeds else CLEAR) * self.k)
            kind = "retreat" if retreats else "move"
            ends = self._broken_at(event, order) or (here, there)
            line = self.stroke(kind, event, points, ends=ends, beside=beside)
            hides = not are_apart((self._head_box(points),), self.names)
            lines[here, there] = replace(line, head=_SMALL_HEAD) if hides else line
        return lines

    def _broken_at(self, event: Resolved, order: Move) -> tuple[Province, ...]:
        """Return where an army's convoy broke: at fleets on its route, or where it began without a route."""
        if event.outcome != "disrupted":
            return ()
        route = self.convoy_route(order.unit, order.to)
        lost = {
            other.order.unit.at
            for other in self.events
            if isinstance(other.order, Convoy) and other.outcome == "disrupted"
        }
        return tuple(place for place in route if place in lost) or route[1:-1] or (order.unit.at,)

    def stand(self, piece: Piece, *, departed: bool = False) -> Point:
        """Return the place of a unit, or its former place. A dislodged unit is aside.

        departed: the unit was dislodged and is no longer drawn.
        """
        if departed or piece.at in self.vacated:
            return second_place(self.board, piece.at).at
        return middle(self.board, piece.spot)

    def over(self, start: Point, end: Point, here: Province, there: Province) -> Course:
        """Return the line between two points. It is straight unless their provinces are neighbours."""
        if there in self.board.army[here] or there in self.board.fleet[here]:
            return self.courses.course(start, end, here, there)
        return start, end

    def convoy_route(self, army: Piece, to: Province) -> tuple[Province, ...]:
        """Return the provinces of an army's shortest route over its fleets, or none."""
        fleets = {
            event.order.unit.at
            for event in self.events
            if isinstance(event.order, Convoy) and (event.order.other.at, event.order.to) == (army.at, to)
        }
        ways: list[tuple[Province, ...]] = [(army.at,)]
        met = {army.at}
        for way in ways:
            near = self.board.fleet[way[-1]]
            if len(way) > 1 and to in near:
                return (*way, to)
            for province in near:
                if province in fleets and province not in met and self.board.has_convoys(province):
                    met.add(province)
                    ways.append((*way, province))
        return ()

    def stroke(
        self,
        kind: str,
        event: Resolved,
        points: Course,
        *,
        ends: Sequence[Province],
        beside: Sequence[Point],
        ring: tuple[Point, float] | None = None,
    ) -> OrderLine:
        """Return the line of an order.

        ends: the provinces where its cross may be; beside: the places of units that the cross mustn't hide.
        """
        assert event.unit, "only orders of units are drawn"
        whole, failed = course_length(points), event.outcome not in _SUCCESSFUL_OUTCOMES
        cross, clear = points[0] if failed else point_along(points, whole / 2), list[Point]()
        for share in _CROSS if failed else ():
            at = point_along(points, whole * share)
            if not any(self.courses.contains(end, at) for end in ends):
                continue
            if not any(distance(at, unit) < _CROSS_CLEARANCE * self.k for unit in beside):
                clear.append(at)
                if are_apart((square(at, _HALF_CROSS * self.k),), self.names):
                    cross = at
                    break
            cross = at if cross is points[0] else cross
        else:
            cross = clear[0] if clear else cross
        title = order_title(self.board, event.power, event.unit)
        return OrderLine(kind, event.power, failed, points, cross, ring, title)

    def _into(self, points: Course, there: Province, before: float) -> Course:
        """Return a line trimmed at its goal. It keeps away from the unit there, but enters the province.

        It ends earlier if its head then hides less of names and pieces.
        """
        after = (CLEAR + 1) * self.k
        while after > 1 and not self.courses.contains(there, trim_course(points, before, after)[-1]):
            after *= 0.8
        best, least = trim_course(points, before, after), inf
        for earlier in _HEAD_SHIFTS:
            shorter = trim_course(points, before, after + earlier * self.k)
            is_short = course_length(shorter) < _LEAST_LENGTH * self.k
            if earlier and (is_short or not self.courses.contains(there, shorter[-1])):
                break
            hidden = self._hidden_by_head(shorter, there, points[-1]) + earlier * self.k
            if hidden < least:
                best, least = shorter, hidden
        return best

    def _head_box(self, points: Course) -> Box:
        half = _HALF_HEAD * self.k
        return square(point_along(points, course_length(points) - half), half)

    def _hidden_by_head(self, points: Course, there: Province, goal: Point) -> float:
        """Return the area that the head of a line shares with names and with the pieces of its province."""
        head, pieces = self._head_box(points), list[Box]()
        if there in self.board.centres:
            disc = CENTRE_DISC_SIZE / 2 * sizes(self.board).centre
            pieces.append(square(province_labels(self.board)[there].centre, disc))
        pieces.append(square(goal, HALF_UNIT_SIZE * self.k))
        if there in self.vacated:
            aside = second_place(self.board, there)
            pieces.append(square(aside.at, HALF_UNIT_SIZE * aside.size * self.k))
        return sum(shared_area(head, box) for box in (*self.names, *pieces))

    def route(self, piece: Piece, goal: Province, *, via: bool = False, departed: bool = False) -> Course:
        """Return the course of a move, through its fleets if it is convoyed."""
        to = split_spot(goal)[0]
        by_sea = piece.kind == "A" and (via or to not in self.board.army[piece.at])
        chain = self.convoy_route(piece, to) if by_sea else ()
        if not chain:
            return self.over(self.stand(piece, departed=departed), middle(self.board, goal), piece.at, to)
        stops = [
            self.stand(piece),
            *(middle(self.board, water) for water in chain[1:-1]),
            middle(self.board, goal),
        ]
        points: list[Point] = [stops[0]]
        for (start, end), (here, there) in zip(pairwise(stops), pairwise(chain), strict=True):
            points += self.over(start, end, here, there)[1:]
        return tuple(points)

    def _bend_aside(self, points: Course, here: Province, there: Province) -> Course:
        """Return a line bent away from an opposite one, as far as its provinces have room."""
        both = frozenset((here, there))
        for bow in _BEND_SIZES:
            bowed = bend_course(points, bow * self.k)
            if all(self.courses.is_clear(first, second, both) for first, second in pairwise(bowed)):
                return bowed
        return points

    def helping(self, event: Resolved) -> Iterator[OrderLine]:
        """Yield the line of a support or a convoy."""
        order = event.order
        if event.outcome not in _HELP_OUTCOMES:
            return
        if isinstance(order, SupportHold):
            yield self._guard(event, order)
        elif isinstance(order, SupportMove):
            yield self._support(event, order)
        elif isinstance(order, Convoy):
            yield self._convoy(event, order)

    def _guard(self, event: Resolved, order: SupportHold) -> OrderLine:
        """Return the line to the ring around the unit that is supported in place."""
        here, there = order.unit.at, order.other.at
        middle_of, size = self.stand(order.other), self._ring(there)
        points = self.over(self.stand(order.unit), middle_of, here, there)
        return self.stroke(
            "guard",
            event,
            trim_course(points, CLEAR * self.k, size),
            ends=(here, there),
            beside=(points[0], middle_of),
            ring=(middle_of, size),
        )

    def _support(self, event: Resolved, order: SupportMove) -> OrderLine:
        """Return the line to the end of the supported move, behind earlier supports of it."""
        here, to = order.unit.at, order.to
        known = self.moves.get((order.other.at, to))
        helped = known.points if known else self._into(self.route(order.other, order.goal), to, 0)
        self._ends[order.other.at, to] += 1
        whole = course_length(helped)
        back = min(_SUPPORT_STAGGER * self.k * self._ends[order.other.at, to], 0.45 * whole)
        while back > 0.5 and not self.courses.contains(to, point_along(helped, whole - back)):
            back *= 0.7
        end = point_along(helped, whole - back) if back > 0.5 else helped[-1]
        start = self.stand(order.unit)
        points = trim_course(self.over(start, end, here, to), CLEAR * self.k, 0)
        beside = start, middle(self.board, order.goal)
        return self.stroke("support", event, points, ends=(here, to), beside=beside)

    def _convoy(self, event: Resolved, order: Convoy) -> OrderLine:
        """Return the ring around a fleet on its army's route, or lines to both shores without an army."""
        at, army, to = order.unit.at, order.other, order.to
        ring = self.stand(order.unit), self._ring(at)
        move = self.moves.get((army.at, to))
        if move and at in self.convoy_route(army, to):
            cross = ring[0][0] + 0.7 * ring[1], ring[0][1] - 0.7 * ring[1]
            inside = cross if self.courses.contains(at, cross) else ring[0]
            line = self.stroke("convoy", event, (ring[0], ring[0]), ends=(at,), beside=(), ring=ring)
            return replace(line, cross=inside)
        start, end = self.stand(army), middle(self.board, to)
        offered = (*self.over(start, ring[0], army.at, at), *self.over(ring[0], end, at, to)[1:])
        points = trim_course(offered, CLEAR * self.k, CLEAR * self.k)
        return self.stroke("convoy", event, points, ends=(at,), beside=(ring[0],), ring=ring)

    def _ring(self, at: Province) -> float:
        self._rings[at] += 1
        return (_HOLD_RING_RADIUS + _RING_STEP * (self._rings[at] - 1)) * self.k


# The lines of a turn.
#
# Each line and its cross stay in the provinces that it joins. Positions are in board units.


_IDLE = frozenset(
    {"replaced", "not-due", "not-yours", "no-unit", "no-place", "stays-put", "supports-itself", "which-berth"}
)
"""Reasons of void orders that say nothing about what a unit tried."""


def order_lines(
    board: Board, events: Sequence[AnyEvent], beaten: Sequence[Beaten] = ()
) -> tuple[OrderLine, ...]:
    """Return the lines of a turn. Supports and convoys come first, so that moves are drawn over them.

    beaten: the dislodged units, which are drawn aside.
    """
    drawn = []
    # Drawn is what a unit did or tried, between known provinces.
    for event in events:
        if not isinstance(event, Resolved) or not event.unit:
            continue
        if event.outcome == "void" and event.reason and event.reason.code in _IDLE:
            continue
        if isinstance(event.order, Move | SupportHold | SupportMove | Convoy):
            ends = [event.order.unit.at]
            ends += [] if isinstance(event.order, Move) else [event.order.other.at]
            ends += [] if isinstance(event.order, SupportHold) else [event.order.to]
            if all(end in board.places for end in ends):
                drawn.append(event)
    pen = _pen_for(board, drawn, beaten)
    helping = [line for event in drawn for line in pen.helping(event)]
    return (*helping, *pen.moves.values())


def retreat_lines(board: Board, beaten: Sequence[Beaten]) -> tuple[OrderLine, ...]:
    """Return the retreats of dislodged units, as lines of the kind "way"."""
    pen, lines = _pen_for(board, (), beaten), []
    clear = CLEAR * pen.k
    for beaten_unit in beaten:
        for spot in beaten_unit.retreats:
            points = trim_course(pen.route(beaten_unit.unit.piece, spot), clear, clear)
            half_way = point_along(points, course_length(points) / 2)
            lines.append(OrderLine("way", beaten_unit.unit.power, False, points, half_way))
    return tuple(lines)


def _pen_for(board: Board, events: Iterable[Resolved], beaten: Sequence[Beaten]) -> OrderPen:
    vacated = frozenset(beaten_unit.unit.at for beaten_unit in beaten)
    names = [box for label in province_labels(board).values() for box in label.boxes]
    return OrderPen(board, sizes(board).unit, Courses.of(board), tuple(events), vacated, names)


def holding(board: Board, events: Sequence[AnyEvent]) -> tuple[Point, ...]:
    """Return the places of units that held against a move, or with support for it, and weren't dislodged."""
    orders = [event.order for event in events if isinstance(event, Resolved)]
    mattered = {order.to for order in orders if isinstance(order, Move)}
    mattered |= {order.other.at for order in orders if isinstance(order, SupportHold)}
    return tuple(
        middle(board, event.unit.spot)
        for event in events
        if isinstance(event, Resolved)
        and event.unit
        and event.outcome == "held"
        and isinstance(event.order, Hold | None)
        and not event.dislodged
        and event.unit.at in mattered
    )
