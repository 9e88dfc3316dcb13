"""Questions about SP, leaders and Command in a position."""

from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.components import materials
from games.boer_war.model import State


def side_of(leader: LeaderId) -> Side:
    """Return the side of a leader."""
    return materials().leaders[leader].side


def leaders_of(state: State, side: Side) -> tuple[LeaderId, ...]:
    """Return a side's leaders on the map, in the order of the box."""
    return tuple(
        leader for leader in materials().leaders if leader in state.leaders and side_of(leader) == side
    )


def leaders_at(state: State, point: Point, side: Side) -> tuple[LeaderId, ...]:
    """Return a side's leaders in a point, in the order of the box."""
    here = [
        leader for leader, there in state.leaders.items() if there.at == point and side_of(leader) == side
    ]
    return in_box_order(here)


def in_box_order(leaders: list[LeaderId]) -> tuple[LeaderId, ...]:
    """Return leaders in the order of the box."""
    if len(leaders) < 2:
        return tuple(leaders)
    return tuple(leader for leader in materials().leaders if leader in leaders)


def led_at(state: State, point: Point, side: Side) -> int:
    """Return the SP of a side's leaders in a point."""
    return sum(
        there.sp for leader, there in state.leaders.items() if there.at == point and side_of(leader) == side
    )


def sp_at(state: State, point: Point, side: Side) -> int:
    """Return the SP of a side in a point, the garrison among them."""
    garrison = state.garrisons.get(point, 0) if side == "empire" else 0
    return led_at(state, point, side) + garrison


def is_held(state: State, point: Point, side: Side) -> bool:
    """Return whether a side has any SP in a point."""
    if side == "empire" and point in state.garrisons:
        return True
    return any(there.at == point and side_of(leader) == side for leader, there in state.leaders.items())


def points_held(state: State, side: Side) -> frozenset[Point]:
    """Return the points in which a side has any SP."""
    led = {there.at for leader, there in state.leaders.items() if side_of(leader) == side}
    return frozenset(led | set(state.garrisons) if side == "empire" else led)


def best_command(state: State, leaders: tuple[LeaderId, ...]) -> int:
    """Return the best Command of some leaders; that of a garrison where there are none."""
    if not leaders:
        return state.box.numbers.battle.garrison_command
    return max(state.box.leaders[leader].command for leader in leaders)


def capacity(state: State, leader: LeaderId) -> int:
    """Return how many SP a leader may lead: Boers three in the guerrilla war."""
    own = state.box.leaders[leader]
    if state.is_guerrilla and own.side == "boers":
        return state.box.numbers.moving.commando
    return own.capacity


def spare_capacity(state: State, leader: LeaderId) -> int:
    """Return how many SP more a leader on the map may lead."""
    return max(0, capacity(state, leader) - state.leaders[leader].sp)


def move_allowance(state: State, leader: LeaderId) -> int:
    """Return how many links a leader moves: Boers four in the guerrilla war."""
    own = state.box.leaders[leader]
    if state.is_guerrilla and own.side == "boers":
        return state.box.numbers.moving.trek
    return own.move


def is_besieged(state: State, leader: LeaderId) -> bool:
    """Return whether a leader on the map is shut up in a town."""
    return side_of(leader) == "empire" and state.leaders[leader].at in state.sieges


def is_besieging(state: State, point: Point) -> bool:
    """Return whether the Boers in a point besiege it."""
    return point in state.sieges


def retreat_point(
    state: State, point: Point, side: Side, barred: frozenset[Point], *, own_only: bool = False
) -> Point | None:
    """Return where leaders of a side go from a point: a neighbour without enemy SP that is not barred.

    One under their own control, if there is one; of several the one with most own SP, then the first by
    code. own_only: no other will do. None: there is no way out.

    Source: ruling 9.2 (retreat).
    """
    foes = points_held(state, "boers" if side == "empire" else "empire")
    free = [
        neighbour
        for neighbour in state.board.near[point]
        if neighbour not in barred and neighbour not in foes
    ]
    own = [neighbour for neighbour in free if state.control[neighbour] == side]
    choice = own if own or own_only else free
    return min(choice, key=lambda neighbour: (-sp_at(state, neighbour, side), neighbour), default=None)
