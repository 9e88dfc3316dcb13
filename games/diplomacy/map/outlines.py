"""The shapes of a board: projected outlines. Shared borders are simplified once, so that they match."""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import pairwise
from typing import Any

from games import language
from games.data import exists, read_json
from games.diplomacy.boards.board import Board, Chart, FlippableBorder
from games.diplomacy.boards.misfits import read_entry
from games.diplomacy.boards.redraw import reshape
from games.diplomacy.map.background import background_svg, check_background
from games.diplomacy.map.layouts import kept_layout
from games.diplomacy.model import Province
from games.messages import sentence
from games.protocol import Invalid
from games.record import Value, canonical, load, revive

Point = tuple[float, float]

_OUTLINE_FILE = "variants/{}/outline.geojson"
_SIMPLIFY_TOLERANCE = 0.6
"""The most that a simplified line may deviate, in board units."""


@dataclass(frozen=True)
class BorderLine:
    """A line between two provinces, or between a province and the outside (then it has one side)."""

    sides: tuple[Province, ...]
    points: tuple[Point, ...]


class BorderLink(Value, frozen=True):
    """A border in a schematic drawing: a line between two boxes.

    ends: the spots that it connects; on_foot, by_water: whether armies and whether fleets cross it. A line
    from a province to one of its coasts is for neither.
    """

    ends: tuple[Province, Province]
    on_foot: bool
    by_water: bool
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Atlas:
    """The outlines of a board in board units, x to the right and y down.

    rings: the rings of each province, outer ring first; borders: each line once; backdrop: rings of land
    outside the board and of lakes, by name; closed: rings of land on the board that units can't enter, by
    name; rivers, mountains: the courses of rivers and the crests of ranges, by name; links: the borders of a
    schematic drawing; background: SVG that is drawn below and above the provinces.
    """

    rings: Mapping[Province, tuple[tuple[Point, ...], ...]]
    borders: tuple[BorderLine, ...]
    backdrop: Mapping[str, tuple[tuple[Point, ...], ...]]
    closed: Mapping[str, tuple[tuple[Point, ...], ...]]
    rivers: Mapping[str, tuple[Point, ...]]
    mountains: Mapping[str, tuple[Point, ...]]
    links: tuple[BorderLink, ...]
    background: Mapping[str, str]

    @property
    def is_schematic(self) -> bool:
        """Return whether provinces are boxes, with a line for each border."""
        return bool(self.links)


def project(chart: Mapping[str, Any], lon: float, lat: float) -> Point:
    """Return the board position of a place on the earth.

    chart: a map's ``projection``. It is an Albers cone on a sphere, then a magnifier that widens a crowded
    corner (rho: the distance from the cone's tip; f: the strength of the magnifier), then a scale to board
    units.
    """
    low, high = (math.radians(parallel) for parallel in chart["parallels"])
    n = (math.sin(low) + math.sin(high)) / 2
    c = math.cos(low) ** 2 + 2 * n * math.sin(low)

    def rho(latitude: float) -> float:
        return float(chart["R_km"]) * math.sqrt(c - 2 * n * math.sin(math.radians(latitude))) / n

    turned = n * math.radians(lon - chart["origin_lon"])
    x = rho(lat) * math.sin(turned)
    y = rho(chart["origin_lat"]) - rho(lat) * math.cos(turned)
    lens = chart["magnifier"]
    dx, dy = x - lens["cx"], y - lens["cy"]
    f = lens["k"] * math.exp(-(dx * dx + dy * dy) / (2 * lens["s"] ** 2))
    return (x + f * dx - chart["x0"]) * chart["scale"], (chart["y1"] - y - f * dy) * chart["scale"]


def atlas(board: Board) -> Atlas:
    """Return the shapes of a board, from the outline beside its map. Raises Invalid if that can't be read.

    An outline without a projection is in board units.
    """
    chart = board.chart
    return _atlas(_shapes_of(chart), canonical(chart.projection), chart.turned)


def atlas_key(chart: Chart) -> bytes:
    """Return the part of a chart that affects its shapes, in bytes."""
    return _atlas_key(_shapes_of(chart), canonical(chart.projection), chart.turned)


def _atlas_key(shapes: bytes, projection: bytes, turned: tuple[FlippableBorder, ...]) -> bytes:
    return canonical((sha256(shapes).hexdigest(), load(Any, projection), turned))


