"""The retreats: where a dislodged unit may go, and what becomes of those that go."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from games.diplomacy.boards.board import Board
from games.diplomacy.events import Reason, Resolved
from games.diplomacy.model import AnyOrder, Beaten, Move, Province, Unit, split_spot


def refuges(
    board: Board,
    unit: Unit,
    by_from: Province | None,
    occupied: Collection[Province],
    contested: Collection[Province],
) -> tuple[Province, ...]:
    """The spots that a dislodged unit may retreat to, in board order.

    by_from: whence it was attacked, None: from overseas; occupied: where units stand after the moves;
    contested: provinces left empty by a stand-off.

    Source: Diplomacy: an adjacent empty province, not the attacker's, not one stood off in; DATC 4.A.5.
    """
    near = board.sailing[unit.spot] if unit.kind == "F" else board.army[unit.at]
    return tuple(there for there in near if _is_free(split_spot(there)[0], by_from, occupied, contested))


def _is_free(
    there: Province, by_from: Province | None, occupied: Collection[Province], contested: Collection[Province]
) -> bool:
    return there != by_from and there not in occupied and there not in contested


@dataclass(frozen=True)
class RetreatOutcome:
    """The outcome of the retreats.

    standing: units that found a place; resolved: what became of each beaten one; trespasser: who fled into
    the taboo province, as it stood before.
    """

    standing: tuple[Unit, ...]
    resolved: tuple[Resolved, ...]
    trespasser: Unit | None = None


def play_retreats(
    beaten: tuple[Beaten, ...], orders: Mapping[Province, AnyOrder], taboo: Province | None = None
) -> RetreatOutcome:
    """Play the retreats.

    orders: by the province of the beaten unit, lawful ones; taboo: the province that is still taboo. Two or
    more that go to one province disband each other, and set no foot there; a unit without an order disbands.

    Source: Diplomacy; Indianomacy, rulings V5, T5.
    """
    going: dict[Province, list[Unit]] = {}
    for beaten_unit in beaten:
        order = orders.get(beaten_unit.unit.at)
        if isinstance(order, Move):
            going.setdefault(order.to, []).append(beaten_unit.unit)
    standing, resolved, trespasser = [], [], None
    for beaten_unit in beaten:
        unit, order = beaten_unit.unit, orders.get(beaten_unit.unit.at)
        to = order.to if isinstance(order, Move) and len(going[order.to]) == 1 else None
        if to is not None and isinstance(order, Move):
            standing.append(unit.moved_to(order.goal))
        if to is not None and to == taboo:
            trespasser = unit
        resolved.append(
            Resolved(
                power=unit.power,
                unit=unit.piece,
                order=order,
                outcome="disbanded" if to is None else "retreated",
                reason=_reason(unit, order, going, taboo),
            )
        )
    return RetreatOutcome(tuple(standing), tuple(resolved), trespasser)


def _reason(
    unit: Unit, order: AnyOrder | None, going: Mapping[Province, list[Unit]], taboo: Province | None
) -> Reason | None:
    if order is None:
        return Reason(code="no-order")
    if not isinstance(order, Move):
        return None
    others = tuple(other for other in going[order.to] if other != unit)
    if others:
        return Reason(code="collided", by=others, at=order.to)
    return Reason(code="taboo", at=order.to) if order.to == taboo else None
