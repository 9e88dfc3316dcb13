"""The conditions for cuts, repairs, blockhouses, camps and drives. Source: rulings 7 and 8."""

from games.boer_war import paths
from games.boer_war.components import LeaderId, Link, Point, Side
from games.boer_war.model import (
    Blockhouse,
    Camp,
    Cut,
    Drive,
    IllegalOrder,
    Raid,
    Repair,
    State,
    is_held,
    leaders_of,
    points_held,
    require_unused,
)
from games.boer_war.paths import points_joined_to_ports


def check_cut(state: State, _side: Side, order: Cut) -> None:
    """Raise IllegalOrder if a CUT is not possible."""
    _check_railway(state, order.link, raidable_links(state))
    if order.link in state.cuts:
        raise IllegalOrder("cut-already", raidable_links(state), link=order.link)
    if not raiders_near(state, order.link):
        raise IllegalOrder("nobody-near", raidable_links(state), link=order.link)


def check_raid(state: State, side: Side, order: Raid) -> None:
    """Raise IllegalOrder if a RAID is not possible."""
    check_cut(state, side, Cut(link=order.link))
    if order.leader is not None:
        paths.require_own_leader(state, side, order.leader)
        near = raiders_near(state, order.link)
        if order.leader not in near:
            raise IllegalOrder("not-near", near, leader=order.leader, link=order.link)


def _check_railway(state: State, link: Link, near: tuple[Link, ...]) -> None:
    if link not in state.board.links:
        raise IllegalOrder("no-link", near, link=link)
    if not state.board.links[link].rail:
        raise IllegalOrder("no-railway", near, link=link)


def raiders_near(state: State, link: Link) -> tuple[LeaderId, ...]:
    """Return the Boer leaders who can reach a link to cut it, the best Command first.

    Source: ruling 7 (CUT).
    """
    foes, ends = points_held(state, "empire"), state.board.ends(link)
    raiders = [
        leader for leader in leaders_of(state, "boers") if ends_near(state, leader, foes).intersection(ends)
    ]
    rank = state.box.leaders
    return tuple(
        sorted(raiders, key=lambda leader: (-rank[leader].command, -state.leaders[leader].sp, leader))
    )


def ends_near(state: State, leader: LeaderId, foes: frozenset[Point]) -> set[Point]:
    """Return the points whose links a Boer leader can reach.

    They are the leader's own point and near points without Empire SP. foes: the points with Empire SP.
    """
    at = state.leaders[leader].at
    near = state.board.within(at, state.box.numbers.markers.cut_near)
    return {at, *(point for point in near if point not in foes)}


def raidable_links(state: State) -> tuple[Link, ...]:
    """Return the railway links that Boers could cut now, in the order of the map."""
    foes = points_held(state, "empire")
    near = {point for leader in leaders_of(state, "boers") for point in ends_near(state, leader, foes)}
    return tuple(
        link
        for link, way in state.board.links.items()
        if way.rail and link not in state.cuts and (way.a in near or way.b in near)
    )


def check_repair(state: State, _side: Side, order: Repair) -> None:
    """Raise IllegalOrder if a REPAIR is not possible."""
    near = repairable_cuts(state)
    most = state.box.numbers.markers.repaired
    if not 0 < len(order.links) <= most:
        raise IllegalOrder("too-many-links", near, most=most)
    for number, link in enumerate(order.links):
        if link not in state.cuts or link in order.links[:number]:
            raise IllegalOrder("not-cut", near, link=link)
        if link not in near:
            raise IllegalOrder("nobody-to-repair", near, link=link)


def repairable_cuts(state: State) -> tuple[Link, ...]:
    """Return the cuts with an end that is near enough to Empire SP outside besieged towns.

    Source: ruling 7 (REPAIR, invest).
    """
    held, near = points_held(state, "empire") - set(state.sieges), state.box.numbers.markers.repair_near

    def is_near(point: Point) -> bool:
        return not held.isdisjoint(state.board.within(point, near))

    return tuple(link for link in state.cuts if any(map(is_near, state.board.ends(link))))


def check_drive_order(state: State, _side: Side, order: Drive) -> None:
    """Raise IllegalOrder if a DRIVE is not possible."""
    check_drive(state, order.leaders, order.target, state.box.numbers.skirmish.drive)


def check_drive(state: State, leaders: tuple[LeaderId, ...], target: Point, most: int) -> None:
    """Raise IllegalOrder if a drive has too many leaders, or a leader who can't reach Boers at the target.

    most: the most leaders of the drive. Source: ruling 8 (DRIVE).
    """
    held = sorted(points_held(state, "boers"))
    if target not in held:
        raise IllegalOrder("no-boers", held, at=target)
    near = [leader for leader in leaders_of(state, "empire") if paths.path_to(state, leader, target)]
    if not 0 < len(leaders) <= most:
        raise IllegalOrder("too-many", near, most=most)
    for number, leader in enumerate(leaders):
        paths.require_own_leader(state, "empire", leader)
        if leader in leaders[:number]:
            raise IllegalOrder("twice", near, leader=leader)
        if leader not in near:
            raise IllegalOrder("out-of-reach", near, leader=leader, at=target)


def check_camp(state: State, _side: Side, order: Camp) -> None:
    """Raise IllegalOrder if a CAMP is not possible."""
    require_unused(state, "camp", "camp-already")
    sites = camp_sites(state)
    if state.camp_ban:
        raise IllegalOrder("camp-ban", rounds=state.camp_ban)
    if len(state.camps) >= state.box.numbers.markers.camps:
        raise IllegalOrder("no-camps-left")
    if "camp site" not in state.board.places[order.at].flags:
        raise IllegalOrder("no-camp-site", sites, at=order.at)
    if order.at in state.camps:
        raise IllegalOrder("has-camp", sites, at=order.at)
    if not is_held(state, order.at, "empire"):
        raise IllegalOrder("nobody-there", sites, at=order.at)
    if order.at not in sites:
        raise IllegalOrder("not-joined", sites, at=order.at)


def camp_sites(state: State) -> tuple[Point, ...]:
    """Return the points where a camp can be set up now, in the order of the map. Source: ruling 8 (CAMP)."""
    joined, held = points_joined_to_ports(state, past_boers=True), points_held(state, "empire")
    sites = state.board.flagged["camp site"]
    return tuple(site for site in sites if site in joined and site in held and site not in state.camps)


def check_blockhouse(state: State, _side: Side, order: Blockhouse) -> None:
    """Raise IllegalOrder if a BLOCKHOUSE is not possible."""
    near = guardable_links(state)
    _check_railway(state, order.link, near)
    if not has_blockhouse_left(state):
        raise IllegalOrder("no-blockhouses-left")
    if order.link in state.blockhouses:
        raise IllegalOrder("has-blockhouse", near, link=order.link)
    if order.link not in near:
        raise IllegalOrder("not-empire-controlled", near, link=order.link)


def guardable_links(state: State) -> tuple[Link, ...]:
    """Return the railway links where a line of blockhouses is possible. Source: ruling 8 (BLOCKHOUSE)."""
    return tuple(
        link
        for link, way in state.board.links.items()
        if way.rail
        and link not in state.blockhouses
        and state.control[way.a] == state.control[way.b] == "empire"
    )


def has_blockhouse_left(state: State) -> bool:
    """Return whether a blockhouse marker is left."""
    return len(state.blockhouses) < state.box.numbers.markers.blockhouses
