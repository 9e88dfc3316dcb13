"""``gm bench report`` measures everything that it promises, on any machine."""

import pytest

from tests.adjudicator.cli.conftest import Terminal


@pytest.mark.parametrize(("kind", "seats"), [("indianomacy", 8), ("war-chest", 2)])
def test_the_reports_of_a_turn_are_measured(terminal: Terminal, kind: str, seats: int) -> None:
    figures = {one["what"]: one for one in terminal.told(f"bench report {kind} --turns 2")}
    letters = figures[f"the emails of a turn, text and HTML for {seats} seats"]
    assert letters["unit"] == "ms"
    assert letters["note"].startswith("the aim is 40: ")
    assert figures["its map as PNG, as in an email, once for all"]["note"].startswith("the aim is 150: ")
    assert ("a seat's front, from the position to its PNG" in figures) == (kind == "indianomacy")
    assert all(one["value"] > 0 for one in figures.values())
    # What does not hang on the machine has a limit.
    assert figures["the largest map as PNG for MAP"]["value"] <= 180
    assert figures["the longest page of HTML"]["value"] < 60


def test_a_kind_that_is_not_there_is_refused(terminal: Terminal) -> None:
    assert 'No game is called "chess"' in terminal.refused("bench report chess")
