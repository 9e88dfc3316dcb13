"""The orders that would play an event counter, the best first: for bots, and for reports."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from games.boer_war import ways
from games.boer_war.codes import EventId, LeaderId, Link, Point, Side
from games.boer_war.counters import council_members, wreckable
from games.boer_war.forces import leaders_at, leaders_of, move_of, room, sp_at
from games.boer_war.model import PlayEvent, View
from games.boer_war.reserves import empire_ports
from games.boer_war.works import guardable

_TRIED = 12
"""So many orders are tried for one counter."""


def plays_of(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Orders that may play a counter now, the best first; the rules have still to say whether they do."""
    return islice(_PLAYS.get(event, _plain)(view, event), _TRIED)


def _plain(view: View, event: EventId) -> Iterator[PlayEvent]:
    yield PlayEvent(event=event)


def _landing(view: View, event: EventId) -> Iterator[PlayEvent]:
    """New SP to the best leader at a port; without one as a garrison."""
    for port in empire_ports(view):
        here = [one for one in leaders_at(view, port, "empire") if room(view, one) >= 2]
        for leader in sorted(here, key=lambda one: _rank(view, one)):
            yield PlayEvent(event=event, leaders=(leader,), points=(port,))
    for port in empire_ports(view):
        yield PlayEvent(event=event, points=(port,))


def _rank(view: View, leader: LeaderId) -> tuple[int, str]:
    return -view.box.leaders[leader].command, leader


def _town(view: View, event: EventId) -> Iterator[PlayEvent]:
    """The siege that has come furthest."""
    for town in sorted(view.sieges, key=lambda one: (-view.sieges[one], one)):
        yield PlayEvent(event=event, points=(town,))


def _centre(view: View, event: EventId) -> Iterator[PlayEvent]:
    """The political centre with most Boers about."""

    def about(centre: Point) -> int:
        return sum(sp_at(view, point, "boers") for point in view.board.within(centre, 2))

    for centre in sorted(view.board.flagged["political"], key=lambda one: (-about(one), one)):
        yield PlayEvent(event=event, points=(centre,))


