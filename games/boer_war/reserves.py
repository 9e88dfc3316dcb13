"""SP that come to leaders and garrisons: reinforcements, recruits, the reorganized; and why not.

Source: rulings 7 and 8.
"""

from games.boer_war import ways
from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.forces import is_besieged, is_held, leaders_of, points_held, room, side_of
from games.boer_war.model import Reinforce, Reorganize, State
from games.boer_war.rails import in_supply, supplied
from games.boer_war.unlawful import Unlawful, once


def reinforce(state: State, side: Side, order: Reinforce) -> None:
    """A REINFORCE. Raises Unlawful."""
    once(state, "reinforce", "reinforced-already")
    if order.sp is not None and order.sp < 1:
        raise Unlawful("no-sp", sp=order.sp)
    if side == "empire":
        _reinforce_empire(state, order)
    elif state.is_guerrilla:
        _recruit(state, order)
    else:
        _reinforce_boers(state, order)


def _reinforce_empire(state: State, order: Reinforce) -> None:
    if state.black_week:
        raise Unlawful("black-week")
    if not state.pools["empire"]:
        raise Unlawful("pool-empty", side="empire")
    most = min(state.pools["empire"], state.box.turn(state.turn).reinforce)
    if order.sp is not None and order.sp > most:
        raise Unlawful("too-much", most=most, sp=order.sp)
    if order.leader is None:
        _port(state, order.at)
        return
    if _is_boxed(state, "empire", order.leader):
        _port(state, order.at)
        return
    _takes(state, "empire", order.leader, order.at, order.sp, _reinforceable(state))
    if not in_supply(state, state.leaders[order.leader].at):
        raise Unlawful("leader-unsupplied", _reinforceable(state), leader=order.leader)


def _reinforceable(state: State) -> list[LeaderId]:
    able = [one for one in leaders_of(state, "empire") if room(state, one) and not is_besieged(state, one)]
    if state.is_guerrilla:
        return able
    near = supplied(state)
    return [one for one in able if state.leaders[one].at in near]


def _is_boxed(state: State, side: Side, leader: LeaderId) -> bool:
    return leader in state.boxes[side]


def _port(state: State, at: Point | None) -> None:
    ports = empire_ports(state)
    if at is None:
        raise Unlawful("which-port", ports)
    if at not in ports:
        raise Unlawful("no-port", ports, at=at)


def empire_ports(state: State) -> tuple[Point, ...]:
    """The ports that the Empire controls, without Boers."""
    boers = points_held(state, "boers")
    return tuple(
        point
        for point, place in state.board.places.items()
        if "port" in place.flags and state.control[point] == "empire" and point not in boers
    )


def _takes(
    state: State, side: Side, leader: LeaderId, at: Point | None, sp: int | None, near: list[LeaderId]
) -> None:
    """Raises Unlawful unless a leader on the map can be given SP, so many if it is said."""
    if side_of(leader) == side and leader not in state.leaders:
        raise Unlawful("not-on-map", near, leader=leader)
    ways.own(state, side, leader)
    if at not in (None, state.leaders[leader].at):
        raise Unlawful("elsewhere", near, leader=leader, at=state.leaders[leader].at)
    if is_besieged(state, leader):
        raise Unlawful("besieged-leader", near, leader=leader)
    if not room(state, leader) or (sp is not None and sp > room(state, leader)):
        raise Unlawful("no-room", near, leader=leader, room=room(state, leader))


def _reinforce_boers(state: State, order: Reinforce) -> None:
    near = [
        one
        for one in leaders_of(state, "boers")
        if room(state, one) and state.control[state.leaders[one].at] == "boers"
    ]
    if order.leader is None:
        raise Unlawful("which-leader", near)
    if not state.pools["boers"]:
        raise Unlawful("pool-empty", side="boers")
    most = state.box.numbers.reinforcing.boers
    if order.sp is not None and order.sp > most:
        raise Unlawful("too-much", most=most, sp=order.sp)
    _takes(state, "boers", order.leader, order.at, order.sp, near)
    at = state.leaders[order.leader].at
    if state.control[at] != "boers":
        raise Unlawful("not-boer-controlled", near, leader=order.leader, at=at)


def _recruit(state: State, order: Reinforce) -> None:
    near = [one for one in leaders_of(state, "boers") if no_recruits(state, one) is None]
    if order.leader is None:
        raise Unlawful("which-leader", near)
    ways.own(state, "boers", order.leader)
    if order.at not in (None, state.leaders[order.leader].at):
        raise Unlawful("elsewhere", near, leader=order.leader, at=state.leaders[order.leader].at)
    most = state.box.numbers.reinforcing.boers
    if order.sp is not None and order.sp > most:
        raise Unlawful("too-much", most=most, sp=order.sp)
    if why := no_recruits(state, order.leader):
        raise Unlawful(why, near, leader=order.leader, at=state.leaders[order.leader].at)


def no_recruits(state: State, leader: LeaderId) -> str | None:
    """Why a Boer leader cannot recruit where he is in the guerrilla war, as a code, or None.

    Source: ruling 8 (REINFORCE).
    """
    there = state.leaders[leader]
    if there.sp >= state.box.numbers.reinforcing.recruits_below:
        return "strong-enough"
    return barren(state, there.at)


def barren(state: State, point: Point) -> str | None:
    """Why nobody can recruit in a point in the guerrilla war, as a code, or None. Source: ruling 8."""
    place = state.board.places[point]
    if not state.recruit_pool:
        return "no-recruits-left"
    if not place.is_republic and "rebel" not in place.flags:
        return "no-boer-country"
    if is_held(state, point, "empire"):
        return "empire-there"
    if any(state.board.apart(point, camp) <= 1 for camp in state.camps):
        return "camp-near"
    if state.box.numbers.blockhouse.quiet and any(
        point in state.board.ends(one) for one in state.blockhouses
    ):
        return "blockhouses-there"
    return "recruited-already" if point in state.recruited else None


def reorganize(state: State, side: Side, order: Reorganize) -> None:
    """A REORGANIZE. Raises Unlawful."""
    once(state, "reinforce", "reinforced-already")
    most = min(state.scattered[side], state.box.numbers.reinforcing.reorganized)
    if not most:
        raise Unlawful("none-scattered", side=side)
    if order.sp is not None and not 1 <= order.sp <= most:
        raise Unlawful("too-much", most=most, sp=order.sp)
    if _is_boxed(state, side, order.leader):
        places = havens(state, side)
        if order.at is None:
            raise Unlawful("where-back", places, leader=order.leader)
        if order.at not in places:
            raise Unlawful("no-haven", places, leader=order.leader, at=order.at)
        return
    near = [one for one in leaders_of(state, side) if room(state, one) and not is_besieged(state, one)]
    _takes(state, side, order.leader, order.at, order.sp, [*near, *state.boxes[side]])


def havens(state: State, side: Side) -> tuple[Point, ...]:
    """Where a leader of the Reorganization box may come back. Source: rulings 7 and 8 (REORGANIZE)."""
    if side == "empire":
        return empire_ports(state)
    foes = points_held(state, "empire")
    return tuple(
        point
        for point, place in state.board.places.items()
        if place.is_republic and point not in foes and (state.is_guerrilla or state.control[point] == "boers")
    )


def inland_ports(state: State) -> tuple[Point, ...]:
    """The points where an Empire leader without ports of his own may come: of the republics, by rail."""
    return tuple(
        point
        for point, place in state.board.places.items()
        if place.is_republic and state.board.on_rail(point)
    )
