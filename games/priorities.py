"""Lists of priorities: criteria applied from the top, and the number of the one that decided.

Many bots on paper choose like this. All candidates are considered, and each criterion keeps the best of those
that meet it. If one candidate is left, the criterion that left it alone has decided.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from games.record import Value

CandidateT = TypeVar("CandidateT")


class Criterion(Value, Generic[CandidateT], frozen=True):
    """One line of a list of priorities.

    words: the criterion in words ("closest to the centre"). measure: returns how far a candidate is from
    meeting it, lower for a better one; None if the candidate doesn't meet it at all.
    """

    words: str
    measure: Callable[[CandidateT], float | None]


class Ranking(Value, Generic[CandidateT], frozen=True):
    """The result of applying a list of priorities.

    left: the candidates left after the last criterion used, in the order given; several are a tie. narrowed:
    the criteria that removed candidates, counted from 1, in order. size: the length of the list.
    """

    left: tuple[CandidateT, ...]
    narrowed: tuple[int, ...]
    size: int

    @property
    def is_tie(self) -> bool:
        """True if several candidates are left at the end of the list."""
        return len(self.left) > 1

    @property
    def deciding_criterion(self) -> int:
        """The criterion that decided, from 1; 0 if there was only one candidate; the last one on a tie."""
        if self.is_tie:
            return self.size
        return self.narrowed[-1] if self.narrowed else 0


def applies(words: str, holds: Callable[[CandidateT], bool]) -> Criterion[CandidateT]:
    """Return a criterion that a candidate either meets or doesn't meet."""
    return Criterion(words, lambda candidate: 0 if holds(candidate) else None)


def rank(candidates: Sequence[CandidateT], criteria: Sequence[Criterion[CandidateT]]) -> Ranking[CandidateT]:
    """Apply the criteria until one candidate is left. There must be at least one candidate.

    A criterion that no candidate meets is skipped: all stay.
    """
    assert candidates, "nothing to choose from"
    remaining, narrowed = tuple(candidates), []
    for number, criterion in enumerate(criteria, start=1):
        if len(remaining) == 1:
            break
        measures = [criterion.measure(candidate) for candidate in remaining]
        least = min((measure for measure in measures if measure is not None), default=None)
        if least is None:
            continue
        pairs = zip(remaining, measures, strict=True)
        kept = tuple(candidate for candidate, measure in pairs if measure == least)
        if len(kept) < len(remaining):
            remaining = kept
            narrowed.append(number)
    return Ranking(remaining, tuple(narrowed), len(criteria))
