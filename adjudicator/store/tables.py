"""The tables: columns and keys, nothing else. Instants are milliseconds UTC; documents are canonical JSON."""

from peewee import (
    AutoField,
    BigIntegerField,
    BlobField,
    BooleanField,
    CompositeKey,
    ForeignKeyField,
    IntegerField,
    Model,
    TextField,
)

# Rule 1: a change here comes with a new file in migrations/; a test compares the two.
# Rule 2: models are bound to no database; queries are run by database.Database.


class MetaRow(Model):
    """One fact about the service itself."""

    key = TextField(primary_key=True)
    value = BlobField()

    class Meta:
        table_name = "meta"


class GameRow(Model):
    """One game as it stands. turn: the short name of the present turn; state: canonical bytes."""

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


class ChairRow(Model):
    """One seat of a game; `place` keeps the order in which the game names its seats."""

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


class FiledRow(Model):
    """The orders that a seat has on file for the present turn, as one document."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = TextField()
    orders = BlobField()

    class Meta:
        table_name = "filed"
        primary_key = CompositeKey("game", "seat")


class EntryRow(Model):
    """One line of a game's log, and the state after it; canonical bytes both."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    number = IntegerField()
    entry = BlobField()
    state = BlobField()

    class Meta:
        table_name = "entry"
        primary_key = CompositeKey("game", "number")


class LetterRow(Model):
    """One letter that came in. disposition None: not yet handled; tries: how often handling it was begun."""

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


class SeenRow(Model):
    """Where in a mailbox a letter was found: what was once kept from there need not be fetched again."""

    mailbox = TextField()
    place = TextField()
    letter = ForeignKeyField(LetterRow, on_delete="CASCADE")

    class Meta:
        table_name = "seen"
        primary_key = CompositeKey("mailbox", "place")


class OutRow(Model):
    """One letter that goes out. letter: the one it answers; lease: until when a sender has it in hand."""

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


TABLES: tuple[type[Model], ...] = (
    MetaRow,
    GameRow,
    ChairRow,
    FiledRow,
    EntryRow,
    LetterRow,
    SeenRow,
    OutRow,
)
