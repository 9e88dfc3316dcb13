"""Legality of orders: one function for each kind of order. An objection is a code and ids of places."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import assert_never, get_args

from games.diplomacy.adjudication.adjustments import adjustments_due, free_homes, homes
from games.diplomacy.adjudication.canoes import contradictions, forbids, is_banned, is_held, is_shut
from games.diplomacy.adjudication.convoy_routes import (
    at_sea,
    fleets_on_shortest,
    is_afloat,
    is_by_canoe,
    is_chain_open,
    is_wanted,
)
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook, year_name
from games.diplomacy.events import Reason, Resolved
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
    UnitOrder,
    Waive,
    split_spot,
    units_by_place,
)
from games.protocol import Concern, Objection, Order, Seat

OBJECTIONS: dict[str, str] = {
    "not-due": "such an order is not due now: order, phase",
    "no-place": "the board has no such province: to",
    "no-unit": "there is no unit: unit",
    "not-yours": "the unit belongs to another nation: unit, power",
    "wrong-kind": "the unit there, or the unit to build, is of another kind: unit, kind",
    "stays-put": "the unit is already there: unit",
    "no-wading": "the goal is water, which armies can't enter: unit, to, near",
    "inland-fleet": "the goal has no coast for a fleet: unit, to, near",
    "which-coast": "a fleet can reach several coasts of the goal, and none is named: unit, to, near",
    "wrong-coast": "the fleet reaches another coast of the goal only: unit, to, near",
    "no-route": "no fleets could convoy the army: unit, to, near",
    "not-at-sea": "only a fleet on open water can convoy: unit",
    "no-convoy-land": "only a fleet on open water, or on certain lands, can convoy: unit, near",
    "only-armies": "there is no such army to convoy: unit, other, near",
    "off-route": "the fleet is not needed on any route between the two shores: unit, other, to, near",
    "needs-canoe": "the goal is water, and the unit has no canoe-fleet: unit, to, near",
    "say-canoe": "the goal is water, and the order doesn't say CANOE: unit, to",
    "not-adjacent": "the goal does not border the unit's province: unit, to, near",
    "supports-itself": "a unit can't support itself or an attack on its own province: unit",
    "no-unit-there": "there is no such unit to support: unit, other",
    "neutral-stays": "a unit in civil disorder never moves: unit, other",
    "support-too-far": "the unit can't go to the supported place itself: unit, other, to, near",
    "other-not-adjacent": "the supported unit can't go there: unit, other, to, near",
    "afloat": "a unit afloat can't support, build or destroy: unit",
    "supports-canoe": "a move by canoe-fleet can't be supported: unit, other, to",
    "no-canoe": "the unit has no canoe-fleet to take along: unit, to",
    "inland": "a canoe-fleet can't go inland: unit, to, near",
    "other-water": "a canoe-fleet can't go to a shore of another water: unit, to, near",
    "still-crossing": "the water takes a whole year to cross: unit, since",
    "same-shore": "the unit came from that shore, and has to cross: unit, to, near",
    "no-shore": "canoe-fleets can only be built on a shore: unit",
    "none-there": "the province has no canoe-fleet to destroy: unit, near",
    "on-foot": "a retreat is on foot: unit, to",
    "not-beaten": "the unit was not dislodged: unit",
    "no-retreat": "the unit can't retreat there: unit, to, near",
    "no-builds": "no builds are due",
    "banned": "the nation broke the taboo and can't build before the year is over: year",
    "no-removals": "no disbands are due",
    "not-home": "builds are only possible in home centres: unit, near",
    "home-lost": "the power no longer owns its home centre: unit, near",
    "not-owned": "the power doesn't own that centre: unit, near",
    "home-occupied": "there is a unit in the home centre: unit, near",
    "inland-build": "a fleet can only be built on a coast: unit",
    "which-berth": "the province has several coasts, and none is named: unit, near",
}
"""The meaning of each code, and after the colon the keys of its detail. `near`: legal places, nearest first.
"""

_ACCEPTS: dict[str, tuple[str, ...]] = {
    "M": ("Hold", "Move", "SupportHold", "SupportMove"),
    "R": ("Move", "Disband"),
    "A": ("Build", "Disband", "Waive"),
}
_CANOE_ORDER_NAMES = ("BuildCanoe", "Destroy")
_FLEET_ORDER_NAMES = ("Convoy",)


def accepts(rulebook: Rulebook, kind: str) -> tuple[str, ...]:
    """Return the names of the orders that are possible in a kind of phase: M, R or A."""
    if kind != "M":
        return _ACCEPTS[kind]
    more = _CANOE_ORDER_NAMES if rulebook.canoes else ()
    return _ACCEPTS[kind] + more + (_FLEET_ORDER_NAMES if "F" in rulebook.builds_of else ())


_MAX_LEGAL_ORDERS_KEPT = 20_000
"""The most orders of a board that are remembered as legal. A full memory is cleared."""

_NO_ORDERS: frozenset[object] = frozenset()

_ORDER_KINDS_BY_NAME: dict[str, type[Order]] = {kind.__name__: kind for kind in get_args(AnyOrder)}


@cache
def _order_kinds(names: tuple[str, ...]) -> frozenset[type[Order]]:
    return frozenset(_ORDER_KINDS_BY_NAME[name] for name in names)


@cache
def _corrected_faults(unnamed: bool, wrong: bool) -> frozenset[str]:
    """Return the faults of a fleet's goal that the rulings of a game correct."""
    return frozenset((["which-coast"] if unnamed else []) + (["wrong-coast"] if wrong else []))


