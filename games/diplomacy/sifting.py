"""Which of the orders given for a phase stand, and what is told of those that do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.diplomacy.board import Board
from games.diplomacy.canoes import contradictions
from games.diplomacy.events import Reason, Resolved
from games.diplomacy.lawful import Law
from games.diplomacy.model import AnyOrder, Destroy, Province, State, Unit, UnitOrder, Waive
from games.diplomacy.rulebook import Rulebook
from games.protocol import Seat

Given = Mapping[Seat, Sequence[AnyOrder]]
"""Orders as they came, by seat, in the order given."""


@dataclass
class Standing:
    """The orders that stand, by province: one at most for each unit, one destruction; and those refused."""

    orders: dict[Province, UnitOrder] = field(default_factory=dict)
    destructions: dict[Province, Destroy] = field(default_factory=dict)
    refused: list[Resolved] = field(default_factory=list)


def sift(board: Board, rulebook: Rulebook, state: State, given: Given) -> Standing:
    """The orders of a movement or a retreat phase that stand.

    Source: Indianomacy, rulings V7 (Rulebook.twice) and D2 (Rulebook.destruction).
    """
    law = Law(board, rulebook, state)
    standing = Standing(refused=strangers(board, given))
    orders = standing.orders
    for power in board.powers:
        for order in given.get(power, ()):
            objection = law.objection(power, order)
            if objection is not None:
                standing.refused.append(refused(power, order, objection.code, law.unit(order)))
            elif type(order) is Destroy:
                _destroy(standing, power, order, law)
            elif type(order) is Waive:
                raise AssertionError("the law lets none through")
            elif order.unit.at in orders:
                standing.refused.append(_replaced(orders, power, order, rulebook))
            else:
                orders[order.unit.at] = order
    if standing.destructions:
        _part(standing, rulebook, state, law)
    return standing


def refused(power: Seat, order: AnyOrder, code: str, unit: Unit | None = None) -> Resolved:
    """What is told of an order that does not count. unit: who stands where an order names no unit."""
    piece = order.unit if isinstance(order, UnitOrder) else unit.piece if unit else None
    return Resolved(power=power, unit=piece, order=order, outcome="void", reason=Reason(code=code))


def strangers(board: Board, given: Given) -> list[Resolved]:
    """The orders of seats that are no power of this board: none is lawful."""
    seats = sorted(seat for seat in given if seat not in board.powers)
    return [refused(seat, order, "not-due") for seat in seats for order in given[seat]]


def _replaced(
    orders: dict[Province, UnitOrder], power: Seat, order: UnitOrder, rulebook: Rulebook
) -> Resolved:
    """Let one of two orders for a unit stand, and tell of the other."""
    if rulebook.twice == "first":
        return refused(power, order, "replaced")
    earlier, orders[order.unit.at] = orders[order.unit.at], order
    return refused(power, earlier, "replaced")


def _destroy(standing: Standing, power: Seat, order: Destroy, law: Law) -> None:
    if order.at in standing.destructions:
        standing.refused.append(refused(power, order, "one-a-season", law.unit(order)))
    else:
        standing.destructions[order.at] = order


def _part(standing: Standing, rulebook: Rulebook, state: State, law: Law) -> None:
    """Drop one of each pair of orders that contradict each other."""
    for pair in contradictions(state.canoes, standing.orders, standing.destructions):
        unit = law.unit(pair.destroy)
        assert unit is not None, "a lawful destruction has somebody to do it"
        if rulebook.destruction == "carried":
            del standing.destructions[pair.destroy.at]
            standing.refused.append(refused(unit.power, pair.destroy, "carried-off", unit))
        else:
            del standing.orders[pair.destroy.at]
            standing.refused.append(refused(unit.power, pair.carry, "canoe-destroyed"))
