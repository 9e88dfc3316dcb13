"""The Empire in Turns I and II: relieve the towns, then the march on the republics' capitals. Ruling 13.2."""

from collections.abc import Iterable, Iterator, Sequence

from games.boer_war import prospects, rails, ways
from games.boer_war.bots.officer import WORTH, Attempt, Officer, Option, Pick
from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.estimate import Attack, expected_difference
from games.boer_war.forces import is_besieged, leaders_at, leaders_of, sp_at
from games.boer_war.lawful import GUNS
from games.boer_war.model import Assault, Entrench, Move, Rail, Reinforce, Repair
from games.boer_war.reserves import empire_ports
from games.boer_war.unlawful import Unlawful
from games.boer_war.works import repairable
from games.priorities import Criterion
from games.record import changed

_OBJECTIVES = tuple(Point(one) for one in ("COL", "SPR", "BLO", "KRO", "JOH", "PRE"))
_MAIN_FORCE, _URGENT, _GUARDED = 5, 3, 3
"""SP of the main effort; the siege level that comes before it; links within which Boers threaten a town."""

_UNFED = 2
"""SP out of supply for which a railway is repaired."""

_WORTHWHILE, _VALUE = 0.5, 1.0
_MOST, _RELIEF, _CENTRE, _WAY, _ASTRAY, _COLONY = 6.0, 3, 4, 3, -4, 1
"""What an attack is worth: of the difference at most, for a town, a centre, the way there, a colony."""


