"""Frozen values and their one canonical form in bytes.

Every value that is logged, stored or compared is a Record: a frozen struct whose canonical JSON is the same
on every machine and in every run. Only this module names the library behind it.
"""

import json
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from inspect import cleandoc
from threading import RLock
from typing import Any, TypeVar

import msgspec

RecordT = TypeVar("RecordT")

Bounds = msgspec.Meta
"""The bounds of a field's text or number, in addition to its type: ``Annotated[int, Bounds(ge=0)]``.

They are checked by `load` and `revive`, and included in `schema`.
"""

field = msgspec.field
"""A field's default that is made for each value: ``field(default_factory=Clock)``."""

Unset = msgspec.UnsetType
UNSET = msgspec.UNSET
"""The value of a missing field, which isn't in the canonical form either."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frozen value, compared and hashed by its fields.

    Subclasses repeat ``frozen=True, kw_only=True`` in their class line (kw_only isn't inherited). Those in a
    union of kinds descend from a class with ``tag=True``.
    """


class Value(msgspec.Struct, frozen=True):
    """A frozen value that is never stored, compared and hashed by its fields.

    Its class is made in a tenth of the time of a dataclass, each value in a fifth. Subclasses repeat
    ``frozen=True``. Those with a `cached_property` add ``dict=True``.
    """


class MutableRecord(msgspec.Struct):
    """A value that its maker changes until it is handed on. Not hashed.

    Drafts and values that a search makes by the thousand set ``gc=False``: they contain no reference cycles,
    so the garbage collector can skip them.
    """


class Malformed(ValueError):
    """Bytes or plain values that don't make the wanted record. The message names the wrong field."""


def canonical(value: object) -> bytes:
    """Return the one form of a value in bytes: UTF-8 JSON, keys and sets in order, no spaces.

    Two equal values of the same type give the same bytes (the first law of the protocol depends on it).
    """
    return msgspec.json.encode(value, order="deterministic")


def format_indented(value: object) -> bytes:
    """Return a value's canonical form for people: one key or element per line, indented by level."""
    return msgspec.json.format(canonical(value), indent=1)


def load(kind: Any, data: bytes) -> Any:
    """Return the value of type `kind` that `canonical` wrote. `kind` may be a union of tagged records.

    Raises Malformed with the path of the wrong field, such as ``$.units[3].at``.
    """
    try:
        return _reader(kind).decode(data)
    except msgspec.MsgspecError as fault:
        raise Malformed(str(fault)) from fault


_READERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_ONE_AT_A_TIME = RLock()


def _reader(kind: Any) -> msgspec.json.Decoder[Any]:
    # The library prepares a type on first use, and other threads see it half prepared. Two threads that read
    # the same type for the first time crash the process. So one thread at a time may prepare a type.
    reader = _READERS.get(kind)
    if reader is None:
        with _ONE_AT_A_TIME:
            reader = _READERS[kind] = msgspec.json.Decoder(kind)
    return reader


def plain(value: object, *, in_order: bool = True) -> Any:
    """Return the value as dicts, lists, strings and numbers, by default in canonical order."""
    return msgspec.to_builtins(value, order="deterministic" if in_order else None)


def as_json(value: object) -> Any:
    """Return the value as in a JSON document: dicts, lists, strings and numbers, in canonical order."""
    return msgspec.json.decode(canonical(value))


def revive(kind: Any, value: object, read_other: Callable[[Any, Any], Any] | None = None) -> Any:
    """Return the value of type `kind` from the result of `plain`. Raises Malformed like `load`.

    read_other: returns the value of a type that isn't a plain one. If it raises ValueError, this is the cause
    of the cause of Malformed.
    """
    _reader(kind)
    try:
        return msgspec.convert(value, type=kind, dec_hook=read_other)
    except msgspec.MsgspecError as fault:
        raise Malformed(str(fault)) from fault


def from_text(kind: type[RecordT], values: Mapping[str, str]) -> RecordT:
    """Return the record whose fields have these values, given as text: ``{"count": "3"}``.

    Raises Malformed as `load` does.
    """
    config = kind.__struct_config__  # type: ignore[attr-defined]  # a RecordT is a Record where it matters
    tag = {} if config.tag is None else {config.tag_field: config.tag}
    _reader(kind)
    try:
        return msgspec.convert({**values, **tag}, type=kind, strict=False)
    except msgspec.MsgspecError as fault:
        raise Malformed(str(fault)) from fault


def read_json(raw: bytes) -> Any:
    """Return the plain value of a JSON document like `json.loads`, in a third of the time.

    Raises ValueError and RecursionError like `json.loads`.
    """
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, ValueError):
        # The standard library accepts more as JSON, and its errors name the fault in a document.
        return json.loads(raw)


def json_line(value: Any) -> str:
    """Return a plain value without floats like `json.dumps`, on one line in ASCII, in a third of the time."""
    try:
        line = msgspec.json.format(msgspec.json.encode(value), indent=0)
    except (msgspec.MsgspecError, ValueError, TypeError, OverflowError, RecursionError):
        return json.dumps(value)
    return line.decode() if line.isascii() and b"\x7f" not in line else json.dumps(value)


def schema(kind: Any, published_names: Mapping[type, str] | None = None) -> dict[str, Any]:
    """Return the JSON schema of the result of `plain` for a type, the same on every Python and msgspec.

    published_names: the names of classes in a published schema, if they differ from the classes' own names.
    """
    names = {record.__name__: name for record, name in (published_names or {}).items()}
    document: dict[str, Any] = _with_names(_flush_left(msgspec.json.schema(kind)), names)
    return document


def _with_names(document: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a schema with other names for records, wherever it defines or references them."""
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
    # The indentation of docstrings differs: since Python 3.13 the compiler removes it.
    if isinstance(part, list):
        return [_flush_left(element) for element in part]
    if not isinstance(part, dict):
        return part
    return {
        key: cleandoc(value) if key == "description" and isinstance(value, str) else _flush_left(value)
        for key, value in part.items()
        # Only msgspec 0.23 and later list the keys of a mapping with literal keys.
        if not (key == "propertyNames" and "enum" in value)
    }


def replace_fields(value: RecordT, **fields: Any) -> RecordT:
    """Return a copy of a record with some fields changed."""
    return msgspec.structs.replace(value, **fields)  # type: ignore[type-var]  # T is a Record where it matters


def required_fields(kind: type[Record]) -> tuple[str, ...]:
    """Return the names of a record's fields that have no default."""
    return tuple(name for name, (_, required) in field_types(kind).items() if required)


@cache
def field_types(kind: Hashable) -> Mapping[str, tuple[Any, bool]]:
    """Return the type of each field of a record, and whether the field is required. Other types have none."""
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return {}
    return {info.encode_name: (info.type, info.required) for info in msgspec.structs.fields(kind)}


def tag_of(kind: Any) -> str | None:
    """Return the tag of a record in a union of kinds, or None for any other type."""
    tag: str | None = kind.__struct_config__.tag if field_types(kind) else None
    return tag


def struct_type(
    name: str, fields: Mapping[str, tuple[Any, bool]], tag: str | None = None, *, other_keys: bool = False
) -> Any:
    """Return a type for objects with these fields, each with its type and whether it is required.

    `plain` leaves out the fields that are missing. other_keys: whether other keys are ignored or an error.
    """
    kinds = [
        (field, kind) if required else (field, kind | Unset, UNSET)
        for field, (kind, required) in fields.items()
    ]
    return msgspec.defstruct(name, kinds, tag=tag, kw_only=True, forbid_unknown_fields=not other_keys)
