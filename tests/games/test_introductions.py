"""The introduction in a welcome: brief, and in solo games how much of the game is ours."""

from pathlib import Path

import pytest

import games
from games import close_up
from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.phrases import topic_default
from games.plains_indian_wars.scoring import HALVES_PER_POINT, schedule, totals
from tests.kit.memory_repository import new_position

SOLO = ("great-war", "boer-war", "plains-indian-wars", "war-chest")
LINES, SIGNS = 6, 260


@pytest.mark.parametrize("kind", games.kinds())
def test_every_game_introduces_itself_in_a_few_lines(kind: str) -> None:
    """Six lines at most, including what is ours; a welcome also has a limit of words."""
    game, position = games.kinds()[kind], new_position(kind)
    seat = next(iter(position.assignments))
    said = game.telling.introduction(game.rules.view(position.state, seat), seat)
    assert 3 <= len(said) <= LINES
    assert [line for line in said if len(line) > SIGNS or not line.endswith(".")] == []
    assert "win" in said[0]


@pytest.mark.parametrize("kind", games.kinds())
def test_every_game_says_what_it_is(kind: str) -> None:
    """In a few sentences, to each seat and to observers. The greeting of the welcome names the seat."""
    game, position = games.kinds()[kind], new_position(kind)
    for seat in (*position.assignments, None):
        said = game.telling.setting(game.rules.view(position.state, seat), seat)
        assert said.endswith(".")
        assert len(said) <= SIGNS
        assert f"You play {seat}." not in said


@pytest.mark.parametrize("scenario", ["1", *(f"2.{number}" for number in range(1, 8))])
def test_each_scenario_of_the_plains_says_its_own_goal(scenario: str) -> None:
    game = games.kinds()["plains-indian-wars"]
    view = new_position("plains-indian-wars", options={"scenario": scenario}).state
    said = game.telling.introduction(view, None)
    assert said[0].startswith("You win ")
    assert "these values are our own: " in said[-1]


def test_values_of_ours_are_counted_by_their_marks() -> None:
    """Two of the Cavalry's cards were found; all leaders of the Boer War are ours."""
    assert close_up.count_assumed("games.plains_indian_wars", "data/cards.json", "decks", ["Cavalry"]) == (
        14,
        15,
    )
    mine, total = close_up.count_assumed("games.boer_war", "data/leaders.json", "leaders")
    assert mine == total > 40
    assert close_up.describe_counts([("cards", (46, 60))]) == "these values are our own: 46 of 60 cards"


def test_the_page_of_the_plains_says_what_goes_without_instructions() -> None:
    """The welcome leaves that table to it: every row, in every scenario, as the rules have it."""
    page = Path("docs/players/plains-indian-wars.md").read_text(encoding="utf-8")
    _, _, told = page.partition("Without an instruction, this happens:")
    said = {row.split("|")[2].strip() for row in told.partition("Examples:")[0].splitlines() if "|" in row}
    asked = {
        topic_default(scenario, topic)
        for scenario in materials().scenarios.values()
        for topic in standing_orders.topics(scenario)
    }
    assert asked == said - {"default", "---"}


def test_the_page_of_the_plains_says_how_it_stands_at_the_beginning() -> None:
    view = new_position("plains-indian-wars").state
    nations, us = (halves // HALVES_PER_POINT for halves in totals(schedule(view)))
    page = " ".join(Path("docs/players/plains-indian-wars.md").read_text(encoding="utf-8").split())
    assert f"At the start they are {nations} for the tribes and {us} for the U.S." in page
