"""A player after David Norman's DumbBot (DAIDE, 2003): an opponent, and a model of others.

Each spot gets a value from the centres on it and near it, and from how strongly the nation and others could
attack it. Each unit goes for the best spot in its reach, and sometimes for the next best. If a comrade goes
there already, it supports the comrade if others can get there, or looks further. The weights are our own.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import exp, log

from games.dice import Dice, LabelledDice, SealedDice
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.candidates import Repertoire, Sheet, buildable_units, sheet_of
from games.diplomacy.bots.common import MemoryKey, Situation, ground, movement_seasons
from games.diplomacy.bots.intermediate import Intermediate
from games.diplomacy.events import Resolved
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    Disband,
    Hold,
    Kind,
    Move,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    View,
    Waive,
    split_spot,
    spot,
)
from games.messages import sentence
from games.protocol import Bot, Choice, Due, PastTurn, Seat
from games.record import canonical

SPREAD_ROUNDS = 10
_NEIGHBOUR_SHARE = 0.2
_NEXT_BEST = 50
"""In this many cases of a hundred, the next best spot is considered."""
_CLOSENESS = 500
"""How much a worse spot suffers. One that is a fifth worse is never chosen."""


@dataclass(frozen=True)
class Weights:
    """The weights of a season: others' centres, own ones, each round of nearness, attack, rivals."""

    attack: int
    defence: int
    near: tuple[int, ...]
    strength: int
    competition: int


SPRING = Weights(700, 300, (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1), 1000, 1000)
FALL = Weights(600, 400, (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1), 1000, 1000)
WINTER = Weights(700, 300, (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1), 0, 0)


class DumbBot(Bot[View, AnyOrder]):
    """A bot that plays a nation by the values of spots: implements `protocol.Bot`."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the orders for one Due."""
        look = _PositionValues(self._variant.under(view.options), view, due.seat)
        if due.kind == "moves":
            orders: Sequence[AnyOrder] = _DumbBotPlan(look, dice).orders()
        elif due.kind == "retreats":
            orders = _retreats(look, dice)
        elif Build.__name__ in due.accepts:
            orders = _builds(look, due.takes or 0)
        else:
            worst = sorted(look.mine, key=lambda unit: look.value(unit.kind, unit.spot))
            orders = [Disband(unit=unit.piece) for unit in worst[: due.takes]]
        reason = sentence("diplomacy.bots_reasons.best_spot")
        return tuple(Choice(order=order, reason=reason) for order in orders)

    def season_planner(self, view: View, seat: Seat) -> Callable[[Dice], Sequence[UnitOrder]]:
        """Return a function that gives its orders for the moves by any dice; spots are valued only once."""
        look = _PositionValues(self._variant.under(view.options), view, seat)
        return lambda dice: _DumbBotPlan(look, dice).orders()


