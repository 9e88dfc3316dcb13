"""The words on public pages of solo games: everybody reads of "the player", and nobody is called "you"."""

import re
from html import unescape

import pytest

from adjudicator.reports.results import in_third_person
from tests.adjudicator.website.conftest import room_in

ADDRESSED = re.compile(r"\byou(r|rs)?\b", re.IGNORECASE)
OWN_WORDS = ("Verify the dice and the log in your browser", "doesn't track you")
"""Sentences of the archive to its reader, and none about the game."""


@pytest.mark.parametrize(("kind", "turns"), [("war-chest", 12), ("great-war", 9)])
def test_a_public_page_speaks_of_the_player_in_one_voice(tmp_path, kind, turns):
    """Sentences, drawings, places, tables, and the files beside the page."""
    for room in room_in(tmp_path):
        room.begin(kind, "solo", turns)
        room.build()
        for file in ("index.html", "bbcode.txt", "game.json"):
            text = unescape(room.page("solo", file))
            for sentence in OWN_WORDS:
                text = text.replace(sentence, "")
            assert ADDRESSED.findall(text) == [], file
            assert "he player" in text
        assert ADDRESSED.findall((room.site / "index.html").read_text().replace(OWN_WORDS[1], "")) == []


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("You win Turn 3 by 51 to 38.", "The player wins Turn 3 by 51 to 38."),
        (
            "Captured so far: 40 BP by you, 14 by the AI.",
            "Captured so far: 40 BP by the player, 14 by the AI.",
        ),
        ("Your Archer destroyed the AI's Scout.", "The player's Archer destroyed the AI's Scout."),
        ("You no longer cancel a leader.", "The player no longer cancels a leader."),
        ("The AI attacked your Archer.", "The AI attacked the player's Archer."),
        ("You and the AI have 3 markers each.", "The player and the AI have 3 markers each."),
        ("You win the Turn and capture 14 BP.", "The player wins the Turn and captures 14 BP."),
        ("Dakota and attack win.", "Dakota and attack win."),
        ("Young Yoube drew.", "Young Yoube drew."),
    ],
)
def test_a_sentence_to_the_player_as_others_read_it(said, read):
    """The verb after "you" follows."""
    assert in_third_person(said) == read
