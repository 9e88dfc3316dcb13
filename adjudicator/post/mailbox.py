"""What every kind of mailbox and every way to send letters has in common."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from adjudicator.ledger import Arrived, Receipt, Sealed


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


class Carrier(Protocol):
    """A way to send letters."""

    def deliver(self, letters: Sequence[Sealed]) -> tuple[Receipt, ...]:
        """What became of each letter, in order. What the world does wrong is in the receipts, not raised."""
