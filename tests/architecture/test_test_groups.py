"""`make test` in several processes runs every file once, and reports all failures."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.source_files import ROOT

SCRIPT = ROOT / ".ci" / "test_groups.py"
GROUPS = runpy.run_path(str(SCRIPT))
NAMED = GROUPS["LONGEST_FIRST"]
SECONDS = 300

FOLDERS = {
    "green": "def test_it(): pass",
    "red": "def test_it(): assert 1 + 1 == 3",
    "unreadable": "import nothing_of_this_name",
    "dead": "import os\ndef test_it(): os.kill(os.getpid(), 9)",
    "unsuited": "import pytest\n@pytest.mark.parametrize('none', [])\ndef helps(none): pass",
}
"""What a file of tests holds, by the folder in which it lies."""


@pytest.mark.parametrize("by_file", [False, True])
def test_every_file_of_tests_is_in_one_group(monkeypatch: pytest.MonkeyPatch, by_file: bool) -> None:
    monkeypatch.chdir(ROOT)
    files = [file for _, files in GROUPS["group_tests"](["tests"], by_file) for file in files]
    assert sorted(files) == sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("tests/**/test_*.py"))


def test_those_that_take_longest_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them exists: the tests of a renamed folder would join the folder above it."""
    monkeypatch.chdir(ROOT)
    assert tuple(name for name, _ in GROUPS["group_tests"](["tests"], False)) == NAMED
    files = GROUPS["group_tests"](["tests"], True)
    assert [name for name, _ in files] == [file for _, (file,) in files]
    assert files[0][0].startswith(NAMED[0])


@pytest.mark.parametrize(
    ("codes", "is_sound"),
    [([0, 0], True), ([0, 5], True), ([5], False), ([], False), ([0, 1], False), ([0, -9], False)],
)
def test_all_is_well_if_something_was_chosen_and_all_of_it_went_well(
    codes: list[int], is_sound: bool
) -> None:
    processes = GROUPS["TestProcesses"](2, Path())
    processes.codes += codes
    assert processes.is_sound() is is_sound


def test_what_goes_wrong_is_told_and_told_again_at_the_end(tmp_path: Path) -> None:
    for name, text in FOLDERS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"test_{name}.py").write_text(text)
    words = [sys.executable, str(SCRIPT), "--processes", "2", str(tmp_path), "--", "-o", "addopts=-q"]
    around = os.environ | {"TMPDIR": str(tmp_path / "left")}
    (tmp_path / "left").mkdir()
    done = subprocess.run(words, env=around, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    told = done.stdout.splitlines()
    assert any(line.startswith(f"{tmp_path}/green: 1 passed") for line in told)
    assert any("assert (1 + 1) == 3" in line for line in told)
    again = sorted(line.partition(f"{tmp_path.name}/")[2] for line in told[-3:])
    assert [line.partition(" ")[0] for line in again] == [
        "dead:",
        "red/test_red.py::test_it",
        "unreadable/test_unreadable.py",
    ]
    assert not any((tmp_path / "left").glob("[!p]*")), "all that was begun for the run is gone"


SKIPPED = """
import pytest

def test_it(): pytest.skip("no server")

@pytest.mark.xfail
def test_that(): assert 0
"""


@pytest.mark.parametrize(("is_ci", "code"), [("", 0), ("true", 1)])
def test_a_skipped_test_fails_under_ci_alone(is_ci: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(SKIPPED)
    words = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-o", "addopts=-q", str(tmp_path)]
    around = os.environ | {"CI": is_ci}
    done = subprocess.run(
        words, cwd=ROOT, env=around, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == code, done.stdout
    assert ("may not be skipped under CI" in done.stdout) is bool(is_ci)
    assert "1 xfailed" in done.stdout
