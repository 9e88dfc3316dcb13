"""Emails in the forms that packages exchange: arrived, stored, processed, to be sent, sealed, delivered.

Only values. Instants are milliseconds UTC.
"""

import re
from binascii import b2a_base64
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, Protocol

from adjudicator.clock import MINUTE, Millis
from adjudicator.model.games import AnyAct, SeatAssignment
from adjudicator.model.people import Count, Instant, SeatName
from games.protocol import Seat
from games.record import Record, Value

# Our undeliverable emails: values, and the queries about them. Instants are milliseconds UTC.


BOUNCE_WINDOW_MS: Millis = 14 * 24 * 3_600_000
"""How long an undeliverable email counts."""

MAX_HARD_BOUNCES, MAX_SOFT_BOUNCES = 3, 5
"""After this many emails within that time, rejected permanently or not, delivery is disabled."""


class SentLetter(Record, frozen=True, kw_only=True):
    """An outgoing email, by its number in the outbox: its recipient, and the seat that it is for."""

    number: int
    to: str
    game: str | None = None
    seat: Seat | None = None


class Bounce(Record, frozen=True, kw_only=True):
    """One of our undeliverable emails, by its number. hard: permanently, not only for now.

    why: the server's message. dead: delivery to this address is now disabled.
    """

    letter: int
    address: str
    hard: bool
    why: str
    dead: bool = False


class BounceRepository(Protocol):
    """The queries about undeliverable emails."""

    def sent_letter(self, sender: str) -> SentLetter | None:
        """Return the outgoing email with this envelope sender."""

    def bounces_since(self, address: str, since: Millis) -> Sequence[Bounce]:
        """Return the undeliverable emails to an address since an instant."""

    def is_disabled(self, address: str) -> bool:
        """Return whether delivery to an address is disabled."""


def has_too_many_bounces(bounces: Sequence[Bounce]) -> bool:
    """Return whether these are enough undeliverable emails to disable an address. Each email counts once."""
    hard = {bounce.letter for bounce in bounces if bounce.hard}
    soft = {bounce.letter for bounce in bounces if not bounce.hard}
    return len(hard) >= MAX_HARD_BOUNCES or len(soft - hard) >= MAX_SOFT_BOUNCES


# Text for headers of emails: it can't start another header.


_CONTROL_CHARS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def check(texts: Iterable[str]) -> None:
    """Raise ValueError if one of the texts can't be in a header."""
    for text in texts:
        # Most texts are printable, and this check takes a tenth of the time.
        if not text.isprintable() and _CONTROL_CHARS.search(text):
            raise ValueError(f"no header can hold {text[:60]!r}")


class HeaderText(str):
    """Text on one line, without line ends, NUL and other invisible characters.

    Raises ValueError for a text with such characters: the caller must remove them.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "HeaderText":
        check((text,))
        return super().__new__(cls, text)

    @classmethod
    def clean(cls, text: str) -> "HeaderText":
        """Return a text with blanks in place of all characters that can't be in a header."""
        return cls(" ".join(_CONTROL_CHARS.sub(" ", text).split()))


class Attachment(Record, frozen=True, kw_only=True):
    """A file attached to an email: its name, its type ("image/svg+xml"), its bytes."""

    name: HeaderText
    media: HeaderText
    content: bytes

    def __post_init__(self) -> None:
        for text in (self.name, self.media):
            HeaderText(text)


@lru_cache(maxsize=16)
def encode_base64(content: bytes) -> bytes:
    """Return a file as lines in base64. It is encoded once for all readers and for storing and sending."""
    encoded = b2a_base64(content, newline=False)
    return b"".join([encoded[at : at + 76] + b"\r\n" for at in range(0, len(encoded), 76)])