# The check of a new outline.


_MAX_SHEETS_OFF = 5
"""The farthest that a point may be from the sheet, in sheets."""
_GEOMETRIES: Mapping[str, Any] = {
    "Polygon": list[list[list[float]]],
    "MultiPolygon": list[list[list[list[float]]]],
    "LineString": list[list[float]],
}
"""The types of shapes, each with the type of its coordinates."""


class _Shape(Value, frozen=True):
    type: str
    coordinates: list[Any]


class _Properties(Value, frozen=True):
    id: str


class _Feature(Value, frozen=True):
    properties: _Properties
    geometry: _Shape


class _OutlineFile(Value, frozen=True):
    features: list[_Feature]
    backdrop: dict[str, _Shape] = {}
    closed: dict[str, _Shape] = {}
    rivers: dict[str, _Shape] = {}
    mountains: dict[str, _Shape] = {}
    background: dict[str, Any] = {}


class _Magnifier(Value, frozen=True):
    cx: float
    cy: float
    k: float
    s: float


class _Projection(Value, frozen=True):
    parallels: tuple[float, float]
    R_km: float  # as in the file
    origin_lon: float
    origin_lat: float
    magnifier: _Magnifier
    x0: float
    y1: float
    scale: float


def check_outline(board: Board) -> None:
    """Raise Invalid for an outline that can't be drawn, with the entry and the remedy."""
    chart, file = board.chart, "outline.geojson"
    if chart.projection:
        read_entry(_Projection, chart.projection, "map.json: projection")
    outline = read_entry(_OutlineFile, load(dict[str, Any], _shapes_of(chart)), file)
    seen: set[str] = set()
    for number, feature in enumerate(outline.features):
        place, where = feature.properties.id, f"{file}: features[{number}]"
        if place not in board.places:
            why = sentence("diplomacy.variants.shape_of_none", province=place)
            raise Invalid(
                f"{where}: properties: id", why, sentence("diplomacy.variants.add_province", province=place)
            )
        if place in seen:
            why = sentence("diplomacy.variants.shape_twice", province=place)
            raise Invalid(f"{where}: properties: id", why, sentence("diplomacy.variants.join_shapes"))
        seen.add(place)
        _check_shape(chart, feature.geometry, f"{where} ({place}): geometry", ("Polygon", "MultiPolygon"))
    if missing := [at for at in board.places if at not in seen]:
        why = sentence("diplomacy.variants.no_shape", places=language.join_list(missing, "or"))
        raise Invalid(file, why, sentence("diplomacy.variants.draw_all", file=file))
    for part, elements in outline.background.items():
        check_background(elements, f"{file}: background: {part}")
    for sort in ("backdrop", "closed", "rivers", "mountains"):
        kinds = ("Polygon", "MultiPolygon") if sort in ("backdrop", "closed") else ("LineString",)
        for name, shape in getattr(outline, sort).items():
            if sort != "backdrop" or shape.coordinates:
                _check_shape(chart, shape, f"{file}: {sort}: {name}", kinds)


def _check_shape(chart: Chart, shape: _Shape, where: str, kinds: Sequence[str]) -> None:
    """Raise Invalid for a shape of another type, with too few points, or with a point far off the sheet."""
    if shape.type not in kinds:
        why = sentence("diplomacy.variants.shape_type", type=shape.type)
        remedy = sentence("diplomacy.variants.draw_shape", types=language.join_list(kinds, "or"))
        raise Invalid(f"{where}: type", why, remedy)
    where = f"{where}: coordinates"
    read_entry(_GEOMETRIES[shape.type], shape.coordinates, where)
    is_line = shape.type == "LineString"
    rings = (
        [shape.coordinates] if is_line else _rings_of({"type": shape.type, "coordinates": shape.coordinates})
    )
    if not rings:
        raise Invalid(
            where, sentence("diplomacy.variants.no_rings"), sentence("diplomacy.variants.draw_ring")
        )
    for ring in rings:
        points = {_point_on_sheet(chart, point, where) for point in ring}
        if len(points) < (2 if is_line else 3):
            raise Invalid(
                where, sentence("diplomacy.variants.few_points"), sentence("diplomacy.variants.draw_ring")
            )
        if not is_line and ring[0] != ring[-1]:
            why = sentence("diplomacy.variants.ring_is_open", point=ring[0])
            raise Invalid(where, why, sentence("diplomacy.variants.close_ring"))


