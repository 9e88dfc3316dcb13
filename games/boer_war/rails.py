"""What railways join: supply, camps, and how far a train comes."""

from games.boer_war.board import spread
from games.boer_war.codes import Point
from games.boer_war.forces import points_held
from games.boer_war.model import State


def joined_to_ports(state: State, *, past_boers: bool = False) -> frozenset[Point]:
    """The Empire-controlled points that uncut railways join to an Empire port.

    past_boers: points with Boer SP join them all the same, as they do for camps. Source: ruling 7 (supply),
    ruling 8 (CAMP).
    """
    foes = frozenset[Point]() if past_boers else points_held(state, "boers")
    ground, cuts, control = state.board, state.cuts, state.control

    def passes(here: Point, there: Point) -> bool:
        return ground.link(here, there) not in cuts and control[there] == "empire" and there not in foes

    found: set[Point] = set()
    for point in ground.flagged["port"]:
        if control[point] == "empire" and point not in foes | found:
            found |= set(spread(ground.rails, point, passes))
    return frozenset(found)


def is_open(state: State, here: Point, there: Point) -> bool:
    """Whether the link between two neighbours is not cut."""
    return state.board.link(here, there) not in state.cuts


def in_supply(state: State, point: Point) -> bool:
    """Whether Empire troops in a point are in supply; in the guerrilla war they always are.

    Source: ruling 7 (supply).
    """
    return state.is_guerrilla or point in supplied(state)


def supplied(state: State) -> frozenset[Point]:
    """The points in supply in Turns I and II: so near a railway that leads to a port."""
    ground, near = state.board, state.box.numbers.moving.supply
    return frozenset(point for there in joined_to_ports(state) for point in ground.within(there, near))


def takes_trains(state: State, here: Point, there: Point) -> bool:
    """Whether a train goes from a point to the next: Empire-controlled, without Boers, over an uncut link.

    Source: ruling 7 (RAIL).
    """
    boers = points_held(state, "boers")
    return is_open(state, here, there) and state.control[there] == "empire" and there not in boers
