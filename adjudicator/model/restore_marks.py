"""Marks of games that were restored from a backup, whose players hold later emails.

Between the backup and the restore turns were played and reply addresses replaced. Their tokens can be
computed again, since the key is in the backup.
"""

from collections.abc import Iterable

from adjudicator.model.games import SeatAssignment
from adjudicator.model.people import Count, Instant, SeatName
from games.record import Record

LATER_GENERATIONS = 5
"""Reply addresses of a seat that may have been replaced since the backup: so many generations are known."""


class GenerationWindow(Record, frozen=True, kw_only=True):
    """Generations of tokens that a seat's player may hold from before the restore, from `low` to `high`.

    current: the generation since the restore, above all of them. When it is replaced, the window is closed.
    """

    low: Count
    high: Count
    current: Count


class RestoreMark(Record, frozen=True, kw_only=True):
    """The facts noted about a game when it was restored.

    made, restored: when the backup was made, and when it was put back; seats: those that a person held
    then; stopped: when the restore stopped the game's clock, None if it did not.
    """

    made: Instant
    restored: Instant
    seats: dict[SeatName, GenerationWindow] = {}
    stopped: Instant | None = None

    def generations(self, chair: SeatAssignment) -> range:
        """Return the generations of tokens from before the restore that are good for a seat."""
        window = self.seats.get(chair.seat)
        if window is None or window.current != chair.generation:
            return range(0)
        return range(window.low, window.high + 1)

    def is_newer(self, chair: SeatAssignment, generation: int) -> bool:
        """Return whether a token was issued after a change of the seat that this database doesn't know."""
        window = self.seats.get(chair.seat)
        return window is not None and window.high - LATER_GENERATIONS < generation <= window.high


def open_window(chair: SeatAssignment, before: RestoreMark | None) -> GenerationWindow:
    """Return the window of a seat at a restore. before: the mark that the backup itself holds, if any."""
    low = min(_known_generations(chair, before), default=chair.generation)
    high = chair.generation + LATER_GENERATIONS
    return GenerationWindow(low=low, high=high, current=high + 1)


def _known_generations(chair: SeatAssignment, before: RestoreMark | None) -> Iterable[int]:
    return before.generations(chair) if before is not None else ()
