"""An owner's data files, compared with the package's row by row. A game keeps them complete.

Their text is JSON: under "files", by name, each file's text or its document. A row inherits the fields that
it leaves out, a file the rows. The text that a game keeps is whole: it has every field, and its SHA-256.
"""

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from games.data import read_json, read_toml
from games.protocol import Invalid, Options, OptionValue
from games.record import Malformed, Value, as_json, canonical, revive

BoxT = TypeVar("BoxT")
"""The value that a game makes of its files."""

DATA = "data"
"""The option with the owner's files."""

DATA_OPTION = f"option {DATA}"
"""The subject of an error about the files."""

WHOLE_KEY = "whole"
"""Marks a text with every field of every row, as a game keeps it. Nothing in it is inherited."""


class OwnerFile(Value, frozen=True):
    """A file that an owner may fill in.

    kind: the type of the whole. rows: the types of rows by path, such as ``decks.*.cards.*``, where ``*`` is
    any key, or any id in a list. fixed: fields of such rows that an owner may not change.
    """

    kind: Any
    rows: Mapping[str, Any]
    fixed: Mapping[str, tuple[str, ...]] = {}

    def inherits_parts(self, way: str) -> bool:
        """Return whether the value at a path inherits part by part; otherwise it is given whole."""
        return not way or any(f"{row}.".startswith(f"{way}.") for row in self.rows)


class OwnerFiles(Value, frozen=True):
    """The data files of a game that its owner may fill in, by name, in a folder of its package.

    sourced: this game's mark for an owner's values.
    """

    package: str
    sheets: Mapping[str, OwnerFile]
    sourced: str = "sourced"

    def ours(self) -> dict[str, Any]:
        """Return the package's own files: each document, by name. Raises Invalid."""
        return {
            name: (read_toml if name.endswith(".toml") else read_json)(self.package, f"data/{name}")
            for name in self.sheets
        }

    def documents(self, text: str) -> dict[str, Any]:
        """Return the documents of a text, by name. A whole text has its own, others inherit from ours.

        Raises Invalid with file, row and field.
        """
        bundle = _bundle(text)
        if bundle.get(WHOLE_KEY) is True:
            return self._check_whole(bundle)
        ours, given = self.ours(), self._read(bundle["files"])
        return {name: self._inherit(name, ours[name], given.get(name, {})) for name in ours}

    def complete_text(self, text: str) -> str:
        """Return the text that a game keeps: whole, with its hash. Raises Invalid like `documents`.

        Even a text that claims to be whole is compared with the package's files.
        """
        files = self.documents(canonical({"files": _bundle(text)["files"]}).decode())
        return canonical({WHOLE_KEY: True, "sha256": sha256(files), "files": files}).decode()

    def values(self, documents: Mapping[str, Any]) -> dict[str, Any]:
        """Return the documents as values of their types, by name. Raises Invalid with the file."""
        return {
            name: _revive_value(self.sheets[name].kind, document, name)
            for name, document in documents.items()
        }

    def _check_whole(self, bundle: Mapping[str, Any]) -> dict[str, Any]:
        files: dict[str, Any] = bundle["files"]
        if set(files) != set(self.sheets) or bundle.get("sha256") != sha256(files):
            raise Invalid(
                DATA_OPTION, "the text says that it is whole, and is not", f'leave "{WHOLE_KEY}" out'
            )
        return files

    def _read(self, files: Mapping[str, Any]) -> dict[str, Any]:
        for name in files:
            if name not in self.sheets:
                names = ", ".join(self.sheets)
                raise Invalid(
                    f"{DATA_OPTION}: {name}", "this game has no such file", f"its files are {names}"
                )
        return {
            name: _document(name, document) if isinstance(document, str) else document
            for name, document in files.items()
        }

    def _inherit(self, name: str, ours: Any, theirs: Any) -> Any:
        return _FileMerger(self.sheets[name], name, self.sourced).merge(ours, theirs)


