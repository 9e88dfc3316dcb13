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

from adjudicator.model.games import SeatAssignment
from games.protocol import Seat

# Rule 1: a change here comes with a new file in migrations/; a test compares the two.
# Rule 2: models are bound to no database; queries are run by database.Database.


class DatabaseText(TextField):
    """Text as every database takes it, whoever wrote it. Looked for likewise."""

    def db_value(self, value: Any) -> Any:
        """Without NUL and without halves of characters."""
        if not isinstance(value, str) or (value.isascii() and "\0" not in value):
            return value
        return value.encode("utf-8", "replace").decode().replace("\0", "")


class MetaRow(Model):
    """One fact about the service itself."""

    key = DatabaseText(primary_key=True)
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

    name = DatabaseText(primary_key=True)
    kind = DatabaseText()
    options = DatabaseText()
    status = DatabaseText()
    entries = IntegerField()
    rev = IntegerField()
    head_sha = DatabaseText()
    state = BlobField()
    turn = DatabaseText()
    deadline = BigIntegerField(null=True)
    deadlines = DatabaseText()
    early = BooleanField()
    secret = BlobField()
    created = BigIntegerField()
    played = IntegerField(default=0)
    by_hand = IntegerField(default=0)
    forced = DatabaseText(default="{}")
    pepper = BlobField(null=True)
    founder = DatabaseText(null=True)
    look_at = BigIntegerField(default=0)
    lease = BigIntegerField(null=True)
    worker = DatabaseText(null=True, index=True)
    proven = DatabaseText(null=True)

    class Meta:
        table_name = "game"
        indexes = ((("status", "look_at", "deadline"), False),)


class StuckRow(Model):
    """A game that cannot go on: one document. Nothing stands here of others."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = DatabaseText()

    class Meta:
        table_name = "stuck"


class ChairRow(Model):
    """One seat of a game; `place` keeps the order in which the game names its seats."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    place = IntegerField()
    address = DatabaseText(null=True, index=True)
    bot = DatabaseText(null=True)
    generation = IntegerField()
    password = DatabaseText(null=True)
    wait = BooleanField()
    ready = BooleanField()
    missed = IntegerField()
    trouble = DatabaseText(null=True, index=True)
    temper = DatabaseText(null=True)

    class Meta:
        table_name = "chair"
        primary_key = CompositeKey("game", "seat")


class FiledRow(Model):
    """The orders that a seat has on file for the present turn, as one document."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
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
    fingerprint = DatabaseText(unique=True)
    received = BigIntegerField()
    data = BlobField()
    tries = IntegerField(default=0)
    disposition = DatabaseText(null=True, index=True)
    why = DatabaseText(null=True)
    speaker = DatabaseText(null=True)
    game = DatabaseText(null=True)
    seat = DatabaseText(null=True)
    handled = BigIntegerField(null=True)
    sender = DatabaseText(default="")
    lease = BigIntegerField(null=True)
    worker = DatabaseText(null=True, index=True)

    class Meta:
        table_name = "letter"
        indexes = (
            (("speaker", "handled"), False),
            (("disposition", "received", "number"), False),
        )


class SeenRow(Model):
    """Where in a mailbox a letter was found: what was once kept from there need not be fetched again."""

    mailbox = DatabaseText()
    place = DatabaseText()
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
    key = DatabaseText(unique=True)
    message_id = DatabaseText(index=True)
    sender = DatabaseText(index=True)
    recipient = DatabaseText()
    data = BlobField()
    game = DatabaseText(null=True)
    seat = DatabaseText(null=True)
    letter = ForeignKeyField(LetterRow, null=True, on_delete="SET NULL")
    state = DatabaseText()
    attempts = IntegerField(default=0)
    created = BigIntegerField()
    not_before = BigIntegerField()
    lease = BigIntegerField(null=True)
    settled = BigIntegerField(null=True)
    why = DatabaseText(null=True)
    copied = BooleanField(default=False)
    worker = DatabaseText(null=True)

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

    sha = DatabaseText(primary_key=True)
    data = BlobField()
    drawing = BlobField(null=True)
    base = DatabaseText(null=True)

    class Meta:
        table_name = "part"


class EnclosedRow(Model):
    """Which letter of ours has which file."""

    letter = ForeignKeyField(OutRow, on_delete="CASCADE")
    sha = DatabaseText(index=True)

    class Meta:
        table_name = "enclosed"
        primary_key = CompositeKey("letter", "sha")


# People, their wishes and their press.


class PersonRow(Model):
    """Somebody who told who he is."""

    address = DatabaseText(primary_key=True)
    name = DatabaseText(null=True)
    zone = DatabaseText(null=True)
    public = BooleanField(default=False)

    class Meta:
        table_name = "person"


class CustomsRow(Model):
    """The policy of a running game."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = DatabaseText()

    class Meta:
        table_name = "customs"


class OfferRow(Model):
    """A game that waits for people; once it begins, it stands among the games instead. look_at: as games."""

    name = DatabaseText(primary_key=True)
    document = DatabaseText()
    created = BigIntegerField()
    look_at = BigIntegerField(default=0, index=True)

    class Meta:
        table_name = "offer"


