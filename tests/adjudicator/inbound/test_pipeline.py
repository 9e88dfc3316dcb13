"""Whole emails through the pipeline: the actions, and the replies."""

import re
from dataclasses import replace

import pytest

from adjudicator.inbound.commands import COMMANDS_WITHOUT_SEAT, SEAT_COMMANDS
from adjudicator.messages import sentence
from adjudicator.model.games import FileOrders, SetReady, SetWait
from adjudicator.model.mail import LetterOutcome
from adjudicator.reports.order_sheet import sheet
from games.protocol import Seat
from orders.commands import PLAYER_COMMANDS
from orders.mail.body import SHEET_TITLE, sheet_of
from tests.adjudicator.inbound.conftest import (
    IROQUOIS,
    MUSKHOGEAN,
    PASSWORD,
    PLAYER,
    MemoryPipeline,
    sealed_password,
)
from tests.kit.mail import letter
from tests.kit.memory_repository import HOUR, NOON, OFFICE, address_for, game_of, token_of, with_changed_seat

SEAT = Seat("Iroquois")
REPORT = "<demo.iroquois.aaaaaaaaaaaaa.0123456789abcdef@example.org>"


# The letter of the design: typed on a phone, above a quoted report.


def quoted(context: MemoryPipeline) -> str:
    """Return one of our reports as a phone quotes it."""
    position = context.repository.positions["demo"]
    lines = sheet(game_of(position), position, SEAT)
    context.repository.sheets[REPORT] = lines
    report = ["Iroquois", "W MHK - DEL  moved.", "", SHEET_TITLE, "", *lines, ""]
    return "\n".join(f"> {line}".rstrip() for line in report)


PHONE = """Mohok - Delaware, Oneida S Mohawk to Delaware

Sent from my iPhone

> On 24 Jul 2026, at 12:00, Turnpost <gm@example.org> wrote:
>
"""


def test_a_letter_from_a_phone_is_understood(context: MemoryPipeline) -> None:
    """Two orders in a line, one of them misspelt; quotation and signature are not read."""
    handled = context.writes(PHONE + quoted(context), headers={"In-Reply-To": REPORT}, subject="Re: Spring")
    assert handled.disposition == "read"
    assert (handled.game, handled.seat, handled.speaker) == ("demo", SEAT, IROQUOIS)
    assert context.filed() == ["W MHK - DEL", "W ONE S W MHK - DEL"]
    (act,) = handled.acts
    assert isinstance(act, FileOrders)
    assert (act.by, act.seat, act.turn) == (SEAT, SEAT, "S1M")


def test_the_answer_says_line_by_line_what_was_understood(context: MemoryPipeline) -> None:
    (answer,) = context.writes(PHONE + quoted(context), headers={"In-Reply-To": REPORT}).answers
    assert (answer.to, answer.automatic) == (IROQUOIS, "auto-replied")
    assert "> Mohok - Delaware" in answer.text
    assert ("✓ " + sentence("reports.transcript.in_force", said="W MHK - DEL")) in answer.text
    assert (
        "Mohok"
        in answer.text.partition(sentence("reports.transcript.in_force", said="W MHK - DEL"))[2].partition(
            "> Oneida"
        )[0]
    )
    assert ("✓ " + sentence("reports.transcript.in_force", said="W ONE S W MHK - DEL")) in answer.text
    words = " ".join(answer.text.split())
    assert sentence("reports.transcript.missing", missing=("W Onondaga", "W Seneca"), then="sheet") in words
    assert re.search(r"Deadline: +Monday 27 July 2026, 12:00 UTC", answer.text)
    assert sheet_of(answer.text) == ("W MHK - DEL", "W ONE S W MHK - DEL", "W ONO H", "W SEN H")
    assert answer.subject == f"Re: orders: 2 accepted [demo S1M Iroquois #{answer.token}]"
    assert answer.token == token_of(context.repository.positions["demo"], SEAT)
    assert answer.html is not None
    assert "W ONE S W MHK - DEL" in answer.html


def test_a_line_of_the_quoted_sheet_may_be_changed(context: MemoryPipeline) -> None:
    """The one line that differs is an order; the others are what they were."""
    text = "See below\n\nOn 24 Jul 2026, at 12:00, Turnpost wrote:\n\n" + quoted(context)
    context.writes(text.replace("> W SEN H", "> W SEN - HUR"), headers={"In-Reply-To": REPORT})
    assert context.filed() == ["W SEN - HUR"]


