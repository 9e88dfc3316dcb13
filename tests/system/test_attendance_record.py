"""The record of turning up: scripted players over months, compared with what the logs alone say.

`record_from_logs` is a second implementation. It reads exported games as JSON and knows nothing of the marks.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from pathlib import Path
from typing import Any

import pytest

from adjudicator.admin import backup, deadlines, game_admin, lookup, seats, transfer
from adjudicator.clock import DAY, HOUR
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import turnout_record
from adjudicator.model.games import SetReady
from adjudicator.model.people import Absence, NoteAbsence, TurnMark
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.reminders import ClockActions
from adjudicator.service import Service
from adjudicator.storage import archive, outbox, stored_games
from adjudicator.storage.database import open_database
from adjudicator.storage.queries import DatabaseRepository
from games.protocol import Seat
from games.record import canonical
from tests.kit.attack_service import NET, AttackedService, attacked_service
from tests.kit.mail import header, letter

TERMS = {
    "moves": "28d",
    "retreats": "28d",
    "builds": "28d",
    "grace": "12h",
    "nmr": "extend",
    "extension": "3d",
}
TERMS |= {"reminder": "0h", "away": "ignore"}
YEAR_MS = 365 * DAY

pytestmark = pytest.mark.usefixtures("undrawn")


@dataclass
class Scripted:
    """Players who send their orders in time, in the grace period, late, or not at all, as dice decide.

    taken: by game, a seat that was taken over: its new player, when, and who had left it.
    """

    it: AttackedService
    games: list[str]
    dice: random.Random = field(default_factory=lambda: random.Random(7))
    taken: dict[str, tuple[str, str, int, str]] = field(default_factory=dict)

    @property
    def service(self) -> Service:
        return self.it.service

    def ready(self, name: str, which: Sequence[str]) -> None:
        """Let players say that they have no more orders."""
        acts = [SetReady(game=name, by=seat, seat=Seat(seat), ready=True) for seat in which]
        stored_games.perform(self.service.database, acts, (), self.it.clock.now())

    def turn(self) -> None:
        """Run one turn of each game. All games have the same deadlines."""
        plans: dict[str, dict[str, str]] = {}
        for name in self.games:
            position = self.it.position(name)
            due = {due.seat for due in position.game.rules.due(position.state)}
            people = [
                seat for seat in position.assignments if seat in due and position.assignments[seat].is_person
            ]
            plans[name] = {
                seat: self.dice.choices(("time", "grace", "late", "never"), (70, 10, 10, 10))[0]
                for seat in people
            }
            self.ready(name, [seat for seat, when in plans[name].items() if when == "time"])
        for step, when in ((28 * DAY + HOUR, "grace"), (12 * HOUR, ""), (3 * DAY - HOUR, "late"), (DAY, "")):
            self.it.clock.advance(step)
            for name, plan in plans.items():
                self.ready(name, [seat for seat, chosen in plan.items() if when == chosen])
            for _ in range(2):
                self.service.poll()
                self.service.process()


def address(number: int) -> str:
    return f"player{number}@example.net"


def begin(it: AttackedService, kind: str, count: int, people: int) -> Scripted:
    """Start games, and give all their seats to so many players, some of whom have several."""
    number, names = 0, [f"game-{number}" for number in range(count)]
    for name in names:
        position = game_admin.new_game(
            it.service, game_admin.GameRequest(kind, name, terms=TERMS), secret=b"s" * 32
        )
        for seat in position.assignments:
            game_admin.assign(it.service, name, seat, address(number % people))
            number += 1
    script = Scripted(it, names)
    absent = next(iter(it.position(names[0]).assignments))
    away = Absence(seat=absent, first=it.clock.now(), last=it.clock.now() + 70 * DAY)
    act = NoteAbsence(by=absent, game=names[0], seat=absent, absence=away)
    stored_games.perform(it.service.database, [act], (), it.clock.now())
    return script


def take_over(script: Scripted, name: str, newcomer: str) -> None:
    """Let a player leave a seat, and another take it."""
    seat, assignment = list(script.it.position(name).assignments.items())[-1]
    assert assignment.address is not None
    seats.kick(script.service, name, seat, "no word for weeks")
    script.taken[name] = (seat, newcomer, script.it.clock.now(), assignment.address)
    script.it.arrives(NET.signed(letter(f"JOIN {name} {seat}", sender=newcomer, date=script.it.clock.now())))
    assert script.it.position(name).assignments[seat].address == newcomer


def record_from_logs(
    documents: Sequence[Mapping[str, Any]], taken: Mapping[str, tuple[str, str, int, str]], who: str, now: int
) -> tuple[int, float]:
    """Return the number of a player's turns and their share, from exported games alone."""
    turns, earned, total = 0, 0.0, 0.0
    for document in documents:
        name = document["game"]
        held = {seat["seat"] for seat in document["seats"] if seat.get("address") == who}
        if name in taken and taken[name][1] == who:
            weight = 3 * 0.5 ** ((now - taken[name][2]) / YEAR_MS)
            earned, total = earned + weight, total + weight
        seat_taken, _, since, former = taken.get(name, ("", "", 0, ""))
        for entry in (logged["entry"] for logged in document["log"]):
            had = held - {seat_taken} if entry["at"] <= since else held
            had |= {seat_taken} if who == former and entry["at"] <= since else set()
            for seat in had if entry["kind"] == "turn" else ():
                if seat not in entry["orders"]:
                    continue
                away = any(
                    absence["seat"] == seat and absence["first"] <= entry["at"] - 4 * DAY < absence["last"]
                    for absence in document["absences"]
                )
                missed = seat in entry["silent"]
                if missed and away:
                    continue
                extended = any(
                    minute["by"] == "clock"
                    and entry["at"] - 5 * DAY < minute["at"] <= entry["at"]
                    and seat in minute["what"].replace(",", " ").split()
                    for minute in document["minutes"]
                )
                weight = 0.5 ** ((now - entry["at"]) / YEAR_MS)
                turns, total = turns + 1, total + weight
                earned += 0.0 if missed else weight / 2 if extended else weight
    return turns, earned / total if total else -1.0


