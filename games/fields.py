"""Plain JSON values taken apart field by field. Errors name a value by its path."""

from collections.abc import Collection, Iterator
from typing import Any

from games.protocol import Invalid


class Field:
    """A value inside a JSON document with its path, such as ``orders.Austria[0]``.

    The path of the whole document is "". It is computed only for an error, because thousands of fields are
    read for each wrong one.
    """

    __slots__ = ("_key", "_parent", "value")

    def __init__(self, value: Any, key: str | int = "", parent: "Field | None" = None) -> None:
        self.value = value
        self._key = key
        self._parent = parent

    @property
    def path(self) -> str:
        """The path of the value in the document."""
        before = self._parent.path if self._parent is not None else ""
        if isinstance(self._key, int):
            return f"{before}[{self._key}]"
        return f"{before}.{self._key}" if before else self._key

    def wrong(self, why: str, instead: str | None = None) -> Invalid:
        """Return the exception for this field."""
        return Invalid(self.path, why, instead)

    def entries(self, known: Collection[str] | None = None) -> dict[str, "Field"]:
        """Return an object's fields by key. A field with the value null is missing.

        Raises Invalid for another value, or an unknown key.
        """
        if not isinstance(self.value, dict):
            raise self.wrong(
                f"is {_json_type_name(self.value)} and should be an object", "write it in braces"
            )
        entries = {}
        for key, value in self.value.items():
            if known is not None and key not in known:
                raise Field(value, key, self).wrong("there is no such key", f"known are {', '.join(known)}")
            if value is not None:
                entries[key] = Field(value, key, self)
        return entries

    def items(self) -> Iterator["Field"]:
        """Return an array's fields. Raises Invalid for another value."""
        for number, value in enumerate(self.array()):
            yield Field(value, number, self)

    def array(self) -> list[Any]:
        """Return an array's plain values; `at` gives each one's field. Raises Invalid for another value."""
        if not isinstance(self.value, list):
            raise self.wrong(
                f"is {_json_type_name(self.value)} and should be an array", "write it in square brackets"
            )
        return self.value

    def texts(self) -> list[str]:
        """Return an array of strings. Raises Invalid for another value, or another element."""
        texts = self.array()
        try:
            "".join(texts)
        except TypeError:
            for field in self.items():
                field.text()
        return texts

    def at(self, number: int) -> "Field":
        """Return a field of an array."""
        return Field(self.value[number], number, self)

    def text(self) -> str:
        """Return a string. Raises Invalid for another value."""
        if not isinstance(self.value, str):
            raise self.wrong(f"is {_json_type_name(self.value)} and should be a string")
        return self.value

    def number(self, low: int = 0) -> int:
        """Return a whole number of at least `low`. Raises Invalid for another value."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.wrong(f"is {_json_type_name(self.value)} and should be a whole number")
        if self.value < low:
            raise self.wrong(f"{self.value} is too small", f"write a number from {low} up")
        return self.value

    def flag(self) -> bool:
        """Return true or false. Raises Invalid for another value."""
        if not isinstance(self.value, bool):
            raise self.wrong(f"is {_json_type_name(self.value)} and should be true or false")
        return self.value


def _json_type_name(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "a string", list: "an array"}
    return names.get(type(value), "an object")
