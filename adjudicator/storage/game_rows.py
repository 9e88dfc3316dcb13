"""The rows of one game as they are, whatever stands in them: to be kept, if not to be read."""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from peewee import Model

from adjudicator.storage.archive import ALL_TABLES, batches
from adjudicator.storage.database import Database


def rows_of_game(database: Database, game: str) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """Every row that names a game, by table; bytes that are no text as ``{"base64": ...}``.

    A few are held at a time.
    """
    for model in ALL_TABLES:
        meta: Any = model._meta
        table = meta.table_name
        column = meta.fields.get("name" if table == "game" else "game")
        if column is not None:
            yield table, _stored_rows(database, model, column == game)


def _stored_rows(database: Database, model: type[Model], theirs: Any) -> Iterator[dict[str, Any]]:
    for batch in batches(database, model, theirs, as_kept=True):
        yield from ({name: _plain(value) for name, value in row.items()} for row in batch)


def _plain(value: Any) -> Any:
    if not isinstance(value, bytes | memoryview):
        return value
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(bytes(value)).decode()}
