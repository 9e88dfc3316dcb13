"""``gm rules``: the kinds of games, their options, and their clauses."""

import json
import re
from importlib import resources
from typing import Any

import pytest
from typer.testing import CliRunner

import games
from adjudicator.cli.app import app
from games.data import read_toml
from games.options import describe_option

KINDS = list(games.kinds())


def says(*words: str) -> str:
    """Run ``gm rules``, which needs no service, and return its output."""
    result = CliRunner().invoke(app, ["rules", *words], prog_name="gm")
    assert result.exit_code == 0, result.output
    return result.stdout


def read_json(*words: str) -> Any:
    """The same for programs."""
    return json.loads(says(*words, "--json"))


def test_all_kinds_are_listed() -> None:
    rows = says().splitlines()
    assert rows[0].split() == ["kind", "title", "designer", "seats"]
    assert [one["kind"] for one in read_json()] == KINDS
    assert [row.split()[0] for row in rows[1 : len(KINDS) + 1]] == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_tells_what_it_is(kind: str) -> None:
    about = games.kinds()[kind].about
    shown = says(kind)
    assert about.title in shown
    assert about.source in shown
    for option in about.options:
        assert re.search(rf"^{option.name}  ", shown, re.MULTILINE)
        assert describe_option(option) in shown
    sight = read_json(kind)
    assert [one["name"] for one in sight["options"]] == [option.name for option in about.options]
    assert sight["seats"]


def test_a_kind_answers_to_its_other_names() -> None:
    assert read_json("Indianonacy")["kind"] == "indianomacy"


@pytest.mark.parametrize("kind", KINDS)
def test_the_clauses_for_programs(kind: str) -> None:
    """The list has these keys and no others, and every clause of the file, in its order."""
    game = games.kinds()[kind]
    listed = read_json(kind, "--clauses")
    for one in listed:
        assert list(one) == ["id", "text", "source", "mark", "option", "tests"]
        assert one["mark"] in ("sourced", "deduced", "assumed", "ruling")
        assert all(re.fullmatch(r"tests/[\w/]+\.py::\w+", test) for test in one["tests"])
    rows = read_toml(game.package, game.clauses)["clause"]
    assert [one["id"] for one in listed] == [row["id"] for row in rows]
    assert resources.files(game.package).joinpath(game.clauses).is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_the_clauses_for_people(kind: str) -> None:
    head, *rows = says(kind, "--clauses").splitlines()
    assert head.split() == ["clause", "text", "source", "mark", "option", "tests"]
    assert [row.split()[0] for row in rows] == [one["id"] for one in read_json(kind, "--clauses")]


def test_a_kind_that_is_not_there() -> None:
    result = CliRunner().invoke(app, ["rules", "chess"], prog_name="gm")
    assert result.exit_code == 1
    assert "Games: " in result.stderr
