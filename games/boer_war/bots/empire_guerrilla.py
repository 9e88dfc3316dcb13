"""The Empire in Turns III and IV: camps before commandos, drives, blockhouses. Ruling 13.4."""

from collections.abc import Iterator, Sequence

from games.boer_war import prospects, ways
from games.boer_war.board import board
from games.boer_war.bots.officer import WORTH, Attempt, Officer, Option, Pick
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.components import materials
from games.boer_war.forces import command_of, is_held, leaders_at, leaders_of, sp_at
from games.boer_war.model import Blockhouse, Camp, Drive, Garrison, Move, Rail, Reinforce, Repair
from games.boer_war.works import camp_sites, guardable, repairable
from games.priorities import Criterion
from games.record import changed

_LEAVES, _LEAD = 3, 1
"""SP with which a leader leaves a garrison behind; by how many camps R may be behind before it is enough."""


class EmpireGuerrilla(Officer):
    """The list of ruling 13.4."""

    clause = "13.4"
    side: Side = "empire"
    events = ("E06", "E09", "E12", "E10", "E11", "E08")

    def lines(self) -> Sequence[tuple[str, Attempt]]:
        """The nine items in order, the tenth being to pass."""
        return (
            ("Repair what isolates a camp site", self.repair),
            ("Set up a camp", self.camp),
            ("Go to a camp site without a camp", self.occupy),
            ("First slot of an even round, an event", self.event),
            ("Drive against a Boer leader", self.drive),
            ("Reinforce the best leader", self.reinforce),
            ("Build blockhouses", self.blockhouse),
            ("Close in on the nearest Boers", self.close_in),
            ("Reorganize", self.reorganize),
        )

    def repair(self) -> Pick | None:
        """The cut that parts most camp sites from the ports."""
        now = len(prospects.bare_sites(self.view))

        def won(link: Link) -> int:
            mended = changed(self.view, cuts=tuple(one for one in self.view.cuts if one != link))
            return len(prospects.bare_sites(mended)) - now

        options = [Option(Repair(links=(link,)), worth=won(link)) for link in repairable(self.view)]
        return self.pick([one for one in options if one.worth > 0], WORTH)

    def camp(self) -> Pick | None:
        """The site next to most Boer leaders, then with most neighbours without a camp."""

        def boers(option: Option) -> float:
            assert option.at is not None
            return -sum(len(leaders_at(self.view, near, "boers")) for near in board().near[option.at])

        def bare(option: Option) -> float:
            assert option.at is not None
            return -sum(near not in self.view.camps for near in board().near[option.at])

        return self.pick(
            [Option(Camp(at=site), None, site) for site in camp_sites(self.view)],
            Criterion("next to most Boer leaders", boers),
            Criterion("most neighbours without a camp", bare),
        )

    def occupy(self) -> Pick | None:
        """While camps are no more than R and one, the nearest leader goes to a bare site of the republics."""
        if len(self.view.camps) > self.view.recruits + _LEAD:
            return None
        sites = [
            site
            for site in prospects.bare_sites(self.view)
            if board().places[site].is_republic and not is_held(self.view, site, "empire")
        ]
        options = [option for leaders in self._free() for option in self._to_sites(leaders, sites)]
        pick = self.pick(
            options,
            Criterion("the nearest leader", lambda one: one.worth),
            Criterion("on foot", lambda one: 0 if isinstance(one.order, Move) else None),
        )
        return None if pick is None else self._leaving(pick)

    def _free(self) -> list[tuple[LeaderId, ...]]:
        """Leaders who may go, and whom no camp that could be set up where they are needs."""
        sites = camp_sites(self.view)
        return [(one,) for one in leaders_of(self.view, "empire") if self._is_free(one, sites)]

    def _is_free(self, leader: LeaderId, sites: Sequence[Point]) -> bool:
        there = self.view.leaders[leader]
        needed = there.at in sites and sp_at(self.view, there.at, "empire") == there.sp < _LEAVES
        return not needed and not self.has_moved((leader,))

    def _to_sites(self, leaders: tuple[LeaderId, ...], sites: Sequence[Point]) -> Iterator[Option]:
        reach = prospects.reach(self.view, leaders)
        for site in sites:
            far = board().apart(reach.start, site)
            if site in reach.free:
                yield Option(Move(leaders=leaders, path=(site,)), leaders[0], site, far)
            elif site in reach.rail:
                yield Option(Rail(leaders=leaders, path=(site,)), leaders[0], site, far)

    def _leaving(self, pick: Pick) -> Pick:
        """With a garrison left behind where a camp could still be set up."""
        assert isinstance(pick.order, Move | Rail)
        leader = pick.order.leaders[0]
        there = self.view.leaders[leader]
        site = there.at in prospects.bare_sites(self.view) and there.at not in self.view.garrisons
        left = Garrison(leader=leader, at=there.at)
        if not site or there.sp < _LEAVES or not self.allows(left):
            return pick
        return Pick(pick.order, pick.criterion, pick.choices, (left,))

    def drive(self) -> Pick | None:
        """The Boers with the highest value: leaders in reach count twice, his Command off, his SP on."""
        options = [
            option
            for point in sorted(self.foes)
            if (option := self._drive(point)) is not None and option.worth >= 1
        ]
        return self.pick(options, WORTH)

    def _drive(self, point: Point) -> Option | None:
        able = [one for one in leaders_of(self.view, "empire") if ways.reaches(self.view, one, point)]
        if not able:
            return None
        able.sort(key=lambda one: (-self.view.leaders[one].sp, -materials().leaders[one].command, one))
        most = materials().numbers.skirmish.drive
        boers = leaders_at(self.view, point, "boers")
        worth = 2 * min(len(able), most) - command_of(self.view, boers) + sp_at(self.view, point, "boers")
        return Option(Drive(target=point, leaders=tuple(able[:most])), able[0], point, worth)

    def reinforce(self) -> Pick | None:
        """The leader with the best Command."""
        options = [
            Option(Reinforce(leader=one), one, self.view.leaders[one].at)
            for one in leaders_of(self.view, "empire")
        ]
        return self.pick(options)

    def blockhouse(self) -> Pick | None:
        """A line of the republics, where Boers are nearest."""
        boers = [self.view.leaders[one].at for one in leaders_of(self.view, "boers")]

        def far(link: Link) -> float:
            return min((board().apart(end, at) for end in board().ends(link) for at in boers), default=0)

        options = [
            Option(Blockhouse(link=link), worth=far(link))
            for link in guardable(self.view)
            if all(board().places[end].is_republic for end in board().ends(link))
        ]
        return self.pick(options, Criterion("nearest to Boers", lambda one: one.worth))

    def close_in(self) -> Pick | None:
        """The strongest leader who may go, towards the nearest Boers."""
        free = sorted(self._free(), key=lambda one: (-self.strength(one), one))
        for leaders in free:
            start = self.view.leaders[leaders[0]].at
            goal = self.nearest(start, self.foes)
            if goal is None:
                return None
            reach = prospects.reach(self.view, leaders)
            near = {point: board().apart(point, goal) for point in reach.free}
            options = [
                Option(Move(leaders=leaders, path=(point,)), leaders[0], point, far)
                for point, far in near.items()
                if far < board().apart(start, goal)
            ]
            pick = self.pick(options, Criterion("nearest to them", lambda one: one.worth))
            if pick is not None:
                return pick
        return None
