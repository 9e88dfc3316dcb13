"""What was signed in emails that were accepted: so none of it counts again in another email."""

from typing import Any

import peewee
from peewee import BigIntegerField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Create the table."""

    class SignatureRow(peewee.Model):
        content = TextField(primary_key=True)
        letter = TextField()
        accepted = BigIntegerField(index=True)

        class Meta:
            table_name = "signature"
            database = db

    db.create_tables([SignatureRow])
