"""The drawing of the map, its close-up, and the points that a player can tap."""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import combinations, pairwise
from math import ceil, dist, floor, inf
from textwrap import wrap
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import model, notation
from games.boer_war.board import Board, board
from games.boer_war.components import Link, MapPoint, Point, Side, link_ends
from games.boer_war.event_text import describe_event, heading
from games.boer_war.events import AnyEvent
from games.boer_war.map_layout import (
    CHART_PACKAGE,
    POINT_HALF_HEIGHT,
    POINT_HALF_WIDTH,
    CounterLayout,
    DrawnPoint,
    LayoutBox,
    MapLayout,
    distance_to_box,
    map_layout,
    name_box,
    region_box,
)
from games.boer_war.model import BOERS, EMPIRE, SIDE_NAMES, SIDES, View
from games.boer_war.phrases import leader_names, place_names, the_side
from games.close_up import Box, CloseUp, CloseUpFrame, bounding_box, is_inside, overlaps
from games.data import read_json
from games.messages import sentence
from games.pool import RoundCounters
from games.protocol import EventPlaces, MapRegion, Seat, SeatColours

BOER_WAR_COLOURS: Mapping[Side, str] = {"boers": "#123b24", "empire": "#c8402f"}
HELD_COLOURS: Mapping[Side, str] = {"boers": "#123b24", "empire": "#e9a08d"}
"""The colours of a side's counters and arrows, and of the points that it holds."""

SEA_COLOUR, NEIGHBOUR_COLOUR = "#d5e5ea", "#e6e6df"
"""The colours of the sea, and of the land around the colonies, where nobody fights."""
REGION_STYLES: Mapping[str, tuple[str, str]] = {
    "cape": ("Cape Colony", "#ecdfc4"),
    "natal": ("Natal", "#e2e5cb"),
    "free state": ("Orange Free State", "#f2ecd9"),
    "transvaal": ("Transvaal", "#e4ddcb"),
}
"""The name and colour of each region, in the order of drawing."""

_NEIGHBOURS_OUTLINE = (
    "M-5-5H1205V600L1119 900L960 1005L690 1085L430 1040L240 1075L71 1168L73 790L40 740L-5 700Z"
)
"""The land with its coasts, below the regions: from Namaqualand around the Cape to Zululand."""

_LAND_JOIN_DISTANCE = 210.0
"""Points of a region are joined by land up to this distance."""

_CHIP_HEIGHT, SIEGE_WIDTH, _FIGHT_SIZE = 26.0, 108.0, (30.0, 30.0)
"""The height of a row of counters, the width of the sign of a siege, and the size of crossed rifles."""

_MAX_SINGLE_COLUMN = 3
"""The counters of a point lie in one column, or in two if there are more than this."""

_OTHER_COLUMNS, _USUAL_DETOUR = (1, 2, 3), 20.0
"""Other numbers of columns, if the usual stack would lie so much farther from its point."""

_STACK_DISTANCE = 56.0
"""Counters without room within this distance from their point lie in two stacks, if these are closer."""

_PANEL_BOXES = (
    (20.0, 10.0, 470.0, 66.0),
    (20.0, 62.0, 600.0, 126.0),
    (20.0, 126.0, 470.0, 160.0),
    (20.0, 160.0, 410.0, 222.0),
    (784.0, 1000.0, 1192.0, 1222.0),
)
"""The boxes of the title with the summary of the war, and of the Action counters."""

_KEY_MARGIN, _KEY_COLUMN, _KEY_ROW, _KEY_COLUMNS = 34.0, 392.0, 41.0, 3
"""The edge of the key, which is below the map, the width of its columns and the height of its rows."""

_STRIP_HEIGHT, _STRIP_ROW_HEIGHT, _STRIP_ROW_STEP = 24, 31, 2
"""The height of the strip below the key, the height of a line, and the number of lines that it grows by."""

_SUMMARY_LETTERS = 34
"""The most characters in a line below the title, at a text size of 24."""

