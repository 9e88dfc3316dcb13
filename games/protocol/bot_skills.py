"""What some bots can do beside giving orders: ways to play, search, looking back, press.

As in `optional`, whoever wants it asks ``isinstance``.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar, runtime_checkable

from games.dice import Dice
from games.protocol.core import Bot
from games.protocol.optional import Past
from games.protocol.values import Order, Seat, View
from games.record import Record

V_contra = TypeVar("V_contra", contravariant=True)
O_co = TypeVar("O_co", covariant=True)


@runtime_checkable
class Tempered(Protocol[V_contra, O_co]):
    """A bot that plays in one of several ways, as it is told."""

    @property
    def temperaments(self) -> tuple[str, ...]:
        """The names of the ways in which it can play, in the order in which they are listed."""

    def tempered(self, name: str) -> Bot[V_contra, O_co]:
        """The same bot playing in one of these ways. Raises KeyError for another name."""


@runtime_checkable
class Searching(Protocol[V_contra, O_co]):
    """A bot that tries orders out before it decides."""

    @property
    def budget(self) -> int:
        """How many adjudications it may make for one order sheet: its thinking time, the same anywhere."""

    def within(self, budget: int) -> Bot[V_contra, O_co]:
        """The same bot with another budget."""


@runtime_checkable
class Wary(Protocol[V_contra, O_co]):
    """A bot that reckons with how dangerous each seat of a board is, whoever plays it."""

    def fearing(self, dangers: Mapping[Seat, float]) -> Bot[V_contra, O_co]:
        """The same bot with other dangers: 0 for a seat like all others, more for one to beware of."""


@runtime_checkable
class Observant(Protocol):
    """A bot that reads off the last turns how others play. It knows no more of them than all may know."""

    @property
    def looks_back(self) -> int:
        """So many turns it wants to know, the last ones."""

    def watching(self, past: Sequence[Past]) -> Bot[View, Order]:
        """The same bot, knowing those turns, oldest first; or fewer, where fewer are known."""


class Missive(Record, frozen=True, kw_only=True):
    """A piece of press as a seat has it.

    turn: the short name of that in which it was written; writer None: it is not signed, or by the
    gamesmaster; to None: to all.
    """

    turn: str
    writer: Seat | None
    to: tuple[Seat, ...] | None
    text: str


class Correspondence(Record, frozen=True, kw_only=True):
    """What a seat has read and written until now, oldest first. turn: the short name of the present one."""

    seat: Seat
    turn: str
    missives: tuple[Missive, ...] = ()


class Said(Record, frozen=True, kw_only=True):
    """What a bot writes to another seat, with its name. accepts: what of the other's proposals, in words."""

    to: Seat
    text: str
    accepts: tuple[str, ...] = ()


@runtime_checkable
class Conversant(Protocol):
    """A bot that reads and writes press. It knows what its seat may see, and throws dice as for orders."""

    @property
    def phrases(self) -> tuple[str, ...]:
        """What it understands, as people are to write it: "propose truce"."""

    def press(self, view: View, heard: Correspondence, dice: Dice) -> tuple[Said, ...]:
        """What it writes now: answers to what it has not answered, and what it proposes itself."""

    def hearing(self, view: View, heard: Correspondence) -> Bot[View, Order]:
        """The same bot, knowing what was agreed in that correspondence."""


@runtime_checkable
class Accountable(Protocol):
    """A bot that says to all, when a game is over, what it had agreed to in press, and what became of it."""

    def account(self, view: View, heard: Correspondence) -> str:
        """That in a letter; "" where there is nothing to say. It throws no dice."""