# Orders.


def test_what_came_with_a_letter_and_was_not_opened_is_told(context: MemoryPipeline) -> None:
    raw = letter(
        "eJ8+IhcRAQaQCAAE", sender=IROQUOIS, to=address_for(context.repository.positions["demo"], SEAT)
    )
    packed = raw.replace(b'text/plain; charset="utf-8"', b'application/ms-tnef; name="winmail.dat"')
    assert packed != raw
    handled = context.takes(packed.replace(b"Subject: orders", b"Subject: Re: spring"))
    (answer,) = handled.answers
    assert handled.disposition == "read"
    assert "winmail.dat, which we can't open" in " ".join(answer.text.split())
    assert "nothing in it that reads" not in answer.text


def test_a_second_letter_adds_to_the_first(context: MemoryPipeline) -> None:
    context.writes("W MHK - DEL\nW ONE H")
    context.writes("W ONE S W MHK - DEL\nW ONO H")
    assert context.filed() == ["W MHK - DEL", "W ONE S W MHK - DEL", "W ONO H"]


def test_what_is_kept_from_before_is_listed_as_such(context: MemoryPipeline) -> None:
    context.writes("W MHK - DEL")
    (answer,) = context.writes("W ONE H").answers
    assert f"– W Mohawk: W MHK - DEL  ({sentence('reports.transcript.saved_before')})" in answer.text
    assert "✓ W Oneida: W ONE H" in answer.text


def test_a_repetition_files_nothing(context: MemoryPipeline) -> None:
    context.writes("W MHK - DEL")
    handled = context.writes("W MHK - DEL")
    assert handled.acts == ()
    assert sentence("reports.transcript.idle", said="W MHK - DEL") in handled.answers[0].text


def test_a_line_that_is_not_possible_leaves_the_others(context: MemoryPipeline) -> None:
    handled = context.writes("W MHK - HUR\nW ONE H")
    assert context.filed() == ["W ONE H", "# not taken: W MHK - HUR"]
    (answer,) = handled.answers
    assert "> W MHK - HUR\n✗ Not possible: " in answer.text
    why = "Mohawk doesn't border Huron; possible: Delaware, Pequot, Oneida or Abnaki."
    assert sentence("reports.transcript.not_possible", why=why) in " ".join(answer.text.split())
    assert "orders: 1 to fix, 1 accepted" in handled.answers[0].subject


def test_an_order_to_another_nations_unit_is_not_filed(context: MemoryPipeline) -> None:
    context.writes("W CHO H")
    assert context.filed() == ["# not taken: W CHO H"]


def test_nothing_in_a_letter_is_told_as_such(context: MemoryPipeline) -> None:
    handled = context.writes("\n", subject="Greetings")
    assert handled.acts == ()
    assert sentence("reports.transcript.nothing_found") in " ".join(handled.answers[0].text.split())


def test_a_late_letter_is_read_and_not_filed(context: MemoryPipeline) -> None:
    handled = context.writes("W MHK - DEL", received=NOON + 85 * HOUR)
    assert handled.acts == ()
    assert ("✗ " + sentence("reports.transcript.late", said="W MHK - DEL")) in handled.answers[0].text


def test_a_letter_in_the_grace_counts_and_is_told_so(context: MemoryPipeline) -> None:
    handled = context.writes("W MHK - DEL", received=NOON + 80 * HOUR)
    assert context.filed() == ["W MHK - DEL"]
    assert sentence("inbound.filing.counted_late") in " ".join(handled.answers[0].text.split())


def test_an_answer_to_an_old_letter_is_shown_and_not_filed(context: MemoryPipeline) -> None:
    """With the present token, so that sending it again is enough."""
    context.repository.past["demo"] = ("W0A",)
    handled = context.writes("W MHK - DEL\nREADY\nSTATUS", turn="W0A")
    assert [type(act).__name__ for act in handled.acts] == ["FileOrders"]
    assert context.filed() == ["# not taken: W MHK - DEL"]
    (answer,) = handled.answers
    assert ("✗ " + sentence("reports.transcript.late", said="W MHK - DEL")) in answer.text
    assert sentence("inbound.ordering.turn_over") in " ".join(answer.text.split())
    assert "REPLY TO STATUS" in answer.text
    assert answer.token == token_of(context.repository.positions["demo"], SEAT)


