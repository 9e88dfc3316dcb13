"""A game as other programs keep it: what the house may ask of a game whose turns they can tell."""

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from games.protocol.values import Edit, Event, Options, Seat, Turn
from games.record import Value

S = TypeVar("S")


class Chapter(Value, Generic[S], frozen=True):
    """One turn of a game in its chronicle: the orders that were played, by seat, and what came of them."""

    turn: Turn
    before: S
    orders: Mapping[Seat, tuple[Any, ...]]
    events: tuple[Event, ...]
    after: S


class Told(Value, frozen=True):
    """One turn as another program's record tells it.

    turn: its short name; orders: as they stand there, by seat; position: what is said of the position before
    it, for `Exchange.mend`; played: False for the turn that is due at the end of the record.
    """

    turn: str
    orders: Mapping[Seat, tuple[str, ...]]
    position: Any
    played: bool = True


class Exchange(Protocol[S]):
    """A game as other programs keep it."""

    @property
    def formats(self) -> tuple[str, ...]:
        """The names of the formats."""

    @property
    def former(self) -> Options:
        """The options by which a record is played that goes on where a game of today is over; else none."""

    def suffix(self, form: str) -> str:
        """What a file of a format is called behind its dot."""

    def write(self, form: str, name: str, chapters: Sequence[Chapter[S]], state: S) -> str:
        """A game, called `name`, from its opening to the state that it is in now."""

    def piece(self, form: str, name: str, number: int, chapter: Chapter[S]) -> str:
        """What one turn is in it, the so-manyth of the game."""

    def bound(self, form: str, name: str, state: S, pieces: Sequence[str]) -> str:
        """The whole of all its turns' pieces, as `write` gives it. state: the one that it is in now."""

    def read(self, text: str) -> tuple[Told, ...] | None:
        """The turns that a text tells; None where it is of no such format, or of another kind of game.

        Raises Invalid that names what is wrong in it.
        """

    def mend(self, state: S, told: Told) -> tuple[Edit, ...]:
        """The changes that make a position the one that is told; none where it is so already."""
