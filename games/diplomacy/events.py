"""The events on a board, one for each thing that is told, and the reasons."""

from typing import Literal

from games.diplomacy.model import AnyOrder, Piece, Province, Unit
from games.protocol import Event, Seat
from games.record import Record


class Reason(Record, frozen=True, kw_only=True):
    """Why an order came out as it did: a slug, and the units or the place that were the cause."""

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
"""The outcomes of `gm judge`, which other tools rely on."""


class Resolved(Event, frozen=True, kw_only=True):
    """The outcome of one order, or of a unit without one (order None)."""

    power: Seat
    unit: Piece | None
    order: AnyOrder | None
    outcome: Result
    reason: Reason | None = None
    dislodged: bool = False


class Dislodged(Event, frozen=True, kw_only=True):
    """A unit was beaten: by whom, and where it may retreat to. No retreats: it is gone at once."""

    unit: Unit
    by: Unit
    retreats: tuple[Province, ...]


class Entered(Event, frozen=True, kw_only=True):
    """A unit moved into a supply centre that another power owns, and stands there now. No line tells it."""

    unit: Unit
    owner: Seat


class CanoesTaken(Event, frozen=True, kw_only=True):
    """Canoe-fleets fell to the unit that drove their holder out: how many, where, from and to whom."""

    at: Province
    count: int
    was: Unit
    now: Unit


class TabooBroken(Event, frozen=True, kw_only=True):
    """A unit set foot in the taboo province and is gone; its nation builds nothing up to a year's Winter.

    unit: as it stood before; at: the province; last_ban: the second Winter, by year.
    """

    unit: Unit
    at: Province
    last_ban: int


class StormThrown(Event, frozen=True, kw_only=True):
    """A storm met a unit on the water: one die, thrown when a phase (``U1R``) closed, and whether it sank.

    label: the throw's in the log, ``storm/b/U1``.
    """

    unit: Unit
    phase: str
    label: str
    number: int
    sunk: bool


class Captured(Event, frozen=True, kw_only=True):
    """A supply centre changed hands when Fall closed. was None: nobody owned it."""

    centre: Province
    was: Seat | None
    now: Seat


class Eliminated(Event, frozen=True, kw_only=True):
    """A power has neither units nor centres left."""

    power: Seat


class Ended(Event, frozen=True, kw_only=True):
    """The game is over: the winners, or nobody (a draw), and why."""

    winners: tuple[Seat, ...]
    reason: Literal["centres", "units", "last-year", "empty-board"]


AnyEvent = (
    Resolved | Dislodged | Entered | CanoesTaken | TabooBroken | StormThrown | Captured | Eliminated | Ended
)
