"""The bot of the Boers in Turns I and II: take the towns and block the relief. Source: ruling 13.3."""

from collections.abc import Iterator, Sequence

from games.boer_war import legal_orders, paths
from games.boer_war.battles import Attack, expected_difference
from games.boer_war.board import shortest_path
from games.boer_war.bots.base import ItemAttempt, OptionChoice, PriorityBot, RankedOption, highest_value
from games.boer_war.components import LeaderId, Point, Side
from games.boer_war.model import (
    Assault,
    Cut,
    Entrench,
    IllegalOrder,
    Move,
    Reinforce,
    Siege,
    is_besieging,
    leaders_at,
    leaders_of,
    sp_at,
)
from games.boer_war.works import raidable_links
from games.messages import sentence
from games.priorities import Criterion

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