@dataclass(frozen=True)
class _PositionValues:
    """One seat's reading of a position: the basis of the values."""

    variant: Variant
    view: View
    seat: Seat

    @cached_property
    def repertoire(self) -> Repertoire:
        return Repertoire(self.variant, self.view)

    @cached_property
    def mine(self) -> tuple[Unit, ...]:
        return self.repertoire.mine(self.seat)

    @cached_property
    def near(self) -> Mapping[Province, Counter[Seat]]:
        """The number of units of each nation that could be in each province. An occupant can stay."""
        counts: dict[Province, Counter[Seat]] = {place: Counter() for place in self.variant.board.places}
        for unit in self.view.units:
            if unit.power != NEUTRAL:
                for place in (unit.at, *self.repertoire.reach(unit)):
                    counts[place][unit.power] += 1
        return counts

    @cached_property
    def weights(self) -> Weights:
        if self.view.phase.kind == "A":
            return WINTER
        return SPRING if self.view.phase.season == "S" else FALL

    def strength(self, place: Province) -> int:
        return self.near[place][self.seat]

    def competition(self, place: Province) -> int:
        """Return how many units the strongest of the others could send to a province."""
        return max((count for seat, count in self.near[place].items() if seat != self.seat), default=0)

    def value(self, kind: Kind, where: Province) -> float:
        """Return the worth of a spot to a unit of a kind."""
        return self._values["F" if kind == "F" else "A"].get(where, 0.0)

    def rank_spots(self, kind: Kind, spots: Sequence[Province]) -> Sequence[tuple[Province, float]]:
        """Return spots with their worth to a unit of a kind, the best first. They are sorted once."""
        key = kind, tuple(spots)
        if key not in self._ranking_cache:
            values = [(there, self.value(kind, there)) for there in spots]
            self._ranking_cache[key] = sorted(values, key=lambda pair: -pair[1])
        return self._ranking_cache[key]

    @cached_property
    def _ranking_cache(self) -> dict[tuple[Kind, tuple[Province, ...]], Sequence[tuple[Province, float]]]:
        return {}

    @cached_property
    def _values(self) -> Mapping[str, Mapping[Province, float]]:
        board, weights = self.variant.board, self.weights
        worth = self._worth()
        values_by_kind = {}
        for kind in ("A", "F"):
            terrain = ground(board, "F" if kind == "F" else "A")
            rounds = terrain.spread(worth, SPREAD_ROUNDS, _NEIGHBOUR_SHARE)
            values_by_kind[kind] = {
                there: sum(
                    weight * round_values[at]
                    for weight, round_values in zip(weights.near, rounds, strict=True)
                )
                + weights.strength * self.strength(split_spot(there)[0])
                - weights.competition * self.competition(split_spot(there)[0])
                for at, there in enumerate(terrain.spots)
            }
        return values_by_kind

    def _worth(self) -> Mapping[Province, float]:
        owned = Counter(self.view.centres.values())
        worths: dict[Province, float] = {}
        for centre in self.variant.board.centres:
            owner = self.view.centres.get(centre)
            if owner == self.seat:
                around = [_size(owned[other]) for other in self.near[centre] if other != self.seat]
                worths[centre] = self.weights.defence * max(around, default=0)
            else:
                worths[centre] = self.weights.attack * _size(owned[owner] if owner else 0)
        return worths


def _size(centres: int) -> int:
    """Return a nation's size for the values. One that is twice as large is more than twice as dangerous."""
    return centres * centres + 4 * centres + 16


@dataclass
class _DumbBotPlan:
    """A movement season being planned. `chosen` grows until every unit has its order."""

    look: _PositionValues
    dice: Dice
    chosen: dict[Province, UnitOrder] = field(default_factory=dict)

    def orders(self) -> list[UnitOrder]:
        for unit in self.dice.shuffle("turn", self.look.mine):
            self._find_order(unit, ())
        self._use_idle()
        return [self.chosen[unit.at] for unit in self.look.mine]

    def _find_order(self, unit: Unit, waiting: tuple[Province, ...]) -> None:
        """Choose an order for a unit. waiting: the comrades that wait for its decision."""
        if unit.at in self.chosen:
            return
        spots = {move.goal: move for move in self.look.repertoire.moves(unit)}
        candidates = [unit.spot, *spots]
        while candidates:
            there = _pick_spot(self.look, self.dice, unit, candidates, f"go/{unit.at}/{len(candidates)}")
            place = split_spot(there)[0]
            if there == unit.spot:
                break
            comrade = next((ally for ally in self.look.mine if ally.at == place), None)
            if comrade and place not in self.chosen and place not in waiting:
                self._find_order(comrade, (*waiting, unit.at))
            order = self._order_towards(unit, spots[there], comrade)
            if order is not None:
                self.chosen[unit.at] = order
                return
            candidates.remove(there)
        self.chosen[unit.at] = Hold(unit=unit.piece)

    def _order_towards(self, unit: Unit, move: Move, comrade: Unit | None) -> UnitOrder | None:
        """Return the move, or the support of a comrade there if others could come; None for neither."""
        ahead = next(
            (order for order in self.chosen.values() if isinstance(order, Move) and order.to == move.to), None
        )
        if ahead is not None:
            wanted = self.look.competition(move.to) > 0
            return SupportMove(unit=unit.piece, other=ahead.unit, to=move.to) if wanted else None
        if comrade is None or isinstance(self.chosen.get(comrade.at), Move):
            return move
        wanted = self.look.competition(move.to) > 1
        return SupportHold(unit=unit.piece, other=comrade.piece) if wanted else None

    def _use_idle(self) -> None:
        """Let units that stay for nothing support the comrade that needs it most."""
        for unit in self.look.mine:
            if not isinstance(self.chosen[unit.at], Hold):
                continue
            reach = self.look.repertoire.reach(unit)
            best: tuple[float, UnitOrder] | None = None
            for other in self.look.mine:
                order = self.chosen[other.at]
                to = order.to if isinstance(order, Move) else other.at
                need = self.look.competition(to) * self.look.value(other.kind, _spot(other, order))
                if other != unit and to in reach and need > 0 and (best is None or need > best[0]):
                    best = need, _backing(unit, other, order)
            if best is not None:
                self.chosen[unit.at] = best[1]


