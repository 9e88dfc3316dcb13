"""The bots of the Empire.

In Turns I and II they relieve the towns and march on the capitals of the republics: ruling 13.2. In Turns III
and IV they place camps, make drives and build blockhouses: ruling 13.4.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from games.boer_war import legal_orders, paths
from games.boer_war.battles import Attack, expected_difference, expected_drive_losses
from games.boer_war.bots.base import ItemAttempt, OptionChoice, PriorityBot, RankedOption, highest_value
from games.boer_war.components import LeaderId, Link, Point, Side
from games.boer_war.legality import NAVAL_GUNS_EVENT
from games.boer_war.model import (
    Assault,
    Blockhouse,
    Camp,
    Drive,
    Entrench,
    Garrison,
    IllegalOrder,
    Move,
    Rail,
    Reinforce,
    Repair,
    is_besieged,
    is_held,
    leaders_at,
    leaders_of,
    sp_at,
)
from games.boer_war.reinforcements import empire_ports, recruit_obstacle_at
from games.boer_war.works import camp_sites, guardable_links, raidable_links, repairable_cuts
from games.messages import sentence
from games.priorities import Criterion
from games.record import replace_fields

_EMPIRE_OBJECTIVES = tuple(Point(code) for code in ("COL", "SPR", "BLO", "KRO", "JOH", "PRE"))
_MAIN_FORCE_MIN_SP, _URGENT_SIEGE_LEVEL, _TOWN_GUARD_LINKS = 5, 3, 3
"""The least SP of the main effort, the siege level that stops it, and the distance of a threat to a town."""

_REPAIR_MIN_UNSUPPLIED = 2
"""The least SP out of supply that make a repair worthwhile."""

_ATTACK_MIN_DIFFERENCE, _ATTACK_MIN_VALUE = 0.5, 1.0
_MAX_DIFFERENCE_COUNTED, _CENTRE_VALUE, _TOWARDS_CENTRE_VALUE, _ASTRAY_VALUE, _COLONY_VALUE = 6.0, 4, 3, -4, 1
"""Values of an attack: the most for the difference, then extras for a centre, the way, a colony."""

_RELIEF_RISK_PER_LEVEL, _RELIEF_MIN_SP = 0.5, 3
"""The expected difference that a relief gives up for each siege level, and the least SP that march to it."""


class EmpireRegular(PriorityBot):
    """The list of priorities of ruling 13.2."""

    clause = "13.2"
    side: Side = "empire"
    events = ("E06", "E03", "E01", "E07", "E04", "E05", "E02")

    def items(self) -> Sequence[tuple[str, ItemAttempt]]:
        """Return the twelve items in order. The thirteenth is to pass."""
        return (
            (sentence("boer_war.reasons.repair_supply"), self.repair),
            (sentence("boer_war.reasons.main_effort"), self.main_effort),
            (sentence("boer_war.reasons.relieve"), self.relieve),
            (sentence("boer_war.reasons.reinforce_first"), self.reinforce_first),
            (sentence("boer_war.reasons.event"), self.play_event),
            (sentence("boer_war.reasons.worthwhile_attack"), self.attack),
            (sentence("boer_war.reasons.reinforce_best"), self.reinforce),
            (sentence("boer_war.reasons.reorganize_scattered"), lambda: self.reorganize(2)),
            (sentence("boer_war.reasons.advance"), self.advance),
            (sentence("boer_war.reasons.concentrate"), self.concentrate),
            (sentence("boer_war.reasons.reorganize"), self.reorganize),
            (sentence("boer_war.reasons.entrench"), self.entrench),
        )

    # 13.2.1

    def repair(self) -> OptionChoice | None:
        """Repair the cut that puts most SP of leaders out of supply, or send the nearest leaders there."""
        fed = legal_orders.supply_changes(self.view, repairable_cuts(self.view))
        mended = self.choose_best(
            [
                RankedOption(Repair(links=(link,)), worth=sp)
                for link, sp in fed.items()
                if sp >= _REPAIR_MIN_UNSUPPLIED
            ],
            highest_value(),
        )
        return mended or self._go_and_repair()

    def _go_and_repair(self) -> OptionChoice | None:
        """Send the nearest leaders to the cut that puts most SP out of supply.

        It's only necessary in games with the number `repair_near` 0, where a repair needs SP at the link.
        """
        if self.box.numbers.markers.repair_near:
            return None
        fed = {
            link: sp
            for link, sp in legal_orders.supply_changes(self.view, self.view.cuts).items()
            if sp >= _REPAIR_MIN_UNSUPPLIED
        }
        groups = [leaders for leaders in self.unmoved_groups() if not self.must_stay(leaders)] if fed else []
        for link in sorted(fed, key=lambda cut: (-fed[cut], cut)):
            ends = [end for end in self.board.ends(link) if end not in self.foes]
            ways_on = [
                (self.board.distance(self._point_of(group), end), group, end)
                for group in groups
                for end in ends
            ]
            for _, leaders, end in sorted(ways_on):
                pick = self._approach(leaders, end)
                if pick is not None:
                    return pick
        return None

    # 13.2.2

    def main_effort(self) -> OptionChoice | None:
        """Send the strongest stack of a Commander-in-Chief to the nearest political centre."""
        urgent = any(level >= _URGENT_SIEGE_LEVEL for level in self.view.sieges.values())
        if self.view.turn != 2 or not self.boer_centres or urgent:
            return None
        stacks = [
            leaders
            for leaders in legal_orders.leader_groups(self.view, "empire", largest=True)
            if self.box.leaders[leaders[0]].chief and self.strength(leaders) >= _MAIN_FORCE_MIN_SP
        ]
        for leaders in sorted(stacks, key=self._group_rank):
            pick = self._go_for(leaders)
            if pick is not None:
                return pick
        return None

    def _go_for(self, leaders: tuple[LeaderId, ...]) -> OptionChoice | None:
        """Move into the nearest centre, march closer, attack enemies on the way, or go closer by rail."""
        reach = legal_orders.reachable_points(self.view, leaders)
        goal = self.nearest(reach.start, self.boer_centres)
        assert goal is not None
        may_go = not self.has_moved(leaders)
        if may_go and goal in reach.free:
            return self.choose_best([RankedOption(Move(leaders=leaders, path=(goal,)), leaders[0], goal)])
        near = Criterion[RankedOption](
            sentence("boer_war.criteria.closest_centre"), lambda option: self._distance(option.at, goal)
        )
        here = self.board.distance(reach.start, goal)
        supplied = Criterion[RankedOption](
            sentence("boer_war.criteria.supply"), lambda option: 0 if self._is_supplied(option.at) else None
        )
        march = self._march_options(leaders, reach.free, goal, here) if may_go else []
        barred = [
            self._attack_option(leaders, point)
            for point in reach.foes
            if self.board.distance(point, goal) < here and self.board.distance(reach.start, point) <= 2
        ]
        train = self._rail_options(leaders, reach.rail, goal, here) if may_go else []
        return (
            self.choose_best([option for option in march if self._is_supplied(option.at)], supplied, near)
            or self.choose_best(
                [option for option in barred if option is not None and option.worth >= 0], near
            )
            or self.choose_best(train, near)
        )

    def _distance(self, at: Point | None, goal: Point) -> int:
        return 0 if at is None else self.board.distance(at, goal)

    def _is_supplied(self, at: Point | None) -> bool:
        """Return whether a point is in supply or next to it."""
        if at is None:
            return False
        near = self.box.numbers.moving.supply + 1
        return any(self.board.distance(at, there) <= near for there in self._railheads)

    @property
    def _railheads(self) -> frozenset[Point]:
        return paths.points_joined_to_ports(self.view)

    def _march_options(
        self, leaders: tuple[LeaderId, ...], points: Iterable[Point], goal: Point, here: int
    ) -> list[RankedOption]:
        return [
            RankedOption(Move(leaders=leaders, path=(point,)), leaders[0], point)
            for point in points
            if self.board.distance(point, goal) < here
        ]

    def _rail_options(
        self, leaders: tuple[LeaderId, ...], points: Iterable[Point], goal: Point, here: int
    ) -> list[RankedOption]:
        return [
            RankedOption(Rail(leaders=leaders, path=(point,)), leaders[0], point)
            for point in points
            if self.board.distance(point, goal) < here
        ]

    # 13.2.3

    def relieve(self) -> OptionChoice | None:
        """Attack the besiegers of a town, or march to one.

        The closer a town is to its fall, the worse the expected difference may be: its SP would be captured.
        """
        options = []
        for option in self._attack_options():
            level = self.view.sieges.get(option.at) if option.at else None
            if level is None or option.worth < _ATTACK_MIN_DIFFERENCE - _RELIEF_RISK_PER_LEVEL * level:
                continue
            options.append(with_worth(option, min(option.worth, _MAX_DIFFERENCE_COUNTED) + level))
        return self.choose_best(options, highest_value()) or self._march_to_relieve()

    def _march_to_relieve(self) -> OptionChoice | None:
        """Send the largest stack that can go there closer to its nearest besieged town.

        Of two towns as near, it's the one that is nearer to its fall.
        """
        towns = sorted(
            self.view.sieges,
            key=lambda town: (self.board.places[town].resistance - self.view.sieges[town], town),
        )
        ways_on = [
            (self._group_rank(leaders)[0], self.board.distance(self._point_of(leaders), town), leaders, town)
            for leaders in self.unmoved_groups()
            if self.strength(leaders) >= _RELIEF_MIN_SP and not self.must_stay(leaders)
            for town in sorted(towns, key=lambda town: self.board.distance(self._point_of(leaders), town))[:1]
        ]
        for _, _, leaders, town in sorted(ways_on):
            pick = self._approach(leaders, town)
            if pick is not None:
                return pick
        return None

    # 13.2.6

    def attack(self) -> OptionChoice | None:
        """Make the attack with the highest value if it is worthwhile."""
        options = [
            with_worth(option, self._attack_value(option))
            for option in self._attack_options()
            if option.worth >= _ATTACK_MIN_DIFFERENCE
        ]
        return self.choose_best(
            [option for option in options if option.worth >= _ATTACK_MIN_VALUE], highest_value()
        )

    def _attack_options(self) -> Iterator[RankedOption]:
        """Yield all attacks in reach. Their worth is the expected difference."""
        for leaders in legal_orders.leader_groups(self.view, "empire", largest=True):
            if not self.must_stay(leaders):
                for point in legal_orders.reachable_points(self.view, leaders).foes:
                    option = self._attack_option(leaders, point)
                    if option is not None:
                        yield option
        for town in self.view.sieges:
            inside = leaders_at(self.view, town, "empire")
            if inside:
                worth = expected_difference(self.view, Attack("empire", inside, town, None))
                yield RankedOption(Assault(at=town), inside[0], town, worth)

    def _attack_option(self, leaders: tuple[LeaderId, ...], point: Point) -> RankedOption | None:
        try:
            journey = paths.check_march(self.view, "empire", leaders, (point,))
        except IllegalOrder:
            return None
        order = Move(leaders=leaders, path=(point,))
        gunned = replace_fields(order, guns=True)
        has_guns = NAVAL_GUNS_EVENT in self.view.kept and self.allows(gunned)
        bonus = ((NAVAL_GUNS_EVENT, self.box.events[NAVAL_GUNS_EVENT].number),) if has_guns else ()
        worth = expected_difference(self.view, Attack("empire", leaders, point, journey.last, bonus))
        return RankedOption(gunned if has_guns else order, leaders[0], point, worth)

    def _attack_value(self, option: RankedOption) -> float:
        """Return the value of an attack from the difference and its other gains. Source: ruling 13.2.6."""
        assert option.at is not None
        assert option.leader is not None
        at, start = option.at, self.view.leaders[option.leader].at
        place = self.board.places[at]
        value = min(option.worth, _MAX_DIFFERENCE_COUNTED)
        if "political" in place.flags:
            value += _CENTRE_VALUE
        goal = self.nearest(start, self.boer_centres)
        if goal is not None:
            leads = self.board.distance(at, goal) < self.board.distance(start, goal)
            value += _TOWARDS_CENTRE_VALUE if leads else _ASTRAY_VALUE if self.view.turn == 2 else 0
        return value + (0 if place.is_republic else _COLONY_VALUE)

    def must_stay(self, leaders: Sequence[LeaderId]) -> bool:
        """Return whether these leaders are the only force of a siege town with Boers near."""
        at = self.view.leaders[leaders[0]].at
        if not self.board.places[at].is_siege_town or sp_at(self.view, at, "empire") > self.strength(leaders):
            return False
        return any(self.board.distance(at, foe) <= _TOWN_GUARD_LINKS for foe in self.foes)

    # 13.2.4, 13.2.7

    def reinforce_first(self) -> OptionChoice | None:
        """Reinforce in the first slot of an odd round."""
        return self.reinforce() if self.is_first_slot and self.view.round % 2 else None

    def reinforce(self) -> OptionChoice | None:
        """Reinforce a Commander-in-Chief on the map first, then the best Command, then leaders in the box."""
        options = [
            RankedOption(Reinforce(leader=leader), leader, self.view.leaders[leader].at)
            for leader in leaders_of(self.view, "empire")
        ]
        for leader in self.view.boxes["empire"]:
            options += [
                RankedOption(Reinforce(leader=leader, at=at), leader, at) for at in empire_ports(self.view)
            ]
        chief = Criterion[RankedOption](
            sentence("boer_war.criteria.chief"),
            lambda option: 0 if option.leader and self.box.leaders[option.leader].chief else None,
        )
        on_map = Criterion[RankedOption](
            sentence("boer_war.criteria.on_map"),
            lambda option: 0 if option.leader in self.view.leaders else None,
        )
        return self.choose_best(options, on_map, chief)

    # 13.2.9 to 13.2.12

    def advance(self) -> OptionChoice | None:
        """Move the largest stack towards its objective, on foot or by rail, to a safe point."""
        free = legal_orders.leader_groups(self.view, "empire", largest=True)
        largest = min(
            (leaders for leaders in free if not self.must_stay(leaders)), key=self._group_rank, default=None
        )
        if largest is None or self.has_moved(largest):
            return None
        goal = self._objective(self._point_of(largest))
        return None if goal is None else self._approach(largest, goal)

    def _group_rank(self, leaders: tuple[LeaderId, ...]) -> tuple[int, int, tuple[LeaderId, ...]]:
        """Return a sort key of a group: more SP first, then the higher Command, then the code."""
        return -self.strength(leaders), -self.box.leaders[leaders[0]].command, leaders

    def _objective(self, start: Point) -> Point | None:
        """Return the nearest besieged town, otherwise the nearest objective that the Boers hold, or None."""
        held = [point for point in _EMPIRE_OBJECTIVES if self.view.control[point] == "boers"]
        return self.nearest(start, self.view.sieges) or self.nearest(start, held)

    def _approach(self, leaders: tuple[LeaderId, ...], goal: Point) -> OptionChoice | None:
        reach = legal_orders.reachable_points(self.view, leaders)
        here = self.board.distance(reach.start, goal)
        own = self.strength(leaders)
        options = self._march_options(leaders, reach.free, goal, here) + self._rail_options(
            leaders, reach.rail, goal, here
        )
        safe = [
            option for option in options if self._is_supplied(option.at) and self._is_safe(option.at, own)
        ]
        near = Criterion[RankedOption](
            sentence("boer_war.criteria.closest_objective"), lambda option: self._distance(option.at, goal)
        )
        foot = Criterion[RankedOption](
            sentence("boer_war.criteria.on_foot"),
            lambda option: 0 if isinstance(option.order, Move) else None,
        )
        return self.choose_best(safe, near, foot)

    def _is_safe(self, at: Point | None, own: int) -> bool:
        """Return whether Boers next to a point are at most one SP stronger than the Empire would be there."""
        return (
            at is not None and self.strongest_beside(at, "boers") <= own + sp_at(self.view, at, "empire") + 1
        )

    def concentrate(self) -> OptionChoice | None:
        """Move smaller groups towards the largest stack, the nearest first."""
        free = [leader for leader in leaders_of(self.view, "empire") if not is_besieged(self.view, leader)]
        if not free:
            return None
        stands = {self.view.leaders[leader].at for leader in free}
        goal = max(sorted(stands), key=lambda point: sp_at(self.view, point, "empire"))
        coming = [
            group
            for group in self.unmoved_groups()
            if self._point_of(group) != goal and not self.must_stay(group)
        ]
        for leaders in sorted(
            coming, key=lambda group: (self.board.distance(self._point_of(group), goal), group)
        ):
            pick = self._approach(leaders, goal)
            if pick is not None:
                return pick
        return None

    def _point_of(self, leaders: Sequence[LeaderId]) -> Point:
        return self.view.leaders[leaders[0]].at

    def entrench(self) -> OptionChoice | None:
        """Entrench the force next to the largest Boer force."""
        options = [
            RankedOption(Entrench(at=point), None, point, self.strongest_beside(point, "boers"))
            for point in sorted({self.view.leaders[leader].at for leader in leaders_of(self.view, "empire")})
        ]
        faced = Criterion[RankedOption](
            sentence("boer_war.criteria.beside_largest_boers"), lambda option: -option.worth
        )
        return self.choose_best([option for option in options if option.worth], faced)


def with_worth(option: RankedOption, worth: float) -> RankedOption:
    """Return an option with another worth."""
    return RankedOption(option.order, option.leader, option.at, worth)


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
