"""A position as another program's record has it."""

from dataclasses import dataclass

from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import Province, Unit
from games.protocol import Seat
from games.protocol.exchange import RecordedTurn


@dataclass(frozen=True)
class RecordedPosition:
    """A position as far as a record tells it.

    units: who stands where, dislodged units apart; complete: whether those are all; centres: who owns which
    supply centre, None where nothing is said of them.
    """

    units: frozenset[Unit] = frozenset()
    complete: bool = False
    centres: dict[Province, Seat] | None = None


def is_opening_turn(variant: Variant, turn: RecordedTurn) -> bool:
    """Return whether a turn is the first of a game on this board, by its phase and its units."""
    board = variant.board
    units = {
        Unit(power=power, kind=piece.kind, at=piece.at, coast=piece.coast)
        for power, pieces in board.starts.items()
        for piece in pieces
    }
    first = variant.rulebook.beginning(board.chart.first_year).short
    return turn.turn == first and (not turn.position.complete or turn.position.units == units)
