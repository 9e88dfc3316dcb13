"""How letters go out: what every way to send them has in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from adjudicator.clock import Millis
from adjudicator.ledger.letters import Receipt, Sealed

Begin = Callable[[Sealed], bool]
"""Asked before the bytes of a letter go on the wire; False: it is not to be sent. May raise a Fault."""


@dataclass(frozen=True)
class Doubt:
    """What can be done about a letter of which nobody knows whether it was taken.

    how: "again" (send it again, a repetition does no harm), "probe" (look in our mailbox for the copy that
    was sent with it), "marked" (send it once more, and say in it that it may be a repetition); wait: how long
    it may take until what was taken shows.
    """

    how: Literal["again", "probe", "marked"]
    wait: Millis = 0


class Carrier(Protocol):
    """A way to send letters."""

    @property
    def doubt(self) -> Doubt:
        """What can be done about letters whose receipt is "unsure", or never came."""

    def try_out(self) -> tuple[str, ...]:
        """Connect, log in and send nothing. Returns what works, in words. Raises LoginFault, PostFault."""

    def deliver(self, letters: Sequence[Sealed], begin: Begin) -> tuple[Receipt, ...]:
        """What became of each letter, in order. What the world does wrong is in the receipts, not raised."""
