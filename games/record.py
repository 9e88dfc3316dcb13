"""Frozen values and their one canonical form in bytes.

Every value that is logged, filed or compared is a Record: a frozen struct whose canonical JSON is the same
on every machine and in every run. The library behind it is named in this module only.
"""

import json
from collections.abc import Mapping
from inspect import cleandoc
from threading import RLock
from typing import Any, TypeVar

import msgspec

RecordT = TypeVar("RecordT")

Bounds = msgspec.Meta
"""What a field's text or number has to be like, beside its type: ``Annotated[int, Bounds(ge=0)]``.

Asked of what is read (`load`, `revive`), and told by `schema`.
"""

field = msgspec.field
"""What a field is if nothing is given, made anew for each value: ``field(default_factory=Clock)``."""

Unset = msgspec.UnsetType
UNSET = msgspec.UNSET
"""Of a field that is not there at all, and so does not stand in the canonical form either."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frozen value, compared and hashed by its fields.

    Subclasses repeat ``frozen=True, kw_only=True`` in their class line (kw_only is not inherited); those that
    live in a union of kinds descend from a class with ``tag=True``.
    """


class Value(msgspec.Struct, frozen=True):
    """A frozen value that is handed on and never filed, compared and hashed by its fields.

    Its class is made in a tenth of the time that a dataclass takes, each value in a fifth. Subclasses repeat
    ``frozen=True``; those that keep what they worked out (`cached_property`) say ``dict=True``.
    """


class MutableRecord(msgspec.Struct):
    """A value in the making: its maker changes it; once it is handed on, nobody does. Not hashed.

    Drafts and values that a search makes by the thousand say ``gc=False``: nothing they hold leads back to
    them, so that nobody need look for garbage there.
    """


class Malformed(ValueError):
    """Bytes or plain values that do not make the record asked for. The message names the field at fault."""


def canonical(value: object) -> bytes:
    """The one form of a value in bytes: UTF-8 JSON, keys and sets in order, no spaces.

    Two equal values of the same type give the same bytes (the first law of the protocol rests on it).
    """
    return msgspec.json.encode(value, order="deterministic")


def format_indented(value: object) -> bytes:
    """Return a value's canonical form for people to read: a key or an element a line, indented by level."""
    return msgspec.json.format(canonical(value), indent=1)


def load(kind: Any, data: bytes) -> Any:
    """The value of type `kind` that `canonical` wrote. `kind` may be a union of tagged records.

    Raises Malformed with the path of the field at fault, such as ``$.units[3].at``.
    """
    try:
        return _reader(kind).decode(data)
    except msgspec.MsgspecError as fault:
        raise Malformed(str(fault)) from fault


_READERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_ONE_AT_A_TIME = RLock()


def _reader(kind: Any) -> msgspec.json.Decoder[Any]:
    # The library looks at a type when it first meets it, and other threads see what is half looked at: two
    # that read the same type for the first time end the process. So a type is met by one thread alone.
    reader = _READERS.get(kind)
    if reader is None:
        with _ONE_AT_A_TIME:
            reader = _READERS[kind] = msgspec.json.Decoder(kind)
    return reader


def plain(value: object) -> Any:
    """The value as dicts, lists, strings and numbers, in canonical order."""
    return msgspec.to_builtins(value, order="deterministic")


def as_json(value: object) -> Any:
    """The value as a JSON document holds it: dicts, lists, strings and numbers, in canonical order."""
    return msgspec.json.decode(canonical(value))


def revive(kind: Any, value: object) -> Any:
    """The value of type `kind` from what `plain` gave. Raises Malformed as `load` does."""
    _reader(kind)
    try:
        return msgspec.convert(value, type=kind)
    except msgspec.MsgspecError as fault:
        raise Malformed(str(fault)) from fault


def read_json(raw: bytes) -> Any:
    """The plain value of a JSON document, as `json.loads` reads it, in a third of the time.

    Raises ValueError and RecursionError as that does.
    """
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, ValueError):
        # More is JSON to the standard library; and what is wrong with a document, that library says.
        return json.loads(raw)


def json_line(value: Any) -> str:
    """A plain value without floats as `json.dumps` writes it, on a line in ASCII, in a third of the time."""
    try:
        line = msgspec.json.format(msgspec.json.encode(value), indent=0)
    except (msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError):
        return json.dumps(value)
    return line.decode() if line.isascii() and b"\x7f" not in line else json.dumps(value)


def schema(kind: Any, published_names: Mapping[type, str] | None = None) -> dict[str, Any]:
    """The JSON schema of what `plain` gives of a type, the same on every Python and msgspec.

    published_names: what a published schema calls a class, where that is not the class's own name.
    """
    names = {record.__name__: name for record, name in (published_names or {}).items()}
    document: dict[str, Any] = _with_names(_flush_left(msgspec.json.schema(kind)), names)
    return document


def _with_names(document: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a schema with the records under other names, wherever it defines them or refers to them."""
    if not names:
        return document
    parts = document.pop("$defs", {})
    document["$defs"] = {
        names.get(name, name): {**part, "title": names[name]} if name in names else part
        for name, part in parts.items()
    }
    references = {f"#/$defs/{name}": f"#/$defs/{published}" for name, published in names.items()}
    return {key: _with_references(part, references) for key, part in document.items()}


def _with_references(part: Any, references: Mapping[str, str]) -> Any:
    if isinstance(part, list):
        return [_with_references(element, references) for element in part]
    if isinstance(part, dict):
        return {key: _with_references(value, references) for key, value in part.items()}
    return references.get(part, part) if isinstance(part, str) else part


def _flush_left(part: Any) -> Any:
    # How far the lines of a docstring are indented depends: since Python 3.13 the compiler takes it away.
    if isinstance(part, list):
        return [_flush_left(element) for element in part]
    if not isinstance(part, dict):
        return part
    return {
        key: cleandoc(value) if key == "description" and isinstance(value, str) else _flush_left(value)
        for key, value in part.items()
        # Only since msgspec 0.23 does a schema list the keys of a mapping whose keys are literals.
        if not (key == "propertyNames" and "enum" in value)
    }


def replace_fields(value: RecordT, **fields: Any) -> RecordT:
    """Return a copy of a record with some fields changed."""
    return msgspec.structs.replace(value, **fields)  # type: ignore[type-var]  # T is a Record where it matters


def required_fields(kind: type[Record]) -> tuple[str, ...]:
    """Return the names of a record's fields that have no default."""
    return tuple(info.name for info in msgspec.structs.fields(kind) if info.required)
