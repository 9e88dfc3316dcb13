"""The paths of leaders, completed and checked, and the railways for supply and trains."""

from collections.abc import Callable, Mapping

from games.boer_war.board import Board, shortest_path
from games.boer_war.components import LeaderId, Point, Side
from games.boer_war.model import (
    IllegalOrder,
    State,
    enemy_of,
    is_besieged,
    leaders_at,
    leaders_of,
    move_allowance,
    points_held,
    side_of,
)
from games.paths import distances
from games.record import Value

PathStep = Callable[[Point, Point], bool]


class CheckedPath(Value, frozen=True):
    """A legal path. path: the points after the start; attacks: true if the last point has enemy SP."""

    leaders: tuple[LeaderId, ...]
    start: Point
    path: tuple[Point, ...]
    attacks: bool = False

    @property
    def goal(self) -> Point:
        """The last point."""
        return self.path[-1]

    @property
    def last(self) -> Point:
        """The point before the last one."""
        return (self.start, *self.path)[-2]


def group_start(state: State, side: Side, leaders: tuple[LeaderId, ...]) -> Point:
    """Return the point where a group of leaders is. Raises IllegalOrder if they can't move together.

    A single leader can always move. A Commander-in-Chief, who is named first, can take other leaders from the
    same point along. Source: ruling 3 (group).
    """
    for leader in leaders:
        require_own_leader(state, side, leader)
    start = state.leaders[leaders[0]].at
    for number, leader in enumerate(leaders):
        if leader in leaders[:number]:
            raise IllegalOrder("twice", leader=leader)
        if state.leaders[leader].at != start:
            raise IllegalOrder(
                "apart",
                leaders_at(state, start, side),
                leader=leader,
                at=state.leaders[leader].at,
                start=start,
            )
    if len(leaders) > 1 and not state.box.leaders[leaders[0]].chief:
        raise IllegalOrder("no-chief", leader=leaders[0])
    if len(leaders) > 1 + state.box.numbers.moving.group:
        raise IllegalOrder("too-many", most=1 + state.box.numbers.moving.group)
    if is_besieged(state, leaders[0]):
        raise IllegalOrder("besieged", leader=leaders[0], at=start)
    return start


def require_own_leader(state: State, side: Side, leader: LeaderId) -> None:
    """Raise IllegalOrder if a leader isn't on the map or belongs to the other side."""
    if side_of(leader) != side:
        raise IllegalOrder("not-yours", leaders_of(state, side), leader=leader)
    if leader not in state.leaders:
        code = "gone" if leader in state.gone else "still-to-come"
        if leader in state.boxes[side]:
            code = "in-the-box"
        raise IllegalOrder(code, leaders_of(state, side), leader=leader)


def check_march(
    state: State, side: Side, leaders: tuple[LeaderId, ...], path: tuple[Point, ...]
) -> CheckedPath:
    """Return the path of a MOVE. Raises IllegalOrder. Source: ruling 7 (MOVE), ruling 8 (MOVE)."""
    start = group_start(state, side, leaders)
    foes = points_held(state, enemy_of(side))
    journey = _complete_path(state.board, leaders, start, path, lambda point: point not in foes, foes)
    links = move_allowance(state, leaders[0])
    if side == "empire" and not is_in_supply(state, start):
        links = min(links, state.box.numbers.moving.unsupplied)
        _check_length(state, journey, links, "unsupplied")
    _check_length(state, journey, links)
    if journey.attacks and any(leader in state.shaken for leader in leaders) and state.black_week:
        raise IllegalOrder("shaken", leader=next(leader for leader in leaders if leader in state.shaken))
    return journey


def check_rail(state: State, leaders: tuple[LeaderId, ...], path: tuple[Point, ...]) -> CheckedPath:
    """Return the path of a RAIL, which starts at an Empire-controlled point. Raises IllegalOrder.

    Source: ruling 7 (RAIL).
    """
    start = group_start(state, "empire", leaders)
    if not state.board.on_rail(start) or state.control[start] != "empire":
        raise IllegalOrder("no-station", state.board.rails[start], at=start)

    boers = points_held(state, "boers")

    def trains(here: Point, there: Point) -> bool:
        """Return whether the link is uncut, and the Empire controls the next point, where no Boers are."""
        is_open = state.board.link(here, there) not in state.cuts
        return is_open and state.control[there] == "empire" and there not in boers

    journey = CheckedPath(leaders, start, _path_points(state.board.rails, start, path, trains))
    for here, there in zip((start, *journey.path), journey.path, strict=False):
        if not trains(here, there):
            raise IllegalOrder("no-train", at=here, to=there)
    _check_length(state, journey, state.box.numbers.moving.rail)
    return journey


