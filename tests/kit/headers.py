"""Parses each header of an email once, because the tests read the same headers again and again.

The standard library asks for the type of each part a dozen times, and parses the header for each answer. That
took a seventh of the time of tests that play by email. A parsed header never changes.
"""

from email.headerregistry import HeaderRegistry
from functools import lru_cache

_MAX_HEADERS = 4096

_parse = HeaderRegistry.__call__
_parse_once = lru_cache(_MAX_HEADERS)(_parse)


def begin() -> None:
    """Parse no text of a header twice from now on."""
    HeaderRegistry.__call__ = lambda registry, name, value: (_parse_once if type(value) is str else _parse)(
        registry, name, value
    )
