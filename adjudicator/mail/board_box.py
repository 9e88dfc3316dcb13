"""A forum as a mailbox: posts in the topics of games, and changes of them.

They come in as letters do, and are kept, read and answered like any other.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.clock import MINUTE, Clock, Millis
from adjudicator.mail.board import ForumClient, NewestPosts, letter_of_post, place_name
from adjudicator.mail.mailbox import Known
from adjudicator.model.mail import IncomingLetter

Topics = Callable[[], Mapping[str, tuple[str, Millis | None]]]
"""By the numbers of the topics in which there are running games, their names and deadlines."""

FORUM = "forum "
"""So the name of each such mailbox begins."""

RELOOK = 3 * MINUTE
"""So long a topic in which nobody has written anew is not looked through for what was changed there."""


@dataclass
class ForumMailbox:
    """`mailbox.Mailbox` of a forum. address: to which the letters go that are made of its posts.

    A forum allows so many questions a minute. So a topic is read where there is something new, where it was
    not looked at for a while, and once after the deadline of its game; those first that were not asked for
    longest, so that a forum that breaks off has not the same ones wait every time.
    """

    board: ForumClient
    forum: str
    address: str
    topics: Topics
    clock: Clock
    _settled: dict[str, int] = field(default_factory=dict, repr=False)
    _read: dict[str, "_TopicRead"] = field(default_factory=dict, repr=False)
    _asked: dict[str, int] = field(default_factory=dict, repr=False)
    _count: int = 0

    @property
    def name(self) -> str:
        """As in `mailbox.Mailbox`."""
        return f"{FORUM}{self.forum}"

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """As in `mailbox.Mailbox`. A post that was changed is another letter; one that is gone is none."""
        topics = self.topics()
        newest = self.board.newest() if topics else None
        for topic in sorted(topics, key=lambda topic_number: self._asked.get(topic_number, 0)):
            game, deadline = topics[topic]
            if not self._is_due(topic, deadline, newest):
                continue
            began = self.clock.now()
            self._count += 1
            self._asked[topic] = self._count
            posts = self.board.posts(topic, self._settled.get(topic, 0))
            places = [place_name(topic, post) for post in posts]
            kept = set(known(places)) if places else set()
            for place, post in zip(places, posts, strict=True):
                if place not in kept:
                    raw = letter_of_post(post, game, self.forum, self.address)
                    yield IncomingLetter(mailbox=self.name, place=place, received=post.at, raw=raw)
            if kept.issuperset(places):
                # Of what lies further back only what is new has to be looked at: all of it is on the books.
                self._settled[topic] = max((int(post.number) for post in posts), default=0)
                self._read[topic] = _TopicRead(began, newest)

    def _is_due(self, topic: str, deadline: Millis | None, newest: NewestPosts | None) -> bool:
        """Return whether a topic has to be read now. newest: what the forum says of its last posts."""
        read = self._read.get(topic)
        if read is None or newest is None or read.newest is None:
            return True
        now = self.clock.now()
        is_due = deadline is not None and read.at <= deadline <= now
        is_old = now - read.at >= RELOOK or newest.since > max(read.newest.topics.values(), default=0)
        return is_due or is_old or newest.topics.get(topic, 0) > read.newest.topics.get(topic, 0)

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """As in `mailbox.Mailbox`."""
        return {}

    def count_left(self) -> int:
        """As in `mailbox.Mailbox`: nothing is read in a forum but the topics of our games."""
        return 0

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `mailbox.Mailbox`: posts stay where they are, and are known by their places."""

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """As in `mailbox.Mailbox`: no letter of ours ever comes here."""
        return {}

    def try_out(self) -> tuple[str, ...]:
        """As in `mailbox.Mailbox`."""
        return (self.board.try_out(),)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `mailbox.Mailbox`: it cannot tell."""

    def close(self) -> None:
        """As in `mailbox.Mailbox`."""


@dataclass(frozen=True)
class _TopicRead:
    """When a topic was last read whole, all of it on the books; and what the forum had said just before."""

    at: Millis
    newest: NewestPosts | None
