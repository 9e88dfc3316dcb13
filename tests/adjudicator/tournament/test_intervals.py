"""Intervals: published figures, and properties for any numbers."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.tournament.tournament import Interval, mean_interval, share_interval, student


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_is_the_published_one(hits, trials, low, high):
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    found = share_interval(hits, trials)
    assert found.low == pytest.approx(low, abs=6e-5)
    assert found.high == pytest.approx(high, abs=6e-5)


@pytest.mark.parametrize(
    ("freedom", "quantile", "error"),
    [(1, 12.7062, 1e-4), (2, 4.3027, 1e-4), (3, 3.1824, 5e-3), (4, 2.7764, 1e-3), (10, 2.2281, 1e-4)],
)
def test_students_quantile_is_that_of_the_tables(freedom, quantile, error):
    assert student(freedom) == pytest.approx(quantile, abs=error)


def test_the_interval_of_a_mean_is_worked_out_by_hand():
    found = mean_interval([1, 2, 3, 4, 5])
    assert found.value == 3
    assert found.low == pytest.approx(3 - 2.7764 * 1.5811 / 5**0.5, abs=1e-3)
    assert found.high == pytest.approx(6 - found.low)


def test_one_value_says_nothing_of_its_scatter_and_none_nothing_of_a_share():
    assert mean_interval([7.0]) == Interval(-inf, 7.0, inf)
    assert mean_interval([0.5], 0, 1) == Interval(0, 0.5, 1)
    assert share_interval(0, 0) == Interval(0, 0, 1)


def test_a_mean_lies_where_all_values_lie():
    assert mean_interval([0, 1], 0, 1) == Interval(0, 0.5, 1)


@given(st.integers(1, 5000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_a_share_lies_in_its_interval_and_that_among_the_shares_there_are(numbers):
    hits, trials = numbers
    found = share_interval(hits, trials)
    assert 0 <= found.low <= found.value <= found.high <= 1
    mirrored = share_interval(trials - hits, trials)
    assert mirrored.low == pytest.approx(1 - found.high)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_more_of_the_same_values_make_the_interval_narrower(values):
    once, often = mean_interval(values), mean_interval(values * 4)
    assert often.high - often.low <= once.high - once.low + 1e-6
