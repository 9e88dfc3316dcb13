"""Which turn to come a player names: ``F1901M``, ``fall 1 moves``, ``Winter 1901 Adjustment``."""

import re
from collections.abc import Container, Sequence

from games.protocol import Turn
from games.record import changed
from orders.words import keys

_NUMBER = re.compile(r"\d+")

_SAME = {
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

_SEASONS = frozenset(("spring", "summer", "autumn", "fall", "winter"))
_KINDS = frozenset(_SAME) | frozenset(_SAME.values())
_PASSED = frozenset((":", ",", "-", "(", ")", "my", "our", "the", "orders", "order", "for", "and", "in"))
"""What says nothing in a heading."""


def turn_named(text: str, turns: Sequence[Turn]) -> Turn | None:
    """The turn of that short name, or the one whose name has all these words; None: there is none.

    Who names no kind means the moves, or the only turn there is. Judges call retreats after the fall those
    of autumn, and those after the spring summer's.
    """
    typed = keys(text)
    short = "".join(typed)
    for turn in turns:
        if turn.short.lower() == short:
            return turn
    said = _compared(typed)
    if not said or not any(word.isdigit() for word in said):
        return None
    return (
        _having(said, turns)
        or _having({"spring" if w == "summer" else w for w in said}, turns)
        or _beginning(said, turns)
    )


def heading(text: str, turns: Sequence[Turn], titles: Container[str] = ()) -> Turn | None:
    """The turn that a heading names, "Fall 1901:", "My orders for spring"; None: it is no such heading.

    A heading without a year means the next such turn. titles: names that may stand in it.
    """
    typed = keys(text)
    said = [key for key in typed if key not in _PASSED and key not in titles]
    seasons = [key for key in said if key in _SEASONS]
    if not turns or len(seasons) != 1 or any(not (k in _SEASONS or k in _KINDS or k.isdigit()) for k in said):
        return None
    if any(key.isdigit() for key in said):
        return turn_named(" ".join(said), turns)
    season = _SAME.get(seasons[0], seasons[0])
    return next((turn for turn in turns if season in _compared(keys(turn.name))), None)


def present_words(turns: Sequence[Turn]) -> frozenset[str]:
    """The words by which the present turn is called, its short name among them; none where there is none."""
    if not turns:
        return frozenset()
    named = frozenset(keys(turns[0].name)) | {turns[0].short.lower()}
    return named | ({"fall"} if "autumn" in named else set())


def turn_gone(text: str, turns: Sequence[Turn]) -> str | None:
    """The short name of a turn that is over, by the text; None: it names no such turn.

    turns: those to come; a turn is over if it is one of theirs in an earlier year.
    """
    year = _NUMBER.search(text)
    if year is None:
        return None
    first = {_NUMBER.sub("", turn.short): turn for turn in reversed(turns)}
    dated = [(turn, _dated(turn, year[0])) for turn in first.values() if _NUMBER.search(turn.short)]
    found = turn_named(text, [then for _, then in dated])
    return next((then.short for turn, then in dated if then is found and _is_before(then, turn)), None)


def _dated(turn: Turn, year: str) -> Turn:
    """The turn of that kind and season in another year."""
    return changed(turn, name=_NUMBER.sub(year, turn.name), short=_NUMBER.sub(year, turn.short))


def _is_before(one: Turn, other: Turn) -> bool:
    years = [_NUMBER.search(turn.short) for turn in (one, other)]
    return all(years) and int(years[0][0]) < int(years[1][0])  # type: ignore[index]  # checked before


def _having(said: set[str], turns: Sequence[Turn]) -> Turn | None:
    found = [turn for turn in turns if said <= _compared(keys(turn.name))]
    moves = [turn for turn in found if turn.kind == "moves"]
    return found[0] if len(found) == 1 else moves[0] if len(moves) == 1 else None


def _beginning(said: set[str], turns: Sequence[Turn]) -> Turn | None:
    """The turn whose words begin as those said do: the Judge looks at first letters, "w 1901 b"."""
    found = [turn for turn in turns if all(_is_begun(one, _compared(keys(turn.name))) for one in said)]
    moves = [turn for turn in found if turn.kind == "moves"]
    return found[0] if len(found) == 1 else moves[0] if len(moves) == 1 else None


def _is_begun(said: str, named: set[str]) -> bool:
    if said.isdigit():
        return said in named
    return any(
        word.startswith(said)
        for one in named
        for word in (one, *(other for other, same in _SAME.items() if same == one))
    )


def _compared(typed: Sequence[str]) -> set[str]:
    return {word for word in (_SAME.get(key, key) for key in typed) if word.isalnum()}
