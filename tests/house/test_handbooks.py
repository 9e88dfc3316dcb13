"""The examples of the handbooks, typed and mailed; and the format of an export, as it is described."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import games
from adjudicator.clerk.glance import glance, opening_of, position_of
from adjudicator.gamesmaster.exchange import Export
from adjudicator.gm.app import app
from games.protocol import Seat
from games.record import schema

DOCS = Path(__file__).parents[2] / "docs"


def blocks(name: str, mark: str) -> list[str]:
    """The examples of a page."""
    found = re.findall(rf"^```{mark}\n(.*?)^```$", (DOCS / name).read_text(), re.MULTILINE | re.DOTALL)
    assert found
    return found


def test_a_gamesmaster_types_every_example_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And each of them is done."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adjudicator.secretary.writing.map_for", lambda *position, **turn: None)
    typed = [line for block in blocks("gm.md", "sh") for line in block.splitlines()]
    assert len(typed) > 30
    for line in ["gm init --no-local --timezone UTC --yes", *typed]:
        word, *rest = shlex.split(line)
        done = CliRunner().invoke(app, rest, prog_name=word)
        assert done.exit_code == 0, f"{line}\n{done.output}"
        assert done.stdout.strip(), line


@pytest.mark.parametrize("text", blocks("players.md", "letter"))
def test_a_players_letter_is_understood_to_the_last_line(text: str) -> None:
    game = games.kinds()["indianomacy"]
    position = position_of(game, opening_of(game))
    raw = f"From: iroquois@example.org\nTo: gm@example.org\nSubject: orders\n\n{text}".encode()
    said = glance(raw, position, game, Seat("Iroquois"))
    assert [row["grade"] for row in said["orders"]] == ["taken"] * len(said["orders"])
    assert len(said["orders"]) + len(said["commands"]) > 0
    heard = {row["line"] for row in said["orders"]} | {command["line"] for command in said["commands"]}
    structure = re.compile(r"(PHASE|ENDPHASE|IF|ELSE|ENDIF)\b")
    lines = [part.strip() for line in text.splitlines() for part in line.split(", ") if part.strip()]
    assert [line for line in lines if line not in heard and not structure.match(line)] == []


def test_the_three_ways_to_write_orders_say_the_same() -> None:
    game = games.kinds()["indianomacy"]
    position = position_of(game, opening_of(game))
    first, second = (
        glance(f"From: a@example.org\nSubject: x\n\n{text}".encode(), position, game, Seat("Iroquois"))
        for text in blocks("players.md", "letter")[:2]
    )
    assert [row["read_as"] for row in first["orders"]] == [row["read_as"] for row in second["orders"]]


def test_the_schema_is_that_of_the_format(request: pytest.FixtureRequest) -> None:
    """`make golden` writes it afresh."""
    told = json.dumps(schema(Export), indent=1, sort_keys=True) + "\n"
    file = DOCS / "export.schema.json"
    if request.config.getoption("--write-golden"):
        file.write_text(told)
    assert file.read_text() == told
