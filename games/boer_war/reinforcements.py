"""The conditions for SP that leaders and garrisons get: reinforcements, recruits, reorganization.

Source: rulings 7 and 8.
"""

from games.boer_war import paths
from games.boer_war.components import LeaderId, Point, Side
from games.boer_war.model import (
    IllegalOrder,
    Reinforce,
    Reorganize,
    State,
    is_besieged,
    is_held,
    leaders_of,
    points_held,
    require_unused,
    side_of,
    spare_capacity,
)
from games.boer_war.paths import is_in_supply, supplied_points


def check_reinforce(state: State, side: Side, order: Reinforce) -> None:
    """Raise IllegalOrder if a REINFORCE is not possible."""
    require_unused(state, "reinforce", "reinforced-already")
    if order.sp is not None and order.sp < 1:
        raise IllegalOrder("no-sp", sp=order.sp)
    if side == "empire":
        _check_empire_reinforce(state, order)
    elif state.is_guerrilla:
        _check_recruit(state, order)
    else:
        _check_boer_reinforce(state, order)


def _check_empire_reinforce(state: State, order: Reinforce) -> None:
    if state.black_week:
        raise IllegalOrder("black-week")
    if not state.pools["empire"]:
        raise IllegalOrder("pool-empty", side="empire")
    most = min(state.pools["empire"], state.box.turn(state.turn).reinforce)
    if order.sp is not None and order.sp > most:
        raise IllegalOrder("too-much", most=most, sp=order.sp)
    if order.leader is None:
        _check_port(state, order.at)
        return
    if _is_boxed(state, "empire", order.leader):
        _check_port(state, order.at)
        return
    _check_receiver(state, "empire", order.leader, order.at, order.sp, _reinforceable_leaders(state))
    if not is_in_supply(state, state.leaders[order.leader].at):
        raise IllegalOrder("leader-unsupplied", _reinforceable_leaders(state), leader=order.leader)


def _reinforceable_leaders(state: State) -> list[LeaderId]:
    able = [
        leader
        for leader in leaders_of(state, "empire")
        if spare_capacity(state, leader) and not is_besieged(state, leader)
    ]
    if state.is_guerrilla:
        return able
    near = supplied_points(state)
    return [leader for leader in able if state.leaders[leader].at in near]


def _is_boxed(state: State, side: Side, leader: LeaderId) -> bool:
    return leader in state.boxes[side]


def _check_port(state: State, at: Point | None) -> None:
    ports = empire_ports(state)
    if at is None:
        raise IllegalOrder("which-port", ports)
    if at not in ports:
        raise IllegalOrder("no-port", ports, at=at)


def empire_ports(state: State) -> tuple[Point, ...]:
    """Return the ports without Boers that the Empire controls."""
    boers = points_held(state, "boers")
    return tuple(
        point
        for point, place in state.board.places.items()
        if "port" in place.flags and state.control[point] == "empire" and point not in boers
    )


def _check_receiver(
    state: State, side: Side, leader: LeaderId, at: Point | None, sp: int | None, near: list[LeaderId]
) -> None:
    """Raise IllegalOrder if a leader on the map can't get SP, or not the number ordered.

    near: the leaders who could get SP.
    """
    if side_of(leader) == side and leader not in state.leaders:
        raise IllegalOrder("not-on-map", near, leader=leader)
    paths.require_own_leader(state, side, leader)
    if at not in (None, state.leaders[leader].at):
        raise IllegalOrder("elsewhere", near, leader=leader, at=state.leaders[leader].at)
    if is_besieged(state, leader):
        raise IllegalOrder("besieged-leader", near, leader=leader)
    if not spare_capacity(state, leader) or (sp is not None and sp > spare_capacity(state, leader)):
        raise IllegalOrder("no-room", near, leader=leader, room=spare_capacity(state, leader))