def _backing(unit: Unit, other: Unit, order: UnitOrder) -> UnitOrder:
    """Return a unit's support of another unit's order."""
    if isinstance(order, Move):
        return SupportMove(unit=unit.piece, other=other.piece, to=order.to)
    return SupportHold(unit=unit.piece, other=other.piece)


def _spot(unit: Unit, order: UnitOrder) -> Province:
    return spot(order.to, order.coast) if isinstance(order, Move) else unit.spot


def _pick_spot(
    look: _PositionValues, dice: Dice, unit: Unit, spots: Sequence[Province], label: str
) -> Province:
    """Return the best spot, or by chance the next best. The closer in value, the likelier."""
    ranked = look.rank_spots(unit.kind, spots)
    place = 0
    while place + 1 < len(ranked):
        now, then = ranked[place][1], ranked[place + 1][1]
        worse = _CLOSENESS * (now - then) / now if now > 0 else 0
        if dice.roll(f"{label}/{place}/look", 100) > _NEXT_BEST:
            break
        if dice.roll(f"{label}/{place}/take", 100) <= worse:
            break
        place += 1
    return ranked[place][0]


def _retreats(look: _PositionValues, dice: Dice) -> list[AnyOrder]:
    taken: set[Province] = set()
    orders: list[AnyOrder] = []
    for beaten_unit in look.view.beaten:
        if beaten_unit.unit.power != look.seat:
            continue
        free = [there for there in beaten_unit.retreats if split_spot(there)[0] not in taken]
        if not free:
            orders.append(Disband(unit=beaten_unit.unit.piece))
            continue
        to, coast = split_spot(
            _pick_spot(look, dice, beaten_unit.unit, free, f"retreat/{beaten_unit.unit.at}")
        )
        taken.add(to)
        orders.append(Move(unit=beaten_unit.unit.piece, to=to, coast=coast))
    return orders


def _builds(look: _PositionValues, count: int) -> list[AnyOrder]:
    builds: dict[Province, AnyOrder] = {}
    could = buildable_units(look.variant, look.view, look.seat)
    for piece in sorted(could, key=lambda piece: -look.value(piece.kind, piece.spot)):
        builds.setdefault(piece.at, Build(unit=piece))
    return [*builds.values(), *(Waive() for _ in range(count))][:count]


# A cache of plans that depend on a position and on dice, one for each roll. All players make the same plan
# for a nation, unless dice decide between equals. So the cache changes no orders.


SeasonPlanner = Callable[[Dice], Sequence[UnitOrder]]
"""Returns a player's orders with some dice. Everything else is known."""

Way = tuple[Seat, str, str, tuple[tuple[Seat, float], ...] | None, MemoryKey]
"""A nation, its supposed level, its temperament, the dangers that it was given, if any, and its memory."""

_Drawn = tuple[tuple[int, ...], ...]
_Due = tuple[str, int, int]
"""A roll: its label, the sides, and the count of numbers."""

_MAX_POSITIONS_KEPT = 8
"""The most positions that are cached: those of the last seasons are used again."""


@dataclass
class _NotedDice(Dice):
    """Another's dice, with a list of the rolls in order, each once."""

    dice: Dice
    rolled: dict[_Due, tuple[int, ...]] = field(default_factory=dict)

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        due = label, sides, count
        if due not in self.rolled:
            self.rolled[due] = self.dice.draw(label, sides, count)
        return self.rolled[due]


