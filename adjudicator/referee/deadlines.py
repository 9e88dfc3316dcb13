"""When a turn falls due. Date arithmetic only: the time is an argument."""

from collections.abc import Iterable, Mapping

from adjudicator.clock import DAY, Millis
from adjudicator.ledger.filed_orders import Item, Untaken
from adjudicator.ledger.hours import Deadlines
from adjudicator.ledger.orders_in_force import usable
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import Absence
from adjudicator.ledger.solitude import is_in_play, is_solo
from adjudicator.referee.calendar import calendar_of
from adjudicator.referee.gather import is_in, missing
from games.protocol import Due, Game, Seat


def next_deadline(position: Position, kind: str, now: Millis) -> Millis:
    """When a turn of that kind, due from now on, has its deadline by the terms of its game alone."""
    deadlines = position.deadlines
    return calendar_of(deadlines).due(now, deadlines.length(kind))


def heeded(
    at: Millis, first: Millis, kind: str, absences: Iterable[Absence], deadlines: Deadlines, now: Millis
) -> Millis:
    """A deadline put off for those who cannot write meanwhile: never earlier than it was.

    at: what it is; first: what the terms made it, from which `away_limit` is counted; absences: of those who
    owe orders. Who comes back has a day left, or as long as such a turn lasts if that is less.
    """
    if deadlines.away != "deadline":
        return at
    calendar, margin = calendar_of(deadlines), min(deadlines.length(kind), DAY)
    put_off = at
    for absence in sorted(absences, key=lambda one: (one.first, one.last)):
        if absence.first <= put_off and absence.last > now:
            put_off = max(put_off, calendar.due(absence.last, margin))
    return max(at, min(put_off, calendar.settled(first + deadlines.away_limit)))


def away(position: Position, now: Millis) -> frozenset[Seat]:
    """The seats for which the bots order now, since their players are away and the terms say so."""
    if position.deadlines.away not in ("bot", "substitute"):
        return frozenset()
    return frozenset(one.seat for one in position.absences if one.first <= now < one.last)


def is_late(position: Position, received: Millis) -> bool:
    """Whether a letter came after the deadline and its grace: its orders no longer count.

    While the clock stands still nothing is late, nor where there is none.
    """
    if position.deadline is None or position.timing.stop is not None or is_solo(position):
        return False
    return received > position.deadline + position.deadlines.grace


def is_in_grace(position: Position, received: Millis) -> bool:
    """Whether a letter came after the deadline, but within the grace: late, and counted."""
    if position.deadline is None or position.timing.stop is not None or is_solo(position):
        return False
    return received > position.deadline and not is_late(position, received)


def is_ripe(position: Position, now: Millis, polled_from: Millis | None) -> bool:
    """Whether the deadline and its grace are over and the mailbox was drained since.

    polled_from: when the last poll that was finished began; None: there was none.
    """
    if not position.running or position.deadline is None or is_solo(position):
        return False
    end = position.deadline + position.deadlines.grace
    return now > end and polled_from is not None and polled_from > end


def goes_on(game: Game, position: Position) -> Millis | None:
    """When bots play the next turn of a game without a clock, since its one person is out of it.

    None: somebody is waited for, or there is a clock. A turn a deadline, as if there were one.
    """
    rest = position.timing.rest
    if rest is None or is_in_play(game, position.state, position.chairs):
        return None
    return next_deadline(position, game.rules.turn(position.state).kind, rest.since)


def is_complete(game: Game, position: Position, now: Millis) -> bool:
    """Whether every person who owes orders has sent them, so that the turn need not wait for its deadline.

    Never true of a game that waits for its deadlines (early=no), if it has any. Of a turn in which only bots
    owe orders it is true at the opening, if a person sits in the game, and where there is no clock; later
    ones are played with the turn before them, and where the one person is out when `goes_on` says. Who is
    away is not waited for, unless all are who owe any.
    """
    if not position.running:
        return False
    people, alone = people_due(game, position), is_solo(position)
    if not people and alone:
        at = goes_on(game, position)
        return at is None or now > at
    if not people:
        return position.played == 0 and any(chair.is_person for chair in position.chairs.values())
    gone = away(position, now)
    here = [due for due in people if due.seat not in gone]
    return (
        (position.early or alone)
        and bool(here)
        and all(
            is_in(game, position.state, due, position.chairs[due.seat], position.filed.get(due.seat, ()))
            for due in here
        )
    )


def owed(game: Game, position: Position) -> Mapping[Seat, tuple[str, ...]]:
    """What each seat that is asked for orders still lacks, as people call it; empty when all is in.

    A line of its newest letter that was not taken is wanted too, whatever else is there.
    """
    lacking: dict[Seat, tuple[str, ...]] = {}
    for due in game.rules.due(position.state):
        items = position.filed.get(due.seat, ())
        filed = usable(game, position.state, due, items)
        more = () if position.chairs[due.seat].ready else missing(due, filed)
        before = lacking.get(due.seat, not_taken(items))
        lacking[due.seat] = before + more
    return lacking


_LEFT_OUT, _NOT_TAKEN = "can't be carried out as it stands", "was not taken"


def not_taken(items: Iterable[Item]) -> tuple[str, ...]:
    """The lines of a seat that were not taken, or cannot be carried out, as they are named to people."""
    found = (item for item in items if isinstance(item, Untaken))
    return tuple(f'"{item.line}", which {_LEFT_OUT if item.left_out else _NOT_TAKEN}' for item in found)


def people_due(game: Game, position: Position) -> tuple[Due, ...]:
    """What is due from people."""
    return tuple(due for due in game.rules.due(position.state) if position.chairs[due.seat].is_person)
