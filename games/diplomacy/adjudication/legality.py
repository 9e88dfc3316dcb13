"""Legality of orders, one function a kind of order; an objection is a slug and ids."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import assert_never, get_args

from games.diplomacy.adjudication import canoe_law
from games.diplomacy.adjudication.adjustments import adjustments_due, free_homes, homes
from games.diplomacy.adjudication.afloat import is_afloat, is_by_canoe
from games.diplomacy.adjudication.sea_law import Seas
from games.diplomacy.adjudication.taboo import is_banned
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Move,
    Piece,
    Province,
    SeasonOrder,
    State,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    units_by_place,
)
from games.protocol import Objection, Order, Seat

OBJECTIONS: dict[str, str] = {
    "not-due": "such an order is not wanted now: order, phase",
    "no-place": "the board has no such province: to",
    "no-unit": "nobody stands there: unit",
    "not-yours": "the unit belongs to another nation: unit, power",
    "wrong-kind": "a unit of another kind stands there, or is built: unit, kind",
    "stays-put": "a move to where the unit stands: unit",
    "no-wading": "the goal is water, and an army never goes there: unit, to, near",
    "inland-fleet": "the goal has no coast for a fleet: unit, to, near",
    "which-coast": "a fleet can reach several coasts of the goal, and none is named: unit, to, near",
    "wrong-coast": "the fleet reaches another coast of the goal only: unit, to, near",
    "no-route": "no fleets are there that could carry the army: unit, to, near",
    "not-at-sea": "only a fleet on open water convoys: unit",
    "only-armies": "there is no such army to convoy: unit, other, near",
    "off-route": "the fleet is not needed on any way between the two shores: unit, other, to, near",
    "needs-canoe": "the goal is water, and there is no canoe-fleet to go in: unit, to, near",
    "say-canoe": "the goal is water, and the canoe-fleet there was not mentioned: unit, to",
    "not-adjacent": "the goal does not border the unit's province: unit, to, near",
    "supports-itself": "a unit supports neither itself nor an attack on its own province: unit",
    "no-unit-there": "there is no such unit to support: unit, other",
    "neutral-stays": "a unit in civil disorder never moves: unit, other",
    "support-too-far": "it cannot go itself where it supports: unit, other, to, near",
    "other-not-adjacent": "the supported unit cannot go there: unit, other, to, near",
    "afloat": "a unit afloat neither supports nor builds nor destroys: unit",
    "supports-canoe": "a move by canoe-fleet cannot be supported: unit, other, to",
    "no-canoe": "no canoe-fleet lies there to be taken along: unit, to",
    "inland": "a canoe-fleet cannot go inland: unit, to, near",
    "other-water": "a canoe-fleet is not carried to a shore of another water: unit, to, near",
    "still-crossing": "the water takes a whole year to cross: unit, since",
    "same-shore": "it came from that shore, and has to cross: unit, to, near",
    "no-shore": "one builds canoe-fleets on a shore: unit",
    "none-there": "no canoe-fleet lies there to be destroyed: unit, near",
    "on-foot": "a retreat is on foot: unit, to",
    "not-beaten": "the unit was not dislodged: unit",
    "no-retreat": "it may not retreat there: unit, to, near",
    "no-builds": "no builds are due",
    "banned": "the taboo was broken, and nothing may be built before the year is over: year",
    "no-removals": "no removals are due",
    "not-home": "one builds in starting centres only: unit, near",
    "home-lost": "the starting centre is another's: unit, near",
    "home-occupied": "a unit stands in the starting centre: unit, near",
    "inland-build": "a fleet is built on a coast: unit",
    "which-berth": "a fleet is built on one of several coasts, and none is named: unit, near",
}
"""Every code, what it means, and the keys of its detail. `near`: legal provinces, nearest first."""

_ACCEPTS: dict[str, tuple[str, ...]] = {
    "M": ("Hold", "Move", "SupportHold", "SupportMove"),
    "R": ("Move", "Disband"),
    "A": ("Build", "Disband", "Waive"),
}
_CANOE_ORDER_NAMES = ("BuildCanoe", "Destroy")
_FLEET_ORDER_NAMES = ("Convoy",)


def accepts(rulebook: Rulebook, kind: str) -> tuple[str, ...]:
    """The orders that a kind of phase (M, R or A) knows."""
    if kind != "M":
        return _ACCEPTS[kind]
    more = _CANOE_ORDER_NAMES if rulebook.canoes else ()
    return _ACCEPTS[kind] + more + (_FLEET_ORDER_NAMES if "F" in rulebook.builds_of else ())


_MAX_LEGAL_ORDERS_KEPT = 20_000
"""So many plainly lawful orders of a board are remembered; then the memory begins anew."""

_NO_ORDERS: frozenset[object] = frozenset()

_ORDER_KINDS_BY_NAME: dict[str, type[Order]] = {kind.__name__: kind for kind in get_args(AnyOrder)}


@cache
def _order_kinds(names: tuple[str, ...]) -> frozenset[type[Order]]:
    return frozenset(_ORDER_KINDS_BY_NAME[name] for name in names)


@cache
def _corrected_faults(unnamed: bool, wrong: bool) -> frozenset[str]:
    """Return the faults of a fleet's goal that the rulings of a game correct."""
    return frozenset((["which-coast"] if unnamed else []) + (["wrong-coast"] if wrong else []))


