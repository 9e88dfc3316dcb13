"""The database: opened, migrated, shared by threads, and its errors translated. On both databases."""

import random
import shutil
import sqlite3
import stat
import threading
from contextlib import closing, suppress

import peewee
import psycopg
import pytest

from adjudicator.errors import Refusal, StoreFault
from adjudicator.model.people import AskBack, Request
from adjudicator.storage import metadata, people, stored_games
from adjudicator.storage.archive import ALL_TABLES
from adjudicator.storage.database import MIGRATIONS, open_database
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.tables import PASSING, ChairRow, GameRow, MetaRow, RequestRow
from games.record import replace_fields
from tests.kit.database_values import NOW, new_game

DESCRIPTION = {
    "sqlite": "select name, sql from sqlite_master where sql is not null",
    "postgresql": """
        select 'column ' || table_name || '.' || column_name,
               concat_ws(' ', data_type, is_nullable, column_default)
        from information_schema.columns where table_schema = 'public'
        union select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'
        union select 'constraint ' || conname, pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace
    """,
}


def refusal(url):
    """Open a database and return why it is refused; empty where it opens."""
    try:
        open_database(url).close()
    except Refusal as refused:
        return str(refused)
    return ""


def described(url):
    """Return the tables and indexes of a database, by name, as the engine describes them."""
    if url.startswith("postgresql:"):
        with psycopg.connect(url) as asked:
            return dict(asked.execute(DESCRIPTION["postgresql"]).fetchall())
    with sqlite3.connect(url) as asked:
        found = dict(asked.execute(DESCRIPTION["sqlite"]).fetchall())
    asked.close()
    return found


def test_other_engines_are_refused_by_name():
    with pytest.raises(Refusal, match="mysql://"):
        open_database("mysql://root:secret@localhost/turnpost")


def test_migrations_make_what_the_models_say(url, database, another):
    """A column that is added to a model and not to a migration shows here."""
    if url.startswith("postgresql:"):
        fresh = peewee.PostgresqlDatabase(another, prefer_psycopg3=True)
    else:
        fresh = peewee.SqliteDatabase(another)
    with fresh.bind_ctx((*ALL_TABLES, *PASSING)):
        fresh.create_tables((*ALL_TABLES, *PASSING))
    fresh.close()
    history = ("migration", "sqlite_", "column migration", "index migration", "constraint migration")
    found = {name: sql for name, sql in described(url).items() if not name.startswith(history)}
    assert len(found) > 10
    assert found == described(another)


def test_a_database_is_migrated_once(url, database):
    assert database.bring_up_to_date() is None
    again = open_database(url)
    assert again.bring_up_to_date() is None
    again.close()


def test_a_database_of_a_later_program_is_left_alone(url, database):
    """After an upgrade that was reverted: this program could damage what it doesn't know."""
    later = "insert into migration (name, applied) values ('0999_later', '2030-01-01 00:00:00')"
    gone = "delete from migration where name = '0999_later'"
    asked = psycopg.connect(url) if url.startswith("postgresql:") else sqlite3.connect(url)
    with closing(asked):
        asked.execute(later)
        asked.commit()
        try:
            open_database(url).close()
            said = "nothing"
        except Refusal as refused:
            said = str(refused)
        finally:
            asked.execute(gone)
            asked.commit()
    assert "a later program has upgraded it, to 0999_later" in said
    assert "gm restore" in said


def test_what_waited_for_an_answer_waits_beside_others_afterwards(another, tmp_path, monkeypatch):
    """The old question had no mark, since the email with it named none; a new question has its own."""
    steps = tmp_path / "before"
    shutil.copytree(MIGRATIONS, steps, ignore=shutil.ignore_patterns("0010_*", "__pycache__"))
    with monkeypatch.context() as before:
        before.setattr("adjudicator.storage.database.MIGRATIONS", steps)
        old = open_database(another)
    with old.writing():
        old.run(RequestRow.insert(address="elm@x.org", lines='["LIST"]', asked=7).as_rowcount())
    old.close()
    new = open_database(another)
    assert new.bring_up_to_date() is None
    assert "mark" in [column.name for column in new._library.get_columns("request")]
    waiting = Request(address="elm@x.org", lines=("LIST",), at=7)
    assert DatabaseRepository(new).people.requests("elm@x.org") == (waiting,)
    other = replace_fields(waiting, lines=("NEW pebbles",), mark="a" * 10, at=8)
    people.apply_action(new, AskBack(by="elm@x.org", request=other))
    assert DatabaseRepository(new).people.requests("elm@x.org") == (waiting, other)
    new.close()


