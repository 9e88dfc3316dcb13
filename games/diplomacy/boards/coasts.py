"""The coasts of a board: on which spots fleets lie, and where they sail from there.

A province with several coasts names the neighbours of each of them, and its neighbours by water name the
coast (``STP/NC``). Everywhere else the province is the spot.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from games.diplomacy.model import Province, split_spot, spot
from games.protocol import Invalid

COASTS: Mapping[str, str] = {
    "NC": "north coast",
    "EC": "east coast",
    "SC": "south coast",
    "WC": "west coast",
}
"""The coasts that a province may have, and their names."""


class Shape(Protocol):
    """The fields that are needed of a place of the chart."""

    @property
    def id(self) -> Province:
        """The province."""

    @property
    def kind(self) -> str:
        """land or sea."""

    @property
    def fleet(self) -> tuple[Province, ...]:
        """Its neighbours by water."""

    @property
    def coasts(self) -> dict[str, tuple[Province, ...]]:
        """Those of each coast, where it has several."""


def berths(place: Shape) -> dict[Province, tuple[Province, ...]]:
    """The spots of a place on which a fleet can lie, and the spots next to each; none of them inland."""
    if place.coasts:
        return {spot(place.id, coast): near for coast, near in place.coasts.items()}
    return {place.id: place.fleet} if place.fleet else {}


def is_berth(place: Shape, coast: str) -> bool:
    """Return whether a fleet can lie there: on that coast, or ("") on the only one."""
    return spot(place.id, coast) in berths(place)


def check(places: Iterable[Shape]) -> None:
    """Look at the borders by water. Raises Invalid that names the entry at fault and the remedy."""
    shapes = tuple(places)
    everywhere = {here: near for place in shapes for here, near in berths(place).items()}
    for place in shapes:
        if place.coasts and (place.fleet or place.kind == "sea"):
            raise Invalid(f"map.json: provinces: {place.id}: coasts", "a province has coasts or a fleet list")
        for coast in place.coasts:
            if coast not in COASTS:
                choice = ", ".join(COASTS)
                raise Invalid(f"map.json: provinces: {place.id}: coasts: {coast}", f"choose from {choice}")
    for here, near in everywhere.items():
        for other in near:
            where = f"map.json: provinces: {here}: fleet: {other}"
            if other not in everywhere:
                raise Invalid(where, "no fleet can lie there", _coasts_of(other, everywhere))
            if split_spot(other)[0] == split_spot(here)[0] or near.count(other) > 1:
                raise Invalid(where, "it borders itself or stands there twice")
            if here not in everywhere[other]:
                raise Invalid(where, f"{other} does not name {here}", f"add {here} to {other}")


def _coasts_of(other: Province, everywhere: Iterable[Province]) -> str | None:
    named = [here for here in everywhere if split_spot(here)[0] == other]
    return "write " + " or ".join(named) if named else None


def sailing_neighbours(
    places: Iterable[Shape], index: Mapping[Province, int]
) -> dict[Province, tuple[Province, ...]]:
    """The spots next to each spot by water, in board order; those of places without any are empty."""

    def rank(there: Province) -> tuple[int, str]:
        return index[split_spot(there)[0]], there

    neighbours_by_spot: dict[Province, tuple[Province, ...]] = {}
    for place in places:
        neighbours_by_spot[place.id] = ()
        neighbours_by_spot |= {here: tuple(sorted(near, key=rank)) for here, near in berths(place).items()}
    return neighbours_by_spot


def water_neighbours(
    sailing: Mapping[Province, tuple[Province, ...]], index: Mapping[Province, int]
) -> dict[Province, tuple[Province, ...]]:
    """The provinces next to each province by water, from any of its coasts, in board order."""
    neighbour_sets: dict[Province, set[Province]] = {province: set() for province in index}
    for here, near in sailing.items():
        neighbour_sets[split_spot(here)[0]].update(split_spot(there)[0] for there in near)
    return {
        province: tuple(sorted(several, key=index.__getitem__))
        for province, several in neighbour_sets.items()
    }


def spots(places: Iterable[Shape]) -> dict[Province, tuple[Province, ...]]:
    """Where a fleet can lie in each province; inland nowhere."""
    return {place.id: tuple(berths(place)) for place in places}


def waters(
    places: Iterable[Shape], sailing: Mapping[Province, tuple[Province, ...]], index: Mapping[Province, int]
) -> tuple[int, ...]:
    """For each province, by its index, the waters that it touches, as a set of bits (one for each index)."""
    seas = {place.id for place in places if place.kind == "sea"}
    near = water_neighbours(sailing, index)
    return tuple(sum(1 << index[there] for there in near[province] if there in seas) for province in index)
