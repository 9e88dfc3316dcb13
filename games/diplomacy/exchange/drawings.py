"""Reads a drawing of a board: an SVG with a shape for each province. Everything else is its background.

The geometry is done by shapely, and SVG paths are read by svgelements (the extra `maps`). Nothing here is
needed to play on the board afterwards.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from math import ceil, dist
from typing import Any, Literal
from xml.parsers import expat

from games import language
from games.diplomacy.boards.misfits import read_entry
from games.diplomacy.map.background import DEFINITIONS, STYLES, TAGS, check_background, is_safe_attribute
from games.messages import sentence
from games.protocol import ImportedVariant, ImportNote, Invalid, ProposedBorders
from games.record import Value

SHEET_WIDTH = 1600
"""The width of the sheet, to which each drawing is scaled."""
_SHEET_HEIGHTS = (100, 10_000)
_TOLERANCE = 4.0
"""The widest gap between neighbours that is closed, in units of the sheet."""
_MAX_ELEMENTS, _MAX_DEPTH, _MAX_POINTS = 20_000, 60, 200_000
_GRID = 0.1
"""The unit to which all points are rounded."""
_CURVE_STEP = 5.0
"""The length of the straight parts of a curve, in units of the sheet."""
_MAX_CURVE_PARTS = 60
_MIN_BORDER = 6.0
"""Shapes that share less than this length meet in a corner only."""
_FLEET_INSET = 16.0
"""The distance of a fleet's place from its coast."""
_INKSCAPE = "http://www.inkscape.org/namespaces/inkscape"
_DRAWING_LIBRARIES = ("shapely", "svgelements")
_SHAPES = frozenset({"path", "rect", "polygon", "polyline"})
_SHAPE_LAYERS = frozenset({"provinces", "named-coasts", "unit-positions"})
_OWN_LAYERS = frozenset({"province-names", "supply-centers", "borders"})
"""The layers of a layered drawing that hold what we draw ourselves."""
_UNDRAWN_TAGS = frozenset({"style", "title", "desc", "metadata", "namedview", "defs", "symbol"})
_CIRCLES = frozenset({"circle", "ellipse"})
_UNIT_NAME = re.compile(r"(?:units?[-_:. ]+)?(.*?)(?:[-_:. ]+units?)?", re.IGNORECASE)
_CLOSED_NAME = re.compile(r"closed[-_: ]*(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_STYLE_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")

Point = tuple[float, float]


class _Province(Value, frozen=True, kw_only=True):
    """The entries of a province that a drawing needs, as in map.json."""

    id: str
    name: str
    kind: Literal["land", "sea"]
    abbr: str = ""
    army: list[str] = []
    fleet: list[str] = []
    coasts: dict[str, list[str]] = {}


@dataclass
class _Element:
    """An element of an SVG file."""

    tag: str
    attributes: dict[str, str]
    label: str
    children: list["_Element"] = field(default_factory=list)
    text: str = ""


@dataclass
class _NamedShape:
    """Something that a drawing names. name: the province or the spot, or the land that nobody enters."""

    sort: str
    name: str
    geometry: Any
    position: int


@dataclass
class _Drawing:
    """A drawing in units of the sheet.

    lands: the shape of each province; closed: land that nobody enters; coasts, units: by spot; below, above:
    the background under and over the provinces.
    """

    size: tuple[int, int]
    lands: dict[str, Any]
    closed: dict[str, Any]
    coasts: dict[str, Any]
    units: dict[str, Point]
    below: list[dict[str, Any]]
    above: list[dict[str, Any]]
    notes: list[str]