_LAST: list[tuple[Board, Rulebook, State, "OrderChecker"]] = []


def law_of(board: Board, rulebook: Rulebook, state: State) -> "OrderChecker":
    """Return the checker of a position. The last one is kept, because many orders are checked in turn."""
    for last_board, last_rulebook, last_state, law in _LAST:
        # It is for this very state, and not just for an equal one.
        if last_state is state and last_board is board and last_rulebook is rulebook:
            return law
    law = OrderChecker(board, rulebook, state)
    _LAST[:] = [(board, rulebook, state, law)]
    return law


class OrderChecker:
    """Checks the orders of one position. It is made once for a phase."""

    def __init__(self, board: Board, rulebook: Rulebook, state: State) -> None:
        self._board = board
        self._rulebook = rulebook
        self._state = state
        self._standing = units_by_place(state)
        self._beaten = {beaten_unit.unit.at: beaten_unit for beaten_unit in state.beaten}
        self._plain = board.plainly_lawful if state.phase.kind == "M" else _NO_ORDERS
        self._accepted = _order_kinds(accepts(rulebook, state.phase.kind))
        self._seas = Seas(board, self._standing)
        self._corrected = _corrected_faults(
            rulebook.unnamed_coast == "first", rulebook.wrong_coast == "mended"
        )

    def unit_to_destroy_at(self, order: AnyOrder) -> Unit | None:
        """Return the unit in the province of an order to destroy a canoe-fleet, or None."""
        return self._standing.get(order.at) if isinstance(order, Destroy) else None

    def objection(self, seat: Seat, order: AnyOrder) -> Objection | None:
        """Return why a seat can't give this order now, or None."""
        if order in self._plain and self._is_as_named(seat, order):
            return None
        phase = self._state.phase
        if type(order) not in self._accepted or seat not in self._board.powers:
            return Objection(code="not-due", detail={"order": type(order).__name__, "phase": phase.short})
        if phase.kind == "M":
            wrong = self._moving(seat, order)
            if wrong is None and self._is_plain(order) and self._is_as_named(seat, order):
                legal_everywhere = self._board.plainly_lawful
                if len(legal_everywhere) > _MAX_LEGAL_ORDERS_KEPT:
                    legal_everywhere.clear()
                legal_everywhere.add(order)
            return wrong
        return self._check_retreat(seat, order) if phase.kind == "R" else self._adjusting(seat, order)

    def _is_as_named(self, seat: Seat, order: AnyOrder) -> bool:
        """Return whether the order's units are where it says, and the seat owns the first one."""
        if type(order) is Destroy or type(order) is Waive:
            raise AssertionError("neither of these is ever plain")
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

    def _is_plain(self, order: AnyOrder) -> bool:
        """Return whether a legal order is legal on this board wherever its units are as it names them.

        Orders that depend on fleets, on canoe-fleets or on a ruling of the game aren't plain.
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
            return destroying(self._board, self._state, self.unit_to_destroy_at(order), seat, order)
        assert not isinstance(order, (Build, Disband, Waive)), "the phase accepts none"
        wrong = _not_own(self._standing, seat, order.unit)
        if wrong or isinstance(order, Hold):
            return wrong
        if isinstance(order, BuildCanoe):
            return building(self._board, order)
        if isinstance(order, Convoy):
            return self._seas.convoying(order)
        assert_never(order)

    def _going(self, order: Move) -> Objection | None:
        if (order.canoe or order.unit.kind == "W") and is_by_canoe(self._board, order):
            return going(self._board, self._rulebook, self._state, order)
        if order.unit.kind == "F":
            wrong = self._seas.sailing(self._standing[order.unit.at], order.goal)
            return None if wrong and wrong.code in self._corrected else wrong
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
        """Return why the supported unit couldn't go there, or None.

        An army could be convoyed there, but not by the unit that supports it.

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
        """Return why a unit can't support there, or None. goals: where the supported unit could go."""
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
        """Return why a unit can't walk from a province to another, or None."""
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
            return Objection(code="banned", detail={"year": year_name(self._state.build_ban[seat])})
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
            code = "home-lost" if unit.at in board.powers[seat].owned_at_start else "not-owned"
        return Objection(code=code, detail={"unit": unit.at, "near": self._near(unit.at, free)})

    def _standing_there(self, unit: Piece) -> Objection | None:
        """Return why a unit of its kind can't be built in a free centre, or None. A fleet needs a coast.

        Source: DATC 4.B.7.
        """
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
"""The code for a support, by the code of the supported unit's move."""


