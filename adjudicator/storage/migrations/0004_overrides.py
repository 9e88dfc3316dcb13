"""How many turns of each game count, how many entries are not turns, and which dice a gamesmaster has set."""

from typing import Any

import peewee


def up(migrator: Any, db: peewee.Database) -> None:
    """Three more columns. So far every entry but the first was a turn, and no die was ever set."""
    migrator.migrate(
        migrator.add_column("game", "played", peewee.IntegerField(default=0)),
        migrator.add_column("game", "by_hand", peewee.IntegerField(default=0)),
        migrator.add_column("game", "forced", peewee.TextField(default="{}")),
    )
    db.execute_sql("UPDATE game SET played = entries - 1")  # type: ignore[no-untyped-call]  # so is the library