def test_a_game_that_is_over_answers_and_changes_nothing(context: MemoryPipeline) -> None:
    context.repository.positions["demo"] = replace(
        context.repository.positions["demo"], status="finished", deadline=None
    )
    handled = context.writes("W MHK - DEL\nREADY\nWAIT\nCLEAR")
    assert handled.acts == ()
    assert "The game is over" in handled.answers[0].text


def test_a_held_up_queue_is_told(context: MemoryPipeline) -> None:
    """Orders that became impossible are named with the reason until the player changes them."""
    solo = context.repository.positions["solo"]
    notation = game_of(solo).notation
    gone, mine = solo.state.bag[0], solo.state.hands[Seat("player")][0]
    queue = tuple(notation.build(solo.state, "drop", {"pebble": pebble}) for pebble in (gone, mine))
    context.repository.positions["solo"] = replace(solo, filed={Seat("player"): queue})
    to = address_for(solo, "player")
    (answer,) = context.takes(letter("STATUS", sender=PLAYER, to=to)).answers
    words = " ".join(answer.text.split())
    waiting = {"queued": True, "stopped": False, "untaken": False, "order": f"drop {gone}"}
    problem = f"you do not hold the {gone}"
    assert sentence("reports.report.waiting_order", problem=problem, **waiting) in words
    assert "write: draw" in words
    assert sentence("reports.transcript.missing", missing=("1 order for moves",), then="sheet") in words
    context.takes(letter(f"drop {mine}", sender=PLAYER, to=to, number=2))
    assert context.filed("player", "solo") == [f"drop {mine}"]


# Commands.


def test_every_command_that_can_be_read_can_be_carried_out() -> None:
    assert {*COMMANDS_WITHOUT_SEAT, *SEAT_COMMANDS} == {verb.name for verb in PLAYER_COMMANDS}


@pytest.mark.parametrize(
    ("text", "act", "flag"),
    [
        ("WAIT", SetWait, True),
        ("NOWAIT", SetWait, False),
        ("READY", SetReady, True),
        ("NOREADY", SetReady, False),
    ],
)
def test_what_is_said_of_a_turn_is_done_for_it(
    context: MemoryPipeline, text: str, act: type, flag: bool
) -> None:
    handled = context.writes(text)
    (done,) = handled.acts
    assert type(done) is act
    assert (done.seat, done.turn) == (SEAT, "S1M")
    assert (done.wait if isinstance(done, SetWait) else done.ready) is flag
    assert len(handled.answers) == 1


def said(handled: LetterOutcome) -> str:
    """The text of the only reply, in one row."""
    return " ".join(handled.answers[0].text.split())


def test_the_answer_to_wait_says_so(context: MemoryPipeline) -> None:
    assert sentence("reports.transcript.wait", alone=False) in said(context.writes("WAIT"))
    assert sentence("reports.transcript.wait", alone=False) in said(context.writes("STATUS"))
    assert sentence("reports.transcript.wait", alone=False) not in said(context.writes("NOWAIT"))


def test_clear_withdraws_all_and_what_follows_is_filed(context: MemoryPipeline) -> None:
    context.writes("W MHK - DEL\nW ONE H")
    context.writes("CLEAR\nW SEN - HUR")
    assert context.filed() == ["W SEN - HUR"]
    context.writes("CLEAR")
    assert context.filed() == []


def test_status_names_who_is_awaited(context: MemoryPipeline) -> None:
    context.writes("W MHK H\nW ONE H\nW ONO H\nW SEN H")
    text = context.writes("STATUS").answers[0].text
    assert re.search(r"Iroquois +orders in", text)
    assert re.search(("Muskhogean +" + sentence("inbound.queries.orders_awaited")), text)
    assert re.search(("Dakota +" + sentence("inbound.queries.by_a_bot")), text)


def test_help_is_answered_on_its_topic(context: MemoryPipeline) -> None:
    general = context.writes("HELP").answers[0].text
    about_orders = context.writes("HELP orders").answers[0].text
    assert "REPLY TO HELP" in general
    assert general != about_orders


def test_orders_says_where_to_look(context: MemoryPipeline) -> None:
    assert sentence("inbound.queries.all_listed_below") in context.writes("ORDERS").answers[0].text
    context.repository.positions["demo"] = replace(
        context.repository.positions["demo"], status="finished", deadline=None
    )
    answer = context.writes("ORDERS").answers[0].text
    assert sentence("inbound.queries.none_when_over") in answer
    assert sentence("inbound.queries.all_listed_below") not in answer


