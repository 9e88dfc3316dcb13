"""Backups: the whole database in one file and back, or copied into another database.

The file is a SQLite database with the same tables. A copy records its progress in each batch's transaction in
the target. The service can't run on the target until the copy is complete.
"""

import hashlib
import re
import shutil
import sqlite3
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import peewee
from peewee import Model

from adjudicator.clock import Millis
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.storage import due_games, inbox, metadata
from adjudicator.storage.bounces import RETURNED
from adjudicator.storage.database import Database, Prepared, open_database
from adjudicator.storage.metadata import MoveProgress
from adjudicator.storage.outbox import POSTING
from adjudicator.storage.people import SIGNATURE_TABLES, CopyWarningRow, HeldPressRow
from adjudicator.storage.tables import CORE_TABLES, MetaRow, OutRow
from games.record import Value, canonical

FORMAT = "1"
ARCHIVE_BATCH_ROWS = 50
ALL_TABLES: tuple[type[peewee.Model], ...] = (
    *CORE_TABLES,
    *RETURNED,
    *POSTING,
    *SIGNATURE_TABLES,
    HeldPressRow,
    CopyWarningRow,
)
"""All tables, each after the tables that it refers to."""

TABLE_NAMES = tuple(model._meta.table_name for model in ALL_TABLES)

_CREATE_LABEL_TABLE = "CREATE TABLE backup (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
_CREATE_FOLDER_TABLE = "CREATE TABLE folder (package TEXT, path TEXT, name TEXT, content BLOB NOT NULL)"
_CREATE_FILE_TABLE = "CREATE TABLE file (name TEXT PRIMARY KEY, content BLOB NOT NULL)"


@dataclass(frozen=True)
class Folder:
    """A folder of data that games need: its place in a package, and the bytes of its files."""

    package: str
    path: str
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Backup:
    """A backup file that was checked.

    label: the backup's description of itself. folders: data that games need. files: the files named in
    gm.toml, by their names there. tables: an upgraded copy of its tables.
    """

    path: Path
    label: Mapping[str, str]
    folders: tuple[Folder, ...]
    files: Mapping[str, bytes]
    tables: Database


def save(
    database: Database,
    path: Path,
    label: Mapping[str, str],
    folders: Sequence[Folder] = (),
    files: Mapping[str, bytes] | None = None,
) -> int:
    """Write the whole database into a new file, as of one moment. Return the number of rows.

    label: the file's description of itself. folders, files: included in the backup. Raises Refusal if the
    file exists or can't be written.
    """
    try:
        path.touch(
            mode=0o600, exist_ok=False
        )  # the backup contains addresses and the secrets of dice and tokens
    except FileExistsError as fault:
        raise Refusal(f"Can't write {path}", "it already exists", "Name another file") from fault
    except OSError as fault:
        raise Refusal(f"Can't write {path}", f"{fault.strerror}") from fault
    try:
        with _open_copy(path) as copy, database.reading(), copy.writing():
            count = _copy_all_tables(database, copy)
        with closing(sqlite3.connect(path)) as file, file:
            file.execute("PRAGMA journal_mode = delete")
            file.execute(_CREATE_LABEL_TABLE)
            file.executemany("INSERT INTO backup VALUES (?, ?)", {**label, "format": FORMAT}.items())
            file.execute(_CREATE_FOLDER_TABLE)
            rows = (
                (folder.package, folder.path, *item) for folder in folders for item in folder.files.items()
            )
            file.executemany("INSERT INTO folder VALUES (?, ?, ?, ?)", rows)
            file.execute(_CREATE_FILE_TABLE)
            file.executemany("INSERT INTO file VALUES (?, ?)", (files or {}).items())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return count


