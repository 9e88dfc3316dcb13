"""The legal orders of the side that acts, with examples, and the reach of leaders."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import combinations
from typing import Literal

from games.boer_war import notation, paths
from games.boer_war.battles import line_crossed
from games.boer_war.components import LeaderId, Link, Point, Side, link_ends
from games.boer_war.event_counters import event_orders, playable_events
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
    enemy_of,
    is_besieged,
    is_besieging,
    leaders_at,
    leaders_of,
    move_allowance,
    points_held,
    side_of,
    sp_at,
    spare_capacity,
)
from games.boer_war.notation import leader_name, place_name
from games.boer_war.reinforcements import empire_ports, inland_arrival_points, return_points
from games.boer_war.works import (
    camp_sites,
    guardable_links,
    has_blockhouse_left,
    raidable_links,
    repairable_cuts,
)
from games.language import join_list
from games.messages import sentence
from games.order_kinds import list_legal
from games.paths import distances
from games.protocol import AdjacentPlace, LegalOrder, Seat, UnlistedOrders
from games.record import Value, replace_fields

OrdersInWords = Iterator[tuple[AnyOrder, str]]


def list_legal_orders(view: View, seat: Seat) -> Iterator[LegalOrder]:
    """Return the legal orders of the side that acts: those of leaders, towns, railways and event counters."""
    return list_legal(_order_groups(view), lambda order: find_objection(view, seat, order) is None)


def list_unlisted_orders(view: View, seat: Seat) -> Iterator[UnlistedOrders]:
    """Yield legal orders that differ from the listed ones only in the number of SP."""
    kinds = accepted_orders(view)
    if view.mode == "table":
        return
    for leader in leaders_of(view, view.side):
        for form, words, orders in _sp_orders(view, leader):
            legal = tuple(
                order
                for order in orders
                if type(order).__name__ in kinds and find_objection(view, seat, order) is None
            )
            if legal:
                yield UnlistedOrders(of=leader_name(leader), form=form, words=words, orders=legal)


def _sp_orders(view: View, leader: LeaderId) -> Iterator[tuple[str, str, list[AnyOrder]]]:
    here, some = view.leaders[leader].at, range(1, view.box.leaders[leader].capacity + 1)
    from_pool = sentence("boer_war.legal_orders.from_pool")
    yield f"REINFORCE {leader} {{sp}}", from_pool, [Reinforce(leader=leader, sp=sp) for sp in some]
    from_box = sentence("boer_war.legal_orders.from_box")
    yield f"REORGANIZE {leader} {{sp}}", from_box, [Reorganize(leader=leader, sp=sp) for sp in some]
    takers = [taker for taker in leaders_at(view, here, side_of(leader)) if taker != leader]
    with_move = sentence("boer_war.legal_orders.with_move")
    yield (
        f"TRANSFER {leader} {{leader}} {{sp}}",
        with_move,
        [Transfer(giver=leader, taker=taker, sp=sp) for taker in takers for sp in some[1:]],
    )
    garrisons: list[AnyOrder] = [Garrison(leader=leader, at=here, sp=sp) for sp in some[1:]]
    yield f"GARRISON {leader} {here} {{sp}}", with_move, garrisons


def neighbours_of(view: View, place: str) -> tuple[AdjacentPlace, ...] | None:
    """Return the neighbours of a point and the kind of link, or None for an unknown point."""
    if place not in view.board.places:
        return None
    here = Point(place)
    return tuple(
        AdjacentPlace(
            place=f"{notation.place_name(point)} ({point})",
            how=sentence("boer_war.legal_orders.by_rail")
            if view.board.is_rail(here, point)
            else sentence("boer_war.legal_orders.by_road"),
        )
        for point in view.board.near[here]
    )


def _order_groups(view: View) -> Iterator[tuple[str, OrdersInWords]]:
    if view.mode == "table":
        done = sentence("boer_war.legal_orders.done")
        yield sentence("boer_war.order_groups.your_table"), iter([(Done(), done)])
        return
    side = view.side
    for leader in leaders_of(view, side):
        yield leader_name(leader), _leader_orders(view, leader)
    for leader in view.boxes[side]:
        yield leader_name(leader), _box_orders(view, leader)
    for leader, there in view.box.leaders.items():
        if there.side == side == "empire":
            ports = there.lands or inland_arrival_points(view)
            yield (
                leader_name(leader),
                (
                    (Land(leader=leader, at=at), sentence("boer_war.legal_orders.lands", at=place_name(at)))
                    for at in ports
                ),
            )
    for town in view.sieges:
        yield place_name(town), _siege_orders(town)
    yield (
        sentence("boer_war.order_groups.trenches"),
        (
            (Entrench(at=at), sentence("boer_war.legal_orders.entrenches", at=place_name(at)))
            for at in sorted(points_held(view, side))
        ),
    )
    yield from _works_orders(view)
    for event in playable_events(view):
        orders = event_orders(view, event)
        yield notation.event_name(event), ((order, _event_words(order)) for order in orders)
    yield sentence("boer_war.order_groups.action"), iter([(Pass(), sentence("boer_war.legal_orders.pass"))])


def _leader_orders(view: View, leader: LeaderId) -> OrdersInWords:
    """Yield the moves of a leader, alone or as a Commander-in-Chief with others, and the SP they can get."""
    for leaders in leader_groups(view, view.side, largest=True):
        if leaders[0] != leader:
            continue
        for some in dict.fromkeys((leaders, leaders[:1])):
            yield from _travel_orders(view, some)
    yield from _gift_orders(view, leader)


def _travel_orders(view: View, leaders: tuple[LeaderId, ...]) -> OrdersInWords:
    reach = reachable_points(view, leaders)
    others = join_list(leader_name(leader) for leader in leaders[1:])
    table = "group_orders" if others else "legal_orders"
    for point in sorted({**reach.free, **reach.foes}):
        attacks, at = point in reach.foes, place_name(point)
        action = "attacks" if attacks else "moves"
        words = sentence(f"boer_war.{table}.{action}", at=at, others=others)
        yield Move(leaders=leaders, path=(point,)), words
        if len(leaders) == 1:
            yield Trek(leader=leaders[0], path=(point,)), words
        if attacks:
            storms = sentence(f"boer_war.{table}.storms", at=at, others=others)
            yield Move(leaders=leaders, path=(point,), storm=True), storms
            guns = sentence("boer_war.legal_orders.attacks_with_guns", at=at)
            yield Move(leaders=leaders, path=(point,), guns=True), guns
            if len(leaders) == 1:
                drives = sentence("boer_war.legal_orders.drives", at=at)
                yield Drive(target=point, leaders=leaders), drives
    for point in sorted(reach.rail):
        train = sentence(f"boer_war.{table}.takes_train", at=place_name(point), others=others)
        yield Rail(leaders=leaders, path=(point,)), train


def _gift_orders(view: View, leader: LeaderId) -> OrdersInWords:
    here = view.leaders[leader].at
    yield Reinforce(leader=leader), sentence("boer_war.legal_orders.reinforces")
    yield Reorganize(leader=leader), sentence("boer_war.legal_orders.reorganizes")
    yield Stance(leader=leader, slip=False), sentence("boer_war.legal_orders.stands")
    yield Stance(leader=leader, slip=True), sentence("boer_war.legal_orders.slips_away")
    for taker in leaders_at(view, here, side_of(leader)):
        if taker != leader:
            words = sentence("boer_war.legal_orders.hands_over", taker=leader_name(taker))
            yield Transfer(giver=leader, taker=taker, sp=1), words
    words = sentence("boer_war.legal_orders.leaves_garrison", at=place_name(here))
    yield Garrison(leader=leader, at=here), words


def _box_orders(view: View, leader: LeaderId) -> OrdersInWords:
    for at in empire_ports(view) if view.side == "empire" else ():
        words = sentence("boer_war.legal_orders.comes_back_from_pool", at=place_name(at))
        yield Reinforce(leader=leader, at=at), words
    for at in return_points(view, view.side):
        words = sentence("boer_war.legal_orders.comes_back_from_box", at=place_name(at))
        yield Reorganize(leader=leader, at=at), words


def _siege_orders(town: Point) -> OrdersInWords:
    yield Siege(at=town), sentence("boer_war.legal_orders.siege")
    yield Assault(at=town), sentence("boer_war.legal_orders.assault")
    yield Assault(at=town, guns=True), sentence("boer_war.legal_orders.assault_with_guns")


def _works_orders(view: View) -> Iterator[tuple[str, OrdersInWords]]:
    railways = sentence("boer_war.order_groups.railways")
    if view.side == "boers":
        links = raidable_links(view)
        yield railways, ((Cut(link=link), _link_words("cut", link)) for link in links)
        yield railways, ((Raid(link=link), _link_words("raid", link)) for link in links)
        return
    cuts = repairable_cuts(view)
    yield railways, ((Repair(links=(link,)), _link_words("repair", link)) for link in cuts)
    if len(cuts) > 1:
        yield railways, iter([(Repair(links=cuts[:2]), sentence("boer_war.legal_orders.repairs_two"))])
    yield (
        sentence("boer_war.order_groups.camps"),
        (
            (Camp(at=site), sentence("boer_war.legal_orders.camp", at=place_name(site)))
            for site in camp_sites(view)
        ),
    )
    yield (
        sentence("boer_war.order_groups.blockhouses"),
        ((Blockhouse(link=link), _link_words("blockhouse", link)) for link in guardable_links(view)),
    )
    yield (
        sentence("boer_war.order_groups.garrisons"),
        (
            (Reinforce(at=port), sentence("boer_war.legal_orders.reinforces_port", at=place_name(port)))
            for port in empire_ports(view)
        ),
    )


def _link_words(action: Literal["cut", "raid", "repair", "blockhouse"], link: Link) -> str:
    start, end = link_ends(link)
    return sentence(f"boer_war.link_orders.{action}", start=place_name(start), end=place_name(end))


def _event_words(order: PlayEvent) -> str:
    about = [
        *(leader_name(leader) for leader in order.leaders),
        *(place_name(point) for point in order.points),
        *(
            sentence("boer_war.link_orders.ends", start=place_name(start), end=place_name(end))
            for start, end in map(link_ends, order.links)
        ),
    ]
    if not about:
        return sentence("boer_war.legal_orders.plays_event")
    return sentence("boer_war.legal_orders.plays_event_about", about=", ".join(about))


# Examples of orders of the side that acts, one of each kind, with its own leaders.


ExampleRow = tuple[str, Iterable[AnyOrder]]


def example_rows(view: View) -> Iterator[ExampleRow]:
    """Yield the names of forms, each with orders of the side that acts, the simplest first.

    Some of these orders may be illegal. The caller picks a legal one.
    """
    if view.mode == "table":
        yield "done", [Done()]
        return
    mine = leaders_of(view, view.side)
    reached = [reachable_points(view, leaders) for leaders in leader_groups(view, view.side, largest=True)]
    lone = [reachable_points(view, (leader,)) for leader in mine if leader in {r.leaders[0] for r in reached}]
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
    yield (
        "transfer",
        [
            Transfer(giver=giver, taker=taker, sp=1)
            for giver in mine
            for taker in leaders_at(view, view.leaders[giver].at, view.side)
            if taker != giver and spare_capacity(view, taker) and view.leaders[giver].sp > 1
        ],
    )
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


def _landing_examples(view: View) -> Iterator[Land]:
    """Yield landings of the leaders who are still to come, at every point."""
    if view.side == "empire":
        known = {*view.leaders, *view.gone, *view.boxes["empire"]}
        coming = (
            name for name, leader in view.box.leaders.items() if leader.side == "empire" and name not in known
        )
        for leader in coming:
            yield from (Land(leader=leader, at=at) for at in view.board.places)


def _fullness(order: PlayEvent) -> int:
    """Return a sort key that puts events with more details first, up to two details."""
    return -len((*order.leaders, *order.points, *order.links)[:2])


# A short table of the possible orders of the side that acts.
#
# Labels don't begin with the verb of an order. A reply that quotes them without marks would contain orders.


_MAX_NAMES_PER_ROW = 14
"""The most names in a row of the table."""


def open_orders(view: View) -> Iterator[tuple[str, str]]:
    """Yield the label of each possible kind of order, with the leaders, points or event counters for it."""
    kinds = accepted_orders(view)
    for kind, slug, list_names in _OPEN_ORDER_ROWS:
        if kind in kinds and (names := tuple(list_names(view))):
            shown, more = " ".join(names[:_MAX_NAMES_PER_ROW]), len(names) - _MAX_NAMES_PER_ROW
            if more > 0:
                shown = sentence("boer_war.open_orders.and_more", names=shown, count=more)
            yield sentence(slug), shown
    yield sentence("boer_war.open_orders.otherwise"), "PASS"


def _allows(view: View, order: AnyOrder) -> bool:
    return find_objection(view, view.seat(view.side), order) is None


def _movable_leaders(view: View) -> Iterator[str]:
    """Yield the leaders who can move, each with the distance in links."""
    for leaders in leader_groups(view, view.side, largest=True):
        reach = reachable_points(view, leaders[:1])
        far = max((*reach.free.values(), *reach.foes.values()), default=0)
        if far:
            yield f"{leaders[0]}/{far}"


def _rail_leaders(view: View) -> Iterator[str]:
    for leaders in leader_groups(view, view.side, largest=True):
        far = max(reachable_points(view, leaders[:1]).rail.values(), default=0)
        if far:
            yield f"{leaders[0]}/{far}"


def _drive_targets(view: View) -> Iterator[str]:
    """Yield the points with Boers that an Empire leader can reach."""
    reached = {
        point
        for leaders in leader_groups(view, view.side, largest=True)
        for point in reachable_points(view, leaders[:1]).foes
    }
    yield from sorted(reached)


def _reinforceable_names(view: View) -> Iterator[str]:
    """Yield the leaders on the map and in the box who can get SP, and the ports for garrisons."""
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
    """Yield the event counters that can be played now."""
    if "event" not in view.used:
        yield from (
            event
            for event in playable_events(view)
            if any(_allows(view, play) for play in event_orders(view, event))
        )


def _siege_orders_at(view: View, order: Callable[..., AnyOrder]) -> Iterable[str]:
    return (town for town in view.sieges if _allows(view, order(at=town)))


def _trench_points(view: View) -> Iterable[str]:
    dug = view.trenches[view.side]
    held = [point for point in sorted(points_held(view, view.side)) if point not in dug]
    return sorted(held, key=lambda point: -sp_at(view, point, view.side))


_OPEN_ORDER_ROWS: tuple[tuple[str, str, Callable[[View], Iterable[str]]], ...] = (
    ("Move", "boer_war.open_orders.move", _movable_leaders),
    ("Trek", "boer_war.open_orders.trek", _movable_leaders),
    ("Rail", "boer_war.open_orders.rail", _rail_leaders),
    ("Siege", "boer_war.open_orders.siege", lambda view: _siege_orders_at(view, Siege)),
    ("Assault", "boer_war.open_orders.assault", lambda view: _siege_orders_at(view, Assault)),
    ("Drive", "boer_war.open_orders.drive", _drive_targets),
    (
        "Camp",
        "boer_war.open_orders.camp",
        lambda view: () if "camp" in view.used or view.camp_ban else camp_sites(view),
    ),
    ("Reinforce", "boer_war.open_orders.reinforce", _reinforceable_names),
    ("Reorganize", "boer_war.open_orders.reorganize", _reorganizable_names),
    ("PlayEvent", "boer_war.open_orders.event", _playable_events),
    ("Entrench", "boer_war.open_orders.entrench", _trench_points),
    ("Cut", "boer_war.open_orders.cut", raidable_links),
    ("Raid", "boer_war.open_orders.raid", raidable_links),
    ("Repair", "boer_war.open_orders.repair", repairable_cuts),
    (
        "Blockhouse",
        "boer_war.open_orders.blockhouse",
        lambda view: guardable_links(view) if has_blockhouse_left(view) else (),
    ),
)
"""The rows of the table of open orders: the class of an order, the slug of its label, the possible names."""


# The reach of a side: groups that can move together, points in reach, enemies that they can attack.
#
# Reports and bots use it as a first choice. The checks of the rules decide whether an order is legal.


class ReachablePoints(Value, frozen=True):
    """The reach of a group of leaders. free, foes, rail: the distance in links of each point in reach.

    free: points without enemy SP; foes: points with enemy SP; rail: points in reach by train.
    """

    leaders: tuple[LeaderId, ...]
    start: Point
    free: dict[Point, int]
    foes: dict[Point, int]
    rail: dict[Point, int]


def leader_groups(view: View, side: Side, *, largest: bool = False) -> Iterator[tuple[LeaderId, ...]]:
    """Yield the groups that can move together: single leaders, and Commanders-in-Chief with other leaders.

    largest: if true, a Commander-in-Chief comes only with the strongest leaders that they can take along.
    """
    most = view.box.numbers.moving.group
    for leader in leaders_of(view, side):
        if is_besieged(view, leader):
            continue
        is_chief = view.box.leaders[leader].chief and not (side == "boers" and view.is_guerrilla)
        others = [other for other in leaders_at(view, view.leaders[leader].at, side) if other != leader]
        if is_chief and others:
            others.sort(key=lambda other: (-view.leaders[other].sp, other))
            yield (leader, *others[:most])
        if not (largest and is_chief and others):
            yield (leader,)
        if is_chief and not largest:
            for count in range(1, most + 1):
                yield from (
                    (leader, *some) for some in combinations(others, count) if some != tuple(others[:most])
                )


def reachable_points(view: View, leaders: tuple[LeaderId, ...]) -> ReachablePoints:
    """Return the points that leaders from one point can reach with one order.

    Boers in the guerrilla war can pass garrisons, but can't stop there or attack from there.
    """
    side = side_of(leaders[0])
    start = view.leaders[leaders[0]].at
    ground, foes = view.board, points_held(view, enemy_of(side))
    treks = side == "boers" and view.is_guerrilla
    barred = frozenset(view.leaders[foe].at for foe in leaders_of(view, "empire")) if treks else foes
    links = move_allowance(view, leaders[0])
    if side == "empire" and not paths.is_in_supply(view, start):
        links = min(links, view.box.numbers.moving.unsupplied)
    free: dict[Point, int] = {}
    attacked: dict[Point, int] = {}
    for point, far in distances(ground.near, start, lambda _here, there: there not in barred, links).items():
        if point not in foes and point != start:
            free[point] = far
        if far < links and (point == start or point not in foes):
            for there in ground.near[point]:
                if there in foes:
                    attacked[there] = min(far + 1, attacked.get(there, links))
    return ReachablePoints(
        leaders, start, free, attacked, _rail_distances(view, start) if side == "empire" else {}
    )


def _rail_distances(view: View, start: Point) -> dict[Point, int]:
    if not view.board.on_rail(start) or view.control[start] != "empire":
        return {}
    boers, cuts, control = points_held(view, "boers"), view.cuts, view.control
    ground = view.board

    def passes(here: Point, there: Point) -> bool:
        return control[there] == "empire" and there not in boers and ground.link(here, there) not in cuts

    most = view.box.numbers.moving.rail
    return {point: far for point, far in distances(ground.rails, start, passes, most).items() if far}


def besieging_sp(view: View, point: Point) -> int:
    """Return the Boer SP that besiege a town, or 0."""
    return sp_at(view, point, "boers") if is_besieging(view, point) else 0


def connected_camp_sites(view: View) -> tuple[Point, ...]:
    """Return the camp sites without a camp that railways join to a port, with or without Empire SP."""
    joined = paths.points_joined_to_ports(view, past_boers=True)
    return tuple(
        point
        for point, place in view.board.places.items()
        if "camp site" in place.flags and point not in view.camps and point in joined
    )


def columns_near(view: View, point: Point) -> tuple[LeaderId, ...]:
    """Return the Empire leaders with a point within their Move, without regard to obstacles."""
    return tuple(
        leader
        for leader in leaders_of(view, "empire")
        if view.board.distance(view.leaders[leader].at, point) <= move_allowance(view, leader)
    )


def sites_cut_off(view: View, sites: Collection[Point]) -> dict[Link, int]:
    """Return the number of camp sites that a cut of each railway link would separate from the ports.

    sites: camp sites that are joined to a port now. Links that separate no site are left out.
    """
    joined = paths.points_joined_to_ports(view, past_boers=True) if sites else frozenset[Point]()
    sites_by_link: dict[Link, int] = {}
    for link in view.board.railways:
        if link not in view.cuts and joined.issuperset(view.board.ends(link)):
            still = paths.points_joined_to_ports(
                replace_fields(view, cuts=(*view.cuts, link)), past_boers=True
            )
            lost = len(joined.difference(still).intersection(sites))
            if lost:
                sites_by_link[link] = lost
    return sites_by_link


def supply_changes(view: View, links: Iterable[Link]) -> dict[Link, int]:
    """Return the SP of Empire leaders whose supply a cut of each link would end, or its repair restore.

    Links that change nothing are left out.
    """
    now, joined = _supplied_sp(view), paths.points_joined_to_ports(view)
    sp_by_link: dict[Link, int] = {}
    for link in links:
        others = tuple(other for other in view.cuts if other != link)
        is_cut = link in view.cuts
        if is_cut or joined.issuperset(view.board.ends(link)):
            then = _supplied_sp(replace_fields(view, cuts=others if is_cut else (*others, link)))
            if then != now:
                sp_by_link[link] = abs(then - now)
    return sp_by_link


def _supplied_sp(view: View) -> int:
    """Return the SP of Empire leaders who are in supply and not besieged."""
    near = paths.supplied_points(view)
    led = [view.leaders[leader] for leader in leaders_of(view, "empire")]
    return sum(there.sp for there in led if there.at in near and there.at not in view.sieges)


class TrekPath(Value, frozen=True):
    """A path of a Boer leader. path: the points after the start; lines: the blockhouse lines on the way."""

    path: tuple[Point, ...]
    lines: int


def trek_paths(view: View, leader: LeaderId) -> dict[Point, TrekPath]:
    """Return the path to each point in reach of a TREK that crosses the fewest blockhouse lines.

    Among several such paths it is the shortest. Points with an Empire garrison are included, because the
    leader can pass them.
    """
    barred = frozenset(view.leaders[foe].at for foe in leaders_of(view, "empire"))
    start = view.leaders[leader].at
    paths = {start: TrekPath((), 0)}
    front = {start: paths[start]}
    for _ in range(move_allowance(view, leader)):
        ahead: dict[Point, TrekPath] = {}
        for here, ride in front.items():
            for there in view.board.near[here]:
                if there in barred:
                    continue
                lines = ride.lines + (line_crossed(view, here, there) is not None)
                best = ahead.get(there) or paths.get(there)
                if best is None or lines < best.lines:
                    ahead[there] = TrekPath((*ride.path, there), lines)
        paths |= ahead
        front = ahead
    return paths


def describe_some_sp(order: AnyOrder) -> str | None:
    """Return an order for a number of SP in words: "transfer 2 SP to Clery". None for any other order."""
    match order:
        case Reinforce(leader=leader, at=at, sp=int(sp)):
            if leader is None or at is None:
                return sentence("boer_war.legal_orders.reinforce_some", sp=sp)
            return sentence("boer_war.legal_orders.reinforce_some_at", at=place_name(at), sp=sp)
        case Reorganize(at=None, sp=int(sp)):
            return sentence("boer_war.legal_orders.reorganize_some", sp=sp)
        case Reorganize(at=str(at), sp=int(sp)):
            return sentence("boer_war.legal_orders.reorganize_some_at", at=place_name(Point(at)), sp=sp)
        case Transfer(taker=None, sp=sp) | Garrison(sp=int(sp)):
            return sentence("boer_war.legal_orders.leave", sp=sp)
        case Transfer(giver=None, sp=sp):
            return sentence("boer_war.legal_orders.fetch", sp=sp)
        case Transfer(taker=str(taker), sp=sp):
            return sentence("boer_war.legal_orders.transfer", sp=sp, taker=leader_name(LeaderId(taker)))
    return None


def order_places(view: View, order: AnyOrder) -> tuple[str, str]:
    """Return the point of the leader of an order ("" for none), and the point where it takes effect."""
    named = (getattr(order, "leader", None), getattr(order, "giver", None), *getattr(order, "leaders", ()))
    leader = next((name for name in named if name in view.leaders), None)
    start = view.leaders[leader].at if leader else ""
    link = getattr(order, "link", None)
    goals = (
        *reversed(getattr(order, "path", ())),
        getattr(order, "at", None),
        getattr(order, "target", None),
        *reversed(getattr(order, "points", ())),
        *(link_ends(link) if link else ()),
    )
    goal = next((point for point in goals if point in view.board.points), "")
    return start, goal if goal != start else ""
