"""The legal orders of the side whose round it is, leader by leader and point by point."""

from collections.abc import Iterator

from games.boer_war import names, prospects
from games.boer_war.codes import LeaderId, Link, Point, link_ends
from games.boer_war.event_counters import playable_events
from games.boer_war.forces import leaders_at, leaders_of, points_held, side_of
from games.boer_war.legality import accepted_orders, find_objection
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
from games.boer_war.plays import event_orders
from games.boer_war.reinforcements import empire_ports, inland_arrival_points, return_points
from games.boer_war.works import camp_sites, guardable_links, raidable_links, repairable_cuts
from games.protocol import Seat
from games.protocol.optional import AdjacentPlace, LegalOrder, UnlistedOrders

OrdersInWords = Iterator[tuple[AnyOrder, str]]


def list_legal_orders(view: View, seat: Seat) -> Iterator[LegalOrder]:
    """Yield the legal orders of the side whose round it is: of leaders, then towns, railways, counters."""
    kinds = accepted_orders(view)
    for of, orders in _order_groups(view):
        for order, words in orders:
            if type(order).__name__ in kinds and find_objection(view, seat, order) is None:
                yield LegalOrder(of=of, order=order, words=words)


def list_unlisted_orders(view: View, seat: Seat) -> Iterator[UnlistedOrders]:
    """Yield the numbers of SP that a leader may be given, hand over or leave behind, beside those listed."""
    kinds = accepted_orders(view)
    if view.mode == "table":
        return
    for leader in leaders_of(view, view.side):
        for form, words, orders in _sp_orders(view, leader):
            lawful = tuple(
                order
                for order in orders
                if type(order).__name__ in kinds and find_objection(view, seat, order) is None
            )
            if lawful:
                yield UnlistedOrders(of=names.leader_name(leader), form=form, words=words, orders=lawful)


def _sp_orders(view: View, leader: LeaderId) -> Iterator[tuple[str, str, list[AnyOrder]]]:
    here, some = view.leaders[leader].at, range(1, view.box.leaders[leader].capacity + 1)
    yield f"REINFORCE {leader} {{sp}}", "of the pool", [Reinforce(leader=leader, sp=sp) for sp in some]
    yield (
        f"REORGANIZE {leader} {{sp}}",
        "of the scattered",
        [Reorganize(leader=leader, sp=sp) for sp in some],
    )
    takers = [taker for taker in leaders_at(view, here, side_of(leader)) if taker != leader]
    yield (
        f"TRANSFER {leader} {{leader}} {{sp}}",
        "with a move",
        [Transfer(giver=leader, taker=taker, sp=sp) for taker in takers for sp in some[1:]],
    )
    yield (
        f"GARRISON {leader} {here} {{sp}}",
        "with a move",
        [Garrison(leader=leader, at=here, sp=sp) for sp in some[1:]],
    )


