"""The state and the orders of the Diplomacy family.

Provinces are named by the ids of their board ("10", "b", "STP"), powers by their seats. If a province has
several coasts, a spot names the one where a fleet is ("STP/SC"). Any other spot is just its province.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal, NewType, final

from games.protocol import Options, Order, Seat
from games.record import Record

# The English words in the forms of orders. An empty choice means that the word may be left out.

UNIT = "<unit>"
"""Stands for the words before a province for its unit, which differ by board and language."""

OWN = f"{UNIT} {{unit:province}}"
"""The place of the unit that has the order."""
OTHER = f"[{{nation:nation}}] {UNIT} {{other:province}}"
"""The place of the unit that it helps."""
TO = "{to:province}"

MOVES = (
    "(-|to|into|m|mv|move|moves|move to|moves to|move into|moves into|attack|attacks|go to|goes to"
    "|r|retreat|retreats|retreat to|retreats to|retreats -|withdraw to|withdraws to"
    "|fall back to|falls back to|flees to)"
)
INTO = "(-|to|into|m|mv|move|moves|moving|move to|moves to|moving to|moving into|attack on|attacking)"
SUPPORTS = "(s|sup|supp|support|supports|supporting)"
STANDS = "(h|hold|holds|holding|hold position|holds in place|stand|stands|stay|stays|stays put)"
HOLDS = "(h|hold|holds|holding|to hold|in holding|stand|stands|)"
DISBANDS = (
    "(d|disband|disbands|disbanded|is disbanded|remove|removes|removed|is removed|otb|off the board"
    "|retreats otb|retreat otb|retreats off the board|retreat off the board)"
)
PARTY = "(war party|party|army|fleet|unit)"
THE_MOVE = "(the move|the attack|the advance|move|attack) (of|from|by|)"

# Boards with armies and fleets.
CONVOYS = (
    "(c|con|conv|convoy|convoys|convoying|carry|carries|t|transport|transports|ferry|ferries|fast ferry|ff)"
)
VIA = "(via|via convoy|by convoy|with convoy|convoy|via sea|by sea|by fleet|convoyed)"
OVER = "(via|by|over|through) [the]"
SAILS_TO = "(-|to|into|m|move|moves|move to|moves to|moving to)"
HOP = "(-|m|move|moves|move to|moves to)"

# Boards with canoe-fleets.
_ARTICLES = ("", "a ", "the ", "one ", "its ")
_WITH = (
    "",
    "with ",
    "with a ",
    "with the ",
    "with its ",
    "by ",
    "in ",
    "in a ",
    "and ",
    "& ",
    "+ ",
    "taking a ",
)


def _canoe(before: Sequence[str], *others: str) -> str:
    """Return the choice of all ways to say canoe after some words, or of saying something else."""
    vessels = ("canoe", "canoes", "canoe-fleet", "canoe fleet", "canoefleet")
    return f"({'|'.join([word + vessel for word in before for vessel in vessels] + [*others])})"


CANOE, CANOE_OR_NOT, WITH_CANOE = _canoe(_ARTICLES), _canoe(_ARTICLES, ""), _canoe(_WITH)
DESTROYS = "(destroy|destroys|burn|burns|scuttle|scuttles|sink|sinks)"


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
    """A phase of the year. year: 0 or below before year 1; kind: M (moves), R (retreats), A (adjustments)."""

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


Row = tuple[str, str, str]
"""Name, pattern and example of a form. Its board gives the example's names: ``{u}`` is a unit on foot."""


class BoardOrder(Order, frozen=True, kw_only=True):
    """A kind of order. A notation fills its fields from the places of the same name in its forms.

    FORMS: its forms on every board; CANOE_FORMS, FLEET_FORMS: more forms on boards with canoe-fleets, or with
    fleets; SHORT_FORMS, SHORT_FLEET_FORMS: the Judge's short forms while such an order is due, on boards
    without or with fleets. The canonical form of each name comes first.
    """

    FORMS: ClassVar[tuple[Row, ...]] = ()
    CANOE_FORMS: ClassVar[tuple[Row, ...]] = ()
    FLEET_FORMS: ClassVar[tuple[Row, ...]] = ()
    SHORT_FORMS: ClassVar[tuple[Row, ...]] = ()
    SHORT_FLEET_FORMS: ClassVar[tuple[Row, ...]] = ()

    @abstractmethod
    def write(self, abbrs: Mapping[Province, str]) -> str:
        """Return the canonical text, which the forms read back. abbrs: the text of each spot."""


