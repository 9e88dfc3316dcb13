"""`gm bench decisions` at the command line, and the dense seasons that it judges."""

import json
from itertools import islice
from statistics import median

import pytest
from typer.testing import CliRunner

from adjudicator.bench import adjudication
from adjudicator.cli.app import app
from adjudicator.errors import Refusal
from tests.kit import dense_seasons, stand_in_package


def test_decisions_variations_and_answers_are_measured() -> None:
    done = CliRunner().invoke(app, ["bench", "decisions", "--rounds", "1", "--json"])
    figures = {one["what"]: one for one in json.loads(done.stdout)}
    varied, anew = "with another order for a unit", "from JSON to JSON, texts never read before"
    for what in ("decided", varied, f"{varied}, one by one", "from JSON to JSON", anew):
        assert 0 < figures[what]["value"] <= figures[f"{what}, 95th percentile"]["value"]
    assert figures["decided"]["note"] == f"{dense_seasons.SEASONS} seasons of 34 orders, 1 rounds"


def test_they_are_measured_in_turn_with_a_package_that_plays_it_too() -> None:
    stand_in_package.ANSWERS.clear()
    found = {
        one.what: one for one in adjudication.measure_decisions("standard", 2, stand_in_package.__name__)
    }
    assert len(stand_in_package.ANSWERS) == 3 * dense_seasons.SEASONS, "each round, and one before to warm up"
    assert found[f"the {stand_in_package.__name__} package: a season"].value > 0
    assert found[f"decided: as fast as the {stand_in_package.__name__} package, median"].unit == "times"


def test_what_a_season_s_changes_take_together_is_told_as_their_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search waits for all its trials together."""
    counts = [len(one["others"]) for one in json.loads(dense_seasons.FILE.read_text())]
    monkeypatch.setattr(adjudication, "time_actions", lambda actions: [12.0 for _ in actions])
    found = {one.what: one.value for one in adjudication.measure_decisions("standard", 1, "no_such_package")}
    assert found["with another order for a unit"] == pytest.approx(median(12 / count for count in counts))
    assert found["with another order for a unit, one by one"] == 12


def test_another_game_has_no_dense_seasons() -> None:
    with pytest.raises(Refusal, match="no dense seasons"):
        adjudication.measure_decisions("war-chest", 1, "diplomacy")


def test_the_dense_seasons_are_those_that_are_written_anew() -> None:
    kept = json.loads(dense_seasons.FILE.read_text())
    assert len(kept) == dense_seasons.SEASONS
    assert kept[:3] == list(islice(dense_seasons.seasons(), 3))
    assert all(sum(map(len, one["question"]["orders"].values())) == 34 for one in kept)


def test_texts_never_read_before_differ_from_round_to_round_and_mean_the_same() -> None:
    texts = {adjudication.spell("F MAO - SPA/NC", number) for number in range(64)}
    assert len(texts) == 64
    assert {text.upper() for text in texts} == {"F MAO - SPA/NC"}
    assert all(text[:2] == "F " and text[-3:] == "/NC" for text in texts)
