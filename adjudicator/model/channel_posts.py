"""Posts: what is told where many read, as one document; and how the outbox names where it goes."""

import re
from typing import Literal

from games.record import Record

PostReason = Literal["due", "played", "begun", "ended", "wanted", "press"]
"""What may be told: a turn is due soon, was played; a game began, ended; players are wanted; press to all."""

JSON_MEDIA_TYPE = "application/json"
DOCUMENT = "post.json"
"""Under which name the document of a post lies in the outbox."""

_CHANNEL_PREFIX = "channel:"
_CHANNEL_NAME_RE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class PostedTurn(Record, frozen=True, kw_only=True):
    """A turn: its short name and its whole."""

    short: str
    name: str


class PostedLine(Record, frozen=True, kw_only=True):
    """One sentence, and whether it tells of an order that failed."""

    text: str
    failed: bool = False


class PostedPassage(Record, frozen=True, kw_only=True):
    """Sentences under a heading: in most games a power's orders with what came of each and why."""

    heading: str
    lines: tuple[PostedLine, ...]


class PostedChapter(Record, frozen=True, kw_only=True):
    """One turn told. silent: the seats from which no orders came."""

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
    """The result of a game. winners: none if nobody has won."""

    winners: tuple[str, ...]
    reason: str


class PostedPress(Record, frozen=True, kw_only=True):
    """A piece of press to all. heading: from whom, as everybody may know it."""

    heading: str
    text: str


class PostedMap(Record, frozen=True, kw_only=True):
    """The map as a file. base64: its bytes."""

    name: str
    media: str
    base64: str


class ChannelPost(Record, frozen=True, kw_only=True):
    """One post, as plain webhooks carry it: what anybody may know, and nothing else.

    what: "thread" is told to nobody but the forum in which a game is played.
    id: the same however often it is sent; at: when it was written, as deadline in ISO 8601, UTC; service:
    what the service is called; game: its name; kind, title: what is played; turn: the one told of (of several
    the first), or the one that is due; next: the one that is due after those told, None when the game is
    over; heading: one line; summary: a few sentences; text: all of it in 72 columns; markdown: the same with
    the marks of Markdown; seat: which falls free; map: where the channel wants it and there is one.
    """

    format: Literal["turnpost-post/1"] = "turnpost-post/1"
    id: str
    what: Literal["due", "played", "begun", "ended", "wanted", "press", "thread", "test"]
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
"""What the published schema, docs/channel.schema.json, calls the record: its name stays."""


def is_channel_name(text: str) -> bool:
    """Return whether a channel may have that name: 1 to 40 of ``a-z0-9-``, no hyphen first."""
    return _CHANNEL_NAME_RE.fullmatch(text) is not None


def recipient_of(channel: str) -> str:
    """Return the outbox's name for a channel: no address, so that no letter can ever be addressed to it."""
    return _CHANNEL_PREFIX + channel


def channel_named(recipient: str) -> str | None:
    """The channel that a recipient of the outbox is; None: it is somebody's address."""
    name = recipient.removeprefix(_CHANNEL_PREFIX)
    return name if name != recipient and is_channel_name(name) else None


CHANNEL_PATTERN = _CHANNEL_PREFIX + "%"
"""What recipients are like that are channels."""
