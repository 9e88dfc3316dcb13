"""A forum's thread is split by author, and no post counts for another author."""

import pytest

from adjudicator.inbound.forum_posts import lines_by_seat, split_posts
from games.protocol import Seat

IROQUOIS, DAKOTA = Seat("Iroquois"), Seat("Dakota")
AUTHORS = {"Iroquois": IROQUOIS, "Dakota": DAKOTA, "Jane Doe": DAKOTA}


def read(text):
    return lines_by_seat(split_posts(text, AUTHORS))


@pytest.mark.parametrize(
    "head",
    [
        "Iroquois:",
        "IROQUOIS :",
        "[b]Iroquois[/b]:",
        "**Iroquois:**",
        "@Iroquois wrote:",
        "Posted by Iroquois:",
        "- Iroquois:",
        "## Iroquois:",
    ],
)
def test_a_name_with_a_colon_begins_a_post(head):
    assert read(f"{head}\nMohawk - Delaware\nOneida H") == {IROQUOIS: ("Mohawk - Delaware", "Oneida H")}


def test_orders_may_stand_behind_the_name():
    assert read("Iroquois: Mohawk - Delaware\njane doe: Santee H\nOmaha H") == {
        IROQUOIS: ("Mohawk - Delaware",),
        DAKOTA: ("Santee H", "Omaha H"),
    }


def test_several_posts_of_one_author_are_read_in_their_order():
    assert read("Dakota: Santee H\nIroquois: Oneida H\nDakota: Santee - Omaha") == {
        DAKOTA: ("Santee H", "Santee - Omaha"),
        IROQUOIS: ("Oneida H",),
    }


def test_what_somebody_else_wrote_is_never_taken_for_the_author_before():
    posts = split_posts("Iroquois: Oneida H\n\nWanderer:\nMohawk - Delaware", AUTHORS)
    assert [(post.author, post.seat, post.at) for post in posts] == [
        ("Iroquois", IROQUOIS, 1),
        ("Wanderer", None, 3),
    ]
    assert lines_by_seat(posts) == {IROQUOIS: ("Oneida H",)}


def test_what_stands_before_the_first_name_is_nobody_s():
    posts = split_posts("Mohawk - Delaware\nIroquois: Oneida H", AUTHORS)
    first = posts[0]
    assert (first.author, first.seat, first.lines) == ("", None, ("Mohawk - Delaware",))


@pytest.mark.parametrize("word", ["Orders:", "My orders:", "Spring, year 1:", "S1M:", "Else:", "PS:"])
def test_a_word_above_orders_is_no_name(word):
    assert read(f"Iroquois:\n{word}\nMohawk - Delaware")[IROQUOIS][-1] == "Mohawk - Delaware"


@pytest.mark.parametrize(
    "quoted",
    [
        "[quote=Dakota]Mohawk - Delaware[/quote]",
        "[quote]\nDakota:\n[quote]x[/quote]\nMohawk - Delaware\n[/quote]",
        "> Dakota:\n> Mohawk - Delaware",
    ],
)
def test_quotations_are_left_out(quoted):
    assert read(f"Iroquois:\n{quoted}\nOneida H") == {IROQUOIS: ("Oneida H",)}


def test_marks_are_left_out_and_minus_signs_stay():
    text = "Iroquois:\n[list]\n[*][u]Mohawk - Delaware[/u]\n[/list]\n* **Oneida** H\n1. Seneca - Erie"
    assert read(text) == {IROQUOIS: ("Mohawk - Delaware", "Oneida H", "Seneca - Erie")}
