"""Games in the books twice and more: the rows of one that was played, under other names.

A build reads, tells and draws each of them by itself, as if it had been played.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from peewee import AutoField, Model

from adjudicator.house import House
from adjudicator.store import games as book_of_games
from adjudicator.store.archive import EVERYTHING
from adjudicator.store.database import Database
from adjudicator.store.tables import GameRow

_AT_ONCE = 40


def is_thrown_for(house: House, name: str) -> bool:
    """Whether its rules have thrown dice: those hang on the name, and would fall otherwise under another."""
    return any(
        not one.is_bots for entry, _ in book_of_games.log(house.database, name) for one in entry.throws
    )


def double(database: Database, name: str, names: Sequence[str]) -> int:
    """Write the rows of a game once for each of other names. Returns how many rows."""
    count = 0
    with database.writing():
        for model in EVERYTHING:
            rows = [*_rows(database, model, name)]
            for start in range(0, len(names) if rows else 0, _AT_ONCE):
                told = [_renamed(model, row, one) for one in names[start : start + _AT_ONCE] for row in rows]
                for at in range(0, len(told), _AT_ONCE):
                    database.run(model.insert_many(told[at : at + _AT_ONCE]))
                count += len(told)
    return count


def _rows(database: Database, model: type[Model], name: str) -> Iterator[dict[str, Any]]:
    column = _game_of(model)
    if column is not None:
        yield from database.run(model.select().where(column == name).dicts())


def _game_of(model: type[Model]) -> Any:
    """The column that names a game, if a table has one."""
    fields: Any = model._meta.fields
    return fields.get("name" if model is GameRow else "game")


def _renamed(model: type[Model], row: dict[str, Any], name: str) -> dict[str, Any]:
    """A row as another game has it: with a number and a key of its own."""
    meta: Any = model._meta
    told = {**row, _game_of(model).name: name}
    if isinstance(meta.primary_key, AutoField):
        del told[meta.primary_key.name]
    return {**told, "key": f"{name}/{row['key']}"} if "key" in row else told
