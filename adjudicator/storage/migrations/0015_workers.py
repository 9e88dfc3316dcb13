"""Several workers on one set of books: who they are, and who has which letters in hand."""

from typing import Any

import peewee
from peewee import AutoField, BigIntegerField, IntegerField, TextField

INDEXES = (
    'CREATE INDEX "letterrow_worker" ON "letter" ("worker")',
    'CREATE INDEX "letterrow_disposition_received_number" ON "letter" ("disposition", "received", "number")',
    'CREATE INDEX "outrow_state_number" ON "outbox" ("state", "number")',
)


def up(migrator: Any, db: peewee.Database) -> None:
    """One more table, and four more columns. Of letters that are kept already nobody looks who sent them."""

    class WorkerRow(peewee.Model):
        number = AutoField()
        name = TextField(unique=True)
        host = TextField()
        pid = IntegerField()
        jobs = TextField()
        began = BigIntegerField()
        seen = BigIntegerField()
        done = TextField(default="{}")

        class Meta:
            table_name = "worker"
            database = db

    db.create_tables([WorkerRow])
    migrator.migrate(
        migrator.add_column("letter", "sender", peewee.TextField(default="")),
        migrator.add_column("letter", "lease", peewee.BigIntegerField(null=True)),
        migrator.add_column("letter", "worker", peewee.TextField(null=True)),
        migrator.add_column("outbox", "worker", peewee.TextField(null=True)),
    )
    for index in INDEXES:
        db.execute_sql(index)  # type: ignore[no-untyped-call]  # so is the library
