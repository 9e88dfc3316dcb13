"""Slips of paper on the map with the dice of each fight, the losses and the winner."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from math import ceil, hypot
from typing import Literal

from games.plains_indian_wars.events import AnyEvent, EngagementRound, Fought, NightRaid, Struck, WagonsFought
from games.plains_indian_wars.map_layout import Atlas, PictureBox, Point, crossings, is_between, overlap
from games.plains_indian_wars.model import TRIBES, Colour, Face, Region
from games.record import Value

DIE_SIZE = 20.0
"""The side of a die: 10 pixels where the picture is 600 wide."""
_DICE_PITCH, _ROW_HEIGHT, _SLIP_PADDING = 22.0, 23.0, 5.0
_FIGURE_WIDTH, _FLAG_WIDTH, _LOSSES_WIDTH = 13.4, 20.0, 32.0
"""The widths of a letter in the tab with the region's number, of the winner's flag, and of the losses."""
_MAX_DICE_IN_ROW = 8
"""The number of dice in a row of a slip. More dice are in rows of equal length."""
_SPOT_STEP, _MAP_MARGIN = 8, 4
_PREFERRED_DISTANCE, _MAX_DETOUR = 150, 100
"""Up to this distance from a region's cubes, a slip inside the region is preferred. A slip with a clear
leader may be this much farther away than the nearest slip."""

Side = Literal["tribes", "us"]
RAIDER_BY_TRAIL: Mapping[str, Colour] = {"north": "Green", "south": "Orange"}
"""The tribe that raids wagons by night, by trail."""


class SlipRow(Value, frozen=True):
    """The dice that a side rolled, by colour and face.

    fell: how many cubes the side lost; won: whether only this side is left in the region.
    """

    side: Side
    dice: tuple[tuple[Colour, Face], ...]
    fell: int
    won: bool

    @property
    def lines(self) -> int:
        """Return the number of rows that the dice need."""
        return max(1, -(-len(self.dice) // _MAX_DICE_IN_ROW))

    @property
    def dice_in_row(self) -> int:
        """Return the number of dice in each row but the last, which may have fewer."""
        return max(1, -(-len(self.dice) // self.lines))


class Slip(Value, frozen=True):
    """A fight with the dice of each side."""

    at: Region
    rows: tuple[SlipRow, ...]

    @property
    def tab(self) -> float:
        """Return the width of the tab with the number of the region."""
        return _FIGURE_WIDTH * len(self.at) + 4

    @property
    def size(self) -> Point:
        """Return the width and height of the slip."""
        widest = max(row.dice_in_row for row in self.rows)
        wide = self.tab + 2 * _SLIP_PADDING + _FLAG_WIDTH + max(widest, 2) * _DICE_PITCH + _LOSSES_WIDTH
        return wide, 2 * _SLIP_PADDING + _ROW_HEIGHT * sum(row.lines for row in self.rows)

    def dice(
        self, left_edge: float, top: float
    ) -> Iterator[tuple[SlipRow, float, list[tuple[Colour, Face, float, float]]]]:
        """Yield each row with the height of its first line, and the places of its dice."""
        down, first = (
            top + _SLIP_PADDING + _ROW_HEIGHT / 2,
            left_edge + self.tab + _SLIP_PADDING + _FLAG_WIDTH,
        )
        for row in self.rows:
            shown = [
                (
                    colour,
                    face,
                    first + (place % row.dice_in_row + 0.5) * _DICE_PITCH,
                    down + place // row.dice_in_row * _ROW_HEIGHT,
                )
                for place, (colour, face) in enumerate(row.dice)
            ]
            yield row, down, shown
            down += row.lines * _ROW_HEIGHT


class PlacedSlip(Value, frozen=True):
    """A slip and its box on the map."""

    slip: Slip
    box: PictureBox


def fight_slips(events: Sequence[AnyEvent]) -> Iterator[Slip]:
    """Yield a slip for each fight with dice, in the order of the events."""
    for event in events:
        if isinstance(event, Fought | WagonsFought):
            yield Slip(event.at, (_roll_row(event, "tribes"), _roll_row(event, "us")))
        elif isinstance(event, Struck):
            fell = sum(event.fell.values())
            yield Slip(event.to, _one_sided_rows(event.colour, event.faces, fell))
        elif isinstance(event, NightRaid):
            for region, faces in event.thrown.items():
                yield Slip(region, _one_sided_rows(RAIDER_BY_TRAIL[event.trail], faces, faces.count("hit")))


def place_slips(
    some: Sequence[Slip], sheet: Atlas, read: Sequence[PictureBox], seen: Sequence[PictureBox], low: float
) -> list[PlacedSlip]:
    """Return each slip with the nearest free place beside its region.

    read: boxes of names and cubes, which slips and leaders must not cover; seen: other boxes that slips must
    not cover; low: the lower edge of the map.
    """
    placed_slips: list[PlacedSlip] = []
    for slip in some:
        papers = [placed_slip.box for placed_slip in placed_slips]
        lines = [(sheet.at[placed_slip.slip.at], _centre(placed_slip.box)) for placed_slip in placed_slips]
        kept = [*read, *seen, *papers]
        free = (
            box
            for box in _spots(slip, sheet, low)
            if _is_clear(box, kept) and not any(crosses(*line, box) for line in lines)
        )
        placed_slips.append(PlacedSlip(slip, _best_spot(free, slip, sheet.at[slip.at], [*read, *papers])))
    return placed_slips


def _is_clear(box: PictureBox, others: list[PictureBox]) -> bool:
    """Return whether a box overlaps none of the others. A box in the way moves to the front of the list."""
    for place, other in enumerate(others):
        if overlap(box, other):
            others.insert(0, others.pop(place))
            return False
    return True


def crosses(start: Point, end: Point, box: PictureBox) -> bool:
    """Return whether a straight line passes through a box."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        way = end[axis] - start[axis]
        if not way:
            if not box[axis] < start[axis] < box[axis + 2]:
                return False
            continue
        first, second = sorted(((box[axis] - start[axis]) / way, (box[axis + 2] - start[axis]) / way))
        low, high = max(low, first), min(high, second)
    return low < high