_LAST: list["OrderChecker"] = []


def law_of(board: Board, rulebook: Rulebook, state: State) -> "OrderChecker":
    """The law of a position; where it is that of which was asked last, it is made already."""
    for last in _LAST:
        if last.is_for(board, rulebook, state):
            return last
    law = OrderChecker(board, rulebook, state)
    _LAST[:] = [law]
    return law


class OrderChecker:
    """The law of one position. Made once for a phase, asked for each order."""

    def __init__(self, board: Board, rulebook: Rulebook, state: State) -> None:
        self._board = board
        self._rulebook = rulebook
        self._state = state
        self._standing = units_by_place(state)
        self._beaten = {beaten_unit.unit.at: beaten_unit for beaten_unit in state.beaten}
        self._plain = board.plainly_lawful if state.phase.kind == "M" else _NO_ORDERS
        self._accepted = _order_kinds(accepts(rulebook, state.phase.kind))
        self._seas = Seas(board, self._standing)
        self._mended = _corrected_faults(rulebook.unnamed_coast == "first", rulebook.wrong_coast == "mended")

    def is_for(self, board: Board, rulebook: Rulebook, state: State) -> bool:
        """Return whether it checks just this position, and not another one that is equal."""
        return self._state is state and self._board is board and self._rulebook is rulebook

    def unit_to_destroy_at(self, order: AnyOrder) -> Unit | None:
        """Return the unit that stands in the province of a destruction, or None."""
        return self._standing.get(order.at) if isinstance(order, Destroy) else None

    def objection(self, seat: Seat, order: AnyOrder) -> Objection | None:
        """Why a seat may not give this order now, or None."""
        if order in self._plain and self._is_as_named(seat, order):
            return None
        phase = self._state.phase
        if type(order) not in self._accepted or seat not in self._board.powers:
            return Objection(code="not-due", detail={"order": type(order).__name__, "phase": phase.short})
        if phase.kind == "M":
            wrong = self._moving(seat, order)
            if wrong is None and self._is_plain(order) and self._is_as_named(seat, order):
                self._remember(order)
            return wrong
        return self._check_retreat(seat, order) if phase.kind == "R" else self._adjusting(seat, order)

    def _is_as_named(self, seat: Seat, order: AnyOrder) -> bool:
        """Return whether the units of an order stand where it says, and the first is the seat's."""
        if type(order) is Destroy or type(order) is Waive:
            raise AssertionError("neither is ever plain")
        piece = order.unit
        unit = self._standing.get(piece.at)
        if unit is None or unit.power != seat or seat == NEUTRAL:
            return False
        if unit.kind != piece.kind or unit.coast != piece.coast:
            return False
        if type(order) is SupportMove or type(order) is SupportHold:
            piece = order.other
            unit = self._standing.get(piece.at)
            if unit is None or unit.power == NEUTRAL:
                return False
            return unit.kind == piece.kind and unit.coast == piece.coast
        return True

    def _remember(self, order: AnyOrder) -> None:
        plain = self._board.plainly_lawful
        if len(plain) > _MAX_LEGAL_ORDERS_KEPT:
            plain.clear()
        plain.add(order)

    def _is_plain(self, order: AnyOrder) -> bool:
        """Return whether a legal order is so on this board wherever its units stand as it names them.

        What hangs on fleets, on canoe-fleets or on a ruling of the game is not.
        """
        board = self._board
        if isinstance(order, Move):
            if order.unit.kind == "F":
                return order.goal in board.sailing.get(order.unit.spot, ())
            return not (order.canoe or order.via) and order.to in board.army[order.unit.at]
        if isinstance(order, SupportMove):
            return order.other.kind != "A" or order.to in board.army[order.other.at]
        return isinstance(order, (Hold, SupportHold))

    def _moving(self, seat: Seat, order: AnyOrder) -> Objection | None:
        if isinstance(order, Move):
            return _not_own(self._standing, seat, order.unit) or self._going(order)
        if isinstance(order, (SupportHold, SupportMove)):
            return _not_own(self._standing, seat, order.unit) or self._supporting(order)
        if isinstance(order, Destroy):
            return canoe_law.destroying(self._board, self._state, self.unit_to_destroy_at(order), seat, order)
        assert not isinstance(order, (Build, Disband, Waive)), "the phase accepts none"
        wrong = _not_own(self._standing, seat, order.unit)
        if wrong or isinstance(order, Hold):
            return wrong
        if isinstance(order, BuildCanoe):
            return canoe_law.building(self._board, order)
        if isinstance(order, Convoy):
            return self._seas.convoying(order)
        assert_never(order)

    def _going(self, order: Move) -> Objection | None:
        if (order.canoe or order.unit.kind == "W") and is_by_canoe(self._board, order):
            return canoe_law.going(self._board, self._rulebook, self._state, order)
        if order.unit.kind == "F":
            wrong = self._seas.sailing(self._standing[order.unit.at], order.goal)
            return None if wrong and wrong.code in self._mended else wrong
        if order.unit.kind == "A":
            return self._seas.marching(order.unit.at, order.to, via=order.via)
        wrong = self._reach(order.unit.at, order.to)
        if wrong and wrong.code == "needs-canoe" and order.to in self._board.fleet[order.unit.at]:
            if self._state.canoes.get(order.unit.at):
                return Objection(code="say-canoe", detail={"unit": order.unit.at, "to": order.to})
            return Objection(code="no-canoe", detail={"unit": order.unit.at, "to": order.to})
        return wrong

    def _supporting(self, order: SupportHold | SupportMove) -> Objection | None:
        unit, other = order.unit.at, order.other.at
        if order.unit.kind == "W" and is_afloat(self._board, order.unit):
            return Objection(code="afloat", detail={"unit": unit})
        if unit == other:
            return Objection(code="supports-itself", detail={"unit": unit})
        standing = self._standing.get(other)
        if standing is None or standing.kind != order.other.kind:
            return Objection(code="no-unit-there", detail={"unit": unit, "other": other})
        if isinstance(order, SupportHold):
            return self._too_far(order, other, ())
        if standing.power == NEUTRAL:
            return Objection(code="neutral-stays", detail={"unit": unit, "other": other})
        wrong = self._going_there(order, standing)
        if wrong:
            detail = {**wrong.detail, "unit": unit, "other": other}
            return Objection(code=_SUPPORTED.get(wrong.code, wrong.code), detail=detail)
        return self._too_far(order, order.to, self._board.army[other] or self._board.fleet[other])

    def _going_there(self, order: SupportMove, standing: Unit) -> Objection | None:
        """Why the supported unit could not go there; an army could be carried, but not by who supports it.

        Source: Diplomacy; DATC 6.D.31.
        """
        if standing.kind == "W":
            return self._reach(standing.at, order.to)
        if standing.kind == "A":
            return self._seas.marching(standing.at, order.to, without=order.unit.at)
        if not order.coast and self._seas.reaches(standing, order.to):
            return None
        return self._seas.sailing(standing, order.goal)

    def _too_far(
        self, order: SupportHold | SupportMove, to: Province, goals: tuple[Province, ...]
    ) -> Objection | None:
        """Why a unit cannot give a support there, or None. goals: where the supported unit could go."""
        unit = order.unit.at
        piece = self._standing[unit]
        if self._seas.reaches(piece, to):
            return None
        if to == unit:
            return Objection(code="supports-itself", detail={"unit": unit})
        near = self._near(to, (goal for goal in goals if self._seas.reaches(piece, goal)))
        detail = {"unit": unit, "other": order.other.at, "to": to, "near": near}
        return Objection(code="support-too-far", detail=detail)

    def _reach(self, unit: Province, to: Province) -> Objection | None:
        """Why a unit cannot walk from a province to another, or None."""
        board = self._board
        if to in board.army[unit]:
            return None
        if to not in board.places:
            return Objection(code="no-place", detail={"unit": unit, "to": to})
        if to == unit:
            return Objection(code="stays-put", detail={"unit": unit})
        code = "not-adjacent" if board.is_land(unit) and board.is_land(to) else "needs-canoe"
        return Objection(code=code, detail={"unit": unit, "to": to, "near": self._near(to, board.army[unit])})

    def _check_retreat(self, seat: Seat, order: AnyOrder) -> Objection | None:
        assert isinstance(order, Move | Disband)
        beaten = {at: beaten_unit.unit for at, beaten_unit in self._beaten.items()}
        if order.unit.at not in beaten and order.unit.at in self._standing:
            return Objection(code="not-beaten", detail={"unit": order.unit.at})
        wrong = _not_own(beaten, seat, order.unit)
        if wrong or isinstance(order, Disband):
            return wrong
        if order.canoe:
            return Objection(code="on-foot", detail={"unit": order.unit.at, "to": order.to})
        retreats = self._beaten[order.unit.at].retreats
        if order.goal in retreats:
            return None
        if order.to not in self._board.places:
            return Objection(code="no-place", detail={"unit": order.unit.at, "to": order.to})
        near = self._near(order.to, retreats)
        return Objection(code="no-retreat", detail={"unit": order.unit.at, "to": order.to, "near": near})

    def _adjusting(self, seat: Seat, order: AnyOrder) -> Objection | None:
        due = adjustments_due(self._board, self._rulebook, self._state, seat)
        if isinstance(order, Disband):
            if not due.removals:
                return Objection(code="no-removals")
            return _not_own(self._standing, seat, order.unit)
        if not due.builds and is_banned(self._state, seat):
            return Objection(code="banned", detail={"year": str(self._state.build_ban[seat])})
        if not due.builds:
            return Objection(code="no-builds")
        if isinstance(order, Build):
            return self._building(seat, order.unit)
        assert not isinstance(order, SeasonOrder), "the phase accepts none"
        if isinstance(order, Waive):
            return None
        assert_never(order)

    def _building(self, seat: Seat, unit: Piece) -> Objection | None:
        board, state = self._board, self._state
        free = free_homes(board, self._rulebook, state, seat)
        if unit.at not in board.places:
            return Objection(code="no-place", detail={"unit": unit.at, "to": unit.at})
        if unit.at in free:
            return self._standing_there(unit)
        code = "home-occupied"
        if unit.at not in homes(board, self._rulebook, state, seat):
            code = "not-home"
        elif state.centres.get(unit.at) != seat:
            code = "home-lost"
        return Objection(code=code, detail={"unit": unit.at, "near": self._near(unit.at, free)})

    def _standing_there(self, unit: Piece) -> Objection | None:
        """Why a unit of its kind cannot be built in a free centre; a fleet needs a coast (DATC 4.B.7)."""
        board = self._board
        if unit.kind not in self._rulebook.builds_of:
            return Objection(code="wrong-kind", detail={"unit": unit.at, "kind": unit.kind})
        if unit.kind != "F" or unit.spot in board.spots[unit.at]:
            return None
        if not board.spots[unit.at]:
            return Objection(code="inland-build", detail={"unit": unit.at})
        return Objection(code="which-berth", detail={"unit": unit.at, "near": " ".join(board.spots[unit.at])})

    def _near(self, wanted: Province, legal: Iterable[Province]) -> str:
        return " ".join(self._board.nearest(wanted, legal))


def _not_own(units: Mapping[Province, Unit], seat: Seat, piece: Piece) -> Objection | None:
    unit = units.get(piece.at)
    if unit is None:
        return Objection(code="no-unit", detail={"unit": piece.at})
    if unit.power != seat:
        return Objection(code="not-yours", detail={"unit": piece.at, "power": unit.power})
    if unit.kind != piece.kind:
        return Objection(code="wrong-kind", detail={"unit": piece.at, "kind": unit.kind})
    return None


_SUPPORTED = {"not-adjacent": "other-not-adjacent", "needs-canoe": "supports-canoe"}
"""What is wrong with a support when the supported unit cannot walk there."""
