"""Monitoring reports a full disk, for a database file and for a database server."""

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.daemon.environment import disk_space
from adjudicator.daemon.metrics import problems
from adjudicator.service import Service, open_service
from adjudicator.storage import metadata
from adjudicator.storage.database import open_database
from adjudicator.storage.tables import MetaRow
from tests.kit.servers import PostgreSQL, run_unprivileged

NOW = 1_795_000_000_000
CONFIG = """\
[service]
address = "gm@example.org"
database = "{database}"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


def opened_service(folder: Path, database: str) -> Service:
    """A service that has just looked through its mailbox."""
    (folder / "gm.toml").write_text(CONFIG.format(database=database))
    service = open_service(load_settings(folder / "gm.toml"), ManualClock(NOW))
    service.poll()
    return service


@pytest.fixture
def in_file(tmp_path: Path) -> Iterator[Service]:
    """A service on SQLite."""
    service = opened_service(tmp_path, "turnpost.db")
    yield service
    service.database.close()


@pytest.fixture
def on_server(tmp_path: Path, postgresql: PostgreSQL) -> Iterator[Service]:
    """A service on PostgreSQL."""
    service = opened_service(tmp_path, postgresql.fresh())
    yield service
    service.database.close()


def with_free_space(monkeypatch: pytest.MonkeyPatch, free_bytes: int) -> None:
    """Have every disk tell that it has so much room."""
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage._replace(free=free_bytes))


@pytest.mark.parametrize(
    ("free_bytes", "grades"), [(50_000_000, ["bad"]), (500_000_000, ["odd"]), (5_000_000_000, [])]
)
def test_monitoring_hears_of_the_disk_of_the_database(
    in_file: Service, monkeypatch: pytest.MonkeyPatch, free_bytes: int, grades: list[str]
) -> None:
    with_free_space(monkeypatch, free_bytes)
    assert [(one.about, one.grade) for one in problems(in_file, NOW)] == [("disk", grade) for grade in grades]


def test_folders_on_one_disk_are_told_of_once(in_file: Service, tmp_path: Path) -> None:
    (only,) = disk_space(in_file)
    assert str(tmp_path) in only.said


def test_a_server_with_room(on_server: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    with_free_space(monkeypatch, 5_000_000_000)
    assert [one.grade for one in disk_space(on_server)] == ["good", "good"]
    assert problems(on_server, NOW) == ()


def test_a_server_whose_disk_is_full(
    on_server: Service, postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit on the size of its files stops PostgreSQL as a full disk does."""
    with_free_space(monkeypatch, 5_000_000_000)
    asked = on_server.database._library
    with on_server.database.session():
        (pid,) = asked.execute_sql("select pg_backend_pid()").fetchone()
        words = ["prlimit", f"--pid={pid}", "--fsize=500000"]
        # Only the user of a process may limit it.
        assert run_unprivileged(words, postgresql.folder / "limit").wait() == 0
        (full,) = problems(on_server, NOW)
    assert (full.about, full.grade) == ("disk", "bad")
    assert "could not extend file" in full.said


def test_a_trial_leaves_nothing(on_server: Service) -> None:
    before = on_server.database._library.get_tables()
    metadata.try_to_grow(on_server.database)
    assert on_server.database._library.get_tables() == before
    on_server.database.close()


def test_trials_at_the_same_moment_do_not_disturb_each_other(on_server: Service) -> None:
    """Monitoring asks, and the counters are read."""

    def try_often(number: int) -> None:
        with on_server.database.session():
            for _ in range(5):
                metadata.try_to_grow(on_server.database)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(try_often, range(4))) == [None] * 4


def test_a_user_who_may_make_no_tables_hears_nothing(on_server: Service) -> None:
    """Its failure says nothing about the disk and must raise no alarm."""
    url = on_server.settings.database
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("create role reader login")
        server.execute("revoke create on schema public from public")
        server.execute("grant all on all tables in schema public to reader")
    reader = open_database(url.replace("turnpost@", "reader@"))
    try:
        metadata.try_to_grow(reader)
        assert reader.count(MetaRow.select()) > 0
    finally:
        reader.close()
        with psycopg.connect(url, autocommit=True) as server:
            server.execute("drop owned by reader")
            server.execute("drop role reader")
