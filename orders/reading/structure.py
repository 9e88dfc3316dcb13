"""The words that give an email its structure, in any language: conditions, and the turns that PHASE names."""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import lru_cache

from games.data import read_toml
from games.protocol import Form, Order, Turn
from games.record import replace_fields
from orders.conditions import NOW
from orders.messages import sentence
from orders.reading.forms import compile_forms
from orders.reading.lexicon import NameIndex
from orders.reading.replacements import Key, covering, scope_key
from orders.verdict import IN_FORCE, LineVerdict
from orders.words import Word, fold, keys, spell_umlauts, words

_CONDITION_WORD_SORTS, _JOINING_WORD_SORTS = ("if", "then", "else", "endif"), ("and", "or", "not")
_TURN_WORD_SORTS = ("spring", "fall", "winter", "moves", "retreats", "builds", "for")
_CLAUSE_SIGNS = frozenset((",", ":", ";"))
_IF_NOT = frozenset((("si", "no"), ("se", "no")))
"""The words for ELSE if only a punctuation mark follows, and for IF NOT otherwise."""

_SEASON_WORDS = ("spring", "summer", "autumn", "fall", "winter")
_ENGLISH_STRUCTURE_WORDS = frozenset(
    ("if", "then", "else", "elseif", "elsif", "end", "endif", "phase", "endphase", "stop", *_SEASON_WORDS)
)

StructurePhrase = tuple[str, ...]


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Mapping[str, list[str]]]:
    return read_toml("orders", "structure.toml")


def _spellings_of(code: str, sort: str) -> Iterator[StructurePhrase]:
    """Yield the ways to write a word of a language, as keys."""
    for word in _tables()[code].get(sort, ()):
        yield from {keys(word), keys(spell_umlauts(word))}


@lru_cache(maxsize=1)
def _first_words() -> frozenset[str]:
    """Return the first words of lines that apply to others."""
    sorts = ("if", "else", "endif", "phase", "then")
    return frozenset(
        phrase[0] for code in _tables() for sort in sorts for phrase in _spellings_of(code, sort)
    )


@lru_cache(maxsize=1)
def _ending() -> frozenset[StructurePhrase]:
    """Return the phrases that may end an IF at the end of a line that begins otherwise."""
    return frozenset(phrase for code in _tables() for phrase in _spellings_of(code, "endif"))


@lru_cache(maxsize=1)
def governing_phrases() -> frozenset[StructurePhrase]:
    """Return the phrases that lines for other lines begin or end with, and the seasons, in all languages."""
    sorts = ("if", "else", "endif", "phase", "then", "spring", "fall", "winter")
    english = ((word,) for word in _ENGLISH_STRUCTURE_WORDS)
    return frozenset(english) | {
        phrase for code in _tables() for sort in sorts for phrase in _spellings_of(code, sort)
    }


@lru_cache(maxsize=16)
def _vocabulary(head: str) -> tuple[Mapping[StructurePhrase, str], Mapping[StructurePhrase, str]]:
    """Return the English for each phrase, in the languages that such a line can begin with.

    The first mapping is for a whole line, the second for conditions and the names of turns in it.
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
    """Return the patterns of a kind, ``all`` or ``some``, in all languages."""
    return tuple(pattern for table in _tables().values() for pattern in table.get(sort, ()))


def begins_with_structure(text: str) -> bool:
    """Return whether a tidy text begins with a structural word in another language."""
    head = text.split(maxsplit=1)[:1]
    return bool(head) and fold(head[0].rstrip(":,;.")) in _first_words()


def in_english(text: str) -> str:
    """Return a tidy line, with structural words in English if it begins with one or ends an IF."""
    line = words(text)
    if not line:
        return text
    if line[0].key in _first_words():
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
    """Return whether a text begins with words that mean IF NOT elsewhere, and ELSE here."""
    first_keys = tuple(word.key for word in line[:2])
    return first_keys in _IF_NOT and (len(line) == 2 or line[2].key in _CLAUSE_SIGNS)


@lru_cache(maxsize=1)
def season_words() -> frozenset[str]:
    """Return the first words of the names of seasons in all languages."""
    sorts = ("spring", "fall", "winter")
    return frozenset(
        phrase[0] for code in _tables() for sort in sorts for phrase in _spellings_of(code, sort)
    )


def turn_in_english(text: str) -> str:
    """Return a text with a turn's name in English, up to the first colon: ``Herbst 1901: ...``."""
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
    """Return the text with some words replaced. inner: the words replaced while a condition continues."""
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
    """Return whether a single letter joins two conditions and isn't a unit's."""
    here, before = line[place], line[place - 1]
    typed = text[here.start : here.end]
    return typed.islower() and typed.isascii() and before.end - before.start > 1 and place > 1


