"""The map without a position: neighbours, links, distances."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import get_args

from games.boer_war.components import Flag, Link, MapLink, MapPoint, Point, materials
from games.messages import sentence
from games.paths import distances, first_steps
from games.protocol import Invalid

UNREACHABLE_DISTANCE = 99
"""A distance that is larger than any distance on the map."""


class Board:
    """The map with its indexes.

    points: all points in the order of the file. links: the links by code. near, rails: the neighbours of each
    point, and its neighbours by rail, in the order of their codes. railways: the links with a railway, in the
    order of the file. flagged: the points with each flag, in the order of the file.
    """

    def __init__(self, places: Mapping[Point, MapPoint], ways: Iterable[MapLink]) -> None:
        self.places = places
        self.points = tuple(places)
        self.links: dict[Link, MapLink] = {}
        self._named: dict[tuple[Point, Point], Link] = {}
        near: dict[Point, list[Point]] = {point: [] for point in places}
        for way in ways:
            link = Link(f"{way.a}-{way.b}")
            if way.a not in places or way.b not in places or (way.a, way.b) in self._named:
                raise Invalid(f"link {link}", sentence("boer_war.faults.wrong_ends"))
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
        """Return the code of the link between two points in either order, or None."""
        return self._named.get((a, b))

    def ends(self, link: Link) -> tuple[Point, Point]:
        """Return the two ends of a link."""
        way = self.links[link]
        return way.a, way.b

    def is_rail(self, a: Point, b: Point) -> bool:
        """Return whether a railway joins two points."""
        link = self._named.get((a, b))
        return link is not None and self.links[link].rail

    def on_rail(self, point: Point) -> bool:
        """Return whether a point is on the railway."""
        return bool(self.rails[point])

    def distance(self, a: Point, b: Point) -> int:
        """Return the number of links on the shortest path between two points, 0 for the same point."""
        if a not in self._apart:
            self._apart[a] = distances(self.near, a, lambda _from, _to: True)
        return self._apart[a].get(b, UNREACHABLE_DISTANCE)

    def within(self, a: Point, links: int) -> tuple[Point, ...]:
        """Return the points up to `links` links away, including the point itself, in the order of the map."""
        if (a, links) not in self._within:
            self._within[a, links] = tuple(point for point in self.points if self.distance(a, point) <= links)
        return self._within[a, links]


StepTest = Callable[[Point, Point], bool]
"""Returns whether a step from a point to its neighbour is possible."""


def shortest_path(
    near: Mapping[Point, tuple[Point, ...]], start: Point, goal: Point, passes: StepTest
) -> tuple[Point, ...] | None:
    """Return the points of the shortest path after the start, or None if there is no path.

    Among several paths of the same length it is the first by code.
    """
    back: dict[Point, Point] = {start: start}
    for here, there in first_steps(near, start, passes):
        back[there] = here
        if there == goal:
            break
    if goal not in back:
        return None
    way: list[Point] = []
    while goal != start:
        way.append(goal)
        goal = back[goal]
    return tuple(reversed(way))


@cache
def board() -> Board:
    """Return the board of our own data."""
    return Board(materials().places, materials().ways)
