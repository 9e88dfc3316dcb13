"""Reads JSON documents by types. An error names a value by its path, and says what is allowed there."""

import builtins
import re
import typing
from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from games.protocol import Invalid
from games.record import Bounds, Malformed, Unset, Value, field_types, plain, revive, struct_type, tag_of

NameT = TypeVar("NameT")
ValueT = TypeVar("ValueT", bound=Value)
ReadT = TypeVar("ReadT")


class Name(ABC, Generic[NameT]):
    """The type of a text that names something, such as ``Name[CardId]``. Its value is a plain text."""


Name.register(str)


class UnknownName(ValueError):
    """A text that names nothing. Fields: why, instead (a suggestion)."""

    def __init__(self, why: str, instead: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.instead = instead


def read_at(path: str, read: Callable[..., ReadT], text: str, *more: Any) -> ReadT:
    """Return what a function reads in a text. Raises Invalid with the path if it raises UnknownName.

    more: further arguments of the function.
    """
    try:
        return read(text, *more)
    except UnknownName as fault:
        raise Invalid(path, fault.why, fault.instead) from fault


def read_each(path: str, read: Callable[..., ReadT], texts: Iterable[str], *more: Any) -> list[ReadT]:
    """Return what a function reads in each text of an array, as `read_at` does."""
    return [read_at(f"{path}[{number}]", read, text, *more) for number, text in enumerate(texts)]


_MAX_NAMES_SHOWN = 60
"""The most names listed in an error about an unknown one."""


def one_of(noun: str, names: Iterable[str], form: Callable[[str], str] = str) -> Callable[[str], str]:
    """Return a function that returns the form of a name, and raises UnknownName for other texts.

    form: returns the one form of a name, which by default is the name.
    """
    known = dict.fromkeys(names)

    def read_name(text: str) -> str:
        if text not in known:
            raise UnknownName(f"there is no {noun} {text}", _list_known(known))
        return form(text)

    return read_name


class _Place(NamedTuple):
    """A value in a document, with its type and its path. The path of the whole document is ""."""

    kind: Any
    value: Any
    path: str


class JsonReader:
    """Reads objects that have the fields of some records.

    A field with the value null is missing. Numbers are at least 0 if their type has no bounds.

    records: later ones take precedence where two have a field of the same name. names: functions by type;
    each returns the one form of a text of that type, or raises UnknownName. partial: whether any field of the
    object itself may be missing. In the objects within it, fields without a default are required. other_keys:
    whether objects may have other keys, which are ignored.
    """

    def __init__(
        self,
        *records: Any,
        names: Mapping[Any, Callable[[str], str]],
        partial: bool = False,
        other_keys: bool = False,
    ) -> None:
        self._records = records
        self._partial = partial
        self._other_keys = other_keys
        self._names = names
        self._types: dict[type[Any], Any] = {}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The fields of an object."""
        return tuple(self._fields())

    def read(self, document: object) -> dict[str, Any]:
        """Return the fields of an object as plain values. Raises Invalid with the path of a wrong value."""
        return self._read(document, Value)

    def read_with(self, document: object, more: type[ValueT]) -> tuple[dict[str, Any], ValueT]:
        """Return the fields of an object as plain values, and those of another record as its value."""
        values = self._read(document, more)
        others = {name: values.pop(name) for name in field_types(more) if name in values}
        return values, revive(more, others)

    def _read(self, document: object, more: type[Value]) -> dict[str, Any]:
        kind = self._types.get(more)
        if kind is None:
            kind = self._types[more] = self._struct("Document", self._fields(more))
        values: dict[str, Any]
        try:
            # Most documents have no null, and looking for one in Python takes longer than reading.
            values = plain(revive(kind, document, self._read_name), in_order=False)
            return values
        except Malformed:
            document = _without_nulls(document)
        try:
            values = plain(revive(kind, document, self._read_name), in_order=False)
            return values
        except Malformed as fault:
            raise self._explain(fault, _Place(kind, document, "")) from fault

    # Types for reading, made from those of records.

    def _fields(self, *more: Any) -> dict[str, tuple[Any, bool]]:
        kinds = {
            name: field for record in (*self._records, *more) for name, field in field_types(record).items()
        }
        return {
            name: (self._checked(kind), required and not self._partial)
            for name, (kind, required) in kinds.items()
        }

    def _checked(self, kind: Any) -> Any:
        """Return the type of the values in documents that are values of a type of records."""
        name_type: Any = Name
        if kind in self._names:
            return name_type[kind]
        if kind is int:
            return Annotated[int, Bounds(ge=0)]
        if fields := field_types(kind):
            parts = {name: (self._checked(part), required) for name, (part, required) in fields.items()}
            return self._struct(kind.__name__, parts, tag_of(kind))
        if get_origin(kind) in (Union, UnionType):
            kinds = [part for part in get_args(kind) if part is not NoneType]
            if len(kinds) == 1:
                return self._checked(kinds[0])
            return reduce(or_, [part if part is int else self._checked(part) for part in kinds])
        if get_origin(kind) in (tuple, dict):
            return get_origin(kind)[tuple(map(self._checked, get_args(kind)))]
        return getattr(kind, "__supertype__", kind)

    def _struct(self, name: str, fields: Mapping[str, tuple[Any, bool]], tag: str | None = None) -> Any:
        return struct_type(name, fields, tag, other_keys=self._other_keys)

    def _read_name(self, kind: Any, value: Any) -> str:
        if not isinstance(value, str):
            raise UnknownName(f"is {_TYPE_NAMES.get(type(value).__name__, 'null')} and should be a string")
        return self._names[get_args(kind)[0]](value)

    # Errors: the library's messages in our words.

    def _explain(self, fault: Malformed, whole: _Place) -> Invalid:
        match = _MESSAGE.fullmatch(str(fault))
        assert match is not None, "this pattern fits any text"
        place = whole
        try:
            for name, number in _STEP.findall(match["steps"] or ""):
                place = self._step(place, name, number)
        except LookupError:
            # A key of the document looks like the end of a message.
            return Invalid("", str(fault))
        if match["of_key"]:
            key_type = get_args(_member(place.kind, place.value))[0]
            key = next(key for key in place.value if not self._fits(key_type, key))
            place = _Place(key_type, key, _join(place.path, key))
        reason = fault.__cause__ and fault.__cause__.__cause__
        if isinstance(reason, UnknownName):
            return Invalid(place.path, reason.why, reason.instead)
        return _explain_message(match["message"], place)

    def _step(self, place: _Place, name: str, number: str) -> _Place:
        kind, value, path = place
        if name:
            return _Place(_field_types_of(kind, value)[name], value[name], _join(path, name))
        kinds = get_args(_member(kind, value))
        if number == "...":
            # The library doesn't say which entry of a mapping is wrong.
            key = next(key for key, entry in value.items() if not self._fits(kinds[1], entry))
            return _Place(kinds[1], value[key], _join(path, key))
        element = kinds[0] if kinds[-1] is ... else kinds[int(number)]
        return _Place(element, value[int(number)], f"{path}[{number}]")

    def _fits(self, kind: Any, value: Any) -> bool:
        try:
            revive(kind, value, self._read_name)
        except Malformed:
            return False
        return True


_MESSAGE = re.compile(r"(?P<message>.*?)(?: - at (?P<of_key>`key` in )?`\$?(?P<steps>[^`]*)`)?", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_TYPE_NAMES = {
    **{"null": "null", "bool": "true or false", "int": "a whole number", "float": "a number"},
    **{"str": "a string", "array": "an array", "object": "an object"},
    **{"list": "an array", "dict": "an object", " | ": " or "},
}
_TYPE_NAME = re.compile("|".join(map(re.escape, _TYPE_NAMES)))
_REASONS = (
    (re.compile(r"Object contains unknown field `(?P<field>.*)`", re.DOTALL), "there is no such key"),
    (re.compile(r"Object missing required field `(?P<field>.*)`"), "is missing"),
    (re.compile(r"Expected `(.*)`, got `(.*)`"), "is {1} and should be {0}"),
    (re.compile(r"Expected `array` of length (\d+), got (\d+)"), "has {1} elements and should have {0}"),
    (re.compile(r"Expected `int` >=.*"), "{value} is too small"),
    (re.compile(r"Expected `int` <=.*"), "{value} is too large"),
    (re.compile(r"Invalid .*", re.DOTALL), "{value} isn't allowed here"),
)
"""The library's messages, each with the reason that we give for it."""


def _explain_message(message: str, place: _Place) -> Invalid:
    kind, value, path = place
    for pattern, reason in _REASONS:
        if match := pattern.fullmatch(message):
            words = [_TYPE_NAME.sub(lambda name: _TYPE_NAMES[name[0]], word) for word in match.groups()]
            allowed = _allowed(kind, value)
            if field := match.groupdict().get("field"):
                path = _join(path, field)
                allowed = _allowed(_field_types_of(kind, value).get(field), None) or allowed
            return Invalid(path, reason.format(*words, value=value), allowed)
    return Invalid(path, message, _allowed(kind, value))


def _allowed(kind: Any, value: Any) -> str | None:
    """Return what is allowed in the place of a value, if it is more than the name of its type."""
    kind = _member(kind, value)
    if fields := field_types(kind):
        return _list_known(fields)
    if tags := _tags(kind):
        return _list_known(tags)
    match get_origin(kind):
        case typing.Literal:
            return _list_known(map(str, get_args(kind)))
        case typing.Annotated:
            bounds = get_args(kind)[1]
            until = "up" if bounds.le is None else f"to {bounds.le}"
            return f"write a number from {bounds.ge} {until}"
        case builtins.dict:
            return "write it in braces"
        case builtins.tuple:
            return "write it in square brackets"
    return None


def _list_known(names: Iterable[str]) -> str:
    return "known are " + ", ".join(list(names)[:_MAX_NAMES_SHOWN])


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


# Types made by `JsonReader`.


def _member(kind: Any, value: Any) -> Any:
    """Return the type in a union that a value is meant to have, or the union if this isn't certain.

    A field that may be missing is a union, too.
    """
    if get_origin(kind) not in (Union, UnionType):
        return kind
    kinds = [part for part in get_args(kind) if part is not Unset]
    if len(kinds) == 1:
        return kinds[0]
    tag = value.get("type") if isinstance(value, dict) else None
    for part in kinds:
        if isinstance(value, list) and get_origin(part) is tuple:
            return part
        if isinstance(value, dict) and (
            get_origin(part) is dict or (field_types(part) and tag_of(part) == tag)
        ):
            return part
    return kind


def _tags(kind: Any) -> list[str]:
    return [tag for part in get_args(kind) if (tag := tag_of(part))]


def _field_types_of(kind: Any, value: Any) -> dict[str, Any]:
    """Return the types of an object's fields. In a union of records one of them is the tag."""
    kind = _member(kind, value)
    tags = _tags(kind)
    if tags:
        return {"type": Literal[tuple(tags)]}
    return {name: part for name, (part, _) in field_types(kind).items()}


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(part) for key, part in value.items() if part is not None}
    return [_without_nulls(part) for part in value] if isinstance(value, list) else value
