"""The sizes of things on a map: to be read in mail, and up close on a phone."""

from dataclasses import dataclass

from games.diplomacy.boards.board import Board

MAIL_PX, PHONE_PX = 600, 347
"""How wide pictures are shown in a letter: in a mail program, and on a phone of 375 pixels."""
IN_MAIL_PX, ON_PHONE_PX = 9.0, 11.0
"""How large at least is there what matters; on a phone that holds for parts of a board drawn larger."""
COUNTER_TYPE, CENTRE_TYPE, CENTRE_DISC_SIZE = 16.2, 12.0, 17.2
"""The smallest type on counters and on marks of centres, and how wide these are, as kit.svg draws them."""
_USUAL_PROVINCE_SIDE = 118.0
"""Where a province has on the average the area of a square of that side, pieces are of the usual size."""
_SMALLEST, _LARGEST = 1.0, 1.5
_NUMBER_SCALE = 0.66
"""The size of a province's number, beside that of its name."""


@dataclass(frozen=True)
class MapSizes:
    """Sizes on one board. unit, centre: of pieces and of marks of centres, beside the usual ones.

    type: the smallest of names, in board units; close: whether a part of the board is drawn larger.
    """

    unit: float
    centre: float
    type: float
    close: bool

    @property
    def mark_distance(self) -> float:
        """The distance from the middle of a centre's mark to that of the unit beside it."""
        return round(12.9 * self.unit + self.centre * CENTRE_DISC_SIZE / 2, 2)

    @property
    def mark_width(self) -> float:
        """The width that a centre's mark adds to a unit's place."""
        return round(0.8 * self.unit + self.centre * CENTRE_DISC_SIZE, 2)

    def number(self, size: float) -> float:
        """The size of a province's number before a name of some size: fine print on the whole board."""
        return round(max(_NUMBER_SCALE * size, self.type if self.close else 0.0), 1)


def sizes(board: Board) -> MapSizes:
    """The sizes of a board, of which its `zoom` is drawn."""
    (width, height), zoom = board.chart.size, board.chart.zoom
    fair = (width * height / len(board.places)) ** 0.5 / _USUAL_PROVINCE_SIDE
    unit = min(max(fair, _SMALLEST), _LARGEST)
    if zoom == 1.0:
        least = round(IN_MAIL_PX * width / MAIL_PX, 1)
        return MapSizes(round(unit, 2), round(max(unit, least / CENTRE_DISC_SIZE), 2), least, close=False)
    least = round(ON_PHONE_PX * width / zoom / PHONE_PX + 0.05, 1)
    unit = max(unit, least / COUNTER_TYPE + 0.005)
    return MapSizes(round(unit, 2), round(max(unit, least / CENTRE_TYPE + 0.005), 2), least, close=True)


def unit_scale(board: Board) -> float:
    """Return the size of pieces and signs on a board, relative to the usual: the more room, the larger."""
    return sizes(board).unit
