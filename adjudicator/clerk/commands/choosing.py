"""Words that stand for something: seats by their names, games by theirs, days as people write them."""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from adjudicator.clock import EASTERNMOST, WESTERNMOST, Millis, instant, moment
from adjudicator.signs.addresses import short
from games.protocol import Seat

_JOINTS = re.compile(r"\s*(?:[,;/&+]|\band\b|\bthen\b|\bor\b)\s*", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_POINTS = re.compile(r"(\d{1,2})[./](\d{1,2})(?:[./](\d{4})?)?")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?\s+([a-z]{3,9})\.?(?:,?\s+(\d{4}))?")
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?")
_SPAN = re.compile(r"\s+(?:to|till|until|through|-+|–|—)\s+|\s*(?:–|—|\.\.+)\s*", re.IGNORECASE)


class Chosen(NamedTuple):
    """Seats that were named, in order, and the words that name none."""

    seats: tuple[Seat, ...]
    unknown: tuple[str, ...]


def choose_seats(text: str, seats: Collection[Seat]) -> Chosen:
    """The seats that a list names: in full, or by a beginning that only one has."""
    found: list[Seat] = []
    unknown: list[str] = []
    for part in filter(None, _JOINTS.split(text.strip(" .:!*"))):
        seat = seat_called(part, seats)
        if seat is not None:
            found.append(seat)
            continue
        words = part.split()
        each = [seat_called(word, seats) for word in words]
        if len(words) > 1 and all(each):
            found += [one for one in each if one is not None]
        else:
            unknown.append(part)
    return Chosen(tuple(dict.fromkeys(found)), tuple(unknown))


def seat_called(text: str, seats: Iterable[Seat]) -> Seat | None:
    """The seat of that name, or the only one whose name begins so."""
    said = short(re.sub(r"^\s*the\s+", "", text, flags=re.IGNORECASE))
    names = {short(seat): seat for seat in seats}
    if said in names:
        return names[said]
    begun = [seat for name, seat in names.items() if said and name.startswith(said)]
    return begun[0] if len(begun) == 1 else None


class Days(NamedTuple):
    """The first and the last instant of some days."""

    first: Millis
    last: Millis


def days_of(text: str, now: Millis, zone: tzinfo, *, anywhere: bool = False) -> Days | None:
    """The days that a text names, such as ``20 December to 5 January``; a single one is a day on its own.

    A day without a year is the next one of that name; the second is not before the first. None: it names no
    days. zone: in which they begin and end; anywhere: they begin with the first clock on earth and end with
    the last, so that nothing shows whose they are.
    """
    today = moment(now, zone).date()
    parts = _SPAN.split(re.sub(r"^\s*from\s+", "", text.strip(" ."), flags=re.IGNORECASE))
    if not 1 <= len(parts) <= 2:
        return None
    first = _day(parts[0], today)
    last = first if first is None or len(parts) == 1 else _day(parts[1], first)
    if first is None or last is None or last < first:
        return None
    begins, ends = (EASTERNMOST, WESTERNMOST) if anywhere else (zone, zone)
    return Days(_at(first, begins), _at(last + timedelta(days=1), ends) - 1)


def _at(day: date, zone: tzinfo) -> Millis:
    return instant(datetime.combine(day, time(), zone))


def _day(text: str, after: date) -> date | None:
    """A day by its name, the next one of that name from a day on where it has no year."""
    said = text.strip().lower()
    near = {"today": after, "tomorrow": after + timedelta(days=1)}
    if said in near:
        return near[said]
    for form, order in ((_ISO, "ymd"), (_POINTS, "dmy"), (_DAY_MONTH, "dmy"), (_MONTH_DAY, "mdy")):
        match = form.fullmatch(said)
        if match:
            values = dict(zip(order, match.groups(), strict=True))
            return _built(values["y"], _month(values["m"]), int(values["d"]), after)
    return None


def _month(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    return next((number for number, name in enumerate(_MONTHS, 1) if text.startswith(name)), None)


def _built(year: str | None, month: int | None, day: int, after: date) -> date | None:
    years: Sequence[int] = (int(year),) if year else range(after.year, after.year + 5)
    for one in years:
        try:
            found = date(one, month or 0, day)
        except ValueError:
            continue
        if year or found >= after:
            return found
    return None
