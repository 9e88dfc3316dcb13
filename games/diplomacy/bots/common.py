"""A bot's reading of a position: units, centres worth having, ways to them, and what past seasons showed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from heapq import heappop, heappush
from typing import TypeVar

from games.dice import Dice
from games.diplomacy.adjudication import canoes
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.adjudication.victory import provinces_to_win
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.alliances import DEFAULT_LEAD, NO_PACT, Pact, current_friends
from games.diplomacy.bots.reasons import PriorityDecision, describe_ranking
from games.diplomacy.events import Resolved
from games.diplomacy.model import NEUTRAL, Kind, Move, Piece, Province, Unit, View, split_spot
from games.language import join_list
from games.messages import sentence
from games.priorities import Criterion, applies, rank
from games.protocol import PastTurn, Seat
from games.record import Record

# What the last movement seasons showed a nation: where its moves failed, and who attacked it. The turns are
# those that everyone can read in the reports. A bot stores nothing: it reads them again for each order sheet.

REMEMBERED_SEASONS = 4
"""This many movement seasons count: two years."""

STUCK_AFTER = 2
"""A place is a stuck front if this many moves there in a row have failed."""


MemoryKey = tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True)
class SeatMemory:
    """What the last movement seasons showed one seat.

    failures: by place, how many of the seat's last moves there have failed in a row; attackers: by nation, in
    how many of these seasons it moved against the seat's units or centres; targets: by nation, how many moves
    of the seat went against its units or centres; seasons: how many are known.
    """

    failures: Mapping[Province, int] = field(default_factory=dict)
    attackers: Mapping[Seat, int] = field(default_factory=dict)
    targets: Mapping[Seat, int] = field(default_factory=dict)
    seasons: int = 0

    @property
    def key(self) -> MemoryKey:
        """The memory as a value that can be a key."""
        counts = (self.failures, self.attackers, self.targets, {"seasons": self.seasons})
        return tuple(tuple(sorted(count.items())) for count in counts)

    def is_stuck(self, place: Province) -> bool:
        """Return whether the seat's moves to a place have failed so often that it should try another way."""
        return self.failures.get(place, 0) >= STUCK_AFTER


NO_MEMORY = SeatMemory()


def movement_seasons(past: Sequence[PastTurn]) -> tuple[PastTurn, ...]:
    """Return the last movement seasons among some turns, oldest first."""
    return tuple([turn for turn in past if turn.turn.kind == "moves"][-REMEMBERED_SEASONS:])


def recall(seasons: Sequence[PastTurn], seat: Seat) -> SeatMemory:
    """Return what some movement seasons showed a seat."""
    failures: dict[Province, int] = {}
    attackers: Counter[Seat] = Counter()
    targets: Counter[Seat] = Counter()
    for season in seasons:
        holders = _holders(season.before)
        entered: dict[Province, bool] = {}
        seen: set[Seat] = set()
        for event in season.events:
            if not isinstance(event, Resolved) or not isinstance(event.order, Move):
                continue
            to = event.order.to
            if event.power == seat:
                entered[to] = entered.get(to, False) or event.outcome == "moved"
                targets.update(holders.get(to, set()) - {seat, NEUTRAL})
            elif seat in holders.get(to, ()):
                seen.add(event.power)
        for place, has_entered in entered.items():
            failures[place] = 0 if has_entered else failures.get(place, 0) + 1
        attackers.update(seen)
    stuck = {place: count for place, count in failures.items() if count}
    return SeatMemory(stuck, dict(attackers), dict(targets), len(seasons))


def _holders(view: View) -> Mapping[Province, set[Seat]]:
    """Return the nations that own a centre or have a unit there, by province."""
    holders: dict[Province, set[Seat]] = {}
    for at, owner in view.centres.items():
        holders.setdefault(at, set()).add(owner)
    for unit in view.units:
        holders.setdefault(unit.at, set()).add(Seat(unit.power))
    return holders


# Distances on one board: on foot, by canoe-fleet, convoyed over the water, or by fleet.


UNREACHABLE_STEPS = 999
"""The number of steps to a place that can't be reached."""

_LAUNCH = 2
"""The steps to enter water by canoe-fleet: one to build it, one to move."""
_STORMY = 9
"""The steps to cross a stormy water. It takes a year and often costs the War Party, so it is the last
choice."""
_FERRY = 3
"""The steps of an army by convoy over one water, with the wait for the fleet."""

