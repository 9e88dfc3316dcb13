"""What people write before a colon and their orders on one line: "Final:", "Instead of:"."""

import re
from functools import lru_cache
from typing import Any

from games.data import read_toml
from orders.words import keys, spelt_out

_LABEL = re.compile(r"^([^:]{1,200}):\s*(?=\S)")
_SIGNS = frozenset((",", "-", "(", ")", "/", "&"))


@lru_cache(maxsize=1)
def _openings() -> tuple[tuple[frozenset[str], frozenset[tuple[str, ...]]], ...]:
    """For each language the words of which such a label may consist, and whole labels."""
    table: dict[str, Any] = read_toml("orders", "labels.toml")
    return tuple(
        (
            frozenset(
                key for one in language["words"] for said in (one, spelt_out(one)) for key in keys(said)
            ),
            frozenset(keys(one) for one in language.get("phrases", ())),
        )
        for language in table.values()
    )


def label_of(text: str) -> re.Match[str] | None:
    """Match what stands before a colon at the head of a tidy text; the match ends where the rest begins."""
    return _LABEL.match(text)


@lru_cache(maxsize=1024)
def is_opening(label: str) -> bool:
    """Whether a label only announces what follows."""
    said = tuple(key for key in keys(label) if key not in _SIGNS)
    if not said:
        return False
    return any(said in phrases or vocabulary.issuperset(said) for vocabulary, phrases in _openings())


def is_phrase(label: str) -> bool:
    """Whether a label stands in the lists as a whole."""
    said = tuple(key for key in keys(label) if key not in _SIGNS)
    return any(said in phrases for _, phrases in _openings())
