"""The best replies of others: what a neighbour would change if it knew what we are about to do."""

from collections.abc import Collection
from dataclasses import replace

from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.evaluation import Valuation
from games.diplomacy.bots.plan_cache import Sheet
from games.diplomacy.bots.search import Trials
from games.diplomacy.bots.variations import Change, Variations
from games.diplomacy.model import Move, Province
from games.protocol import Seat

REPLY_SAMPLE_INTERVAL = 4
"""One sample in so many has the best replies in it."""

_REPLY_BUDGET_SHARE = 0.25
"""So much of what is left of the budget may go into looking for them."""


def with_replies(
    situation: Situation, player: PlanningBot, trials: Trials, best: Sheet, clever: Collection[Seat]
) -> Trials:
    """The trials with best replies to a sheet in some of their samples; what was tried before is forgotten.

    player: as whom the others weigh what they do; clever: who may reply. Each of these nations that can come
    to where we stand or go makes one change, to what it orders in the first sample, that touches us, if it is
    better off with it.
    """
    places = {unit.at for unit in situation.mine}
    places |= {order.to for order in best.values() if isinstance(order, Move)}
    powers = [power for power in _next_door(situation, places) if power in clever]
    if not powers:
        return trials
    allowance = int(_REPLY_BUDGET_SHARE * (trials.budget - trials.spent)) // len(powers)
    answers: Sheet = {}
    spent = trials.spent
    for power in powers:
        read = player.situation(situation.view, power)
        own = {unit.at for unit in read.mine}
        plan = {at: order for at, order in trials.samples[0].items() if at in own}
        against = {at: order for at, order in trials.samples[0].items() if at not in own}
        theirs = replace(
            trials,
            seat=power,
            samples=({**against, **best},),
            valuation=Valuation(read),
            budget=allowance,
            spent=0,
            values={},
        )
        answers = {**answers, **_reply(read, theirs, plan, places)}
        spent += theirs.spent
    samples = [
        {**sample, **answers} if number % REPLY_SAMPLE_INTERVAL == REPLY_SAMPLE_INTERVAL - 1 else sample
        for number, sample in enumerate(trials.samples)
    ]
    return replace(trials, samples=samples, spent=spent, values={})


def _next_door(situation: Situation, places: Collection[Province]) -> tuple[Seat, ...]:
    """The nations that are no friends and can come to some places, in the order of the board."""
    near = {unit.power for place in places for unit in situation.enemies(place)}
    return tuple(power for power in situation.board.powers if power in near)


def _reply(read: Situation, trials: Trials, plan: Sheet, places: Collection[Province]) -> Sheet:
    """A nation's plan with the one change that is best for it among those that go to some places."""
    variations = Variations(read, [unit for unit in read.mine if unit.at in plan])
    best, most = plan, trials.mean(plan)
    for change in variations.of(plan):
        if trials.is_spent:
            break
        if _touches(change, places):
            sheet = variations.apply(plan, change)
            worth = trials.mean(sheet)
            if worth > most:
                best, most = sheet, worth
    return best


def _touches(change: Change, places: Collection[Province]) -> bool:
    return any(isinstance(order, Move) and order.to in places for order in change.values())
