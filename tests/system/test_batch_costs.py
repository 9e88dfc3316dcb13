"""The machine-independent costs of a batch of emails: transactions, queries, templates.

Each email of a batch is independent: whatever happens to one, the others get the replies that they would get
alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import jinja2
import pytest

from adjudicator.admin import game_admin
from adjudicator.errors import StoreFault, WriteConflict
from adjudicator.inbound.commands import queries
from adjudicator.inbound.commands.context import CommandContext
from adjudicator.messages import sentence
from adjudicator.service import Service, open_service
from adjudicator.storage import due_games, inbox, outbox, stored_games
from adjudicator.storage.queries import _sheet
from orders.commands import Command
from tests.kit.cached_services import cached_beginning
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

GAMES = ("otter", "raven", "heron", "stoat")
SEATS = {"Iroquois": "Oneida H\nOnondaga - Mohawk", "Dakota": "W SNT - POJ\nW TET H"}
MOST_QUESTIONS = 27
"""Statements a letter that orders, with its share of what a batch takes."""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    """Four games of two persons each, all of whom have their welcome, and have read nothing yet."""
    with local_service(tmp_path) as it:
        four_games(it)
        it.clock.advance(HOUR)
        yield it


@cached_beginning
def four_games(place: LocalService) -> None:
    for name in GAMES:
        seats = {seat: address(name, seat) for seat in SEATS}
        game_admin.new_game(
            place.service, game_admin.GameRequest("indianomacy", name, seats=seats), secret=b"s" * 32
        )
    place.work()


def address(game: str, seat: str) -> str:
    """Return the address where a person reads emails."""
    return f"{seat.lower()}.{game}@example.org"


def all_write(place: LocalService, *seats: str, also: str = "") -> None:
    """Send orders of some seats of all games; their emails are kept. also: lines below their orders."""
    for seat in seats:
        for name in GAMES:
            place.clock.advance(1000)
            whom = address(name, seat)
            place.answer(whom, place.mail(whom)[0], SEATS[seat] + also)
    place.service.poll()


@contextmanager
def statements(of: Service) -> Iterator[list[str]]:
    """Every statement that the database carries out meanwhile."""
    carried_out: list[str] = []
    with of.database.session():
        connection = of.database._library.connection()
        connection.set_trace_callback(carried_out.append)
        try:
            yield carried_out
        finally:
            connection.set_trace_callback(None)


def count_writes(carried_out: list[str]) -> int:
    """Return the number of transactions that wrote something."""
    return sum(one.startswith("BEGIN IMMEDIATE") for one in carried_out)


def dispositions(place: LocalService) -> list[str | None]:
    """Return the decisions about each email, oldest first."""
    return [shown.disposition for shown in reversed(inbox.list_letters(place.service.database))]


def test_letters_of_different_games_are_settled_in_one_transaction(place: LocalService) -> None:
    all_write(place, "Iroquois")
    with statements(place.service) as carried_out:
        place.service.process()
    assert dispositions(place) == ["read"] * 4
    # That they are taken in hand, begin, and are done; that their games are looked at, and that they were;
    # that turns which waited for them are. What is not read ahead of them is the round's own.
    assert count_writes(carried_out) == 6


def test_letters_of_one_game_are_settled_in_one_transaction_too(place: LocalService) -> None:
    all_write(place, "Iroquois", "Dakota")
    with statements(place.service) as carried_out:
        place.service.process()
    assert dispositions(place) == ["read"] * 8
    assert count_writes(carried_out) == 6
    # Each email reads its game once, and each game is read once more when it is checked.
    assert sum('FROM "filed"' in one for one in carried_out) == 3 * len(GAMES)


def test_the_sheet_of_a_letter_that_is_answered_again_is_read_once(place: LocalService) -> None:
    all_write(place, "Iroquois")
    place.service.process()
    before = _sheet.cache_info().misses
    all_write(place, "Iroquois")
    place.service.process()
    assert dispositions(place) == ["read"] * 8
    assert _sheet.cache_info().misses == before


def test_a_letter_is_answered_though_many_games_are_still_to_be_looked_at(
    place: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an upgrade, when many games are checked though nothing is due."""
    course: list[str] = []
    plays, takes = Service._play_once, due_games.claim

    def looked(self: Service, name: str, now: int) -> object:
        if not course:
            all_write(place, "Iroquois")
        course.append("look")
        return plays(self, name, now)

    due_games.recheck(place.service.database, GAMES)
    monkeypatch.setattr(Service, "_play_once", looked)
    monkeypatch.setattr(due_games, "claim", partial(takes, limit=2))
    replace(place.service, reached=course.append).process()
    assert course.index("letter read") < len(GAMES), course


