"""Canoe-fleets: which units sit in one, and which moves are made in one."""

from games.diplomacy.boards.board import Board
from games.diplomacy.model import Move, Piece, Unit


def is_by_canoe(board: Board, move: Move) -> bool:
    """Return whether a move is made in a canoe-fleet: by its word, or because the War Party is afloat.

    Source: Indianomacy §6, ruling C5.
    """
    return move.canoe or is_afloat(board, move.unit)


def is_afloat(board: Board, unit: Unit | Piece) -> bool:
    """Return whether a War Party is on the water; it sits in a canoe-fleet then."""
    return unit.kind == "W" and not board.is_land(unit.at)
