"""The page on JSON: its examples are answered, and the keys that it lists are those that there are."""

import json
import re

import pytest
from typer.testing import CliRunner

import games
from adjudicator.gm.app import app
from games.protocol import Invalid
from tests.kit.handbook import DOCS

PAGE = (DOCS / "judge.md").read_text()
ASKED = re.findall(r"^```\necho '(\{.*?\})' \| gm (\w+) ([\w-]+)\n```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("question", "command", "kind"), ASKED, ids=[kind for _, _, kind in ASKED])
def test_an_example_is_answered(question: str, command: str, kind: str) -> None:
    done = CliRunner().invoke(app, [command, kind], input=question)
    assert done.exit_code == 0, done.output
    assert "error" not in json.loads(done.stdout)


def test_every_kind_that_answers_has_an_example() -> None:
    """Of a family of boards one of them does."""
    asked = {games.kinds()[kind].package for _, _, kind in ASKED}
    assert asked == {game.package for game in games.kinds().values() if game.whatif is not None}


@pytest.mark.parametrize(
    ("kind", "passed_over"), [("plains-indian-wars", {"name", "note", "seat"}), ("boer-war", set())]
)
def test_the_keys_of_a_kind_are_those_that_it_knows(kind: str, passed_over: set[str]) -> None:
    """As its refusal of another one lists them."""
    whatif = games.kinds()[kind].whatif
    assert whatif is not None
    with pytest.raises(Invalid) as caught:
        whatif.position({"no such key": 1})
    known = set(re.findall(r"\w+", (caught.value.instead or "").partition("known are")[2]))
    cells = re.findall(r"^\| (`[^|]*) \|", section(kind), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(cells))) == known - passed_over


def section(kind: str) -> str:
    """What the page says of positions of a kind."""
    return PAGE.partition(f"For `{kind}` the question")[2].partition("\nFor `")[0]
