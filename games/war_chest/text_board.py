"""The board in letters, for readers without pictures: hexes by name, as they lie."""

from games.protocol import ReportTable
from games.war_chest.board import AXIAL, RADIUS, Hex
from games.war_chest.map import UNIT_LETTERS
from games.war_chest.model import View

_FREE_LOCATION_MARK = "*"
_BOARD_COLUMNS = range(-RADIUS, RADIUS + 1)


def text_board(view: View) -> ReportTable:
    """A column for each of the board's, hexes of neighbouring columns half a hex higher or lower.

    A hex is followed by ``*`` or by the first letter of a side where a location is free or its own, and by
    the letters of the unit on it, with the number of its coins above one.
    """
    heights = {(q, 2 * r + q): hex_name for hex_name, (q, r) in AXIAL.items()}
    owners = ", ".join(
        [f"{_FREE_LOCATION_MARK} free location", *(f"{_initial(seat)} {seat}'s" for seat in view.seats)]
    )
    return ReportTable(
        title=f"The board: {owners}",
        columns=tuple("abcdefg"),
        rows=tuple(
            tuple(_cell(view, heights[q, height]) if (q, height) in heights else "" for q in _BOARD_COLUMNS)
            for height in range(-2 * RADIUS, 2 * RADIUS + 1)
        ),
        later=True,
    )


def _cell(view: View, at: Hex) -> str:
    owner = view.control.get(at)
    mark = _FREE_LOCATION_MARK if owner is None and at in view.box.locations else _initial(owner or "")
    stack = view.stack_at(at)
    unit = "" if stack is None else f" {UNIT_LETTERS[stack.card]}{stack.height if stack.height > 1 else ''}"
    return f"{at}{mark}{unit}"


def _initial(seat: str) -> str:
    return seat[:1].upper()
