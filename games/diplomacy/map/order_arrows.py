"""The lines of orders on the map: arrows, supports and convoys, with the crosses of failed orders."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import atan2, cos, degrees, inf, radians, sin
from typing import Any

from games.diplomacy.boards.board import Board
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.map.dislodged_places import (
    HALF_UNIT_SIZE,
    SecondPlace,
    dislodged_place,
    second_place,
)
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
    distance_to_course,
    nearest_between,
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
    Unit,
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
_SUPPORT_STAGGER = 10.0
"""The distance from the head of a move to the end of a support, and between supports."""
_LATER_STAGGERS = 3
"""How much further back than necessary a support may end, if a unit is in its way."""
_BEND_SIZES = (10.0, 7.0, 4.5)
"""How far two opposite lines are bent apart. The first size with enough room is used."""
_CROSS = (0.45, 0.4, 0.5, 0.35, 0.55, 0.3, 0.25, 0.6, 0.2, 0.15, 0.1, 0.65, 0.75, 0.85, 0.95, 0.0, 1.0)
"""Places of a cross as shares of its line, the preferred one first."""

_UNIT_RADIUS = 13.0
"""A line closer than this to the middle of a unit of the usual size runs under it."""
_DETOURS = (4.0, 9.0, 15.0)
"""Distances from that circle at which a line goes round a unit. The first with enough room is used."""
_HEADS_APART = 19.0
"""The least distance of the heads of two moves into one province."""
_HEAD_TURNS = (35, -35, 55, -55, 80, -80, 110, -110)
"""By how many degrees a head that is too close to another one is shifted around its goal."""
_HEAD_SHIFTS = (0.0, 4.0, 8.0, 12.0, 16.0, 20.0)
"""How much earlier than usual a line may end."""
_HALF_HEAD, _LEAST_LENGTH = 7.0, 24.0
"""Half the length of an arrow's head, and the least length of an arrow that ends earlier."""
_ROOM_FOR_SHAFT = 58.0
"""An arrow from a place where another unit is now begins clear of that unit, if it is at least so long."""
_SMALL_HEAD = 0.65
"""The size of a head that would otherwise hide too much of a name."""
_HALF_CROSS = 6.0
"""Half the width of a cross."""
_CROSS_CLEARANCE = 18.0
"""At this distance from the middle of a unit, a cross hides none of it."""
_CROSSES_APART, _CROSS_FROM_HEAD = 14.0, 15.0
"""The least distances of a cross from another one, and from the head of its line."""
_CROSS_SIZE, _SMALL_CROSS, _ROOM_FOR_CROSS = 0.85, 0.6, 44.0
"""The usual size of crosses, that on a short line, and the least length of a line with a usual cross."""

_LONGEST_SHIFTED = 4
"""The heads of lines with more points, as of convoys, stay where they are."""

_SUCCESSFUL_OUTCOMES = ("moved", "retreated", "supported", "convoyed")
_MOVE_OUTCOMES = ("moved", "bounced", "disrupted", "retreated", "disbanded", "void")
_HELP_OUTCOMES = ("supported", "convoyed", "cut", "disrupted", "void")


