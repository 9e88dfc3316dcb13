"""`gm bench adjudicate` at the command line."""

import json

from typer.testing import CliRunner

from adjudicator.gm.app import app


def test_the_bench_measures_a_season_and_says_where_the_time_goes() -> None:
    figures = {
        one["what"]: one
        for one in json.loads(
            CliRunner().invoke(app, ["bench", "adjudicate", "--games", "1", "--json"]).stdout
        )
    }
    assert figures["a season, orders parsed"]["unit"] == "ms"
    assert "from JSON to JSON" in figures
    assert "a whole game of bots" in figures
    shares = [one["value"] for what, one in figures.items() if what.startswith("of a season spent in")]
    assert len(shares) > 3
    assert 30 < sum(shares) <= 100
    assert all(one["value"] > 0 for one in figures.values())


def test_standard_diplomacy_is_measured_beside_an_independent_adjudicator() -> None:
    asked = ["bench", "adjudicate", "standard", "--games", "1", "--json"]
    figures = {one["what"]: one["value"] for one in json.loads(CliRunner().invoke(app, asked).stdout)}
    assert figures["the diplomacy package: a season"] > 0
    assert figures["the diplomacy package: its orders, read"] > 0
    assert figures["elsewhere: an engine in Rust"] == 0.134
