"""Order sheets tried out: adjudicated against each sample of the others' orders, and valued."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Literal

from games.diplomacy.adjudication.resolver import DecidedSeason
from games.diplomacy.adjudication.season import (
    EncodedOrder,
    IndexedPosition,
    encode_orders,
    index_position,
    merge_orders,
)
from games.diplomacy.adjudication.variations import BaseSeason
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.candidates import Change, Sheet, Variations
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.evaluation import Valuation, standpoint_after
from games.diplomacy.model import NEUTRAL, Move, Province, Unit, UnitOrder
from games.protocol import Seat

_STAGES = ((2, -0.25), (4, -0.1), (8, -0.03))
"""A sheet that is this much worse than the best after this many samples is given up."""

_MAX_VARIED_ORDERS = 4
"""With this many different orders a sheet is decided as a variation of one that was tried before."""

_STUDENT = (12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.1)
"""The number of standard errors around a mean that hold the truth 19 times of 20, for two values, three, and
so on."""

Key = tuple[UnitOrder, ...]


@dataclass
class Trials:
    """The trials of one season. They cost adjudications, never more than the budget.

    units: the units that take part; samples: the others' orders; spent: the adjudications made so far.
    """

    board: Board
    rulebook: Rulebook
    units: Sequence[Unit]
    seat: Seat
    samples: Sequence[Sheet]
    valuation: Valuation
    budget: int
    spent: int = 0
    values: dict[Key, list[float]] = field(default_factory=dict)
    _themes: dict[int, tuple[frozenset[EncodedOrder], BaseSeason]] = field(default_factory=dict, init=False)
    _last: tuple[Sheet, Sequence[EncodedOrder]] | None = field(default=None, init=False)

    @property
    def is_spent(self) -> bool:
        """True if the budget allows no more."""
        return self.spent >= self.budget

    def mean(self, sheet: Sheet) -> float:
        """Return the mean worth against as many samples as the budget allows; the lowest for none."""
        worths = self._worths_against(sheet, len(self.samples))
        return fmean(worths) if worths else -inf

    def beats(self, sheet: Sheet, best: Sheet) -> bool:
        """Return whether a sheet is worth more than the best so far. It is given up once that is unlikely."""
        before = self._worths_against(best, len(self.samples))
        for stage, least in _STAGES:
            if stage < len(self.samples):
                worths = self._worths_against(sheet, stage)
                if len(worths) < stage or fmean(worths) - fmean(before[:stage]) < least:
                    return False
        worths = self._worths_against(sheet, len(self.samples))
        return len(worths) == len(before) and fmean(worths) > fmean(before) + 1e-9

    def margin(self, best: Sheet, key: Key) -> tuple[float, int]:
        """Return how much more the best sheet is worth than another, and the number of common samples."""
        ours, theirs = self.values.get(_key(best), []), self.values[key]
        count = min(len(ours), len(theirs))
        return (fmean(ours[:count]) - fmean(theirs[:count]) if count else 0.0), count

    def noise(self, best: Sheet, key: Key) -> float:
        """Return the margin that chance alone may make: half of its 95 % interval (Student's)."""
        ours, theirs = self.values.get(_key(best), []), self.values[key]
        apart = [own - other for own, other in zip(ours, theirs, strict=False)]
        if len(apart) < 2:
            return inf
        return _STUDENT[min(len(apart), len(_STUDENT) + 1) - 2] * stdev(apart) / sqrt(len(apart))

    def decide_against(self, sheet: Sheet, number: int) -> DecidedSeason:
        """Return a sheet decided against one sample. It costs nothing, since it was tried before."""
        ours = self._in_numbers(sheet)
        themed, theme = self._themes.get(number, (frozenset(), None))
        changes = [errand for errand in ours if errand not in themed]
        if theme is None or len(changes) > _MAX_VARIED_ORDERS:
            theme = BaseSeason(self._indexed_position, merge_orders(self._theirs[number], ours))
            self._themes[number] = frozenset(ours), theme
            return theme.settled
        return theme.decide_variation(changes)

    def _in_numbers(self, sheet: Sheet) -> Sequence[EncodedOrder]:
        # One sheet is tried against one sample after another.
        if self._last is None or self._last[0] is not sheet:
            self._last = sheet, encode_orders(self.board, sheet)
        return self._last[1]

    @cached_property
    def _theirs(self) -> Sequence[Sequence[EncodedOrder]]:
        """The others' encoded orders in each sample."""
        return [encode_orders(self.board, sample) for sample in self.samples]

    @cached_property
    def _indexed_position(self) -> IndexedPosition:
        return index_position(self.board, self.rulebook, self.units)

    def _worths_against(self, sheet: Sheet, count: int) -> list[float]:
        """Return the worth against the first samples, fewer of them once the budget is spent."""
        worths = self.values.setdefault(_key(sheet), [])
        while len(worths) < count and not self.is_spent:
            first = self._first_alike[len(worths)]
            if first < len(worths):
                worths.append(worths[first])
                continue
            self.spent += 1
            worths.append(self._try(sheet, first))
        return worths[:count]

    @cached_property
    def _first_alike(self) -> Sequence[int]:
        """For each sample, the first one with the same orders. Equal samples are common."""
        return [self.samples.index(sample) for sample in self.samples]

    def _try(self, sheet: Sheet, number: int) -> float:
        settled = self.decide_against(sheet, number)
        after = standpoint_after(self.units, self.board.index, settled.moved, settled.beaten, self.seat)
        return self.valuation.worth(after)


def _key(sheet: Sheet) -> Key:
    # All sheets of a season name the units in the same order.
    return tuple(sheet.values())


def orders_of(key: Key) -> dict[Province, UnitOrder]:
    """Return the sheet that was tried under a key."""
    return {order.unit.at: order for order in key}


# The best replies of others: the change that a neighbour would make if it knew the orders of this nation.


REPLY_SAMPLE_INTERVAL = 4
"""One sample of this many contains the best replies."""

_REPLY_BUDGET_SHARE = 0.25
"""The share of the remaining budget that may be spent on the search for replies."""


def with_replies(
    situation: Situation, player: PlanningBot, trials: Trials, best: Sheet, clever: Collection[Seat]
) -> Trials:
    """Return new trials, with the best replies to a sheet in some of their samples.

    player: the bot whose valuation the others use; clever: the nations that may reply. Each of these that can
    reach a place of this nation's units makes one change to its orders of the first sample, if it gains by
    it.
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
    """Return the nations near some places that aren't friends, in the order of the board."""
    near = {unit.power for place in places for unit in situation.enemies(place)}
    return tuple(power for power in situation.board.powers if power in near)


def _reply(read: Situation, trials: Trials, plan: Sheet, places: Collection[Province]) -> Sheet:
    """Return a nation's plan with the one change that is best for it among those that go to some places."""
    variations = Variations(read, [unit for unit in read.mine if unit.at in plan])
    best, most = plan, trials.mean(plan)
    for change in variations.changes(plan):
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


# The dangers to an order in the samples: nations that dislodge its unit or block its way.


Danger = Literal["driven out", "in the way"]
"""A unit is dislodged by an enemy, or its move fails because an enemy is there or goes there too."""


@dataclass(frozen=True)
class Fear:
    """The danger to an order in some samples. by: the most frequent enemy; times: in how many samples."""

    danger: Danger
    by: Seat
    times: int


def worst_fear(
    settled: Sequence[DecidedSeason], index: Mapping[Province, int], seat: Seat, order: UnitOrder
) -> Fear | None:
    """Return the worst danger to an order, None if there are none. Dislodged is worse than blocked."""
    beaten = [_beaters(season, index[order.unit.at]) for season in settled]
    kept = [_opponents(season, index, order, seat) for season in settled]
    for danger, powers_by_sample in (("driven out", beaten), ("in the way", kept)):
        counted = Counter(power for powers in powers_by_sample for power in dict.fromkeys(powers))
        if counted:
            by, times = max(sorted(counted.items()), key=lambda item: item[1])
            return Fear("driven out" if danger == "driven out" else "in the way", Seat(by), times)
    return None


def _beaters(settled: DecidedSeason, at: int) -> Iterator[str]:
    if at in settled.beaten:
        power = settled.season.nation[settled.beaten[at]]
        assert power is not None, "somebody came from there"
        yield power


def _opponents(
    settled: DecidedSeason, index: Mapping[Province, int], order: UnitOrder, seat: Seat
) -> Iterator[str]:
    if not isinstance(order, Move) or index[order.unit.at] in settled.moved:
        return
    season, to = settled.season, index[order.to]
    staying = () if to in settled.moved else (to,)
    for place in (*season.aimed.get(to, ()), *season.landing.get(to, ()), *staying):
        power = season.nation[place]
        if power is not None and power not in (seat, NEUTRAL):
            yield power