@dataclass
class _Plans:
    """The plans of one way to play, by the rolls made for them; and the next roll, by the rolls before it."""

    known: dict[_Drawn, _Due | Sheet] = field(default_factory=dict)

    def plan(self, make: Callable[[Dice], Sheet], dice: Dice) -> Sheet:
        drawn: _Drawn = ()
        noted = _NotedDice(dice)
        while isinstance(entry := self.known.get(drawn), tuple):
            drawn = (*drawn, noted.draw(*entry))
        return self._make_plan(make, noted) if entry is None else entry

    def _make_plan(self, make: Callable[[Dice], Sheet], noted: _NotedDice) -> Sheet:
        made = make(noted)
        drawn: _Drawn = ()
        for due, numbers in noted.rolled.items():
            self.known[drawn] = due
            drawn = (*drawn, numbers)
        self.known[drawn] = made
        return made


@dataclass
class ForeseenPosition:
    """The plans for one position. planners: the planners of nations that roll dice for every order."""

    plans: dict[Way, _Plans] = field(default_factory=dict)
    planners: dict[Seat, SeasonPlanner] = field(default_factory=dict)

    def plan(self, way: Way, make: Callable[[Dice], Sheet], dice: Dice) -> Sheet:
        """Return the plan of a way to play with these dice."""
        return self.plans.setdefault(way, _Plans()).plan(make, dice)


@dataclass
class PlanCache:
    """The plans for the last positions, by their canonical bytes."""

    positions: dict[bytes, ForeseenPosition] = field(default_factory=dict)
    _last: tuple[View, ForeseenPosition] | None = None

    def position(self, view: View) -> ForeseenPosition:
        """Return the plans for a position."""
        # If several threads ask at once, each uses its own object, not one that another puts here.
        last = self._last
        if last is None or last[0] is not view:
            last = self._last = view, self._find(canonical(view))
        return last[1]

    def _find(self, name: bytes) -> ForeseenPosition:
        foreseen = self.positions.get(name)
        if foreseen is None:
            foreseen = self.positions[name] = ForeseenPosition()
            for oldest in list(self.positions)[:-_MAX_POSITIONS_KEPT]:
                self.positions.pop(oldest, None)
        return foreseen


# Samples of the orders that others may give, by models of them that read the same view and no more.


_SAMPLES_PER_ROUND = 24
"""In this many samples each nation plays every model that fits it."""
_STRIDES = (1, 5, 7, 11)
"""It has no common divisor with a round, so that all samples of a round are used."""

_GUESSES = 1_000_000
"""The number of different seeds for guesses."""

Planner = Callable[[int], Sheet]
"""What a nation orders, by how often it was asked before."""

NEIGHBOURHOOD_STEPS = 3
"""Units that are this many steps away from all of the seat's units don't matter in this season."""


@dataclass(frozen=True)
class Model:
    """One way to play, as a model of other nations, and how often it is used compared with other models.

    foresight: the plans for positions, shared by all nations.
    """

    player: PlanningBot | DumbBot
    often: int
    foresight: PlanCache = field(default_factory=PlanCache, compare=False)

    @property
    def rolls_dice(self) -> bool:
        """True if its orders depend on its dice, so that its plans aren't known exactly."""
        return isinstance(self.player, DumbBot)

    @property
    def searches(self) -> bool:
        """True if its plan takes so long that all guesses at a nation share one, by dice of its own."""
        return self.player.budget is not None

    def knowing(self, past: Sequence[PastTurn]) -> "Model":
        """Return the same model, whose player remembers the last turns if its level does."""
        if not isinstance(self.player, Intermediate):
            return self
        return replace(self, player=self.player.with_history(past))

    def planner(self, view: View, power: Seat, dice: Dice) -> Planner:
        """Return a function that gives its plans for a nation. Each is made when asked for, and once.

        A level that hardly rolls dice makes one plan. A DumbBot makes a new one each time.
        """
        assert power != NEUTRAL, "no power is neutral"
        player, foreseen = self.player, self.foresight.position(view)
        if isinstance(player, DumbBot):
            if power not in foreseen.planners:
                foreseen.planners[power] = player.season_planner(view, power)
            season_planner = foreseen.planners[power]
            return cache(
                lambda draw: _by_unit(season_planner(LabelledDice(dice, f"{power}/dumbbot/{draw}/")))
            )
        memory = player.recall(power).key
        way = power, type(player).__name__, player.temper.name, dangers_key(player.dangers), memory
        if self.searches:
            dice = SealedDice(b"searches", power, 0)

        @cache
        def once() -> Sheet:
            def make_sheet(dice: Dice) -> Sheet:
                return sheet_of(player.moves(player.situation(view, power), dice))

            return foreseen.plan(way, make_sheet, LabelledDice(dice, "/".join((*way[:3], ""))))

        return lambda _draw: once()