def check_trek(
    state: State, leader: LeaderId, path: tuple[Point, ...], links: int | None = None
) -> CheckedPath:
    """Return the path of a TREK, which can pass garrisons but not Empire leaders. Raises IllegalOrder.

    links: the most links, if they differ from those of a TREK. Source: ruling 8 (TREK).
    """
    require_own_leader(state, "boers", leader)
    start = state.leaders[leader].at
    led = {state.leaders[leader].at for leader in leaders_of(state, "empire")}
    foes = points_held(state, "empire")
    journey = _complete_path(state.board, (leader,), start, path, lambda point: point not in led, foes)
    _check_length(state, journey, state.box.numbers.moving.trek if links is None else links)
    if journey.attacks and journey.last in foes:
        raise IllegalOrder("attack-from-enemy", at=journey.last, goal=journey.goal)
    return journey


def check_ride(
    state: State, side: Side, leader: LeaderId, path: tuple[Point, ...], links: int
) -> CheckedPath:
    """Return the path of a leader by an event, of up to `links` links. Raises IllegalOrder.

    It can't pass enemy SP.
    """
    start = group_start(state, side, (leader,))
    foes = points_held(state, enemy_of(side))
    journey = _complete_path(state.board, (leader,), start, path, lambda point: point not in foes, foes)
    _check_length(state, journey, links)
    return journey


def path_to(state: State, leader: LeaderId, goal: Point) -> CheckedPath | None:
    """Return the shortest MOVE (or TREK) of one leader to a point, or None if the point is out of reach."""
    side = side_of(leader)
    if state.board.distance(state.leaders[leader].at, goal) > move_allowance(state, leader):
        return None
    try:
        if side == "boers" and state.is_guerrilla:
            return check_trek(state, leader, (goal,))
        return check_march(state, side, (leader,), (goal,))
    except IllegalOrder:
        return None


def _complete_path(
    ground: Board,
    leaders: tuple[LeaderId, ...],
    start: Point,
    path: tuple[Point, ...],
    may_pass: Callable[[Point], bool],
    foes: frozenset[Point],
) -> CheckedPath:
    way = _path_points(ground.near, start, path, lambda _here, there: may_pass(there))
    for point in way[:-1]:
        if not may_pass(point):
            raise IllegalOrder("in-the-way", at=point)
    return CheckedPath(leaders, start, way, attacks=way[-1] in foes)


def _path_points(
    near: Mapping[Point, tuple[Point, ...]], start: Point, path: tuple[Point, ...], passes: PathStep
) -> tuple[Point, ...]:
    """Return the points of a path after its start, completed between named points that have no link."""
    named = path[1:] if path[:1] == (start,) else path
    if not named:
        raise IllegalOrder("nowhere", near[start], at=start)
    way: list[Point] = []
    here = start
    for goal in named:
        if goal in near[here]:
            way.append(goal)
        else:
            between = shortest_path(near, here, goal, _or_goal(goal, passes))
            if not between:
                raise IllegalOrder("no-way", near[here], at=here, to=goal)
            way += between
        here = goal
    return tuple(way)


def _or_goal(goal: Point, passes: PathStep) -> PathStep:
    return lambda here, there: there == goal or passes(here, there)


def _check_length(state: State, journey: CheckedPath, links: int, code: str = "too-far") -> None:
    if len(journey.path) > links:
        raise IllegalOrder(
            code,
            state.board.near[journey.start],
            leader=journey.leaders[0],
            links=len(journey.path),
            most=links,
            at=journey.path[links - 1],
        )


# Railways: connections to ports, supply, camps, trains.


def points_joined_to_ports(state: State, *, past_boers: bool = False) -> frozenset[Point]:
    """Return the Empire-controlled points that uncut railways join to an Empire port.

    past_boers: if true, points with Boer SP don't break the connection, which is the rule for camps.
    Source: ruling 7 (supply), ruling 8 (CAMP).
    """
    foes = frozenset[Point]() if past_boers else points_held(state, "boers")
    ground, cuts, control = state.board, state.cuts, state.control

    def passes(here: Point, there: Point) -> bool:
        return ground.link(here, there) not in cuts and control[there] == "empire" and there not in foes

    points: set[Point] = set()
    for point in ground.flagged["port"]:
        if control[point] == "empire" and point not in foes | points:
            points |= set(distances(ground.rails, point, passes))
    return frozenset(points)


def is_in_supply(state: State, point: Point) -> bool:
    """Return whether Empire SP at a point are in supply. In the guerrilla war they always are.

    Source: ruling 7 (supply).
    """
    return state.is_guerrilla or point in supplied_points(state)


def supplied_points(state: State) -> frozenset[Point]:
    """Return the points in supply in Turns I and II, which are near a railway with a connection to a port."""
    ground, near = state.board, state.box.numbers.moving.supply
    return frozenset(point for there in points_joined_to_ports(state) for point in ground.within(there, near))
