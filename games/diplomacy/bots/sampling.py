"""Samples of the orders that others might give, by a model of them that reads the same view and no more."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from games.dice import Dice, LabelledDice, SealedDice
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.opponents import DumbBot
from games.diplomacy.bots.plan_cache import PlanCache, Sheet
from games.diplomacy.bots.reasons import Reasoned
from games.diplomacy.model import NEUTRAL, Province, Unit, UnitOrder, View
from games.protocol import Seat
from games.protocol.bot_skills import SupportsSearchBudget

_SAMPLES_PER_ROUND = 24
"""In so many samples each nation plays all that is guessed of it."""
_STRIDES = (1, 5, 7, 11)
"""Without a common divisor with a round, so that all of a round comes."""

_GUESSES = 1_000_000
"""So many ways to guess there are."""

Planner = Callable[[int], Sheet]
"""What a nation orders, by how often it was asked before."""

NEIGHBOURHOOD_STEPS = 3
"""Units that are so many steps away from all of ours do not matter to this season."""


@dataclass(frozen=True)
class Model:
    """One way in which another nation may play, and how often it is reckoned with, beside the others.

    foresight: what is known of positions whoever looks at them.
    """

    player: PlanningBot | DumbBot
    often: int
    foresight: PlanCache = field(default_factory=PlanCache, compare=False)

    @property
    def rolls_dice(self) -> bool:
        """True if its orders depend on its dice, so that its plans are not known exactly."""
        return isinstance(self.player, DumbBot)

    @property
    def searches(self) -> bool:
        """True if its plan takes so long that all guesses at a nation share one, by dice of its own."""
        return isinstance(self.player, SupportsSearchBudget)

    def planner(self, view: View, power: Seat, dice: Dice) -> Planner:
        """Return a function that gives its plans for a nation. Each is made when asked for, and once.

        A level hardly throws dice, so its plan is made once; a DumbBot does, so it plans anew each time.
        """
        assert power != NEUTRAL, "no power is neutral"
        player, foreseen = self.player, self.foresight.of(view)
        if isinstance(player, DumbBot):
            if power not in foreseen.throws:
                foreseen.throws[power] = player.season_planner(view, power)
            throw = foreseen.throws[power]
            return cache(lambda draw: _by_unit(throw(LabelledDice(dice, f"{power}/dumbbot/{draw}/"))))
        way = power, type(player).__name__, player.temper.name, dangers_key(player.dangers)
        if self.searches:
            dice = SealedDice(b"searches", power, 0)

        @cache
        def once() -> Sheet:
            def make_sheet(thrown: Dice) -> Sheet:
                return sheet_of(player.moves(player.situation(view, power), thrown))

            return foreseen.plan(way, make_sheet, LabelledDice(dice, "/".join((*way[:3], ""))))

        return lambda draw: once()


def dangers_key(dangers: Mapping[Seat, float] | None) -> tuple[tuple[Seat, float], ...] | None:
    """Return the dangers that a player was given, as a part of a `Way`."""
    return None if dangers is None else tuple(sorted(dangers.items()))


def neighbourhood(situation: Situation) -> tuple[Unit, ...]:
    """The units that can have a part in what becomes of the seat's own, in board order."""
    steps = situation.board.steps([unit.at for unit in situation.mine])
    return tuple(
        unit
        for unit in situation.view.units
        if steps.get(unit.at, NEIGHBOURHOOD_STEPS + 1) <= NEIGHBOURHOOD_STEPS
    )


def guessing(seat: Seat, dice: Dice) -> Dice:
    """The dice of a seat's guesses, sealed by one throw: else each of them would stand in the log."""
    return SealedDice(str(dice.roll("guesses", _GUESSES)).encode(), seat, 0)


def prior_shares(models: Sequence[Model]) -> tuple[float, ...]:
    """Return the share of each model where nothing is known of a nation; together one."""
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
    """Return `count` samples of what the others order all at once.

    habits: how much each model is reckoned with, by nation nearby; units: whose orders matter. In a round
    of samples each nation plays each model as often as it is to be; nations change at different strides,
    so that all sorts meet.
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


def sheet_of(planned: Sequence[Reasoned]) -> Sheet:
    """The orders of a plan, by the province of the unit."""
    return _by_unit(
        planned_order.order for planned_order in planned if isinstance(planned_order.order, UnitOrder)
    )


def _by_unit(orders: Iterable[UnitOrder]) -> Sheet:
    return {order.unit.at: order for order in orders}
