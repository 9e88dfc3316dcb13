"""The operator's guide: what it says to type is done, in order, and the settings that it names are read."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudicator.gm.app import app
from adjudicator.settings.service import read_settings
from tests.kit.handbook import DOCS

PAGE = (DOCS / "operating.md").read_text()


def blocks(mark: str) -> list[str]:
    return re.findall(rf"^```{mark}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_an_operator_types_every_example_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of them list a game that was restored from the copy made before."""
    monkeypatch.chdir(tmp_path)
    before = (
        "gm init --folder games --address gm@example.org --no-local --yes",
        "gm --config games/gm.toml game new war-chest beaver",
    )
    typed = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(typed) >= 8
    for line in (*before, *typed):
        word, *rest = shlex.split(line)
        done = CliRunner().invoke(app, rest, prog_name=word)
        assert done.exit_code == 0, f"{line}\n{done.output}"
    assert "beaver" in done.stdout


def test_its_settings_are_read(tmp_path: Path) -> None:
    (block,) = blocks("toml")
    plain = {
        "service": {"address": "gm@example.org"},
        "inbox": {"url": "maildir:./in"},
        "outbox": {"url": "maildir:./out"},
    }
    settings = read_settings({**plain, **tomllib.loads(block)}, tmp_path / "gm.toml", {})
    assert settings.metrics is not None