def _point_on_sheet(chart: Chart, point: Sequence[float], where: str) -> Point:
    """Return the place of a point in board units. Raises Invalid if it has none, or far off the sheet."""
    try:
        lon, lat, *_height = point
        x, y = project(chart.projection, lon, lat) if chart.projection else (lon, lat)
        at = round(x, 1), round(y, 1)
    except (ValueError, ArithmeticError, TypeError) as fault:
        why = sentence("diplomacy.variants.not_a_point", point=list(point))
        raise Invalid(where, why, sentence("diplomacy.variants.write_point")) from fault
    for value, side in zip(at, chart.size, strict=True):
        if not -_MAX_SHEETS_OFF * side <= value <= (1 + _MAX_SHEETS_OFF) * side:
            width, height = chart.size
            why = sentence("diplomacy.variants.far_off_sheet", point=list(point), width=width, height=height)
            raise Invalid(where, why, sentence("diplomacy.variants.write_on_sheet"))
    return at


def _shapes_of(chart: Chart) -> bytes:
    return canonical(chart.shapes) if chart.shapes else _outline(chart.outline or chart.name)


def is_drawn(board: Board) -> bool:
    """Return whether the board has shapes. A board without shapes has a schematic picture.

    A GM's board may be called like one of ours. It isn't drawn as ours.
    """
    chart = board.chart
    if chart.shapes:
        return True
    if not exists("games.diplomacy", _OUTLINE_FILE.format(chart.outline or chart.name)):
        return False
    return bool(chart.outline) or board.places.keys() <= _places_of(chart.name)


@cache
def _places_of(variant: str) -> frozenset[str]:
    """Return the ids of the provinces of a board in this package that has its own map."""
    raw = read_json("games.diplomacy", f"variants/{variant}/map.json")
    return frozenset(place["id"] for place in raw["provinces"])


@cache
def _outline(variant: str) -> bytes:
    return canonical(read_json("games.diplomacy", _OUTLINE_FILE.format(variant)))


@cache
def _atlas(shapes: bytes, projection: bytes, turned: tuple[FlippableBorder, ...]) -> Atlas:
    key = _atlas_key(shapes, projection, turned)
    return kept_layout("atlas", Atlas, key, lambda: _compute_atlas(shapes, projection, turned))


def compute_atlas(board: Board) -> Atlas:
    """Return the same as `atlas`, without anything that is kept."""
    chart = board.chart
    return _compute_atlas(_shapes_of(chart), canonical(chart.projection), chart.turned)


def _compute_atlas(shapes: bytes, projection: bytes, turned: tuple[FlippableBorder, ...]) -> Atlas:
    drawn = _project_shapes(shapes, projection)
    rings = reshape(drawn.rings, turned) if turned else drawn.rings
    lines = _borders(rings)
    kept = {point for border in lines for point in border.points}
    return Atlas(
        rings={
            province: tuple(tuple(point for point in ring if point in kept) for ring in several)
            for province, several in rings.items()
        },
        borders=tuple(lines),
        **drawn.others,
    )


@dataclass(frozen=True)
class _Projected:
    """An outline in board units before borders are flipped. others: the other parts of an atlas."""

    rings: dict[Province, list[list[Point]]]
    others: dict[str, Any]


@cache
def _project_shapes(shapes: bytes, projection: bytes) -> _Projected:
    outline = load(dict[str, Any], shapes)
    chart = load(dict[str, Any], projection)
    placed: dict[tuple[float, float], Point] = {}

    def ring(coordinates: Iterable[Sequence[float]]) -> list[Point]:
        points = []
        for lon, lat, *_height in coordinates:
            at = (lon, lat)
            if at not in placed:
                x, y = project(chart, lon, lat) if chart else at
                placed[at] = (round(x, 1), round(y, 1))
            points.append(placed[at])
        return points

    rings = {
        Province(feature["properties"]["id"]): [ring(part) for part in _rings_of(feature["geometry"])]
        for feature in outline["features"]
    }
    others: dict[str, Any] = {
        sort: {
            name: tuple(tuple(simplify_line(ring(part))) for part in _rings_of(shape))
            for name, shape in outline.get(sort, {}).items()
        }
        for sort in ("backdrop", "closed")
    }
    for kind in ("rivers", "mountains"):
        lines = outline.get(kind, {}).items()
        others[kind] = {name: tuple(simplify_line(ring(line["coordinates"]))) for name, line in lines}
    others["background"] = {
        part: background_svg(outline.get("background", {}).get(part, ()), f"{part}-")
        for part in ("below", "above")
    }
    others["links"] = tuple(revive(BorderLink, link) for link in outline.get("links", ()))
    return _Projected(rings, others)


