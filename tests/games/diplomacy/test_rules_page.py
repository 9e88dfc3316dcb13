"""The topics that a variant brings in its rules.md, and what HELP makes of them."""

import pytest

import games.diplomacy as diplomacy
from adjudicator.reports import render
from games.diplomacy.reports.handbook import read_rules_page
from games.messages import sentence
from games.options import settle
from games.protocol import Invalid
from tests.kit.variant_folders import example_files

PAGE = """
# The Strait

This line is for readers of the file.

## Tides of the Strait
<!-- help: tides water -->
The water rises
in Fall.

- a fleet stays
- an army waits

| F HAV - STR

## Bells

They ring.
"""


def survey(page: str):
    """The survey of the handbook's example with a rules.md."""
    return diplomacy.look_over({**example_files(), "rules.md": page})


def refusal(page: str) -> tuple[str, str] | None:
    """The place and the reason of a refusal, None if there is none."""
    try:
        survey(page)
    except Invalid as fault:
        return fault.what, fault.why
    return None


def test_each_heading_is_a_topic_with_its_words():
    tides, bells = read_rules_page(PAGE)
    assert (tides.topics, tides.title) == (("tides", "water"), "Tides of the Strait")
    assert tides.text == "The water rises in Fall.\n\n- a fleet stays\n- an army waits\n\n| F HAV - STR"
    assert (bells.topics, bells.text) == (("bells",), "They ring.")


def test_help_has_them_beside_those_of_the_board():
    game = survey(PAGE).game
    assert render.help_topics(game)[-2:] == ("tides", "bells")
    assert render.help_topics(game)[0] == render.help_topics(survey("## Bells\nThey ring.").game)[0]
    section = render.section_for(game, "WATER", settle(game.about.options, {}))
    assert section is not None
    assert section.text.startswith("The water rises in Fall.")


@pytest.mark.parametrize(
    ("page", "place", "slug", "values"),
    [
        ("The water rises.", "rules.md", "no_section", {}),
        ("## Tides\n\n## Bells\nThey ring.", "rules.md: Tides", "empty_section", {}),
        ("## O\nIt is.", "rules.md: O", "empty_section", {}),
        ("## Tides\nUp.\n## More tides\nDown.", "rules.md: More tides", "topic_twice", {"topic": "TIDES"}),
        ("## Victory\nNobody wins.", "rules.md: Victory", "topic_twice", {"topic": "VICTORY"}),
        (f"## Tides\n{'up ' * 3000}", "rules.md: Tides", "long_section", {"most": 8_000}),
    ],
)
def test_a_page_that_help_cannot_use_is_refused(page, place, slug, values):
    assert refusal(page) == (place, sentence(f"diplomacy.handbook.{slug}", **values))
