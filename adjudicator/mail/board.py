"""A forum that is spoken to by its own interface: what the house asks of it, whoever runs it.

Posts that we write go out as those of channels do: they wait in the outbox under the channel's name, and its
crier hands them to `Board.post`. What others write comes in as letters do: `letter_of` makes a letter of each
post, which a mailbox of its own hands to the poll, so that it is kept, read and answered like any other.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from typing import Protocol

from adjudicator.clock import Millis, datetime_of
from adjudicator.model.mail import Attachment

_UNSAFE_ACCOUNT_CHARS = re.compile(r"[^A-Za-z0-9._-]")
_HOST = "forum.invalid"


@dataclass(frozen=True)
class PostPlace:
    """Where a post of ours stands: the number of its topic, and its own."""

    topic: str
    number: str


@dataclass(frozen=True)
class WrittenPost:
    """A post as it stands in a forum.

    number: its own; version: raised whenever it is changed (but not always at once); poster: the account, as
    the forum itself proves it; text: in the forum's marks; at: when it was written, or changed last.
    """

    number: str
    version: int
    poster: str
    text: str
    at: Millis


@dataclass(frozen=True)
class NewestPosts:
    """The last posts of a whole forum, by which it is seen where nothing is new.

    topics: by topic the number of the newest post in it; since: whatever has a higher number is among them.
    """

    topics: Mapping[str, int]
    since: int


class PostRejected(Exception):
    """A forum refuses a post for good. Its text says why."""


class ForumClient(Protocol):
    """One forum, as one account of it sees it. All raise PostFault when the world does not do its part.

    Nothing is posted twice: `post` looks first whether there is a post that bears the mark already.
    """

    def post(
        self, mark: str, topic: str | None, title: str, text: str, uploads: Sequence[Attachment]
    ) -> PostPlace:
        """Write a post. topic None: it begins one of that title. mark: names the post for ever.

        Raises PostRejected where it is refused for good.
        """

    def posts(self, topic: str, after: int) -> Sequence[WrittenPost]:
        """The posts of a topic with numbers after one, and the last ones anyhow, as they may have changed.

        Oldest first. Ours are not among them, nor those that were deleted; none where the topic is.
        """

    def newest(self) -> NewestPosts | None:
        """The last posts of the whole forum, whoever wrote them where; None: it does not tell."""

    def account(self) -> str:
        """As whom we post there."""

    def try_out(self) -> str:
        """Ask whether we are let in. Returns what was found to work, in words."""


def place_name(topic: str, post: WrittenPost) -> str:
    """Return the name of a post, as it stands now, among all that a forum sends: its place in a mailbox.

    An author who changes a post soon after writing leaves its version as it is, so its text is named too.
    """
    return f"{topic}/{post.number}/{_state_of(post)}"


def letter_of_post(post: WrittenPost, game: str, forum: str, address: str) -> bytes:
    """A post as the letter by which the house reads it.

    game: in whose topic it stands; forum: the channel's name; address: where it goes. Its sender is the
    account, at a host that no mail can come from.
    """
    host = _host(forum)
    head = (
        f"Date: {format_datetime(datetime_of(post.at))}\r\n"
        f"From: {poster_address(post.poster, forum)}\r\n"
        f"To: {address}\r\n"
        # Of what its topic is called anybody with rights there may make something else.
        f"Subject: Re: [{game}]\r\n"
        f"Message-ID: <{_UNSAFE_ACCOUNT_CHARS.sub('-', post.number)}.{_state_of(post)}@{host}>\r\n"
        f"List-Id: <{host}>\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: text/plain; charset="utf-8"\r\n'
        "Content-Transfer-Encoding: 8bit\r\n\r\n"
    )
    lines = "\r\n".join(post.text.splitlines())
    return head.encode() + f"{lines}\r\n".encode(errors="replace")


def poster_address(account: str, forum: str) -> str:
    """Under which address the books know an account of a forum: another for each."""
    local = _UNSAFE_ACCOUNT_CHARS.sub(lambda sign: f"={ord(sign[0]):x}=", account.lower())
    return f"{local}@{_host(forum)}"


def _host(forum: str) -> str:
    return f"{_UNSAFE_ACCOUNT_CHARS.sub('-', forum)}.{_HOST}"


def _state_of(post: WrittenPost) -> str:
    digest = hashlib.sha256(post.text.encode(errors="replace")).hexdigest()[:12]
    return f"{post.version}.{digest}"