def test_a_letter_asks_little(place: LocalService) -> None:
    """After the first emails, which also ask what a process asks once."""
    all_write(place, "Iroquois")
    place.service.process()
    all_write(place, "Iroquois", "Dakota")
    with statements(place.service) as idle:
        for name in stored_games.running_names(place.service.database):
            place.service._play_due(name, place.clock.now())
    with statements(place.service) as carried_out:
        place.service.process()
    assert (len(carried_out) - len(idle)) / 8 < MOST_QUESTIONS


GROWING = ('"letter"', '"outbox"', '"entry"', '"seen"', '"game"', '"chair"')
"""The tables of which no row is thrown away while a service runs, and those of all games that there are."""


def test_no_question_of_a_letter_goes_through_all_that_were_ever_kept(place: LocalService) -> None:
    with statements(place.service) as carried_out:
        # A word as long as a token has all tokens looked for, of the games of whose names there are some.
        all_write(place, "Iroquois", also="\n-- \nConstantinople")
        place.service.process()
        place.service.send()
    asked = [one for one in carried_out if one.startswith(("SELECT", "UPDATE", "DELETE"))]
    assert any('FROM "letter"' in one for one in asked)
    with place.service.database.session():
        connection = place.service.database._library.connection()
        plans = [(one, connection.execute(f"EXPLAIN QUERY PLAN {one}").fetchall()) for one in asked]
    scans = [one for one, plan in plans if any(step[3].startswith("SCAN") for step in plan)]
    assert [one for one in scans if any(table in one for table in GROWING)] == []


def test_the_log_of_a_game_is_read_once(place: LocalService) -> None:
    all_write(place, "Iroquois")
    place.service.process()
    all_write(place, "Dakota")
    with statements(place.service) as carried_out:
        place.service.process()
    assert dispositions(place) == ["read"] * 8
    assert [one for one in carried_out if 'FROM "entry"' in one] == []


