"""Date arithmetic: which days count, at which hours a deadline may fall, time counted over both.

Instants are milliseconds UTC, so whatever comes out is the same instant for all. Days begin and clocks are
read in the game's own time zone.
"""

# Rule 1: elapsed time is counted, but for whole days in a game with fixed hours: these are days of the zone's
#         calendar, so that a daily game keeps its hour on the nights when clocks change.
# Rule 2: nothing here returns an instant before the one that it was given.
# Rule 3: whoever begins later, or has longer, is never due earlier.

from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from adjudicator.clock import DAY, MINUTE, Millis, datetime_of, instant_of
from adjudicator.config.countries import days_of, is_country_code
from adjudicator.errors import Refusal
from adjudicator.model.deadlines import WEEKDAYS, Deadlines
from games.record import Value

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
            return self._passed(start, length)
        days, rest = divmod(length, DAY)
        # Where a night is an hour short, 23 hours and a half would end after a whole day.
        return min(self._passed(self._days_after(start, days), rest), self._days_after(start, days + 1))

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
        return self._reached(datetime.combine(day, begins.time()))

    def _reached(self, there: datetime) -> Millis:
        """The first instant at which the clocks show that time, or a later one where they skip it."""
        at = min(instant_of(there.replace(tzinfo=self.zone, fold=fold)) for fold in (0, 1))
        while datetime_of(at, self.zone).replace(tzinfo=None) < there:
            at += MINUTE - at % MINUTE
        return at

    def _passed(self, start: Millis, length: Millis) -> Millis:
        """When so much time has passed on days that count, however long a day is."""
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
            "gm game terms GAME zone=UTC --why TEXT  gives the game another time zone",
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
