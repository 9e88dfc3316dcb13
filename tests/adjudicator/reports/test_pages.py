"""The players' pages as they are mailed: each topic in a welcome has its section."""

import pytest

import games
from adjudicator.reports import render
from adjudicator.reports.messages import HELP_TOPICS, help_text, rules_text
from adjudicator.reports.render import letter_text
from games.options import settle_for_new_game
from tests.kit.dice import any_dice

KINDS = tuple(games.kinds())


@pytest.mark.parametrize("kind", KINDS)
def test_every_topic_of_a_game_is_answered_by_its_section(kind: str) -> None:
    """In at most 72 columns, without the marks of the page, and none hides a topic of the house."""
    game = games.kinds()[kind]
    named = render.help_topics(game)
    assert named[0] == "victory"
    assert not {*named} & {*HELP_TOPICS}
    for topic, section in zip(named, render.page(game), strict=True):
        told = letter_text(help_text(topic.upper(), game))
        assert told.startswith(section.title)
        assert [row for row in told.splitlines() if len(row) > 72] == []
        assert not [mark for mark in ("<!--", "```", "](", "**", "<br>") if mark in told]


def test_a_section_is_found_by_other_words_too() -> None:
    """HELP CANOES and HELP STORMS ask for the same; a word that is none of them is answered in general."""
    game = games.kinds()["indianomacy"]
    told = help_text("canoe", game)
    assert "can build a canoe-fleet" in told
    assert help_text("Canoes", game) == help_text("storms", game) == help_text("canoe-fleet", game) == told
    assert help_text("weather", game) == help_text("", game)
    assert help_text("canoe").startswith("You play by email. Send orders")


def test_the_rules_of_a_kind_hold_its_page() -> None:
    """All of it but the table of ways to write, of which it has its own."""
    for kind in ("indianomacy", "war-chest"):
        game = games.kinds()[kind]
        told = rules_text(game)
        assert all(one.text in told for one in render.page(game)[:-1])


@pytest.mark.parametrize("kind", KINDS)
def test_ways_to_write_stand_behind_bars(kind: str) -> None:
    """So that no reply sends them back by accident."""
    forms = render.section_for(games.kinds()[kind], "forms")
    assert forms is not None
    rows = [row for row in forms.text.splitlines() if row and not row.endswith(":")]
    assert len(rows) > 3
    assert all(row.startswith("| ") for row in rows)


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_name_what_a_new_game_has_in_the_words_that_one_types(kind: str) -> None:
    """Not the default of an old position, and "yes" instead of "true"."""
    game = games.kinds()[kind]
    shown = rules_text(game).splitlines()
    started = settle_for_new_game(game.about, {})
    for option in game.about.options:
        if option.name in started and option.sort != "file":
            (row,) = [line for line in shown if line.startswith(f"  {option.name}: ")]
            value = started[option.name]
            typed = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
            assert row.endswith(f"; default: {typed}")


@pytest.mark.parametrize(
    ("kind", "ours"),
    [
        ("plains-indian-wars", "86 of 97 borders, 11 of 13 trail steps, 13 of 30 die faces"),
        ("indianomacy", "all borders, eight of the 44 supply centres and the river crossings are our own"),
        ("war-chest", "What a Royal Coin does for the AI is our reading: it recruits one coin."),
    ],
)
def test_a_game_says_what_is_ours_in_its_welcome_and_its_rules(kind: str, ours: str) -> None:
    game = games.kinds()[kind]
    opening = game.rules.setup(settle_for_new_game(game.about, {}), any_dice()).state
    assert ours in " ".join(game.telling.introduction(game.rules.view(opening, None), None))
    assert "WHAT IS OURS" in rules_text(game)
