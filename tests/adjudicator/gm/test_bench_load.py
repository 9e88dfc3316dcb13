"""``gm bench load``: real workers play games, and nothing is done twice, whatever the machine makes of it."""

from pathlib import Path

from tests.adjudicator.gm.conftest import Terminal
from tests.kit.servers import PostgreSQL


def test_one_worker_bears_a_load_on_a_file(terminal: Terminal, tmp_path: Path) -> None:
    chart = tmp_path / "load.svg"
    (found,) = terminal.told(f"bench load war-chest --games 1 --chart {chart}")
    assert (found["engine"], found["workers"]) == ("SQLite", 1)
    assert (found["adjudicated"], found["turns"]) == (1, 1)
    assert (found["read"], found["letters"]) == (2, 2)
    assert all(found[what] > 0 for what in ("cpu_ms_a_turn", "cpu_ms_a_letter", "memory_mb"))
    assert "Processor time a turn" in chart.read_text()


def test_two_workers_share_it_on_a_server(terminal: Terminal, postgresql: PostgreSQL) -> None:
    """And the first of many can be measured while the others wait."""
    shared = "--games 4 --first 2 --workers 2"
    (found,) = terminal.told(f"bench load war-chest {shared} --database {postgresql.fresh()}")
    assert (found["engine"], found["workers"], found["games"]) == ("PostgreSQL", 2, 4)
    assert 2 <= found["turns"] == found["adjudicated"] <= 16
    assert 4 <= found["letters"] == found["read"] <= 8


def test_what_cannot_be_measured_is_refused(terminal: Terminal) -> None:
    assert "one worker" in terminal.refused("bench load --workers 2")
    assert "is no PostgreSQL" in terminal.refused("bench load --database mysql://x/y")