# Armies and fleets: moves by sea and by convoy.


class Seas:
    """The waters of one position: where fleets could sail, and where armies could be convoyed.

    standing: the units by province.
    """

    def __init__(self, board: Board, standing: Mapping[Province, Unit]) -> None:
        self._board = board
        self._standing = standing
        self._chains: dict[tuple[Province, Province], int] = {}
        self._landings: dict[tuple[Province, Province], tuple[Province, ...]] = {}

    @cached_property
    def _fleets(self) -> int:
        return at_sea(self._board, self._standing.values())

    def reaches(self, piece: Piece | Unit, to: Province) -> bool:
        """Return whether a unit could go to a province in one step, to any coast. Supports need this."""
        if piece.kind != "F":
            return to in self._board.army[piece.at]
        return to in self._board.sails.get(piece.spot, ())

    def is_carried(self, at: Province, to: Province, without: Province | None = None) -> bool:
        """Return whether the fleets could convoy an army between two shores. without: a fleet left out."""
        index = self._board.index
        fleets = self._fleets & ~(1 << index[without]) if without is not None else self._fleets
        if at == to or not (self._board.is_land(to) and fleets):
            return False
        if without is None:
            return self._shortest(at, to) != 0
        return is_chain_open(self._board, index[at], index[to], fleets)

    def sailing(self, fleet: Piece | Unit, goal: Province) -> Objection | None:
        """Return why a fleet can't sail to a spot, or None.

        A fleet has to name the coast of a province that has several.

        Source: DATC 4.B.1, 4.B.3.
        """
        near = self._board.sailing[fleet.spot]
        if goal in near:
            return None
        at, coast = split_spot(goal)
        detail: dict[str, str] = {"unit": fleet.at, "to": goal}
        if at not in self._board.places:
            return Objection(code="no-place", detail=detail)
        if at == fleet.at:
            return Objection(code="stays-put", detail=detail)
        coasts = [there for there in near if split_spot(there)[0] == at]
        if coasts:
            code = "wrong-coast" if coast else "which-coast"
            return Objection(code=code, detail={**detail, "near": " ".join(coasts)})
        code = "not-adjacent" if self._board.spots[at] else "inland-fleet"
        nearest = " ".join(self._board.nearest(at, near))
        return Objection(code=code, detail={**detail, "near": nearest})

    def marching(
        self, at: Province, to: Province, *, via: bool = False, without: Province | None = None
    ) -> Objection | None:
        """Return why an army can neither walk to its goal nor be convoyed there, or None.

        via: the order asks for a convoy; without: a fleet to leave out.

        Source: DATC 4.E.1: an order that could never be carried out doesn't count, and the unit holds.
        """
        board = self._board
        if to in board.army[at] and not via:
            return None
        detail: dict[str, str] = {"unit": at, "to": to}
        if to not in board.places:
            return Objection(code="no-place", detail=detail)
        if to == at:
            return Objection(code="stays-put", detail=detail)
        if self.is_carried(at, to, without):
            return None
        near = " ".join(board.nearest(to, board.army[at]))
        if not board.is_land(to):
            return Objection(code="no-wading", detail={**detail, "near": near})
        shores = at in board.shores and to in board.shores
        return Objection(code="no-route" if shores else "not-adjacent", detail={**detail, "near": near})

    def convoying(self, convoy: Convoy) -> Objection | None:
        """Return why a fleet can't be part of a convoy, or None.

        Source: DATC 6.A.7, 6.F.1, 6.F.12, 6.G.19.
        """
        board, at, army, to = self._board, convoy.unit.at, convoy.other.at, convoy.to
        detail: dict[str, str] = {"unit": at, "other": army, "to": to}
        if convoy.unit.kind != "F" or not board.has_convoys(at):
            ashore = " ".join(place.id for place in board.places.values() if place.convoys)
            if ashore:
                return Objection(code="no-convoy-land", detail={**detail, "near": ashore})
            return Objection(code="not-at-sea", detail=detail)
        standing = self._standing.get(army)
        if standing is None or standing.kind != "A":
            armies = " ".join(there for there in board.fleet[at] if self._is_army(there))
            return Objection(code="only-armies", detail={**detail, "near": armies})
        if to not in board.places:
            return Objection(code="no-place", detail=detail)
        if self._is_needed(at, army, to):
            return None
        near = board.nearest(to, self._shores(at, army))
        code = "off-route" if self.is_carried(army, to) else "no-route"
        return Objection(code=code, detail={**detail, "near": " ".join(near)})

    def _is_army(self, place: Province) -> bool:
        return place in self._standing and self._standing[place].kind == "A"

    def _shores(self, fleet: Province, army: Province) -> tuple[Province, ...]:
        """Return the provinces that a fleet can help an army to reach. They are remembered."""
        pair = fleet, army
        if pair not in self._landings:
            there = (shore for shore in self._board.shores if self._is_needed(fleet, army, shore))
            self._landings[pair] = tuple(there)
        return self._landings[pair]

    def _is_needed(self, fleet: Province, army: Province, to: Province) -> bool:
        """Return whether a fleet is needed on some route of an army between two shores."""
        if not self.is_carried(army, to):
            return False
        index = self._board.index
        if self._shortest(army, to) >> index[fleet] & 1:
            return True
        return is_wanted(self._board, index[army], index[to], self._fleets, index[fleet])

    def _shortest(self, at: Province, to: Province) -> int:
        """Return the fleets of all shortest routes between two shores. They are remembered."""
        fleets = self._chains.get((at, to))
        if fleets is None:
            index = self._board.index
            fleets = fleets_on_shortest(self._board, index[at], index[to], self._fleets)
            self._chains[at, to] = fleets
        return fleets


