"""docs/site.md describes what the archive writes."""

import json
import re
from pathlib import Path

import pytest

from adjudicator.config.service import SITE_KEYS
from adjudicator.website import game_json
from games.record import schema

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "site.md").read_text(encoding="utf-8")
RECORDS = {
    "the game": game_json.GameFile,
    "a seat": game_json.SeatFile,
    "a turn": game_json.TurnFile,
    "an order": game_json.OrderFile,
    "a line": game_json.LineFile,
    "a throw": game_json.ThrowFile,
    "press": game_json.PressFile,
    "a result": game_json.ResultFile,
}


def test_the_schema_is_that_of_the_format(request: pytest.FixtureRequest) -> None:
    """`make golden` writes it."""
    told = json.dumps(schema(game_json.GameFile), indent=1, sort_keys=True) + "\n"
    file = DOCS / "game.schema.json"
    if request.config.getoption("--write-golden"):
        file.write_text(told)
    assert file.read_text() == told


def test_the_page_names_every_key_of_the_format() -> None:
    """In their order, record by record."""
    rows = dict(re.findall(r"^\| ((?:the|an?) [a-z]+|press) \| (`.*`) \|$", PAGE, re.MULTILINE))
    told = {name: re.findall(r"`(\w+)`", keys) for name, keys in rows.items()}
    assert told == {name: list(record.__struct_fields__) for name, record in RECORDS.items()}


def test_the_page_names_every_key_of_gm_toml() -> None:
    """Of its table."""
    assert set(re.findall(r"^\| `(\w+)` \| ", PAGE, re.MULTILINE)) == SITE_KEYS
