"""A player's record of turning up: whether their orders came in time, over all games of this service.

Each processed turn with a deadline adds a mark for each player who had orders due. The record is computed
from the marks.
"""

from collections.abc import Sequence

from adjudicator.clock import DAY, Millis
from adjudicator.model.people import TurnMark
from games.record import Value

HALF_LIFE_MS: Millis = 365 * DAY
"""After this time a mark counts half."""

TAKEOVER_WEIGHT = 3
"""A seat that was taken over counts as so many turns in time."""

LATE_VALUE = 0.5


class TurnoutRecord(Value, frozen=True):
    """What the marks of a player come to. share: from 0 to 1, None without a mark."""

    in_time: int
    late: int
    missed: int
    taken_over: int
    share: float | None

    @property
    def turns(self) -> int:
        """Return the number of turns with orders due."""
        return self.in_time + self.late + self.missed

    @property
    def percent(self) -> int | None:
        """Return the share in whole percent, rounded down."""
        return None if self.share is None else int(self.share * 100 + 1e-9)


def turnout_record(marks: Sequence[TurnMark], now: Millis) -> TurnoutRecord:
    """Return the record at an instant. A mark counts by half for each year of its age."""
    weights = [
        (TAKEOVER_WEIGHT if mark.sort == "taken-over" else 1) * 0.5 ** (max(0, now - mark.at) / HALF_LIFE_MS)
        for mark in marks
    ]
    values = [{"late": LATE_VALUE, "missed": 0.0}.get(mark.sort, 1.0) for mark in marks]
    total = sum(weights)
    earned = sum(weight * value for weight, value in zip(weights, values, strict=True))
    sorts = [mark.sort for mark in marks]
    return TurnoutRecord(
        in_time=sorts.count("in-time"),
        late=sorts.count("late"),
        missed=sorts.count("missed"),
        taken_over=sorts.count("taken-over"),
        share=earned / total if total else None,
    )
