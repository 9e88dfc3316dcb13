"""The bots of the Boers.

In Turns I and II they take the towns and block the relief: ruling 13.3. In Turns III and IV they recruit, cut
railways and escape: ruling 13.5.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from games.boer_war import legal_orders, paths
from games.boer_war.battles import Attack, expected_difference
from games.boer_war.board import shortest_path
from games.boer_war.bots.base import (
    ItemAttempt,
    OptionChoice,
    PriorityBot,
    RankedOption,
    fewest_lines,
    highest_value,
)
from games.boer_war.components import LeaderId, Link, Point, Side
from games.boer_war.model import (
    Assault,
    Cut,
    Entrench,
    IllegalOrder,
    Move,
    Raid,
    Reinforce,
    Siege,
    Trek,
    best_command,
    is_besieging,
    leaders_at,
    leaders_of,
    sp_at,
)
from games.boer_war.reinforcements import recruit_obstacle, recruit_obstacle_at
from games.boer_war.works import camp_sites, raidable_links, repairable_cuts
from games.messages import sentence
from games.priorities import Criterion
from games.record import replace_fields

_MIN_DIFFERENCE, _SIEGE_MIN_SP, _INVEST_MAX_LINKS = 2.0, 2, 5
"""The least expected difference of an attack, the least SP of a siege, and the most links to the town."""

_STACK_MIN_SP, _STACKS_BLOCKED, _BLOCK_SP, _BLOCK_LINKS_AHEAD = 3, 2, 3, 2
"""The least SP of a stack that Boers block, the number of such stacks, the SP of a block, its distance."""

_STORM_MIN_DIFFERENCE = 0.5
_THREAT_MIN_SP, _CUT_MIN_UNSUPPLIED = 2, 4
"""The adjacent Empire SP that a force entrenches against, and the least SP that a cut must starve."""


class BoersRegular(PriorityBot):
    """The list of priorities of ruling 13.3."""

    clause = "13.3"
    side: Side = "boers"
    events = ("B01", "B02", "B03", "B07", "B04", "B05", "B06")

    def items(self) -> Sequence[tuple[str, ItemAttempt]]:
        """Return the eleven items in order. The twelfth is to pass."""
        return (
            (sentence("boer_war.reasons.storm"), self.storm),
            (sentence("boer_war.reasons.event"), self.play_event),
            (sentence("boer_war.reasons.promising_attack"), self.attack),
            (sentence("boer_war.reasons.cut_supply"), self.cut),
            (sentence("boer_war.reasons.invest"), self.invest),
            (sentence("boer_war.reasons.siege"), self.siege),
            (sentence("boer_war.reasons.take_target"), self.take),
            (sentence("boer_war.reasons.reinforce_facing"), self.reinforce),
            (sentence("boer_war.reasons.reorganize"), self.reorganize),
            (sentence("boer_war.reasons.block"), self.block),
            (sentence("boer_war.reasons.entrench"), self.entrench),
        )

    def storm(self) -> OptionChoice | None:
        """Storm the town with the highest expected difference."""
        options = [
            RankedOption(
                Assault(at=town),
                here[0],
                town,
                expected_difference(self.view, Attack("boers", here, town, None)),
            )
            for town in self.view.sieges
            if (here := leaders_at(self.view, town, "boers"))
        ]
        return self.choose_best(
            [option for option in options if option.worth >= _STORM_MIN_DIFFERENCE], highest_value()
        )

    def cut(self) -> OptionChoice | None:
        """Cut the link that most SP of Empire leaders depend on for their supply."""
        unfed = legal_orders.supply_changes(self.view, raidable_links(self.view))
        return self.choose_best(
            [
                RankedOption(Cut(link=link), worth=sp)
                for link, sp in unfed.items()
                if sp >= _CUT_MIN_UNSUPPLIED
            ],
            highest_value(),
        )

    def take(self) -> OptionChoice | None:
        """Send the nearest leader who isn't needed at a siege towards an Empire objective without SP."""
        goals = [
            point
            for point in self.board.flagged["target"]
            if self.view.control[point] == "empire" and point not in self.foes
        ]
        options = [option for goal in goals for option in self._march_options(goal)]
        return self.choose_best(
            options, Criterion(sentence("boer_war.criteria.nearest_leader"), lambda option: option.worth)
        )

    def _march_options(self, goal: Point) -> Iterator[RankedOption]:
        """Yield moves to a point or closer to it, but not next to a stronger enemy. Worth: the distance."""
        for leader in leaders_of(self.view, "boers"):
            there = self.view.leaders[leader]
            far = self.board.distance(there.at, goal)
            if far > _INVEST_MAX_LINKS or self.has_moved((leader,)) or self.raises_siege((leader,)):
                continue
            free = legal_orders.reachable_points(self.view, (leader,)).free
            to = goal if goal in free else self.nearest(goal, free)
            if (
                to is None
                or self.board.distance(to, goal) >= far
                or self.strongest_beside(to, "empire") > there.sp
            ):
                continue
            yield RankedOption(Move(leaders=(leader,), path=(to,)), leader, goal, far)

    def siege(self) -> OptionChoice | None:
        """Roll for the siege that is nearest to its end, one in each round before the first town falls."""
        if not self.view.fallen and any(mark.startswith("siege ") for mark in self.view.used):
            return None

        def steps_left(option: RankedOption) -> float:
            assert option.at is not None
            return self.board.places[option.at].resistance - self.view.sieges[option.at]

        options = [
            RankedOption(Siege(at=town), None, town)
            for town in self.view.sieges
            if sp_at(self.view, town, "boers") >= _SIEGE_MIN_SP
        ]
        return self.choose_best(options, Criterion(sentence("boer_war.criteria.nearest_end"), steps_left))

    def attack(self) -> OptionChoice | None:
        """Make the attack with the highest expected difference, except on siege towns."""
        return self.choose_best(
            [option for option in self._attack_options() if option.worth >= _MIN_DIFFERENCE], highest_value()
        )

    def _attack_options(self) -> Iterator[RankedOption]:
        for leaders in legal_orders.leader_groups(self.view, "boers"):
            if self.raises_siege(leaders):
                continue
            for point in legal_orders.reachable_points(self.view, leaders).foes:
                if self.board.places[point].is_siege_town:
                    continue
                try:
                    journey = paths.check_march(self.view, "boers", leaders, (point,))
                except IllegalOrder:
                    continue
                worth = expected_difference(self.view, Attack("boers", leaders, point, journey.last))
                yield RankedOption(Move(leaders=leaders, path=(point,)), leaders[0], point, worth)

    def raises_siege(self, leaders: Sequence[LeaderId]) -> bool:
        """Return whether a siege would end if these leaders left."""
        at = self.view.leaders[leaders[0]].at
        return is_besieging(self.view, at) and sp_at(self.view, at, "boers") <= self.strength(leaders)

    def invest(self) -> OptionChoice | None:
        """Send the nearest leader with enough SP to a town that isn't besieged."""
        towns = [
            point
            for point, place in self.board.places.items()
            if place.is_siege_town and point not in self.view.sieges and self.view.control[point] == "empire"
        ]
        options = [option for town in towns for option in self._invest_options(town)]
        return self.choose_best(
            options, Criterion(sentence("boer_war.criteria.nearest_leader"), lambda option: option.worth)
        )

    def _invest_options(self, town: Point) -> Iterator[RankedOption]:
        """Yield moves of near leaders into a town or closer to it. Their worth is the distance."""
        for leader in leaders_of(self.view, "boers"):
            there = self.view.leaders[leader]
            far = self.board.distance(there.at, town)
            if there.sp < _SIEGE_MIN_SP or far > _INVEST_MAX_LINKS or self.has_moved((leader,)):
                continue
            if self.raises_siege((leader,)):
                continue
            reach = legal_orders.reachable_points(self.view, (leader,))
            goal = town if town in reach.foes or town in reach.free else self.nearest(town, reach.free)
            if goal is not None and self.board.distance(goal, town) < far:
                yield RankedOption(Move(leaders=(leader,), path=(goal,)), leader, town, far)

    def reinforce(self) -> OptionChoice | None:
        """Reinforce the leader next to the largest Empire force."""

        def faces(option: RankedOption) -> float:
            assert option.at is not None
            return -max(self.strongest_beside(option.at, "empire"), sp_at(self.view, option.at, "empire"))

        options = [
            RankedOption(Reinforce(leader=leader), leader, self.view.leaders[leader].at)
            for leader in leaders_of(self.view, "boers")
        ]
        return self.choose_best(options, Criterion(sentence("boer_war.criteria.facing_largest"), faces))

    def block(self) -> OptionChoice | None:
        """Put a force ahead of the largest Empire stacks, first in hills or behind a river."""
        stacks = [point for point in sorted(self.foes) if sp_at(self.view, point, "empire") >= _STACK_MIN_SP]
        stacks = [point for point in stacks if point not in self.view.sieges]
        stacks.sort(key=lambda point: -sp_at(self.view, point, "empire"))
        for stack in stacks[:_STACKS_BLOCKED]:
            pick = self._block_stack(stack)
            if pick is not None:
                return pick
        return None

    def _block_stack(self, stack: Point) -> OptionChoice | None:
        goal = self.nearest(stack, self.boer_centres)
        way = shortest_path(self.board.near, stack, goal, lambda _here, _there: True) if goal else None
        ahead = [point for point in (way or ())[:_BLOCK_LINKS_AHEAD] if point not in self.foes]
        if not ahead or any(sp_at(self.view, point, "boers") >= _BLOCK_SP for point in ahead):
            return None
        options = [
            option for leaders in self.unmoved_groups() for option in self._block_options(leaders, ahead)
        ]
        rough = Criterion[RankedOption](
            sentence("boer_war.criteria.rough_terrain"),
            lambda option: 0 if option.at and self.board.places[option.at].terrain != "open" else None,
        )
        near = Criterion[RankedOption](
            sentence("boer_war.criteria.nearest_stack"),
            lambda option: ahead.index(option.at) if option.at else 9,
        )
        close = Criterion[RankedOption](
            sentence("boer_war.criteria.shortest_march"), lambda option: option.worth
        )
        return self.choose_best(options, rough, near, close)

    def _block_options(
        self, leaders: tuple[LeaderId, ...], points: Sequence[Point]
    ) -> Iterator[RankedOption]:
        """Yield moves to some points. Their worth is the distance."""
        if self.raises_siege(leaders) or self.view.leaders[leaders[0]].at in points:
            return
        free = legal_orders.reachable_points(self.view, leaders).free
        for point in points:
            if point in free:
                yield RankedOption(Move(leaders=leaders, path=(point,)), leaders[0], point, free[point])

    def entrench(self) -> OptionChoice | None:
        """Entrench besiegers first, then a force next to a strong Empire force."""
        held = sorted({self.view.leaders[leader].at for leader in leaders_of(self.view, "boers")})
        options = [
            RankedOption(Entrench(at=point), None, point, self.strongest_beside(point, "empire"))
            for point in held
            if point in self.view.sieges or self.strongest_beside(point, "empire") >= _THREAT_MIN_SP
        ]
        besiegers = Criterion[RankedOption](
            sentence("boer_war.criteria.besiegers"),
            lambda option: 0 if option.at in self.view.sieges else None,
        )
        return self.choose_best(
            options,
            besiegers,
            Criterion(sentence("boer_war.criteria.beside_largest"), lambda option: -option.worth),
        )