def _roll_row(event: Fought | WagonsFought, side: Side) -> SlipRow:
    """Return the dice of a side in an engagement: the ambush first, then round by round."""
    mine = [colour for colour in event.cubes if _side(colour) == side]
    dice = [
        (colour, face)
        for fight_round in event.rounds
        for colour, faces in fight_round.faces.items()
        if _side(colour) == side
        for face in faces
    ]
    if isinstance(event, Fought) and event.ambush and side == "tribes":
        dice.insert(0, (mine[0], event.ambush))
    sides_left = {_side(colour) for colour in event.left}
    return SlipRow(
        side,
        tuple(dice),
        sum(_cubes_lost(fight_round, mine) for fight_round in event.rounds),
        won=sides_left == {side},
    )


def _one_sided_rows(colour: Colour, faces: Sequence[Face], fell: int) -> tuple[SlipRow, SlipRow]:
    """Return the rows of an attack with dice of only one side. No side wins the region by such an attack."""
    thrower = _side(colour)
    other: Side = "us" if thrower == "tribes" else "tribes"
    return (
        SlipRow(thrower, tuple((colour, face) for face in faces), 0, won=False),
        SlipRow(other, (), fell, won=False),
    )


def _side(colour: Colour) -> Side:
    return "tribes" if colour in TRIBES else "us"


def _cubes_lost(fight_round: EngagementRound, mine: Sequence[Colour]) -> int:
    """Return how many cubes of some colours fell in a round, including cubes that couldn't withdraw."""
    return sum(fight_round.fell.get(colour, 0) for colour in mine) + sum(
        away.count for away in fight_round.withdrew if away.to is None and away.colour in mine
    )


def _best_spot(free: Iterator[PictureBox], slip: Slip, at: Point, read: Sequence[PictureBox]) -> PictureBox:
    """Return the nearest free place with a clear leader, or the nearest free place if that is much nearer."""
    nearest: PictureBox | None = None
    for box in free:
        nearest = nearest or box
        if _distance(box, at) > _distance(nearest, at) + _MAX_DETOUR:
            return nearest
        if not any(crosses(at, _centre(box), other) for other in read if not _covers_start(at, other)):
            return box
    wide, high = slip.size
    return nearest or (_MAP_MARGIN, _MAP_MARGIN, _MAP_MARGIN + wide, _MAP_MARGIN + high)


def _spots(slip: Slip, sheet: Atlas, low: float) -> Iterator[PictureBox]:
    """Yield places for a slip, the nearest first: first places inside the region, then all others."""
    (x, y), ring, (wide, high) = sheet.at[slip.at], sheet.rings[slip.at], slip.size
    west, north, east, south = (
        _MAP_MARGIN,
        _MAP_MARGIN,
        sheet.size[0] - _MAP_MARGIN - wide,
        low - _MAP_MARGIN - high,
    )
    for _, across, down in chain(_spots_inside(ring, (x, y)), _offsets(sheet.size)):
        left_edge, top = x + across - wide / 2, y + down - high / 2
        if west <= left_edge <= east and north <= top <= south:
            yield left_edge, top, left_edge + wide, top + high


@cache
def _spots_inside(ring: tuple[Point, ...], at: Point) -> tuple[tuple[float, int, int], ...]:
    """Return the places around a point that are inside its region."""
    near = _offset_ring(0)
    rows = {down: crossings(ring, at[1] + down) for down in {down for _, _, down in near}}
    return tuple(spot for spot in near if is_between(at[0] + spot[1], rows[spot[2]]))


def _offsets(size: tuple[float, float]) -> Iterator[tuple[float, int, int]]:
    """Yield the places of a grid around a point, the nearest first: the distance, then across and down."""
    for number in range(ceil(hypot(*size) / _PREFERRED_DISTANCE)):
        yield from _offset_ring(number)


@cache
def _offset_ring(number: int) -> tuple[tuple[float, int, int], ...]:
    """Return the places of `_offsets` in one ring. The first ring is a disc, and enough for most slips."""
    most = ceil(_PREFERRED_DISTANCE * (number + 1) / _SPOT_STEP)
    steps = range(-_SPOT_STEP * most, _SPOT_STEP * (most + 1), _SPOT_STEP)
    around = ((hypot(across, down), across, down) for across in steps for down in steps)
    return tuple(sorted(spot for spot in around if spot[0] // _PREFERRED_DISTANCE == number))


def _distance(box: PictureBox, at: Point) -> float:
    """Return the distance of a point from the middle of a box."""
    x, y = _centre(box)
    return hypot(x - at[0], y - at[1])


def _covers_start(at: Point, box: PictureBox) -> bool:
    """Return whether a box covers the start of a leader: it is the box of the region's own cubes."""
    return box[0] <= at[0] <= box[2] and box[1] <= at[1] <= box[3]


def _centre(box: PictureBox) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
