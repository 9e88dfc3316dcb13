"""The dice of each fight on a slip of paper beside its region: what was thrown, who fell, who won."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from math import ceil, hypot
from typing import Literal

from games.plains_indian_wars.atlas import Atlas, Box, crossings, is_between, overlap
from games.plains_indian_wars.events import AnyEvent, Fought, NightRaid, Round, Struck, WagonsFought
from games.plains_indian_wars.geography import Point
from games.plains_indian_wars.model import TRIBES, Colour, Face, Region
from games.record import Value

DIE = 20.0
"""The side of a die: 10 pixels where the picture is 600 wide."""
_PITCH, _ROW, _EDGE = 22.0, 23.0, 5.0
_FLAG, _LOST = 22.0, 36.0
_MOST = 7
"""Dice in a row of a slip; more go on below."""
_STEP, _RIM = 8, 4
_REACH, _FARTHER = 150, 100
"""So far from a region's cubes places within it are preferred; so much longer a leader may be to be clear."""

Side = Literal["tribes", "us"]
RAIDERS: Mapping[str, Colour] = {"north": "Green", "south": "Orange"}
"""Whose dice strike wagons by night, by trail."""


class Row(Value, frozen=True):
    """What a side threw: dice by colour and face, in order.

    fell: how many of its cubes are gone; won: whether it stands there alone.
    """

    side: Side
    dice: tuple[tuple[Colour, Face], ...]
    fell: int
    won: bool

    @property
    def lines(self) -> int:
        """How many rows of dice it takes."""
        return max(1, -(-len(self.dice) // _MOST))


class Slip(Value, frozen=True):
    """A fight, and who threw what in it."""

    at: Region
    rows: tuple[Row, ...]

    @property
    def size(self) -> Point:
        """How large its paper is."""
        widest = max(min(len(row.dice), _MOST) for row in self.rows)
        wide = 2 * _EDGE + _FLAG + max(widest, 2) * _PITCH + _LOST
        return wide, 2 * _EDGE + _ROW * sum(row.lines for row in self.rows)

    def dice(
        self, left: float, top: float
    ) -> Iterator[tuple[Row, float, list[tuple[Colour, Face, float, float]]]]:
        """Each row with the middle of its first line, and the middles of its dice."""
        down = top + _EDGE + _ROW / 2
        for row in self.rows:
            shown = [
                (
                    colour,
                    face,
                    left + _EDGE + _FLAG + (place % _MOST + 0.5) * _PITCH,
                    down + place // _MOST * _ROW,
                )
                for place, (colour, face) in enumerate(row.dice)
            ]
            yield row, down, shown
            down += row.lines * _ROW


class Laid(Value, frozen=True):
    """A slip where it lies: the box of its paper."""

    slip: Slip
    box: Box


def slips(events: Sequence[AnyEvent]) -> Iterator[Slip]:
    """A slip for each fight that was thrown for, in the order in which they happened."""
    for event in events:
        if isinstance(event, Fought | WagonsFought):
            yield Slip(event.at, (_thrown(event, "tribes"), _thrown(event, "us")))
        elif isinstance(event, Struck):
            fell = sum(event.fell.values())
            yield Slip(event.to, _unanswered(event.colour, event.faces, fell))
        elif isinstance(event, NightRaid):
            for region, faces in event.thrown.items():
                yield Slip(region, _unanswered(RAIDERS[event.trail], faces, faces.count("hit")))


def laid(
    some: Sequence[Slip], sheet: Atlas, read: Sequence[Box], seen: Sequence[Box], low: float
) -> list[Laid]:
    """Each slip as near to its region as there is room for it, over nothing that matters.

    read: boxes of names and cubes, which leaders avoid too; seen: of what else stays in sight; low: where the
    map ends below.
    """
    found: list[Laid] = []
    for slip in some:
        papers = [one.box for one in found]
        lines = [(sheet.at[one.slip.at], _middle(one.box)) for one in found]
        kept = [*read, *seen, *papers]
        free = (
            box
            for box in _spots(slip, sheet, low)
            if _is_clear(box, kept) and not any(crosses(*line, box) for line in lines)
        )
        found.append(Laid(slip, _best(free, slip, sheet.at[slip.at], [*read, *papers])))
    return found


def _is_clear(box: Box, others: list[Box]) -> bool:
    """Whether a box lies over none of the others; the one that is in the way is asked first the next time."""
    for place, other in enumerate(others):
        if overlap(box, other):
            others.insert(0, others.pop(place))
            return False
    return True


def crosses(start: Point, end: Point, box: Box) -> bool:
    """Whether a straight line passes through a box."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        way = end[axis] - start[axis]
        if not way:
            if not box[axis] < start[axis] < box[axis + 2]:
                return False
            continue
        one, other = sorted(((box[axis] - start[axis]) / way, (box[axis + 2] - start[axis]) / way))
        low, high = max(low, one), min(high, other)
    return low < high


def _thrown(event: Fought | WagonsFought, side: Side) -> Row:
    """What a side threw in an engagement, round after round, an ambush before all."""
    mine = [colour for colour in event.cubes if _side(colour) == side]
    dice = [
        (colour, face)
        for one in event.rounds
        for colour, faces in one.faces.items()
        if _side(colour) == side
        for face in faces
    ]
    if isinstance(event, Fought) and event.ambush and side == "tribes":
        dice.insert(0, (mine[0], event.ambush))
    left = {_side(colour) for colour in event.left}
    return Row(side, tuple(dice), sum(_lost(one, mine) for one in event.rounds), won=left == {side})


def _unanswered(colour: Colour, faces: Sequence[Face], fell: int) -> tuple[Row, Row]:
    """The rows of an attack in which one side alone threw: nobody holds a field by it."""
    thrower = _side(colour)
    other: Side = "us" if thrower == "tribes" else "tribes"
    return (
        Row(thrower, tuple((colour, face) for face in faces), 0, won=False),
        Row(other, (), fell, won=False),
    )


def _side(colour: Colour) -> Side:
    return "tribes" if colour in TRIBES else "us"


def _lost(one: Round, mine: Sequence[Colour]) -> int:
    """How many cubes of some colours a round cost, those that had nowhere to go among them."""
    return sum(one.fell.get(colour, 0) for colour in mine) + sum(
        away.count for away in one.withdrew if away.to is None and away.colour in mine
    )


def _best(free: Iterator[Box], slip: Slip, at: Point, read: Sequence[Box]) -> Box:
    """The nearest free place whose leader crosses nothing that is read, unless it is far off."""
    nearest: Box | None = None
    for box in free:
        nearest = nearest or box
        if _away(box, at) > _away(nearest, at) + _FARTHER:
            return nearest
        if not any(crosses(at, _middle(box), other) for other in read if not _under(at, other)):
            return box
    wide, high = slip.size
    return nearest or (_RIM, _RIM, _RIM + wide, _RIM + high)


def _spots(slip: Slip, sheet: Atlas, low: float) -> Iterator[Box]:
    """Places for a slip, those with their middle in the region first, then all others, the nearest first."""
    (x, y), ring, (wide, high) = sheet.at[slip.at], sheet.rings[slip.at], slip.size
    west, north, east, south = _RIM, _RIM, sheet.size[0] - _RIM - wide, low - _RIM - high
    for _, across, down in chain(_inside(ring, (x, y)), _ways(sheet.size)):
        left, top = x + across - wide / 2, y + down - high / 2
        if west <= left <= east and north <= top <= south:
            yield left, top, left + wide, top + high


@cache
def _inside(ring: tuple[Point, ...], at: Point) -> tuple[tuple[float, int, int], ...]:
    """Those of the places around one that lie in its region too."""
    near = _band(0)
    rows = {down: crossings(ring, at[1] + down) for down in {down for _, _, down in near}}
    return tuple(spot for spot in near if is_between(at[0] + spot[1], rows[spot[2]]))


def _ways(size: tuple[float, float]) -> Iterator[tuple[float, int, int]]:
    """How far places are on a sheet of a size, and how far across and down, the nearest first."""
    for number in range(ceil(hypot(*size) / _REACH)):
        yield from _band(number)


@cache
def _band(number: int) -> tuple[tuple[float, int, int], ...]:
    """Those of `_ways` in a ring as broad as slips reach; in the first, a disc, most find their place."""
    most = ceil(_REACH * (number + 1) / _STEP)
    steps = range(-_STEP * most, _STEP * (most + 1), _STEP)
    around = ((hypot(across, down), across, down) for across in steps for down in steps)
    return tuple(sorted(spot for spot in around if spot[0] // _REACH == number))


def _away(box: Box, at: Point) -> float:
    """How far the middle of a box is from a place."""
    x, y = _middle(box)
    return hypot(x - at[0], y - at[1])


def _under(at: Point, box: Box) -> bool:
    """Whether a box is that of the region's own cubes, where its leader begins."""
    return box[0] <= at[0] <= box[2] and box[1] <= at[1] <= box[3]


def _middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
