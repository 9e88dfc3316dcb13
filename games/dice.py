"""Dice: every throw has a label, and its number depends on the secret, the game, the entry and it.

Nobody consumes a stream: adding, dropping or reordering throws changes no other throw, and after the secret
is revealed anybody can compute each one again.
"""

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeVar

ItemT = TypeVar("ItemT")


class Dice(ABC):
    """The dice of rules and bots. A label names the roll in the log: ``storm/b/U1``, ``draft/cards``.

    All three ways to throw rest on `draw`, so that a log, a script or a forced die has one thing to
    record.
    """

    @abstractmethod
    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        """`count` different numbers of 1..sides, in the order drawn. Raises ValueError if impossible."""

    def roll(self, label: str, sides: int) -> int:
        """One die: 1 to `sides`."""
        return self.draw(label, sides)[0]

    def pick(self, label: str, items: Sequence[ItemT]) -> ItemT:
        """One of the items, each with equal chance."""
        return items[self.draw(label, len(items))[0] - 1]

    def shuffle(self, label: str, items: Sequence[ItemT]) -> tuple[ItemT, ...]:
        """The items in a random order."""
        return tuple(items[n - 1] for n in self.draw(label, len(items), len(items))) if items else ()


class SealedDice(Dice):
    """Dice whose numbers are sealed by a secret before the first order is written.

    A number is HMAC-SHA256(secret, game | entry | label | place | attempt), 64 bits of it, rejected and drawn
    again where the last incomplete span of the 64 bits would favour the small numbers.
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
    """Somebody else's dice with a prefix before each label: what a bot gets, so that it cannot peek."""

    def __init__(self, dice: Dice, prefix: str) -> None:
        self._dice = dice
        self._prefix = prefix

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        return self._dice.draw(self._prefix + label, sides, count)


class RollNeeded(Exception):
    """A die would have to be rolled, and must not be."""


class NoDice(Dice):
    """Dice that nobody may roll yet: to try out what comes before the first roll. Raises RollNeeded."""

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        raise RollNeeded(label)


def commitment(secret: bytes) -> str:
    """Return what is published before the first roll: the secret's SHA-256 in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()
