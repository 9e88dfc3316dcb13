"""How much of a game's data is ours and not its publisher's, counted by the marks in its files."""

from collections.abc import Iterable
from typing import Any

from games.data import read_json

_OURS = frozenset(("A", "assumed"))


def ours(package: str, file: str, key: str, within: Iterable[str] | None = None) -> tuple[int, int]:
    """Of the marked rows under a key of a data file, how many are ours, and how many there are.

    within: the keys below it that count; None: all of them.
    """
    rows = read_json(package, file)[key]
    if within is not None:
        rows = [rows[name] for name in within]
    marks = list(_marks(rows))
    return sum(mark in _OURS for mark in marks), len(marks)


def told(counts: Iterable[tuple[str, tuple[int, int]]]) -> str:
    """Such counts in words: "values marked ours: 53 of 60 cards, 41 of 41 leaders"."""
    said = ", ".join(f"{mine} of {total} {things}" for things, (mine, total) in counts)
    return f"values marked ours: {said}"


def _marks(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        if "mark" in value:
            yield value["mark"]
        for below in value.values():
            yield from _marks(below)
    elif isinstance(value, list):
        for below in value:
            yield from _marks(below)
