"""The tables: only columns and keys. Instants are milliseconds UTC. Documents are canonical JSON."""

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
    """Text that every database accepts, from any source. Search values are converted in the same way."""

    def db_value(self, value: Any) -> Any:
        """Return text without NUL and without halves of surrogate pairs."""
        if not isinstance(value, str) or (value.isascii() and "\0" not in value):
            return value
        return value.encode("utf-8", "replace").decode().replace("\0", "")


class MetaRow(Model):
    """A fact about the service, for example its secret key."""

    key = DatabaseText(primary_key=True)
    value = BlobField()

    class Meta:
        table_name = "meta"


class GameRow(Model):
    """The current state of a game. turn: the short name of its turn. state: canonical bytes.

    played: the number of counted turns. by_hand: the number of entries that the dice skip. forced: results
    set by the GM, by label. pepper: the source of its log's salts. founder: the player's address if it was
    begun by email. proven: the rules version that last verified its log. look_at: the next check
    (`due_games`). lease, worker: the current claim. editions: as in `GamePosition`.
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
    editions = DatabaseText(null=True)

    class Meta:
        table_name = "game"
        indexes = ((("status", "look_at", "deadline"), False),)


class StuckRow(Model):
    """A suspended game: one document. Other games have no row."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = DatabaseText()

    class Meta:
        table_name = "stuck"


class ChairRow(Model):
    """One seat of a game. `place` keeps the game's order of seats."""

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
    """A seat's saved orders for the current turn, as one document."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    orders = BlobField()

    class Meta:
        table_name = "filed"
        primary_key = CompositeKey("game", "seat")


class EntryRow(Model):
    """One log entry, and the state after it; both as canonical bytes."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    number = IntegerField()
    entry = BlobField()
    state = BlobField()

    class Meta:
        table_name = "entry"
        primary_key = CompositeKey("game", "number")


class EditionRow(Model):
    """An edition of its variant that a game is played by, since an entry of its log.

    sha: the digest of what decides in it. files: their texts by path, as compressed canonical JSON.
    """

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    since = IntegerField()
    sha = DatabaseText()
    files = BlobField()

    class Meta:
        table_name = "edition"
        primary_key = CompositeKey("game", "since")


class LetterRow(Model):
    """An incoming email. disposition None: not processed yet. tries: the number of attempts.

    sender: the claimed sender. lease, worker: the current claim while it waits.
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
    """The place of an email in a mailbox, so that it isn't fetched again."""

    mailbox = DatabaseText()
    place = DatabaseText()
    letter = ForeignKeyField(LetterRow, on_delete="CASCADE")

    class Meta:
        table_name = "seen"
        primary_key = CompositeKey("mailbox", "place")


class OutRow(Model):
    """An outgoing email.

    data: its bytes as `attachments` stores them. letter: the email that it replies to. lease, worker: the
    current claim. copied: whether its last attempt included a copy to ourselves.
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
    """A file in outgoing emails, by its SHA-256. `attachments` defines the form of its columns.

    data: the file. drawing: a picture's drawing, as a difference from the drawing of `base`. If data is
    empty, only the drawing is stored.
    """

    sha = DatabaseText(primary_key=True)
    data = BlobField()
    drawing = BlobField(null=True)
    base = DatabaseText(null=True)

    class Meta:
        table_name = "part"


class EnclosedRow(Model):
    """A file in an outgoing email."""

    letter = ForeignKeyField(OutRow, on_delete="CASCADE")
    sha = DatabaseText(index=True)

    class Meta:
        table_name = "enclosed"
        primary_key = CompositeKey("letter", "sha")


# People, their settings and their press.


class PersonRow(Model):
    """The name and settings of a person."""

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
    """A game that is open for players. When it begins, it moves to GameRow. look_at: as there."""

    name = DatabaseText(primary_key=True)
    document = DatabaseText()
    created = BigIntegerField()
    look_at = BigIntegerField(default=0, index=True)

    class Meta:
        table_name = "offer"


class SignupRow(Model):
    """A player's sign-up for an open or running game."""

    game = DatabaseText()
    address = DatabaseText()
    wishes = DatabaseText()
    since = BigIntegerField()

    class Meta:
        table_name = "signup"
        primary_key = CompositeKey("game", "address")


class WatcherRow(Model):
    """An observer of a game."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    address = DatabaseText()

    class Meta:
        table_name = "watcher"
        primary_key = CompositeKey("game", "address")


class VacancyRow(Model):
    """An open seat of a game."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    since = BigIntegerField()

    class Meta:
        table_name = "vacancy"
        primary_key = CompositeKey("game", "seat")


class VoteRow(Model):
    """A seat's vote for an end of the game in one turn. It expires with the turn."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    turn = DatabaseText()
    motion = DatabaseText()
    goal = DatabaseText(null=True)

    class Meta:
        table_name = "vote"
        primary_key = CompositeKey("game", "seat")


class AbsenceRow(Model):
    """A time when a player is away."""

    number = AutoField()
    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    first = BigIntegerField()
    last = BigIntegerField()

    class Meta:
        table_name = "absence"


class PressRow(Model):
    """A message from one player to others. seat None: the GM. hearers None: everyone."""

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
    """The failed guesses at a seat's password. A seat without a row has none."""

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
    """A request that waits for a reply to our email. The email names the request by its mark."""

    address = DatabaseText()
    mark = DatabaseText()
    lines = DatabaseText()
    asked = BigIntegerField()

    class Meta:
        table_name = "request"
        primary_key = CompositeKey("address", "mark")


class ChoiceRow(Model):
    """The chosen form of a player's emails. untold: the first log entry not reported yet."""

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
    """A subscription to a digest of all the player's games, with its last and next check."""

    address = DatabaseText(primary_key=True)
    digest = DatabaseText()
    seen = BigIntegerField()
    look_at = BigIntegerField(default=0, index=True)

    class Meta:
        table_name = "digest"


# The clocks of games, and the minutes of changes to games.


class ClockRow(Model):
    """The clock of a game: one document. A game without one has default timing."""

    game = ForeignKeyField(GameRow, primary_key=True, on_delete="CASCADE")
    document = DatabaseText()

    class Meta:
        table_name = "clock"


class MinuteRow(Model):
    """An action on a game outside its turns. It outlives the game."""

    number = AutoField()
    game = DatabaseText(index=True)
    at = BigIntegerField()
    by = DatabaseText()
    what = DatabaseText()
    why = DatabaseText()

    class Meta:
        table_name = "minute"


class WorkerRow(Model):
    """A process that works on this database. done: its counters, as a document. Not in backups."""

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
    """An email to a domain with a rate limit, for as long as the limit counts it. Not in backups."""

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
    EditionRow,
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
"""The tables about the present only, which are not in backups."""


# Seat assignments as rows and as values.


def assignment_of(row: Any) -> SeatAssignment:
    """Return a row of the seats as a value."""
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
    """Return the columns of a seat except its game and its place."""
    return {name: getattr(assignment, name) for name in assignment.__struct_fields__}