class LetterDraft(Record, frozen=True, kw_only=True):
    """An email to be encoded: its content and recipient, not its bytes.

    key: identifies this email forever ("demo/3/report/Iroquois"); a second one with the same key is never
    sent. game, seat: that it is about. turn: the short name for its reply token. reply_to: the address for
    replies, None: the seat's. answer_to: the Message-ID that it replies to. thread: earlier Message-IDs,
    oldest first. automatic: "auto-replied" or "auto-generated", or "no" for a post to many readers. picture,
    front, chart: PNGs shown in the HTML as ``cid:map``, ``cid:front``, ``cid:chart``. attached: further
    files. shows: further tokens that it may contain, each after its game, of seats that `to` has. leave: the
    command that stops emails of this kind, if the reader can stop them. rows: of a reply that the report of
    the turn can take in, since the turn runs at once: the verdicts on the lines of the email.

    Raises ValueError if a header would contain a character that it can't.
    """

    key: str
    to: HeaderText
    subject: HeaderText
    text: str
    html: str | None = None
    picture: bytes | None = None
    picture_name: HeaderText = HeaderText("map.png")
    front: bytes | None = None
    front_name: HeaderText = HeaderText("your-front.png")
    chart: bytes | None = None
    chart_name: HeaderText = HeaderText("chart.png")
    attached: tuple[Attachment, ...] = ()
    game: str | None = None
    seat: Seat | None = None
    turn: str | None = None
    token: str | None = None
    reply_to: HeaderText | None = None
    answer_to: HeaderText | None = None
    thread: tuple[HeaderText, ...] = ()
    automatic: HeaderText = HeaderText("auto-generated")
    shows: tuple[tuple[str, str], ...] = ()
    leave: HeaderText | None = None
    rows: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        about = (self.game, self.seat, self.turn, self.token, self.reply_to, self.answer_to, self.leave)
        named = (self.subject, self.picture_name, self.front_name, self.chart_name, self.automatic)
        check(text for text in (self.to, *named, *self.thread, *about) if text)


PENDING_PICTURE_PLACEHOLDER = b"\0undrawn\0"
"""The placeholder in an email for a picture that is drawn when it is sent: this, and the picture's name."""
PENDING_PICTURE_PREFIX = "~"
"""The prefix of such pictures' names. No SHA-256 starts like this."""


class PictureSource(Record, frozen=True, kw_only=True):
    """The SVG behind a picture. sha: the SHA-256 of the PNG. width_px: the width of the PNG.

    For a picture that isn't drawn yet, sha is its name, which begins with PENDING_PICTURE_PREFIX.
    """

    sha: str
    svg: str
    width_px: int


class OutgoingMessage(Record, frozen=True, kw_only=True):
    """An email in its final bytes, which never change.

    drawn: the drawings behind its pictures, known only when it is written.
    """

    key: str
    message_id: str
    sender: str
    to: str
    raw: bytes
    game: str | None = None
    seat: Seat | None = None
    drawn: tuple[PictureSource, ...] = ()


class Receipt(Record, frozen=True, kw_only=True):
    """The result of one attempt to deliver an email.

    outcome: "sent"; "later" (the server delayed this email: try again); "refused" (permanently); "held" (no
    connection, which isn't the email's fault); "unsure" (it was sent, but no reply came). why: the server's
    message. retry_at: the earliest time to retry.
    """

    key: str
    outcome: Literal["sent", "later", "refused", "held", "unsure"]
    why: str | None = None
    retry_at: Millis | None = None


class IncomingLetter(Record, frozen=True, kw_only=True):
    """An email from a mailbox. place: its name there. received: when the server received it."""

    mailbox: str
    place: str
    received: Millis
    raw: bytes


class StoredLetter(Record, frozen=True, kw_only=True):
    """A stored email that hasn't been processed.

    number: by arrival. tries: the number of failed attempts. game, seat: the sender's seat if the GM has
    named it. worker: the worker that claims it, if any. game without seat: it waited for a turn of this
    game. waited: the turns of games that it waited for, by their short names.
    """

    number: int
    received: Millis
    raw: bytes
    fingerprint: str
    tries: int = 0
    game: str | None = None
    seat: Seat | None = None
    worker: str | None = None
    waited: dict[str, str] = {}


