"""``gm bench load``: real workers play games, and nothing is done twice on any machine."""

import json
import os
import signal
import tempfile
from dataclasses import fields
from pathlib import Path
from time import sleep
from typing import NamedTuple

import psycopg
import pytest

from adjudicator.admin import game_admin
from adjudicator.bench import load
from adjudicator.config.service import load_settings
from adjudicator.errors import Refusal
from adjudicator.service import Service, open_service
from adjudicator.storage.tables import GameRow
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.gm_process import gm_forker
from tests.kit.servers import PostgreSQL

CONFIG = """
[service]
address = "gm@example.org"
database = "{database}"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


def test_one_worker_bears_a_load_on_a_file(terminal: Terminal, tmp_path: Path) -> None:
    chart, runs = tmp_path / "load.svg", tmp_path / "runs.json"
    (found,) = terminal.told(f"bench load war-chest --games 1 --chart {chart} --keep {runs}")
    assert (found["engine"], found["workers"]) == ("SQLite", 1)
    assert (found["adjudicated"], found["turns"]) == (1, 1)
    assert (found["read"], found["letters"]) == (2, 2)
    assert all(found[what] > 0 for what in ("cpu_ms_a_turn", "cpu_ms_a_letter", "memory_mb"))
    assert "Processor time per turn" in chart.read_text()
    (kept,) = json.loads(runs.read_text())
    assert kept == {name: round(one, 2) if isinstance(one, float) else one for name, one in found.items()}


def test_two_workers_share_it_on_a_server(terminal: Terminal, postgresql: PostgreSQL) -> None:
    """The first of many can be measured while the others wait."""
    shared = "--games 4 --first 2 --workers 2"
    (found,) = terminal.told(f"bench load war-chest {shared} --database {postgresql.fresh()}")
    assert (found["engine"], found["workers"], found["games"]) == ("PostgreSQL", 2, 4)
    assert 2 <= found["turns"] == found["adjudicated"] <= 16
    assert 4 <= found["letters"] == found["read"] <= 8


def test_a_bench_that_is_told_to_end_leaves_neither_database_nor_folder(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process of its own: ending it ends everything that it was doing."""
    url = postgresql.fresh()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    words = ["bench", "load", "war-chest", "--games", "1", "--database", url]
    with psycopg.connect(url, autocommit=True) as asked, gm_forker().running(words) as bench:

        def there() -> list[object]:
            return asked.execute("SELECT 1 FROM pg_database WHERE datname LIKE 'turnpost_load%'").fetchall()

        while not there():
            assert bench.poll() is None, bench.stderr.read()
            sleep(0.02)
        assert [*tmp_path.iterdir()]
        bench.send_signal(signal.SIGTERM)
        assert bench.wait() == 128 + signal.SIGTERM
        assert not there()
    assert not [*tmp_path.iterdir()]


def test_a_bench_told_to_end_with_a_question_on_its_way_ends_for_that(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its books can't even undo what was begun then: they take no word before that answer."""

    def asks(service: Service, *_: object) -> None:
        with service.database.writing():
            service.database._library.connection().pgconn.send_query(b"SELECT 1")
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(load, "_begin_all", asks)
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended:
        load.measure_load(load.Load("war-chest", 1), 1, postgresql.fresh())
    assert ended.value.code == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is before
    assert not [*tmp_path.iterdir()]


def test_no_worker_is_stopped_with_something_in_hand(postgresql: PostgreSQL, tmp_path: Path) -> None:
    """Nobody else could use the jobs of a stopped worker for minutes, and its transaction would be undone."""
    url = postgresql.fresh()
    (tmp_path / "gm.toml").write_text(CONFIG.format(database=url))
    service = open_service(load_settings(tmp_path / "gm.toml"))
    game_admin.new_game(service, game_admin.GameRequest("war-chest", "g"))
    signals: list[signal.Signals] = []

    def give(worker: str | None) -> None:
        with service.database.writing():
            service.database.run(GameRow.update(worker=worker))

    class Hand(NamedTuple):
        """Does what it has in hand as soon as it is let go on for the second time."""

        connection: psycopg.Connection

        def send_signal(self, number: signal.Signals) -> None:
            signals.append(number)
            if signals.count(signal.SIGCONT) == 1:
                self.connection.rollback()
            if signals.count(signal.SIGCONT) == 2:
                give(None)

    with psycopg.connect(url) as connection:
        give("somebody")
        connection.execute("SELECT 1")
        with load.pause_workers(service, [Hand(connection)]):
            assert signals == [signal.SIGSTOP, signal.SIGCONT] * 2 + [signal.SIGSTOP]
        assert signals[-1] is signal.SIGCONT


def run(
    games: int, workers: int, engine: str, orders: load.OrderStyle = "hold", **told: float
) -> load.LoadRun:
    numbers = {one.name: told.get(one.name, 1.0) for one in fields(load.LoadRun)}
    return load.LoadRun(**{**numbers, "games": games, "workers": workers, "engine": engine, "orders": orders})


def test_of_each_case_the_last_run_is_kept_and_the_chart_is_of_all(tmp_path: Path) -> None:
    """A long series may be run a part at a time, in any order."""
    file = tmp_path / "runs.json"
    load.keep(file, run(1000, 1, "SQLite", cpu_ms_a_turn=9))
    load.keep(file, run(10, 1, "SQLite", cpu_ms_a_turn=5.004))
    found = load.keep(file, run(1000, 1, "SQLite", cpu_ms_a_turn=7))
    assert [(one.games, one.cpu_ms_a_turn) for one in found] == [(10, 5.0), (1000, 7)]
    assert len(file.read_text().splitlines()) == len(found) + 2
    assert "3: a thousand" in load.chart(found)
    dense = load.keep(file, run(1000, 1, "SQLite", "dense", cpu_ms_a_turn=11))
    assert [(one.orders, one.cpu_ms_a_turn) for one in dense] == [("dense", 11), ("hold", 5.0), ("hold", 7)]
    assert "SQLite, 1, dense" in load.chart(dense)
    assert "3: a thousand" not in load.chart(load.keep(file, run(40, 1, "SQLite")))
    file.write_text('{"a": 1}')
    with pytest.raises(Refusal, match="doesn't hold runs"):
        load.keep(file, run(10, 1, "SQLite"))


def test_dense_orders_are_those_of_units_that_have_met_and_no_text_was_read_before(
    tmp_path: Path,
) -> None:
    (tmp_path / "gm.toml").write_text(CONFIG.format(database="turnpost.db"))
    service, dense = open_service(load_settings(tmp_path / "gm.toml")), load.Load("standard", 2, "dense")
    load._begin_all(service, dense, ["a", "b"])
    (_, first), (_, second) = load._write_all(service, dense, ["a", "b"])
    texts = {letter.raw.partition(b"\r\n\r\n")[2] for letter in (*first, *second)}
    assert len(texts) == len(first) + len(second) >= 10
    words = b" ".join(texts).split()
    assert words.count(b"S") >= 5
    assert words.count(b"-") >= 20
    service.database.close()


def test_what_cannot_be_measured_is_refused(terminal: Terminal) -> None:
    assert "one worker" in terminal.refused("bench load --workers 2")
    assert "isn't a PostgreSQL address" in terminal.refused("bench load --database mysql://x/y")
