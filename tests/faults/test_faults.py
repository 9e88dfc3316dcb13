"""Planted faults: each wrong rule in the lists of this folder is noticed by the test that it names."""

import compileall
import json
import os
import shutil
import subprocess
import sys
import tomllib
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "orders", "adjudicator")
TESTS = ("games", "orders", "adjudicator", "docs", "deploy", "kit", "peer", "toy")
FOLDERS = (*PACKAGES, *(f"tests/{name}" for name in TESTS), "docs")
FAULTS = [
    pytest.param(fault, id=f"{path.stem}: {fault['why']}")
    for path in sorted(Path(__file__).parent.glob("*.toml"))
    for fault in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
]

IDS = [fault.id for fault in FAULTS]
DAY = 86_400 * 10**9


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A copy of what is tested, and of what its tests need, without a fault."""
    copy = tmp_path_factory.mktemp("faults") / "sound"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
    for file in ("pyproject.toml", "tests/__init__.py"):
        shutil.copy(ROOT / file, copy / file)
    # Compiled once, as the tests are by the first that runs them; what a fault spoils is compiled again.
    for folder in PACKAGES:
        compileall.compile_dir(copy / folder, quiet=2)
    return copy


@pytest.fixture(scope="module")
def run():
    """Runs named tests in a copy: gives pytest's exit code and what it printed."""
    command = [sys.executable, str(Path(__file__).with_name("runner.py"))]
    # Its copy is its own: bytecode is written there whatever the environment says.
    place = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=place, stdin=pipe, stdout=pipe, text=True) as runner:
        assert runner.stdin is not None
        assert runner.stdout is not None

        def ask(copy, *tests):
            runner.stdin.write(json.dumps({"folder": str(copy), "tests": tests}) + "\n")
            runner.stdin.flush()
            return tuple(json.loads(runner.stdout.readline()))

        yield ask
        runner.stdin.close()


def test_without_a_fault_all_the_named_tests_pass(sound, run):
    named = sorted({fault.values[0]["test"] for fault in FAULTS})
    code, output = run(sound, *named)
    assert code == pytest.ExitCode.OK, output


@pytest.mark.parametrize(("number", "fault"), [(n, *one.values) for n, one in enumerate(FAULTS, 1)], ids=IDS)
def test_the_fault_is_noticed(sound, run, number, fault):
    with spoilt(sound / fault["file"], fault["replace"], fault["by"], number):
        code, output = run(sound, fault["test"])
    assert code == pytest.ExitCode.TESTS_FAILED, output
    assert "AssertionError" in output or "ValueError" in output, output


@contextmanager
def spoilt(path, old, new, number):
    """While it lasts, a file has a fault, and an age of its own, since bytecode is known by age and size."""
    text, age = path.read_text(encoding="utf-8"), path.stat().st_mtime_ns
    assert text.count(old) == 1, "the list no longer fits the file: mend the list"
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(age, age + number * DAY))
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(age, age))
