"""Event counters: the conditions for playing them, and orders that play them. Source: ruling 12.2."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeVar

from games.boer_war import paths, reinforcements, works
from games.boer_war.components import EventCounter, EventId, LeaderId, Link, Point, Side
from games.boer_war.model import (
    IllegalOrder,
    PlayEvent,
    State,
    View,
    is_besieged,
    is_held,
    leaders_at,
    leaders_of,
    move_allowance,
    sp_at,
    spare_capacity,
)
from games.boer_war.reinforcements import empire_ports
from games.boer_war.works import guardable_links

NamedT = TypeVar("NamedT")

WRECKERS_EVENT = EventId("B08")


def check_event(state: State, side: Side, order: PlayEvent) -> None:
    """Raise IllegalOrder if a side can't play an event counter with these details now."""
    event = _counter_of(state, order)
    if event.side != side:
        raise IllegalOrder("not-your-event", playable_events(state), event=order.event)
    if state.turn not in event.turns:
        raise IllegalOrder("not-this-turn", playable_events(state), event=order.event, turn=state.turn)
    if state.played.get(order.event, 0) >= event.uses:
        raise IllegalOrder("played-already", playable_events(state), event=order.event)
    for what in ("leaders", "points", "links"):
        if getattr(order, what) and what not in event.takes:
            raise IllegalOrder("not-for-this-event", event=order.event, what=what)
    for leader in order.leaders:
        if order.leaders.count(leader) > 1:
            raise IllegalOrder("twice", leader=leader)
    _EVENT_CHECKS[order.event](state, order)


def playable_events(state: State) -> tuple[EventId, ...]:
    """Return the event counters of the side that acts that are allowed in this Turn and not used up."""
    return tuple(
        name
        for name, event in state.box.events.items()
        if event.side == state.side and state.turn in event.turns and state.played.get(name, 0) < event.uses
    )


def _counter_of(state: State, order: PlayEvent) -> EventCounter:
    return state.box.events[order.event]


def _condition_fails(order: PlayEvent, near: Iterable[str] = (), **detail: object) -> IllegalOrder:
    """Return the exception for an event whose own condition isn't met."""
    return IllegalOrder("no-condition", near, event=order.event, **detail)


def require_leader(order: PlayEvent, near: Iterable[LeaderId]) -> LeaderId:
    """Return the single leader of an event. Raises IllegalOrder if it isn't one of the leaders `near`."""
    return _require_one(order, order.leaders, tuple(near), "event-leader", "not-this-leader", "leader")


def require_point(order: PlayEvent, near: Iterable[Point]) -> Point:
    """Return the single point of an event. Raises IllegalOrder if it isn't one of the points `near`."""
    return _require_one(order, order.points, tuple(near), "which-point", "not-this-point", "at")


def _require_one(
    order: PlayEvent, named: tuple[NamedT, ...], near: tuple[NamedT, ...], which: str, other: str, what: str
) -> NamedT:
    """Return the single thing named. Raises IllegalOrder if it isn't one of the things `near`.

    which: the code if none or several are named. other: the code if the thing isn't allowed. what: the name
    of the thing among the details of the exception.
    """
    if not near:
        raise _condition_fails(order)
    names = [str(name) for name in near]
    if len(named) != 1:
        raise IllegalOrder(which, names, event=order.event)
    if named[0] not in near:
        raise IllegalOrder(other, names, event=order.event, **{what: named[0]})
    return named[0]


def _check_army_corps(state: State, order: PlayEvent) -> None:
    if not state.sieges:
        raise _condition_fails(order)
    _check_landing(state, order)


def _check_contingents(state: State, order: PlayEvent) -> None:
    if not state.beaten:
        raise _condition_fails(order)
    _check_landing(state, order)


def _check_landing(state: State, order: PlayEvent) -> None:
    """Check new SP at a port. They go to a leader there with room, or become a garrison."""
    at = require_point(order, reinforcements.empire_ports(state))
    if order.leaders:
        here = [leader for leader in leaders_at(state, at, "empire") if spare_capacity(state, leader)]
        if len(order.leaders) > 1 or order.leaders[0] not in here:
            raise IllegalOrder("not-this-leader", here, leader=order.leaders[0], event=order.event)


