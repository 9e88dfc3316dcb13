"""Whether a player gets the map as a drawing besides."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """One more column: what each has chosen, which is nothing yet."""
    migrator.migrate(migrator.add_column("choice", "maps", peewee.TextField(null=True)))
