"""Services that die. A process with everything loaded forks them one after the other and reports how each
ended, so that a death costs a tenth of a second instead of the start of an interpreter.

A service works like the daemon, round by round, until there is nothing left to do. It may kill itself at one
of `house.STEPS` or anywhere between, be stopped at a step while the test does something, or have a full
database for a while. Its clock advances with its rounds, so that a slow machine changes nothing.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import peewee

from adjudicator.admin import game_admin
from adjudicator.clock import MINUTE, Millis
from adjudicator.config.service import load_settings
from adjudicator.errors import Fault
from adjudicator.mail.maildir import Known, Mailbox
from adjudicator.model.mail import IncomingLetter
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox, outbox
from tests.kit import pictures
from tests.kit.attack_service import IROQUOIS, attacked_service
from tests.kit.mail import letter

ENDLESS_SECONDS = 600.0
"""A service that still has work after this time will never finish."""

ROUND: Millis = MINUTE
"""The clock's advance per round. It advances further if the next email is due later."""

NO_LIMIT = 1_073_741_823

HELD = "held"

SEEN = "letters seen"
"""A step in addition to `house.STEPS`: the mailbox is open, and its emails are about to be fetched."""


@dataclass(frozen=True)
class FileClock:
    """A clock in a file: the same for all services, and advanced by their rounds."""

    file: str

    def set(self, now: Millis) -> None:
        """Set the time. All times have the same length, so a process that dies here leaves no half time."""
        with open(self.file, "r+b" if Path(self.file).exists() else "wb", buffering=0) as file:
            file.write(f"{now:020d}".encode())

    def now(self) -> Millis:
        """As in `clock.Clock`."""
        return int(Path(self.file).read_bytes())


@dataclass(frozen=True)
class ServiceRun:
    """The settings of one run of a service. hands: a folder of emails in a relay, for which the clock
    waits.

    at, time: the step at which something happens, and at which of its passes. Then the service kills itself,
    or with `held` stops until it is released. calls: it kills itself after this many function calls.
    full_rounds: the rounds in which its database can't grow. rounds: the rounds after which it ends normally
    (None: when all is done).
    """

    folder: str
    clock: FileClock
    hands: str
    at: str = "never"
    time: int = 1
    held: bool = False
    calls: int | None = None
    full_rounds: int = 0
    rounds: int | None = None


