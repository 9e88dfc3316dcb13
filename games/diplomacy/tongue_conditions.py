"""Conditions of IF with the words of all languages in them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.diplomacy.boards.languages import BoardLanguages, bare
from games.diplomacy.order_forms import Row

_CONDITION_UNIT_LETTERS = frozenset("aeflvw")
_CONDITION_GROUP = re.compile(r"\(([^(){}\[\]]*)\)")
_SLOT = re.compile(r"(?=\{(?:place|nation):)")
_ASKS = re.compile(r"[(|](?:in|is occupied|is empty|owns|is owned by)[|)]")
"""What shows that a word before a name is an article and no unit's letter."""
_CONDITION_MARKS = (
    ("in", "at"),
    ("is occupied", "occupied"),
    ("is empty", "empty"),
    ("owns", "owns"),
    ("is owned by", "owned"),
    ("is", "there"),
    ("army", "army"),
    ("fleet", "fleet"),
    ("war party", "unit"),
)
"""What marks a choice of English words, and of which sort its like in other languages are."""


@dataclass(frozen=True)
class TranslatedConditions:
    """Conditions with the words of some languages."""

    tongues: BoardLanguages

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Those of English with the words of the languages in them, then some that English has not."""
        if not self.tongues.languages:
            yield from rows
            return
        for name, pattern, example in rows:
            yield name, self._translate_pattern(pattern), example
        near, there = self._some("at"), self._some("there")
        for pattern in (
            f"{{nation:nation}} (in|{near}) {{place:province}} ({there})",
            f"(in|{near}) {{place:province}} ({there}) {{nation:nation}}",
        ):
            yield "unit-of-at", self._translate_pattern(pattern), "{N} is in {A}"
        owns = self._translate_pattern("{nation:nation} {place:province} (owns)")
        yield "owned-by", owns, "{N} owns {A}"

    def _translate_pattern(self, pattern: str) -> str:
        """Return a pattern with articles before its places, and the words in its choices."""
        asks = bool(_ASKS.search(pattern))
        # "England E in BEL": there it is Italian for "is", and no Spanish army.
        shortest = 2 if "(is|stands|)" in pattern else 1
        spoken = _CONDITION_GROUP.sub(lambda group: self._widen(group, shortest), pattern)
        articles = [
            article
            for article in self.tongues.words("the")
            if asks or bare(article).lower() not in _CONDITION_UNIT_LETTERS
        ]
        return _SLOT.sub(f"[the|{'|'.join(articles)}] ", spoken)

    def _some(self, sort: str) -> str:
        return "|".join(self._usable_words(sort))

    def _usable_words(self, sort: str) -> list[str]:
        """The words of a sort, but none for "in" that is a unit's letter too: A MUN asks for an army."""
        words = self.tongues.words(sort)
        return [word for word in words if sort != "at" or bare(word).lower() not in _CONDITION_UNIT_LETTERS]

    def _widen(self, group: re.Match[str], shortest: int) -> str:
        """A choice of words with those of the languages, by what stands in it in English."""
        alternatives = group[1].split("|")
        sort = next((sort for mark, sort in _CONDITION_MARKS if mark in alternatives), None)
        if sort is None:
            return group[0]
        words = [word for word in self._usable_words(sort) if len(word) >= shortest]
        return f"({'|'.join((*alternatives, *words))})"
