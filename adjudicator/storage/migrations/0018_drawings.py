"""What the pictures in our letters were drawn from."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """Two more columns: of pictures that are there already nothing is known."""
    migrator.migrate(
        migrator.add_column("part", "drawing", peewee.BlobField(null=True)),
        migrator.add_column("part", "base", peewee.TextField(null=True)),
    )
