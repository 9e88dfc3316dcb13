"""A bot's reading of a position: occupants, what is worth having, and the units that can come there."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from games.diplomacy.adjudication import storms
from games.diplomacy.adjudication.afloat import is_afloat
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.alliances import NO_PACT, Pact, current_friends
from games.diplomacy.bots.distances import UNREACHABLE_STEPS, Steps, Ways
from games.diplomacy.bots.temper import EVEN_TEMPER, Temper
from games.diplomacy.model import NEUTRAL, Kind, Move, Province, Unit, View, split_spot
from games.protocol import Seat


@dataclass(frozen=True)
class Situation:
    """One seat's reading of a position. variant: as the options of the game make it.

    dangers: by how many steps the centres of a nation count nearer than they are, 0 where nothing is said;
    partners: who is a friend before a word is given, None for all natural partners.
    """

    variant: Variant
    ways: Ways
    view: View
    seat: Seat
    temper: Temper = EVEN_TEMPER
    pact: Pact = NO_PACT
    dangers: Mapping[Seat, float] = field(default_factory=dict)
    partners: tuple[Seat, ...] | None = None

    @property
    def board(self) -> Board:
        """The board that the game is played on."""
        return self.variant.board

    @cached_property
    def friends(self) -> tuple[Seat, ...]:
        """Towards whom the seat leans."""
        return self.friends_by(self.pact)

    def friends_by(self, pact: Pact) -> tuple[Seat, ...]:
        """Towards whom the seat would lean if that were what it had agreed to."""
        return current_friends(self.board, self.view, self.seat, pact, self.temper.lead, self.partners)

    @cached_property
    def standing(self) -> Mapping[Province, Unit]:
        """The units by their provinces."""
        return {unit.at: unit for unit in self.view.units}

    @cached_property
    def mine(self) -> tuple[Unit, ...]:
        """The seat's own units, in board order."""
        return tuple(unit for unit in self.view.units if unit.power == self.seat)

    @cached_property
    def prizes(self) -> tuple[Province, ...]:
        """Centres worth going to: not owned by the seat, or occupied by others; nobody of ours is there.

        Those of friends only where there are no others.
        """
        wanted = [
            centre
            for centre in self.board.centres
            if not self.is_ours(centre)
            and (self.view.centres.get(centre) != self.seat or centre in self.standing)
        ]
        if not self.friends:
            return tuple(wanted)
        return tuple([prize for prize in wanted if not self.is_spared(prize)] or wanted)

    @cached_property
    def own_centres(self) -> frozenset[Province]:
        """The seat's own centres."""
        return frozenset(at for at, owner in self.view.centres.items() if owner == self.seat)

    @property
    def taboo_province(self) -> Province | None:
        """The province that no unit enters unpunished."""
        return self.board.chart.taboo if self.view.taboo else None

    @cached_property
    def closed_provinces(self) -> frozenset[Province]:
        """The provinces that none of its units is ordered to: what is taboo, or agreed to stay empty.

        Nor to a centre of somebody with whom there is a truce, on the way to another one.
        """
        provinces = {place for place in self.pact.empty if place not in self.standing}
        if self.taboo_province:
            provinces.add(self.taboo_province)
        bound = {power for power in self.pact.truces if power in self.friends}
        if bound:
            centres = self.view.centres.items()
            provinces.update(at for at, owner in centres if owner in bound and at not in self.prizes)
        return frozenset(provinces)

    @property
    def is_fall(self) -> bool:
        """True if centres change hands after these moves."""
        return self.view.phase.season == "F"

    def is_ours(self, place: Province) -> bool:
        """Return whether a unit of the seat stands there."""
        return place in self.standing and self.standing[place].power == self.seat

    def is_enemys(self, place: Province) -> bool:
        """Return whether another nation that is no friend owns the centre."""
        return self.view.centres.get(place, self.seat) not in (self.seat, *self.friends)

    def is_hostile(self, place: Province) -> bool:
        """Return whether a unit of another nation that is no friend stands there; neutrals are no enemies."""
        unit = self.standing.get(place)
        return unit is not None and unit.power not in (self.seat, NEUTRAL, *self.friends)

    @cached_property
    def hostile(self) -> tuple[Province, ...]:
        """Where units of enemies stand, in board order."""
        return tuple(unit.at for unit in self.view.units if self.is_hostile(unit.at))

    def is_held(self, unit: Unit) -> bool:
        """Return whether a unit is on a water that it may not leave yet."""
        return storms.is_held(self.view, unit.at)

    def is_friends(self, place: Province) -> bool:
        """Return whether a friend owns the centre."""
        return self.view.centres.get(place) in self.friends

    def is_spared(self, place: Province) -> bool:
        """Return whether a place belongs to a friend: it owns the centre, or has a unit there."""
        unit = self.standing.get(place)
        return self.is_friends(place) or (unit is not None and unit.power in self.friends)

    def is_taker(self, unit: Unit) -> bool:
        """Return whether a unit stands on a centre that it wins by staying there."""
        return (
            unit.at in self.board.centres and unit.at not in self.own_centres and not self.is_friends(unit.at)
        )

    def is_keeper(self, unit: Unit) -> bool:
        """Return whether a unit stands on a centre of the seat, or on one that it wins by staying there."""
        return unit.at in self.own_centres or self.is_taker(unit)

    def reach(self, unit: Unit) -> tuple[Province, ...]:
        """The provinces to which a unit goes, and supports, on foot or under sail."""
        if unit.kind != "F":
            return self.board.army[unit.at]
        return self.ways.sailed_from(unit.spot)

    def spots(self, unit: Unit) -> tuple[Province, ...]:
        """The spots that a unit can go to, on its own: also where it comes off the water in a canoe-fleet."""
        if unit.kind == "F":
            return self.board.sailing[unit.spot]
        return self.landings(unit) if is_afloat(self.board, unit) else self.board.army[unit.at]

    def landings(self, unit: Unit) -> tuple[Province, ...]:
        """Where a War Party afloat may go: free shores and other waters."""
        if self.is_held(unit):
            return ()
        book, view = self.variant.rulebook, self.view
        return tuple(
            place
            for place in self.board.fleet[unit.at]
            if place not in self.standing and not storms.is_shut(book, view, unit.at, place)
        )

    def move(self, unit: Unit, spot: Province) -> Move:
        """The move to a spot."""
        to, coast = split_spot(spot)
        return Move(unit=unit.piece, to=to, coast=coast)

    @cached_property
    def arrivals(self) -> Mapping[Province, tuple[Unit, ...]]:
        """The units that can go to each province next, on foot or under sail; no neutrals; in board order."""
        units_by_place: defaultdict[Province, list[Unit]] = defaultdict(list)
        for unit in self.view.units:
            if unit.power != NEUTRAL:
                for place in self.reach(unit):
                    units_by_place[place].append(unit)
        return {place: tuple(units) for place, units in units_by_place.items()}

    def enemies(self, place: Province) -> tuple[Unit, ...]:
        """Units of other nations that can go to a place; friends are none."""
        ours = (self.seat, *self.friends)
        return tuple(unit for unit in self.arrivals.get(place, ()) if unit.power not in ours)

    def threat(self, place: Province) -> int:
        """With how many units the strongest enemy can come to a place at once."""
        if place not in self._threats:
            count = Counter(unit.power for unit in self.enemies(place))
            self._threats[place] = max(count.values(), default=0)
        return self._threats[place]

    @cached_property
    def _threats(self) -> dict[Province, int]:
        return {}

    def holders(self, unit: Unit) -> int:
        """Return how many of its nation could hold a unit where it is: it and those that can support it."""
        if unit.power == NEUTRAL:
            return 1
        return 1 + sum(other.power == unit.power for other in self.arrivals.get(unit.at, ()))

    def min_attackers(self, place: Province) -> int:
        """Return how many units it takes to get into a place if nobody helps its defender."""
        return 1 if place not in self.standing else 2

    def sure_attackers(self, place: Province) -> int:
        """Return how many units it takes to get into a place: more than can hold it, or come there too.

        One's own unit there is thought to leave; supports that are cut are not counted, and nobody is
        thought to help another nation.
        """
        if place not in self._sure:
            unit = None if self.is_ours(place) else self.standing.get(place)
            holders = self.holders(unit) if unit else 0
            owner = unit.power if unit else None
            others = Counter(enemy.power for enemy in self.enemies(place) if enemy.power != owner)
            self._sure[place] = 1 + max(0, holders, *others.values())
        return self._sure[place]

    @cached_property
    def _sure(self) -> dict[Province, int]:
        return {}

    def steps(self, kind: Kind, goal: Province) -> Steps:
        """The steps to a goal from each spot, for a kind of unit; ashore one comes only where nobody is."""
        key = kind == "F", goal
        steps = self._steps.get(key)
        if steps is None:
            steps = self._steps[key] = (
                self.ways.sailed_to(goal)
                if kind == "F"
                else self.ways.walked_to(goal, landing=goal not in self.standing, shunned=self.taboo_province)
            )
        return steps

    @cached_property
    def _steps(self) -> dict[tuple[bool, Province], Steps]:
        return {}

    def far(self, unit: Unit, goal: Province) -> int:
        """The steps of a unit to a goal, FAR if there is no way."""
        return self.steps(unit.kind, goal).get(unit.spot, UNREACHABLE_STEPS)

    def nearest(self, unit: Unit) -> int:
        """The steps of a unit to the nearest centre to win."""
        return min([self.far(unit, goal) for goal in self.prizes], default=UNREACHABLE_STEPS)
