"""Games in the books twice and more: the rows of one that was played, under other names.

A build reads, tells and draws each of them by itself, as if it had been played.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from peewee import AutoField, Model

from adjudicator.service import Service
from adjudicator.storage import stored_games as book_of_games
from adjudicator.storage.archive import ALL_TABLES
from adjudicator.storage.database import Database
from adjudicator.storage.tables import GameRow

_INSERTED_AT_ONCE = 40


def has_rules_dice(house: Service, name: str) -> bool:
    """Return whether its rules have rolled dice, which depend on the name and differ under another."""
    return any(
        not throw.is_by_bot for entry, _ in book_of_games.log(house.database, name) for throw in entry.throws
    )


def double(database: Database, name: str, names: Sequence[str]) -> int:
    """Write the rows of a game once for each of other names. Returns how many rows."""
    count = 0
    with database.writing():
        for model in ALL_TABLES:
            rows = [*_rows(database, model, name)]
            for start in range(0, len(names) if rows else 0, _INSERTED_AT_ONCE):
                copies = [
                    _rename_row(model, row, other_name)
                    for other_name in names[start : start + _INSERTED_AT_ONCE]
                    for row in rows
                ]
                for at in range(0, len(copies), _INSERTED_AT_ONCE):
                    database.run(model.insert_many(copies[at : at + _INSERTED_AT_ONCE]))
                count += len(copies)
    return count


def _rows(database: Database, model: type[Model], name: str) -> Iterator[dict[str, Any]]:
    column = _game_of(model)
    if column is not None:
        yield from database.run(model.select().where(column == name).dicts())


def _game_of(model: type[Model]) -> Any:
    """The column that names a game, if a table has one."""
    fields: Any = model._meta.fields
    return fields.get("name" if model is GameRow else "game")


def _rename_row(model: type[Model], row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a row as another game has it, with a number and a key of its own."""
    meta: Any = model._meta
    copy = {**row, _game_of(model).name: name}
    if isinstance(meta.primary_key, AutoField):
        del copy[meta.primary_key.name]
    return {**copy, "key": f"{name}/{row['key']}"} if "key" in row else copy
