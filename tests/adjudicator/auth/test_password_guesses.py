"""The limit on guesses at a password."""

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.clock import DAY, HOUR
from adjudicator.model.people import (
    FIRST_REST,
    GUESSES_EXPIRE_MS,
    MAX_FREE_GUESSES,
    MAX_REST_MS,
    NO_GUESSES,
    Guesses,
    count_miss,
    counted_guesses,
    is_resting,
    lock_name,
)

NOW = 1_784_894_400_000


def record_guesses(misses: int, guesses: Guesses = NO_GUESSES, now: int = NOW) -> Guesses:
    for _ in range(misses):
        guesses = count_miss(guesses, now)
    return guesses


def test_the_fifth_that_does_not_fit_begins_a_rest() -> None:
    assert not is_resting(record_guesses(MAX_FREE_GUESSES - 1), NOW)
    rests = record_guesses(MAX_FREE_GUESSES)
    assert is_resting(rests, NOW + FIRST_REST - 1)
    assert not is_resting(rests, NOW + FIRST_REST)


def test_each_rest_is_twice_as_long_up_to_a_week() -> None:
    guesses, lengths = NO_GUESSES, []
    for _ in range(10):
        now = max(guesses.until, NOW)
        guesses = record_guesses(MAX_FREE_GUESSES, guesses, now)
        lengths.append(guesses.until - now)
    assert lengths == [min(FIRST_REST << n, MAX_REST_MS) for n in range(10)]
    assert (lengths[0], lengths[-1]) == (HOUR, 7 * DAY)


def test_guesses_at_another_password_do_not_count() -> None:
    old, new = lock_name("scrypt$1"), lock_name("scrypt$2")
    rests = record_guesses(MAX_FREE_GUESSES, Guesses(lock=old))
    assert counted_guesses(rests, old, NOW) == rests
    assert counted_guesses(rests, new, NOW) == Guesses(lock=new)


def test_after_a_month_without_a_guess_all_is_forgotten() -> None:
    rests = record_guesses(MAX_FREE_GUESSES, Guesses(lock="x"))
    assert counted_guesses(rests, "x", rests.until + GUESSES_EXPIRE_MS) == rests
    assert counted_guesses(rests, "x", rests.until + GUESSES_EXPIRE_MS + 1) == Guesses(lock="x")


@given(st.lists(st.integers(0, 40 * DAY), min_size=1, max_size=300))
def test_in_no_month_are_more_than_fifty_looked_at(gaps: list[int]) -> None:
    """However long the guesser waits between guesses: the wait is longer than the rest, or shorter."""
    now, guesses, looked = NOW, Guesses(lock="x"), list[int]()
    for gap in gaps:
        now += gap
        guesses = counted_guesses(guesses, "x", now)
        if not is_resting(guesses, now):
            guesses = count_miss(guesses, now)
            looked.append(now)
    assert all(sum(at <= one < at + GUESSES_EXPIRE_MS for one in looked) <= 50 for at in looked)


def test_the_hastiest_guesses_fewer_than_three_hundred_times_in_a_year() -> None:
    now, guesses, looked = NOW, Guesses(lock="x"), 0
    while now < NOW + 365 * DAY:
        guesses = count_miss(counted_guesses(guesses, "x", now), now)
        looked, now = looked + 1, max(now, guesses.until)
    assert 250 < looked < 300
