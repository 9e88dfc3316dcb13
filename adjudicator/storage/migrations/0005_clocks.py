"""How the clocks of games stand, and the minutes of what was done to games beside their turns."""

from typing import Any

import peewee
from peewee import AutoField, BigIntegerField, ForeignKeyField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Create the tables. The models are frozen here, apart from those that the service uses today."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class GameRow(Frozen):
        name = TextField(primary_key=True)

        class Meta:
            table_name = "game"

    class ClockRow(Frozen):
        game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
        document = TextField()

        class Meta:
            table_name = "clock"

    class MinuteRow(Frozen):
        number = AutoField()
        game = TextField(index=True)
        at = BigIntegerField()
        by = TextField()
        what = TextField()
        why = TextField()

        class Meta:
            table_name = "minute"

    db.create_tables([ClockRow, MinuteRow])