def _check_naval_guns(state: State, order: PlayEvent) -> None:
    if all(state.control[port] != "empire" for port in _counter_of(state, order).points):
        raise _condition_fails(order)


def _check_heliograph(state: State, order: PlayEvent) -> None:
    event = _counter_of(state, order)
    strong = [
        there.at
        for name, there in state.leaders.items()
        if name in leaders_of(state, "empire") and there.sp >= event.needs
    ]
    require_point(
        order,
        [town for town in state.sieges if any(state.board.distance(town, at) <= event.near for at in strong)],
    )


def _check_ride(state: State, order: PlayEvent) -> None:
    free = [
        leader
        for leader in _counter_of(state, order).leaders
        if leader in state.leaders and not is_besieged(state, leader)
    ]
    leader = require_leader(order, free)
    paths.check_ride(state, "empire", leader, order.points, _counter_of(state, order).number)


def _check_annexation(state: State, order: PlayEvent) -> None:
    if state.control[_counter_of(state, order).points[state.played.get(order.event, 0)]] != "empire":
        raise _condition_fails(order)
    if not state.scattered["boers"]:
        raise IllegalOrder("none-scattered", side="boers")


def _check_oath(state: State, order: PlayEvent) -> None:
    require_point(
        order, [point for point in _counter_of(state, order).points if state.control[point] == "empire"]
    )


def _check_patrols(state: State, order: PlayEvent) -> None:
    """Check the cuts to repair and the link for the blockhouses."""
    if not state.cuts:
        raise _condition_fails(order)
    most = _counter_of(state, order).number
    away = [link for link in order.links if link in state.cuts]
    build = [link for link in order.links if link not in state.cuts]
    sites = works.guardable_links(state)
    if not 0 < len(away) <= most or len(set(away)) < len(away):
        raise IllegalOrder("which-cuts", state.cuts, event=order.event, most=most)
    if len(build) > 1 or (build and build[0] not in sites):
        raise IllegalOrder("which-link", sites, event=order.event)
    if not build and works.has_blockhouse_left(state):
        raise IllegalOrder("which-link", sites, event=order.event)
    if build and not works.has_blockhouse_left(state):
        raise IllegalOrder("no-blockhouses-left")


def _check_scouts(state: State, order: PlayEvent) -> None:
    if any(state.control[point] != "empire" for point in _counter_of(state, order).points):
        raise _condition_fails(order)


def _check_night_raid(state: State, order: PlayEvent) -> None:
    rank = state.box.leaders
    able = [
        leader
        for leader in leaders_of(state, "empire")
        if rank[leader].command >= _counter_of(state, order).needs and _reachable_prey(state, leader, "boers")
    ]
    leader = require_leader(order, able)
    journey = paths.check_ride(state, "empire", leader, order.points, move_allowance(state, leader))
    if not journey.attacks:
        raise IllegalOrder("no-boers", _reachable_prey(state, leader, "boers"), at=journey.goal)


def _reachable_prey(state: State, leader: LeaderId, side: Side) -> list[Point]:
    """Return the points with leaders of a side that a leader can reach with a MOVE or TREK."""
    held = sorted({state.leaders[enemy].at for enemy in leaders_of(state, side)})
    return [point for point in held if paths.path_to(state, leader, point)]


def _check_great_drive(state: State, order: PlayEvent) -> None:
    empire = leaders_of(state, "empire")
    held = sorted({state.leaders[leader].at for leader in leaders_of(state, "boers")})
    ringed = [
        point
        for point in held
        if sum(paths.path_to(state, column, point) is not None for column in empire)
        >= _counter_of(state, order).needs
    ]
    target = require_point(order, ringed)
    works.check_drive(state, order.leaders, target, _counter_of(state, order).number)


def _check_talks(state: State, order: PlayEvent) -> None:
    if state.sp_on_map("boers") > _counter_of(state, order).needs:
        raise _condition_fails(order)


def _check_long_tom(state: State, order: PlayEvent) -> None:
    require_point(
        order,
        [town for town in state.sieges if sp_at(state, town, "boers") >= _counter_of(state, order).needs],
    )


