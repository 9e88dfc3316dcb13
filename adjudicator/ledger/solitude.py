"""One person among bots: such a game has no clock. It waits, writes now and then, and sleeps at last.

Nothing is ever played for somebody who plays alone and is away.
"""

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.clock import DAY, Millis
from adjudicator.ledger.hours import Rest, Timing
from adjudicator.ledger.positions import Chair, Position
from games.protocol import Game, Seat, State
from games.protocol.optional import Sociable
from games.record import changed

REMINDERS: tuple[Millis, ...] = (7 * DAY, 37 * DAY, 67 * DAY)
"""So long after somebody's last letter he is reminded: after a week, then monthly."""

ASLEEP: Millis = 97 * DAY
"""After so long he is told that the game sleeps, and hears no more until he writes."""

WORDS = (*REMINDERS, ASLEEP)


def is_solo(position: Position) -> bool:
    """Whether one person plays all that people play, and the terms want no clock then.

    Who holds several seats is one person. A game in which nobody sits has its clock.
    """
    if position.deadlines.solo != "waits":
        return False
    # With the second of them it is answered.
    people = (chair.address for chair in position.chairs.values() if chair.is_person)
    first = next(people, None)
    return first is not None and all(address == first for address in people)


def is_in_play(game: Game, state: State, chairs: Mapping[Seat, Chair]) -> bool:
    """Whether a person sits at a seat that is still in the game."""
    rules = game.rules
    seats = rules.survivors(state) if isinstance(rules, Sociable) else tuple(chairs)
    return any(chairs[seat].is_person for seat in seats)


def resting(timing: Timing, now: Millis) -> Timing:
    """The timing of a turn that waits from now on, for as long as it takes."""
    return Timing(lapses=timing.lapses, loans=timing.loans, rest=Rest(since=now))


def unwound(position: Position, now: Millis) -> Position:
    """The game with its clock taken away."""
    return replace(position, deadline=None, timing=resting(position.timing, now))


def wound_up(position: Position, deadline: Millis) -> Position:
    """The game with a clock again, and that deadline."""
    timing = Timing(first=deadline, lapses=position.timing.lapses, loans=position.timing.loans)
    return replace(position, deadline=deadline, timing=timing)


def words_due(rest: Rest, now: Millis) -> int | None:
    """How many of WORDS are over by now, where that is more than were said; of several the last is said."""
    over = sum(now >= rest.since + after for after in WORDS)
    return over if over > rest.told else None


def told(timing: Timing, words: int) -> Timing:
    """The timing once that many of WORDS were said."""
    assert timing.rest is not None, "a clock that runs reminds by its deadline"
    return changed(timing, rest=changed(timing.rest, told=words))


def is_asleep(timing: Timing) -> bool:
    """Whether the game sleeps: its player was told so, and has not written since."""
    return timing.rest is not None and timing.rest.told >= len(WORDS)
