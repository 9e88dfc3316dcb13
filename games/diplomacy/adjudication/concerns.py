"""Concerns about the orders of one seat taken together: legal but odd."""

from collections.abc import Iterator, Mapping, Sequence

from games.diplomacy.adjudication.afloat import is_by_canoe
from games.diplomacy.adjudication.canoes import contradictions
from games.diplomacy.adjudication.taboo import forbids
from games.diplomacy.boards.board import Board
from games.diplomacy.model import (
    AnyOrder,
    Destroy,
    Move,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
)
from games.protocol import Concern, Seat

CONCERNS: dict[str, str] = {
    "unmatched-support": "your own unit was not ordered to make the move supported: unit, other, to",
    "supports-a-mover": "your own unit, supported where it stands, was ordered to move: unit, other",
    "two-to-one": "two of your units go to one province: unit, other, to",
    "attacks-own": "your own unit stands there and is not ordered to leave: unit, to",
    "helps-against-own": "it supports an attack on your own unit, which it cannot dislodge: unit, other, to",
    "swaps": "two of your units change places, which never works: unit, other",
    "walker-first": "your own unit walks there, and a canoe-fleet draws back from it: unit, other, to",
    "supports-a-carrier": "your own unit goes there in a canoe-fleet, and such a move has no support: "
    "unit, other, to",
    "destroys-carried": "the only canoe-fleet there is to be carried and to be destroyed: unit, to",
    "leaves-centre": "it leaves a centre that would be yours at the end of this season: unit, to",
    "enters-taboo": "whoever enters first is lost, and its nation builds nothing for two Winters: unit, to",
    "enters-storms": "a year on this water means two storms, and a 1 or a 6 sinks: unit, to",
}
"""Every code, what it means, and the keys of its detail."""


def find_concerns(board: Board, state: State, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """Return what is odd about a seat's orders for a season, in the order of the orders.

    orders: lawful ones; of two for a unit the last stands.
    """
    if state.phase.kind == "R":
        flights = (order for order in orders if isinstance(order, Move))
        return tuple(concern for order in flights for concern in _place_concerns(board, state, order))
    if state.phase.kind != "M":
        return ()
    standing = {unit.at: unit for unit in state.units}
    latest = {order.unit.at: order for order in orders if isinstance(order, UnitOrder)}
    given = {at: order for at, order in latest.items() if isinstance(order, Move | SupportHold | SupportMove)}
    results: list[Concern] = []
    for order in given.values():
        if isinstance(order, Move):
            results += _place_concerns(board, state, order)
            results += _centre_concerns(board, state, seat, order, given)
            results += _move_concerns(board, standing, seat, order, given)
        else:
            results += _support_concerns(board, standing, seat, order, given)
    return (*results, *_destruction_concerns(state, orders, latest))


def _place_concerns(board: Board, state: State, order: Move) -> Iterator[Concern]:
    """Yield what awaits a unit where it goes (Indianomacy §5, §9)."""
    detail: dict[str, str] = {"unit": order.unit.at, "to": order.to}
    if forbids(board, state, order.to):
        yield Concern(code="enters-taboo", detail=detail)
    if order.to in board.chart.stormy and is_by_canoe(board, order):
        yield Concern(code="enters-storms", detail=detail)


def _centre_concerns(
    board: Board, state: State, seat: Seat, order: Move, given: Mapping[Province, AnyOrder]
) -> Iterator[Concern]:
    """A centre that changes hands only if somebody stands there when the season is over."""
    here = order.unit.at
    followed = any(isinstance(other, Move) and other.to == here for other in given.values())
    takes = state.phase.season == "F" and here in board.centres and state.centres.get(here) != seat
    if takes and not followed and not (order.to in board.centres and state.centres.get(order.to) != seat):
        yield Concern(code="leaves-centre", detail={"unit": here, "to": order.to})


def _destruction_concerns(
    state: State, orders: Sequence[AnyOrder], latest: Mapping[Province, AnyOrder]
) -> Iterator[Concern]:
    """Canoe-fleets that one order takes along and another destroys (Indianomacy, ruling D2)."""
    destructions = {order.at: order for order in orders if isinstance(order, Destroy)}
    for pair in contradictions(state.canoes, latest, destructions):
        detail: dict[str, str] = {"unit": pair.carry.unit.at, "to": pair.carry.to}
        yield Concern(code="destroys-carried", detail=detail)


def _move_concerns(
    board: Board,
    standing: Mapping[Province, Unit],
    seat: Seat,
    order: Move,
    given: Mapping[Province, AnyOrder],
) -> Iterator[Concern]:
    here = order.unit.at
    for other in given.values():
        if isinstance(other, Move) and other.to == order.to and other is not order:
            earlier = list(given).index(other.unit.at) < list(given).index(here)
            if earlier:
                yield _of_two(board, order, other)
    there = standing.get(order.to)
    if there is None or there.power != seat:
        return
    theirs = given.get(order.to)
    if not isinstance(theirs, Move):
        yield Concern(code="attacks-own", detail={"unit": here, "to": order.to})
    elif theirs.to == here and list(given).index(order.to) < list(given).index(here):
        yield Concern(code="swaps", detail={"unit": here, "other": order.to})


def _of_two(board: Board, order: Move, other: Move) -> Concern:
    """Two of a seat's units go to one place: neither gets in, but for a walker where a canoe-fleet goes."""
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
