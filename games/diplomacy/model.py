"""The state and the orders of the Diplomacy family.

Provinces are named by the ids of their board ("10", "b", "STP"), powers by their seats. If a province has
several coasts, a spot names the one where a fleet is ("STP/SC"). Any other spot is just its province.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NewType, final

from games.protocol import Options, Order, Seat
from games.record import Record

Province = NewType("Province", str)

NEUTRAL = Seat("neutral")
"""The owner of units that are in civil disorder from the start (Indianomacy §4). It never has orders due."""

Kind = Literal["W", "A", "F"]
"""War Party, army, fleet."""

Season = Literal["S", "U", "F", "W"]
"""Spring, Summer, Fall, Winter."""


def spot(at: Province, coast: str = "") -> Province:
    """Return ``STP/SC`` for a coast of a province that has several, otherwise the province."""
    return Province(f"{at}/{coast}") if coast else at


@lru_cache(maxsize=4096)
def split_spot(spot: Province) -> tuple[Province, str]:
    """Return the province of a spot, and its coast ("" for none)."""
    at, _, coast = spot.partition("/")
    return Province(at), coast


class Piece(Record, frozen=True, kw_only=True):
    """A unit as orders name it: its kind and its place. coast: only in provinces that have several."""

    kind: Kind
    at: Province
    coast: str = ""

    @property
    def spot(self) -> Province:
        """Return the province, or its coast."""
        return spot(self.at, self.coast)


class Unit(Record, frozen=True, kw_only=True):
    """A unit on the board."""

    power: Seat
    kind: Kind
    at: Province
    coast: str = ""

    @property
    def piece(self) -> Piece:
        """Return the unit as orders name it."""
        return Piece(kind=self.kind, at=self.at, coast=self.coast)

    @property
    def spot(self) -> Province:
        """Return the province, or its coast."""
        return spot(self.at, self.coast)

    def moved_to(self, there: Province) -> "Unit":
        """Return the unit at another spot."""
        at, coast = split_spot(there)
        return Unit(power=self.power, kind=self.kind, at=at, coast=coast)


class Phase(Record, frozen=True, kw_only=True):
    """A phase of the year. kind: M (moves), R (retreats) or A (adjustments)."""

    season: Season
    year: int
    kind: Literal["M", "R", "A"]

    @property
    def short(self) -> str:
        """Return the short name: ``S1M``."""
        return f"{self.season}{self.year}{self.kind}"


class Beaten(Record, frozen=True, kw_only=True):
    """A dislodged unit that has to retreat. by_from: the attacker's origin; retreats: the possible spots."""

    unit: Unit
    by_from: Province
    retreats: tuple[Province, ...]


class State(Record, frozen=True, kw_only=True):
    """A position.

    units: in board order; centres: the owner of each owned supply centre; beaten, contested: in retreat
    phases, the dislodged units and the provinces closed by stand-offs; ended: the reason, once the game is
    over; canoes: the number of canoe-fleets in each land province (a unit on water has one that isn't
    counted); bay_entered: the movement phase (``S1M``) when the unit on a stormy water went in; bay_from: the
    province that it came from; taboo: no unit has entered the taboo province yet; build_ban: the last year
    when a nation can't build in Winter.
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
        """A state as one seat, or an observer, may know it. Only `Rules.view` makes one."""
else:
    View = State  # they only differ for the type checker


@final
class Hold(Order, frozen=True, kw_only=True):
    """Holds: ``W SNT H``."""

    unit: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Move(Order, frozen=True, kw_only=True):
    """Moves, or retreats in a retreat phase: ``W SNT - MEN``.

    canoe: it takes a canoe-fleet along, ``W MHK - STL CANOE``; on water the word isn't needed, ``W STL -
    ALG``; coast: the coast of a fleet's goal that has several, ``F MAO - SPA/NC``; via: an army asks for a
    convoy although it might walk, ``A NWY - SWE VIA``.
    """

    unit: Piece
    to: Province
    canoe: bool = False
    coast: str = ""
    via: bool = False

    @property
    def goal(self) -> Province:
        """Return the spot of the goal."""
        return spot(self.to, self.coast)

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class SupportHold(Order, frozen=True, kw_only=True):
    """Supports a unit in its place: ``W SNT S W SIS``."""

    unit: Piece
    other: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class SupportMove(Order, frozen=True, kw_only=True):
    """Supports a move: ``W SNT S W SIS - WAH``. coast: only a move to that coast, "" for any."""

    unit: Piece
    other: Piece
    to: Province
    coast: str = ""

    @property
    def goal(self) -> Province:
        """Return the spot of the supported unit's goal."""
        return spot(self.to, self.coast)

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Convoy(Order, frozen=True, kw_only=True):
    """Convoys an army: ``F NTH C A LON - NWY``."""

    unit: Piece
    other: Piece
    to: Province

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class BuildCanoe(Order, frozen=True, kw_only=True):
    """Holds and builds a canoe-fleet: ``W MHK B CANOE``."""

    unit: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Destroy(Order, frozen=True, kw_only=True):
    """Destroys one canoe-fleet in the province: ``DESTROY MHK``. The unit there has its own order."""

    at: Province

    @property
    def slot(self) -> str:
        return f"DESTROY {self.at}"


@final
class Disband(Order, frozen=True, kw_only=True):
    """Disbands a unit that was dislodged, or one too many: ``W SNT D``."""

    unit: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Build(Order, frozen=True, kw_only=True):
    """Builds a unit: ``W SNT B``."""

    unit: Piece

    @property
    def slot(self) -> str:
        return slot_of(self.unit)


@final
class Waive(Order, frozen=True, kw_only=True):
    """Waives one build: ``WAIVE``. It is queued, so two of them waive two builds."""


UnitOrder = Hold | Move | SupportHold | SupportMove | Convoy | BuildCanoe | Disband | Build
"""The orders for a unit. Each has a field `unit`."""

SeasonOrder = Hold | Move | SupportHold | SupportMove | Convoy | BuildCanoe | Destroy
"""The orders of a movement season."""

AnyOrder = UnitOrder | Destroy | Waive
"""All kinds of orders. Chains of tests end with `assert_never`, so mypy finds them when a kind is added."""


_seen: tuple[State | None, Mapping[Province, Unit]] = None, {}


def units_by_place(state: State) -> Mapping[Province, Unit]:
    """Return the units by province. The last position is remembered, because each order asks for it."""
    global _seen
    seen, units = _seen
    if seen is not state:
        units = {unit.at: unit for unit in state.units}
        _seen = state, units
    return units


def slot_of(piece: Piece) -> str:
    """Return the slot of the orders for a unit."""
    return f"{piece.kind} {piece.at}"


def stored_options(options: Options) -> dict[str, str | int | bool]:
    """Return options as a state has them."""
    return dict(options)
