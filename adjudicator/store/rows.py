"""The rows of one game as they are, whatever stands in them: to be kept, if not to be read."""

from base64 import b64encode
from typing import Any

from adjudicator.store.archive import EVERYTHING
from adjudicator.store.database import Database
from adjudicator.store.prepared import Prepared, slot


def of_game(database: Database, game: str) -> dict[str, list[dict[str, Any]]]:
    """Every row that names a game, by table; bytes that are no text as ``{"base64": ...}``."""
    found = {}
    with database.reading():
        for model in EVERYTHING:
            meta: Any = model._meta
            table = meta.table_name
            column = meta.fields.get("name" if table == "game" else "game")
            if column is not None:
                rows = database.ask(Prepared(model.select().where(column == slot("game"))), game=game)
                found[table] = [
                    {name: _plain(value) for name, value in row._asdict().items()} for row in rows
                ]
    return found


def _plain(value: Any) -> Any:
    if not isinstance(value, bytes | memoryview):
        return value
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(bytes(value)).decode()}
