"""The deadline of a running turn: whether it is over, until when orders count, who was told of another."""

from dataclasses import replace

from adjudicator.clock import MINUTE, Millis
from adjudicator.model.deadlines import Correction
from adjudicator.model.games import GamePosition
from adjudicator.model.solo_games import is_solo
from games.protocol import Seat
from games.record import Value, replace_fields


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


# What people were told of the deadline when they were seated, and who is to be told again.


AFTER_LAST: Millis = 2 * MINUTE
"""So long after the last one was seated those are told again who were told something else."""


def told_deadline(position: GamePosition) -> Millis | None:
    """Return the deadline that a letter written now tells; None: that none runs."""
    if not position.is_running or position.timing.stop is not None or is_solo(position):
        return None
    return position.deadline


def with_correction(before: GamePosition, after: GamePosition, now: Millis) -> GamePosition:
    """Return the game after people were seated, with what each of them was told of the deadline.

    before, after: the game around that; whoever has just been seated is told how it is after it. Who was told
    something else is told again once nobody has been seated for a while.
    """
    pending = before.timing.correction
    told: dict[Seat, Millis | None] = {}
    for seat, chair in after.chairs.items():
        if not chair.is_person:
            continue
        if chair != before.chairs[seat]:
            told[seat] = told_deadline(after)
        elif pending is not None and seat in pending.told:
            told[seat] = pending.told[seat]
        else:
            told[seat] = told_deadline(before)
    wrong = any(said != told_deadline(after) for said in told.values())
    correction = Correction(at=now + AFTER_LAST, told=told) if wrong else None
    return replace(after, timing=replace_fields(after.timing, correction=correction))


def to_correct(position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats whose people were last told something else of the deadline than what is true now."""
    pending = position.timing.correction
    if pending is None:
        return ()
    truth = told_deadline(position)
    return tuple(
        seat
        for seat, chair in position.chairs.items()
        if chair.is_person and seat in pending.told and pending.told[seat] != truth
    )
