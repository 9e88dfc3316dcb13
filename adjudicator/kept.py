"""What was made once and is kept on this machine for the commands to come: a file each.

Commands live for a second, and would make the same anew each time. What is kept can be made again: so
whatever is missing, damaged or may not be written is no fault, and nobody is told.
"""

# Rule 1: a name holds the hash of all that its thing was made of; what is kept is never out of date.
# Rule 2: nothing is read from a folder into which anybody else may write: code is kept there.
# Rule 3: files come there whole, by their last name, so that several processes may keep the same at once.

import hashlib
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

MOST = 400
"""So many files are kept; when there are more, all are thrown away, for most are of older versions."""
_OTHERS_WRITE = 0o022
_SHA_BYTES = 32
_folders: list[Path] = []


def begin(environ: Mapping[str, str]) -> None:
    """Keep things from now on, in the folder for such in whoever's home this is."""
    home = environ.get("HOME", "")
    above = Path(environ.get("XDG_CACHE_HOME") or Path(home, ".cache"))
    if not _folders and above.is_absolute() and (home or "XDG_CACHE_HOME" in environ):
        _folders.append(above / "turnpost")


def end() -> None:
    """Keep nothing any more."""
    _folders.clear()


def read(name: str) -> bytes | None:
    """What is kept by a name; None where nothing is, or it is not as it was written."""
    for folder in _folders:
        with suppress(OSError):
            if not _is_ours(folder):
                continue
            content = (folder / name).read_bytes()
            if hashlib.sha256(content[_SHA_BYTES:]).digest() == content[:_SHA_BYTES]:
                return content[_SHA_BYTES:]
    return None


def keep(name: str, content: bytes) -> None:
    """Keep something by a name, if it may be."""
    for folder in _folders:
        with suppress(OSError):
            if not _is_made(folder):
                continue
            _make_room(folder)
            fresh = folder / f".{name}.{secrets.token_hex(4)}"
            try:
                fresh.write_bytes(hashlib.sha256(content).digest() + content)
                fresh.replace(folder / name)
            except OSError:
                fresh.unlink(missing_ok=True)


def _is_made(folder: Path) -> bool:
    """Whether the folder is there, and ours. It is made in a home of our own only."""
    if not folder.exists():
        there = next(one for one in folder.parents if one.exists())
        if there.stat().st_uid != os.geteuid():
            return False
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return _is_ours(folder)


def _is_ours(folder: Path) -> bool:
    found = folder.lstat()
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE and not folder.is_symlink()


def _make_room(folder: Path) -> None:
    files = list(folder.iterdir())
    if len(files) >= MOST:
        for one in files:
            one.unlink(missing_ok=True)