def _check_rebels(state: State, order: PlayEvent) -> None:
    def rises(point: Point) -> bool:
        return "rebel" in state.board.places[point].flags and not is_held(state, point, "empire")

    boers = leaders_of(state, "boers")
    require_leader(
        order,
        [leader for leader in boers if spare_capacity(state, leader) and rises(state.leaders[leader].at)],
    )


def _check_volunteers(state: State, order: PlayEvent) -> None:
    if any(state.control[point] != "boers" for point in _counter_of(state, order).points):
        raise _condition_fails(order)
    at_home = [
        leader
        for leader in leaders_of(state, "boers")
        if spare_capacity(state, leader) and state.control[state.leaders[leader].at] == "boers"
    ]
    require_leader(order, at_home)


def _check_black_week(state: State, order: PlayEvent) -> None:
    if not state.repulsed:
        raise _condition_fails(order)


def _check_trenches(state: State, order: PlayEvent) -> None:
    if not state.trenches["boers"]:
        raise _condition_fails(order)


def _check_ambush(state: State, order: PlayEvent) -> None:
    require_leader(order, [leader for leader in _counter_of(state, order).leaders if leader in state.leaders])


def _check_council(state: State, order: PlayEvent) -> None:
    if state.control[_counter_of(state, order).points[0]] != "boers" or not state.scattered["boers"]:
        raise _condition_fails(order)
    near = council_members(state)
    if not near:
        raise _condition_fails(order)
    for leader in order.leaders:
        if leader not in near:
            raise IllegalOrder("not-this-leader", near, leader=leader, event=order.event)


def council_members(state: State) -> tuple[LeaderId, ...]:
    """Return the Boer leaders with room at points under Boer control, the best Command first."""
    members = [
        leader
        for leader in leaders_of(state, "boers")
        if spare_capacity(state, leader) and state.control[state.leaders[leader].at] == "boers"
    ]
    return tuple(sorted(members, key=lambda leader: (-state.box.leaders[leader].command, leader)))


def _check_wreckers(state: State, order: PlayEvent) -> None:
    """Check the railway links near one leader."""
    able = [leader for leader in leaders_of(state, "boers") if wreckable_links(state, leader)]
    leader = require_leader(order, able)
    near, most = wreckable_links(state, leader), _counter_of(state, order).number
    if not 0 < len(order.links) <= most or len(set(order.links)) < len(order.links):
        raise IllegalOrder("which-links", near, event=order.event, most=most)
    for link in order.links:
        if link not in near:
            raise IllegalOrder("which-links", near, event=order.event, most=most, link=link)


def wreckable_links(state: State, leader: LeaderId) -> tuple[Link, ...]:
    """Return the uncut railway links with an end near a leader."""
    at = state.leaders[leader].at
    return tuple(
        link
        for link, way in state.board.links.items()
        if way.rail
        and link not in state.cuts
        and min(state.board.distance(at, way.a), state.board.distance(at, way.b))
        <= state.box.events[WRECKERS_EVENT].near
    )


def _check_invasion(state: State, order: PlayEvent) -> None:
    leader = require_leader(
        order, [leader for leader in _counter_of(state, order).leaders if leader in state.leaders]
    )
    journey = paths.check_trek(state, leader, order.points, _counter_of(state, order).number)
    if "rebel" not in state.board.places[journey.goal].flags or journey.attacks:
        rebels = [point for point, place in state.board.places.items() if "rebel" in place.flags]
        raise IllegalOrder("no-rebel-country", rebels, at=journey.goal)


def _check_report(state: State, order: PlayEvent) -> None:
    if len(state.camps) < _counter_of(state, order).needs:
        raise _condition_fails(order)


def _check_tweebosch(state: State, order: PlayEvent) -> None:
    able = [
        leader
        for leader in _counter_of(state, order).leaders
        if leader in state.leaders and _reachable_prey(state, leader, "empire")
    ]
    leader = require_leader(order, able)
    journey = paths.check_trek(state, leader, order.points)
    if not leaders_at(state, journey.goal, "empire"):
        raise IllegalOrder("no-empire-leader", _reachable_prey(state, leader, "empire"), at=journey.goal)


