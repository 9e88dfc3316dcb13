"""The powers still in the game, and their neighbours."""

from games.diplomacy.boards.board import Board
from games.diplomacy.model import Province, State
from games.protocol import Seat

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
    """Where a power stands, and what it owns."""
    units = [*state.units, *(beaten.unit for beaten in state.beaten)]
    owned = {centre for centre, owner in state.centres.items() if owner == power}
    return {unit.at for unit in units if unit.power == power} | owned