def _longest(
    line: tuple[Word, ...],
    place: int,
    whole: Mapping[StructurePhrase, str],
    inner: Mapping[StructurePhrase, str],
) -> tuple[int, str]:
    """Return the length of the longest known phrase at a place, and its kind; (0, "") for none."""
    for size in (4, 3, 2, 1):
        phrase = tuple(word.key for word in line[place : place + size])
        if len(phrase) == size and (sort := whole.get(phrase) or inner.get(phrase)):
            return size, sort
    return 0, ""


# Find the coming turn that a player names: ``F1901M``, ``fall 1 moves``, ``Winter 1901 Adjustment``.


_YEAR_NUMBER_PATTERN = re.compile(r"\d+")
_SHORT_TURN_PATTERN = re.compile(r"[SUFW](-?\d+)[MRA]")

_FIRST_NUMBER_PATTERN = re.compile(r"(\d+)")

_TURN_WORD_SYNONYMS = {
    "autumn": "fall",
    "year": "",
    "of": "",
    "phase": "",
    "turn": "",
    **dict.fromkeys(("move", "movement", "movements", "moving"), "moves"),
    **dict.fromkeys(("retreat", "retreating"), "retreats"),
    **dict.fromkeys(("build", "adjust", "adjustment", "adjustments", "removals"), "builds"),
}
"""Words with the same meaning in the names of turns, by the one to compare. "" doesn't distinguish turns."""

_TURN_SEASONS = frozenset(_SEASON_WORDS)
_TURN_KIND_WORDS = frozenset(_TURN_WORD_SYNONYMS) | frozenset(_TURN_WORD_SYNONYMS.values())
_ERA_WORDS = frozenset(("bc",))
_HEADING_FILLER_WORDS = frozenset(
    (":", ",", "-", "(", ")", "my", "our", "the", "orders", "order", "for", "and", "in")
)
"""The words without meaning in a heading."""


def find_turn(text: str, turns: Sequence[Turn]) -> Turn | None:
    """Return the turn of that short name, or the one whose name has all these words; None for none.

    A name without a kind means the moves, or the only turn. Judges call retreats after the fall "autumn", and
    those after the spring "summer".
    """
    typed = keys(text)
    short = "".join(typed)
    for turn in turns:
        if turn.short.lower() == short:
            return turn
    unsigned = [turn for turn in turns if turn.short.lower().replace("-", "") == short]
    if len(unsigned) == 1:
        # A year BC without its minus: "S260M" for S-260M.
        return unsigned[0]
    turn_words = _comparable_words(typed)
    if not turn_words or not any(word.isdigit() for word in turn_words):
        return None
    return (
        _turn_with_words(turn_words, turns)
        or _turn_with_words({"spring" if w == "summer" else w for w in turn_words}, turns)
        or _turn_with_beginnings(turn_words, turns)
    )


@lru_cache(maxsize=64)
def named_seasons(turns: tuple[Turn, ...]) -> Mapping[str, str]:
    """Return the words of seasons that have other names on a board, each with the letter of its season.

    A word of several seasons has "": it names none of them.
    """
    seasons: dict[str, str] = {}
    for turn in turns:
        letter = turn.short[:1]
        for word in keys(turn.name) if _SHORT_TURN_PATTERN.fullmatch(turn.short) else ():
            if word.isalpha() and word not in _TURN_SEASONS | _TURN_KIND_WORDS | _ERA_WORDS:
                seasons[word] = letter if seasons.get(word, letter) == letter else ""
    return seasons


def turn_in_heading(text: str, turns: Sequence[Turn], titles: Container[str] = ()) -> Turn | None:
    """Return the turn that a heading names, "Fall 1901:", "My orders for spring", or None for other lines.

    A heading without a year means the next such turn. titles: names that it may contain.
    """
    typed = keys(text)
    heading_keys = [key for key in typed if key not in _HEADING_FILLER_WORDS and key not in titles]
    own = named_seasons(tuple(turns))
    seasons = [key for key in heading_keys if key in _TURN_SEASONS or own.get(key)]
    words_of_turns = _TURN_SEASONS | _TURN_KIND_WORDS | own.keys() | _ERA_WORDS
    if (
        not turns
        or len({own.get(key, key) for key in seasons}) != 1
        or len(seasons) > (len(own) or 1)
        or any(not (key in words_of_turns or key.isdigit()) for key in heading_keys)
    ):
        return None
    if any(key.isdigit() for key in heading_keys):
        return find_turn(" ".join(heading_keys), turns)
    season = _TURN_WORD_SYNONYMS.get(seasons[0], seasons[0])
    return next((turn for turn in turns if season in _comparable_words(keys(turn.name))), None)


