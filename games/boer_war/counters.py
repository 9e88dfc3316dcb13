"""When an event counter may be played, and with what. Source: ruling 12.2.

Every condition takes the state and the order, and raises Unlawful.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from games.boer_war import reserves, ways, works
from games.boer_war.codes import EventId, LeaderId, Link, Point, Side
from games.boer_war.components import EventCounter
from games.boer_war.forces import is_besieged, is_held, leaders_at, leaders_of, move_of, room, sp_at
from games.boer_war.model import PlayEvent, State
from games.boer_war.unlawful import Unlawful

T = TypeVar("T")

WRECKERS = EventId("B08")


def check(state: State, side: Side, order: PlayEvent) -> None:
    """Raises Unlawful unless a side may play a counter so now."""
    event = _of(state, order)
    if event.side != side:
        raise Unlawful("not-your-event", playable(state), event=order.event)
    if state.turn not in event.turns:
        raise Unlawful("not-this-turn", playable(state), event=order.event, turn=state.turn)
    if state.played.get(order.event, 0) >= event.uses:
        raise Unlawful("played-already", playable(state), event=order.event)
    for what in ("leaders", "points", "links"):
        if getattr(order, what) and what not in event.takes:
            raise Unlawful("not-for-this-event", event=order.event, what=what)
    for leader in order.leaders:
        if order.leaders.count(leader) > 1:
            raise Unlawful("twice", leader=leader)
    _CONDITIONS[order.event](state, order)


def playable(state: State) -> tuple[EventId, ...]:
    """The counters of the side whose round it is that this Turn allows and that are not used up."""
    return tuple(
        name
        for name, event in state.box.events.items()
        if event.side == state.side and state.turn in event.turns and state.played.get(name, 0) < event.uses
    )


def _of(state: State, order: PlayEvent) -> EventCounter:
    return state.box.events[order.event]


def _fails(order: PlayEvent, near: Iterable[str] = (), **detail: object) -> Unlawful:
    """The condition of the event itself does not hold."""
    return Unlawful("no-condition", near, event=order.event, **detail)


def the_leader(order: PlayEvent, near: Iterable[LeaderId]) -> LeaderId:
    """The one leader that an event is about. Raises Unlawful."""
    return _only(order, order.leaders, tuple(near), "event-leader", "not-this-leader", "leader")


def the_point(order: PlayEvent, near: Iterable[Point]) -> Point:
    """The one point that an event is about. Raises Unlawful."""
    return _only(order, order.points, tuple(near), "which-point", "not-this-point", "at")


def _only(
    order: PlayEvent, named: tuple[T, ...], near: tuple[T, ...], which: str, other: str, what: str
) -> T:
    """The one that is named, and may be. which, other: the codes of its want, and of another's name."""
    if not near:
        raise _fails(order)
    names = [str(one) for one in near]
    if len(named) != 1:
        raise Unlawful(which, names, event=order.event)
    if named[0] not in near:
        raise Unlawful(other, names, event=order.event, **{what: named[0]})
    return named[0]


def _army_corps(state: State, order: PlayEvent) -> None:
    if not state.sieges:
        raise _fails(order)
    _landing(state, order)


def _contingents(state: State, order: PlayEvent) -> None:
    if not state.beaten:
        raise _fails(order)
    _landing(state, order)


def _landing(state: State, order: PlayEvent) -> None:
    """New SP at a port, to a leader there with room, or as a garrison."""
    at = the_point(order, reserves.empire_ports(state))
    if order.leaders:
        here = [one for one in leaders_at(state, at, "empire") if room(state, one)]
        if len(order.leaders) > 1 or order.leaders[0] not in here:
            raise Unlawful("not-this-leader", here, leader=order.leaders[0], event=order.event)


def _naval_guns(state: State, order: PlayEvent) -> None:
    if all(state.control[port] != "empire" for port in _of(state, order).points):
        raise _fails(order)


def _heliograph(state: State, order: PlayEvent) -> None:
    event = _of(state, order)
    strong = [
        there.at
        for name, there in state.leaders.items()
        if name in leaders_of(state, "empire") and there.sp >= event.needs
    ]
    the_point(
        order,
        [town for town in state.sieges if any(state.board.apart(town, at) <= event.near for at in strong)],
    )


