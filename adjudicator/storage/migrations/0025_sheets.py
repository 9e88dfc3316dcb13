"""Order pages sent with reports to players who want them."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """One more column. So far nobody was asked."""
    migrator.migrate(migrator.add_column("choice", "sheets", peewee.TextField(null=True)))
