"""The text of our emails above their maps."""

from itertools import islice

import pytest

from adjudicator.outbound.composer import map_caption
from tests.kit.game_emails import letters_of_turns


@pytest.mark.parametrize(
    ("count", "caption"),
    [
        (1, "Turn 1, Combat Round 1"),
        (2, "Turn 1, Combat Round 1, then Turn 1, Combat Round 2"),
        (3, "Turn 1, Combat Round 1 to Turn 1, Bonus phase"),
    ],
)
def test_of_many_turns_the_first_and_the_last_are_named(count: int, caption: str) -> None:
    steps = [step for one in islice(letters_of_turns("great-war"), 2) for step in one.played.steps]
    assert map_caption(steps[:count]) == caption
