"""The board, compiled from data/map.json: borders, trails, and the regions that each colour may enter."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from games.data import read_json, revive_or_refuse
from games.messages import sentence
from games.plains_indian_wars.model import TRIBES, Belt, Colour, Face, Region
from games.protocol import Invalid
from games.record import Record, Value

PACKAGE = "games.plains_indian_wars"

ROCKIES, SACRAMENTO, ST_LOUIS = Region("ROCKIES"), Region("SAC"), Region("STL")
EAST = (Region("EASTN"), Region("EASTS"))
CANADA, MEXICO = Region("NE6"), Region("SE6")

Zone = Literal["N", "S", "NE", "SE", "CITY", "EDGE"]
Mark = Literal["sourced", "deduced", "assumed"]

ZONES: Mapping[Colour, tuple[Zone, ...]] = {
    "Green": ("N", "NE"),
    "Orange": ("S", "SE"),
    "Blue": ("N", "S", "NE", "SE", "CITY", "EDGE"),
    "Brown": ("N", "S", "NE", "SE", "CITY", "EDGE"),
    "Purple": ("NE", "SE"),
}
"""The zones that each colour may enter. Purple stays in its own belt; Blue can't enter Canada or Mexico."""


class BoardRegion(Record, frozen=True, kw_only=True):
    """A region as it is written in the data.

    at: where its cubes are drawn, in degrees east and north; broken: whether its name takes two lines on the
    map; key: the points that it is worth to the U.S. as a key location.
    """

    id: Region
    name: str
    zone: Zone
    at: tuple[float, float]
    mark: Mark
    aliases: tuple[str, ...] = ()
    people: str = ""
    key: int = 0
    broken: bool = False


class TrailStep(Record, frozen=True, kw_only=True):
    """A step of a wagon trail. number: the night die that strikes it; next: the steps that follow."""

    id: str
    region: Region
    number: int
    next: tuple[str, ...]
    mark: Mark
    branch: str = ""


class Trail(Record, frozen=True, kw_only=True):
    """A wagon trail from its first step to its last."""

    name: str
    steps: tuple[TrailStep, ...]


class Railroad(Record, frozen=True, kw_only=True):
    """The transcontinental line: its sections from St. Louis, and the numbers for its construction.

    Each section is a region north of the tracks and one south of them.
    """

    sections: tuple[tuple[Region, Region], ...]
    sections_mark: Mark
    spaces_in_a_section: int
    spaces_mark: Mark
    mountain_spaces: int
    mountain_mark: Mark
    limit: int
    limit_mark: Mark
    built_by_brown: tuple[int, ...]
    built_by_brown_mark: Mark
    mountain_dice: int
    mountain_success: tuple[Face, ...]
    mountain_dice_mark: Mark
    at: tuple[tuple[float, float], ...]

    @property
    def plains_spaces(self) -> int:
        """Return the number of spaces on the plains."""
        return len(self.sections) * self.spaces_in_a_section


class MapFile(Record, frozen=True, kw_only=True):
    """The file data/map.json as it is written."""

    title: str
    marks: str
    regions: tuple[BoardRegion, ...]
    borders: tuple[tuple[Region, Region, Mark], ...]
    one_way: tuple[tuple[Region, Region, Mark], ...]
    trails: dict[Belt, Trail]
    railroad: Railroad


