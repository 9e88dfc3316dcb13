"""Runs tests in parallel: `python .ci/test_groups.py [--processes N] [--files] FOLDER… [-- OPTIONS…]`.

The options are pytest's. The tests of a folder share fixtures and are a group; with --files each file is one.
The longest groups come first, and each starts when a process ends. A group is a pytest run of its own in a
fork of this process, which has loaded the modules that nearly every test needs. The output of a group is
printed if it fails, and its failures are printed once more at the end.

pytest-xdist does less: each of its processes loads all modules and collects all tests.
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
TestGroup = tuple[str, list[str]]
"""The name of a group, and its files."""

LOADED = ("_hypothesis_pytestplugin", "tests.kit.browser", "tests.kit.service_harness")

PARALLEL = ("-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Processes in parallel share no cache of pytest. Assertions of loaded modules can't be rewritten, and need
not be."""

LONGEST_FIRST = (
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
"""Each is a group without the files of those before it, the longest first."""

REPEATED = ("FAILED ", "ERROR ", "LEFT OUT: ")
NO_TESTS = int(pytest.ExitCode.NO_TESTS_COLLECTED)


def group_tests(folders: list[str], by_file: bool) -> list[TestGroup]:
    """Return the tests below some folders, the longest group first."""
    files = sorted({str(file) for folder in folders for file in Path(folder).rglob("test_*.py")})
    groups: dict[str, list[str]] = {}
    for file in sorted(files, key=lambda file: [*LONGEST_FIRST, _group_of(file)].index(_group_of(file))):
        groups.setdefault(file if by_file else _group_of(file), []).append(file)
    return [*groups.items()]


def _group_of(file: str) -> str:
    """Return the folder whose group a file belongs to: its own, unless LONGEST_FIRST has one above it."""
    parent = str(Path(file).parent)
    return next((folder for folder in LONGEST_FIRST if f"{parent}/".startswith(f"{folder}/")), parent)


class TestProcesses:
    """Up to `count` processes in parallel, which write their output into a folder."""

    def __init__(self, count: int, folder: Path) -> None:
        self.count, self.folder = count, folder
        self.running: dict[int, tuple[str, float]] = {}
        self.codes: list[int] = []
        self.failures: list[str] = []

    def run_all(self, groups: list[TestGroup]) -> TestGroup | None:
        """Run all groups. In the fork that is to run a group it returns that group, and None at the end."""
        for group in groups:
            if len(self.running) == self.count:
                self._wait()
            sys.stdout.flush()
            if (child := os.fork()) == 0:
                return group
            self.running[child] = (group[0], time.monotonic())
        while self.running:
            self._wait()
        return None

    def output(self, process: int) -> Path:
        """Return the file that a process writes to."""
        return self.folder / f"{process}.output"

    def is_sound(self) -> bool:
        """Return whether all chosen tests passed, and some were chosen."""
        return 0 in self.codes and not {*self.codes} - {0, NO_TESTS}

    def end(self) -> None:
        """Interrupt the remaining processes, so that they end their servers."""
        for child in self.running:
            os.kill(child, signal.SIGINT)
        while self.running:
            self.running.pop(os.wait()[0], None)

    def _wait(self) -> None:
        child, status, used = os.wait3(0)
        name, since = self.running.pop(child)
        code, output = os.waitstatus_to_exitcode(status), self.output(child).read_text(errors="replace")
        lines = [line for line in output.splitlines() if line]
        failures = [line for line in lines if line.startswith(REPEATED)]
        self.codes.append(code)
        if code not in (0, NO_TESTS):
            print(output)
            failures = failures or [f"FAILED {name}: pytest ended with {code}"]
        self.failures += failures
        passed, worked = time.monotonic() - since, used.ru_utime + used.ru_stime
        last = lines[-1] if lines else "nothing"
        print(f"{name}: {last}; {worked:.0f} s of processor time in {passed:.0f}", flush=True)


def load() -> None:
    """Load the modules that most tests need, as strictly as pytest would, and exclude them from garbage
    collection.
    """
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
        # Hypothesis warns that a plugin should not draw examples at this time.
        warnings.simplefilter("ignore", HypothesisSideeffectWarning)
        _warm_hypothesis()
    gc.freeze()
    gc.enable()


@settings(max_examples=1, database=None)
@given(integers())
def _warm_hypothesis(number: int) -> None:
    """Let Hypothesis read the constants of all loaded modules, which it would do in each group."""


@contextmanager
def shared_caches() -> Iterator[Path]:
    """Share the caches of a run between all groups, and delete them at the end, with the folder."""
    from tests.kit import cached_services, caches, pictures, temporary_files

    temporary_files.settle()
    begun = [kept for kept in (pictures, cached_services, caches) if kept.begin()]
    folder, first = tempfile.mkdtemp(prefix="test-groups-"), os.getpid()
    try:
        yield Path(folder)
    finally:
        if os.getpid() == first:
            shutil.rmtree(folder)
            for kept in begun:
                kept.end()


def main(words: list[str]) -> int:
    """Run the tests. Returns 0 if all passed, or what pytest returns in the process of a group."""
    parser = ArgumentParser(description="Run tests in parallel. Options of pytest come after a --.")
    parser.add_argument("--processes", type=int, default=2, help="how many run in parallel")
    parser.add_argument("--files", action="store_true", help="make a group of each file, not of each folder")
    parser.add_argument("folders", nargs="+")
    end = words.index("--") if "--" in words else len(words)
    asked = parser.parse_args(words[:end])
    os.chdir(ROOT)
    load()
    with shared_caches() as folder:
        processes = TestProcesses(asked.processes, folder)
        first = os.getpid()
        try:
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
            if group := processes.run_all(group_tests(asked.folders, asked.files)):
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                with processes.output(os.getpid()).open("wb") as output:
                    os.dup2(output.fileno(), 1)
                    os.dup2(output.fileno(), 2)
                return pytest.main([*PARALLEL, *words[end + 1 :], *group[1]])
        finally:
            if os.getpid() == first:
                processes.end()
        print(*processes.failures, sep="\n")
        return 0 if processes.is_sound() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