def dangers_key(dangers: Mapping[Seat, float] | None) -> tuple[tuple[Seat, float], ...] | None:
    """Return the dangers that a player was given, as a part of a `Way`."""
    return None if dangers is None else tuple(sorted(dangers.items()))


def neighbourhood(situation: Situation) -> tuple[Unit, ...]:
    """Return the units that can affect the seat's own, in board order."""
    steps = situation.board.steps([unit.at for unit in situation.mine])
    return tuple(
        unit
        for unit in situation.view.units
        if steps.get(unit.at, NEIGHBOURHOOD_STEPS + 1) <= NEIGHBOURHOOD_STEPS
    )


def guessing(seat: Seat, dice: Dice) -> Dice:
    """Return the dice for a seat's guesses, sealed by one roll. The log has only that one."""
    return SealedDice(str(dice.roll("guesses", _GUESSES)).encode(), seat, 0)


def prior_shares(models: Sequence[Model]) -> tuple[float, ...]:
    """Return the share of each model for a nation without a history. They add up to one."""
    whole = sum(model.often for model in models)
    return tuple(model.often / whole for model in models)


def sample_replies(
    situation: Situation,
    models: Sequence[Model],
    habits: Mapping[Seat, Sequence[float]],
    units: Sequence[Unit],
    count: int,
    dice: Dice,
) -> tuple[Sheet, ...]:
    """Return `count` samples of the others' orders, all at once.

    habits: the share of each model, by nation nearby; units: the units whose orders matter. In a round of
    samples each nation plays each model as often as its share says. Nations change models at different
    strides, so that all combinations occur.
    """
    near = {unit.at for unit in units}
    samples: list[dict[Province, UnitOrder]] = [{} for _ in range(count)]
    for number, power in enumerate(habits):
        planners = [model.planner(situation.view, power, dice) for model in models]
        often = _apportion(habits[power])
        plans = [
            (planner, draw) for planner, times in zip(planners, often, strict=True) for draw in range(times)
        ]
        turns = dice.shuffle(f"sample/{power}", range(len(plans)))
        stride = _STRIDES[number % len(_STRIDES)]
        for at, orders in enumerate(samples):
            plan, draw = plans[turns[at * stride % len(turns)]]
            orders.update({at: order for at, order in plan(draw).items() if at in near})
    return tuple(samples)


def _apportion(wanted: Sequence[float]) -> tuple[int, ...]:
    """Return how many samples of a round each share gets: whole parts first, then the largest remainders."""
    parts = [_SAMPLES_PER_ROUND * share / sum(wanted) for share in wanted]
    counts = [int(part + 1e-9) for part in parts]
    remainders = sorted(range(len(parts)), key=lambda number: (counts[number] - parts[number], number))
    for number in remainders[: _SAMPLES_PER_ROUND - sum(counts)]:
        counts[number] += 1
    return tuple(counts)


def _by_unit(orders: Iterable[UnitOrder]) -> Sheet:
    return {order.unit.at: order for order in orders}


# The habits of nations, by how well each model would have predicted their last orders. Nothing is stored: the
# habits are computed from the last turns, which are public. If no turns are known or no model fits, each
# model keeps its usual share.


HABIT_SEASONS = 4
"""This many movement seasons are enough: a player's new habits show after two years."""

_DUMBBOT_DRAWS = 6
"""A DumbBot is asked this often, since its dice decide much."""
_EXPECTED = 0.7
"""The probability of an order that a model gives each time it is asked."""
_SURPRISE = 0.03
"""The probability of an order that a model doesn't give."""
_STRANGER = 0.2
"""The probability of any order of a player that plays like none of the models."""
_WEIGHT = 0.7
"""The orders of a season depend on each other: three tell about as much as two independent ones."""
_DOUBT = 0.1
"""The share that all models keep, even if one of them fits very well."""
_MAX_DOUBT = 0.5
_MAX_FITS_KEPT = 500
"""The most fits that are cached: enough for the games that one process handles."""