def read_drawing(board: str, drawing: str, tolerance: float | None = None) -> ImportedVariant:
    """Return map.json with the places of a drawing, outline.geojson, and what wasn't taken. Raises Invalid.

    board, drawing: the texts of map.json and of the SVG file; tolerance: the widest gap between neighbours
    that is closed, in the drawing's own units.
    """
    raw = _read_board(board)
    drawn = _DrawingReader(raw, tolerance).read(drawing)
    _place_names(raw, drawn)
    shapely = import_module("shapely")
    outline: dict[str, Any] = {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"id": place},
                "geometry": json.loads(shapely.to_geojson(shape)),
            }
            for place, shape in drawn.lands.items()
        ],
    }
    if drawn.closed:
        outline["closed"] = {
            name: json.loads(shapely.to_geojson(shape)) for name, shape in drawn.closed.items()
        }
    if drawn.below or drawn.above:
        outline["background"] = {"below": drawn.below, "above": drawn.above}
    notes = tuple(ImportNote(file="", line=0, text=text, changes_play=False) for text in drawn.notes)
    files = {"map.json": _write_board(raw), "outline.geojson": json.dumps(outline, ensure_ascii=False)}
    return ImportedVariant(files=files, notes=notes)


def propose_borders(board: str, drawing: str) -> tuple[ProposedBorders, ...]:
    """Return for each province of map.json the borders that a drawing shows. Raises Invalid."""
    raw = _read_board(board)
    drawn = _DrawingReader(raw, None).read(drawing)
    return tuple(_propose(raw, drawn))


def _read_board(board: str) -> dict[str, Any]:
    try:
        raw = json.loads(board)
        for place in raw["provinces"]:
            read_entry(
                _Province, {name: place[name] for name in _Province.__struct_fields__ if name in place}, ""
            )
        is_empty = not raw["provinces"]
    except (ValueError, RecursionError, KeyError, TypeError, Invalid):
        is_empty = True
    if is_empty:
        why = sentence("diplomacy.drawings.no_provinces")
        raise Invalid("map.json", why, sentence("diplomacy.drawings.write_provinces"))
    return dict(raw)


def _write_board(raw: Mapping[str, Any]) -> str:
    """Return map.json with one province and one power on each line."""
    parts = []
    for key, value in raw.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n    ".join(json.dumps(entry, ensure_ascii=False) for entry in value)
            text = f"[\n    {rows}\n  ]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        parts.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


# XML, read safely.


def _read_svg(text: str) -> _Element:
    """Return the root of an SVG file. Raises Invalid for anything else, and for entities."""
    root: list[_Element] = []
    stack: list[_Element] = []
    count = 0
    parser = expat.ParserCreate(namespace_separator="}")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MAX_ELEMENTS or len(stack) > _MAX_DEPTH:
            raise _fail("too_many_elements", "simplify", number=_MAX_ELEMENTS)
        own = {
            key.rpartition("}")[2]: value
            for key, value in attributes.items()
            if "}" not in key or key.endswith("}href")
        }
        label = attributes.get(f"{_INKSCAPE}}}label") or attributes.get("id", "")
        element = _Element(name.rpartition("}")[2], own, label)
        (stack[-1].children if stack else root).append(element)
        stack.append(element)

    def end(_name: str) -> None:
        stack.pop()

    def characters(data: str) -> None:
        if stack:
            stack[-1].text += data

    def entity(*_declaration: object) -> int:
        raise _fail("has_entities", "save_plain")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = characters, entity
    parser.ExternalEntityRefHandler = entity
    try:
        parser.Parse(text.encode(), True)
    except (expat.ExpatError, UnicodeEncodeError) as fault:
        raise _fail("not_xml", "save_plain", fault=str(fault)) from fault
    if root[0].tag != "svg":
        raise _fail("not_svg", "save_plain", tag=root[0].tag)
    return root[0]


def _fail(why: str, instead: str, **values: Any) -> Invalid:
    return Invalid(
        sentence("diplomacy.drawings.the_drawing"),
        sentence(f"diplomacy.drawings.{why}", **values),
        sentence(f"diplomacy.drawings.{instead}"),
    )


# From elements to shapes.