class ServiceForker:
    """The process that forks; use it as a context. module: the module that it runs with `fork_runs`."""

    def __init__(self, module: str = __name__) -> None:
        self._module = module

    def __enter__(self) -> "ServiceForker":
        self._process = subprocess.Popen(
            [sys.executable, "-m", self._module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self._said = ""
        return self

    def __exit__(self, *fault: object) -> None:
        self._process.stdin.close()
        self._process.wait(timeout=ENDLESS_SECONDS)
        self._process.stdout.close()

    def begin_run(self, life: Any) -> int:
        """Wait until the service stops at its step. Returns False if it ended before.

        Then call `let_go` or `end`.
        """
        self._process.stdin.write(json.dumps(asdict(life)) + "\n")
        return int(self._process.stdout.readline())

    def is_held(self) -> bool:
        """Wait until the service stops at its step. Returns False if it ended before. Then call `let_go`
        or `end`.
        """
        self._said = self._process.stdout.readline().strip()
        return self._said == HELD

    def let_go(self) -> None:
        """Let a stopped service continue."""
        self._process.stdin.write("\n")
        self._said = ""

    def end(self) -> int:
        """Return how the service ended: 0, or the negative number of the signal that killed it."""
        said, self._said = self._said or self._process.stdout.readline(), ""
        return int(said)

    def live(self, life: Any) -> int:
        """Run a service from start to end. Returns how it ended."""
        self.begin_run(life)
        return self.end()


def run_service(life: ServiceRun) -> None:
    """Recover, and run rounds until nothing is left to do. External errors are noted in a file."""
    if life.calls is not None:
        _die_at_call(life.calls)
    folder = Path(life.folder)
    service = open_service(load_settings(folder / "gm.toml"), life.clock, _signal_at_step(life))
    # A failed server is asked again at once, because a wait would depend on the machine's clock.
    service.mailbox._patience.failed = lambda at_least=0.0: 0.0
    service.mailbox._connections.wait_for_turn = lambda _stop: True
    service = replace(service, mailbox=_WatchedMailbox(service.mailbox, service.reached))
    service.recover()
    quiet, rounds, end = 0, 0, time.monotonic() + ENDLESS_SECONDS
    while quiet < 2 and rounds != life.rounds:
        assert time.monotonic() < end, f"never done: {outbox.counts(service.database)}"
        _limit(service, full=rounds < life.full_rounds)
        went_well = _go_round(service, folder)
        quiet = quiet + 1 if went_well and rounds >= life.full_rounds and _is_done(service) else 0
        rounds += 1
        while any(os.scandir(life.hands)):
            time.sleep(0.005)
        life.clock.set(max(life.clock.now() + ROUND, _next_due(service)))
    _limit(service, full=False)


class _WatchedMailbox:
    """A mailbox that reports when emails were seen in it."""

    def __init__(self, box: Mailbox, reached: Callable[[str], None]) -> None:
        self._box, self._reached = box, reached

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `mailbox.Mailbox`."""

        def seen(places: Sequence[str]) -> Collection[str]:
            self._reached(SEEN)
            return known(places)

        return self._box.new_letters(seen)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._box, name)


def _signal_at_step(life: ServiceRun) -> Callable[[str], None]:
    """Return the function to call at a step."""
    passed, then = 0, signal.SIGSTOP if life.held else signal.SIGKILL

    def reached(step: str) -> None:
        nonlocal passed
        passed += step == life.at
        if step == life.at and passed == life.time:
            os.kill(os.getpid(), then)

    return reached


def _die_at_call(number: int) -> None:
    """Kill this process after this many function calls, at a moment that doesn't depend on a clock."""
    left = number

    def profile(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal left
        left -= event == "call"
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(profile)


def _go_round(service: Service, folder: Path) -> bool:
    went_well = True
    for tick in (service.poll, service.process, service.send):
        try:
            tick()
        except Fault as fault:
            went_well = False
            with (folder / "faults.txt").open("a") as file:
                file.write(f"{type(fault).__name__}: {fault}\n")
    return went_well


def _is_done(service: Service) -> bool:
    counts = outbox.counts(service.database)
    return not inbox.waiting_letters(service.database) and not any(
        counts[state] for state in ("ready", "sending", "unsure")
    )


def _next_due(service: Service) -> Millis:
    """Stop the database from growing, or allow it again. A database server rejects all new data instead."""
    waiting = outbox.list_posted(service.database, 10_000, ("ready", "unsure"))
    return min((one.not_before for one in waiting), default=0)


def _limit(service: Service, full: bool) -> None:
    """Stop the database from growing, or allow it again. A database on a server rejects all new data
    instead.
    """
    library = service.database._library
    with service.database.session():
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


def load(kind: str = "indianomacy") -> None:
    """Load what a service needs for its first emails with maps: boards, labels, templates.

    A welcome needs other modules than an incoming email, and others than a turn with its reports.
    """
    with TemporaryDirectory() as folder, attacked_service(Path(folder)) as it:
        game_admin.new_game(it.service, game_admin.GameRequest(kind, "any"), secret=b"s" * 32)
        seat = next(iter(it.position("any").assignments))
        game_admin.assign(it.service, "any", seat, IROQUOIS)
        to = str(it.ours(IROQUOIS, "any")["Reply-To"])
        it.arrives(letter("all hold\nSTATUS", sender=IROQUOIS, to=to, date=it.clock.now()))
        game_admin.play_now(it.service, "any")


def fork_runs(live: Callable[[dict[str, Any]], None]) -> None:
    """For each run on standard input: fork it, print its number, wait, and print its stop and its end."""
    if pictures.begin():
        atexit.register(pictures.end)
    pictures.stop_drawing()
    load()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                live(json.loads(line))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print(child, flush=True)
        while os.WIFSTOPPED(status := os.waitpid(child, os.WUNTRACED)[1]):
            print(HELD, flush=True)
            sys.stdin.readline()
            os.kill(child, signal.SIGCONT)
        print(os.waitstatus_to_exitcode(status), flush=True)


def run_from_json(wish: dict[str, Any]) -> ServiceRun:
    """Return the run for a JSON document."""
    return ServiceRun(**{**wish, "clock": FileClock(**wish["clock"])})


if __name__ == "__main__":
    fork_runs(lambda wish: run_service(run_from_json(wish)))
