"""The page on JSON: its examples are answered, and the keys that it lists are those that there are."""

import json
import re
from typing import Any

import pytest
from typer.testing import CliRunner

from adjudicator.gm.app import app
from games.plains_indian_wars.whatif import PlainsWhatIf
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
    assert {kind for _, _, kind in ASKED} == {"indianomacy", "war-chest", "great-war", "plains-indian-wars"}


def test_the_keys_of_plains_indian_wars_are_those_that_it_knows() -> None:
    """As its refusal of another one lists them."""
    told = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| ([^|]*) \|", section(), re.MULTILINE))))
    refused: dict[str, Any] = {"no such key": 1}
    with pytest.raises(Invalid) as caught:
        PlainsWhatIf().position(refused)
    known = set(re.findall(r"\w+", (caught.value.instead or "").partition("known are")[2]))
    assert told == known - {"name", "note", "seat"}


def section() -> str:
    """What the page says of positions of Plains Indian Wars."""
    return PAGE[PAGE.index("For `plains-indian-wars` the question") :]
