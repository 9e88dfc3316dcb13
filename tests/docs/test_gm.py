"""The examples of the gamesmaster's handbook, typed in their order; and the format of an export."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.gamesmaster.exchange import Export
from adjudicator.gm.app import app
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


def test_the_schema_is_that_of_the_format(request: pytest.FixtureRequest) -> None:
    """`make golden` writes it afresh."""
    told = json.dumps(schema(Export), indent=1, sort_keys=True) + "\n"
    file = DOCS / "export.schema.json"
    if request.config.getoption("--write-golden"):
        file.write_text(told)
    assert file.read_text() == told
