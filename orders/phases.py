"""Which turn to come a player names: ``F1901M``, ``fall 1 moves``, ``Winter 1901 Adjustment``."""

from collections.abc import Sequence

from games.protocol import Turn
from orders.words import keys

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
    return _having(said, turns) or _having({"spring" if w == "summer" else w for w in said}, turns)


def _having(said: set[str], turns: Sequence[Turn]) -> Turn | None:
    found = [turn for turn in turns if said <= _compared(keys(turn.name))]
    moves = [turn for turn in found if turn.kind == "moves"]
    return found[0] if len(found) == 1 else moves[0] if len(moves) == 1 else None


def _compared(typed: Sequence[str]) -> set[str]:
    return {word for word in (_SAME.get(key, key) for key in typed) if word.isalnum()}