@dataclass(frozen=True)
class OrderLine:
    """One line. kind: "move", "retreat", "support", "guard", "convoy" or "way"; power: the order's power.

    points: the course; cross: the place of a cross, if the order failed, and cross_size its size; ring: the
    middle and size of the ring at its end; title: the tooltip; head: the size of its head.
    """

    kind: str
    power: str
    failed: bool
    points: Course
    cross: Point
    ring: tuple[Point, float] | None = None
    title: str = ""
    head: float = 1.0
    cross_size: float = _CROSS_SIZE

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
            "cross": self.cross_size,
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

    k: the size of units; aside: the places of dislodged units; standing: those of all other units, as they
    are drawn; names: the boxes of names, which crosses leave free where they can.
    """

    board: Board
    k: float
    courses: Courses
    events: tuple[Resolved, ...]
    aside: Mapping[Province, SecondPlace]
    standing: Mapping[Province, Point]
    names: Sequence[Box]
    _rings: Counter[Province] = field(default_factory=Counter)
    _ends: Counter[tuple[Province, Province]] = field(default_factory=Counter)
    _heads: dict[Province, list[Point]] = field(default_factory=dict)
    _crosses: list[Point] = field(default_factory=list)

    @cached_property
    def moves(self) -> dict[tuple[Province, Province], OrderLine]:
        """Return the lines of all moves, by origin and goal."""
        going = {
            (event.order.unit.at, event.order.to): (event, event.order)
            for event in self.events
            if isinstance(event.order, Move) and event.outcome in _MOVE_OUTCOMES
        }
        lines = {}
        # What moved comes first, so that its arrow is the straightest.
        in_order = sorted(going.items(), key=lambda one: one[1][0].outcome not in _SUCCESSFUL_OUTCOMES)
        for (here, there), (event, order) in in_order:
            retreats = event.outcome in ("retreated", "disbanded")
            points = self.route(order.unit, order.goal, via=order.via, departed=retreats)
            if (there, here) in going and len(points) < 4:
                points = self._bend_aside(points, here, there)
            beside = points[0], points[-1]
            points = self.clear_course(points, here, there)
            succeeds = event.outcome in _SUCCESSFUL_OUTCOMES
            before = (_DEPARTURE_GAP if succeeds else CLEAR) * self.k
            if here in self.standing and course_length(points) > _ROOM_FOR_SHAFT * self.k:
                before = CLEAR * self.k
            points = self._into(points, there, before)
            points = self._spread(points, beside, (here, there), before)
            self._heads.setdefault(there, []).append(points[-1])
            kind = "retreat" if retreats else "move"
            ends = self._broken_at(event, order) or (here, there)
            line = self.stroke(kind, event, points, ends=ends, beside=beside)
            hides = not are_apart((self._head_box(points),), self.names)
            lines[here, there] = replace(line, head=_SMALL_HEAD) if hides else line
        return {way: lines[way] for way in going}

    def _spread(
        self, points: Course, whole: tuple[Point, Point], ends: tuple[Province, Province], before: float
    ) -> Course:
        """Return a line with its head shifted around its goal, if it is too close to that of another line.

        whole: the middles of its origin and its goal; before: the length that is missing at its beginning.
        """
        others, least = self._heads.get(ends[1], ()), _HEADS_APART * self.k

        def gap(course: Course) -> float:
            return min((distance(course[-1], head) for head in others), default=inf)

        if gap(points) >= least or len(points) > _LONGEST_SHIFTED:
            return points
        (x, y), best = whole[1], points
        angle, far = atan2(points[-1][1] - y, points[-1][0] - x), (CLEAR + 1) * self.k
        for turn in _HEAD_TURNS:
            goal = x + far * cos(angle + radians(turn)), y + far * sin(angle + radians(turn))
            if not self.courses.contains(ends[1], goal):
                continue
            course = trim_course(self.clear_course(self.over(whole[0], goal, *ends), *ends), before, 0)
            if course_length(course) < _LEAST_LENGTH * self.k or self._is_blocked(course, *ends):
                continue
            if gap(course) > gap(best):
                best = course
            if gap(best) >= least:
                break
        return best

    def _units_near(self, points: Course, *provinces: Province) -> list[tuple[Point, float]]:
        """Return the units in some provinces between the ends of a line, each with its radius."""
        near = [
            (self.standing[place], _UNIT_RADIUS * self.k) for place in provinces if place in self.standing
        ]
        near += [
            (self.aside[place].at, _UNIT_RADIUS * self.aside[place].size * self.k)
            for place in provinces
            if place in self.aside
        ]
        ends = points[0], points[-1]
        return [one for one in near if all(distance(one[0], end) > one[1] for end in ends)]

    def _is_blocked(self, points: Course, *provinces: Province) -> bool:
        """Return whether a line runs under a unit in some provinces."""
        return any(
            distance_to_course(unit, points) < radius for unit, radius in self._units_near(points, *provinces)
        )

    def clear_course(self, points: Course, *provinces: Province) -> Course:
        """Return a line that goes round the units in its provinces, as far as there is room."""
        for unit, radius in self._units_near(points, *provinces):
            if distance_to_course(unit, points) < radius:
                points = self._round_one(points, unit, radius, frozenset(provinces))
        return points

    def _round_one(
        self, points: Course, unit: Point, radius: float, provinces: frozenset[Province]
    ) -> Course:
        """Return a line that goes round a unit on the side where it is already, or else on the other."""
        steps = [*pairwise(points)]
        number = min(
            range(len(steps)), key=lambda number: distance(unit, nearest_between(unit, *steps[number]))
        )
        start, end = steps[number]
        length = distance(start, end) or 1.0
        across, down = (start[1] - end[1]) / length, (end[0] - start[0]) / length
        nearest = nearest_between(unit, start, end)
        side = 1 if (nearest[0] - unit[0]) * across + (nearest[1] - unit[1]) * down >= 0 else -1
        best, clearance = points, distance(unit, nearest)
        for far in _DETOURS:
            for way in (side, -side):
                out = way * (radius + far * self.k)
                via = unit[0] + out * across, unit[1] + out * down
                around = (*points[: number + 1], via, *points[number + 1 :])
                gap = distance_to_course(unit, around)
                if gap > clearance and all(
                    self.courses.is_clear(*step, provinces) for step in ((start, via), (via, end))
                ):
                    best, clearance = around, gap
            if clearance >= radius:
                break
        return best

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
        if piece.at in self.aside:
            return self.aside[piece.at].at
        if departed:
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
        failed = event.outcome not in _SUCCESSFUL_OUTCOMES
        cross = self._place_for_cross(points, ends, beside) if failed else points[0]
        short = failed and course_length(points) < _ROOM_FOR_CROSS * self.k
        size = _SMALL_CROSS if short and kind != "convoy" else _CROSS_SIZE
        title = order_title(self.board, event.power, event.unit)
        return OrderLine(kind, event.power, failed, points, cross, ring, title, cross_size=size)

    def _place_for_cross(self, points: Course, ends: Sequence[Province], beside: Sequence[Point]) -> Point:
        """Return the place on a line where a cross hides least, in one of the provinces of its ends."""
        whole, k = course_length(points), self.k
        units = [*beside, *(unit for unit, _ in self._units_near(points, *ends))]
        places = [point_along(points, whole * share) for share in _CROSS]
        inside = [at for at in places if any(self.courses.contains(end, at) for end in ends)]

        def faults(at: Point) -> int:
            on_head = distance(at, points[-1]) < min(_CROSS_FROM_HEAD * k, 0.6 * whole)
            return (
                8 * any(distance(at, unit) < _CROSS_CLEARANCE * k for unit in units)
                + 4 * any(distance(at, other) < _CROSSES_APART * k for other in self._crosses)
                + 2 * on_head
                + (not are_apart((square(at, _HALF_CROSS * k),), self.names))
            )

        cross = min(inside, key=faults, default=points[0])
        self._crosses.append(cross)
        return cross

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
        if aside := self.aside.get(there):
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
        points = self.clear_course(self.over(self.stand(order.unit), middle_of, here, there), here, there)
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
        whole, start = course_length(helped), self.stand(order.unit)
        found: list[tuple[Course, int]] = []
        for more in range(1, _LATER_STAGGERS + 1):
            number = self._ends[order.other.at, to] + more
            points = self._support_course(
                helped, start, (here, to), min(_SUPPORT_STAGGER * self.k * number, 0.45 * whole)
            )
            found.append((points, number))
            if not self._is_blocked(points, here, to):
                break
        else:
            found = found[:1]
        points, self._ends[order.other.at, to] = found[-1]
        beside = start, middle(self.board, order.goal)
        return self.stroke("support", event, points, ends=(here, to), beside=beside)

    def _support_course(
        self, helped: Course, start: Point, ends: tuple[Province, Province], back: float
    ) -> Course:
        """Return the course from a unit to a point of the line that it helps, some way behind the head."""
        whole = course_length(helped)
        while back > 0.5 and not self.courses.contains(ends[1], point_along(helped, whole - back)):
            back *= 0.7
        end = point_along(helped, whole - back) if back > 0.5 else helped[-1]
        return trim_course(self.clear_course(self.over(start, end, *ends), *ends), CLEAR * self.k, 0)

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
    board: Board, events: Sequence[AnyEvent], beaten: Sequence[Beaten] = (), units: Sequence[Unit] = ()
) -> tuple[OrderLine, ...]:
    """Return the lines of a turn. Supports and convoys come first, so that moves are drawn over them.

    beaten: the dislodged units, which are drawn aside; units: all others as they stand now.
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
    pen = _pen_for(board, drawn, beaten, units)
    helping = [line for event in drawn for line in pen.helping(event)]
    return (*helping, *pen.moves.values())


