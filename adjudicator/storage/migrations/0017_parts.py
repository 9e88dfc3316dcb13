"""Pictures and other files of our letters, each kept once, and which letter has which."""

from typing import Any

import peewee
from peewee import BlobField, CompositeKey, ForeignKeyField, IntegerField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Create the tables. Letters that are there stay as they are."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class OutRow(Frozen):
        number = IntegerField(primary_key=True)

        class Meta:
            table_name = "outbox"

    class PartRow(Frozen):
        sha = TextField(primary_key=True)
        data = BlobField()

        class Meta:
            table_name = "part"

    class EnclosedRow(Frozen):
        letter = ForeignKeyField(OutRow, on_delete="CASCADE")
        sha = TextField(index=True)

        class Meta:
            table_name = "enclosed"
            primary_key = CompositeKey("letter", "sha")

    db.create_tables([PartRow, EnclosedRow])
