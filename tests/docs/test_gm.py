"""The examples of the GM's handbook, run in their order, and the format of an export."""

import json
from pathlib import Path

import pytest

from adjudicator.admin.transfer import EXPORT_SCHEMA_NAMES, GameExport
from adjudicator.model.channel_posts import POST_SCHEMA_NAMES, ChannelPost
from games.record import schema
from tests.kit.handbook import DOCS
from tests.kit.page_examples import lines, run_commands


def test_a_gamesmaster_types_every_example_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them succeeds."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    told = lines((DOCS / "gm.md").read_text())
    assert len(told) > 30
    run_commands(["gm init --no-local --timezone UTC --yes", *told])


@pytest.mark.parametrize(
    ("kind", "published_names", "name"),
    [
        (GameExport, EXPORT_SCHEMA_NAMES, "export.schema.json"),
        (ChannelPost, POST_SCHEMA_NAMES, "channel.schema.json"),
    ],
    ids=["export", "channel"],
)
def test_the_schema_is_that_of_the_format(
    request: pytest.FixtureRequest, kind: type, published_names: dict[type, str], name: str
) -> None:
    """`make golden` writes it."""
    told = json.dumps(schema(kind, published_names), indent=1, sort_keys=True) + "\n"
    file = DOCS / name
    if request.config.getoption("--write-golden"):
        file.write_text(told)
    assert file.read_text() == told
