"""The forms of orders with the words of all languages."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from games.diplomacy.boards.languages import BoardLanguages, bare
from games.diplomacy.model import UNIT, Row

_FORM_UNIT_LETTERS = frozenset("aeflvw")
_FORM_GROUP = re.compile(r"\(([^(){}\[\]]*)\)")


@dataclass(frozen=True)
class TranslatedForms:
    """Forms with the words of some languages.

    sails: whether the board has fleets.
    """

    tongues: BoardLanguages
    sails: bool

    def translate(self, row: Row, unit: str) -> Row:
        """Return a form with the words of the languages. unit: the English words for a unit."""
        name, pattern, example = row
        if not self.tongues.languages:
            return name, pattern.replace(UNIT, unit), example
        pattern = _FORM_GROUP.sub(self._widen, pattern).replace("[the]", f"[the|{self._some('the')}]")
        return name, pattern.replace(UNIT, self._unit(unit)), example

    def _unit(self, unit: str) -> str:
        return (
            f"[{self._some('the')}] {_add_words(unit, self._nouns)} [{self._some('at')}] "
            f"[{self._some('the')}]"
        )

    @cached_property
    def _nouns(self) -> tuple[str, ...]:
        units = self.tongues.words("unit")
        return (*self.tongues.words("army"), *self.tongues.words("fleet"), *units) if self.sails else units

    @cached_property
    def _goal_words(self) -> tuple[str, ...]:
        """Return the words before a goal, without those that are also the letter of a unit."""
        return tuple(word for word in self.tongues.words("to") if bare(word) not in _FORM_UNIT_LETTERS)

    def _some(self, sort: str) -> str:
        return "|".join(self.tongues.words(sort))

    def _widen(self, group: re.Match[str]) -> str:
        """Return a choice of words with those of the languages. Its English words tell which ones."""
        alternatives = group[1].split("|")
        words = self.tongues.words
        if "to" in alternatives and "-" in alternatives:
            goes = words("goes") if {"move", "moves", "moving", "m"} & {*alternatives} else ()
            retreats = words("retreats") if "retreat" in alternatives else ()
            return (
                f"{_add_words(group[0], (*self._goal_words, *goes, *retreats))} "
                f"[{'|'.join(self._goal_words)}]"
            )
        for mark, sort in _WORD_SORTS.items():
            if mark in alternatives:
                return _add_words(group[0], words(sort))
        return group[0]

    def rows(self, unit: str, build: str) -> Iterator[Row]:
        """Yield forms that don't exist in English. build: the form's name for a build of a unit on foot."""
        if not self.tongues.languages:
            return
        words, whole = self.tongues.words, self._unit(unit)
        the, to = f"[the|{self._some('the')}]", "|".join(self._goal_words)
        for before, behind in self.tongues.around:
            yield (
                "move",
                f"{whole} {{unit:province}} {before} [{to}] {the} {{to:province}} {behind}",
                "{A} unit to {B}",
            )
        for before, behind in self.tongues.apart:
            yield "disband", f"{before} {whole} {{unit:province}} {behind}", "remove {A}"
        nouns, there = _choice(self._nouns), f"[{self._some('at')}] {the} {{unit:province}}"
        if self._nouns:
            yield "hold", f"{the} {nouns} ({self._some('stands')}) {there}", "hold {A}"
        advance = f"(the|{self._some('the')}|) ({self._some('advance')}) (of|from|by|{self._some('at')}|)"
        into = f"(-|to|{to}|{self._some('goes')}) [{to}] {the}"
        yield (
            "support-move",
            f"{whole} {{unit:province}} (s|supports|{self._some('supports')}) [{self._some('the')}] "
            f"{advance} {whole} {{other:province}} {into} {{to:province}}",
            "{A} supports the move from {B} to {C}",
        )
        yield from self._builds(build, _choice(("b", "build", *words("build"))), _choice(words("new")))
        if words("canoe"):
            yield from self._canoes(whole, to, the)

    def forgone(self) -> Iterator[Row]:
        """Yield more ways to waive, for phases with builds."""
        if forgo := self.tongues.words("forgo"):
            yield "waive", _choice(forgo), "WAIVE"

    def _builds(self, build: str, verb: str, new: str) -> Iterator[Row]:
        words = self.tongues.words
        there = f"[in|at|{self._some('at')}] [{self._some('the')}] {{unit:province}}"
        kinds = [(build, words("unit"), "build {A}")]
        if self.sails:
            kinds = [
                ("build-army", ("a", *words("army")), "build army {A}"),
                ("build-fleet", ("f", *words("fleet")), "build fleet {K}"),
            ]
        for name, nouns, example in kinds:
            if not nouns:
                continue
            noun = _choice(nouns)
            yield name, f"{verb} [the|{self._some('the')}] [{new[1:-1]}] {noun} {there}", example
            yield name, f"{new} {noun} {there}", example
            yield name, f"{noun} {there} {verb}", example

    def _canoes(self, whole: str, to: str, the: str) -> Iterator[Row]:
        the_, goes = (
            f"[{self._some('the')}]",
            f"(-|to|{to}|{self._some('goes')}) [{to}] {the} {{to:province}}",
        )
        canoe, along = f"({self._some('canoe')})", f"[{self._some('along')}] {the_}"
        verb = _choice(("b", "build", *self.tongues.words("build")))
        yield "carry", f"{whole} {{unit:province}} {goes} {along} {canoe}", "W {h} - {w} CANOE"
        yield "carry", f"{whole} {{unit:province}} {along} {canoe} {goes}", "{H} with canoe to {W}"
        yield "build-canoe", f"{whole} {{unit:province}} {verb} {the_} {canoe}", "W {h} B CANOE"
        yield "build-canoe", f"{verb} {the_} {canoe} {whole} {{unit:province}}", "build canoe in {H}"
        destroy = f"(destroy|{self._some('destroy')})"
        yield "destroy", f"{destroy} {the_} [{canoe[1:-1]}] {whole} {{at:province}}", "DESTROY {h}"

    def seasonal(self, unit: str) -> Iterator[Row]:
        """Yield forms for movement phases only. In other phases their word is the letter of a unit."""
        to = [word for word in self.tongues.words("to") if bare(word) in _FORM_UNIT_LETTERS]
        if not to:
            return
        whole, goes = self._unit(unit), _choice(("moves", *self.tongues.words("goes"), ""))
        into = f"{goes} {_choice(to)} [{self._some('the')}] {{to:province}}"
        supports = f"(s|supports|{self._some('supports')}) [{self._some('the')}]"
        moved = f"({self._some('advance')}) [{self._some('at')}]"
        yield "move", f"[{self._some('move')}] {whole} {{unit:province}} {into}", "{A} unit to {B}"
        for what in ("", moved):
            pattern = f"{whole} {{unit:province}} {supports} {what} {whole} {{other:province}} {into}"
            yield "support-move", pattern, "{A} supports the move from {B} to {C}"
        if self.sails:
            convoys = f"(c|convoys|{self._some('convoys')})"
            pattern = f"{whole} {{unit:province}} {convoys} {whole} {{other:province}} {into}"
            yield "convoy", pattern, "F {f} C A {k} - {m}"


_WORD_SORTS = {
    "hold": "stands",
    "holds": "stands",
    "h": "stands",
    "supports": "supports",
    "the move": "advance",
    "convoys": "convoys",
    "via": "via",
    "march": "move",
    "waive": "waive",
    "disband": "disband",
}
"""The field of `LanguageWords` that goes with a choice of words, by an English word in it."""


def _choice(words: Iterable[str]) -> str:
    return f"({'|'.join(dict.fromkeys(words))})"


def _add_words(group: str, words: Iterable[str]) -> str:
    """Return a choice with more words."""
    return f"{group[:-1]}|{'|'.join(words)})" if words else group


# Conditions after IF with the words of all languages.


_CONDITION_UNIT_LETTERS = frozenset("aeflvw")
_CONDITION_GROUP = re.compile(r"\(([^(){}\[\]]*)\)")
_SLOT = re.compile(r"(?=\{(?:place|nation):)")
_ASKS = re.compile(r"[(|](?:in|is occupied|is empty|owns|is owned by)[|)]")
"""The English words of a condition that show that a word before a name is an article, not a unit's letter."""
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
"""Pairs of an English word in a choice and the field of `LanguageWords` that goes with it."""


@dataclass(frozen=True)
class TranslatedConditions:
    """Conditions with the words of some languages."""

    tongues: BoardLanguages

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the English conditions with the words of the languages, then some that aren't English."""
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
        """Return a pattern with articles before its places, and with words in its choices."""
        asks = bool(_ASKS.search(pattern))
        # In "England E in BEL" the E could be Italian for "is" or a Spanish army.
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
        """Return the words of a field. Words for "in" that are the letter of a unit are left out."""
        words = self.tongues.words(sort)
        return [word for word in words if sort != "at" or bare(word).lower() not in _CONDITION_UNIT_LETTERS]

    def _widen(self, group: re.Match[str], shortest: int) -> str:
        """Return a choice of words with those of the languages. Its English words tell which ones."""
        alternatives = group[1].split("|")
        sort = next((sort for mark, sort in _CONDITION_MARKS if mark in alternatives), None)
        if sort is None:
            return group[0]
        words = [word for word in self._usable_words(sort) if len(word) >= shortest]
        return f"({'|'.join((*alternatives, *words))})"
