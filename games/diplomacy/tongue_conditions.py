"""What IF may ask, with the words of all languages in it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from games.diplomacy.languages import Tongues, bare
from games.diplomacy.tongue_forms import Row

_UNIT_LETTERS = frozenset("aeflvw")
_GROUP = re.compile(r"\(([^(){}\[\]]*)\)")
_SLOT = re.compile(r"(?=\{(?:place|nation):)")
_ASKS = re.compile(r"[(|](?:in|is occupied|is empty|owns|is owned by)[|)]")
"""What shows that a word before a name is an article and no unit's letter."""
_MARKS = (
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
class TongueConditions:
    """How conditions read with the words of some languages."""

    tongues: Tongues

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Those of English with the words of the languages in them, then some that English has not."""
        if not self.tongues.languages:
            yield from rows
            return
        for name, pattern, example in rows:
            yield name, self._spoken(pattern), example
        near, there = self._some("at"), self._some("there")
        for pattern in (
            f"{{nation:nation}} (in|{near}) {{place:province}} ({there})",
            f"(in|{near}) {{place:province}} ({there}) {{nation:nation}}",
        ):
            yield "unit-of-at", self._spoken(pattern), "{N} is in {A}"
        owns = self._spoken("{nation:nation} {place:province} (owns)")
        yield "owned-by", owns, "{N} owns {A}"

    def _spoken(self, pattern: str) -> str:
        """A pattern with articles before its places, and the words in its choices."""
        asks = bool(_ASKS.search(pattern))
        # "England E in BEL": there it is Italian for "is", and no Spanish army.
        shortest = 2 if "(is|stands|)" in pattern else 1
        spoken = _GROUP.sub(lambda group: self._wider(group, shortest), pattern)
        articles = [
            one for one in self.tongues.words("the") if asks or bare(one).lower() not in _UNIT_LETTERS
        ]
        return _SLOT.sub(f"[the|{'|'.join(articles)}] ", spoken)

    def _some(self, sort: str) -> str:
        return "|".join(self._words(sort))

    def _words(self, sort: str) -> list[str]:
        """The words of a sort, but none for "in" that is a unit's letter too: A MUN asks for an army."""
        found = self.tongues.words(sort)
        return [word for word in found if sort != "at" or bare(word).lower() not in _UNIT_LETTERS]

    def _wider(self, group: re.Match[str], shortest: int) -> str:
        """A choice of words with those of the languages, by what stands in it in English."""
        said = group[1].split("|")
        sort = next((sort for mark, sort in _MARKS if mark in said), None)
        if sort is None:
            return group[0]
        words = [word for word in self._words(sort) if len(word) >= shortest]
        return f"({'|'.join((*said, *words))})"
