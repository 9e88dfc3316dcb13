"""When a service was set up on its mailbox: emails that arrived before are left alone."""

from adjudicator.clock import MINUTE, Millis
from adjudicator.model.bounds import Instant
from games.record import Record

SKEW: Millis = 15 * MINUTE
"""The clock of a mail server may be slow by so much: what came after all others counts as new then."""


class ServiceStart(Record, frozen=True, kw_only=True):
    """The start of a service.

    first_numbers: by the name of a folder what its numbers are valid for, and the number that the next email
    in it was to get.
    """

    at: Instant
    first_numbers: dict[str, tuple[int, int]] = {}

    def first_number(self, folder: str, validity: int) -> int | None:
        """The number of the first email in a folder that came afterwards; None if that cannot be told."""
        then, first = self.first_numbers.get(folder, (None, 0))
        return first if then == validity else None

    def is_after(self, received: Millis, number: int = 0, first: int | None = None) -> bool:
        """Return whether an email came afterwards.

        received: when the server took it; number: of the email, first: as `first_number` says.
        """
        if first is None:
            return received >= self.at
        # What a person moves into the folder later gets a new number, and keeps its time.
        return number >= first and received >= self.at - SKEW
