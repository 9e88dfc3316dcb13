"""When a turn falls due. Date arithmetic only: the time is an argument."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from adjudicator.clock import DAY, HOUR, MINUTE, Millis, datetime_of, instant_of
from adjudicator.config.terms import days_of, is_country_code
from adjudicator.errors import Refusal
from adjudicator.model.deadline_status import (
    is_in_play,
    is_solo,
    overdue,
    start_position_clock,
    stop_position_clock,
)
from adjudicator.model.deadlines import WEEKDAYS, Deadlines
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import Item, Untaken, usable_orders
from adjudicator.model.people import Absence
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
    assignments = {
        seat: replace_fields(assignment, wait=False) for seat, assignment in position.assignments.items()
    }
    return replace(position, assignments=assignments)


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
    if rest is None or is_in_play(game, position.state, position.assignments):
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
        return position.played == 0 and any(
            assignment.is_person for assignment in position.assignments.values()
        )
    gone = absent_seats(position, now)
    here = [due for due in people if due.seat not in gone]
    return (
        (position.early or alone or is_over(position, now))
        and bool(here)
        and all(
            has_all_orders(
                game, position.state, due, position.assignments[due.seat], position.filed.get(due.seat, ())
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
        more = () if position.assignments[due.seat].ready else missing_for_due(due, filed)
        before = lacking.get(due.seat, rejected_lines(items))
        lacking[due.seat] = before + more
    return lacking


_LEFT_OUT, _NOT_TAKEN = "can't be carried out as it stands", "was not taken"


def rejected_lines(items: Iterable[Item]) -> tuple[str, ...]:
    """The lines of a seat that were not taken, or cannot be carried out, as they are named to people."""
    rejected = (item for item in items if isinstance(item, Untaken))
    return tuple(f'"{item.line}", which {_LEFT_OUT if item.left_out else _NOT_TAKEN}' for item in rejected)


def people_due(game: Game, position: GamePosition) -> tuple[Due, ...]:
    """Return the dues of people."""
    return tuple(due for due in game.rules.due(position.state) if position.assignments[due.seat].is_person)


# Date arithmetic: which days count, at which hours a deadline may fall, time counted over both.
#
# Instants are milliseconds UTC, so whatever comes out is the same instant for all. Days begin and clocks are
# read in the game's own time zone.


# Rule 1: elapsed time is counted, but for whole days in a game with fixed hours: these are days of the zone's
#         calendar, so that a daily game keeps its hour on the nights when clocks change.
# Rule 2: nothing here returns an instant before the one that it was given.
# Rule 3: whoever begins later, or has longer, is never due earlier.


_A_DAY = timedelta(days=1)


class WorkingCalendar(Value, frozen=True):
    """The days that count and the hours at which a deadline may fall, in a time zone.

    days_off: weekdays, Monday is 0; yearly: (month, day); once: first and last day, both included; countries:
    whose public holidays do not count; hours: in order, none: any instant.
    """

    zone: ZoneInfo
    days_off: frozenset[int] = frozenset()
    yearly: frozenset[tuple[int, int]] = frozenset()
    once: tuple[tuple[date, date], ...] = ()
    countries: tuple[str, ...] = ()
    hours: tuple[time, ...] = ()

    @property
    def counts_every_day(self) -> bool:
        """Return whether every day counts."""
        return not (self.days_off or self.yearly or self.once or self.countries)

    def is_counted_day(self, day: date) -> bool:
        """Return whether a day counts."""
        return (
            day.weekday() not in self.days_off
            and (day.month, day.day) not in self.yearly
            and not any(first <= day <= last for first, last in self.once)
            and not any(day in days_of(code, day.year) for code in self.countries)
        )

    def is_counted_at(self, at: Millis) -> bool:
        """Return whether the day of an instant counts."""
        return self.is_counted_day(datetime_of(at, self.zone).date())

    def midnight_after(self, at: Millis) -> Millis:
        """When the next day begins; where a clock is put back over midnight, it may begin twice."""
        day = datetime_of(at, self.zone).date() + _A_DAY
        begins = (instant_of(datetime.combine(day, time(), self.zone).replace(fold=fold)) for fold in (0, 1))
        return min((midnight for midnight in begins if midnight > at), default=at + 1)

    def open_from(self, at: Millis) -> Millis:
        """The first instant from `at` on whose day counts."""
        while not self.is_counted_at(at):
            at = self.midnight_after(at)
        return at

    def after(self, start: Millis, length: Millis) -> Millis:
        """When so much time of days that count has passed since `start`; itself on a day that counts.

        With fixed hours the whole days of it are counted on the calendar, and the rest as it passes.
        """
        if not self.hours:
            return self._add_counted_time(start, length)
        days, rest = divmod(length, DAY)
        # Where a night is an hour short, 23 hours and a half would end after a whole day.
        return min(
            self._add_counted_time(self._days_after(start, days), rest), self._days_after(start, days + 1)
        )

    def _days_after(self, start: Millis, days: int) -> Millis:
        """When the clocks show the same time as at `start`, so many days that count later."""
        at = start if self.counts_every_day else self.open_from(start)
        if not days:
            return at
        while datetime_of(at, self.zone).fold:
            # An hour that comes twice is over once it is over for the second time.
            at += MINUTE - at % MINUTE
        begins = datetime_of(at, self.zone).replace(tzinfo=None)
        day = begins.date()
        for _ in range(days):
            day += _A_DAY
            while not self.is_counted_day(day):
                day += _A_DAY
        return self._instant_on_clock(datetime.combine(day, begins.time()))

    def _instant_on_clock(self, there: datetime) -> Millis:
        """Return the first instant at which the clocks show a time, or a later one where they skip it."""
        at = min(instant_of(there.replace(tzinfo=self.zone, fold=fold)) for fold in (0, 1))
        while datetime_of(at, self.zone).replace(tzinfo=None) < there:
            at += MINUTE - at % MINUTE
        return at

    def _add_counted_time(self, start: Millis, length: Millis) -> Millis:
        """Return the instant after so much time on days that count, however long a day is."""
        if self.counts_every_day:
            return start + length
        at = self.open_from(start)
        while (day_ends := self.midnight_after(at)) <= at + length:
            length -= day_ends - at
            at = self.open_from(day_ends)
        return self.open_from(at + length)

    def next_allowed(self, at: Millis) -> Millis:
        """Return the first instant from `at` on at which a deadline may fall.

        An hour that clocks skip when they go forward is struck as much later as they go forward; one that
        comes twice is struck the first time.
        """
        if not self.hours:
            return self.open_from(at)
        day = datetime_of(at, self.zone).date()
        while True:
            for hour in self.hours:
                struck = instant_of(datetime.combine(day, hour, self.zone))
                if struck >= at and self.is_counted_at(struck):
                    return struck
            day += _A_DAY

    def due(self, start: Millis, length: Millis) -> Millis:
        """The first instant at which a deadline may fall, so long after `start`."""
        return self.next_allowed(self.after(start, length))


def zone_named(name: str) -> ZoneInfo:
    """Return the time zone of a game. Raises Refusal where it no longer exists on this machine."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as fault:
        raise Refusal(
            f"time zone {name}",
            "it no longer exists on this machine",
            'Use "gm game terms GAME zone=UTC --why TEXT" to change the time zone of the game',
        ) from fault


