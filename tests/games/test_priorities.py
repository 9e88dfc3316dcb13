"""The order of priorities: what is kept, what is skipped, what decided."""

from hypothesis import given
from hypothesis import strategies as st

from games.priorities import Criterion, applies, rank

NUMBERS = st.lists(st.integers(0, 5), min_size=1, max_size=8, unique=True)


def test_the_first_criterion_that_leaves_one_decides():
    ranking = rank([3, 4, 5], [applies("even", lambda n: n % 2 == 0), Criterion("least", float)])
    assert (ranking.left, ranking.narrowed, ranking.deciding_criterion) == ((4,), (1,), 1)
    assert not ranking.is_tie


def test_a_criterion_that_none_meets_is_skipped():
    ranking = rank([3, 5], [applies("even", lambda n: n % 2 == 0), Criterion("least", float)])
    assert (ranking.left, ranking.narrowed, ranking.deciding_criterion) == ((3,), (2,), 2)


def test_all_that_tie_for_the_least_stay():
    ranking = rank([-1, 1, 2], [Criterion("closest to nought", abs), Criterion("none", lambda n: None)])
    assert (ranking.left, ranking.narrowed, ranking.deciding_criterion) == ((-1, 1), (1,), 2)
    assert ranking.is_tie


def test_where_there_is_one_candidate_no_criterion_is_used():
    ranking = rank([7], [Criterion("least", float)])
    assert (ranking.left, ranking.narrowed, ranking.deciding_criterion) == ((7,), (), 0)


@given(NUMBERS, st.integers(1, 4), st.integers(1, 4))
def test_what_is_left_is_never_worse_by_an_earlier_criterion(numbers, one, other):
    """It is the least of the candidates, compared criterion by criterion."""
    criteria = [Criterion("first", lambda n: n % one), Criterion("second", lambda n: n % other)]
    ranking = rank(numbers, criteria)
    best = min((n % one, n % other) for n in numbers)
    assert all((n % one, n % other) == best for n in ranking.left) or len(ranking.left) == 1
    assert set(ranking.left) <= set(numbers)
    assert [n for n in numbers if n in ranking.left] == list(ranking.left)
