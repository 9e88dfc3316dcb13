"""When each game, each that waits for people and each digest is looked at next, and who has games in hand."""

from typing import Any

import peewee

INDEXES = (
    'CREATE INDEX "gamerow_status_look_at_deadline" ON "game" ("status", "look_at", "deadline")',
    'CREATE INDEX "gamerow_worker" ON "game" ("worker")',
    'CREATE INDEX "offerrow_look_at" ON "offer" ("look_at")',
    'CREATE INDEX "digestrow_look_at" ON "digest" ("look_at")',
)


def up(migrator: Any, db: peewee.Database) -> None:
    """Five more columns, and indexes by which a look finds what is due. So far all is looked at at once."""
    migrator.migrate(
        migrator.add_column("game", "look_at", peewee.BigIntegerField(default=0)),
        migrator.add_column("game", "lease", peewee.BigIntegerField(null=True)),
        migrator.add_column("game", "worker", peewee.TextField(null=True)),
        migrator.add_column("offer", "look_at", peewee.BigIntegerField(default=0)),
        migrator.add_column("digest", "look_at", peewee.BigIntegerField(default=0)),
    )
    for index in INDEXES:
        db.execute_sql(index)  # type: ignore[no-untyped-call]  # so is the library
