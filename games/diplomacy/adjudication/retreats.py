"""The retreats: where a dislodged unit may go, and what becomes of those that go."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from games.diplomacy.boards.board import Board
from games.diplomacy.events import Reason, Resolved
from games.diplomacy.model import AnyOrder, Beaten, Move, Province, State, Unit, split_spot
from games.protocol import Seat


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


# The powers still in the game, and their neighbours.


NEIGHBOUR_STEPS = 2
"""Powers whose holdings are that few steps apart are neighbours: they can meet within a season."""


def survivors(board: Board, state: State) -> tuple[Seat, ...]:
    """The powers that have a unit, a unit that has to retreat, or a centre, in the order of the board."""
    present = {unit.power for unit in state.units} | {beaten.unit.power for beaten in state.beaten}
    present |= set(state.centres.values())
    return tuple(power for power in board.powers if power in present)


def neighbours(board: Board, state: State, seat: Seat) -> tuple[Seat, ...]:
    """The powers that have a unit or a centre within two steps of one of the seat's, over land or water."""
    near = {place for place, steps in board.steps(_holdings(state, seat)).items() if steps <= NEIGHBOUR_STEPS}
    return tuple(
        power for power in survivors(board, state) if power != seat and near & _holdings(state, power)
    )


def _holdings(state: State, power: Seat) -> set[Province]:
    """Return where a power stands, and what it owns."""
    units = [*state.units, *(beaten.unit for beaten in state.beaten)]
    owned = {centre for centre, owner in state.centres.items() if owner == power}
    return {unit.at for unit in units if unit.power == power} | owned
