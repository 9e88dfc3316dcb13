"""A deadline that is over while its turn has not run yet: until when orders still count."""

from adjudicator.clock import Millis
from adjudicator.model.games import GamePosition
from adjudicator.model.solo_games import is_solo
from games.record import Value


class Overdue(Value, frozen=True):
    """A deadline that is over. until: the last instant at which orders count; closed: that is over, too."""

    deadline: Millis
    until: Millis
    closed: bool


def overdue(position: GamePosition, now: Millis) -> Overdue | None:
    """Return the deadline of the turn that is due if it is over; None where it is not, or where none runs."""
    at = position.deadline
    if at is None or now <= at or not position.is_running or position.timing.stop is not None:
        return None
    if is_solo(position):
        return None
    end = at + position.deadlines.grace
    return Overdue(deadline=at, until=end, closed=now > end)
