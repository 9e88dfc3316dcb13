"""A cache on this machine's disk for later commands, with one file per value.

A command runs for about a second and would otherwise repeat the same computations. Every value can be
computed again, so a missing, damaged or read-only file is ignored without a message.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

# Rule 1: a file name contains the hash of all inputs, so no value is ever out of date. Rule 2: nothing is
# read from a folder that other users can write to, because the cache contains code. Rule 3: files are written
# under another name and then renamed, so that several processes can write at once.


MAX_CACHED_FILES = 400
"""The maximum number of files. When there are more, all are deleted, since most belong to older versions."""
_GROUP_OR_WORLD_WRITABLE = 0o022
_SHA_BYTES = 32
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
    files = list(folder.iterdir())
    if len(files) >= MAX_CACHED_FILES:
        for file in files:
            file.unlink(missing_ok=True)
