"""People: who they are, what they wish to play and to watch, and what passes between them."""

from typing import Any

import peewee
from peewee import AutoField, BigIntegerField, CompositeKey, ForeignKeyField, TextField


def up(migrator: Any, db: peewee.Database) -> None:
    """Create the tables. The models are frozen here, apart from those that the service uses today."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class GameRow(Frozen):
        name = TextField(primary_key=True)

        class Meta:
            table_name = "game"

    class PersonRow(Frozen):
        address = TextField(primary_key=True)
        name = TextField(null=True)
        zone = TextField(null=True)

        class Meta:
            table_name = "person"

    class CustomsRow(Frozen):
        game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
        document = TextField()

        class Meta:
            table_name = "customs"

    class OfferRow(Frozen):
        name = TextField(primary_key=True)
        document = TextField()
        created = BigIntegerField()

        class Meta:
            table_name = "offer"

    class SignupRow(Frozen):
        game = TextField()
        address = TextField()
        wishes = TextField()
        since = BigIntegerField()

        class Meta:
            table_name = "signup"
            primary_key = CompositeKey("game", "address")

    class WatcherRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        address = TextField()

        class Meta:
            table_name = "watcher"
            primary_key = CompositeKey("game", "address")

    class VacancyRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        since = BigIntegerField()

        class Meta:
            table_name = "vacancy"
            primary_key = CompositeKey("game", "seat")

    class VoteRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        turn = TextField()
        motion = TextField()
        goal = TextField(null=True)

        class Meta:
            table_name = "vote"
            primary_key = CompositeKey("game", "seat")

    class AbsenceRow(Frozen):
        number = AutoField()
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        first = BigIntegerField()
        last = BigIntegerField()

        class Meta:
            table_name = "absence"

    class PressRow(Frozen):
        number = AutoField()
        key = TextField(unique=True)
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        turn = TextField()
        seat = TextField(null=True)
        kind = TextField()
        hearers = TextField(null=True)
        text = TextField()
        written = BigIntegerField()

        class Meta:
            table_name = "press"

    class RequestRow(Frozen):
        address = TextField(primary_key=True)
        lines = TextField()
        asked = BigIntegerField()

        class Meta:
            table_name = "request"

    db.create_tables(
        [
            PersonRow,
            CustomsRow,
            OfferRow,
            SignupRow,
            WatcherRow,
            VacancyRow,
            VoteRow,
            AbsenceRow,
            PressRow,
            RequestRow,
        ]
    )
