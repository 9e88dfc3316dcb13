"""Finds the thing that a player means by a name: exactly, nearly, or one of several."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import rapidfuzz

from games.protocol import Lexicon, LexiconEntry
from orders.reading.budget import make_once
from orders.words import Word, spell_umlauts, words

NameMatchKind = Literal["exact", "prefix", "near", "guess", "nothing"]

_JOINERS = {"-", "/", "(", ")"}
_MIN_SURE_PREFIX, _MIN_PREFIX = 4, 3
_CLEAR_LEAD = 0.05
_MAX_SLIPS = 6
_MAX_UNLIKENESS = 0.5


class NameMatch(NamedTuple):
    """The terms that a span of words may name. With several terms it is ambiguous.

    exact: as the lexicon has it; prefix: the beginning of a name, four letters or more; near: misspelt, and
    one name is clearly the nearest (or several are as near); guess: too little to be sure of.
    """

    how: NameMatchKind
    terms: tuple[LexiconEntry, ...] = ()


NO_NAME = NameMatch("nothing")


class _Node:
    __slots__ = ("terms", "words")

    def __init__(self) -> None:
        self.words: dict[str, _Node] = {}
        self.terms: tuple[LexiconEntry, ...] = ()


class NameIndex:
    """A lexicon ready for reading. It never changes."""

    def __init__(self, lexicon: Iterable[LexiconEntry]) -> None:
        self._root = _Node()
        self._spelt: dict[str, dict[str, tuple[LexiconEntry, ...]]] = {}
        self._lists: dict[frozenset[str], list[tuple[str, LexiconEntry]]] = {}
        self._spellings: dict[frozenset[str], list[str]] = {}
        self._sorted: dict[frozenset[str], list[tuple[str, int]]] = {}
        self._cache: dict[tuple[str, frozenset[str]], NameMatch] = {}
        for term in lexicon:
            for name in term.names:
                self._add(term, name)
                if not name.isascii():
                    self._add(term, spell_umlauts(name))

    def _add(self, term: LexiconEntry, name: str) -> None:
        spelt_out = [word.key for word in words(name)]
        parts = [key for key in spelt_out if key not in _JOINERS]
        # A name made only of signs, such as a game's "more than", only joins others.
        if not any(key[0].isalnum() for key in parts):
            parts = spelt_out
        node = self._root
        for part in parts:
            node = node.words.setdefault(part, _Node())
        if parts and term not in node.terms:
            node.terms += (term,)
            spelt = self._spelt.setdefault(term.sort, {})
            key = " ".join(parts)
            spelt[key] = (*spelt.get(key, ()), term)

    def at(self, line: Sequence[Word], place: int) -> list[tuple[int, tuple[LexiconEntry, ...]]]:
        """Return the names that begin at a word: (index after the last word, terms), the longest first."""
        names: list[tuple[int, tuple[LexiconEntry, ...]]] = []
        node = self._root.words.get(line[place].key)
        if node is None:
            return names
        index = place + 1
        while node is not None:
            if node.terms:
                # A bracket that was opened inside the name is closed after it.
                closes = index < len(line) and line[index].key == ")"
                end = index + 1 if closes and any(word.key == "(" for word in line[place:index]) else index
                again = self._past_repetition(line, end, node.terms) if line[place].key[0].isalnum() else None
                names.append((end, node.terms))
                if again is not None:
                    names.append(again)
            if index + 1 < len(line) and line[index].key in _JOINERS:
                # A hyphen, slash or bracket glued to both words, or a bracket after a space, is part of it.
                before, sign, after = line[index - 1 : index + 2]
                glued = sign.end == after.start and (before.end == sign.start or sign.key == "(")
                index += glued or sign.key == "/"
            if index >= len(line):
                break
            node = node.words.get(line[index].key)
            index += 1
        names.reverse()
        return names

    def _past_repetition(
        self, line: Sequence[Word], place: int, terms: tuple[LexiconEntry, ...]
    ) -> tuple[int, tuple[LexiconEntry, ...]] | None:
        """Return the end of a repeated name, in brackets or not: "Mohawk (10)", "10 Mohawk"."""
        opened = place < len(line) and line[place].key == "("
        index, node = place + opened, self._root
        while index < len(line) and line[index].key in node.words:
            node = node.words[line[index].key]
            index += 1
        closed = index < len(line) and line[index].key == ")"
        if node is self._root or not (closed or not opened):
            return None
        same = tuple(term for term in terms if term in node.terms)
        return (index + opened, same) if same else None

    def openings(self, sorts: frozenset[str]) -> frozenset[str]:
        """Return the first words of names of these kinds."""
        return frozenset(key.split(" ", 1)[0] for sort in sorts for key in self._spelt.get(sort, ()))

    def beginnings(self, sorts: frozenset[str]) -> frozenset[tuple[str, ...]]:
        """Return the first words of names of these kinds: one word of each, two, and so on."""
        names = (key.split(" ") for sort in sorts for key in self._spelt.get(sort, ()))
        return frozenset(tuple(name[: size + 1]) for name in names for size in range(len(name)))

    def lone_names(self, sort: str, literals: frozenset[str]) -> dict[str, str]:
        """Return the id of each name of one word that names one term, of this sort, and nothing else.

        literals: the words of orders. None of them is such a name, or goes on behind it as a longer name.
        """
        return {
            key: node.terms[0].id
            for key, node in self._root.words.items()
            if len(node.terms) == 1 and node.terms[0].sort == sort and key.isalpha() and key.isascii()
            if key not in literals and literals.isdisjoint(node.words)
        }

    @cached_property
    def has_numbers(self) -> bool:
        """Return whether a name is a number."""
        return any(word.isdigit() for word in self.vocabulary)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Return the words of all names."""
        return frozenset(word for spelt in self._spelt.values() for key in spelt for word in key.split(" "))

    @property
    def sorts(self) -> frozenset[str]:
        """Return the sorts of its terms."""
        return frozenset(self._spelt)

    def terms_of(self, sort: str) -> tuple[LexiconEntry, ...]:
        """Return all terms of a sort, in the lexicon's order."""
        return _distinct(term for _, terms in self._terms_by_name(frozenset((sort,))) for term in terms)

    def has(self, key: str) -> bool:
        """Return whether a name begins with that word."""
        return key in self._root.words

    def find(self, spelt: str, sorts: frozenset[str]) -> NameMatch:
        """Return the terms of these sorts that the words, separated by single spaces, may name."""
        question = (spelt, sorts)
        if question not in self._cache:
            if len(self._cache) > 4096:
                self._cache.clear()
            self._cache[question] = self._find(spelt, sorts)
        return self._cache[question]

    def _find(self, spelt: str, sorts: frozenset[str]) -> NameMatch:
        self._make_ready(sorts)
        names = self._lists[sorts]
        exact = _distinct(term for sort in sorted(sorts) for term in self._spelt.get(sort, {}).get(spelt, ()))
        if exact:
            return NameMatch("exact", exact)
        begun = self._terms_beginning(spelt, sorts)
        if begun and len(spelt) >= _MIN_SURE_PREFIX:
            return NameMatch("prefix", begun)
        near = _nearest(spelt, names, self._spellings[sorts])
        if near:
            return NameMatch("near", near)
        return NameMatch("guess", begun) if begun and len(spelt) >= _MIN_PREFIX else NO_NAME

    def _terms_beginning(self, spelt: str, sorts: frozenset[str]) -> tuple[LexiconEntry, ...]:
        """Return the terms with a name that begins with a text, in the lexicon's order."""
        names, in_order = self._lists[sorts], self._sorted[sorts]
        places = []
        for name, place in in_order[bisect_left(in_order, (spelt, -1)) :]:
            if not name.startswith(spelt):
                break
            places.append(place)
        return _distinct(names[place][1] for place in sorted(places))

    def terms_beginning(self, spelt: str, sorts: frozenset[str]) -> tuple[LexiconEntry, ...]:
        """Return the terms of these sorts with a name that begins with a text."""
        self._make_ready(sorts)
        return self._terms_beginning(spelt, sorts)

    def closest(self, spelt: str, sorts: frozenset[str]) -> LexiconEntry | None:
        """Return the term whose name is most like the words; None if nothing is similar."""
        self._make_ready(sorts)
        spellings = self._spellings[sorts]
        similar = rapidfuzz.process.extract(
            spelt,
            spellings,
            scorer=rapidfuzz.distance.OSA.normalized_distance,
            score_cutoff=_MAX_UNLIKENESS,
            limit=None,
        )
        best = min(((far, name, place) for name, far, place in similar), default=None)
        return self._lists[sorts][best[2]][1] if best and best[0] < _MAX_UNLIKENESS else None

    def nearest(
        self, typed: str, sorts: frozenset[str], count: int = 3
    ) -> tuple[tuple[str, int, float], ...]:
        """Return the names nearest to a typed text, one of each term, with their slips and unlikeness."""
        self._make_ready(sorts)
        spelt = " ".join(word.key for word in words(typed) if word.key not in _JOINERS)
        similar = rapidfuzz.process.extract(
            spelt,
            self._spellings[sorts],
            scorer=rapidfuzz.distance.OSA.distance,
            score_cutoff=_MAX_SLIPS,
            limit=None,
        )
        best: dict[LexiconEntry, tuple[int, float]] = {}
        for name, slips, place in similar:
            term, score = (
                self._lists[sorts][place][1],
                (int(slips), rapidfuzz.distance.JaroWinkler.distance(spelt, name)),
            )
            best[term] = min(score, best.get(term, score))
        ranked = sorted(best, key=lambda term: (best[term], term.names[0]))
        return tuple((term.names[0], *best[term]) for term in ranked[:count])

    def _make_ready(self, sorts: frozenset[str]) -> None:
        """Prepare the names of these sorts, once."""
        if sorts not in self._lists:
            names = [(name, term) for name, terms in self._terms_by_name(sorts) for term in terms]
            self._lists[sorts] = names
            self._spellings[sorts] = [name for name, _ in names]
            self._sorted[sorts] = sorted((name, place) for place, (name, _) in enumerate(names))

    def _terms_by_name(self, sorts: frozenset[str]) -> Iterable[tuple[str, tuple[LexiconEntry, ...]]]:
        for sort in sorted(sorts):
            yield from self._spelt.get(sort, {}).items()


