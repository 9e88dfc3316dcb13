"""The victory point schedule, row by row, in half points."""

import pytest

from games.plains_indian_wars.events import ScheduleRow
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT
from games.plains_indian_wars.scoring import points_text, schedule, totals, winner
from tests.kit.plains import state


def row(name, cubes="", **fields):
    """Return the points of the tribes and of the U.S. in a row, as texts."""
    (found,) = [one for one in schedule(state(cubes, **fields)) if one.row == name]
    return tuple(None if one is None else points_text(one) for one in (found.nations, found.us))


@pytest.mark.clause("plains-indian-wars", "PIW1.score.rail")
def test_the_railroad_is_worth_three_to_either():
    assert row("Railroad") == ("3", "0")
    assert row("Railroad", union=25, mountains=5) == ("0", "3")


@pytest.mark.clause("plains-indian-wars", "PIW1.score.trail")
def test_a_trail_is_open_if_each_region_is_held_or_has_a_wagon():
    south = "S5: 1 Brown; S4: 1 White; S8: 1 Blue; S7: 1 White 2 Orange; SE2: 1 Purple; SE1: 1 Purple"
    assert row("Santa Fe Trail open", south) == (None, "5")
    assert row("Santa Fe Trail open", south.replace("S4: 1 White; ", "")) == (None, "0")
    assert row("Santa Fe Trail open", south.replace("1 Blue", "1 Orange")) == (None, "0")
    assert row("Santa Fe Trail open", south.replace("1 Blue", "1 Blue 1 Orange")) == (None, "0")


@pytest.mark.clause("plains-indian-wars", "PIW1.score.trail", "PIW1.score.branches")
@pytest.mark.parametrize("gap", ["NE1", "N2", "N1"])
def test_the_northern_trail_needs_both_branches(gap):
    whole = ["N5", "N4", "N3", "N6", "NE1", "N2", "N1"]
    assert row("Northern Trail open", "; ".join(f"{one}: 1 Blue" for one in whole)) == (None, "5")
    broken = "; ".join(f"{one}: 1 Blue" for one in whole if one != gap)
    assert row("Northern Trail open", broken) == (None, "0")


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.6", "PIW1.score.half")
def test_wagons_count_lost_through_and_half_on_the_trail():
    """Wagons in St. Louis don't count."""
    assert row("Wagons", "N5: 2 White; S7: 1 White; STL: 2 White", lost=4, through=3) == ("4", "4½")


@pytest.mark.clause("plains-indian-wars", "PIW1.score.regions", "PIW1.control")
def test_controlled_regions_count_one_each():
    """Purple regions count only for the tribes. Empty or shared regions, or any with wagons, don't count."""
    board = "N1: 1 Blue; N2: 1 Green; N3: 1 Green 1 White; N4: 1 Green 1 Blue; N5: 1 White; NE1: 1 Green"
    assert row("Regions held", f"{board}; NE2: 1 Purple; S1: 2 Brown") == ("2", "2")


@pytest.mark.clause("plains-indian-wars", "PIW1.score.four", "PIW1.score.wagon")
def test_four_cubes_together_are_worth_four_more():
    assert row("Four cubes together", "N2: 4 Green; S3: 4 Orange 1 White; N4: 3 Green") == ("8", None)


@pytest.mark.clause("plains-indian-wars", "PIW1.score.three")
def test_three_cubes_together_are_worth_two_more():
    assert row("Three cubes together", "N2: 4 Green; S3: 3 Orange; N4: 3 Green; N5: 2 Green") == ("4", None)


@pytest.mark.clause("plains-indian-wars", "PIW1.score.lands", "PIW1.score.lands.only")
def test_canada_and_mexico_are_worth_five_each_and_nothing_else():
    board = "NE6: 1 Green; SE6: 2 Orange"
    assert row("Canada and Mexico", board) == ("10", None)
    assert row("Regions held", board) == ("0", "0")
    assert row("Canada and Mexico", "NE6: 1 Green 1 Purple; SE6: 1 Purple") == ("0", None)


@pytest.mark.clause("plains-indian-wars", "PIW1.score.purple")
@pytest.mark.parametrize(
    ("board", "given"),
    [
        ("NE1: 1 Green; NE2: 1 Purple; SE1: 1 Orange", ("3", "0")),
        ("NE1: 1 Green; NE2: 1 Blue; SE1: 1 Purple", ("0", "3")),
        ("NE1: 1 Green; NE2: 1 Purple", ("0", "0")),
        ("NE1: 1 Purple; NE6: 1 Green; SE6: 1 Orange", ("0", "3")),
    ],
)
def test_the_majority_of_the_ten_purple_regions_is_worth_three(board, given):
    assert row("Majority of the Purple regions", board) == given


@pytest.mark.clause("plains-indian-wars", "PIW1.score.keys", "PIW1.setup.keys")
def test_key_locations_are_worth_two_more():
    """Phoenix gives two points, and no other point because it is Purple."""
    board = "N10: 1 Blue; SE3: 1 Purple; S3: 1 Orange; N1: 1 White"
    assert row("Key locations", board) == (None, "4")
    assert row("Regions held", board) == ("1", "1")


@pytest.mark.clause("plains-indian-wars", "PIW1.custer.2")
def test_custer_is_worth_two_to_the_tribes():
    assert row("Custer") == ("0", None)
    assert row("Custer", custer=True) == ("2", None)


@pytest.mark.clause("plains-indian-wars", "PIW1.score.tie", "PIW1.score.half")
@pytest.mark.parametrize(
    ("nations", "us", "who"), [(9, 10, US_SEAT), (10, 10, NATIONS_SEAT), (10, 9, NATIONS_SEAT)]
)
def test_the_higher_total_wins_and_a_tie_is_the_tribes(nations, us, who):
    """Half a point is enough."""
    rows = (ScheduleRow(row="a", nations=nations, us=4), ScheduleRow(row="b", nations=None, us=us - 4))
    assert totals(rows) == (nations, us)
    assert winner(rows) == who


def test_half_points_are_written_as_halves():
    assert [points_text(one) for one in (0, 1, 2, 25)] == ["0", "½", "1", "12½"]
