"""The deadline of a running turn, its grace period, corrections, and a player's record of orders in time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from adjudicator.clock import DAY, MINUTE, Millis
from adjudicator.model.deadlines import Correction, Rest, Timing
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.people import (
    TurnMark,
)
from games.protocol import Game, Seat, State
from games.record import Value, replace_fields


class Overdue(Value, frozen=True):
    """A deadline that has passed. until: the end of the grace period. closed: whether that has passed too."""

    deadline: Millis
    until: Millis
    closed: bool


def overdue(position: GamePosition, now: Millis) -> Overdue | None:
    """Return the current turn's deadline if it has passed, otherwise None."""
    at = position.deadline
    if at is None or now <= at or not position.is_running or position.timing.stop is not None:
        return None
    if is_solo(position):
        return None
    end = at + position.deadlines.grace
    return Overdue(deadline=at, until=end, closed=now > end)


# Corrections of the deadline that new players were given.


AFTER_LAST: Millis = 2 * MINUTE
"""Corrections are sent this long after the last player was seated."""


def told_deadline(position: GamePosition) -> Millis | None:
    """Return the deadline that an email written now states, or None if there is none."""
    if not position.is_running or position.timing.stop is not None or is_solo(position):
        return None
    return position.deadline


def with_correction(before: GamePosition, after: GamePosition, now: Millis) -> GamePosition:
    """Return the game after players were seated, with the deadline that each of them was given.

    before, after: the game around the change. New players get the deadline after it. Players with another
    deadline get a correction once no player has been seated for a while.
    """
    pending = before.timing.correction
    known_deadlines: dict[Seat, Millis | None] = {}
    for seat, assignment in after.assignments.items():
        if not assignment.is_person:
            continue
        if assignment != before.assignments[seat]:
            known_deadlines[seat] = told_deadline(after)
        elif pending is not None and seat in pending.told:
            known_deadlines[seat] = pending.told[seat]
        else:
            known_deadlines[seat] = told_deadline(before)
    wrong = any(known != told_deadline(after) for known in known_deadlines.values())
    correction = Correction(at=now + AFTER_LAST, told=known_deadlines) if wrong else None
    return replace(after, timing=replace_fields(after.timing, correction=correction))


def to_correct(position: GamePosition) -> tuple[Seat, ...]:
    """Return the seats of players that were last given another deadline than the current one."""
    pending = position.timing.correction
    if pending is None:
        return ()
    truth = told_deadline(position)
    return tuple(
        seat
        for seat, assignment in position.assignments.items()
        if assignment.is_person and seat in pending.told and pending.told[seat] != truth
    )


# Solo games: one human player among bots. They have no clock. They wait, send a few reminders, and then
# sleep.
#
# No turn runs while a solo player is away.


IDLE_REMINDERS_MS: tuple[Millis, ...] = (7 * DAY, 37 * DAY, 67 * DAY)
"""The reminders after a player's last email: after a week, then monthly."""

ASLEEP_AFTER_MS: Millis = 97 * DAY
"""After this time the game sleeps: its player gets one more email, and none after it."""

IDLE_NOTICES_MS = (*IDLE_REMINDERS_MS, ASLEEP_AFTER_MS)


def is_solo(position: GamePosition) -> bool:
    """Return whether one human player has all human seats and the game's settings ask for no clock in that
    case.

    A player can have several seats. A game without human players has a clock.
    """
    if position.deadlines.solo != "waits":
        return False
    # The second player settles it.
    people = (assignment.address for assignment in position.assignments.values() if assignment.is_person)
    first = next(people, None)
    return first is not None and all(address == first for address in people)


def is_in_play(game: Game, state: State, assignments: Mapping[Seat, SeatAssignment]) -> bool:
    """Return whether a human player has a seat that is still in the game."""
    rules = game.rules
    survivors = rules.survivors(state)
    seats = tuple(assignments) if survivors is None else survivors
    return any(assignments[seat].is_person for seat in seats)


def timing_without_clock(timing: Timing, now: Millis) -> Timing:
    """Return the timing of a turn without a deadline that waits from now on."""
    return replace_fields(
        Timing(lapses=timing.lapses, loans=timing.loans, rest=Rest(since=now)), **_votes_of(timing)
    )


def stop_position_clock(position: GamePosition, now: Millis) -> GamePosition:
    """Return the game without its clock."""
    return replace(position, deadline=None, timing=timing_without_clock(position.timing, now))


def start_position_clock(position: GamePosition, deadline: Millis) -> GamePosition:
    """Return the game with a clock again and with this deadline."""
    timing = Timing(first=deadline, lapses=position.timing.lapses, loans=position.timing.loans)
    return replace(position, deadline=deadline, timing=replace_fields(timing, **_votes_of(position.timing)))


def _votes_of(timing: Timing) -> dict[str, Any]:
    """Return what players have voted for in this turn, which doesn't depend on the clock."""
    return {name: getattr(timing, name) for name in ("ballots", "movers", "voted_time")}


def notices_due(rest: Rest, now: Millis) -> int | None:
    """Return how many of IDLE_NOTICES_MS have passed, if more than were sent.

    Only the last of several is sent.
    """
    over = sum(now >= rest.since + after for after in IDLE_NOTICES_MS)
    return over if over > rest.told else None


def with_reminders_sent(timing: Timing, words: int) -> Timing:
    """Return the timing after that many of IDLE_NOTICES_MS were sent."""
    assert timing.rest is not None, "a clock that runs reminds by its deadline"
    return replace_fields(timing, rest=replace_fields(timing.rest, told=words))


def is_asleep(timing: Timing) -> bool:
    """Return whether the game sleeps: its player got the email about this and hasn't written since."""
    return timing.rest is not None and timing.rest.told >= len(IDLE_NOTICES_MS)


# A player's record: whether their orders came in time, in all turns with a deadline on this service.


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