def landing(board: Board, fleet: Piece | Unit, goal: Province) -> Province:
    """Return the spot where a fleet arrives: its goal, or the first coast in reach if the goal isn't a spot.

    Source: DATC 4.B.1, 4.B.3 (Rulebook.unnamed_coast, Rulebook.wrong_coast).
    """
    near = board.sailing[fleet.spot]
    return (
        goal if goal in near else next(there for there in near if split_spot(there)[0] == split_spot(goal)[0])
    )


def complete_coast(board: Board, unit: Unit | Piece, to: Province, coast: str) -> str:
    """Return the coast of a fleet's goal. If none is named and only one is in reach, it is that one.

    Source: DATC 4.B.2. An army has no coast (4.B.6).
    """
    if unit.kind != "F":
        return ""
    reachable = [
        split_spot(there)[1] for there in board.sailing.get(unit.spot, ()) if split_spot(there)[0] == to
    ]
    return reachable[0] if not coast and len(reachable) == 1 else coast


# Concerns about the orders of one seat taken together: legal but odd.


CONCERNS: dict[str, str] = {
    "unmatched-support": "your own unit was not ordered to make the supported move: unit, other, to",
    "supports-a-mover": "your own unit, supported in place, was ordered to move: unit, other",
    "two-to-one": "two of your units move to the same province: unit, other, to",
    "attacks-own": "your own unit is there and isn't ordered to leave: unit, to",
    "helps-against-own": "it supports an attack on your own unit, which it can't dislodge: unit, other, to",
    "swaps": "two of your units change places, which never works: unit, other",
    "walker-first": "your own unit walks there, so the canoe-fleet will turn back: unit, other, to",
    "supports-a-carrier": "your own unit goes by canoe-fleet, which can't be supported: unit, other, to",
    "destroys-carried": "the only canoe-fleet there is ordered to be carried and to be destroyed: unit, to",
    "leaves-centre": "the unit leaves a centre that it would gain at the end of this season: unit, to",
    "enters-taboo": "the first unit there is lost, and its nation builds nothing for two Winters: unit, to",
    "enters-storms": "a year on this water means two storms, and a roll of 1 or 6 sinks: unit, to",
}
"""The meaning of each code, and after the colon the keys of its detail."""


