"""After an outage no email announces a deadline in the past. Those that are still true are sent."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, game_admin
from adjudicator.clock import HOUR, MINUTE
from adjudicator.model.mail import OutgoingMessage
from adjudicator.storage import outbox
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service

NAME = "demo"
TERMS = {"moves": "72h", "reminder": "24h", "protect": "no", "nmr": "hold", "solo": "clock"}


@pytest.fixture
def it(tmp_path: Path, undrawn: None) -> Iterator[AttackedService]:
    """A service with a game of two people, whose welcomes went out."""
    with attacked_service(tmp_path) as place:
        begin(place)
        yield place


def begin(it: AttackedService, **terms: str) -> None:
    """Begin the game, and send its welcomes."""
    game_admin.new_game(it.service, game_admin.GameRequest("indianomacy", NAME, terms={**TERMS, **terms}))
    for seat, address in (("Iroquois", IROQUOIS), ("Dakota", DAKOTA)):
        game_admin.assign(it.service, NAME, seat, address)
    it.service.send()


def look(it: AttackedService) -> None:
    """Poll and process, and send nothing: the mail server is down."""
    it.service.poll()
    it.service.process()


def until_reminder(it: AttackedService) -> None:
    """Let time pass until both are reminded."""
    it.clock.set(it.position().deadline - 24 * HOUR)
    look(it)
    assert kinds_ready(it) == ["reminder", "reminder"]


def past_grace(it: AttackedService) -> None:
    """Let time pass until the turn can run with missing orders."""
    it.clock.set(it.position().deadline + it.position().deadlines.grace + HOUR)


def kinds_ready(it: AttackedService) -> list[str]:
    """Return the kinds of the emails that wait to be sent."""
    return sorted(kind(posted.sealed) for posted in outbox.list_posted(it.service.database, 500, ("ready",)))


def send_ready(it: AttackedService) -> list[str]:
    """Send what is ready. Returns what the emails are that go out."""
    before = {posted.number for posted in outbox.list_posted(it.service.database, 500, ("sent",))}
    it.service.send()
    after = outbox.list_posted(it.service.database, 500, ("sent",))
    return sorted(kind(posted.sealed) for posted in after if posted.number not in before)


def kind(sealed: OutgoingMessage) -> str:
    """Return the kind of an email, from its key."""
    parts = sealed.key.split("/")
    return parts[2] if parts[0] == NAME else parts[0]


def test_a_reminder_in_time_is_sent(it: AttackedService) -> None:
    until_reminder(it)
    it.clock.set(it.position().deadline)
    assert send_ready(it) == ["reminder", "reminder"]


def test_a_reminder_of_a_turn_that_was_played_is_not_sent(it: AttackedService) -> None:
    until_reminder(it)
    past_grace(it)
    look(it)
    assert it.position().played == 1
    assert set(send_ready(it)) & {"report", "reminder"} == {"report"}


def test_a_reminder_of_a_turn_that_was_played_early_is_not_sent(it: AttackedService) -> None:
    """Its deadline would not be over yet."""
    until_reminder(it)
    game_admin.play_now(it.service, NAME)
    assert set(send_ready(it)) & {"report", "reminder"} == {"report"}


def test_a_reminder_after_the_deadline_is_not_sent_though_the_turn_waits(it: AttackedService) -> None:
    """The mailbox could not be looked through either, so that the turn was not played."""
    until_reminder(it)
    it.clock.set(it.position().deadline + 1)
    assert send_ready(it) == []
    assert it.position().played == 0


def until_late_reminder(it: AttackedService) -> None:
    """Let time pass into the grace until both are reminded, after the deadline."""
    it.clock.set(it.position().deadline + HOUR)
    look(it)
    assert kinds_ready(it) == ["reminder", "reminder"]


def test_a_reminder_that_was_written_in_the_grace_is_sent_in_the_grace(it: AttackedService) -> None:
    """It says that the deadline is over, and until when orders count."""
    until_late_reminder(it)
    it.clock.set(it.position().deadline + it.position().deadlines.grace)
    assert send_ready(it) == ["reminder", "reminder"]


def test_a_reminder_that_was_written_in_the_grace_is_not_sent_after_it(it: AttackedService) -> None:
    until_late_reminder(it)
    it.clock.set(it.position().deadline + it.position().deadlines.grace + 1)
    assert send_ready(it) == []


def test_a_reminder_is_sent_if_the_deadline_was_extended(it: AttackedService) -> None:
    until_reminder(it)
    it.clock.advance(25 * HOUR)
    deadlines.extend(it.service, NAME, 24 * HOUR, "the mail was down")
    assert send_ready(it) == ["moved", "moved", "reminder", "reminder"]


def test_a_reminder_is_not_sent_if_the_extended_deadline_is_over_too(it: AttackedService) -> None:
    until_reminder(it)
    deadlines.extend(it.service, NAME, 24 * HOUR, "the mail was down")
    it.clock.advance(49 * HOUR)
    assert send_ready(it) == []


def test_a_reminder_is_sent_if_the_clock_stands_still(it: AttackedService) -> None:
    until_reminder(it)
    deadlines.pause(it.service, NAME, "we travel")
    it.clock.advance(49 * HOUR)
    assert "reminder" in send_ready(it)


def test_a_reminder_is_not_sent_if_the_turn_waits_for_the_gamesmaster(tmp_path: Path, undrawn: None) -> None:
    with attacked_service(tmp_path) as it:
        begin(it, nmr="gm")
        until_reminder(it)
        past_grace(it)
        look(it)
        assert it.position().deadline is None
        assert send_ready(it) == ["halted", "halted", "halted"]


def test_a_reminder_of_a_game_that_has_ended_is_not_sent(it: AttackedService) -> None:
    until_reminder(it)
    with it.service.database.writing():
        it.service.database._library.execute_sql("update game set status = 'ended'")
    assert send_ready(it) == []


@pytest.mark.parametrize("measure", ["extended", "heeded", "outage", "corrected"])
def test_notices_of_a_deadline_that_is_over_are_not_sent(it: AttackedService, measure: str) -> None:
    position, now = it.position(), it.clock.now()
    told = ("subject", lambda seat, zone: ("words",))
    outbox.put(it.service.database, it.service.clock_actions.notify_all(position, measure, told, now), now)
    it.clock.set(it.position().deadline + MINUTE)
    assert send_ready(it) == []


def test_what_tells_of_more_than_a_deadline_is_sent_however_late(it: AttackedService) -> None:
    position, now = it.position(), it.clock.now()
    told = ("subject", lambda seat, zone: ("words",))
    for measure in ("terms", "left", "pause", "resumed"):
        outbox.put(
            it.service.database, it.service.clock_actions.notify_all(position, measure, told, now), now
        )
    it.clock.set(it.position().deadline + MINUTE)
    assert sorted(set(send_ready(it))) == ["left", "pause", "resumed", "terms"]


def test_nobody_is_told_and_no_seat_is_in_trouble(it: AttackedService) -> None:
    until_reminder(it)
    it.clock.set(it.position().deadline + 1)
    send_ready(it)
    gone = outbox.list_posted(it.service.database, 10, ("failed",))
    assert [posted.why for posted in gone] == [outbox.EXPIRED_WHY] * 2
    assert [
        assignment.trouble for assignment in it.position().assignments.values() if assignment.is_person
    ] == [None, None]
    assert send_ready(it) == []


def test_a_reminder_that_another_is_just_sending_is_left_to_them(it: AttackedService) -> None:
    until_reminder(it)
    now = it.position().deadline
    it.clock.set(now)
    assert len(outbox.claim(it.service.database, now, worker="another")) == 2
    it.clock.advance(1)
    told = ("subject", lambda seat, zone: ("words",))
    outbox.put(
        it.service.database, it.service.clock_actions.notify_all(it.position(), "terms", told, now), now
    )
    assert send_ready(it) == ["terms", "terms"]
    assert kinds_ready(it) == ["reminder", "reminder"]
