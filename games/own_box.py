"""An owner's data files, held against ours row by row; a game keeps them whole.

Their text is JSON: under "files", by name, each file's text or its document. A row inherits the fields that
it leaves out, a file the rows. What a game keeps is whole: it has every field, and its SHA-256.
"""

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from games.data import read_json, read_toml
from games.protocol import Invalid, Options
from games.record import Malformed, Value, as_json, canonical, revive

Box = TypeVar("Box")
"""What a game makes of its files."""

DATA = "data"
"""The option with the owner's files."""

OPTION = f"option {DATA}"
"""What is at fault where a file is no good."""

WHOLE = "whole"
"""Marks a text with every field of every row, as a game keeps it: nothing of it is looked up in ours."""


class Sheet(Value, frozen=True):
    """A file that an owner may fill in.

    kind: the type of the whole. rows: the type of a row, by the way to it, such as ``decks.*.cards.*``, where
    ``*`` is any key, or any id in a list. fixed: fields of such rows that stay as ours are.
    """

    kind: Any
    rows: Mapping[str, Any]
    fixed: Mapping[str, tuple[str, ...]] = {}

    def opens(self, way: str) -> bool:
        """Whether what stands there inherits part by part; else it is given whole."""
        return not way or any(f"{row}.".startswith(f"{way}.") for row in self.rows)


class Files(Value, frozen=True):
    """The data files of a game that its owner may fill in, by name, in a folder of its package.

    sourced: the mark of what he gives, as this game writes it.
    """

    package: str
    sheets: Mapping[str, Sheet]
    sourced: str = "sourced"

    def ours(self) -> dict[str, Any]:
        """The files as they come with the package: each document, by name. Raises Invalid."""
        return {
            name: (read_toml if name.endswith(".toml") else read_json)(self.package, f"data/{name}")
            for name in self.sheets
        }

    def documents(self, text: str) -> dict[str, Any]:
        """The documents of a text, by name: of one that is whole its own, of others inherited from ours.

        Raises Invalid naming file, row and field.
        """
        bundle = _bundle(text)
        if bundle.get(WHOLE) is True:
            return self._kept(bundle)
        ours, given = self.ours(), self._read(bundle["files"])
        return {name: self._inherited(name, ours[name], given.get(name, {})) for name in ours}

    def completed(self, text: str) -> str:
        """The text that a game keeps: whole, with its hash. Raises Invalid as `documents` does.

        A text that says that it is whole is held against ours all the same.
        """
        files = self.documents(canonical({"files": _bundle(text)["files"]}).decode())
        return canonical({WHOLE: True, "sha256": sha256(files), "files": files}).decode()

    def values(self, documents: Mapping[str, Any]) -> dict[str, Any]:
        """The documents as values of their types, by name. Raises Invalid naming the file."""
        return {name: _revived(self.sheets[name].kind, one, name) for name, one in documents.items()}

    def _kept(self, bundle: Mapping[str, Any]) -> dict[str, Any]:
        files: dict[str, Any] = bundle["files"]
        if set(files) != set(self.sheets) or bundle.get("sha256") != sha256(files):
            raise Invalid(OPTION, "the text says that it is whole, and is not", f'leave "{WHOLE}" out')
        return files

    def _read(self, files: Mapping[str, Any]) -> dict[str, Any]:
        for name in files:
            if name not in self.sheets:
                names = ", ".join(self.sheets)
                raise Invalid(f"{OPTION}: {name}", "this game has no such file", f"its files are {names}")
        return {name: _document(name, one) if isinstance(one, str) else one for name, one in files.items()}

    def _inherited(self, name: str, ours: Any, theirs: Any) -> Any:
        return _Inheriting(self.sheets[name], name, self.sourced).joined(ours, theirs)


