"""Workers, each in its own process like `gm serve`, that stop or die at a step and count the steps.

A process with everything loaded forks them, so that one costs a tenth of a second instead of the start of an
interpreter. A worker writes to a file: "ready", "there" before it sends itself its signal at the step, and at
its orderly end the counts, in JSON.
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
class WorkerSettings:
    """The settings of a worker. folder: the folder of its gm.toml. output: the file that it writes to.

    lease, out_lease: in milliseconds, for turns and incoming emails, and for outgoing emails. step, by: the
    step at which it sends itself this signal, once. answers: the maximum replies per address in an hour.
    """

    folder: str
    output: str
    lease: int = 300_000
    out_lease: int = 900_000
    step: str = NEVER
    by: int = signal.SIGSTOP
    answers: int = ServiceContext.answers_an_hour


@dataclass(frozen=True)
class WorkerProcess:
    """A running worker."""

    pid: int
    output: Path

    def has_written(self, what: str) -> bool:
        """Return whether it has written this word."""
        return what in self.output.read_text().splitlines()

    def says(self, what: str) -> None:
        """Wait until it writes this word."""
        wait_until(lambda: self.has_written(what) or self.is_gone())
        assert self.has_written(what), self.output.read_text()

    def is_gone(self) -> bool:
        """Return whether it has ended."""
        return not Path(f"/proc/{self.pid}").exists()

    def goes_on(self) -> None:
        """Continue a stopped worker."""
        os.kill(self.pid, signal.SIGCONT)

    def ends(self) -> Counter[str]:
        """End it normally. Returns how often it passed each step."""
        os.kill(self.pid, signal.SIGTERM)
        return self.ended()

    def ended(self) -> Counter[str]:
        """Wait for its normal end. Returns how often it passed each step."""
        wait_until(self.is_gone)
        output = self.output.read_text()
        assert output.endswith("}\n"), output
        return Counter(json.loads(output.splitlines()[-1]))

    def kill(self) -> None:
        """Kill it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        wait_until(self.is_gone)


class WorkerPool:
    """The process that forks workers. Use it as a context, whose end ends them all.

    kind: the game that they will process, loaded once for all.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __enter__(self) -> Self:
        words = [sys.executable, "-m", "tests.kit.worker_process", self._kind]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._workers: list[WorkerProcess] = []
        return self

    def __exit__(self, *fault: object) -> None:
        self.kill_all()
        self._process.stdin.close()
        self._process.wait(timeout=ENDLESS_SECONDS)
        self._process.stdout.close()

    def kill_all(self) -> None:
        """Kill all remaining workers."""
        for worker in self._workers:
            worker.kill()

    def start_worker(self, folder: Path, **how: object) -> WorkerProcess:
        """Start a worker and wait until it works or reaches its step. how: as in `WorkerSettings`."""
        output = folder / f"output-{len(self._workers)}-{time.monotonic_ns()}"
        output.touch()
        self._process.stdin.write(json.dumps(asdict(WorkerSettings(str(folder), str(output), **how))) + "\n")
        worker = WorkerProcess(int(self._process.stdout.readline()), output)
        self._workers.append(worker)
        wait_until(lambda: worker.has_written("ready") or worker.has_written("there") or worker.is_gone())
        assert output.read_text(), "it did not begin"
        return worker

    @contextmanager
    def running_worker(self, folder: Path, **how: object) -> Iterator[WorkerProcess]:
        """Run a worker inside the context."""
        worker = self.start_worker(folder, **how)
        try:
            yield worker
        finally:
            worker.kill()


def wait_until(done: Callable[[], bool]) -> None:
    """Wait for something that a worker does."""
    end = time.monotonic() + ENDLESS_SECONDS
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def run_worker(how: WorkerSettings) -> None:
    """Work until SIGTERM."""
    passed: Counter[str] = Counter()
    output = open(how.output, "a", buffering=1)  # noqa: SIM115 - as long as the process

    def reached(name: str) -> None:
        passed[name] += 1
        if name == how.step and passed[name] == 1:
            output.write("there\n")
            # This stops exactly this thread at once. A signal to the process might stop another one, a little
            # later.
            signal.pthread_kill(threading.get_ident(), how.by)

    # A server waits that long for a stopped client, and we for a server. Nobody here should.
    database.IDLE_TRANSACTION_SECONDS = database.STUCK_SESSION_SECONDS = _GRACE_SECONDS
    daemon.PRESENCE_SECONDS, outbox.HELD_PAUSE = 1, 1000
    service = open_service(load_settings(Path(how.folder) / "gm.toml"), reached=reached)
    service_context = replace(service.service_context, answers_an_hour=how.answers)
    service = replace(service, lease=how.lease, out_lease=how.out_lease, service_context=service_context)
    daemon.serve(service, ready=lambda: output.write("ready\n"), seconds=_LOOK_SECONDS)
    output.write(json.dumps(passed) + "\n")


def _fork_workers(kind: str) -> None:
    """For each task on standard input: fork a worker for it, and print its process number."""
    if pictures.begin():
        atexit.register(pictures.end)
    pictures.stop_drawing()
    crashing_service.load(kind)
    # Nobody waits for their ends, so the system mustn't keep them.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                run_worker(WorkerSettings(**json.loads(line)))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    _fork_workers(sys.argv[1])
