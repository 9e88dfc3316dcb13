"""Who posts for which seat in the thread of a game, and how forums number these threads."""

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

    class PosterRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        address = TextField()
        place = TextField()
        name = TextField()
        used = IntegerField()
        since = BigIntegerField()

        class Meta:
            table_name = "poster"
            primary_key = CompositeKey("game", "seat")

    class TopicRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        place = TextField()
        topic = TextField()

        class Meta:
            table_name = "topic"
            primary_key = CompositeKey("game", "place")

    db.create_tables([PosterRow, TopicRow])
