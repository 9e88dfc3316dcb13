"""Names of seats in a page bear what marks them on the map: the colours of their counters and lands."""

import re
from pathlib import Path

import pytest

import games
from games.dice import SealedDice

LETTERS = Path(__file__).parents[2] / "golden" / "reports"
BADGE = re.compile(
    r'<span aria-hidden="true" style="background:(#[0-9a-f]{6});border:2px solid (#[0-9a-f]{6});[^"]*">'
    r"(?:&nbsp;)+</span> ([\w-]+)"
)


@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
@pytest.mark.parametrize("letter", ["moves", "retreats"])
def test_each_nation_in_headings_and_first_columns_bears_its_badge(kind: str, letter: str) -> None:
    """In the letters that are looked at whenever they change."""
    game = games.kinds()[kind]
    view = game.rules.view(game.rules.setup({}, SealedDice(b"s", "g", 0)).state, None)
    marks = game.telling.badges(view)
    page = (LETTERS / f"{kind}-{letter}.html").read_text(encoding="utf-8")
    shown = BADGE.findall(page)
    assert {name for _, _, name in shown} >= set(marks) - {"Shoshoni"}
    for ink, land, name in shown:
        assert (ink, land) == (marks[name].ink, marks[name].land)
    bare = re.findall(r'<(?:h3[^>]*|th scope="row"[^>]*)>([\w-]+)', page)
    assert set(bare).isdisjoint(marks)


def test_a_game_without_counters_of_seats_has_none():
    page = (LETTERS / "war-chest-moves.html").read_text(encoding="utf-8")
    assert not BADGE.findall(page)
