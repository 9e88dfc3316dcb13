"""Assigning seats: the best assignment, compared with all others, at random between equals."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.turns.gather import assign_seats, cheapest_assignment
from tests.kit.dice import Scripted, any_dice

SEATS = ("A", "B", "C", "D", "E")


def cost(wishes, given_seats):
    """Return the sum of people's places in their lists of wishes; a seat that wasn't named counts as the
    number of seats.
    """
    farthest = len(SEATS)
    return sum(
        (list(liked).index(seat) if seat in liked else farthest) if liked else 0
        for liked, seat in zip(wishes, given_seats, strict=True)
    )


@st.composite
def tables(draw):
    """Costs with no more rows than columns."""
    rows = draw(st.integers(0, 5))
    columns = draw(st.integers(max(rows, 1), 6))
    row = st.lists(st.integers(0, 9), min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


@given(tables())
def test_no_other_assignment_is_cheaper(costs):
    found = cheapest_assignment(costs)
    assert len(set(found)) == len(costs)
    columns = range(len(costs[0]) if costs else 0)
    least = min(
        sum(costs[row][column] for row, column in enumerate(tried))
        for tried in permutations(columns, len(costs))
    )
    assert sum(costs[row][column] for row, column in enumerate(found)) == least


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from(SEATS), unique=True, max_size=5), min_size=1, max_size=5),
    st.integers(0, 50),
)
def test_most_wishes_are_granted_whatever_the_lots(wishes, entry):
    found = assign_seats(wishes, SEATS, any_dice(entry))
    assert len(set(found)) == len(wishes)
    assert cost(wishes, found) == min(cost(wishes, tried) for tried in permutations(SEATS, len(wishes)))


def test_lots_decide_between_equals():
    """If two want the same seat, the draw decides."""
    wishes = [("A", "B"), ("A", "B")]
    order = {"seats/order": (1, 2, 3, 4, 5)}
    assert assign_seats(wishes, SEATS, Scripted({"seats/lots": (1, 2), **order})) == ("A", "B")
    assert assign_seats(wishes, SEATS, Scripted({"seats/lots": (2, 1), **order})) == ("B", "A")


def test_whoever_has_no_wish_takes_what_the_lots_leave():
    dice = Scripted({"seats/lots": (1, 2), "seats/order": (5, 1, 2, 3, 4)})
    assert assign_seats([(), ("A",)], SEATS, dice) == ("E", "A")


def test_wishes_weigh_more_than_lots():
    """A person who would lose everything comes before one who would lose little."""
    wishes = [("A", "B"), ("A",)]
    dice = Scripted({"seats/lots": (1, 2), "seats/order": (1, 2, 3, 4, 5)})
    assert assign_seats(wishes, SEATS, dice) == ("B", "A")


def test_a_great_table_is_seated_at_once():
    """As many seats as the largest variant has."""
    seats = tuple(f"S{number}" for number in range(34))
    wishes = [seats[number % 7 : number % 7 + 5] for number in range(34)]
    assert sorted(assign_seats(wishes, seats, any_dice())) == sorted(seats)
