"""A database of each supported kind, and a small kind of game to store in it."""

from pathlib import Path

import psycopg
import pytest

import games
from adjudicator.storage.archive import ALL_TABLES
from adjudicator.storage.database import open_database
from adjudicator.storage.tables import PASSING
from tests.kit import pictures
from tests.kit.service_harness import create_database


@pytest.fixture(autouse=True)
def pebbles(monkeypatch):
    """Make `pebbles` the only kind of game."""
    monkeypatch.setattr(games, "__path__", [str(Path(__file__).with_name("kinds"))])
    return games.kinds()["pebbles"]


@pytest.fixture(scope="session")
def shared(postgresql):
    """A PostgreSQL database with tables, which tests use one after the other."""
    url = postgresql.fresh()
    open_database(url).close()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """The URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "turnpost.db")
    url = request.getfixturevalue("shared")
    names = [table._meta.table_name for table in (*ALL_TABLES, *PASSING)]
    with psycopg.connect(url) as asked:
        # Truncating creates files for each table and index, which takes four times as long.
        asked.execute("set session_replication_role = replica")  # rows may depend on each other in any order
        asked.execute("; ".join(f"delete from {name}" for name in names))
        numbers = "select setval(sequencename::text::regclass, 1, false) from pg_sequences"
        asked.execute(f"{numbers} where sequencename <> 'migration_id_seq'")
    return url


@pytest.fixture
def another(url, tmp_path, request):
    """The URL of a second database of the same kind, without tables."""
    if url.startswith("postgresql:"):
        return request.getfixturevalue("postgresql").fresh()
    return str(tmp_path / "another.db")


@pytest.fixture
def database(url):
    if not url.startswith("postgresql:"):
        create_database(Path(url).parent)
    opened = open_database(url)
    yield opened
    opened.close()


skip_drawing = pictures.skip_drawing
