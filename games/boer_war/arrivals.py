"""Leaders who come and who leave. Source: ruling 5."""

from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.components import Leader
from games.boer_war.events import Arrived, Left
from games.boer_war.forces import (
    in_box_order,
    is_besieged,
    is_held,
    leaders_of,
    points_held,
    side_of,
    sp_at,
    spare_capacity,
)
from games.boer_war.model import State
from games.boer_war.reinforcements import inland_arrival_points
from games.boer_war.working_state import WorkingState


def bring_due_leaders(working: WorkingState) -> None:
    """Bring the leaders who are due in this round of their side, without an action."""
    state = working.now
    for leader in state.box.leaders.values():
        if (leader.turn, leader.round, leader.side) != (state.turn, state.round, state.side):
            continue
        if leader.id not in (*state.leaders, *state.gone, *state.boxes[leader.side]):
            _bring_leader(working, leader)


def _bring_leader(working: WorkingState, leader: Leader) -> None:
    if leader.side == "empire":
        _place_new_leader(working, leader, landing_point(working.now, leader), leader.sp)
    elif leader.joins:
        _join_leader(working, leader)
    else:
        _place_new_leader(working, leader, home_point(working.now, leader), max(1, leader.sp))


def _place_new_leader(working: WorkingState, leader: Leader, at: Point | None, sp: int) -> None:
    """Bring a leader with new SP.

    Without a point to stand in he waits in the Reorganization box, his SP scattered.
    """
    working.bring_sp(leader.side, sp)
    if at is None:
        working.scatter_sp(leader.side, sp)
        working.box_leader(leader.id)
        return
    working.place_leader(leader.id, at, sp)
    working.record(Arrived(leader=leader.id, at=at, sp=sp))


def landing_point(state: State, leader: Leader) -> Point:
    """Return where an Empire leader comes: where his owner wants him, else the first place open to him.

    In the guerrilla war that is a point on the railway in the republics, the one with most Empire SP; with
    none open he lands at Cape Town.
    """
    places = landing_points(state, leader)
    wanted = state.lands.get(leader.id)
    if wanted in places:
        return wanted
    return next(iter(places), state.box.numbers.arriving.cape)


def landing_points(state: State, leader: Leader) -> tuple[Point, ...]:
    """Return the points where an Empire leader could come now, the best first."""
    boers = points_held(state, "boers")

    def is_open(point: Point) -> bool:
        return state.control[point] == "empire" and point not in boers

    if leader.lands:
        return tuple(filter(is_open, leader.lands))
    inland = filter(is_open, inland_arrival_points(state))
    return tuple(sorted(inland, key=lambda point: -sp_at(state, point, "empire")))


def _join_leader(working: WorkingState, leader: Leader) -> None:
    """Bring a Boer leader who joins another and takes SP from him, or brings one if there are none."""
    host = next((candidate for candidate in leader.joins if candidate in working.now.leaders), None)
    if host is None:
        capital = working.now.box.numbers.arriving.republics
        near = [
            point
            for point, place in working.now.board.places.items()
            if place.is_republic
            and working.now.control[point] == "boers"
            and not is_held(working.now, point, "empire")
        ]
        at = min(near, key=lambda point: (working.now.board.distance(capital, point), point), default=None)
        _place_new_leader(working, leader, at, 1)
        return
    there = working.now.leaders[host]
    sp = min(working.now.box.numbers.arriving.taken, there.sp - 1)
    if not sp:
        _place_new_leader(working, leader, there.at, 1)
        return
    working.add_sp(host, -sp)
    working.place_leader(leader.id, there.at, sp)
    working.record(Arrived(leader=leader.id, at=there.at, sp=sp, giver=host))


def home_point(state: State, leader: Leader) -> Point | None:
    """Return the first point of a Boer leader's district without Empire SP, else one of the republics."""
    republics = (point for point, place in state.board.places.items() if place.is_republic)
    foes = points_held(state, "empire")
    return next((point for point in (*leader.district, *republics) if point not in foes), None)


def retire_leaders(working: WorkingState) -> None:
    """Retire the leaders who leave at the end of a Turn; their SP go to the nearest leaders who stay."""
    leaving = [
        leader_id
        for leader_id, leader in working.now.box.leaders.items()
        if leader.leaves == working.now.turn
    ]
    for leader in leaving:
        if leader in working.now.leaders:
            retire_leader(working, leader, leaving)
        elif leader in working.now.boxes[side_of(leader)]:
            working.remove_leader(leader)
            working.record(Left(leader=leader))


def retire_leader(working: WorkingState, leader: LeaderId, leaving: list[LeaderId]) -> None:
    """Retire one leader. Nothing leaves a besieged town: his SP become its garrison."""
    side, there = side_of(leader), working.now.leaders[leader]
    heirs = _heirs(working.now, side, leader, leaving)
    handed: dict[LeaderId, int] = {}
    remaining = there.sp
    for heir in heirs:
        sp = min(remaining, spare_capacity(working.now, heir))
        if sp:
            working.add_sp(heir, sp)
            handed[heir] = sp
            remaining -= sp
    if side == "empire" and remaining:
        working.change_garrison(there.at, remaining)
    elif remaining:
        working.scatter_sp(side, remaining)
    working.remove_leader(leader)
    kept, scattered = (remaining, 0) if side == "empire" else (0, remaining)
    working.record(Left(leader=leader, handed=handed, kept=kept, scattered=scattered))


def _heirs(state: State, side: Side, leader: LeaderId, leaving: list[LeaderId]) -> list[LeaderId]:
    at = state.leaders[leader].at
    staying = [heir for heir in leaders_of(state, side) if heir not in leaving]
    shut_in = is_besieged(state, leader)
    if shut_in:
        staying = [heir for heir in staying if state.leaders[heir].at == at]
    reachable = [heir for heir in staying if shut_in or not is_besieged(state, heir)]
    return sorted(
        in_box_order(reachable), key=lambda heir: (state.board.distance(at, state.leaders[heir].at), heir)
    )
