"""Text that isn't an order but looks like one: guesses of the order that its writer meant."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from games.data import read_toml
from games.protocol import Form
from orders.reading.forms import FormMatch, Grammar
from orders.reading.lexicon import NameIndex
from orders.words import ARROW, DASH, Word, tidy, words


@lru_cache(maxsize=1)
def _chat() -> frozenset[str]:
    return frozenset(word for words in read_toml("orders", "chat.toml")["talk"].values() for word in words)


@lru_cache(maxsize=4)
def _chat_words(table: str) -> frozenset[str]:
    return frozenset(read_toml("orders", "chat.toml")[table]["words"])


@lru_cache(maxsize=2)
def _idle(row: str) -> frozenset[str]:
    return frozenset(read_toml("orders", "chat.toml")["idle"][row])


@lru_cache(maxsize=1)
def _times() -> frozenset[str]:
    return frozenset(read_toml("orders", "chat.toml")["talk"]["time"])


_MAX_NEAR_MISS_WORDS, _MAX_DASH_TRIAL_WORDS = 25, 8
_LONGEST_LETTERS = 2
_MAX_VERB_LINE_WORDS = 14
_MONTH_VERBS = frozenset(("march", "may"))
_ORDER_NOUNS = frozenset(("order", "orders", "move", "moves"))
_ANNOUNCING_VERBS = frozenset(("are", "is", "follow", "follows"))
_TURN_WORDS = frozenset(("spring", "summer", "autumn", "fall", "winter", "year", "turn", "season"))
_FIRST_WORDS_OF_SEASONS = frozenset(("spring", "summer", "autumn", "fall", "winter"))
_SEASON_SYNONYMS = {"autumn": "fall"}
_YEAR = re.compile(r"\d{4}|[sfuw]-?\d{1,4}[mra]?").fullmatch
_ACTING = re.compile(r"n-[^-]|[^-]-n|^w?n[?]n")
_UNKNOWN = re.compile("[^now-]")


class Unknown(NamedTuple):
    """A word in the place of a name, and the sort of name."""

    typed: str
    sort: str


@lru_cache(maxsize=1024)
def is_chat(text: str) -> bool:
    """Return whether the text has words that belong to chat and not to orders."""
    line = words(tidy(text))
    return any(word.key in _chat() for word in line) and not (len(line) < 4 and line[0].key in ("i", "a"))


def chat_in(text: str) -> tuple[str, ...]:
    """Return the words of chat in a text, each once."""
    return tuple(dict.fromkeys(word.key for word in words(tidy(text)) if word.key in _chat()))


@lru_cache(maxsize=1024)
def is_courtesy(text: str) -> bool:
    """Return whether the text only contains thanks, greetings and farewells."""
    word_keys = [word.key for word in words(tidy(text)) if word.key[0].isalnum()]
    return all(key in _chat_words("courtesy") for key in word_keys)


@lru_cache(maxsize=64)
def _leading(titles: frozenset[tuple[str, ...]]) -> frozenset[str]:
    """Return the words that may announce orders, including the sender's own names."""
    return _chat_words("lead") | {key for title in titles for key in title}


def past_lead(text: str, titles: Collection[tuple[str, ...]], present: Collection[str] = ()) -> str:
    """Return the text after an announcement of orders, "my orders for spring are:", or the whole text.

    present: the words of the current turn's name. An announcement for another turn isn't removed.
    """
    line = words(text)
    lead, announced, before = _leading(frozenset(titles)), False, ""
    for word, after in pairwise(line):
        ends = word.key == ":" or word.key in _ANNOUNCING_VERBS
        if ends and announced and after.key not in lead and after.key != ":":
            return text[after.start :]
        dated = _YEAR(word.key) or (word.key.isdigit() and before in _TURN_WORDS)
        if (
            present
            and (dated or word.key in _FIRST_WORDS_OF_SEASONS)
            and _SEASON_SYNONYMS.get(word.key, word.key) not in present
        ):
            return text
        if not (ends or dated or word.key in lead or word.key == ","):
            return text
        announced = (
            announced
            or word.key in _ORDER_NOUNS
            or bool(present and (dated or word.key in _FIRST_WORDS_OF_SEASONS))
        )
        before = word.key
    return text


def looks_like_order(text: str, grammar: Grammar, names: NameIndex) -> bool:
    """Return whether a player would expect a reply to this text."""
    line = words(tidy(text))
    if not 2 <= len(line) <= _MAX_NEAR_MISS_WORDS or is_chat(text):
        return False
    marks = _marks(line, grammar, names)
    known = len(_UNKNOWN.sub("", marks))
    if marks[0] == DASH and "n" in marks and tidy(text)[:2] == ARROW:
        return True
    if "n" not in marks:
        return marks[0] == "w" and len(line[0].key) <= 2 and len(line) <= 8 and _has_action(marks[1:])
    if _ACTING.search(marks) and len(line) <= 6:
        return True
    if known == len(marks) and marks.count("n") > 1:
        return True
    begun = marks.startswith(("n", "wn"))
    mostly = 5 * known >= 3 * len(marks) and (_has_action(marks) or marks.startswith("wn"))
    return mostly or (begun and _has_action(marks) and 2 * known >= len(marks))


