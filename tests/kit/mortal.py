"""Services that die. A process that has everything loaded forks one of them after the other, and tells how
each ended; so a death costs a tenth of a second and not the start of an interpreter.

A service works as the daemon does, tick by tick, until there is nothing left to do. It may kill itself as it
passes one of `house.STEPS`, be killed from outside, or find its database full for a while.
"""

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path

import peewee

from adjudicator.clock import Millis
from adjudicator.errors import Fault
from adjudicator.house import House, open_house
from adjudicator.settings.service import load_settings
from adjudicator.store import inbox, outbox

ENDLESS_SECONDS = 60.0
"""A service that has something left to do for so long will never be done."""

NO_LIMIT = 1_073_741_823


@dataclass(frozen=True)
class FastClock:
    """A clock that began at `start` when the machine's stood at `real`, and goes `speed` times as fast."""

    start: Millis
    real: float
    speed: int

    def now(self) -> Millis:
        """As in `clock.Clock`."""
        return self.start + round((time.time() - self.real) * 1000 * self.speed)


@dataclass(frozen=True)
class Life:
    """How a service is to live. step, time: where it kills itself, and at which passing; full_rounds: for how
    many rounds its database cannot grow; seconds: after which it is stopped in good order (None: when nothing
    is left to do)."""

    folder: str
    clock: FastClock
    step: str = "never"
    time: int = 1
    full_rounds: int = 0
    seconds: float | None = None


class Nursery:
    """The process that forks. Use as a context."""

    def __enter__(self) -> "Nursery":
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.mortal"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        return self

    def __exit__(self, *fault: object) -> None:
        self._process.stdin.close()
        self._process.wait(timeout=ENDLESS_SECONDS)
        self._process.stdout.close()

    def bear(self, life: Life) -> int:
        """Begin a service. Returns its process number; `end` is to be asked before the next one begins."""
        self._process.stdin.write(json.dumps(asdict(life)) + "\n")
        return int(self._process.stdout.readline())

    def end(self) -> int:
        """How the service ended: 0, or minus the signal that killed it."""
        return int(self._process.stdout.readline())

    def live(self, life: Life) -> int:
        """A whole life. Returns how it ended."""
        self.bear(life)
        return self.end()


def live(life: Life) -> None:
    """Recover, and go round until nothing is left to do. Faults of the world are noted in a file."""
    passed = 0

    def reached(step: str) -> None:
        nonlocal passed
        passed += step == life.step
        if step == life.step and passed == life.time:
            os.kill(os.getpid(), signal.SIGKILL)

    folder = Path(life.folder)
    house = open_house(load_settings(folder / "gm.toml"), life.clock, reached)
    house.recover()
    quiet, rounds, begun = 0, 0, time.monotonic()
    while quiet < 2 and time.monotonic() < begun + (life.seconds or ENDLESS_SECONDS):
        _limit(house, full=rounds < life.full_rounds)
        went_well = _go_round(house, folder)
        quiet = quiet + 1 if went_well and rounds >= life.full_rounds and _is_done(house) else 0
        rounds += 1
        time.sleep(0.02)
    _limit(house, full=False)
    assert quiet or life.seconds, f"never done: {outbox.counts(house.database)}"


def _go_round(house: House, folder: Path) -> bool:
    went_well = True
    for tick in (house.poll, house.process, house.send):
        try:
            tick()
        except Fault as fault:
            went_well = False
            with (folder / "faults.txt").open("a") as file:
                file.write(f"{type(fault).__name__}: {fault}\n")
    return went_well


def _is_done(house: House) -> bool:
    counts = outbox.counts(house.database)
    return not inbox.unhandled(house.database) and not any(
        counts[state] for state in ("ready", "sending", "unsure")
    )


def _limit(house: House, full: bool) -> None:
    """Let the database grow no more, or again. One on a server takes nothing new at all instead."""
    library = house.database._library
    with house.database.session():
        if isinstance(library, peewee.PostgresqlDatabase):
            library.execute_sql("set default_transaction_read_only = off")
            (name,) = library.execute_sql("select current_database()").fetchone()
            library.execute_sql(
                f"alter database {name} set default_transaction_read_only = {'on' if full else 'off'}"
            )
            return
        if full:
            library.execute_sql("vacuum")
        pages = library.execute_sql("pragma page_count").fetchone()[0]
        library.pragma("max_page_count", pages if full else NO_LIMIT, permanent=True)


def main() -> None:
    """For each life on the standard input: fork it, tell its number, wait, tell how it ended."""
    for line in sys.stdin:
        wish = json.loads(line)
        life = Life(**{**wish, "clock": FastClock(**wish["clock"])})
        child = os.fork()
        if child == 0:
            try:
                live(life)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