class OrderForUnit(BoardOrder, frozen=True, kw_only=True):
    """A kind of order for one unit: the base class of each `UnitOrder`.

    DEED: the text after the unit, if it is always the same.
    """

    DEED: ClassVar[str]

    unit: Piece

    @property
    def slot(self) -> str:
        return f"{self.unit.kind} {self.unit.at}"

    def write(self, abbrs: Mapping[Province, str]) -> str:
        return f"{write_unit(self.unit, abbrs)} {self.DEED}"


@final
class Hold(OrderForUnit, frozen=True, kw_only=True):
    """Holds: ``W SNT H``."""

    FORMS = (
        ("hold", f"{OWN} {STANDS}", "{u} {a} H"),
        ("hold", f"{OWN} - (hold|holds|stand|stands)", "{u} {a} - hold"),
        ("hold", f"(hold|stand) {OWN}", "hold {A}"),
    )
    FLEET_FORMS = (("hold", f"{OWN} - h", "A {k} - H"),)
    DEED = "H"


def _along(waters: int) -> Row:
    """Return the form of a move that spells out its route through so many waters."""
    hops = " ".join(f"{HOP} {{by{number}:province}}" for number in range(waters))
    return "move-via", f"{OWN} {hops} {HOP} {TO}", "A {k} - {m} VIA"


@final
class Move(OrderForUnit, frozen=True, kw_only=True):
    """Moves, or retreats in a retreat phase: ``W SNT - MEN``.

    canoe: it takes a canoe-fleet along, ``W MHK - STL CANOE``; on water the word isn't needed, ``W STL -
    ALG``; coast: the coast of a fleet's goal that has several, ``F MAO - SPA/NC``; via: an army asks for a
    convoy although it might walk, ``A NWY - SWE VIA``.

    ROUTE_FORMS: the forms with a route, for boards with fleets. The route never has to be spelt out.
    """

    FORMS = (
        ("move", f"{OWN} {MOVES} [the] {TO}", "{u} {a} - {b}"),
        ("move", f"(move|send|march|retreat) {OWN} (-|to|into) [the] {TO}", "move {A} to {B}"),
        (
            "move",
            f"(the|our|my|) {{unit:province}} {PARTY} {MOVES} [the] {TO}",
            "{A} unit to {B}",
        ),
    )
    CANOE_FORMS = (
        ("carry", f"{OWN} {MOVES} {TO} {WITH_CANOE}", "W {h} - {w} CANOE"),
        ("carry", f"{OWN} {WITH_CANOE} {MOVES} {TO}", "{H} with canoe to {W}"),
        (
            "carry",
            f"(carry|launch|take|move|send|paddle|) {CANOE} (from|) {OWN} (-|to|into) {TO}",
            "carry canoe from {H} to {W}",
        ),
        (
            "carry",
            f"(carry|launch|take|move|send|paddle) {OWN} (-|to|into) {TO} {WITH_CANOE}",
            "move {H} to {W} with canoe",
        ),
    )
    FLEET_FORMS = (
        ("move-via", f"{OWN} {SAILS_TO} [the] {TO} {VIA}", "A {k} - {m} VIA"),
        ("move-via", f"{OWN} {VIA} {SAILS_TO} [the] {TO}", "{K} by convoy to {M}"),
        (
            "move-via",
            f"{OWN} {SAILS_TO} [the] {TO} {OVER} {{by1:province}}",
            "{K} to {M} via {F}",
        ),
        (
            "move-via",
            f"{OWN} {SAILS_TO} [the] {TO} {OVER} {{by1:province}} (and|-|,|, and|) [the] {{by2:province}}",
            "{K} to {M} via {F} and {F}",
        ),
    )
    ROUTE_FORMS: ClassVar[tuple[Row, ...]] = tuple(map(_along, range(1, 6)))

    to: Province
    canoe: bool = False
    coast: str = ""
    via: bool = False

    @property
    def goal(self) -> Province:
        """Return the spot of the goal."""
        return spot(self.to, self.coast)

    def write(self, abbrs: Mapping[Province, str]) -> str:
        aids = " CANOE" * self.canoe + " VIA" * self.via
        return f"{write_unit(self.unit, abbrs)} - {abbrs[self.goal]}{aids}"


