"""`gm bench start`: how soon the command line answers, against what is promised."""

import json

from typer.testing import CliRunner

from adjudicator.bench.start import COMMANDS
from adjudicator.gm.app import app


def test_each_is_measured_and_the_first_against_its_aim() -> None:
    told = CliRunner().invoke(app, ["bench", "start", "--times", "1", "--json"])
    assert told.exit_code == 0
    figures = json.loads(told.stdout)
    names = [what for what, _, _ in COMMANDS]
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
