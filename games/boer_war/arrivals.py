"""Leaders who come and who leave. Source: ruling 5."""

from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.components import Leader
from games.boer_war.events import Arrived, Left
from games.boer_war.forces import (
    in_order,
    is_besieged,
    is_held,
    leaders_of,
    points_held,
    room,
    side_of,
    sp_at,
)
from games.boer_war.in_play import Theatre
from games.boer_war.model import State
from games.boer_war.reserves import inland_ports


def arrivals(theatre: Theatre) -> None:
    """The leaders whose round it is come, without an action."""
    state = theatre.now
    for leader in state.box.leaders.values():
        if (leader.turn, leader.round, leader.side) != (state.turn, state.round, state.side):
            continue
        if leader.id not in (*state.leaders, *state.gone, *state.boxes[leader.side]):
            _arrive(theatre, leader)


def _arrive(theatre: Theatre, leader: Leader) -> None:
    if leader.side == "empire":
        _new(theatre, leader, landing(theatre.now, leader), leader.sp)
    elif leader.joins:
        _join(theatre, leader)
    else:
        _new(theatre, leader, home(theatre.now, leader), max(1, leader.sp))


def _new(theatre: Theatre, leader: Leader, at: Point | None, sp: int) -> None:
    """He comes with new SP; who has nowhere to stand waits in the Reorganization box, his SP scattered."""
    theatre.bring(leader.side, sp)
    if at is None:
        theatre.scatter(leader.side, sp)
        theatre.box(leader.id)
        return
    theatre.place(leader.id, at, sp)
    theatre.tell(Arrived(leader=leader.id, at=at, sp=sp))


def landing(state: State, leader: Leader) -> Point:
    """Where an Empire leader comes: where his owner wants him, else the first place that is open to him.

    In the guerrilla war that is a point on the railway in the republics, the one with most Empire SP; with
    none open he lands at Cape Town.
    """
    places = landings(state, leader)
    wanted = state.lands.get(leader.id)
    if wanted in places:
        return wanted
    return next(iter(places), state.box.numbers.arriving.cape)


def landings(state: State, leader: Leader) -> tuple[Point, ...]:
    """The points where an Empire leader could come now, the best first."""
    boers = points_held(state, "boers")

    def is_open(point: Point) -> bool:
        return state.control[point] == "empire" and point not in boers

    if leader.lands:
        return tuple(filter(is_open, leader.lands))
    inland = filter(is_open, inland_ports(state))
    return tuple(sorted(inland, key=lambda point: -sp_at(state, point, "empire")))


def _join(theatre: Theatre, leader: Leader) -> None:
    """A Boer leader joins another and takes SP from him, or brings one where there are none to take."""
    host = next((one for one in leader.joins if one in theatre.now.leaders), None)
    if host is None:
        capital = theatre.now.box.numbers.arriving.republics
        near = [
            point
            for point, place in theatre.now.board.places.items()
            if place.is_republic
            and theatre.now.control[point] == "boers"
            and not is_held(theatre.now, point, "empire")
        ]
        at = min(near, key=lambda point: (theatre.now.board.apart(capital, point), point), default=None)
        _new(theatre, leader, at, 1)
        return
    there = theatre.now.leaders[host]
    sp = min(theatre.now.box.numbers.arriving.taken, there.sp - 1)
    if not sp:
        _new(theatre, leader, there.at, 1)
        return
    theatre.gain(host, -sp)
    theatre.place(leader.id, there.at, sp)
    theatre.tell(Arrived(leader=leader.id, at=there.at, sp=sp, giver=host))


def home(state: State, leader: Leader) -> Point | None:
    """The first point of a Boer leader's district without Empire SP, else any such point of the republics."""
    republics = (point for point, place in state.board.places.items() if place.is_republic)
    foes = points_held(state, "empire")
    return next((point for point in (*leader.district, *republics) if point not in foes), None)


def departures(theatre: Theatre) -> None:
    """Leaders leave at the end of a Turn, and hand their SP to the nearest who stay."""
    leaving = [one for one, leader in theatre.now.box.leaders.items() if leader.leaves == theatre.now.turn]
    for leader in leaving:
        if leader in theatre.now.leaders:
            leave(theatre, leader, leaving)
        elif leader in theatre.now.boxes[side_of(leader)]:
            theatre.take_out(leader)
            theatre.tell(Left(leader=leader))


def leave(theatre: Theatre, leader: LeaderId, leaving: list[LeaderId]) -> None:
    """One leader leaves. Out of a besieged town nothing goes: what he had is its garrison."""
    side, there = side_of(leader), theatre.now.leaders[leader]
    heirs = _heirs(theatre.now, side, leader, leaving)
    handed: dict[LeaderId, int] = {}
    left = there.sp
    for heir in heirs:
        sp = min(left, room(theatre.now, heir))
        if sp:
            theatre.gain(heir, sp)
            handed[heir] = sp
            left -= sp
    if side == "empire" and left:
        theatre.garrison(there.at, left)
    elif left:
        theatre.scatter(side, left)
    theatre.take_out(leader)
    kept, scattered = (left, 0) if side == "empire" else (0, left)
    theatre.tell(Left(leader=leader, handed=handed, kept=kept, scattered=scattered))


def _heirs(state: State, side: Side, leader: LeaderId, leaving: list[LeaderId]) -> list[LeaderId]:
    at = state.leaders[leader].at
    staying = [one for one in leaders_of(state, side) if one not in leaving]
    shut_in = is_besieged(state, leader)
    if shut_in:
        staying = [one for one in staying if state.leaders[one].at == at]
    reachable = [one for one in staying if shut_in or not is_besieged(state, one)]
    return sorted(in_order(reachable), key=lambda one: (state.board.apart(at, state.leaders[one].at), one))
