"""Runs tests in other folders, each in a fork of this process, which has already loaded pytest.

Reads a line of JSON for each run, ``{"folder": ..., "tests": [...]}``, and answers with one: ``{"outcome":
..., "printed": ..., "loaded": [...]}``. The outcome is ``passed``, ``failed`` or ``broken``. Third-party
modules that one run loaded are loaded here before the next. A run is ended after five minutes.
"""

import contextlib
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

import pytest
from hypothesis import Phase, settings

for once in ("hypothesis", "hypothesis.strategies", "hypothesis.internal.conjecture.engine", "msgspec"):
    import_module(once)

SECONDS = 300

EXAMPLES = "faults"
"""A fault is to be noticed by no luck, and by the first example: nobody reads the smallest."""
settings.register_profile(
    EXAMPLES,
    max_examples=150,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate, Phase.target),
)
settings.load_profile(EXAMPLES)

UNREWRITTEN = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""What is loaded already cannot have its assertions rewritten, and need not."""

QUIET = ("-x", "-p", "no:cacheprovider", f"--timeout={SECONDS}", *UNREWRITTEN)
OUTCOMES = {pytest.ExitCode.OK: "passed", pytest.ExitCode.TESTS_FAILED: "failed"}


def format_answer(
    outcome: str, printed: str = "", loaded: Sequence[str] = (), missed: Sequence[str] = ()
) -> str:
    """Return an answer in a line. loaded, missed: what the next run finds loaded, and cached."""
    return json.dumps({"outcome": outcome, "printed": printed, "loaded": loaded, "missed": missed})


def run(folder: str, tests: list[str]) -> str:
    """Run the tests of a folder in this process."""
    os.chdir(folder)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = pytest.main([*QUIET, *tests])
    return format_answer(
        OUTCOMES.get(pytest.ExitCode(code), "broken"), printed.getvalue(), modules_elsewhere()
    )


def modules_elsewhere() -> list[str]:
    """The modules that are loaded, but for those of the folder."""
    homes = (sys.prefix, sys.base_prefix)
    specs = [getattr(module, "__spec__", None) for module in list(sys.modules.values())]
    return sorted(spec.name for spec in specs if spec and (spec.origin or "").startswith(homes))


def load(names: Sequence[str]) -> None:
    """Load what can be loaded by its name alone; what is private is left to those whose it is.

    While an ``_asyncio`` that comes first is being made, asyncio looks for it in vain, and does without half.
    """
    for name in names:
        if not name.startswith("_"):
            with contextlib.suppress(ImportError):
                import_module(name)


def run_in_fork(work: Callable[[], str]) -> str:
    """The answer of some work that is done in a fork, so that nothing of what it does stays here."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        os.close(reading)
        try:
            with os.fdopen(writing, "w") as answer:
                answer.write(work())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text or format_answer("broken", "the run did not end")


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        answer = run_in_fork(lambda asked=asked: run(**asked))
        print(answer, flush=True)
        load(json.loads(answer)["loaded"])
