"""Conditions that are denied within their words: "Germany is not in Munich"."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from games.data import read_toml
from orders.words import Word, keys

Said = tuple[str, ...]


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return read_toml("orders", "denials.toml")


@lru_cache(maxsize=1)
def _nobody() -> tuple[tuple[Said, ...], frozenset[str]]:
    """What says nobody, the longest first, and the words that may stand between that and the place."""
    table = _table()["nobody"]
    said = sorted(map(keys, table["words"]), key=len, reverse=True)
    return tuple(said), frozenset(key for word in table["passed"] for key in keys(word))


def affirmed(line: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words of a condition with its one denial taken out, in the ways that may be meant.

    Nothing where nothing, or more than one thing, denies it.
    """
    said = tuple(word.key for word in line)
    names, passed = _nobody()
    for name in names:
        if said[: len(name)] == name:
            at = len(name)
            while at < len(line) and said[at] in passed:
                at += 1
            if at < len(line):
                yield list(line[at:])
            return
    denials = list(_denials(said))
    if len(denials) != 1:
        return
    start, end, instead = denials[0]
    for put in (instead, ("a",)) if said[start] == "no" else (instead,):
        here = [Word(key, line[start].start, line[end - 1].end) for key in put]
        yield [*line[:start], *here, *line[end:]]
    if said[start] == "no":
        # "No army is in Munich": an army there is what is denied.
        yield [*line[:start], *(word for word in line[end:] if word.key not in passed)]


def _denials(said: Said) -> Iterator[tuple[int, int, Said]]:
    """Where something is denied, until where, and what stands there instead."""
    table = _table()
    out = sorted(map(keys, table["out"]["words"]), key=len, reverse=True)
    helped = table["helped"]
    at = 0
    while at < len(said):
        size: int = 1
        instead: Said | None = None
        if said[at] in helped["glued"] and at + 1 < len(said):
            size, instead = 2, (said[at + 1] + helped["ending"],)
        elif said[at] in helped["words"] and said[at + 1 : at + 2] == ("not",) and at + 2 < len(said):
            size, instead = 3, (said[at + 2] + helped["ending"],)
        elif said[at] in table["instead"]:
            instead = (table["instead"][said[at]],)
            # French denies in two words, of which one verb stands between: "n'est pas".
            if said[at][0] == "n" and said[at + 1 : at + 2] == ("not",):
                size = 2
        else:
            found = next((one for one in out if said[at : at + len(one)] == one), None)
            if found is not None:
                size, instead = len(found), ()
        if instead is not None:
            yield at, at + size, instead
        at += size
