"""The words that give a letter its structure, in any language: conditions, and the turns that PHASE names."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from games.data import read_toml
from orders.words import Word, fold, keys, spell_umlauts, words

_CONDITION_WORD_SORTS, _JOINING_WORD_SORTS = ("if", "then", "else", "endif"), ("and", "or", "not")
_TURN_WORD_SORTS = ("spring", "fall", "winter", "moves", "retreats", "builds", "for")
_CLAUSE_SIGNS = frozenset((",", ":", ";"))
_IF_NOT = frozenset((("si", "no"), ("se", "no")))
"""What says ELSE where nothing but a sign follows, and IF NOT else."""

StructurePhrase = tuple[str, ...]


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Mapping[str, list[str]]]:
    return read_toml("orders", "structure.toml")


def _spellings_of(code: str, sort: str) -> Iterator[StructurePhrase]:
    """Yield the ways to write a word of a language, as keys."""
    for word in _tables()[code].get(sort, ()):
        yield from {keys(word), keys(spell_umlauts(word))}


@lru_cache(maxsize=1)
def _heads() -> frozenset[str]:
    """Return the words with which a line begins that governs others."""
    sorts = ("if", "else", "endif", "phase", "then")
    return frozenset(
        phrase[0] for code in _tables() for sort in sorts for phrase in _spellings_of(code, sort)
    )


@lru_cache(maxsize=1)
def _ending() -> frozenset[StructurePhrase]:
    """Return the phrases that may end an IF at the end of a line that begins otherwise."""
    return frozenset(phrase for code in _tables() for phrase in _spellings_of(code, "endif"))


@lru_cache(maxsize=16)
def _vocabulary(head: str) -> tuple[Mapping[StructurePhrase, str], Mapping[StructurePhrase, str]]:
    """Return the English for each phrase, in the languages in which a line may begin so.

    The first for the whole of a line, the second for conditions and the names of turns in it.
    """
    codes = [
        code
        for code in _tables()
        if any(
            head == phrase[0]
            for sort in (*_CONDITION_WORD_SORTS, "phase")
            for phrase in _spellings_of(code, sort)
        )
    ]
    whole = {
        phrase: sort
        for code in codes
        for sort in _CONDITION_WORD_SORTS
        for phrase in _spellings_of(code, sort)
    }
    inner = {
        phrase: sort for code in codes for sort in _JOINING_WORD_SORTS for phrase in _spellings_of(code, sort)
    }
    return whole, inner


@lru_cache(maxsize=1)
def _turn_words() -> Mapping[StructurePhrase, str]:
    """Return the English word of a turn's name for each phrase."""
    return {
        phrase: sort
        for code in _tables()
        for sort in _TURN_WORD_SORTS
        for phrase in _spellings_of(code, sort)
    }


def patterns_in_all_languages(sort: str) -> tuple[str, ...]:
    """Return the patterns of a sort, ``all`` or ``some``, in all languages."""
    return tuple(pattern for table in _tables().values() for pattern in table.get(sort, ()))


def begins_with_structure(text: str) -> bool:
    """Return whether a tidy text begins with a word of structure in another language."""
    head = text.split(maxsplit=1)[:1]
    return bool(head) and fold(head[0].rstrip(":,;.")) in _heads()


def in_english(text: str) -> str:
    """Return a tidy line with such words in English if it begins with one, or ends an IF; else as it is."""
    line = words(text)
    if not line:
        return text
    if line[0].key in _heads():
        phases = {phrase for code in _tables() for phrase in _spellings_of(code, "phase")}
        if (line[0].key,) in phases:
            return turn_in_english(_replace_words(text, line, dict.fromkeys(phases, "phase"), {}, 1))
        if _is_else(line):
            phrase = text[: line[1].end]
            return f"{'ELSE' if phrase.isupper() else 'else'}{text[line[1].end :]}"
        whole, inner = _vocabulary(line[0].key)
        return _replace_words(text, line, whole, inner, len(line))
    for size in (1, 2):
        if tuple(word.key for word in line[-size:]) in _ending():
            return f"{text[: line[-size].start]}ENDIF"
    return text


def _is_else(line: tuple[Word, ...]) -> bool:
    """Return whether it begins with words that say IF NOT elsewhere, and ELSE here."""
    first_keys = tuple(word.key for word in line[:2])
    return first_keys in _IF_NOT and (len(line) == 2 or line[2].key in _CLAUSE_SIGNS)


def names_season(word_keys: Iterable[str]) -> bool:
    """Return whether a season is among some words, by its name in another language."""
    return not _seasons().isdisjoint(word_keys)


@lru_cache(maxsize=1)
def _seasons() -> frozenset[str]:
    sorts = ("spring", "fall", "winter")
    return frozenset(
        phrase[0] for code in _tables() for sort in sorts for phrase in _spellings_of(code, sort)
    )


def turn_in_english(text: str) -> str:
    """A text with the words of a turn's name in English, up to the first colon: ``Herbst 1901: ...``."""
    line = words(text)
    ends = next((place for place, word in enumerate(line) if word.key == ":"), len(line))
    return _replace_words(text, line, _turn_words(), {}, ends)


def _replace_words(
    text: str,
    line: tuple[Word, ...],
    whole: Mapping[StructurePhrase, str],
    inner: Mapping[StructurePhrase, str],
    until: int,
) -> str:
    """Return the text with some words replaced. inner: those replaced while a condition goes on."""
    out, at, place, asks = "", 0, 0, True
    while place < until:
        joins = asks and (place == 0 or line[place].end - line[place].start > 1 or _joins(text, line, place))
        size, sort = _longest(line, place, whole, inner if joins else {})
        if not size:
            asks = asks and line[place].key not in _CLAUSE_SIGNS
            place += 1
            continue
        first, last = line[place], line[place + size - 1]
        typed = text[first.start : last.end]
        glued = text[last.end : last.end + 1].isalnum()
        replacement = sort.upper() if typed.isupper() and len(typed) > 1 else sort
        out += text[at : first.start] + replacement + " " * glued
        at, place = last.end, place + size
        asks = sort == "if" or (asks and sort in _JOINING_WORD_SORTS)
    return out + text[at:]


def _joins(text: str, line: tuple[Word, ...], place: int) -> bool:
    """Return whether a lone letter joins two conditions, and is no unit's."""
    here, before = line[place], line[place - 1]
    typed = text[here.start : here.end]
    return typed.islower() and typed.isascii() and before.end - before.start > 1 and place > 1


def _longest(
    line: tuple[Word, ...],
    place: int,
    whole: Mapping[StructurePhrase, str],
    inner: Mapping[StructurePhrase, str],
) -> tuple[int, str]:
    """Return the length of the longest known phrase at a place, and its sort; (0, "") for none."""
    for size in (4, 3, 2, 1):
        phrase = tuple(word.key for word in line[place : place + size])
        if len(phrase) == size and (sort := whole.get(phrase) or inner.get(phrase)):
            return size, sort
    return 0, ""
