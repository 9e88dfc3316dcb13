"""Instants and spans as a gamesmaster writes them: "2026-12-01 20:00", "fri 20:00", "20:00", "36h"."""

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from adjudicator.clock import Millis, datetime_of, instant_of
from adjudicator.errors import Refusal
from adjudicator.model.deadlines import WEEKDAYS

INSTEAD = "write it like  2026-12-01 20:00,  fri 20:00  or  20:00"

_TIME_PATTERN = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)"
_SHORT_HOUR_RE = re.compile(r"[ T](?=\d:)")
_DAY_AND_TIME_RE = re.compile(rf"(?:(?P<day>[a-z]+) +)?{_TIME_PATTERN}")


def parse_instant(text: str, zone: ZoneInfo, now: Millis) -> Millis:
    """The instant that is meant, by the clocks of a zone; of a weekday or an hour, the next one to come.

    A date with an offset ("2026-12-01T20:00+01:00") says itself by which clock. Raises Refusal.
    """
    words = " ".join(text.lower().split())
    match = _DAY_AND_TIME_RE.fullmatch(words)
    if match is not None:
        return _next(match["day"], time(int(match["hour"]), int(match["minute"])), zone, now, text)
    try:
        date = datetime.fromisoformat(_SHORT_HOUR_RE.sub("T0", words.upper()))
    except ValueError as fault:
        raise Refusal(f"instant {text}", "cannot be read", INSTEAD) from fault
    if ":" not in words:
        raise Refusal(f"instant {text}", "names no hour", INSTEAD)
    return instant_of(date if date.tzinfo else date.replace(tzinfo=zone))


def _next(day: str | None, hour: time, zone: ZoneInfo, now: Millis, text: str) -> Millis:
    today = datetime_of(now, zone).date()
    days = range(8)
    if day in ("today", "tomorrow"):
        days = range(1) if day == "today" else range(1, 2)
    elif day is not None:
        if day[:3] not in WEEKDAYS:
            raise Refusal(f"instant {text}", f"{day} is no day of the week", INSTEAD)
        ahead = (WEEKDAYS.index(day[:3]) - today.weekday()) % 7
        days = range(ahead, ahead + 8, 7)
    for step in days:
        struck = instant_of(datetime.combine(today + timedelta(days=step), hour, zone))
        if struck > now:
            return struck
    raise Refusal(f"instant {text}", "is over already", INSTEAD)
