"""Text behind a whole order on its line: a remark, or words that may change the order."""

from collections.abc import Collection, Iterator
from functools import lru_cache

from games.data import read_toml
from orders.words import keys, spell_umlauts, tidy, words

_REASON_BY_SORT = {
    "denies": "may deny it",
    "depends": "may be a condition",
    "chooses": "leaves a choice",
    "doubts": "says that it is not certain",
    "at_another_time": "may be about another turn",
}
"""What is told of each sort of words."""

_BEFORE = frozenset(_REASON_BY_SORT[sort] for sort in ("denies", "depends", "chooses"))
_MAX_REMARK_PHRASE_WORDS = 4


@lru_cache(maxsize=1)
def _changing() -> dict[tuple[str, ...], str]:
    """Return, by the words that say it, what may change the order before them."""
    table: dict[str, dict[str, list[str]]] = read_toml("orders", "remarks.toml")
    return {
        keys(spelling): why
        for sort, why in _REASON_BY_SORT.items()
        for several in table[sort].values()
        for phrase in several
        for spelling in (phrase, spell_umlauts(phrase))
    }


@lru_cache(maxsize=1)
def _choosing() -> frozenset[tuple[str, ...]]:
    """With what a choice begins."""
    return frozenset(map(keys, read_toml("orders", "remarks.toml")["choice"]["begins"]))


@lru_cache(maxsize=1)
def _talk() -> frozenset[str]:
    """The words with which remarks begin."""
    table: dict[str, list[str]] = read_toml("orders", "remarks.toml")["talk"]
    return frozenset(key for some in table.values() for one in some for key in keys(one))


def is_talk(key: str) -> bool:
    """Whether a remark may begin with a word, whatever name it is like."""
    return key in _talk()


def begins_changing(text: str) -> bool:
    """Whether a text begins with words that deny what follows, or make it depend or a choice: "Instead of:".

    What may be about another time does so where it says nothing more: "Later:".
    """
    said = tuple(word.key for word in words(tidy(text)) if word.key != ":")
    if any(said[:size] in _choosing() and len(said[0]) > 1 for size in (1, 2)):
        return True
    why = [
        _changing()[said[:size]]
        for size in range(_MAX_REMARK_PHRASE_WORDS, 0, -1)
        if said[:size] in _changing()
    ]
    return bool(why) and len(said[0]) > 1 and (why[0] in _BEFORE or said in _changing())


def why_changing(text: str) -> str | None:
    """Say why words behind an order may change it; None where they are a remark."""
    line = words(tidy(text))
    word_keys = [word.key for word in line]
    if any(tuple(word_keys[:size]) in _choosing() for size in (1, 2)):
        return f"{text.split()[0]} leaves a choice"
    for place, size in _spans(word_keys, _changing()):
        typed = tidy(text)[line[place].start : line[place + size - 1].end]
        return f"{typed} {_changing()[tuple(word_keys[place : place + size])]}"
    return "it is written like a question" if "?" in word_keys else None


def _spans(word_keys: list[str], known: Collection[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Yield where some known words stand, and how many they are."""
    for place in range(len(word_keys)):
        for size in range(min(_MAX_REMARK_PHRASE_WORDS, len(word_keys) - place), 0, -1):
            if tuple(word_keys[place : place + size]) in known:
                yield place, size
                break


def past_choice(text: str) -> str:
    """Return the tidy text behind a word with which a choice begins: "either A PAR H or ..."."""
    line = words(text)
    for size in (2, 1):
        if tuple(word.key for word in line[:size]) in _choosing() and len(line) > size:
            return text[line[size].start :]
    return text
