"""Order sheets as a page that goes along with reports, for whoever wants them."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """One more column. So far nobody was asked."""
    migrator.migrate(migrator.add_column("choice", "sheets", peewee.TextField(null=True)))
