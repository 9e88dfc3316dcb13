"""Letters as the offices hand them on: arrived, kept, handled, to be sent, sealed, delivered. Values only.

Instants are milliseconds UTC.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

from adjudicator.clock import MINUTE, Millis
from adjudicator.model.games import AnyAct, SeatAssignment
from adjudicator.model.people import Count, Instant, SeatName
from games.protocol import Seat
from games.record import Record, Value

# Letters of ours that bounce: values, and the queries about them. Instants are milliseconds UTC.


BOUNCE_WINDOW_MS: Millis = 14 * 24 * 3_600_000
"""So long it counts that a letter came back."""

MAX_HARD_BOUNCES, MAX_SOFT_BOUNCES = 3, 5
"""So many letters within that time, refused for good or for now only, and an address is given up."""


class SentLetter(Record, frozen=True, kw_only=True):
    """A letter of ours, by its number in the outbox: to whom it went, and on behalf of which seat."""

    number: int
    to: str
    game: str | None = None
    seat: Seat | None = None


class Bounce(Record, frozen=True, kw_only=True):
    """A letter of ours, by its number, that came back. hard: for good, and not only for now.

    why: what the server said; dead: nothing more is sent to that address.
    """

    letter: int
    address: str
    hard: bool
    why: str
    dead: bool = False


class BounceRepository(Protocol):
    """The read side of the database about what came back."""

    def sent_letter(self, sender: str) -> SentLetter | None:
        """The letter that comes back to that address, envelope sender of it alone."""

    def bounces_since(self, address: str, since: Millis) -> Sequence[Bounce]:
        """The letters that came back from an address since an instant, one entry each."""

    def is_disabled(self, address: str) -> bool:
        """Return whether delivery to an address is disabled: nothing is sent there any more."""


def has_too_many_bounces(bounces: Sequence[Bounce]) -> bool:
    """Return whether so many letters to one address bounced, each counted once, that it is disabled."""
    hard = {bounce.letter for bounce in bounces if bounce.hard}
    soft = {bounce.letter for bounce in bounces if not bounce.hard}
    return len(hard) >= MAX_HARD_BOUNCES or len(soft - hard) >= MAX_SOFT_BOUNCES


# Text for the headers of letters: it cannot begin another header.


_CONTROL_CHARS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def check(texts: Iterable[str]) -> None:
    """Raises ValueError for one of some texts that no header can hold."""
    for text in texts:
        # Nearly all can be printed, and that is found out in a tenth of the time.
        if not text.isprintable() and _CONTROL_CHARS.search(text):
            raise ValueError(f"no header can hold {text[:60]!r}")


class HeaderText(str):
    """Text of one row: no line ends, no NUL, nothing else that is not to be seen.

    Raises ValueError for what would not be: whoever made it has to know better.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "HeaderText":
        check((text,))
        return super().__new__(cls, text)

    @classmethod
    def clean(cls, text: str) -> "HeaderText":
        """Return a text with a blank for everything that no header can hold."""
        return cls(" ".join(_CONTROL_CHARS.sub(" ", text).split()))


class Attachment(Record, frozen=True, kw_only=True):
    """A file that goes with a letter: its name, what it is ("image/svg+xml"), its bytes."""

    name: HeaderText
    media: HeaderText
    content: bytes

    def __post_init__(self) -> None:
        for text in (self.name, self.media):
            HeaderText(text)


class LetterDraft(Record, frozen=True, kw_only=True):
    """A letter to be encoded: its content and recipient, not yet its bytes.

    key: names this letter for ever ("demo/3/report/Iroquois"): a second one with the same key is never sent.
    game, seat: on whose behalf it answers or tells; turn: the short name that its reply token is for.
    reply_to: where answers go, None: where the seat's token says; answer_to: Message-ID answered; thread:
    Message-IDs before it, oldest first; automatic: "auto-replied" or "auto-generated", or "no" for a post to
    many. picture, front, chart: PNGs shown inline in the HTML as ``cid:map``, ``cid:front``, ``cid:chart``;
    attached: files beside it. shows: further tokens that may stand in it, each behind its game, of seats that
    `to` holds. leave: the command that ends letters of this sort, if their reader need not have them.

    Raises ValueError if something would stand in a header that no header can hold.
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

    def __post_init__(self) -> None:
        about = (self.game, self.seat, self.turn, self.token, self.reply_to, self.answer_to, self.leave)
        named = (self.subject, self.picture_name, self.front_name, self.chart_name, self.automatic)
        check(text for text in (self.to, *named, *self.thread, *about) if text)


PENDING_PICTURE_PLACEHOLDER = b"\0undrawn\0"
"""What stands in a letter for a picture that is drawn when the letter goes: this, and its name."""
PENDING_PICTURE_PREFIX = "~"
"""Names of such pictures begin so, and no SHA-256."""


class PictureSource(Record, frozen=True, kw_only=True):
    """The SVG that a picture was drawn from. sha: the SHA-256 of the PNG; width_px: the width of the PNG.

    sha of a picture that is still to be drawn: its name, which begins with PENDING_PICTURE_PREFIX.
    """

    sha: str
    svg: str
    width_px: int


class OutgoingMessage(Record, frozen=True, kw_only=True):
    """A letter in its final bytes: once written, sent as it is, as often as it takes.

    drawn: what pictures in it were drawn from; known when it is written, and not afterwards.
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
    """The result of one attempt to deliver a letter.

    outcome: "sent"; "later" (this letter was put off: try again); "refused" (for good); "held" (nobody
    would talk to us at all, no fault of the letter's); "unsure" (its bytes went out, and no answer came).
    why: what the other side said; retry_at: not before then.
    """

    key: str
    outcome: Literal["sent", "later", "refused", "held", "unsure"]
    why: str | None = None
    retry_at: Millis | None = None


