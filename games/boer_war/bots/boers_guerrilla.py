"""The Boers in Turns III and IV: recruits, railways cut where nobody mends them, no rings. Ruling 13.5."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from games.boer_war import prospects, ways
from games.boer_war.bots.officer import LINES, WORTH, Attempt, Officer, Option, Pick
from games.boer_war.codes import LeaderId, Link, Point, Side
from games.boer_war.forces import command_of, leaders_at, leaders_of, sp_at
from games.boer_war.model import Raid, Reinforce, Trek
from games.boer_war.reserves import barren, no_recruits
from games.boer_war.works import camp_sites, raidable, repairable
from games.priorities import Criterion
from games.record import changed

_SURE, _RING = 1, 3
"""The advantage that an attack must have; columns that make a ring."""


class BoersGuerrilla(Officer):
    """The list of ruling 13.5."""

    clause = "13.5"
    side: Side = "boers"
    events = ("B11", "B09", "B06", "B12", "B10", "B08")

    def lines(self) -> Sequence[tuple[str, Attempt]]:
        """The nine items in order, the tenth being to pass."""
        return (
            ("Recruit for the weakest leader", self.recruit),
            ("Part camp sites from the ports", self.raid),
            ("First slot of an even round, an event", self.event),
            ("Out of a ring of columns", self.slip_out),
            ("Ride to a railway that camp sites hang on", self.ride),
            ("Strike where it gains something", self.attack),
            ("Wreck a line that camp sites to come hang on", self.wreck),
            ("Trek to where recruits are", self.trek),
            ("Reorganize", self.reorganize),
        )

    # 13.5.4, 13.5.5, 13.5.8: where to be

    def slip_out(self) -> Pick | None:
        """Whoever most columns reach goes where fewest do, and where he can recruit."""
        if len(self._fresh()) < len(leaders_of(self.view, "boers")):
            return None  # one TREK out of a ring a round: else they would do nothing but run
        ringed = [one for one in self._fresh() if self._is_ringed(one)]
        for leader in sorted(ringed, key=lambda one: (-self._columns(self.view.leaders[one].at), one)):
            here = self._columns(self.view.leaders[leader].at)
            pick = self.pick(
                [one for one in self._treks(leader) if self._columns_at(one) < here],
                Criterion("where fewest columns reach him", self._columns_at),
                Criterion("where recruits are", self._barren),
                LINES,
                Criterion("as near as possible", lambda one: one.worth),
            )
            if pick is not None:
                return pick
        return None

    def trek(self) -> Pick | None:
        """The weakest leader who has room, and cannot recruit where he is, goes where he can."""
        low = self.box.numbers.reinforcing.recruits_below
        stuck = [
            one
            for one in self._fresh()
            if self.view.leaders[one].sp < low and no_recruits(self.view, one) is not None
        ]
        for leader in sorted(stuck, key=lambda one: (self.view.leaders[one].sp, one)):
            pick = self.pick(
                [one for one in self._treks(leader) if self._barren(one) == 0 and self._is_quiet(one)],
                LINES,
                Criterion("as near as possible", lambda one: one.worth),
                Criterion("away from where a camp may come", self._camps_to_come),
            )
            if pick is not None:
                return pick
        return None

    def ride(self) -> Pick | None:
        """Whoever needs no recruits goes near a line whose cut would cost the Empire most sites."""
        low = self.box.numbers.reinforcing.recruits_below
        idle = [one for one in self._fresh() if self.view.leaders[one].sp >= low]
        options = [
            Option(one.order, one.leader, one.at, gain, one.lines)
            for leader in idle
            for one in self._treks(leader)
            if (gain := self._sites_near(one.at)) > self._sites_near(self.view.leaders[leader].at)
        ]
        return self.pick(options, WORTH, LINES, Criterion("where fewest columns reach him", self._columns_at))

    def _fresh(self) -> list[LeaderId]:
        return [one for one in leaders_of(self.view, "boers") if not self.has_moved((one,))]

    def _treks(self, leader: LeaderId) -> Iterator[Option]:
        """A TREK to each free point, by the way over fewest lines of blockhouses; worth: how far it is."""
        if not self.view.blockhouses or not self.box.numbers.blockhouse.ends:
            for point, far in prospects.reach(self.view, (leader,)).free.items():
                yield Option(Trek(leader=leader, path=(point,)), leader, point, far)
            return
        start = self.view.leaders[leader].at
        for point, ride in self._rides(leader).items():
            if point != start and point not in self.foes:
                yield Option(Trek(leader=leader, path=ride.path), leader, point, len(ride.path), ride.lines)

    def _rides(self, leader: LeaderId) -> Mapping[Point, prospects.Ride]:
        if leader not in self._ridden:
            self._ridden[leader] = prospects.rides(self.view, leader)
        return self._ridden[leader]

    @cached_property
    def _ridden(self) -> dict[LeaderId, Mapping[Point, prospects.Ride]]:
        return {}

    def _columns(self, point: Point) -> int:
        """The columns that have a point within their Move."""
        return len(prospects.columns_near(self.view, point))

    def _is_ringed(self, leader: LeaderId) -> bool:
        at, empire = self.view.leaders[leader].at, leaders_of(self.view, "empire")
        return sum(ways.reaches(self.view, one, at) is not None for one in empire) >= _RING

    def _columns_at(self, option: Option) -> float:
        assert option.at is not None
        return self._columns(option.at)

    def _barren(self, option: Option) -> float:
        assert option.at is not None
        return int(barren(self.view, option.at) is not None)

    def _is_quiet(self, option: Option) -> bool:
        return option.at is not None and not self.beside(option.at, "empire")

    def _camps_to_come(self, option: Option) -> float:
        """Sites where a camp could be set up that would end recruiting there."""
        at = option.at
        return sum(at is not None and self.board.apart(at, site) <= 1 for site in camp_sites(self.view))

    def _sites_near(self, point: Point | None) -> int:
        """The most sites that one cut of a railway in or next to a point would part from the ports."""
        assert point is not None
        near = (point, *self.board.near[point])
        links = {self.board.link(here, there) for here in near for there in self.board.rails[here]}
        return max((self._parted.get(link, 0) for link in links if link), default=0)

    # 13.5.2, 13.5.7: the railway

    @cached_property
    def _parted(self) -> Mapping[Link, int]:
        return prospects.parted(self.view, camp_sites(self.view))

    def raid(self) -> Pick | None:
        """The cut that parts most held sites from the ports."""
        return self._raid(link for link in raidable(self.view) if self._parted.get(link, 0))

    def wreck(self) -> Pick | None:
        """The cut that parts most bare sites, the Empire's SP being there or not."""
        carried = prospects.parted(self.view, prospects.bare_sites(self.view))
        return self._raid(link for link in raidable(self.view) if link in carried)

    def _raid(self, links: Iterable[Link]) -> Pick | None:
        options = [Option(Raid(link=link), worth=self._parted.get(link, 0)) for link in links]
        lonely = Criterion[Option]("nobody near to repair it", self._mended)
        open_line = Criterion[Option]("no blockhouse on it", self._guarded)
        return self.pick(options, lonely, WORTH, open_line)

    def _mended(self, option: Option) -> float:
        assert isinstance(option.order, Raid)
        link = option.order.link
        return int(link in repairable(changed(self.view, cuts=(*self.view.cuts, link))))

    def _guarded(self, option: Option) -> float:
        assert isinstance(option.order, Raid)
        return int(option.order.link in self.view.blockhouses)

    # 13.5.1, 13.5.6: recruits and attacks

    def recruit(self) -> Pick | None:
        """The leader with fewest SP who may."""
        options = [
            Option(Reinforce(leader=one), one, self.view.leaders[one].at, self.view.leaders[one].sp)
            for one in leaders_of(self.view, "boers")
        ]
        return self.pick(options, Criterion("the fewest SP", lambda one: one.worth))

    def attack(self) -> Pick | None:
        """Where a camp could come first, then the attack with the greatest advantage."""
        sites = camp_sites(self.view)
        camps = Criterion[Option]("where a camp could come", lambda one: 0 if one.at in sites else None)
        return self.pick([one for one in self._attacks() if one.worth >= _SURE], camps, WORTH)

    def _attacks(self) -> Iterator[Option]:
        for leader in leaders_of(self.view, "boers"):
            for point in prospects.reach(self.view, (leader,)).foes:
                if self._gains(point):
                    worth = self._advantage(leader, point)
                    yield Option(Trek(leader=leader, path=(point,)), leader, point, worth)

    def _gains(self, point: Point) -> bool:
        """Whether beating the enemy there changes anything: a column, or who could set up a camp.

        Points stay the Empire's in these Turns, so that a garrison elsewhere is fought for nothing; and camps
        of the colonies feed on no recruits.
        """
        if leaders_at(self.view, point, "empire"):
            return True
        return self.board.places[point].is_republic and point in camp_sites(self.view)

    def _advantage(self, leader: LeaderId, point: Point) -> int:
        """Command and what speaks for an attack, less what speaks against it. Source: ruling 13.5."""
        own, foe = self.view.leaders[leader].sp, sp_at(self.view, point, "empire")
        found = self.box.leaders[leader].command + 1
        found += not self.board.on_rail(point)
        found += own >= 2 * foe
        found -= command_of(self.view, leaders_at(self.view, point, "empire"))
        return found - (foe >= 2 * own) - (foe >= 4 * own)
