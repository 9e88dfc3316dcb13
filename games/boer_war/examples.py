"""What the side of this round could order now, an example of each kind: with its own leaders."""

from collections.abc import Iterable, Iterator

from games.boer_war import prospects
from games.boer_war.codes import LeaderId, Point
from games.boer_war.counters import playable
from games.boer_war.forces import leaders_at, leaders_of, points_held, room, sp_at
from games.boer_war.model import (
    AnyOrder,
    Assault,
    Blockhouse,
    Camp,
    Cut,
    Done,
    Drive,
    Entrench,
    Land,
    Move,
    Pass,
    PlayEvent,
    Raid,
    Rail,
    Reinforce,
    Reorganize,
    Repair,
    Siege,
    Stance,
    Transfer,
    Trek,
    View,
)
from games.boer_war.plays import plays_of
from games.boer_war.reserves import empire_ports, havens
from games.boer_war.works import camp_sites, guardable, raidable, repairable

Row = tuple[str, Iterable[AnyOrder]]


def rows(view: View) -> Iterator[Row]:
    """Names of forms, each with orders of the side, the plainest first; not all of them need be lawful."""
    if view.mode == "table":
        yield "done", [Done()]
        return
    mine = leaders_of(view, view.side)
    reached = [prospects.reach(view, leaders) for leaders in prospects.groups(view, view.side, largest=True)]
    lone = [prospects.reach(view, (leader,)) for leader in mine if leader in {r.leaders[0] for r in reached}]
    foes = [(one.leaders, to) for one in (*lone, *reached) for to in one.foes]
    free = [(one.leaders, to) for one in lone for to in _nearest(one.free) if to != one.start]
    yield "move", [Move(leaders=leaders, path=(to,)) for leaders, to in (*foes, *free)]
    yield "move-storm", [Move(leaders=leaders, path=(to,), storm=True) for leaders, to in foes]
    yield "trek", [Trek(leader=leaders[0], path=(to,)) for leaders, to in (*foes, *free)]
    trains = [(one.leaders, to) for one in lone for to in _nearest(one.rail) if to != one.start]
    yield "rail", [Rail(leaders=leaders, path=(to,)) for leaders, to in trains]
    yield "siege", [Siege(at=town) for town in view.sieges]
    yield "assault", [Assault(at=town) for town in view.sieges]
    yield "drive", [Drive(target=to, leaders=leaders[:1]) for leaders, to in foes]
    yield from _feeding(view, mine)
    held = sorted(points_held(view, view.side), key=lambda at: (-sp_at(view, at, view.side), at))
    yield "entrench", [Entrench(at=at) for at in held]
    yield "cut", [Cut(link=link) for link in raidable(view)]
    yield "raid", [Raid(link=link) for link in raidable(view)]
    yield "repair", [Repair(links=(link,)) for link in repairable(view)]
    yield "camp", [Camp(at=at) for at in camp_sites(view)]
    yield "blockhouse", [Blockhouse(link=link) for link in guardable(view)]
    plays = sorted((play for event in playable(view) for play in plays_of(view, event)), key=_simple)
    yield "event", plays
    yield "transfer", list(_handed(view, mine))
    yield "stand", [Stance(leader=leader, slip=False) for leader in mine]
    yield "land", list(_landing(view))
    yield "pass", [Pass()]


def _nearest(links: dict[Point, int]) -> list[Point]:
    return sorted(links, key=lambda point: (-links[point], point))


def _feeding(view: View, mine: Iterable[LeaderId]) -> Iterator[Row]:
    strong = [(leader, sp) for sp in (2, 1) for leader in mine]
    yield (
        "reinforce",
        [
            *(Reinforce(leader=leader, sp=sp) for leader, sp in strong),
            *(Reinforce(leader=leader) for leader in mine),
        ],
    )
    ports = empire_ports(view) if view.side == "empire" else ()
    yield "reinforce-garrison", [Reinforce(at=port, sp=1) for port in ports]
    back = [Reorganize(leader=one, at=at) for one in view.boxes[view.side] for at in havens(view, view.side)]
    yield "reorganize", [*(Reorganize(leader=leader) for leader in mine), *back]


def _handed(view: View, mine: Iterable[LeaderId]) -> Iterator[Transfer]:
    """SP from a leader to another one beside him who has room for it."""
    for giver in mine:
        for taker in leaders_at(view, view.leaders[giver].at, view.side):
            if taker != giver and room(view, taker) and view.leaders[giver].sp > 1:
                yield Transfer(giver=giver, taker=taker, sp=1)


def _landing(view: View) -> Iterator[Land]:
    """Leaders who are still to come, each in any port."""
    if view.side == "empire":
        known = {*view.leaders, *view.gone, *view.boxes["empire"]}
        coming = (
            name for name, one in view.box.leaders.items() if one.side == "empire" and name not in known
        )
        for leader in coming:
            yield from (Land(leader=leader, at=at) for at in view.board.places)


def _simple(order: PlayEvent) -> int:
    """How much an event asks for: the one that asks for most of a leader and a point shows most."""
    return -len((*order.leaders, *order.points, *order.links)[:2])
