"""The Empire in Turns III and IV: camps before commandos, drives, blockhouses. Ruling 13.4."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from games.boer_war import prospects, ways
from games.boer_war.bots.officer import WORTH, Attempt, Officer, Option, Pick
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.forces import is_held, leaders_at, leaders_of, sp_at
from games.boer_war.model import Blockhouse, Camp, Drive, Garrison, Move, Rail, Reinforce, Repair
from games.boer_war.odds import boers_lost
from games.boer_war.reserves import barren
from games.boer_war.works import camp_sites, guardable, raidable, repairable
from games.priorities import Criterion
from games.record import changed

_LEAVES, _LEAD, _READY = 3, 2, 1
"""SP with which a leader leaves a garrison; by how much camps are to be ahead of R; ready sites that do."""

_GOOD, _WORTHWHILE = 0.6, 0.3
"""The SP that a drive must cost Boers on average: one that comes before repairs, and any."""

_TRODDEN = 1.0
"""Boer leaders who have to cross a line for which it is built: so many on average."""

_CARRIES = 2
"""Bare sites that hang on a line which is guarded before Boers have cut it."""


class EmpireGuerrilla(Officer):
    """The list of ruling 13.4."""

    clause = "13.4"
    side: Side = "empire"
    events = ("E06", "E09", "E11", "E10", "E08", "E12")

    def lines(self) -> Sequence[tuple[str, Attempt]]:
        """The twelve items in order, the thirteenth being to pass."""
        return (
            ("Repair what leaves no site for a camp", self.repair_first),
            ("Set up a camp, to keep ahead of the recruits", self.camp),
            ("First slot of an even round, an event", self.event),
            ("Go to a camp site without a camp", self.occupy),
            ("Drive where it costs the Boers most", self.drive_first),
            ("Repair", self.repair),
            ("Drive where it costs the Boers something", self.drive),
            ("Guard a line that Boers come to, or could cut", self.guard),
            ("Close in on the Boers", self.close_in),
            ("Build blockhouses", self.blockhouse),
            ("Reinforce the best leader", self.reinforce),
            ("Reorganize", self.reorganize),
        )

    def repair_first(self) -> Pick | None:
        """While a camp is wanted and none could be set up, the cut that parts most sites from the ports."""
        return None if self._is_ahead or camp_sites(self.view) else self.repair()

    def repair(self) -> Pick | None:
        """The cut that parts most camp sites from the ports; else whoever is nearest goes there."""
        near = set(repairable(self.view))
        options = [
            Option(Repair(links=(link,)), worth=sites)
            for link, sites in self._parting.items()
            if link in near
        ]
        return self.pick(options, WORTH) or self._mend()

    @cached_property
    def _parting(self) -> Mapping[Link, int]:
        """By cut that parts camp sites from the ports, how many more there would be without it."""
        now, cuts = len(prospects.bare_sites(self.view)), self.view.cuts
        found = {}
        for link in cuts:
            mended = changed(self.view, cuts=tuple(one for one in cuts if one != link))
            found[link] = len(prospects.bare_sites(mended)) - now
        return {link: sites for link, sites in found.items() if sites > 0}

    def _mend(self) -> Pick | None:
        """Where men have to stand at a cut, the nearest leader who may goes to an end of one."""
        if self.box.numbers.markers.repair_near:
            return None
        ends = sorted({end for link in self._parting for end in self.board.ends(link)} - self.foes)
        options = [option for leaders in self._free() for option in self._to(leaders, ends)] if ends else []
        pick = self.pick(
            options,
            Criterion("the nearest leader", lambda one: one.worth),
            Criterion("on foot", lambda one: 0 if isinstance(one.order, Move) else None),
        )
        return None if pick is None else self._leaving(pick)

    def camp(self) -> Pick | None:
        """The site next to most Boer leaders, then with most neighbours without a camp."""

        def boers(option: Option) -> float:
            assert option.at is not None
            return -sum(len(leaders_at(self.view, near, "boers")) for near in self.board.near[option.at])

        def bare(option: Option) -> float:
            assert option.at is not None
            return -sum(near not in self.view.camps for near in self.board.near[option.at])

        if self._is_ahead:
            return None
        return self.pick(
            [Option(Camp(at=site), None, site) for site in camp_sites(self.view)],
            Criterion("next to most Boer leaders", boers),
            Criterion("most neighbours without a camp", bare),
        )

    def occupy(self) -> Pick | None:
        """While a camp is wanted and no site is ready, the nearest leader goes to one of the republics."""
        if self._is_ahead or len(camp_sites(self.view)) >= _READY:
            return None
        sites = [
            site
            for site in prospects.bare_sites(self.view)
            if self.board.places[site].is_republic and not is_held(self.view, site, "empire")
        ]
        options = [option for leaders in self._free() for option in self._to(leaders, sites)]
        pick = self.pick(
            options,
            Criterion("the nearest leader", lambda one: one.worth),
            Criterion("on foot", lambda one: 0 if isinstance(one.order, Move) else None),
        )
        return None if pick is None else self._leaving(pick)

    @property
    def _is_ahead(self) -> bool:
        """Whether there are camps enough for now."""
        return len(self.view.camps) > self.view.recruits + _LEAD

    def _free(self) -> list[tuple[LeaderId, ...]]:
        """Leaders who may go, and whom no camp that could be set up where they are needs."""
        sites = camp_sites(self.view)
        return [(one,) for one in leaders_of(self.view, "empire") if self._is_free(one, sites)]

    def _is_free(self, leader: LeaderId, sites: Sequence[Point]) -> bool:
        there = self.view.leaders[leader]
        needed = there.sp < _LEAVES and self._holds(leader, sites)
        return not needed and not self.has_moved((leader,))

    def _to(self, leaders: tuple[LeaderId, ...], points: Sequence[Point]) -> Iterator[Option]:
        """A way into each of some points; worth: how far it is."""
        reach = prospects.reach(self.view, leaders)
        for point in points:
            far = self.board.apart(reach.start, point)
            if point in reach.free:
                yield Option(Move(leaders=leaders, path=(point,)), leaders[0], point, far)
            elif point in reach.rail:
                yield Option(Rail(leaders=leaders, path=(point,)), leaders[0], point, far)

    def _leaving(self, pick: Pick) -> Pick:
        """With a garrison left behind where a camp could still be set up."""
        assert isinstance(pick.order, Move | Rail), "who leaves goes somewhere"
        leader = pick.order.leaders[0]
        there = self.view.leaders[leader]
        site = there.at in prospects.bare_sites(self.view) and there.at not in self.view.garrisons
        left = Garrison(leader=leader, at=there.at)
        if not site or there.sp < _LEAVES or not self.allows(left):
            return pick
        return Pick(pick.order, pick.criterion, pick.choices, (left,))

    def drive_first(self) -> Pick | None:
        """As `drive`, but only where it costs them much."""
        return self.pick([one for one in self._drives if one.worth >= _GOOD], WORTH)

    def drive(self) -> Pick | None:
        """The drive that costs the Boers most SP on average, by leaders whom no camp to come needs."""
        return self.pick([one for one in self._drives if one.worth >= _WORTHWHILE], WORTH)

    @cached_property
    def _drives(self) -> tuple[Option, ...]:
        found = (self._drive(point) for point in sorted(self.foes))
        return tuple(one for one in found if one is not None)

    def _drive(self, point: Point) -> Option | None:
        sites = camp_sites(self.view)
        able = [
            one
            for one in leaders_of(self.view, "empire")
            if not self._holds(one, sites) and ways.reaches(self.view, one, point)
        ]
        if not able:
            return None
        able.sort(key=lambda one: (-self.view.leaders[one].sp, -self.box.leaders[one].command, one))
        columns = tuple(able[: self.box.numbers.skirmish.drive])
        worth = boers_lost(self.view, columns, point)
        return Option(Drive(target=point, leaders=columns), able[0], point, worth)

    def _holds(self, leader: LeaderId, sites: Sequence[Point]) -> bool:
        """Whether a camp could be set up where a leader is, and not without him."""
        there = self.view.leaders[leader]
        return there.at in sites and sp_at(self.view, there.at, "empire") == there.sp

    def reinforce(self) -> Pick | None:
        """The leader with the best Command."""
        options = [
            Option(Reinforce(leader=one), one, self.view.leaders[one].at)
            for one in leaders_of(self.view, "empire")
        ]
        return self.pick(options)

    def guard(self) -> Pick | None:
        """A line that Boers come to; else one that they could cut now, that on which most bare sites hang."""
        fence = self._fence()
        if fence is not None:
            return fence
        carries = prospects.parted(self.view, prospects.bare_sites(self.view))
        near = set(raidable(self.view))
        options = [
            Option(Blockhouse(link=link), worth=carries[link])
            for link in guardable(self.view)
            if link in near and carries.get(link, 0) >= _CARRIES
        ]
        return self.pick(options, WORTH)

    def blockhouse(self) -> Pick | None:
        """A line of the republics, where Boers are nearest."""
        boers = [self.view.leaders[one].at for one in leaders_of(self.view, "boers")]

        def far(link: Link) -> float:
            return min(
                (self.board.apart(end, at) for end in self.board.ends(link) for at in boers),
                default=0,
            )

        options = [
            Option(Blockhouse(link=link), worth=far(link))
            for link in guardable(self.view)
            if all(self.board.places[end].is_republic for end in self.board.ends(link))
        ]
        return self.pick(options, Criterion("nearest to Boers", lambda one: one.worth))

    def _fence(self) -> Pick | None:
        """A line to whose ends most Boers come who ride for recruits, each by the share of his ways."""
        if not self.box.numbers.blockhouse.ends:
            return None
        options = [
            Option(
                Blockhouse(link=link), worth=sum(self._trodden.get(end, 0.0) for end in self.board.ends(link))
            )
            for link in guardable(self.view)
        ]
        return self.pick([one for one in options if one.worth >= _TRODDEN], WORTH)

    @cached_property
    def _trodden(self) -> Mapping[Point, float]:
        """By point without blockhouses, how many Boer leaders would come there on their way to recruits."""
        guarded = {end for link in self.view.blockhouses for end in self.board.ends(link)}
        found: dict[Point, float] = {}
        for leader in leaders_of(self.view, "boers"):
            rides = prospects.rides(self.view, leader)
            goals = [one for one in rides if one not in self.foes and barren(self.view, one) is None]
            for goal in goals:
                for point in rides[goal].path:
                    if point not in guarded:
                        found[point] = found.get(point, 0.0) + 1 / len(goals)
        return found

    def close_in(self) -> Pick | None:
        """The strongest leader who may go, towards the Boers whom most columns reach already."""
        free = sorted(self._free(), key=lambda one: (-self.strength(one), one))
        for leaders in free:
            start = self.view.leaders[leaders[0]].at
            if not self.foes or any(ways.reaches(self.view, leaders[0], one) for one in self.foes):
                continue
            goal = min(self.foes, key=lambda point: (self._far_off(start, point), point))
            reach = prospects.reach(self.view, leaders)
            here = self.board.apart(start, goal)
            ways_on = [(Move, point) for point in reach.free] + [(Rail, point) for point in reach.rail]
            options = [
                Option(order(leaders=leaders, path=(point,)), leaders[0], point, far)
                for order, point in ways_on
                if (far := self.board.apart(point, goal)) < here
            ]
            pick = self.pick(
                options,
                Criterion("nearest to them", lambda one: one.worth),
                Criterion("on foot", lambda one: 0 if isinstance(one.order, Move) else None),
            )
            if pick is not None:
                return self._leaving(pick)
        return None

    def _far_off(self, start: Point, point: Point) -> int:
        """Links to Boers, one less for each column that has them within its Move."""
        return self.board.apart(start, point) - len(prospects.columns_near(self.view, point))
