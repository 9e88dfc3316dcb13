"""The service's notes about itself: its key, and the time of the last complete poll."""

import secrets
from contextlib import suppress

import peewee

from adjudicator.clock import MINUTE, Millis
from adjudicator.model.mail import ServiceStart
from adjudicator.storage.database import Database, Prepared, slot
from adjudicator.storage.tables import MetaRow
from games.record import Record, canonical, load

SERVICE_KEY, _PROGRAM = "service_key", "program"
_POLL, _ALIVE, _HANDED, _TIDIED = "last_poll", "last_alive", "last_handed", "last_tidied"
SCRUB_KEY = "scrub"
_LOOKED, _START = "looked_with", "service_start"

_SELECT_META_VALUE = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))
_UPSERT_META_VALUE = Prepared(
    MetaRow.insert(key=slot("key"), value=slot("value")).on_conflict(
        conflict_target=[MetaRow.key], preserve=[MetaRow.value]
    )
)


def service_key(database: Database) -> bytes:
    """Return the secret behind reply tokens and Message-IDs: 32 bytes, created at the first call."""
    with database.reading():
        key = _value(database, SERVICE_KEY)
    if key is None:
        with database.writing():
            # If another process creates one at the same moment, both use the same one.
            database.run(MetaRow.insert(key=SERVICE_KEY, value=secrets.token_bytes(32)).on_conflict_ignore())
            key = _value(database, SERVICE_KEY)
    assert key is not None
    return key


def note_poll(database: Database, began: Millis) -> None:
    """Record the start of a poll that has stored all emails in the mailbox."""
    _note(database, _POLL, began)


def last_poll(database: Database) -> Millis | None:
    """Return the start of the last complete poll. Emails that arrived earlier are in the database."""
    return _instant(database, _POLL)


def note_handed(database: Database, now: Millis) -> None:
    """Record that a mail server has piped an email to us."""
    _note(database, _HANDED, now)


def last_handed(database: Database) -> Millis | None:
    """Return when a mail server last piped an email to us, other than those in the mailbox."""
    return _instant(database, _HANDED)


def note_tidied(database: Database, now: Millis) -> None:
    """Record that old data was pruned."""
    _note(database, _TIDIED, now)


def last_tidied(database: Database) -> Millis | None:
    """Return when old data was last pruned."""
    return _instant(database, _TIDIED)


def note_alive(database: Database, now: Millis) -> None:
    """Record that the service is alive."""
    _note(database, _ALIVE, now)


def last_alive(database: Database) -> Millis | None:
    """Return when the service was last recorded as alive."""
    return _instant(database, _ALIVE)


def note_program(database: Database, version: str) -> None:
    """Record the version of the program that runs the service."""
    _note(database, _PROGRAM, version)


def program_version(database: Database) -> str | None:
    """Return the version of the program that last began to serve."""
    with database.reading():
        version = _value(database, _PROGRAM)
    return None if version is None else version.decode()


def note_check_settings(database: Database, what: str) -> bool:
    """Record the program and the settings that due actions depend on. Return whether they have changed."""
    with database.reading():
        before = _value(database, _LOOKED)
    if before == what.encode():
        return False
    _note(database, _LOOKED, what)
    return True


def is_scrub_due(database: Database) -> bool:
    """Return whether the space of erased rows still has to be overwritten."""
    with database.reading():
        return _value(database, SCRUB_KEY) is not None


def note_scrubbed(database: Database) -> None:
    """Record that the space of erased rows was overwritten."""
    with database.writing():
        database.run(MetaRow.delete().where(MetaRow.key == SCRUB_KEY))


def note_service_start(database: Database, start: ServiceStart) -> None:
    """Record when the service was set up on its mailbox."""
    _note(database, _START, canonical(start).decode())


def service_start(database: Database) -> ServiceStart | None:
    """Return when the service was set up on its mailbox, or None if this wasn't recorded."""
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


# A check that a database on a server can still grow. Only a write can tell.


TRIAL_ROWS, TRIAL_ROW_BYTES = 1_000, 1_000
"""A trial needs about as much space as one large email."""

# The table isn't logged, so a trial doesn't slow others down. It is new and so needs new space: space that
# deleted rows left elsewhere would prove nothing.
_TRIAL = (
    "CREATE UNLOGGED TABLE turnpost_growth_trial AS "
    f"SELECT repeat('x', {TRIAL_ROW_BYTES}) AS filler FROM generate_series(1, {TRIAL_ROWS})"
)


def try_to_grow(database: Database) -> None:
    """Write a megabyte into a new table and roll it back. Raises StoreFault if the disk is full.

    Does nothing for a database file: its disk can be checked directly. If our user may not create tables,
    the check proves nothing.
    """
    if not database.is_shared:
        return
    with suppress(_Undone, peewee.ProgrammingError), database.writing():
        database.run(peewee.RawQuery(_TRIAL))
        raise _Undone


class _Undone(Exception):
    """Raised to roll the transaction back."""


# The database is being copied into another one, or was.


MOVE_MARK, _MOVED, _UNDER_WAY = "moving/from", "moving/to", "moving/under-way"
MOVE_KEYS = (MOVE_MARK, _MOVED, _UNDER_WAY)

STALE_AFTER: Millis = 10 * MINUTE
"""A move that has recorded no progress for this long was interrupted."""


class MoveProgress(Record, frozen=True, kw_only=True):
    """The progress of a move.

    origin: the identity of the source. table: the next table. after: the last row's key.

    rows: the number of rows copied.
    """

    origin: str
    table: int = 0
    after: tuple[str | int, ...] = ()
    rows: int = 0


def progress(target: Database) -> MoveProgress | None:
    """Return the progress of a move into a database, or None if there is no move."""
    document = read_note(target, MOVE_MARK)
    return None if document is None else load(MoveProgress, document)


def moved_to(database: Database) -> str | None:
    """Return the target that this database was moved to, or None if it is still in use."""
    target = read_note(database, _MOVED)
    return None if target is None else target.decode()


def moving_to(source: Database, now: Millis) -> str | None:
    """Return the target of the move that is in progress, or None."""
    note = read_note(source, _UNDER_WAY)
    if note is None:
        return None
    shown, _, to = note.decode().partition(" ")
    return to if now - int(shown) < STALE_AFTER else None


def note_moving(source: Database, to: str | None, now: Millis) -> None:
    """Record the target of a move in progress, or None when it has ended."""
    with source.writing():
        source.run(MetaRow.delete().where(MetaRow.key == _UNDER_WAY))
        if to is not None:
            source.run(MetaRow.insert(key=_UNDER_WAY, value=f"{now} {to}".encode()))


def note_moved(source: Database, to: str | None) -> None:
    """Record the target that the database was moved to, or None. Ends a move in progress."""
    with source.writing():
        source.run(MetaRow.delete().where(MetaRow.key.in_([_MOVED, _UNDER_WAY])))
        if to is not None:
            source.run(MetaRow.insert(key=_MOVED, value=to.encode()))


def read_note(database: Database, key: str) -> bytes | None:
    """Return the value of a note, or None."""
    with database.reading():
        return _value(database, key)
