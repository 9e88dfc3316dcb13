"""What the others might order: guesses of a model of them, which reads the same view and no more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.dice import Dice, LabelledDice
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
    """One way in which another nation may play, and how often it is reckoned with, beside the others."""

    player: Player
    often: int


def neighbourhood(situation: Situation) -> tuple[Unit, ...]:
    """The units that can have a part in what becomes of the seat's own, in board order."""
    steps = situation.board.steps([unit.at for unit in situation.mine])
    return tuple(unit for unit in situation.view.units if steps.get(unit.at, NEAR + 1) <= NEAR)


def replies(
    situation: Situation, models: Sequence[Model], units: Sequence[Unit], count: int, dice: Dice
) -> tuple[Sheet, ...]:
    """So many samples of what the others order all at once; each model is asked once for each nation.

    units: whose orders matter. In so many samples as all models together are reckoned with, each nation plays
    each model as often as it is to be; nations change at different strides, so that all sorts meet.
    """
    others = [power for power in situation.board.powers if power != situation.seat]
    near = [power for power in others if any(unit.power == power for unit in units)]
    often = [number for number, model in enumerate(models) for _ in range(model.often)]
    samples: list[dict[Province, UnitOrder]] = [{} for _ in range(count)]
    for number, power in enumerate(near):
        plans = [_plan(situation, model, power, units, dice) for model in models]
        turns = dice.shuffle(f"sample/{power}", often)
        stride = _STRIDES[number % len(_STRIDES)]
        for at, orders in enumerate(samples):
            orders.update(plans[turns[at * stride % len(turns)]])
    return tuple(samples)


def _plan(situation: Situation, model: Model, power: Seat, units: Sequence[Unit], dice: Dice) -> Sheet:
    """What a nation orders if it plays as the model does."""
    assert power != NEUTRAL, "no power is neutral"
    read = model.player.situation(situation.view, power)
    label = f"{power}/{type(model.player).__name__}/{model.player.temper.name}/"
    planned = model.player.moves(read, LabelledDice(dice, label))
    near = {unit.at for unit in units}
    return {at: order for at, order in sheet_of(planned).items() if at in near}


def sheet_of(planned: Sequence[Reasoned]) -> Sheet:
    """The orders of a plan, by the province of the unit."""
    orders = (one.order for one in planned)
    return {order.unit.at: order for order in orders if isinstance(order, UnitOrder)}
