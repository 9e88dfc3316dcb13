"""Time in a game by email: reminders, missing orders, absences, outages, and the notices about them."""

from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from adjudicator.admin import deadlines, game_admin, seats
from adjudicator.clock import datetime_of
from adjudicator.daemon.daemon import JobLoop
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.outbound import composer
from adjudicator.outbound.reminders import turn_of
from adjudicator.storage import metadata, outbox, stored_games
from adjudicator.turns.deadlines import calendar_of
from tests.kit.cached_services import cached_beginning
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

DAY = 24 * HOUR
IROQUOIS, DAKOTA, WAITING = "iroquois@example.org", "dakota@example.org", "waiting@example.org"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A service whose letters come without maps, which would take more time than all else."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with local_service(tmp_path) as opened:
        yield opened


def begin(place: LocalService, **terms: str) -> GamePosition:
    """A game of two people among bots, with such terms; their welcomes have come."""
    _begin(place, **terms)
    return beaver(place)


@cached_beginning
def _begin(place: LocalService, **terms: str) -> None:
    usual = {"moves": "72h", "grace": "0h", "reminder": "0h"}
    seats = {"iroquois": IROQUOIS, "dakota": DAKOTA}
    asked = game_admin.GameRequest("indianomacy", "beaver", terms={**usual, **terms}, seats=seats)
    game_admin.new_game(place.service, asked)
    place.work()


def beaver(place: LocalService) -> GamePosition:
    return game_admin.position_of(place.service, "beaver")


def write(place: LocalService, address: str, text: str = "all hold") -> None:
    """Answer one's last letter from us."""
    letter = next(one for one in reversed(place.mail(address)) if one["Reply-To"])
    place.answer(address, letter, text)
    place.work()


def last(place: LocalService, address: str) -> str:
    """Somebody's last letter, subject and text, in words."""
    letter = place.mail(address)[-1]
    return f"{letter['Subject']} " + " ".join(text_of(letter).split())


def read_gm_email(place: LocalService) -> str:
    """The last letter to the gamesmaster himself, in words."""
    posted = outbox.list_posted(place.service.database, limit=99)
    raw = next(one.sealed.raw for one in posted if one.sealed.to == "gm@example.org")
    letter = message_from_bytes(raw, policy=policy.default)
    return f"{letter['Subject']} " + " ".join(text_of(letter).split())


def until(place: LocalService, at: int | None, more: int = 1) -> None:
    """Time passes until an instant, and a little more; then everything is done that is to be done."""
    assert at is not None
    place.clock.set(at + more)
    place.work()


def minutes(place: LocalService) -> list[tuple[str, str]]:
    return [(one.by, one.what) for one in stored_games.minutes(place.service.database, "beaver")]


def test_who_owes_is_reminded_once_and_nobody_else(place: LocalService) -> None:
    position = begin(place, reminder="24h")
    write(place, DAKOTA)
    count = len(place.mail(DAKOTA))
    until(place, position.deadline, -DAY)
    assert "Missing: W Mohawk, W Oneida, W Onondaga, W Seneca" in last(place, IROQUOIS)
    written = len(place.mail(IROQUOIS))
    until(place, position.deadline, -HOUR)
    assert len(place.mail(IROQUOIS)) == written
    assert len(place.mail(DAKOTA)) == count
    write(place, IROQUOIS)
    assert beaver(place).played >= 1


def test_a_reminder_comes_again_in_the_next_turn(place: LocalService) -> None:
    begin(place, reminder="24h")
    for _ in range(2):
        position = beaver(place)
        until(place, position.deadline, -HOUR)
        turn = turn_of(position).name
        assert sentence("reports.messages.orders_due", turn=turn, time="1 hour") in last(place, IROQUOIS)
        until(place, position.deadline)
        assert beaver(place).played > position.played


def test_the_deadline_is_put_off_for_the_silent_once(place: LocalService) -> None:
    position = begin(place, nmr="extend", extension="36h")
    write(place, DAKOTA)
    until(place, position.deadline)
    put_off = beaver(place)
    assert put_off.played == 0
    assert put_off.deadline == place.clock.now() + 36 * HOUR
    assert sentence("reports.times.put_off_subject", turn="") in last(place, IROQUOIS)
    told = sentence("reports.times.put_off", silent="Iroquois", turn="", deadline="").partition(":")[0]
    assert told in last(place, IROQUOIS)
    assert sentence("reports.times.yours_missing") in last(place, IROQUOIS)
    assert sentence("reports.times.yours_on_file") in last(place, DAKOTA)
    until(place, put_off.deadline)
    assert beaver(place).played == 1
    assert beaver(place).assignments["Iroquois"].missed == 1
    assert ("clock", f"S1M: {sentence('outbound.clock_actions.put_off', silent='Iroquois')}") in minutes(
        place
    )