def retreat_lines(
    board: Board, beaten: Sequence[Beaten], units: Sequence[Unit] = ()
) -> tuple[OrderLine, ...]:
    """Return the retreats of dislodged units, as lines of the kind "way". units: all others."""
    pen, lines = _pen_for(board, (), beaten, units), []
    clear = CLEAR * pen.k
    for beaten_unit in beaten:
        for spot in beaten_unit.retreats:
            whole = pen.route(beaten_unit.unit.piece, spot)
            whole = pen.clear_course(whole, beaten_unit.unit.at, split_spot(spot)[0])
            points = trim_course(whole, clear * pen.aside[beaten_unit.unit.at].size, clear)
            half_way = point_along(points, course_length(points) / 2)
            lines.append(OrderLine("way", beaten_unit.unit.power, False, points, half_way))
    return tuple(lines)


def _pen_for(
    board: Board, events: Iterable[Resolved], beaten: Sequence[Beaten], units: Sequence[Unit]
) -> OrderPen:
    aside = {beaten_unit.unit.at: dislodged_place(board, beaten_unit) for beaten_unit in beaten}
    standing = {unit.at: middle(board, unit.spot) for unit in units}
    names = [box for label in province_labels(board).values() for box in label.boxes]
    return OrderPen(board, sizes(board).unit, Courses.of(board), tuple(events), aside, standing, names)


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
