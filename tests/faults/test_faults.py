"""Planted faults: each wrong rule in the lists of this folder is noticed by the test that it names."""

import compileall
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("games", "orders", "adjudicator")
TESTS = ("games", "orders", "adjudicator", "docs", "deploy", "kit", "toy")
FOLDERS = (*PACKAGES, *(f"tests/{name}" for name in TESTS), "docs")
FAULTS = [
    pytest.param(fault, id=f"{path.stem}: {fault['why']}")
    for path in sorted(Path(__file__).parent.glob("*.toml"))
    for fault in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A copy of what is tested, and of what its tests need, without a fault."""
    copy = tmp_path_factory.mktemp("faults") / "sound"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
    for file in ("pyproject.toml", "tests/__init__.py"):
        shutil.copy(ROOT / file, copy / file)
    # Compiled once; what a fault spoils is newer than its bytecode and is compiled again.
    for folder in PACKAGES:
        compileall.compile_dir(copy / folder, quiet=2)
    return copy


@pytest.fixture(scope="module")
def run():
    """Runs named tests in a copy: gives pytest's exit code and what it printed."""
    command = [sys.executable, "-B", str(Path(__file__).with_name("runner.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as runner:
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


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fault_is_noticed(sound, run, tmp_path, fault):
    copy = tmp_path / "copy"
    shutil.copytree(sound, copy, copy_function=_link)
    path = copy / fault["file"]
    text = path.read_text(encoding="utf-8")
    assert text.count(fault["replace"]) == 1, "the list no longer fits the file: mend the list"
    path.unlink()
    path.write_text(text.replace(fault["replace"], fault["by"]), encoding="utf-8")
    code, output = run(copy, fault["test"])
    assert code == pytest.ExitCode.TESTS_FAILED, output
    assert "AssertionError" in output or "ValueError" in output, output


def _link(source, target):
    """Files of the copy are hard links; the spoilt one is replaced, never written through."""
    Path(target).hardlink_to(source)
