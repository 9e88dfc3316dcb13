"""The patterns of forms as items: words that are written so or so, and places for names."""

import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from games.protocol import Invalid
from orders.words import keys, spelt_out

_PIECE = re.compile(r"\{(\w+):([\w|]+)\}|([\[\](|)])|([^\s\[\](){}|]+)")


class Slot(NamedTuple):
    """A place of a form: its name and the sorts of names that fit."""

    name: str
    sorts: frozenset[str]


Spellings = frozenset[tuple[str, ...]]
"""The ways to write one item, each a sequence of word keys; the empty one: it may be left out."""

Item = Slot | Spellings
_Fork = tuple[tuple["Item | _Fork", ...], ...]


def ways(pattern: str) -> list[tuple[Item, ...]]:
    """The pattern as sequences of items, one for each choice between places. Raises Invalid."""
    return _variants(_parse(pattern))


def _parse(pattern: str) -> tuple[Item | _Fork, ...]:
    """The items of a pattern in order; a fork has alternatives with places in them. Raises Invalid."""
    pieces = [match.groups() for match in _PIECE.finditer(pattern)]
    if "".join(match[0] for match in _PIECE.finditer(pattern)) != re.sub(r"\s", "", pattern):
        raise Invalid(f"form {pattern}", "has a brace that is no place", "write {slot:sort}")
    items, rest = _sequence(pieces, 0, pattern)
    if rest != len(pieces):
        raise Invalid(f"form {pattern}", "closes a bracket that it never opened")
    return items


_Pieces = Sequence[tuple[str | None, ...]]


def _sequence(pieces: _Pieces, at: int, pattern: str) -> tuple[tuple[Item | _Fork, ...], int]:
    items: list[Item | _Fork] = []
    while at < len(pieces):
        slot, sorts, sign, literal = pieces[at]
        if sign in ("(", "["):
            group, at = _group(pieces, at, pattern)
            items.append(group)
            continue
        if sign:
            break
        at += 1
        if slot and sorts:
            items.append(Slot(slot, frozenset(sorts.split("|"))))
        elif literal:
            items.append(frozenset({keys(literal), keys(spelt_out(literal))}))
    return tuple(items), at


def _group(pieces: _Pieces, at: int, pattern: str) -> tuple[Item | _Fork, int]:
    opened = pieces[at][2]
    choices: list[tuple[Item | _Fork, ...]] = [()] if opened == "[" else []
    while True:
        items, at = _sequence(pieces, at + 1, pattern)
        choices.append(items)
        if at >= len(pieces):
            raise Invalid(f"form {pattern}", "opens a bracket that it never closes")
        if pieces[at][2] != "|":
            break
    if pieces[at][2] != {"(": ")", "[": "]"}[str(opened)]:
        raise Invalid(f"form {pattern}", "closes another bracket than it opened")
    spelt = _spellings(choices)
    return (spelt if spelt is not None else tuple(choices)), at + 1


def _spellings(choices: Sequence[tuple[Item | _Fork, ...]]) -> Spellings | None:
    """The ways to spell a group of words only; None where it has places."""
    found: set[tuple[str, ...]] = set()
    for items in choices:
        if not all(isinstance(item, frozenset) for item in items):
            return None
        plain = [item for item in items if isinstance(item, frozenset)]
        found.update(tuple(word for part in one for word in part) for one in product(*plain))
    return frozenset(found)


def _variants(items: Sequence[Item | _Fork]) -> list[tuple[Item, ...]]:
    """The pattern without forks: one sequence for each way through them."""
    found: list[tuple[Item, ...]] = [()]
    for item in items:
        if isinstance(item, (Slot, frozenset)):
            found = [(*way, item) for way in found]
        else:
            ends = [end for choice in item for end in _variants(choice)]
            found = [way + end for way in found for end in ends]
    return found
