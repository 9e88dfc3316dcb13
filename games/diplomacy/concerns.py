"""What is lawful but odd about the orders of one seat taken together."""

from collections.abc import Iterator, Mapping, Sequence

from games.diplomacy.model import (
    AnyOrder,
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
}
"""Every code, what it means, and the keys of its detail."""


def concerns(state: State, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Concern, ...]:
    """What is odd about a seat's orders for a movement season, in the order of the orders.

    orders: lawful ones; of two for a unit the last stands.
    """
    if state.phase.kind != "M":
        return ()
    standing = {unit.at: unit for unit in state.units}
    latest = {order.unit.at: order for order in orders if isinstance(order, UnitOrder)}
    given = {at: order for at, order in latest.items() if isinstance(order, Move | SupportHold | SupportMove)}
    return tuple(
        concern
        for order in given.values()
        for concern in (
            _of_move(standing, seat, order, given)
            if isinstance(order, Move)
            else _of_support(standing, seat, order, given)
        )
    )


def _of_move(
    standing: Mapping[Province, Unit], seat: Seat, order: Move, given: Mapping[Province, AnyOrder]
) -> Iterator[Concern]:
    here = order.unit.at
    for other in given.values():
        if isinstance(other, Move) and other.to == order.to and other is not order:
            earlier = list(given).index(other.unit.at) < list(given).index(here)
            if earlier:
                detail: dict[str, str] = {"unit": here, "other": other.unit.at, "to": order.to}
                yield Concern(code="two-to-one", detail=detail)
    there = standing.get(order.to)
    if there is None or there.power != seat:
        return
    theirs = given.get(order.to)
    if not isinstance(theirs, Move):
        yield Concern(code="attacks-own", detail={"unit": here, "to": order.to})
    elif theirs.to == here and list(given).index(order.to) < list(given).index(here):
        yield Concern(code="swaps", detail={"unit": here, "other": order.to})


def _of_support(
    standing: Mapping[Province, Unit], seat: Seat, order: AnyOrder, given: Mapping[Province, AnyOrder]
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
    there = standing.get(order.to)
    if there is not None and there.power == seat and not isinstance(given.get(order.to), Move):
        yield Concern(code="helps-against-own", detail=detail)
