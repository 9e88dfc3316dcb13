"""What another program's record says of a position."""

from dataclasses import dataclass

from games.diplomacy.boards import Variant
from games.diplomacy.model import Province, Unit
from games.protocol import Seat
from games.protocol.exchange import Told


@dataclass(frozen=True)
class Seen:
    """A position as far as a record tells it.

    units: who stands where, dislodged units apart; complete: whether those are all; centres: who owns which
    supply centre, None where nothing is said of them.
    """

    units: frozenset[Unit] = frozenset()
    complete: bool = False
    centres: dict[Province, Seat] | None = None


def begins(variant: Variant, told: Told) -> bool:
    """Whether a turn is the first of a game on this board: its phase, and who stands where."""
    board = variant.board
    units = {
        Unit(power=power, kind=piece.kind, at=piece.at, coast=piece.coast)
        for power, pieces in board.starts.items()
        for piece in pieces
    }
    first = variant.rulebook.beginning(board.chart.first_year).short
    return told.turn == first and (not told.position.complete or told.position.units == units)