def _check_boer_reinforce(state: State, order: Reinforce) -> None:
    near = [
        leader
        for leader in leaders_of(state, "boers")
        if spare_capacity(state, leader) and state.control[state.leaders[leader].at] == "boers"
    ]
    if order.leader is None:
        raise IllegalOrder("which-leader", near)
    if not state.pools["boers"]:
        raise IllegalOrder("pool-empty", side="boers")
    most = state.box.numbers.reinforcing.boers
    if order.sp is not None and order.sp > most:
        raise IllegalOrder("too-much", most=most, sp=order.sp)
    _check_receiver(state, "boers", order.leader, order.at, order.sp, near)
    at = state.leaders[order.leader].at
    if state.control[at] != "boers":
        raise IllegalOrder("not-boer-controlled", near, leader=order.leader, at=at)


def _check_recruit(state: State, order: Reinforce) -> None:
    near = [leader for leader in leaders_of(state, "boers") if recruit_obstacle(state, leader) is None]
    if order.leader is None:
        raise IllegalOrder("which-leader", near)
    paths.require_own_leader(state, "boers", order.leader)
    if order.at not in (None, state.leaders[order.leader].at):
        raise IllegalOrder("elsewhere", near, leader=order.leader, at=state.leaders[order.leader].at)
    most = state.box.numbers.reinforcing.boers
    if order.sp is not None and order.sp > most:
        raise IllegalOrder("too-much", most=most, sp=order.sp)
    if why := recruit_obstacle(state, order.leader):
        raise IllegalOrder(why, near, leader=order.leader, at=state.leaders[order.leader].at)


def recruit_obstacle(state: State, leader: LeaderId) -> str | None:
    """Return the code of the reason why a Boer leader can't recruit in the guerrilla war, or None.

    Source: ruling 8 (REINFORCE).
    """
    there = state.leaders[leader]
    if there.sp >= state.box.numbers.reinforcing.recruits_below:
        return "strong-enough"
    return recruit_obstacle_at(state, there.at)


def recruit_obstacle_at(state: State, point: Point) -> str | None:
    """Return the code of the reason why Boers can't recruit at a point in the guerrilla war, or None.

    Source: ruling 8 (REINFORCE).
    """
    place = state.board.places[point]
    if not state.recruit_pool:
        return "no-recruits-left"
    if not place.is_republic and "rebel" not in place.flags:
        return "no-boer-country"
    if is_held(state, point, "empire"):
        return "empire-there"
    if any(state.board.distance(point, camp) <= 1 for camp in state.camps):
        return "camp-near"
    if state.box.numbers.blockhouse.quiet and any(
        point in state.board.ends(link) for link in state.blockhouses
    ):
        return "blockhouses-there"
    return "recruited-already" if point in state.recruited else None


def check_reorganize(state: State, side: Side, order: Reorganize) -> None:
    """Raise IllegalOrder if a REORGANIZE is not possible."""
    require_unused(state, "reinforce", "reinforced-already")
    most = min(state.scattered[side], state.box.numbers.reinforcing.reorganized)
    if not most:
        raise IllegalOrder("none-scattered", side=side)
    if order.sp is not None and not 1 <= order.sp <= most:
        raise IllegalOrder("too-much", most=most, sp=order.sp)
    if _is_boxed(state, side, order.leader):
        places = return_points(state, side)
        if order.at is None:
            raise IllegalOrder("where-back", places, leader=order.leader)
        if order.at not in places:
            raise IllegalOrder("no-haven", places, leader=order.leader, at=order.at)
        return
    near = [
        leader
        for leader in leaders_of(state, side)
        if spare_capacity(state, leader) and not is_besieged(state, leader)
    ]
    _check_receiver(state, side, order.leader, order.at, order.sp, [*near, *state.boxes[side]])


def return_points(state: State, side: Side) -> tuple[Point, ...]:
    """Return the points where a leader can return from the Reorganization box.

    Source: rulings 7 and 8 (REORGANIZE).
    """
    if side == "empire":
        return empire_ports(state)
    foes = points_held(state, "empire")
    return tuple(
        point
        for point, place in state.board.places.items()
        if place.is_republic and point not in foes and (state.is_guerrilla or state.control[point] == "boers")
    )


def inland_arrival_points(state: State) -> tuple[Point, ...]:
    """Return the railway points of the republics, where Empire leaders without ports arrive."""
    return tuple(
        point
        for point, place in state.board.places.items()
        if place.is_republic and state.board.on_rail(point)
    )
