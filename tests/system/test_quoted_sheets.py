"""Quoted order sheets: which lines are orders, and the notes about the other lines."""

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from adjudicator.model.orders_on_file import is_flagged
from games.protocol import Seat
from tests.kit.memory_repository import game_of
from tests.kit.service_harness import LocalService, local_service, text_of
from tests.system.test_replies import FRANCE, begin, newest

FIRST = ("F BRE - MAO", "A MAR - SPA", "A PAR - PIC")
SECOND = ("F BRE - ENG", "A MAR - PIE", "A PAR - GAS")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    with local_service(tmp_path) as found:
        begin(found)
        yield found


def say(place: LocalService, text: str, to: EmailMessage | None = None) -> EmailMessage:
    """The reply to an email of France's. to: what it answers; None: it does not say that."""
    place.clock.advance(60_000)
    if to is None:
        place.write(FRANCE, str(newest(place)["Reply-To"]), text, "hello")
    else:
        place.answer(FRANCE, to, text)
    place.work()
    return newest(place)


def quote_email(letter: EmailMessage, *changes: tuple[str, str]) -> str:
    """Return one of our emails as a program quotes it, with lines of its sheet changed."""
    above, title, sheet = text_of(letter).partition("Order sheet")
    for old, new in changes:
        assert old in sheet
        sheet = sheet.replace(old, new)
    rows = "".join(f"> {row}\n" for row in (above + title + sheet).splitlines())
    return f"\nOn Sat, Nov 28, 2026 at 5:00 PM Turnpost west <gm@example.org> wrote:\n\n{rows}"


def on_file(place: LocalService) -> list[str]:
    position = place.service.repository.position("west")
    game = game_of(position)
    return sorted(game.notation.write(one) for one in position.filed[Seat("France")] if hasattr(one, "slot"))


def is_held(place: LocalService) -> bool:
    return is_flagged(place.service.repository.position("west").filed[Seat("France")])


def two_replies(place: LocalService) -> tuple[EmailMessage, EmailMessage]:
    """The replies to two emails with three orders each."""
    return say(place, "\n".join(FIRST), newest(place)), say(place, "\n".join(SECOND), newest(place))


def test_an_older_sheet_below_a_typed_order_says_nothing(place: LocalService) -> None:
    older, _ = two_replies(place)
    say(place, f"A Par - Bur\n{quote_email(older)}")
    assert on_file(place) == ["A MAR - PIE", "A PAR - BUR", "F BRE - ENG"]


@pytest.mark.parametrize("answers", ["newest", "older"])
def test_it_says_nothing_whichever_email_is_answered(place: LocalService, answers: str) -> None:
    older, newer = two_replies(place)
    say(place, f"A Par - Bur\n{quote_email(older)}", {"newest": newer, "older": older}[answers])
    assert on_file(place) == ["A MAR - PIE", "A PAR - BUR", "F BRE - ENG"]


def test_the_welcome_and_an_older_reply_say_nothing_either(place: LocalService) -> None:
    welcome = newest(place)
    older, newer = two_replies(place)
    say(place, f"A Par - Bur\n{quote_email(older)}\n{quote_email(welcome)}", newer)
    assert on_file(place) == ["A MAR - PIE", "A PAR - BUR", "F BRE - ENG"]


def test_a_changed_line_loses_to_a_typed_order_and_it_is_said(place: LocalService) -> None:
    older, _ = two_replies(place)
    for to in (None, older):
        reply = say(place, f"A Par - Bur\n{quote_email(older, ('A PAR - PIC', 'A PAR - BRE'))}", to)
        assert on_file(place) == ["A MAR - PIE", "A PAR - BUR", "F BRE - ENG"]
        told = sentence("reports.transcript.superseded_by_typed", said="A PAR - BRE")
        assert told in " ".join(text_of(reply).split())


def test_a_changed_line_for_another_unit_counts_beside_a_typed_order(place: LocalService) -> None:
    _, newer = two_replies(place)
    say(place, f"A Par - Bur\n{quote_email(newer, ('F BRE - ENG', 'F BRE - PIC'))}")
    assert on_file(place) == ["A MAR - PIE", "A PAR - BUR", "F BRE - PIC"]


@pytest.mark.parametrize("threaded", [True, False])
def test_an_older_sheet_alone_is_asked_about_once(place: LocalService, threaded: bool) -> None:
    older, _ = two_replies(place)
    reply = say(place, quote_email(older), older if threaded else None)
    assert on_file(place) == sorted(SECOND)
    text = " ".join(text_of(reply).split())
    assert text.count(" ".join(sentence("inbound.quoted_sheets.go_back").split())) == 1
    assert ", ".join(FIRST) in text
    assert is_held(place)
    say(place, ", ".join(FIRST), reply)
    assert on_file(place) == sorted(FIRST)
    assert not is_held(place)


def test_the_sheet_in_force_alone_is_not_asked_about(place: LocalService) -> None:
    _, newer = two_replies(place)
    for to in (None, newer):
        say(place, quote_email(newer), to)
        assert not is_held(place)
        assert on_file(place) == sorted(SECOND)


def test_an_older_sheet_with_thanks_above_it_is_not_asked_about(place: LocalService) -> None:
    older, newer = two_replies(place)
    say(place, f"Thanks!\n{quote_email(older)}", newer)
    assert not is_held(place)
    assert on_file(place) == sorted(SECOND)


def test_a_line_changed_back_by_hand_is_asked_about(place: LocalService) -> None:
    """It is on an older sheet and isn't an order, but it may be meant."""
    _, newer = two_replies(place)
    say(place, quote_email(newer, ("A PAR - GAS", "A PAR - PIC")), newer)
    assert on_file(place) == sorted(SECOND)
    assert is_held(place)


def test_a_changed_line_that_stands_on_no_sheet_is_an_order(place: LocalService) -> None:
    older, newer = two_replies(place)
    say(place, quote_email(newer, ("A PAR - GAS", "A PAR - BUR")), newer)
    assert on_file(place) == ["A MAR - PIE", "A PAR - BUR", "F BRE - ENG"]
    say(place, quote_email(older, ("A PAR - PIC", "A PAR - BRE")))
    assert on_file(place) == ["A MAR - PIE", "A PAR - BRE", "F BRE - ENG"]


def test_sheets_of_an_earlier_turn_leave_no_line_out(place: LocalService) -> None:
    """A line on one of them is an order of this turn when it is written into its sheet."""
    say(place, "\n".join(FIRST), newest(place))
    say(place, "A Par H\nA Mar H\nF Bre H", newest(place))
    game_admin.play_now(place.service, "west")
    place.work()
    report = newest(place)
    say(place, "A Par - Bur", report)
    say(place, quote_email(newest(place), ("A PAR - BUR", "A PAR - PIC")), newest(place))
    assert "A PAR - PIC" in on_file(place)
    say(place, quote_email(newest(place), ("F BRE H", "F BRE - MAO")), newest(place))
    assert "F BRE - MAO" in on_file(place)


@pytest.mark.parametrize(
    "header", ["", "Qwert: Turnpost <gm@example.org>\nYxcvb: 26/11/2026\nHjkl: west\n\n"]
)
def test_a_whole_reply_without_marks_says_nothing(place: LocalService, header: str) -> None:
    """With any text above it: its words are ours, and its sheet is one that we sent."""
    older, newer = two_replies(place)
    for ours in (older, newer):
        say(place, f"A Par - Bur\n\n{header}{text_of(ours)}")
        assert on_file(place) == ["A MAR - PIE", "A PAR - BUR", "F BRE - ENG"]
        assert not is_held(place)
