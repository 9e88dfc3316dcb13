"""`gm bench start`: how soon the command line answers, against what is promised."""

import json

from typer.testing import CliRunner

from adjudicator.bench.start import COMMANDS
from adjudicator.gm.app import app


def test_each_is_measured_and_the_first_against_its_aim() -> None:
    told = CliRunner().invoke(app, ["bench", "start", "--times", "1", "--json"])
    assert told.exit_code == 0
    figures = json.loads(told.stdout)
    assert [one["unit"] for one in figures] == ["ms", "times", "ms", "ms", "ms"]
    assert [one["what"] for one in figures if one["what"].startswith("gm ")] == [
        what for what, _, _ in COMMANDS
    ]
    assert figures[1]["note"] in ("within the aim", "above the aim")
