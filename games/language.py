"""Lists, plural forms, numbers, dates and lengths of time in the language of our texts (Babel)."""

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Literal

from babel.core import Locale
from babel.dates import format_datetime
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.units import format_unit

LANGUAGE = "en_GB"
"""The locale of all texts. British lists have no comma before "and"."""


def join_list(items: Iterable[str], joint: Literal["and", "or"] = "and") -> str:
    """Return a list in words: "a, b and c" or "a, b or c"; "" for no items."""
    return format_list(tuple(items), style="standard" if joint == "and" else "or", locale=_locale())


def plural_form(number: int) -> str:
    """Return the CLDR plural category of a number, which is "one" or "other" in English."""
    return _locale().plural_form(number)


def format_number(number: int) -> str:
    """Return a number with marks between its thousands: "12,000"."""
    return format_decimal(number, locale=_locale())


def format_length(*, days: int = 0, hours: int = 0, minutes: int = 0) -> str:
    """Return a length of time in words: "2 hours and 30 minutes", or "0 minutes" if all are 0."""
    units = (("day", days), ("hour", hours), ("minute", minutes))
    parts = [(unit, number) for unit, number in units if number] or [("minute", 0)]
    return join_list(format_unit(number, unit, locale=_locale()) for unit, number in parts)


def format_moment(moment: datetime, pattern: str) -> str:
    """Return a date and time in words by a pattern of the Unicode CLDR: "EEEE d MMMM y", "d MMM HH:mm".

    The time is given in the time zone of the moment.
    """
    return format_datetime(moment, pattern, tzinfo=moment.tzinfo, locale=_locale())


@cache
def _locale() -> Locale:
    return Locale.parse(LANGUAGE)