def _ride(state: State, order: PlayEvent) -> None:
    free = [one for one in _of(state, order).leaders if one in state.leaders and not is_besieged(state, one)]
    leader = the_leader(order, free)
    ways.ride(state, "empire", leader, order.points, _of(state, order).number)


def _annexation(state: State, order: PlayEvent) -> None:
    if state.control[_of(state, order).points[state.played.get(order.event, 0)]] != "empire":
        raise _fails(order)
    if not state.scattered["boers"]:
        raise Unlawful("none-scattered", side="boers")


def _oath(state: State, order: PlayEvent) -> None:
    the_point(order, [one for one in _of(state, order).points if state.control[one] == "empire"])


def _patrols(state: State, order: PlayEvent) -> None:
    """The cuts that go, and one link more, on which the blockhouse stands."""
    if not state.cuts:
        raise _fails(order)
    most = _of(state, order).number
    away = [link for link in order.links if link in state.cuts]
    build = [link for link in order.links if link not in state.cuts]
    sites = works.guardable(state)
    if not 0 < len(away) <= most or len(set(away)) < len(away):
        raise Unlawful("which-cuts", state.cuts, event=order.event, most=most)
    if len(build) > 1 or (build and build[0] not in sites):
        raise Unlawful("which-link", sites, event=order.event)
    if not build and works.may_build(state):
        raise Unlawful("which-link", sites, event=order.event)
    if build and not works.may_build(state):
        raise Unlawful("no-blockhouses-left")


def _scouts(state: State, order: PlayEvent) -> None:
    if any(state.control[one] != "empire" for one in _of(state, order).points):
        raise _fails(order)


def _night_raid(state: State, order: PlayEvent) -> None:
    rank = state.box.leaders
    able = [
        one
        for one in leaders_of(state, "empire")
        if rank[one].command >= _of(state, order).needs and _prey(state, one, "boers")
    ]
    leader = the_leader(order, able)
    journey = ways.ride(state, "empire", leader, order.points, move_of(state, leader))
    if not journey.attacks:
        raise Unlawful("no-boers", _prey(state, leader, "boers"), at=journey.goal)


def _prey(state: State, leader: LeaderId, side: Side) -> list[Point]:
    """The points with leaders of a side that a leader can reach."""
    held = sorted({state.leaders[one].at for one in leaders_of(state, side)})
    return [point for point in held if ways.reaches(state, leader, point)]


def _great_drive(state: State, order: PlayEvent) -> None:
    empire = leaders_of(state, "empire")
    held = sorted({state.leaders[one].at for one in leaders_of(state, "boers")})
    ringed = [
        point
        for point in held
        if sum(ways.reaches(state, one, point) is not None for one in empire) >= _of(state, order).needs
    ]
    target = the_point(order, ringed)
    works.check_drive(state, order.leaders, target, _of(state, order).number)


def _talks(state: State, order: PlayEvent) -> None:
    if state.sp_on_map("boers") > _of(state, order).needs:
        raise _fails(order)


def _long_tom(state: State, order: PlayEvent) -> None:
    the_point(
        order, [town for town in state.sieges if sp_at(state, town, "boers") >= _of(state, order).needs]
    )


def _rebels(state: State, order: PlayEvent) -> None:
    def rises(point: Point) -> bool:
        return "rebel" in state.board.places[point].flags and not is_held(state, point, "empire")

    boers = leaders_of(state, "boers")
    the_leader(order, [one for one in boers if room(state, one) and rises(state.leaders[one].at)])


def _volunteers(state: State, order: PlayEvent) -> None:
    if any(state.control[one] != "boers" for one in _of(state, order).points):
        raise _fails(order)
    at_home = [
        one
        for one in leaders_of(state, "boers")
        if room(state, one) and state.control[state.leaders[one].at] == "boers"
    ]
    the_leader(order, at_home)


def _black_week(state: State, order: PlayEvent) -> None:
    if not state.repulsed:
        raise _fails(order)


