"""The work that reading one letter may cost: its limits, and results computed once."""

from dataclasses import dataclass

MAX_LINES_PER_LETTER, MAX_COMMANDS_PER_LETTER = 400, 40
"""So many lines of a letter are read, the text of press not counted, and so many of its commands obeyed."""

MAX_WORK_PER_LETTER = 250_000
"""So much work goes into a letter: a unit for each word looked up, five for each step of mending,
one for four signs read.

That of a person takes some thousands.
"""

MOST_LISTS = 12
"""So many lines of a letter are told which names could stand in them."""


@dataclass
class ReadingBudget:
    """The budget that is left of a letter's. work: units; below zero nothing more is tried. lists: of
    possible names.
    """

    lines: int = MAX_LINES_PER_LETTER
    commands: int = MAX_COMMANDS_PER_LETTER
    work: int = MAX_WORK_PER_LETTER
    lists: int = MOST_LISTS

    @property
    def is_spent(self) -> bool:
        """Return whether no further line is read."""
        return self.lines <= 0 or self.work <= 0

    @property
    def is_work_spent(self) -> bool:
        """Return whether too much work has gone into what was read."""
        return self.work <= 0

    def spend(self, units: int) -> None:
        """Note work that was done."""
        self.work -= units


def unlimited_budget() -> ReadingBudget:
    """Return a budget without limits, for a gamesmaster."""
    return ReadingBudget(lines=10**9, commands=10**9, work=10**12)