def exported(service: Service, names: Sequence[str]) -> list[Any]:
    return [json.loads(canonical(transfer.export(service, name))) for name in names]


def play(script: Scripted, turns: int, people: int) -> None:
    """Play turns, with a seat taken over halfway, and compare every player's record with the logs."""
    for number in range(turns):
        if number == turns // 2:
            take_over(script, script.games[0], "newcomer@example.net")
        script.turn()
    documents, now = exported(script.service, script.games), script.it.clock.now()
    everybody = [*map(address, range(people)), "newcomer@example.net"]
    shares = set()
    for who in everybody:
        record = lookup.turnout_of(script.service, who, now)
        turns_of_log, share = record_from_logs(documents, script.taken, who, now)
        assert record.turns == turns_of_log, who
        assert isclose(-1.0 if record.share is None else record.share, share), who
        shares.add(record.percent)
    assert len(shares) > 3, "the dice gave different records"
    assert lookup.turnout_of(script.service, "newcomer@example.net", now).taken_over == 1


@pytest.fixture
def it(tmp_path: Path) -> Iterator[AttackedService]:
    with attacked_service(tmp_path / "service") as opened:
        yield opened


def test_the_record_is_what_the_logs_say_whatever_becomes_of_the_database(
    it: AttackedService, tmp_path: Path
) -> None:
    """It is the same after a move to another database, after a restore, and for a merged address."""
    script = begin(it, "standard", 2, 12)
    play(script, 5, 12)
    assert_it_stays(it, tmp_path, 12)


def assert_it_stays(it: AttackedService, folder: Path, people: int) -> None:
    """Compare the records of all players after a move to another database, a restore and a merger."""
    database, now = it.service.database, it.clock.now()
    before = {number: lookup.turnout_of(it.service, address(number), now) for number in range(people)}
    target = open_database(str(folder / "moved.db"))
    list(archive.carry(database, target, archive.begin(target, archive.origin_of(database))))
    moved = DatabaseRepository(target).people
    for number, record in before.items():
        marks = [mark for game in moved.turnouts(address(number)).values() for mark in game.marks]
        assert turnout_record(marks, now) == record
    target.close()
    file = folder / "yesterday.backup"
    backup.back_up(it.service, file)
    with attacked_service(folder / "restored") as again:
        backup.restore_file(again.service, file)
        for number, record in before.items():
            assert lookup.turnout_of(again.service, address(number), now) == record
    seats.merge_people(it.service, address(3), "moved@example.net")
    assert lookup.turnout_of(it.service, "moved@example.net", now) == before[3]
    assert lookup.turnout_of(it.service, address(3), now).share is None


