"""Dice: every roll has a label, and its number depends on the secret, the game, the entry and the label.

There is no stream of numbers: to add, drop or reorder rolls changes no other roll. When the secret is
revealed, anyone can compute each roll again.
"""

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeVar

ItemT = TypeVar("ItemT")


class Dice(ABC):
    """The dice of rules and bots. A label names the roll in the log: ``storm/b/U1``, ``draft/cards``.

    All three ways to roll use `draw`, so that a log, a script or a forced roll has one thing to record.
    """

    @abstractmethod
    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """Return `count` different numbers of 1..sides, as drawn. Raises ValueError if impossible."""

    def roll(self, label: str, sides: int) -> int:
        """Return the roll of one die: 1 to `sides`."""
        return self.draw(label, sides)[0]

    def pick(self, label: str, items: Sequence[ItemT]) -> ItemT:
        """Return one of the items, each with equal chance."""
        return items[self.draw(label, len(items))[0] - 1]

    def shuffle(self, label: str, items: Sequence[ItemT]) -> tuple[ItemT, ...]:
        """Return the items in a random order."""
        return tuple(items[n - 1] for n in self.draw(label, len(items), len(items))) if items else ()


class SealedDice(Dice):
    """Dice whose numbers are fixed by a secret before the first order is written.

    A number is 64 bits of HMAC-SHA256(secret, game | entry | label | place | attempt). It is rejected and
    drawn again if the last incomplete span of the 64 bits would favour small numbers.
    """

    def __init__(self, secret: bytes, game: str, entry: int) -> None:
        self._secret = secret
        self._prefix = f"{game}|{entry}|"

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        if not 1 <= count <= sides:
            raise ValueError(f"cannot draw {count} of {sides} ({label})")
        numbers = list(range(1, sides + 1)) if count > 1 else []
        if not numbers:
            return (1 + self._below(label, 0, sides),)
        for place in range(count):
            other = place + self._below(label, place, sides - place)
            numbers[place], numbers[other] = numbers[other], numbers[place]
        return tuple(numbers[:count])

    def _below(self, label: str, place: int, limit: int) -> int:
        span = (1 << 64) // limit * limit
        attempt = 0
        while True:
            text = f"{self._prefix}{label}|{place}|{attempt}".encode()
            number = int.from_bytes(hmac.digest(self._secret, text, hashlib.sha256)[:8], "big")
            if number < span:
                return number % limit
            attempt += 1


class LabelledDice(Dice):
    """Another's dice with a prefix before each label. Bots get them, so that they can't see other rolls."""

    def __init__(self, dice: Dice, prefix: str) -> None:
        self._dice = dice
        self._prefix = prefix

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        return self._dice.draw(self._prefix + label, sides, count)


class RollNeeded(Exception):
    """Raised if a die would have to be rolled that must not be."""


class NoDice(Dice):
    """Dice for trying out the part of a turn before the first roll. They raise RollNeeded."""

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        raise RollNeeded(label)


def commitment(secret: bytes) -> str:
    """Return the commitment published before the first roll: the secret's SHA-256 in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()
