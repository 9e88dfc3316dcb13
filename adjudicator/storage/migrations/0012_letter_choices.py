"""What letters players have chosen, and who gets a digest."""

from typing import Any

import peewee
from peewee import BigIntegerField, CompositeKey, ForeignKeyField, IntegerField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Create the tables."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class GameRow(Frozen):
        name = TextField(primary_key=True)

        class Meta:
            table_name = "game"

    class ChoiceRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        address = TextField()
        detail = TextField(null=True)
        reasons = TextField(null=True)
        every = TextField(null=True)
        untold = IntegerField(null=True)

        class Meta:
            table_name = "choice"
            primary_key = CompositeKey("game", "seat", "address")

    class DigestRow(Frozen):
        address = TextField(primary_key=True)
        digest = TextField()
        seen = BigIntegerField()

        class Meta:
            table_name = "digest"

    db.create_tables([ChoiceRow, DigestRow])