def _ride(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Towards the nearest political centre that the Boers hold, past nobody."""
    links = view.box.events[event].number
    goals = [one for one in view.board.flagged["political"] if view.control[one] == "boers"]
    for leader in view.box.events[event].leaders:
        there = view.leaders.get(leader)
        if there is None or not goals:
            continue
        goal = min(goals, key=lambda one: (view.board.apart(there.at, one), one))
        near = [point for point in view.board.within(there.at, links) if point != there.at]
        for point in sorted(near, key=lambda one: (view.board.apart(one, goal), one)):
            yield PlayEvent(event=event, leaders=(leader,), points=(point,))


def _patrols(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Two cuts away, blockhouses where they are nearest to Boers."""
    away = view.cuts[:2]
    boers = [view.leaders[one].at for one in leaders_of(view, "boers")]

    def far(link: Link) -> int:
        return min((view.board.apart(end, at) for end in view.board.ends(link) for at in boers), default=0)

    for link in sorted((one for one in guardable(view) if one not in view.cuts), key=far):
        yield PlayEvent(event=event, links=(*away, link))
    yield PlayEvent(event=event, links=away)


def _night_raid(view: View, event: EventId) -> Iterator[PlayEvent]:
    """The best leader against the weakest Boers whom he reaches."""
    for leader in sorted(leaders_of(view, "empire"), key=lambda one: _rank(view, one)):
        for point in _prey(view, leader, "boers", move_of(view, leader)):
            yield PlayEvent(event=event, leaders=(leader,), points=(point,))


def _prey(view: View, leader: LeaderId, side: Side, links: int) -> list[Point]:
    """Points with leaders of a side so near, the weakest first."""
    at = view.leaders[leader].at
    held = {view.leaders[one].at for one in leaders_of(view, side)}
    near = [point for point in sorted(held) if view.board.apart(at, point) <= links]
    return sorted(near, key=lambda point: sp_at(view, point, side))


def _great_drive(view: View, event: EventId) -> Iterator[PlayEvent]:
    """Against the Boers whom most leaders reach, the strongest of these."""
    found = []
    for point in sorted({view.leaders[one].at for one in leaders_of(view, "boers")}):
        able = [one for one in leaders_of(view, "empire") if ways.reaches(view, one, point)]
        able.sort(key=lambda one: (-view.leaders[one].sp, one))
        found.append((point, tuple(able[: view.box.events[event].number])))
    for point, leaders in sorted(found, key=lambda one: -len(one[1])):
        if leaders:
            yield PlayEvent(event=event, leaders=leaders, points=(point,))


def _one_leader(view: View, event: EventId) -> Iterator[PlayEvent]:
    """The Boer leader with most room; of two the better one."""
    for leader in sorted(leaders_of(view, "boers"), key=lambda one: (-room(view, one), *_rank(view, one))):
        yield PlayEvent(event=event, leaders=(leader,))


def _ambush(view: View, event: EventId) -> Iterator[PlayEvent]:
    for leader in sorted(
        view.box.events[event].leaders, key=lambda one: -view.leaders[one].sp if one in view.leaders else 0
    ):
        yield PlayEvent(event=event, leaders=(leader,))


def _council(view: View, event: EventId) -> Iterator[PlayEvent]:
    yield PlayEvent(event=event, leaders=council_members(view)[: view.box.events[event].number])


def _wreckers(view: View, event: EventId) -> Iterator[PlayEvent]:
    """The leader who has most of the railway near him."""
    near = {one: wreckable(view, one) for one in leaders_of(view, "boers")}
    for leader in sorted(near, key=lambda one: (-len(near[one]), one)):
        links = tuple(Link(one) for one in near[leader][: view.box.events[event].number])
        yield PlayEvent(event=event, leaders=(leader,), links=links)


def _invasion(view: View, event: EventId) -> Iterator[PlayEvent]:
    """The weakest leader, to the rebel country farthest from the Empire's."""
    links = view.box.events[event].number
    empire = [view.leaders[one].at for one in leaders_of(view, "empire")]
    rebels = [point for point, place in view.board.places.items() if "rebel" in place.flags]

    def safe(point: Point) -> int:
        return min((view.board.apart(point, at) for at in empire), default=0)

    riders = [one for one in view.box.events[event].leaders if one in view.leaders]
    for leader in sorted(riders, key=lambda one: (view.leaders[one].sp, one)):
        at = view.leaders[leader].at
        near = [point for point in rebels if 0 < view.board.apart(at, point) <= links]
        for point in sorted(near, key=lambda one: (-safe(one), one)):
            yield PlayEvent(event=event, leaders=(leader,), points=(point,))


def _tweebosch(view: View, event: EventId) -> Iterator[PlayEvent]:
    for leader in view.box.events[event].leaders:
        if leader in view.leaders:
            for point in _prey(view, leader, "empire", move_of(view, leader)):
                yield PlayEvent(event=event, leaders=(leader,), points=(point,))


_PLAYS: Mapping[EventId, Callable[[View, EventId], Iterator[PlayEvent]]] = {
    EventId("E01"): _landing,
    EventId("E03"): _landing,
    EventId("E04"): _town,
    EventId("E05"): _ride,
    EventId("E07"): _centre,
    EventId("E08"): _patrols,
    EventId("E10"): _night_raid,
    EventId("E11"): _great_drive,
    EventId("B01"): _town,
    EventId("B02"): _one_leader,
    EventId("B03"): _one_leader,
    EventId("B06"): _ambush,
    EventId("B07"): _council,
    EventId("B08"): _wreckers,
    EventId("B09"): _invasion,
    EventId("B12"): _tweebosch,
}
"""By counter; the others name nothing."""