_MIN_ADVANTAGE, _RING_COLUMNS = 1, 3
"""The least advantage of an attack, and the number of columns that make a ring."""


class BoersGuerrilla(PriorityBot):
    """The list of priorities of ruling 13.5."""

    clause = "13.5"
    side: Side = "boers"
    events = ("B11", "B09", "B06", "B12", "B10", "B08")

    def items(self) -> Sequence[tuple[str, ItemAttempt]]:
        """Return the nine items in order. The tenth is to pass."""
        return (
            (sentence("boer_war.reasons.recruit"), self.recruit),
            (sentence("boer_war.reasons.cut_off_sites"), self.raid),
            (sentence("boer_war.reasons.event"), self.play_event),
            (sentence("boer_war.reasons.slip_out"), self.slip_out),
            (sentence("boer_war.reasons.ride"), self.ride),
            (sentence("boer_war.reasons.strike"), self.attack),
            (sentence("boer_war.reasons.wreck"), self.wreck),
            (sentence("boer_war.reasons.trek"), self.trek),
            (sentence("boer_war.reasons.reorganize"), self.reorganize),
        )

    # Treks: 13.5.4, 13.5.5, 13.5.8.

    def slip_out(self) -> OptionChoice | None:
        """Move the leader within reach of most columns to a point within reach of fewer, with recruits."""
        if len(self._unmoved_leaders()) < len(leaders_of(self.view, "boers")):
            return None  # only one escape a round, otherwise the Boers do nothing else
        ringed = [leader for leader in self._unmoved_leaders() if self._is_ringed(leader)]
        for leader in sorted(
            ringed, key=lambda leader: (-self._columns_near(self.view.leaders[leader].at), leader)
        ):
            here = self._columns_near(self.view.leaders[leader].at)
            pick = self.choose_best(
                [option for option in self._trek_options(leader) if self._columns_at(option) < here],
                Criterion(sentence("boer_war.criteria.fewest_columns"), self._columns_at),
                Criterion(sentence("boer_war.criteria.recruits"), self._barren_rank),
                fewest_lines(),
                Criterion(sentence("boer_war.criteria.nearest_point"), lambda option: option.worth),
            )
            if pick is not None:
                return pick
        return None

    def trek(self) -> OptionChoice | None:
        """Move the weakest leader who could use recruits and has none at hand to a point with recruits."""
        low = self.box.numbers.reinforcing.recruits_below
        stuck = [
            leader
            for leader in self._unmoved_leaders()
            if self.view.leaders[leader].sp < low and recruit_obstacle(self.view, leader) is not None
        ]
        for leader in sorted(stuck, key=lambda leader: (self.view.leaders[leader].sp, leader)):
            pick = self.choose_best(
                [
                    option
                    for option in self._trek_options(leader)
                    if self._barren_rank(option) == 0 and self._is_quiet(option)
                ],
                fewest_lines(),
                Criterion(sentence("boer_war.criteria.nearest_point"), lambda option: option.worth),
                Criterion(sentence("boer_war.criteria.no_camps_near"), self._camps_to_come),
            )
            if pick is not None:
                return pick
        return None

    def ride(self) -> OptionChoice | None:
        """Move a leader who needs no recruits near a line that most camp sites depend on."""
        low = self.box.numbers.reinforcing.recruits_below
        idle = [leader for leader in self._unmoved_leaders() if self.view.leaders[leader].sp >= low]
        options = [
            RankedOption(option.order, option.leader, option.at, gain, option.lines)
            for leader in idle
            for option in self._trek_options(leader)
            if (gain := self._sites_near(option.at)) > self._sites_near(self.view.leaders[leader].at)
        ]
        return self.choose_best(
            options,
            highest_value(),
            fewest_lines(),
            Criterion(sentence("boer_war.criteria.fewest_columns"), self._columns_at),
        )

    def _unmoved_leaders(self) -> list[LeaderId]:
        return [leader for leader in leaders_of(self.view, "boers") if not self.has_moved((leader,))]

    def _trek_options(self, leader: LeaderId) -> Iterator[RankedOption]:
        """Yield a TREK to each free point over the fewest lines of blockhouses. Its worth is its length."""
        if not self.view.blockhouses or not self.box.numbers.blockhouse.ends:
            for point, far in legal_orders.reachable_points(self.view, (leader,)).free.items():
                yield RankedOption(Trek(leader=leader, path=(point,)), leader, point, far)
            return
        start = self.view.leaders[leader].at
        for point, ride in self._trek_paths_of(leader).items():
            if point != start and point not in self.foes:
                yield RankedOption(
                    Trek(leader=leader, path=ride.path), leader, point, len(ride.path), ride.lines
                )

    def _trek_paths_of(self, leader: LeaderId) -> Mapping[Point, legal_orders.TrekPath]:
        if leader not in self._trek_path_cache:
            self._trek_path_cache[leader] = legal_orders.trek_paths(self.view, leader)
        return self._trek_path_cache[leader]

    @cached_property
    def _trek_path_cache(self) -> dict[LeaderId, Mapping[Point, legal_orders.TrekPath]]:
        return {}

    def _columns_near(self, point: Point) -> int:
        """Return the number of columns with a point within their Move."""
        return len(legal_orders.columns_near(self.view, point))

    def _is_ringed(self, leader: LeaderId) -> bool:
        at, empire = self.view.leaders[leader].at, leaders_of(self.view, "empire")
        return sum(paths.path_to(self.view, column, at) is not None for column in empire) >= _RING_COLUMNS

    def _columns_at(self, option: RankedOption) -> float:
        assert option.at is not None
        return self._columns_near(option.at)

    def _barren_rank(self, option: RankedOption) -> float:
        assert option.at is not None
        return int(recruit_obstacle_at(self.view, option.at) is not None)

    def _is_quiet(self, option: RankedOption) -> bool:
        return option.at is not None and not self.strongest_beside(option.at, "empire")

    def _camps_to_come(self, option: RankedOption) -> float:
        """Return the number of sites where a camp would end recruiting at the option's point."""
        at = option.at
        return sum(at is not None and self.board.distance(at, site) <= 1 for site in camp_sites(self.view))

    def _sites_near(self, point: Point | None) -> int:
        """Return the most camp sites that one cut at or next to a point would separate from the ports."""
        assert point is not None
        near = (point, *self.board.near[point])
        links = {self.board.link(here, there) for here in near for there in self.board.rails[here]}
        return max((self._sites_by_cut.get(link, 0) for link in links if link), default=0)

    # The railway: 13.5.2, 13.5.7.

    @cached_property
    def _sites_by_cut(self) -> Mapping[Link, int]:
        return legal_orders.sites_cut_off(self.view, camp_sites(self.view))

    def raid(self) -> OptionChoice | None:
        """Raid the link whose cut separates most ready camp sites from the ports."""
        return self._choose_raid(
            link for link in raidable_links(self.view) if self._sites_by_cut.get(link, 0)
        )

    def wreck(self) -> OptionChoice | None:
        """Raid a link whose cut separates camp sites from the ports, with or without Empire SP."""
        carried = legal_orders.sites_cut_off(self.view, legal_orders.connected_camp_sites(self.view))
        return self._choose_raid(link for link in raidable_links(self.view) if link in carried)

    def _choose_raid(self, links: Iterable[Link]) -> OptionChoice | None:
        options = [RankedOption(Raid(link=link), worth=self._sites_by_cut.get(link, 0)) for link in links]
        lonely = Criterion[RankedOption](sentence("boer_war.criteria.no_repair"), self._repair_rank)
        open_line = Criterion[RankedOption](
            sentence("boer_war.criteria.no_blockhouse"), self._blockhouse_rank
        )
        return self.choose_best(options, lonely, highest_value(), open_line)

    def _repair_rank(self, option: RankedOption) -> float:
        assert isinstance(option.order, Raid)
        link = option.order.link
        return int(link in repairable_cuts(replace_fields(self.view, cuts=(*self.view.cuts, link))))

    def _blockhouse_rank(self, option: RankedOption) -> float:
        assert isinstance(option.order, Raid)
        return int(option.order.link in self.view.blockhouses)

    # Recruits and attacks: 13.5.1, 13.5.6.

    def recruit(self) -> OptionChoice | None:
        """Recruit for the leader with the fewest SP who can recruit."""
        options = [
            RankedOption(
                Reinforce(leader=leader), leader, self.view.leaders[leader].at, self.view.leaders[leader].sp
            )
            for leader in leaders_of(self.view, "boers")
        ]
        return self.choose_best(
            options, Criterion(sentence("boer_war.criteria.fewest_sp"), lambda option: option.worth)
        )

    def attack(self) -> OptionChoice | None:
        """Attack possible camp sites first, then with the greatest advantage."""
        sites = camp_sites(self.view)
        camps = Criterion[RankedOption](
            sentence("boer_war.criteria.camp_possible"), lambda option: 0 if option.at in sites else None
        )
        return self.choose_best(
            [option for option in self._attack_options() if option.worth >= _MIN_ADVANTAGE],
            camps,
            highest_value(),
        )

    def _attack_options(self) -> Iterator[RankedOption]:
        for leader in leaders_of(self.view, "boers"):
            for point in legal_orders.reachable_points(self.view, (leader,)).foes:
                if self._is_worth_attacking(point):
                    worth = self._advantage(leader, point)
                    yield RankedOption(Trek(leader=leader, path=(point,)), leader, point, worth)

    def _is_worth_attacking(self, point: Point) -> bool:
        """Return whether a victory there gains something, because of a column or a possible camp.

        The Boers can't take points in these Turns, so garrisons elsewhere are not worth an attack. Neither
        are camp sites in the colonies, which don't end recruiting.
        """
        if leaders_at(self.view, point, "empire"):
            return True
        return self.board.places[point].is_republic and point in camp_sites(self.view)

    def _advantage(self, leader: LeaderId, point: Point) -> int:
        """Return the advantages of an attack minus its disadvantages. Source: ruling 13.5."""
        own, foe = self.view.leaders[leader].sp, sp_at(self.view, point, "empire")
        advantage = self.box.leaders[leader].command + 1
        advantage += not self.board.on_rail(point)
        advantage += own >= 2 * foe
        advantage -= best_command(self.view, leaders_at(self.view, point, "empire"))
        return advantage - (foe >= 2 * own) - (foe >= 4 * own)
