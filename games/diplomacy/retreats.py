"""The retreats: where a dislodged unit may go, and what becomes of those that go."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from games.diplomacy.board import Board
from games.diplomacy.model import AnyOrder, Beaten, Move, Province, Reason, Resolved, Unit


def refuges(
    board: Board,
    at: Province,
    by_from: Province,
    occupied: Collection[Province],
    contested: Collection[Province],
) -> tuple[Province, ...]:
    """Where a unit dislodged in a province may retreat to, in board order.

    by_from: whence it was attacked; occupied: where units stand after the moves; contested: provinces left
    empty by a stand-off.

    Source: Diplomacy: an adjacent empty province, not the attacker's, not one stood off in.
    """
    return tuple(
        there
        for there in board.army[at]
        if there != by_from and there not in occupied and there not in contested
    )


@dataclass(frozen=True)
class Scattered:
    """The retreats done. standing: units that found a place; resolved: what became of each beaten one."""

    standing: tuple[Unit, ...]
    resolved: tuple[Resolved, ...]


def scatter(beaten: tuple[Beaten, ...], orders: Mapping[Province, AnyOrder]) -> Scattered:
    """Play the retreats.

    orders: by the province of the beaten unit, lawful ones. Two or more that go to one province disband each
    other; a unit without an order disbands.

    Source: Diplomacy; Indianomacy, ruling V5.
    """
    going: dict[Province, list[Unit]] = {}
    for one in beaten:
        order = orders.get(one.unit.at)
        if isinstance(order, Move):
            going.setdefault(order.to, []).append(one.unit)
    standing, resolved = [], []
    for one in beaten:
        unit, order = one.unit, orders.get(one.unit.at)
        reason = None
        if isinstance(order, Move):
            others = tuple(other for other in going[order.to] if other != unit)
            if others:
                reason = Reason(code="collided", by=others, at=order.to)
            else:
                standing.append(Unit(power=unit.power, kind=unit.kind, at=order.to))
        elif order is None:
            reason = Reason(code="no-order")
        retreated = isinstance(order, Move) and reason is None
        resolved.append(
            Resolved(
                power=unit.power,
                unit=unit.piece,
                order=order,
                outcome="retreated" if retreated else "disbanded",
                reason=reason,
            )
        )
    return Scattered(tuple(standing), tuple(resolved))
