"""Time: the service's clock, and instants as datetimes and as text. No other module reads the time."""

import time
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Protocol

from games.language import format_moment

Millis = int
"""An instant: milliseconds since 1970-01-01 UTC; or a length of time."""

MINUTE: Millis = 60_000
HOUR: Millis = 60 * MINUTE
DAY: Millis = 24 * HOUR

EASTERNMOST_ZONE = timezone(timedelta(hours=14))
"""The time zone in which a day begins first."""

WESTERNMOST_ZONE = timezone(timedelta(hours=-12))
"""The time zone in which a day ends last."""


class Clock(Protocol):
    """Tells the time.

    The service receives one when it is created; tests and the demonstration pass their own.
    """

    def now(self) -> Millis:
        """The present instant."""


class WallClock:
    """The machine's clock."""

    def now(self) -> Millis:
        return time.time_ns() // 1_000_000


class ManualClock:
    """A clock that moves only when a caller moves it."""

    def __init__(self, start: Millis) -> None:
        self._now = start

    def now(self) -> Millis:
        return self._now

    def advance(self, millis: Millis) -> None:
        """Move the clock forward by some milliseconds."""
        self._now += millis

    def set(self, instant: Millis) -> None:
        """Move the clock forward to an instant. Raises ValueError if it would go backwards."""
        if instant < self._now:
            raise ValueError("a clock does not go backwards")
        self._now = instant


def instant_of(moment: datetime) -> Millis:
    """Return the instant of an aware datetime."""
    return round(moment.timestamp() * 1000)


def datetime_of(at: Millis, zone: tzinfo = UTC) -> datetime:
    """Return an instant as an aware datetime in a time zone."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone)


# An email shows the same few deadlines in its text and its HTML, and so does the game's next email.
@lru_cache(maxsize=256)
def format_instant(at: Millis, zone: tzinfo = UTC) -> str:
    """Return an instant for people to read: "Friday 24 July 2026, 20:00 CEST"."""
    local = datetime_of(at, zone)
    # Babel has no English abbreviations for most time zones.
    return f"{format_moment(local, 'EEEE d MMMM y, HH:mm')} {local.tzname()}"


def format_day(at: Millis, zone: tzinfo = UTC) -> str:
    """Return the day of an instant for people to read: "Friday 24 July 2026"."""
    return format_moment(datetime_of(at, zone), "EEEE d MMMM y")
