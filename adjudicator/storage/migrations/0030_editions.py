"""The edition of its variant that a game is played by, and a copy of its files."""

from typing import Any

import peewee
from peewee import BlobField, CompositeKey, ForeignKeyField, IntegerField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Add the column and the table. Games that began before this get their edition at their next turn."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class GameRow(Frozen):
        name = TextField(primary_key=True)

        class Meta:
            table_name = "game"

    class EditionRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        since = IntegerField()
        sha = TextField()
        files = BlobField()

        class Meta:
            table_name = "edition"
            primary_key = CompositeKey("game", "since")

    db.execute_sql('ALTER TABLE "game" ADD COLUMN "editions" TEXT')  # type: ignore[no-untyped-call]  # so is the library
    db.create_tables([EditionRow])
