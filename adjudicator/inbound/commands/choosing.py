"""Command arguments: seats by their names, and days as people write them."""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from adjudicator.clock import EASTERNMOST_ZONE, WESTERNMOST_ZONE, Millis, datetime_of, instant_of
from adjudicator.model.addresses import short_seat_name
from games.protocol import Seat

_SEAT_SEPARATOR = re.compile(r"\s*(?:[,;/&+]|\band\b|\bthen\b|\bor\b)\s*", re.IGNORECASE)
_MONTH_STEMS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTTED_DATE = re.compile(r"(\d{1,2})[./](\d{1,2})(?:[./](\d{4})?)?")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?\s+([a-z]{3,9})\.?(?:,?\s+(\d{4}))?")
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?")
_DAY_SPAN_SEPARATOR = re.compile(r"\s+(?:to|till|until|through|-+|–|—)\s+|\s*(?:–|—|\.\.+)\s*", re.IGNORECASE)


class ChosenSeats(NamedTuple):
    """Seats that were named, in order, and the words that name none."""

    seats: tuple[Seat, ...]
    unknown: tuple[str, ...]


def choose_seats(text: str, seats: Collection[Seat]) -> ChosenSeats:
    """Return the seats that a list names: in full, or by a prefix that only one has."""
    named_seats: list[Seat] = []
    unknown: list[str] = []
    for part in filter(None, _SEAT_SEPARATOR.split(text.strip(" .:!*"))):
        seat = match_seat(part, seats)
        if seat is not None:
            named_seats.append(seat)
            continue
        words = part.split()
        matches = [match_seat(word, seats) for word in words]
        if len(words) > 1 and all(matches):
            named_seats += [match for match in matches if match is not None]
        else:
            unknown.append(part)
    return ChosenSeats(tuple(dict.fromkeys(named_seats)), tuple(unknown))


def match_seat(text: str, seats: Iterable[Seat]) -> Seat | None:
    """Return the seat of that name, or the only one whose name begins so."""
    prefix = short_seat_name(re.sub(r"^\s*the\s+", "", text, flags=re.IGNORECASE))
    names = {short_seat_name(seat): seat for seat in seats}
    if prefix in names:
        return names[prefix]
    begun = [seat for name, seat in names.items() if prefix and name.startswith(prefix)]
    return begun[0] if len(begun) == 1 else None


class DaySpan(NamedTuple):
    """The first and the last instant of some days."""

    first: Millis
    last: Millis


def parse_days(text: str, now: Millis, zone: tzinfo, *, anywhere: bool = False) -> DaySpan | None:
    """Return the days that a text names, such as ``20 December to 5 January``; a single day is a span too.

    A day without a year is the next one of that name; the second is not before the first. None: it names
    no days. zone: in which they begin and end; anywhere: they begin with the first clock on earth and end
    with the last, so that nothing shows whose they are.
    """
    today = datetime_of(now, zone).date()
    parts = _DAY_SPAN_SEPARATOR.split(re.sub(r"^\s*from\s+", "", text.strip(" ."), flags=re.IGNORECASE))
    if not 1 <= len(parts) <= 2:
        return None
    first = _parse_day(parts[0], today)
    last = first if first is None or len(parts) == 1 else _parse_day(parts[1], first)
    if first is None or last is None or last < first:
        return None
    begins, ends = (EASTERNMOST_ZONE, WESTERNMOST_ZONE) if anywhere else (zone, zone)
    return DaySpan(
        _instant_at_midnight(first, begins), _instant_at_midnight(last + timedelta(days=1), ends) - 1
    )


def _instant_at_midnight(day: date, zone: tzinfo) -> Millis:
    return instant_of(datetime.combine(day, time(), zone))


def _parse_day(text: str, after: date) -> date | None:
    """Return a day by its name, the next one of that name from a day on where it has no year."""
    name = text.strip().lower()
    near = {"today": after, "tomorrow": after + timedelta(days=1)}
    if name in near:
        return near[name]
    for form, order in ((_ISO_DATE, "ymd"), (_DOTTED_DATE, "dmy"), (_DAY_MONTH, "dmy"), (_MONTH_DAY, "mdy")):
        match = form.fullmatch(name)
        if match:
            values = dict(zip(order, match.groups(), strict=True))
            return _make_date(values["y"], _parse_month(values["m"]), int(values["d"]), after)
    return None


def _parse_month(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    return next((number for number, name in enumerate(_MONTH_STEMS, 1) if text.startswith(name)), None)


def _make_date(year: str | None, month: int | None, day: int, after: date) -> date | None:
    years: Sequence[int] = (int(year),) if year else range(after.year, after.year + 5)
    for candidate_year in years:
        try:
            candidate = date(candidate_year, month or 0, day)
        except ValueError:
            continue
        if year or candidate >= after:
            return candidate
    return None
