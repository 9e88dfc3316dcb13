"""Migrations: find those that a database needs, copy it, and run them.

The migration library is loaded only if there is something to change.

Rule 1: a migration keeps every row. A migration that removes rows on purpose lists them in REMOVES, a
dictionary from a table's name to the highest number of rows that it may lose. Rule 2: a schema change comes
with a database of the earlier schema in tests/earlier, made by `python -m tests.kit.earlier`.
"""

import hashlib
import os
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from errno import EEXIST
from pathlib import Path
from typing import Any

from playhouse.migrations import Runner

from adjudicator.errors import Refusal, StoreFault

MIGRATION_TABLE = "migration"
COPY_MARK = ".before-"


@dataclass(frozen=True)
class Upgrade:
    """The migrations that ran when a database was opened. copy: the database as it was, if one was made."""

    migrations: tuple[str, ...]
    copy: Path | None


def later_migrations(library: Any, folder: Path) -> tuple[str, ...]:
    """Return the migrations that a later program ran and this one does not know."""
    return tuple(migration.name for migration in _runner(library, folder).status() if migration.path is None)


def missing_migrations(library: Any, folder: Path) -> tuple[str, ...]:
    """Return the migrations that the database lacks, in their order."""
    return tuple(migration.name for migration in _runner(library, folder).status() if not migration.applied)


def run_migrations(library: Any, folder: Path, name: str) -> tuple[str, ...]:
    """Run the missing migrations inside the open transaction, and return their names.

    The caller has switched foreign keys off. name: the database in messages. Raises Refusal if a table
    lost rows or a reference broke. The caller then rolls the transaction back, so nothing has changed.
    """
    runner = _runner(library, folder)
    removes = _removes(runner)
    counts, broken = _row_counts(library), library.broken_references()
    ran = tuple(runner.up())
    after = _row_counts(library)
    lost = {
        table: count - after.get(table, 0)
        for table, count in counts.items()
        if after.get(table, 0) < count - removes[table]
    }
    if lost:
        rows = ", ".join(f"{table} {count}" for table, count in sorted(lost.items()))
        raise Refusal(
            f"Can't upgrade database {name}",
            f"rows would have been lost ({rows}). Nothing was changed",
            "Go on with the program you had, and report this",
        )
    if fresh := library.broken_references() - broken:
        raise Refusal(
            f"Can't upgrade database {name}",
            f"references would have broken ({', '.join(sorted(map(str, fresh)))}). Nothing was changed",
            "Go on with the program you had, and report this",
        )
    return ran


def copy_before(database: Path, first: str) -> Path:
    """Copy a SQLite database including its write-ahead log, and return the path of the copy.

    The copy is named after the database, ``.before-`` and the number of the first missing migration. No file
    is overwritten: if a file has the name, a number is added. The caller has the write lock. Raises
    StoreFault, leaving nothing behind, if the copy can't be written.
    """
    wanted = f"{database.name}{COPY_MARK}{first.partition('_')[0]}"
    partial = database.with_name(f"{wanted}.partial")
    try:
        _write_copy(database, partial)
        copy = _keep_copy(partial, wanted)
    except (sqlite3.Error, OSError) as fault:
        raise StoreFault(
            f"Can't upgrade database {database}",
            f"the backup before the upgrade could not be written ({fault}). Nothing was changed. "
            f"Make {database.stat().st_size // 1_000_000 + 1} MB of room on that disk and start again",
        ) from fault
    finally:
        partial.unlink(missing_ok=True)
    return copy


def copies_of(database: Path) -> tuple[Path, ...]:
    """Return the copies that earlier upgrades of a SQLite database left beside it, by name."""
    return tuple(sorted(database.parent.glob(f"{database.name}{COPY_MARK}[0-9]*")))


def link_new(file: Path, name: Path) -> None:
    """Give a finished file its name. Raises FileExistsError if another file has that name."""
    try:
        os.link(file, name)
    except OSError as fault:
        # Some file systems have no links, so the file is renamed. No other process can create the name in
        # between: the caller has the database's lock, or creates a database that isn't used yet.
        if fault.errno == EEXIST or name.exists():
            raise FileExistsError(EEXIST, os.strerror(EEXIST), str(name)) from fault
        file.rename(name)
    else:
        file.unlink()
    _sync_folder(name.parent)


def _write_copy(database: Path, partial: Path) -> None:
    """Write the copy to the disk, readable only for its owner."""
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600, exist_ok=False)
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(partial)) as target:
        source.backup(target)
    with closing(sqlite3.connect(partial)) as target:
        # Without a write-ahead log, the copy is one file, which is easier to keep than three.
        target.execute("PRAGMA journal_mode = delete")
    descriptor = os.open(partial, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _keep_copy(partial: Path, wanted: str) -> Path:
    """Name the copy and return its path. If an interrupted upgrade left the same copy, return that one."""
    number = 1
    while True:
        name = partial.with_name(wanted if number == 1 else f"{wanted}-{number}")
        if name.exists() and _digest(name) == _digest(partial):
            return name
        with suppress(FileExistsError):
            link_new(partial, name)
            return name
        number += 1


def _digest(file: Path) -> bytes:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").digest()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _removes(runner: Runner) -> Mapping[str, int]:
    """Return the number of rows that the missing migrations may remove, by table."""
    total: Counter[str] = Counter()
    for migration in runner.status():
        if not migration.applied:
            total.update(getattr(migration.load(), "REMOVES", {}))
    return total


def _row_counts(library: Any) -> dict[str, int]:
    return {
        table: library.execute_sql(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        for table in library.get_tables()
    }


def _runner(library: Any, folder: Path) -> Runner:
    return Runner(library, str(folder), table_name=MIGRATION_TABLE)
