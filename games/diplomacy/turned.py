"""Borders that are turned against the outline: who meets then, and the shapes of it."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
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
    near = _neighbours(chart, borders)
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


def _neighbours(chart: Chart, borders: Sequence[Turn]) -> Mapping[Province, set[Province]]:
    """Who meets whom on foot when some borders are turned. Raises Invalid as `turn` does."""
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
    return near


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
    shared = sides[one] & sides[other]
    first, second = (_corner(shared, sides[end]) for end in border.ends)
    gone = _giving_way(rings, sides, shared, (first, second))
    tips = _tips(first, second)
    before = _middle_of(point for point in sides[one] if dist(point, tips[0]) < 2 * dist(first, second))
    tips.sort(key=lambda tip: dist(tip, before))
    parts = {
        land: [_joined(ring, gone, [tip]) for ring in rings[land]]
        for land, tip in zip(border.parts, tips, strict=True)
    }
    ends = {
        end: [_joined(ring, gone, _facing(ring, gone, tips, sides[one])) for ring in rings[end]]
        for end in border.ends
    }
    return {**parts, **ends}


def _giving_way(
    rings: Mapping[Province, list[list[Point]]],
    sides: Mapping[Province, set[Point]],
    shared: Collection[Point],
    corners: tuple[Point, Point],
) -> set[Point]:
    """The points of the four lands' borders that go: the old border, and what is close to its ends."""
    near = _NEAR * dist(*corners)
    elsewhere = {point for land in rings if land not in sides for ring in rings[land] for point in ring}
    return {
        point
        for point, count in Counter(chain.from_iterable(sides.values())).items()
        if count > 1
        and point not in elsewhere
        and (point in shared or min(dist(point, corner) for corner in corners) < near)
    }


def _tips(first: Point, second: Point) -> list[Point]:
    """The ends of the new border: across the middle of the old one."""
    length = dist(first, second)
    (ax, ay), (bx, by), half = first, second, max(_HALF * length, _LEAST) / length
    return [
        (round((ax + bx) / 2 + way * (ay - by) * half, 1), round((ay + by) / 2 + way * (bx - ax) * half, 1))
        for way in (1, -1)
    ]


def _corner(shared: Iterable[Point], end: Iterable[Point]) -> Point:
    """Where a border ends at a third land."""
    (found,) = {*shared} & {*end}
    return found


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
