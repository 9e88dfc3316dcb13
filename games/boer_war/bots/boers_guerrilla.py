"""The Boers in Turns III and IV: recruit where no camp is, and strike where it is safe. Ruling 13.5."""

from collections.abc import Iterator, Sequence

from games.boer_war import prospects
from games.boer_war.board import FAR, board
from games.boer_war.bots.officer import WORTH, Attempt, Officer, Option, Pick
from games.boer_war.codes import LeaderId, Point, Side
from games.boer_war.components import materials
from games.boer_war.forces import command_of, leaders_at, leaders_of, sp_at
from games.boer_war.model import Raid, Reinforce, Trek
from games.boer_war.reserves import barren
from games.boer_war.works import camp_sites, raidable
from games.priorities import Criterion

_SURE, _THREAT = 1, 2
"""The advantage that an attack must have; links within which an Empire leader threatens."""


class BoersGuerrilla(Officer):
    """The list of ruling 13.5."""

    clause = "13.5"
    side: Side = "boers"
    events = ("B11", "B09", "B06", "B12", "B10", "B08")

    def lines(self) -> Sequence[tuple[str, Attempt]]:
        """The seven items in order, the eighth being to pass."""
        return (
            ("Recruit for the weakest leader", self.recruit),
            ("First slot of an even round, an event", self.event),
            ("From the second slot on, a favourable attack", self.attack_later),
            ("Trek to where recruits are", self.trek),
            ("A favourable attack", self.attack),
            ("Raid the railway nearest a camp site", self.raid),
            ("Reorganize", self.reorganize),
        )

    def recruit(self) -> Pick | None:
        """The leader with fewest SP who may."""
        options = [
            Option(Reinforce(leader=one), one, self.view.leaders[one].at, self.view.leaders[one].sp)
            for one in leaders_of(self.view, "boers")
        ]
        return self.pick(options, Criterion("the fewest SP", lambda one: one.worth))

    def attack_later(self) -> Pick | None:
        """From the second slot on."""
        return None if self.is_first_slot else self.attack()

    def attack(self) -> Pick | None:
        """Where a camp could come first, then the attack with the greatest advantage."""
        sites = camp_sites(self.view)
        camps = Criterion[Option]("where a camp could come", lambda one: 0 if one.at in sites else None)
        return self.pick([one for one in self._attacks() if one.worth >= _SURE], camps, WORTH)

    def _attacks(self) -> Iterator[Option]:
        for leader in leaders_of(self.view, "boers"):
            for point in prospects.reach(self.view, (leader,)).foes:
                worth = self._advantage(leader, point)
                yield Option(Trek(leader=leader, path=(point,)), leader, point, worth)

    def _advantage(self, leader: LeaderId, point: Point) -> int:
        """Command and what speaks for an attack, less what speaks against it. Source: ruling 13.5.3."""
        own, foe = self.view.leaders[leader].sp, sp_at(self.view, point, "empire")
        found = materials().leaders[leader].command + 1
        found += not board().on_rail(point)
        found += own >= 2 * foe
        found -= command_of(self.view, leaders_at(self.view, point, "empire"))
        return found - (foe >= 2 * own) - (foe >= 4 * own)

    def trek(self) -> Pick | None:
        """The weakest leader who is threatened, or cannot recruit where he is, goes where he can."""
        stuck = [one for one in leaders_of(self.view, "boers") if self._should_go(one)]
        for leader in sorted(stuck, key=lambda one: (self.view.leaders[one].sp, one)):
            free = prospects.reach(self.view, (leader,)).free
            options = [
                Option(Trek(leader=leader, path=(point,)), leader, point, far)
                for point, far in free.items()
                if barren(self.view, point) is None and not self.beside(point, "empire")
            ]
            pick = self.pick(
                options,
                Criterion("as near as possible", lambda one: one.worth),
                Criterion("away from where a camp may come", self._camps_to_come),
            )
            if pick is not None:
                return pick
        return None

    def _camps_to_come(self, option: Option) -> float:
        """Sites where a camp could be set up that would end recruiting there."""
        at = option.at
        return sum(at is not None and board().apart(at, site) <= 1 for site in camp_sites(self.view))

    def _should_go(self, leader: LeaderId) -> bool:
        at = self.view.leaders[leader].at
        columns = [self.view.leaders[one].at for one in leaders_of(self.view, "empire")]
        threatened = any(board().apart(at, there) <= _THREAT for there in columns)
        return not self.has_moved((leader,)) and (threatened or barren(self.view, at) is not None)

    def raid(self) -> Pick | None:
        """The link nearest to a site where a camp could be set up."""
        sites = prospects.bare_sites(self.view)

        def far(option: Option) -> float:
            assert isinstance(option.order, Raid)
            ends = board().ends(option.order.link)
            return min((board().apart(end, site) for end in ends for site in sites), default=FAR)

        options = [Option(Raid(link=link)) for link in raidable(self.view)]
        return self.pick(options, Criterion("nearest to a camp site", far))
