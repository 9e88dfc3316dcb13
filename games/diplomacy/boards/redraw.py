"""Borders that are flipped: the lands that then meet, and their outlines."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from math import dist

from games import language
from games.diplomacy.boards.board import Chart, FlippableBorder
from games.diplomacy.model import Province
from games.messages import sentence
from games.protocol import Invalid
from games.record import replace_fields

Point = tuple[float, float]
Rings = dict[Province, list[list[Point]]]

_END_SHARE = 0.6
"""Points nearer to an end of the border than this share of its length are removed."""
_HALF_LENGTH_SHARE = 0.3
"""The new border's length to each side, as a share of the old one's length."""
_MIN_HALF_LENGTH = 6.0


def flip_borders(chart: Chart, borders: Sequence[FlippableBorder]) -> Chart:
    """Return the chart with some borders flipped. Raises Invalid for one that isn't between four lands.

    A flipped border can be flipped back: it is among the turns the other way round.
    """
    near = _neighbours(chart, borders)
    order = {place.id: number for number, place in enumerate(chart.provinces)}
    return replace_fields(
        chart,
        provinces=tuple(
            replace_fields(place, army=tuple(sorted(near[place.id], key=order.__getitem__)))
            if near[place.id] != {*place.army}
            else place
            for place in chart.provinces
        ),
        turns=tuple(flip_back(border) if border in borders else border for border in chart.turns),
        even_turns=(),
        turned=net_flips(chart.turned, borders),
    )


def _neighbours(chart: Chart, borders: Sequence[FlippableBorder]) -> Mapping[Province, set[Province]]:
    """Return the neighbours of each land with some borders flipped. Raises Invalid as `flip_borders`."""
    near = {place.id: {*place.army} for place in chart.provinces}
    for border in borders:
        (first, other), ends = border.parts, border.ends
        if other not in near[first] or ends[1] in near[ends[0]]:
            why = sentence("diplomacy.variants.not_flippable", province=first, other=other)
            raise Invalid("map.json: turns", why, sentence("diplomacy.variants.write_turns"))
        near[first].remove(other)
        near[other].remove(first)
        near[ends[0]].add(ends[1])
        near[ends[1]].add(ends[0])
    for border in borders:
        for end in border.ends:
            if not near[end] >= {*border.parts}:
                lands = language.join_list(border.parts)
                why = sentence("diplomacy.variants.meets_one", end=end, lands=lands)
                raise Invalid("map.json: turns", why, sentence("diplomacy.variants.write_turns"))
    return near


def net_flips(
    before: Iterable[FlippableBorder], borders: Iterable[FlippableBorder]
) -> tuple[FlippableBorder, ...]:
    """Return the flipped borders after more flips. A border that is flipped twice isn't flipped."""
    flips = dict.fromkeys(before)
    for border in borders:
        if flip_back(border) in flips:
            del flips[flip_back(border)]
        else:
            flips[border] = None
    return tuple(flips)


def flip_back(border: FlippableBorder) -> FlippableBorder:
    """Return the flip that undoes a flip."""
    return FlippableBorder(parts=border.ends, ends=border.parts)


def reshape(rings: Mapping[Province, list[list[Point]]], borders: Iterable[FlippableBorder]) -> Rings:
    """Return the outlines with some borders flipped. Only the four lands at each border change.

    The old border shrinks to its middle, and the new border crosses it there.
    """
    outlines = dict(rings)
    for border in borders:
        outlines |= _reshape_border(outlines, border)
    return outlines


def _reshape_border(rings: Mapping[Province, list[list[Point]]], border: FlippableBorder) -> Rings:
    near_land, other = border.parts
    sides = {
        land: {point for ring in rings[land] for point in ring} for land in (*border.parts, *border.ends)
    }
    shared = sides[near_land] & sides[other]
    first, second = (_corner(shared, sides[end]) for end in border.ends)
    gone = _giving_way(rings, sides, shared, (first, second))
    tips = _tips(first, second)
    before = _middle_of(point for point in sides[near_land] if dist(point, tips[0]) < 2 * dist(first, second))
    tips.sort(key=lambda tip: dist(tip, before))
    parts = {
        land: [_close_ring(ring, gone, [tip]) for ring in rings[land]]
        for land, tip in zip(border.parts, tips, strict=True)
    }
    ends = {
        end: [
            _close_ring(ring, gone, _tips_in_order(ring, gone, tips, sides[near_land])) for ring in rings[end]
        ]
        for end in border.ends
    }
    return {**parts, **ends}


def _giving_way(
    rings: Mapping[Province, list[list[Point]]],
    sides: Mapping[Province, set[Point]],
    shared: Collection[Point],
    corners: tuple[Point, Point],
) -> set[Point]:
    """Return the points of the lands' borders to remove: the old border, and points close to its ends."""
    near = _END_SHARE * dist(*corners)
    elsewhere = {point for land in rings if land not in sides for ring in rings[land] for point in ring}
    return {
        point
        for point, count in Counter(chain.from_iterable(sides.values())).items()
        if count > 1
        and point not in elsewhere
        and (point in shared or min(dist(point, corner) for corner in corners) < near)
    }


def _tips(first: Point, second: Point) -> list[Point]:
    """Return the ends of the new border, across the middle of the old one."""
    length = dist(first, second)
    (ax, ay), (bx, by), half = first, second, max(_HALF_LENGTH_SHARE * length, _MIN_HALF_LENGTH) / length
    return [
        (round((ax + bx) / 2 + way * (ay - by) * half, 1), round((ay + by) / 2 + way * (bx - ax) * half, 1))
        for way in (1, -1)
    ]


def _corner(shared: Iterable[Point], end: Iterable[Point]) -> Point:
    """Return the point where a border ends at a third land."""
    (corner,) = {*shared} & {*end}
    return corner


def _middle_of(points: Iterable[Point]) -> Point:
    point_list = list(points)
    return sum(x for x, _ in point_list) / len(point_list), sum(y for _, y in point_list) / len(point_list)


def _tips_in_order(
    ring: Sequence[Point], gone: set[Point], tips: Sequence[Point], near_points: set[Point]
) -> list[Point]:
    """Return the new border in a ring's direction, first the tip next to the land that it passed."""
    kept = _cut_open(ring, gone)
    if not kept:
        return []
    return list(tips) if kept[-1] in near_points else list(reversed(tips))


def _cut_open(ring: Sequence[Point], gone: set[Point]) -> list[Point]:
    """Return the rest of a ring, from after the gap to before it, or no points if it has no gap."""
    points = list(ring[:-1])
    start = next((n for n, point in enumerate(points) if point in gone and points[n - 1] not in gone), None)
    if start is None:
        return []
    return [point for point in (*points[start:], *points[:start]) if point not in gone]


def _close_ring(ring: Sequence[Point], gone: set[Point], tips: Sequence[Point]) -> list[Point]:
    """Return a ring with the tips in its gap, closed again."""
    kept = _cut_open(ring, gone)
    return [*tips, *kept, tips[0]] if kept else list(ring)
