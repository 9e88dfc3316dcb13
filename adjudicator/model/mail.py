"""Letters as the offices hand them on: arrived, kept, handled, to be sent, sealed, delivered. Values only.

Instants are milliseconds UTC.
"""

from collections.abc import Mapping
from typing import Literal

from adjudicator.clock import Millis
from adjudicator.model.game_acts import AnyAct
from adjudicator.model.headers import HeaderText, check
from adjudicator.model.returns import Bounce
from games.protocol import Seat
from games.record import Record, Value


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
    game, seat: for whom it speaks by the gamesmaster's word, who gave it back to be read; worker: in whose
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
    why: a sentence for the gamesmaster; speaker: who wrote, an address; game, seat: for whom it spoke,
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
