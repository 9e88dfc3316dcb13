"""What the others might order: guesses of a model of them, which reads the same view and no more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from games.dice import Dice, LabelledDice
from games.diplomacy.bots.dumbbot import DumbBot
from games.diplomacy.bots.motives import Reasoned
from games.diplomacy.bots.player import Player
from games.diplomacy.bots.situation import Situation
from games.diplomacy.model import NEUTRAL, Province, Unit, UnitOrder
from games.protocol import Seat

Sheet = Mapping[Province, UnitOrder]
"""Orders by the province of the unit."""

_STRIDES = (1, 5, 7, 11)

NEAR = 3
"""Units that are so many steps away from all of ours do not matter to this season."""


@dataclass(frozen=True)
class Model:
    """One way in which another nation may play, and how often it is reckoned with, beside the others.

    A level hardly throws dice, so its plan is made once; a DumbBot does, so it plans anew each time.
    """

    player: Player | DumbBot
    often: int


def neighbourhood(situation: Situation) -> tuple[Unit, ...]:
    """The units that can have a part in what becomes of the seat's own, in board order."""
    steps = situation.board.steps([unit.at for unit in situation.mine])
    return tuple(unit for unit in situation.view.units if steps.get(unit.at, NEAR + 1) <= NEAR)


def replies(
    situation: Situation, models: Sequence[Model], units: Sequence[Unit], count: int, dice: Dice
) -> tuple[Sheet, ...]:
    """So many samples of what the others order all at once; each level is asked once for each nation.

    units: whose orders matter. In so many samples as all models together are reckoned with, each nation plays
    each model as often as it is to be; nations change at different strides, so that all sorts meet.
    """
    others = [power for power in situation.board.powers if power != situation.seat]
    near = [power for power in others if any(unit.power == power for unit in units)]
    samples: list[dict[Province, UnitOrder]] = [{} for _ in range(count)]
    for number, power in enumerate(near):
        planners = [_planner(situation, model, power, units, dice) for model in models]
        plans = [
            (planner, draw)
            for planner, model in zip(planners, models, strict=True)
            for draw in range(model.often)
        ]
        turns = dice.shuffle(f"sample/{power}", range(len(plans)))
        stride = _STRIDES[number % len(_STRIDES)]
        for at, orders in enumerate(samples):
            plan, draw = plans[turns[at * stride % len(turns)]]
            orders.update(plan(draw))
    return tuple(samples)


def _planner(
    situation: Situation, model: Model, power: Seat, units: Sequence[Unit], dice: Dice
) -> Callable[[int], Sheet]:
    """What tells the plans of a nation that plays as the model does, by how often it was asked before.

    Nothing is planned before it is asked for, and nothing twice.
    """
    assert power != NEUTRAL, "no power is neutral"
    near, player = {unit.at for unit in units}, model.player
    if isinstance(player, DumbBot):
        season = player.season(situation.view, power)

        @cache
        def drawn(draw: int) -> Sheet:
            orders = season(LabelledDice(dice, f"{power}/dumbbot/{draw}/"))
            return {one.unit.at: one for one in orders if one.unit.at in near}

        return drawn

    @cache
    def once() -> Sheet:
        read = player.situation(situation.view, power)
        label = f"{power}/{type(player).__name__}/{player.temper.name}/"
        planned = sheet_of(player.moves(read, LabelledDice(dice, label)))
        return {at: order for at, order in planned.items() if at in near}

    return lambda draw: once()


def sheet_of(planned: Sequence[Reasoned]) -> Sheet:
    """The orders of a plan, by the province of the unit."""
    orders = (one.order for one in planned)
    return {order.unit.at: order for order in orders if isinstance(order, UnitOrder)}
