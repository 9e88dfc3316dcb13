"""Example orders of the side of this round, one of each kind, with its own leaders."""

from collections.abc import Iterable, Iterator

from games.boer_war import prospects
from games.boer_war.codes import LeaderId, Point
from games.boer_war.event_counters import playable_events
from games.boer_war.forces import leaders_at, leaders_of, points_held, sp_at, spare_capacity
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
from games.boer_war.plays import event_orders
from games.boer_war.reinforcements import empire_ports, return_points
from games.boer_war.works import camp_sites, guardable_links, raidable_links, repairable_cuts

ExampleRow = tuple[str, Iterable[AnyOrder]]


def example_rows(view: View) -> Iterator[ExampleRow]:
    """Yield names of forms, each with orders of the side, the plainest first.

    Not all of them need be legal.
    """
    if view.mode == "table":
        yield "done", [Done()]
        return
    mine = leaders_of(view, view.side)
    reached = [
        prospects.reachable_points(view, leaders)
        for leaders in prospects.leader_groups(view, view.side, largest=True)
    ]
    lone = [
        prospects.reachable_points(view, (leader,))
        for leader in mine
        if leader in {r.leaders[0] for r in reached}
    ]
    foes = [(reach.leaders, to) for reach in (*lone, *reached) for to in reach.foes]
    free = [(reach.leaders, to) for reach in lone for to in _farthest_first(reach.free) if to != reach.start]
    yield "move", [Move(leaders=leaders, path=(to,)) for leaders, to in (*foes, *free)]
    yield "move-storm", [Move(leaders=leaders, path=(to,), storm=True) for leaders, to in foes]
    yield "trek", [Trek(leader=leaders[0], path=(to,)) for leaders, to in (*foes, *free)]
    trains = [
        (reach.leaders, to) for reach in lone for to in _farthest_first(reach.rail) if to != reach.start
    ]
    yield "rail", [Rail(leaders=leaders, path=(to,)) for leaders, to in trains]
    yield "siege", [Siege(at=town) for town in view.sieges]
    yield "assault", [Assault(at=town) for town in view.sieges]
    yield "drive", [Drive(target=to, leaders=leaders[:1]) for leaders, to in foes]
    yield from _reinforcement_examples(view, mine)
    held = sorted(points_held(view, view.side), key=lambda at: (-sp_at(view, at, view.side), at))
    yield "entrench", [Entrench(at=at) for at in held]
    yield "cut", [Cut(link=link) for link in raidable_links(view)]
    yield "raid", [Raid(link=link) for link in raidable_links(view)]
    yield "repair", [Repair(links=(link,)) for link in repairable_cuts(view)]
    yield "camp", [Camp(at=at) for at in camp_sites(view)]
    yield "blockhouse", [Blockhouse(link=link) for link in guardable_links(view)]
    plays = sorted(
        (play for event in playable_events(view) for play in event_orders(view, event)), key=_fullness
    )
    yield "event", plays
    yield "transfer", list(_transfer_examples(view, mine))
    yield "stand", [Stance(leader=leader, slip=False) for leader in mine]
    yield "land", list(_landing_examples(view))
    yield "pass", [Pass()]


def _farthest_first(links: dict[Point, int]) -> list[Point]:
    return sorted(links, key=lambda point: (-links[point], point))


def _reinforcement_examples(view: View, mine: Iterable[LeaderId]) -> Iterator[ExampleRow]:
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
    back = [
        Reorganize(leader=leader, at=at)
        for leader in view.boxes[view.side]
        for at in return_points(view, view.side)
    ]
    yield "reorganize", [*(Reorganize(leader=leader) for leader in mine), *back]


def _transfer_examples(view: View, mine: Iterable[LeaderId]) -> Iterator[Transfer]:
    """Yield transfers of SP from a leader to another one beside him who has room for it."""
    for giver in mine:
        for taker in leaders_at(view, view.leaders[giver].at, view.side):
            if taker != giver and spare_capacity(view, taker) and view.leaders[giver].sp > 1:
                yield Transfer(giver=giver, taker=taker, sp=1)


def _landing_examples(view: View) -> Iterator[Land]:
    """Yield landings: leaders who are still to come, each in any port."""
    if view.side == "empire":
        known = {*view.leaders, *view.gone, *view.boxes["empire"]}
        coming = (
            name for name, leader in view.box.leaders.items() if leader.side == "empire" and name not in known
        )
        for leader in coming:
            yield from (Land(leader=leader, at=at) for at in view.board.places)


def _fullness(order: PlayEvent) -> int:
    """Rank an event by how much it asks for: one that asks for most of a leader and a point comes first."""
    return -len((*order.leaders, *order.points, *order.links)[:2])
