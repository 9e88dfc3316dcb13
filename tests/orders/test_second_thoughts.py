"""Second thoughts: the later order counts, and a mere doubt isn't an order."""

import pytest

from games.data import read_toml
from orders.reading.prose import past_second_thought
from tests.kit.dry_runs import graded_lines, read_text

TABLE: dict[str, list[str]] = read_toml("orders", "second_thoughts.toml")["begins"]
BEGINS = sorted({one for some in TABLE.values() for one in some})


@pytest.mark.parametrize("begin", BEGINS)
def test_the_later_one_counts(begin):
    for line in (f"{begin} A Par - Bur", f"{begin.capitalize()}: A Par - Bur", f"{begin}, A Par - Bur."):
        assert [one for one in graded_lines(f"A Par - Pic\n{line}") if one.startswith("taken")][
            -1
        ] == "taken A PAR - BUR"
        rows = read_text(f"A Par - Pic\n{line}")["orders"]
        assert [row["superseded"] for row in rows] == [True, False], line


@pytest.mark.parametrize(
    "line", ["no A Mar - Spa", "maybe A Mar - Spa", "not A Mar - Spa", "vielleicht A Mar - Spa"]
)
def test_what_is_doubted_or_denied_is_no_order(line):
    assert all(not one.startswith(("taken", "corrected")) for one in graded_lines(line))


@pytest.mark.parametrize("text", ["better", "", "Mejor, ", "A Par - Bur"])
def test_what_only_begins_so_is_left(text):
    assert past_second_thought(text) == text


def test_a_sign_that_was_lost_makes_a_line_doubtful():
    assert graded_lines("A Par \ufffd Bur") == ["doubtful A PAR - BUR"]
