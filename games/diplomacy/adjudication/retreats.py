"""Retreats: where a dislodged unit can go, and the outcome of the retreats."""

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
    """Return the spots where a dislodged unit can retreat to, in board order.

    by_from: the origin of the attack, None if it came by convoy; occupied: the provinces with units after the
    moves; contested: the provinces left empty by a stand-off.

    Source: Diplomacy: an adjacent empty province, but not the attacker's and not one with a stand-off; DATC
    4.A.5.
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

    standing: the units that retreated; resolved: an event for each dislodged unit; trespasser: the unit that
    retreated into the taboo province, at its former place.
    """

    standing: tuple[Unit, ...]
    resolved: tuple[Resolved, ...]
    trespasser: Unit | None = None


def play_retreats(
    beaten: tuple[Beaten, ...], orders: Mapping[Province, AnyOrder], taboo: Province | None = None
) -> RetreatOutcome:
    """Process the retreats.

    orders: legal orders by the province of the dislodged unit; taboo: the province that is still taboo. Units
    that retreat to the same province disband and don't enter it. A unit without an order disbands.

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


# Surviving powers and their neighbours.


NEIGHBOUR_STEPS = 2
"""Powers are neighbours if their units or centres are at most so many steps apart."""


def survivors(board: Board, state: State) -> tuple[Seat, ...]:
    """Return the powers with a unit, a dislodged unit or a centre, in the order of the board."""
    present = {unit.power for unit in state.units} | {beaten.unit.power for beaten in state.beaten}
    present |= set(state.centres.values())
    return tuple(power for power in board.powers if power in present)


def neighbours(board: Board, state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return the powers with a unit or a centre within two steps of the seat's, over land or water."""
    near = {place for place, steps in board.steps(_holdings(state, seat)).items() if steps <= NEIGHBOUR_STEPS}
    return tuple(
        power for power in survivors(board, state) if power != seat and near & _holdings(state, power)
    )


def _holdings(state: State, power: Seat) -> set[Province]:
    """Return the provinces with a power's units or centres."""
    units = [*state.units, *(beaten.unit for beaten in state.beaten)]
    owned = {centre for centre, owner in state.centres.items() if owner == power}
    return {unit.at for unit in units if unit.power == power} | owned