def present_words(turns: Sequence[Turn]) -> frozenset[str]:
    """Return the words for the current turn, including its short name, or none if there is none."""
    if not turns:
        return frozenset()
    named = frozenset(keys(turns[0].name)) | {turns[0].short.lower()}
    return named | ({"fall"} if "autumn" in named else set())


def find_past_turn(text: str, turns: Sequence[Turn]) -> str | None:
    """Return the short name of a past turn named in the text, or None.

    turns: the coming ones. A turn is past if it is one of these in an earlier year.
    """
    year = _YEAR_NUMBER_PATTERN.search(text)
    if year is None:
        return None
    first = {_YEAR_NUMBER_PATTERN.sub("", turn.short): turn for turn in reversed(turns)}
    dated = [
        (turn, _in_year(turn, year[0])) for turn in first.values() if _YEAR_NUMBER_PATTERN.search(turn.short)
    ]
    past_turn = find_turn(text, [then for _, then in dated])
    return next((then.short for turn, then in dated if then is past_turn and _is_before(then, turn)), None)


def _in_year(turn: Turn, year: str) -> Turn:
    """Return the turn of that kind and season in another year."""
    return replace_fields(
        turn, name=_YEAR_NUMBER_PATTERN.sub(year, turn.name), short=_YEAR_NUMBER_PATTERN.sub(year, turn.short)
    )


def _is_before(first: Turn, other: Turn) -> bool:
    years = [
        _SHORT_TURN_PATTERN.fullmatch(turn.short) or _FIRST_NUMBER_PATTERN.search(turn.short)
        for turn in (first, other)
    ]
    return all(years) and int(years[0][1]) < int(years[1][1])  # type: ignore[index]  # checked before


def _turn_with_words(turn_words: set[str], turns: Sequence[Turn]) -> Turn | None:
    matches = [turn for turn in turns if turn_words <= _comparable_words(keys(turn.name))]
    moves = [turn for turn in matches if turn.kind == "moves"]
    return matches[0] if len(matches) == 1 else moves[0] if len(moves) == 1 else None


def _turn_with_beginnings(turn_words: set[str], turns: Sequence[Turn]) -> Turn | None:
    """Return the turn whose words begin like these, since the Judge compares first letters: "w 1901 b"."""
    matches = [
        turn
        for turn in turns
        if all(_is_beginning_of_any(word, _comparable_words(keys(turn.name))) for word in turn_words)
    ]
    moves = [turn for turn in matches if turn.kind == "moves"]
    return matches[0] if len(matches) == 1 else moves[0] if len(moves) == 1 else None


def _is_beginning_of_any(beginning: str, named: set[str]) -> bool:
    if beginning.isdigit():
        return beginning in named
    return any(
        word.startswith(beginning)
        for name in named
        for word in (name, *(other for other, same in _TURN_WORD_SYNONYMS.items() if same == name))
    )


def _comparable_words(typed: Sequence[str]) -> set[str]:
    return {word for word in (_TURN_WORD_SYNONYMS.get(key, key) for key in typed) if word.isalnum()}


# "All hold": an order for all units that have no other orders in an email.


ALL_HOLD_TEXT = "all hold"
"""The shortest way to write it."""

