"""The service's notes about itself: its key, and when its mailbox was last drained."""

import secrets
from contextlib import suppress

import peewee

from adjudicator.clock import Millis
from adjudicator.model.mail import ServiceStart
from adjudicator.storage.database import Database, Prepared, slot
from adjudicator.storage.tables import MetaRow
from games.record import canonical, load

_KEY, _PROGRAM = "service_key", "program"
_POLL, _ALIVE, _HANDED, _TIDIED = "last_poll", "last_alive", "last_handed", "last_tidied"
_LOOKED, _START = "looked_with", "service_start"

_SELECT_META_VALUE = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))
_UPSERT_META_VALUE = Prepared(
    MetaRow.insert(key=slot("key"), value=slot("value")).on_conflict(
        conflict_target=[MetaRow.key], preserve=[MetaRow.value]
    )
)


def service_key(database: Database) -> bytes:
    """The secret behind reply tokens and Message-IDs: 32 bytes, made at the first call and kept for good."""
    with database.reading():
        key = _value(database, _KEY)
    if key is None:
        with database.writing():
            # Whoever makes one at the same moment makes it for both.
            database.run(MetaRow.insert(key=_KEY, value=secrets.token_bytes(32)).on_conflict_ignore())
            key = _value(database, _KEY)
    assert key is not None
    return key


def note_poll(database: Database, began: Millis) -> None:
    """Note that a poll of the mailbox which began then has kept all there was."""
    _note(database, _POLL, began)


def last_poll(database: Database) -> Millis | None:
    """When the last complete poll began: letters that had come by then are in the database."""
    return _instant(database, _POLL)


def note_handed(database: Database, now: Millis) -> None:
    """Note that a mail server has handed us a letter."""
    _note(database, _HANDED, now)


def last_handed(database: Database) -> Millis | None:
    """When a mail server last handed us a letter, besides those that lay in the mailbox."""
    return _instant(database, _HANDED)


def note_tidied(database: Database, now: Millis) -> None:
    """Note that what need not be kept was forgotten."""
    _note(database, _TIDIED, now)


def last_tidied(database: Database) -> Millis | None:
    """When what need not be kept was last forgotten."""
    return _instant(database, _TIDIED)


def note_alive(database: Database, now: Millis) -> None:
    """Note that the service is alive."""
    _note(database, _ALIVE, now)


def last_alive(database: Database) -> Millis | None:
    """When it was last noted that the service is alive."""
    return _instant(database, _ALIVE)


def note_program(database: Database, version: str) -> None:
    """Note which version of the program serves."""
    _note(database, _PROGRAM, version)


def program_version(database: Database) -> str | None:
    """Return the version of the program that last began to serve."""
    with database.reading():
        version = _value(database, _PROGRAM)
    return None if version is None else version.decode()


def note_check_settings(database: Database, what: str) -> bool:
    """Note the program and settings that decide what is due. Returns whether they have changed."""
    with database.reading():
        before = _value(database, _LOOKED)
    if before == what.encode():
        return False
    _note(database, _LOOKED, what)
    return True


def note_service_start(database: Database, start: ServiceStart) -> None:
    """Note when the service was set up on its mailbox."""
    _note(database, _START, canonical(start).decode())


def service_start(database: Database) -> ServiceStart | None:
    """When the service was set up on a mailbox; None for a database of which nobody noted that."""
    with database.reading():
        document = _value(database, _START)
    return None if document is None else load(ServiceStart, document)


def _note(database: Database, key: str, what: Millis | str) -> None:
    with database.writing():
        database.do(_UPSERT_META_VALUE, key=key, value=str(what).encode())


def _instant(database: Database, key: str) -> Millis | None:
    with database.reading():
        value = _value(database, key)
    return None if value is None else int(value)


def _value(database: Database, key: str) -> bytes | None:
    row = next(iter(database.ask(_SELECT_META_VALUE, key=key)), None)
    return None if row is None else bytes(row.value)


# A check that a database on a server can still grow: only writing into it can tell.


TRIAL_ROWS, TRIAL_ROW_BYTES = 1_000, 1_000
"""A trial takes about as much room as one large email."""

# Its data is not logged, so a trial costs others nothing. It is a new table and needs new room: what deleted
# rows left free elsewhere says nothing of the disk.
_TRIAL = (
    "CREATE UNLOGGED TABLE turnpost_growth_trial AS "
    f"SELECT repeat('x', {TRIAL_ROW_BYTES}) AS filler FROM generate_series(1, {TRIAL_ROWS})"
)


def try_to_grow(database: Database) -> None:
    """Write a megabyte into a table of its own, and undo it. Raises StoreFault where there is no room for it.

    It does nothing where the database is a file: the free space of its disk is known without. Where our user
    may make no tables it tells nothing.
    """
    if not database.is_shared:
        return
    with suppress(_Undone, peewee.ProgrammingError), database.writing():
        database.run(peewee.RawQuery(_TRIAL))
        raise _Undone


class _Undone(Exception):
    """It ends the transaction, and nothing of it stays."""
