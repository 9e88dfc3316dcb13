"""Borders that run the other way than the outline shows: who meets then, and the shapes that go with it."""

from collections.abc import Iterable, Mapping, Sequence
from math import dist

from games.diplomacy.board import Chart, Turn
from games.diplomacy.model import Province
from games.protocol import Invalid
from games.record import changed

Point = tuple[float, float]
Rings = dict[Province, list[list[Point]]]

_NEAR = 0.6
"""What lies nearer to an end of the border than this share of its length gives way to the new one."""
_HALF = 0.3
"""The new border is so long to each side, as a share of the old one; but not shorter than can be seen."""
_LEAST = 6.0


def turn(chart: Chart, borders: Sequence[Turn]) -> Chart:
    """The chart with some borders turned. Raises Invalid for one that does not lie between four lands.

    Each may be turned back: it stands among the turns the other way round.
    """
    near = {place.id: {*place.army} for place in chart.provinces}
    for border in borders:
        (one, other), ends = border.parts, border.ends
        if other not in near[one] or ends[1] in near[ends[0]]:
            raise Invalid("map.json: turns", f"{one} and {other} do not meet there alone")
        near[one].remove(other)
        near[other].remove(one)
        near[ends[0]].add(ends[1])
        near[ends[1]].add(ends[0])
    for border in borders:
        for end in border.ends:
            if not near[end] >= {*border.parts}:
                raise Invalid("map.json: turns", f"{end} would meet but one of {' and '.join(border.parts)}")
    order = {place.id: number for number, place in enumerate(chart.provinces)}
    return changed(
        chart,
        provinces=tuple(
            changed(place, army=tuple(sorted(near[place.id], key=order.__getitem__)))
            if near[place.id] != {*place.army}
            else place
            for place in chart.provinces
        ),
        turns=tuple(back(one) if one in borders else one for one in chart.turns),
        even_turns=(),
        turned=turned(chart.turned, borders),
    )


def turned(before: Iterable[Turn], borders: Iterable[Turn]) -> tuple[Turn, ...]:
    """The borders that are turned when some more are: one that is turned twice runs as it did."""
    found = dict.fromkeys(before)
    for border in borders:
        if back(border) in found:
            del found[back(border)]
        else:
            found[border] = None
    return tuple(found)


def back(border: Turn) -> Turn:
    """The turn that undoes a turn."""
    return Turn(parts=border.ends, ends=border.parts)


def reshaped(rings: Mapping[Province, list[list[Point]]], borders: Iterable[Turn]) -> Rings:
    """The outlines with some borders turned: the four lands give way, and nobody else.

    The old border shrinks to its middle, where the new one stands across it.
    """
    found = dict(rings)
    for border in borders:
        found |= _reshaped(found, border)
    return found


def _reshaped(rings: Mapping[Province, list[list[Point]]], border: Turn) -> Rings:
    one, other = border.parts
    sides = {
        land: {point for ring in rings[land] for point in ring} for land in (*border.parts, *border.ends)
    }
    shared = [point for ring in rings[one] for point in ring if point in sides[other]]
    first, second = (_corner(shared, sides[end]) for end in border.ends)
    length = dist(first, second)
    elsewhere = {point for land in rings if land not in sides for ring in rings[land] for point in ring}
    gone = {
        point
        for points in sides.values()
        for point in points
        if point not in elsewhere
        and sum(point in some for some in sides.values()) > 1
        and (point in shared or min(dist(point, first), dist(point, second)) < _NEAR * length)
    }
    middle = ((first[0] + second[0]) / 2, (first[1] + second[1]) / 2)
    across = (first[1] - second[1]) / length, (second[0] - first[0]) / length
    half = max(_HALF * length, _LEAST)
    tips = [_moved(middle, across, way * half) for way in (1, -1)]
    before = _middle_of(point for point in sides[one] if dist(point, middle) < 2 * length)
    tips.sort(key=lambda tip: dist(tip, before))
    new: Rings = {one: [], other: []}
    for land, tip in zip(border.parts, tips, strict=True):
        new[land] = [_joined(ring, gone, [tip]) for ring in rings[land]]
    for end in border.ends:
        new[end] = [_joined(ring, gone, _facing(ring, gone, tips, sides[one])) for ring in rings[end]]
    return new


def _corner(shared: Iterable[Point], end: Iterable[Point]) -> Point:
    """Where a border ends at a third land."""
    (found,) = {*shared} & {*end}
    return found


def _moved(point: Point, way: Point, far: float) -> Point:
    return round(point[0] + way[0] * far, 1), round(point[1] + way[1] * far, 1)


def _middle_of(points: Iterable[Point]) -> Point:
    found = list(points)
    return sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)


def _facing(ring: Sequence[Point], gone: set[Point], tips: Sequence[Point], one: set[Point]) -> list[Point]:
    """The new border as a ring comes by it: first the tip next to the land from which the ring comes."""
    kept = _opened(ring, gone)
    if not kept:
        return []
    return list(tips) if kept[-1] in one else list(reversed(tips))


def _opened(ring: Sequence[Point], gone: set[Point]) -> list[Point]:
    """What is left of a ring, from behind the gap to before it; nothing where it has no gap."""
    points = list(ring[:-1])
    start = next((n for n, point in enumerate(points) if point in gone and points[n - 1] not in gone), None)
    if start is None:
        return []
    return [point for point in (*points[start:], *points[:start]) if point not in gone]


def _joined(ring: Sequence[Point], gone: set[Point], tips: Sequence[Point]) -> list[Point]:
    """A ring with its gap closed by way of the tips, and closed itself."""
    kept = _opened(ring, gone)
    return [*tips, *kept, tips[0]] if kept else list(ring)
