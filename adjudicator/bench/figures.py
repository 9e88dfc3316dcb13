"""The figures of a benchmark with their unit, and the stop-watch behind them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median, quantiles
from time import process_time


@dataclass(frozen=True)
class Figure:
    """One figure: what was measured, how much of which unit, and what to know about it."""

    what: str
    value: float
    unit: str
    note: str = ""


def time_actions(actions: Iterable[Callable[[], object]]) -> list[float]:
    """Return how much processor time each action took, in milliseconds, one after the other."""
    taken = []
    for action in actions:
        start = process_time()
        action()
        taken.append((process_time() - start) * 1000)
    return taken


def middle(taken: list[float], what: str, note: str = "") -> Figure:
    """The median of some times in milliseconds."""
    return Figure(what=what, value=median(taken), unit="ms", note=note)


def late(taken: list[float], what: str, note: str = "") -> Figure:
    """The 95th percentile of some times in milliseconds: what one of twenty takes longer than."""
    return Figure(what=what, value=quantiles(taken, n=20)[-1], unit="ms", note=note)


def ratio(what: str, first: Figure, other: Figure) -> Figure:
    """Return how many times as long one thing takes as another."""
    return Figure(what=what, value=first.value / other.value, unit="times")
