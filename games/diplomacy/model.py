"""The nouns of the Diplomacy family: places, units, the phase, the state, the orders.

Provinces are named by the ids of their board ("10", "b", "STP"), powers by their seats. Where a province has
several coasts, a spot says on which of them a fleet lies ("STP/SC"); any other spot is just its province.
Nothing here decides anything.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NewType, final

from games.protocol import Options, Order, Seat
from games.record import Record

Province = NewType("Province", str)

NEUTRAL = Seat("neutral")
"""Whose units stand in civil disorder from the start (Indianomacy §4). It is never asked for orders."""

Kind = Literal["W", "A", "F"]
"""War Party, army, fleet."""

Season = Literal["S", "U", "F", "W"]
"""Spring, Summer, Fall, Winter."""


def spot(at: Province, coast: str = "") -> Province:
    """Return the exact place: ``STP/SC`` on a coast of a province that has several, else the province."""
    return Province(f"{at}/{coast}") if coast else at


@lru_cache(maxsize=4096)
def split_spot(spot: Province) -> tuple[Province, str]:
    """Return the province of a spot, and its coast ("" for none)."""
    at, _, coast = spot.partition("/")
    return Province(at), coast


class Piece(Record, frozen=True, kw_only=True):
    """A unit as orders name it: its kind and where it stands. coast: on which, where there are several."""

    kind: Kind
    at: Province
    coast: str = ""

    @property
    def spot(self) -> Province:
        """The province, or its coast."""
        return spot(self.at, self.coast)


class Unit(Record, frozen=True, kw_only=True):
    """A unit on the board."""

    power: Seat
    kind: Kind
    at: Province
    coast: str = ""

    @property
    def piece(self) -> Piece:
        """The unit as orders name it."""
        return Piece(kind=self.kind, at=self.at, coast=self.coast)

    @property
    def spot(self) -> Province:
        """The province, or its coast."""
        return spot(self.at, self.coast)

    def moved_to(self, there: Province) -> "Unit":
        """Return the unit at another spot."""
        at, coast = split_spot(there)
        return Unit(power=self.power, kind=self.kind, at=at, coast=coast)


class Phase(Record, frozen=True, kw_only=True):
    """A phase of the year: season, year, and M (moves), R (retreats) or A (adjustments)."""

    season: Season
    year: int
    kind: Literal["M", "R", "A"]

    @property
    def short(self) -> str:
        """As everybody writes it: ``S1M``."""
        return f"{self.season}{self.year}{self.kind}"


class Beaten(Record, frozen=True, kw_only=True):
    """A dislodged unit that has to retreat: whence it was attacked, and to which spots it may go."""

    unit: Unit
    by_from: Province
    retreats: tuple[Province, ...]


class State(Record, frozen=True, kw_only=True):
    """A whole position.

    units: in board order; centres: the owner of each owned supply centre; beaten and contested: in retreat
    phases, who has to go and where stand-offs bar the way; ended: the reason, once the game is over.
    canoes: how many canoe-fleets lie in a land province (a unit on water sits in one that is not listed);
    bay_entered: the movement phase (``S1M``) in which the unit on a stormy water went in; bay_from: whence;
    taboo: nobody has set foot in the taboo province yet; build_ban: the last year in whose Winter a nation
    may not build.
    """

    options: dict[str, str | int | bool]
    phase: Phase
    units: tuple[Unit, ...]
    centres: dict[Province, Seat]
    beaten: tuple[Beaten, ...] = ()
    contested: tuple[Province, ...] = ()
    winners: tuple[Seat, ...] = ()
    ended: str | None = None
    canoes: dict[Province, int] = {}
    bay_entered: dict[Province, str] = {}
    bay_from: dict[Province, Province] = {}
    taboo: bool = False
    build_ban: dict[Seat, int] = {}


if TYPE_CHECKING:

    class View(State, frozen=True, kw_only=True):
        """A state as one seat, or a spectator, may know it: `Rules.view` alone makes one."""
else:
    View = State  # the types alone tell them apart


@final
class Hold(Order, frozen=True, kw_only=True):
    """``W SNT H``"""

    unit: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Move(Order, frozen=True, kw_only=True):
    """``W SNT - MEN``: in a movement phase a move, in a retreat phase a retreat.

    canoe: it takes a canoe-fleet along, ``W MHK - STL CANOE``. On water that is understood, so that the word
    is left out: ``W STL - ALG``.
    coast: of the goal, where a fleet has to choose, ``F MAO - SPA/NC``; via: an army wants to be convoyed
    though it might walk, ``A NWY - SWE VIA``.
    """

    unit: Piece
    to: Province
    canoe: bool = False
    coast: str = ""
    via: bool = False

    @property
    def goal(self) -> Province:
        """The spot it goes to."""
        return spot(self.to, self.coast)

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class SupportHold(Order, frozen=True, kw_only=True):
    """``W SNT S W SIS``"""

    unit: Piece
    other: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class SupportMove(Order, frozen=True, kw_only=True):
    """``W SNT S W SIS - WAH``. coast: the support is for a move to that coast only, "" for any."""

    unit: Piece
    other: Piece
    to: Province
    coast: str = ""

    @property
    def goal(self) -> Province:
        """The spot that the supported unit goes to."""
        return spot(self.to, self.coast)

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Convoy(Order, frozen=True, kw_only=True):
    """``F NTH C A LON - NWY``"""

    unit: Piece
    other: Piece
    to: Province

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class BuildCanoe(Order, frozen=True, kw_only=True):
    """``W MHK B CANOE``: the unit holds, and builds a canoe-fleet where it stands."""

    unit: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Destroy(Order, frozen=True, kw_only=True):
    """``DESTROY MHK``: one canoe-fleet in the province, besides whatever the unit there does."""

    at: Province

    @property
    def slot(self) -> str:
        return f"DESTROY {self.at}"


@final
class Disband(Order, frozen=True, kw_only=True):
    """``W SNT D``: in a retreat phase a beaten unit that gives up, in adjustments a removal."""

    unit: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Build(Order, frozen=True, kw_only=True):
    """``W SNT B``"""

    unit: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Waive(Order, frozen=True, kw_only=True):
    """``WAIVE``: one build not made. Queued: two of them waive two."""


UnitOrder = Hold | Move | SupportHold | SupportMove | Convoy | BuildCanoe | Disband | Build
"""The orders that say what a unit does: each has a `unit`."""

SeasonOrder = Hold | Move | SupportHold | SupportMove | Convoy | BuildCanoe | Destroy
"""The orders of a season of moves."""

AnyOrder = UnitOrder | Destroy | Waive
"""Every kind of order. Chains over them end with `assert_never`, so mypy names the places of a new one."""


_seen: tuple[State | None, Mapping[Province, Unit]] = None, {}


def units_by_place(state: State) -> Mapping[Province, Unit]:
    """Return the units by province. For one position it is asked for each order, so it is remembered."""
    global _seen
    seen, units = _seen
    if seen is not state:
        units = {unit.at: unit for unit in state.units}
        _seen = state, units
    return units


def slot_of(piece: Piece) -> str:
    """Return the slot that an order for a unit is filed under."""
    return f"{piece.kind} {piece.at}"


def stored_options(options: Options) -> dict[str, str | int | bool]:
    """Return options as a state keeps them."""
    return dict(options)
