"""The order of priorities: criteria worked through from the top, and the one that decided by name.

Many bots on paper choose so. All candidates are taken; each criterion keeps the best of those that meet it;
when one is left, the criterion that left it alone has decided.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from games.record import Value

CandidateT = TypeVar("CandidateT")


class Criterion(Value, Generic[CandidateT], frozen=True):
    """One line of a list of priorities.

    words: what it says ("closest to the centre"). measure: how far a candidate is from meeting it, less being
    better; None where the candidate does not meet it at all.
    """

    words: str
    measure: Callable[[CandidateT], float | None]


class Ranking(Value, Generic[CandidateT], frozen=True):
    """The result of working through a list of priorities.

    left: the candidates left after the last criterion used, in the order given; several are a tie.
    narrowed: the criteria that sent candidates away, counted from 1, in order. size: of the list.
    """

    left: tuple[CandidateT, ...]
    narrowed: tuple[int, ...]
    size: int

    @property
    def is_tie(self) -> bool:
        """True if several are left when the list is at its end."""
        return len(self.left) > 1

    @property
    def deciding_criterion(self) -> int:
        """The criterion that decided, from 1; 0 if there was one candidate only; the last one on a tie."""
        if self.is_tie:
            return self.size
        return self.narrowed[-1] if self.narrowed else 0


def applies(words: str, holds: Callable[[CandidateT], bool]) -> Criterion[CandidateT]:
    """A criterion that a candidate meets or does not meet."""
    return Criterion(words, lambda candidate: 0 if holds(candidate) else None)


def rank(candidates: Sequence[CandidateT], criteria: Sequence[Criterion[CandidateT]]) -> Ranking[CandidateT]:
    """Work through the criteria until one candidate is left. There must be a candidate.

    A criterion that no candidate meets is skipped: all stay.
    """
    assert candidates, "nothing to choose from"
    remaining, narrowed = tuple(candidates), []
    for number, criterion in enumerate(criteria, start=1):
        if len(remaining) == 1:
            break
        kept = _best(remaining, criterion)
        if len(kept) < len(remaining):
            remaining = kept
            narrowed.append(number)
    return Ranking(remaining, tuple(narrowed), len(criteria))


def _best(candidates: tuple[CandidateT, ...], criterion: Criterion[CandidateT]) -> tuple[CandidateT, ...]:
    measures = [criterion.measure(candidate) for candidate in candidates]
    met = [measure for measure in measures if measure is not None]
    if not met:
        return candidates
    least = min(met)
    return tuple(
        candidate for candidate, measure in zip(candidates, measures, strict=True) if measure == least
    )