@pytest.mark.soak
def test_two_hundred_players_over_two_years(
    it: AttackedService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without their 6,000 reports and notices, which take an hour and say nothing about the record."""
    monkeypatch.setattr(ReportComposer, "reports", lambda *_turn: ((), ()))
    monkeypatch.setattr(ClockActions, "notify_all", lambda *_notice: [])
    script = begin(it, "chaos", 6, 200)
    began = it.clock.now()
    play(script, 24, 200)
    records = [lookup.turnout_of(it.service, address(number), it.clock.now()) for number in range(200)]
    turns, shares = sum(record.turns for record in records), [record.percent or 0 for record in records]
    years = (it.clock.now() - began) / YEAR_MS
    with capsys.disabled():
        print(f"\n200 players, {turns} turns in {years:.1f} years: from {min(shares)} to {max(shares)} %")
    assert years >= 2
    assert_it_stays(it, tmp_path, 200)


def test_a_turn_missed_in_an_announced_absence_does_not_count(it: AttackedService) -> None:
    """Nobody sends anything. The first player is away, as announced."""
    script = begin(it, "standard", 1, 7)
    script.dice = random.Random()
    script.dice.choices = lambda *_chances: ["never"]  # type: ignore[method-assign]
    script.turn()
    missed = [lookup.turnout_of(it.service, address(number), it.clock.now()).missed for number in range(7)]
    assert missed == [0, 1, 1, 1, 1, 1, 1]


def test_status_me_shows_the_record_and_how_it_is_counted(it: AttackedService) -> None:
    script = begin(it, "standard", 1, 7)
    script.turn()
    now = it.clock.now()
    record = lookup.turnout_of(it.service, address(2), now)
    shown = it.arrives(NET.signed(letter("STATUS ME", sender=address(2), date=now)))
    text = " ".join(" ".join(it.text(answer) for answer in it.answers(shown)).split())
    assert sentence("inbound.turnout.share", percent=record.percent) in text
    assert " ".join(sentence("inbound.turnout.how").split()) in text


@pytest.mark.parametrize("setting", ["no", "yes"])
def test_others_see_it_only_if_the_settings_say_so(it: AttackedService, setting: str) -> None:
    script = begin(it, "standard", 1, 7)
    script.turn()

    if setting == "yes":
        deadlines.set_terms(it.service, "game-0", {"records": setting}, "agreed on")
    to = next(
        posted for posted in outbox.list_posted(it.service.database, 99) if posted.sealed.to == address(1)
    )

    shown = it.arrives(letter("STATUS", sender=address(1), to=header(to.sealed.raw, "Reply-To")))
    text = " ".join(" ".join(it.text(answer) for answer in it.answers(shown)).split())
    percent = lookup.turnout_of(it.service, address(2), it.clock.now()).percent
    assert (sentence("inbound.turnout.of_player", percent=percent) in text) is (setting == "yes")


@pytest.mark.parametrize(
    ("sorts", "age_years", "percent"),
    [
        (("in-time",), 0, 100),
        (("in-time", "late"), 0, 75),
        (("missed", "taken-over"), 0, 75),
        (("missed", "in-time"), 5, 50),
        (("late",), 3, 50),
        ((), 0, None),
    ],
)
def test_what_marks_come_to(sorts: tuple[str, ...], age_years: int, percent: int | None) -> None:
    now = 20 * YEAR_MS
    marks = [
        TurnMark(turn=str(n), seat=Seat("A"), sort=sort, at=now - age_years * YEAR_MS)  # type: ignore[arg-type]
        for n, sort in enumerate(sorts)
    ]
    assert turnout_record(marks, now).percent == percent


def test_an_old_mark_counts_less() -> None:
    now = 20 * YEAR_MS
    marks = [
        TurnMark(turn="1", seat=Seat("A"), sort="missed", at=now - YEAR_MS),
        TurnMark(turn="2", seat=Seat("A"), sort="in-time", at=now),
    ]
    assert turnout_record(marks, now).percent == 66
