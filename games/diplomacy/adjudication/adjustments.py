"""Builds and disbands: how many are due, where builds are possible, and which units disband by default."""

from collections.abc import Sequence
from typing import assert_never

from games.diplomacy.adjudication.canoes import is_banned
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook
from games.diplomacy.events import Reason, Resolved, Result
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    Disband,
    Piece,
    Province,
    SeasonOrder,
    State,
    Unit,
    UnitOrder,
    Waive,
)
from games.protocol import Seat
from games.record import Value, replace_fields


class AdjustmentsDue(Value, frozen=True):
    """The adjustments of a power: the builds that it may make, or the units that it must disband."""

    builds: int = 0
    removals: int = 0


def adjustments_due(board: Board, rulebook: Rulebook, state: State, power: Seat) -> AdjustmentsDue:
    """Return the adjustments that are due from a power. Builds are limited to its free centres.

    A power under a ban builds nothing. It still has to disband.

    Source: Diplomacy; Indianomacy §5 (1.9), rulings N5, T9, V3.
    """
    missing = _missing(state, power)
    if missing <= 0:
        return AdjustmentsDue(removals=-missing)
    if is_banned(state, power):
        return AdjustmentsDue()
    return AdjustmentsDue(builds=min(missing, len(free_homes(board, rulebook, state, power))))


def is_spent(board: Board, rulebook: Rulebook, state: State, power: Seat) -> bool:
    """Return whether a power has no unit on the board and can never build one. Bans on builds don't count."""
    if any(unit.power == power for unit in state.units):
        return False
    return _missing(state, power) <= 0 or not free_homes(board, rulebook, state, power)


def _missing(state: State, power: Seat) -> int:
    """Return a power's number of centres minus its number of units."""
    centres = sum(owner == power for owner in state.centres.values())
    return centres - sum(unit.power == power for unit in state.units)


def homes(board: Board, rulebook: Rulebook, state: State, power: Seat) -> tuple[Province, ...]:
    """Return the centres where a power can build if it owns them and they are empty, in board order."""
    if rulebook.builds_in == "owned":
        return board.in_board_order(state.centres)
    if rulebook.builds_in == "homes":
        return board.in_board_order(home for other in board.chart.powers for home in other.centres)
    return board.in_board_order(board.powers[power].centres)


def free_homes(board: Board, rulebook: Rulebook, state: State, power: Seat) -> tuple[Province, ...]:
    """Return the provinces where a power can build now, in board order."""
    occupied = {unit.at for unit in state.units}
    return tuple(
        home
        for home in homes(board, rulebook, state, power)
        if state.centres.get(home) == power and home not in occupied
    )


def farthest(board: Board, rulebook: Rulebook, state: State, power: Seat, count: int) -> tuple[Unit, ...]:
    """Return the units that disband when a power doesn't say which, in the order of disbanding.

    The farthest units from home disband first. The distance is counted in steps over land and water, to the
    nearest home centre or to the nearest owned centre. A War Party afloat counts one step more. At equal
    distances, fleets disband before other units, and then board order decides.

    Source: Indianomacy, ruling V6; DATC 4.D.8 (Rulebook.removal_near).
    """
    owned = [centre for centre, owner in state.centres.items() if owner == power]
    steps = board.steps(board.powers[power].centres if rulebook.removal_near == "starting" else owned)

    def rank(unit: Unit) -> tuple[int, bool, int]:
        distance = steps.get(unit.at, len(board.places)) + is_afloat(board, unit.piece)
        return -distance, unit.kind != "F", board.index[unit.at]

    return tuple(sorted((unit for unit in state.units if unit.power == power), key=rank)[:count])


def garrisons(board: Board) -> tuple[Unit, ...]:
    """Return the neutral units of the start."""
    return tuple(_unit(NEUTRAL, piece) for piece in board.neutral)


def returning_garrisons(board: Board, state: State) -> tuple[Unit, ...]:
    """Return the neutral units that return to their centres at the end of Winter.

    A garrison returns to a centre that nobody owns and where no unit is (Rulebook.garrisons).
    """
    occupied = {unit.at for unit in state.units}
    return tuple(
        unit
        for unit in garrisons(board)
        if unit.at in board.centres and unit.at not in state.centres and unit.at not in occupied
    )


class Adjusted(Value, frozen=True):
    """The result of a power's adjustments.

    built: the new units; removed: the disbanded units; resolved: an event for each order and for each
    adjustment that was not ordered.
    """

    built: tuple[Unit, ...]
    removed: tuple[Unit, ...]
    resolved: tuple[Resolved, ...]


def adjust(
    board: Board,
    rulebook: Rulebook,
    state: State,
    power: Seat,
    due: AdjustmentsDue,
    orders: Sequence[AnyOrder],
) -> Adjusted:
    """Make a power's adjustments from its legal orders, in the order given.

    Orders count until all due adjustments are made. Builds that were not ordered are waived. If too few
    disbands were ordered, the farthest units disband.

    Source: Indianomacy, rulings V5 and V6.
    """
    built: list[Unit] = []
    gone: list[Unit] = []
    resolved: list[Resolved] = []
    remaining = due.builds + due.removals
    for order in orders:
        if remaining == 0:
            resolved.append(_resolve_order(power, order, "void", Reason(code="more-than-due")))
            continue
        remaining -= 1
        if isinstance(order, Build):
            built.append(_unit(power, order.unit))
            resolved.append(_resolve_order(power, order, "built"))
        elif isinstance(order, Disband):
            gone.append(next(unit for unit in state.units if unit.at == order.unit.at))
            resolved.append(_resolve_order(power, order, "removed"))
        elif isinstance(order, Waive):
            resolved.append(_resolve_order(power, order, "waived"))
        elif isinstance(order, SeasonOrder):
            raise AssertionError("the checker rejects these orders")
        else:
            assert_never(order)
    if due.removals:
        staying = replace_fields(state, units=tuple(unit for unit in state.units if unit not in gone))
        for unit in farthest(board, rulebook, staying, power, remaining):
            gone.append(unit)
            resolved.append(_silent(power, unit))
    else:
        resolved += [_silent(power, None)] * remaining
    return Adjusted(tuple(built), tuple(gone), tuple(resolved))


def _unit(power: Seat, piece: Piece) -> Unit:
    return Unit(power=power, kind=piece.kind, at=piece.at, coast=piece.coast)


def _resolve_order(power: Seat, order: AnyOrder, outcome: Result, reason: Reason | None = None) -> Resolved:
    piece = order.unit if isinstance(order, UnitOrder) else None
    return Resolved(power=power, unit=piece, order=order, outcome=outcome, reason=reason)


def _silent(power: Seat, unit: Unit | None) -> Resolved:
    return Resolved(
        power=power,
        unit=unit.piece if unit else None,
        order=None,
        outcome="removed" if unit else "waived",
        reason=Reason(code="no-order"),
    )