def test_the_gamesmaster_is_asked_about_the_silent(place: LocalService) -> None:
    position = begin(place, nmr="gm")
    write(place, DAKOTA)
    until(place, position.deadline)
    assert beaver(place).deadline is None
    assert sentence(
        "outbound.clock_actions.waits_for_you_subject", game="beaver", silent="Iroquois"
    ) in read_gm_email(place)
    assert "gm turn extend beaver 24h" in read_gm_email(place)
    waiting = sentence("reports.times.waiting", silent="Iroquois", turn=turn_of(beaver(place)).name)
    assert waiting in last(place, DAKOTA)
    assert sentence("reports.times.waiting_for_yours") in last(place, IROQUOIS)
    count = len(outbox.list_posted(place.service.database, limit=99))
    until(place, place.clock.now(), 3 * DAY)
    assert (beaver(place).played, len(outbox.list_posted(place.service.database, limit=99))) == (0, count)
    deadlines.extend(place.service, "beaver", DAY, "give them a day")
    place.work()
    assert sentence("reports.times.gamesmaster_says", why="give them a day") in last(place, IROQUOIS)
    assert beaver(place).deadline == place.clock.now() + DAY
    write(place, IROQUOIS)
    assert beaver(place).played >= 1


def test_nobody_is_passed_over_in_the_first_turn(place: LocalService) -> None:
    begin(place, protect="yes")
    until(place, beaver(place).deadline)
    assert (beaver(place).played, beaver(place).timing.extended) == (0, True)
    until(place, beaver(place).deadline)
    assert "waits for you: no orders from Dakota and Iroquois" in read_gm_email(place)
    played = len(game_admin.play_now(place.service, "beaver").steps)
    until(place, beaver(place).deadline)
    assert beaver(place).played > played


def test_whoever_is_silent_too_often_makes_room(place: LocalService) -> None:
    """The seat goes to its bot, and the waiting list gets an offer of it; a player who wrote in between keeps
    the seat.
    """
    begin(place, dropout="2")
    place.write(WAITING, "gm@example.org", "JOIN beaver")
    place.work()
    write(place, WAITING, "yes")
    write(place, DAKOTA)
    until(place, beaver(place).deadline)
    assert beaver(place).assignments["Iroquois"].is_person
    until(place, beaver(place).deadline)
    position = beaver(place)
    assert not position.assignments["Iroquois"].is_person
    assert position.assignments["Dakota"].is_person
    assert sentence("reports.times.left_you", count=2) in last(place, IROQUOIS)
    left, alone = (" ".join(text_of(one).split()) for one in place.mail(DAKOTA)[-2:])
    assert sentence("reports.times.left", seat="Iroquois", count=2) in left
    assert sentence("reports.times.unwound", owes=False) in alone
    assert "Iroquois is free" in last(place, WAITING)
    write(place, WAITING, "JOIN beaver Iroquois")
    taken = beaver(place)
    assert taken.assignments["Iroquois"].address == WAITING
    until(place, taken.deadline)
    assert beaver(place).assignments["Iroquois"].is_person


def test_a_bot_orders_while_somebody_is_away(place: LocalService) -> None:
    begin(place, away="bot")
    write(place, IROQUOIS, "ABSENCE 5 January to 12 January")
    away = sentence("outbound.notifications.away", seat="Iroquois", first="Monday 5 January", last="")
    assert away.removesuffix(" to .") in last(place, DAKOTA)
    write(place, DAKOTA)
    position = beaver(place)
    assert position.played == 1
    assert position.assignments["Iroquois"].missed == 0
    assert sentence("reports.posts.silent", seats=[""])[:-2] not in last(place, DAKOTA)
    assert game_admin.prove(place.service, "beaver").fault is None


def test_a_bot_orders_for_the_silent(place: LocalService) -> None:
    """Its orders are in the log like any bot's, so that the log proves itself; it is silence all the same."""
    begin(place, nmr="bot")
    write(place, DAKOTA)
    until(place, beaver(place).deadline)
    assert beaver(place).assignments["Iroquois"].missed == 1
    assert beaver(place).assignments["Iroquois"].is_person
    proof = game_admin.prove(place.service, "beaver")
    assert (proof.fault, proof.agreed) == (None, beaver(place).entries)