def find_concerns(board: Board, state: State, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """Return what is odd about a seat's orders for a season, in the order of the orders.

    orders: legal ones. If a unit has two, the last one counts.
    """
    if state.phase.kind == "R":
        flights = (order for order in orders if isinstance(order, Move))
        return tuple(concern for order in flights for concern in _place_concerns(board, state, order))
    if state.phase.kind != "M":
        return ()
    standing = units_by_place(state)
    latest = {order.unit.at: order for order in orders if isinstance(order, UnitOrder)}
    given = {at: order for at, order in latest.items() if isinstance(order, Move | SupportHold | SupportMove)}
    results: list[Concern] = []
    for order in given.values():
        if isinstance(order, Move):
            results += _place_concerns(board, state, order)
            results += _move_concerns(board, state, seat, order, given)
        else:
            results += _support_concerns(board, standing, seat, order, given)
    destructions = {order.at: order for order in orders if isinstance(order, Destroy)}
    # Source: Indianomacy, ruling D2.
    results += [
        Concern(code="destroys-carried", detail={"unit": pair.carry.unit.at, "to": pair.carry.to})
        for pair in contradictions(state.canoes, latest, destructions)
    ]
    return tuple(results)


def _place_concerns(board: Board, state: State, order: Move) -> Iterator[Concern]:
    """Yield the dangers of a unit's goal. Source: Indianomacy §5, §9."""
    detail: dict[str, str] = {"unit": order.unit.at, "to": order.to}
    if forbids(board, state, order.to):
        yield Concern(code="enters-taboo", detail=detail)
    if order.to in board.chart.stormy and is_by_canoe(board, order):
        yield Concern(code="enters-storms", detail=detail)


def _move_concerns(
    board: Board, state: State, seat: Seat, order: Move, given: Mapping[Province, AnyOrder]
) -> Iterator[Concern]:
    """Yield what is odd about a move beside the seat's other moves and supports, which are in `given`."""
    here = order.unit.at
    followed = any(isinstance(other, Move) and other.to == here for other in given.values())
    takes = state.phase.season == "F" and here in board.centres and state.centres.get(here) != seat
    if takes and not followed and not (order.to in board.centres and state.centres.get(order.to) != seat):
        yield Concern(code="leaves-centre", detail={"unit": here, "to": order.to})
    for other in given.values():
        if isinstance(other, Move) and other.to == order.to and other is not order:
            earlier = list(given).index(other.unit.at) < list(given).index(here)
            if earlier:
                yield _of_two(board, order, other)
    there = units_by_place(state).get(order.to)
    if there is None or there.power != seat:
        return
    theirs = given.get(order.to)
    if not isinstance(theirs, Move):
        yield Concern(code="attacks-own", detail={"unit": here, "to": order.to})
    elif theirs.to == here and list(given).index(order.to) < list(given).index(here):
        yield Concern(code="swaps", detail={"unit": here, "other": order.to})


def _of_two(board: Board, order: Move, other: Move) -> Concern:
    """Return the concern about two of a seat's units that move to the same place.

    They keep each other out, except that a walking unit gets in before a canoe-fleet.
    """
    by_canoe = is_by_canoe(board, order), is_by_canoe(board, other)
    if by_canoe == (False, True):
        order, other = other, order
    detail: dict[str, str] = {"unit": order.unit.at, "other": other.unit.at, "to": order.to}
    if by_canoe[0] == by_canoe[1]:
        return Concern(code="two-to-one", detail=detail)
    return Concern(code="walker-first", detail=detail)


def _support_concerns(
    board: Board,
    standing: Mapping[Province, Unit],
    seat: Seat,
    order: AnyOrder,
    given: Mapping[Province, AnyOrder],
) -> Iterator[Concern]:
    assert isinstance(order, SupportHold | SupportMove)
    here, other = order.unit.at, order.other.at
    own = other in standing and standing[other].power == seat
    theirs = given.get(other)
    if isinstance(order, SupportHold):
        if own and isinstance(theirs, Move):
            yield Concern(code="supports-a-mover", detail={"unit": here, "other": other})
        return
    detail: dict[str, str] = {"unit": here, "other": other, "to": order.to}
    if own and not (isinstance(theirs, Move) and theirs.to == order.to):
        yield Concern(code="unmatched-support", detail=detail)
    elif own and isinstance(theirs, Move) and is_by_canoe(board, theirs):
        yield Concern(code="supports-a-carrier", detail=detail)
    there = standing.get(order.to)
    if there is not None and there.power == seat and not isinstance(given.get(order.to), Move):
        yield Concern(code="helps-against-own", detail=detail)


# Decide which orders of a phase count, and report each rejected one with its reason.


Given = Mapping[Seat, Sequence[AnyOrder]]
"""The orders of each seat, in the order given."""


@dataclass
class ValidatedOrders:
    """The orders of a phase that count, and the rejected ones.

    orders: at most one for each unit, by its province; destructions: at most one for each province; refused:
    an event for each rejected order.
    """

    orders: dict[Province, UnitOrder] = field(default_factory=dict)
    destructions: dict[Province, Destroy] = field(default_factory=dict)
    refused: list[Resolved] = field(default_factory=list)


def sift(board: Board, rulebook: Rulebook, state: State, given: Given) -> ValidatedOrders:
    """Return the orders of a movement or retreat phase that count, and the rejected ones.

    Source: Indianomacy, rulings V7 (Rulebook.twice) and D2 (Rulebook.destruction).
    """
    law = OrderChecker(board, rulebook, state)
    standing = ValidatedOrders(refused=strangers(board, given))
    orders = standing.orders
    for power in board.powers:
        for order in given.get(power, ()):
            objection = law.objection(power, order)
            if objection is not None:
                standing.refused.append(refuse(power, order, objection.code, law.unit_to_destroy_at(order)))
            elif type(order) is Destroy:
                if order.at in standing.destructions:
                    occupant = law.unit_to_destroy_at(order)
                    standing.refused.append(refuse(power, order, "one-a-season", occupant))
                else:
                    standing.destructions[order.at] = order
            elif type(order) is Waive:
                raise AssertionError("the checker rejects these orders")
            elif order.unit.at in orders and rulebook.twice == "first":
                standing.refused.append(refuse(power, order, "replaced"))
            else:
                if order.unit.at in orders:
                    standing.refused.append(refuse(power, orders[order.unit.at], "replaced"))
                orders[order.unit.at] = order
    if standing.destructions:
        _part(standing, rulebook, state, law)
    return standing


def refuse(power: Seat, order: AnyOrder, code: str, unit: Unit | None = None) -> Resolved:
    """Return the event of an order that doesn't count. unit: the occupant, if an order names no unit."""
    piece = order.unit if isinstance(order, UnitOrder) else unit.piece if unit else None
    return Resolved(power=power, unit=piece, order=order, outcome="void", reason=Reason(code=code))


def strangers(board: Board, given: Given) -> list[Resolved]:
    """Return the events for orders of seats that aren't powers on this board. None of them is legal."""
    seats = sorted(seat for seat in given if seat not in board.powers)
    return [refuse(seat, order, "not-due") for seat in seats for order in given[seat]]


def _part(standing: ValidatedOrders, rulebook: Rulebook, state: State, law: OrderChecker) -> None:
    """Drop one of each pair of orders that contradict each other."""
    for pair in contradictions(state.canoes, standing.orders, standing.destructions):
        unit = law.unit_to_destroy_at(pair.destroy)
        assert unit is not None, "a lawful destruction has somebody to do it"
        if rulebook.destruction == "carried":
            del standing.destructions[pair.destroy.at]
            standing.refused.append(refuse(unit.power, pair.destroy, "carried-off", unit))
        else:
            del standing.orders[pair.destroy.at]
            standing.refused.append(refuse(unit.power, pair.carry, "canoe-destroyed"))


# Canoe-fleets.


def goals(board: Board, rulebook: Rulebook, here: Province) -> tuple[Province, ...]:
    """Return where a canoe-fleet can go from a province or a water: to waters and shores, never inland.

    Source: Indianomacy §6 (1.13); ruling C6 (Rulebook.portage).
    """
    if not board.is_land(here):
        return board.fleet[here]
    shores = [shore for shore in board.army[here] if shore in board.shores]
    if rulebook.portage == "same-water":
        shores = [shore for shore in shores if not set(board.fleet[here]).isdisjoint(board.fleet[shore])]
    return (*board.fleet[here], *shores)


def going(board: Board, rulebook: Rulebook, state: State, move: Move) -> Objection | None:
    """Return why a unit can't make this move by canoe-fleet, or None.

    Source: Indianomacy §6, §9 (1.13, 1.19); rulings C5, H1, H2, V8.
    """
    here, to = move.unit.at, move.to
    afloat = is_afloat(board, move.unit)
    if not afloat and not state.canoes.get(here):
        return Objection(code="no-canoe", detail={"unit": here, "to": to})
    near = goals(board, rulebook, here)
    if to not in near:
        return _astray(board, here, to, near)
    if afloat and is_held(state, here):
        return Objection(code="still-crossing", detail={"unit": here, "since": state.bay_entered[here]})
    if afloat and is_shut(rulebook, state, here, to):
        others = [shore for shore in near if shore != to]
        return Objection(
            code="same-shore", detail={"unit": here, "to": to, "near": " ".join(board.nearest(to, others))}
        )
    return None


def _astray(board: Board, here: Province, to: Province, near: tuple[Province, ...]) -> Objection:
    if to not in board.places:
        return Objection(code="no-place", detail={"unit": here, "to": to})
    if to == here:
        return Objection(code="stays-put", detail={"unit": here})
    code = "not-adjacent"
    if board.is_land(to) and to not in board.shores:
        code = "inland"
    elif to in board.army[here]:
        code = "other-water"
    return Objection(code=code, detail={"unit": here, "to": to, "near": " ".join(board.nearest(to, near))})


def building(board: Board, order: BuildCanoe) -> Objection | None:
    """Return why a canoe-fleet can't be built there, or None.

    Source: Indianomacy §6 (1.11); ruling C19.
    """
    at = order.unit.at
    if is_afloat(board, order.unit):
        return Objection(code="afloat", detail={"unit": at})
    return None if at in board.shores else Objection(code="no-shore", detail={"unit": at})


def destroying(
    board: Board, state: State, standing: Unit | None, seat: Seat, order: Destroy
) -> Objection | None:
    """Return why a seat can't destroy a canoe-fleet there, or None. standing: the unit there.

    Source: Indianomacy §7 (1.17); rulings C4, D4.
    """
    if order.at not in board.places:
        return Objection(code="no-place", detail={"unit": order.at, "to": order.at})
    if standing is None:
        return Objection(code="no-unit", detail={"unit": order.at})
    if standing.power != seat:
        return Objection(code="not-yours", detail={"unit": order.at, "power": standing.power})
    if is_afloat(board, standing.piece):
        return Objection(code="afloat", detail={"unit": order.at})
    if state.canoes.get(order.at):
        return None
    own = [unit.at for unit in state.units if unit.power == seat and state.canoes.get(unit.at)]
    near = " ".join(board.nearest(order.at, own))
    return Objection(code="none-there", detail={"unit": order.at, "near": near})
