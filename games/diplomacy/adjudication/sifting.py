"""Which of the orders given for a phase stand, and what is told of those that do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.diplomacy.adjudication.canoes import contradictions
from games.diplomacy.adjudication.legality import OrderChecker
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.events import Reason, Resolved
from games.diplomacy.model import AnyOrder, Destroy, Province, State, Unit, UnitOrder, Waive
from games.protocol import Seat

Given = Mapping[Seat, Sequence[AnyOrder]]
"""Orders as they came, by seat, in the order given."""


@dataclass
class ValidatedOrders:
    """The orders that stand, by province: at most one for each unit, one destruction; and those refused."""

    orders: dict[Province, UnitOrder] = field(default_factory=dict)
    destructions: dict[Province, Destroy] = field(default_factory=dict)
    refused: list[Resolved] = field(default_factory=list)


def sift(board: Board, rulebook: Rulebook, state: State, given: Given) -> ValidatedOrders:
    """The orders of a movement or a retreat phase that stand.

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
                _destroy(standing, power, order, law)
            elif type(order) is Waive:
                raise AssertionError("the law lets none through")
            elif order.unit.at in orders:
                standing.refused.append(_replace_order(orders, power, order, rulebook))
            else:
                orders[order.unit.at] = order
    if standing.destructions:
        _part(standing, rulebook, state, law)
    return standing


def refuse(power: Seat, order: AnyOrder, code: str, unit: Unit | None = None) -> Resolved:
    """Return the event of an order that does not count. unit: the occupant, if an order names no unit."""
    piece = order.unit if isinstance(order, UnitOrder) else unit.piece if unit else None
    return Resolved(power=power, unit=piece, order=order, outcome="void", reason=Reason(code=code))


def strangers(board: Board, given: Given) -> list[Resolved]:
    """The orders of seats that are no power of this board: none is lawful."""
    seats = sorted(seat for seat in given if seat not in board.powers)
    return [refuse(seat, order, "not-due") for seat in seats for order in given[seat]]


def _replace_order(
    orders: dict[Province, UnitOrder], power: Seat, order: UnitOrder, rulebook: Rulebook
) -> Resolved:
    """Let one of two orders for a unit stand, and return the event of the other."""
    if rulebook.twice == "first":
        return refuse(power, order, "replaced")
    earlier, orders[order.unit.at] = orders[order.unit.at], order
    return refuse(power, earlier, "replaced")


def _destroy(standing: ValidatedOrders, power: Seat, order: Destroy, law: OrderChecker) -> None:
    if order.at in standing.destructions:
        standing.refused.append(refuse(power, order, "one-a-season", law.unit_to_destroy_at(order)))
    else:
        standing.destructions[order.at] = order


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
