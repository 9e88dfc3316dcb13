"""The bot of the Empire in Turns I and II: relieve the towns, then march on the capitals of the republics.

Source: ruling 13.2.
"""

from collections.abc import Iterable, Iterator, Sequence

from games.boer_war import legal_orders, paths
from games.boer_war.battles import Attack, expected_difference
from games.boer_war.bots.base import ItemAttempt, OptionChoice, PriorityBot, RankedOption, highest_value
from games.boer_war.components import LeaderId, Point, Side
from games.boer_war.legality import NAVAL_GUNS_EVENT
from games.boer_war.model import (
    Assault,
    Entrench,
    IllegalOrder,
    Move,
    Rail,
    Reinforce,
    Repair,
    is_besieged,
    leaders_at,
    leaders_of,
    sp_at,
)
from games.boer_war.reinforcements import empire_ports
from games.boer_war.works import repairable_cuts
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