def begins_with_verb(text: str, grammar: Grammar, names: NameIndex) -> bool:
    """Return whether the text begins with a verb, as orders do, and doesn't continue like chat.

    Such a short line always gets a reply, because its writer thinks that it is an order: "play Moon Landing".
    """
    plain = tidy(text)
    line = words(plain)
    if not 2 <= len(line) <= _MAX_VERB_LINE_WORDS or text.rstrip().endswith((":", "?")) or is_courtesy(text):
        return False
    word_keys = [word.key for word in line]
    if word_keys[1] in _idle("after") or not _is_verb(line, grammar, names):
        return False
    if word_keys[0] in _MONTH_VERBS and all(key == "," or key[0].isdigit() for key in word_keys[1:]):
        return False
    named = any(any(char.isdigit() for char in key) for key in word_keys[1:])
    named = named or any(names.at(line, place) for place in range(1, len(line)))
    talk = _chat() - _times() if named else _chat()
    talks = any(
        word.key in talk and not _is_of_code(plain, line, place) for place, word in enumerate(line) if place
    )
    return not talks and (named or not text.rstrip().endswith("!"))


def _is_of_code(text: str, line: Sequence[Word], place: int) -> bool:
    """Return whether a word is part of a code, as in ``CA-B``, and isn't the French ``ça``."""
    word, beside = line[place], line[max(place - 1, 0) : place + 2]
    joined = any(
        neighbour.key == DASH and word.start <= neighbour.end and neighbour.start <= word.end
        for neighbour in beside
    )
    return joined and text[word.start : word.end].isupper()


def _is_verb(line: Sequence[Word], grammar: Grammar, names: NameIndex) -> bool:
    """Return whether the first word is a verb of an order."""
    key = line[0].key
    if len(key) > 2 and key in grammar.openings and key not in _idle("openings"):
        return True
    return any(term.sort in grammar.heads for _, terms in names.at(line, 0) for term in terms)


def _has_action(marks: str) -> bool:
    """Return whether a dash or an order word comes after the first word."""
    return DASH in marks[1:] or "w" in marks[1:]


def _marks(line: Sequence[Word], grammar: Grammar, names: NameIndex) -> str:
    """Return one letter for each name and each other word.

    n name, o name that no order needs, w order word, - dash, comma little, ? unknown.
    """
    marks, place = "", 0
    while place < len(line):
        key = line[place].key
        names_here = names.at(line, place)
        ends = [end for end, terms in names_here if any(term.sort in grammar.sorts for term in terms)]
        if key == DASH:
            mark, place = DASH, place + 1
        elif key in grammar.literals and key not in _chat_words("little") and not (ends and len(key) > 2):
            mark, place = "w", place + 1
        elif ends:
            mark, place = "n", ends[0]
        elif names_here:
            mark, place = "o", names_here[0][0]
        elif key in _chat_words("little") or not key[0].isalnum():
            mark, place = ",", place + 1
        elif grammar.near_literals(key):
            mark, place = "w", place + 1
        else:
            near = names.find(key, grammar.sorts).how != "nothing"
            mark, place = "n" if near else "?", place + 1
        marks += mark
    return marks


def unknown_name(text: str, grammar: Grammar, names: NameIndex) -> Unknown | None:
    """Return the first word that is neither a name nor an order word, and the kind of name it may be."""
    line = words(text)
    marks = _marks_by_word(line, grammar, names)
    for place, (word, mark) in enumerate(zip(line, marks, strict=True)):
        if mark == "?" and word.key[0].isalnum() and word.key not in _chat() | _chat_words("little"):
            sort = grammar.sort_behind(line[0].key, _count_names_before(line, marks, names, place))
            return Unknown(_as_written(text, line, marks, place), sort)
    return None


def _count_names_before(line: Sequence[Word], marks: str, names: NameIndex, place: int) -> int:
    """Return how many names are before a place, including unknown ones."""
    count = at = 0
    while at < place:
        count += marks[at] in "n?"
        at = max((end for end, _ in names.at(line, at)), default=at + 1)
    return count


def _as_written(text: str, line: Sequence[Word], marks: str, place: int) -> str:
    """Return an unknown word with the unknown text joined to it without a space: ``B-9Q``."""
    first = last = place
    while last + 1 < len(line) and _joins(line, marks, last, last + 1):
        last += 1
    while first and _joins(line, marks, first - 1, first):
        first -= 1
    while last > place and line[last].key == DASH:
        last -= 1
    return text[line[first].start : line[last].end]


