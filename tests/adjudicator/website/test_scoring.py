"""The scoring systems of tournaments: their published examples, and the sums that they distribute."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.website.scoring import SYSTEMS, GameEnding, c_diplo, carnage, draw_size, sum_of_squares

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")


def ending(*counts, **more):
    """A game of Diplomacy with so many centres for each power."""
    return GameEnding(dict(zip(POWERS, counts, strict=True)), **more)


def test_a_draw_is_shared_by_those_who_are_in_it():
    """Draw size: three survivors, whatever they have."""
    points = draw_size(ending(0, 16, 0, 12, 0, 6, 0, survivors=("England", "Germany", "Russia")))
    assert points["England"] == points["Russia"] == pytest.approx(100 / 3)
    assert points["Italy"] == 0


def test_squares_favour_the_large():
    """16, 12 and 6 of 34: 256, 144 and 36 of 436."""
    points = sum_of_squares(ending(0, 16, 0, 12, 0, 6, 0))
    assert points["England"] == pytest.approx(100 * 256 / 436)
    assert points["Russia"] == pytest.approx(100 * 36 / 436)


def test_c_diplo_gives_38_14_and_7_for_places():
    """Besides a point for playing and one for each centre; who is level shares."""
    points = c_diplo(ending(0, 16, 0, 12, 0, 6, 0))
    assert points["England"] == 1 + 16 + 38
    assert points["Germany"] == 1 + 12 + 14
    assert points["Russia"] == 1 + 6 + 7
    assert points["Turkey"] == 1
    level = c_diplo(ending(10, 10, 10, 4, 0, 0, 0))
    assert level["Austria"] == level["France"] == 1 + 10 + (38 + 14 + 7) / 3


def test_carnage_places_who_is_out_by_when_he_went_out():
    """7,000 for the first, 1,000 for the last; dead in one year is level."""
    lasted = {"Austria": 1903, "France": 1905, "Italy": 1905, "Turkey": 1908}
    points = carnage(ending(0, 16, 0, 12, 0, 6, 0, lasted=lasted))
    assert points["England"] == 7016
    assert points["Germany"] == 6012
    assert points["Russia"] == 5006
    assert points["Turkey"] == 4000
    assert points["France"] == points["Italy"] == 2500
    assert points["Austria"] == 1000


@pytest.mark.parametrize("name", SYSTEMS)
def test_who_wins_alone_takes_all(name):
    """In every system."""
    points = SYSTEMS[name](ending(0, 18, 0, 10, 0, 6, 0, winners=("England",)))
    assert points["England"] > 0
    assert sum(points.values()) == points["England"]


@given(st.lists(st.integers(0, 17), min_size=7, max_size=7).filter(any))
def test_each_system_shares_out_the_same_whatever_the_position(counts):
    """Of 34 centres, C-Diplo shares out 100 points, and Carnage 28,034."""
    played = ending(*counts, survivors=POWERS)
    assert sum(sum_of_squares(played).values()) == pytest.approx(100)
    assert sum(draw_size(played).values()) == pytest.approx(100)
    assert sum(c_diplo(played).values()) == pytest.approx(7 + sum(counts) + 38 + 14 + 7)
    assert sum(carnage(played).values()) == pytest.approx(28_000 + sum(counts))
