"""What the salts of each game's log are made of, and who began it by mail."""

import json
import secrets
from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """Two more columns. Logs that there are stay as they were hashed; what is added to them is salted.

    Who began a game by mail stood in the first entry of its log, and stays there.
    """
    migrator.migrate(
        migrator.add_column("game", "pepper", peewee.BlobField(null=True)),
        migrator.add_column("game", "founder", peewee.TextField(null=True)),
    )

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class GameRow(Frozen):
        name = peewee.TextField(primary_key=True)
        pepper = peewee.BlobField(null=True)
        founder = peewee.TextField(null=True)

        class Meta:
            table_name = "game"

    class EntryRow(Frozen):
        game = peewee.TextField(column_name="game_id")
        number = peewee.IntegerField()
        entry = peewee.BlobField()

        class Meta:
            table_name = "entry"
            primary_key = peewee.CompositeKey("game", "number")

    first = EntryRow.select(EntryRow.game, EntryRow.entry).where(EntryRow.number == 0)
    rows: list[Any] = list(first.tuples())
    for name, entry in rows:
        by = json.loads(bytes(entry))["by"]
        columns = {"pepper": secrets.token_bytes(32), "founder": by if "@" in by else None}
        GameRow.update(**columns).where(GameRow.name == name).execute()
