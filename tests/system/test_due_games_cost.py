"""The cost of checking for due games, and its completeness: games are found by what is due."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from peewee import SQL, Value, fn

from adjudicator.admin import deadlines, game_admin, seats
from adjudicator.clock import DAY, HOUR, MINUTE, ManualClock
from adjudicator.config.service import load_settings
from adjudicator.daemon import doctor
from adjudicator.daemon.metrics import ServiceMetrics, problems
from adjudicator.errors import Refusal
from adjudicator.model.games import CHECK_AFTER_POLL, FileOrders, GamePosition, SetReady
from adjudicator.model.people import Absence, AnyPersonAction, NoteAbsence, SignOut, SignUp, Signup
from adjudicator.outbound import composer
from adjudicator.service import Service, open_service
from adjudicator.storage import due_games, metadata, people, stored_games
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.tables import ChairRow, GameRow
from adjudicator.turns.due_actions import find_due_action
from games.protocol import Seat
from tests.kit.servers import PostgreSQL
from tests.kit.service_harness import START, create_database

IROQUOIS, DAKOTA = Seat("Iroquois"), Seat("Dakota")
PLAYERS = ("iroquois@example.org", "dakota@example.org", "elm@example.org", "ash@example.org")
CONFIG = """\
[service]
address = "gm@example.org"
database = "{database}"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


@contextmanager
def opened_service(folder: Path, database: str = "turnpost.db") -> Iterator[tuple[Service, ManualClock]]:
    """A service whose mailboxes are folders, and its clock."""
    (folder / "gm.toml").write_text(CONFIG.format(database=database))
    if "://" not in database:
        create_database(folder)
    clock = ManualClock(START)
    service = open_service(load_settings(folder / "gm.toml"), clock)
    try:
        yield service, clock
    finally:
        service.database.close()


# That nothing is missed.


def something_due(service: Service) -> set[str]:
    """The games in which a look at each of them would do something."""
    now, drained = service.clock.now(), metadata.last_poll(service.database)
    found = set()
    for name in service.repository.games():
        position = game_admin.position_of(service, name)
        waiting = [one.address for one in service.repository.people.signups(name)]
        if find_due_action(position.game, position, now, drained, waiting) is not None:
            found.add(name)
    return found


