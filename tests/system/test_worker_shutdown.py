"""A worker that ends normally releases its jobs, even those that it couldn't finish."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest

from adjudicator.admin import game_admin
from adjudicator.clock import DAY, ManualClock, WallClock
from adjudicator.config.service import load_settings
from adjudicator.daemon import daemon
from adjudicator.errors import StoreFault
from adjudicator.mail.maildir import Known, MaildirMailbox
from adjudicator.model.games import CHECK_AT_ONCE
from adjudicator.model.mail import PROCESS, SEND, IncomingLetter
from adjudicator.service import Service, open_service
from adjudicator.storage import due_games, inbox, outbox, workers
from adjudicator.storage.database import Database
from adjudicator.storage.tables import GameRow
from tests.kit.mail import letter
from tests.kit.servers import PostgreSQL

PATIENT_SECONDS = 10
"""So long a poll waits if nobody tells it to stop: no test waits for it."""
CONFIG = """\
[service]
address = "gm@example.org"
database = "{database}"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


@pytest.fixture
def url(postgresql: PostgreSQL) -> str:
    """A database that several workers share."""
    return postgresql.fresh()


@pytest.fixture
def service(tmp_path: Path, url: str, undrawn: None) -> Iterator[Service]:
    """A worker with a game whose deadline is over, an email to read and an email to send."""
    (tmp_path / "gm.toml").write_text(CONFIG.format(database=url))
    opened = open_service(load_settings(tmp_path / "gm.toml"), ManualClock(WallClock().now()))
    opened.recover()
    request = game_admin.GameRequest("indianomacy", "elm", terms={"protect": "no"})
    game_admin.new_game(opened, request, secret=b"s" * 32)
    for seat in ("Iroquois", "Dakota"):  # a game of one person has no deadline
        game_admin.assign(opened, "elm", seat, f"{seat.lower()}@example.org")
    now = opened.clock.now()
    with opened.database.writing():
        over = {"deadline": now - DAY, "look_at": CHECK_AT_ONCE, "rev": GameRow.rev + 1}
        opened.database.run(GameRow.update(**over))
    raw = letter("HELP", sender="nobody@example.org")
    inbox.store_letters(
        opened.database, [IncomingLetter(mailbox="in", place="1", received=now, raw=raw)], now
    )
    yield opened
    opened.database.let_go()
    opened.database.close()


@pytest.fixture
def heir(service: Service, tmp_path: Path) -> Iterator[Service]:
    """A second worker on the same database, which has not begun yet."""
    opened = open_service(load_settings(tmp_path / "gm.toml"), service.clock)
    yield opened
    opened.database.let_go()
    opened.database.close()


def take_in_hand(service: Service) -> str:
    """Have a worker take a game, an email to read and an email to send. Returns the key of the last."""
    now = service.clock.now()
    assert due_games.claim(service.database, now, service.worker, now + due_games.GAME_LEASE_MS) == ("elm",)
    assert len(inbox.claim(service.database, now, service.worker)) == 1
    (sealed,) = outbox.claim(service.database, now, 1, outbox.SEND_LEASE_MS, service.worker)
    return sealed.key


def set_full(url: str, full: bool) -> None:
    """Have the server refuse all that writes, as on a full disk, or take it again; on new connections."""
    how = "on" if full else "off"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("set default_transaction_read_only = off")
        server.execute(f"alter database {url.rpartition('/')[2]} set default_transaction_read_only = {how}")


def nothing_waits(service: Service) -> bool:
    """Return whether every email was read, every turn ran and every email of ours was sent."""
    out = outbox.counts(service.database)
    waits = inbox.counts(service.database)["waiting"] + out["ready"] + out["sending"] + out["unsure"]
    return not waits and game_admin.position_of(service, "elm").played == 1


def test_what_was_in_hand_is_free_at_once(service: Service, heir: Service) -> None:
    take_in_hand(service)
    service.heartbeat.stop()
    heir.recover()
    heir.poll()
    heir.process()
    heir.send()
    assert nothing_waits(service)


def test_the_others_are_rung_for(service: Service, heir: Service) -> None:
    """Otherwise they find what is free when they look next."""
    heir.recover()
    take_in_hand(service)
    service.heartbeat.stop()
    heard = set(heir.database.wait_for_notification(5))
    heard |= set(heir.database.wait_for_notification(5)) if len(heard) == 1 else set()
    assert heard == {PROCESS, SEND}


def test_an_email_on_the_wire_is_unsure(service: Service) -> None:
    """The worker that leaves cannot say whether the server took it."""
    key = take_in_hand(service)
    assert outbox.begin(service.database, key, service.clock.now(), worker=service.worker)
    service.heartbeat.stop()
    (unsure,) = outbox.list_posted(service.database, states=("unsure",))
    assert unsure.sealed.key == key


def test_nobody_else_loses_what_is_in_hand(service: Service, heir: Service) -> None:
    heir.recover()
    take_in_hand(heir)
    service.heartbeat.stop()
    (left,) = workers.current_workers(service.database)
    assert (left.name, left.games, left.letters, left.sending) == (heir.worker, 1, 1, 1)


def test_a_worker_that_stops_after_a_full_disk_leaves_nothing_in_hand(
    service: Service, heir: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the disk is full nothing can be given back; the end of the service does it."""
    forgive = inbox.forgive

    def fill_disk(step: str) -> None:
        if step == "letter read":
            service.database._library.execute_sql("set transaction_read_only = on")

    def forgive_on_full_disk(database: Database, *letters: Any) -> None:
        database._library.execute_sql("set default_transaction_read_only = on")
        forgive(database, *letters)

    monkeypatch.setattr(inbox, "forgive", forgive_on_full_disk)
    with pytest.raises(StoreFault):
        replace(service, reached=fill_disk).process()
    (worker,) = workers.current_workers(service.database)
    assert worker.letters == 1
    service.heartbeat.stop()
    heir.recover()
    heir.poll()
    heir.process()
    heir.send()
    assert nothing_waits(service)


def test_where_nothing_can_be_written_the_next_worker_takes_over(
    service: Service, heir: Service, url: str
) -> None:
    """The row of a worker that leaves a full database stays, but its lock is free."""
    take_in_hand(service)
    set_full(url, True)
    service.database.close()
    with pytest.raises(StoreFault):
        service.heartbeat.stop()
    set_full(url, False)
    service.database.close()
    heir.recover()
    heir.poll()
    heir.process()
    heir.send()
    assert nothing_waits(service)


class SlowBox(MaildirMailbox):
    """A mailbox whose poll waits for its server until somebody lets go of it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.is_asked, self.is_closed, self.gave_up = Event(), Event(), False

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        self.is_asked.set()
        self.gave_up = self.is_closed.wait(PATIENT_SECONDS)
        return iter(())

    def close(self) -> None:
        self.is_closed.set()


def test_a_poll_that_waits_for_its_server_does_not_hold_up_the_end(heir: Service, tmp_path: Path) -> None:
    box, stop = SlowBox(tmp_path / "slow"), Event()
    daemon.serve(replace(heir, mailbox=box), stop, ready=lambda: box.is_asked.wait() and stop.set())
    assert box.gave_up