def _rings_of(shape: Mapping[str, Any]) -> Iterable[Sequence[Sequence[float]]]:
    """Return the rings of a polygon, or of several."""
    several = shape["coordinates"] if shape["type"] == "MultiPolygon" else (shape["coordinates"],)
    return [ring for polygon in several for ring in polygon]


def path(rings: Iterable[Sequence[Point]], *, closed: bool = True) -> str:
    """Return rings or lines as the ``d`` of an SVG path, in relative steps with one decimal."""
    parts = []
    for ring in rings:
        x, y = (round(value * 10) for value in ring[0])
        steps = []
        start = _tenths((x, y))
        for point in ring[1:]:
            nx, ny = (round(value * 10) for value in point)
            if (nx, ny) != (x, y):
                steps += [nx - x, ny - y]
                x, y = nx, ny
        parts.append(f"M{start}l{_tenths(steps)}{'z' if closed else ''}")
    return "".join(parts)


def simplify_line(line: Sequence[Point]) -> list[Point]:
    """Return a line without the points close to the chord of their neighbours (Douglas and Peucker)."""
    if len(line) < 3:
        return list(line)
    (ax, ay), (bx, by) = line[0], line[-1]
    length = math.hypot(bx - ax, by - ay)

    def away(point: Point) -> float:
        if length == 0:
            return math.hypot(point[0] - ax, point[1] - ay)
        return abs((bx - ax) * (ay - point[1]) - (ax - point[0]) * (by - ay)) / length

    far = max(range(1, len(line) - 1), key=lambda place: away(line[place]))
    if away(line[far]) <= _SIMPLIFY_TOLERANCE:
        return [line[0], line[-1]]
    return simplify_line(line[: far + 1])[:-1] + simplify_line(line[far:])


def _borders(rings: Mapping[Province, Sequence[Sequence[Point]]]) -> list[BorderLine]:
    """Return each stretch of outline between two corners once, simplified. A corner has other sides."""
    sides: dict[frozenset[Point], tuple[Province, ...]] = {}
    ways: dict[Point, dict[Point, None]] = {}
    for province, several in rings.items():
        for ring in several:
            for a, b in pairwise(ring):
                if a != b:
                    edge = frozenset((a, b))
                    sides[edge] = (*sides.get(edge, ()), province)
                    ways.setdefault(a, {})[b] = None
                    ways.setdefault(b, {})[a] = None

    def is_corner(point: Point) -> bool:
        around = {sides[frozenset((point, other))] for other in ways[point]}
        return len(ways[point]) != 2 or len(around) > 1

    corners = dict.fromkeys(filter(is_corner, ways))
    done: set[frozenset[Point]] = set()
    lines = []
    for start in (*corners, *ways):
        for second in ways[start]:
            if frozenset((start, second)) not in done:
                line = _follow(start, second, ways, corners, done)
                lines.append(
                    BorderLine(sides=sides[frozenset((start, second))], points=tuple(simplify_line(line)))
                )
    return lines


def _follow(
    start: Point,
    second: Point,
    ways: Mapping[Point, Iterable[Point]],
    corners: Container[Point],
    done: set[frozenset[Point]],
) -> list[Point]:
    line = [start, second]
    done.add(frozenset((start, second)))
    while line[-1] not in corners and line[-1] != start:
        ahead = [other for other in ways[line[-1]] if frozenset((line[-1], other)) not in done]
        if not ahead:
            break
        done.add(frozenset((line[-1], ahead[0])))
        line.append(ahead[0])
    return line


def _tenths(values: Sequence[int]) -> str:
    """Return tenths for an SVG path. A minus sign separates two numbers as a blank does."""
    parts = []
    for value in values:
        whole, tenth = divmod(abs(value), 10)
        number = f"{whole or ''}.{tenth}" if tenth else f"{whole}"
        parts.append(f"-{number}" if value < 0 else f" {number}")
    return "".join(parts).lstrip()
