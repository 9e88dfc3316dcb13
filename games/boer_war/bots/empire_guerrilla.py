"""The bot of the Empire in Turns III and IV: camps, drives, blockhouses. Source: ruling 13.4."""

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
"""The least SP of a leader who leaves a garrison, the lead of camps over R, and the number of ready sites."""

_GOOD_DRIVE_LOSS, _MIN_DRIVE_LOSS = 0.6, 0.3
"""The least average Boer losses of a drive that comes before repairs, and of any drive."""

_MIN_LEADERS_CROSSING = 1.0
"""The least average number of Boer leaders who must cross a line to make it worthwhile."""

_MIN_SITES_CARRIED = 2
"""The least number of camp sites that must depend on a link to make blockhouses worthwhile before a cut."""


class EmpireGuerrilla(PriorityBot):
    """The list of priorities of ruling 13.4."""

    clause = "13.4"
    side: Side = "empire"
    events = ("E06", "E09", "E11", "E10", "E08", "E12")

    def items(self) -> Sequence[tuple[str, ItemAttempt]]:
        """Return the twelve items in order. The thirteenth is to pass."""
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
        """Repair the worst cut if a camp is needed and no site is ready."""
        return None if self._is_ahead or camp_sites(self.view) else self.repair()

    def repair(self) -> OptionChoice | None:
        """Repair the cut that separates most camp sites from the ports, or send the nearest leader there."""
        near = set(repairable_cuts(self.view))
        options = [
            RankedOption(Repair(links=(link,)), worth=sites)
            for link, sites in self._sites_by_repair.items()
            if link in near
        ]
        return self.choose_best(options, highest_value()) or self._go_and_repair()

    @cached_property
    def _sites_by_repair(self) -> Mapping[Link, int]:
        """The number of camp sites that a repair of each cut would join to the ports, if there are any."""
        now, cuts = len(legal_orders.connected_camp_sites(self.view)), self.view.cuts
        sites_by_link = {}
        for link in cuts:
            mended = replace_fields(self.view, cuts=tuple(other for other in cuts if other != link))
            sites_by_link[link] = len(legal_orders.connected_camp_sites(mended)) - now
        return {link: sites for link, sites in sites_by_link.items() if sites > 0}

    def _go_and_repair(self) -> OptionChoice | None:
        """Send the nearest free leader to the end of a cut.

        It's only necessary in games with the number `repair_near` 0, where a repair needs SP at the link.
        """
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
        """Set up a camp next to most Boer leaders, then with most neighbours without a camp."""

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
        """Send the nearest leader to a camp site of the republics if a camp is needed and none is ready."""
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
        """True if there are enough camps for now."""
        return len(self.view.camps) > self.view.recruits + _CAMP_LEAD

    def _free_leaders(self) -> list[tuple[LeaderId, ...]]:
        """Return the leaders who can leave their point because no future camp there needs them."""
        sites = camp_sites(self.view)
        return [(leader,) for leader in leaders_of(self.view, "empire") if self._is_free(leader, sites)]

    def _is_free(self, leader: LeaderId, sites: Sequence[Point]) -> bool:
        there = self.view.leaders[leader]
        needed = there.sp < _GARRISON_MIN_SP and self._is_needed_for_camp(leader, sites)
        return not needed and not self.has_moved((leader,))

    def _options_into(self, leaders: tuple[LeaderId, ...], points: Sequence[Point]) -> Iterator[RankedOption]:
        """Yield moves to some points. Their worth is the distance."""
        reach = legal_orders.reachable_points(self.view, leaders)
        for point in points:
            far = self.board.distance(reach.start, point)
            if point in reach.free:
                yield RankedOption(Move(leaders=leaders, path=(point,)), leaders[0], point, far)
            elif point in reach.rail:
                yield RankedOption(Rail(leaders=leaders, path=(point,)), leaders[0], point, far)

    def _with_garrison(self, pick: OptionChoice) -> OptionChoice:
        """Return a choice, with a garrison that is left behind if a camp is still possible there."""
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
        """Make the best drive if its average Boer losses are high."""
        return self.choose_best(
            [option for option in self._drive_options if option.worth >= _GOOD_DRIVE_LOSS], highest_value()
        )

    def drive(self) -> OptionChoice | None:
        """Make the drive with the highest average Boer losses, by leaders whom no future camp needs."""
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
        """Return whether a camp is possible at a leader's point, but not without the leader."""
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
        """Guard a line that Boers must cross, or a link in their reach that most camp sites depend on."""
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
        """Build blockhouses on the link of the republics that is nearest to Boers."""
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
        """Guard the link whose ends are on most paths of Boers to recruits."""
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
        """The average number of Boer leaders who pass each unguarded point on the way to recruits."""
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
        """Move the strongest free leader towards the Boers within reach of most columns."""
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
        """Return the distance to Boers, less one link for each column that has them within its Move."""
        return self.board.distance(start, point) - len(legal_orders.columns_near(self.view, point))