def test_no_template_is_read_for_a_second_letter(
    place: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_write(place, "Iroquois")
    place.service.process()
    read = list[str]()
    load = jinja2.Environment._load_template

    def counted(self: jinja2.Environment, name: str, given: object) -> jinja2.Template:
        before = self.cache is not None and len(self.cache)
        found = load(self, name, given)
        if self.cache is not None and len(self.cache) != before:
            read.append(name)
        return found

    monkeypatch.setattr(jinja2.Environment, "_load_template", counted)
    all_write(place, "Dakota")
    place.service.process()
    assert read == []


@pytest.mark.parametrize("more", ["", "\nWAIT"])
def test_a_second_letter_of_a_batch_builds_on_the_first(more: str, place: LocalService) -> None:
    whom = address("otter", "Iroquois")
    welcome = place.mail(whom)[0]
    for order in (f"Oneida H{more}", "Seneca H"):
        place.clock.advance(1000)
        place.answer(whom, welcome, order)
    place.work()
    answers = [text_of(letter) for letter in place.mail(whom)[1:]]
    assert [sentence("reports.transcript.saved_before") in answer for answer in answers] == [False, True]
    assert len(game_admin.position_of(place.service, "otter").filed["Iroquois"]) == 2


Mishap = Callable[[str], None]


def _overtaken(game: str) -> None:
    raise WriteConflict(game)


def _bug(game: str) -> None:
    raise ValueError(game)


def first_of_raven_meets(mishap: Mishap, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Something happens to the first answer of that game when it is put in the outbox; then it is noted."""
    put, met = outbox.put, list[str]()

    def failing(database, sealed, now, letter=None):  # type: ignore[no-untyped-def]
        sealed = list(sealed)
        put(database, sealed, now, letter)
        for one in sealed:
            if letter is not None and one.game == "raven" and "raven" not in met:
                met.append(one.game)
                mishap(one.game)

    monkeypatch.setattr(outbox, "put", failing)
    return met


@pytest.mark.parametrize(
    ("mishap", "becomes"), [(_overtaken, ["read"] * 4), (_bug, ["read", "quarantined", "read", "read"])]
)
def test_one_that_cannot_be_settled_takes_no_other_down(
    mishap: Mishap, becomes: list[str], place: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its partial changes are undone with it; if the database has changed, it is read again."""
    all_write(place, "Iroquois")
    met = first_of_raven_meets(mishap, monkeypatch)
    place.service.process()
    assert met == ["raven"]
    assert dispositions(place) == becomes
    place.service.send()
    answered = [len(place.mail(address(name, "Iroquois"))) == 2 for name in GAMES]
    assert answered == [one == "read" for one in becomes]
    filed = [bool(game_admin.position_of(place.service, name).filed) for name in GAMES]
    assert filed == answered


@pytest.mark.parametrize(
    ("mishap", "again", "becomes"),
    [
        (_overtaken, ["raven"], ["read"] * 8),
        (_bug, [], ["read", "quarantined", *["read"] * 6]),
    ],
)
def test_an_email_after_a_failed_one_of_its_game_is_read_without_it(
    mishap: Mishap, again: list[str], becomes: list[str], place: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is answered once. Only the failed one is read again, unless it is quarantined."""
    all_write(place, "Iroquois", "Dakota")
    first_of_raven_meets(mishap, monkeypatch)
    passed = list[str]()
    replace(place.service, reached=passed.append).process()
    assert dispositions(place) == becomes
    assert passed.count("letter read") == 8 + len(again)
    place.service.send()
    assert [len(place.mail(address(name, "Dakota"))) for name in GAMES] == [2] * 4


def test_if_the_database_fails_all_emails_of_the_batch_are_read_again(
    place: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of them is blamed, and none is answered twice."""
    all_write(place, "Iroquois")
    settle = inbox.settle

    def full(database, kept, *others):  # type: ignore[no-untyped-def]
        settle(database, kept, *others)
        if kept.number == 3:
            raise StoreFault("database", "it is full")

    monkeypatch.setattr(inbox, "settle", full)
    with pytest.raises(StoreFault):
        place.service.process()
    shown = inbox.list_letters(place.service.database)
    assert {(one.disposition, one.tries) for one in shown} == {(None, 0)}
    monkeypatch.setattr(inbox, "settle", settle)
    place.work()
    assert [len(place.mail(address(name, "Iroquois"))) for name in GAMES] == [2] * 4


class Death(BaseException):
    """The service ends here, as if it had been killed."""


@pytest.mark.parametrize("step", ["letter read", "letter handled"])
@pytest.mark.parametrize("time", [1, 3, 4])
def test_killed_in_the_middle_of_a_batch(step: str, time: int, tmp_path: Path, place: LocalService) -> None:
    """Nothing is lost or done twice: the outbox has as much as without the kill."""
    all_write(place, "Iroquois")
    passed = list[str]()

    def reached(name: str) -> None:
        passed.append(name)
        if passed.count(step) == time:
            raise Death

    mortal = open_service(place.service.settings, place.clock, reached)
    with pytest.raises(Death):
        mortal.process()
    mortal.database.close()
    # "handled" is said of each when all are committed.
    assert dispositions(place) == ["read" if step == "letter handled" else None] * 4
    place.service.recover()
    place.work()
    assert dispositions(place) == ["read"] * 4
    assert [len(place.mail(address(name, "Iroquois"))) for name in GAMES] == [2] * 4


def test_who_asks_for_the_list_or_for_a_new_name_asks_as_much_however_many_games_there_are(
    place: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MAX_LISTED_GAMES", 1)
    service, asked = place.service, []
    stranger = CommandContext(
        service_context=service.service_context,
        repository=service.repository,
        sender="stranger@example.org",
        received=service.clock.now(),
        now=service.clock.now(),
    )
    for more in ((), ("vole", "hare", "wren")):
        for name in more:
            game_admin.new_game(service, game_admin.GameRequest("indianomacy", name))
        with statements(service) as carried_out:
            text = queries.ask_list(stranger, Command(line="LIST", verb="LIST")).answered[0].text
            game_admin.check_name(service, "lynx")
        asked.append(len(carried_out))
        assert sum(name in text for name in (*GAMES, *more)) == 1
    assert asked[0] == asked[1]
