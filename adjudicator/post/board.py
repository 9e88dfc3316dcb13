"""A forum that is spoken to by its own interface: what the house asks of it, whoever runs it.

Posts that we write go out as those of channels do: they wait in the outbox under the channel's name, and its
crier hands them to `Board.post`. What others write comes in as letters do: `letter_of` makes a letter of each
post, which a mailbox of its own hands to the poll, so that it is kept, read and answered like any other.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from typing import Protocol

from adjudicator.clock import Millis, moment
from adjudicator.ledger.letters import Attachment

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_HOST = "forum.invalid"


@dataclass(frozen=True)
class Placed:
    """Where a post of ours stands: the number of its topic, and its own."""

    topic: str
    number: str


@dataclass(frozen=True)
class Written:
    """A post as it stands in a forum.

    number: its own; version: raised whenever it is changed; poster: the account, as the forum itself proves
    it; text: in the forum's marks; at: when it was written, or changed last; topic, title: where it stands;
    answers: the number of the post that it answers.
    """

    number: str
    version: int
    poster: str
    text: str
    at: Millis
    topic: str
    title: str
    answers: str | None = None


class Board(Protocol):
    """One forum, as one account of it sees it. All raise PostFault when the world does not do its part.

    Nothing is posted twice: `post` looks first whether there is a post that bears the mark already.
    """

    def post(
        self, mark: str, topic: str | None, title: str, text: str, uploads: Sequence[Attachment]
    ) -> Placed:
        """Write a post. topic None: it begins one of that title. mark: names the post for ever."""

    def since(self, topics: Sequence[str], seen: Millis) -> Sequence[Written]:
        """The posts of some topics that were written or changed since an instant, oldest first.

        Ours are not among them, nor those that were deleted.
        """

    def account(self) -> str:
        """As whom we post there."""


def place_of(post: Written) -> str:
    """What names a post, as it stands now, among all that a forum sends: a mailbox calls it so."""
    return f"{post.topic}/{post.number}/{post.version}"


def letter_of(post: Written, forum: str, address: str) -> bytes:
    """A post as the letter by which the house reads it. forum: the channel's name; address: where it goes.

    Its sender is the account, at a host that no mail can come from.
    """
    host = f"{_UNSAFE.sub('-', forum)}.{_HOST}"
    answers = f"In-Reply-To: <{_UNSAFE.sub('-', post.answers)}@{host}>\r\n" if post.answers else ""
    title = " ".join(post.title.split())
    head = (
        f"Date: {format_datetime(moment(post.at))}\r\n"
        f"From: {poster_named(post.poster, forum)}\r\n"
        f"To: {address}\r\n"
        f"Subject: Re: {title.encode('ascii', 'replace').decode()}\r\n"
        f"Message-ID: <{_UNSAFE.sub('-', post.number)}.{post.version}@{host}>\r\n"
        f"{answers}"
        f"List-Id: <{host}>\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: text/plain; charset="utf-8"\r\n'
        "Content-Transfer-Encoding: 8bit\r\n\r\n"
    )
    return head.encode() + post.text.replace("\r\n", "\n").replace("\n", "\r\n").encode()


def poster_named(account: str, forum: str) -> str:
    """Under which address the books know an account of a forum: another for each."""
    local = _UNSAFE.sub(lambda sign: f"={ord(sign[0]):x}=", account.lower())
    return f"{local}@{_UNSAFE.sub('-', forum)}.{_HOST}"
