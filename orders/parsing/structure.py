"""The words that give a letter its structure in other languages, put into English at one place."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from games.data import read_toml
from orders.words import Word, fold, keys, spelt_out, words

_TESTS, _JOINS = ("if", "then", "else", "endif"), ("and", "or", "not")
_TURNS = ("spring", "fall", "winter", "moves", "retreats", "builds", "for")
_SIGNS = frozenset((",", ":", ";"))
_IF_NOT = frozenset((("si", "no"), ("se", "no")))
"""What says ELSE where nothing but a sign follows, and IF NOT else."""

Said = tuple[str, ...]


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Mapping[str, list[str]]]:
    return read_toml("orders", "structure.toml")


def _spelt(code: str, sort: str) -> Iterator[Said]:
    """The ways to write a word of a language, as keys."""
    for one in _tables()[code].get(sort, ()):
        yield from {keys(one), keys(spelt_out(one))}


@lru_cache(maxsize=1)
def _heads() -> frozenset[str]:
    """The words with which a line begins that governs others."""
    sorts = ("if", "else", "endif", "phase", "then")
    return frozenset(said[0] for code in _tables() for sort in sorts for said in _spelt(code, sort))


@lru_cache(maxsize=1)
def _ending() -> frozenset[Said]:
    """What may end an IF at the end of a line that begins otherwise."""
    return frozenset(said for code in _tables() for said in _spelt(code, "endif"))


@lru_cache(maxsize=16)
def _vocabulary(head: str) -> tuple[Mapping[Said, str], Mapping[Said, str]]:
    """By what is said the English for it, in the languages in which a line may begin so.

    The first for the whole of a line, the second for conditions and the names of turns in it.
    """
    codes = [
        code
        for code in _tables()
        if any(head == said[0] for sort in (*_TESTS, "phase") for said in _spelt(code, sort))
    ]
    whole = {said: sort for code in codes for sort in _TESTS for said in _spelt(code, sort)}
    inner = {said: sort for code in codes for sort in _JOINS for said in _spelt(code, sort)}
    return whole, inner


@lru_cache(maxsize=1)
def _of_turns() -> Mapping[Said, str]:
    """By what is said the English word of a turn's name."""
    return {said: sort for code in _tables() for sort in _TURNS for said in _spelt(code, sort)}


def all_of(sort: str) -> tuple[str, ...]:
    """The patterns of a sort, ``all`` or ``some``, in all languages."""
    return tuple(one for table in _tables().values() for one in table.get(sort, ()))


def governs(text: str) -> bool:
    """Whether a tidy text begins with a word of structure in another language."""
    head = text.split(maxsplit=1)[:1]
    return bool(head) and fold(head[0].rstrip(":,;.")) in _heads()


def in_english(text: str) -> str:
    """A tidy line with such words in English where it begins with one, or ends an IF; else as it is."""
    line = words(text)
    if not line:
        return text
    if line[0].key in _heads():
        phases = {said for code in _tables() for said in _spelt(code, "phase")}
        if (line[0].key,) in phases:
            return turn_in_english(_replaced(text, line, dict.fromkeys(phases, "phase"), {}, 1))
        if _is_else(line):
            said = text[: line[1].end]
            return f"{'ELSE' if said.isupper() else 'else'}{text[line[1].end :]}"
        whole, inner = _vocabulary(line[0].key)
        return _replaced(text, line, whole, inner, len(line))
    for size in (1, 2):
        if tuple(word.key for word in line[-size:]) in _ending():
            return f"{text[: line[-size].start]}ENDIF"
    return text


def _is_else(line: tuple[Word, ...]) -> bool:
    """Whether it begins with words that say IF NOT elsewhere, and ELSE here."""
    said = tuple(word.key for word in line[:2])
    return said in _IF_NOT and (len(line) == 2 or line[2].key in _SIGNS)


def names_season(said: Iterable[str]) -> bool:
    """Whether a season is among some words, by its name in another language."""
    return not _seasons().isdisjoint(said)


@lru_cache(maxsize=1)
def _seasons() -> frozenset[str]:
    sorts = ("spring", "fall", "winter")
    return frozenset(said[0] for code in _tables() for sort in sorts for said in _spelt(code, sort))


def turn_in_english(text: str) -> str:
    """A text with the words of a turn's name in English, up to the first colon: ``Herbst 1901: ...``."""
    line = words(text)
    ends = next((place for place, word in enumerate(line) if word.key == ":"), len(line))
    return _replaced(text, line, _of_turns(), {}, ends)


def _replaced(
    text: str, line: tuple[Word, ...], whole: Mapping[Said, str], inner: Mapping[Said, str], until: int
) -> str:
    """The text with some words replaced. inner: those that are replaced as long as a condition goes on."""
    out, at, place, asks = "", 0, 0, True
    while place < until:
        joins = asks and (place == 0 or line[place].end - line[place].start > 1 or _joins(text, line, place))
        size, sort = _longest(line, place, whole, inner if joins else {})
        if not size:
            asks = asks and line[place].key not in _SIGNS
            place += 1
            continue
        first, last = line[place], line[place + size - 1]
        typed = text[first.start : last.end]
        glued = text[last.end : last.end + 1].isalnum()
        said = sort.upper() if typed.isupper() and len(typed) > 1 else sort
        out += text[at : first.start] + said + " " * glued
        at, place = last.end, place + size
        asks = sort == "if" or (asks and sort in _JOINS)
    return out + text[at:]


def _joins(text: str, line: tuple[Word, ...], place: int) -> bool:
    """Whether a lone letter joins two conditions, and is no unit's."""
    here, before = line[place], line[place - 1]
    typed = text[here.start : here.end]
    return typed.islower() and typed.isascii() and before.end - before.start > 1 and place > 1


def _longest(
    line: tuple[Word, ...], place: int, whole: Mapping[Said, str], inner: Mapping[Said, str]
) -> tuple[int, str]:
    """How many words from a place on are one of those, and which; (0, "") for none."""
    for size in (4, 3, 2, 1):
        said = tuple(word.key for word in line[place : place + size])
        if len(said) == size and (sort := whole.get(said) or inner.get(said)):
            return size, sort
    return 0, ""