def test_a_substitute_plays_while_somebody_is_away(place: LocalService) -> None:
    """The first on the waiting list, with their own tokens; then the player gets the seat and its password
    back.
    """
    begin(place, away="substitute")
    place.write(WAITING, "gm@example.org", "JOIN beaver")
    place.work()
    write(place, WAITING, "yes")
    write(place, IROQUOIS, "ABSENCE 5 January to 12 January")
    lent = beaver(place).assignments["Iroquois"]
    assert lent.address == WAITING
    greeting = sentence("outbound.welcome.greeting", title="Indianomacy II", seat="the Iroquois")
    assert greeting in last(place, WAITING)
    assert "beaver: Indianomacy II" in last(place, WAITING)
    assert sentence("reports.seats.lent_out_subject", seat="Iroquois", game="beaver") in last(place, IROQUOIS)
    assert sentence("reports.times.lent", seat="Iroquois", last="").removesuffix(" .") in last(place, DAKOTA)
    write(place, WAITING, "all hold")
    write(place, DAKOTA)
    assert beaver(place).played == 1
    until(place, place.clock.now(), 8 * DAY)
    back = beaver(place).assignments["Iroquois"]
    assert (back.address, beaver(place).timing.loans) == (IROQUOIS, {})
    given_back = sentence("reports.times.given_back_you", seat="Iroquois")
    assert any(given_back in " ".join(text_of(one).split()) for one in place.mail(IROQUOIS))
    no_longer = sentence("reports.seats.no_longer", seat="Iroquois", game="beaver")
    assert no_longer in last(place, WAITING)
    assert [one.what for one in stored_games.minutes(place.service.database, "beaver") if one.by == "clock"][
        -2:
    ] == [
        f"S1M: {sentence('outbound.clock_actions.to_a_substitute', seat='Iroquois')}",
        f"{minutes(place)[-1][1].partition(':')[0]}: "
        f"{sentence('outbound.clock_actions.from_substitute', seat='Iroquois')}",
    ]


def test_a_seat_that_was_given_away_meanwhile_does_not_come_back(place: LocalService) -> None:
    begin(place, away="substitute")
    place.write(WAITING, "gm@example.org", "JOIN beaver")
    place.work()
    write(place, WAITING, "yes")
    write(place, IROQUOIS, "ABSENCE 5 January to 12 January")
    seats.replace_player(place.service, "beaver", "iroquois", "else@example.org", "x")
    until(place, place.clock.now(), 8 * DAY)
    position = beaver(place)
    assert (position.assignments["Iroquois"].address, position.timing.loans) == ("else@example.org", {})


def test_whoever_takes_a_seat_over_is_there(place: LocalService) -> None:
    """The absence was another's."""
    begin(place, away="bot")
    write(place, IROQUOIS, "ABSENCE 5 January to 12 January")
    assert [one.seat for one in beaver(place).absences] == ["Iroquois"]
    seats.replace_player(place.service, "beaver", "iroquois", "else@example.org", "x")
    assert beaver(place).absences == ()
    place.work()
    write(place, "else@example.org", "ABSENCE 5 January to 12 January")
    seats.replace_player(place.service, "beaver", "iroquois", IROQUOIS, "x")
    assert beaver(place).absences == ()


def test_a_deadline_waits_for_somebody_who_is_away(place: LocalService) -> None:
    position = begin(place)
    assert position.deadline is not None
    write(place, IROQUOIS, "ABSENCE 7 January to 12 January")
    after = beaver(place)
    assert after.deadline is not None
    assert after.deadline > position.deadline
    told = sentence("reports.times.heeded", gone="Iroquois", turn="", deadline="").partition(":")[0]
    assert told in last(place, DAKOTA)
    until(place, position.deadline)
    assert beaver(place).played == 0
    until(place, after.deadline)
    assert beaver(place).played == 1


def test_no_deadline_falls_on_a_day_off_whatever_moves_it(place: LocalService) -> None:
    """Turn after turn, by extensions and by the gamesmaster's own."""
    begin(place, days_off="sat,sun", hours="20:00", zone="Europe/Amsterdam", nmr="extend", moves="48h")
    for turn in range(6):
        position = beaver(place)
        calendar = calendar_of(position.deadlines)
        assert position.deadline is not None
        assert calendar.next_allowed(position.deadline) == position.deadline
        if turn % 2:
            deadlines.extend(place.service, "beaver", 30 * HOUR, "more")
        until(place, beaver(place).deadline)
    assert beaver(place).played >= 2


