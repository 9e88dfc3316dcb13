"""People who agree that the archive names them."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """One more column. So far nobody was asked."""
    migrator.migrate(migrator.add_column("person", "public", peewee.BooleanField(default=False)))
