"""The workers of `gm bench load` from without: begun, made to rest, measured, ended."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

from adjudicator.service import Service
from adjudicator.storage import inbox, outbox
from adjudicator.storage.tables import GameRow

Hand = subprocess.Popen[str]

PAUSE_SECONDS = 0.05
_TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def start_worker(config: Path) -> Iterator[Hand]:
    """Start a worker, and yield it when it looks for work. It is killed if it has not ended by then."""
    words = [sys.executable, "-m", "adjudicator.bench.load_worker", str(config)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def end_worker(hand: Hand) -> Counter[str]:
    """End a worker and return how often it passed each step of the service."""
    return Counter(json.loads(hand.communicate()[0].splitlines()[-1]))


@contextmanager
def at_rest(house: Service, hands: Sequence[Hand]) -> Iterator[None]:
    """Meanwhile workers on a server rest.

    None is stopped with something in hand, which for minutes would be nobody else's.
    """
    _tell(hands, signal.SIGSTOP)
    while hands and not _is_database_idle(house):
        _tell(hands, signal.SIGCONT)
        time.sleep(PAUSE_SECONDS)
        _tell(hands, signal.SIGSTOP)
    try:
        yield
    finally:
        _tell(hands, signal.SIGCONT)


def _tell(hands: Sequence[Hand], number: signal.Signals) -> None:
    for hand in hands:
        hand.send_signal(number)


def _is_database_idle(house: Service) -> bool:
    """Return whether nobody has anything in hand, nor a transaction open, but for this process."""
    with house.database.session():
        if not is_quiet(house):
            return False
    with psycopg.connect(house.settings.database) as asked:
        row = asked.execute(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"
        ).fetchone()
    return row == (0,)


def is_quiet(house: Service) -> bool:
    """Return whether every letter was read, no game is being processed, and every letter of ours was sent."""
    in_hand = GameRow.select().where(GameRow.worker.is_null(False))
    if inbox.waiting_letters(house.database, limit=1) or house.database.count(in_hand):
        return False
    counts = outbox.counts(house.database)
    return not any(counts[state] for state in ("ready", "sending", "unsure"))


def busy(hands: Sequence[Hand]) -> float:
    """The processor time of some workers until now, in seconds."""
    return sum(_cpu_seconds(hand.pid) for hand in hands)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_kb(hand: Hand) -> int:
    """The most memory that a worker ever took."""
    lines = Path(f"/proc/{hand.pid}/status").read_text().splitlines()
    return int(dict(line.split(":", 1) for line in lines)["VmHWM"].split()[0])
