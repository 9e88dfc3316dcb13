"""When a turn falls due. Date arithmetic only: the time is an argument."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.filed_orders import Item, Untaken
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import usable_orders
from adjudicator.model.overdue import overdue
from adjudicator.model.people import Absence
from adjudicator.model.solo_games import is_in_play, is_solo, start_position_clock, stop_position_clock
from adjudicator.turns.calendar import calendar_of
from adjudicator.turns.gather import has_all_orders, missing_for_due
from games.protocol import Due, Game, Seat
from games.record import Value, replace_fields

LEAST_LEFT: Millis = 6 * HOUR
"""So much time there is at the least after a report, in games with fixed hours: or half the turn's length."""

LATEST: Millis = HOUR
"""A turn that ran no later than that after its deadline and grace ran because of its deadline."""

CLOCK = "clock"
"""Who runs a turn that nobody runs by hand."""


def next_deadline(position: GamePosition, kind: str, now: Millis) -> Millis:
    """Return the deadline of a turn of that kind that begins now, by the terms of its game alone."""
    return _following(_Run(now), position.deadlines.length(kind), position.deadlines)


def with_clock(game: Game, position: GamePosition, now: Millis) -> GamePosition:
    """Return the game with a clock where those who play in it have to have one, and without one elsewhere.

    A clock that is started starts the turn that is due; one that stands still stays as it is.
    """
    alone = is_solo(position)
    resting = position.timing.rest is not None
    if not position.is_running or position.timing.stop is not None or alone == resting:
        return position
    if alone:
        return stop_position_clock(position, now)
    return start_position_clock(position, next_deadline(position, game.rules.turn(position.state).kind, now))


def deadline_after_turn(position: GamePosition, kind: str, ran: Millis, by: str) -> Millis:
    """Return the deadline of a turn of that kind, by the terms alone, that follows the one which was due.

    position: as it was when that turn ran; by: who ran it, "clock" where nobody did. In a game with fixed
    hours one that ran because of its deadline starts at that deadline, any other when it ran.
    """
    run = _run_of(position, ran) if by == CLOCK else _Run(ran)
    return _following(run, position.deadlines.length(kind), position.deadlines)


def extended_deadline(position: GamePosition, now: Millis) -> Millis:
    """Return the deadline of the turn that is due, once it is extended since orders are missing."""
    terms = position.deadlines
    if not terms.hours:
        return calendar_of(terms).due(now, terms.extension)
    return _following(_run_of(position, now), terms.extension, terms)


class _Run(Value, frozen=True):
    """When a turn ran, as far as it counts for the turn that follows.

    start: from when the length of that one is counted; used: how long after `start` the turn was due to run.
    """

    start: Millis
    used: Millis = 0


def _run_of(position: GamePosition, ran: Millis) -> _Run:
    """Return when a turn ran that the clock ran, by its deadline if that is why."""
    at, grace = position.deadline, position.deadlines.grace
    if not position.deadlines.hours or at is None or position.timing.stop is not None:
        return _Run(ran)
    if not at < ran <= at + grace + LATEST:
        return _Run(ran)
    # With everything there already it runs at the deadline, give or take a poll; later the grace was used.
    return _Run(at, used=grace if ran > at + min(grace, LATEST) else 0)


