"""The dice of a question in JSON: throws laid down by label, the others drawn from its seed."""

from collections.abc import Mapping, Sequence

from games.dice import Dice, SealedDice
from games.fields import Field

DICE_KEYS = ("dice", "seed")
"""The keys of a question that say what is thrown."""


class GivenDice(Dice):
    """Throws laid down by label, and behind them those drawn from a seed. thrown: all of them, in order.

    A label stands for a number, or for an array of them where several different ones are drawn. entry: what
    the throws are for; for another entry a label shows another number.
    """

    def __init__(self, fields: Mapping[str, Field], entry: str) -> None:
        self._given = fields["dice"].entries() if "dice" in fields else {}
        for field in self._given.values():
            _numbers(field)
        self._drawn = SealedDice(_seed(fields).encode(), entry, 0)
        self.thrown: dict[str, list[int]] = {}

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` different numbers. Raises Invalid where the given numbers are impossible."""
        field = self._given.get(label)
        numbers = self._drawn.draw(label, sides, count) if field is None else _numbers(field)
        if field is not None:
            _check_numbers(field, numbers, sides, count)
        self.thrown[label] = list(numbers)
        return numbers


class FirstDice(Dice):
    """Dice that always show the first: what a bot ties with, when it is asked outside a game."""

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """The first numbers."""
        return tuple(range(1, count + 1))


def _numbers(field: Field) -> tuple[int, ...]:
    if isinstance(field.value, list):
        return tuple(entry.number(1) for entry in field.items())
    return (field.number(1),)


def _check_numbers(field: Field, numbers: Sequence[int], sides: int, count: int) -> None:
    if len(numbers) != count or len(set(numbers)) != count:
        raise field.wrong(f"{count} different numbers are drawn there", f"write {count} in square brackets")
    if max(numbers) > sides:
        raise field.wrong(f"a die of {sides} sides never shows {max(numbers)}")


def _seed(fields: Mapping[str, Field]) -> str:
    seed = fields["seed"].value if "seed" in fields else 0
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise fields["seed"].wrong("should be a number or a string")
    return str(seed)
