"""``gm bench load``: real workers play games, and nothing is done twice, whatever the machine makes of it."""

import json
import os
import signal
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from time import sleep

import psycopg
import pytest

from adjudicator.bench import load
from adjudicator.errors import Refusal
from tests.adjudicator.gm.conftest import Terminal
from tests.kit.servers import PostgreSQL


def test_one_worker_bears_a_load_on_a_file(terminal: Terminal, tmp_path: Path) -> None:
    chart, runs = tmp_path / "load.svg", tmp_path / "runs.json"
    (found,) = terminal.told(f"bench load war-chest --games 1 --chart {chart} --keep {runs}")
    assert (found["engine"], found["workers"]) == ("SQLite", 1)
    assert (found["adjudicated"], found["turns"]) == (1, 1)
    assert (found["read"], found["letters"]) == (2, 2)
    assert all(found[what] > 0 for what in ("cpu_ms_a_turn", "cpu_ms_a_letter", "memory_mb"))
    assert "Processor time a turn" in chart.read_text()
    (kept,) = json.loads(runs.read_text())
    assert kept == {name: round(one, 2) if isinstance(one, float) else one for name, one in found.items()}


def test_two_workers_share_it_on_a_server(terminal: Terminal, postgresql: PostgreSQL) -> None:
    """And the first of many can be measured while the others wait."""
    shared = "--games 4 --first 2 --workers 2"
    (found,) = terminal.told(f"bench load war-chest {shared} --database {postgresql.fresh()}")
    assert (found["engine"], found["workers"], found["games"]) == ("PostgreSQL", 2, 4)
    assert 2 <= found["turns"] == found["adjudicated"] <= 16
    assert 4 <= found["letters"] == found["read"] <= 8


def test_a_bench_that_is_told_to_end_leaves_neither_database_nor_folder(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgresql.fresh()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with psycopg.connect(url, autocommit=True) as asked, ThreadPoolExecutor() as pool:

        def there() -> list[object]:
            return asked.execute("SELECT 1 FROM pg_database WHERE datname LIKE 'turnpost_load%'").fetchall()

        def end_it() -> None:
            while not there():
                sleep(0.05)
            os.kill(os.getpid(), signal.SIGTERM)

        before = signal.getsignal(signal.SIGTERM)
        pool.submit(end_it)
        with pytest.raises(SystemExit) as ended:
            load.measure("war-chest", 1, 1, url)
        assert ended.value.code == 128 + signal.SIGTERM
        assert not there()
        assert not [*tmp_path.iterdir()]
        assert signal.getsignal(signal.SIGTERM) is before


def run(games: int, workers: int, engine: str, **told: float) -> load.Load:
    numbers = {one.name: told.get(one.name, 1.0) for one in fields(load.Load)}
    return load.Load(**{**numbers, "games": games, "workers": workers, "engine": engine})


def test_of_each_case_the_last_run_is_kept_and_the_chart_is_of_all(tmp_path: Path) -> None:
    """A long series may be run a part at a time, in any order."""
    file = tmp_path / "runs.json"
    load.keep(file, run(1000, 1, "SQLite", cpu_ms_a_turn=9))
    load.keep(file, run(10, 1, "SQLite", cpu_ms_a_turn=5.004))
    found = load.keep(file, run(1000, 1, "SQLite", cpu_ms_a_turn=7))
    assert [(one.games, one.cpu_ms_a_turn) for one in found] == [(10, 5.0), (1000, 7)]
    assert len(file.read_text().splitlines()) == len(found) + 2
    assert "3: a thousand" in load.chart(found)
    assert "3: a thousand" not in load.chart(load.keep(file, run(40, 1, "SQLite")))
    file.write_text('{"a": 1}')
    with pytest.raises(Refusal, match="holds no runs"):
        load.keep(file, run(10, 1, "SQLite"))


def test_what_cannot_be_measured_is_refused(terminal: Terminal) -> None:
    assert "one worker" in terminal.refused("bench load --workers 2")
    assert "is no PostgreSQL" in terminal.refused("bench load --database mysql://x/y")
