"""The deadlines of turns. Only date arithmetic: the time is an argument."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from adjudicator.clock import DAY, HOUR, MINUTE, Millis, datetime_of, instant_of
from adjudicator.config.terms import days_of, is_country_code
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import (
    is_in_play,
    is_solo,
    overdue,
    start_position_clock,
    stop_position_clock,
)
from adjudicator.model.deadlines import WEEKDAYS, Deadlines
from adjudicator.model.games import GamePosition
from adjudicator.model.orders_on_file import Item, Untaken, weigh
from adjudicator.model.people import Absence
from adjudicator.turns.gather import has_all_orders, missing_for_due
from games.protocol import Due, Game, Seat
from games.record import Value, replace_fields

LEAST_LEFT: Millis = 6 * HOUR
"""The minimum time after a report in games with fixed hours, unless half the turn's length is shorter."""

LATEST: Millis = HOUR
"""A turn that ran within this time after its deadline and grace period ran because of its deadline."""

CLOCK = "clock"
"""The actor of a turn that ran because of its deadline."""


def next_deadline(position: GamePosition, kind: str, now: Millis) -> Millis:
    """Return the deadline of a turn of this kind that begins now, by the game's settings alone."""
    return _following(_Run(now), position.deadlines.length(kind), position.deadlines)


def with_clock(game: Game, position: GamePosition, now: Millis) -> GamePosition:
    """Return the game with a clock if its players need one, otherwise without.

    Starting a clock starts the current turn's time. A stopped clock is unchanged.
    """
    alone = is_solo(position)
    resting = position.timing.rest is not None
    if not position.is_running or position.timing.stop is not None or alone == resting:
        return position
    if alone:
        return stop_position_clock(position, now)
    return start_position_clock(position, next_deadline(position, game.rules.turn(position.state).kind, now))


def deadline_after_turn(position: GamePosition, kind: str, ran: Millis, by: str) -> Millis:
    """Return the deadline of the next turn, of this kind, by the settings alone.

    position: when the last turn ran. by: its actor, CLOCK if the deadline caused it. In a game with fixed
    hours, a turn that ran because of its deadline counts from that deadline, any other from the time it ran.
    """
    run = _run_of(position, ran) if by == CLOCK else _Run(ran)
    return _following(run, position.deadlines.length(kind), position.deadlines)


def extended_deadline(position: GamePosition, now: Millis) -> Millis:
    """Return the current turn's deadline after an extension because of missing orders."""
    terms = position.deadlines
    if not terms.hours:
        return calendar_of(terms).due(now, terms.extension)
    return _following(_run_of(position, now), terms.extension, terms)


class _Run(Value, frozen=True):
    """The time of a turn, as far as it matters for the next one.

    start: the next turn's length counts from this instant. used: how long after `start` the turn was due.
    """

    start: Millis
    used: Millis = 0


