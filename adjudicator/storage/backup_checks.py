"""Checks of a backup file before anything in it is used: its names, and its rows.

Somebody else may have written the file. Its names become places on this disk, so none may lead out of the
folder that it belongs to.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from adjudicator.errors import Refusal

_GAME_PACKAGE_RE = re.compile(r"games(\.[A-Za-z_][A-Za-z0-9_]*)+", re.ASCII)
"""A game's own package: never the one that holds all games, in which new code would be found."""

_CONTROL_CHARS_RE = re.compile(r"[\x00-\x1f\x7f]")
MAX_NAME_LENGTH, MAX_FOLDER_DEPTH = 200, 6
_DISTRUST = "gm backup  writes no such file: ask whoever gave it to you, and restore another one"


def check_folder_row(file: Path, package: object, folder: object, name: object, content: object) -> None:
    """Raise Refusal where a file of a game's data may not lie where a backup says."""
    _check_text(file, package, "a package")
    _check_text(file, folder, "a folder")
    _check_text(file, name, "a file")
    if _GAME_PACKAGE_RE.fullmatch(str(package)) is None:
        raise Refusal(
            str(file), f"it carries files for {_quote_name(package)}, which is no game's", _DISTRUST
        )
    parts = str(folder).split("/")
    if len(parts) > MAX_FOLDER_DEPTH or not all(_is_plain(part) and part[0] != "." for part in parts):
        why = f"it carries a folder {_quote_name(folder)}, which leads out of {package}"
        raise Refusal(str(file), why, _DISTRUST)
    if not _is_plain(str(name)):
        why = f"it carries a file {_quote_name(name)}, which leads out of its folder {folder}"
        raise Refusal(str(file), why, _DISTRUST)
    if not isinstance(content, bytes):
        raise Refusal(str(file), f"the file {_quote_name(name)} in it has no bytes", _DISTRUST)


def check_file_row(file: Path, name: object, content: object) -> None:
    """Raise Refusal where a backup carries a file for gm.toml that has no name, or no bytes."""
    _check_text(file, name, "a file")
    if not isinstance(content, bytes):
        raise Refusal(str(file), f"the file {_quote_name(name)} in it has no bytes", _DISTRUST)


def check_rows_kept(file: Path, before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Raise Refusal where a table has fewer rows than the backup."""
    lost = [
        f"{table}: {_rows(count)} before, {_rows(after.get(table, 0))} after"
        for table, count in before.items()
        if after.get(table, 0) < count
    ]
    if lost:
        why = f"rows were lost when they were put back: {'; '.join(lost)}"
        raise Refusal(str(file), why, "nothing was changed; the backup is whole, so keep it, and report this")


def _check_text(file: Path, value: object, what: str) -> None:
    if (
        not isinstance(value, str)
        or not value
        or len(value) > MAX_NAME_LENGTH
        or _CONTROL_CHARS_RE.search(value)
    ):
        raise Refusal(str(file), f"it carries {what} with the name {_quote_name(value)}", _DISTRUST)


def _is_plain(part: str) -> bool:
    """Return whether a name is one step down, on whatever system."""
    return part not in ("", ".", "..") and not set(part) & set("/\\:")


def _quote_name(value: object) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return '"' + _CONTROL_CHARS_RE.sub("?", text[:MAX_NAME_LENGTH]) + '"'


def _rows(count: int) -> str:
    return f"{count} row" if count == 1 else f"{count} rows"
