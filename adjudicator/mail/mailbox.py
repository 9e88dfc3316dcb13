"""Where letters come in: what every kind of mailbox has in common."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Protocol

from adjudicator.clock import Millis
from adjudicator.model.mail import IncomingLetter

Known = Callable[[Sequence[str]], Collection[str]]
"""Asked for some places of a mailbox, the ones whose letters are on the books already."""


class Mailbox(Protocol):
    """Where letters come in. Every method raises PostFault when the world does not do its part.

    Polls and look-ups come from different threads, perhaps at the same time.
    """

    @property
    def name(self) -> str:
        """Return the name that tells this mailbox from others, the same after each restart."""

    def new_letters(self, known: Known) -> Iterator[IncomingLetter]:
        """The letters that are not marked as kept, in the order in which the server took them.

        Those that arrived before the service was set up are left alone, where that is known.

        Where a place is never given to another letter, those whose place is known are tidied away unread.
        """

    def first_numbers(self) -> Mapping[str, tuple[int, int]]:
        """Return the next number in each folder, for the `ServiceStart` of a service set up now."""

    def count_left(self) -> int:
        """Return how many emails arrived before the service was set up, and stay where they are."""

    def mark_kept(self, places: Sequence[str]) -> None:
        """Tidy letters away, once they are on the books. Nothing is deleted. May be repeated."""

    def arrival_times(self, message_ids: Sequence[str]) -> Mapping[str, Millis]:
        """When the server took each letter of those Message-IDs that lies here, kept or not."""

    def try_out(self) -> tuple[str, ...]:
        """Do all that a poll does but to read letters. Returns what was found to work, in words."""

    def watch(self, ring: Callable[[], None], stop: threading.Event) -> None:
        """Call `ring` whenever there may be new letters, until `stop`, in a thread of its own.

        Returns at once where this mailbox cannot tell; then it has to be looked into now and then.
        """

    def close(self) -> None:
        """Let go of the mailbox: whoever waits for its server waits no longer."""
