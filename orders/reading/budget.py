"""The work that reading one email may cost: its limits, and results computed once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TypeVar

MAX_LINES_PER_LETTER, MAX_COMMANDS_PER_LETTER = 400, 40
"""The most lines of an email that are read, without the text of press, and the most commands that are carried
out."""

MAX_WORK_PER_LETTER = 250_000
"""The work allowed per email: one unit per word looked up, five per correction step, one per four characters.

A player's email takes some thousands.
"""

MOST_LISTS = 12
"""The number of lines of an email that get suggestions of possible names."""


@dataclass
class ReadingBudget:
    """The rest of an email's budget. No line is read without lines and work left.

    work: units; lists: of possible names.
    """

    lines: int = MAX_LINES_PER_LETTER
    commands: int = MAX_COMMANDS_PER_LETTER
    work: int = MAX_WORK_PER_LETTER
    lists: int = MOST_LISTS


def unlimited_budget() -> ReadingBudget:
    """Return a budget without limits, for a GM."""
    return ReadingBudget(lines=10**9, commands=10**9, work=10**12)


# Results computed once: for frozen values, and for questions while an email is read.


FrozenT = TypeVar("FrozenT")
MadeT = TypeVar("MadeT")
AnswerT = TypeVar("AnswerT")

MAX_MADE_VALUES = 64


def make_once(make: Callable[[FrozenT], MadeT]) -> Callable[[FrozenT], MadeT]:
    """Cache a function of immutable values of which a few recur: lexicons, forms.

    Equal values are prepared once. A check for equality compares all parts, but the check for identity comes
    first and is free.
    """
    of_equals = lru_cache(maxsize=MAX_MADE_VALUES)(make)
    known: dict[int, tuple[FrozenT, MadeT]] = {}

    @wraps(make)
    def make_once(value: FrozenT) -> MadeT:
        entry = known.get(id(value))
        # The value is kept with its result, so no other value can have its identity meanwhile.
        if entry is not None and entry[0] is value:
            return entry[1]
        if len(known) >= MAX_MADE_VALUES:
            known.clear()
        made = of_equals(value)
        known[id(value)] = value, made
        return made

    return make_once


def ask_once(ask: Callable[[], AnswerT]) -> Callable[[], AnswerT]:
    """Return the same question, asked at most once, in a tenth of the time of `functools.cache`."""
    answers: list[AnswerT] = []

    def answer() -> AnswerT:
        if not answers:
            answers.append(ask())
        return answers[0]

    return answer
