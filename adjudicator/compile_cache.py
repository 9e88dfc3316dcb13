"""A cache on this machine's disk for later commands, with one file per value or for many small ones.

A command runs for about a second and would otherwise repeat the same computations. Every value can be
computed again, so a missing, damaged or read-only file is ignored without a message.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

# Rule 1: a file name contains the hash of all inputs, so no value is ever out of date. Rule 2: nothing is
# read from a folder that other users can write to, because the cache contains code. Rule 3: files are written
# under another name and then renamed, so that several processes can write at once.


MAX_CACHED_FILES = 400
"""The maximum number of files with one value. When there are more, all are deleted, since most are old."""
_GROUP_OR_WORLD_WRITABLE = 0o022
_SHA_BYTES = 32
_TABLE_SUFFIX = ".sqlite"
_MAX_WAIT_S = 0.2
"""The time for which a table waits for another process that is writing. Values can be computed again."""
_CREATE_TABLE = "CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID"
_folders: list[Path] = []


def enable(environ: Mapping[str, str]) -> None:
    """Use the cache from now on, in the cache folder of the user's home."""
    home = environ.get("HOME", "")
    above = Path(environ.get("XDG_CACHE_HOME") or Path(home, ".cache"))
    if not _folders and above.is_absolute() and (home or "XDG_CACHE_HOME" in environ):
        _folders.append(above / "turnpost")


def disable() -> None:
    """Stop using the cache."""
    _folders.clear()


def is_enabled() -> bool:
    """Return whether anything can be cached."""
    return bool(_folders)


def load(name: str) -> bytes | None:
    """Return the content cached under a name, or None if it is missing or was changed."""
    for folder in _folders:
        with suppress(OSError):
            if not _is_ours(folder):
                continue
            content = (folder / name).read_bytes()
            if hashlib.sha256(content[_SHA_BYTES:]).digest() == content[:_SHA_BYTES]:
                return content[_SHA_BYTES:]
    return None


def save(name: str, content: bytes) -> None:
    """Cache content under a name, if the folder allows it."""
    for folder in _folders:
        with suppress(OSError):
            if not _ensure_folder(folder):
                continue
            _clear_if_full(folder)
            fresh = folder / f".{name}.{secrets.token_hex(4)}"
            try:
                fresh.write_bytes(hashlib.sha256(content).digest() + content)
                fresh.replace(folder / name)
            except OSError:
                fresh.unlink(missing_ok=True)


class CachedTable:
    """Many small values in one file, for later processes too.

    file_name: it ends in `.sqlite`. max_bytes: a larger file is deleted, since most of its values belong to
    older versions.
    """

    def __init__(self, file_name: str, max_bytes: int) -> None:
        self._file_name, self._max_bytes = file_name, max_bytes
        self._owner: tuple[int, Path | None] | None = None
        self._opened: sqlite3.Connection | None = None

    def read(self, name: str) -> bytes | None:
        """Return the value kept under a name, or None if it is missing or was changed."""
        connection = self._connection()
        if connection is None:
            return None
        try:
            row = connection.execute("SELECT content FROM kept WHERE name = ?", (name,)).fetchone()
        except sqlite3.Error:
            self._give_up()
            return None
        content: bytes = row[0] if row else b""
        is_whole = hashlib.sha256(content[_SHA_BYTES:]).digest() == content[:_SHA_BYTES]
        return content[_SHA_BYTES:] if is_whole else None

    def write(self, values: Mapping[str, bytes]) -> None:
        """Keep some values, if the folder allows it and no other process is writing."""
        connection = self._connection()
        if connection is None or not values:
            return
        rows = [(name, hashlib.sha256(content).digest() + content) for name, content in values.items()]
        try:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows)
        except sqlite3.OperationalError:
            return  # another process is writing
        except sqlite3.Error:
            self._give_up()

    def _connection(self) -> sqlite3.Connection | None:
        # A connection must not be used in a process that was forked.
        folder = _folders[0] if _folders else None
        if self._owner != (os.getpid(), folder):
            self._owner = os.getpid(), folder
            self._opened = None if folder is None else self._open(folder)
        return self._opened

    def _open(self, folder: Path) -> sqlite3.Connection | None:
        with suppress(OSError, sqlite3.OperationalError):
            if not _ensure_folder(folder):
                return None
            file = folder / self._file_name
            if file.exists() and file.stat().st_size > self._max_bytes:
                file.unlink()
            connection = sqlite3.connect(file, timeout=_MAX_WAIT_S, check_same_thread=False)
            try:
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute("PRAGMA journal_mode = MEMORY")
                connection.execute(_CREATE_TABLE)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                self._give_up()
            else:
                return connection
        return None

    def _give_up(self) -> None:
        """Use this file no longer in this process, and let the next one begin with an empty file."""
        self._opened = None
        for folder in _folders:
            with suppress(OSError):
                (folder / self._file_name).unlink(missing_ok=True)


def _ensure_folder(folder: Path) -> bool:
    """Return whether the folder exists and is ours. It is created only in a home directory of our own."""
    if not folder.exists():
        existing = next(parent for parent in folder.parents if parent.exists())
        if existing.stat().st_uid != os.geteuid():
            return False
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return _is_ours(folder)


def _is_ours(folder: Path) -> bool:
    status = folder.lstat()
    return (
        status.st_uid == os.geteuid()
        and not status.st_mode & _GROUP_OR_WORLD_WRITABLE
        and not folder.is_symlink()
    )


def _clear_if_full(folder: Path) -> None:
    files = [file for file in folder.iterdir() if file.suffix != _TABLE_SUFFIX]
    if len(files) >= MAX_CACHED_FILES:
        for file in files:
            file.unlink(missing_ok=True)
