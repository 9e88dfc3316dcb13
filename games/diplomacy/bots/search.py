"""Order sheets tried out: adjudicated against each sample of what the others may order, and valued."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, sqrt
from statistics import fmean, stdev

from games.diplomacy.adjudication.encoded_orders import EncodedOrder, encode_orders, merge_orders
from games.diplomacy.adjudication.muster import IndexedPosition, index_position
from games.diplomacy.adjudication.resolver import DecidedSeason
from games.diplomacy.adjudication.variations import BaseSeason
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.bots.evaluation import Valuation, standpoint_after
from games.diplomacy.bots.plan_cache import Sheet
from games.diplomacy.model import Province, Unit, UnitOrder
from games.protocol import Seat

_STAGES = ((2, -0.25), (4, -0.1), (8, -0.03))
"""A sheet that is so much worse than the best after so many samples is not tried against the others."""

_MAX_VARIED_ORDERS = 4
"""With so many other orders a sheet is decided as a variation of one that was tried before."""

_STUDENT = (12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.1)
"""So many standard errors of a mean hold the truth 19 times of 20: of two values, of three, and so on."""

Key = tuple[UnitOrder, ...]


@dataclass
class Trials:
    """The trials of one season. They cost adjudications, and never more than the budget.

    units: who has a part in it; samples: what the others order; spent: adjudications made so far.
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
        """The mean worth against the samples, as many as the budget allows; less than any other for none."""
        worths = self._worths_against(sheet, len(self.samples))
        return fmean(worths) if worths else -inf

    def beats(self, sheet: Sheet, best: Sheet) -> bool:
        """Return whether a sheet is worth more than the best so far; it is given up once that is unlikely."""
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
        """Return the margin that chance alone makes now and then: half of its 95 % interval (Student's)."""
        ours, theirs = self.values.get(_key(best), []), self.values[key]
        apart = [own - other for own, other in zip(ours, theirs, strict=False)]
        if len(apart) < 2:
            return inf
        return _STUDENT[min(len(apart), len(_STUDENT) + 1) - 2] * stdev(apart) / sqrt(len(apart))

    def decide_against(self, sheet: Sheet, number: int) -> DecidedSeason:
        """Return a sheet decided against one sample. It costs nothing: it repeats what was tried."""
        ours = self._in_numbers(sheet)
        themed, theme = self._themes.get(number, (frozenset(), None))
        changes = [errand for errand in ours if errand not in themed]
        if theme is None or len(changes) > _MAX_VARIED_ORDERS:
            theme = BaseSeason(self._indexed_position, merge_orders(self._theirs[number], ours))
            self._themes[number] = frozenset(ours), theme
            return theme.settled
        return theme.decide_variation(changes)

    def _in_numbers(self, sheet: Sheet) -> Sequence[EncodedOrder]:
        # One sheet is tried against one sample after the other.
        if self._last is None or self._last[0] is not sheet:
            self._last = sheet, encode_orders(self.board, sheet)
        return self._last[1]

    @cached_property
    def _theirs(self) -> Sequence[Sequence[EncodedOrder]]:
        """The encoded orders of the others in each sample."""
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
        """For each sample, the first one in which the others order the same: what is foreseen comes often."""
        return [self.samples.index(sample) for sample in self.samples]

    def _try(self, sheet: Sheet, number: int) -> float:
        settled = self.decide_against(sheet, number)
        after = standpoint_after(self.units, self.board.index, settled.moved, settled.beaten, self.seat)
        return self.valuation.worth(after)


def _key(sheet: Sheet) -> Key:
    # All sheets of a season name the units in one order.
    return tuple(sheet.values())


def orders_of(key: Key) -> dict[Province, UnitOrder]:
    """The sheet that was tried under a key."""
    return {order.unit.at: order for order in key}
