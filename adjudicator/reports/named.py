"""Names of powers inside a text, found so that a page can set their colours before them."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache


def split_at_names(text: str, names: Collection[str]) -> tuple[str, ...]:
    """Return a text in pieces, each name in one of its own: "Won by Italy." as "Won by ", "Italy" and "."."""
    if not names:
        return (text,)
    return tuple(piece for piece in _pattern(tuple(names)).split(text) if piece)


def leading_names(rows: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """For each row the name with which it begins, however far it is indented, or ""."""
    if not names:
        return ("",) * len(rows)
    matches = (_pattern(tuple(names)).match(row.lstrip()) for row in rows)
    return tuple(match[0] if match else "" for match in matches)


@lru_cache(maxsize=32)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the names as a word; of two that begin alike the longer one."""
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)({words})(?!\w)")
