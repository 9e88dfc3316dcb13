"""Where letters come in: what every kind of mailbox has in common."""

from collections.abc import Iterator
from typing import Protocol

from adjudicator.ledger import Arrived


class Mailbox(Protocol):
    """Where letters come in. Every method raises PostFault when the world does not do its part."""

    @property
    def name(self) -> str:
        """What tells this mailbox from others, the same after each restart."""

    def new_letters(self) -> Iterator[Arrived]:
        """The letters that are not marked as kept, in the order in which the server took them."""

    def mark_kept(self, place: str) -> None:
        """Tidy a letter away, once it is on the books. Nothing is deleted. May be repeated."""

    def close(self) -> None:
        """Let go of the mailbox."""