class Board(Value, frozen=True):
    """The map, compiled for questions of the rules.

    near: the neighbours of each region, in board order; ways: the regions that a U.S. cube reaches in one
    move; steps: the trail step of each region; by_id: the trail steps by id; section: the number (from 0) of
    the railroad section beside each region.
    """

    chart: MapFile
    places: Mapping[Region, BoardRegion]
    near: Mapping[Region, tuple[Region, ...]]
    ways: Mapping[Region, tuple[Region, ...]]
    steps: Mapping[Region, TrailStep]
    by_id: Mapping[str, TrailStep]
    section: Mapping[Region, int]

    def regions_in_zones(self, *zones: Zone) -> tuple[Region, ...]:
        """Return the regions of some zones, in board order."""
        return tuple(place.id for place in self.places.values() if place.zone in zones)

    def in_board_order(self, regions: Any) -> tuple[Region, ...]:
        """Return regions in board order, each once."""
        wanted = set(regions)
        return tuple(region for region in self.places if region in wanted)

    def name(self, region: Region) -> str:
        """Return the name of a region in reports: "Cheyenne (N3)"; for cities and edges only "St. Louis"."""
        place = self.places[region]
        return place.name if place.zone in ("CITY", "EDGE") else f"{place.name} ({region})"

    def plains_region(self, colour: Colour, number: int) -> Region:
        """Return the region with a number on a tribe's own plains."""
        return Region(f"{'N' if colour == 'Green' else 'S'}{number}")

    def may_enter(self, colour: Colour, region: Region) -> bool:
        """Return whether cubes of a colour may ever be in a region. Source: solitaire rules, by faction."""
        if colour == "Blue" and region in (CANADA, MEXICO):
            return False
        return self.places[region].zone in ZONES.get(colour, ())

    def is_city(self, region: Region) -> bool:
        """Return whether a region is St. Louis or Sacramento."""
        return self.places[region].zone == "CITY"

    def is_plains(self, region: Region) -> bool:
        """Return whether a region belongs to the plains of the northern or southern tribes."""
        return self.places[region].zone in ("N", "S")


@cache
def board() -> Board:
    """Return the published board, compiled once. Raises Invalid for a file that can't be read."""
    return compile_board(read_json(PACKAGE, "data/map.json"))


def compile_board(written: Any) -> Board:
    """Return the board of a parsed file. Raises Invalid, which names the wrong entry."""
    chart: MapFile = revive_or_refuse(MapFile, written, "data/map.json")
    places = {place.id: place for place in chart.regions}
    for first, other, _ in (*chart.borders, *chart.one_way):
        if first not in places or other not in places or first == other:
            raise Invalid(
                f"data/map.json: border {first}-{other}", sentence("plains_indian_wars.owner_data.border")
            )
    steps = [step for trail in chart.trails.values() for step in trail.steps]
    by_id = {step.id: step for step in steps}
    _check_trails(steps, by_id, places)
    pairs = {frozenset((first, other)) for first, other, _ in chart.borders}
    near = {
        region: tuple(other for other in places if frozenset((region, other)) in pairs) for region in places
    }
    return Board(
        chart=chart,
        places=places,
        near=near,
        ways={region: _ways(near, places, region) for region in places},
        steps={step.region: step for step in steps},
        by_id=by_id,
        section={region: number for number, pair in enumerate(chart.railroad.sections) for region in pair},
    )


def _check_trails(
    steps: list[TrailStep], by_id: Mapping[str, TrailStep], places: Mapping[Region, BoardRegion]
) -> None:
    for step in steps:
        if step.region not in places:
            raise Invalid(
                f"data/map.json: step {step.id}",
                sentence("plains_indian_wars.owner_data.no_region", name=step.region),
            )
        for following in step.next:
            if following not in by_id and following != ROCKIES:
                raise Invalid(
                    f"data/map.json: step {step.id}",
                    sentence("plains_indian_wars.owner_data.no_step", name=following),
                )


def _ways(
    near: Mapping[Region, tuple[Region, ...]], places: Mapping[Region, BoardRegion], start: Region
) -> tuple[Region, ...]:
    """Return the regions that a U.S. cube reaches in one move from a region.

    A cube that enters the Rockies is in Sacramento at once, and one that enters the East is in St. Louis.
    """
    arrived = {ROCKIES: SACRAMENTO, **dict.fromkeys(EAST, ST_LOUIS)}
    reached = {arrived.get(region, region) for region in near[start]} - {start}
    return tuple(region for region in places if region in reached)


def tribe_of(region: Region) -> Colour | None:
    """Return the tribe that may enter a region; None for cities and edges."""
    for colour in TRIBES:
        if board().may_enter(colour, region):
            return colour
    return None