class _DrawingReader:
    """Reads one drawing for the provinces of a board."""

    def __init__(self, raw: Mapping[str, Any], tolerance: float | None) -> None:
        missing = [name for name in _DRAWING_LIBRARIES if find_spec(name) is None]
        if missing:
            raise _fail("no_library", "install_maps", names=language.join_list(missing))
        self._shapely, self._svg = (import_module(name) for name in _DRAWING_LIBRARIES)
        self._raw, self._tolerance = raw, tolerance
        self._names: dict[str, str] = {}
        for place in raw["provinces"]:
            for name in (place["id"], place.get("abbr", place["id"]), place["name"]):
                self._names.setdefault(_plain(name), place["id"])
                for coast in place.get("coasts", ()):
                    self._names.setdefault(_plain(f"{name} {coast}"), f"{place['id']}/{coast}")
        self._shapes: list[_NamedShape] = []
        self._open: list[str] = []
        self._notes: list[str] = []
        self._styles: dict[str, dict[str, str]] = {}
        self._definitions: list[dict[str, Any]] = []
        self._below: list[dict[str, Any]] = []
        self._above: list[dict[str, Any]] = []
        self._dropped: dict[str, int] = {}
        self._points = 0

    def read(self, text: str) -> _Drawing:
        """Return the drawing of an SVG file. Raises Invalid with all that is missing or open."""
        root = _read_svg(text)
        left_edge, top, width, height = self._view(root)
        self._scale = SHEET_WIDTH / width
        size = SHEET_WIDTH, round(height * self._scale)
        if not _SHEET_HEIGHTS[0] <= size[1] <= _SHEET_HEIGHTS[1]:
            raise _fail("odd_sheet", "draw_wider", width=width, height=height)
        self._origin = left_edge, top
        self._gap = _TOLERANCE if self._tolerance is None else self._tolerance * self._scale
        self._read_styles(root)
        whole = f"scale({self._scale}) translate({-left_edge},{-top})"
        is_layered = len(_SHAPE_LAYERS & {*map(_layer, root.children)}) > 1
        for child in root.children:
            if is_layered and _layer(child) not in _SHAPE_LAYERS:
                self._read_layer(child, whole)
            else:
                self._read_element(child, self._svg.Matrix(whole), "", [{"transform": whole}])
        return self._finish(size)

    def _read_layer(self, layer: _Element, whole: str) -> None:
        """Read a layer without shapes of provinces. Ids in it name nothing."""
        if _layer(layer) in _OWN_LAYERS:
            if layer.children:
                self._notes.append(sentence("diplomacy.drawings.layer_left_out", layer=_layer(layer)))
        elif layer.tag in _UNDRAWN_TAGS:
            self._keep_definitions(layer)
        elif kept := self._keep(layer):
            self._add_background({"tag": "g", "attributes": {"transform": whole}, "children": [kept]})

    def _add_background(self, kept: dict[str, Any]) -> None:
        is_above = any(shape.sort == "land" for shape in self._shapes)
        (self._above if is_above else self._below).append(kept)

    def _keep_definitions(self, element: _Element) -> None:
        if element.tag == "defs":
            kept = [self._keep(child) for child in element.children if child.tag in DEFINITIONS]
            self._definitions += [definition for definition in kept if definition]

    def _view(self, root: _Element) -> tuple[float, float, float, float]:
        """Return the part of the plane that the sheet shows: left, top, width, height."""
        box = [
            float(number)
            for number in re.findall(_NUMBER, root.attributes.get("viewBox", "").replace(",", " "))
        ]
        if len(box) != 4:
            box = [0.0, 0.0, _number(root.attributes.get("width")), _number(root.attributes.get("height"))]
        if not (0 < box[2] < 1e6 and 0 < box[3] < 1e6):
            raise _fail("no_view", "write_view")
        return box[0], box[1], box[2], box[3]

    def _read_styles(self, element: _Element) -> None:
        """Remember simple rules of style sheets: of a tag, a class or an id."""
        if element.tag == "style":
            for names, rules in _STYLE_RULE.findall(element.text):
                for name in names.split(","):
                    self._styles.setdefault(name.strip(), {}).update(_declarations(rules))
        for child in element.children:
            self._read_styles(child)

    def _read_element(
        self, element: _Element, matrix: Any, inside: str, around: Sequence[Mapping[str, str]]
    ) -> None:
        """Read an element and those inside it, as shapes or as background.

        inside: the province whose group it is in; around: the attributes of the groups around it.
        """
        tag = element.tag
        if tag in _UNDRAWN_TAGS:
            self._keep_definitions(element)
            return
        matrix = self._matrix(element) * matrix
        own = self._resolve(element) or inside
        if own and tag in _CIRCLES:
            self._add_unit(own, element, matrix)
        elif own and tag in _SHAPES:
            self._add_shape(own, element, matrix)
        elif tag == "g" and (own or self._has_shapes(element)):
            attributes = (self._keep(element, with_children=False) or {}).get("attributes", {})
            for child in element.children:
                self._read_element(child, matrix, own, [*around, attributes])
        elif kept_element := self._keep(element):
            for attributes in reversed(around):
                kept_element = {"tag": "g", "attributes": {**attributes}, "children": [kept_element]}
            self._add_background(kept_element)

    def _matrix(self, element: _Element) -> Any:
        """Return the transform of an element."""
        try:
            return self._svg.Matrix(element.attributes.get("transform", ""))
        except Exception as fault:  # the library raises what it likes for a transform that is none
            raise _fail("odd_path", "save_plain", name=element.label or element.tag) from fault

    def _has_shapes(self, element: _Element) -> bool:
        """Return whether something inside an element is a province's."""
        return any(self._resolve(child) or self._has_shapes(child) for child in element.children)

    def _resolve(self, element: _Element) -> str:
        """Return what an element's label or id names: a spot, or a land that nobody enters; else ""."""
        for text in (element.label, element.attributes.get("id", "")):
            if found := self._names.get(_plain(text)):
                return found
            name = _UNIT_NAME.fullmatch(text)
            if element.tag in _CIRCLES and name and (found := self._names.get(_plain(name[1]))):
                return found
            if element.tag in (*_SHAPES, "g") and text and (name := _CLOSED_NAME.fullmatch(text)):
                return f"closed:{name[1] or text}"
        return ""

    def _add_unit(self, name: str, element: _Element, matrix: Any) -> None:
        if not name.startswith("closed:"):
            x, y = (_number(element.attributes.get(key, "0")) for key in ("cx", "cy"))
            at = matrix.point_in_matrix_space(self._svg.Point(x, y))
            self._shapes.append(
                _NamedShape("unit", name, (round(at.x, 1), round(at.y, 1)), len(self._shapes))
            )

    def _add_shape(self, name: str, element: _Element, matrix: Any) -> None:
        sort = "closed" if name.startswith("closed:") else "coast" if "/" in name else "land"
        lines = [*self._lines(element, matrix)]
        if not lines:
            return
        shapely = self._shapely
        if sort == "coast":
            shape = shapely.union_all([shapely.LineString(line) for line, _ in lines])
        else:
            shape = shapely.Polygon()
            for line, is_closed in lines:
                gap = dist(line[0], line[-1])
                if not is_closed and gap > self._gap:
                    where = [
                        round(value / self._scale + low, 1)
                        for value, low in zip(line[-1], self._origin, strict=True)
                    ]
                    shown = name.partition(":")[2] or name
                    gap_text = round(gap / self._scale, 1)
                    self._open.append(
                        sentence(
                            "diplomacy.drawings.path_is_open",
                            place=shown,
                            gap=gap_text,
                            x=where[0],
                            y=where[1],
                        )
                    )
                elif len(set(line)) > 2:
                    ring = shapely.make_valid(shapely.Polygon(line))
                    shape = shapely.symmetric_difference(shape, _polygons(shapely, ring))
        self._shapes.append(_NamedShape(sort, name, shape, len(self._shapes)))

    def _lines(self, element: _Element, matrix: Any) -> Iterator[tuple[list[Point], bool]]:
        """Yield the lines of a shape with curves flattened, each with whether it is closed."""
        attributes = element.attributes
        if element.tag == "path":
            text = attributes.get("d", "")
        elif element.tag == "rect":
            x, y, wide, high = (_number(attributes.get(key, "0")) for key in ("x", "y", "width", "height"))
            text = f"M{x},{y}h{wide}v{high}h{-wide}z"
        else:
            text = f"M{attributes.get('points', '')}{'z' if element.tag == 'polygon' else ''}"
        try:
            segments = abs(self._svg.Path(text) * matrix)
        except Exception as fault:  # the library raises what it likes for a path that is none
            raise _fail("odd_path", "save_plain", name=element.label or element.tag) from fault
        line: list[Point] = []
        for segment in segments:
            kind = type(segment).__name__
            if kind == "Move":
                if len(line) > 1:
                    yield line, False
                line = [self._point(segment.end)]
            elif kind == "Close":
                if len(line) > 1:
                    yield [*line, line[0]], True
                line = line[:1]
            elif kind == "Line":
                line.append(self._point(segment.end))
            elif segment.start is not None and segment.end is not None:
                corners = [
                    segment.start,
                    *(getattr(segment, name, None) for name in ("control", "control1", "control2")),
                    segment.end,
                ]
                points = [self._point(corner) for corner in corners if corner is not None]
                length = sum(dist(first, second) for first, second in pairwise(points))
                parts = (
                    _MAX_CURVE_PARTS // 2
                    if kind == "Arc"
                    else min(max(ceil(length / _CURVE_STEP), 2), _MAX_CURVE_PARTS)
                )
                line += [self._point(segment.point(number / parts)) for number in range(1, parts + 1)]
        if len(line) > 1:
            yield line, False

    def _point(self, at: Any) -> Point:
        self._points += 1
        if self._points > _MAX_POINTS:
            raise _fail("too_many_points", "simplify", number=_MAX_POINTS)
        if not (abs(at.x) < 1e6 and abs(at.y) < 1e6):
            raise _fail("far_away", "write_view")
        return round(at.x, 2), round(at.y, 2)

    # The background.

    def _keep(self, element: _Element, *, with_children: bool = True) -> dict[str, Any] | None:
        """Return an element as the background has it, or None for what we don't print."""
        if element.tag not in TAGS:
            self._dropped[element.tag] = self._dropped.get(element.tag, 0) + 1
            return None
        if element.tag in ("text", "tspan") and _plain(_all_text(element)) in self._names:
            self._dropped["name"] = self._dropped.get("name", 0) + 1
            return None
        styles = {**self._styles.get(element.tag, {})}
        for name in element.attributes.get("class", "").split():
            styles |= self._styles.get(f".{name}", {})
        styles |= self._styles.get(f"#{element.attributes.get('id', '')}", {})
        styles |= _declarations(element.attributes.get("style", ""))
        attributes = {**element.attributes, **styles}
        kept: dict[str, Any] = {
            "tag": element.tag,
            "attributes": {
                name: value.strip()
                for name, value in attributes.items()
                if (name in STYLES or name not in styles)
                and is_safe_attribute(element.tag, name, value.strip())
            },
        }
        if element.text.strip() and element.tag in ("text", "tspan"):
            kept["text"] = " ".join(element.text.split())
        if with_children:
            kept["children"] = [child for one in element.children if (child := self._keep(one))]
        return kept

    def _finish(self, size: tuple[int, int]) -> _Drawing:
        """Return the drawing with the shapes joined. Raises Invalid with all that is missing or open."""
        by_sort: dict[str, list[_NamedShape]] = {}
        for shape in self._shapes:
            by_sort.setdefault(shape.sort, []).append(shape)
        drawn = {shape.name for shape in by_sort.get("land", ()) if not shape.geometry.is_empty}
        ids = [place["id"] for place in self._raw["provinces"]]
        missing = [place for place in ids if place not in drawn]
        faults = [*self._open]
        circles = {shape.name for shape in by_sort.get("unit", ())}
        if absent := [place for place in missing if place not in circles]:
            faults.append(sentence("diplomacy.drawings.no_shape", places=language.join_list(absent, "or")))
        if only := [place for place in missing if place in circles]:
            faults.append(sentence("diplomacy.drawings.only_a_circle", places=language.join_list(only)))
        if faults:
            raise Invalid(
                sentence("diplomacy.drawings.the_drawing"),
                "; ".join(faults),
                sentence("diplomacy.drawings.close_or_draw"),
            )
        shapes = [*by_sort.get("land", ()), *by_sort.get("closed", ())]
        try:
            lands = _join_shapes(self._shapely, shapes, self._gap, size)
        except self._shapely.errors.ShapelyError as fault:
            raise _fail("cannot_be_joined", "save_plain", fault=str(fault)) from fault
        if hidden := [place for place in ids if place not in lands]:
            why = sentence("diplomacy.drawings.hidden", places=language.join_list(hidden))
            raise Invalid(
                sentence("diplomacy.drawings.the_drawing"), why, sentence("diplomacy.drawings.move_up")
            )
        for part, number in sorted(self._dropped.items()):
            slug = "names_left_out" if part == "name" else "left_out"
            self._notes.append(sentence(f"diplomacy.drawings.{slug}", part=part, number=number))
        definitions = self._definitions
        below, above = ([*definitions, *part] if part else [] for part in (self._below, self._above))
        for elements in (below, above):
            check_background(elements, sentence("diplomacy.drawings.the_drawing"))
        return _Drawing(
            size=size,
            lands={place: lands[place] for place in ids},
            closed={name[7:]: shape for name, shape in lands.items() if name.startswith("closed:")},
            coasts={shape.name: shape.geometry for shape in by_sort.get("coast", ())},
            units={shape.name: shape.geometry for shape in by_sort.get("unit", ())},
            below=below,
            above=above,
            notes=self._notes,
        )


