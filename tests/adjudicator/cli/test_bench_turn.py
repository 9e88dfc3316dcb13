"""``gm bench turn`` measures a turn and its parts, on any machine."""

import pytest

from tests.adjudicator.cli.conftest import Terminal

WHOLE, LETTERS = "from the deadline to the last report", "adjudicated, and all reports written"
SENT, BOOKED = "sent to the server, with copies to ourselves", "written to the database"


@pytest.mark.parametrize(("kind", "seats"), [("war-chest", 2)])
def test_the_way_of_a_turn_is_measured(terminal: Terminal, kind: str, seats: int) -> None:
    figures = {one["what"]: one for one in terminal.told(f"bench turn {kind} --turns 2")}
    assert figures[WHOLE]["note"].startswith(f"{seats} seats; 95th percentile ")
    parts = sum(figures[what]["value"] for what in (LETTERS, BOOKED, SENT))
    assert figures[WHOLE]["value"] == pytest.approx(parts, rel=0.01), "of two the median is the mean"
    inner = [
        figures[what]["value"] for what in ("of it: to adjudicate", "of it: to draw the map, once for all")
    ]
    assert all(value > 0 for value in inner)


def test_a_kind_that_is_not_there_is_refused(terminal: Terminal) -> None:
    assert 'No game is called "chess"' in terminal.refused("bench turn chess")
