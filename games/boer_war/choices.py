"""What the side whose round it is may order now, in short."""

from collections.abc import Callable, Iterable, Iterator

from games.boer_war import prospects
from games.boer_war.counters import playable
from games.boer_war.forces import leaders_of, points_held, sp_at
from games.boer_war.lawful import accepts, objection
from games.boer_war.model import AnyOrder, Assault, Reinforce, Reorganize, Siege, View
from games.boer_war.plays import plays_of
from games.boer_war.reserves import empire_ports, havens
from games.boer_war.works import camp_sites, guardable, raidable, repairable

# No row may read as an order in an answer that quotes without marks: so none begins with its verb.
_MOST = 14
"""So many names stand in a row at most."""


def open_orders(view: View) -> Iterator[tuple[str, str]]:
    """Each verb that the rules allow something of now, and for what: leaders with links, points, counters."""
    kinds = accepts(view)
    for kind, verb, found in _ROWS:
        if kind in kinds:
            names = tuple(found(view))
            if names:
                more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
                yield verb, " ".join(names[:_MOST]) + more
    yield "or else", "PASS"


def _allows(view: View, order: AnyOrder) -> bool:
    return objection(view, view.seat(view.side), order) is None


def _movers(view: View) -> Iterator[str]:
    """Leaders who can go somewhere; behind each how many links."""
    for leaders in prospects.groups(view, view.side, largest=True):
        reach = prospects.reach(view, leaders[:1])
        far = max((*reach.free.values(), *reach.foes.values()), default=0)
        if far:
            yield f"{leaders[0]}/{far}"


def _riders(view: View) -> Iterator[str]:
    for leaders in prospects.groups(view, view.side, largest=True):
        far = max(prospects.reach(view, leaders[:1]).rail.values(), default=0)
        if far:
            yield f"{leaders[0]}/{far}"


def _prey(view: View) -> Iterator[str]:
    """Points with Boers that an Empire leader reaches."""
    reached = {
        point
        for leaders in prospects.groups(view, view.side, largest=True)
        for point in prospects.reach(view, leaders[:1]).foes
    }
    yield from sorted(reached)


def _fed(view: View) -> Iterator[str]:
    """Leaders who could be given SP, those of the box, and ports."""
    yield from (one for one in leaders_of(view, view.side) if _allows(view, Reinforce(leader=one)))
    ports = empire_ports(view) if view.side == "empire" else ()
    if ports:
        boxed = view.boxes["empire"]
        yield from (one for one in boxed if _allows(view, Reinforce(leader=one, at=ports[0])))
        yield from (one for one in ports if _allows(view, Reinforce(at=one)))


def _rallied(view: View) -> Iterator[str]:
    yield from (one for one in leaders_of(view, view.side) if _allows(view, Reorganize(leader=one)))
    places = havens(view, view.side)[:1]
    yield from (
        one for one in view.boxes[view.side] for at in places if _allows(view, Reorganize(leader=one, at=at))
    )


def _events(view: View) -> Iterator[str]:
    """Counters that can be played now."""
    if "event" not in view.used:
        yield from (one for one in playable(view) if any(_allows(view, play) for play in plays_of(view, one)))


def _besieged(view: View, order: Callable[..., AnyOrder]) -> Iterable[str]:
    return (town for town in view.sieges if _allows(view, order(at=town)))


def _camps(view: View) -> Iterable[str]:
    return () if "camp" in view.used or view.camp_ban else camp_sites(view)


def _dug(view: View) -> Iterable[str]:
    dug = view.trenches[view.side]
    held = [point for point in sorted(points_held(view, view.side)) if point not in dug]
    return sorted(held, key=lambda one: -sp_at(view, one, view.side))


def _blockhouses(view: View) -> Iterable[str]:
    left = view.box.numbers.markers.blockhouses - len(view.blockhouses)
    return guardable(view) if left else ()


_ROWS: tuple[tuple[str, str, Callable[[View], Iterable[str]]], ...] = (
    ("Move", "MOVE (leader/links)", _movers),
    ("Trek", "TREK (leader/links)", _movers),
    ("Rail", "RAIL (leader/links)", _riders),
    ("Siege", "where to SIEGE", lambda view: _besieged(view, Siege)),
    ("Assault", "where to ASSAULT", lambda view: _besieged(view, Assault)),
    ("Drive", "where to DRIVE", _prey),
    ("Camp", "where to CAMP", _camps),
    ("Reinforce", "whom to REINFORCE", _fed),
    ("Reorganize", "whom to REORGANIZE", _rallied),
    ("PlayEvent", "which EVENT", _events),
    ("Entrench", "where to ENTRENCH", _dug),
    ("Cut", "where to CUT", raidable),
    ("Raid", "where to RAID", raidable),
    ("Repair", "where to REPAIR", repairable),
    ("Blockhouse", "a BLOCKHOUSE", _blockhouses),
)
