"""Letters of ours that bounce: values, and the queries about them. Instants are milliseconds UTC."""

from collections.abc import Sequence
from typing import Protocol

from adjudicator.clock import Millis
from games.protocol import Seat
from games.record import Record

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
    """The read side of the books about what came back."""

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