Steps = Mapping[Province, int]
"""The steps to a goal from each spot that can reach it: the number of seasons if no unit is in the way."""


class Ways:
    """The ways on one board. Each is computed once, since only the taboo and units on shores change them.

    canoes: whether the game has canoe-fleets.
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
        """Return the steps of a War Party or an army to a goal, by province.

        landing: whether a canoe-fleet can land at the goal; shunned: a province that no way may use.
        """
        key = goal, landing, shunned
        if key not in self._found:
            self._found[key] = self._spread(goal, landing, shunned)
        return self._found[key]

    def sailed_to(self, goal: Province) -> Steps:
        """Return the steps of a fleet to a goal, by spot."""
        if goal not in self._sailed:
            edge = list(self._board.spots[goal])
            steps = dict.fromkeys(edge, 0)
            for here in edge:
                for there in self._board.sailing_into[here]:
                    if there not in steps:
                        steps[there] = steps[here] + 1
                        edge.append(there)
            self._sailed[goal] = steps
        return self._sailed[goal]

    def sailed_from(self, spot: Province) -> tuple[Province, ...]:
        """Return the provinces next to a fleet's spot on any coast, each once."""
        if spot not in self._next:
            self._next[spot] = tuple(
                dict.fromkeys(split_spot(there)[0] for there in self._board.sailing[spot])
            )
        return self._next[spot]

    @cached_property
    def outward(self) -> Steps:
        """The steps of each province from the middle of the board.

        The middle is the land with the fewest steps to all supply centres together, or the first such land.
        Lands without neighbours on foot only count on a board of islands.
        """
        board = self._board
        lands = [place for place in board.places if board.is_land(place) and board.army[place]]
        lands = lands or [place for place in board.places if board.is_land(place)]
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
        """Return the provinces with a way here, the steps it takes, and whether a canoe-fleet lands here."""
        if here not in self._before:
            on_foot = ((there, 1, False) for there in self._board.army_into[here])
            self._before[here] = (*on_foot, *self._by_canoe(here), *self._by_ferry(here))
        return self._before[here]

    def _by_canoe(self, here: Province) -> Iterable[tuple[Province, int, bool]]:
        board = self._board
        for there in board.fleet_into[here] if self._canoes else ():
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
            there
            for water in board.fleet_into[here]
            if board.has_convoys(water)
            for there in board.fleet_into[water]
        )
        for there in board.in_board_order(shores):
            if there != here and board.is_land(there):
                yield there, _FERRY, False


# Temperaments: the same bot with other weights.


