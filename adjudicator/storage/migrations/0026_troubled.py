"""Seats whose letters do not arrive, found without a look at every seat."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """One more index."""
    db.execute_sql('CREATE INDEX "chairrow_trouble" ON "chair" ("trouble")')  # type: ignore[no-untyped-call]  # so is the library
