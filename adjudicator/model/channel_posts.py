"""Posts: public news as one document, and the outbox's names for channels."""

import re
from typing import Literal

from games.record import Record

PostReason = Literal["due", "played", "begun", "ended", "wanted", "press", "alert"]
"""The kinds of news: a turn due soon or processed, a game begun or ended, open seats, press to everyone, and
that email doesn't work."""

JSON_MEDIA_TYPE = "application/json"
DOCUMENT = "post.json"
"""The name of a post's document in the outbox."""

_CHANNEL_PREFIX = "channel:"
_CHANNEL_NAME_RE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class PostedTurn(Record, frozen=True, kw_only=True):
    """A turn: its short and its full name."""

    short: str
    name: str


class PostedLine(Record, frozen=True, kw_only=True):
    """One sentence. failed: whether it describes an order that failed."""

    text: str
    failed: bool = False


class PostedPassage(Record, frozen=True, kw_only=True):
    """Sentences under a heading. In most games: one power's orders with their results and the reasons."""

    heading: str
    lines: tuple[PostedLine, ...]


class PostedChapter(Record, frozen=True, kw_only=True):
    """The report of one turn. silent: the seats that sent no orders."""

    turn: PostedTurn
    headline: str
    passages: tuple[PostedPassage, ...]
    silent: tuple[str, ...] = ()


class PostedTable(Record, frozen=True, kw_only=True):
    """A table of the report: standings, holdings. All cells are text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class PostedResult(Record, frozen=True, kw_only=True):
    """The result of a game. winners: empty if no seat has won."""

    winners: tuple[str, ...]
    reason: str


class PostedPress(Record, frozen=True, kw_only=True):
    """Press to everyone. heading: the sender as the public may know them."""

    heading: str
    text: str


class PostedMap(Record, frozen=True, kw_only=True):
    """The map as a file. base64: its bytes."""

    name: str
    media: str
    base64: str


class ChannelPost(Record, frozen=True, kw_only=True):
    """One post, as plain webhooks carry it. It contains only public information.

    what: the kind of news; "thread" goes only to the forum of the game. id: the same for every attempt. at:
    the time of writing, in ISO 8601, UTC, like deadline. service: the service's name. game: its name. kind,
    title: its rules. turn: the reported turn (the first of several), or the turn that is due. next: the turn
    due after that, None when the game is over. heading: one line. summary: a few sentences. text: everything,
    in 72 columns. markdown: the same in Markdown. seat: the seat that becomes open. map: if the channel wants
    one and the game has one.
    """

    format: Literal["turnpost-post/1"] = "turnpost-post/1"
    id: str
    what: Literal["due", "played", "begun", "ended", "wanted", "press", "thread", "test", "alert"]
    at: str
    service: str
    game: str | None = None
    kind: str | None = None
    title: str | None = None
    turn: PostedTurn | None = None
    next: PostedTurn | None = None
    deadline: str | None = None
    heading: str
    summary: str
    text: str
    markdown: str
    chapters: tuple[PostedChapter, ...] = ()
    tables: tuple[PostedTable, ...] = ()
    result: PostedResult | None = None
    press: PostedPress | None = None
    seat: str | None = None
    map: PostedMap | None = None


POST_SCHEMA_NAMES: dict[type, str] = {ChannelPost: "Post"}
"""The record's name in the published schema, docs/channel.schema.json. It never changes."""


def is_channel_name(text: str) -> bool:
    """Return whether a channel can have this name: 1 to 40 of ``a-z0-9-``, not starting with a hyphen."""
    return _CHANNEL_NAME_RE.fullmatch(text) is not None


def recipient_of(channel: str) -> str:
    """Return the outbox's name for a channel. It isn't an address, so no email can be sent to it."""
    return _CHANNEL_PREFIX + channel


def channel_named(recipient: str) -> str | None:
    """Return the channel of an outbox recipient, or None if the recipient is an address."""
    name = recipient.removeprefix(_CHANNEL_PREFIX)
    return name if name != recipient and is_channel_name(name) else None


CHANNEL_PATTERN = _CHANNEL_PREFIX + "%"
"""The pattern of recipients that are channels."""
