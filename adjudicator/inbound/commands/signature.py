"""Signatures: does a text end with its writer's name, below a greeting or bare?"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

_MAX_SIGNATURE_ROWS = 3
"""So many rows at the end of a text may be its signature."""

_MIN_NAME_CHARS = 2
"""A word of one letter is nobody's name."""

_SIGNATURE_SEPARATOR = re.compile(r"[,;:!?()/|]+|\.(?=\s|$)|(?:^|\s)[-–—~*]+|[–—]")
"""What stands between a greeting and a name."""

_GREETING_WORDS = frozenset({
    "a", "always", "and", "as", "best", "by", "cheers", "ever", "faithfully", "for", "friend", "from", "good",
    "greetings", "hello", "humble", "i", "in", "kind", "love", "luck", "many", "me", "of", "oh", "player",
    "regards", "respectfully", "servant", "sign", "signed", "sincerely", "thank", "thanks", "the", "this",
    "to", "truly", "us", "warm", "warmly", "we", "wishes", "with", "written", "you", "your", "yours", "beste",
    "bis", "danke", "dein", "deine", "der", "die", "freundliche", "freundlichen", "gez", "gruss", "grusse",
    "grussen", "gruesse", "gruessen", "herzliche", "ihr", "ihre", "lg", "liebe", "mfg", "mit", "schone", "vg",
    "viele", "amicalement", "atentamente", "bien", "cordiali", "cordialement", "cordialmente", "groeten",
    "met", "salutations", "saludos", "saluti", "vriendelijke",
})  # fmt: skip
"""Words of greetings, without their accents, among which a name is bare all the same."""


def find_signature(text: str, names: Iterable[str], beside: str = "") -> str | None:
    """Return the row at the end of a text that is nothing but one of the names, or a part of it; or None.

    A greeting may stand in the row ("Yours, Anna of the Iroquois"), and initials are a name too. A name
    inside a sentence is none. beside: what may stand in it as well, and signs nothing.
    """
    polite = _GREETING_WORDS | set(_split_words(beside))
    known = {word for name in names for word in _words_of_name(name)} - polite
    rows = [row.strip() for row in text.splitlines() if row.strip()]
    for row in reversed(rows[-_MAX_SIGNATURE_ROWS:]):
        if any(_is_name(part, known, polite) for part in (row, *list(_split_row(row))[-1:])):
            return row
    return None


def _split_row(row: str) -> Iterator[str]:
    """Return the parts of a row between its marks."""
    return (part for part in _SIGNATURE_SEPARATOR.split(row) if part.strip())


def _is_name(part: str, known: set[str], polite: frozenset[str]) -> bool:
    bare = set(_split_words(part)) - polite
    return bool(bare) and bare <= known


def _words_of_name(name: str) -> Iterator[str]:
    """Yield the words of a name, and its initials."""
    words = _split_words(name)
    yield from (word for word in words if len(word) >= _MIN_NAME_CHARS)
    if len(words) >= _MIN_NAME_CHARS:
        yield "".join(word[0] for word in words)


def _split_words(text: str) -> list[str]:
    """Return the words of a text, without accents and capitals; initials with their stops are one word."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    closed = re.sub(r"\b(\w)\.\s?(?=\w\b\.?)", r"\1", bare)
    return re.findall(r"[^\W_]+", closed.casefold())