_EVENT_CHECKS: Mapping[EventId, Callable[[State, PlayEvent], None]] = {
    EventId("E01"): _check_army_corps,
    EventId("E02"): _check_naval_guns,
    EventId("E03"): _check_contingents,
    EventId("E04"): _check_heliograph,
    EventId("E05"): _check_ride,
    EventId("E06"): _check_annexation,
    EventId("E07"): _check_oath,
    EventId("E08"): _check_patrols,
    EventId("E09"): _check_scouts,
    EventId("E10"): _check_night_raid,
    EventId("E11"): _check_great_drive,
    EventId("E12"): _check_talks,
    EventId("B01"): _check_long_tom,
    EventId("B02"): _check_rebels,
    EventId("B03"): _check_volunteers,
    EventId("B04"): _check_black_week,
    EventId("B05"): _check_trenches,
    EventId("B06"): _check_ambush,
    EventId("B07"): _check_council,
    EventId("B08"): _check_wreckers,
    EventId("B09"): _check_invasion,
    EventId("B10"): lambda _state, _order: None,  # the Good Scouts have no condition
    EventId("B11"): _check_report,
    EventId("B12"): _check_tweebosch,
}


# Orders that play an event counter, the best first. Bots and reports use them.


_MAX_ORDERS_TRIED = 12
"""The most orders to try for one event counter."""


def event_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield orders that could play an event counter now, the best first. Some of them may be illegal."""
    orders = _ORDERS_BY_EVENT.get(event)
    return islice(orders(view, event), _MAX_ORDERS_TRIED) if orders else iter((PlayEvent(event=event),))


def _landing_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield new SP for the best leaders at each port, then as a garrison."""
    for port in empire_ports(view):
        here = [leader for leader in leaders_at(view, port, "empire") if spare_capacity(view, leader) >= 2]
        for leader in sorted(here, key=lambda leader: _command_rank(view, leader)):
            yield PlayEvent(event=event, leaders=(leader,), points=(port,))
    for port in empire_ports(view):
        yield PlayEvent(event=event, points=(port,))


def _command_rank(view: View, leader: LeaderId) -> tuple[int, str]:
    return -view.box.leaders[leader].command, leader


def _siege_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the besieged towns, the highest siege level first."""
    for town in sorted(view.sieges, key=lambda town: (-view.sieges[town], town)):
        yield PlayEvent(event=event, points=(town,))


def _centre_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the political centres, those with most Boers nearby first."""

    def about(centre: Point) -> int:
        return sum(sp_at(view, point, "boers") for point in view.board.within(centre, 2))

    for centre in sorted(view.board.flagged["political"], key=lambda centre: (-about(centre), centre)):
        yield PlayEvent(event=event, points=(centre,))


def _ride_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield rides towards the nearest political centre that the Boers hold."""
    links = view.box.events[event].number
    goals = [centre for centre in view.board.flagged["political"] if view.control[centre] == "boers"]
    for leader in view.box.events[event].leaders:
        there = view.leaders.get(leader)
        if there is None or not goals:
            continue
        goal = min(goals, key=lambda centre: (view.board.distance(there.at, centre), centre))
        near = [point for point in view.board.within(there.at, links) if point != there.at]
        for point in sorted(near, key=lambda point: (view.board.distance(point, goal), point)):
            yield PlayEvent(event=event, leaders=(leader,), points=(point,))


def _patrol_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield repairs of two cuts, with blockhouses on the link nearest to Boers first."""
    away = view.cuts[:2]
    boers = [view.leaders[leader].at for leader in leaders_of(view, "boers")]

    def far(link: Link) -> int:
        return min((view.board.distance(end, at) for end in view.board.ends(link) for at in boers), default=0)

    for link in sorted((link for link in guardable_links(view) if link not in view.cuts), key=far):
        yield PlayEvent(event=event, links=(*away, link))
    yield PlayEvent(event=event, links=away)


