"""What a side could do now: who may go together, where they may come, whom they may attack.

Reports say by it what is open, and bots choose from it. Whether an order is lawful is for the rules to say
in the end.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

from games.boer_war import rails
from games.boer_war.board import Board, spread
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.forces import (
    is_besieged,
    is_besieging,
    leaders_at,
    leaders_of,
    move_of,
    points_held,
    side_of,
    sp_at,
)
from games.boer_war.model import View, other
from games.boer_war.skirmishes import line_on
from games.record import Value, changed


class Reach(Value, frozen=True):
    """How far leaders come: links to each free point, to each with enemy SP, and by rail."""

    leaders: tuple[LeaderId, ...]
    start: Point
    free: dict[Point, int]
    foes: dict[Point, int]
    rail: dict[Point, int]


def groups(view: View, side: Side, *, largest: bool = False) -> Iterator[tuple[LeaderId, ...]]:
    """Who may go together: each leader alone, and each Commander-in-Chief with others of his point.

    largest: a Commander-in-Chief only with the strongest that he may take along.
    """
    most = view.box.numbers.moving.group
    for leader in leaders_of(view, side):
        if is_besieged(view, leader):
            continue
        is_chief = view.box.leaders[leader].chief and not (side == "boers" and view.is_guerrilla)
        others = [one for one in leaders_at(view, view.leaders[leader].at, side) if one != leader]
        if is_chief and others:
            others.sort(key=lambda one: (-view.leaders[one].sp, one))
            yield (leader, *others[:most])
        if not (largest and is_chief and others):
            yield (leader,)
        if is_chief and not largest:
            for count in range(1, most + 1):
                yield from (
                    (leader, *some) for some in combinations(others, count) if some != tuple(others[:most])
                )


def reach(view: View, leaders: tuple[LeaderId, ...]) -> Reach:
    """How far leaders of one point come with one order.

    Boers in the guerrilla war go past garrisons, but neither stop among the enemy nor attack from there.
    """
    side = side_of(leaders[0])
    start = view.leaders[leaders[0]].at
    ground, foes = view.board, points_held(view, other(side))
    treks = side == "boers" and view.is_guerrilla
    barred = frozenset(view.leaders[one].at for one in leaders_of(view, "empire")) if treks else foes
    links = move_of(view, leaders[0])
    if side == "empire" and not rails.in_supply(view, start):
        links = min(links, view.box.numbers.moving.unsupplied)
    free: dict[Point, int] = {}
    attacked: dict[Point, int] = {}
    for point, far in _within(ground, start, links, barred).items():
        if point not in foes and point != start:
            free[point] = far
        if far < links and (point == start or point not in foes):
            for there in ground.near[point]:
                if there in foes:
                    attacked[there] = min(far + 1, attacked.get(there, links))
    return Reach(leaders, start, free, attacked, _by_rail(view, start) if side == "empire" else {})


def _within(ground: Board, start: Point, links: int, barred: frozenset[Point]) -> dict[Point, int]:
    """How far each point is that leaders get to past none that is barred."""
    found, front = {start: 0}, [start]
    for far in range(1, links + 1):
        ahead = []
        for here in front:
            for there in ground.near[here]:
                if there not in found and there not in barred:
                    found[there] = far
                    ahead.append(there)
        front = ahead
    return found


def _by_rail(view: View, start: Point) -> dict[Point, int]:
    if not view.board.on_rail(start) or view.control[start] != "empire":
        return {}
    boers, cuts, control = points_held(view, "boers"), view.cuts, view.control
    ground = view.board

    def passes(here: Point, there: Point) -> bool:
        return control[there] == "empire" and there not in boers and ground.link(here, there) not in cuts

    most = view.box.numbers.moving.rail
    found = spread(ground.rails, start, passes)
    return {point: far for point, far in found.items() if 0 < far <= most}


def besiegers(view: View, point: Point) -> int:
    """Boer SP that besiege a town; 0 where none do."""
    return sp_at(view, point, "boers") if is_besieging(view, point) else 0


def bare_sites(view: View) -> tuple[Point, ...]:
    """Camp sites without a camp that railways join to a port: the Empire's SP may still be missing."""
    joined = rails.joined_to_ports(view, past_boers=True)
    return tuple(
        point
        for point, place in view.board.places.items()
        if "camp site" in place.flags and point not in view.camps and point in joined
    )


def columns_near(view: View, point: Point) -> tuple[LeaderId, ...]:
    """The Empire leaders who have a point within their Move, whoever may stand between."""
    return tuple(
        one
        for one in leaders_of(view, "empire")
        if view.board.apart(view.leaders[one].at, point) <= move_of(view, one)
    )


def parted(view: View, sites: Collection[Point]) -> dict[Link, int]:
    """By railway link, how many of some camp sites its cut would part from the ports.

    sites: such as are joined to them now. Links that part none are left out.
    """
    joined = rails.joined_to_ports(view, past_boers=True) if sites else frozenset[Point]()
    found: dict[Link, int] = {}
    for link in view.board.railways:
        if link not in view.cuts and joined.issuperset(view.board.ends(link)):
            still = rails.joined_to_ports(changed(view, cuts=(*view.cuts, link)), past_boers=True)
            lost = len(joined.difference(still).intersection(sites))
            if lost:
                found[link] = lost
    return found


def unfed(view: View, links: Iterable[Link]) -> dict[Link, int]:
    """By railway link, SP of Empire leaders that its cut would put out of supply, or its repair would feed.

    Links that change nothing are left out.
    """
    now, joined = _fed(view), rails.joined_to_ports(view)
    found: dict[Link, int] = {}
    for link in links:
        others = tuple(one for one in view.cuts if one != link)
        is_cut = link in view.cuts
        if is_cut or joined.issuperset(view.board.ends(link)):
            then = _fed(changed(view, cuts=others if is_cut else (*others, link)))
            if then != now:
                found[link] = abs(then - now)
    return found


def _fed(view: View) -> int:
    """SP in supply of Empire leaders who are not besieged."""
    near = rails.supplied(view)
    led = [view.leaders[one] for one in leaders_of(view, "empire")]
    return sum(there.sp for there in led if there.at in near and there.at not in view.sieges)


class Ride(Value, frozen=True):
    """A way of a Boer leader. path: the points after the start; lines: of blockhouses, that he crosses."""

    path: tuple[Point, ...]
    lines: int


def rides(view: View, leader: LeaderId) -> dict[Point, Ride]:
    """By point that a Boer leader comes to with a TREK, the way over fewest lines, of these the shortest.

    Points that hold Empire SP are among them where only garrisons are, for whoever goes past.
    """
    barred = frozenset(view.leaders[one].at for one in leaders_of(view, "empire"))
    start = view.leaders[leader].at
    found = {start: Ride((), 0)}
    front = {start: found[start]}
    for _ in range(move_of(view, leader)):
        ahead: dict[Point, Ride] = {}
        for here, ride in front.items():
            for there in view.board.near[here]:
                if there in barred:
                    continue
                lines = ride.lines + (line_on(view, here, there) is not None)
                best = ahead.get(there) or found.get(there)
                if best is None or lines < best.lines:
                    ahead[there] = Ride((*ride.path, there), lines)
        found |= ahead
        front = ahead
    return found
