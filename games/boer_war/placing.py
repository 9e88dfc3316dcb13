"""Where counters lie on the picture: beside their point, on no name, no other, inside the edge."""

from collections.abc import Iterator, Sequence
from math import hypot

from games.boer_war.atlas import Point, Side, Spot
from games.record import Draft, field

Box = tuple[float, float, float, float]
"""Left, top, right, low."""

EDGE = 6.0
"""So far from the edge of the picture everything stays."""

_NEAR = 320.0
"""What is further from a point than that is not in the way of its counters."""

_STEPS = (0.0, 8.0, 18.0, 30.0, 44.0, 60.0, 80.0, 105.0, 135.0)
"""So much further from their point counters are tried."""

_GAP = 2.0
_NARROW, _WIDE_LETTERS = "fijltrI.-' ", "mwMW"


class Table(Draft):
    """What lies on the picture, of a size, with its points. taken: boxes on which nothing may be laid."""

    size: tuple[int, int]
    points: Sequence[Point] = ()
    taken: list[Box] = field(default_factory=list)

    def find(self, at: Point, wide: float, high: float, prefer: Side) -> Box | None:
        """The free box of that size nearest to a point, which is taken then; None if there is none near."""
        near = self._near(at)
        found = None
        for one in _around(*at, wide, high, prefer):
            if not self.holds(one) or not _is_free(one, near):
                continue
            found = found or one
            if self.is_plain(one, at):
                found = one
                break
        if found is not None:
            self.taken.append(found)
        return found

    def lay(self, at: Point, wide: float, high: float, prefer: Side) -> Box:
        """That box, or the one that covers least."""
        found = self.find(at, wide, high, prefer)
        if found is None:
            near, tried = self._near(at), [*_around(*at, wide, high, prefer)]
            inside = [one for one in tried if self.holds(one)] or tried
            found = min(inside, key=lambda one: sum(overlap(one, other) for other in near))
            self.taken.append(found)
        return found

    def is_plain(self, box: Box, at: Point) -> bool:
        """Whether a box lies nearer to its own point than to any other."""
        left, top, right, low = box
        own = away(box, at)
        for x, y in self.points:  # written out: it is asked some thousand times a picture
            if left - own < x < right + own and top - own < y < low + own and away(box, (x, y)) < own:
                return False
        return True

    def _near(self, at: Point) -> list[Box]:
        """What could be in the way beside a point."""
        x, y = at
        return [
            one
            for one in self.taken
            if one[0] < x + _NEAR and one[2] > x - _NEAR and one[1] < y + _NEAR and one[3] > y - _NEAR
        ]

    def holds(self, box: Box) -> bool:
        """Whether a box lies inside the picture."""
        width, height = self.size
        return box[0] >= EDGE and box[1] >= EDGE and box[2] <= width - EDGE and box[3] <= height - EDGE


def _is_free(box: Box, near: Sequence[Box]) -> bool:
    """Whether a box overlaps no other. It is asked some ten thousand times a picture."""
    left, top, right, low = box
    for one in near:  # noqa: SIM110 - a generator takes twice as long
        if one[0] < right and one[2] > left and one[1] < low and one[3] > top:
            return False
    return True


def overlap(one: Box, two: Box) -> float:
    """The area that two boxes share."""
    wide = min(one[2], two[2]) - max(one[0], two[0])
    high = min(one[3], two[3]) - max(one[1], two[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def away(box: Box, at: Point) -> float:
    """How far a point is from a box."""
    return hypot(max(box[0] - at[0], 0, at[0] - box[2]), max(box[1] - at[1], 0, at[1] - box[3]))


def length(text: str) -> float:
    """At least so long a name is, 18 high in narrow letters, in units of the picture."""
    return sum(
        6.6 if letter in _NARROW else 16.0 if letter in _WIDE_LETTERS else 12.8 if letter.isupper() else 10.4
        for letter in text
    )


def name_box(spot: Spot) -> Box:
    """Where the name of a point stands."""
    label, wide = spot.label, length(spot.name)
    left = {"start": 0.0, "middle": wide / 2, "end": wide}[str(label["anchor"])]
    x, y = float(label["x"]) - left, float(label["y"])
    return x, y - 15, x + wide, y + 5


def region_box(name: str, x: float, y: float) -> Box:
    """Where the name of a region stands, 22 high, round a middle."""
    return x - 6.8 * len(name), y - 19, x + 6.8 * len(name), y + 6


def _around(x: float, y: float, wide: float, high: float, prefer: str) -> Iterator[Box]:
    """Places beside a point, the nearest and most usual first."""
    upright = (-1, 1) if prefer == "above" else (1, -1)
    for step in _STEPS:
        for sign in upright:
            for aside in (0.0, -0.3, 0.3, -0.6, 0.6, -0.9, 0.9):
                yield _box(x + aside * wide, y + sign * (17 + step + high / 2 + _GAP), wide, high)
        for sign in (-1, 1):
            for lift in (0.0, -0.5, 0.5, -1.0, 1.0):
                yield _box(x + sign * (33 + step + wide / 2 + _GAP), y + lift * high, wide, high)


def _box(x: float, y: float, wide: float, high: float) -> Box:
    return round(x - wide / 2, 1), round(y - high / 2, 1), round(x + wide / 2, 1), round(y + high / 2, 1)
