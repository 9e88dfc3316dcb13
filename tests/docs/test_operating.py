"""The operator's guide and the pages behind it: their commands work in order, and their settings are read."""

import tomllib
from pathlib import Path

import pytest

from adjudicator.config.service import DEFAULT_KEEP, read_settings
from tests.kit.handbook import DOCS
from tests.kit.page_examples import blocks, lines, run_commands

GUIDE = (DOCS / "operating.md").read_text()
PAGES = ("operating", "installing", "mailbox", "running", "channels", "backups")
PAGE = "\n".join((DOCS / f"{name}.md").read_text() for name in PAGES)


def test_an_operator_types_every_example_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of them list a game that was restored from the copy made before."""
    monkeypatch.chdir(tmp_path)
    before = (
        "gm init --folder games --address gm@example.org --no-local --yes",
        "gm --config games/gm.toml game new war-chest beaver",
    )
    told = lines(PAGE)
    assert len(told) >= 8
    assert "beaver" in run_commands((*before, *told))[-1]


def test_its_settings_are_read(tmp_path: Path) -> None:
    block = "\n".join(blocks(PAGE, "toml"))
    plain = {
        "service": {"address": "gm@example.org"},
        "inbox": {"url": "maildir:./in"},
        "outbox": {"url": "maildir:./out"},
    }
    settings = read_settings({**plain, **tomllib.loads(block)}, tmp_path / "gm.toml", {})
    assert settings.metrics is not None
    assert settings.keep == DEFAULT_KEEP
