"""The public holidays of a country or a part of one: ``DE``, ``DE-BY``, ``US-CA``.

The library that knows them is large (14 MB, a quarter of a second to load), and few games name a country: it
is optional (``turnpost[holidays]``), and loaded when a game does.
"""

import logging
import re
from datetime import date
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec

HOLIDAYS_LIBRARY = "holidays"
INSTALL_HOLIDAYS = "pip install turnpost[holidays]"

_COUNTRY_CODE_RE = re.compile(r"([A-Z]{2})(?:-([A-Z0-9]{1,3}))?")

log = logging.getLogger(__name__)


def is_country_code(text: str) -> bool:
    """Return whether a text is written as the code of a country or of a part of one."""
    return _COUNTRY_CODE_RE.fullmatch(text) is not None


def is_library_installed() -> bool:
    """Return whether the library is installed."""
    return find_spec(HOLIDAYS_LIBRARY) is not None


@cache
def is_known_country(code: str) -> bool:
    """Return whether the library knows the country, and that part of it."""
    return _days(code, 2026) is not None


@lru_cache(maxsize=256)
def days_of(code: str, year: int) -> frozenset[date]:
    """The public holidays of a year; none where the library is not there any more, as `gm doctor` says."""
    if not is_library_installed():
        log.error("the holidays of %s are not known here: %s", code, INSTALL_HOLIDAYS)
        return frozenset()
    return _days(code, year) or frozenset()


def _days(code: str, year: int) -> frozenset[date] | None:
    match = _COUNTRY_CODE_RE.fullmatch(code)
    if match is None:
        return None
    library = import_module(HOLIDAYS_LIBRARY)
    try:
        return frozenset(library.country_holidays(match[1], subdiv=match[2], years=year))
    except NotImplementedError:
        return None
