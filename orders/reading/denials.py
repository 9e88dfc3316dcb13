"""Conditions that are denied in their words: "Germany is not in Munich", "Germany doesn't own Munich"."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from games.data import read_toml
from orders.words import Word, keys

KeyPhrase = tuple[str, ...]


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return read_toml("orders", "denials.toml")


@lru_cache(maxsize=1)
def _nobody() -> tuple[tuple[KeyPhrase, ...], frozenset[str]]:
    """Return the ways to say nobody, the longest first, and the words between that and the place."""
    table = _table()["nobody"]
    phrases = sorted(map(keys, table["words"]), key=len, reverse=True)
    return tuple(phrases), frozenset(key for word in table["passed"] for key in keys(word))


def affirmative_readings(line: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words of a condition with its one denial taken out, in the ways that may be meant.

    Nothing where nothing, or more than one thing, denies it.
    """
    word_keys = tuple(word.key for word in line)
    names, passed = _nobody()
    for name in names:
        if word_keys[: len(name)] == name:
            at = len(name)
            while at < len(line) and word_keys[at] in passed:
                at += 1
            if at < len(line):
                yield list(line[at:])
            return
    denials = list(_denials(word_keys))
    if len(denials) != 1:
        return
    start, end, instead = denials[0]
    for put in (instead, ("a",)) if word_keys[start] == "no" else (instead,):
        here = [Word(key, line[start].start, line[end - 1].end) for key in put]
        yield [*line[:start], *here, *line[end:]]
    if word_keys[start] == "no":
        # "No army is in Munich": an army there is what is denied.
        yield [*line[:start], *(word for word in line[end:] if word.key not in passed)]


def _denials(word_keys: KeyPhrase) -> Iterator[tuple[int, int, KeyPhrase]]:
    """Where something is denied, until where, and what stands there instead."""
    table = _table()
    out = sorted(map(keys, table["out"]["words"]), key=len, reverse=True)
    helped = table["helped"]
    at = 0
    while at < len(word_keys):
        size: int = 1
        instead: KeyPhrase | None = None
        if word_keys[at] in helped["glued"] and at + 1 < len(word_keys):
            size, instead = 2, (word_keys[at + 1] + helped["ending"],)
        elif (
            word_keys[at] in helped["words"]
            and word_keys[at + 1 : at + 2] == ("not",)
            and at + 2 < len(word_keys)
        ):
            size, instead = 3, (word_keys[at + 2] + helped["ending"],)
        elif word_keys[at] in table["instead"]:
            instead = (table["instead"][word_keys[at]],)
            # French denies in two words, of which one verb stands between: "n'est pas".
            if word_keys[at][0] == "n" and word_keys[at + 1 : at + 2] == ("not",):
                size = 2
        else:
            outer = next((phrase for phrase in out if word_keys[at : at + len(phrase)] == phrase), None)
            if outer is not None:
                size, instead = len(outer), ()
        if instead is not None:
            yield at, at + size, instead
        at += size
