"""The tools that replace deprecated options of `gm tournament` print what the options print."""

import json
import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from adjudicator.cli.app import app as gm
from tests.kit.source_files import ROOT
from tests.tools import boards, dangers


def run_gm(line: str) -> Any:
    """Run the command with the option and return its output."""
    return json.loads(CliRunner().invoke(gm, [*line.split(), "--json"], prog_name="gm").stdout)


def run_tool(tool: Any, line: str) -> Any:
    """Run the tool and return its output."""
    shown = CliRunner().invoke(tool.app, [*line.split(), "--json"])
    assert shown.exit_code == 0, shown.output
    return json.loads(shown.stdout)


def test_boards_are_compared_as_by_balance() -> None:
    first = "--draft 57>56 --option centres=assumed"
    line = f"indianomacy {first} --years 1 --games 2 --leaps 2 --sieve 1 --by score"
    found = run_tool(boards, f"{line} --rounds 1")
    assert found == run_gm(f"tournament {line} --balance 1")
    assert len(found) == 4


def test_one_board_is_measured_without_a_search() -> None:
    (board,) = run_tool(
        boards, "indianomacy --years 1 --games 1 --rounds 0 --draft 57>56 --option centres=assumed"
    )
    assert board["words"] == "Sauk and Fox for Winnebago"


def test_dangers_are_found_as_by_the_option() -> None:
    line = "standard --seats intermediate --years 1 --games 1 --danger turkey=1"
    found = run_tool(dangers, f"{line} --rounds 2")
    assert found == run_gm(f"tournament {line} --dangers 2")
    assert found["rounds"][0]["dangers"]["Turkey"] == 1


@pytest.mark.parametrize("tool", ["boards", "dangers"])
def test_a_tool_says_why_it_refuses_a_game(tool: str) -> None:
    words = [sys.executable, "-m", f"tests.tools.{tool}", "chess"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "chess" in done.stderr
    assert "Traceback" not in done.stderr
