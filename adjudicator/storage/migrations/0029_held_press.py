"""Press that waits to go out together, and who was told that copies of their emails go to others."""

from typing import Any

import peewee
from peewee import BigIntegerField, CompositeKey, ForeignKeyField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Create the tables."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class GameRow(Frozen):
        name = TextField(primary_key=True)

        class Meta:
            table_name = "game"

    class HeldPressRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        press = TextField()
        reader = TextField()
        since = BigIntegerField()

        class Meta:
            table_name = "held_press"
            primary_key = CompositeKey("press", "reader")

    class CopyWarningRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        address = TextField()

        class Meta:
            table_name = "copy_warning"
            primary_key = CompositeKey("game", "seat")

    db.create_tables([HeldPressRow, CopyWarningRow])
