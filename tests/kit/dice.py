"""Dice whose results a test chooses."""

from collections.abc import Mapping

from games.dice import Dice, SealedDice


class Scripted(Dice):
    """Numbers by label, ``{"storm/b/U1": 6, "deal": (3, 1, 2)}``. Other labels are rejected."""

    def __init__(self, script: Mapping[str, int | tuple[int, ...]]) -> None:
        self._script = {
            label: (said,) if isinstance(said, int) else tuple(said) for label, said in script.items()
        }

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        numbers = self._script[label]
        assert len(numbers) == count, f"{label} is drawn {count} times"
        assert max(numbers) <= sides, f"{label} has {sides} sides and is to show {max(numbers)}"
        return numbers


def any_dice(entry: int = 0, secret: bytes = b"secret of the tests") -> SealedDice:
    """Return sealed dice for tests that don't care about the results, the same in each run."""
    return SealedDice(secret, "tests", entry)