class EmpireRegular(Officer):
    """The list of ruling 13.2."""

    clause = "13.2"
    side: Side = "empire"
    events = ("E06", "E03", "E01", "E07", "E04", "E05", "E02")

    def lines(self) -> Sequence[tuple[str, Attempt]]:
        """The eleven items in order, the twelfth being to pass."""
        return (
            ("Repair what puts SP out of supply", self.repair),
            ("The main effort against the nearest centre", self.main_effort),
            ("First slot of an odd round, reinforce", self.reinforce_first),
            ("First slot of an even round, an event", self.event),
            ("A worthwhile attack", self.attack),
            ("Reinforce the best leader", self.reinforce),
            ("Reorganize what is scattered", lambda: self.reorganize(2)),
            ("Advance the largest stack on the nearest objective", self.advance),
            ("Bring smaller leaders up to the largest", self.concentrate),
            ("Reorganize", self.reorganize),
            ("Entrench", self.entrench),
        )

    # 13.2.1

    def repair(self) -> Pick | None:
        """The cut without which most SP of leaders would be in supply again; else the nearest go there."""
        fed = prospects.unfed(self.view, repairable(self.view))
        mended = self.pick(
            [Option(Repair(links=(link,)), worth=sp) for link, sp in fed.items() if sp >= _UNFED], WORTH
        )
        return mended or self._mend()

    def _mend(self) -> Pick | None:
        """Where men have to stand at a cut, the nearest go to an end of the one that starves most SP."""
        if self.box.numbers.markers.repair_near:
            return None
        fed = {link: sp for link, sp in prospects.unfed(self.view, self.view.cuts).items() if sp >= _UNFED}
        groups = [leaders for leaders in self.fresh() if not self.stays(leaders)] if fed else []
        for link in sorted(fed, key=lambda one: (-fed[one], one)):
            ends = [end for end in self.board.ends(link) if end not in self.foes]
            ways_on = [(self.board.apart(self._at(one), end), one, end) for one in groups for end in ends]
            for _, leaders, end in sorted(ways_on):
                pick = self._approach(leaders, end)
                if pick is not None:
                    return pick
        return None

    # 13.2.2

    def main_effort(self) -> Pick | None:
        """The strongest stack of a Commander-in-Chief goes for the nearest centre."""
        urgent = any(level >= _URGENT for level in self.view.sieges.values())
        if self.view.turn != 2 or not self.boer_centres or urgent:
            return None
        stacks = [
            leaders
            for leaders in prospects.groups(self.view, "empire", largest=True)
            if self.box.leaders[leaders[0]].chief and self.strength(leaders) >= _MAIN_FORCE
        ]
        for leaders in sorted(stacks, key=self._rank):
            pick = self._go_for(leaders)
            if pick is not None:
                return pick
        return None

    def _go_for(self, leaders: tuple[LeaderId, ...]) -> Pick | None:
        """Walk in, march closer, attack what bars the way, or close up by rail."""
        reach = prospects.reach(self.view, leaders)
        goal = self.nearest(reach.start, self.boer_centres)
        assert goal is not None
        may_go = not self.has_moved(leaders)
        if may_go and goal in reach.free:
            return self.pick([Option(Move(leaders=leaders, path=(goal,)), leaders[0], goal)])
        near = Criterion[Option]("closest to the centre", lambda one: self._far(one.at, goal))
        here = self.board.apart(reach.start, goal)
        supplied = Criterion[Option]("in or next to supply", lambda one: 0 if self._is_fed(one.at) else None)
        march = self._closer(leaders, reach.free, goal, here) if may_go else []
        barred = [
            self._attack(leaders, point)
            for point in reach.foes
            if self.board.apart(point, goal) < here and self.board.apart(reach.start, point) <= 2
        ]
        train = self._trains(leaders, reach.rail, goal, here) if may_go else []
        return (
            self.pick([one for one in march if self._is_fed(one.at)], supplied, near)
            or self.pick([one for one in barred if one is not None and one.worth >= 0], near)
            or self.pick(train, near)
        )

    def _far(self, at: Point | None, goal: Point) -> int:
        return 0 if at is None else self.board.apart(at, goal)

    def _is_fed(self, at: Point | None) -> bool:
        """Whether a point is in supply or next to it."""
        if at is None:
            return False
        near = self.box.numbers.moving.supply + 1
        return any(self.board.apart(at, there) <= near for there in self._railheads)

    @property
    def _railheads(self) -> frozenset[Point]:
        return rails.joined_to_ports(self.view)

    def _closer(
        self, leaders: tuple[LeaderId, ...], points: Iterable[Point], goal: Point, here: int
    ) -> list[Option]:
        return [
            Option(Move(leaders=leaders, path=(point,)), leaders[0], point)
            for point in points
            if self.board.apart(point, goal) < here
        ]

    def _trains(
        self, leaders: tuple[LeaderId, ...], points: Iterable[Point], goal: Point, here: int
    ) -> list[Option]:
        return [
            Option(Rail(leaders=leaders, path=(point,)), leaders[0], point)
            for point in points
            if self.board.apart(point, goal) < here
        ]

    # 13.2.5

    def attack(self) -> Pick | None:
        """The attack of the highest value, if it is worthwhile."""
        options = [
            changed_worth(one, self._value(one)) for one in self._attacks() if one.worth >= _WORTHWHILE
        ]
        return self.pick([one for one in options if one.worth >= _VALUE], WORTH)

    def _attacks(self) -> Iterator[Option]:
        """Every attack in reach; worth: the expected difference."""
        for leaders in prospects.groups(self.view, "empire", largest=True):
            if not self.stays(leaders):
                for point in prospects.reach(self.view, leaders).foes:
                    found = self._attack(leaders, point)
                    if found is not None:
                        yield found
        for town in self.view.sieges:
            inside = leaders_at(self.view, town, "empire")
            if inside:
                worth = expected_difference(self.view, Attack("empire", inside, town, None))
                yield Option(Assault(at=town), inside[0], town, worth)

    def _attack(self, leaders: tuple[LeaderId, ...], point: Point) -> Option | None:
        try:
            journey = ways.march(self.view, "empire", leaders, (point,))
        except Unlawful:
            return None
        order = Move(leaders=leaders, path=(point,))
        gunned = changed(order, guns=True)
        has_guns = GUNS in self.view.kept and self.allows(gunned)
        bonus = ((GUNS, self.box.events[GUNS].number),) if has_guns else ()
        worth = expected_difference(self.view, Attack("empire", leaders, point, journey.last, bonus))
        return Option(gunned if has_guns else order, leaders[0], point, worth)

    def _value(self, option: Option) -> float:
        """What an attack is worth beside the difference. Source: ruling 13.2.5."""
        assert option.at is not None
        assert option.leader is not None
        at, start = option.at, self.view.leaders[option.leader].at
        place = self.board.places[at]
        value = min(option.worth, _MOST)
        if at in self.view.sieges:
            value += _RELIEF + self.view.sieges[at]
        if "political" in place.flags:
            value += _CENTRE
        goal = self.nearest(start, self.boer_centres)
        if goal is not None:
            leads = self.board.apart(at, goal) < self.board.apart(start, goal)
            value += _WAY if leads else _ASTRAY if self.view.turn == 2 else 0
        return value + (0 if place.is_republic else _COLONY)

    def stays(self, leaders: Sequence[LeaderId]) -> bool:
        """Whether they are the only force of a siege town while Boers are near."""
        at = self.view.leaders[leaders[0]].at
        if not self.board.places[at].is_siege_town or sp_at(self.view, at, "empire") > self.strength(leaders):
            return False
        return any(self.board.apart(at, foe) <= _GUARDED for foe in self.foes)

    # 13.2.3, 13.2.6

    def reinforce_first(self) -> Pick | None:
        """In the first slot of an odd round."""
        return self.reinforce() if self.is_first_slot and self.view.round % 2 else None

    def reinforce(self) -> Pick | None:
        """The leader with the best Command, a Commander-in-Chief first; then who waits in the box."""
        options = [
            Option(Reinforce(leader=one), one, self.view.leaders[one].at)
            for one in leaders_of(self.view, "empire")
        ]
        for leader in self.view.boxes["empire"]:
            options += [Option(Reinforce(leader=leader, at=at), leader, at) for at in empire_ports(self.view)]
        chief = Criterion[Option](
            "a Commander-in-Chief first",
            lambda one: 0 if one.leader and self.box.leaders[one.leader].chief else None,
        )
        on_map = Criterion[Option]("on the map", lambda one: 0 if one.leader in self.view.leaders else None)
        return self.pick(options, on_map, chief)

    # 13.2.8 to 13.2.11

    def advance(self) -> Pick | None:
        """The largest stack goes on, on foot or by rail, where it is safe."""
        free = prospects.groups(self.view, "empire", largest=True)
        largest = min((one for one in free if not self.stays(one)), key=self._rank, default=None)
        if largest is None or self.has_moved(largest):
            return None
        goal = self._objective(self._at(largest))
        return None if goal is None else self._approach(largest, goal)

    def _rank(self, leaders: tuple[LeaderId, ...]) -> tuple[int, int, tuple[LeaderId, ...]]:
        """More SP first, then the higher Command, then the code."""
        return -self.strength(leaders), -self.box.leaders[leaders[0]].command, leaders

    def _objective(self, start: Point) -> Point | None:
        """The nearest besieged town; else the nearest objective that the Boers hold."""
        held = [one for one in _OBJECTIVES if self.view.control[one] == "boers"]
        return self.nearest(start, self.view.sieges) or self.nearest(start, held)

    def _approach(self, leaders: tuple[LeaderId, ...], goal: Point) -> Pick | None:
        reach = prospects.reach(self.view, leaders)
        here = self.board.apart(reach.start, goal)
        own = self.strength(leaders)
        options = self._closer(leaders, reach.free, goal, here) + self._trains(
            leaders, reach.rail, goal, here
        )
        safe = [one for one in options if self._is_fed(one.at) and self._is_safe(one.at, own)]
        near = Criterion[Option]("closest to the objective", lambda one: self._far(one.at, goal))
        foot = Criterion[Option]("on foot", lambda one: 0 if isinstance(one.order, Move) else None)
        return self.pick(safe, near, foot)

    def _is_safe(self, at: Point | None, own: int) -> bool:
        """Whether no Boer force next to a point is larger than what would stand there by more than one."""
        return at is not None and self.beside(at, "boers") <= own + sp_at(self.view, at, "empire") + 1

    def concentrate(self) -> Pick | None:
        """Smaller leaders come up to the largest stack, the nearest first."""
        free = [one for one in leaders_of(self.view, "empire") if not is_besieged(self.view, one)]
        if not free:
            return None
        stands = {self.view.leaders[one].at for one in free}
        goal = max(sorted(stands), key=lambda point: sp_at(self.view, point, "empire"))
        coming = [one for one in self.fresh() if self._at(one) != goal and not self.stays(one)]
        for leaders in sorted(coming, key=lambda one: (self.board.apart(self._at(one), goal), one)):
            pick = self._approach(leaders, goal)
            if pick is not None:
                return pick
        return None

    def _at(self, leaders: Sequence[LeaderId]) -> Point:
        return self.view.leaders[leaders[0]].at

    def entrench(self) -> Pick | None:
        """A force next to Boers digs in, the one that faces most of them."""
        options = [
            Option(Entrench(at=point), None, point, self.beside(point, "boers"))
            for point in sorted({self.view.leaders[one].at for one in leaders_of(self.view, "empire")})
        ]
        faced = Criterion[Option]("next to the largest Boer force", lambda one: -one.worth)
        return self.pick([one for one in options if one.worth], faced)


def changed_worth(option: Option, worth: float) -> Option:
    """The same option at another worth."""
    return Option(option.order, option.leader, option.at, worth)
