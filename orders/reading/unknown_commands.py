"""Lines that look like commands and aren't any of ours: "PAUSE", "EXTEND 24h", "HLEP".

Such a line is answered, holds no turn, and is no question about orders. Lines in an email that is mostly in
capitals are prose.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from games.data import read_toml
from orders.commands import Verb
from orders.words import keys

UNKNOWN_VERB = "UNKNOWN"
"""The verb of such a line in the reading of an email."""

_MAX_WORDS, _MAX_SHORT_WORDS, _MAX_PHRASE_WORDS = 12, 5, 4
"""The most words of such a line, of one that can't be prose in capitals, and of a phrase in the list."""

_FIRST_WORD = re.compile(r"(?:[A-Z]{3,}|GM|MY)(?=[\s,.!]|$)")
_SENTENCE_AFTER = re.compile(
    r"[\W\w]*?\b(?:he|she|they|him|them|we|us)\b|(?:is|are|was|were|will|would|can't|from|of|that|which)\s",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _topics() -> Mapping[tuple[str, ...], str]:
    table = read_toml("orders", "other_hosts.toml")
    return {keys(phrase): topic for topic, phrases in table.items() for phrase in phrases}


def find_topic(typed: str) -> str | None:
    """Return what a command of other hosts is about, such as ``pause``, or None for other words."""
    return _topics().get(keys(typed))


def command_elsewhere(text: str, names_something: Callable[[str], bool]) -> str | None:
    """Return the words of a line that are a command of other hosts, as they were typed, or None.

    text: a tidy line without bullets. names_something: whether a word is a name or an order's word here.
    """
    if _FIRST_WORD.match(text) is None:
        return None
    line = text.split()
    if len(line) > _MAX_WORDS or text.endswith((":", "...")):
        return None
    for size in range(min(_MAX_PHRASE_WORDS, len(line)), 0, -1):
        typed = " ".join(line[:size]).rstrip(",.!?")
        topic = find_topic(typed)
        if topic is None:
            continue
        rest = " ".join(line[size:])
        talks = topic != "gm" and _SENTENCE_AFTER.match(rest) is not None
        return None if talks or all(map(names_something, keys(typed))) else typed
    return None


def transposed_command(text: str, verbs: Iterable[Verb]) -> Verb | None:
    """Return the verb whose letters a line of one word in capitals has, two of them transposed: "HLEP"."""
    word = text.rstrip(".!?")
    if not (word.isalpha() and word.isupper() and 3 <= len(word) <= 4):
        return None
    return next((verb for verb in verbs if _is_transposed(word, verb.name)), None)


def _is_transposed(word: str, name: str) -> bool:
    unlike = [place for place, (one, other) in enumerate(zip(word, name, strict=False)) if one != other]
    return (
        len(word) == len(name)
        and len(unlike) == 2
        and sorted(word) == sorted(name)
        and unlike[1] - unlike[0] == 1
    )


def is_in_capitals(prose: Iterable[str], given: Iterable[str]) -> bool:
    """Return whether an email is mostly in capitals. given: its lines that look like commands."""
    long = (line for line in given if len(line.split()) > _MAX_SHORT_WORDS)
    letters = [char for line in (*prose, *long) for char in line if char.isalpha()]
    return 2 * sum(map(str.isupper, letters)) > len(letters) > 0