def _joins(line: Sequence[Word], marks: str, first: int, second: int) -> bool:
    """Return whether two words are together without anything known in them."""
    unknown = all(marks[place] == "?" or line[place].key == DASH for place in (first, second))
    return unknown and line[first].end == line[second].start


def _marks_by_word(line: Sequence[Word], grammar: Grammar, names: NameIndex) -> str:
    marks = ["?"] * len(line)
    for place, word in enumerate(line):
        if word.key in grammar.literals or not word.key[0].isalnum():
            marks[place] = "w"
        for end, _ in names.at(line, place):
            marks[place:end] = "n" * (end - place)
    return "".join(marks)


def suggest_correction(
    text: str,
    grammar: Grammar,
    names: NameIndex,
    text_if_offered: Callable[[FormMatch], str | None],
    examples: Callable[[], Mapping[str, str] | None],
) -> str | None:
    """Return a suggestion: the line with the nearest names, if it is an order, otherwise the nearest example.

    said: returns an order's text, or None if it isn't worth offering. examples: by form, orders that are
    possible now; None: those of the forms.
    """
    line = words(text)
    out, end, changed = "", 0, False
    for word, mark in zip(line, _marks_by_word(line, grammar, names), strict=True):
        closest = names.closest(word.key, frozenset((grammar.main_sort,))) if mark == "?" else None
        out += text[end : word.start] + (closest.names[0] if closest else text[word.start : word.end])
        end, changed = word.end, changed or closest is not None
    if changed:
        matches = grammar.match(words(out), names)
        offered = text_if_offered(matches[0]) if matches else None
        if offered:
            return offered
    bare = [word for word in line if word.key[0].isalnum() or word.key == DASH]
    fewer = (bare[:n] + bare[n + 1 :] for n in range(1, len(bare)) if bare[n].key in grammar.literals)
    longer = (with_dash(bare, gap) for gap in range(1, min(len(bare), _MAX_DASH_TRIAL_WORDS)))
    for variant in (bare, *longer, *fewer):
        plain = [] if changed else grammar.match(variant, names)
        offered = text_if_offered(plain[0]) if plain else None
        if offered:
            return offered
    unnamed = {
        word.key for word in line if not names.at((word,), 0) and (word.key[0].isalnum() or word.key == DASH)
    }
    own = examples()
    form = _likeliest_form(unnamed, grammar, own)
    example = None if form is None else form.example if own is None else own.get(form.name)
    if form is None or example is None:
        return None
    verbs = unnamed & grammar.spellings(form) - {DASH}
    shown = words(example)
    is_same_verb = line[0].key == shown[0].key and len(line[0].key) > _LONGEST_LETTERS
    if is_same_verb or _names_all(line, shown, names):
        return example
    # If a word is near no name, nothing else shows its meaning.
    return example if verbs and "?" not in _marks_by_word(line, grammar, names) else None


def _names_all(line: Sequence[Word], example: Sequence[Word], names: NameIndex) -> bool:
    """Return whether a line has all the names that an example has."""
    named = {term for place in range(len(line)) for _, terms in names.at(line, place) for term in terms}
    in_example = [terms for place in range(len(example)) for _, terms in names.at(example, place)[:1]]
    return all(named & set(terms) for terms in in_example)


def unknown_span(text: str, grammar: Grammar, names: NameIndex) -> tuple[int, int] | None:
    """Return the start and end of the first unknown name of a line; None if there is none."""
    line = words(text)
    marks = _marks_by_word(line, grammar, names)
    for place, (word, mark) in enumerate(zip(line, marks, strict=True)):
        if mark == "?" and word.key[0].isalnum() and word.key not in _chat() | _chat_words("little"):
            last = place
            while last + 1 < len(line) and marks[last + 1] == "?":
                last += 1
            return word.start, line[last].end
    return None


def with_dash(line: Sequence[Word], gap: int) -> list[Word]:
    """Return the words with a dash before one of them, as missing in "Paris Burgundy"."""
    return [*line[:gap], Word(DASH, line[gap].start, line[gap].start), *line[gap:]]


def _likeliest_form(unnamed: set[str], grammar: Grammar, own: Mapping[str, str] | None) -> Form | None:
    """Return the form whose order words are on a line, or the first one.

    unnamed: the words of the line that aren't names. own: by form, orders that are possible now.
    """
    order_words = unnamed - _chat_words("little")
    scored = [
        (
            sum(1 + (len(key) > 1) for key in order_words & grammar.spellings(form)),
            own is None or form.name in own,
            -number,
            form,
        )
        for number, form in enumerate(grammar.forms)
    ]
    return max(scored, key=lambda entry: entry[:3])[3] if scored else None