def _night_raid_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield raids by the best leaders first, each against the weakest Boers first."""
    for leader in sorted(leaders_of(view, "empire"), key=lambda leader: _command_rank(view, leader)):
        for point in _prey_within(view, leader, "boers", move_allowance(view, leader)):
            yield PlayEvent(event=event, leaders=(leader,), points=(point,))


def _prey_within(view: View, leader: LeaderId, side: Side, links: int) -> list[Point]:
    """Return the points with leaders of a side within `links` links of a leader, the weakest first."""
    at = view.leaders[leader].at
    held = {view.leaders[enemy].at for enemy in leaders_of(view, side)}
    near = [point for point in sorted(held) if view.board.distance(at, point) <= links]
    return sorted(near, key=lambda point: sp_at(view, point, side))


def _great_drive_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield drives against points with Boers, those that most leaders can reach first."""
    drives = []
    for point in sorted({view.leaders[boer].at for boer in leaders_of(view, "boers")}):
        able = [leader for leader in leaders_of(view, "empire") if paths.path_to(view, leader, point)]
        able.sort(key=lambda leader: (-view.leaders[leader].sp, leader))
        drives.append((point, tuple(able[: view.box.events[event].number])))
    for point, leaders in sorted(drives, key=lambda drive: -len(drive[1])):
        if leaders:
            yield PlayEvent(event=event, leaders=leaders, points=(point,))


def _leader_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the Boer leaders, those with most room first, then the higher Command."""
    for leader in sorted(
        leaders_of(view, "boers"),
        key=lambda leader: (-spare_capacity(view, leader), *_command_rank(view, leader)),
    ):
        yield PlayEvent(event=event, leaders=(leader,))


def _ambush_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    for leader in sorted(
        view.box.events[event].leaders,
        key=lambda leader: -view.leaders[leader].sp if leader in view.leaders else 0,
    ):
        yield PlayEvent(event=event, leaders=(leader,))


def _council_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    yield PlayEvent(event=event, leaders=council_members(view)[: view.box.events[event].number])


def _wrecker_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the leaders with railway links near them, those with most links first."""
    near = {leader: wreckable_links(view, leader) for leader in leaders_of(view, "boers")}
    for leader in sorted(near, key=lambda leader: (-len(near[leader]), leader)):
        links = tuple(Link(link) for link in near[leader][: view.box.events[event].number])
        yield PlayEvent(event=event, leaders=(leader,), links=links)


def _invasion_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the leaders, the weakest first, each with the rebel points farthest from Empire leaders first."""
    links = view.box.events[event].number
    empire = [view.leaders[leader].at for leader in leaders_of(view, "empire")]
    rebels = [point for point, place in view.board.places.items() if "rebel" in place.flags]

    def safe(point: Point) -> int:
        return min((view.board.distance(point, at) for at in empire), default=0)

    riders = [leader for leader in view.box.events[event].leaders if leader in view.leaders]
    for leader in sorted(riders, key=lambda leader: (view.leaders[leader].sp, leader)):
        at = view.leaders[leader].at
        near = [point for point in rebels if 0 < view.board.distance(at, point) <= links]
        for point in sorted(near, key=lambda point: (-safe(point), point)):
            yield PlayEvent(event=event, leaders=(leader,), points=(point,))


def _tweebosch_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    for leader in view.box.events[event].leaders:
        if leader in view.leaders:
            for point in _prey_within(view, leader, "empire", move_allowance(view, leader)):
                yield PlayEvent(event=event, leaders=(leader,), points=(point,))


_ORDERS_BY_EVENT: Mapping[EventId, Callable[[View, EventId], Iterator[PlayEvent]]] = {
    EventId("E01"): _landing_orders,
    EventId("E03"): _landing_orders,
    EventId("E04"): _siege_orders,
    EventId("E05"): _ride_orders,
    EventId("E07"): _centre_orders,
    EventId("E08"): _patrol_orders,
    EventId("E10"): _night_raid_orders,
    EventId("E11"): _great_drive_orders,
    EventId("B01"): _siege_orders,
    EventId("B02"): _leader_orders,
    EventId("B03"): _leader_orders,
    EventId("B06"): _ambush_orders,
    EventId("B07"): _council_orders,
    EventId("B08"): _wrecker_orders,
    EventId("B09"): _invasion_orders,
    EventId("B12"): _tweebosch_orders,
}
"""The orders of each event with details. Other events have no details."""
