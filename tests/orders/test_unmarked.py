"""Orders without a mark: read where a dash has one place and the order could be carried out."""

import pytest

from tests.kit.dry_runs import graded_lines, read_text


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("ber kie, mun s ber kie, kie den", ["A BER - KIE", "A MUN S A BER - KIE", "F KIE - DEN"]),
        ("F Kie Den", ["F KIE - DEN"]),
        ("kie den; mun ruh", ["F KIE - DEN", "A MUN - RUH"]),
        ("F Kie H. Bight", ["F KIE - HEL"]),
    ],
)
def test_a_dash_that_nobody_wrote_is_read(line, orders):
    assert graded_lines(line, seat="Germany") == [f"corrected {one}" for one in orders]


@pytest.mark.parametrize("line", ["kiel bel", "mun ber kie", "Paris Burgundy", "A Mun ->", "F Kie", "-> Den"])
def test_what_could_not_be_carried_out_is_asked_back(line):
    (row,) = read_text(line, seat="Germany")["orders"]
    assert row["grade"] == "unread"


@pytest.mark.parametrize("line", ["I think kie den", "Kie Den looks fine to me", "kie"])
def test_names_in_talk_are_no_order(line):
    assert graded_lines(line, seat="Germany") == []


def test_where_units_are_built_two_names_are_no_move():
    builds = {
        "phase": "W1901A",
        "units": {"France": ["A Spain"]},
        "centres": {"France": ["Paris", "Brest", "Marseilles", "Spain"]},
    }
    assert all(not one.startswith("corrected") for one in graded_lines("Par Mar", question=builds))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("F Kie ->", "the destination is missing: where does F Kie go?"),
        ("kie -", "the destination is missing: where does kie go?"),
        ("Ber - Pru\n\n- Den", "the unit is missing: which one moves there?"),
    ],
)
def test_half_an_order_is_asked_back_by_name(text, problem):
    row = read_text(text, seat="Germany")["orders"][-1]
    assert (row["grade"], row["problem"]) == ("unread", problem)
    assert row["instead"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("kie, den", ["corrected F KIE - DEN"]), ("Kiel, Denmark", ["unread"]), ("kie, ber", ["unread"])],
)
def test_a_comma_is_a_dash_between_abbreviations_alone(text, said):
    """Between whole names it may separate a list, also next to a unit of one's own."""
    assert graded_lines(text, seat="Germany") == said


@pytest.mark.parametrize("farewell", ["Best,", "Viele Grüße", "Cordialement,", "Um abraço"])
def test_what_stands_below_a_name_is_no_order(farewell):
    """An address that reads like one: once it replaced the order above."""
    found = graded_lines(f"A Par - Bur\n\n{farewell}\nJean\nParis - Gascony")
    assert found == ["taken A PAR - BUR", "doubtful A PAR - GAS"]
