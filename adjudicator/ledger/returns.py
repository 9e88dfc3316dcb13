"""Letters of ours that come back: values, and how to ask the books. Instants are milliseconds UTC."""

from collections.abc import Sequence
from typing import Protocol

from adjudicator.clock import Millis
from games.protocol import Seat
from games.record import Record

WINDOW: Millis = 14 * 24 * 3_600_000
"""So long it counts that a letter came back."""

HARD, SOFT = 3, 5
"""So many letters within that time, refused for good or for now only, and an address is given up."""


class Posting(Record, frozen=True, kw_only=True):
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


class Returns(Protocol):
    """The read side of the books about what came back."""

    def posting(self, sender: str) -> Posting | None:
        """The letter that comes back to that address, envelope sender of it alone."""

    def bounces(self, address: str, since: Millis) -> Sequence[Bounce]:
        """The letters that came back from an address since an instant, one entry each."""

    def is_dead(self, address: str) -> bool:
        """Whether nothing is sent to an address any more."""


def is_too_much(bounces: Sequence[Bounce]) -> bool:
    """Whether so much came back from one address, each letter counted once, that it is given up."""
    hard = {bounce.letter for bounce in bounces if bounce.hard}
    soft = {bounce.letter for bounce in bounces if not bounce.hard}
    return len(hard) >= HARD or len(soft - hard) >= SOFT
