"""What was tried at seats' passwords; and that several things may wait for one person's answer."""

from typing import Any

import peewee
from peewee import BigIntegerField, CompositeKey, ForeignKeyField, IntegerField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Create a table, and give what waits a second column to its key.

    What waits already has no mark, since our letters about it named none: it is told of, and not done.
    """

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class GameRow(Frozen):
        name = TextField(primary_key=True)

        class Meta:
            table_name = "game"

    class GuessRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        lock = TextField()
        misses = IntegerField()
        rests = IntegerField()
        until = BigIntegerField()
        at = BigIntegerField()

        class Meta:
            table_name = "guess"
            primary_key = CompositeKey("game", "seat")

    class RequestRow(Frozen):
        address = TextField()
        mark = TextField()
        lines = TextField()
        asked = BigIntegerField()

        class Meta:
            table_name = "request"
            primary_key = CompositeKey("address", "mark")

    waiting = db.execute_sql('SELECT "address", "lines", "asked" FROM "request"').fetchall()  # type: ignore[no-untyped-call]  # so is the library
    db.execute_sql('DROP TABLE "request"')  # type: ignore[no-untyped-call]  # so is the library
    db.create_tables([GuessRow, RequestRow])
    for address, lines, asked in waiting:
        RequestRow.insert(address=address, mark="", lines=lines, asked=asked).execute()
