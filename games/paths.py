"""Shortest paths on a map of neighbours, for games that move step by step."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

PlaceT = TypeVar("PlaceT")


def distances(
    near: Mapping[PlaceT, tuple[PlaceT, ...]],
    start: PlaceT,
    passes: Callable[[PlaceT, PlaceT], bool],
    most: int | None = None,
) -> dict[PlaceT, int]:
    """Return the distance of each place that can be reached from a start, the nearest first.

    passes: whether a step from a place to its neighbour is possible; most: the greatest distance wanted.
    """
    found = {start: 0}
    for here, there in first_steps(near, start, passes):
        if most is not None and found[here] >= most:
            break
        found[there] = found[here] + 1
    return found


def first_steps(
    near: Mapping[PlaceT, tuple[PlaceT, ...]], start: PlaceT, passes: Callable[[PlaceT, PlaceT], bool]
) -> Iterator[tuple[PlaceT, PlaceT]]:
    """Yield the step that reaches each place first, in the order of their distances from a start."""
    reached, queue = {start}, [start]
    for here in queue:
        for there in near[here]:
            if there not in reached and passes(here, there):
                reached.add(there)
                queue.append(there)
                yield here, there
