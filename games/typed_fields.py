"""JSON fields read by the type of a record. Errors name a value by its path."""

from collections.abc import Collection, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from games.fields import Field
from games.record import Record, Value, required_fields


class KnownWords(Value, frozen=True):
    """The texts that a type allows. noun: the word for such a thing; known: the texts."""

    noun: str
    known: Collection[str]

    def read(self, field: Field, text: str) -> str:
        """Return the text if it is known. Raises Invalid."""
        if text not in self.known:
            shown = list(self.known)
            raise field.wrong(
                f"there is no {self.noun} {text}", "known are " + ", ".join(shown[:_MAX_WORDS_SHOWN])
            )
        return text


_MAX_WORDS_SHOWN = 40
"""The most words listed in an error about an unknown one."""


class TypedFields(Value, frozen=True):
    """Reads values of records. words: the known texts by type."""

    words: Mapping[Any, KnownWords]

    def record(self, kind: type[Record], fields: Mapping[str, Field]) -> dict[str, Any]:
        """Return the values of a record's fields that are present, by name. Raises Invalid."""
        types = hints(kind)
        return {name: self.read(types[name], field) for name, field in fields.items() if name in types}

    def read(self, kind: Any, field: Field) -> Any:
        """Return the value of a type. Raises Invalid with the path of a wrong value."""
        if kind in self.words:
            return self.words[kind].read(field, field.text())
        origin = get_origin(kind)
        if origin in (Union, UnionType):
            return self._one_of(get_args(kind), field)
        if origin is tuple:
            return self._array(get_args(kind), field)
        if origin is dict:
            return self._object(get_args(kind), field)
        if origin is Literal:
            return self._literal(get_args(kind), field)
        if isinstance(kind, type) and issubclass(kind, Record):
            return self._whole(kind, field)
        return _PLAIN_READERS[getattr(kind, "__supertype__", kind)](field)

    def _whole(self, kind: type[Record], field: Field) -> Any:
        fields = field.entries(tuple(hints(kind)))
        for name in required_fields(kind):
            if name not in fields:
                raise field.wrong(f"has no {name}", f"it has {', '.join(hints(kind))}")
        return kind(**self.record(kind, fields))

    def _one_of(self, kinds: tuple[Any, ...], field: Field) -> Any:
        """Return a value that may be missing, or a record of one of several kinds, named by its `type`."""
        kinds = tuple(kind for kind in kinds if kind is not NoneType)
        if field.value is None:
            return None
        if len(kinds) == 1:
            return self.read(kinds[0], field)
        by_name = {kind.__name__: kind for kind in kinds}
        fields = field.entries()
        if "type" not in fields:
            raise field.wrong("has no type", f"known are {', '.join(by_name)}")
        name = KnownWords("kind", by_name).read(fields["type"], fields["type"].text())
        bare = Field({key: entry.value for key, entry in fields.items() if key != "type"}, field.path)
        return self._whole(by_name[name], bare)

    def _array(self, kinds: tuple[Any, ...], field: Field) -> tuple[Any, ...]:
        if kinds[1:] == (...,):
            return tuple(self.read(kinds[0], entry) for entry in field.items())
        if len(field.array()) != len(kinds):
            raise field.wrong(f"should hold {len(kinds)} values")
        return tuple(self.read(kind, entry) for kind, entry in zip(kinds, field.items(), strict=True))

    def _object(self, kinds: tuple[Any, ...], field: Field) -> dict[Any, Any]:
        key, value = kinds
        return {
            self._key(key, name, entry): self.read(value, entry) for name, entry in field.entries().items()
        }

    def _key(self, kind: Any, name: str, field: Field) -> str:
        if kind in self.words:
            return self.words[kind].read(field, name)
        if get_origin(kind) is Literal:
            return KnownWords("key", get_args(kind)).read(field, name)
        return name

    def _literal(self, values: tuple[Any, ...], field: Field) -> Any:
        if field.value not in values or isinstance(field.value, bool):
            raise field.wrong(f"{field.value} is none of those", "known are " + ", ".join(map(str, values)))
        return field.value


@cache
def hints(kind: type[Record]) -> Mapping[str, Any]:
    """Return the types of a record's fields by name, in the record's order."""
    return get_type_hints(kind)


_PLAIN_READERS: Mapping[Any, Any] = {str: Field.text, int: Field.number, bool: Field.flag}