class SignupRow(Model):
    """Somebody who wants to play in a game that waits for people, or runs."""

    game = DatabaseText()
    address = DatabaseText()
    wishes = DatabaseText()
    since = BigIntegerField()

    class Meta:
        table_name = "signup"
        primary_key = CompositeKey("game", "address")


class WatcherRow(Model):
    """Somebody who watches a game."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    address = DatabaseText()

    class Meta:
        table_name = "watcher"
        primary_key = CompositeKey("game", "address")


class VacancyRow(Model):
    """A seat of a game that anybody may take."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    since = BigIntegerField()

    class Meta:
        table_name = "vacancy"
        primary_key = CompositeKey("game", "seat")


class VoteRow(Model):
    """The consent of a seat to an end of the game, said in a turn: in the next one it is void."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    turn = DatabaseText()
    motion = DatabaseText()
    goal = DatabaseText(null=True)

    class Meta:
        table_name = "vote"
        primary_key = CompositeKey("game", "seat")


class AbsenceRow(Model):
    """A time in which a player cannot write."""

    number = AutoField()
    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    first = BigIntegerField()
    last = BigIntegerField()

    class Meta:
        table_name = "absence"


class PressRow(Model):
    """A message from one player to others. seat None: the GM; hearers None: all."""

    number = AutoField()
    key = DatabaseText(unique=True)
    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    turn = DatabaseText()
    seat = DatabaseText(null=True)
    kind = DatabaseText()
    hearers = DatabaseText(null=True)
    text = DatabaseText()
    written = BigIntegerField()

    class Meta:
        table_name = "press"


class GuessRow(Model):
    """The failed guesses at a seat's password. No row: none."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    lock = DatabaseText()
    misses = IntegerField()
    rests = IntegerField()
    until = BigIntegerField()
    at = BigIntegerField()

    class Meta:
        table_name = "guess"
        primary_key = CompositeKey("game", "seat")


class RequestRow(Model):
    """A request that waits for an answer to a letter of ours, which names the request by its mark."""

    address = DatabaseText()
    mark = DatabaseText()
    lines = DatabaseText()
    asked = BigIntegerField()

    class Meta:
        table_name = "request"
        primary_key = CompositeKey("address", "mark")


class ChoiceRow(Model):
    """The letters that a seat's player has chosen. untold: the first log entry not yet reported."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    address = DatabaseText()
    detail = DatabaseText(null=True)
    reasons = DatabaseText(null=True)
    every = DatabaseText(null=True)
    untold = IntegerField(null=True)
    maps = DatabaseText(null=True)
    sheets = DatabaseText(null=True)

    class Meta:
        table_name = "choice"
        primary_key = CompositeKey("game", "seat", "address")


class DigestRow(Model):
    """A subscription to a digest of all one's games, when it was last checked, and the next check."""

    address = DatabaseText(primary_key=True)
    digest = DatabaseText()
    seen = BigIntegerField()
    look_at = BigIntegerField(default=0, index=True)

    class Meta:
        table_name = "digest"


# The clocks of games, and the minutes of changes to games.


class ClockRow(Model):
    """The clock of a game: one document. A game without one is in a turn like any other."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = DatabaseText()

    class Meta:
        table_name = "clock"


class MinuteRow(Model):
    """One thing done to a game beside its turns. It outlives the game."""

    number = AutoField()
    game = DatabaseText(index=True)
    at = BigIntegerField()
    by = DatabaseText()
    what = DatabaseText()
    why = DatabaseText()

    class Meta:
        table_name = "minute"


class WorkerRow(Model):
    """A process that works on these books. done: what it has done, as a document. In no backup."""

    number = AutoField()
    name = DatabaseText(unique=True)
    host = DatabaseText()
    pid = IntegerField()
    jobs = DatabaseText()
    began = BigIntegerField()
    seen = BigIntegerField()
    done = DatabaseText(default="{}")

    class Meta:
        table_name = "worker"


class GoneRow(Model):
    """A letter that went to a domain for which there is a rate, as far back as that reaches. In no backup."""

    number = AutoField()
    domain = DatabaseText()
    at = BigIntegerField(index=True)

    class Meta:
        table_name = "gone"
        indexes = ((("domain", "at"), False),)


CORE_TABLES: tuple[type[Model], ...] = (
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


# Seat assignments as rows and as values.


def assignment_of(row: Any) -> SeatAssignment:
    """A row of the chairs as the value that the offices know."""
    return SeatAssignment(
        seat=Seat(row.seat),
        address=row.address,
        bot=row.bot,
        temper=row.temper,
        generation=row.generation,
        password=row.password,
        wait=row.wait,
        ready=row.ready,
        missed=row.missed,
        trouble=row.trouble,
    )


def columns_of(assignment: SeatAssignment) -> dict[str, Any]:
    """The columns of a chair, but for its game and its place."""
    return {name: getattr(assignment, name) for name in assignment.__struct_fields__}
