"""The first tables: service, games with their chairs, orders and log, letters in, letters out."""

from typing import Any

import peewee
from peewee import (
    AutoField,
    BigIntegerField,
    BlobField,
    BooleanField,
    CompositeKey,
    ForeignKeyField,
    IntegerField,
    TextField,
)


def up(migrator: Any, db: peewee.Database) -> None:
    """Create them. The models are frozen here, apart from those that the service uses today."""

    class Frozen(peewee.Model):
        class Meta:
            database = db

    class MetaRow(Frozen):
        key = TextField(primary_key=True)
        value = BlobField()

        class Meta:
            table_name = "meta"

    class GameRow(Frozen):
        name = TextField(primary_key=True)
        kind = TextField()
        options = TextField()
        status = TextField()
        entries = IntegerField()
        rev = IntegerField()
        head_sha = TextField()
        state = BlobField()
        turn = TextField()
        deadline = BigIntegerField(null=True)
        deadlines = TextField()
        early = BooleanField()
        secret = BlobField()
        created = BigIntegerField()

        class Meta:
            table_name = "game"

    class ChairRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        place = IntegerField()
        address = TextField(null=True, index=True)
        bot = TextField(null=True)
        generation = IntegerField()
        password = TextField(null=True)
        wait = BooleanField()
        ready = BooleanField()
        missed = IntegerField()
        trouble = TextField(null=True)

        class Meta:
            table_name = "chair"
            primary_key = CompositeKey("game", "seat")

    class FiledRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        seat = TextField()
        orders = BlobField()

        class Meta:
            table_name = "filed"
            primary_key = CompositeKey("game", "seat")

    class EntryRow(Frozen):
        game = ForeignKeyField(GameRow, on_delete="CASCADE")
        number = IntegerField()
        entry = BlobField()
        state = BlobField()

        class Meta:
            table_name = "entry"
            primary_key = CompositeKey("game", "number")

    class LetterRow(Frozen):
        number = AutoField()
        fingerprint = TextField(unique=True)
        received = BigIntegerField()
        data = BlobField()
        tries = IntegerField(default=0)
        disposition = TextField(null=True, index=True)
        why = TextField(null=True)
        speaker = TextField(null=True)
        game = TextField(null=True)
        seat = TextField(null=True)
        handled = BigIntegerField(null=True)

        class Meta:
            table_name = "letter"
            indexes = ((("speaker", "handled"), False),)

    class SeenRow(Frozen):
        mailbox = TextField()
        place = TextField()
        letter = ForeignKeyField(LetterRow, on_delete="CASCADE")

        class Meta:
            table_name = "seen"
            primary_key = CompositeKey("mailbox", "place")

    class OutRow(Frozen):
        number = AutoField()
        key = TextField(unique=True)
        message_id = TextField(index=True)
        sender = TextField()
        recipient = TextField()
        data = BlobField()
        game = TextField(null=True)
        seat = TextField(null=True)
        letter = ForeignKeyField(LetterRow, null=True, on_delete="SET NULL")
        state = TextField()
        attempts = IntegerField(default=0)
        created = BigIntegerField()
        not_before = BigIntegerField()
        lease = BigIntegerField(null=True)
        settled = BigIntegerField(null=True)
        why = TextField(null=True)

        class Meta:
            table_name = "outbox"
            indexes = (
                (("state", "not_before"), False),
                (("recipient", "created"), False),
                (("game", "seat"), False),
            )

    db.create_tables([MetaRow, GameRow, ChairRow, FiledRow, EntryRow, LetterRow, SeenRow, OutRow])
