"""Much press in an hour is sent together, and nobody misses any of it before a deadline."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, seats
from adjudicator.clock import HOUR, MINUTE
from adjudicator.errors import WriteConflict
from adjudicator.messages import sentence
from adjudicator.model.people import HeldPress
from adjudicator.outbound.press_batches import release_press
from adjudicator.storage import outbox, stored_games
from adjudicator.storage.outbox import OutboxLetter
from adjudicator.storage.stored_games import SideEffects
from games.protocol import Seat
from tests.kit.attack_service import DAKOTA, IROQUOIS, AttackedService, attacked_service
from tests.kit.mail import header, letter
from tests.system.test_reply_token_secrecy import drawings, two_games, watched

GM, WATCHER = "gm@example.org", "watcher@example.com"


@pytest.fixture(scope="module", autouse=True)
def undrawn() -> Iterator[None]:
    with drawings():
        yield


@pytest.fixture
def it(tmp_path: Path) -> Iterator[AttackedService]:
    """A service of two games, in both of which the same two people play."""
    with attacked_service(Path(shutil.copytree(two_games.folder(), tmp_path / "service"))) as one:
        yield one


def writes(
    it: AttackedService,
    count: int,
    to: str = "Dakota",
    grey: str = "",
    seat: str = "iroquois",
    start: int = 1,
) -> list[str]:
    """A player sends so many emails with press, a second apart. Returns the texts of the replies."""
    sender = {"iroquois": IROQUOIS, "dakota": DAKOTA}[seat]
    replies = []
    for number in range(start, start + count):
        text = f"{grey}PRESS TO {to}\nmessage {number}.\nENDPRESS"
        if to == "ALL":
            text = f"{grey}BROADCAST\nmessage {number}.\nENDPRESS"
        raw = letter(text, sender=sender, to=it.reply(seat), number=1000 * len(grey) + number)
        shown = it.arrives(raw)
        replies += [" ".join(it.text(one).split()) for one in it.answers(shown) if one.sealed.to == sender]
    return replies


def list_press_emails(it: AttackedService, to: str = DAKOTA) -> list[OutboxLetter]:
    """The emails with press to somebody, oldest first."""
    posted = reversed(outbox.list_posted(it.service.database, 1000))
    there = ("/press/",)
    return [one for one in posted if one.sealed.to == to and any(mark in one.sealed.key for mark in there)]


def emails_of(it: AttackedService, *people: str) -> list[OutboxLetter]:
    """Return all emails to some people, in any game."""
    return [one for one in outbox.list_posted(it.service.database, 1000) if one.sealed.to in people]


def messages(it: AttackedService, posted: OutboxLetter) -> list[int]:
    """Return the numbers of an email's messages, in their order."""
    rows = [row for row in it.text(posted).splitlines() if row.startswith("| message ")]
    return [int(row.removeprefix("| message ").rstrip(".")) for row in rows]


def waiting(it: AttackedService) -> tuple[HeldPress, ...]:
    return it.service.repository.people.held_press()


def later(it: AttackedService, minutes: float) -> None:
    """Time goes by, and the service looks what is due."""
    it.clock.advance(int(minutes * MINUTE))
    it.service.process()


def due_in(it: AttackedService, minutes: float) -> None:
    """The GM moves the deadline."""
    position = it.position()
    soon = replace(position, deadline=it.clock.now() + int(minutes * MINUTE))
    minute = stored_games.Minute(game="demo", at=it.clock.now(), by="gm", what="soon")
    stored_games.change(it.service.database, position, soon, minute, SideEffects(it.clock.now()))


def test_sixty_messages_in_a_minute_are_six_emails(it: AttackedService) -> None:
    """Five at once, the rest half an hour after it began to wait; none is lost, none comes twice."""
    writes(it, 60)
    assert [messages(it, one) for one in list_press_emails(it)] == [[1], [2], [3], [4], [5]]
    later(it, 28)
    assert len(list_press_emails(it)) == 5
    later(it, 3)
    (batch,) = list_press_emails(it)[5:]
    assert messages(it, batch) == list(range(6, 61))
    assert waiting(it) == ()
    later(it, 120)
    assert len(list_press_emails(it)) == 6


def test_a_writer_who_goes_on_is_heard_every_half_hour(it: AttackedService) -> None:
    """At most twice an hour, however much there is."""
    for number in range(1, 91):
        writes(it, 1, start=number)
        later(it, 2)
    emails = list_press_emails(it)[5:]
    assert 5 <= len(emails) <= 7
    assert [one for posted in emails for one in messages(it, posted)] == list(
        range(6, 6 + sum(len(messages(it, one)) for one in emails))
    )
    later(it, 31)
    assert [one for posted in list_press_emails(it) for one in messages(it, posted)] == list(range(1, 91))


def test_an_hour_later_press_goes_at_once_again(it: AttackedService) -> None:
    writes(it, 6)
    later(it, 61)
    count = len(list_press_emails(it))
    writes(it, 1, start=7)
    assert messages(it, list_press_emails(it)[count]) == [7]


