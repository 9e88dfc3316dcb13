"""The whole database in one file and back: every table, on either kind of database."""

import sqlite3
from contextlib import closing

import peewee
import pytest

from adjudicator.errors import Refusal
from adjudicator.model.mail import Receipt
from adjudicator.storage import archive, inbox, outbox, stored_games
from adjudicator.storage.database import open_database
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.tables import PASSING
from tests.kit.database_values import NOW, letter, new_game, outgoing_letter


@pytest.fixture
def full(database):
    """Books with a game, a letter in and two letters out, one of which has gone."""
    letters = [outgoing_letter(key="k1"), outgoing_letter(key="k2")]
    stored_games.create(database, new_game(), letters, NOW)
    inbox.store_letters(database, [letter()], NOW)
    claimed = outbox.claim(database, NOW, limit=1)
    outbox.begin(database, claimed[0].key, NOW)
    outbox.settle(database, [Receipt(key=claimed[0].key, outcome="sent")], NOW)
    return database


def test_every_table_is_in_it(full, tmp_path):
    """A table that is added to the database but not here is noticed."""
    archive.save(full, tmp_path / "a.backup", {})
    with closing(sqlite3.connect(tmp_path / "a.backup")) as file:
        names = {name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    known = {model._meta.table_name for model in (*archive.ALL_TABLES, *PASSING)}
    assert {name for name in names if not name.startswith("sqlite_")} == known | {
        "backup",
        "file",
        "folder",
        "migration",
    }


def test_what_was_saved_is_restored_elsewhere(full, another, tmp_path):
    rows = archive.save(full, tmp_path / "a.backup", {"made": "today"})
    assert archive.label_of(tmp_path / "a.backup") == {"made": "today", "format": "1"}
    target = open_database(another)
    try:
        assert archive.is_fresh(target)
        assert archive.restore(target, tmp_path / "a.backup", NOW + 5) == rows
        assert not archive.is_fresh(target)
        assert DatabaseRepository(target).position("demo") == DatabaseRepository(full).position("demo")
        assert [one.raw for one in inbox.list_letters(target, 9)] == [
            one.raw for one in inbox.list_letters(full, 9)
        ]
    finally:
        target.close()


def test_letters_that_were_to_go_out_are_in_doubt_and_those_that_went_are_not(full, tmp_path):
    archive.save(full, tmp_path / "a.backup", {})
    archive.restore(full, tmp_path / "a.backup", NOW + 5)
    states = {one.sealed.key: (one.state, one.copied) for one in outbox.list_posted(full, 9)}
    assert states == {"k1": ("sent", False), "k2": ("unsure", True)}
    assert [one.sealed.key for one in outbox.unsure(full, NOW + 5)] == ["k2"]


def test_what_is_numbered_goes_on_counting(full, tmp_path):
    archive.save(full, tmp_path / "a.backup", {})
    archive.restore(full, tmp_path / "a.backup", NOW + 5)
    inbox.store_letters(full, [letter(message_id="<2@example.org>", place="new/2")], NOW)
    numbers = [one.number for one in inbox.list_letters(full, 9)]
    assert len(set(numbers)) == 2


def test_what_was_there_is_gone(full, tmp_path):
    archive.save(full, tmp_path / "a.backup", {})
    stored_games.create(full, new_game("other"), [], NOW)
    archive.restore(full, tmp_path / "a.backup", NOW + 5)
    assert DatabaseRepository(full).games() == ("demo",)


def test_a_backup_is_for_no_other_eyes_and_over_no_other_file(full, tmp_path):
    path = tmp_path / "a.backup"
    archive.save(full, path, {})
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(Refusal, match="it already exists"):
        archive.save(full, path, {})
    with pytest.raises(Refusal, match="Can't write"):
        archive.save(full, tmp_path / "no" / "a.backup", {})


def test_what_is_no_backup_is_refused(full, tmp_path):
    (tmp_path / "text").write_text("nothing")
    sqlite3.connect(tmp_path / "empty.db").close()
    for name, why in (
        ("none", "No file "),
        ("text", "it isn't a backup"),
        ("empty.db", "it isn't a backup"),
    ):
        with pytest.raises(Refusal, match=why):
            archive.restore(full, tmp_path / name, NOW)
    archive.save(full, tmp_path / "later", {})
    with closing(sqlite3.connect(tmp_path / "later")) as file, file:
        file.execute("UPDATE backup SET value = '9'")
    with pytest.raises(Refusal, match="it has format 9"):
        archive.label_of(tmp_path / "later")
    assert DatabaseRepository(full).games() == ("demo",)


def test_of_a_large_table_few_rows_are_in_memory_at_once(database, tmp_path, monkeypatch):
    """A driver fetches at once all that is asked for at once."""
    letters = [
        letter(message_id=f"<{n}@example.org>", place=f"new/{n}")
        for n in range(archive.ARCHIVE_BATCH_ROWS * 2 + 1)
    ]
    inbox.store_letters(database, letters, NOW)
    seen, run = [], database.run

    def watched(query):
        answer = run(query)
        if isinstance(query, peewee.ModelSelect):
            answer = list(answer)
            seen.append(len(answer))
        return answer

    monkeypatch.setattr(database, "run", watched)
    archive.save(database, tmp_path / "a.backup", {})
    assert max(seen) == archive.ARCHIVE_BATCH_ROWS
    monkeypatch.undo()
    archive.restore(database, tmp_path / "a.backup", NOW)
    assert len(inbox.list_letters(database, 999)) == len(letters)