def _distinct(terms: Iterable[LexiconEntry]) -> tuple[LexiconEntry, ...]:
    return tuple(dict.fromkeys(terms))


def _nearest(
    spelt: str, names: Sequence[tuple[str, LexiconEntry]], spellings: Sequence[str]
) -> tuple[LexiconEntry, ...]:
    """Return the nearest term, or all that are near. Two measures of likeness have to agree."""
    if len(spelt) < 4 or any(char.isdigit() for char in spelt):
        return ()
    scored: dict[LexiconEntry, tuple[int, float]] = {}
    close = rapidfuzz.process.extract(
        spelt, spellings, scorer=rapidfuzz.distance.OSA.distance, score_cutoff=_MAX_SLIPS, limit=None
    )
    for _, _, place in close:
        name, term = names[place]
        distance = _distance(spelt, name)
        if distance is not None:
            score = (distance, rapidfuzz.distance.JaroWinkler.distance(spelt, name))
            scored[term] = min(score, scored.get(term, score))
    ranked = sorted(scored, key=lambda term: (scored[term], term.id))
    return tuple(term for term in ranked if _rivals(scored[ranked[0]], scored[term]))


def _distance(spelt: str, name: str) -> int | None:
    """Return the slips between a name and a typed text; None if there are too many.

    Each word must be like the same word of the name ("the Huron" isn't Lake Huron), unless words were joined
    or parted.
    """
    if len(name) < 4 or abs(len(spelt) - len(name)) > 3:
        return None
    ours, theirs = spelt.split(), name.split()
    if len(ours) != len(theirs):
        # A single letter is its own word: "Mohawk C" isn't a misspelt Mohawk.
        limit = 1 if min(map(len, ours)) > 2 else 0
        apart = rapidfuzz.distance.OSA.distance("".join(ours), "".join(theirs), score_cutoff=limit)
        return apart if apart <= limit else None
    total = 0
    for our_word, other in zip(ours, theirs, strict=True):
        size = min(len(our_word), len(other))
        limit = 0 if size < 4 else 1 if size == 4 else 2 if size < 9 else 3
        slips = rapidfuzz.distance.OSA.distance(our_word, other, score_cutoff=limit)
        if slips > limit:
            return None
        total += slips
    return total


def _rivals(best: tuple[int, float], other: tuple[int, float]) -> bool:
    """Return whether another spelling is about as near as the best one (or is the best one)."""
    lead = other[1] - best[1]
    return lead < _CLEAR_LEAD if other[0] == best[0] else lead < 0


@make_once
def index_lexicon(lexicon: Lexicon) -> NameIndex:
    """Return the index of a lexicon's names. Equal lexicons are indexed once."""
    return NameIndex(lexicon)


def find_names(spelt: Sequence[Word], lexicon: Lexicon, sorts: Iterable[str]) -> NameMatch:
    """Return the terms of the sorts that these words name."""
    return index_lexicon(lexicon).find(
        " ".join(word.key for word in spelt if word.key != "-"), frozenset(sorts)
    )