class LetterOutcome(Value, frozen=True):
    """The decision about an email, before any action.

    disposition: "read", "ignored", "quarantined", HELD or POSTPONED. why: a sentence for the GM. speaker: the
    sender's address. game, seat: the sender's, if known. turn: the acts are allowed only in this turn.
    bounce: the undeliverable email that it reports, if it does. waits: the turns that it waits for, as
    `StoredLetter.waited`.
    """

    disposition: str
    why: str | None = None
    speaker: str | None = None
    game: str | None = None
    seat: Seat | None = None
    acts: tuple[AnyAct, ...] = ()
    answers: tuple[LetterDraft, ...] = ()
    bounce: Bounce | None = None
    waits: Mapping[str, str] = {}


# The dispositions of an incoming email: the possible decisions.


WAITING, HELD, DROPPED = "waiting", "held", "dropped"
POSTPONED = "postponed"
"""The email is for a coming turn and is read when that turn is due."""

DISPOSITIONS = (WAITING, "read", "ignored", "quarantined", HELD, POSTPONED, DROPPED)
"""All dispositions. The first means that there is none yet."""


# The jobs of a worker, in order. Each is notified by its name when there is work.


POLL, PROCESS, SEND = JOBS = ("poll", "process", "send")


# The time when a service was set up on its mailbox: earlier emails are not processed.


SKEW: Millis = 15 * MINUTE
"""The clock of a mail server can be this slow: an email after all others still counts as new."""


class ServiceStart(Record, frozen=True, kw_only=True):
    """The start of a service.

    first_numbers: by folder, its UIDVALIDITY and the number that its next email would get.
    """

    at: Instant
    first_numbers: dict[str, tuple[int, int]] = {}

    def first_number(self, folder: str, validity: int) -> int | None:
        """Return the number of a folder's first email after the start, or None if unknown."""
        then, first = self.first_numbers.get(folder, (None, 0))
        return first if then == validity else None

    def is_after(self, received: Millis, number: int = 0, first: int | None = None) -> bool:
        """Return whether an email arrived after the start.

        received: when the server received it. number: of the email. first: from `first_number`.
        """
        if first is None:
            return received >= self.at
        # An email that someone moves into the folder later gets a new number, but keeps its time.
        return number >= first and received >= self.at - SKEW


# Restore marks: notes about games that were restored from a backup. Their players have later emails.
#
# Between backup and restore, turns ran and reply addresses were replaced. Their tokens can be computed again,
# because the backup contains the key.


LATER_GENERATIONS = 5
"""The maximum number of token generations per seat since the backup that are accepted."""


class GenerationWindow(Record, frozen=True, kw_only=True):
    """The generations of tokens from before a restore that a seat's player may have, from `low` to `high`.

    current: the generation since the restore, above all of them. When it is replaced, the window closes.
    """

    low: Count
    high: Count
    current: Count


class RestoreMark(Record, frozen=True, kw_only=True):
    """The facts about a game's restore.

    made, restored: the times of the backup and of the restore. seats: of human players then. stopped: when
    the restore stopped the game's clock, None if it didn't.
    """

    made: Instant
    restored: Instant
    seats: dict[SeatName, GenerationWindow] = {}
    stopped: Instant | None = None

    def generations(self, assignment: SeatAssignment) -> range:
        """Return the generations of tokens from before the restore that are valid for a seat."""
        window = self.seats.get(assignment.seat)
        if window is None or window.current != assignment.generation:
            return range(0)
        return range(window.low, window.high + 1)

    def is_newer(self, assignment: SeatAssignment, generation: int) -> bool:
        """Return whether a token was issued after a change of the seat that this database doesn't know."""
        window = self.seats.get(assignment.seat)
        return window is not None and window.high - LATER_GENERATIONS < generation <= window.high


def open_window(assignment: SeatAssignment, before: RestoreMark | None) -> GenerationWindow:
    """Return a seat's window at a restore. before: the mark in the backup itself, if any."""
    known = before.generations(assignment) if before is not None else ()
    low = min(known, default=assignment.generation)
    high = assignment.generation + LATER_GENERATIONS
    return GenerationWindow(low=low, high=high, current=high + 1)
