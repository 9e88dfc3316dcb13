"""What is done to railways and country: cuts, repairs, blockhouses, camps, drives; and why not.

Source: rulings 7 and 8.
"""

from games.boer_war import ways
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.forces import is_held, leaders_of, points_held
from games.boer_war.model import Blockhouse, Camp, Cut, Drive, Raid, Repair, State
from games.boer_war.rails import joined_to_ports
from games.boer_war.unlawful import Unlawful, once


def cut(state: State, side: Side, order: Cut) -> None:
    """A CUT. Raises Unlawful."""
    _railway(state, order.link, raidable(state))
    if order.link in state.cuts:
        raise Unlawful("cut-already", raidable(state), link=order.link)
    if not raiders_near(state, order.link):
        raise Unlawful("nobody-near", raidable(state), link=order.link)


def raid(state: State, side: Side, order: Raid) -> None:
    """A RAID. Raises Unlawful."""
    cut(state, side, Cut(link=order.link))
    if order.leader is not None:
        ways.own(state, side, order.leader)
        near = raiders_near(state, order.link)
        if order.leader not in near:
            raise Unlawful("not-near", near, leader=order.leader, link=order.link)


def _railway(state: State, link: Link, near: tuple[Link, ...]) -> None:
    if link not in state.board.links:
        raise Unlawful("no-link", near, link=link)
    if not state.board.links[link].rail:
        raise Unlawful("no-railway", near, link=link)


def raiders_near(state: State, link: Link) -> tuple[LeaderId, ...]:
    """The Boer leaders whose men reach a link, the best Command first. Source: ruling 7 (CUT).

    It touches their point, or a point near it without Empire SP.
    """
    foes, ends = points_held(state, "empire"), state.board.ends(link)
    found = [one for one in leaders_of(state, "boers") if ends_near(state, one, foes).intersection(ends)]
    rank = state.box.leaders
    return tuple(sorted(found, key=lambda one: (-rank[one].command, -state.leaders[one].sp, one)))


def ends_near(state: State, leader: LeaderId, foes: frozenset[Point]) -> set[Point]:
    """The points whose links a Boer leader's men reach: his own, and those near it without Empire SP."""
    at = state.leaders[leader].at
    near = state.board.within(at, state.box.numbers.markers.cut_near)
    return {at, *(point for point in near if point not in foes)}


def raidable(state: State) -> tuple[Link, ...]:
    """The railway links that Boers could cut now, in the order of the map."""
    foes = points_held(state, "empire")
    near = {point for one in leaders_of(state, "boers") for point in ends_near(state, one, foes)}
    return tuple(
        link
        for link, way in state.board.links.items()
        if way.rail and link not in state.cuts and (way.a in near or way.b in near)
    )


def repair(state: State, side: Side, order: Repair) -> None:
    """A REPAIR. Raises Unlawful."""
    near = repairable(state)
    most = state.box.numbers.markers.repaired
    if not 0 < len(order.links) <= most:
        raise Unlawful("too-many-links", near, most=most)
    for number, link in enumerate(order.links):
        if link not in state.cuts or link in order.links[:number]:
            raise Unlawful("not-cut", near, link=link)
        if link not in near:
            raise Unlawful("nobody-to-repair", near, link=link)


def repairable(state: State) -> tuple[Link, ...]:
    """The cuts on links that touch a point near enough to Empire SP who are not besieged.

    Source: ruling 7 (REPAIR, invest).
    """
    held, near = points_held(state, "empire") - set(state.sieges), state.box.numbers.markers.repair_near

    def is_near(point: Point) -> bool:
        return not held.isdisjoint(state.board.within(point, near))

    return tuple(link for link in state.cuts if any(map(is_near, state.board.ends(link))))


def drive(state: State, side: Side, order: Drive) -> None:
    """A DRIVE. Raises Unlawful."""
    check_drive(state, order.leaders, order.target, state.box.numbers.skirmish.drive)


def check_drive(state: State, leaders: tuple[LeaderId, ...], target: Point, most: int) -> None:
    """Raises Unlawful unless so many leaders at most can each reach Boers. Source: ruling 8 (DRIVE)."""
    held = sorted(points_held(state, "boers"))
    if target not in held:
        raise Unlawful("no-boers", held, at=target)
    near = [one for one in leaders_of(state, "empire") if ways.reaches(state, one, target)]
    if not 0 < len(leaders) <= most:
        raise Unlawful("too-many", near, most=most)
    for number, leader in enumerate(leaders):
        ways.own(state, "empire", leader)
        if leader in leaders[:number]:
            raise Unlawful("twice", near, leader=leader)
        if leader not in near:
            raise Unlawful("out-of-reach", near, leader=leader, at=target)


def camp(state: State, side: Side, order: Camp) -> None:
    """A CAMP. Raises Unlawful."""
    once(state, "camp", "camp-already")
    sites = camp_sites(state)
    if state.camp_ban:
        raise Unlawful("camp-ban", rounds=state.camp_ban)
    if len(state.camps) >= state.box.numbers.markers.camps:
        raise Unlawful("no-camps-left")
    if "camp site" not in state.board.places[order.at].flags:
        raise Unlawful("no-camp-site", sites, at=order.at)
    if order.at in state.camps:
        raise Unlawful("has-camp", sites, at=order.at)
    if not is_held(state, order.at, "empire"):
        raise Unlawful("nobody-there", sites, at=order.at)
    if order.at not in sites:
        raise Unlawful("not-joined", sites, at=order.at)


def camp_sites(state: State) -> tuple[Point, ...]:
    """Where a camp could be set up now, in the order of the map. Source: ruling 8 (CAMP)."""
    joined, held = joined_to_ports(state, past_boers=True), points_held(state, "empire")
    sites = state.board.flagged["camp site"]
    return tuple(one for one in sites if one in joined and one in held and one not in state.camps)


def blockhouse(state: State, side: Side, order: Blockhouse) -> None:
    """A BLOCKHOUSE. Raises Unlawful."""
    near = guardable(state)
    _railway(state, order.link, near)
    if not may_build(state):
        raise Unlawful("no-blockhouses-left")
    if order.link in state.blockhouses:
        raise Unlawful("has-blockhouse", near, link=order.link)
    if order.link not in near:
        raise Unlawful("not-empire-controlled", near, link=order.link)


def guardable(state: State) -> tuple[Link, ...]:
    """The railway links on which a line of blockhouses could be built. Source: ruling 8 (BLOCKHOUSE)."""
    return tuple(
        link
        for link, way in state.board.links.items()
        if way.rail
        and link not in state.blockhouses
        and state.control[way.a] == state.control[way.b] == "empire"
    )


def may_build(state: State) -> bool:
    """Whether a blockhouse marker is left."""
    return len(state.blockhouses) < state.box.numbers.markers.blockhouses
