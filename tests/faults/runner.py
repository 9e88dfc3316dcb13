"""Runs tests in other folders, each in a fork of this process, which has loaded pytest and its kin already.

Reads a line of JSON for each run, ``{"folder": ..., "tests": [...]}``, and answers with one: pytest's exit
code and what it printed. A run that takes a minute is ended.
"""

import contextlib
import io
import json
import os
import signal
import sys
from importlib import import_module

import pytest

for once in ("hypothesis", "hypothesis.strategies", "hypothesis.internal.conjecture.engine", "msgspec"):
    import_module(once)

SECONDS = 60

UNREWRITTEN = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""What is loaded already cannot have its assertions rewritten, and need not."""

QUIET = ("-x", "-p", "no:cacheprovider", "-p", "no:xdist", *UNREWRITTEN)


def run(folder: str, tests: list[str]) -> tuple[int, str]:
    """Run the tests of a folder in this process."""
    os.chdir(folder)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = pytest.main([*QUIET, *tests])
    return int(code), printed.getvalue()


def in_a_fork(folder: str, tests: list[str]) -> tuple[int, str]:
    """Run them in a fork, so that nothing of what was imported stays here."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        os.close(reading)
        with os.fdopen(writing, "w") as answer:
            json.dump(run(folder, tests), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    code, printed = json.loads(text) if text else (-1, "the run did not end")
    return code, printed


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(in_a_fork(**json.loads(line))), flush=True)
