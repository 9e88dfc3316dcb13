"""The map as the rules ask it: neighbours, links, distances. It knows nothing of a position."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import get_args

from games.boer_war.codes import Flag, Link, Point
from games.boer_war.components import Place, Way, materials
from games.protocol import Invalid

FAR = 99
"""Further than any two points of the map are from each other."""


class Board:
    """The map, compiled once. points: in the order of the file; links: by code.

    near, rails: by point, its neighbours, and those by rail, in the order of their codes. railways: the links
    by rail; flagged: by flag, the points that bear it: all in the order of the file.
    """

    def __init__(self, places: Mapping[Point, Place], ways: Iterable[Way]) -> None:
        self.places = places
        self.points = tuple(places)
        self.links: dict[Link, Way] = {}
        self._named: dict[tuple[Point, Point], Link] = {}
        near: dict[Point, list[Point]] = {point: [] for point in places}
        for way in ways:
            link = Link(f"{way.a}-{way.b}")
            if way.a not in places or way.b not in places or (way.a, way.b) in self._named:
                raise Invalid(f"link {link}", "joins points that are not there, or stands there twice")
            self.links[link] = way
            self._named[way.a, way.b] = self._named[way.b, way.a] = link
            near[way.a].append(way.b)
            near[way.b].append(way.a)
        self.near = {point: tuple(sorted(others)) for point, others in near.items()}
        self.rails = {
            point: tuple(there for there in others if self.is_rail(point, there))
            for point, others in self.near.items()
        }
        self.railways = tuple(link for link, way in self.links.items() if way.rail)
        self.flagged: dict[Flag, tuple[Point, ...]] = {
            flag: tuple(point for point, place in places.items() if flag in place.flags)
            for flag in get_args(Flag)
        }
        self._apart: dict[Point, dict[Point, int]] = {}
        self._within: dict[tuple[Point, int], tuple[Point, ...]] = {}

    def link(self, a: Point, b: Point) -> Link | None:
        """The code of the link between two points, whichever is named first; None where there is none."""
        return self._named.get((a, b))

    def ends(self, link: Link) -> tuple[Point, Point]:
        """The two ends of a link."""
        way = self.links[link]
        return way.a, way.b

    def is_rail(self, a: Point, b: Point) -> bool:
        """Whether two points are joined by rail."""
        link = self._named.get((a, b))
        return link is not None and self.links[link].rail

    def on_rail(self, point: Point) -> bool:
        """Whether a point is on the railway."""
        return bool(self.rails[point])

    def apart(self, a: Point, b: Point) -> int:
        """Links between two points, by any way; 0 for the same."""
        if a not in self._apart:
            self._apart[a] = spread(self.near, a, lambda _from, _to: True)
        return self._apart[a].get(b, FAR)

    def spread_from(self, a: Point) -> frozenset[Point]:
        """The points that can be reached from a point, itself among them."""
        return frozenset(point for point in self.points if self.apart(a, point) < FAR)

    def within(self, a: Point, links: int) -> tuple[Point, ...]:
        """The points so many links away or nearer, the point itself among them, in the order of the map."""
        if (a, links) not in self._within:
            self._within[a, links] = tuple(point for point in self.points if self.apart(a, point) <= links)
        return self._within[a, links]


Passes = Callable[[Point, Point], bool]
"""Whether one may go on from a point to the next one."""


def spread(near: Mapping[Point, tuple[Point, ...]], start: Point, passes: Passes) -> dict[Point, int]:
    """How many links away each point is that can be reached from a start, by steps that are allowed."""
    found = {start: 0}
    front = [start]
    while front:
        ahead = []
        for here in front:
            for there in near[here]:
                if there not in found and passes(here, there):
                    found[there] = found[here] + 1
                    ahead.append(there)
        front = ahead
    return found


def shortest(
    near: Mapping[Point, tuple[Point, ...]], start: Point, goal: Point, passes: Passes
) -> tuple[Point, ...] | None:
    """The points of the shortest way, start excluded; of several the first by code. None: there is no way."""
    back: dict[Point, Point] = {start: start}
    front = [start]
    while front and goal not in back:
        ahead = []
        for here in front:
            for there in near[here]:
                if there not in back and passes(here, there):
                    back[there] = here
                    ahead.append(there)
        front = ahead
    if goal not in back:
        return None
    way: list[Point] = []
    while goal != start:
        way.append(goal)
        goal = back[goal]
    return tuple(reversed(way))


@cache
def board() -> Board:
    """The board of our own box."""
    return Board(materials().places, materials().ways)
