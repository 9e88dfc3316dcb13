"""Runs tests in several processes: `python .ci/heaps.py [--lanes N] [--files] FOLDER… [-- PYTEST'S WORDS…]`.

What lies in a folder shares fixtures and is a heap; with --files each file is one. The longest come first,
each on the next lane that is free. A heap is a run of pytest of its own, in a fork of this process, which has
loaded what nearly every test needs: so nothing is collected twice, and no report goes from one process to
another. What a heap that fails says is printed when it has ended, and what failed once more at the end.
"""

import gc
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from hypothesis import given, settings
from hypothesis.errors import HypothesisSideeffectWarning
from hypothesis.strategies import integers

ROOT = Path(__file__).parents[1]
Heap = tuple[str, list[str]]
"""What it is called, and the files that are in it."""

LOADED = ("_hypothesis_pytestplugin", "tests.kit.browser", "tests.kit.service_harness")

BESIDE = ("-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Processes beside each other keep no notes in one place; what is loaded already cannot have its assertions
rewritten, and need not."""

LONGEST = (
    "tests/mutants",
    "tests/system",
    "tests/adjudicator/cli",
    "tests/adjudicator/reports",
    "tests/adjudicator/order_page",
    "tests/adjudicator/website",
    "tests/adjudicator",
    "tests/deploy",
    "tests/games/diplomacy",
    "tests/games",
    "tests/docs",
    "tests/contract",
    "tests/orders",
    "tests/architecture",
)
"""Each is a heap but for what belongs to those before it, the longest first."""

TOLD_AGAIN = ("FAILED ", "ERROR ", "LEFT OUT: ")
NOTHING_CHOSEN = int(pytest.ExitCode.NO_TESTS_COLLECTED)


def heaps(folders: list[str], of_files: bool) -> list[Heap]:
    """The tests below some folders, the longest heap first."""
    files = sorted({str(file) for folder in folders for file in Path(folder).rglob("test_*.py")})
    found: dict[str, list[str]] = {}
    for file in sorted(files, key=lambda file: [*LONGEST, _whose(file)].index(_whose(file))):
        found.setdefault(file if of_files else _whose(file), []).append(file)
    return [*found.items()]


def _whose(file: str) -> str:
    """The folder to whose heap a file belongs: its own, where no heap is told for it."""
    above = str(Path(file).parent)
    return next((folder for folder in LONGEST if f"{above}/".startswith(f"{folder}/")), above)


class Lanes:
    """So many processes beside each other, which write into a folder what they say."""

    def __init__(self, count: int, folder: Path) -> None:
        self.count, self.folder = count, folder
        self.running: dict[int, tuple[str, float]] = {}
        self.codes: list[int] = []
        self.again: list[str] = []

    def deal(self, heaps: list[Heap]) -> Heap | None:
        """Have all of them run. In the fork that is to run one it returns that heap; at the end None."""
        for heap in heaps:
            if len(self.running) == self.count:
                self._wait()
            sys.stdout.flush()
            if (child := os.fork()) == 0:
                return heap
            self.running[child] = (heap[0], time.monotonic())
        while self.running:
            self._wait()
        return None

    def said(self, process: int) -> Path:
        """Where a process writes."""
        return self.folder / f"{process}.said"

    def is_sound(self) -> bool:
        """Whether all went well that was chosen, and something was."""
        return 0 in self.codes and not {*self.codes} - {0, NOTHING_CHOSEN}

    def end(self) -> None:
        """Have what is still running end its servers, and itself."""
        for child in self.running:
            os.kill(child, signal.SIGINT)
        while self.running:
            self.running.pop(os.wait()[0], None)

    def _wait(self) -> None:
        child, status, used = os.wait3(0)
        name, since = self.running.pop(child)
        code, said = os.waitstatus_to_exitcode(status), self.said(child).read_text(errors="replace")
        lines = [line for line in said.splitlines() if line]
        again = [line for line in lines if line.startswith(TOLD_AGAIN)]
        self.codes.append(code)
        if code not in (0, NOTHING_CHOSEN):
            print(said)
            again = again or [f"FAILED {name}: pytest ended with {code}"]
        self.again += again
        passed, worked = time.monotonic() - since, used.ru_utime + used.ru_stime
        print(
            f"{name}: {lines[-1] if lines else 'nothing'}; {worked:.0f} s of work in {passed:.0f}", flush=True
        )


def load() -> None:
    """Load what most tests need, as strictly as pytest would, and keep it out of every search for garbage."""
    sys.path.insert(0, str(ROOT))
    gc.disable()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in LOADED:
            import_module(name)
        for package in map(import_module, ("games", "orders", "adjudicator")):
            for found in walk_packages(package.__path__, f"{package.__name__}."):
                if not found.name.endswith("__main__"):
                    import_module(found.name)
        # It holds that at this time a plugin should not ask it for numbers.
        warnings.simplefilter("ignore", HypothesisSideeffectWarning)
        _meet_hypothesis()
    gc.freeze()
    gc.enable()


@settings(max_examples=1, database=None)
@given(integers())
def _meet_hypothesis(number: int) -> None:
    """Have it read the constants of all that is loaded, which it would do in each heap."""


@contextmanager
def shared() -> Iterator[Path]:
    """What is made once in a run is made once for all heaps, and is gone at the end, with the folder."""
    from tests.kit import cached_services, caches, pictures, temporary_files

    temporary_files.settle()
    begun = [kept for kept in (pictures, cached_services, caches) if kept.begin()]
    folder, first = tempfile.mkdtemp(prefix="heaps-"), os.getpid()
    try:
        yield Path(folder)
    finally:
        if os.getpid() == first:
            shutil.rmtree(folder)
            for kept in begun:
                kept.end()


def main(words: list[str]) -> int:
    """Run what is asked for. Returns 0 where all is well; in the process of a heap what pytest returns."""
    parser = ArgumentParser(description="Runs tests in several processes, for pytest's words behind a --.")
    parser.add_argument("--lanes", type=int, default=2, help="how many run beside each other")
    parser.add_argument("--files", action="store_true", help="deal out file by file, not folder by folder")
    parser.add_argument("folders", nargs="+")
    behind = words.index("--") if "--" in words else len(words)
    asked = parser.parse_args(words[:behind])
    os.chdir(ROOT)
    load()
    with shared() as folder:
        lanes = Lanes(asked.lanes, folder)
        first = os.getpid()
        try:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
            if heap := lanes.deal(heaps(asked.folders, asked.files)):
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                with lanes.said(os.getpid()).open("wb") as said:
                    os.dup2(said.fileno(), 1)
                    os.dup2(said.fileno(), 2)
                return pytest.main([*BESIDE, *words[behind + 1 :], *heap[1]])
        finally:
            if os.getpid() == first:
                lanes.end()
        print(*lanes.again, sep="\n")
        return 0 if lanes.is_sound() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
