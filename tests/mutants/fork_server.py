"""Runs tests of this checkout with planted faults, in forks of a process that has collected them.

A fault in a function is planted by replacing the function's code, one in module values by replacing these,
and one in a template by changing what is read (see `outside`). Nothing is imported again, and the server
rejects every other fault. Objects made earlier, during collection or warm-up (see `warmth`), stay as they
were: a fault that this hides passes here, and the caller plants it elsewhere. The soak tests check that each
fault is noticed without earlier objects.

Its arguments are pytest's: the files of the tests. Reads a line of JSON for each run, ``{"tests": [...],
"file": ..., "text": ...}``, where file and its changed text may be empty, and answers with one, ``{"outcome":
..., "printed": ...}``. The outcome is ``passed``, ``failed``, ``unplanted``, or ``broken`` if no test ended.
"""

import gc
import json
import os
import sys
from collections.abc import Generator
from functools import _lru_cache_wrapper, cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import TextIO

import pytest
from hypothesis import settings

from tests.kit import cached_services
from tests.mutants.outside import HOMES, assign, changed_assignments, read_as
from tests.mutants.pages import gather
from tests.mutants.planting import ROOT, changed_functions, compile_module
from tests.mutants.runner import EXAMPLES, QUIET, format_answer, run_in_fork
from tests.mutants.warmth import warm

OPTIONS = (*QUIET, "--tb=native")


class ForkServer:
    """A plugin that makes of a run of pytest a server. asked: the requests; says: where answers go."""

    def __init__(self, asked: TextIO, says: TextIO) -> None:
        self.asked, self.says = asked, says
        self.functions: dict[tuple[str, CodeType], list[FunctionType]] = {}
        self.caches: list[_lru_cache_wrapper[object]] = []
        self.items: dict[str, list[pytest.Item]] = {}
        self.failures: list[str] = []
        self.missed: set[str] = set()
        self.is_planted = False

    def pytest_sessionstart(self) -> None:
        """Set the number of examples, whatever the tests have set."""
        settings.load_profile(EXAMPLES)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve, until no more is asked."""
        warm()
        self.learn()
        gather()
        for item in session.items:
            for name in {item.nodeid, item.nodeid.partition("[")[0]}:
                self.items.setdefault(name, []).append(item)
        for line in self.asked:
            self.says.write(self._answer(**json.loads(line)) + "\n")
            self.says.flush()
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Tell no way to the assertion that notices a fault: a fifth of most runs went into telling it."""
        if self.is_planted and call.excinfo and call.excinfo.errisinstance(AssertionError):
            sys.tracebacklimit = 0
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what is said of a failure."""
        if report.failed:
            self.failures.append(report.longreprtext)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what is said of what cannot be collected."""
        if report.failed:
            self.failures.append(report.longreprtext)

    def _answer(self, tests: list[str], file: str, text: str) -> str:
        found = [*dict.fromkeys(item for test in tests for item in self.items.get(test, ()))]
        if not found:
            return format_answer(
                "broken", "\n".join([f"nothing is called {' '.join(tests)}", *self.failures])
            )
        if file.endswith(".py"):
            compiled_module(ROOT / file)
        answer = run_in_fork(lambda: self._grow(found, file, text))
        missed = {*json.loads(answer)["missed"]}
        if missed & self.missed:
            # What two began with others will: begin it soundly, for them to copy.
            run_in_fork(lambda: self._begin(found))
        self.missed |= missed
        return answer

    def learn(self) -> None:
        """Find the functions there are, and what they keep: no fork then needs to look through all things."""
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType):
                self.functions.setdefault((thing.__code__.co_filename, thing.__code__), []).append(thing)
            elif isinstance(thing, _lru_cache_wrapper) and thing.__module__.partition(".")[0] in HOMES:
                self.caches.append(thing)
        gc.freeze()

    def _grow(self, items: list[pytest.Item], file: str, text: str) -> str:
        """In a fork: plant the fault, and run the tests until one fails."""
        self.failures.clear()
        self.is_planted = bool(file)
        if file and not self._plant(ROOT / file, text):
            return format_answer("unplanted")
        return self._run(items)

    def _begin(self, items: list[pytest.Item]) -> str:
        """In a fork: run the tests soundly, so that what they begin with is laid out."""
        with cached_services.without_faults():
            return self._run(items)

    def _run(self, items: list[pytest.Item]) -> str:
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if item.session.shouldfail:
                break
        outcome = "failed" if self.failures else "passed"
        return format_answer(outcome, "\n".join(self.failures), missed=cached_services.not_cached)

    def _plant(self, path: Path, text: str) -> bool:
        """Return whether all that the fault changes could be changed."""
        if path.suffix != ".py":
            # What a game's data is made into is kept in more places than caches.
            if path.is_relative_to(ROOT / "games"):
                return False
            for kept in self.caches:
                kept.cache_clear()
            read_as(path, text)
            return True
        source = path.read_text("utf-8")
        read_as(path, text)  # for results that are kept by a digest of the code
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if module not in sys.modules:
            import_module(module)
            self.learn()
        pairs = changed_functions(compiled_module(path), compile_module(text, path))
        if pairs is None:
            assignments = changed_assignments(source, text)
            assign(sys.modules[module], assignments or ())
            return bool(assignments)
        if not all((str(path), sound) in self.functions for sound, _ in pairs):
            return False
        for sound, spoilt in pairs:
            for function in self.functions[str(path), sound]:
                function.__code__ = spoilt
        return bool(pairs)


@cache
def compiled_module(path: Path) -> CodeType:
    """Return a module's code as it is in the checkout.

    Called before a fork, it compiles once for all faults.
    """
    return compile_module(path.read_text("utf-8"), path)


def serve() -> None:
    """Answer until no more is asked. Input and output of the tests are discarded."""
    fork_server = ForkServer(os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w"))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    pytest.main([*OPTIONS, *sys.argv[1:]], plugins=[fork_server])


if __name__ == "__main__":
    serve()
