"""Copies a database into another one, in batches, so that the copy can be resumed.

The target records the progress in each batch's transaction. The service can't run on it until the copy is
complete.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import peewee

from adjudicator.clock import MINUTE, Millis
from adjudicator.errors import WriteConflict
from adjudicator.storage import archive
from adjudicator.storage.database import Database
from adjudicator.storage.tables import MetaRow
from games.record import Record, Value, canonical, load

_MARK, _MOVED, _UNDER_WAY = "moving/from", "moving/to", "moving/under-way"
_MOVE_KEYS = (_MARK, _MOVED, _UNDER_WAY)

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
    document = _meta(target, _MARK)
    return None if document is None else load(MoveProgress, document)


def origin_of(source: Database) -> str:
    """Return the identity of a database: the SHA-256 of the secret of its service."""
    return hashlib.sha256(_meta(source, "service_key") or b"").hexdigest()


def begin(target: Database, origin: str) -> MoveProgress:
    """Record in an empty target which database is copied into it."""
    made = MoveProgress(origin=origin)
    with target.writing():
        # The source doesn't contain the rows of a new installation.
        target.run(MetaRow.delete())
        target.run(MetaRow.insert(key=_MARK, value=canonical(made)))
    return made


def carry(source: Database, target: Database, so_far: MoveProgress) -> Iterator[MoveProgress]:
    """Copy the missing rows, one batch per step. Raises WriteConflict if another process does the same."""
    while so_far.table < len(archive.ALL_TABLES):
        model = archive.ALL_TABLES[so_far.table]
        rows = next(archive.batches(source, model, _row_filter(model), so_far.after), [])
        full = len(rows) == archive.ARCHIVE_BATCH_ROWS
        further = MoveProgress(
            origin=so_far.origin,
            table=so_far.table + (0 if full else 1),
            after=tuple(rows[-1][name] for name in archive.key_of(model)) if full else (),
            rows=so_far.rows + len(rows),
        )
        with target.writing():
            standing = (MetaRow.key == _MARK) & (MetaRow.value == canonical(so_far))
            if not target.run(MetaRow.update(value=canonical(further)).where(standing)):
                raise WriteConflict("another process copies the same database")
            if rows:
                target.run(model.insert_many(rows))
        so_far = further
        yield so_far


class TableSum(Value, frozen=True):
    """A digest of a table that ignores the row order: the number of rows, and the sum of their SHA-256."""

    rows: int = 0
    sha: int = 0


def sums(database: Database, between: Callable[[], None] = lambda: None) -> Mapping[str, TableSum]:
    """Return a digest of each table, without the record of the move itself.

    between: called after each batch of rows.
    """
    return {model._meta.table_name: _sum(database, model, between) for model in archive.ALL_TABLES}


def rows(database: Database) -> int:
    """Return the number of rows to copy."""
    return sum(database.count(_rows_of(model)) for model in archive.ALL_TABLES)


def finish(target: Database) -> None:
    """Open the target for service. Automatic numbers continue after the highest number."""
    with target.writing():
        target.count_on(
            (model._meta.table_name, key)
            for model in archive.ALL_TABLES
            for key in archive.auto_number_columns(model)
        )
        target.run(MetaRow.delete().where(MetaRow.key == _MARK))


def moved_to(database: Database) -> str | None:
    """Return the target that this database was moved to, or None if it is still in use."""
    target = _meta(database, _MOVED)
    return None if target is None else target.decode()


def moving_to(source: Database, now: Millis) -> str | None:
    """Return the target of the move that is in progress, or None."""
    note = _meta(source, _UNDER_WAY)
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


def _meta(database: Database, key: str) -> bytes | None:
    with database.reading():
        row = database.first(MetaRow.select().where(MetaRow.key == key))
    return None if row is None else bytes(row.value)


def _row_filter(model: type[peewee.Model]) -> Any:
    return MetaRow.key.not_in(_MOVE_KEYS) if model is MetaRow else None


def _rows_of(model: type[peewee.Model]) -> Any:
    rows: Any = model.select()
    return rows if (wanted := _row_filter(model)) is None else rows.where(wanted)


def _sum(database: Database, model: type[peewee.Model], between: Callable[[], None]) -> TableSum:
    count, total = 0, 0
    for rows in archive.batches(database, model, _row_filter(model)):
        for row in rows:
            plain = sorted((name, _plain(value)) for name, value in row.items())
            total += int.from_bytes(hashlib.sha256(repr(plain).encode()).digest())
        count += len(rows)
        between()
    return TableSum(count, total % 2**256)


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview | bytearray) else value
