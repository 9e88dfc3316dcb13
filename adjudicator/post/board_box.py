"""A forum as a mailbox: posts in the topics of games, and changes of them.

They come in as letters do, and are kept, read and answered like any other.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.clock import Millis
from adjudicator.ledger.letters import Arrived
from adjudicator.post.board import Board, letter_of, place_of
from adjudicator.post.mailbox import Known

Topics = Callable[[], Mapping[str, str]]
"""By the numbers of the topics in which there are running games, their names."""


@dataclass
class BoardBox:
    """`mailbox.Mailbox` of a forum. address: to which the letters go that are made of its posts."""

    board: Board
    forum: str
    address: str
    topics: Topics
    _settled: dict[str, int] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """As in `mailbox.Mailbox`."""
        return f"forum {self.forum}"

    def new_letters(self, known: Known) -> Iterator[Arrived]:
        """As in `mailbox.Mailbox`. A post that was changed is another letter; one that is gone is none."""
        for topic, game in self.topics().items():
            posts = self.board.posts(topic, self._settled.get(topic, 0))
            places = [place_of(topic, post) for post in posts]
            kept = set(known(places)) if places else set()
            for place, post in zip(places, posts, strict=True):
                if place not in kept:
                    raw = letter_of(post, game, self.forum, self.address)
                    yield Arrived(mailbox=self.name, place=place, received=post.at, raw=raw)
            if kept.issuperset(places) and posts:
                # Of what lies further back only what is new has to be looked at: all of it is on the books.
                self._settled[topic] = max(int(post.number) for post in posts)

    def mark_kept(self, places: Sequence[str]) -> None:
        """As in `mailbox.Mailbox`: posts stay where they are, and are known by their places."""

    def holds(self, message_id: str) -> bool:
        """As in `mailbox.Mailbox`: no letter of ours ever comes here."""
        return False

    def taken_at(self, message_id: str) -> Millis | None:
        """As in `mailbox.Mailbox`."""
        return None

    def try_out(self) -> tuple[str, ...]:
        """As in `mailbox.Mailbox`."""
        return (self.board.try_out(),)

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """As in `mailbox.Mailbox`: it cannot tell."""

    def close(self) -> None:
        """As in `mailbox.Mailbox`."""