@dataclass(frozen=True)
class PastSeason:
    """A movement season in the past: the position before it, and the orders.

    name: different for any other position or orders; earlier: the turns before it that a bot remembers.
    """

    view: View
    orders: Mapping[Seat, Sheet]
    name: bytes
    earlier: tuple[PastTurn, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Habit:
    """The way in which a nation seems to play. shares: the probability of each model, together one.

    doubt: how little is known, 1 if nothing is known and every model has its usual share.
    """

    shares: tuple[float, ...]
    doubt: float = 1.0

    @property
    def model(self) -> int | None:
        """The number of the model that it seems to play, None if it is likelier to play like none of them."""
        return max(range(len(self.shares)), key=self.shares.__getitem__) if self.doubt < _MAX_DOUBT else None


Fits = dict[tuple[bytes, Seat], tuple[float, ...]]
"""How well each model fits, by season and nation. It depends on nothing else, so it is computed once."""


def past_seasons(past: Sequence[PastTurn]) -> tuple[PastSeason, ...]:
    """Return the last movement seasons of some turns. Units without orders are left out."""
    moves = [past_turn for past_turn in past if past_turn.turn.kind == "moves"]
    results = []
    for at in range(max(0, len(moves) - HABIT_SEASONS), len(moves)):
        before, orders = moves[at].before, _orders(moves[at])
        name = canonical(before) + canonical([list(sheet.values()) for sheet in orders.values()])
        results.append(PastSeason(before, orders, name, movement_seasons(moves[:at])))
    return tuple(results)


def estimate_habits(
    models: Sequence[Model], past: Sequence[PastSeason], powers: Sequence[Seat], fits: Fits
) -> Mapping[Seat, Habit]:
    """Return how each of some powers seems to play.

    fits: a cache of how well these models fit, to which new results are added.
    """
    usual, habit_by_power = prior_shares(models), {}
    for power in powers:
        seen = [_fit(models, season, power, fits) for season in past if power in season.orders]
        total_fit = [sum(fit) for fit in zip(*seen, strict=True)]
        habit_by_power[power] = _habit_from_fit(usual, total_fit) if seen else Habit(usual)
    return habit_by_power


def _habit_from_fit(usual: Sequence[float], fit: Sequence[float]) -> Habit:
    """Return the habit for a fit. fit: how much likelier than by a stranger the orders are, as logarithms."""
    likely = [share * exp(_WEIGHT * log_ratio) for share, log_ratio in zip(usual, fit, strict=True)]
    known = sum(likely)
    doubt = _DOUBT + (1 - _DOUBT) / (1 + known)
    mixed = (
        doubt * share + (1 - doubt) * likelihood / known
        for share, likelihood in zip(usual, likely, strict=True)
    )
    return Habit(tuple(mixed), doubt)


def _fit(models: Sequence[Model], season: PastSeason, power: Seat, fits: Fits) -> tuple[float, ...]:
    key = season.name, power
    if key not in fits:
        if len(fits) >= _MAX_FITS_KEPT:
            fits.clear()
        fits[key] = tuple(_log_likelihood_ratio(model, season, power) for model in models)
    return fits[key]


def _log_likelihood_ratio(model: Model, season: PastSeason, power: Seat) -> float:
    """Return how much likelier a model makes the orders of a season than a stranger, as a logarithm.

    It rolls its own dice, so the same season always gives the same result.
    """
    model = model.knowing(season.earlier)
    planner = model.planner(season.view, power, SealedDice(b"habits", season.view.phase.short, 0))
    given = season.orders[power]
    draws = _DUMBBOT_DRAWS if isinstance(model.player, DumbBot) else 1
    sheets = [planner(draw) for draw in range(draws)]
    return sum(
        log((_SURPRISE + _EXPECTED * sum(sheet.get(at) == order for sheet in sheets) / draws) / _STRANGER)
        for at, order in given.items()
    )


def _orders(past: PastTurn) -> Mapping[Seat, Sheet]:
    sheets: dict[Seat, dict[Province, UnitOrder]] = {}
    for event in past.events:
        if isinstance(event, Resolved) and isinstance(event.order, UnitOrder):
            sheets.setdefault(event.power, {})[event.order.unit.at] = event.order
    return sheets
