"""Dice that keep a record: no throw goes unlogged, no label is thrown twice in one entry."""

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.model.games import DiceRoll
from games.dice import Dice


class RecordingDice(Dice):
    """Somebody else's dice, written down.

    forced: numbers a gamesmaster laid down, by label; they replace the throw and are marked as such, unless
    no such throw can show them.
    """

    def __init__(self, dice: Dice, forced: Mapping[str, tuple[int, ...]] | None = None) -> None:
        self._dice = dice
        self._forced = dict(forced or {})
        self._throws: dict[str, DiceRoll] = {}

    @property
    def throws(self) -> tuple[DiceRoll, ...]:
        """Return the rolls so far, in order."""
        return tuple(self._throws.values())

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        assert label not in self._throws, f"the die {label} was thrown already in this entry"
        forced = self._forced.get(label)
        if forced is not None and not can_show(sides, count, forced):
            forced = None
        numbers = forced if forced is not None else self._dice.draw(label, sides, count)
        assert can_show(sides, count, numbers), label
        self._throws[label] = DiceRoll(label=label, sides=sides, numbers=numbers, forced=forced is not None)
        return numbers


def can_show(sides: int, count: int, numbers: Sequence[int]) -> bool:
    """Return whether a draw of so many different numbers of 1..sides can come out so."""
    return len(numbers) == len(set(numbers)) == count and all(1 <= number <= sides for number in numbers)


def pending_numbers(
    forced: Mapping[str, tuple[int, ...]], throws: Iterable[DiceRoll]
) -> Mapping[str, tuple[int, ...]]:
    """Return those of the numbers set by hand, by label, that still wait after some rolls."""
    thrown = {throw.label for throw in throws if throw.forced}
    return {label: numbers for label, numbers in forced.items() if label not in thrown}
