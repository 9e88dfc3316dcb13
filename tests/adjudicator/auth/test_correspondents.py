"""The signs of games in forums: secrets that only a forum or only a player got."""

import pytest

from adjudicator.auth.correspondents import (
    forum_address,
    is_word_line,
    poster_word,
    thread_id,
    was_sent_by,
    words_in,
)
from adjudicator.model.addresses import claims
from games.protocol import Seat

KEY, GM, PLACE = bytes(range(32)), "gm@example.org", "turns@lists.example.org"
IROQUOIS, JANE = Seat("Iroquois"), "jane@example.org"


def test_an_address_is_told_to_one_forum_alone() -> None:
    address = forum_address(KEY, GM, PLACE)
    assert was_sent_by(KEY, GM, PLACE, ["else@example.org", address.upper()])
    assert not was_sent_by(KEY, GM, "other@lists.example.org", [address])
    assert not was_sent_by(bytes(32), GM, PLACE, [address])
    assert not was_sent_by(KEY, GM, PLACE, [GM, PLACE])


def test_it_speaks_for_no_seat() -> None:
    """An address that a seat answers at has another form."""
    assert claims([forum_address(KEY, GM, PLACE)], "", ()) == ()


def test_words_are_another_for_each_seat_player_and_time() -> None:
    word = poster_word(KEY, "beaver", IROQUOIS, JANE, 0)
    others = {
        poster_word(KEY, "otter", IROQUOIS, JANE, 0),
        poster_word(KEY, "beaver", Seat("Dakota"), JANE, 0),
        poster_word(KEY, "beaver", IROQUOIS, "else@example.org", 0),
        poster_word(KEY, "beaver", IROQUOIS, JANE, 1),
        poster_word(bytes(32), "beaver", IROQUOIS, JANE, 0),
    }
    assert len(others) == 5
    assert word not in others


@pytest.mark.parametrize(
    "line", ["WORD hm4rz-q2kwd", "word: HM4RZ Q2KWD.", "**WORD hm4rzq2kwd**", "- WORD  hm4rz-q2kwd"]
)
def test_a_word_is_read_as_people_write_it(line: str) -> None:
    assert words_in(["hello", line]) == ("hm4rz-q2kwd",)
    assert is_word_line(line)


@pytest.mark.parametrize(
    "line", ["my WORD hm4rz-q2kwd", "WORD hm4rz", "WORD hm4rz-q2kwd and more", "words hm4rz-q2kwd", "WORD"]
)
def test_what_is_no_word_is_none(line: str) -> None:
    assert words_in([line]) == ()


def test_a_thread_has_one_beginning_for_each_place() -> None:
    first = thread_id(KEY, "beaver", PLACE, "example.org")
    assert first == thread_id(KEY, "beaver", PLACE, "example.org")
    assert first != thread_id(KEY, "beaver", "club", "example.org")
    assert first != thread_id(KEY, "otter", PLACE, "example.org")