def neighbours_of(view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
    """Return the points beside a point, each with the kind of link."""
    if place not in view.board.places:
        return None
    here = Point(place)
    return tuple(
        AdjacentPlace(
            place=f"{names.place_name(point)} ({point})",
            how="by rail" if view.board.is_rail(here, point) else "by road",
        )
        for point in view.board.near[here]
    )


def _order_groups(view: View) -> Iterator[tuple[str, OrdersInWords]]:
    if view.mode == "table":
        yield "your table", iter([(Done(), "the action was carried out there")])
        return
    side = view.side
    for leader in leaders_of(view, side):
        yield names.leader_name(leader), _leader_orders(view, leader)
    for leader in view.boxes[side]:
        yield names.leader_name(leader), _box_orders(view, leader)
    for leader, there in view.box.leaders.items():
        if there.side == side == "empire":
            ports = there.lands or inland_arrival_points(view)
            yield (
                names.leader_name(leader),
                ((Land(leader=leader, at=at), _landing_words(at)) for at in ports),
            )
    for town in view.sieges:
        yield names.place_name(town), _siege_orders(town)
    held = sorted(points_held(view, side))
    yield "trenches", ((Entrench(at=at), f"{names.place_name(at)} is entrenched") for at in held)
    yield from _works_orders(view)
    for event in playable_events(view):
        yield (
            names.event_name(event),
            ((order, f"the counter is played{_event_words(order)}") for order in event_orders(view, event)),
        )
    yield "the action", iter([(Pass(), "nothing is done")])


def _leader_orders(view: View, leader: LeaderId) -> OrdersInWords:
    """Yield moves of one leader and what he may be given; a Commander-in-Chief may take others along."""
    for leaders in prospects.leader_groups(view, view.side, largest=True):
        if leaders[0] != leader:
            continue
        for some in dict.fromkeys((leaders, leaders[:1])):
            yield from _travel_orders(view, some)
    yield from _gift_orders(view, leader)


def _travel_orders(view: View, leaders: tuple[LeaderId, ...]) -> OrdersInWords:
    reach = prospects.reachable_points(view, leaders)
    along = (
        f" with {' and '.join(names.leader_name(leader) for leader in leaders[1:])}" if leaders[1:] else ""
    )
    for point in sorted({**reach.free, **reach.foes}):
        attacks = point in reach.foes
        words = f"{'attacks' if attacks else 'goes to'} {names.place_name(point)}{along}"
        yield Move(leaders=leaders, path=(point,)), words
        if len(leaders) == 1:
            yield Trek(leader=leaders[0], path=(point,)), words
        if attacks:
            yield Move(leaders=leaders, path=(point,), storm=True), f"storms {names.place_name(point)}{along}"
            yield (
                Move(leaders=leaders, path=(point,), guns=True),
                f"attacks {names.place_name(point)} with naval guns",
            )
            if len(leaders) == 1:
                yield Drive(target=point, leaders=leaders), f"drives the Boers at {names.place_name(point)}"
    for point in sorted(reach.rail):
        yield Rail(leaders=leaders, path=(point,)), f"takes the train to {names.place_name(point)}{along}"


def _gift_orders(view: View, leader: LeaderId) -> OrdersInWords:
    here = view.leaders[leader].at
    yield Reinforce(leader=leader), "gets as many SP out of the pool as he may"
    yield Reorganize(leader=leader), "gets as many scattered SP back as he may"
    yield Stance(leader=leader, slip=False), "stands, and slips away from no battle"
    yield Stance(leader=leader, slip=True), "slips away from battles, and evades"
    for taker in leaders_at(view, here, side_of(leader)):
        if taker != leader:
            words = f"hands a SP to {names.leader_name(taker)}, with a move"
            yield Transfer(giver=leader, taker=taker, sp=1), words
    yield Garrison(leader=leader, at=here), f"leaves a SP in {names.place_name(here)}, with a move"


def _box_orders(view: View, leader: LeaderId) -> OrdersInWords:
    for at in empire_ports(view) if view.side == "empire" else ():
        yield Reinforce(leader=leader, at=at), f"comes back at {names.place_name(at)} with SP of the pool"
    for at in return_points(view, view.side):
        yield Reorganize(leader=leader, at=at), f"comes back at {names.place_name(at)} with scattered SP"


def _landing_words(at: Point) -> str:
    return f"lands at {names.place_name(at)} when he comes"


def _siege_orders(town: Point) -> OrdersInWords:
    yield Siege(at=town), "the siege goes on: its level may rise"
    yield Assault(at=town), "those who besiege it, or are shut in, attack"
    yield Assault(at=town, guns=True), "those who are shut in attack with naval guns"


def _works_orders(view: View) -> Iterator[tuple[str, OrdersInWords]]:
    side = view.side
    if side == "boers":
        links = raidable_links(view)
        yield "railways", ((Cut(link=link), f"the railway {_link_words(link)} is cut") for link in links)
        yield "railways", ((Raid(link=link), f"a raid on the railway {_link_words(link)}") for link in links)
        return
    cuts = repairable_cuts(view)
    yield "railways", ((Repair(links=(link,)), f"the cut {_link_words(link)} is mended") for link in cuts)
    if len(cuts) > 1:
        yield "railways", iter([(Repair(links=cuts[:2]), "two cuts are mended")])
    yield "camps", ((Camp(at=site), f"a camp at {names.place_name(site)}") for site in camp_sites(view))
    yield (
        "blockhouses",
        ((Blockhouse(link=link), f"a line along {_link_words(link)}") for link in guardable_links(view)),
    )
    ports = empire_ports(view)
    yield "garrisons", ((Reinforce(at=port), f"SP of the pool to {names.place_name(port)}") for port in ports)


def _link_words(link: Link) -> str:
    start, end = link_ends(link)
    return f"{names.place_name(start)} to {names.place_name(end)}"


def _event_words(order: PlayEvent) -> str:
    words = [
        *(names.leader_name(leader) for leader in order.leaders),
        *(names.place_name(point) for point in order.points),
        *(_link_words(link) for link in order.links),
    ]
    return f": {', '.join(words)}" if words else ""