def test_time_in_which_the_service_was_down_is_given_again(place: LocalService) -> None:
    """Found out before a turn is played, and told."""
    position = begin(place)
    rounds = JobLoop(place.service)
    go_round(rounds)
    assert position.deadline is not None
    place.clock.set(position.deadline - 2 * HOUR)
    metadata.note_alive(place.service.database, place.clock.now())
    place.clock.advance(9 * HOUR)
    go_round(rounds)
    after = beaver(place)
    assert after.played == 0
    assert after.deadline == place.clock.now() + 9 * HOUR
    assert "We were out of service from Thursday 8 January 2026, 17:00 CET" in last(place, IROQUOIS)
    assert ("clock", f"S1M: {sentence('outbound.clock_actions.service_was_down')}") in minutes(place)
    go_round(rounds)
    assert beaver(place).deadline == after.deadline
    place.clock.set(after.deadline + 1)
    place.work()
    assert beaver(place).played == 1


def go_round(rounds: JobLoop) -> None:
    """Do the service's periodic work."""
    for tick in rounds.ticks:
        tick()


def test_a_short_outage_and_a_far_deadline_change_nothing(place: LocalService) -> None:
    position = begin(place)
    place.service.resume_after_downtime()
    place.clock.advance(50 * 60_000)
    place.service.resume_after_downtime()
    assert metadata.last_alive(place.service.database) == place.clock.now()
    place.clock.advance(20 * HOUR)
    place.service.resume_after_downtime()
    assert beaver(place).deadline == position.deadline


def test_between_two_rounds_nobody_is_missed(place: LocalService) -> None:
    position = begin(place)
    by_timetable = replace(place.service, settings=replace(place.service.settings, rounds=6 * HOUR))
    by_timetable.resume_after_downtime()
    place.clock.advance(6 * HOUR + 50 * 60_000)
    by_timetable.resume_after_downtime()
    assert beaver(place).deadline == position.deadline
    place.clock.advance(66 * HOUR)
    by_timetable.resume_after_downtime()
    assert beaver(place).deadline == place.clock.now() + 66 * HOUR


def test_no_more_time_is_given_than_a_turn_has(place: LocalService) -> None:
    begin(place)
    place.service.resume_after_downtime()
    place.clock.advance(60 * DAY)
    place.service.resume_after_downtime()
    assert beaver(place).deadline == place.clock.now() + 72 * HOUR


def test_a_paused_game_sleeps_through_an_outage(place: LocalService) -> None:
    begin(place)
    place.service.resume_after_downtime()
    deadlines.pause(place.service, "beaver", "holidays")
    place.clock.advance(60 * DAY)
    place.service.resume_after_downtime()
    assert beaver(place).deadline is None
    resumed = deadlines.resume(place.service, "beaver", "")
    assert resumed.deadline == place.clock.now() + 72 * HOUR


@pytest.mark.parametrize("left", [1, DAY, 72 * HOUR])
def test_a_game_goes_on_with_what_was_left_or_a_day(place: LocalService, left: int) -> None:
    position = begin(place)
    assert position.deadline is not None
    place.clock.set(max(position.deadline - left, place.clock.now()))
    deadlines.pause(place.service, "beaver", "x")
    place.clock.advance(5 * DAY)
    resumed = deadlines.resume(place.service, "beaver", "")
    assert resumed.deadline == place.clock.now() + max(left, DAY)


def test_letters_that_come_while_a_turn_waits_are_not_late(place: LocalService) -> None:
    position = begin(place, nmr="gm")
    until(place, position.deadline)
    until(place, place.clock.now(), 5 * DAY)
    write(place, IROQUOIS, "Mohawk - Delaware")
    assert "too late" not in last(place, IROQUOIS).lower()
    for slug in ("counted_late", "late_so_far", "too_late"):
        assert sentence(f"inbound.filing.{slug}") not in last(place, IROQUOIS)
    assert sentence("reports.times.standing_nmr", why="no orders from Dakota and Iroquois") in last(
        place, IROQUOIS
    )
    assert "The turn runs" not in last(place, IROQUOIS)
    assert len(beaver(place).filed["Iroquois"]) == 1


def test_a_game_is_offered_with_terms_of_its_own(place: LocalService) -> None:
    made = game_admin.offer(
        place.service,
        game_admin.GameRequest("indianomacy", "otter", terms={"moves": "24h", "hours": "20:00"}),
        players=1,
    )
    assert made.needed == 1
    place.write(IROQUOIS, "gm@example.org", "JOIN otter")
    place.work()
    write(place, IROQUOIS, "yes")
    otter = game_admin.position_of(place.service, "otter")
    assert otter.deadlines.length("moves") == DAY
    assert otter.deadlines.hours == ("20:00",)
    assert [assignment.address for assignment in otter.assignments.values() if assignment.is_person] == [
        IROQUOIS
    ]


