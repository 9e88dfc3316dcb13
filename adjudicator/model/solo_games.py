"""One person among bots: such a game has no clock. It waits, writes now and then, and sleeps at last.

Nothing is ever played for somebody who plays alone and is away.
"""

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.clock import DAY, Millis
from adjudicator.model.deadlines import Rest, Timing
from adjudicator.model.games import GamePosition, SeatAssignment
from games.protocol import Game, Seat, State
from games.protocol.optional import SupportsNeighbours
from games.record import replace_fields

IDLE_REMINDERS_MS: tuple[Millis, ...] = (7 * DAY, 37 * DAY, 67 * DAY)
"""So long after somebody's last letter he is reminded: after a week, then monthly."""

ASLEEP_AFTER_MS: Millis = 97 * DAY
"""After so long he is told that the game sleeps, and hears no more until he writes."""

IDLE_NOTICES_MS = (*IDLE_REMINDERS_MS, ASLEEP_AFTER_MS)


def is_solo(position: GamePosition) -> bool:
    """Return whether one person plays all that people play, and the game's settings want no clock then.

    Who holds several seats is one person. A game in which nobody sits has its clock.
    """
    if position.deadlines.solo != "waits":
        return False
    # With the second of them it is answered.
    people = (chair.address for chair in position.chairs.values() if chair.is_person)
    first = next(people, None)
    return first is not None and all(address == first for address in people)


def is_in_play(game: Game, state: State, chairs: Mapping[Seat, SeatAssignment]) -> bool:
    """Return whether a person holds a seat that is still in the game."""
    rules = game.rules
    seats = rules.survivors(state) if isinstance(rules, SupportsNeighbours) else tuple(chairs)
    return any(chairs[seat].is_person for seat in seats)


def timing_without_clock(timing: Timing, now: Millis) -> Timing:
    """Return the timing of a turn that waits from now on, without a deadline."""
    return Timing(lapses=timing.lapses, loans=timing.loans, rest=Rest(since=now))


def stop_position_clock(position: GamePosition, now: Millis) -> GamePosition:
    """Return the game with its clock taken away."""
    return replace(position, deadline=None, timing=timing_without_clock(position.timing, now))


def start_position_clock(position: GamePosition, deadline: Millis) -> GamePosition:
    """Return the game with a clock again, and that deadline."""
    timing = Timing(first=deadline, lapses=position.timing.lapses, loans=position.timing.loans)
    return replace(position, deadline=deadline, timing=timing)


def notices_due(rest: Rest, now: Millis) -> int | None:
    """Return how many IDLE_NOTICES_MS are over, if more than were sent; only the last of several is sent."""
    over = sum(now >= rest.since + after for after in IDLE_NOTICES_MS)
    return over if over > rest.told else None


def with_reminders_sent(timing: Timing, words: int) -> Timing:
    """Return the timing once that many of IDLE_NOTICES_MS were sent."""
    assert timing.rest is not None, "a clock that runs reminds by its deadline"
    return replace_fields(timing, rest=replace_fields(timing.rest, told=words))


def is_asleep(timing: Timing) -> bool:
    """Return whether the game sleeps: its player was told so, and has not written since."""
    return timing.rest is not None and timing.rest.told >= len(IDLE_NOTICES_MS)