class Temper(Record, frozen=True, kw_only=True):
    """The temperament of a bot: the things that it values more, or less.

    enemy, unowned: how many steps nearer another nation's centre, or a neutral one, counts than it is. watch:
    how many adjacent enemies keep a unit in its centre in Spring. In Fall one is enough. odds: how much
    stronger than a lone defender an attack on a nation's unit has to be. lead: if a friend leads by this many
    centres, the friendship ends. offers: what it proposes in press: "truce", "attack" and "empty" (a
    demilitarised place). It replies to all of them.
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
"""The temperaments that a seat may have, by name. A raider prefers to attack others, leaves its own centres
open in Spring and drops friends early. A settler prefers neutral centres, and attacks others only when it is
sure to win. A guardian guards its centres all year, and stays loyal to its friends."""


@dataclass(frozen=True)
class Situation:
    """One seat's reading of a position. variant: as the options of the game make it.

    dangers: how many steps nearer the centres of each nation count than they are (default: 0); partners: the
    friends before any agreement in press, None for all natural partners; memory: what the last seasons showed
    the seat; foe: the nation that it attacks first, None for none; undisputed: how many steps nearer a centre
    counts that nobody owns or can reach before the seat.
    """

    variant: Variant
    ways: Ways
    view: View
    seat: Seat
    temper: Temper = EVEN_TEMPER
    pact: Pact = NO_PACT
    dangers: Mapping[Seat, float] = field(default_factory=dict)
    partners: tuple[Seat, ...] | None = None
    memory: SeatMemory = NO_MEMORY
    foe: Seat | None = None
    undisputed: int = 0

    @property
    def board(self) -> Board:
        """The board that the game is played on."""
        return self.variant.board

    @cached_property
    def friends(self) -> tuple[Seat, ...]:
        """The seat's friends: its natural partners and the powers that it has a truce with."""
        return self.friends_by(self.pact)

    def friends_by(self, pact: Pact) -> tuple[Seat, ...]:
        """Return the friends that the seat would have with these agreements."""
        return current_friends(self.board, self.view, self.seat, pact, self.temper.lead, self.partners)

    @cached_property
    def standing(self) -> Mapping[Province, Unit]:
        """The units by province."""
        return {unit.at: unit for unit in self.view.units}

    @cached_property
    def mine(self) -> tuple[Unit, ...]:
        """The seat's own units, in board order."""
        return tuple(unit for unit in self.view.units if unit.power == self.seat)

    @cached_property
    def prizes(self) -> tuple[Province, ...]:
        """The centres worth going to: those that the seat doesn't own or that other units occupy.

        Centres with its own units are left out, and those of friends while there are any others.
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
    def winning_provinces(self) -> frozenset[Province]:
        """The provinces that a condition of victory names for the seat."""
        return provinces_to_win(self.board, self.seat)

    @cached_property
    def own_centres(self) -> frozenset[Province]:
        """The seat's own centres."""
        return frozenset(at for at, owner in self.view.centres.items() if owner == self.seat)

    @property
    def taboo_province(self) -> Province | None:
        """The taboo province while it is forbidden, otherwise None."""
        return self.board.chart.taboo if self.view.taboo else None

    @cached_property
    def closed_provinces(self) -> frozenset[Province]:
        """The provinces that its units avoid: the taboo, and places that it agreed to leave empty.

        Centres of powers that it has a truce with are closed too, except as a goal.
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
        """Return whether a unit of the seat is there."""
        return place in self.standing and self.standing[place].power == self.seat

    def is_undisputed(self, centre: Province) -> bool:
        """Return whether nobody owns a centre, has a unit there or can reach it with the next orders."""
        return centre not in self.view.centres and centre not in self.standing and not self.enemies(centre)

    def is_foe(self, power: str) -> bool:
        """Return whether a nation is neither the seat, nor a friend, nor neutral."""
        return power not in (self.seat, NEUTRAL, *self.friends)

    def is_enemys(self, place: Province) -> bool:
        """Return whether another nation owns the centre and isn't a friend."""
        return self.view.centres.get(place, self.seat) not in (self.seat, *self.friends)

    def is_hostile(self, place: Province) -> bool:
        """Return whether a unit of another nation is there that isn't a friend. Neutral units don't count."""
        unit = self.standing.get(place)
        return unit is not None and unit.power not in (self.seat, NEUTRAL, *self.friends)

    @cached_property
    def hostile(self) -> tuple[Province, ...]:
        """The places of enemy units, in board order."""
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
        """Return whether a unit is on a centre that it wins by staying there."""
        return (
            unit.at in self.board.centres and unit.at not in self.own_centres and not self.is_friends(unit.at)
        )

    def is_keeper(self, unit: Unit) -> bool:
        """Return whether a unit is on a centre of the seat, or on one that it wins by staying there."""
        return unit.at in self.own_centres or self.is_taker(unit)

    def reach(self, unit: Unit) -> tuple[Province, ...]:
        """Return the provinces that a unit can move to and support, on foot or by fleet."""
        if unit.kind != "F":
            return self.board.army[unit.at]
        return self.ways.sailed_from(unit.spot)

    def spots(self, unit: Unit) -> tuple[Province, ...]:
        """Return the spots that a unit can go to on its own, including landings from a canoe-fleet."""
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
        """Return a unit's move to a spot."""
        to, coast = split_spot(spot)
        return Move(unit=unit.piece, to=to, coast=coast)

    @cached_property
    def arrivals(self) -> Mapping[Province, tuple[Unit, ...]]:
        """The units that can go to each province with their next orders, on foot or by fleet, in board order.

        Neutral units and canoe-fleets are left out.
        """
        units_by_place: defaultdict[Province, list[Unit]] = defaultdict(list)
        for unit in self.view.units:
            if unit.power != NEUTRAL:
                for place in self.reach(unit):
                    units_by_place[place].append(unit)
        return {place: tuple(units) for place, units in units_by_place.items()}

    def enemies(self, place: Province) -> tuple[Unit, ...]:
        """Return the units that can go to a place, without those of the seat, its friends and neutrals."""
        ours = (self.seat, *self.friends)
        return tuple(unit for unit in self.arrivals.get(place, ()) if unit.power not in ours)

    def threat(self, place: Province) -> int:
        """Return how many units the strongest enemy can send to a place at once."""
        if place not in self._threats:
            count = Counter(unit.power for unit in self.enemies(place))
            self._threats[place] = max(count.values(), default=0)
        return self._threats[place]

    @cached_property
    def _threats(self) -> dict[Province, int]:
        return {}

    def holders(self, unit: Unit) -> int:
        """Return how many units of a unit's nation could hold its place: itself and possible supports."""
        if unit.power == NEUTRAL:
            return 1
        return 1 + sum(other.power == unit.power for other in self.arrivals.get(unit.at, ()))

    def min_attackers(self, place: Province) -> int:
        """Return how many units it takes to get into a place if nobody helps its defender."""
        return 1 if place not in self.standing else 2

    def sure_attackers(self, place: Province) -> int:
        """Return how many units are sure to get into a place: more than can hold it or go there too.

        The seat's own unit there is expected to leave. Cut supports are ignored, and no nation is expected to
        help another.
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
        """Return the steps of a kind of unit to a goal, by spot. A canoe-fleet can't land on a unit."""
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

    @cached_property
    def closest_centre(self) -> str:
        """The first criterion for the centre that a unit goes to, in words."""
        return describe_preference(self, sentence("diplomacy.bots_criteria.closest_centre"))

    def far(self, unit: Unit, goal: Province) -> int:
        """Return the steps of a unit to a goal, UNREACHABLE_STEPS if there is no way."""
        return self.steps(unit.kind, goal).get(unit.spot, UNREACHABLE_STEPS)

    def nearest(self, unit: Unit) -> int:
        """Return the steps of a unit to the nearest centre to win."""
        return min([self.far(unit, goal) for goal in self.prizes], default=UNREACHABLE_STEPS)