def test_everything_done_to_a_game_is_noted(place: LocalService) -> None:
    """Who did it, what, and why."""
    begin(place)
    done: list[Any] = [
        deadlines.set_terms(place.service, "beaver", {"moves": "24h"}, "agreed"),
        deadlines.hold(place.service, "beaver", "a map is wrong"),
        deadlines.resume(place.service, "beaver", "mended"),
    ]
    assert len(done) == 3
    noted = stored_games.minutes(place.service.database, "beaver")[-3:]
    assert [(one.by, one.what, one.why, one.at) for one in noted] == [
        ("gm", "terms: moves=24h", "agreed", place.clock.now()),
        ("gm", "S1M: on hold", "a map is wrong", place.clock.now()),
        ("gm", "S1M: resumed", "mended", place.clock.now()),
    ]


def test_status_says_why_there_is_no_deadline(place: LocalService) -> None:
    begin(place, nmr="gm")
    deadlines.pause(place.service, "beaver", "holidays")
    place.work()
    write(place, DAKOTA, "STATUS")
    assert sentence("reports.times.standing", paused=True, why="holidays") in last(place, DAKOTA)
    deadlines.resume(place.service, "beaver", "")
    until(place, beaver(place).deadline)
    write(place, DAKOTA, "STATUS")
    assert sentence("reports.times.standing_nmr", why="no orders from Dakota and Iroquois") in last(
        place, DAKOTA
    )


# The calendar.


def noted(place: LocalService, address: str) -> list[dict[str, str]]:
    """Return a person's calendar entries, oldest first, line by line."""
    found = []
    for letter in place.mail(address):
        for part in letter.iter_attachments():
            if part.get_content_type() == "text/calendar":
                rows = part.get_payload(decode=True).decode().replace("\r\n ", "").split("\r\n")
                found.append(dict(row.split(":", 1) for row in rows if ":" in row))
    return found


def test_a_seat_s_calendar_is_kept_current_until_the_game_ends(place: LocalService) -> None:
    """One entry for each seat: put off, taken away while the clock stands still, set again, cancelled."""
    begin(place)
    for done in (
        lambda: deadlines.extend(place.service, "beaver", 6 * HOUR, ""),
        lambda: deadlines.extend(place.service, "beaver", 6 * HOUR, ""),
        lambda: deadlines.pause(place.service, "beaver", ""),
        lambda: deadlines.resume(place.service, "beaver", ""),
    ):
        place.clock.advance(2000)
        done()
    place.work()
    place.clock.advance(2000)
    write(place, IROQUOIS)
    write(place, DAKOTA)
    place.clock.advance(2000)
    due = beaver(place).deadline
    game_admin.end(place.service, "beaver", ("iroquois",), "by agreement")
    place.work()
    entries = noted(place, IROQUOIS)
    assert [one["METHOD"] for one in entries] == [*["PUBLISH"] * 3, "CANCEL", *["PUBLISH"] * 2, "CANCEL"]
    assert {one["UID"] for one in entries} == {"beaver.iroquois.deadline@example.org"}
    counted = [int(one["SEQUENCE"]) for one in entries]
    assert counted == sorted(set(counted)), "each newer than the one before, within a minute too"
    assert due is not None
    assert entries[5]["DTSTART"] == f"{datetime_of(due):%Y%m%dT%H%M%SZ}"
    assert entries[-1]["STATUS"] == "CANCELLED"
    assert {one["UID"] for one in noted(place, DAKOTA)} == {"beaver.dakota.deadline@example.org"}


def test_a_digest_has_the_deadlines_of_all_games(place: LocalService) -> None:
    begin(place)
    game_admin.new_game(
        place.service, game_admin.GameRequest("indianomacy", "otter", terms={"solo": "clock"})
    )
    game_admin.assign(place.service, "otter", "shoshoni", IROQUOIS)
    place.work()
    write(place, IROQUOIS, "LETTERS DIGEST DAILY")
    place.clock.advance(DAY)
    place.work()
    letter = place.mail(IROQUOIS)[-1]
    (file,) = letter.iter_attachments()
    text = file.get_payload(decode=True).decode()
    assert text.count("BEGIN:VEVENT") == 2
    assert "UID:otter.shoshoni.deadline@example.org" in text
