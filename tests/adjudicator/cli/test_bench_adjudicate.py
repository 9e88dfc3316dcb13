"""`gm bench adjudicate` at the command line."""

import json
from importlib.util import find_spec

from typer.testing import CliRunner

from adjudicator.bench import adjudication
from adjudicator.bench.start import Figure
from adjudicator.cli.app import app
from adjudicator.cli.bench import PEER
from tests.kit import stand_in_package


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


def test_standard_diplomacy_is_measured_beside_a_package_that_plays_it_too() -> None:
    stand_in_package.ANSWERS.clear()
    found = adjudication.measure_adjudication("standard", 1, range(33, 35), stand_in_package.__name__)
    figures = {one.what: one.value for one in found}
    assert figures[f"the {stand_in_package.__name__} package: a season"] > 0
    assert figures[f"the {stand_in_package.__name__} package: its orders, read"] > 0
    assert figures[f"the {stand_in_package.__name__} package against the season alone"] > 0
    assert figures["elsewhere: an engine in Rust"] == 0.134
    (about,) = [one.note for one in found if one.what == "a season, orders parsed"]
    assert about == f"{len(stand_in_package.ANSWERS)} seasons", "each was judged there, too"
    judged = [one["outcome"] for answer in stand_in_package.ANSWERS for one in answer["results"]]
    assert len(judged) >= 33 * len(stand_in_package.ANSWERS)
    assert "moved" in judged


def test_where_it_is_not_installed_or_plays_other_games_nothing_is_said_of_it() -> None:
    asked, ours = [b'{"units": {}, "orders": {}}'], Figure("a season", 1.0, "ms")
    assert len(adjudication.measure_peer(stand_in_package.__name__, "standard", asked, ours)) > 3
    assert adjudication.measure_peer(stand_in_package.__name__, "indianomacy", asked, ours) == ()
    assert adjudication.measure_peer("no_such_package", "standard", asked, ours) == ()


def test_the_command_asks_for_the_diplomacy_package() -> None:
    """With the package installed or without it."""
    asked = ["bench", "adjudicate", "standard", "--games", "1", "--json"]
    figures = {one["what"] for one in json.loads(CliRunner().invoke(app, asked).stdout)}
    assert PEER == "diplomacy"
    assert ("the diplomacy package: a season" in figures) == (find_spec(PEER) is not None)
