"""Labels that people write before a colon and their orders: "Final:", "On land:", "Instead of:"."""

import re
from functools import lru_cache
from typing import Any

from games.data import read_toml
from orders.words import keys, spell_umlauts

_LABEL_PATTERN = re.compile(r"^([^:]{1,200}):\s*(?=\S)")
_LABEL_SIGNS = frozenset((",", "-", "(", ")", "/", "&"))


@lru_cache(maxsize=1)
def _openings() -> tuple[tuple[frozenset[str], frozenset[tuple[str, ...]]], ...]:
    """Return for each language the words of which such a label may consist, and whole labels."""
    table: dict[str, Any] = read_toml("orders", "labels.toml")
    return tuple(
        (
            frozenset(
                key
                for phrase in language["words"]
                for spelling in (phrase, spell_umlauts(phrase))
                for key in keys(spelling)
            ),
            frozenset(keys(phrase) for phrase in language.get("phrases", ())),
        )
        for language in table.values()
    )


def label_of(text: str) -> re.Match[str] | None:
    """Match what stands before a colon at the head of a tidy text; the match ends where the rest begins."""
    return _LABEL_PATTERN.match(text)


@lru_cache(maxsize=1024)
def is_opening(label: str) -> bool:
    """Return whether a label only announces what follows."""
    word_keys = tuple(key for key in keys(label) if key not in _LABEL_SIGNS)
    if not word_keys:
        return False
    return any(
        word_keys in phrases or vocabulary.issuperset(word_keys) for vocabulary, phrases in _openings()
    )


def is_phrase(label: str) -> bool:
    """Whether a label stands in the lists as a whole."""
    said = tuple(key for key in keys(label) if key not in _LABEL_SIGNS)
    return any(said in phrases for _, phrases in _openings())
