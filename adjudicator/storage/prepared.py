"""Statements written down once: writing a small question's SQL takes longer than its answer."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import peewee

from adjudicator.storage.tables import DatabaseText

_LIST_SLOT_PREFIX = "one"


class QuerySlot:
    """The place of a value that is given when the statement is run."""

    def __init__(self, name: str) -> None:
        self.name = name


def slot(name: str) -> Any:
    """A value to come, for use in a query."""
    return peewee.Value(QuerySlot(name), converter=False)


def slots(count: int) -> list[Any]:
    """Return so many slots, for use in a list. `slot_values` names the values for them."""
    return [slot(f"{_LIST_SLOT_PREFIX}{number}") for number in range(count)]


def slot_values(values: Iterable[Any]) -> dict[str, Any]:
    """Values for the slots of a list, by their names."""
    return {f"{_LIST_SLOT_PREFIX}{number}": value for number, value in enumerate(values)}


def lock_unclaimed(query: Any, shared: bool) -> Any:
    """A selection of rows to be taken in hand, as `Database.untaken`. shared: as `Database.is_shared`."""
    return query.for_update(skip_locked=True) if shared else query


class Prepared:
    """A query with slots. Its SQL is made at its first use, for each kind of database apart."""

    def __init__(self, query: Any) -> None:
        self._query = query
        self._made: dict[type, tuple[str, tuple[tuple[str | None, Any], ...]]] = {}
        self._row: Callable[..., Any] | None = None
        self._switches: tuple[int, ...] = ()

    def sql(self, library: peewee.Database, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """The SQL in that database's words, and its parameters. values: for all slots, by name."""
        kind = type(library)
        if kind not in self._made:
            context: Any = library.get_sql_context()
            sql, parameters = context.sql(self._query).query()
            self._made[kind] = sql, tuple(map(_place, parameters))
        sql, places = self._made[kind]
        return sql, [value if name is None else _TEXT_FIELD.db_value(values[name]) for name, value in places]

    def rows(self, cursor: Any) -> list[Any]:
        """The rows of the answer, with a name for each column. Of the two engines one has no truth values."""
        records = cursor.fetchall()
        if not records:
            return []
        if self._row is None:
            names = [column[0] for column in cursor.description]
            columns: Any = namedtuple("Row", names)  # type: ignore[misc]  # they are known only now
            fields = self._query._returning
            self._switches = tuple(
                place for place, field in enumerate(fields) if isinstance(field, peewee.BooleanField)
            )
            self._row = partial(tuple.__new__, columns)
        return list(map(self._row, map(self._convert_booleans, records) if self._switches else records))

    def _convert_booleans(self, values: tuple[Any, ...]) -> list[Any]:
        row = list(values)
        for place in self._switches:
            row[place] = bool(row[place])
        return row


def _place(parameter: Any) -> tuple[str | None, Any]:
    """The name of a slot, or None and what always stands there."""
    return (parameter.name, None) if isinstance(parameter, QuerySlot) else (None, parameter)


_TEXT_FIELD = DatabaseText()
