"""The tables: columns and keys, nothing else. Instants are milliseconds UTC; documents are canonical JSON."""

from typing import Any

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


class Text(TextField):
    """Text as every database takes it, whoever wrote it. Looked for likewise."""

    def db_value(self, value: Any) -> Any:
        """Without NUL and without halves of characters."""
        if not isinstance(value, str) or (value.isascii() and "\0" not in value):
            return value
        return value.encode("utf-8", "replace").decode().replace("\0", "")


class MetaRow(Model):
    """One fact about the service itself."""

    key = Text(primary_key=True)
    value = BlobField()

    class Meta:
        table_name = "meta"


class GameRow(Model):
    """One game as it stands. turn: the short name of the present turn; state: canonical bytes.

    played: how many turns that count were played; by_hand: how many entries the dice leave out; forced: dice
    that were set by hand, by label; pepper: from which the salts of its log are made; founder: the address of
    the player who began it by mail; proven: by what its log was last found to lead to its state. look_at:
    when it is looked at next (`ledger.looks`); lease, worker: until when it is in whose hands.
    """

    name = Text(primary_key=True)
    kind = Text()
    options = Text()
    status = Text()
    entries = IntegerField()
    rev = IntegerField()
    head_sha = Text()
    state = BlobField()
    turn = Text()
    deadline = BigIntegerField(null=True)
    deadlines = Text()
    early = BooleanField()
    secret = BlobField()
    created = BigIntegerField()
    played = IntegerField(default=0)
    by_hand = IntegerField(default=0)
    forced = Text(default="{}")
    pepper = BlobField(null=True)
    founder = Text(null=True)
    look_at = BigIntegerField(default=0)
    lease = BigIntegerField(null=True)
    worker = Text(null=True, index=True)
    proven = Text(null=True)

    class Meta:
        table_name = "game"
        indexes = ((("status", "look_at", "deadline"), False),)


class StuckRow(Model):
    """A game that cannot go on: one document. Nothing stands here of others."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = Text()

    class Meta:
        table_name = "stuck"


class ChairRow(Model):
    """One seat of a game; `place` keeps the order in which the game names its seats."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    place = IntegerField()
    address = Text(null=True, index=True)
    bot = Text(null=True)
    generation = IntegerField()
    password = Text(null=True)
    wait = BooleanField()
    ready = BooleanField()
    missed = IntegerField()
    trouble = Text(null=True, index=True)
    temper = Text(null=True)

    class Meta:
        table_name = "chair"
        primary_key = CompositeKey("game", "seat")


class FiledRow(Model):
    """The orders that a seat has on file for the present turn, as one document."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
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
    """One letter that came in. disposition None: not yet handled; tries: how often handling it was begun.

    sender: who it says it is from; lease, worker: until when it is in whose hands, while it waits.
    """

    number = AutoField()
    fingerprint = Text(unique=True)
    received = BigIntegerField()
    data = BlobField()
    tries = IntegerField(default=0)
    disposition = Text(null=True, index=True)
    why = Text(null=True)
    speaker = Text(null=True)
    game = Text(null=True)
    seat = Text(null=True)
    handled = BigIntegerField(null=True)
    sender = Text(default="")
    lease = BigIntegerField(null=True)
    worker = Text(null=True, index=True)

    class Meta:
        table_name = "letter"
        indexes = (
            (("speaker", "handled"), False),
            (("disposition", "received", "number"), False),
        )


class SeenRow(Model):
    """Where in a mailbox a letter was found: what was once kept from there need not be fetched again."""

    mailbox = Text()
    place = Text()
    letter = ForeignKeyField(LetterRow, on_delete="CASCADE")

    class Meta:
        table_name = "seen"
        primary_key = CompositeKey("mailbox", "place")


class OutRow(Model):
    """One letter that goes out. data: its bytes, as `parts` keeps them; letter: the one it answers; lease,
    worker: until when who has it in hand; copied: whether a copy to ourselves went with it when it was last
    on the wire.
    """

    number = AutoField()
    key = Text(unique=True)
    message_id = Text(index=True)
    sender = Text(index=True)
    recipient = Text()
    data = BlobField()
    game = Text(null=True)
    seat = Text(null=True)
    letter = ForeignKeyField(LetterRow, null=True, on_delete="SET NULL")
    state = Text()
    attempts = IntegerField(default=0)
    created = BigIntegerField()
    not_before = BigIntegerField()
    lease = BigIntegerField(null=True)
    settled = BigIntegerField(null=True)
    why = Text(null=True)
    copied = BooleanField(default=False)
    worker = Text(null=True)

    class Meta:
        table_name = "outbox"
        indexes = (
            (("state", "not_before"), False),
            (("state", "number"), False),
            (("recipient", "created"), False),
            (("game", "seat"), False),
        )


class PartRow(Model):
    """A file that goes with letters of ours, by the SHA-256 of what it holds; data as `parts` keeps it.

    drawing: of a picture what it was drawn from, as `drawings` keeps it, by what it differs from that of
    `base`; where data is empty, it is all that is kept.
    """

    sha = Text(primary_key=True)
    data = BlobField()
    drawing = BlobField(null=True)
    base = Text(null=True)

    class Meta:
        table_name = "part"


class EnclosedRow(Model):
    """Which letter of ours has which file."""

    letter = ForeignKeyField(OutRow, on_delete="CASCADE")
    sha = Text(index=True)

    class Meta:
        table_name = "enclosed"
        primary_key = CompositeKey("letter", "sha")


# People, what they wish and what they say to each other.


class PersonRow(Model):
    """Somebody who told who he is."""

    address = Text(primary_key=True)
    name = Text(null=True)
    zone = Text(null=True)
    public = BooleanField(default=False)

    class Meta:
        table_name = "person"


class CustomsRow(Model):
    """How people live together in a game that runs."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = Text()

    class Meta:
        table_name = "customs"