def act(service: Service, position: GamePosition, lot: random.Random) -> None:
    """Something that a player, the gamesmaster or a command does to a game."""
    name, now, seat = position.name, service.clock.now(), lot.choice((IROQUOIS, DAKOTA))
    turn = position.game.rules.turn(position.state).short
    first = now + lot.randrange(-2, 4) * DAY
    absence = Absence(seat=seat, first=first, last=first + lot.randrange(1, 5) * DAY)
    address = lot.choice(PLAYERS[2:])
    terms = {
        "away": lot.choice(("ignore", "deadline", "bot", "substitute")),
        "reminder": lot.choice(("0h", "24h")),
        "grace": lot.choice(("0h", "12h")),
        "solo": lot.choice(("waits", "clock")),
    }
    person_actions: tuple[AnyPersonAction, ...] = (
        NoteAbsence(by=seat, game=name, seat=seat, absence=absence),
        NoteAbsence(by=seat, game=name, seat=seat, absence=None),
        SignUp(by=address, signup=Signup(game=name, address=address, since=now)),
        SignOut(by=address, game=name, address=address),
    )
    what: tuple[Callable[[], object], ...] = (
        *(lambda action=action: people.apply_action(service.database, action) for action in person_actions),  # type: ignore[misc]  # bound here
        lambda: stored_games.perform(
            service.database, [SetReady(game=name, seat=seat, by=seat, turn=turn, ready=True)], (), now
        ),
        lambda: stored_games.perform(
            service.database, [FileOrders(game=name, seat=seat, by=seat, turn=turn, orders=())], (), now
        ),
        lambda: deadlines.set_terms(service, name, terms, ""),
        lambda: deadlines.extend(service, name, 6 * HOUR, ""),
        lambda: deadlines.pause(service, name, ""),
        lambda: deadlines.resume(service, name, ""),
        lambda: seats.kick(service, name, seat, ""),
        lambda: game_admin.assign(service, name, seat, lot.choice(PLAYERS)),
    )
    lot.choice(what)()


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 20))]
)
def test_every_game_in_which_something_is_due_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """After any actions and any time: checking only the games found has the same effect as checking all."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    lot, found, calm = random.Random(seed), 0, 0
    with opened_service(tmp_path) as (service, clock):
        for name in ("beaver", "otter"):
            game_admin.new_game(service, game_admin.GameRequest("indianomacy", name, terms={"moves": "72h"}))
            game_admin.assign(service, name, "iroquois", PLAYERS[0])
            game_admin.assign(service, name, "dakota", PLAYERS[1])
        for _ in range(30):
            position = game_admin.position_of(service, lot.choice(("beaver", "otter")))
            with suppress(Refusal):
                act(service, position, lot)
            clock.advance(lot.choice((0, 1, HOUR, DAY, 3 * DAY)))
            if lot.random() < 0.5:
                service.poll()
            due = something_due(service)
            found += len(due)
            assert due <= set(due_games.due(service.database, clock.now()))
            service.process()
            assert something_due(service) == set()
            calm += not due_games.due(service.database, clock.now())
            assert all(row.worker is None and row.lease is None for row in _rows(service))
    assert found > 2, "things fall due"
    assert calm == 30, "and what is idle is looked at by nobody"


def _rows(service: Service) -> list[GameRow]:
    with service.database.reading():
        return list(service.database.run(GameRow.select()))


def test_a_turn_waits_for_the_mailbox_and_is_found_after_it(tmp_path: Path) -> None:
    """After any poll; a waiting turn is told that it failed."""
    with opened_service(tmp_path) as (service, clock):
        position = _one_game(service)
        assert position.deadline is not None
        clock.set(position.deadline + position.deadlines.grace + 1)
        service.process()
        assert [row.look_at for row in _rows(service)] == [CHECK_AFTER_POLL]
        assert due_games.due(service.database, clock.now()) == ()
        service.poll()
        service.process()
        assert game_admin.position_of(service, "beaver").entries == 2


def test_other_settings_have_everything_looked_at(tmp_path: Path) -> None:
    """The zone of the service says when digests are written; a kind that is new may hold games."""
    with opened_service(tmp_path) as (service, clock):
        _one_game(service)
        service.process()
        assert due_games.due(service.database, clock.now()) == ()
    (tmp_path / "gm.toml").write_text(
        CONFIG.format(database="turnpost.db").replace("[inbox]", 'timezone = "Asia/Tokyo"\n[inbox]')
    )
    other = open_service(load_settings(tmp_path / "gm.toml"), clock)
    looked: list[str] = []
    plays = Service._play_due
    try:
        with pytest.MonkeyPatch.context() as watched:
            watched.setattr(
                Service, "_play_due", lambda self, name, *at: looked.append(name) or plays(self, name, *at)
            )
            other.process()
            other.process()
        assert looked == ["beaver"]
    finally:
        other.database.close()


def test_a_game_that_fails_is_tried_again_and_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    plays = Service._play_once

    def bad(self: Service, name: str, now: int) -> object:
        tried.append(name)
        if name == "beaver":
            raise ZeroDivisionError
        return plays(self, name, now)

    with opened_service(tmp_path) as (service, clock):
        _one_game(service)
        _one_game(service, "otter")
        monkeypatch.setattr(Service, "_play_once", bad)
        service.process()
        service.process()
        assert sorted(tried) == ["beaver", "otter"]
        clock.advance(MINUTE)
        service.process()
        assert tried.count("beaver") == 2


def _one_game(service: Service, name: str = "beaver") -> GamePosition:
    game_admin.new_game(service, game_admin.GameRequest("indianomacy", name))
    game_admin.assign(service, name, "iroquois", PLAYERS[0])
    game_admin.assign(service, name, "dakota", PLAYERS[1])
    return game_admin.position_of(service, name)


# What it costs.

IDLE_GAMES = 10_000
MOST_MS = 20
"""Of the processor, for a look at that many games in which nothing is due."""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """A database in a file, or on a server."""
    if request.param == "sqlite":
        return "turnpost.db"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.fresh()


def test_a_look_at_ten_thousand_idle_games_costs_little(tmp_path: Path, database: str) -> None:
    with opened_service(tmp_path, database) as (service, _):
        _one_game(service)
        service.process()
        _multiply(service, IDLE_GAMES)
        service.process()
        with service.database.session():
            spent = sorted(_cpu_ms(service.process) for _ in range(9))
            assert spent[4] < MOST_MS
            assert len(service.repository.games()) == IDLE_GAMES + 1
            _costs_little_to_watch(service)


def _costs_little_to_watch(service: Service) -> None:
    """Check that a status query reads no game without problems."""
    read: list[str] = []
    looked_up = DatabaseRepository._load_game
    with pytest.MonkeyPatch.context() as watched:
        watched.setattr(
            DatabaseRepository, "_load_game", lambda self, game: read.append(game) or looked_up(self, game)
        )
        assert [one.about for one in problems(service, service.clock.now())] == ["mailbox"]
        assert {one.name: one.samples[0].value for one in ServiceMetrics(service).collect() if one.samples}[
            "turnpost_games_running"
        ] == IDLE_GAMES + 1
        assert list(doctor.game_findings(service)) == []
        assert read == []
        _mar(service)
        assert [(one.grade, one.said.split(",")[0]) for one in problems(service, service.clock.now())][
            1:
        ] == [
            ("bad", "idle-7 is suspended: there is no kind of game called chess here"),
            ("bad", "idle-8 hasn't run its turn"),
            ("odd", "emails to Iroquois in beaver are undeliverable"),
        ]
        assert len(list(doctor.game_findings(service))) == 2
        assert sorted(set(read)) == ["idle-7", "idle-9"]


def _mar(service: Service) -> None:
    """Let one game be of a kind that is not here, one late, a log not proved, a player out of reach."""
    run, named = service.database.run, GameRow.name
    with service.database.writing():
        run(GameRow.update(kind="chess").where(named == "idle-7"))
        run(GameRow.update(deadline=START - 2 * DAY).where(named == "idle-8"))
        run(GameRow.update(proven="long ago").where(named == "idle-9"))
        run(ChairRow.update(trouble="no such user").where(ChairRow.seat == IROQUOIS))


def _multiply(service: Service, count: int) -> None:
    """Copy the game's rows into further games."""
    named = GameRow.name
    columns = [field for field in GameRow._meta.sorted_fields if field is not named]
    with service.database.writing():
        (row,) = list(service.database.run(GameRow.select(*columns).dicts()))
        done = 100
        rows = [{**row, "name": f"idle-{number}"} for number in range(done)]
        service.database.run(GameRow.insert_many(rows))
        # All others the database copies: to write each of them out takes longer than the looks.
        number = fn.SUBSTR(GameRow.name, len("idle-") + 1).cast("INTEGER")
        while done < count:
            names = Value("idle-").concat((number + done).cast("TEXT"))
            like = GameRow.select(names, *columns).where(
                GameRow.name.startswith("idle-"), number < count - done
            )
            service.database.run(GameRow.insert_from(like, [GameRow.name, *columns]))
            done *= 2
        # A game without any seat would be one that an upgrade of an earlier version emptied.
        values = ("", 0, 1, False, False, 0)
        fields = ["seat", "place", "generation", "wait", "ready", "missed"]
        seats = GameRow.select(named, *map(Value, values)).where(named != "beaver")
        service.database.run(ChairRow.insert_from(seats, ["game", *fields]))
        assert service.database.first(GameRow.select(SQL("1")).where(GameRow.look_at <= START)) is None


def _cpu_ms(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1000