# The lists of priorities of the War Chest automaton, with provinces and centres. Its locations are supply
# centres. Neutral locations are neutral centres, friendly ones are the seat's. The centre of its board is the
# middle of the board here. If a temperament counts some centres as nearer, "closest" means that. Source: War
# Chest, solo sheet: the lists for deployment, target and step.


PlacedT = TypeVar("PlacedT")
UnitOrPieceT = TypeVar("UnitOrPieceT", Unit, Piece)

AGREEMENT_STEPS = 2
"""How many steps nearer a centre counts that the seat agreed in press to attack."""

WINNING_STEPS = 2
"""How many steps nearer a centre counts that a condition of victory names for the seat."""

CAMPAIGN_STEPS = 1
"""How many steps nearer the centres count of the nation that the seat attacks first."""


def choose(
    order: str,
    candidates: Sequence[PlacedT],
    criteria: Sequence[Criterion[PlacedT]],
    dice: Dice,
    label: str,
    name: Callable[[PlacedT], str] = str,
) -> tuple[PlacedT, PriorityDecision]:
    """Return the candidate that the priorities choose, at random on a tie, and the criterion that decided.

    The dice are rolled only on a tie. name: gives a candidate's name in the record of the decision.
    """
    ranking = rank(candidates, criteria)
    chosen = dice.pick(label, ranking.left) if ranking.is_tie else ranking.left[0]
    return chosen, describe_ranking(order, criteria, ranking, len(candidates), name)


def goal_criteria(
    situation: Situation, unit: Unit, steps: Mapping[Province, int] | None = None
) -> tuple[Criterion[Province], ...]:
    """Return the criteria by which a unit chooses the centre that it goes to.

    steps: the steps to each centre, if not those of the board.

    Source: War Chest, solo sheet, target: closest, enemy, enemy-occupied, closest to the centre.
    """
    far = steps if steps is not None else {goal: situation.far(unit, goal) for goal in situation.prizes}
    owned, occupied, central = _goal_words()
    return (
        Criterion(situation.closest_centre, lambda goal: far[goal] - pull(situation, goal)),
        applies(owned, situation.is_enemys),
        applies(occupied, situation.is_hostile),
        Criterion(central, situation.ways.outward.get),
    )


@cache
def _goal_words() -> tuple[str, str, str]:
    # A season asks for these criteria for each unit, and for the words of few of them.
    return (
        sentence("diplomacy.bots_criteria.as_close_owned_by_enemy"),
        sentence("diplomacy.bots_criteria.as_close_with_enemy_unit"),
        sentence("diplomacy.bots_criteria.as_close_in_the_middle"),
    )