_ALL_UNITS_WORDS = "(units|my units|our units|of them|of my units|of the units|)"
_EVERYTHING_WORDS = (
    "(all|everything|everyone|everybody|all others|all the others|all other|all my other|everything else"
    "|everyone else|everybody else|all else|the rest|rest|all the rest|the others|others|other|my other"
    "|the other|all remaining|remaining|the remaining|anything else|everywhere|everywhere else)"
)
_ALL_HOLD_WORDS = (
    "(h|hold|holds|holding|to hold|should hold|hold position|stand|stands|stand still|stay|stays|stay put"
    "|stays put)"
)
_TIME_WORDS = "(this turn|this season|this time|this spring|this fall|for now|now|again|)"
ALL_HOLD_FORMS = (
    Form(
        name="rest",
        pattern=f"{_EVERYTHING_WORDS} {_ALL_UNITS_WORDS} [:|-] {_ALL_HOLD_WORDS} {_TIME_WORDS}",
        example=ALL_HOLD_TEXT,
    ),
    Form(
        name="rest",
        pattern=f"(hold|stand|hold with) {_EVERYTHING_WORDS} {_ALL_UNITS_WORDS} {_TIME_WORDS}",
        example="hold everything else",
    ),
    *(
        Form(name="rest", pattern=pattern, example=ALL_HOLD_TEXT)
        for pattern in patterns_in_all_languages("all")
    ),
)
_SOME_HOLD_FORMS = (
    Form(
        name="some",
        pattern=f"(all|all the|the|all my|my|both|other|the other|all other) "
        f"(armies|fleets|war parties|home units|canoes|two|units there) {_ALL_HOLD_WORDS} {_TIME_WORDS}",
        example="all armies hold",
    ),
    Form(name="some", pattern="(hold|stand) (all|all my|the|my) (armies|fleets)", example="hold all fleets"),
    *(
        Form(name="some", pattern=pattern, example="all armies hold")
        for pattern in patterns_in_all_languages("some")
    ),
)
ALL_HOLD_GRAMMAR, SOME_HOLD_GRAMMAR, NO_NAMES = (
    compile_forms(ALL_HOLD_FORMS),
    compile_forms(_SOME_HOLD_FORMS),
    NameIndex(()),
)
"""The grammars of words that let all units, or all others, hold, and of those that name no units."""


def says_all_hold(line: Sequence[Word]) -> bool:
    """Return whether a line lets all units hold, or all others."""
    return line[0].key in ALL_HOLD_GRAMMAR.openings and bool(ALL_HOLD_GRAMMAR.match(line, NO_NAMES))


class AllHold(Order, frozen=True, kw_only=True):
    """Lets each unit hold that has no other order in the email. No game sees it: see `expand_all_hold`."""


def expand_all_hold(
    verdicts: Sequence[LineVerdict],
    resting: Callable[[], Sequence[Order]],
    write: Callable[[Order], str],
    named: Callable[[str], frozenset[str]],
) -> tuple[LineVerdict, ...]:
    """Return the verdicts, with one for each unit in place of "all hold".

    resting: the hold orders. named: the ids of all units that a text names. A unit gets none if the email
    gives it another order or if it is named on a line that wasn't understood.
    """
    if not any(isinstance(verdict.order, AllHold) for verdict in verdicts):
        return tuple(verdicts)
    unclear = frozenset(
        id_
        for verdict in verdicts
        if verdict.order is None
        for text in (verdict.line, *verdict.candidates)
        for id_ in named(text)
    )
    staying = [order for order in resting() if not named(write(order)) & unclear]
    explicit = [ordering for ordering in verdicts if ordering.order and ordering.order.slot is not None]
    ordered = frozenset(
        key for ordering in explicit for key in covering(scope_key(ordering.order.slot, ordering.when or NOW))
    )
    last = {
        _all_hold_scope(ordering): place
        for place, ordering in enumerate(verdicts)
        if isinstance(ordering.order, AllHold)
    }
    result: list[LineVerdict] = []
    for place, verdict in enumerate(verdicts):
        if not isinstance(verdict.order, AllHold):
            result.append(verdict)
        elif verdict.grade in IN_FORCE and place < last[_all_hold_scope(verdict)]:
            problem = sentence("all_hold.repeated")
            result.append(replace_fields(verdict, grade="idle", order=None, problem=problem))
        else:
            result += _replace_by_holds(verdict, ordered, staying, write)
    return tuple(result)


def _all_hold_scope(verdict: LineVerdict) -> Key:
    """Return the things that an "all hold" depends on, and whether it is one of those that count."""
    return scope_key(str(verdict.grade in IN_FORCE), verdict.when or NOW)


def _replace_by_holds(
    verdict: LineVerdict, ordered: Container[Key], staying: Sequence[Order], write: Callable[[Order], str]
) -> Iterator[LineVerdict]:
    if verdict.grade not in IN_FORCE:
        yield replace_fields(verdict, order=None)
        return
    when = verdict.when or NOW
    if when.turn is not None:
        problem = sentence("all_hold.later_turn", turn=when.turn)
        yield replace_fields(verdict, grade="unread", order=None, said=None, problem=problem)
        return
    free = [order for order in staying if scope_key(order.slot or "", when) not in ordered]
    if not free:
        problem = sentence("all_hold.all_have_orders")
        yield replace_fields(verdict, grade="idle", order=None, problem=problem)
    for order in free:
        yield replace_fields(verdict, order=order, said=write(order), rest=True)
