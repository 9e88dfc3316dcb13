"""The page on JSON: its examples get answers, and its list of keys is complete."""

import json
import re

import pytest
from typer.testing import CliRunner

import games
from adjudicator.cli.app import app
from games.protocol import Invalid
from games.record import field_types
from tests.kit.handbook import DOCS
from tests.kit.judge_schema import judge_schema

PAGE = (DOCS / "judge.md").read_text()
ASKED = re.findall(r"^```\necho '(\{.*?\})' \| gm (\w+) ([\w-]+)\n```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("question", "command", "kind"), ASKED, ids=[f"{command}-{kind}" for _, command, kind in ASKED]
)
def test_an_example_is_answered(question: str, command: str, kind: str) -> None:
    done = CliRunner().invoke(app, [command, kind], input=question)
    assert done.exit_code == 0, done.output
    assert "error" not in json.loads(done.stdout)


def test_every_kind_that_answers_has_an_example() -> None:
    """One board of a family is enough."""
    asked = {games.kinds()[kind].package for _, _, kind in ASKED}
    assert asked == {game.package for game in games.kinds().values() if game.whatif is not None}


@pytest.mark.parametrize(
    ("kind", "passed_over"), [("plains-indian-wars", {"name", "note", "seat"}), ("boer-war", set())]
)
def test_the_keys_of_a_kind_are_those_that_it_knows(kind: str, passed_over: set[str]) -> None:
    """The refusal of an unknown key lists them."""
    whatif = games.kinds()[kind].whatif
    assert whatif is not None
    with pytest.raises(Invalid) as caught:
        whatif.position({"no such key": 1})
    known = set(re.findall(r"\w+", (caught.value.instead or "").partition("known are")[2]))
    cells = re.findall(r"^\| (`[^|]*) \|", section(kind), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(cells))) == known - passed_over


def test_the_schema_is_that_of_the_questions_and_answers(request: pytest.FixtureRequest) -> None:
    """`make golden` writes it."""
    told = json.dumps(judge_schema(), indent=1, sort_keys=True) + "\n"
    file = DOCS / "judge.schema.json"
    if request.config.getoption("--write-golden"):
        file.write_text(told)
    assert file.read_text() == told


def test_the_page_names_every_key_of_a_complete_position() -> None:
    """Those of the games that are judged only by complete positions."""
    for kind, title in (("war-chest", "War Chest's has"), ("great-war", "The Great War's has")):
        said = PAGE.partition(title)[2].partition(" Those of Plains")[0].partition("The Great War's has")[0]
        keys = set(field_types(games.kinds()[kind].state_type))
        assert set(re.findall(r"`(\w+)`", said)) - {"d4"} == keys - {"options"}


def section(kind: str) -> str:
    """Return the page's text on positions of a kind."""
    return PAGE.partition(f"For `{kind}` the question")[2].partition("\nFor `")[0]
