"""The fault campaign of three workers: one dies or stops at a step, connections break, the database dies.

Emails arrive and turns are due all the time. At the end each turn ran once, each email got one reply, each
sender's in order, and a mail server has counted the deliveries.
"""

import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.clock import DAY, WallClock
from adjudicator.config.service import load_settings
from adjudicator.game_kinds import find_kind
from adjudicator.mail.maildir import write_letter
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.games import CHECK_AT_ONCE
from adjudicator.model.mail import WAITING
from adjudicator.service import SERVICE_STEPS, Service, open_service
from adjudicator.storage import inbox, outbox
from adjudicator.storage.tables import GameRow
from games.protocol import Seat
from tests.kit.counting_mail_server import CountingMailServer
from tests.kit.cuttable_proxy import CuttableProxy
from tests.kit.servers import PostgreSQL
from tests.kit.worker_process import WorkerPool, WorkerProcess, wait_until

OWN = "gm@example.org"
GAMES = ("ash", "elm", "oak")
PEOPLE = {Seat("England"): "england", Seat("France"): "france"}
LEASE, OUT_LEASE, PATIENCE_SECONDS = 4000, 6000, 2.0
"""Servers hang up on whoever is silent for far less than letters are in a sender's hands."""

MANY = 1_000_000
"""So many answers an address may get in an hour: more than the long form writes letters."""

CONFIG = """\
[service]
address = "{own}"
database = "{database}"
[inbox]
url = "maildir:./in"
poll = "1s"
[outbox]
url = "smtp://127.0.0.1:{smtp}"
probe = true
probe_wait = "3s"
"""


@dataclass
class Campaign:
    """Workers, and what is done to them. sent: how many letters came."""

    games: tuple[str, ...]
    service: Service
    folder: Path
    pool: WorkerPool
    cable: CuttableProxy
    window: CountingMailServer
    server: PostgreSQL
    hands: list[WorkerProcess] = field(default_factory=list)
    sent: int = 0
    events: Counter[str] = field(default_factory=Counter)

    def start_worker(self, **how: object) -> WorkerProcess:
        """One more worker."""
        return self.pool.start_worker(self.folder, lease=LEASE, out_lease=OUT_LEASE, answers=MANY, **how)

    def man(self, count: int) -> None:
        """Have so many workers who are not doomed."""
        self.hands = [hand for hand in self.hands if not hand.is_gone()]
        while len(self.hands) < count:
            self.hands.append(self.start_worker())

    def write(self) -> None:
        """A letter from everybody, in answer to the turn that is on."""
        for name in self.games:
            position = game_admin.position_of(self.service, name)
            turn = find_kind(position.kind).rules.turn(position.state).short
            for seat, who in PEOPLE.items():
                token = reply_token(
                    self.service.service_context.key, name, seat, position.assignments[seat].generation, turn
                )
                to = reply_address(OWN, name, seat, token)
                self.sent += 1
                text = (
                    f"From: {who}.{name}@example.net\r\nTo: {to}\r\nSubject: orders\r\n"
                    f"Message-ID: <{self.sent}@example.net>\r\n\r\nall hold\r\n"
                )
                write_letter(
                    self.folder / "in", f"{self.service.clock.now() + self.sent}.{self.sent}", text.encode()
                )

    def fall_due(self) -> None:
        """All deadlines are over."""
        with self.service.database.writing():
            over = {
                "deadline": self.service.clock.now() - DAY,
                "look_at": CHECK_AT_ONCE,
                "rev": GameRow.rev + 1,
            }
            self.service.database.run(GameRow.update(**over))

    def has_work(self) -> bool:
        """Return whether any work is left."""
        with self.service.database.reading():
            counts = inbox.counts(self.service.database)
            out = outbox.counts(self.service.database)
            due = self.service.database.count(
                GameRow.select().where(GameRow.deadline <= self.service.clock.now())
            )
        unread = counts[WAITING] or self._kept(counts) < self.sent
        return bool(unread or due or out["ready"] or out["sending"] or out["unsure"])

    def finish(self) -> None:
        """Wait until nothing is left to do."""
        wait_until(lambda: not self.has_work())

    def fells(self, step: str, by: signal.Signals) -> None:
        """The third worker dies at a step, or is stopped there until the others have done its work."""
        self.events[f"{by.name} at {step}"] += 1
        self.man(2)
        doomed = self.start_worker(step=step, by=by)
        while not doomed.has_written("there"):
            self.write()
            if step.startswith("turn"):
                self.fall_due()
            wait_until(lambda: doomed.has_written("there") or not self.has_work())
        if by == signal.SIGKILL:
            wait_until(doomed.is_gone)
            return
        self.finish()
        doomed.goes_on()
        doomed.ends()

    def is_cut(self) -> None:
        """All lines to the database is cut while there is work."""
        self._amid_work(self.cable.cut)
        self.events["lines cut"] += 1

    def loses_the_database(self) -> None:
        """The database dies while there is work, and comes again."""
        self._amid_work(self.server.crash)
        self.events["database died"] += 1

    def _amid_work(self, what: Callable[[], object]) -> None:
        self.man(3)
        self.write()
        self.fall_due()
        before = inbox.counts(self.service.database)["read"]
        wait_until(lambda: inbox.counts(self.service.database)["read"] > before)
        what()

    def _kept(self, counts: dict[str, int]) -> int:
        # The copies of our own letters come back to us, too.
        return sum(counts.values()) - counts.get("ignored", 0)

    def end(self) -> None:
        """All is done, and all go home."""
        self.man(3)
        self.finish()
        for hand in self.hands:
            hand.ends()