PointForces = Sequence[tuple[Side, str]]
"""The counters of a point, each with its side and text."""

_MAX_CHIPS_PER_POINT = 6
"""The most chips at a point. The last one counts the rest."""


def badges(_view: View) -> dict[str, SeatColours]:
    """Return the colours of the sides' counters and of the points that they hold."""
    return {
        str(seat): SeatColours(ink=BOER_WAR_COLOURS[side], land=HELD_COLOURS[side])
        for side, seat in zip(SIDES, (BOERS, EMPIRE), strict=True)
    }


def board_scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the context of board.svg for a position and the events before it. Everyone may see it.

    Its keys are the title, the size, the lands, roads, rails, marks on links, points with badges, stacks of
    chips and sieges, arrows, fights, the key, the summary of the war and the Action counters of both sides.
    `named` and `names` hold the lands and points that are drawn with their names.
    """
    chart, ground = map_layout(), view.board
    width, height = chart.size
    done = strip_rows(events)
    arrows, placed = [*_boxed_arrows(events, chart)], _place_counters(view, events, chart)
    acted = {passed[-1] for event in events if (passed := [*_points_of(event)])}
    key = [*_key_signs(view, bool(acted), arrows, placed, height)]
    top = round(key[-1]["y"] + _KEY_ROW)
    return {
        "title": "The Second Boer War",
        "window": None,
        "width": width,
        "height": top
        + _STRIP_HEIGHT
        + ceil(len(done) / _STRIP_ROW_STEP) * _STRIP_ROW_STEP * _STRIP_ROW_HEIGHT,
        "map_height": height,
        "key": key,
        "strip_top": top,
        "sea": SEA_COLOUR,
        "neighbours": {"path": _NEIGHBOURS_OUTLINE, "colour": NEIGHBOUR_COLOUR},
        "held": HELD_COLOURS,
        "inks": BOER_WAR_COLOURS,
        "strip": [{**row, "y": top + 34 + _STRIP_ROW_HEIGHT * n} for n, row in enumerate(done)],
        "lands": _land_shapes(),
        "named": _land_shapes(),
        "roads": chart.path(ground.ends(link) for link, way in ground.links.items() if not way.rail),
        "rails": chart.path(ground.ends(link) for link, way in ground.links.items() if way.rail),
        "marks": [*_link_marks(view, chart, ground)],
        "points": (points := [_point_entry(view, place, acted) for place in ground.places.values()]),
        "names": points,
        **placed,
        "arrows": arrows,
        "standing": [*_war_summary(view)],
        "sides": [
            {"name": SIDE_NAMES[side], "counters": _action_counters(view.counters[side])} for side in SIDES
        ],
    }


def _key_signs(
    view: View, has_acted: bool, arrows: Sequence[Mapping[str, Any]], placed: Mapping[str, Any], top: float
) -> Iterator[dict[str, Any]]:
    """Yield the signs on this map with their places in the key, whose upper edge is at a height."""
    present = {
        **dict.fromkeys(("capital", "siege_town", "boers", "empire", "garrison"), True),
        "acted": has_acted,
        "besieged": bool(view.sieges),
        "siege": bool(placed["sieges"]),
        "moved": any(not arrow["failed"] and not arrow["dashes"] for arrow in arrows),
        "repulsed": any(arrow["failed"] for arrow in arrows),
        "retreat": any(arrow["dashes"] for arrow in arrows),
        "fight": bool(placed["fights"]),
        "works": any(view.trenches.values()),
        "target": not view.is_guerrilla,
        "rail": True,
        "cut": bool(view.cuts),
        "blockhouse": bool(view.blockhouses),
        **dict.fromkeys(("hills", "river", "port", "rebel"), True),
        "site": view.is_guerrilla,
        "camp": bool(view.camps),
        "recruited": bool(view.recruited),
        "note": True,
    }
    for number, kind in enumerate(kind for kind, is_there in present.items() if is_there):
        row, column = divmod(number, _KEY_COLUMNS)
        yield {
            "kind": kind,
            "text": sentence(f"boer_war.map.key_{kind}"),
            "x": _KEY_MARGIN + _KEY_COLUMN * column,
            "y": top + _KEY_MARGIN + _KEY_ROW * row,
        }


@cache
def _land_shapes() -> list[dict[str, Any]]:
    """Return the regions, each as thick lines between its points, with the place of its name."""
    chart, ground = map_layout(), board()
    names = read_json(CHART_PACKAGE, "data/chart.json")["lands"]
    shapes = []
    for region, (name, colour) in REGION_STYLES.items():
        inside = [point for point in ground.points if ground.places[point].region == region]
        near = [
            (a, b)
            for a, b in combinations(inside, 2)
            if dist(chart.spots[a].at, chart.spots[b].at) < _LAND_JOIN_DISTANCE
        ]
        x, y = names[name]
        shapes.append({"path": chart.path(near), "colour": colour, "name": name, "x": x, "y": y})
    return shapes


def _link_marks(view: View, chart: MapLayout, ground: Board) -> Iterator[dict[str, Any]]:
    """Yield the cuts and blockhouses. On the same link they are side by side."""
    for kind, links, shift in (("blockhouse", view.blockhouses, 11.0), ("cut", view.cuts, -11.0)):
        for link in links:
            x, y = chart.link_middle(*ground.ends(link))
            both = link in view.blockhouses and link in view.cuts
            yield {"x": round(x + shift, 1) if both else x, "y": y, "kind": kind}


def _point_entry(view: View, place: MapPoint, acted: Set[Point]) -> dict[str, Any]:
    spot = map_layout().spots[place.id]
    kind = "siege_town" if place.is_siege_town else "capital" if "political" in place.flags else ""
    return {
        "code": place.id,
        "name": spot.name,
        "x": spot.at[0],
        "y": spot.at[1],
        "label": spot.label,
        "holder": view.control[place.id],
        "kind": kind,
        "is_besieged": place.id in view.sieges,
        "has_acted": place.id in acted,
        "badges": [*_point_badges(view, place)],
    }


def _point_badges(view: View, place: MapPoint) -> Iterator[dict[str, Any]]:
    """Yield the badges at the corners of a point's box. Each kind has its own corner."""
    if place.terrain != "open":
        yield {"x": -24, "y": -13, "kind": place.terrain}
    if "port" in place.flags:
        yield {"x": -26, "y": -10, "kind": "port"}
    if "rebel" in place.flags:
        yield {"x": -25, "y": 11, "kind": "rebel"}
    if "target" in place.flags and not view.is_guerrilla:
        yield {"x": 25, "y": -13, "kind": "target"}
    if place.id in view.camps:
        yield {"x": 26, "y": 9, "kind": "camp"}
    elif "camp site" in place.flags and view.is_guerrilla:
        yield {"x": 26, "y": 10, "kind": "site"}
    if place.id in view.recruited:
        yield {"x": 26, "y": -12, "kind": "recruited"}
    if _is_entrenched(view, place.id):
        yield {"x": 0, "y": 17, "kind": "works"}


