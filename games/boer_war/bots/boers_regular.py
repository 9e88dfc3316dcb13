"""The Boers in Turns I and II: take the towns, and stand in the way of relief. Source: ruling 13.3."""

from collections.abc import Iterator, Sequence

from games.boer_war import prospects, ways
from games.boer_war.board import shortest
from games.boer_war.bots.officer import WORTH, Attempt, Officer, Option, Pick
from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.estimate import Attack, expected_difference
from games.boer_war.forces import is_besieging, leaders_at, leaders_of, sp_at
from games.boer_war.model import Assault, Cut, Entrench, Move, Reinforce, Siege
from games.boer_war.unlawful import Unlawful
from games.boer_war.works import raidable
from games.priorities import Criterion

_SURE, _SIEGE_SP, _INVEST_FAR = 2.0, 2, 5
"""The difference that an attack must promise; SP that begin a siege, and from how far they come."""

_STACK, _STACKS, _BLOCK, _AHEAD = 3, 2, 3, 2
"""Empire stacks that are blocked, how many, with how many SP, and how far ahead."""

_STORM = 0.5
_THREAT, _UNFED = 2, 4
"""Empire SP before which a leader digs in; that a cut must put out of supply."""


class BoersRegular(Officer):
    """The list of ruling 13.3."""

    clause = "13.3"
    side: Side = "boers"
    events = ("B01", "B02", "B03", "B07", "B04", "B05", "B06")

    def lines(self) -> Sequence[tuple[str, Attempt]]:
        """The nine items in order, the tenth being to pass."""
        return (
            ("Storm a besieged town", self.storm),
            ("First slot of an even round, an event", self.event),
            ("A promising attack", self.attack),
            ("Cut the railway that feeds most Empire SP", self.cut),
            ("Invest a town not yet besieged", self.invest),
            ("Press the siege that is nearest to its end, one a round", self.siege),
            ("Take a target that nobody holds", self.take),
            ("Reinforce the leader who faces the largest enemy", self.reinforce),
            ("Reorganize", self.reorganize),
            ("Block the way of the largest Empire stacks", self.block),
            ("Entrench", self.entrench),
        )

    def storm(self) -> Pick | None:
        """The town whose garrison is expected to be beaten by most."""
        options = [
            Option(
                Assault(at=town),
                here[0],
                town,
                expected_difference(self.view, Attack("boers", here, town, None)),
            )
            for town in self.view.sieges
            if (here := leaders_at(self.view, town, "boers"))
        ]
        return self.pick([one for one in options if one.worth >= _STORM], WORTH)

    def cut(self) -> Pick | None:
        """The link without which most SP of Empire leaders would be out of supply."""
        unfed = prospects.unfed(self.view, raidable(self.view))
        return self.pick(
            [Option(Cut(link=link), worth=sp) for link, sp in unfed.items() if sp >= _UNFED], WORTH
        )

    def take(self) -> Pick | None:
        """The nearest leader whom no siege needs goes to a target of the Empire's without SP, or closer."""
        goals = [
            one
            for one in self.board.flagged["target"]
            if self.view.control[one] == "empire" and one not in self.foes
        ]
        options = [option for goal in goals for option in self._marches(goal)]
        return self.pick(options, Criterion("the nearest leader", lambda one: one.worth))

    def _marches(self, goal: Point) -> Iterator[Option]:
        """Moves into a point or closer to it, nobody stronger being beside; worth: how far it was."""
        for leader in leaders_of(self.view, "boers"):
            there = self.view.leaders[leader]
            far = self.board.apart(there.at, goal)
            if far > _INVEST_FAR or self.has_moved((leader,)) or self.raises_siege((leader,)):
                continue
            free = prospects.reach(self.view, (leader,)).free
            to = goal if goal in free else self.nearest(goal, free)
            if to is None or self.board.apart(to, goal) >= far or self.beside(to, "empire") > there.sp:
                continue
            yield Option(Move(leaders=(leader,), path=(to,)), leader, goal, far)

    def siege(self) -> Pick | None:
        """The siege that is nearest to its end, where none was pressed in this round."""
        if not self.view.fallen and any(mark.startswith("siege ") for mark in self.view.used):
            return None

        def left(option: Option) -> float:
            assert option.at is not None
            return self.board.places[option.at].resistance - self.view.sieges[option.at]

        options = [
            Option(Siege(at=town), None, town)
            for town in self.view.sieges
            if sp_at(self.view, town, "boers") >= _SIEGE_SP
        ]
        return self.pick(options, Criterion("nearest to its end", left))

    def attack(self) -> Pick | None:
        """The attack of the highest expected difference, two or more, and on no siege town."""
        return self.pick([one for one in self._attacks() if one.worth >= _SURE], WORTH)

    def _attacks(self) -> Iterator[Option]:
        for leaders in prospects.groups(self.view, "boers"):
            if self.raises_siege(leaders):
                continue
            for point in prospects.reach(self.view, leaders).foes:
                if self.board.places[point].is_siege_town:
                    continue
                try:
                    journey = ways.march(self.view, "boers", leaders, (point,))
                except Unlawful:
                    continue
                worth = expected_difference(self.view, Attack("boers", leaders, point, journey.last))
                yield Option(Move(leaders=leaders, path=(point,)), leaders[0], point, worth)

    def raises_siege(self, leaders: Sequence[LeaderId]) -> bool:
        """Whether nobody would besiege a town any more if they went."""
        at = self.view.leaders[leaders[0]].at
        return is_besieging(self.view, at) and sp_at(self.view, at, "boers") <= self.strength(leaders)

    def invest(self) -> Pick | None:
        """The nearest leader with two SP or more goes for a town that nobody besieges."""
        towns = [
            point
            for point, place in self.board.places.items()
            if place.is_siege_town and point not in self.view.sieges and self.view.control[point] == "empire"
        ]
        options = [option for town in towns for option in self._goes_for(town)]
        return self.pick(options, Criterion("the nearest leader", lambda one: one.worth))

    def _goes_for(self, town: Point) -> Iterator[Option]:
        """A move of each leader near enough, into the town or closer to it; worth: how far he is from it."""
        for leader in leaders_of(self.view, "boers"):
            there = self.view.leaders[leader]
            far = self.board.apart(there.at, town)
            if there.sp < _SIEGE_SP or far > _INVEST_FAR or self.has_moved((leader,)):
                continue
            if self.raises_siege((leader,)):
                continue
            reach = prospects.reach(self.view, (leader,))
            goal = town if town in reach.foes or town in reach.free else self.nearest(town, reach.free)
            if goal is not None and self.board.apart(goal, town) < far:
                yield Option(Move(leaders=(leader,), path=(goal,)), leader, town, far)

    def reinforce(self) -> Pick | None:
        """One SP to the leader next to the largest Empire force."""

        def faces(option: Option) -> float:
            assert option.at is not None
            return -max(self.beside(option.at, "empire"), sp_at(self.view, option.at, "empire"))

        options = [
            Option(Reinforce(leader=one), one, self.view.leaders[one].at)
            for one in leaders_of(self.view, "boers")
        ]
        return self.pick(options, Criterion("facing the largest enemy", faces))

    def block(self) -> Pick | None:
        """Up to three SP ahead of each of the two largest Empire stacks, in hills or behind a river first."""
        stacks = [point for point in sorted(self.foes) if sp_at(self.view, point, "empire") >= _STACK]
        stacks = [point for point in stacks if point not in self.view.sieges]
        stacks.sort(key=lambda point: -sp_at(self.view, point, "empire"))
        for stack in stacks[:_STACKS]:
            pick = self._bar(stack)
            if pick is not None:
                return pick
        return None

    def _bar(self, stack: Point) -> Pick | None:
        goal = self.nearest(stack, self.boer_centres)
        way = shortest(self.board.near, stack, goal, lambda _here, _there: True) if goal else None
        ahead = [point for point in (way or ())[:_AHEAD] if point not in self.foes]
        if not ahead or any(sp_at(self.view, point, "boers") >= _BLOCK for point in ahead):
            return None
        options = [option for leaders in self.fresh() for option in self._into(leaders, ahead)]
        rough = Criterion[Option](
            "hills and rivers first",
            lambda one: 0 if one.at and self.board.places[one.at].terrain != "open" else None,
        )
        near = Criterion[Option]("nearest to the stack", lambda one: ahead.index(one.at) if one.at else 9)
        close = Criterion[Option]("the shortest march", lambda one: one.worth)
        return self.pick(options, rough, near, close)

    def _into(self, leaders: tuple[LeaderId, ...], points: Sequence[Point]) -> Iterator[Option]:
        """A move into each of some points; worth: how far."""
        if self.raises_siege(leaders) or self.view.leaders[leaders[0]].at in points:
            return
        free = prospects.reach(self.view, leaders).free
        for point in points:
            if point in free:
                yield Option(Move(leaders=leaders, path=(point,)), leaders[0], point, free[point])

    def entrench(self) -> Pick | None:
        """Besiegers first, then whoever is next to two Empire SP or more."""
        held = sorted({self.view.leaders[one].at for one in leaders_of(self.view, "boers")})
        options = [
            Option(Entrench(at=point), None, point, self.beside(point, "empire"))
            for point in held
            if point in self.view.sieges or self.beside(point, "empire") >= _THREAT
        ]
        besiegers = Criterion[Option](
            "besiegers first", lambda one: 0 if one.at in self.view.sieges else None
        )
        return self.pick(options, besiegers, Criterion("next to the largest enemy", lambda one: -one.worth))
