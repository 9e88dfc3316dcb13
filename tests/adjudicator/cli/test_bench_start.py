"""`gm bench start`: the command line answers as fast as promised."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.bench import start
from adjudicator.bench.start import TIMED_COMMANDS
from adjudicator.cli.app import app
from tests.kit.gm_process import gm_forker


@pytest.fixture
def leaping(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measured commands: Python itself and ``gm --help`` start from nothing, the others start loaded."""
    from_nothing = start._run

    def run(words: Sequence[str], folder: Path) -> None:
        if words[:2] != ["-m", "adjudicator"] or words[2] == "--help":
            from_nothing(words, folder)
        else:
            done = gm_forker().run(words[2:], folder=folder)
            assert done.returncode == 0, done.stderr

    monkeypatch.setattr(start, "_run", run)


@pytest.mark.usefixtures("leaping")
def test_each_is_measured_and_the_first_against_its_aim() -> None:
    check()


@pytest.mark.soak
def test_each_is_measured_from_nothing() -> None:
    check()


def check() -> None:
    """Check that everything printed has its name and its unit."""
    told = CliRunner().invoke(app, ["bench", "start", "--times", "1", "--json"])
    assert told.exit_code == 0
    figures = json.loads(told.stdout)
    names = [what for what, _, _ in TIMED_COMMANDS]
    late = [f"{what}, 95th percentile" for what in names]
    assert [one["what"] for one in figures if one["what"].startswith("gm ")] == names + late
    assert [one["unit"] for one in figures] == [
        *("ms", "times", *["ms"] * (len(names) - 2), "times", "ms", "times"),
        *["ms"] * (len(names) + 1),
    ]
    assert {"gm status", "gm game show", "gm orders show", "gm player show", "gm turn process"} <= set(names)
    judged = [one["note"] for one in figures if one["unit"] == "times"]
    assert len(judged) == 3
    assert set(judged) <= {"within the aim", "above the aim"}


def test_the_list_of_measurements_cuts_no_sentence() -> None:
    text = CliRunner().invoke(app, ["bench", "--help"], prog_name="gm").stdout
    rows = re.findall(r"^  ([a-z]+) +(Measure .*)$", text, re.MULTILINE)
    assert len(rows) == 9
    assert [row for row in rows if not row[1].endswith(".") or row[1].endswith("...")] == []
