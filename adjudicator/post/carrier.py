"""How letters go out: what every way to send them has in common."""

from collections.abc import Sequence
from typing import Protocol

from adjudicator.ledger import Receipt, Sealed


class Carrier(Protocol):
    """A way to send letters."""

    def deliver(self, letters: Sequence[Sealed]) -> tuple[Receipt, ...]:
        """What became of each letter, in order. What the world does wrong is in the receipts, not raised."""