def _place_counters(view: View, events: Sequence[AnyEvent], chart: MapLayout) -> dict[str, Any]:
    """Return the chips, sieges and fights, in places where they cover no name, point or other counter."""
    regions = [region_box(land["name"], land["x"], land["y"]) for land in _land_shapes()]
    points = [box for place in view.board.places.values() for box in _boxes_taken(view, place)]
    spot_centres = [spot.at for spot in chart.spots.values()]
    table = CounterLayout(chart.size, spot_centres, [*_PANEL_BOXES, *regions, *points])
    drawn: dict[str, list[dict[str, Any]]] = {"stacks": [], "sieges": [], "chips": []}
    # The largest stacks first: they have the fewest places.
    here = {point: _shorten([*_chip_texts(view, point)]) for point in view.board.points}
    for point in sorted(here, key=lambda point: (-len(here[point]) - (point in view.sieges), point)):
        if here[point] or point in view.sieges:
            _place_stack(view, point, here[point], table, drawn)
    return {**drawn, "fights": [*_place_fights(events, chart, table)]}


def _boxes_taken(view: View, place: MapPoint) -> Iterator[LayoutBox]:
    """Yield the box of a point with its badges, and the box of its name."""
    spot = map_layout().spots[place.id]
    (x, y), marked = (
        spot.at,
        bool([*_point_badges(view, place)]) or place.is_siege_town or "political" in place.flags,
    )
    wide, high = (36.0, 20.0) if marked else (27.0, 14.0)
    yield x - wide, y - high, x + wide, y + (26.0 if _is_entrenched(view, place.id) else high)
    yield name_box(spot)


