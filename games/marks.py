"""The share of a game's data that is ours and not its publisher's, counted by the marks in its files."""

from collections.abc import Iterable
from typing import Any

from games.data import read_json

_ASSUMED_MARKS = frozenset(("A", "assumed"))


def count_assumed(package: str, file: str, key: str, within: Iterable[str] | None = None) -> tuple[int, int]:
    """Return how many of the marked rows under a key of a data file are ours, and how many there are.

    within: the keys below it that count; None: all of them.
    """
    rows = read_json(package, file)[key]
    if within is not None:
        rows = [rows[name] for name in within]
    marks = list(_marks(rows))
    return sum(mark in _ASSUMED_MARKS for mark in marks), len(marks)


def describe_counts(counts: Iterable[tuple[str, tuple[int, int]]]) -> str:
    """Return such counts in words: "values marked ours: 53 of 60 cards, 41 of 41 leaders"."""
    shares = ", ".join(f"{mine} of {total} {things}" for things, (mine, total) in counts)
    return f"values marked ours: {shares}"


def _marks(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        if "mark" in value:
            yield value["mark"]
        for below in value.values():
            yield from _marks(below)
    elif isinstance(value, list):
        for below in value:
            yield from _marks(below)
