"""What has gone to which domain of late: so several senders keep one pace together."""

from typing import Any

import peewee
from peewee import AutoField, BigIntegerField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """One more table."""

    class GoneRow(peewee.Model):
        number = AutoField()
        domain = TextField()
        at = BigIntegerField(index=True)

        class Meta:
            table_name = "gone"
            database = db
            indexes = ((("domain", "at"), False),)

    db.create_tables([GoneRow])
