"""Find the turn to come that a player names: ``F1901M``, ``fall 1 moves``, ``Winter 1901 Adjustment``."""

import re
from collections.abc import Container, Sequence

from games.protocol import Turn
from games.record import replace_fields
from orders.words import keys

_YEAR_NUMBER_PATTERN = re.compile(r"\d+")

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
"""Words that mean the same in the names of turns, by the one to compare; "" does not tell turns apart."""

_TURN_SEASONS = frozenset(("spring", "summer", "autumn", "fall", "winter"))
_TURN_KIND_WORDS = frozenset(_TURN_WORD_SYNONYMS) | frozenset(_TURN_WORD_SYNONYMS.values())
_HEADING_FILLER_WORDS = frozenset(
    (":", ",", "-", "(", ")", "my", "our", "the", "orders", "order", "for", "and", "in")
)
"""What says nothing in a heading."""


def find_turn(text: str, turns: Sequence[Turn]) -> Turn | None:
    """Return the turn of that short name, or the one whose name has all these words; None for none.

    Who names no kind means the moves, or the only turn there is. Judges call retreats after the fall those
    of autumn, and those after the spring summer's.
    """
    typed = keys(text)
    short = "".join(typed)
    for turn in turns:
        if turn.short.lower() == short:
            return turn
    turn_words = _comparable_words(typed)
    if not turn_words or not any(word.isdigit() for word in turn_words):
        return None
    return (
        _turn_with_words(turn_words, turns)
        or _turn_with_words({"spring" if w == "summer" else w for w in turn_words}, turns)
        or _turn_with_beginnings(turn_words, turns)
    )


def turn_in_heading(text: str, turns: Sequence[Turn], titles: Container[str] = ()) -> Turn | None:
    """Return the turn that a heading names, "Fall 1901:", "My orders for spring"; None for another line.

    A heading without a year means the next such turn. titles: names that may stand in it.
    """
    typed = keys(text)
    heading_keys = [key for key in typed if key not in _HEADING_FILLER_WORDS and key not in titles]
    seasons = [key for key in heading_keys if key in _TURN_SEASONS]
    if (
        not turns
        or len(seasons) != 1
        or any(not (k in _TURN_SEASONS or k in _TURN_KIND_WORDS or k.isdigit()) for k in heading_keys)
    ):
        return None
    if any(key.isdigit() for key in heading_keys):
        return find_turn(" ".join(heading_keys), turns)
    season = _TURN_WORD_SYNONYMS.get(seasons[0], seasons[0])
    return next((turn for turn in turns if season in _comparable_words(keys(turn.name))), None)


def present_words(turns: Sequence[Turn]) -> frozenset[str]:
    """The words by which the present turn is called, its short name among them; none where there is none."""
    if not turns:
        return frozenset()
    named = frozenset(keys(turns[0].name)) | {turns[0].short.lower()}
    return named | ({"fall"} if "autumn" in named else set())


def find_past_turn(text: str, turns: Sequence[Turn]) -> str | None:
    """Return the short name of a turn that is over, by the text; None where it names no such turn.

    turns: those to come; a turn is over if it is one of theirs in an earlier year.
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
    years = [_YEAR_NUMBER_PATTERN.search(turn.short) for turn in (first, other)]
    return all(years) and int(years[0][0]) < int(years[1][0])  # type: ignore[index]  # checked before


def _turn_with_words(turn_words: set[str], turns: Sequence[Turn]) -> Turn | None:
    matches = [turn for turn in turns if turn_words <= _comparable_words(keys(turn.name))]
    moves = [turn for turn in matches if turn.kind == "moves"]
    return matches[0] if len(matches) == 1 else moves[0] if len(moves) == 1 else None


def _turn_with_beginnings(turn_words: set[str], turns: Sequence[Turn]) -> Turn | None:
    """Return the turn whose words begin as these do: the Judge looks at first letters, "w 1901 b"."""
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
