"""What the side whose round it is may order now, leader by leader and point by point."""

from collections.abc import Iterator

from games.boer_war import names, prospects
from games.boer_war.codes import LeaderId, Link, Point, ends
from games.boer_war.counters import playable
from games.boer_war.forces import leaders_at, leaders_of, points_held, side_of
from games.boer_war.lawful import accepts, objection
from games.boer_war.model import (
    AnyOrder,
    Assault,
    Blockhouse,
    Camp,
    Cut,
    Done,
    Drive,
    Entrench,
    Garrison,
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
from games.boer_war.reserves import empire_ports, havens, inland_ports
from games.boer_war.works import camp_sites, guardable, raidable, repairable
from games.protocol import Seat
from games.protocol.optional import Neighbour, Possible, Unlisted

Said = Iterator[tuple[AnyOrder, str]]


def possible(view: View, seat: Seat) -> Iterator[Possible]:
    """The lawful orders of the side whose round it is: of each leader, then of towns, railways, counters."""
    kinds = accepts(view)
    for of, said in _groups(view):
        for order, words in said:
            if type(order).__name__ in kinds and objection(view, seat, order) is None:
                yield Possible(of=of, order=order, words=words)


def unlisted(view: View, seat: Seat) -> Iterator[Unlisted]:
    """The numbers of SP that a leader may be given, hand over or leave behind, beside those listed."""
    kinds = accepts(view)
    if view.mode == "table":
        return
    for leader in leaders_of(view, view.side):
        for form, words, orders in _numbers(view, leader):
            lawful = tuple(
                one for one in orders if type(one).__name__ in kinds and objection(view, seat, one) is None
            )
            if lawful:
                yield Unlisted(of=names.leader(leader), form=form, words=words, orders=lawful)


def _numbers(view: View, leader: LeaderId) -> Iterator[tuple[str, str, list[AnyOrder]]]:
    here, some = view.leaders[leader].at, range(1, view.box.leaders[leader].capacity + 1)
    yield f"REINFORCE {leader} {{sp}}", "of the pool", [Reinforce(leader=leader, sp=one) for one in some]
    yield (
        f"REORGANIZE {leader} {{sp}}",
        "of the scattered",
        [Reorganize(leader=leader, sp=one) for one in some],
    )
    takers = [one for one in leaders_at(view, here, side_of(leader)) if one != leader]
    yield (
        f"TRANSFER {leader} {{leader}} {{sp}}",
        "with a move",
        [Transfer(giver=leader, taker=taker, sp=one) for taker in takers for one in some[1:]],
    )
    yield (
        f"GARRISON {leader} {here} {{sp}}",
        "with a move",
        [Garrison(leader=leader, at=here, sp=one) for one in some[1:]],
    )


def beside(view: View, place: str) -> tuple[Neighbour, ...] | None:
    """The points beside a point, by which kind of link."""
    if place not in view.board.places:
        return None
    here = Point(place)
    return tuple(
        Neighbour(
            place=f"{names.place(one)} ({one})", how="by rail" if view.board.is_rail(here, one) else "by road"
        )
        for one in view.board.near[here]
    )


def _groups(view: View) -> Iterator[tuple[str, Said]]:
    if view.mode == "table":
        yield "your table", iter([(Done(), "the action was carried out there")])
        return
    side = view.side
    for leader in leaders_of(view, side):
        yield names.leader(leader), _leader(view, leader)
    for leader in view.boxes[side]:
        yield names.leader(leader), _boxed(view, leader)
    for leader, there in view.box.leaders.items():
        if there.side == side == "empire":
            ports = there.lands or inland_ports(view)
            yield names.leader(leader), ((Land(leader=leader, at=at), _lands(at)) for at in ports)
    for town in view.sieges:
        yield names.place(town), _siege(town)
    held = sorted(points_held(view, side))
    yield "trenches", ((Entrench(at=at), f"{names.place(at)} is entrenched") for at in held)
    yield from _works(view)
    for event in playable(view):
        yield (
            names.event(event),
            ((one, f"the counter is played{_named(one)}") for one in plays_of(view, event)),
        )
    yield "the action", iter([(Pass(), "nothing is done")])


def _leader(view: View, leader: LeaderId) -> Said:
    """Where one leader may go and what he may be given; a Commander-in-Chief may take others along."""
    for leaders in prospects.groups(view, view.side, largest=True):
        if leaders[0] != leader:
            continue
        for some in dict.fromkeys((leaders, leaders[:1])):
            yield from _ways(view, some)
    yield from _gifts(view, leader)


def _ways(view: View, leaders: tuple[LeaderId, ...]) -> Said:
    reach = prospects.reach(view, leaders)
    along = f" with {' and '.join(names.leader(one) for one in leaders[1:])}" if leaders[1:] else ""
    for point in sorted({**reach.free, **reach.foes}):
        attacks = point in reach.foes
        words = f"{'attacks' if attacks else 'goes to'} {names.place(point)}{along}"
        yield Move(leaders=leaders, path=(point,)), words
        if len(leaders) == 1:
            yield Trek(leader=leaders[0], path=(point,)), words
        if attacks:
            yield Move(leaders=leaders, path=(point,), storm=True), f"storms {names.place(point)}{along}"
            yield (
                Move(leaders=leaders, path=(point,), guns=True),
                f"attacks {names.place(point)} with naval guns",
            )
            if len(leaders) == 1:
                yield Drive(target=point, leaders=leaders), f"drives the Boers at {names.place(point)}"
    for point in sorted(reach.rail):
        yield Rail(leaders=leaders, path=(point,)), f"takes the train to {names.place(point)}{along}"


def _gifts(view: View, leader: LeaderId) -> Said:
    here = view.leaders[leader].at
    yield Reinforce(leader=leader), "gets as many SP out of the pool as he may"
    yield Reorganize(leader=leader), "gets as many scattered SP back as he may"
    yield Stance(leader=leader, slip=False), "stands, and slips away from no battle"
    yield Stance(leader=leader, slip=True), "slips away from battles, and evades"
    for taker in leaders_at(view, here, side_of(leader)):
        if taker != leader:
            words = f"hands a SP to {names.leader(taker)}, with a move"
            yield Transfer(giver=leader, taker=taker, sp=1), words
    yield Garrison(leader=leader, at=here), f"leaves a SP in {names.place(here)}, with a move"


def _boxed(view: View, leader: LeaderId) -> Said:
    for at in empire_ports(view) if view.side == "empire" else ():
        yield Reinforce(leader=leader, at=at), f"comes back at {names.place(at)} with SP of the pool"
    for at in havens(view, view.side):
        yield Reorganize(leader=leader, at=at), f"comes back at {names.place(at)} with scattered SP"


def _lands(at: Point) -> str:
    return f"lands at {names.place(at)} when he comes"


def _siege(town: Point) -> Said:
    yield Siege(at=town), "the siege goes on: its level may rise"
    yield Assault(at=town), "those who besiege it, or are shut in, attack"
    yield Assault(at=town, guns=True), "those who are shut in attack with naval guns"


def _works(view: View) -> Iterator[tuple[str, Said]]:
    side = view.side
    if side == "boers":
        links = raidable(view)
        yield "railways", ((Cut(link=one), f"the railway {_link(one)} is cut") for one in links)
        yield "railways", ((Raid(link=one), f"a raid on the railway {_link(one)}") for one in links)
        return
    cuts = repairable(view)
    yield "railways", ((Repair(links=(one,)), f"the cut {_link(one)} is mended") for one in cuts)
    if len(cuts) > 1:
        yield "railways", iter([(Repair(links=cuts[:2]), "two cuts are mended")])
    yield "camps", ((Camp(at=one), f"a camp at {names.place(one)}") for one in camp_sites(view))
    yield "blockhouses", ((Blockhouse(link=one), f"a line along {_link(one)}") for one in guardable(view))
    ports = empire_ports(view)
    yield "garrisons", ((Reinforce(at=one), f"SP of the pool to {names.place(one)}") for one in ports)


def _link(link: Link) -> str:
    one, two = ends(link)
    return f"{names.place(one)} to {names.place(two)}"


def _named(order: PlayEvent) -> str:
    said = [
        *(names.leader(one) for one in order.leaders),
        *(names.place(one) for one in order.points),
        *(_link(one) for one in order.links),
    ]
    return f": {', '.join(said)}" if said else ""
