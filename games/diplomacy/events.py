"""The events on a board, and the reasons for outcomes."""

from typing import Literal

from games.diplomacy.model import AnyOrder, Piece, Province, Unit
from games.protocol import Event, Seat
from games.record import Record


class Reason(Record, frozen=True, kw_only=True):
    """The reason for an order's outcome: a code, and the units or the place that caused it."""

    code: str
    by: tuple[Unit, ...] = ()
    at: Province | None = None


Result = Literal[
    "moved",
    "held",
    "bounced",
    "supported",
    "cut",
    "convoyed",
    "disrupted",
    "void",
    "retreated",
    "disbanded",
    "built",
    "destroyed",
    "removed",
    "waived",
    "lost",
]
"""The outcomes of `gm judge`. Other programs depend on them."""


class Resolved(Event, frozen=True, kw_only=True):
    """The outcome of one order, or of a unit without an order (order None)."""

    power: Seat
    unit: Piece | None
    order: AnyOrder | None
    outcome: Result
    reason: Reason | None = None
    dislodged: bool = False


class Dislodged(Event, frozen=True, kw_only=True):
    """A unit was dislodged. If it has no retreats, it is removed at once."""

    unit: Unit
    by: Unit
    retreats: tuple[Province, ...]


class Entered(Event, frozen=True, kw_only=True):
    """A unit is now in a supply centre that another power owns. Reports have no line for it."""

    unit: Unit
    owner: Seat


class CanoesTaken(Event, frozen=True, kw_only=True):
    """A unit captured canoe-fleets by dislodging their owner. was: the owner; now: the captor."""

    at: Province
    count: int
    was: Unit
    now: Unit


class TabooBroken(Event, frozen=True, kw_only=True):
    """A unit entered the taboo province and was removed. Its nation builds nothing for two Winters.

    unit: the unit at its former place; at: the province; last_ban: the year of the second Winter.
    """

    unit: Unit
    at: Province
    last_ban: int


class StormThrown(Event, frozen=True, kw_only=True):
    """A storm hit a unit on the water at the end of a phase (``U1R``).

    label: the roll's label in the log, ``storm/b/U1``; number: the roll; sunk: whether the unit is lost.
    """

    unit: Unit
    phase: str
    label: str
    number: int
    sunk: bool


class Captured(Event, frozen=True, kw_only=True):
    """A supply centre changed hands at the end of Fall. was: the former owner, None if it had none."""

    centre: Province
    was: Seat | None
    now: Seat


class GarrisonReturned(Event, frozen=True, kw_only=True):
    """A neutral unit is back in its centre at the end of Winter, because nobody owns the centre."""

    unit: Unit


class Eliminated(Event, frozen=True, kw_only=True):
    """A power has no units and no centres left."""

    power: Seat


class Ended(Event, frozen=True, kw_only=True):
    """The game is over. winners: empty for a draw."""

    winners: tuple[Seat, ...]
    reason: Literal["centres", "units", "lead", "provinces", "most", "tie", "last-year", "empty-board"]


AnyEvent = (
    Resolved
    | Dislodged
    | Entered
    | CanoesTaken
    | TabooBroken
    | StormThrown
    | Captured
    | GarrisonReturned
    | Eliminated
    | Ended
)
