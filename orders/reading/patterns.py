"""The patterns of forms as items: words with their spellings, and places for names."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain, product
from typing import NamedTuple

from games.protocol import Invalid
from orders.words import keys, spell_umlauts

_FORM_PATTERN_TOKEN = re.compile(
    r"(\[[^\[\](){}]*\]|\([^\[\](){}]*\))|\{(\w+):([\w|]+)\}|([\[\](|)])|([^\s\[\](){}|]+)"
)
"""A group of words alone, which many patterns share; a place; a sign; a word."""


class NameSlot(NamedTuple):
    """A place of a form: its name and the sorts of names that fit."""

    name: str
    sorts: frozenset[str]


Spellings = frozenset[tuple[str, ...]]
"""The ways to write one item, each a sequence of word keys; the empty one: it may be left out."""

Item = NameSlot | Spellings
_Fork = tuple[tuple["Item | _Fork", ...], ...]


def ways(pattern: str) -> list[tuple[Item, ...]]:
    """The pattern as sequences of items, one for each choice between places. Raises Invalid."""
    return _variants(_parse(pattern))


def _parse(pattern: str) -> tuple[Item | _Fork, ...]:
    """The items of a pattern in order; a fork has alternatives with places in them. Raises Invalid."""
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
    """Return the ways to spell a group that holds words alone."""
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
    """Return the ways to spell a group of words only; None where it has places."""
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