class OfferRow(Model):
    """A game that waits for people; once it begins, it stands among the games instead. look_at: as games."""

    name = Text(primary_key=True)
    document = Text()
    created = BigIntegerField()
    look_at = BigIntegerField(default=0, index=True)

    class Meta:
        table_name = "offer"


class SignupRow(Model):
    """Somebody who wants to play in a game that waits for people, or runs."""

    game = Text()
    address = Text()
    wishes = Text()
    since = BigIntegerField()

    class Meta:
        table_name = "signup"
        primary_key = CompositeKey("game", "address")


class WatcherRow(Model):
    """Somebody who watches a game."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    address = Text()

    class Meta:
        table_name = "watcher"
        primary_key = CompositeKey("game", "address")


class VacancyRow(Model):
    """A seat of a game that anybody may take."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    since = BigIntegerField()

    class Meta:
        table_name = "vacancy"
        primary_key = CompositeKey("game", "seat")


class VoteRow(Model):
    """What a seat agrees to, said in a turn: in the next one it is void."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    turn = Text()
    motion = Text()
    goal = Text(null=True)

    class Meta:
        table_name = "vote"
        primary_key = CompositeKey("game", "seat")


class AbsenceRow(Model):
    """A time in which a player cannot write."""

    number = AutoField()
    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    first = BigIntegerField()
    last = BigIntegerField()

    class Meta:
        table_name = "absence"


class PressRow(Model):
    """What somebody wrote to others. seat None: the gamesmaster; hearers None: all."""

    number = AutoField()
    key = Text(unique=True)
    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    turn = Text()
    seat = Text(null=True)
    kind = Text()
    hearers = Text(null=True)
    text = Text()
    written = BigIntegerField()

    class Meta:
        table_name = "press"


class GuessRow(Model):
    """What was tried at a seat's password without fitting. No row: nothing."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    lock = Text()
    misses = IntegerField()
    rests = IntegerField()
    until = BigIntegerField()
    at = BigIntegerField()

    class Meta:
        table_name = "guess"
        primary_key = CompositeKey("game", "seat")


class RequestRow(Model):
    """What somebody asked for that waits for his answer to a letter of ours, which names it by its mark."""

    address = Text()
    mark = Text()
    lines = Text()
    asked = BigIntegerField()

    class Meta:
        table_name = "request"
        primary_key = CompositeKey("address", "mark")


class ChoiceRow(Model):
    """What letters the player of a seat has chosen. untold: the first entry of the log he was not told of."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = Text()
    address = Text()
    detail = Text(null=True)
    reasons = Text(null=True)
    every = Text(null=True)
    untold = IntegerField(null=True)
    maps = Text(null=True)
    sheets = Text(null=True)

    class Meta:
        table_name = "choice"
        primary_key = CompositeKey("game", "seat", "address")


class DigestRow(Model):
    """How often somebody gets one letter about all his games, when it was last looked, and is looked next."""

    address = Text(primary_key=True)
    digest = Text()
    seen = BigIntegerField()
    look_at = BigIntegerField(default=0, index=True)

    class Meta:
        table_name = "digest"


# Time: how the clocks of games stand, and what was done to games.


class ClockRow(Model):
    """How the clock of a game stands: one document. A game without one is in a turn like any other."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = Text()

    class Meta:
        table_name = "clock"


class MinuteRow(Model):
    """One thing done to a game beside its turns. It outlives the game."""

    number = AutoField()
    game = Text(index=True)
    at = BigIntegerField()
    by = Text()
    what = Text()
    why = Text()

    class Meta:
        table_name = "minute"


class WorkerRow(Model):
    """A process that works on these books. done: what it has done, as a document. In no backup."""

    number = AutoField()
    name = Text(unique=True)
    host = Text()
    pid = IntegerField()
    jobs = Text()
    began = BigIntegerField()
    seen = BigIntegerField()
    done = Text(default="{}")

    class Meta:
        table_name = "worker"


class GoneRow(Model):
    """A letter that went to a domain for which there is a rate, as far back as that reaches. In no backup."""

    number = AutoField()
    domain = Text()
    at = BigIntegerField(index=True)

    class Meta:
        table_name = "gone"
        indexes = ((("domain", "at"), False),)


TABLES: tuple[type[Model], ...] = (
    MetaRow,
    GameRow,
    ChairRow,
    FiledRow,
    EntryRow,
    LetterRow,
    SeenRow,
    OutRow,
    PartRow,
    EnclosedRow,
    PersonRow,
    CustomsRow,
    OfferRow,
    SignupRow,
    WatcherRow,
    VacancyRow,
    VoteRow,
    AbsenceRow,
    PressRow,
    GuessRow,
    RequestRow,
    ChoiceRow,
    DigestRow,
    ClockRow,
    MinuteRow,
    StuckRow,
)

PASSING: tuple[type[Model], ...] = (WorkerRow, GoneRow)
"""What is true of the present alone, and stands in no backup."""