class _Inheriting(Value, frozen=True):
    """A file of an owner's on its way to be whole."""

    sheet: Sheet
    file: str
    sourced: str

    def joined(self, own: Any, theirs: Any, way: str = "", named: tuple[str, ...] = ()) -> Any:
        """A part of ours with what an owner's says of it. way: to the part; named: keys and ids on it."""
        if not self.sheet.opens(way):
            return theirs
        joined = theirs
        if isinstance(own, list) and self.sheet.opens(_on(way, "*")):
            joined = self._listed(own, theirs, way, named)
        elif isinstance(own, dict):
            joined = self._keyed(own, theirs, way, named)
        kind = self.sheet.rows.get(way)
        return joined if kind is None or theirs == own else self._row(kind, own, theirs, joined, way, named)

    def _keyed(self, own: dict[str, Any], theirs: Any, way: str, named: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(theirs, dict):
            raise self._wrong(named, "should be an object in braces", '{"name": value}')
        rows = self.sheet.opens(_on(way, "*"))
        for key in theirs:
            if rows and key not in own:
                raise self._unknown(named, key, own)
        inside = {
            key: self.joined(own[key], value, _on(way, "*" if rows else key), (*named, key))
            if key in own
            else value
            for key, value in theirs.items()
        }
        return {**own, **inside}

    def _listed(self, own: list[Any], theirs: Any, way: str, named: tuple[str, ...]) -> list[Any]:
        if not isinstance(theirs, list):
            raise self._wrong(named, "should be a list of rows in brackets", '[{"id": ...}]')
        ours = {row["id"]: row for row in own}
        found: dict[str, Any] = {}
        for number, row in enumerate(theirs, 1):
            one = row.get("id") if isinstance(row, dict) else None
            if not isinstance(one, str):
                raise self._wrong((*named, f"row {number}"), "has no id", 'begin it with {"id": ...}')
            if one not in ours:
                raise self._unknown(named, one, ours)
            if one in found:
                raise self._wrong((*named, one), "stands there twice", "give each id once")
            found[one] = self.joined(ours[one], row, _on(way, "*"), (*named, one))
        return [found.get(one, row) for one, row in ours.items()]

    def _row(self, kind: Any, own: Any, theirs: Any, joined: Any, way: str, named: tuple[str, ...]) -> Any:
        """A row that an owner gave, whole and of its type: what he writes down is not assumed any more."""
        if isinstance(own, dict) and "mark" in own and "mark" not in theirs:
            joined = {**joined, "mark": self.sourced}
        for one in self.sheet.fixed.get(way, ()):
            if joined.get(one) != own.get(one):
                why = f"its {one} is {joined.get(one)} and must be {own.get(one)}"
                raise self._wrong(named, why, f"leave {one} out")
        _revived(kind, joined, ": ".join((self.file, *named)))
        return joined

    def _unknown(self, named: tuple[str, ...], key: str, own: Mapping[str, Any]) -> Invalid:
        names = ", ".join(own)
        return self._wrong((*named, key), "there is no such row", f"ids stay as they are: {names}")

    def _wrong(self, named: Sequence[str], why: str, instead: str) -> Invalid:
        return Invalid(f"{OPTION}: {': '.join((self.file, *named))}", why, instead)


class Boxes(Generic[Box]):
    """The boxes that a game can be played with: the printed one, and those of owners."""

    def __init__(self, files: Files, make: Callable[[Mapping[str, Any]], Box], printed: Box) -> None:
        """make: the box of whole documents, by name; it raises Invalid for what cannot be played with.

        printed: what it makes of ours.
        """
        self._files, self._printed = files, printed
        self._made = lru_cache(maxsize=16)(lambda text: make(files.documents(text)))

    def of(self, options: Options) -> Box:
        """The box of a game with these options. Raises Invalid for files that cannot be played with."""
        return self._made(str(options[DATA])) if DATA in options else self._printed

    def completed(self, text: str) -> str:
        """The text of the option, whole: what a game keeps. Raises Invalid naming file, row and field."""
        whole = self._files.completed(text)
        self._made(whole)
        return whole


def sha256(documents: Mapping[str, Any]) -> str:
    """The hash of some documents, by their canonical form."""
    return hashlib.sha256(canonical(documents)).hexdigest()


def named(text: str) -> str:
    """The hash of a text that is whole, as far as people compare it: its first twelve signs."""
    return str(json.loads(text).get("sha256", ""))[:12]


def refuse(what: str, faults: Iterator[tuple[str, str]]) -> None:
    """Raises Invalid for the first of some faults, each where it is in a file and what it is."""
    for where, why in faults:
        raise Invalid(f"{OPTION}: {what}: {where}" if where else f"{OPTION}: {what}", why)


def _on(way: str, step: str) -> str:
    return f"{way}.{step}" if way else step


def _bundle(text: str) -> dict[str, Any]:
    try:
        bundle = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Invalid(OPTION, f"is no JSON: {fault}", "name the folder in which your files lie") from fault
    if not isinstance(bundle, dict) or not isinstance(bundle.get("files"), dict):
        raise Invalid(OPTION, 'has no object "files"', "name the folder in which your files lie")
    return bundle


def _document(name: str, text: str) -> Any:
    try:
        # As JSON holds it, whatever it was written in: a game keeps it so.
        return as_json(tomllib.loads(text)) if name.endswith(".toml") else json.loads(text)
    except json.JSONDecodeError as fault:
        why = f"is no JSON at line {fault.lineno}, column {fault.colno}: {fault.msg}"
        raise Invalid(f"{OPTION}: {name}", why) from fault
    except tomllib.TOMLDecodeError as fault:
        raise Invalid(f"{OPTION}: {name}", f"is no TOML: {fault}") from fault
    except (ValueError, RecursionError) as fault:
        raise Invalid(f"{OPTION}: {name}", f"cannot be read: {fault}") from fault


def _revived(kind: Any, value: Any, what: str) -> Any:
    try:
        return revive(kind, value)
    except Malformed as fault:
        file = what.partition(":")[0]
        raise Invalid(f"{OPTION}: {what}", str(fault), f"write it as our {file} does") from fault
