"""The interface of carriers, which send letters: what every way to send them has in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from adjudicator.clock import Millis
from adjudicator.model.mail import OutgoingMessage, Receipt

Begin = Callable[[OutgoingMessage], bool]
"""Asked before the bytes of a letter go on the wire; False: it is not to be sent. May raise a Fault."""


@dataclass(frozen=True)
class DoubtPolicy:
    """The policy for a letter of which nobody knows whether it was accepted.

    how: "again" (send it again, a repetition does no harm), "probe" (look in our mailbox for the copy that
    was sent with it), "marked" (send it once more, and say in it that it may be a repetition); wait: how
    long it may take until what was taken shows.
    """

    how: Literal["again", "probe", "marked"]
    wait: Millis = 0


class Carrier(Protocol):
    """A way to send letters."""

    @property
    def doubt(self) -> DoubtPolicy:
        """Return the policy for letters whose receipt is "unsure", or never came."""

    def try_out(self) -> tuple[str, ...]:
        """Connect, log in and send nothing. Returns what works, in words. Raises LoginFault, PostFault."""

    def deliver(self, letters: Sequence[OutgoingMessage], begin: Begin) -> tuple[Receipt, ...]:
        """Return the receipt of each letter, in order. Faults of the world are in the receipts."""
