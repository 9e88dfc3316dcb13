"""Chairs as rows of the books, and as the values that the offices know."""

from typing import Any

from adjudicator.model.games import SeatAssignment
from games.protocol import Seat


def chair_of(row: Any) -> SeatAssignment:
    """A row of the chairs as the value that the offices know."""
    return SeatAssignment(
        seat=Seat(row.seat),
        address=row.address,
        bot=row.bot,
        temper=row.temper,
        generation=row.generation,
        password=row.password,
        wait=row.wait,
        ready=row.ready,
        missed=row.missed,
        trouble=row.trouble,
    )


def columns_of(chair: SeatAssignment) -> dict[str, Any]:
    """The columns of a chair, but for its game and its place."""
    return {name: getattr(chair, name) for name in chair.__struct_fields__}
