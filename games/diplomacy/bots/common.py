"""A bot's reading of a position: occupants, what is worth having, and the units that can come there."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from heapq import heappop, heappush
from typing import TypeVar

from games.dice import Dice
from games.diplomacy.adjudication import canoes
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.alliances import DEFAULT_LEAD, NO_PACT, Pact, current_friends
from games.diplomacy.bots.reasons import PriorityDecision, describe_ranking
from games.diplomacy.model import NEUTRAL, Kind, Move, Piece, Province, Unit, View, split_spot
from games.language import join_list
from games.messages import sentence
from games.priorities import Criterion, applies, rank
from games.protocol import Seat
from games.record import Record

# Distances on one board: on foot, by canoe-fleet, carried over the water, or under sail.


UNREACHABLE_STEPS = 999
"""Steps to what cannot be reached."""

_LAUNCH = 2
"""A canoe-fleet is built, and then goes on the water."""
_STORMY = 9
"""A stormy water costs a year and, more often than not, the War Party: only a last way."""
_FERRY = 3
"""An army waits for the fleet that carries it over one water."""

Steps = Mapping[Province, int]
"""The steps to a goal from each spot from which it can be reached: seasons, if nobody is in the way."""


class Ways:
    """The ways of one board. Each is found once and kept: only the taboo and who stands ashore change them.

    canoes: whether there are canoe-fleets to go by.
    """

    def __init__(self, board: Board, *, canoes: bool) -> None:
        self._board = board
        self._canoes = canoes
        self._ferries = "A" in board.kinds
        self._found: dict[tuple[Province, bool, Province | None], Steps] = {}
        self._sailed: dict[Province, Steps] = {}
        self._next: dict[Province, tuple[Province, ...]] = {}
        self._before: dict[Province, tuple[tuple[Province, int, bool], ...]] = {}

    def walked_to(self, goal: Province, *, landing: bool, shunned: Province | None) -> Steps:
        """The steps of a War Party or an army to a goal.

        landing: whether one may come ashore there from a canoe-fleet; shunned: where nobody goes.
        """
        key = goal, landing, shunned
        if key not in self._found:
            self._found[key] = self._spread(goal, landing, shunned)
        return self._found[key]

    def sailed_to(self, goal: Province) -> Steps:
        """The steps of a fleet to a goal, by spot."""
        if goal not in self._sailed:
            edge = list(self._board.spots[goal])
            steps = dict.fromkeys(edge, 0)
            for here in edge:
                for there in self._board.sailing[here]:
                    if there not in steps:
                        steps[there] = steps[here] + 1
                        edge.append(there)
            self._sailed[goal] = steps
        return self._sailed[goal]

    def sailed_from(self, spot: Province) -> tuple[Province, ...]:
        """The provinces next to a fleet's spot, whatever the coast, each once."""
        if spot not in self._next:
            self._next[spot] = tuple(
                dict.fromkeys(split_spot(there)[0] for there in self._board.sailing[spot])
            )
        return self._next[spot]

    @cached_property
    def outward(self) -> Steps:
        """The steps of each province from the middle of the board.

        The middle is the land that has the fewest steps to all supply centres together; of equals the first.
        """
        board = self._board
        lands = [place for place in board.places if board.is_land(place) and board.army[place]]
        total = dict.fromkeys(lands, 0)
        for centre in board.centres:
            steps = board.steps([centre])
            for land in lands:
                total[land] += steps.get(land, UNREACHABLE_STEPS)
        return board.steps([min(lands, key=lambda land: total[land])])

    def _spread(self, goal: Province, landing: bool, shunned: Province | None) -> Steps:
        steps: dict[Province, int] = {}
        edge = [(0, self._board.index[goal], goal)]
        while edge:
            far, _, here = heappop(edge)
            if here in steps:
                continue
            steps[here] = far
            for there, cost, lands in self._ways_into(here):
                if there not in steps and there != shunned and not (lands and here == goal and not landing):
                    heappush(edge, (far + cost, self._board.index[there], there))
        return steps

    def _ways_into(self, here: Province) -> tuple[tuple[Province, int, bool], ...]:
        """The provinces from which one goes to this one, what it costs, and whether one comes ashore then."""
        if here not in self._before:
            on_foot = ((there, 1, False) for there in self._board.army[here])
            self._before[here] = (*on_foot, *self._by_canoe(here), *self._by_ferry(here))
        return self._before[here]

    def _by_canoe(self, here: Province) -> Iterable[tuple[Province, int, bool]]:
        board = self._board
        for there in board.fleet[here] if self._canoes else ():
            if there in board.chart.stormy:
                yield there, _STORMY, board.is_land(here)
            elif not board.is_land(there):
                yield there, 1, board.is_land(here)
            elif not board.is_land(here):
                yield there, _LAUNCH, False

    def _by_ferry(self, here: Province) -> Iterable[tuple[Province, int, bool]]:
        board = self._board
        if not self._ferries or not board.is_land(here):
            return
        shores = (
            there for water in board.fleet[here] if not board.is_land(water) for there in board.fleet[water]
        )
        for there in board.in_board_order(shores):
            if there != here and board.is_land(there):
                yield there, _FERRY, False


