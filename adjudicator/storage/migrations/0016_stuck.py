"""Games that cannot go on, and by what each game's log was last found to hold."""

from typing import Any

import peewee
from peewee import ForeignKeyField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """One more table and one more column, which says nothing yet."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class GameRow(Frozen):
        name = TextField(primary_key=True)

        class Meta:
            table_name = "game"

    class StuckRow(Frozen):
        game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
        document = TextField()

        class Meta:
            table_name = "stuck"

    db.create_tables([StuckRow])
    migrator.migrate(migrator.add_column("game", "proven", TextField(null=True)))
