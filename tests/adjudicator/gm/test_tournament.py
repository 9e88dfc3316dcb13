"""`gm tournament` at the command line."""

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from adjudicator.gm.app import app


def typed(line: str) -> Result:
    """What a command answers."""
    return CliRunner().invoke(app, line.split(), prog_name="gm")


def test_a_tournament_prints_winners_and_centres_over_time_and_draws_the_chart(tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    shown = typed(f"tournament indianomacy --games 2 --years 2 --chart {chart}")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("game 1: nobody (last-year)")
    assert "2 games of Indianomacy II: 2 ended by last-year." in lines
    head = next(line for line in lines if line.startswith("seat"))
    assert head.split() == ["seat", "won", "1", "2"]
    assert any(line.split()[:2] == ["nobody", "2"] for line in lines)
    assert "Iroquois" in chart.read_text(encoding="utf-8")


def test_a_tournament_is_told_to_programs_too() -> None:
    told = json.loads(typed("tournament indianomacy --games 1 --years 1 --json").stdout)
    assert told["score"] == "supply centres"
    assert told["games"] == [
        {"game": 1, "winners": [], "reason": "last-year", "turns": told["games"][0]["turns"], "year": 1}
    ]
    assert sum(told["means"]["1"].values()) > 26


def test_what_cannot_be_played_or_drawn_is_refused(tmp_path: Path) -> None:
    assert typed("tournament chess").exit_code == 1
    assert typed("tournament indianomacy --games 0").exit_code == 2
    assert typed("tournament indianomacy --chart chart.jpg").exit_code == 2
    nowhere = tmp_path / "nowhere" / "chart.svg"
    refused = typed(f"tournament indianomacy --games 1 --years 1 --chart {nowhere}")
    assert refused.exit_code == 1
    assert "cannot be written" in refused.stderr