def zone_exists(name: str) -> bool:
    """Return whether this machine knows a time zone of that name."""
    try:
        zone_named(name)
    except Refusal:
        return False
    return True


def calendar_of(deadlines: Deadlines) -> WorkingCalendar:
    """The calendar of a game's terms, which `terms` has found to be sound. Raises as `zone_named`."""
    return _calendar(deadlines.zone, deadlines.days_off, deadlines.holidays, deadlines.hours)


@lru_cache(maxsize=64)
def _calendar(
    zone: str, days_off: tuple[str, ...], holidays: tuple[str, ...], hours: tuple[str, ...]
) -> WorkingCalendar:
    countries = tuple(item for item in holidays if is_country_code(item))
    days = [item for item in holidays if item not in countries]
    spans = [item.partition("..") for item in days if len(item) > 5]
    return WorkingCalendar(
        zone=zone_named(zone),
        days_off=frozenset(WEEKDAYS.index(day) for day in days_off),
        yearly=frozenset((int(item[:2]), int(item[3:])) for item in days if len(item) == 5),
        once=tuple(
            (date.fromisoformat(first), date.fromisoformat(last or first)) for first, _, last in spans
        ),
        countries=countries,
        hours=tuple(sorted(time.fromisoformat(hour) for hour in hours)),
    )
