"""A database in a file, and a small kind of game to keep books of."""

from pathlib import Path

import pytest

import games
from adjudicator.store.database import open_database


@pytest.fixture(autouse=True)
def pebbles(monkeypatch):
    """The kind `pebbles`, the only one that is found."""
    monkeypatch.setattr(games, "__path__", [str(Path(__file__).with_name("kinds"))])
    return games.kinds()["pebbles"]


@pytest.fixture
def database(tmp_path):
    opened = open_database(str(tmp_path / "turnpost.db"))
    yield opened
    opened.close()