def test_two_that_open_at_once_do_not_race(another):
    faults, start = [], threading.Barrier(4)

    def open_it():
        start.wait()
        try:
            open_database(another).close()
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_durability_and_keys_are_on(database):
    with database.session():
        asked = {
            name: database._library.execute_sql(f"pragma {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_full_disk_is_a_fault_of_the_store(database):
    with database.session():
        pages = database._library.execute_sql("pragma page_count").fetchone()[0]
        database._library.execute_sql(f"pragma max_page_count = {pages}")
        with pytest.raises(StoreFault, match="disk is full") as caught, database.writing():
            database.run(MetaRow.insert(key="large", value=b"x" * 100_000))
        assert caught.value.retry_after == 5.0
    assert database.count(MetaRow.select().where(MetaRow.key == "large")) == 0


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_connection_that_breaks_is_a_fault_and_the_next_one_works(url, database):
    """As when the server or its machine restarts."""

    def cut():
        with psycopg.connect(url, autocommit=True) as other:
            other.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )

    def note_and_be_cut_off():
        with database.session():
            metadata.note_poll(database, 5)
            cut()
            metadata.note_poll(database, 6)

    with pytest.raises(StoreFault, match="out of reach") as caught:
        note_and_be_cut_off()
    assert caught.value.retry_after == 5.0
    assert metadata.last_poll(database) == 5
    metadata.note_poll(database, 7)
    assert metadata.last_poll(database) == 7


def test_a_database_that_cannot_be_had_is_a_fault(tmp_path, postgresql):
    missing = {
        str(tmp_path / "missing" / "turnpost.db"): "Can't create database",
        postgresql.fresh() + "x": "out of reach",
    }
    for url, match in missing.items():
        with pytest.raises(StoreFault, match=match):
            open_database(url)


def test_a_fault_does_not_tell_the_password(postgresql):
    url = postgresql.fresh().replace("turnpost@", "turnpost:hush@") + "x"
    with pytest.raises(StoreFault, match=r"postgresql://127\.0\.0\.1:\d+/test") as caught:
        open_database(url)
    assert "hush" not in str(caught.value)


def test_a_broken_rule_of_ours_is_not_blamed_on_the_world(database):
    with database.writing():
        database.run(MetaRow.insert(key="one", value=b"1"))
    with pytest.raises(peewee.IntegrityError), database.writing():
        database.run(MetaRow.insert(key="one", value=b"2"))


def test_reading_sees_one_moment(database):
    """Changes by others aren't visible before the reading ends."""
    with database.reading():
        assert metadata.last_poll(database) is None
        writer = threading.Thread(target=lambda: (metadata.note_poll(database, 5), database.close()))
        writer.start()
        writer.join()
        assert metadata.last_poll(database) is None
    assert metadata.last_poll(database) == 5


def test_an_exception_undoes_all_of_a_transaction(database):
    def note_and_fail():
        with database.writing():
            metadata.note_poll(database, 7)
            raise KeyError

    with pytest.raises(KeyError):
        note_and_fail()
    assert metadata.last_poll(database) is None


def test_a_part_inside_a_part_is_undone_alone_and_the_outer_one_whole(database):
    """Both savepoints have one name: the inner one that was undone is not found in place of the outer one."""
    with database.writing():
        metadata.note_poll(database, 1)
        with suppress(KeyError), database.savepoint():
            metadata.note_poll(database, 2)
            with suppress(LookupError), database.savepoint():
                metadata.note_poll(database, 3)
                raise LookupError
            assert metadata.last_poll(database) == 2
            raise KeyError
    assert metadata.last_poll(database) == 1


def test_the_service_key_is_made_once(url, database):
    key = metadata.service_key(database)
    assert len(key) == 32
    again = open_database(url)
    assert metadata.service_key(again) == key
    again.close()


def test_polls_are_noted(database):
    metadata.note_poll(database, 1000)
    metadata.note_poll(database, 2000)
    assert metadata.last_poll(database) == 2000


@pytest.mark.parametrize(
    ("text", "kept"), [(None, None), ("plain ü", "plain ü"), ("a\0b", "ab"), ("\udcc3x", "?x")]
)
def test_text_of_anybody_is_kept_and_found_again(database, text, kept):
    """The engines don't accept all text of emails, such as NUL or half a character."""
    stored_games.create(database, new_game(), (), NOW)
    with database.writing():
        database.run(ChairRow.update(trouble=text).where(ChairRow.seat == "Red"))
        assert database.first(ChairRow.select().where(ChairRow.seat == "Red")).trouble == kept
        same = ChairRow.trouble.is_null() if text is None else ChairRow.trouble == text
        assert database.count(ChairRow.select().where(same)) == (2 if text is None else 1)


def test_capitals_count(database):
    """A seat, a game and a key are found only as they are written."""
    stored_games.create(database, new_game(), (), NOW)
    assert database.count(GameRow.select().where(GameRow.name == "Demo")) == 0
    assert DatabaseRepository(database).position("DEMO") is None


def test_bytes_come_back_as_they_were(database):
    every = bytes(range(256)) * 3
    with database.writing():
        database.run(MetaRow.insert(key="bytes", value=every))
    assert bytes(database.first(MetaRow.select().where(MetaRow.key == "bytes")).value) == every


def test_a_new_file_is_for_its_owner_alone(tmp_path):
    """Wherever it is made: keys of the service and of dice are in it, and in what lies beside it."""
    database = open_database(str(tmp_path / "new.db"))
    with database.session():
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == {"new.db": 0o600, "new.db-wal": 0o600, "new.db-shm": 0o600}
    database.close()
    (tmp_path / "new.db").chmod(0o640)
    open_database(str(tmp_path / "new.db")).close()
    assert stat.S_IMODE((tmp_path / "new.db").stat().st_mode) == 0o640, "what somebody has settled stays"


def test_an_empty_file_is_refused_and_not_taken_for_a_fresh_service(tmp_path):
    """A disk that was full, or a copy that was broken off, leaves a file of 0 bytes where games were."""
    file = tmp_path / "turnpost.db"
    file.touch()
    assert "is an empty file (0 bytes)" in refusal(str(file))
    assert file.stat().st_size == 0
    open_database(str(file), may_be_empty=True).close()
    assert file.stat().st_size > 0


def test_a_new_database_has_its_name_only_when_its_tables_stand(tmp_path, monkeypatch):
    """An interrupted creation leaves nothing that looks like a database."""
    file = tmp_path / "turnpost.db"

    def broken_off(library, folder, name):
        assert not file.exists()
        raise KeyboardInterrupt

    with monkeypatch.context() as now:
        now.setattr("adjudicator.storage.migrating.run_migrations", broken_off)
        with pytest.raises(KeyboardInterrupt):
            open_database(str(file))
    assert [*tmp_path.iterdir()] == []
    open_database(str(file)).close()
    assert [found.name for found in tmp_path.iterdir()] == ["turnpost.db"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_broken_reference_that_was_there_before_hinders_no_upgrade(tmp_path, monkeypatch):
    steps = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, steps, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr("adjudicator.storage.database.MIGRATIONS", steps)
    file = tmp_path / "turnpost.db"
    open_database(str(file)).close()
    with closing(sqlite3.connect(file)) as asked, asked:
        asked.execute("insert into filed (game_id, seat, orders) values ('gone', 'x', '')")
    upgrade = "def up(migrator, db):\n    db.execute_sql({!r})\n"
    (steps / "0998_harmless.py").write_text(upgrade.format("create table added (a integer)"))
    assert refusal(str(file)) == ""
    second = "insert into filed (game_id, seat, orders) values ('gone', 'y', '')"
    (steps / "0999_breaking.py").write_text(upgrade.format(second))
    assert "references would have broken" in refusal(str(file))
    with closing(sqlite3.connect(file)) as asked:
        assert asked.execute("select seat from filed").fetchall() == [("x",)]


@pytest.mark.parametrize("seed", range(6))
def test_flipped_bits_are_told_as_damage(tmp_path, seed):
    """Never as our own error: the engine's message may quote bytes that aren't text."""
    file = tmp_path / "turnpost.db"
    opened = open_database(str(file))
    stored_games.create(opened, new_game(), [], NOW)
    opened.close()
    data, dice = bytearray(file.read_bytes()), random.Random(seed)
    # Where the tables are described, so that the engine cannot even say what is wrong in plain text.
    for place in dice.sample(range(200, 4000), 40):
        data[place] ^= 0x80
    file.write_bytes(data)
    with suppress(StoreFault, Refusal):
        opened = open_database(str(file))
        opened.health()


def test_foreign_keys_are_enforced_again_after_an_upgrade(tmp_path):
    opened = open_database(str(tmp_path / "turnpost.db"))
    opened.close()
    with opened.session():
        with opened._library.for_migrations():
            assert opened._library.pragma("foreign_keys") == 0
        assert opened._library.pragma("foreign_keys") == 1


def test_text_that_is_none_is_told_as_damage(tmp_path):
    file = tmp_path / "turnpost.db"
    opened = open_database(str(file))
    stored_games.create(opened, new_game(), [], NOW)
    with closing(sqlite3.connect(file)) as asked, asked:
        asked.execute("update game set founder = cast(x'ff2e' as text)")
    with pytest.raises(StoreFault, match="it is damaged"), opened.reading():
        list(opened.run(GameRow.select()))
    opened.close()
