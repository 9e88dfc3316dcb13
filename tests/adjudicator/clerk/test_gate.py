"""The table of checks, row by row, and what passes all of them."""

from dataclasses import replace

import pytest

from adjudicator.clerk.gate import GATE, Passed, disposition
from orders.letter import open_letter
from tests.kit.mail import letter
from tests.kit.memory import OFFICE, DictBooks

LARGE = replace(OFFICE, largest_letter=5_000)


def passed(raw: bytes) -> Passed:
    books = DictBooks(sheets={"<ours@example.org>": ()})
    return disposition(open_letter(raw), books.is_ours, LARGE)


@pytest.mark.parametrize(
    ("why", "raw"),
    [
        ("a letter of our own came back", letter("x", sender="gm@example.org")),
        ("a letter of our own came back", letter("x", headers={"X-Turnpost": "demo"})),
        ("a letter of our own came back", letter("x", headers={"Message-ID": "<ours@example.org>"})),
        (
            "a mail server reports on a letter of ours",
            b"From: MAILER-DAEMON@example.net\r\nMessage-ID: <b@x>\r\n"
            b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b--\r\n",
        ),
        (
            "a robot wrote it (Auto-Submitted: auto-replied)",
            letter("x", headers={"Auto-Submitted": "auto-replied; owner=me"}),
        ),
        (
            "a robot wrote it (Auto-Submitted: auto-generated)",
            letter("x", headers={"Auto-Submitted": "Auto-Generated"}),
        ),
        ("a robot wrote it (no return path)", letter("x", headers={"Return-Path": "<>"})),
        ("a robot wrote it (a loop mark)", letter("x", headers={"X-Loop": "somebody"})),
        ("a robot wrote it (a loop mark)", letter("x", headers={"X-Autoreply": "yes"})),
        ("a robot wrote it (a loop mark)", letter("x", headers={"X-Autorespond": "yes"})),
        ("a robot wrote it (by its sender or subject)", letter("x", sender="postmaster@example.net")),
        ("a robot wrote it (by its sender or subject)", letter("x", subject="Out of Office: back on Monday")),
        ("a robot wrote it (by its sender or subject)", letter("x", subject="Automatic reply: [demo S1M]")),
        ("a robot wrote it (by its sender or subject)", letter("x", subject="Abwesenheitsnotiz")),
        ("a robot wrote it (by its sender or subject)", letter("x", subject="Réponse automatique : orders")),
    ],
)
def test_what_no_person_wrote_is_ignored(why: str, raw: bytes) -> None:
    assert passed(raw) == Passed("ignored", why)


@pytest.mark.parametrize(
    ("why", "raw"),
    [
        ("it came through a mailing list", letter("x", headers={"List-Id": "<pbem.example.net>"})),
        ("it came through a mailing list", letter("x", headers={"List-Post": "<mailto:p@example.net>"})),
        ("it came through a mailing list", letter("x", headers={"Precedence": "List"})),
        ("it has no sender that could be answered", b"To: gm@example.org\r\n\r\norders\r\n"),
    ],
)
def test_what_may_be_a_persons_waits_for_the_gamesmaster(why: str, raw: bytes) -> None:
    assert passed(raw) == Passed("quarantined", why)


def test_a_letter_that_is_too_large_waits_for_the_gamesmaster() -> None:
    found = passed(letter("x\n" * 4_000))
    assert found.disposition == "quarantined"
    assert found.why is not None
    assert found.why.endswith("we read up to 5,000")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Auto-Submitted": "no"},
        {"Return-Path": "<iroquois@example.net>"},
        {"Precedence": "first-class"},
        {"Subject": "Auto parts of the canoe"},
    ],
)
def test_a_persons_letter_is_read(headers: dict[str, str]) -> None:
    assert passed(letter("W SNT - MEN", headers=headers)) == Passed("read")


@pytest.mark.parametrize(
    "raw",
    [
        letter("x", headers={"Precedence": "bulk"}),
        letter("x", headers={"Precedence": "junk"}),
        letter("x", headers={"X-Auto-Response-Suppress": "All"}),
        letter("x", sender="no-reply@example.net"),
        letter("x", sender="donotreply+1@example.net"),
    ],
)
def test_a_weak_sign_of_a_robot_is_noted(raw: bytes) -> None:
    """It is read if it speaks for a seat."""
    assert passed(raw) == Passed("read", weak=True)


def test_the_first_row_that_matches_decides() -> None:
    """A bounce through a list is a bounce; each row has been met above."""
    both = letter("x", headers={"List-Id": "<l.example.net>", "Auto-Submitted": "auto-replied"})
    assert passed(both).disposition == "ignored"
    assert [verdict for _, verdict in GATE] == ["ignored"] * 3 + ["quarantined"] * 3