def label_of(path: Path) -> dict[str, str]:
    """Return the label of a backup. Raises Refusal if the file isn't a backup."""
    if not path.is_file():
        raise Refusal(f"No file {path}", "")
    with _readable(path), closing(_read_only(path)) as file:
        label = dict(file.execute("SELECT key, value FROM backup"))
    if label.get("format") != FORMAT:
        raise Refusal(
            f"Can't read backup {path}",
            f"it has format {label.get('format')}",
            f"This program reads format {FORMAT}",
        )
    return label


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Raise Refusal if the file isn't a backup or is damaged."""
    try:
        yield
    except (sqlite3.Error, UnicodeError) as fault:
        raise Refusal(
            f"Can't read {path}", "it isn't a backup", 'Give a file that "gm backup" wrote'
        ) from fault


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _folders_in(path: Path, file: sqlite3.Connection) -> tuple[Folder, ...]:
    """Return the folders of data in a backup (none in an older one) after checking all names."""
    asked = "SELECT package, path, name, content FROM folder ORDER BY rowid"
    rows = list(file.execute(asked)) if _has(file, "folder") else []
    contents: dict[tuple[str, str], dict[str, bytes]] = {}
    for package, folder, name, content in rows:
        check_folder_row(path, package, folder, name, content)
        contents.setdefault((package, folder), {})[name] = content
    return tuple(Folder(*place, files) for place, files in contents.items())


def _files_in(path: Path, file: sqlite3.Connection) -> dict[str, bytes]:
    """Return the files in a backup that its gm.toml names. Older backups have none."""
    rows = list(file.execute("SELECT name, content FROM file")) if _has(file, "file") else []
    for name, content in rows:
        check_file_row(path, name, content)
    return dict(rows)


def _has(file: sqlite3.Connection, table: str) -> bool:
    there = file.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,))
    return there.fetchone() is not None


def _counts(database: Database) -> dict[str, int]:
    """Return the number of rows in each table."""
    return {model._meta.table_name: database.count(model.select()) for model in ALL_TABLES}


