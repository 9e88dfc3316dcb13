"""The Empire in Turns III and IV: camps before commandos, drives, blockhouses. Ruling 13.4."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from games.boer_war import legal_orders, paths
from games.boer_war.bots.base import ItemAttempt, OptionChoice, PriorityBot, RankedOption, highest_value
from games.boer_war.components import LeaderId, Link, Point, Side
from games.boer_war.model import (
    Blockhouse,
    Camp,
    Drive,
    Garrison,
    Move,
    Rail,
    Reinforce,
    Repair,
    is_held,
    leaders_at,
    leaders_of,
    sp_at,
)
from games.boer_war.reinforcements import recruit_obstacle_at
from games.boer_war.skirmishes import expected_drive_losses
from games.boer_war.works import camp_sites, guardable_links, raidable_links, repairable_cuts
from games.messages import sentence
from games.priorities import Criterion
from games.record import replace_fields

_GARRISON_MIN_SP, _CAMP_LEAD, _READY_SITES_ENOUGH = 3, 2, 1
"""SP with which a leader leaves a garrison; by how much camps are to be ahead of R; ready sites that do."""

_GOOD_DRIVE_LOSS, _MIN_DRIVE_LOSS = 0.6, 0.3
"""The SP that a drive must cost Boers on average: one that comes before repairs, and any."""

_MIN_LEADERS_CROSSING = 1.0
"""Boer leaders who have to cross a line for which it is built: so many on average."""

_MIN_SITES_CARRIED = 2
"""Bare sites that hang on a line which is guarded before Boers have cut it."""


class EmpireGuerrilla(PriorityBot):
    """The list of ruling 13.4."""

    clause = "13.4"
    side: Side = "empire"
    events = ("E06", "E09", "E11", "E10", "E08", "E12")

    def items(self) -> Sequence[tuple[str, ItemAttempt]]:
        """Return the twelve items in order, the thirteenth being to pass."""
        return (
            (sentence("boer_war.reasons.repair_sites"), self.repair_first),
            (sentence("boer_war.reasons.camp"), self.camp),
            (sentence("boer_war.reasons.event"), self.play_event),
            (sentence("boer_war.reasons.occupy_site"), self.occupy),
            (sentence("boer_war.reasons.costly_drive"), self.drive_first),
            (sentence("boer_war.reasons.repair"), self.repair),
            (sentence("boer_war.reasons.drive"), self.drive),
            (sentence("boer_war.reasons.guard"), self.guard),
            (sentence("boer_war.reasons.close_in"), self.close_in),
            (sentence("boer_war.reasons.blockhouses"), self.blockhouse),
            (sentence("boer_war.reasons.reinforce_best"), self.reinforce),
            (sentence("boer_war.reasons.reorganize"), self.reorganize),
        )

    def repair_first(self) -> OptionChoice | None:
        """Repair the cut that parts most sites, while a camp is wanted and none could be set up."""
        return None if self._is_ahead or camp_sites(self.view) else self.repair()

    def repair(self) -> OptionChoice | None:
        """Repair the cut that parts most camp sites from the ports; else send the nearest leader there."""
        near = set(repairable_cuts(self.view))
        options = [
            RankedOption(Repair(links=(link,)), worth=sites)
            for link, sites in self._sites_by_repair.items()
            if link in near
        ]
        return self.choose_best(options, highest_value()) or self._go_and_repair()

    @cached_property
    def _sites_by_repair(self) -> Mapping[Link, int]:
        """Return, by cut that parts camp sites from the ports, how many more there would be without it."""
        now, cuts = len(legal_orders.connected_camp_sites(self.view)), self.view.cuts
        sites_by_link = {}
        for link in cuts:
            mended = replace_fields(self.view, cuts=tuple(other for other in cuts if other != link))
            sites_by_link[link] = len(legal_orders.connected_camp_sites(mended)) - now
        return {link: sites for link, sites in sites_by_link.items() if sites > 0}

    def _go_and_repair(self) -> OptionChoice | None:
        """Send the nearest free leader to an end of a cut, where men have to stand at it."""
        if self.box.numbers.markers.repair_near:
            return None
        ends = sorted({end for link in self._sites_by_repair for end in self.board.ends(link)} - self.foes)
        options = (
            [option for leaders in self._free_leaders() for option in self._options_into(leaders, ends)]
            if ends
            else []
        )
        pick = self.choose_best(
            options,
            Criterion(sentence("boer_war.criteria.nearest_leader"), lambda option: option.worth),
            Criterion(
                sentence("boer_war.criteria.on_foot"),
                lambda option: 0 if isinstance(option.order, Move) else None,
            ),
        )
        return None if pick is None else self._with_garrison(pick)

    def camp(self) -> OptionChoice | None:
        """Set up a camp at the site next to most Boer leaders, then with most neighbours without a camp."""

        def boers(option: RankedOption) -> float:
            assert option.at is not None
            return -sum(len(leaders_at(self.view, near, "boers")) for near in self.board.near[option.at])

        def bare(option: RankedOption) -> float:
            assert option.at is not None
            return -sum(near not in self.view.camps for near in self.board.near[option.at])

        if self._is_ahead:
            return None
        return self.choose_best(
            [RankedOption(Camp(at=site), None, site) for site in camp_sites(self.view)],
            Criterion(sentence("boer_war.criteria.most_boers"), boers),
            Criterion(sentence("boer_war.criteria.most_bare"), bare),
        )

    def occupy(self) -> OptionChoice | None:
        """Send the nearest leader to a site of the republics, while a camp is wanted and none is ready."""
        if self._is_ahead or len(camp_sites(self.view)) >= _READY_SITES_ENOUGH:
            return None
        sites = [
            site
            for site in legal_orders.connected_camp_sites(self.view)
            if self.board.places[site].is_republic and not is_held(self.view, site, "empire")
        ]
        options = [
            option for leaders in self._free_leaders() for option in self._options_into(leaders, sites)
        ]
        pick = self.choose_best(
            options,
            Criterion(sentence("boer_war.criteria.nearest_leader"), lambda option: option.worth),
            Criterion(
                sentence("boer_war.criteria.on_foot"),
                lambda option: 0 if isinstance(option.order, Move) else None,
            ),
        )
        return None if pick is None else self._with_garrison(pick)

    @property
    def _is_ahead(self) -> bool:
        """Return whether there are camps enough for now."""
        return len(self.view.camps) > self.view.recruits + _CAMP_LEAD

    def _free_leaders(self) -> list[tuple[LeaderId, ...]]:
        """Return the leaders who may go: no camp that could be set up where they are needs them."""
        sites = camp_sites(self.view)
        return [(leader,) for leader in leaders_of(self.view, "empire") if self._is_free(leader, sites)]

    def _is_free(self, leader: LeaderId, sites: Sequence[Point]) -> bool:
        there = self.view.leaders[leader]
        needed = there.sp < _GARRISON_MIN_SP and self._is_needed_for_camp(leader, sites)
        return not needed and not self.has_moved((leader,))

    def _options_into(self, leaders: tuple[LeaderId, ...], points: Sequence[Point]) -> Iterator[RankedOption]:
        """Yield a move into each of some points; worth: how far it is."""
        reach = legal_orders.reachable_points(self.view, leaders)
        for point in points:
            far = self.board.distance(reach.start, point)
            if point in reach.free:
                yield RankedOption(Move(leaders=leaders, path=(point,)), leaders[0], point, far)
            elif point in reach.rail:
                yield RankedOption(Rail(leaders=leaders, path=(point,)), leaders[0], point, far)

    def _with_garrison(self, pick: OptionChoice) -> OptionChoice:
        """Return the choice with a garrison left behind where a camp could still be set up."""
        assert isinstance(pick.order, Move | Rail), "who leaves goes somewhere"
        leader = pick.order.leaders[0]
        there = self.view.leaders[leader]
        site = (
            there.at in legal_orders.connected_camp_sites(self.view) and there.at not in self.view.garrisons
        )
        garrison = Garrison(leader=leader, at=there.at)
        if not site or there.sp < _GARRISON_MIN_SP or not self.allows(garrison):
            return pick
        return OptionChoice(pick.order, pick.criterion, pick.choices, (garrison,))

    def drive_first(self) -> OptionChoice | None:
        """Return the best drive, as `drive` does, but only where it costs the Boers much."""
        return self.choose_best(
            [option for option in self._drive_options if option.worth >= _GOOD_DRIVE_LOSS], highest_value()
        )

    def drive(self) -> OptionChoice | None:
        """Make the drive that costs the Boers most SP on average, by leaders whom no camp to come needs."""
        return self.choose_best(
            [option for option in self._drive_options if option.worth >= _MIN_DRIVE_LOSS], highest_value()
        )

    @cached_property
    def _drive_options(self) -> tuple[RankedOption, ...]:
        drives = (self._drive_option(point) for point in sorted(self.foes))
        return tuple(drive for drive in drives if drive is not None)

    def _drive_option(self, point: Point) -> RankedOption | None:
        sites = camp_sites(self.view)
        able = [
            leader
            for leader in leaders_of(self.view, "empire")
            if not self._is_needed_for_camp(leader, sites) and paths.path_to(self.view, leader, point)
        ]
        if not able:
            return None
        able.sort(
            key=lambda leader: (-self.view.leaders[leader].sp, -self.box.leaders[leader].command, leader)
        )
        columns = tuple(able[: self.box.numbers.skirmish.drive])
        worth = expected_drive_losses(self.view, columns, point)
        return RankedOption(Drive(target=point, leaders=columns), able[0], point, worth)

    def _is_needed_for_camp(self, leader: LeaderId, sites: Sequence[Point]) -> bool:
        """Return whether a camp could be set up where a leader is, and not without him."""
        there = self.view.leaders[leader]
        return there.at in sites and sp_at(self.view, there.at, "empire") == there.sp

    def reinforce(self) -> OptionChoice | None:
        """Reinforce the leader with the best Command."""
        options = [
            RankedOption(Reinforce(leader=leader), leader, self.view.leaders[leader].at)
            for leader in leaders_of(self.view, "empire")
        ]
        return self.choose_best(options)

    def guard(self) -> OptionChoice | None:
        """Guard a line that Boers come to; else one they could cut now, on which most sites hang."""
        fence = self._guard_crossing()
        if fence is not None:
            return fence
        carries = legal_orders.sites_cut_off(self.view, legal_orders.connected_camp_sites(self.view))
        near = set(raidable_links(self.view))
        options = [
            RankedOption(Blockhouse(link=link), worth=carries[link])
            for link in guardable_links(self.view)
            if link in near and carries.get(link, 0) >= _MIN_SITES_CARRIED
        ]
        return self.choose_best(options, highest_value())

    def blockhouse(self) -> OptionChoice | None:
        """Build on a line of the republics, where Boers are nearest."""
        boers = [self.view.leaders[leader].at for leader in leaders_of(self.view, "boers")]

        def far(link: Link) -> float:
            return min(
                (self.board.distance(end, at) for end in self.board.ends(link) for at in boers),
                default=0,
            )

        options = [
            RankedOption(Blockhouse(link=link), worth=far(link))
            for link in guardable_links(self.view)
            if all(self.board.places[end].is_republic for end in self.board.ends(link))
        ]
        return self.choose_best(
            options, Criterion(sentence("boer_war.criteria.nearest_boers"), lambda option: option.worth)
        )

    def _guard_crossing(self) -> OptionChoice | None:
        """Guard a line to whose ends most Boers come who ride for recruits, by the share of their paths."""
        if not self.box.numbers.blockhouse.ends:
            return None
        options = [
            RankedOption(
                Blockhouse(link=link),
                worth=sum(self._crossings.get(end, 0.0) for end in self.board.ends(link)),
            )
            for link in guardable_links(self.view)
        ]
        return self.choose_best(
            [option for option in options if option.worth >= _MIN_LEADERS_CROSSING], highest_value()
        )

    @cached_property
    def _crossings(self) -> Mapping[Point, float]:
        """Return, by point without blockhouses, how many Boers would come there on their way to recruits."""
        guarded = {end for link in self.view.blockhouses for end in self.board.ends(link)}
        crossings: dict[Point, float] = {}
        for leader in leaders_of(self.view, "boers"):
            rides = legal_orders.trek_paths(self.view, leader)
            goals = [
                point
                for point in rides
                if point not in self.foes and recruit_obstacle_at(self.view, point) is None
            ]
            for goal in goals:
                for point in rides[goal].path:
                    if point not in guarded:
                        crossings[point] = crossings.get(point, 0.0) + 1 / len(goals)
        return crossings

    def close_in(self) -> OptionChoice | None:
        """Move the strongest leader who may go, towards the Boers whom most columns reach already."""
        free = sorted(self._free_leaders(), key=lambda group: (-self.strength(group), group))
        for leaders in free:
            start = self.view.leaders[leaders[0]].at
            if not self.foes or any(paths.path_to(self.view, leaders[0], foe) for foe in self.foes):
                continue
            goal = min(self.foes, key=lambda point: (self._distance_rank(start, point), point))
            reach = legal_orders.reachable_points(self.view, leaders)
            here = self.board.distance(start, goal)
            ways_on = [(Move, point) for point in reach.free] + [(Rail, point) for point in reach.rail]
            options = [
                RankedOption(order(leaders=leaders, path=(point,)), leaders[0], point, far)
                for order, point in ways_on
                if (far := self.board.distance(point, goal)) < here
            ]
            pick = self.choose_best(
                options,
                Criterion(sentence("boer_war.criteria.nearest_to_them"), lambda option: option.worth),
                Criterion(
                    sentence("boer_war.criteria.on_foot"),
                    lambda option: 0 if isinstance(option.order, Move) else None,
                ),
            )
            if pick is not None:
                return self._with_garrison(pick)
        return None

    def _distance_rank(self, start: Point, point: Point) -> int:
        """Return the links to Boers, one less for each column that has them within its Move."""
        return self.board.distance(start, point) - len(legal_orders.columns_near(self.view, point))