class _FileMerger(Value, frozen=True):
    """Merges one of an owner's files with the package's."""

    sheet: OwnerFile
    file: str
    sourced: str

    def merge(self, own: Any, theirs: Any, way: str = "", named: tuple[str, ...] = ()) -> Any:
        """Return a part of our file with an owner's values. way: its path; named: keys and ids on it."""
        if not self.sheet.inherits_parts(way):
            return theirs
        result = theirs
        if isinstance(own, list) and self.sheet.inherits_parts(_on(way, "*")):
            result = self._merge_list(own, theirs, way, named)
        elif isinstance(own, dict):
            result = self._merge_object(own, theirs, way, named)
        kind = self.sheet.rows.get(way)
        return (
            result
            if kind is None or theirs == own
            else self._check_row(kind, own, theirs, result, way, named)
        )

    def _merge_object(
        self, own: dict[str, Any], theirs: Any, way: str, named: tuple[str, ...]
    ) -> dict[str, Any]:
        if not isinstance(theirs, dict):
            raise self._wrong(named, "should be an object in braces", '{"name": value}')
        rows = self.sheet.inherits_parts(_on(way, "*"))
        for key in theirs:
            if rows and key not in own:
                raise self._unknown(named, key, own)
        inside = {
            key: self.merge(own[key], value, _on(way, "*" if rows else key), (*named, key))
            if key in own
            else value
            for key, value in theirs.items()
        }
        return {**own, **inside}

    def _merge_list(self, own: list[Any], theirs: Any, way: str, named: tuple[str, ...]) -> list[Any]:
        if not isinstance(theirs, list):
            raise self._wrong(named, "should be a list of rows in brackets", '[{"id": ...}]')
        ours = {row["id"]: row for row in own}
        rows_by_id: dict[str, Any] = {}
        for number, row in enumerate(theirs, 1):
            row_id = row.get("id") if isinstance(row, dict) else None
            if not isinstance(row_id, str):
                raise self._wrong((*named, f"row {number}"), "has no id", 'begin it with {"id": ...}')
            if row_id not in ours:
                raise self._unknown(named, row_id, ours)
            if row_id in rows_by_id:
                raise self._wrong((*named, row_id), "stands there twice", "give each id once")
            rows_by_id[row_id] = self.merge(ours[row_id], row, _on(way, "*"), (*named, row_id))
        return [rows_by_id.get(own_id, row) for own_id, row in ours.items()]

    def _check_row(
        self, kind: Any, own: Any, theirs: Any, joined: Any, way: str, named: tuple[str, ...]
    ) -> Any:
        """Return an owner's complete row, checked by its type, with the mark of an owner's values."""
        if isinstance(own, dict) and "mark" in own and "mark" not in theirs:
            joined = {**joined, "mark": self.sourced}
        for key in self.sheet.fixed.get(way, ()):
            if joined.get(key) != own.get(key):
                why = f"its {key} is {joined.get(key)} and must be {own.get(key)}"
                raise self._wrong(named, why, f"leave {key} out")
        _revive_value(kind, joined, ": ".join((self.file, *named)))
        return joined

    def _unknown(self, named: tuple[str, ...], key: str, own: Mapping[str, Any]) -> Invalid:
        names = ", ".join(own)
        return self._wrong((*named, key), "there is no such row", f"ids stay as they are: {names}")

    def _wrong(self, named: Sequence[str], why: str, instead: str) -> Invalid:
        return Invalid(f"{DATA_OPTION}: {': '.join((self.file, *named))}", why, instead)


class OwnerBoxes(Generic[BoxT]):
    """The boxes that a game can be played with: the printed one, and those of owners."""

    def __init__(self, files: OwnerFiles, make: Callable[[Mapping[str, Any]], BoxT], printed: BoxT) -> None:
        """Set up the boxes of a game.

        make: returns the box of whole documents, by name, and raises Invalid if it can't be played with.
        printed: the box of the package's own files.
        """
        self._files, self._printed = files, printed
        self._made = lru_cache(maxsize=16)(lambda text: make(files.documents(text)))

    def of(self, options: Options) -> BoxT:
        """Return the box of a game with these options. Raises Invalid for files that can't be played with."""
        return self._made(str(options[DATA])) if DATA in options else self._printed

    def read_data_option(self, data: OptionValue | None) -> BoxT:
        """Return the box of the value of the option `data`, or the printed box for None. Raises Invalid."""
        return self._printed if data is None else self._made(str(data))

    def complete_text(self, text: str) -> str:
        """Return the option's whole text, which a game keeps. Raises Invalid with file, row and field."""
        whole = self._files.complete_text(text)
        self._made(whole)
        return whole


def sha256(documents: Mapping[str, Any]) -> str:
    """Return the hash of some documents, by their canonical form."""
    return hashlib.sha256(canonical(documents)).hexdigest()


def short_hash(text: str) -> str:
    """Return the first twelve characters of the hash of a whole text, for people to compare."""
    return str(json.loads(text).get("sha256", ""))[:12]


def refuse(what: str, faults: Iterator[tuple[str, str]]) -> None:
    """Raise Invalid for the first of some faults, each with its place in a file and the reason."""
    for where, why in faults:
        raise Invalid(f"{DATA_OPTION}: {what}: {where}" if where else f"{DATA_OPTION}: {what}", why)


def _on(way: str, step: str) -> str:
    return f"{way}.{step}" if way else step


def _bundle(text: str) -> dict[str, Any]:
    try:
        bundle = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Invalid(
            DATA_OPTION, f"is no JSON: {fault}", "name the folder in which your files lie"
        ) from fault
    if not isinstance(bundle, dict) or not isinstance(bundle.get("files"), dict):
        raise Invalid(DATA_OPTION, 'has no object "files"', "name the folder in which your files lie")
    return bundle


def _document(name: str, text: str) -> Any:
    try:
        # A game keeps JSON, even if the file was TOML.
        return as_json(tomllib.loads(text)) if name.endswith(".toml") else json.loads(text)
    except json.JSONDecodeError as fault:
        why = f"is no JSON at line {fault.lineno}, column {fault.colno}: {fault.msg}"
        raise Invalid(f"{DATA_OPTION}: {name}", why) from fault
    except tomllib.TOMLDecodeError as fault:
        raise Invalid(f"{DATA_OPTION}: {name}", f"is no TOML: {fault}") from fault
    except (ValueError, RecursionError) as fault:
        raise Invalid(f"{DATA_OPTION}: {name}", f"cannot be read: {fault}") from fault


def _revive_value(kind: Any, value: Any, what: str) -> Any:
    try:
        return revive(kind, value)
    except Malformed as fault:
        file = what.partition(":")[0]
        raise Invalid(f"{DATA_OPTION}: {what}", str(fault), f"write it as our {file} does") from fault