@final
class SupportHold(OrderForUnit, frozen=True, kw_only=True):
    """Supports a unit in its place: ``W SNT S W SIS``."""

    FORMS = (
        ("support-hold", f"{OWN} {SUPPORTS} {OTHER} {HOLDS}", "{u} {a} S {u} {b}"),
        ("support-hold", f"support {OTHER} (with|from|by) {OWN}", "support {B} with {A}"),
    )

    other: Piece

    def write(self, abbrs: Mapping[Province, str]) -> str:
        return f"{write_unit(self.unit, abbrs)} S {write_unit(self.other, abbrs)}"


@final
class SupportMove(OrderForUnit, frozen=True, kw_only=True):
    """Supports a move: ``W SNT S W SIS - WAH``. coast: only a move to that coast, "" for any."""

    FORMS = (
        (
            "support-move",
            f"{OWN} {SUPPORTS} {OTHER} {INTO} [the] {TO}",
            "{u} {a} S {u} {b} - {c}",
        ),
        (
            "support-move",
            f"{OWN} {SUPPORTS} {THE_MOVE} {UNIT} {{other:province}} {INTO} [the] {TO}",
            "{A} supports the move from {B} to {C}",
        ),
        (
            "support-move",
            f"support {OTHER} (-|to|into) [the] {TO} (with|from|by) {OWN}",
            "support {B} to {C} with {A}",
        ),
    )

    other: Piece
    to: Province
    coast: str = ""

    @property
    def goal(self) -> Province:
        """Return the spot of the supported unit's goal."""
        return spot(self.to, self.coast)

    def write(self, abbrs: Mapping[Province, str]) -> str:
        return f"{write_unit(self.unit, abbrs)} S {write_unit(self.other, abbrs)} - {abbrs[self.goal]}"


@final
class Convoy(OrderForUnit, frozen=True, kw_only=True):
    """Convoys an army: ``F NTH C A LON - NWY``."""

    FLEET_FORMS = (
        ("convoy", f"{OWN} {CONVOYS} {OTHER} {SAILS_TO} [the] {TO}", "F {f} C A {k} - {m}"),
        (
            "convoy",
            f"(convoy|transport) {OTHER} {SAILS_TO} {TO} (with|by|via) {OWN}",
            "convoy {K} to {M} with {F}",
        ),
    )

    other: Piece
    to: Province

    @property
    def goal(self) -> Province:
        """Return the convoyed unit's goal."""
        return self.to

    def write(self, abbrs: Mapping[Province, str]) -> str:
        return f"{write_unit(self.unit, abbrs)} C {write_unit(self.other, abbrs)} - {abbrs[self.to]}"


@final
class BuildCanoe(OrderForUnit, frozen=True, kw_only=True):
    """Holds and builds a canoe-fleet: ``W MHK B CANOE``."""

    CANOE_FORMS = (
        ("build-canoe", f"{OWN} (b|build|builds|building|make|makes|) {CANOE}", "W {h} B CANOE"),
        ("build-canoe", f"(b|build|make) {CANOE} (in|at|with|on|) {OWN}", "build canoe in {H}"),
        ("build-canoe", f"{CANOE} (in|at) {{unit:province}}", "canoe in {H}"),
    )
    DEED = "B CANOE"


