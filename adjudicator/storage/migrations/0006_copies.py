"""Which letters went out with a copy to ourselves: only for those can a look into the mailbox help."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """One more column. Of letters that are unsure now nobody knows it, so they count as without."""
    migrator.migrate(migrator.add_column("outbox", "copied", peewee.BooleanField(default=False)))