def _layer(element: _Element) -> str:
    """Return the name of a layer: the id of a group, "" for other elements."""
    return element.attributes.get("id", "") if element.tag == "g" else ""


def _plain(text: str) -> str:
    """Return a name without the signs that ids can't have: ``STP/NC`` and ``stp_nc`` are alike."""
    return " ".join(re.findall(r"[^\W_]+", text)).casefold()


def _number(text: str | None) -> float:
    found = _NUMBER.match(text or "")
    return float(found[1]) if found else 0.0


def _declarations(text: str) -> dict[str, str]:
    pairs = (part.partition(":") for part in text.split(";") if ":" in part)
    return {name.strip(): value.strip() for name, _, value in pairs if name.strip() in STYLES}


def _all_text(element: _Element) -> str:
    return element.text + "".join(_all_text(child) for child in element.children)


# Geometry.


def _polygons(shapely: Any, shape: Any) -> Any:
    """Return the part of a shape that has an area."""
    parts = [part for part in shapely.get_parts(shape) if part.geom_type in ("Polygon", "MultiPolygon")]
    return shapely.union_all(parts) if parts else shapely.Polygon()


def _join_shapes(
    shapely: Any, shapes: Sequence[_NamedShape], gap: float, size: tuple[int, int]
) -> dict[str, Any]:
    """Return the shapes by name, so that neighbours share their borders point by point.

    What is drawn later covers what is below it. Narrow gaps between neighbours go to the
    neighbour with the longest border there.
    """
    seen: dict[str, Any] = {}
    covered = shapely.Polygon()
    for shape in sorted(shapes, key=lambda shape: -shape.position):
        whole = _polygons(shapely, shape.geometry)
        visible = _polygons(shapely, shapely.difference(whole, covered, grid_size=_GRID))
        seen[shape.name] = _polygons(
            shapely, shapely.union(seen.get(shape.name, shapely.Polygon()), visible, grid_size=_GRID)
        )
        covered = _polygons(shapely, shapely.union(covered, whole, grid_size=_GRID))
    seen = {name: shape for name, shape in seen.items() if not shape.is_empty}
    names = [*seen]
    # So far outside the sheet that its edge is no gap.
    room = 10 * gap + 10
    sheet = shapely.box(-room, -room, size[0] + room, size[1] + room)
    empty = shapely.difference(sheet, shapely.union_all([*seen.values()]))
    wide = shapely.buffer(
        shapely.buffer(empty, -gap / 2, join_style="mitre"), gap / 2 + 0.02, join_style="mitre"
    )
    narrow = _polygons(shapely, shapely.difference(empty, wide))
    gaps = [
        part
        for part in shapely.get_parts(narrow)
        if sum(shapely.dwithin(shape, part, 0.15) for shape in seen.values()) > 1
    ]
    narrow = shapely.union_all(gaps) if gaps else shapely.Polygon()
    # Each neighbour gets the half that is near it, and then what is left.
    for reach in (gap / 2 + _GRID, gap + _GRID):
        for name in names:
            claim = _polygons(shapely, shapely.intersection(narrow, shapely.buffer(seen[name], reach)))
            seen[name] = _polygons(shapely, shapely.union(seen[name], claim, grid_size=_GRID))
            narrow = _polygons(shapely, shapely.difference(narrow, claim))
    lines = shapely.union_all([shapely.boundary(shape) for shape in seen.values()], grid_size=_GRID)
    faces: dict[str, list[Any]] = {}
    tree = shapely.STRtree([*seen.values()])
    for face in shapely.get_parts(shapely.polygonize([lines])):
        inside = face.representative_point()
        over = [names[int(number)] for number in tree.query(inside, predicate="intersects")]
        if over:
            faces.setdefault(over[0], []).append(face)
        elif shapely.is_empty(shapely.buffer(face, -gap / 2)) and len(tree.query(face)) > 1:
            faces.setdefault(names[int(tree.query_nearest(face)[0])], []).append(face)
    return {name: shapely.normalize(shapely.union_all(faces[name])) for name in names if name in faces}


