"""Emails without a Message-ID get one, different for each arrival."""

from email import message_from_bytes

import pytest

from adjudicator.mail.envelope import add_missing_headers, is_traced
from orders.mail.headers import has_plain_line_ends, line_end_of
from orders.mail.letter import fingerprint, message_id_of, open_letter
from tests.kit.mail import NOON, letter

BARE = b"From: iroquois@example.net\r\nTo: gm@example.org\r\n\r\nMohawk - Delaware\r\n"
TRACED = b"Received: by mx.example.org with SMTP id 1; Fri, 24 Jul 2026 12:00:00 +0000\r\n" + BARE


def test_a_letter_with_a_message_id_stays_as_it_is() -> None:
    assert add_missing_headers(letter("x"), NOON, "cur/1") == letter("x")


def test_what_is_missing_is_added_and_nothing_else_changes() -> None:
    named = add_missing_headers(BARE, NOON, "1")
    assert named.endswith(BARE)
    assert message_id_of(named).endswith("@unnamed.invalid>")
    assert open_letter(named).date == NOON
    assert open_letter(named).parts == open_letter(BARE).parts


def test_a_date_that_is_there_stays() -> None:
    dated = b"Date: Mon, 05 Jan 2026 18:00:00 +0000\r\n" + BARE
    assert message_from_bytes(add_missing_headers(dated, NOON, "1")).get_all("Date") == [
        "Mon, 05 Jan 2026 18:00:00 +0000"
    ]


def test_an_arrival_has_one_name_however_often_it_is_looked_at() -> None:
    names = [fingerprint(add_missing_headers(BARE, NOON, "1")) for _ in range(2)]
    assert len(set(names)) == 1
    others = [
        fingerprint(add_missing_headers(BARE, NOON + 1, "1")),
        fingerprint(add_missing_headers(BARE, NOON, "2")),
    ]
    assert len({*names, *others}) == 3


@pytest.mark.parametrize(
    "before", [b"From iroquois Mon Jan  5 18:00:00 2026\n", b"\xef\xbb\xbf", b"Message-ID: <>\r\n"]
)
def test_letters_in_odd_wrappings_are_named_too(before: bytes) -> None:
    named = add_missing_headers(before + BARE, NOON, "1")
    assert message_id_of(named).endswith("@unnamed.invalid>")
    assert open_letter(named).sender == "iroquois@example.net"


@pytest.mark.parametrize("before", [b"", b"From iroquois Mon Jan  5 18:00:00 2026\n"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_what_is_added_ends_its_lines_as_the_letter_does(before: bytes, end: bytes) -> None:
    """Otherwise a file or a Maildir would have two kinds of line ends, which break signatures."""
    named = add_missing_headers(before + BARE.replace(b"\r\n", end), NOON, "1")
    assert has_plain_line_ends(named.removeprefix(before))
    assert line_end_of(named.removeprefix(before)) == end


def test_a_letter_that_has_no_head_is_named_too() -> None:
    named = add_missing_headers(b"\r\nMohawk - Delaware\r\n", NOON, "1")
    assert open_letter(named).parts[0].text.strip() == "Mohawk - Delaware"


def test_a_trace_is_looked_for_in_the_head_alone() -> None:
    assert is_traced(TRACED)
    assert not is_traced(BARE)
    assert not is_traced(BARE + b"Received: what a player quotes\r\n")
