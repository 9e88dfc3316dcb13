"""Date arithmetic: which days count, at which hours a deadline may fall, time counted over both.

Instants are milliseconds UTC, so whatever comes out is the same instant for all. Days begin and clocks are
read in the game's own time zone.
"""

# Rule 1: only elapsed time is counted. That a day has 23 or 25 hours shows in what the clocks of the zone
#         say, never in how long anybody had.
# Rule 2: nothing here returns an instant before the one that it was given.

from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from adjudicator.clock import Millis, instant, moment
from adjudicator.errors import Refusal
from adjudicator.ledger.hours import WEEKDAYS, Deadlines
from adjudicator.settings.countries import days_of, is_code
from games.record import Value

_A_DAY = timedelta(days=1)


class Calendar(Value, frozen=True):
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
    def counts_all(self) -> bool:
        """Whether every day counts."""
        return not (self.days_off or self.yearly or self.once or self.countries)

    def counts(self, day: date) -> bool:
        """Whether a day counts."""
        return (
            day.weekday() not in self.days_off
            and (day.month, day.day) not in self.yearly
            and not any(first <= day <= last for first, last in self.once)
            and not any(day in days_of(code, day.year) for code in self.countries)
        )

    def counts_at(self, at: Millis) -> bool:
        """Whether the day of an instant counts."""
        return self.counts(moment(at, self.zone).date())

    def midnight_after(self, at: Millis) -> Millis:
        """When the next day begins; where a clock is put back over midnight, it may begin twice."""
        day = moment(at, self.zone).date() + _A_DAY
        begins = (instant(datetime.combine(day, time(), self.zone).replace(fold=fold)) for fold in (0, 1))
        return min((one for one in begins if one > at), default=at + 1)

    def open_from(self, at: Millis) -> Millis:
        """The first instant from `at` on whose day counts."""
        while not self.counts_at(at):
            at = self.midnight_after(at)
        return at

    def after(self, start: Millis, length: Millis) -> Millis:
        """When so much time of days that count has passed since `start`; itself on a day that counts."""
        if self.counts_all:
            return start + length
        at = self.open_from(start)
        while (day_ends := self.midnight_after(at)) <= at + length:
            length -= day_ends - at
            at = self.open_from(day_ends)
        return self.open_from(at + length)

    def settled(self, at: Millis) -> Millis:
        """The first instant from `at` on at which a deadline may fall.

        An hour that clocks skip when they go forward is struck as much later as they go forward; one that
        comes twice is struck the first time.
        """
        if not self.hours:
            return self.open_from(at)
        day = moment(at, self.zone).date()
        while True:
            for hour in self.hours:
                struck = instant(datetime.combine(day, hour, self.zone))
                if struck >= at and self.counts_at(struck):
                    return struck
            day += _A_DAY

    def due(self, start: Millis, length: Millis) -> Millis:
        """The deadline of a turn that begins at `start`: never earlier than its length wants it."""
        return self.settled(self.after(start, length))


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
    """Whether this machine knows a time zone of that name."""
    try:
        zone_named(name)
    except Refusal:
        return False
    return True


def calendar_of(deadlines: Deadlines) -> Calendar:
    """The calendar of a game's terms, which `terms` has found to be sound. Raises as `zone_named`."""
    return _calendar(deadlines.zone, deadlines.days_off, deadlines.holidays, deadlines.hours)


@lru_cache(maxsize=64)
def _calendar(
    zone: str, days_off: tuple[str, ...], holidays: tuple[str, ...], hours: tuple[str, ...]
) -> Calendar:
    countries = tuple(one for one in holidays if is_code(one))
    days = [one for one in holidays if one not in countries]
    spans = [one.partition("..") for one in days if len(one) > 5]
    return Calendar(
        zone=zone_named(zone),
        days_off=frozenset(WEEKDAYS.index(day) for day in days_off),
        yearly=frozenset((int(one[:2]), int(one[3:])) for one in days if len(one) == 5),
        once=tuple(
            (date.fromisoformat(first), date.fromisoformat(last or first)) for first, _, last in spans
        ),
        countries=countries,
        hours=tuple(sorted(time.fromisoformat(hour) for hour in hours)),
    )
