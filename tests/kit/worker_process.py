"""Workers, each in a process of its own as `gm serve` is one, that stop or die at a step and count the steps.

A process that has everything loaded forks them, so that one costs a tenth of a second and not the start of an
interpreter. What a worker says stands in a file: "ready", "there" before it sends itself its signal at the
step, and at its orderly end the counts, in JSON.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from adjudicator.config.service import load_settings
from adjudicator.context import ServiceContext
from adjudicator.daemon import daemon
from adjudicator.service import open_service
from adjudicator.storage import database, outbox
from tests.kit import crashing_service, pictures

NEVER = "never"
ENDLESS_SECONDS = 600
_LOOK_SECONDS = 0.25
_GRACE_SECONDS = 5


@dataclass(frozen=True)
class Work:
    """How a worker is to work. folder: where its gm.toml is; said: the file into which it speaks.

    lease, out_lease: in milliseconds, for turns and letters in, and for letters out; step, by: the step at
    which it sends itself which signal, once; answers: so many an address gets in an hour.
    """

    folder: str
    said: str
    lease: int = 300_000
    out_lease: int = 900_000
    step: str = NEVER
    by: int = signal.SIGSTOP
    answers: int = ServiceContext.answers_an_hour


@dataclass(frozen=True)
class Workhand:
    """A worker that runs."""

    pid: int
    said: Path

    def has_said(self, what: str) -> bool:
        """Whether it has said that by now."""
        return what in self.said.read_text().splitlines()

    def says(self, what: str) -> None:
        """Wait until it says that."""
        wait_until(lambda: self.has_said(what) or self.is_gone())
        assert self.has_said(what), self.said.read_text()

    def is_gone(self) -> bool:
        """Whether it is no more."""
        return not Path(f"/proc/{self.pid}").exists()

    def goes_on(self) -> None:
        """It is woken."""
        os.kill(self.pid, signal.SIGCONT)

    def ends(self) -> Counter[str]:
        """Stop it in good order. How often it passed which step."""
        os.kill(self.pid, signal.SIGTERM)
        return self.ended()

    def ended(self) -> Counter[str]:
        """Wait for its orderly end. How often it passed which step."""
        wait_until(self.is_gone)
        said = self.said.read_text()
        assert said.endswith("}\n"), said
        return Counter(json.loads(said.splitlines()[-1]))

    def kill(self) -> None:
        """Let nothing stay of it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        wait_until(self.is_gone)


class Yard:
    """Where workers are hired: the process that forks them. Use as a context; it ends with all of them.

    kind: which game they will play. They need not get ready for it one by one.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __enter__(self) -> Self:
        words = [sys.executable, "-m", "tests.kit.worker_process", self._kind]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._hired: list[Workhand] = []
        return self

    def __exit__(self, *fault: object) -> None:
        self.dismiss()
        self._process.stdin.close()
        self._process.wait(timeout=ENDLESS_SECONDS)
        self._process.stdout.close()

    def dismiss(self) -> None:
        """End all who are still there, at once."""
        for hand in self._hired:
            hand.kill()

    def hire(self, folder: Path, **how: object) -> Workhand:
        """One who has begun to work when this returns, unless its step came first. how: as in `Work`."""
        said = folder / f"said-{len(self._hired)}-{time.monotonic_ns()}"
        said.touch()
        self._process.stdin.write(json.dumps(asdict(Work(str(folder), str(said), **how))) + "\n")
        hand = Workhand(int(self._process.stdout.readline()), said)
        self._hired.append(hand)
        wait_until(lambda: hand.has_said("ready") or hand.has_said("there") or hand.is_gone())
        assert said.read_text(), "it did not begin"
        return hand

    @contextmanager
    def workhand(self, folder: Path, **how: object) -> Iterator[Workhand]:
        """One who works meanwhile."""
        hand = self.hire(folder, **how)
        try:
            yield hand
        finally:
            hand.kill()


def wait_until(done: Callable[[], bool]) -> None:
    """Wait for something that a worker does."""
    end = time.monotonic() + ENDLESS_SECONDS
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def work(how: Work) -> None:
    """Work until SIGTERM."""
    passed: Counter[str] = Counter()
    said = open(how.said, "a", buffering=1)  # noqa: SIM115 - as long as the process

    def reached(name: str) -> None:
        passed[name] += 1
        if name == how.step and passed[name] == 1:
            said.write("there\n")
            # This thread stops here and now; of a process it might be another, and this one a little later.
            signal.pthread_kill(threading.get_ident(), how.by)

    # A server waits as long as that for one who was stopped, and we for a server; nobody here is to.
    database.IDLE_TRANSACTION_SECONDS = database.STUCK_SESSION_SECONDS = _GRACE_SECONDS
    daemon.PRESENCE_SECONDS, outbox.HELD_PAUSE = 1, 1000
    house = open_service(load_settings(Path(how.folder) / "gm.toml"), reached=reached)
    office = replace(house.office, answers_an_hour=how.answers)
    house = replace(house, lease=how.lease, out_lease=how.out_lease, office=office)
    daemon.serve(house, ready=lambda: said.write("ready\n"), seconds=_LOOK_SECONDS)
    said.write(json.dumps(passed) + "\n")


def _hire_all(kind: str) -> None:
    """For each work on the standard input: fork who does it, and tell his number."""
    if pictures.begin():
        atexit.register(pictures.end)
    crashing_service.load(kind)
    # Nobody waits for how they end: the system is not to keep it.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                work(Work(**json.loads(line)))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    _hire_all(sys.argv[1])