@contextmanager
def campaign(
    folder: Path, pool: WorkerPool, server: PostgreSQL, games: tuple[str, ...] = GAMES
) -> Iterator[Campaign]:
    """Games with people in them, and nobody who works yet."""
    with (
        CuttableProxy(server.port) as cable,
        CountingMailServer(OWN, folder / "in", PATIENCE_SECONDS) as window,
    ):
        direct = server.fresh()
        through = direct.replace(f":{server.port}/", f":{cable.port}/")
        (folder / "direct").mkdir()
        for place, url in ((folder, through), (folder / "direct", direct)):
            text = CONFIG.format(own=OWN, database=url, smtp=window.port)
            (place / "gm.toml").write_text(text)
        service = open_service(load_settings(folder / "direct" / "gm.toml"), WallClock())
        for name in games:
            game_admin.new_game(service, game_admin.GameRequest("fleet-rome", name, terms={"early": "no"}))
            for seat, who in PEOPLE.items():
                game_admin.assign(service, name, seat, f"{who}.{name}@example.net")
        try:
            yield Campaign(games, service, folder, pool, cable, window, server)
        finally:
            pool.kill_all()
            service.database.close()


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    """The pool of workers."""
    with WorkerPool("fleet-rome") as hires:
        yield hires


@pytest.mark.timeout(1800)
def test_nothing_is_lost_or_done_twice(
    pool: WorkerPool, postgresql: PostgreSQL, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The short form, with a game fewer; the long one is `make soak`."""
    with campaign(tmp_path, pool, postgresql, GAMES[:2]) as it:
        it.fells("letter handled", signal.SIGKILL)
        it.fells("turn played", signal.SIGSTOP)
        it.is_cut()
        it.fells("report sending", signal.SIGKILL)
        it.loses_the_database()
        it.end()
        check(it, capsys)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_nothing_is_lost_or_done_twice_at_any_step(
    pool: WorkerPool, postgresql: PostgreSQL, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with campaign(tmp_path, pool, postgresql) as it:
        for step in SERVICE_STEPS:
            for by in (signal.SIGKILL, signal.SIGSTOP):
                it.fells(step, by)
            it.is_cut()
            it.loses_the_database()
        it.end()
        check(it, capsys)


def check(it: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    """All that must hold at the end, and what was counted."""
    service = it.service
    turns = {name: [entry.turn for entry, _ in service.repository.log(name)[1:]] for name in it.games}
    letters = [one for one in inbox.list_letters(service.database, 99_999) if one.disposition != "ignored"]
    with capsys.disabled():
        print(
            f"\n  {dict(it.events)}; {it.cable.cuts} lines cut; turns: {sum(map(len, turns.values()))}, "
            f"letters in: {len(letters)}, out: {len(it.window.got)} by {it.window.got.total()} deliveries"
        )
    for name, played in turns.items():
        assert len(set(played)) == len(played) == game_admin.position_of(service, name).played
        assert game_admin.prove(service, name).fault is None
    assert len(letters) == it.sent
    assert {one.disposition for one in letters} == {"read"}
    _check_order(it, letters)
    wrote = {
        (one.sealed.to, one.sealed.message_id)
        for one in outbox.list_posted(service.database, 99_999)
        if one.sealed.to != OWN
    }
    assert set(it.window.got) == wrote
    assert set(it.window.got.values()) == {1}
    assert set(outbox.counts(service.database).items()) >= {("unsure", 0), ("failed", 0), ("ready", 0)}


def _check_order(it: Campaign, letters: list[inbox.ShownLetter]) -> None:
    """Each letter was answered once, and a sender's in the order in which they came."""
    answers: dict[str | None, list[int]] = {}
    for one in sorted(letters, key=lambda one: (one.received, one.number)):
        (answer,) = outbox.answers_to(it.service.database, one.number)
        answers.setdefault(one.speaker, []).append(answer.number)
    assert len(answers) == len(it.games) * len(PEOPLE)
    for numbers in answers.values():
        assert numbers == sorted(numbers)