def step_criteria(situation: Situation, unit: Unit, goal: Province) -> tuple[Criterion[Province], ...]:
    """Return the criteria by which a unit chooses the way to its goal, among spots that are nearer to it.

    Source: War Chest, solo sheet, step: closest to another enemy location, another neutral one, an enemy
    unit, the centre.
    """
    enemy = [prize for prize in situation.prizes if prize != goal and situation.is_enemys(prize)]
    unowned = [prize for prize in situation.prizes if prize != goal and prize not in situation.view.centres]
    shortest, near_centre, near_neutral, near_unit, central = _step_words()
    return (
        Criterion(shortest, lambda spot: situation.steps(unit.kind, goal).get(spot, UNREACHABLE_STEPS)),
        _near(near_centre, situation, unit.kind, enemy),
        _near(near_neutral, situation, unit.kind, unowned),
        _near(near_unit, situation, unit.kind, situation.hostile),
        Criterion(central, lambda spot: situation.ways.outward.get(split_spot(spot)[0])),
    )


@cache
def _step_words() -> tuple[str, str, str, str, str]:
    return (
        sentence("diplomacy.bots_criteria.shortest_route"),
        sentence("diplomacy.bots_criteria.route_near_enemy_centre"),
        sentence("diplomacy.bots_criteria.route_near_neutral_centre"),
        sentence("diplomacy.bots_criteria.route_near_enemy_unit"),
        sentence("diplomacy.bots_criteria.route_near_the_middle"),
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
    """Return the kind and the spot of a unit, for `site_criteria`."""
    return unit.kind, unit.spot


def pull(situation: Situation, goal: Province) -> float:
    """Return how many steps nearer a centre counts for its owner, its danger, and agreements."""
    temper, pact = situation.temper, situation.pact
    owner = situation.view.centres.get(goal)
    nearer: float = 0
    if owner is None:
        nearer = temper.unowned + situation.undisputed * situation.is_undisputed(goal)
    elif owner != situation.seat:
        nearer = temper.enemy + situation.dangers.get(owner, 0)
    if owner is not None and owner == situation.foe:
        nearer += CAMPAIGN_STEPS
    nearer -= situation.memory.failures.get(goal, 0)
    nearer += WINNING_STEPS * (goal in situation.winning_provinces)
    return nearer + AGREEMENT_STEPS * (goal in pact.targets or owner in pact.foes)


def describe_preference(situation: Situation, criterion: str) -> str:
    """Return a criterion on which `pull` has an effect, in words with everything that changes its result."""
    temper, pact = situation.temper, situation.pact
    influences = []
    if situation.dangers:
        influences.append(sentence("diplomacy.bots_criteria.dangers"))
    if pact.targets or pact.foes:
        influences.append(sentence("diplomacy.bots_criteria.agreements"))
    if situation.foe is not None:
        influences.append(sentence("diplomacy.bots_criteria.campaign", power=situation.foe))
    if situation.undisputed and any(map(situation.is_undisputed, situation.prizes)):
        influences.append(sentence("diplomacy.bots_criteria.undisputed"))
    if situation.winning_provinces:
        influences.append(sentence("diplomacy.bots_criteria.winning_provinces"))
    if situation.memory.failures:
        influences.append(sentence("diplomacy.bots_criteria.failed_attacks"))
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
    # An earlier criterion has mostly decided, so these steps are often not needed.
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
    """Return the least number, None if there are none or the place can't be reached."""
    least = min(numbers, default=UNREACHABLE_STEPS)
    return least if least < UNREACHABLE_STEPS else None


# The value of each spot: the worth of the prizes, spread over the ways to them.


@dataclass(frozen=True)
class SpotGraph:
    """The graph of one kind of unit: its spots, and for each spot the numbers of the adjacent ones."""

    spots: tuple[Province, ...]
    next_to: tuple[tuple[int, ...], ...]

    def spread(
        self, worth: Mapping[Province, float], rounds: int, share: float
    ) -> tuple[Sequence[float], ...]:
        """Return the worth that reaches each spot, round by round, from provinces that are worth something.

        In each round a spot gets the sum of its own worth and that of the adjacent spots, times the share. So
        a spot is worth more the more it holds, the nearer it is to what is worth much, and the more ways lead
        to it.
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
    """Return the graph of a kind of unit: water and coasts for a fleet, land for others."""
    near = board.sailing if kind == "F" else board.army
    spots = tuple(spot for spot in near if near[spot] or kind != "F")
    number = {spot: at for at, spot in enumerate(spots)}
    return SpotGraph(spots, tuple(tuple(number[there] for there in near[spot]) for spot in spots))
