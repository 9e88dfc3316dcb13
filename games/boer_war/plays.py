"""Orders that would play an event counter, the best first: for bots, and for reports."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from games.boer_war import paths
from games.boer_war.codes import EventId, LeaderId, Link, Point, Side
from games.boer_war.event_counters import council_members, wreckable_links
from games.boer_war.forces import leaders_at, leaders_of, move_allowance, sp_at, spare_capacity
from games.boer_war.model import PlayEvent, View
from games.boer_war.reinforcements import empire_ports
from games.boer_war.works import guardable_links

_MAX_ORDERS_TRIED = 12
"""So many orders are tried for one counter."""


def event_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield orders that may play a counter now, the best first; the rules decide whether each is legal."""
    return islice(_ORDERS_BY_EVENT.get(event, _without_details)(view, event), _MAX_ORDERS_TRIED)


def _without_details(view: View, event: EventId) -> Iterator[PlayEvent]:
    yield PlayEvent(event=event)


def _landing_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield new SP for the best leader at a port; without one as a garrison."""
    for port in empire_ports(view):
        here = [leader for leader in leaders_at(view, port, "empire") if spare_capacity(view, leader) >= 2]
        for leader in sorted(here, key=lambda leader: _command_rank(view, leader)):
            yield PlayEvent(event=event, leaders=(leader,), points=(port,))
    for port in empire_ports(view):
        yield PlayEvent(event=event, points=(port,))


def _command_rank(view: View, leader: LeaderId) -> tuple[int, str]:
    return -view.box.leaders[leader].command, leader


def _siege_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the besieged towns, the siege that has come furthest first."""
    for town in sorted(view.sieges, key=lambda town: (-view.sieges[town], town)):
        yield PlayEvent(event=event, points=(town,))


def _centre_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the political centres, the one with most Boers about first."""

    def about(centre: Point) -> int:
        return sum(sp_at(view, point, "boers") for point in view.board.within(centre, 2))

    for centre in sorted(view.board.flagged["political"], key=lambda centre: (-about(centre), centre)):
        yield PlayEvent(event=event, points=(centre,))


def _ride_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield rides towards the nearest political centre that the Boers hold, past nobody."""
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
    """Yield two cuts removed, with blockhouses where they are nearest to Boers."""
    away = view.cuts[:2]
    boers = [view.leaders[leader].at for leader in leaders_of(view, "boers")]

    def far(link: Link) -> int:
        return min((view.board.distance(end, at) for end in view.board.ends(link) for at in boers), default=0)

    for link in sorted((link for link in guardable_links(view) if link not in view.cuts), key=far):
        yield PlayEvent(event=event, links=(*away, link))
    yield PlayEvent(event=event, links=away)


def _night_raid_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield raids by the best leader first, against the weakest Boers whom he reaches."""
    for leader in sorted(leaders_of(view, "empire"), key=lambda leader: _command_rank(view, leader)):
        for point in _prey_within(view, leader, "boers", move_allowance(view, leader)):
            yield PlayEvent(event=event, leaders=(leader,), points=(point,))


def _prey_within(view: View, leader: LeaderId, side: Side, links: int) -> list[Point]:
    """Return points with leaders of a side so near, the weakest first."""
    at = view.leaders[leader].at
    held = {view.leaders[enemy].at for enemy in leaders_of(view, side)}
    near = [point for point in sorted(held) if view.board.distance(at, point) <= links]
    return sorted(near, key=lambda point: sp_at(view, point, side))


def _great_drive_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield drives against the Boers whom most leaders reach."""
    drives = []
    for point in sorted({view.leaders[boer].at for boer in leaders_of(view, "boers")}):
        able = [leader for leader in leaders_of(view, "empire") if paths.path_to(view, leader, point)]
        able.sort(key=lambda leader: (-view.leaders[leader].sp, leader))
        drives.append((point, tuple(able[: view.box.events[event].number])))
    for point, leaders in sorted(drives, key=lambda drive: -len(drive[1])):
        if leaders:
            yield PlayEvent(event=event, leaders=leaders, points=(point,))


def _leader_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the Boer leaders, the one with most room first; of two the better one."""
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
    """Yield the leaders, the one who has most of the railway near him first."""
    near = {leader: wreckable_links(view, leader) for leader in leaders_of(view, "boers")}
    for leader in sorted(near, key=lambda leader: (-len(near[leader]), leader)):
        links = tuple(Link(link) for link in near[leader][: view.box.events[event].number])
        yield PlayEvent(event=event, leaders=(leader,), links=links)


def _invasion_orders(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Yield the leaders, the weakest first, with the rebel country farthest from the Empire's."""
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
"""By counter; the others name nothing."""