def test_others_are_not_kept_waiting(it: AttackedService) -> None:
    """Neither press of another seat, nor press to another, nor in another game."""
    writes(it, 10)
    writes(it, 1, to="Iroquois", seat="dakota")
    assert len(list_press_emails(it, IROQUOIS)) == 1
    raw = letter("PRESS TO Dakota\nhello\nENDPRESS", to=it.reply(game="beaver"), number=88)
    count = len(list_press_emails(it))
    it.arrives(raw)
    assert len(list_press_emails(it)) == count + 1


def test_the_writer_is_told_that_it_waits(it: AttackedService) -> None:
    """From the sixth on, in each reply."""
    replies = writes(it, 7)
    said = " ".join(sentence("inbound.press.waits", readers="Dakota").split())
    assert [said in reply for reply in replies] == [False] * 5 + [True] * 2


def test_many_messages_in_one_email_count_one_by_one(it: AttackedService) -> None:
    text = "\n".join(f"PRESS TO Dakota\nmessage {number}.\nENDPRESS" for number in range(1, 9))
    shown = it.arrives(letter(text, to=it.reply()))
    assert [messages(it, one) for one in list_press_emails(it)] == [[1], [2], [3], [4], [5]]
    assert len(waiting(it)) == 3
    (reply,) = it.answers(shown)
    said = " ".join(sentence("inbound.press.waits", readers="Dakota").split())
    assert " ".join(it.text(reply).split()).count(said) == 3


def test_the_same_message_twice_in_an_email_goes_once(it: AttackedService) -> None:
    text = "PRESS TO Dakota\nmessage 1.\nENDPRESS\n" * 9
    it.arrives(letter(text, to=it.reply()))
    later(it, 31)
    assert [messages(it, one) for one in list_press_emails(it)] == [[1]]


@pytest.mark.parametrize("minutes", [45, 20, 10, 4, 1.5, 0.5])
def test_before_a_deadline_nothing_waits(it: AttackedService, minutes: float) -> None:
    """However late it was written: it goes out before orders are due."""
    due_in(it, minutes)
    deadline = it.position().deadline
    assert deadline is not None
    writes(it, 9)
    while it.clock.now() < deadline - 5_000:
        later(it, 1 / 12)
    assert waiting(it) == ()
    assert [one for posted in list_press_emails(it) for one in messages(it, posted)] == list(range(1, 10))


def test_a_deadline_that_is_brought_forward_brings_press_forward(it: AttackedService) -> None:
    writes(it, 9)
    later(it, 1)
    assert len(waiting(it)) == 4
    due_in(it, 3)
    later(it, 2.5)
    assert waiting(it) == ()


def test_in_the_last_minute_a_round_is_one_email(it: AttackedService) -> None:
    """A flood then is not one email each either."""
    due_in(it, 0.9)
    for number in range(1, 31):
        raw = letter(f"PRESS TO Dakota\nmessage {number}.\nENDPRESS", to=it.reply(), number=number)
        it.service.receive(raw)
    it.service.process()
    assert [len(messages(it, one)) for one in list_press_emails(it)] == [1, 1, 1, 1, 1, 25]


def test_before_a_report_nothing_waits(it: AttackedService) -> None:
    """A turn is processed early: press is mailed in front of its report."""
    writes(it, 9)
    game_admin.play_now(it.service, "demo")
    posted = [
        one for one in reversed(outbox.list_posted(it.service.database, 1000)) if one.sealed.to == DAKOTA
    ]
    kinds = ["batch" if "/press/batch/" in one.sealed.key else "report" for one in posted
             if "/press/batch/" in one.sealed.key or "/report/" in one.sealed.key]  # fmt: skip
    assert kinds == ["batch", "report"]
    assert messages(it, list_press_emails(it)[5]) == [6, 7, 8, 9]
    assert waiting(it) == ()


def test_before_the_end_of_a_game_nothing_waits(it: AttackedService) -> None:
    writes(it, 9)
    game_admin.end(it.service, "demo", (), "a test")
    assert messages(it, list_press_emails(it)[5]) == [6, 7, 8, 9]
    assert waiting(it) == ()


def test_grey_press_waits_whoever_wrote_it(it: AttackedService) -> None:
    """So its delay doesn't reveal the writer: earlier signed press doesn't count."""
    watched(it)
    writes(it, 9)
    count = len(list_press_emails(it))
    writes(it, 1, grey="GREY ", start=50)
    told = [messages(it, one) for one in list_press_emails(it)[count:]]
    assert told == [[50]], "at once, though its writer's signed press waits"
    writes(it, 3, to="ALL", grey="GREY ", start=60)
    writes(it, 3, to="ALL", grey="GREY ", start=70, seat="dakota")
    to_watcher = [one for posted in list_press_emails(it, WATCHER) for one in messages(it, posted)]
    assert to_watcher == [60, 61, 62, 70, 71], "five of two writers, and the sixth waits"
    later(it, 31)
    assert messages(it, list_press_emails(it, WATCHER)[-1]) == [72]
    batch = it.text(list_press_emails(it, WATCHER)[-1])
    assert "Iroquois" not in batch
    assert "Dakota" not in batch


