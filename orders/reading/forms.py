"""The forms of orders, and the matches of a text with them.

All forms of a game become one automaton over words and names. It is built on demand and kept.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain, product
from typing import NamedTuple

import rapidfuzz

from games.protocol import Form, Invalid, LexiconEntry
from orders.reading.budget import ReadingBudget, make_once
from orders.reading.lexicon import NameIndex
from orders.words import Word, keys, spell_umlauts, tidy, words

# The patterns of forms as items: words with their spellings, and places for names.


_FORM_PATTERN_TOKEN = re.compile(
    r"(\[[^\[\](){}]*\]|\([^\[\](){}]*\))|\{(\w+):([\w|]+)\}|([\[\](|)])|([^\s\[\](){}|]+)"
)
"""A group of words alone (many patterns share one), a place, a sign, or a word."""


class NameSlot(NamedTuple):
    """A place of a form: its name and the sorts of names that fit."""

    name: str
    sorts: frozenset[str]


Spellings = frozenset[tuple[str, ...]]
"""The ways to write one item, each a sequence of word keys. An empty one means that it may be left out."""

Item = NameSlot | Spellings
_Fork = tuple[tuple["Item | _Fork", ...], ...]


def ways(pattern: str) -> list[tuple[Item, ...]]:
    """Return the pattern as sequences of items, one for each choice between places. Raises Invalid."""
    return _variants(_parse(pattern))


def _parse(pattern: str) -> tuple[Item | _Fork, ...]:
    """Return the items of a pattern in order. A fork has alternatives with places in them. Raises Invalid."""
    pieces = [match.groups() for match in _FORM_PATTERN_TOKEN.finditer(pattern)]
    if _FORM_PATTERN_TOKEN.sub("", pattern).strip():
        raise Invalid(f"form {pattern}", "has a brace that is no place", "write {slot:sort}")
    items, rest = _sequence(pieces, 0, pattern)
    if rest != len(pieces):
        raise Invalid(f"form {pattern}", "closes a bracket that it never opened")
    return items


_Pieces = Sequence[tuple[str | None, ...]]


def _sequence(pieces: _Pieces, at: int, pattern: str) -> tuple[tuple[Item | _Fork, ...], int]:
    items: list[Item | _Fork] = []
    while at < len(pieces):
        group_of_words, slot, sorts, sign, literal = pieces[at]
        if sign in ("(", "["):
            group, at = _group(pieces, at, pattern)
            items.append(group)
            continue
        if sign:
            break
        at += 1
        if group_of_words:
            items.append(_spellings_of_group(group_of_words))
        elif slot and sorts:
            items.append(NameSlot(slot, frozenset(sorts.split("|"))))
        elif literal:
            items.append(_spellings_of_word(literal))
    return tuple(items), at


@cache
def _spellings_of_word(literal: str) -> Spellings:
    return frozenset({keys(literal), keys(spell_umlauts(literal))})


@cache
def _spellings_of_group(group: str) -> Spellings:
    """Return the ways to spell a group of words without places."""
    choices = [
        tuple(_spellings_of_word(word) for word in choice.split()) for choice in group[1:-1].split("|")
    ]
    return frozenset(
        tuple(chain.from_iterable(combination))
        for items in ([(), *choices] if group[0] == "[" else choices)
        for combination in product(*items)
    )


def _group(pieces: _Pieces, at: int, pattern: str) -> tuple[Item | _Fork, int]:
    opened = pieces[at][3]
    choices: list[tuple[Item | _Fork, ...]] = [()] if opened == "[" else []
    while True:
        items, at = _sequence(pieces, at + 1, pattern)
        choices.append(items)
        if at >= len(pieces):
            raise Invalid(f"form {pattern}", "opens a bracket that it never closes")
        if pieces[at][3] != "|":
            break
    if pieces[at][3] != {"(": ")", "[": "]"}[str(opened)]:
        raise Invalid(f"form {pattern}", "closes another bracket than it opened")
    spelt = _spellings(choices)
    return (spelt if spelt is not None else tuple(choices)), at + 1


def _spellings(choices: Sequence[tuple[Item | _Fork, ...]]) -> Spellings | None:
    """Return the ways to spell a group of words; None if it has places."""
    spellings: set[tuple[str, ...]] = set()
    for items in choices:
        if not all(isinstance(item, frozenset) for item in items):
            return None
        plain = [item for item in items if isinstance(item, frozenset)]
        spellings.update(
            tuple(word for part in combination for word in part) for combination in product(*plain)
        )
    return frozenset(spellings)


def _variants(items: Sequence[Item | _Fork]) -> list[tuple[Item, ...]]:
    """Return the pattern without forks: one sequence for each way through them."""
    variants: list[tuple[Item, ...]] = [()]
    for item in items:
        if isinstance(item, (NameSlot, frozenset)):
            variants = [(*way, item) for way in variants]
        else:
            ends = [end for choice in item for end in _variants(choice)]
            variants = [way + end for way in variants for end in ends]
    return variants


MAX_ORDER_WORDS, MAX_MENDED_WORDS = 100, 40
"""The most words and signs of an order, and of a line that is corrected. Longer ones are only read as
spelt."""

_MAX_READINGS, _MAX_WALK_STEPS = 24, 2000

MENDING_STEP_WORK = 5
"""The number of words looked up for the cost of one correction step."""


_UNMENDABLE_SEASONS = frozenset(("spring", "summer", "autumn", "fall", "winter"))
"""A misspelt name doesn't contain a season: "Paris in the spring" isn't one."""


class NameRepair(NamedTuple):
    """A corrected word: as typed, as read, its term (None: an order word), and the doubt.

    doubt is 0 for a correction that is certain enough to act on, 1 for a guess.
    """

    typed: str
    taken: str
    term: LexiconEntry | None
    doubt: int

    @property
    def is_cut(self) -> bool:
        """Return whether a name was cut off, without another mistake."""
        typed = " ".join(self.typed.lower().split())
        return self.term is not None and any(name.lower().startswith(typed) for name in self.term.names)


class FormMatch(NamedTuple):
    """One meaning of a whole span: the form, the ids of the terms in its places, the corrections."""

    form: Form
    slots: dict[str, str]
    repairs: tuple[NameRepair, ...] = ()


class _FormVariant(NamedTuple):
    form: Form
    items: tuple[Item, ...]


_Point = tuple[int, int, tuple[str, ...]]
"""The state of a reading: variant, item, and the remaining words of the current spelling."""


@cache
def _alone(sort: str) -> frozenset[str]:
    """Return a set of one sort of names. It is the same object each time, which makes lookups fast."""
    return frozenset((sort,))


class _MachineState:
    """A set of states. The result for a word or a name is computed once and kept."""

    __slots__ = ("accepts", "points", "sorts", "wanted", "words")

    def __init__(self, points: frozenset[_Point], variants: Sequence[_FormVariant]) -> None:
        self.points = points
        self.words: dict[str, _MachineState | None] = {}
        self.sorts: dict[frozenset[str], _MachineState | None] = {}
        self.wanted: frozenset[str] | None = None
        self.accepts = tuple(sorted(v for v, i, rest in points if i == len(variants[v].items) and not rest))


class Grammar:
    """Some forms prepared for reading. The prepared object never changes."""

    def __init__(self, forms: Sequence[Form]) -> None:
        self.forms = tuple(forms)
        self._variants = tuple(_FormVariant(form, items) for form in forms for items in ways(form.pattern))
        self._states: dict[frozenset[_Point], _MachineState] = {}
        self._start = self._state({(number, 0, ()) for number in range(len(self._variants))})
        self.literals = frozenset(
            word
            for variant in self._variants
            for item in variant.items
            if not isinstance(item, NameSlot)
            for spelling in item
            for word in spelling
        )
        self._near: dict[str, tuple[str, ...]] = {}

    @cached_property
    def sorts(self) -> frozenset[str]:
        """Return the sorts of names that some form always needs. Other sorts don't show what is ordered."""
        return frozenset().union(*self._needed_sorts.values())

    @cached_property
    def _needed_sorts(self) -> dict[Form, frozenset[str]]:
        """Return by form the sorts of names that every spelling of it contains."""
        needed: dict[Form, frozenset[str]] = {}
        for variant in self._variants:
            has = frozenset(s for item in variant.items if isinstance(item, NameSlot) for s in item.sorts)
            needed[variant.form] = needed.get(variant.form, has) & has
        return needed

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Return words of which every text of a form without required names contains one.

        Of the form's alternatives, it returns those with the longest words, because short ones occur in any
        sentence.
        """
        typical: set[str] = set()
        for variant in self._variants:
            if self._needed_sorts[variant.form]:
                continue
            picked = [
                {max(spelling, key=len) for spelling in item}
                for item in variant.items
                if not isinstance(item, NameSlot) and () not in item
            ]
            typical |= max(picked, key=lambda words: min(map(len, words)), default=set(self.literals))
        return frozenset(typical)

    @cached_property
    def main_sort(self) -> str:
        """Return the most frequent sort of name in the places; "name" without places."""
        places = [item for variant in self._variants for item in variant.items if isinstance(item, NameSlot)]
        counted = Counter(sort for place in places for sort in sorted(place.sorts))
        return counted.most_common(1)[0][0] if counted else "name"

    def sort_behind(self, verb: str, number: int) -> str:
        """Return the most frequent sort of name at a place after a verb, otherwise in any place.

        number: the place, from 0.
        """
        counted = self._sorts_behind.get((verb, number))
        if not counted:
            return self.main_sort
        sort, most = counted.most_common(1)[0]
        return self.main_sort if counted[self.main_sort] * 2 >= most else sort

    @cached_property
    def _sorts_behind(self) -> Mapping[tuple[str, int], Counter[str]]:
        sorts: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        for variant in self._variants:
            verbs, places = set[str](), list[NameSlot]()
            for item in variant.items:
                if isinstance(item, NameSlot):
                    places.append(item)
                elif not places:
                    verbs.update(spelling[0] for spelling in item if spelling)
            for verb, (number, place) in product(verbs, enumerate(places)):
                sorts[verb, number].update(sorted(place.sorts))
        return sorts

    @cached_property
    def openings(self) -> frozenset[str]:
        """Return the possible first words of the forms: their verbs, and words that may precede them."""
        openers: set[str] = set()
        for variant in self._variants:
            for item in variant.items:
                if isinstance(item, NameSlot):
                    break
                openers.update(spelling[0] for spelling in item if spelling)
                if () not in item:
                    break
        return frozenset(openers)

    @cached_property
    def heads(self) -> frozenset[str]:
        """Return the sorts of names that only occur at the head of a form, as words for an action."""
        first = {
            s
            for v in self._variants
            if v.items and isinstance(v.items[0], NameSlot)
            for s in v.items[0].sorts
        }
        behind = {s for v in self._variants for i in v.items[1:] if isinstance(i, NameSlot) for s in i.sorts}
        return frozenset(first - behind)

    def spellings(self, form: Form) -> frozenset[str]:
        """Return all order words of one form of this grammar."""
        return self._spellings[form]

    @cached_property
    def _spellings(self) -> dict[Form, frozenset[str]]:
        by_form: dict[Form, set[str]] = {form: set() for form in self.forms}
        for variant in self._variants:
            for item in variant.items:
                if not isinstance(item, NameSlot):
                    by_form[variant.form].update(word for spelling in item for word in spelling)
        return {form: frozenset(spellings) for form, spellings in by_form.items()}

    def match(self, line: Sequence[Word], names: NameIndex) -> list[FormMatch]:
        """Return the meanings of the whole line as it is spelt: none, mostly one."""
        if not line or len(line) > MAX_ORDER_WORDS:
            return []
        walk = _GrammarWalk(self, line, names)
        walk.walk_exact(self._start, 0, ())
        return walk.found

    def mend(
        self, line: Sequence[Word], text: str, names: NameIndex, allowance: ReadingBudget | None = None
    ) -> list[FormMatch]:
        """Return the meanings of the whole line with the fewest corrections, if it has none as it is spelt.

        allowance: the budget for the search. When it is spent, the search ends without a result.
        """
        if not 1 < len(line) <= MAX_MENDED_WORDS or not self._has_hold(line, names):
            return []
        if allowance is not None and allowance.work <= 0:
            return []
        walk = _GrammarWalk(self, line, names, text)
        walk.mend(self._start, 0, (), ())
        if allowance is not None:
            allowance.work -= walk.steps * MENDING_STEP_WORK
        return walk.found

    def _has_hold(self, line: Sequence[Word], names: NameIndex) -> bool:
        """Return whether any word is spelt correctly. The others can be corrected with its help."""
        return any(word.key in self.literals or names.has(word.key) for word in line)

    def ends(self, line: Sequence[Word], names: NameIndex) -> frozenset[int]:
        """Return the numbers of words after which the line is an order as it is spelt."""
        return _GrammarWalk(self, line[:MAX_ORDER_WORDS], names).ends() if line else frozenset()

    def begins(self, line: Sequence[Word], names: NameIndex) -> bool:
        """Return whether the line is spelt like the beginning of an order that needs more words."""
        return bool(line) and len(line) <= MAX_ORDER_WORDS and _GrammarWalk(self, line, names).is_unfinished()

    def near_literals(self, key: str) -> tuple[str, ...]:
        """Return the order words that this word misspells."""
        if key not in self._near:
            limit = 0 if len(key) < 4 or not key.isalpha() else 1 if len(key) < 7 else 2
            similar = rapidfuzz.process.extract(
                key, self._long, scorer=rapidfuzz.distance.OSA.distance, score_cutoff=limit, limit=None
            )
            ranked = sorted((int(distance), word) for word, distance, _ in similar if distance)
            self._near[key] = tuple(word for distance, word in ranked if distance == ranked[0][0])
        return self._near[key]

    @cached_property
    def _long(self) -> tuple[str, ...]:
        """Return the order words that are long enough to be misspelt."""
        return tuple(sorted(word for word in self.literals if len(word) > 3))

    def _state(self, points: set[_Point]) -> _MachineState:
        closed = frozenset(self._closure(points))
        if closed not in self._states:
            self._states[closed] = _MachineState(closed, self._variants)
        return self._states[closed]

    def _closure(self, points: set[_Point]) -> set[_Point]:
        todo, seen = list(points), set(points)
        while todo:
            number, at, rest = todo.pop()
            items = self._variants[number].items
            if not rest and at < len(items) and not isinstance(items[at], NameSlot) and () in items[at]:
                after = (number, at + 1, ())
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return seen

    def by_word(self, state: _MachineState, key: str) -> _MachineState | None:
        """Return the state after an order word."""
        if key not in self.literals:
            return None
        if key not in state.words:
            points: set[_Point] = set()
            for number, at, rest in state.points:
                points.update(self._eat(number, at, rest, key))
            state.words[key] = self._state(points) if points else None
        return state.words[key]

    def _eat(self, number: int, at: int, rest: tuple[str, ...], key: str) -> list[_Point]:
        items = self._variants[number].items
        if rest:
            spellings: Sequence[tuple[str, ...]] = (rest,)
        elif at < len(items) and not isinstance(items[at], NameSlot):
            spellings = [spelling for spelling in items[at] if isinstance(spelling, tuple)]
        else:
            spellings = ()
        return [
            (number, at, spelling[1:]) if len(spelling) > 1 else (number, at + 1, ())
            for spelling in spellings
            if spelling and spelling[0] == key
        ]

    def by_name(self, state: _MachineState, sorts: frozenset[str]) -> _MachineState | None:
        """Return the state after a name of one of the sorts."""
        if sorts not in state.sorts:
            points: set[_Point] = set()
            for number, at, rest in state.points:
                items = self._variants[number].items
                item = items[at] if at < len(items) and not rest else None
                if isinstance(item, NameSlot) and item.sorts & sorts:
                    points.add((number, at + 1, ()))
            state.sorts[sorts] = self._state(points) if points else None
        return state.sorts[sorts]

    def wanted_sorts(self, state: _MachineState) -> frozenset[str]:
        """Return the sorts of names that may come next."""
        if state.wanted is None:
            state.wanted = self._find_wanted_sorts(state)
        return state.wanted

    def _find_wanted_sorts(self, state: _MachineState) -> frozenset[str]:
        sorts: set[str] = set()
        for number, at, rest in state.points:
            items = self._variants[number].items
            item = items[at] if at < len(items) and not rest else None
            if isinstance(item, NameSlot):
                sorts |= item.sorts
        return frozenset(sorts)

    def meanings(
        self, state: _MachineState, named: Sequence[LexiconEntry], repairs: tuple[NameRepair, ...]
    ) -> list[FormMatch]:
        """Return the meanings of a reading that ends here, one match for each form that ends here."""
        matches = []
        for number in state.accepts:
            variant = self._variants[number]
            places = [item for item in variant.items if isinstance(item, NameSlot)]
            if len(places) == len(named) and all(
                term.sort in place.sorts for place, term in zip(places, named, strict=True)
            ):
                slots = {place.name: term.id for place, term in zip(places, named, strict=True)}
                matches.append(FormMatch(variant.form, slots, repairs))
        return matches


@dataclass(slots=True)
class _GrammarWalk:
    """One line's way through the automaton. found: its meanings, with at most `least` corrections."""

    grammar: Grammar
    line: Sequence[Word]
    names: NameIndex
    text: str = ""
    found: list[FormMatch] = field(default_factory=list)
    least: int = 4
    steps: int = 0

    def walk_exact(self, state: _MachineState, place: int, named: tuple[LexiconEntry, ...]) -> None:
        if place == len(self.line):
            if state.accepts:
                self.found += self.grammar.meanings(state, named, ())
            return
        self.steps += 1
        if len(self.found) >= _MAX_READINGS or self.steps > _MAX_WALK_STEPS:
            return
        for end, terms in self.names.at(self.line, place):
            for term in terms:
                after = self.grammar.by_name(state, _alone(term.sort))
                if after is not None:
                    self.walk_exact(after, end, (*named, term))
        after = self.grammar.by_word(state, self.line[place].key)
        if after is not None:
            self.walk_exact(after, place + 1, named)

    def ends(self) -> frozenset[int]:
        """Return the places after which a reading may end."""
        places: set[int] = set()
        todo, seen = [(self.grammar._start, 0)], set[tuple[int, int]]()
        while todo and len(seen) < _MAX_WALK_STEPS:
            state, place = todo.pop()
            if (id(state), place) in seen:
                continue
            seen.add((id(state), place))
            if place and state.accepts:
                places.add(place)
            if place == len(self.line):
                continue
            after = self.grammar.by_word(state, self.line[place].key)
            if after is not None:
                todo.append((after, place + 1))
            for end, terms in self.names.at(self.line, place):
                after = self.grammar.by_name(state, frozenset(term.sort for term in terms))
                if after is not None:
                    todo.append((after, end))
        return frozenset(places)

    def is_unfinished(self) -> bool:
        todo = [(self.grammar._start, 0)]
        for _ in range(_MAX_WALK_STEPS):
            if not todo:
                return False
            state, place = todo.pop()
            if place == len(self.line):
                return True
            after = self.grammar.by_word(state, self.line[place].key)
            if after is not None:
                todo.append((after, place + 1))
            for end, terms in self.names.at(self.line, place):
                after = self.grammar.by_name(state, frozenset(term.sort for term in terms))
                if after is not None:
                    todo.append((after, end))
        return False

    def mend(
        self,
        state: _MachineState,
        place: int,
        named: tuple[LexiconEntry, ...],
        repairs: tuple[NameRepair, ...],
    ) -> None:
        if len(repairs) > self.least or self.steps > 4000:
            return
        self.steps += 1
        if place == len(self.line):
            self._keep(self.grammar.meanings(state, named, repairs), len(repairs))
            return
        for end, term, repair in self._candidates(state, place):
            after = self.grammar.by_name(state, _alone(term.sort))
            if after is not None:
                self.mend(after, end, (*named, term), (*repairs, *repair))
        key = self.line[place].key
        for word in (key, *self.grammar.near_literals(key)):
            after = self.grammar.by_word(state, word)
            if after is not None:
                fixed = (
                    () if word == key else (NameRepair(self._typed_text(place, place + 1), word, None, 0),)
                )
                self.mend(after, place + 1, named, repairs + fixed)

    def _keep(self, matches: list[FormMatch], cost: int) -> None:
        if matches and cost < self.least:
            self.found, self.least = [], cost
        if cost == self.least and len(self.found) < _MAX_READINGS:
            self.found += matches

    def _candidates(
        self, state: _MachineState, place: int
    ) -> list[tuple[int, LexiconEntry, tuple[NameRepair, ...]]]:
        exact = [(end, term, ()) for end, terms in self.names.at(self.line, place) for term in terms]
        candidates: list[tuple[int, LexiconEntry, tuple[NameRepair, ...]]] = list(exact)
        sorts = self.grammar.wanted_sorts(state)
        ends = {end for end, term, _ in exact if term.sort in sorts}
        others = {end for end, _, _ in exact} - ends
        spelt = ""
        for end in range(place + 1, min(place + 5, len(self.line)) + 1):
            key = self.line[end - 1].key
            if spelt and self._is_glued(end - 1):
                continue
            if not key[0].isalnum() or key in _UNMENDABLE_SEASONS:
                break
            spelt = f"{spelt} {key}" if spelt else key
            if sorts and end not in ends:
                answer = self.names.find(spelt, sorts)
                # A name that isn't allowed here may be the beginning of another name: "English".
                if end in others and answer.how != "prefix":
                    continue
                doubt = 1 if answer.how == "guess" else 0
                typed = self._typed_text(place, end)
                candidates += [
                    (end, term, (NameRepair(typed, term.names[0], term, doubt),)) for term in answer.terms
                ]
        return candidates

    def _is_glued(self, place: int) -> bool:
        """Return whether a hyphen is between two words without a space: "Mid-At"."""
        if self.line[place].key != "-" or place + 1 >= len(self.line):
            return False
        before, sign, after = self.line[place - 1 : place + 2]
        return before.end == sign.start and sign.end == after.start

    def _typed_text(self, start: int, end: int) -> str:
        return self.text[self.line[start].start : self.line[end - 1].end]


@make_once
def compile_forms(forms: tuple[Form, ...]) -> Grammar:
    """Return the grammar of some forms. Equal forms are compiled once. Raises Invalid for a bad pattern."""
    return Grammar(forms)


def match_text(text: str, forms: Grammar, lexicon: NameIndex) -> list[FormMatch]:
    """Return the meanings of the whole text: as it is spelt, otherwise with the fewest corrections.

    Several meanings: it is ambiguous.
    """
    plain = tidy(text)
    line = words(plain)
    return forms.match(line, lexicon) or forms.mend(line, plain, lexicon)
