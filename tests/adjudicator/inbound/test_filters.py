"""The checks, one by one, and emails that pass all of them."""

from dataclasses import replace
from email.header import Header

import pytest

from adjudicator.inbound.filters import FilterResult, admit, filter_letter
from adjudicator.messages import sentence
from adjudicator.model.addresses import bounce_address
from games.data import read_toml
from orders.mail.letter import open_letter
from tests.kit.mail import letter
from tests.kit.memory_repository import OFFICE, MemoryRepository

LARGE = replace(OFFICE, largest_letter=5_000)


def passed(raw: bytes) -> FilterResult:
    repository = MemoryRepository(sheets={"<ours@example.org>": ()})
    return filter_letter(open_letter(raw), repository.is_ours, LARGE)


@pytest.mark.parametrize(
    ("why", "raw"),
    [
        (sentence("inbound.filters.our_own"), letter("x", sender="gm@example.org")),
        (sentence("inbound.filters.our_own"), letter("x", headers={"X-Turnpost": "demo"})),
        (sentence("inbound.filters.our_own"), letter("x", headers={"Message-ID": "<ours@example.org>"})),
        (sentence("inbound.filters.our_own"), letter("x", sender="gm+demo.iroquois.abc@example.org")),
        (
            sentence("inbound.filters.a_receipt"),
            b"From: iroquois@example.net\r\nMessage-ID: <b@x>\r\nContent-Type: multipart/report;"
            b" report-type=disposition-notification; boundary=b\r\n\r\n--b--\r\n",
        ),
        (
            sentence("inbound.filters.of_a_robot", auto="auto-replied"),
            letter("x", headers={"Auto-Submitted": "auto-replied; owner=me"}),
        ),
        (
            sentence("inbound.filters.of_a_robot", auto="auto-generated"),
            letter("x", headers={"Auto-Submitted": "Auto-Generated"}),
        ),
        (sentence("inbound.filters.no_return_path"), letter("x", headers={"Return-Path": "<>"})),
        (sentence("inbound.filters.a_loop_mark"), letter("x", headers={"X-Loop": "somebody"})),
        (sentence("inbound.filters.a_loop_mark"), letter("x", headers={"X-Autoreply": "yes"})),
        (sentence("inbound.filters.a_loop_mark"), letter("x", headers={"X-Autorespond": "yes"})),
        (
            sentence("inbound.filters.sender_or_subject_of_a_robot"),
            letter("x", sender="postmaster@example.net"),
        ),
        (
            sentence("inbound.filters.sender_or_subject_of_a_robot"),
            letter("x", subject="Out of Office: back on Monday"),
        ),
        (
            sentence("inbound.filters.sender_or_subject_of_a_robot"),
            letter("x", subject="Automatic reply: [demo S1M]"),
        ),
        (sentence("inbound.filters.sender_or_subject_of_a_robot"), letter("x", subject="Abwesenheitsnotiz")),
        (
            sentence("inbound.filters.sender_or_subject_of_a_robot"),
            letter("x", subject="Réponse automatique : orders"),
        ),
    ],
)
def test_what_no_person_wrote_is_ignored(why: str, raw: bytes) -> None:
    found = passed(raw)
    assert (found.disposition, found.why) == ("ignored", why)


ABSENCES = [
    (language, subject)
    for language, subjects in read_toml("orders", "robots.toml")["absences"].items()
    for subject in subjects
]


def test_absences_are_known_in_as_many_languages_as_exchange_has() -> None:
    assert len({language for language, _ in ABSENCES}) >= 19


@pytest.mark.parametrize(("language", "subject"), ABSENCES)
def test_a_program_that_answers_for_somebody_is_ignored(language: str, subject: str) -> None:
    """Its subject begins so, in small letters or not."""
    for said in (f"{subject}: fox", f"{subject.capitalize()} : orders", subject.upper(), f"  {subject} fox"):
        encoded = Header(said, "utf-8", maxlinelen=500).encode()
        assert passed(letter("x", subject=encoded)).is_absence, said
    for said in (f"Re: {subject}: fox", f"AW: {subject}", f"About {subject}"):
        assert (
            passed(letter("x", subject=Header(said, "utf-8", maxlinelen=500).encode())).disposition == "read"
        ), said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Auto-Submitted", "(checked by hand) no"),
        ("Auto-Submitted", "no (a person (really) wrote it)"),
        ("Auto-Submitted", '(a \\) in it) NO; x="(y)"'),
        ("Precedence", "(first) first-class"),
        ("Return-Path", "(me) <iroquois@example.net>"),
    ],
)
def test_comments_in_header_fields_say_nothing(name: str, value: str) -> None:
    assert passed(letter("x", headers={name: value})) == FilterResult("read")


