"""Dice that keep a record: no throw goes unlogged, no label is thrown twice in one entry."""

from collections.abc import Mapping

from adjudicator.ledger import Throw
from games.dice import Dice


class RecordingDice(Dice):
    """Somebody else's dice, written down.

    forced: numbers a gamesmaster laid down, by label; they replace the throw and are marked as such.
    """

    def __init__(self, dice: Dice, forced: Mapping[str, tuple[int, ...]] | None = None) -> None:
        self._dice = dice
        self._forced = dict(forced or {})
        self._throws: dict[str, Throw] = {}

    @property
    def throws(self) -> tuple[Throw, ...]:
        """What was thrown, in order."""
        return tuple(self._throws.values())

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        assert label not in self._throws, f"the die {label} was thrown already in this entry"
        forced = self._forced.get(label)
        numbers = forced if forced is not None else self._dice.draw(label, sides, count)
        assert len(set(numbers)) == count, label
        assert all(1 <= number <= sides for number in numbers), label
        self._throws[label] = Throw(label=label, sides=sides, numbers=numbers, forced=forced is not None)
        return numbers
