"""The nouns of Cairn."""

from typing import TYPE_CHECKING, NewType

from games.protocol import Order, Seat
from games.record import Record, replace_fields

Pebble = NewType("Pebble", str)
"""A pebble by its name; ``HIDDEN`` where its owner alone may know it."""

HIDDEN = Pebble("?")
PLAYER, BOT = Seat("player"), Seat("bot")
SEATS = (PLAYER, BOT)
PEBBLES = tuple(
    Pebble(name)
    for name in (
        *("agate", "basalt", "chalk", "diorite", "emerald", "flint"),
        *("garnet", "hornblende", "jasper", "larvikite", "marble", "onyx"),
    )
)
"""All pebbles, in the order in which they lie beside each other."""


class State(Record, frozen=True, kw_only=True):
    """A game: turns are counted from 1, and the seat whose turn it is follows from the number.

    last: the number of the last turn; hands: by seat, in the order of PEBBLES, hidden ones last; bag: what
    was not dealt, likewise; top: the pebble dropped last.
    """

    last: int
    number: int = 1
    hands: dict[Seat, tuple[Pebble, ...]]
    bag: tuple[Pebble, ...]
    top: Pebble | None = None

    @property
    def mover(self) -> Seat:
        """Return the seat whose turn it is."""
        return SEATS[(self.number - 1) % 2]

    def holding(self, seat: Seat, pebbles: tuple[Pebble, ...]) -> "State":
        """The state with another hand of a seat."""
        return replace_fields(self, hands={**self.hands, seat: in_order(pebbles)})


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or a spectator, may know it: `Rules.view` alone makes one."""
else:
    View = State  # the types alone tell them apart


class Drop(Order, frozen=True, kw_only=True):
    """``drop flint``"""

    pebble: Pebble


class Draw(Order, frozen=True, kw_only=True):
    """``draw``: a pebble from the bag."""


class Rest(Order, frozen=True, kw_only=True):
    """``rest``"""


AnyOrder = Drop | Draw | Rest


def in_order(pebbles: tuple[Pebble, ...]) -> tuple[Pebble, ...]:
    """The pebbles in the order of PEBBLES; hidden ones last."""
    return tuple(sorted(pebbles, key=lambda pebble: (pebble == HIDDEN, pebble)))