@final
class Destroy(BoardOrder, frozen=True, kw_only=True):
    """Destroys one canoe-fleet in the province: ``DESTROY MHK``. The unit there has its own order."""

    CANOE_FORMS = (
        (
            "destroy",
            f"{DESTROYS} {CANOE_OR_NOT} (in|at|of|from|) {UNIT} {{at:province}}",
            "DESTROY {h}",
        ),
        ("destroy", f"{UNIT} {{at:province}} {DESTROYS} {CANOE_OR_NOT}", "{H} destroys a canoe"),
    )

    at: Province

    @property
    def slot(self) -> str:
        return f"DESTROY {self.at}"

    def write(self, abbrs: Mapping[Province, str]) -> str:
        return f"DESTROY {abbrs[self.at]}"


@final
class Disband(OrderForUnit, frozen=True, kw_only=True):
    """Disbands a unit that was dislodged, or one too many: ``W SNT D``."""

    FORMS = (
        ("disband", f"{OWN} {DISBANDS}", "{u} {a} D"),
        ("disband", f"(d|disband|remove|retreat otb) {OWN}", "remove {A}"),
    )
    SHORT_FORMS = (("disband", "(r|-|) (w|wp|war party|a|army|f|fleet|) {unit:province}", "{u} {a} D"),)
    DEED = "D"


@final
class Build(OrderForUnit, frozen=True, kw_only=True):
    """Builds a unit: ``W SNT B``. Its form "build" names no kind, so it isn't for boards with fleets."""

    FORMS = (
        ("build", f"{OWN} (b|build|builds)", "{u} {a} B"),
        (
            "build",
            f"(b|build|builds|raise|build a|build a new|build new) {UNIT} (in|at|) {{unit:province}}",
            "build {A}",
        ),
    )
    FLEET_FORMS = (
        ("build-army", "(a|army) {unit:province} (b|build|builds)", "A {a} B"),
        (
            "build-army",
            "(b|build|builds|raise) (a|army|an army|a new army|new army) (in|at|) {unit:province}",
            "build army {A}",
        ),
        ("build-fleet", "(f|fleet|flt) {unit:province} (b|build|builds)", "F {k} B"),
        (
            "build-fleet",
            "(b|build|builds|raise) (f|fleet|flt|a fleet|a new fleet|new fleet) (in|at|) {unit:province}",
            "build fleet {K}",
        ),
    )
    SHORT_FORMS = (("build", "(w|wp|war party|a|army) {unit:province}", "W {a} B"),)
    SHORT_FLEET_FORMS = (
        ("build-army", "(a|army) {unit:province}", "A {a} B"),
        ("build-fleet", "(f|fleet|flt) {unit:province}", "F {k} B"),
        ("build-army", "(b|build|builds|raise) (in|at|) {unit:province} (a|army|an army)", "build {A} army"),
        (
            "build-fleet",
            "(b|build|builds|raise) (in|at|) {unit:province} (f|fleet|a fleet)",
            "build {K} fleet",
        ),
        ("build-some", "(b|build|builds|raise) (in|at|) {unit:province}", "build {A}"),
        ("build-some", "{unit:province} (b|build|builds)", "{A} builds"),
    )
    DEED = "B"


@final
class Waive(BoardOrder, frozen=True, kw_only=True):
    """Waives one build: ``WAIVE``. It is queued, so two of them waive two builds."""

    FORMS = (
        (
            "waive",
            "(waive|waives|i waive|we waive|waive build|waive a build|waive the build|waive my build"
            "|waive one build|build waived|no build)",
            "WAIVE",
        ),
    )
    SHORT_FORMS = (("waive", "(w|pass|no builds)", "WAIVE"),)

    def write(self, abbrs: Mapping[Province, str]) -> str:  # noqa: ARG002
        return "WAIVE"


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


def write_unit(unit: Piece | Unit, abbrs: Mapping[Province, str]) -> str:
    """Return a unit as orders name it: ``W SNT``, ``F STP/SC``. abbrs: the text of each spot."""
    return f"{unit.kind} {abbrs[unit.spot if unit.coast else unit.at]}"


def stored_options(options: Options) -> dict[str, str | int | bool]:
    """Return options as a state has them."""
    return dict(options)
