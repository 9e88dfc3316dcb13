"""A corrected name is one within the unit's reach, or it is asked back; none is forced."""

import pytest

from orders.reading.budget import MOST_LISTS
from tests.kit.dry_runs import graded_lines, read_text


@pytest.mark.parametrize(
    "line",
    [
        "F Brest - Nordmeer",
        "A Par - Livonya",
        "A Par - Smyrnna",
        "Armee Paris nach Wiena",
        "F Brest - Mer Celtique",
        "PHASE F1901M: A Par - Smyrnna",
    ],
)
def test_no_name_is_mended_into_a_far_off_land(line):
    (row,) = read_text(line)["orders"]
    assert (row["grade"], row["read_as"]) == ("unread", None)
    assert "out of reach" in row["problem"]
    assert row["instead"] not in ("F BRE - NTH", "F BRE - BAL", "A PAR - LVN", "A PAR - SMY", "A PAR - VIE")


def test_a_name_within_reach_is_mended():
    assert graded_lines("A Par - Burgundi") == ["corrected A PAR - BUR"]
    assert graded_lines("Leger Parijs naar Boergondië") == ["corrected A PAR - BUR"]


@pytest.mark.parametrize("line", ["A Par - Lorraine", "A Par - Marokko", "Armée Paris va à Lyon"])
def test_for_a_place_that_there_is_not_the_possible_ones_are_listed(line):
    """No nearby name could be meant, so nothing is suggested."""
    (row,) = read_text(line)["orders"]
    assert (row["grade"], row["instead"]) == ("unread", None)
    assert row["problem"].endswith("; possible: Brest, Burgundy, Gascony or Picardy")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("A Pat H", "no province is called Pat; possible: Brest, Marseilles or Paris"),
        ("A Par - Xanadu, A Mar - Spa", "no province is called Xanadu"),
        ("A Par - Mos", "Paris doesn't border Moscow; possible: Burgundy, Gascony, Picardy or Brest"),
        ("F Bre - Wal", "possible: English Channel, Gascony, Mid-Atlantic Ocean or Picardy"),
        ("F Bre S A Par - Mun", "possible: Burgundy, Gascony, Picardy or Brest"),
    ],
)
def test_no_order_is_proposed_that_is_near_in_nothing(line, problem):
    row = read_text(line)["orders"][0]
    assert problem in row["problem"]
    assert row["instead"] is None


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("F Bre - Mar", "F BRE - MAO"),
        ("support par", "A PAR S A MAR - BUR"),
    ],
)
def test_what_is_near_in_spelling_or_says_the_same_is_proposed(line, instead):
    assert read_text(line)["orders"][0]["instead"] == instead


def test_only_some_lines_of_an_email_are_told_what_is_possible():
    """The work that goes into an email stays bounded."""
    rows = read_text("\n".join(f"A Par - Xanadu{letter}" for letter in "abcdefghijklmnop"))["orders"]
    assert sum("possible" in row["problem"] for row in rows) == MOST_LISTS
