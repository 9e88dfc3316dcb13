"""What some games can do beside what is asked of all: a notation or a telling may be one of these too."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from games.protocol import Bot, Event, Form, Seat

S_contra = TypeVar("S_contra", contravariant=True)
O_co = TypeVar("O_co", covariant=True)


@runtime_checkable
class Attentive(Protocol[S_contra, O_co]):
    """A notation that reads some things by the position."""

    def brief(self, view: S_contra, seat: Seat) -> tuple[Form, ...]:
        """Further ways to write, of this position only: a lone ``w`` waives where builds are due."""

    def resting(self, view: S_contra, seat: Seat) -> "tuple[O_co, ...]":
        """What "all hold" means: for each unit of the seat's the order to stay; none where none may."""

    def doubt(self, view: S_contra, form: str, slots: Mapping[str, str]) -> str | None:
        """Why a matched form may not be what was meant, though an order can be built of it; or None."""

    def fitted(self, view: S_contra, order: Any, text: str) -> tuple[Any, str | None]:
        """The order with what its text tells of units that stand nowhere yet; what is wrong in the text.

        What is wrong leaves one meaning all the same; None: nothing is.
        """


@runtime_checkable
class Illustrated(Protocol[S_contra]):
    """A notation whose orders are not the same in every game of its kind."""

    def examples(self, view: S_contra) -> tuple[Form, ...]:
        """A way to write each order that there is in this game, with an example that is read in it."""


@runtime_checkable
class Leading(Protocol[S_contra]):
    """A telling that can say who is ahead."""

    def lead(self, view: S_contra, events: Sequence[Event]) -> str:
        """Who is ahead, in a sentence; "" where that is no news after these events."""


@runtime_checkable
class Tempered(Protocol[S_contra, O_co]):
    """A bot that plays in one of several ways, as it is told."""

    @property
    def temperaments(self) -> tuple[str, ...]:
        """The names of the ways in which it can play, in the order in which they are listed."""

    def tempered(self, name: str) -> "Bot[S_contra, O_co]":
        """The same bot playing in one of these ways. Raises KeyError for another name."""


@runtime_checkable
class Searching(Protocol[S_contra, O_co]):
    """A bot that tries orders out before it decides."""

    @property
    def budget(self) -> int:
        """How many adjudications it may make for one order sheet: its thinking time, the same anywhere."""

    def within(self, budget: int) -> "Bot[S_contra, O_co]":
        """The same bot with another budget."""