class IncomingLetter(Record, frozen=True, kw_only=True):
    """A letter as a mailbox hands it over. place: its name there; received: when the server took it."""

    mailbox: str
    place: str
    received: Millis
    raw: bytes


class StoredLetter(Record, frozen=True, kw_only=True):
    """A letter in the inbox: kept, and not yet handled.

    number: its place in the order of arrival; tries: how often handling it was begun, and came to nothing;
    game, seat: for whom it speaks by the GM's word, who gave it back to be read; worker: in whose
    hands it is, None: nobody asks. game alone: it was kept for a turn of that game; waited: for which turns
    of which games, by their short names.
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
    """The decision about a letter: nothing is done yet.

    disposition: "read", "ignored", "quarantined", `dispositions.FAILED_CHECK_INTERVAL_MS` or `POSTPONED`;
    why: a sentence for the GM; speaker: who wrote, an address; game, seat: for whom it spoke,
    where that is known; turn: under which acts may be done; bounce: which letter of ours came back, where
    it tells of one; waits: for which turns it is kept, as `StoredLetter.waited`.
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


# The dispositions of an incoming letter: every decision that can be made about it.


WAITING, HELD, DROPPED = "waiting", "held", "dropped"
POSTPONED = "postponed"
"""It is for a turn to come, and read when that is due."""

DISPOSITIONS = (WAITING, "read", "ignored", "quarantined", HELD, POSTPONED, DROPPED)
"""All that can be; the first of them: nothing yet."""


# The jobs of a worker, in order. Each is notified by its name when there is something to do.


POLL, PROCESS, SEND = JOBS = ("poll", "process", "send")


# When a service was set up on its mailbox: emails that arrived before are left alone.


SKEW: Millis = 15 * MINUTE
"""The clock of a mail server may be slow by so much: what came after all others counts as new then."""


class ServiceStart(Record, frozen=True, kw_only=True):
    """The start of a service.

    first_numbers: by the name of a folder what its numbers are valid for, and the number that the next email
    in it was to get.
    """

    at: Instant
    first_numbers: dict[str, tuple[int, int]] = {}

    def first_number(self, folder: str, validity: int) -> int | None:
        """The number of the first email in a folder that came afterwards; None if that cannot be told."""
        then, first = self.first_numbers.get(folder, (None, 0))
        return first if then == validity else None

    def is_after(self, received: Millis, number: int = 0, first: int | None = None) -> bool:
        """Return whether an email came afterwards.

        received: when the server took it; number: of the email, first: as `first_number` says.
        """
        if first is None:
            return received >= self.at
        # What a person moves into the folder later gets a new number, and keeps its time.
        return number >= first and received >= self.at - SKEW


# Marks of games that were restored from a backup, whose players hold later emails.
#
# Between the backup and the restore turns were played and reply addresses replaced. Their tokens can be
# computed again, since the key is in the backup.


LATER_GENERATIONS = 5
"""Reply addresses of a seat that may have been replaced since the backup: so many generations are known."""


class GenerationWindow(Record, frozen=True, kw_only=True):
    """Generations of tokens that a seat's player may hold from before the restore, from `low` to `high`.

    current: the generation since the restore, above all of them. When it is replaced, the window is closed.
    """

    low: Count
    high: Count
    current: Count


class RestoreMark(Record, frozen=True, kw_only=True):
    """The facts noted about a game when it was restored.

    made, restored: when the backup was made, and when it was put back; seats: those that a person held
    then; stopped: when the restore stopped the game's clock, None if it did not.
    """

    made: Instant
    restored: Instant
    seats: dict[SeatName, GenerationWindow] = {}
    stopped: Instant | None = None

    def generations(self, assignment: SeatAssignment) -> range:
        """Return the generations of tokens from before the restore that are good for a seat."""
        window = self.seats.get(assignment.seat)
        if window is None or window.current != assignment.generation:
            return range(0)
        return range(window.low, window.high + 1)

    def is_newer(self, assignment: SeatAssignment, generation: int) -> bool:
        """Return whether a token was issued after a change of the seat that this database doesn't know."""
        window = self.seats.get(assignment.seat)
        return window is not None and window.high - LATER_GENERATIONS < generation <= window.high


def open_window(assignment: SeatAssignment, before: RestoreMark | None) -> GenerationWindow:
    """Return the window of a seat at a restore. before: the mark that the backup itself holds, if any."""
    low = min(_known_generations(assignment, before), default=assignment.generation)
    high = assignment.generation + LATER_GENERATIONS
    return GenerationWindow(low=low, high=high, current=high + 1)


def _known_generations(assignment: SeatAssignment, before: RestoreMark | None) -> Iterable[int]:
    return before.generations(assignment) if before is not None else ()
