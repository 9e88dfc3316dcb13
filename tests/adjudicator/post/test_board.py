"""Posts of a forum as letters: read by the same reader, under an address that each account has alone."""

from dataclasses import replace

import pytest

from adjudicator.post.board import Written, letter_of, place_of, poster_named
from adjudicator.signs.addresses import valid_address
from orders.letters.body import fresh_lines
from orders.letters.letter import open_letter

POST = Written(
    number="812",
    version=1,
    poster="Jane_Doe",
    text="Mohawk - Delaware\nOneida H — as agreed\n",
    at=1_767_636_000_000,
    topic="77",
    title="[beaver] Indianomacy II",
    answers="800",
)


def test_a_post_is_read_as_a_letter() -> None:
    letter = open_letter(letter_of(POST, "club", "gm+forum.aaaaaaaaaaaaa@example.org"))
    assert letter.sender == poster_named("jane_doe", "club")
    assert letter.recipients == ("gm+forum.aaaaaaaaaaaaa@example.org",)
    assert [line.text for line in fresh_lines(letter)] == ["Mohawk - Delaware", "Oneida H — as agreed"]
    assert (letter.date, letter.defects) == (POST.at, ())
    assert letter.answers == "<800@club.forum.invalid>"


def test_an_edited_post_is_another_letter() -> None:
    edited = replace(POST, version=2)
    assert place_of(edited) != place_of(POST)
    first, second = (open_letter(letter_of(one, "club", "gm@example.org")) for one in (POST, edited))
    assert first.message_id != second.message_id


def test_a_title_cannot_write_headers() -> None:
    wicked = replace(POST, title="x\r\nFrom: gm@example.org", answers="1>\r\nBcc: a@b.example")
    letter = open_letter(letter_of(wicked, "club", "gm@example.org"))
    assert letter.sender == poster_named("jane_doe", "club")
    assert letter.defects == ()


@pytest.mark.parametrize("account", ["jane", "jane-doe", "jane doe", "jane=20=doe", "jané", "a@b.example"])
def test_accounts_are_told_apart(account: str) -> None:
    others = {"jane", "jane-doe", "jane doe", "jane=20=doe", "jané", "a@b.example"} - {account}
    named = poster_named(account, "club")
    assert valid_address(named) == named
    assert named not in {poster_named(one, "club") for one in others}
    assert named != poster_named(account, "other")