def _run_of(position: GamePosition, ran: Millis) -> _Run:
    """Return when a turn was run by the clock, based on its deadline if that is the reason."""
    at, grace = position.deadline, position.deadlines.grace
    if not position.deadlines.hours or at is None or position.timing.stop is not None:
        return _Run(ran)
    if not at < ran <= at + grace + LATEST:
        return _Run(ran)
    # If all orders were in, it ran at the deadline, up to a poll later; otherwise the grace period was used.
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
    """Return a deadline extended for absent players, never earlier than before.

    at: the deadline. first: the deadline by the settings; `away_limit` counts from it. absences: those of
    players with missing orders. A returning player has a day, or the turn's length if that is shorter.
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
    """Return the seats that bots play now, because their players are away and the settings say so."""
    if position.deadlines.away not in ("bot", "substitute"):
        return frozenset()
    return frozenset(absence.seat for absence in position.absences if absence.first <= now < absence.last)


def is_late(position: GamePosition, received: Millis) -> bool:
    """Return whether an email came after the deadline and the grace period, so its orders don't count.

    Nothing is late while the clock is stopped, or if there is none.
    """
    if position.deadline is None or position.timing.stop is not None or is_solo(position):
        return False
    return received > position.deadline + position.deadlines.grace


def is_in_grace(position: GamePosition, received: Millis) -> bool:
    """Return whether an email came after the deadline but within the grace period: late, but accepted."""
    if position.deadline is None or position.timing.stop is not None or is_solo(position):
        return False
    return received > position.deadline and not is_late(position, received)


def without_waits(position: GamePosition, now: Millis) -> GamePosition:
    """Return the game at the time its turn runs: after the deadline, WAIT has no effect."""
    if overdue(position, now) is None:
        return position
    assignments = {
        seat: replace_fields(assignment, wait=False) for seat, assignment in position.assignments.items()
    }
    return replace(position, assignments=assignments)


def is_ripe(position: GamePosition, now: Millis, polled_from: Millis | None) -> bool:
    """Return whether deadline and grace period have passed and the mailbox was polled since.

    polled_from: the start of the last finished poll, None: there was none.
    """
    if not position.is_running or position.deadline is None or is_solo(position):
        return False
    end = position.deadline + position.deadlines.grace
    return now > end and polled_from is not None and polled_from > end


def bots_continue_at(game: Game, position: GamePosition) -> Millis | None:
    """Return when bots run the next turn in a game without a clock, after its human player was eliminated.

    The turns then take as long as with a clock. Return None if a player is waited for, or if there is a
    clock.
    """
    rest = position.timing.rest
    if rest is None or is_in_play(game, position.state, position.assignments):
        return None
    return next_deadline(position, game.rules.turn(position.state).kind, rest.since)


def is_complete(game: Game, position: GamePosition, now: Millis) -> bool:
    """Return whether all orders due from human players are in, so that the turn needn't wait.

    Return False in a game that waits for its deadlines (early=no). If only bots have orders due, the turn
    runs at once in a game without a clock, and at the opening if there is a human player. Later turns of
    bots run together with the turn before them, or at `bots_continue_at` if the human player was eliminated.
    Absent players aren't waited for, unless all players with orders due are absent.
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
        (position.early or alone or overdue(position, now) is not None)
        and bool(here)
        and all(
            has_all_orders(
                game, position.state, due, position.assignments[due.seat], position.filed.get(due.seat, ())
            )
            for due in here
        )
    )


def missing_orders(game: Game, position: GamePosition) -> Mapping[Seat, tuple[str, ...]]:
    """Return the missing orders of each seat, in words; empty if all its orders are in.

    A rejected line of its latest email also counts as missing, even if all orders are in.
    """
    lacking: dict[Seat, tuple[str, ...]] = {}
    for due in game.rules.due(position.state):
        items = position.filed.get(due.seat, ())
        filed = weigh(game, position.state, due, items).orders
        more = () if position.assignments[due.seat].ready else missing_for_due(due, filed)
        before = lacking.get(due.seat, rejected_lines(items))
        lacking[due.seat] = before + more
    return lacking


def rejected_lines(items: Iterable[Item]) -> tuple[str, ...]:
    """Return a seat's lines that were rejected or can't be carried out, in words."""
    rejected = (item for item in items if isinstance(item, Untaken))
    return tuple(
        sentence("reports.transcript.missing_left_out", line=item.line)
        if item.left_out
        else sentence("reports.transcript.missing_rejected", line=item.line)
        for item in rejected
    )


def people_due(game: Game, position: GamePosition) -> tuple[Due, ...]:
    """Return the orders due from human players."""
    return tuple(due for due in game.rules.due(position.state) if position.assignments[due.seat].is_person)


# Date arithmetic: days that count, hours that a deadline can have, and time counted over both.
#
# Instants are milliseconds UTC, so a result is the same instant for everyone. Days and clock times are in the
# game's time zone.


