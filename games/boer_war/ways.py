"""Where leaders may go: a way as ordered, completed and held against the rules."""

from collections.abc import Callable, Mapping

from games.boer_war import rails
from games.boer_war.board import Board, shortest
from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.forces import is_besieged, leaders_at, leaders_of, move_of, points_held, side_of
from games.boer_war.model import State, other
from games.boer_war.unlawful import Unlawful
from games.record import Value

Step = Callable[[Point, Point], bool]


class Journey(Value, frozen=True):
    """A lawful way. path: the points after the start; attacks: whether the last one holds enemy SP."""

    leaders: tuple[LeaderId, ...]
    start: Point
    path: tuple[Point, ...]
    attacks: bool = False

    @property
    def goal(self) -> Point:
        """Where it ends."""
        return self.path[-1]

    @property
    def last(self) -> Point:
        """The point from which the last one is entered."""
        return (self.start, *self.path)[-2]


def group(state: State, side: Side, leaders: tuple[LeaderId, ...]) -> Point:
    """The point in which leaders who go together stand. Raises Unlawful. Source: ruling 3 (group).

    One goes alone; a Commander-in-Chief, named first, takes up to two others of his point along.
    """
    for leader in leaders:
        own(state, side, leader)
    start = state.leaders[leaders[0]].at
    for number, leader in enumerate(leaders):
        if leader in leaders[:number]:
            raise Unlawful("twice", leader=leader)
        if state.leaders[leader].at != start:
            raise Unlawful(
                "apart",
                leaders_at(state, start, side),
                leader=leader,
                at=state.leaders[leader].at,
                start=start,
            )
    if len(leaders) > 1 and not state.box.leaders[leaders[0]].chief:
        raise Unlawful("no-chief", leader=leaders[0])
    if len(leaders) > 1 + state.box.numbers.moving.group:
        raise Unlawful("too-many", most=1 + state.box.numbers.moving.group)
    if is_besieged(state, leaders[0]):
        raise Unlawful("besieged", leader=leaders[0], at=start)
    return start


def own(state: State, side: Side, leader: LeaderId) -> None:
    """Raises Unlawful unless a leader is one of the side's on the map."""
    if side_of(leader) != side:
        raise Unlawful("not-yours", leaders_of(state, side), leader=leader)
    if leader not in state.leaders:
        raise Unlawful(_whereabouts(state, leader), leaders_of(state, side), leader=leader)


def _whereabouts(state: State, leader: LeaderId) -> str:
    if leader in state.boxes[side_of(leader)]:
        return "in-the-box"
    return "gone" if leader in state.gone else "still-to-come"


def march(state: State, side: Side, leaders: tuple[LeaderId, ...], path: tuple[Point, ...]) -> Journey:
    """A MOVE. Raises Unlawful. Source: ruling 7 (MOVE), ruling 8 (MOVE)."""
    start = group(state, side, leaders)
    foes = points_held(state, other(side))
    journey = _journey(state.board, leaders, start, path, lambda point: point not in foes, foes)
    links = move_of(state, leaders[0])
    if side == "empire" and not rails.in_supply(state, start):
        links = min(links, state.box.numbers.moving.unsupplied)
        _not_too_far(state, journey, links, "unsupplied")
    _not_too_far(state, journey, links)
    if journey.attacks and any(leader in state.shaken for leader in leaders) and state.black_week:
        raise Unlawful("shaken", leader=next(one for one in leaders if one in state.shaken))
    return journey


def rail(state: State, leaders: tuple[LeaderId, ...], path: tuple[Point, ...]) -> Journey:
    """A RAIL, from a point that is itself Empire-controlled. Raises Unlawful. Source: ruling 7 (RAIL)."""
    start = group(state, "empire", leaders)
    if not state.board.on_rail(start) or state.control[start] != "empire":
        raise Unlawful("no-station", state.board.rails[start], at=start)

    def trains(here: Point, there: Point) -> bool:
        return rails.takes_trains(state, here, there)

    journey = Journey(leaders, start, _legs(state.board.rails, start, path, trains))
    for here, there in zip((start, *journey.path), journey.path, strict=False):
        if not trains(here, there):
            raise Unlawful("no-train", at=here, to=there)
    _not_too_far(state, journey, state.box.numbers.moving.rail)
    return journey


def trek(state: State, leader: LeaderId, path: tuple[Point, ...], links: int | None = None) -> Journey:
    """A TREK, past garrisons but not past Empire leaders. Raises Unlawful. Source: ruling 8 (TREK).

    links: how far, if not as far as a TREK goes.
    """
    own(state, "boers", leader)
    start = state.leaders[leader].at
    led = {state.leaders[one].at for one in leaders_of(state, "empire")}
    foes = points_held(state, "empire")
    journey = _journey(state.board, (leader,), start, path, lambda point: point not in led, foes)
    _not_too_far(state, journey, state.box.numbers.moving.trek if links is None else links)
    if journey.attacks and journey.last in foes:
        raise Unlawful("attack-from-enemy", at=journey.last, goal=journey.goal)
    return journey


def ride(state: State, side: Side, leader: LeaderId, path: tuple[Point, ...], links: int) -> Journey:
    """A move of one leader by an event, so many links, never past the enemy. Raises Unlawful."""
    start = group(state, side, (leader,))
    foes = points_held(state, other(side))
    journey = _journey(state.board, (leader,), start, path, lambda point: point not in foes, foes)
    _not_too_far(state, journey, links)
    return journey


def reaches(state: State, leader: LeaderId, goal: Point) -> Journey | None:
    """The shortest MOVE of one leader to a point, or TREK of a Boer in the guerrilla war; None: too far."""
    side = side_of(leader)
    if state.board.apart(state.leaders[leader].at, goal) > move_of(state, leader):
        return None
    try:
        if side == "boers" and state.is_guerrilla:
            return trek(state, leader, (goal,))
        return march(state, side, (leader,), (goal,))
    except Unlawful:
        return None


def _journey(
    ground: Board,
    leaders: tuple[LeaderId, ...],
    start: Point,
    path: tuple[Point, ...],
    may_pass: Callable[[Point], bool],
    foes: frozenset[Point],
) -> Journey:
    way = _legs(ground.near, start, path, lambda _here, there: may_pass(there))
    for point in way[:-1]:
        if not may_pass(point):
            raise Unlawful("in-the-way", at=point)
    return Journey(leaders, start, way, attacks=way[-1] in foes)


def _legs(
    near: Mapping[Point, tuple[Point, ...]], start: Point, path: tuple[Point, ...], passes: Step
) -> tuple[Point, ...]:
    """The points of a way after its start, completed where two that are named have no link."""
    named = path[1:] if path[:1] == (start,) else path
    if not named:
        raise Unlawful("nowhere", near[start], at=start)
    way: list[Point] = []
    here = start
    for goal in named:
        if goal in near[here]:
            way.append(goal)
        else:
            between = shortest(near, here, goal, _as_far_as(goal, passes))
            if not between:
                raise Unlawful("no-way", near[here], at=here, to=goal)
            way += between
        here = goal
    return tuple(way)


def _as_far_as(goal: Point, passes: Step) -> Step:
    return lambda here, there: there == goal or passes(here, there)


def _not_too_far(state: State, journey: Journey, links: int, code: str = "too-far") -> None:
    if len(journey.path) > links:
        raise Unlawful(
            code,
            state.board.near[journey.start],
            leader=journey.leaders[0],
            links=len(journey.path),
            most=links,
            at=journey.path[links - 1],
        )
