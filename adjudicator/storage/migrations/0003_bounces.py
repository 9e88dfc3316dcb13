"""Which of our letters came back, and to which addresses nothing more is sent."""

from typing import Any

import peewee
from peewee import BigIntegerField, BooleanField, ForeignKeyField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Create the tables, and find a letter by the address to which it comes back."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class OutRow(Frozen):
        number = peewee.AutoField()

        class Meta:
            table_name = "outbox"

    class BounceRow(Frozen):
        letter = ForeignKeyField(OutRow, primary_key=True, on_delete="CASCADE")
        address = TextField(index=True)
        at = BigIntegerField()
        hard = BooleanField()
        why = TextField()

        class Meta:
            table_name = "bounce"

    class DeadRow(Frozen):
        address = TextField(primary_key=True)
        since = BigIntegerField()
        why = TextField()

        class Meta:
            table_name = "dead"

    db.create_tables([BounceRow, DeadRow])
    db.execute_sql('CREATE INDEX "outrow_sender" ON "outbox" ("sender")')  # type: ignore[no-untyped-call]  # so is the library