# SIGNON.


def test_a_password_speaks_without_a_token(context: MemoryPipeline) -> None:
    """From any address; the reply goes to the sender."""
    text = f"SIGNON demo Iroquois {PASSWORD}\nW MHK - DEL"
    handled = context.takes(letter(text, sender="cafe@example.com"))
    assert context.filed() == ["W MHK - DEL"]
    (answer,) = handled.answers
    assert answer.to == "cafe@example.com"
    assert sentence("inbound.seats.speaks_for", seat="Iroquois", game="demo") in answer.text


def test_no_answer_shows_a_password(context: MemoryPipeline) -> None:
    for text in (
        f"SIGNON demo Iroquois {PASSWORD}\nW MHK - DEL",
        f"SIGNNO demo Iroquois {PASSWORD}\nW MHK - DEL",
        f"SIGNON demo Muskhogean {PASSWORD}",
    ):
        for handled in (context.takes(letter(text, number=len(text))), context.writes(text)):
            assert PASSWORD not in (handled.why or "")
            for answer in handled.answers:
                assert PASSWORD not in answer.text + answer.subject + (answer.html or "")


def test_signon_in_an_answer_needs_no_password(context: MemoryPipeline) -> None:
    """The token has shown already whose letter it is; and there is one answer."""
    handled = context.writes("W ONE H\nSIGNON demo Iroquois\nW MHK - DEL")
    assert sorted(context.filed()) == ["W MHK - DEL", "W ONE H"]
    assert len(handled.answers) == 1
    assert len(handled.acts) == 1


def test_one_letter_may_speak_for_two_seats(context: MemoryPipeline) -> None:
    """Each has its own answer."""
    position = context.repository.positions["demo"]
    context.repository.positions["demo"] = with_changed_seat(
        position, "Muskhogean", password=sealed_password()
    )
    text = f"W MHK - DEL\nSIGNON demo Muskhogean {PASSWORD}\nW CHO H"
    handled = context.writes(text)
    assert context.filed() == ["W MHK - DEL"]
    assert context.filed("Muskhogean") == ["W CHO H"]
    assert [(answer.seat, answer.to) for answer in handled.answers] == [
        ("Iroquois", IROQUOIS),
        ("Muskhogean", IROQUOIS),
    ]
    assert len({answer.key for answer in handled.answers}) == 2


def test_a_refused_seat_leaves_the_rest_of_the_letter(context: MemoryPipeline) -> None:
    """The GM sees the rejected part."""
    handled = context.writes("W MHK - DEL\nSIGNON demo Muskhogean guess\nW CHO H")
    assert context.filed() == ["W MHK - DEL"]
    assert context.filed("Muskhogean") == []
    assert handled.why is not None
    assert sentence("inbound.sender.refused") in handled.why


def test_an_answer_goes_to_the_seat_and_not_to_whoever_has_its_token(context: MemoryPipeline) -> None:
    """A forwarded report shows the token to others."""
    to = address_for(context.repository.positions["demo"], SEAT)
    (answer,) = context.takes(letter("W MHK - DEL", sender="somebody@example.com", to=to)).answers
    assert answer.to == IROQUOIS


# Strangers.


def test_a_stranger_is_told_what_there_is_and_nothing_is_done(context: MemoryPipeline) -> None:
    """Twice a day; and of nothing nothing comes."""
    counts = []
    for text in ("", "W MHK - DEL", "STATUS", "Dear gamesmaster, may I play?", "CLEAR"):
        handled = context.takes(letter(text, sender="stranger@example.com"))
        assert (handled.disposition, handled.acts) == ("quarantined", ())
        counts.append(len(handled.answers))
    assert counts == [0, 1, 1, 0, 0]
    assert context.filed() == []


def test_a_players_own_address_proves_nothing(context: MemoryPipeline) -> None:
    handled = context.takes(letter("W MHK - DEL", sender=IROQUOIS))
    assert (handled.disposition, handled.acts) == ("quarantined", ())


