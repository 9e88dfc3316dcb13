"""Our undeliverable emails: finding the email, permanent or not, and disabling an address."""

import pytest

from adjudicator.inbound.filters import read_delivery_report
from adjudicator.messages import sentence
from adjudicator.model.addresses import bounce_address
from adjudicator.model.mail import Bounce, LetterOutcome, SentLetter, has_too_many_bounces
from games.protocol import Seat
from orders.mail.letter import open_letter
from tests.adjudicator.inbound.conftest import IROQUOIS, MemoryPipeline
from tests.kit.bounce_reports import bounce_report, prose_bounce
from tests.kit.mail import letter
from tests.kit.memory_repository import HOUR, OFFICE

DAY = 24 * HOUR


def sent_from(number: int) -> str:
    """Return the envelope sender of our email with that number."""
    return bounce_address(
        OFFICE.address, OFFICE.key, f"<demo.iroquois.abcdefghijklm.{number:016x}@example.org>"
    )


@pytest.fixture
def pipeline_with_emails(context: MemoryPipeline) -> MemoryPipeline:
    """The desk of a service that has sent letters to the Iroquois."""
    context.repository.bounces.postings = {
        sent_from(number): SentLetter(number=number, to=IROQUOIS, game="demo", seat=Seat("Iroquois"))
        for number in range(1, 9)
    }
    return context


def back(context: MemoryPipeline, number: int, **fields: str) -> LetterOutcome:
    """Return the outcome of a bounce report for our email with that number."""
    handled = context.takes(bounce_report(sent_from(number), number, **fields))
    if handled.bounce is not None:
        context.repository.bounces.noted.append((context.now, handled.bounce))
    return handled


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (bounce_report("x"), (True, "550 5.1.1 <iroquois@example.net>: no such user")),
        (bounce_report("x", status="4.2.2", said="452 mailbox full"), (False, "452 mailbox full")),
        (
            bounce_report("x", action="delayed", status="4.4.1"),
            (False, "550 5.1.1 <iroquois@example.net>: no such user"),
        ),
        (bounce_report("x", action="delayed", status="5.0.0", said="x"), (False, "x")),
        (bounce_report("x", action="delivered", status="2.0.0"), (None, "")),
        (bounce_report("x", action="relayed", status="2.0.0"), (None, "")),
        (bounce_report("x", status="?", said="554 not here"), (True, "554 not here")),
        (bounce_report("x", status="?", said="421 later\n and later"), (False, "421 later and later")),
        (prose_bounce("x", "550 no such user here"), (True, "550 no such user here")),
        (
            prose_bounce("x", "Sorry, no mailbox by that name. (#5.1.1)"),
            (True, "Sorry, no mailbox by that name. (#5.1.1)"),
        ),
        (prose_bounce("x", "421 try again"), (False, "421 try again")),
        (prose_bounce("x", "it did not work, at 10:55"), (False, "failure notice")),
    ],
)
def test_what_a_server_says(raw: bytes, found: tuple[bool | None, str]) -> None:
    assert read_delivery_report(open_letter(raw)) == found


def test_a_letter_that_came_back_is_noted_at_its_seat(pipeline_with_emails: MemoryPipeline) -> None:
    handled = back(pipeline_with_emails, 1)
    assert (handled.disposition, handled.game, handled.seat) == ("ignored", "demo", "Iroquois")
    why = "550 5.1.1 <iroquois@example.net>: no such user"
    assert handled.bounce == Bounce(letter=1, address=IROQUOIS, hard=True, why=why)
    assert handled.answers == ()
    assert handled.why is not None
    told = sentence("inbound.bounces.came_back", number=1, address=IROQUOIS, hard=True, why=why)
    assert handled.why == told


@pytest.mark.parametrize(
    "to",
    [
        "gm@example.org",
        sent_from(9),
        sent_from(1)[:-20] + "aaaaaaa@example.org",
        f"gm+b.{1:016x}.aaaaaaaaaaaaa@example.org",
        "gm+b.1.2@example.org",
    ],
)
def test_a_report_that_is_forged_or_on_no_letter_of_ours_counts_nowhere(
    pipeline_with_emails: MemoryPipeline, to: str
) -> None:
    """The address proves that the sender of the report had the email."""
    handled = pipeline_with_emails.takes(bounce_report(to))
    assert (handled.disposition, handled.bounce, handled.answers) == ("ignored", None, ())


def test_good_news_is_no_bounce(pipeline_with_emails: MemoryPipeline) -> None:
    handled = back(pipeline_with_emails, 1, action="delivered", status="2.0.0")
    assert (handled.bounce, handled.why) == (None, sentence("inbound.bounces.arrived", number="1"))


def test_who_is_on_holiday_is_not_gone(pipeline_with_emails: MemoryPipeline) -> None:
    """Such answers go to the same address, with an empty return path."""
    headers = {"Auto-Submitted": "auto-replied", "Return-Path": "<>"}
    handled = pipeline_with_emails.takes(letter("550 miles from here", to=sent_from(1), headers=headers))
    assert (handled.disposition, handled.bounce) == ("ignored", None)


def test_after_three_that_were_refused_an_address_is_given_up(pipeline_with_emails: MemoryPipeline) -> None:
    """The GM gets one notice; that address gets none."""
    assert [back(pipeline_with_emails, number).answers for number in (1, 2, 2, 1)] == [()] * 4, (
        "two letters, told of twice"
    )
    third = back(pipeline_with_emails, 3)
    assert third.bounce is not None
    assert third.bounce.dead
    (told,) = third.answers
    assert told.to == OFFICE.address
    assert "gm mail revive iroquois@example.net" in told.text
    assert "Iroquois in demo" in " ".join(told.text.split())
    assert back(pipeline_with_emails, 4).answers == ()


def test_after_five_that_were_put_off_too(pipeline_with_emails: MemoryPipeline) -> None:
    soft = {"action": "delayed", "status": "4.4.1", "said": "421 busy"}
    assert [back(pipeline_with_emails, number, **soft).answers for number in (1, 2, 3, 4, 4, 3)] == [()] * 6
    assert len(back(pipeline_with_emails, 5, **soft).answers) == 1


def test_what_came_back_a_fortnight_ago_counts_no_more(pipeline_with_emails: MemoryPipeline) -> None:
    back(pipeline_with_emails, 1)
    back(pipeline_with_emails, 2)
    pipeline_with_emails.now += 14 * DAY + 1
    assert back(pipeline_with_emails, 3).answers == ()
    pipeline_with_emails.now += DAY
    back(pipeline_with_emails, 4)
    assert len(back(pipeline_with_emails, 5).answers) == 1


def test_a_letter_that_was_put_off_and_then_refused_counts_once() -> None:
    def of(letter: int, hard: bool) -> Bounce:
        return Bounce(letter=letter, address="a@example.net", hard=hard, why="")

    assert not has_too_many_bounces(
        [of(1, True), of(1, False), *(of(number, False) for number in (2, 3, 4, 5))][:5]
    )
    assert has_too_many_bounces([of(number, False) for number in range(5)])
    assert has_too_many_bounces([of(1, True), of(2, True), of(3, True)])
    assert not has_too_many_bounces([of(1, True), of(2, True), of(3, False), of(4, False), of(5, False)])
