"""What a letter may ask of whoever reads it. All its sections share one; what is beyond it is named."""

from dataclasses import dataclass

MOST_LINES, MOST_COMMANDS = 400, 40
"""So many lines of a letter are read, the text of press not counted, and so many of its commands obeyed."""

MOST_WORK = 250_000
"""So much work goes into a letter: a unit for each word looked up, five for each step of mending,
one for four signs read.

That of a person takes some thousands.
"""

MOST_LISTS = 12
"""So many lines of a letter are told which names could stand in them."""


@dataclass
class Allowance:
    """What is left of it. work: units; below zero nothing more is tried. lists: of possible names."""

    lines: int = MOST_LINES
    commands: int = MOST_COMMANDS
    work: int = MOST_WORK
    lists: int = MOST_LISTS

    @property
    def is_spent(self) -> bool:
        """Whether no further line is read."""
        return self.lines <= 0 or self.work <= 0

    @property
    def is_tired(self) -> bool:
        """Whether too much has gone into what was read."""
        return self.work <= 0

    def spend(self, units: int) -> None:
        """Note work that was done."""
        self.work -= units


def unlimited() -> Allowance:
    """That of a gamesmaster, whose patience is his own."""
    return Allowance(lines=10**9, commands=10**9, work=10**12)