@pytest.mark.parametrize(
    ("name", "value", "disposition"),
    [
        ("Auto-Submitted", "(no) auto-replied", "ignored"),
        ("Auto-Submitted", "(no", "ignored"),
        ("Return-Path", "(null) <>", "ignored"),
        ("Precedence", "(a list) list", "quarantined"),
    ],
)
def test_what_stands_beside_a_comment_counts(name: str, value: str, disposition: str) -> None:
    assert passed(letter("x", headers={name: value})).disposition == disposition


@pytest.mark.parametrize(
    ("why", "raw"),
    [
        ("it came through a mailing list", letter("x", headers={"List-Id": "<pbem.example.net>"})),
        ("it came through a mailing list", letter("x", headers={"List-Post": "<mailto:p@example.net>"})),
        ("it came through a mailing list", letter("x", headers={"Precedence": "List"})),
        (sentence("inbound.filters.nobody_to_answer"), b"To: gm@example.org\r\n\r\norders\r\n"),
    ],
)
def test_what_may_be_a_persons_waits_for_the_gamesmaster(why: str, raw: bytes) -> None:
    assert passed(raw) == FilterResult("quarantined", why)


REPORT = (
    b"From: MAILER-DAEMON@example.net\r\nMessage-ID: <b@x>\r\n"
    b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b--\r\n"
)


def test_a_letter_that_came_back_is_known() -> None:
    """By its kind, or by the address that only that email had; an out-of-office reply doesn't come from a
    server.
    """
    back = FilterResult("ignored", sentence("inbound.filters.of_a_server"), returned=True)
    assert passed(REPORT) == back
    to = bounce_address(OFFICE.address, OFFICE.key, "<0123456789abcdef@example.org>")
    assert passed(letter("550 no such user", sender="mailer-daemon@example.net", to=to)) == back
    assert not passed(letter("I am on holiday", to=to, headers={"Return-Path": "<>"})).returned
    auto = {"Auto-Submitted": "auto-replied"}
    assert not passed(letter("on holiday", sender="postmaster@example.net", to=to, headers=auto)).returned
    assert not passed(letter("550 none", sender="mailer-daemon@example.net")).returned


def test_a_letter_that_is_too_large_is_not_taken_apart() -> None:
    large = letter("x\n" * 4_000)
    opened, found = admit(large, MemoryRepository().is_ours, LARGE)
    assert found == FilterResult("quarantined", sentence("inbound.limits.many_bytes", most=5000), heavy=True)
    assert (opened.sender, [part.text for part in opened.parts]) == ("iroquois@example.net", [""])
    robots = letter("x\n" * 4_000, headers={"Auto-Submitted": "auto-replied"})
    assert admit(robots, MemoryRepository().is_ours, LARGE)[1].disposition == "ignored"


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
    assert passed(letter("W SNT - MEN", headers=headers)) == FilterResult("read")


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
    assert passed(raw) == FilterResult("read", weak=True)


def test_the_first_check_that_matches_decides() -> None:
    """Each email has the signs of all later checks too."""
    signs = [
        {"List-Id": "<l.example.net>"},
        {"Subject": "Out of Office: back on Monday"},
        {"Auto-Submitted": "auto-replied"},
        {"Content-Type": "multipart/report; boundary=b"},
        {"X-Turnpost": "demo"},
    ]
    results = []
    for place in range(len(signs)):
        signed = {name: value for sign in signs[: place + 1] for name, value in sign.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in signed.items())
        results.append(passed(f"From: nobody\r\n{head}\r\nx\r\n".encode()))
    assert [(result.why, result.returned, result.is_absence) for result in results] == [
        (sentence("inbound.filters.through_a_list"), False, False),
        (sentence("inbound.filters.sender_or_subject_of_a_robot"), False, True),
        (sentence("inbound.filters.of_a_robot", auto="auto-replied"), False, False),
        (sentence("inbound.filters.of_a_server"), True, False),
        (sentence("inbound.filters.our_own"), False, False),
    ]
