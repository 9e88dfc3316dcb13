"""The orders open to the side whose round it is, in short."""

from collections.abc import Callable, Iterable, Iterator

from games.boer_war import prospects
from games.boer_war.event_counters import playable_events
from games.boer_war.forces import leaders_of, points_held, sp_at
from games.boer_war.legality import accepted_orders, find_objection
from games.boer_war.model import AnyOrder, Assault, Reinforce, Reorganize, Siege, View
from games.boer_war.plays import event_orders
from games.boer_war.reinforcements import empire_ports, return_points
from games.boer_war.works import camp_sites, guardable_links, raidable_links, repairable_cuts

# No row may read as an order in an answer that quotes without marks: so none begins with its verb.
_MAX_NAMES_PER_ROW = 14
"""So many names stand in a row at most."""


def open_orders(view: View) -> Iterator[tuple[str, str]]:
    """Yield each verb that the rules allow something of now, with its leaders and links, points, counters."""
    kinds = accepted_orders(view)
    for kind, verb, list_names in _OPEN_ORDER_ROWS:
        if kind in kinds:
            names = tuple(list_names(view))
            if names:
                more = (
                    f" and {len(names) - _MAX_NAMES_PER_ROW} more" if len(names) > _MAX_NAMES_PER_ROW else ""
                )
                yield verb, " ".join(names[:_MAX_NAMES_PER_ROW]) + more
    yield "or else", "PASS"


def _allows(view: View, order: AnyOrder) -> bool:
    return find_objection(view, view.seat(view.side), order) is None


def _movable_leaders(view: View) -> Iterator[str]:
    """Yield leaders who can go somewhere, each with the number of links."""
    for leaders in prospects.leader_groups(view, view.side, largest=True):
        reach = prospects.reachable_points(view, leaders[:1])
        far = max((*reach.free.values(), *reach.foes.values()), default=0)
        if far:
            yield f"{leaders[0]}/{far}"


def _rail_leaders(view: View) -> Iterator[str]:
    for leaders in prospects.leader_groups(view, view.side, largest=True):
        far = max(prospects.reachable_points(view, leaders[:1]).rail.values(), default=0)
        if far:
            yield f"{leaders[0]}/{far}"


def _drive_targets(view: View) -> Iterator[str]:
    """Yield points with Boers that an Empire leader reaches."""
    reached = {
        point
        for leaders in prospects.leader_groups(view, view.side, largest=True)
        for point in prospects.reachable_points(view, leaders[:1]).foes
    }
    yield from sorted(reached)


def _reinforceable_names(view: View) -> Iterator[str]:
    """Yield leaders who could be given SP, those of the box, and ports."""
    yield from (leader for leader in leaders_of(view, view.side) if _allows(view, Reinforce(leader=leader)))
    ports = empire_ports(view) if view.side == "empire" else ()
    if ports:
        boxed = view.boxes["empire"]
        yield from (leader for leader in boxed if _allows(view, Reinforce(leader=leader, at=ports[0])))
        yield from (port for port in ports if _allows(view, Reinforce(at=port)))


def _reorganizable_names(view: View) -> Iterator[str]:
    yield from (leader for leader in leaders_of(view, view.side) if _allows(view, Reorganize(leader=leader)))
    places = return_points(view, view.side)[:1]
    yield from (
        leader
        for leader in view.boxes[view.side]
        for at in places
        if _allows(view, Reorganize(leader=leader, at=at))
    )


def _playable_events(view: View) -> Iterator[str]:
    """Yield counters that can be played now."""
    if "event" not in view.used:
        yield from (
            event
            for event in playable_events(view)
            if any(_allows(view, play) for play in event_orders(view, event))
        )


def _siege_orders_at(view: View, order: Callable[..., AnyOrder]) -> Iterable[str]:
    return (town for town in view.sieges if _allows(view, order(at=town)))


def _open_camp_sites(view: View) -> Iterable[str]:
    return () if "camp" in view.used or view.camp_ban else camp_sites(view)


def _trench_points(view: View) -> Iterable[str]:
    dug = view.trenches[view.side]
    held = [point for point in sorted(points_held(view, view.side)) if point not in dug]
    return sorted(held, key=lambda point: -sp_at(view, point, view.side))


def _blockhouse_links(view: View) -> Iterable[str]:
    markers_left = view.box.numbers.markers.blockhouses - len(view.blockhouses)
    return guardable_links(view) if markers_left else ()


_OPEN_ORDER_ROWS: tuple[tuple[str, str, Callable[[View], Iterable[str]]], ...] = (
    ("Move", "MOVE (leader/links)", _movable_leaders),
    ("Trek", "TREK (leader/links)", _movable_leaders),
    ("Rail", "RAIL (leader/links)", _rail_leaders),
    ("Siege", "where to SIEGE", lambda view: _siege_orders_at(view, Siege)),
    ("Assault", "where to ASSAULT", lambda view: _siege_orders_at(view, Assault)),
    ("Drive", "where to DRIVE", _drive_targets),
    ("Camp", "where to CAMP", _open_camp_sites),
    ("Reinforce", "whom to REINFORCE", _reinforceable_names),
    ("Reorganize", "whom to REORGANIZE", _reorganizable_names),
    ("PlayEvent", "which EVENT", _playable_events),
    ("Entrench", "where to ENTRENCH", _trench_points),
    ("Cut", "where to CUT", raidable_links),
    ("Raid", "where to RAID", raidable_links),
    ("Repair", "where to REPAIR", repairable_cuts),
    ("Blockhouse", "a BLOCKHOUSE", _blockhouse_links),
)
