"""Railways: the points that they join, supply, camps, and the reach of trains."""

from games.boer_war.board import distances_from
from games.boer_war.codes import Point
from games.boer_war.forces import points_held
from games.boer_war.model import State


def points_joined_to_ports(state: State, *, past_boers: bool = False) -> frozenset[Point]:
    """Return the Empire-controlled points that uncut railways join to an Empire port.

    past_boers: points with Boer SP join them all the same, as they do for camps. Source: ruling 7
    (supply), ruling 8 (CAMP).
    """
    foes = frozenset[Point]() if past_boers else points_held(state, "boers")
    ground, cuts, control = state.board, state.cuts, state.control

    def passes(here: Point, there: Point) -> bool:
        return ground.link(here, there) not in cuts and control[there] == "empire" and there not in foes

    points: set[Point] = set()
    for point in ground.flagged["port"]:
        if control[point] == "empire" and point not in foes | points:
            points |= set(distances_from(ground.rails, point, passes))
    return frozenset(points)


def is_link_open(state: State, here: Point, there: Point) -> bool:
    """Return whether the link between two neighbours is not cut."""
    return state.board.link(here, there) not in state.cuts


def is_in_supply(state: State, point: Point) -> bool:
    """Return whether Empire troops in a point are in supply; in the guerrilla war they always are.

    Source: ruling 7 (supply).
    """
    return state.is_guerrilla or point in supplied_points(state)


def supplied_points(state: State) -> frozenset[Point]:
    """Return the points in supply in Turns I and II: so near a railway that leads to a port."""
    ground, near = state.board, state.box.numbers.moving.supply
    return frozenset(point for there in points_joined_to_ports(state) for point in ground.within(there, near))


def is_train_step(state: State, here: Point, there: Point) -> bool:
    """Return whether a train goes from a point to the next: Empire-controlled, without Boers, the link uncut.

    Source: ruling 7 (RAIL).
    """
    boers = points_held(state, "boers")
    return is_link_open(state, here, there) and state.control[there] == "empire" and there not in boers