def _place_names(raw: dict[str, Any], drawn: _Drawing) -> None:
    """Write the sheet, and the places of names, units and fleets, into map.json."""
    shapely = import_module("shapely")
    raw["size"] = [*drawn.size]
    raw.pop("projection", None)
    for place in raw["provinces"]:
        shape = drawn.lands[place["id"]]
        middle, edge = shapely.get_coordinates(
            shapely.maximum_inscribed_circle(shape, tolerance=1.0)
        ).tolist()
        label, radius = (middle[0], middle[1]), dist(middle, edge)
        if circle := drawn.units.get(place["id"]):
            if shapely.contains(shape, at := shapely.Point(circle)):
                label, radius = circle, shapely.distance(at, shapely.boundary(shape))
            else:
                drawn.notes.append(sentence("diplomacy.drawings.circle_outside", place=place["id"]))
        place["label"], place["radius"] = [round(value, 1) for value in label], round(float(radius), 1)
        place.pop("anchors", None)
        if place.get("coasts"):
            place["anchors"] = {
                coast: _fleet_place(shapely, drawn, place, coast, near)
                for coast, near in place["coasts"].items()
            }


def _fleet_place(
    shapely: Any, drawn: _Drawing, place: Mapping[str, Any], coast: str, near: Sequence[str]
) -> list[float]:
    """Return the place of a fleet on a coast: its circle, beside its line, or where it meets its waters."""
    spot, shape = f"{place['id']}/{coast}", drawn.lands[place["id"]]
    if spot in drawn.units:
        return [*drawn.units[spot]]
    line = drawn.coasts.get(spot)
    if line is None:
        waters = [
            drawn.lands[other.partition("/")[0]] for other in near if other.partition("/")[0] in drawn.lands
        ]
        line = shapely.intersection(shapely.boundary(shape), shapely.union_all(waters)) if waters else None
    if line is None or line.is_empty:
        line = shapely.boundary(shape)
    parts = [part for part in shapely.get_parts(line) if part.geom_type == "LineString"]
    longest = shapely.line_merge(shapely.union_all(parts)) if parts else shapely.boundary(shape)
    longest = max(shapely.get_parts(longest), key=shapely.length)
    x, y = shapely.get_coordinates(longest.interpolate(0.5, normalized=True))[0].tolist()
    inner = shapely.get_coordinates(shapely.maximum_inscribed_circle(shape, tolerance=1.0)).tolist()[0]
    far = dist((x, y), inner) or 1.0
    share = min(_FLEET_INSET / far, 0.5)
    return [round(x + share * (inner[0] - x), 1), round(y + share * (inner[1] - y), 1)]