def _following(run: _Run, length: Millis, terms: Deadlines) -> Millis:
    calendar = calendar_of(terms)
    at = calendar.after(run.start, length)
    if terms.hours:
        at = max(at, calendar.after(run.start, run.used + max(length // 2, LEAST_LEFT)))
    return calendar.next_allowed(at)


def extend_for_absences(
    at: Millis, first: Millis, kind: str, absences: Iterable[Absence], deadlines: Deadlines, now: Millis
) -> Millis:
    """Extend a deadline for those who cannot write meanwhile: never earlier than it was.

    at: what it is; first: what the settings made it, from which `away_limit` is counted; absences: of
    those who owe orders. A player who comes back has a day left, or as long as such a turn lasts if that
    is less.
    """
    if deadlines.away != "deadline":
        return at
    calendar, margin = calendar_of(deadlines), min(deadlines.length(kind), DAY)
    put_off = at
    for absence in sorted(absences, key=lambda absence: (absence.first, absence.last)):
        if absence.first <= put_off and absence.last > now:
            put_off = max(put_off, calendar.due(absence.last, margin))
    return max(at, min(put_off, calendar.next_allowed(first + deadlines.away_limit)))


def absent_seats(position: GamePosition, now: Millis) -> frozenset[Seat]:
    """The seats for which the bots order now, since their players are away and the terms say so."""
    if position.deadlines.away not in ("bot", "substitute"):
        return frozenset()
    return frozenset(absence.seat for absence in position.absences if absence.first <= now < absence.last)


def is_late(position: GamePosition, received: Millis) -> bool:
    """Return whether a letter came after the deadline and its grace: its orders no longer count.

    While the clock stands still nothing is late, nor where there is none.
    """
    if position.deadline is None or position.timing.stop is not None or is_solo(position):
        return False
    return received > position.deadline + position.deadlines.grace


def is_in_grace(position: GamePosition, received: Millis) -> bool:
    """Return whether a letter came after the deadline, but within the grace: late, and counted."""
    if position.deadline is None or position.timing.stop is not None or is_solo(position):
        return False
    return received > position.deadline and not is_late(position, received)


def is_over(position: GamePosition, now: Millis) -> bool:
    """Return whether the deadline of the turn that is due is over, however long its grace goes on."""
    return overdue(position, now) is not None


def without_waits(position: GamePosition, now: Millis) -> GamePosition:
    """Return the game as its turn is run: after the deadline WAIT holds nothing."""
    if not is_over(position, now):
        return position
    chairs = {seat: replace_fields(chair, wait=False) for seat, chair in position.chairs.items()}
    return replace(position, chairs=chairs)


def is_ripe(position: GamePosition, now: Millis, polled_from: Millis | None) -> bool:
    """Return whether the deadline and its grace are over and the mailbox was drained since.

    polled_from: when the last poll that was finished began; None: there was none.
    """
    if not position.is_running or position.deadline is None or is_solo(position):
        return False
    end = position.deadline + position.deadlines.grace
    return now > end and polled_from is not None and polled_from > end


def bots_continue_at(game: Game, position: GamePosition) -> Millis | None:
    """When bots play the next turn of a game without a clock, since its one person is out of it.

    None: somebody is waited for, or there is a clock. A turn a deadline, as if there were one.
    """
    rest = position.timing.rest
    if rest is None or is_in_play(game, position.state, position.chairs):
        return None
    return next_deadline(position, game.rules.turn(position.state).kind, rest.since)


def is_complete(game: Game, position: GamePosition, now: Millis) -> bool:
    """Return whether every person who owes orders has sent them, so that the turn need not wait.

    Never true of a game that waits for its deadlines (early=no), if it has any. Of a turn in which only
    bots owe orders it is true at the opening, if a person sits in the game, and where there is no clock;
    later ones are played with the turn before them, and where the one person is out when
    `bots_continue_at` says. Who is away is not waited for, unless all are who owe any.
    """
    if not position.is_running:
        return False
    position = without_waits(position, now)
    people, alone = people_due(game, position), is_solo(position)
    if not people and alone:
        at = bots_continue_at(game, position)
        return at is None or now > at
    if not people:
        return position.played == 0 and any(chair.is_person for chair in position.chairs.values())
    gone = absent_seats(position, now)
    here = [due for due in people if due.seat not in gone]
    return (
        (position.early or alone or is_over(position, now))
        and bool(here)
        and all(
            has_all_orders(
                game, position.state, due, position.chairs[due.seat], position.filed.get(due.seat, ())
            )
            for due in here
        )
    )


def missing_orders(game: Game, position: GamePosition) -> Mapping[Seat, tuple[str, ...]]:
    """Return what each seat that is asked for orders still lacks, in words; empty when all is in.

    A rejected line of its newest letter is asked for too, whatever else is there.
    """
    lacking: dict[Seat, tuple[str, ...]] = {}
    for due in game.rules.due(position.state):
        items = position.filed.get(due.seat, ())
        filed = usable_orders(game, position.state, due, items)
        more = () if position.chairs[due.seat].ready else missing_for_due(due, filed)
        before = lacking.get(due.seat, rejected_lines(items))
        lacking[due.seat] = before + more
    return lacking


_LEFT_OUT, _NOT_TAKEN = "can't be carried out as it stands", "was not taken"


def rejected_lines(items: Iterable[Item]) -> tuple[str, ...]:
    """The lines of a seat that were not taken, or cannot be carried out, as they are named to people."""
    found = (item for item in items if isinstance(item, Untaken))
    return tuple(f'"{item.line}", which {_LEFT_OUT if item.left_out else _NOT_TAKEN}' for item in found)


def people_due(game: Game, position: GamePosition) -> tuple[Due, ...]:
    """Return the dues of people."""
    return tuple(due for due in game.rules.due(position.state) if position.chairs[due.seat].is_person)