def _trenches(state: State, order: PlayEvent) -> None:
    if not state.trenches["boers"]:
        raise _fails(order)


def _ambush(state: State, order: PlayEvent) -> None:
    the_leader(order, [one for one in _of(state, order).leaders if one in state.leaders])


def _council(state: State, order: PlayEvent) -> None:
    if state.control[_of(state, order).points[0]] != "boers" or not state.scattered["boers"]:
        raise _fails(order)
    near = council_members(state)
    if not near:
        raise _fails(order)
    for leader in order.leaders:
        if leader not in near:
            raise Unlawful("not-this-leader", near, leader=leader, event=order.event)


def council_members(state: State) -> tuple[LeaderId, ...]:
    """The Boer leaders with room in points under Boer control, the best Command first."""
    found = [
        one
        for one in leaders_of(state, "boers")
        if room(state, one) and state.control[state.leaders[one].at] == "boers"
    ]
    return tuple(sorted(found, key=lambda one: (-state.box.leaders[one].command, one)))


def _wreckers(state: State, order: PlayEvent) -> None:
    """Railway links near one leader."""
    able = [one for one in leaders_of(state, "boers") if wreckable(state, one)]
    leader = the_leader(order, able)
    near, most = wreckable(state, leader), _of(state, order).number
    if not 0 < len(order.links) <= most or len(set(order.links)) < len(order.links):
        raise Unlawful("which-links", near, event=order.event, most=most)
    for link in order.links:
        if link not in near:
            raise Unlawful("which-links", near, event=order.event, most=most, link=link)


def wreckable(state: State, leader: LeaderId) -> tuple[Link, ...]:
    """The uncut railway links of which one end is within two links of a leader."""
    at = state.leaders[leader].at
    return tuple(
        link
        for link, way in state.board.links.items()
        if way.rail
        and link not in state.cuts
        and min(state.board.apart(at, way.a), state.board.apart(at, way.b)) <= state.box.events[WRECKERS].near
    )


def _invasion(state: State, order: PlayEvent) -> None:
    leader = the_leader(order, [one for one in _of(state, order).leaders if one in state.leaders])
    journey = ways.trek(state, leader, order.points, _of(state, order).number)
    if "rebel" not in state.board.places[journey.goal].flags or journey.attacks:
        rebels = [point for point, place in state.board.places.items() if "rebel" in place.flags]
        raise Unlawful("no-rebel-country", rebels, at=journey.goal)


def _good_scouts(state: State, order: PlayEvent) -> None:
    """No condition."""


def _report(state: State, order: PlayEvent) -> None:
    if len(state.camps) < _of(state, order).needs:
        raise _fails(order)


def _tweebosch(state: State, order: PlayEvent) -> None:
    able = [one for one in _of(state, order).leaders if one in state.leaders and _prey(state, one, "empire")]
    leader = the_leader(order, able)
    journey = ways.trek(state, leader, order.points)
    if not leaders_at(state, journey.goal, "empire"):
        raise Unlawful("no-empire-leader", _prey(state, leader, "empire"), at=journey.goal)


_CONDITIONS: Mapping[EventId, Callable[[State, PlayEvent], None]] = {
    EventId("E01"): _army_corps,
    EventId("E02"): _naval_guns,
    EventId("E03"): _contingents,
    EventId("E04"): _heliograph,
    EventId("E05"): _ride,
    EventId("E06"): _annexation,
    EventId("E07"): _oath,
    EventId("E08"): _patrols,
    EventId("E09"): _scouts,
    EventId("E10"): _night_raid,
    EventId("E11"): _great_drive,
    EventId("E12"): _talks,
    EventId("B01"): _long_tom,
    EventId("B02"): _rebels,
    EventId("B03"): _volunteers,
    EventId("B04"): _black_week,
    EventId("B05"): _trenches,
    EventId("B06"): _ambush,
    EventId("B07"): _council,
    EventId("B08"): _wreckers,
    EventId("B09"): _invasion,
    EventId("B10"): _good_scouts,
    EventId("B11"): _report,
    EventId("B12"): _tweebosch,
}
