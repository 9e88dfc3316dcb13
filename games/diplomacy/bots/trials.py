"""Order sheets tried out: adjudicated against each sample of what the others may order, and valued."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, sqrt
from statistics import fmean, stdev

from games.diplomacy.board import Board
from games.diplomacy.bots.foreseen import Sheet
from games.diplomacy.bots.valuation import Valuation, standpoint
from games.diplomacy.errands import Errand, errands, merged
from games.diplomacy.model import Province, Unit, UnitOrder
from games.diplomacy.muster import Muster, muster
from games.diplomacy.resolver import Settled
from games.diplomacy.rulebook import Rulebook
from games.diplomacy.variation import Theme
from games.protocol import Seat

_STAGES = ((2, -0.25), (4, -0.1), (8, -0.03))
"""A sheet that is so much worse than the best after so many samples is not tried against the others."""

_FAR = 4
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
    _themes: dict[int, tuple[frozenset[Errand], Theme]] = field(default_factory=dict, init=False)
    _last: tuple[Sheet, Sequence[Errand]] | None = field(default=None, init=False)

    @property
    def is_spent(self) -> bool:
        """Whether the budget allows no more."""
        return self.spent >= self.budget

    def mean(self, sheet: Sheet) -> float:
        """The mean worth against the samples, as many as the budget allows; less than any other for none."""
        found = self._tried(sheet, len(self.samples))
        return fmean(found) if found else -inf

    def beats(self, sheet: Sheet, best: Sheet) -> bool:
        """Whether a sheet is worth more than the best so far; it is given up once that is unlikely."""
        before = self._tried(best, len(self.samples))
        for stage, least in _STAGES:
            if stage < len(self.samples):
                found = self._tried(sheet, stage)
                if len(found) < stage or fmean(found) - fmean(before[:stage]) < least:
                    return False
        found = self._tried(sheet, len(self.samples))
        return len(found) == len(before) and fmean(found) > fmean(before) + 1e-9

    def margin(self, best: Sheet, key: Key) -> tuple[float, int]:
        """By how much the best sheet is worth more than another one, and against how many samples of both."""
        ours, theirs = self.values.get(_key(best), []), self.values[key]
        count = min(len(ours), len(theirs))
        return (fmean(ours[:count]) - fmean(theirs[:count]) if count else 0.0), count

    def noise(self, best: Sheet, key: Key) -> float:
        """How large a margin chance alone would make now and then: half of its 95 % interval (Student's)."""
        ours, theirs = self.values.get(_key(best), []), self.values[key]
        apart = [one - other for one, other in zip(ours, theirs, strict=False)]
        if len(apart) < 2:
            return inf
        return _STUDENT[min(len(apart), len(_STUDENT) + 1) - 2] * stdev(apart) / sqrt(len(apart))

    def settled(self, sheet: Sheet, number: int) -> Settled:
        """A sheet adjudicated against one sample. Costs nothing: it tells again what was tried."""
        ours = self._in_numbers(sheet)
        themed, theme = self._themes.get(number, (frozenset(), None))
        changes = [errand for errand in ours if errand not in themed]
        if theme is None or len(changes) > _FAR:
            theme = Theme(self._mustered, merged(self._theirs[number], ours))
            self._themes[number] = frozenset(ours), theme
            return theme.settled
        return theme.varied(changes)

    def _in_numbers(self, sheet: Sheet) -> Sequence[Errand]:
        # One sheet is tried against one sample after the other.
        if self._last is None or self._last[0] is not sheet:
            self._last = sheet, errands(self.board, sheet)
        return self._last[1]

    @cached_property
    def _theirs(self) -> Sequence[Sequence[Errand]]:
        """What the others order in each sample, in numbers."""
        return [errands(self.board, sample) for sample in self.samples]

    @cached_property
    def _mustered(self) -> Muster:
        return muster(self.board, self.rulebook, self.units)

    def _tried(self, sheet: Sheet, count: int) -> list[float]:
        """The worth against the first samples, fewer of them once the budget is spent."""
        found = self.values.setdefault(_key(sheet), [])
        while len(found) < count and not self.is_spent:
            first = self._alike[len(found)]
            if first < len(found):
                found.append(found[first])
                continue
            self.spent += 1
            found.append(self._try(sheet, first))
        return found[:count]

    @cached_property
    def _alike(self) -> Sequence[int]:
        """By sample, the first one in which the others order the same: what is foreseen comes often."""
        return [self.samples.index(sample) for sample in self.samples]

    def _try(self, sheet: Sheet, number: int) -> float:
        settled = self.settled(sheet, number)
        after = standpoint(self.units, self.board.index, settled.moved, settled.beaten, self.seat)
        return self.valuation.worth(after)


def _key(sheet: Sheet) -> Key:
    # All sheets of a season name the units in one order.
    return tuple(sheet.values())


def orders_of(key: Key) -> dict[Province, UnitOrder]:
    """The sheet that was tried under a key."""
    return {order.unit.at: order for order in key}