def test_the_writer_of_grey_press_learns_nothing_of_others(it: AttackedService) -> None:
    """Only players who wrote too much themselves are told that it waits."""
    game_admin.assign(it.service, "demo", Seat("Apache"), "apache@example.org")
    writes(it, 5, to="Apache", grey="GREY ")
    (reply,) = writes(it, 1, to="Apache", grey="GREY ", start=90, seat="dakota")
    (other,) = writes(it, 1, to="Apache", grey="GREY ", start=95)
    assert len(waiting(it)) == 2
    said = " ".join(sentence("inbound.press.waits_perhaps").split())
    assert said not in reply
    assert said in other


def test_observers_and_the_gm_are_readers_too(it: AttackedService) -> None:
    watched(it)
    writes(it, 9, to="ALL")
    writes(it, 9, to="GM", start=20)
    assert len(list_press_emails(it, WATCHER)) == len(list_press_emails(it, GM)) == 5
    later(it, 31)
    assert messages(it, list_press_emails(it, WATCHER)[5]) == [6, 7, 8, 9]
    assert messages(it, list_press_emails(it, GM)[5]) == [25, 26, 27, 28]
    assert IROQUOIS in it.text(list_press_emails(it, GM)[5]), "the GM is told who writes"


def test_the_gms_press_goes_at_once(it: AttackedService) -> None:
    for number in range(9):
        seats.write(it.service, "demo", (), f"message {number}.")
    assert len(list_press_emails(it)) == 9


def test_who_has_left_gets_nothing(it: AttackedService) -> None:
    """It waits no longer; the report shows it to the seat's next player."""
    watched(it)
    writes(it, 9, to="ALL")
    to = header(list_press_emails(it, WATCHER)[-1].sealed.raw, "Reply-To")
    it.arrives(letter("RESIGN demo", sender=WATCHER, to=to, number=80))
    assert it.service.repository.people.observers("demo") == ()
    seats.kick(it.service, "demo", "Dakota", "silent for long")
    count = len(emails_of(it, DAKOTA, WATCHER))
    later(it, 31)
    assert len(emails_of(it, DAKOTA, WATCHER)) == count
    assert waiting(it) == ()


def test_a_new_player_gets_what_waits_for_the_seat(it: AttackedService) -> None:
    writes(it, 9)
    seats.replace_player(it.service, "demo", "Dakota", "new@example.com", "as agreed")
    later(it, 31)
    assert messages(it, list_press_emails(it, "new@example.com")[0]) == [6, 7, 8, 9]


def test_two_who_send_it_at_once_send_it_once(it: AttackedService) -> None:
    """A worker looks what is due while another processes the turn."""
    writes(it, 8)
    now, writer = it.clock.now(), it.service.composer
    released = release_press(writer, it.position(), waiting(it), now)
    side_effects = SideEffects(
        now, [writer.seal(one, now) for one in released.emails], released.person_actions
    )
    writes(it, 1, start=9)
    game_admin.play_now(it.service, "demo")
    with suppress(WriteConflict):
        stored_games.apply_side_effects(it.service.database, side_effects)
    assert [one for posted in list_press_emails(it) for one in messages(it, posted)] == list(range(1, 10))


def test_no_email_is_endless(it: AttackedService) -> None:
    """Much long press is parted."""
    for number in range(1, 21):
        text = f"PRESS TO Dakota\nmessage {number}.\n{'x' * 70 + chr(10)}" + "y" * 60 + "\n" * 1
        body = "\n".join("z" * 70 for _ in range(180))
        it.arrives(letter(f"{text}{body}\nENDPRESS", to=it.reply(), number=number))
    later(it, 31)
    batches = list_press_emails(it)[5:]
    assert len(batches) > 1
    assert [one for posted in batches for one in messages(it, posted)] == list(range(6, 21))
    assert all(len(it.text(one)) < 150_000 for one in batches)


def test_a_finished_service_goes_on_where_it_was(it: AttackedService) -> None:
    """Waiting press is in the database: another process sends it."""
    writes(it, 9)
    it.clock.advance(HOUR)
    with attacked_service(it.folder) as again:
        again.clock.advance(it.clock.now() - again.clock.now())
        again.service.process()
        assert messages(again, list_press_emails(again)[5]) == [6, 7, 8, 9]


def test_a_held_seat_is_no_obstacle(it: AttackedService) -> None:
    """Each game's press goes by itself: what can't be read in one keeps no other waiting."""
    writes(it, 9)
    raw = "\n".join(f"PRESS TO Dakota\nmessage {number}.\nENDPRESS" for number in range(1, 9))
    it.arrives(letter(raw, to=it.reply(game="beaver"), number=77))
    later(it, 31)
    assert waiting(it) == ()
    assert sum("/press/batch/" in one.sealed.key for one in list_press_emails(it)) == 2
    assert Seat("Dakota") in it.position().assignments