@contextmanager
def open_backup(path: Path) -> Iterator[Backup]:
    """Return a checked backup file. Nothing is written except a copy of its tables.

    Raises Refusal if it isn't a backup, contains a path outside its folder, or loses rows when its tables are
    upgraded.
    """
    label = label_of(path)
    with _readable(path), closing(_read_only(path)) as file:
        if (damage := file.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise Refusal(f"Can't restore {path}", f"it is damaged ({damage})", "Restore another backup")
        folders, files = _folders_in(path, file), _files_in(path, file)
    # Its tables may be older than ours, so a copy is upgraded.
    with TemporaryDirectory() as folder, _open_copy(Path(shutil.copy(path, folder))) as tables:
        yield Backup(path, label, folders, files, tables)


def restore(database: Database, path: Path, now: Millis) -> int:
    """Replace the database with a backup file. Raises Refusal as `open_backup` and `put_back` do."""
    with open_backup(path) as backup:
        return put_back(database, backup, now)


def put_back(database: Database, backup: Backup, now: Millis) -> int:
    """Replace the database with a backup in one transaction. Return the number of rows.

    Emails that were waiting to be sent may have been sent since the backup. The service checks for them
    first. Raises Refusal, without changes, if rows are missing at the end.
    """
    with backup.tables.reading(), database.writing():
        for model in reversed(ALL_TABLES):
            database.run(model.delete())
        count = _copy_all_tables(backup.tables, database)
        check_rows_kept(backup.path, _counts(backup.tables), _counts(database))
        waiting = OutRow.state.in_(["ready", "sending"])
        doubtful = {"state": "unsure", "copied": True, "lease": None, "not_before": now}
        database.run(OutRow.update(**doubtful).where(waiting))
        # No worker has claims on the restored rows, and time has passed.
        due_games.give_back(database)
        inbox.give_back(database)
        due_games.recheck_all(database)
        tables = ((model._meta.table_name, key) for model in ALL_TABLES for key in auto_number_columns(model))
        database.count_on(tables)
    return count


def is_fresh(database: Database) -> bool:
    """Return whether the database contains only the rows of a new installation."""
    with database.reading():
        return not any(database.count(model.select()) for model in ALL_TABLES if model is not MetaRow)


@contextmanager
def _open_copy(path: Path) -> Iterator[Database]:
    database = open_database(str(path), keep_copy=False, may_be_empty=True)
    try:
        yield database
    finally:
        database.close()


def _copy_all_tables(source: Database, target: Database) -> int:
    count = 0
    for model in ALL_TABLES:
        for batch in batches(source, model):
            target.run(model.insert_many(batch))
            count += len(batch)
    return count


def batches(
    source: Database,
    model: type[peewee.Model],
    but: Any = None,
    after: Sequence[str | int] = (),
    *,
    as_kept: bool = False,
) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a table in batches, ordered by its key in that database.

    Rows are fetched by key, because a driver loads a whole result at once. but: a condition for the rows.
    after: the key of the row to start after. as_kept: yield the raw values by column name.
    """
    names = key_of(model)
    fields = [model._meta.fields[name] for name in names]
    while True:
        here: Any = model.select().order_by(*fields).limit(ARCHIVE_BATCH_ROWS)
        if but is not None:
            here = here.where(but)
        if after:
            here = here.where(_beyond(list(zip(fields, after, strict=True))))
        with source.reading():
            if as_kept:
                rows = [row._asdict() for row in source.ask(Prepared(here))]
            else:
                rows = list(source.run(here.dicts()))
        if rows:
            yield rows
        if len(rows) < ARCHIVE_BATCH_ROWS:
            return
        columns = [field.column_name for field in fields] if as_kept else names
        after = tuple(rows[-1][name] for name in columns)


def key_of(model: type[peewee.Model]) -> tuple[str, ...]:
    """Return the names of the fields in a table's key."""
    key: Any = model._meta.primary_key
    return tuple(key.field_names) if isinstance(key, peewee.CompositeKey) else (key.name,)


def _beyond(key: list[tuple[Any, str | int]]) -> Any:
    """Return the condition that a row's key comes after another key, compared part by part."""
    ways = [
        reduce(and_, [*(field == value for field, value in key[:place]), key[place][0] > key[place][1]])
        for place in range(len(key))
    ]
    return reduce(or_, ways)


def auto_number_columns(model: type[peewee.Model]) -> tuple[str, ...]:
    """Return the column that the database numbers automatically, in a tuple; empty if there is none."""
    key = model._meta.primary_key
    return (key.column_name,) if isinstance(key, peewee.AutoField) else ()


# Checks of a backup file before its content is used: its names and its rows.
#
# The file may come from someone else. Its names become paths on this disk, so none may point outside its
# folder.


_GAME_PACKAGE_RE = re.compile(r"games(\.[A-Za-z_][A-Za-z0-9_]*)+", re.ASCII)
"""Matches a game's own package, but never the package that holds all games: code there would be run."""

_CONTROL_CHARS_RE = re.compile(r"[\x00-\x1f\x7f]")
MAX_NAME_LENGTH, MAX_FOLDER_DEPTH = 200, 6
_DISTRUST = '"gm backup" doesn\'t write such a file. Ask where it comes from, and restore another backup'


def check_folder_row(file: Path, package: object, folder: object, name: object, content: object) -> None:
    """Raise Refusal if a backup puts a file of a game's data in a forbidden place."""
    _check_text(file, package, "a package")
    _check_text(file, folder, "a folder")
    _check_text(file, name, "a file")
    if _GAME_PACKAGE_RE.fullmatch(str(package)) is None:
        raise Refusal(
            f"Can't restore {file}",
            f"it contains files for {_quote_name(package)}, which isn't a game",
            _DISTRUST,
        )
    parts = str(folder).split("/")
    if len(parts) > MAX_FOLDER_DEPTH or not all(_is_plain(part) and part[0] != "." for part in parts):
        why = f"it contains a folder {_quote_name(folder)}, which leads out of {package}"
        raise Refusal(f"Can't restore {file}", why, _DISTRUST)
    if not _is_plain(str(name)):
        why = f"it contains a file {_quote_name(name)}, which leads out of its folder {folder}"
        raise Refusal(f"Can't restore {file}", why, _DISTRUST)
    if not isinstance(content, bytes):
        raise Refusal(f"Can't restore {file}", f"its file {_quote_name(name)} has no bytes", _DISTRUST)


def check_file_row(file: Path, name: object, content: object) -> None:
    """Raise Refusal if a file for gm.toml has no name or no content."""
    _check_text(file, name, "a file")
    if not isinstance(content, bytes):
        raise Refusal(f"Can't restore {file}", f"its file {_quote_name(name)} has no bytes", _DISTRUST)


def check_rows_kept(file: Path, before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Raise Refusal if a table has fewer rows than the backup."""
    lost = [
        f"{table}: {_rows(count)} before, {_rows(after.get(table, 0))} after"
        for table, count in before.items()
        if after.get(table, 0) < count
    ]
    if lost:
        why = f"rows were lost during the restore: {'; '.join(lost)}"
        raise Refusal(
            f"Can't restore {file}",
            why,
            "Nothing was changed. Keep the backup, which is intact, and report this",
        )


def _check_text(file: Path, value: object, what: str) -> None:
    if (
        not isinstance(value, str)
        or not value
        or len(value) > MAX_NAME_LENGTH
        or _CONTROL_CHARS_RE.search(value)
    ):
        raise Refusal(
            f"Can't restore {file}", f"it contains {what} with the name {_quote_name(value)}", _DISTRUST
        )


def _is_plain(part: str) -> bool:
    """Return whether a name is a single path component on every operating system."""
    return part not in ("", ".", "..") and not set(part) & set("/\\:")


def _quote_name(value: object) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return '"' + _CONTROL_CHARS_RE.sub("?", text[:MAX_NAME_LENGTH]) + '"'


def _rows(count: int) -> str:
    return f"{count} row" if count == 1 else f"{count} rows"


# The raw rows of one game, to preserve them even if they can't be read.


def rows_of_game(database: Database, game: str) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """Yield every row that names a game, by table. Bytes that aren't text become ``{"base64": ...}``.

    Only a few rows are in memory at a time.
    """
    for model in ALL_TABLES:
        meta: Any = model._meta
        table = meta.table_name
        column = meta.fields.get("name" if table == "game" else "game")
        if column is not None:
            yield table, _stored_rows(database, model, column == game)


def _stored_rows(database: Database, model: type[Model], theirs: Any) -> Iterator[dict[str, Any]]:
    for batch in batches(database, model, theirs, as_kept=True):
        yield from ({name: _plain(value) for name, value in row.items()} for row in batch)


def _plain(value: Any) -> Any:
    if not isinstance(value, bytes | memoryview):
        return value
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(bytes(value)).decode()}


# A copy into another database, in batches, so that it can be resumed.


def origin_of(source: Database) -> str:
    """Return the identity of a database: the SHA-256 of the secret of its service."""
    return hashlib.sha256(metadata.read_note(source, metadata.SERVICE_KEY) or b"").hexdigest()


def begin(target: Database, origin: str) -> MoveProgress:
    """Record in an empty target which database is copied into it."""
    made = MoveProgress(origin=origin)
    with target.writing():
        # The source doesn't contain the rows of a new installation.
        target.run(MetaRow.delete())
        target.run(MetaRow.insert(key=metadata.MOVE_MARK, value=canonical(made)))
    return made


def carry(source: Database, target: Database, so_far: MoveProgress) -> Iterator[MoveProgress]:
    """Copy the missing rows, one batch per step. Raises WriteConflict if another process does the same."""
    while so_far.table < len(ALL_TABLES):
        model = ALL_TABLES[so_far.table]
        rows = next(batches(source, model, _row_filter(model), so_far.after), [])
        full = len(rows) == ARCHIVE_BATCH_ROWS
        further = MoveProgress(
            origin=so_far.origin,
            table=so_far.table + (0 if full else 1),
            after=tuple(rows[-1][name] for name in key_of(model)) if full else (),
            rows=so_far.rows + len(rows),
        )
        with target.writing():
            standing = (MetaRow.key == metadata.MOVE_MARK) & (MetaRow.value == canonical(so_far))
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
    return {model._meta.table_name: _sum(database, model, between) for model in ALL_TABLES}


def rows(database: Database) -> int:
    """Return the number of rows to copy."""
    return sum(database.count(_rows_of(model)) for model in ALL_TABLES)


def finish(target: Database) -> None:
    """Open the target for service. Automatic numbers continue after the highest number."""
    with target.writing():
        target.count_on(
            (model._meta.table_name, key) for model in ALL_TABLES for key in auto_number_columns(model)
        )
        target.run(MetaRow.delete().where(MetaRow.key == metadata.MOVE_MARK))


def _row_filter(model: type[peewee.Model]) -> Any:
    return MetaRow.key.not_in(metadata.MOVE_KEYS) if model is MetaRow else None


def _rows_of(model: type[peewee.Model]) -> Any:
    rows: Any = model.select()
    return rows if (wanted := _row_filter(model)) is None else rows.where(wanted)


def _sum(database: Database, model: type[peewee.Model], between: Callable[[], None]) -> TableSum:
    count, total = 0, 0
    for rows in batches(database, model, _row_filter(model)):
        for row in rows:
            plain = sorted(
                (name, bytes(value) if isinstance(value, memoryview | bytearray) else value)
                for name, value in row.items()
            )
            total += int.from_bytes(hashlib.sha256(repr(plain).encode()).digest())
        count += len(rows)
        between()
    return TableSum(count, total % 2**256)
