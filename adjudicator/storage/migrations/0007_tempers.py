"""In which manner the bot of a seat plays."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """One more column. Bots that there are already have no temperament."""
    migrator.migrate(migrator.add_column("chair", "temper", peewee.TextField(null=True)))