def _propose(raw: Mapping[str, Any], drawn: _Drawing) -> Iterator[ProposedBorders]:
    """Yield the borders of each province."""
    shapely = import_module("shapely")
    places = {place["id"]: place for place in raw["provinces"]}
    lines: dict[tuple[str, str], Any] = {}
    for here, shape in drawn.lands.items():
        for there, other in drawn.lands.items():
            if here < there and shapely.intersects(shape, other):
                line = shapely.intersection(shapely.boundary(shape), shapely.boundary(other))
                if shapely.length(line) >= _MIN_BORDER:
                    lines[here, there] = lines[there, here] = line
    is_land = {place: entry["kind"] == "land" for place, entry in places.items()}
    seas = [drawn.lands[place] for place in places if not is_land[place]]
    for here, place in places.items():
        near = [there for there in places if (here, there) in lines]
        army = [there for there in near if is_land[here] and is_land[there]]
        # Between two lands, fleets pass where the border meets the water.
        meetings = [
            (there, shapely.intersection(lines[here, there], sea) if there in army else lines[here, there])
            for there in near
            for sea in (seas if there in army else seas[:1])
        ]
        by_water: dict[str, dict[str, None]] = {coast: {} for coast in place.get("coasts") or ("",)}
        for there, meeting in meetings:
            if not meeting.is_empty:
                far = _coasts_at(shapely, drawn, places[there], meeting)
                for coast in _coasts_at(shapely, drawn, place, meeting):
                    by_water[coast] |= dict.fromkeys(_spot(there, other) for other in far)
        fleet = {coast: [*spots] for coast, spots in by_water.items()}
        borders = {"fleet": [], "coasts": fleet} if place.get("coasts") else {"fleet": fleet[""]}
        written = _sets(place.get("coasts") or {"": place.get("fleet", ())})
        same = {*place.get("army", ())} == {*army} and written == _sets(fleet)
        yield ProposedBorders(entry={"id": here, "army": army, **borders}, same=same)


def _sets(spots: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    return {coast: {*near} for coast, near in spots.items()}


def _spot(place: str, coast: str) -> str:
    return f"{place}/{coast}" if coast else place


def _coasts_at(shapely: Any, drawn: _Drawing, place: Mapping[str, Any], line: Any) -> list[str]:
    """Return the coasts of a province that a border touches: all along it, or the nearest."""
    coasts = [*(place.get("coasts") or ())]
    if not coasts:
        return [""]
    far = {}
    for coast in coasts:
        spot = _spot(place["id"], coast)
        known = drawn.coasts.get(spot)
        known = shapely.Point(drawn.units[spot]) if known is None and spot in drawn.units else known
        if known is not None:
            near = shapely.buffer(known, _TOLERANCE)
            shared = shapely.length(shapely.intersection(line, near))
            far[coast] = -shared if shared >= _MIN_BORDER else shapely.distance(known, line)
    along = [coast for coast, value in far.items() if value < 0]
    return along or ([min(far, key=far.__getitem__)] if far else coasts)