def test_a_stranger_may_ask_for_help_once_a_day(context: MemoryPipeline) -> None:
    """A second answer of the day is not written, and the letter is booked so."""
    first, second = (context.takes(letter("HELP", sender="stranger@example.com")) for _ in range(2))
    context.now += 24 * HOUR
    third = context.takes(letter("HELP signon", sender="stranger@example.com"))
    other = context.takes(letter("HELP", sender="another@example.com"))
    assert (second.disposition, second.answers) == ("read", ())
    assert str(second.why).startswith(sentence("inbound.unknown_senders.not_answered", count=1))
    assert len({handled.answers[0].key for handled in (first, third, other)}) == 3
    assert first.answers[0].to == "stranger@example.com"
    assert first.answers[0].game is None
    assert SHEET_TITLE not in first.answers[0].text


def test_a_refused_signon_is_answered_once_a_day_and_tells_nothing(context: MemoryPipeline) -> None:
    """The same words, whether the game, the seat or the password is wrong."""
    texts = (
        "SIGNON demo Iroquois guess",
        "SIGNON demo Nobody guess",
        "SIGNON nowhere Iroquois guess",
        "SIGNON demo Dakota guess",
    )
    answers = [context.takes(letter(text, sender="stranger@example.com")).answers[0] for text in texts]
    assert len({answer.text for answer in answers}) == 1
    assert len({answer.key for answer in answers}) == 1
    assert "password" in answers[0].text


def test_guessing_is_slow(context: MemoryPipeline) -> None:
    """Beyond the hour's limit not even the right password is looked at."""
    for number in range(OFFICE.answers_an_hour + 1):
        context.takes(letter(f"SIGNON demo Iroquois guess{number}", sender="stranger@example.com"))
    text = f"SIGNON demo Iroquois {PASSWORD}\nW MHK - DEL"
    assert context.takes(letter(text, sender="stranger@example.com")).acts == ()
    context.now += 2 * HOUR
    context.takes(letter(text, sender="stranger@example.com"))
    assert context.filed() == ["W MHK - DEL"]


def test_a_letter_with_a_weak_sign_is_read_if_it_speaks_for_a_seat(context: MemoryPipeline) -> None:
    weak = {"Precedence": "bulk"}
    handled = context.writes("W MHK - DEL", headers=weak)
    assert handled.why == sentence("inbound.pipeline.perhaps_a_robot")
    assert context.filed() == ["W MHK - DEL"]
    assert len(handled.answers) == 1
    stranger = context.takes(letter("HELP", sender="stranger@example.com", headers=weak))
    assert (stranger.disposition, stranger.answers) == ("quarantined", ())


def test_a_robots_letter_is_not_read_even_with_a_token(context: MemoryPipeline) -> None:
    handled = context.writes("W MHK - DEL", headers={"Auto-Submitted": "auto-replied"})
    assert (handled.disposition, handled.answers, handled.acts) == ("ignored", (), ())
    assert context.filed() == []


# Floods.


def test_twenty_answers_an_hour_then_one_notice_then_silence(context: MemoryPipeline) -> None:
    """Emails are still read, and orders saved."""
    limit = OFFICE.answers_an_hour
    answers = []
    for number in range(limit + 5):
        text = "W MHK - DEL" if number % 2 else "W MHK H"
        (answer,) = context.writes(text).answers
        answers.append(answer)
        assert context.filed() == [text]
    assert all("/verdict" in answer.key for answer in answers[:limit])
    notices = answers[limit:]
    assert {answer.key for answer in notices} == {f"limit/{IROQUOIS}/{NOON // HOUR}"}
    assert sentence("inbound.pipeline.enough_for_an_hour", most=limit) in " ".join(notices[0].text.split())


def test_a_flood_has_one_notice_an_hour_wherever_the_hour_begins(context: MemoryPipeline) -> None:
    """When the hour is over, answers come again, and nobody else has gone without them."""
    context.now = NOON + HOUR - 60_000
    for _ in range(OFFICE.answers_an_hour + 1):
        (last,) = context.writes("STATUS").answers
    assert last.key.startswith("limit/")
    (other,) = context.writes("STATUS", seat="Muskhogean").answers
    assert (other.to, "/verdict" in other.key) == (MUSKHOGEAN, True)
    context.now += 120_000
    (again,) = context.writes("STATUS").answers
    assert "/verdict" in again.key


# Hostile letters.


@pytest.mark.parametrize(
    "raw", [b"", b"\x00" * 50, b"From: \xff\xfe\r\n\r\n\xff", b"Subject: =?x?q?=\r\n\r\n" * 9]
)
def test_no_letter_breaks_the_desk(context: MemoryPipeline, raw: bytes) -> None:
    handled = context.takes(raw)
    assert handled.acts == ()
    assert handled.answers == ()
