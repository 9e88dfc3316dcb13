"""Lists, plural forms, numbers, dates and lengths of time in the language of our texts (Babel)."""

# Babel takes 7 ms to import and its data 20 ms, and most commands need neither. So a part of Babel is
# imported when a function first needs it, and the rules of English for plural forms and for numbers below a
# thousand are written here. tests/games/test_language.py compares both with Babel. Texts repeat the same
# lists and lengths of time, so their words are cached.

from collections.abc import Iterable
from datetime import datetime
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from babel.core import Locale

LANGUAGE = "en_GB"
"""The locale of all texts. British lists have no comma before "and"."""
_CACHED_TEXTS = 1024


def join_list(items: Iterable[str], joint: Literal["and", "or"] = "and") -> str:
    """Return a list in words: "a, b and c" or "a, b or c"; "" for no items."""
    parts = tuple(items)
    if len(parts) > 1:
        return _join_several(parts, joint)
    return parts[0] if parts else ""


def plural_form(number: int) -> str:
    """Return the CLDR plural category of a number, which is "one" or "other" in English."""
    return "one" if number in (1, -1) else "other"


def format_number(number: int) -> str:
    """Return a number with marks between its thousands: "12,000"."""
    return str(number) if -1000 < number < 1000 else _format_large(number)


def format_halves(number: float) -> str:
    """Return a number of whole or half things: "12", "12½", "½"."""
    whole, half = divmod(round(2 * number), 2)
    return f"{whole or ''}½" if half else str(whole)


@lru_cache(_CACHED_TEXTS)
def format_length(*, days: int = 0, hours: int = 0, minutes: int = 0) -> str:
    """Return a length of time in words: "2 hours and 30 minutes", or "0 minutes" if all are 0."""
    units = (("day", days), ("hour", hours), ("minute", minutes))
    parts = [(unit, number) for unit, number in units if number] or [("minute", 0)]
    format_unit = _babel("units").format_unit
    return join_list(format_unit(number, unit, locale=_locale()) for unit, number in parts)


def format_moment(moment: datetime, pattern: str) -> str:
    """Return a date and time in words by a pattern of the Unicode CLDR: "EEEE d MMMM y", "d MMM HH:mm".

    The time is given in the time zone of the moment.
    """
    # British English has four letters in "Sept" alone, which would shift the columns of a table.
    text: str = _babel("dates").format_datetime(moment, pattern, tzinfo=moment.tzinfo, locale="en")
    return text


@lru_cache(_CACHED_TEXTS)
def _join_several(parts: tuple[str, ...], joint: Literal["and", "or"]) -> str:
    style = "standard" if joint == "and" else "or"
    text: str = _babel("lists").format_list(parts, style=style, locale=_locale())
    return text


def _format_large(number: int) -> str:
    text: str = _babel("numbers").format_decimal(number, locale=_locale())
    return text


@cache
def _locale() -> "Locale":
    locale: Locale = _babel("core").Locale.parse(LANGUAGE)
    return locale


@cache
def _babel(part: str) -> Any:
    return import_module(f"babel.{part}")