# Temperaments: the same bot with other weights.


class Temper(Record, frozen=True, kw_only=True):
    """The temperament of a bot: the things that it values more, or less.

    enemy, unowned: how many steps nearer a centre of another nation, or of nobody, counts than it is.
    watch: how many enemies next door keep a unit in its centre in Spring; in Fall one does.
    odds: how much stronger than a lone defender an attack on a nation's unit has to be.
    lead: how many centres more than itself a friend may not have, for its leaning to last.
    offers: what it proposes to others in press, "truce", "attack", "empty" for a demilitarised place; it
    answers to all of them.
    """

    name: str
    enemy: int = 0
    unowned: int = 0
    watch: int = 2
    odds: int = 1
    lead: int = DEFAULT_LEAD
    offers: tuple[str, ...] = ("truce", "attack", "empty")


EVEN_TEMPER = Temper(name="even")

TEMPERS: Mapping[str, Temper] = {
    temper.name: temper
    for temper in (
        Temper(
            name="raider",
            enemy=1,
            watch=9,
            lead=2,
            offers=("attack",),
        ),
        Temper(
            name="settler",
            unowned=2,
            odds=2,
        ),
        Temper(
            name="guardian",
            watch=1,
            lead=6,
            offers=("truce", "empty"),
        ),
    )
}
"""The temperaments that a seat may have, by name."""


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
        """Return where units of enemies stand, in board order."""
        return tuple(unit.at for unit in self.view.units if self.is_hostile(unit.at))

    def is_held(self, unit: Unit) -> bool:
        """Return whether a unit is on a water that it may not leave yet."""
        return canoes.is_held(self.view, unit.at)

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
        """Return where a War Party afloat may go: free shores and other waters."""
        if self.is_held(unit):
            return ()
        book, view = self.variant.rulebook, self.view
        return tuple(
            place
            for place in self.board.fleet[unit.at]
            if place not in self.standing and not canoes.is_shut(book, view, unit.at, place)
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
        """Return with how many units the strongest enemy can come to a place at once."""
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


# The orders of priorities: those of the War Chest automaton, in provinces and centres.
#
# Its locations are supply centres; neutral ones belong to nobody, friendly ones to the seat; the centre of
# its board is the middle of ours. Where a temperament counts some centres as nearer, "closest" means that.
#
# Source: War Chest, solo sheet: the lists for deployment, target and step.


PlacedT = TypeVar("PlacedT")
UnitOrPieceT = TypeVar("UnitOrPieceT", Unit, Piece)

AGREEMENT_STEPS = 2
"""How many steps nearer a centre counts that was agreed in press to be attacked."""


def choose(
    order: str,
    candidates: Sequence[PlacedT],
    criteria: Sequence[Criterion[PlacedT]],
    dice: Dice,
    label: str,
    name: Callable[[PlacedT], str] = str,
) -> tuple[PlacedT, PriorityDecision]:
    """The candidate that an order of priorities comes to, by lot on a tie, and what decided.

    The dice are thrown for nothing else. name: what a candidate is called in the record of the decision.
    """
    ranking = rank(candidates, criteria)
    chosen = dice.pick(label, ranking.left) if ranking.is_tie else ranking.left[0]
    return chosen, describe_ranking(order, criteria, ranking, len(candidates), name)


def goal_criteria(situation: Situation, unit: Unit) -> tuple[Criterion[Province], ...]:
    """Return the criteria by which a unit chooses the centre that it goes to.

    Source: War Chest, solo sheet, target: closest, enemy, enemy-occupied, closest to the centre.
    """
    far = {goal: situation.far(unit, goal) for goal in situation.prizes}
    closest = describe_preference(situation, sentence("diplomacy.bots_criteria.closest_centre"))
    return (
        Criterion(closest, lambda goal: far[goal] - pull(situation, goal)),
        applies(sentence("diplomacy.bots_criteria.as_close_owned_by_enemy"), situation.is_enemys),
        applies(sentence("diplomacy.bots_criteria.as_close_with_enemy_unit"), situation.is_hostile),
        Criterion(sentence("diplomacy.bots_criteria.as_close_in_the_middle"), situation.ways.outward.get),
    )


def step_criteria(situation: Situation, unit: Unit, goal: Province) -> tuple[Criterion[Province], ...]:
    """Return the criteria by which a unit chooses the way to its goal, among spots that are nearer to it.

    Source: War Chest, solo sheet, step: closest to another enemy location, another neutral one, an enemy
    unit, the centre.
    """
    enemy = [prize for prize in situation.prizes if prize != goal and situation.is_enemys(prize)]
    unowned = [prize for prize in situation.prizes if prize != goal and prize not in situation.view.centres]
    return (
        Criterion(
            sentence("diplomacy.bots_criteria.shortest_route"),
            lambda spot: situation.steps(unit.kind, goal).get(spot, UNREACHABLE_STEPS),
        ),
        _near(sentence("diplomacy.bots_criteria.route_near_enemy_centre"), situation, unit.kind, enemy),
        _near(sentence("diplomacy.bots_criteria.route_near_neutral_centre"), situation, unit.kind, unowned),
        _near(
            sentence("diplomacy.bots_criteria.route_near_enemy_unit"),
            situation,
            unit.kind,
            situation.hostile,
        ),
        Criterion(
            sentence("diplomacy.bots_criteria.route_near_the_middle"),
            lambda spot: situation.ways.outward.get(split_spot(spot)[0]),
        ),
    )


def site_criteria(
    situation: Situation, thing: str, place: Callable[[PlacedT], tuple[Kind, Province]]
) -> tuple[Criterion[PlacedT], ...]:
    """Return the criteria for a place for a unit among several, or for a unit among several by its place.

    thing: a noun for the candidates, such as "the unit"; place: returns the kind of the unit, and its spot.

    Source: War Chest, solo sheet, deployment: closest to a neutral or enemy location, to an enemy one, to
    one that is enemy-occupied, to the centre.
    """
    prizes = situation.prizes
    lists = (
        ("diplomacy.bots_criteria.near_centre", prizes),
        ("diplomacy.bots_criteria.near_enemy_centre", [at for at in prizes if situation.is_enemys(at)]),
        ("diplomacy.bots_criteria.near_occupied_centre", [at for at in prizes if situation.is_hostile(at)]),
    )
    near = [Criterion(sentence(slug, thing=thing), _measure(situation, some, place)) for slug, some in lists]
    outward = situation.ways.outward
    return (
        *near,
        Criterion(
            sentence("diplomacy.bots_criteria.near_the_middle", thing=thing),
            lambda candidate: outward.get(split_spot(place(candidate)[1])[0]),
        ),
    )


def of_unit(unit: UnitOrPieceT) -> tuple[Kind, Province]:
    """The kind and the spot of a unit, for `site_criteria`."""
    return unit.kind, unit.spot


def pull(situation: Situation, goal: Province) -> float:
    """Return how many steps nearer a centre counts: by temperament, its nation's danger, and agreements."""
    temper, pact = situation.temper, situation.pact
    owner = situation.view.centres.get(goal)
    nearer: float = 0
    if owner is None:
        nearer = temper.unowned
    elif owner != situation.seat:
        nearer = temper.enemy + situation.dangers.get(owner, 0)
    return nearer + AGREEMENT_STEPS * (goal in pact.targets or owner in pact.foes)


def describe_preference(situation: Situation, criterion: str) -> str:
    """Return a criterion on which `pull` has an effect, with everything that makes it differ in words."""
    temper, pact = situation.temper, situation.pact
    influences = []
    if situation.dangers:
        influences.append(sentence("diplomacy.bots_criteria.dangers"))
    if pact.targets or pact.foes:
        influences.append(sentence("diplomacy.bots_criteria.agreements"))
    if temper.enemy or temper.unowned:
        criterion = sentence(
            "diplomacy.bots_criteria.for_temperament",
            criterion=criterion,
            temperament=sentence(f"diplomacy.bots_temperaments.{temper.name}"),
        )
    if not influences:
        return criterion
    return sentence("diplomacy.bots_criteria.given", criterion=criterion, influences=join_list(influences))


def _near(words: str, situation: Situation, kind: Kind, some: Sequence[Province]) -> Criterion[Province]:
    # Mostly an earlier criterion has decided, and this one is not asked.
    ways = cache(lambda: [situation.steps(kind, goal) for goal in some])
    return Criterion(words, lambda spot: _least(way.get(spot, UNREACHABLE_STEPS) for way in ways()))


def _measure(
    situation: Situation, some: Sequence[Province], place: Callable[[PlacedT], tuple[Kind, Province]]
) -> Callable[[PlacedT], int | None]:
    @cache
    def measure(candidate: PlacedT) -> int | None:
        kind, spot = place(candidate)
        return _least(situation.steps(kind, goal).get(spot, UNREACHABLE_STEPS) for goal in some)

    return measure


def _least(numbers: Iterable[int]) -> int | None:
    """The least number, None where there is none, or where nothing can be reached."""
    least = min(numbers, default=UNREACHABLE_STEPS)
    return least if least < UNREACHABLE_STEPS else None


# The value of each place: the worth of the prizes, spread over the ways to them.


@dataclass(frozen=True)
class SpotGraph:
    """The graph of one kind of unit: the spots, and by their numbers those next to each."""

    spots: tuple[Province, ...]
    next_to: tuple[tuple[int, ...], ...]

    def spread(
        self, worth: Mapping[Province, float], rounds: int, share: float
    ) -> tuple[Sequence[float], ...]:
        """Return the worth that reaches each spot, round by round, from provinces that are worth something.

        In each round a spot gets what it and the spots next to it had, together, times the share: so what
        is worth much, or lies near much, is worth much, and what may be reached by many ways is worth
        more.
        """
        now = [worth.get(split_spot(spot)[0], 0.0) for spot in self.spots]
        values_by_round = [now]
        for _ in range(rounds - 1):
            now = [
                share * (now[here] + sum([now[there] for there in near]))
                for here, near in enumerate(self.next_to)
            ]
            values_by_round.append(now)
        return tuple(values_by_round)


def ground(board: Board, kind: Kind) -> SpotGraph:
    """The ground of a kind of unit: a fleet's is water and coasts, any other's is land."""
    near = board.sailing if kind == "F" else board.army
    spots = tuple(spot for spot in near if near[spot] or kind != "F")
    number = {spot: at for at, spot in enumerate(spots)}
    return SpotGraph(spots, tuple(tuple(number[there] for there in near[spot]) for spot in spots))
