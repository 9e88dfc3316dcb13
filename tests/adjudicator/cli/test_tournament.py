"""`gm tournament` at the command line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app
from adjudicator.cli.board_search import LAST_DAY, SearchOptions
from tests.kit.source_files import ROOT


def typed(line: str) -> Result:
    """Run a command and return its output."""
    return CliRunner().invoke(app, line.split(), prog_name="gm")


def test_a_tournament_prints_winners_and_centres_over_time_and_draws_the_chart(tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    shown = typed(f"tournament indianomacy --games 2 --years 2 --chart {chart}")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0].startswith("game 1: nobody (last-year)")
    assert "2 games of Indianomacy II: 2 ended by last-year." in lines
    assert [line.split() for line in lines if line.startswith("seat ")][1] == ["seat", "won", "1", "2"]
    assert any(line.split()[:2] == ["nobody", "2"] for line in lines)
    assert "Iroquois" in chart.read_text(encoding="utf-8")


def test_how_often_each_kind_of_order_is_given_is_shown_where_it_is_asked() -> None:
    """A bot that leaves out a kind of order has no figure for it."""
    line = "tournament boer-war --games 1 --seats boers=no-siege --seed orders"
    assert "Camp" not in typed(line).stdout
    shown = typed(f"{line} --orders").stdout
    rows = [row.split() for row in shown.partition("Orders of each kind")[2].splitlines()]
    assert ["seat", "order", "1"] in [row[:3] for row in rows]
    kinds = {tuple(row[:2]) for row in rows}
    assert ("Boers", "Move") in kinds
    assert ("Boers", "Siege") not in kinds
    told = json.loads(typed(f"{line} --json").stdout)
    assert told["orders"]["Boers"]["Move"]["1"] > 0


def test_a_tournament_is_told_to_programs_too() -> None:
    told = json.loads(typed("tournament indianomacy --games 1 --years 1 --json").stdout)
    assert told["score"] == "supply centres"
    (game,) = told["games"]
    assert (game["game"], game["winners"], game["reason"], game["year"]) == (1, [], "last-year", 1)
    assert set(game["players"]) == set(game["scores"]) == set(told["seats"])
    assert sum(told["means"]["1"].values()) > 26


def test_players_are_measured_against_each_other_and_the_chart_names_them(tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    line = "tournament standard --games 2 --years 1 --seats hold*3,random --rotate"
    shown = typed(f"{line} --chart {chart}")
    assert "By player, per seat and game" in shown.stdout
    rows = {words[0]: words for words in map(str.split, shown.stdout.splitlines()) if words}
    assert rows["hold"][1:4] == ["6", "0", "6"]
    assert rows["random"][1:3] == ["8", "0"]
    assert "random" in chart.read_text(encoding="utf-8")
    assert "Austria" not in chart.read_text(encoding="utf-8")
    told = json.loads(typed(f"{line} --json").stdout)
    assert [game["players"]["Austria"] for game in told["games"]] == ["hold", "random"]
    low, value, high = told["players"]["hold"]["wins"]
    assert (low, value) == (0, 0)
    assert 0.2 < high < 0.5


def test_a_last_year_is_set_where_none_is_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.tournament.tournament.DEFAULT_MAX_YEARS", 2)
    line = "tournament standard --games 1 --seats hold"
    said = "A game is a draw after 2 years. Use --years to change this."
    shown = typed(line).stdout
    assert said in shown
    assert "On average a game lasted 2.0 years." in shown
    assert said not in typed(f"{line} --years 1").stdout
    assert said not in typed(f"{line} --option last_year=1901").stdout
    assert said not in typed("tournament plains-indian-wars --games 1").stdout


def test_what_cannot_be_played_or_drawn_is_refused(tmp_path: Path) -> None:
    assert typed("tournament chess").exit_code == 1
    assert typed("tournament indianomacy --games 0").exit_code == 2
    nobody = typed("tournament indianomacy --seats apache=wizard")
    assert nobody.exit_code == 1
    assert "Bots: " in nobody.stderr
    assert typed("tournament indianomacy --chart chart.jpg").exit_code == 2
    nowhere = tmp_path / "nowhere" / "chart.svg"
    refused = typed(f"tournament indianomacy --games 1 --years 1 --chart {nowhere}")
    assert refused.exit_code == 1
    assert "Can't write" in refused.stderr


def test_bots_play_with_an_owners_folder(tmp_path: Path) -> None:
    """Its errors are reported."""
    asked = f"tournament plains-indian-wars --games 1 --option scenario=2.1 --option data={tmp_path}"
    (tmp_path / "cards.json").write_text('{"hand": 4}', encoding="utf-8")
    assert typed(asked).exit_code == 0
    (tmp_path / "cards.json").write_text('{"hand": 0}', encoding="utf-8")
    refused = typed(asked)
    assert refused.exit_code == 1
    assert "cards.json: hand: it is 0" in " ".join(refused.stderr.split())


def test_what_bots_get_in_games_for_one_is_written_case_by_case(tmp_path: Path) -> None:
    """The same seed writes the same file; a kind that nobody plays alone is refused, as are other options."""
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    shown = typed(f"tournament boer-war --games 2 --seed 7 --record {one}")
    assert shown.exit_code == 0
    assert [line.partition(":")[0] for line in shown.stdout.splitlines()[:2]] == [
        "As the Boers",
        "As the Empire",
    ]
    told = json.loads(typed(f"tournament boer-war --games 2 --seed 7 --record {other} --json").stdout)
    assert one.read_bytes() == other.read_bytes()
    assert told == json.loads(one.read_text(encoding="utf-8"))
    assert (told["bot"], told["games"], told["seed"]) == ("commander", 2, "7")
    assert "it isn't a solo game" in typed(f"tournament standard --record {one}").stderr
    assert typed(f"tournament boer-war --record {one} --option mode=both").exit_code == 2


# The help of a tournament has few options. The others still work.


def shown_options(text: str) -> list[str]:
    """The options that a help text lists."""
    return re.findall(r"^  (?:-h, )?(--[a-z-]+)", text, re.MULTILINE)


def test_the_help_lists_at_most_eight_options_in_sections() -> None:
    text = typed("tournament --help").stdout
    options = shown_options(text)
    assert options == ["--seats", "--rotate", "--games", "--years", "--option", "--chart", "--json", "--help"]
    assert len(text.splitlines()) <= 60
    sections = re.findall(r"^([A-Z].*):$", text, re.MULTILINE)
    assert sections == ["Arguments", "Who plays", "The games", "Results"]


def test_no_option_that_the_help_shows_is_deprecated_and_no_other_is_undescribed() -> None:
    """docs/bots.md describes further options, docs/stability.md and CHANGELOG.md the deprecated ones."""
    command: Any = get_command(app).get_command(None, "tournament")  # type: ignore[attr-defined]
    hidden = {param.opts[0] for param in command.params if getattr(param, "hidden", False)}
    deprecated = {f"--{name}" for name in SearchOptions._fields}
    assert hidden == deprecated | {"--jobs", "--seed", "--stdio", "--orders", "--record"}
    bots, stable, changes = (
        (ROOT / name).read_text(encoding="utf-8")
        for name in ("docs/bots.md", "docs/stability.md", "CHANGELOG.md")
    )
    for option in hidden - deprecated:
        assert re.search(rf"^\| `{option}\b", bots, re.MULTILINE), option
    for option in deprecated:
        assert f"{option}`" in stable, option
        assert f"{option}`" in changes, option
    assert LAST_DAY in stable
    assert LAST_DAY in changes


@pytest.mark.parametrize(
    ("given", "tool"),
    [
        ("indianomacy --balance 1 --leaps 1 --sieve 1 --by score --games 2", "boards"),
        ("indianomacy --option centres=assumed --draft 57>56 --games 1", "boards"),
        ("standard --seats hold --dangers 1 --games 1", "dangers"),
        ("standard --seats hold --danger turkey=1 --games 1", "dangers"),
    ],
)
def test_a_deprecated_option_works_and_says_until_when_on_standard_error(given: str, tool: str) -> None:
    shown = typed(f"tournament {given} --years 1 --json")
    assert shown.exit_code == 0
    json.loads(shown.stdout)
    warned = re.findall(
        r"^--(\w+) is deprecated and works until (.+?)\. .*\.(\w+)\"", shown.stderr, re.MULTILINE
    )
    used = [name for name in SearchOptions._fields if f"--{name} " in given]
    assert warned == [(name, LAST_DAY, tool) for name in used]


def test_other_options_say_nothing_on_standard_error() -> None:
    shown = typed("tournament standard --seats hold --years 1 --games 1 --seed 3 --orders")
    assert (shown.exit_code, shown.stderr) == (0, "")
