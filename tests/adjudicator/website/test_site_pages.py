"""The general pages: each is built again only when something on it has changed."""

import pytest

from adjudicator.website.game_page import PageFrame, person_page
from adjudicator.website.index_pages import GameCard, front, make_entry
from adjudicator.website.public_game import JoinableGame
from games.record import replace_fields

FRAME = PageFrame("House", "https://example.org")
OURS, THEIRS = (f"records/{kind}.html" for kind in ("standard", "chaos"))
ANNA, BERTA = map(person_page, ("Anna", "Berta"))
FEEDS = {"index.html", "atom.xml"}


def card(name, kind="standard", over=False, **more):
    """A game of three seats."""
    scores = {"A": 3, "B": 2, "C": 1} if over else {}
    levels = {"A": "", "B": "beginner", "C": ""}
    told = {"began": 0, "changed": 1, "turns": 4, "standing": "It waits.", "scores": scores, "levels": levels}
    return GameCard(name=name, kind=kind, title=kind.title(), over=over, **{**told, **more})


CARDS = {
    "one": card("one", who={"A": "Anna"}),
    "two": card("two", over=True, who={"A": "Berta"}),
    "three": card("three", "chaos"),
}
WANTED = (JoinableGame("four", "chaos", "Chaos", 34, 2, "mailto:gm@example.org"),)
FILES = {name: ("index.html", "game.json") for name in CARDS}


def make_pages(cards=CARDS, files=FILES, wanted=WANTED):
    """Each page, with its mark."""
    there = {name: make_entry("", card, "", files.get(name, ())) for name, card in cards.items()}
    return {name: (sheet.mark, sheet.make()) for name, sheet in front(there, wanted, FRAME).items()}


@pytest.mark.parametrize(
    ("told", "again"),
    [
        ({}, set()),
        (
            {"cards": {**CARDS, "one": replace_fields(CARDS["one"], changed=2, headline="War!")}},
            {*FEEDS, ANNA},
        ),
        ({"cards": {**CARDS, "two": replace_fields(CARDS["two"], winners=("B",))}}, {*FEEDS, OURS, BERTA}),
        ({"cards": {**CARDS, "three": replace_fields(CARDS["three"], who={"B": "Anna"})}}, {*FEEDS, ANNA}),
        ({"cards": {**CARDS, "five": card("five", "chaos")}}, {*FEEDS, THEIRS}),
        ({"wanted": ()}, FEEDS),
        ({"files": {**FILES, "two": ("index.html", "story.html")}}, {"sitemap.xml"}),
    ],
    ids=["nothing", "a turn", "an end", "a name", "a game", "a seat", "a page"],
)
def test_a_page_is_made_again_when_something_in_it_has_changed(told, again):
    """The page then shows something else."""
    before, after = make_pages(), make_pages(**told)
    assert {name for name in before if before[name][0] != after[name][0]} == again
    assert {name for name in before if before[name][1] != after[name][1]} <= again
    assert before.keys() == after.keys()
