"""The database: opened, migrated, shared by threads, and its faults told as ours."""

import sqlite3
import threading

import peewee
import pytest

from adjudicator.errors import Refusal, StoreFault
from adjudicator.store import meta
from adjudicator.store.database import open_database, storable
from adjudicator.store.tables import TABLES, MetaRow


def test_postgresql_is_refused_by_name():
    with pytest.raises(Refusal, match="later release"):
        open_database("postgresql://localhost/turnpost")


def test_migrations_make_what_the_models_say(tmp_path, database):
    """A column that is added to a model and not to a migration shows here."""
    fresh = peewee.SqliteDatabase(str(tmp_path / "fresh.db"))
    with fresh.bind_ctx(TABLES):
        fresh.create_tables(TABLES)
    wanted = dict(fresh.execute_sql("select name, sql from sqlite_master where sql is not null").fetchall())
    fresh.close()
    with sqlite3.connect(tmp_path / "turnpost.db") as made:
        found = dict(made.execute("select name, sql from sqlite_master where sql is not null").fetchall())
    made.close()
    history = {name for name in found if name.startswith("migration") or name.startswith("sqlite_")}
    assert {name: sql for name, sql in found.items() if name not in history} == wanted


def test_a_database_is_migrated_once(tmp_path, database):
    assert database.bring_up_to_date() == ()
    again = open_database(str(tmp_path / "turnpost.db"))
    assert again.bring_up_to_date() == ()
    again.close()


def test_two_that_open_at_once_do_not_race(tmp_path):
    faults = []

    def open_it():
        try:
            open_database(str(tmp_path / "both.db")).close()
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_durability_and_keys_are_on(database):
    with database.session():
        asked = {
            name: database._library.execute_sql(f"pragma {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_a_full_disk_is_a_fault_of_the_store(database):
    with database.session():
        pages = database._library.execute_sql("pragma page_count").fetchone()[0]
        database._library.execute_sql(f"pragma max_page_count = {pages}")
        with pytest.raises(StoreFault, match="full") as caught, database.writing():
            database.run(MetaRow.insert(key="large", value=b"x" * 100_000))
        assert caught.value.retry_after == 5.0
    assert database.count(MetaRow.select().where(MetaRow.key == "large")) == 0


def test_a_file_that_cannot_be_made_is_a_fault(tmp_path):
    with pytest.raises(StoreFault, match="out of reach"):
        open_database(str(tmp_path / "missing" / "turnpost.db"))


def test_a_broken_rule_of_ours_is_not_blamed_on_the_world(database):
    with database.writing():
        database.run(MetaRow.insert(key="one", value=b"1"))
    with pytest.raises(peewee.IntegrityError), database.writing():
        database.run(MetaRow.insert(key="one", value=b"2"))


def test_reading_sees_one_moment(tmp_path, database):
    """What another writes meanwhile is not seen before the reading ends."""
    with database.reading():
        assert meta.last_poll(database) is None
        writer = threading.Thread(target=lambda: (meta.note_poll(database, 5), database.close()))
        writer.start()
        writer.join()
        assert meta.last_poll(database) is None
    assert meta.last_poll(database) == 5


def test_an_exception_undoes_all_of_a_transaction(database):
    def note_and_fail():
        with database.writing():
            meta.note_poll(database, 7)
            raise KeyError

    with pytest.raises(KeyError):
        note_and_fail()
    assert meta.last_poll(database) is None


def test_the_service_key_is_made_once(tmp_path, database):
    key = meta.service_key(database)
    assert len(key) == 32
    again = open_database(str(tmp_path / "turnpost.db"))
    assert meta.service_key(again) == key
    again.close()


def test_polls_are_noted(database):
    meta.note_poll(database, 1000)
    meta.note_poll(database, 2000)
    assert meta.last_poll(database) == 2000


@pytest.mark.parametrize(
    ("text", "kept"), [(None, None), ("plain ü", "plain ü"), ("a\0b", "ab"), ("\udcc3x", "?x")]
)
def test_text_is_made_storable(text, kept):
    assert storable(text) == kept
