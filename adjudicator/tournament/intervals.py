"""Confidence intervals: ranges that hold the truth 19 times of 20 for a number from several games."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, pi, sqrt, tan
from statistics import NormalDist, fmean, stdev

CONFIDENCE = 0.95

_TWO_SIDED = 1 - (1 - CONFIDENCE) / 2
_NORMAL = NormalDist().inv_cdf(_TWO_SIDED)


@dataclass(frozen=True)
class Interval:
    """A number that was measured, and the ends of its interval."""

    low: float
    value: float
    high: float


def share_interval(hits: int, trials: int) -> Interval:
    """A share of independent trials. Wilson's interval, which holds for few trials and for rare hits too."""
    if not trials:
        return Interval(0.0, 0.0, 1.0)
    share_measured, squared = hits / trials, _NORMAL**2
    middle = share_measured + squared / (2 * trials)
    around = _NORMAL * sqrt((share_measured * (1 - share_measured) + squared / (4 * trials)) / trials)
    spread = 1 + squared / trials
    # None and all are certain to lie in it; a rounding error would leave them out.
    low = 0.0 if hits == 0 else (middle - around) / spread
    high = 1.0 if hits == trials else (middle + around) / spread
    return Interval(low, share_measured, high)


def mean_interval(values: Sequence[float], least: float = -inf, most: float = inf) -> Interval:
    """A mean of independent values, with Student's interval. One value says nothing of how they scatter.

    least, most: between which all values lie, and so their mean.
    """
    middle = fmean(values)
    if len(values) < 2:
        return Interval(least, middle, most)
    around = student(len(values) - 1) * stdev(values) / sqrt(len(values))
    return Interval(max(middle - around, least), middle, min(middle + around, most))


def student(freedom: int) -> float:
    """The quantile of Student's distribution for an interval to both sides, by degrees of freedom.

    Exact for one and two; for more by the expansion about the normal distribution (Abramowitz and Stegun,
    26.7.5), which is 0.1 % off for three and better from there on.
    """
    if freedom == 1:
        return tan(pi * (_TWO_SIDED - 0.5))
    if freedom == 2:
        half = 2 * _TWO_SIDED - 1
        return half * sqrt(2 / (1 - half**2))
    z = _NORMAL
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))
