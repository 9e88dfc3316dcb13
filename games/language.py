"""Lists and plural forms in the language of our texts, from the Unicode CLDR (library Babel)."""

from collections.abc import Iterable
from functools import cache
from typing import Literal

from babel.core import Locale
from babel.lists import format_list

LANGUAGE = "en_GB"
"""The locale of all texts. British lists have no comma before "and"."""


def join_list(items: Iterable[str], joint: Literal["and", "or"] = "and") -> str:
    """Return a list in words: "a, b and c" or "a, b or c"; "" for no items."""
    return format_list(tuple(items), style="standard" if joint == "and" else "or", locale=_locale())


def plural_form(number: int) -> str:
    """Return the CLDR plural category of a number, which is "one" or "other" in English."""
    return _locale().plural_form(number)


@cache
def _locale() -> Locale:
    return Locale.parse(LANGUAGE)
