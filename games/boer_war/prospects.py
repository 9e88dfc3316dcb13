"""The reach of a side: groups that can go together, points they can come to, enemies they can attack.

Reports say by it what is open, and bots choose from it. Whether an order is legal is for the rules to say
in the end.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

from games.boer_war import rails
from games.boer_war.board import Board, distances_from
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.forces import (
    is_besieged,
    is_besieging,
    leaders_at,
    leaders_of,
    move_allowance,
    points_held,
    side_of,
    sp_at,
)
from games.boer_war.model import View, enemy_of
from games.boer_war.skirmishes import line_crossed
from games.record import Value, replace_fields


class ReachablePoints(Value, frozen=True):
    """The reach of leaders: links to each free point, to each with enemy SP, and by rail."""

    leaders: tuple[LeaderId, ...]
    start: Point
    free: dict[Point, int]
    foes: dict[Point, int]
    rail: dict[Point, int]


def leader_groups(view: View, side: Side, *, largest: bool = False) -> Iterator[tuple[LeaderId, ...]]:
    """Yield the groups that can go together: each leader alone, a Commander-in-Chief with others.

    The others are of his point. largest: a Commander-in-Chief only with the strongest that he may take
    along.
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
    """Return the points that leaders of one point can come to with one order.

    Boers in the guerrilla war go past garrisons, but neither stop among the enemy nor attack from there.
    """
    side = side_of(leaders[0])
    start = view.leaders[leaders[0]].at
    ground, foes = view.board, points_held(view, enemy_of(side))
    treks = side == "boers" and view.is_guerrilla
    barred = frozenset(view.leaders[foe].at for foe in leaders_of(view, "empire")) if treks else foes
    links = move_allowance(view, leaders[0])
    if side == "empire" and not rails.is_in_supply(view, start):
        links = min(links, view.box.numbers.moving.unsupplied)
    free: dict[Point, int] = {}
    attacked: dict[Point, int] = {}
    for point, far in _distances_within(ground, start, links, barred).items():
        if point not in foes and point != start:
            free[point] = far
        if far < links and (point == start or point not in foes):
            for there in ground.near[point]:
                if there in foes:
                    attacked[there] = min(far + 1, attacked.get(there, links))
    return ReachablePoints(
        leaders, start, free, attacked, _rail_distances(view, start) if side == "empire" else {}
    )


def _distances_within(ground: Board, start: Point, links: int, barred: frozenset[Point]) -> dict[Point, int]:
    """Return the distance of each point that leaders get to without passing a barred one."""
    distances, front = {start: 0}, [start]
    for far in range(1, links + 1):
        ahead = []
        for here in front:
            for there in ground.near[here]:
                if there not in distances and there not in barred:
                    distances[there] = far
                    ahead.append(there)
        front = ahead
    return distances


def _rail_distances(view: View, start: Point) -> dict[Point, int]:
    if not view.board.on_rail(start) or view.control[start] != "empire":
        return {}
    boers, cuts, control = points_held(view, "boers"), view.cuts, view.control
    ground = view.board

    def passes(here: Point, there: Point) -> bool:
        return control[there] == "empire" and there not in boers and ground.link(here, there) not in cuts

    most = view.box.numbers.moving.rail
    distances = distances_from(ground.rails, start, passes)
    return {point: far for point, far in distances.items() if 0 < far <= most}


def besieging_sp(view: View, point: Point) -> int:
    """Return the Boer SP that besiege a town; 0 where none do."""
    return sp_at(view, point, "boers") if is_besieging(view, point) else 0


def connected_camp_sites(view: View) -> tuple[Point, ...]:
    """Return camp sites without a camp that railways join to a port: the Empire's SP may still be missing."""
    joined = rails.points_joined_to_ports(view, past_boers=True)
    return tuple(
        point
        for point, place in view.board.places.items()
        if "camp site" in place.flags and point not in view.camps and point in joined
    )


def columns_near(view: View, point: Point) -> tuple[LeaderId, ...]:
    """Return the Empire leaders who have a point within their Move, even past others."""
    return tuple(
        leader
        for leader in leaders_of(view, "empire")
        if view.board.distance(view.leaders[leader].at, point) <= move_allowance(view, leader)
    )


def sites_cut_off(view: View, sites: Collection[Point]) -> dict[Link, int]:
    """Return, by railway link, how many of some camp sites its cut would part from the ports.

    sites: such as are joined to them now. Links that part none are left out.
    """
    joined = rails.points_joined_to_ports(view, past_boers=True) if sites else frozenset[Point]()
    sites_by_link: dict[Link, int] = {}
    for link in view.board.railways:
        if link not in view.cuts and joined.issuperset(view.board.ends(link)):
            still = rails.points_joined_to_ports(
                replace_fields(view, cuts=(*view.cuts, link)), past_boers=True
            )
            lost = len(joined.difference(still).intersection(sites))
            if lost:
                sites_by_link[link] = lost
    return sites_by_link


def supply_changes(view: View, links: Iterable[Link]) -> dict[Link, int]:
    """Return, by link, the SP of Empire leaders whose supply its cut would end, or its repair restore.

    Links that change nothing are left out.
    """
    now, joined = _supplied_sp(view), rails.points_joined_to_ports(view)
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
    """Return the SP in supply of Empire leaders who are not besieged."""
    near = rails.supplied_points(view)
    led = [view.leaders[leader] for leader in leaders_of(view, "empire")]
    return sum(there.sp for there in led if there.at in near and there.at not in view.sieges)


class TrekPath(Value, frozen=True):
    """A path of a Boer leader. path: the points after the start; lines: of blockhouses, that he crosses."""

    path: tuple[Point, ...]
    lines: int


def trek_paths(view: View, leader: LeaderId) -> dict[Point, TrekPath]:
    """Return, by point in reach of a TREK, the path over fewest lines, of these the shortest.

    Points that hold Empire SP are among them where only garrisons are, for a leader who goes past.
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