# Rule 1: elapsed time counts, except for whole days in a game with fixed hours. These are calendar days of
# the zone, so that a daily game keeps its hour when clocks change. Rule 2: no result is before the given
# instant. Rule 3: a later start or a longer time never gives an earlier deadline.


_A_DAY = timedelta(days=1)


class WorkingCalendar(Value, frozen=True):
    """The days that count and the hours allowed for deadlines, in a time zone.

    days_off: weekdays, Monday is 0. yearly: (month, day). once: first and last day, inclusive. countries:
    their public holidays don't count. hours: sorted; empty: any instant.
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
        """Return the start of the next day. If a clock goes back over midnight, a day can start twice."""
        day = datetime_of(at, self.zone).date() + _A_DAY
        begins = (instant_of(datetime.combine(day, time(), self.zone).replace(fold=fold)) for fold in (0, 1))
        return min((midnight for midnight in begins if midnight > at), default=at + 1)

    def open_from(self, at: Millis) -> Millis:
        """Return the first instant at or after `at` on a day that counts."""
        while not self.is_counted_at(at):
            at = self.midnight_after(at)
        return at

    def after(self, start: Millis, length: Millis) -> Millis:
        """Return the instant after this much time on days that count since `start`, on a day that counts.

        With fixed hours, whole days are counted on the calendar and the rest as elapsed time.
        """
        if not self.hours:
            return self._add_counted_time(start, length)
        days, rest = divmod(length, DAY)
        # In a night that is an hour short, 23.5 hours would end after a whole day.
        return min(
            self._add_counted_time(self._days_after(start, days), rest), self._days_after(start, days + 1)
        )

    def _days_after(self, start: Millis, days: int) -> Millis:
        """Return when the clocks show the same time as at `start`, this many counting days later."""
        at = start if self.counts_every_day else self.open_from(start)
        if not days:
            return at
        while datetime_of(at, self.zone).fold:
            # An hour that occurs twice has passed when it has passed for the second time.
            at += MINUTE - at % MINUTE
        begins = datetime_of(at, self.zone).replace(tzinfo=None)
        day = begins.date()
        for _ in range(days):
            day += _A_DAY
            while not self.is_counted_day(day):
                day += _A_DAY
        return self._instant_on_clock(datetime.combine(day, begins.time()))

    def _instant_on_clock(self, there: datetime) -> Millis:
        """Return the first instant when the clocks show a time, or a later time if they skip it."""
        at = min(instant_of(there.replace(tzinfo=self.zone, fold=fold)) for fold in (0, 1))
        while datetime_of(at, self.zone).replace(tzinfo=None) < there:
            at += MINUTE - at % MINUTE
        return at

    def _add_counted_time(self, start: Millis, length: Millis) -> Millis:
        """Return the instant after this much elapsed time on days that count."""
        if self.counts_every_day:
            return start + length
        at = self.open_from(start)
        while (day_ends := self.midnight_after(at)) <= at + length:
            length -= day_ends - at
            at = self.open_from(day_ends)
        return self.open_from(at + length)

    def next_allowed(self, at: Millis) -> Millis:
        """Return the first instant at or after `at` that a deadline can have.

        An hour that clocks skip is moved forward by the skipped time. An hour that occurs twice counts the
        first time.
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
        """Return the first possible deadline at least this long after `start`."""
        return self.next_allowed(self.after(start, length))


def zone_named(name: str) -> ZoneInfo:
    """Return the time zone of a game. Raises Refusal if it no longer exists on this machine."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as fault:
        raise Refusal(
            sentence("service.time_zone.what", zone=name),
            sentence("service.time_zone.gone"),
            sentence("service.time_zone.gone_instead"),
        ) from fault


def zone_exists(name: str) -> bool:
    """Return whether this machine knows a time zone with this name."""
    try:
        zone_named(name)
    except Refusal:
        return False
    return True


def calendar_of(deadlines: Deadlines) -> WorkingCalendar:
    """Return the calendar of a game's settings. Raises Refusal as `zone_named` does."""
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
