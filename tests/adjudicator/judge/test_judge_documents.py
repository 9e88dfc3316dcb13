"""The examples of README.md and docs/judge.md run as shown, and the table has every key."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import games
from adjudicator.cli.app import app
from games.diplomacy.judge import make_reader

ROOT = Path(__file__).parents[3]
TYPED = re.compile(r"```\n(echo '[^`]*?gm (?:judge|bot) [^\n]*)\n```\n\n```json\n(.*?)```", re.DOTALL)


def examples() -> list[tuple[str, str]]:
    """Return the questions and answers in the documents."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/judge.md")]
    return [(typed, answer) for text in texts for typed, answer in TYPED.findall(text)]


def test_there_is_an_example_of_each():
    assert [typed.split("gm ")[-1].split()[0] for typed, _ in examples()] == ["judge", "bot"]


@pytest.mark.parametrize(("typed", "answer"), examples())
def test_an_example_answers_as_it_says(typed, answer):
    echo, command = typed.rsplit("|", 1)
    shown = CliRunner().invoke(app, shlex.split(command)[1:], input=shlex.split(echo)[1], prog_name="gm")
    assert shown.exit_code == 0
    assert json.loads(shown.stdout) == json.loads(answer)


def test_every_key_of_a_question_is_in_the_table():
    text = (ROOT / "docs" / "judge.md").read_text(encoding="utf-8")
    keys = re.findall(r"^\| `(\w+)` \|", text.partition("## The answer")[0], re.MULTILINE)
    assert sorted(keys) == sorted(make_reader(games.kinds()["indianomacy"].rules.variant).keys)