def _shorten(here: PointForces) -> PointForces:
    """Return at most so many counters as a stack has. The last one counts the rest."""
    if len(here) <= _MAX_CHIPS_PER_POINT:
        return here
    more = sentence("boer_war.map.more_pieces", count=len(here) - _MAX_CHIPS_PER_POINT + 1)
    return [*here[: _MAX_CHIPS_PER_POINT - 1], (here[-1][0], more)]


def _place_stack(
    view: View,
    point: Point,
    here: PointForces,
    table: CounterLayout,
    drawn: Mapping[str, list[dict[str, Any]]],
) -> None:
    """Add the counters of a point to the drawing: one stack, a siege first, then the Empire, then the Boers.

    All stacks have the same shape: one column, or two for more than three counters, with a line to the point.
    """
    spot, levels = map_layout().spots[point], [view.sieges[point]] if point in view.sieges else []
    while here or levels:
        found = list[tuple[float, int, int, LayoutBox]]()
        # A part of the counters is tried only if all of them have no room nearby.
        for size in dict.fromkeys((len(here), len(here) // 2, 1 - len(levels))):
            if size + len(levels) > 0 and not (found and min(found)[0] <= _STACK_DISTANCE):
                far, columns, box = _find_stack(here[:size], len(levels), table, spot)
                found.append((far, size, columns, box))
        _, size, columns, box = min(found)
        now, later = here[:size], here[size:]
        table.taken.append(box)
        x, top = (box[0] + box[2]) / 2, box[1] + _CHIP_HEIGHT / 2
        drawn["stacks"].append({"box": box, "at": point, "to": _leader_line(box, spot)})
        for level in levels:
            text = sentence("boer_war.map.siege", level=level, most=view.box.places[point].resistance)
            drawn["sieges"].append({"x": x, "y": top, "at": point, "text": text})
            top += _CHIP_HEIGHT
        wide = (box[2] - box[0]) / columns
        for number, (side, text) in enumerate(now):
            row, column = divmod(number, columns)
            in_row = min(columns, len(now) - columns * row)
            drawn["chips"].append(
                {
                    "x": round(x + (column - (in_row - 1) / 2) * wide, 1),
                    "y": round(top + _CHIP_HEIGHT * row, 1),
                    "half": int(wide / 2) - 1,
                    "side": side,
                    "text": text,
                    "at": point,
                }
            )
        here, levels = later, []


def _find_stack(
    here: PointForces, siege_rows: int, table: CounterLayout, spot: DrawnPoint
) -> tuple[float, int, LayoutBox]:
    """Return a stack's distance from its point, its columns and its box: the usual shape, or one much closer.

    The distance is infinite if it has no room.
    """
    wide = max([*(_chip_length(text) for _, text in here), 0.0]) + 2
    usual = 1 if len(here) <= _MAX_SINGLE_COLUMN else 2
    found: list[tuple[float, float, int, LayoutBox]] = []
    for columns in dict.fromkeys((usual, *_OTHER_COLUMNS)):
        if columns > max(len(here), 1):
            continue
        size = (
            max(wide * columns, SIEGE_WIDTH * siege_rows),
            _CHIP_HEIGHT * (ceil(len(here) / columns) + siege_rows),
        )
        box = table.find_place(spot.at, *size, spot.chips)
        if box is not None:
            far = distance_to_box(box, spot.at)
            found.append((far - (_USUAL_DETOUR if columns == usual else 0.0), far, columns, box))
        elif columns == usual:
            fallback = size
    if found:
        return min(found)[1:]
    return inf, usual, table.least_covering_box(spot.at, *fallback, spot.chips)


def _chip_length(text: str) -> float:
    """Return the width of a chip with bold text of size 18."""
    return 16 + sum(6.4 if letter == " " else 14.0 if letter.isupper() else 13.0 for letter in text)


def _leader_line(box: LayoutBox, spot: DrawnPoint) -> tuple[float, float, float, float]:
    """Return the line from a stack to its point."""
    x, y = min(max(spot.at[0], box[0] + 6), box[2] - 6), min(max(spot.at[1], box[1] + 6), box[3] - 6)
    return round(x, 1), round(y, 1), *spot.at


def _is_entrenched(view: View, point: Point) -> bool:
    return any(point in trenches for trenches in view.trenches.values())


def _chip_texts(view: View, point: Point) -> Iterator[tuple[Side, str]]:
    for side in ("empire", "boers"):
        for leader in model.leaders_at(view, point, side):
            yield side, f"{leader} {view.leaders[leader].sp}"
        if side == "empire" and point in view.garrisons:
            yield side, f"+ {view.garrisons[point]}"


def _boxed_arrows(events: Sequence[AnyEvent], chart: MapLayout) -> Iterator[dict[str, Any]]:
    """Yield each arrow with its bounding box."""
    for line in _travel_arrows(events, chart):
        x, y = (line["x1"], line["x2"]), (line["y1"], line["y2"])
        yield {**line, "box": (floor(min(x)) - 14, floor(min(y)) - 14, ceil(max(x)) + 14, ceil(max(y)) + 14)}


def _travel_arrows(events: Sequence[AnyEvent], chart: MapLayout) -> Iterator[dict[str, Any]]:
    """Yield an arrow for each step of a move. Repulsed attacks have no head, and retreats are dashed."""
    for event in events:
        if isinstance(event, event_types.Went):
            for a, b in pairwise(event.path):
                stroke = {**chart.arrow(a, b), "title": arrow_title(event)}
                yield {**stroke, "colour": BOER_WAR_COLOURS[event.side], "failed": False, "dashes": ""}
        elif isinstance(event, event_types.Battle) and event.came is not None:
            stroke = {**chart.arrow(event.came, event.at), "title": arrow_title(event)}
            colour = BOER_WAR_COLOURS[event.attacker.side]
            yield {**stroke, "colour": colour, "failed": not event.won, "dashes": ""}
        elif isinstance(event, event_types.Retreated) and event.beaten:
            stroke = {**chart.arrow(event.at, event.to), "title": arrow_title(event)}
            yield {**stroke, "colour": BOER_WAR_COLOURS[event.side], "failed": False, "dashes": "6 5"}


def _place_fights(
    events: Sequence[AnyEvent], chart: MapLayout, table: CounterLayout
) -> Iterator[dict[str, Any]]:
    """Yield a mark for each point with a battle or skirmish."""
    where = {event.at for event in events if isinstance(event, event_types.Battle | event_types.Skirmish)}
    for point in sorted(where):
        box = table.place_counter(chart.spots[point].at, *_FIGHT_SIZE, "above")
        yield {"x": (box[0] + box[2]) / 2, "y": (box[1] + box[3]) / 2, "at": point}


def _action_counters(counters: RoundCounters) -> list[dict[str, Any]]:
    """Return the eleven Action counters of a side. The key `open` is true for those that are face-up."""
    rows = ((1, counters.ones, 4), (2, counters.twos, 4), (3, counters.threes, 3))
    return [
        {"number": n, "open": place < open_count} for n, open_count, all_ in rows for place in range(all_)
    ]


def _war_summary(view: View) -> Iterator[str]:
    """Yield the lines below the title. The map begins to the right of them."""
    yield sentence("boer_war.map.strength", **{side: view.sp_on_map(side) for side in SIDES})
    if view.is_guerrilla:
        yield sentence("boer_war.map.camps", camps=len(view.camps), recruits=view.recruits)
    else:
        done = sentence("boer_war.map.completed_sieges", towns=place_names(view.fallen))
        yield from wrap(done, _SUMMARY_LETTERS)


# The strip below the map with the events of both sides, the latest last.


MAX_STRIP_LINES = 4
"""The most lines in the strip."""

_LETTERS_PER_LINE = 84
"""The most characters in a line, at a text size of 24."""


def strip_rows(events: Sequence[AnyEvent]) -> list[dict[str, str]]:
    """Return the last lines of the strip. Consecutive lines under the same heading show it once.

    If there isn't room for all of them, the first line counts the earlier ones, which are in the email.
    """
    parts = [
        (heading(event), wrap(text, _LETTERS_PER_LINE)) for event in events if (text := describe_event(event))
    ]
    kept, room = parts, MAX_STRIP_LINES
    while sum(len(lines) for _, lines in kept) > room and len(kept) > 1:
        kept, room = kept[1:], MAX_STRIP_LINES - 1
    rows, last = [], ""
    if len(kept) < len(parts):
        earlier = sentence("boer_war.map.earlier_lines", count=len(parts) - len(kept))
        rows.append({"who": "", "text": earlier})
    for who, lines in kept:
        for line in lines[:room]:
            rows.append({"who": "" if who == last else who, "text": line})
            last = who
    return rows or [{"who": "", "text": sentence("boer_war.map.nothing_done")}]


# Points that a player can tap: their holders, the forces there, and the points of each event.


_TOUCH_MARGIN = 5.0
"""The margin around a drawn point that also reacts to a tap."""

ArrowEvent = event_types.Went | event_types.Battle | event_types.Retreated
"""The events that the map draws arrows for."""

_POINT_FIELDS, _POINTS_FIELDS = ("came", "at", "to"), ("path", "points")
_LINK_FIELDS = ("link", "links")
"""The fields of events and orders with one point, several points, and links."""


def spots(view: View) -> tuple[MapRegion, ...]:
    """Return the areas of all points that a player can tap. At the player's own table there are none."""
    if view.mode == "table":
        return ()
    return tuple(
        MapRegion(
            at=point,
            path=_spot_outlines()[point],
            name=notation.place_name(point),
            owner=the_side(holder) if (holder := view.control.get(point)) else None,
            colour=HELD_COLOURS[holder] if holder else "",
            pieces=tuple(_pieces_at(view, point)),
        )
        for point in view.board.points
    )


def mention(event: AnyEvent) -> EventPlaces | None:
    """Return the points that an event is about, in order, or None. A refused order counts by its points."""
    at = tuple(dict.fromkeys(_points_named(event)))
    if not at:
        return None
    if isinstance(event, ArrowEvent) and (arrow := arrow_title(event)):
        side = event.attacker.side if isinstance(event, event_types.Battle) else event.side
        return EventPlaces(at=at, of=SIDE_NAMES[side], title=arrow)
    return EventPlaces(at=at)


def arrow_title(event: ArrowEvent) -> str:
    """Return the title of an event's arrows in board.svg, or "" if it has no arrows."""
    if isinstance(event, event_types.Battle):
        if event.came is None:
            return ""
        leaders = leader_names(event.attacker.leaders)
        return sentence("boer_war.map.attack", leaders=leaders, start=event.came, at=event.at)
    leaders = leader_names(event.leaders)
    if isinstance(event, event_types.Retreated):
        if not event.beaten:
            return ""
        return sentence("boer_war.map.retreat", leaders=leaders, start=event.at, to=event.to)
    return f"{leaders}: {' - '.join(event.path)}"


@cache
def _spot_outlines() -> dict[Point, str]:
    """Return the outlines of a box around each point and of a box around its name."""
    outlines = {}
    for point in board().points:
        spot = map_layout().spots[point]
        (x, y), wide, high = spot.at, POINT_HALF_WIDTH + _TOUCH_MARGIN, POINT_HALF_HEIGHT + _TOUCH_MARGIN
        outlines[point] = _box_path((x - wide, y - high, x + wide, y + high)) + _box_path(name_box(spot))
    return outlines


def _box_path(box: LayoutBox) -> str:
    x_min, y_min, x_max, y_max = box
    return f"M{x_min:.0f} {y_min:.0f}H{x_max:.0f}V{y_max:.0f}H{x_min:.0f}Z"


def _pieces_at(view: View, point: Point) -> Iterator[str]:
    """Yield the leaders of a point with their strength, the garrison, the siege and the camp."""
    for side in SIDES:
        for leader in model.leaders_at(view, point, side):
            yield sentence(
                "boer_war.map.leader",
                leader=notation.leader_name(leader),
                side=the_side(side),
                sp=view.leaders[leader].sp,
            )
    if point in view.garrisons:
        yield sentence("boer_war.map.garrison", sp=view.garrisons[point])
    if point in view.sieges:
        resistance = view.box.places[point].resistance
        yield sentence("boer_war.map.besieged", level=view.sieges[point], most=resistance)
    if point in view.camps:
        yield sentence("boer_war.map.camp")


def _points_named(event: AnyEvent) -> Iterator[Point]:
    source: Any = event.order if isinstance(event, event_types.Refused) else event
    for field in _POINT_FIELDS:
        if (point := getattr(source, field, None)) in board().points:
            yield point
    for field in _POINTS_FIELDS:
        yield from (point for point in getattr(source, field, ()) if point in board().points)
    for field in _LINK_FIELDS:
        links = getattr(source, field, None) or ()
        for link in (links,) if isinstance(links, str) else links:
            yield from link_ends(Link(link))


# A close-up of the part of the map where a side acted and fought and where its leaders are.


CLOSE_UP_ZOOMS = (3.0, 2.5, 2.15)
"""The magnifications to try. At the lowest one, text of size 18 is 11 pixels high on a phone."""
_MAX_HEIGHT_RATIO = 1.3
_VIEW_AROUND_POINT, _VIEW_AROUND_NEIGHBOUR = 70.0, 45.0
"""The visible distance around a point of the front, and around its neighbours."""
_FIGHT_WEIGHT, _OWN_ACTION_WEIGHT, _PASSED_WEIGHT = 6.0, 6.0, 1.0
"""The weights of points with a fight, of those where an action of the side ended, and of all other points of
its actions and of enemy actions near its pieces. The weight of a leader is the leader's SP.
"""
_COUNTER_EXTENTS = {"chips": (0.0, 13.0), "sieges": (54.0, 13.0), "fights": (15.0, 15.0)}
"""Half the width and height of each kind of counter. Chips have a width of their own."""


def close_up(view: View, seat: Seat, events: Sequence[AnyEvent]) -> dict[str, Any] | None:
    """Return the context of board.svg for the front of a side, or of both for a player who leads both.

    The key `window` is the visible box. Returns None if the side has no leaders on the map and nothing
    happened.
    """
    drawn = board_scene(view, events)
    sides: Sequence[Side] = (
        SIDES if seat not in (BOERS, EMPIRE) else ("boers",) if seat == BOERS else ("empire",)
    )
    counter_boxes = [
        (counter["at"], _counter_box(counter, key)) for key in _COUNTER_EXTENTS for counter in drawn[key]
    ]
    found_window = _find_window(view, sides, events, counter_boxes)
    if found_window is None:
        return None
    window = found_window[1]
    lands = [
        land for land in drawn["lands"] if is_inside(window, region_box(land["name"], land["x"], land["y"]))
    ]
    return {
        **drawn,
        "window": window,
        "named": lands,
        "names": [
            point
            for point in drawn["points"]
            if is_inside(window, _visible_name_box(point["code"]))
            and is_inside(window, _square_box(point, 12))
        ],
        "stacks": [stack for stack in drawn["stacks"] if is_inside(window, stack["box"])],
        "points": [point for point in drawn["points"] if overlaps(window, _square_box(point, 40))],
        "marks": [mark for mark in drawn["marks"] if overlaps(window, _square_box(mark, 14))],
        "arrows": [arrow for arrow in drawn["arrows"] if overlaps(window, arrow["box"])],
        **{
            key: [counter for counter in drawn[key] if is_inside(window, _counter_box(counter, key))]
            for key in _COUNTER_EXTENTS
        },
    }


def _find_window(
    view: View, sides: Sequence[Side], events: Sequence[AnyEvent], counter_boxes: Sequence[tuple[Point, Box]]
) -> CloseUp:
    chart, ground = map_layout(), view.board
    weights = _point_weights(view, sides, events)
    frame = CloseUpFrame(size=chart.size, zooms=CLOSE_UP_ZOOMS, tall=_MAX_HEIGHT_RATIO)
    near = [there for here in weights for there in ground.near[here]]
    shown = {
        point: [_visible_name_box(point), *(box for at, box in counter_boxes if at == point)]
        for point in weights
    }
    return frame.of(
        [
            bounding_box([frame.around(chart.spots[point].at, _VIEW_AROUND_POINT), *shown[point]])
            for point in weights
        ],
        [frame.around(chart.spots[point].at, _VIEW_AROUND_NEIGHBOUR) for point in near],
        [*weights.values()],
    )


def _point_weights(view: View, sides: Sequence[Side], events: Sequence[AnyEvent]) -> dict[Point, float]:
    """Return the weights of the points that matter to sides, in the order of the board."""
    weights = dict.fromkeys(view.board.points, 0.0)
    for side in sides:
        for leader in model.leaders_of(view, side):
            there = view.leaders[leader]
            weights[there.at] += max(there.sp, 1)
    held = {point for point, much in weights.items() if much}
    held |= set(view.garrisons) if "empire" in sides else set()
    own = {leader for side in sides for leader in model.leaders_of(view, side)}
    near = {there for here in held for there in (here, *view.board.near[here])}
    for event in events:
        points = [*_points_of(event)]
        is_own = getattr(event, "side", None) in sides or not own.isdisjoint(getattr(event, "leaders", ()))
        for point in points if is_own else near.intersection(points):
            much = _OWN_ACTION_WEIGHT if is_own and point == points[-1] else _PASSED_WEIGHT
            if isinstance(event, event_types.Battle | event_types.Skirmish):
                much = _FIGHT_WEIGHT
            weights[point] = max(weights[point], much)
    return {point: much for point, much in weights.items() if much}


def _points_of(event: AnyEvent) -> Iterator[Point]:
    """Yield the points of an event: its place, its start, its goal and its path."""
    points = (getattr(event, "at", None), getattr(event, "to", None), *getattr(event, "path", ()))
    yield from (point for point in (*points, *getattr(event, "points", ())) if point in map_layout().spots)


def _visible_name_box(point: Point) -> Box:
    """Return the box of a point's name, cut off at the edges of the map because widths are estimates."""
    x_min, y_min, x_max, y_max = name_box(map_layout().spots[point])
    return max(x_min, 0.0), y_min, min(x_max, float(map_layout().size[0])), y_max


def _counter_box(counter: Mapping[str, Any], key: str) -> Box:
    wide, high = _COUNTER_EXTENTS[key]
    wide = wide or counter["half"] + 2
    return counter["x"] - wide, counter["y"] - high, counter["x"] + wide, counter["y"] + high


def _square_box(entry: Mapping[str, Any], far: float) -> Box:
    return entry["x"] - far, entry["y"] - far, entry["x"] + far, entry["y"] + far
