"""Processes of `gm` with everything loaded, forked from one that has written an email with a map.

Starting an interpreter, loading a service and drawing a first map take two seconds, which tests of commands
and signals don't need. The start itself (imports, the entry point) has its own tests: test_loading,
test_at_rest, test_help and tests/deploy/test_wheel.
"""

import atexit
import json
import os
import random
import select
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

SECONDS = 300.0
"""A process that takes longer hangs."""

_BIGGEST = 1 << 18
_ROOT = Path(__file__).parents[2]


class ForkedGm:
    """A process of `gm` with the methods of `subprocess.Popen`. stdin, stdout, stderr: if they are pipes."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO

    def __init__(self, told: int) -> None:
        self._told = told
        self.pid = int(self._line())
        self.returncode: int | None = None

    def wait(self, timeout: float = SECONDS) -> int:
        """Return how it ended: its exit code, or the negative number of the signal that killed it."""
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("gm", timeout)
            self.returncode = int(self._line())
            os.close(self._told)
        return self.returncode

    def poll(self) -> int | None:
        """Return the same if it has ended, otherwise None."""
        is_over = self.returncode is not None or select.select([self._told], [], [], 0)[0]
        return self.wait() if is_over else None

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def communicate(self, given: str = "") -> tuple[str, str]:
        """Write its input, read the rest of its output, and wait for its end."""
        self.stdin.write(given)
        self.stdin.close()
        rest = self.stdout.read(), self.stderr.read()
        self.wait()
        return rest

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            byte = os.read(self._told, 1)
            assert byte, "the springboard is no more"
            line += byte
        return line


class GmForker:
    """The process that forks. python: the interpreter that has `gm`. None: this one, with this checkout."""

    def __init__(self, python: Path | None = None, around: Mapping[str, str] | None = None) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        mine = [sys.executable, "-m", __name__]
        words = [*(mine if python is None else [str(python), "-P", __file__]), str(theirs.fileno())]
        place, self._socket = {"cwd": _ROOT} if python is None else {}, ours
        self._process = subprocess.Popen(words, pass_fds=[theirs.fileno()], env=around, **place)
        theirs.close()

    def start(
        self,
        words: Sequence[str],
        files: tuple[int, int, int],
        around: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> ForkedGm:
        """Start `gm` with these words. files: its standard input, output and error. The caller closes
        them.
        """
        told, telling = os.pipe()
        wish = {
            "words": list(words),
            "around": dict(os.environ if around is None else around),
            "folder": str(folder or Path.cwd()),
        }
        socket.send_fds(self._socket, [json.dumps(wish).encode()], [*files, telling])
        os.close(telling)
        return ForkedGm(told)

    def run(
        self,
        words: Sequence[str],
        given: bytes = b"",
        around: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run `gm` to its end. given: its standard input."""
        files = [os.memfd_create(name) for name in ("input", "output", "error")]
        try:
            os.pwrite(files[0], given, 0)
            code = self.start(words, (files[0], files[1], files[2]), around, folder).wait()
            said, complained = (os.pread(file, os.fstat(file).st_size, 0) for file in files[1:])
        finally:
            for file in files:
                os.close(file)
        return subprocess.CompletedProcess(["gm", *words], code, said, complained)

    @contextmanager
    def running(self, words: Sequence[str]) -> Iterator[ForkedGm]:
        """Run `gm` with pipes inside the context, and end it afterwards in any case."""
        pipes = [os.pipe() for _ in range(3)]
        (given, giving), (saying, said), (complaining, complained) = pipes
        one = self.start(words, (given, said, complained))
        for theirs in (given, said, complained):
            os.close(theirs)
        one.stdin, one.stdout, one.stderr = os.fdopen(giving, "w"), os.fdopen(saying), os.fdopen(complaining)
        with one.stdin, one.stdout, one.stderr:
            try:
                yield one
            finally:
                one.send_signal(signal.SIGKILL)
                one.wait()

    def close(self) -> None:
        """Stop forking."""
        self._socket.close()
        self._process.wait(SECONDS)

    def __enter__(self) -> "GmForker":
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()


@cache
def gm_forker() -> GmForker:
    """Return the forker of this test process, with this checkout."""
    board = GmForker()
    atexit.register(board.close)
    return board


def _load() -> None:
    """Load what `gm` needs for any command, and for its first email with a map."""
    app, commands = import_module("adjudicator.cli.app"), import_module("adjudicator.cli.commands")
    for name in commands.COMMAND_SUMMARIES:
        commands.load_command(name)
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        for line in (
            "init --no-local --yes --timezone UTC",
            "game new indianomacy any",
            "seat assign any iroquois iroquois@example.org",
        ):
            app.app(line.split(), prog_name="gm", standalone_mode=False)
        os.chdir("/")


def _fork_on_request(asked: socket.socket) -> dict[str, object] | None:
    """Fork on each request, and report how each fork ends. Returns the task in the fork, otherwise None."""
    watched, living = selectors.DefaultSelector(), dict[int, tuple[int, int]]()
    watched.register(asked, selectors.EVENT_READ)
    while True:
        for key, _ in watched.select():
            if key.fd != asked.fileno():
                pid, telling = living.pop(key.fd)
                os.write(telling, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                watched.unregister(key.fd)
                os.close(key.fd)
                os.close(telling)
                continue
            wish, files, _, _ = socket.recv_fds(asked, _BIGGEST, 4)
            if not wish:
                return None
            pid = os.fork()
            if pid == 0:
                watched.close()
                for place, file in enumerate(files[:3]):
                    os.dup2(file, place)
                return dict(json.loads(wish))
            for file in files[:3]:
                os.close(file)
            os.write(files[3], b"%d\n" % pid)
            watched.register(pidfd := os.pidfd_open(pid), selectors.EVENT_READ)
            living[pidfd] = pid, files[3]


def _run_command(words: Sequence[str], around: Mapping[str, str], folder: str) -> None:
    """Set up the surroundings of a new process, then run the command."""
    os.closerange(3, 1024)
    os.environ.clear()
    os.environ.update(around)
    os.chdir(folder)
    time.tzset()
    random.seed()
    tempfile.tempdir = None
    sys.argv = ["gm", *words]
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _serve(asked: socket.socket) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the interrupted test run ends us itself
    said = sys.stdout
    with open(os.devnull, "w") as sys.stdout:
        _load()
    sys.stdout = said
    wish = _fork_on_request(asked)
    if wish is not None:
        _run_command(**wish)  # type: ignore[arg-type]
        code = _exit_code(import_module("adjudicator.cli.app").main)
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.main_thread():
                thread.join()
        sys.stdout.flush()
        # Freeing the memory would take longer than most of the work.
        os._exit(code)


def _exit_code(main: Callable[[], None]) -> int:
    """Return the exit code of a process that runs this function."""
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    if __package__:
        import_module("tests.kit.pictures").go_on()
    _serve(socket.socket(fileno=int(sys.argv[1])))
