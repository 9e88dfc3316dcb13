"""Optional abilities of bots in addition to giving orders: temperaments, search, hindsight, press.

As in `optional`, callers ask with ``isinstance``.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar, runtime_checkable

from games.dice import Dice
from games.protocol.core import Bot
from games.protocol.optional import PastTurn
from games.protocol.values import Order, Seat, View
from games.record import Record

ViewT_contra = TypeVar("ViewT_contra", contravariant=True)
OrderT_co = TypeVar("OrderT_co", covariant=True)


@runtime_checkable
class SupportsTemperaments(Protocol[ViewT_contra, OrderT_co]):
    """A bot that can play in one of several temperaments."""

    @property
    def temperaments(self) -> tuple[str, ...]:
        """The names of the temperaments, in the order of listings."""

    def with_temperament(self, name: str) -> Bot[ViewT_contra, OrderT_co]:
        """Return the same bot playing with this temperament. Raises KeyError for another name."""


@runtime_checkable
class SupportsSearchBudget(Protocol[ViewT_contra, OrderT_co]):
    """A bot that tries orders out before it decides."""

    @property
    def budget(self) -> int:
        """The number of adjudications that it may make for one order sheet: the same on every machine."""

    def with_budget(self, budget: int) -> Bot[ViewT_contra, OrderT_co]:
        """Return the same bot with another budget."""


@runtime_checkable
class SupportsDangers(Protocol[ViewT_contra, OrderT_co]):
    """A bot that takes into account how dangerous each seat of a board is."""

    def with_dangers(self, dangers: Mapping[Seat, float]) -> Bot[ViewT_contra, OrderT_co]:
        """Return the same bot with other dangers: 0 for an ordinary seat, more for a dangerous one."""


@runtime_checkable
class SupportsHindsight(Protocol):
    """A bot that learns from the last turns how others play. It knows only public information."""

    @property
    def looks_back(self) -> int:
        """The number of turns that it needs, counted back from the present one."""

    def with_history(self, past: Sequence[PastTurn]) -> Bot[View, Order]:
        """Return the same bot, knowing those turns, oldest first, or fewer if fewer are known."""


class PressMessage(Record, frozen=True, kw_only=True):
    """A piece of press as a seat has it.

    turn: the short name of the turn when it was written; writer None: unsigned, or by the GM; to None: to
    all.
    """

    turn: str
    writer: Seat | None
    to: tuple[Seat, ...] | None
    text: str


class Correspondence(Record, frozen=True, kw_only=True):
    """The press that a seat has read and written, oldest first. turn: the present turn's short name."""

    seat: Seat
    turn: str
    missives: tuple[PressMessage, ...] = ()


class BotMessage(Record, frozen=True, kw_only=True):
    """A message that a bot writes to another seat under its own seat's name.

    accepts: the other's proposals that it accepts, in words.
    """

    to: Seat
    text: str
    accepts: tuple[str, ...] = ()


@runtime_checkable
class SupportsPress(Protocol):
    """A bot that reads and writes press. It knows what its seat may see, and rolls dice as for orders."""

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases that it understands, as players write them: "propose truce"."""

    def press(self, view: View, heard: Correspondence, dice: Dice) -> tuple[BotMessage, ...]:
        """Return the messages that it writes now: replies that are still due, and its own proposals."""

    def with_press(self, view: View, heard: Correspondence) -> Bot[View, Order]:
        """Return the same bot, bound by the agreements in that correspondence."""


@runtime_checkable
class SupportsFinalAccount(Protocol):
    """A bot that tells all players after a game about its agreements in press, and how they ended."""

    def account(self, view: View, heard: Correspondence) -> str:
        """Return that account for an email; "" if there is nothing to tell. It rolls no dice."""
