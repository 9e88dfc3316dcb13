"""The contents of board.svg: shapes, colours, pieces and lines, as plain values in board units."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache
from math import ceil, floor
from typing import Any

from games.close_up import CloseUpFrame
from games.colour_vision import LEAST, nearest
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.boards.board import Board, Chart, Power, compile_board
from games.diplomacy.events import AnyEvent, Resolved, StormThrown, TabooBroken
from games.diplomacy.map.dislodged_places import SecondPlace, dislodged_place, second_place
from games.diplomacy.map.labels import (
    CENTRE_DISC_SIZE,
    Box,
    covered_area,
    province_labels,
    sizes,
    square,
    text_width,
)
from games.diplomacy.map.legend import map_legend
from games.diplomacy.map.line_routing import Courses
from games.diplomacy.map.order_arrows import holding, middle, order_lines, retreat_lines
from games.diplomacy.map.outlines import BorderLine, Point, atlas, path
from games.diplomacy.map.patterns import HATCHES, hatch_path
from games.diplomacy.map.terrain import terrain
from games.diplomacy.model import (
    NEUTRAL,
    Build,
    Convoy,
    Destroy,
    Disband,
    Move,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    split_spot,
)
from games.diplomacy.phrases import UNIT_KIND_NAMES, unit_title
from games.messages import sentence
from games.protocol import MapRegion, Seat
from games.record import load, plain

_NEUTRAL_COLOUR = "#a9a49b"
PIN_SIZE = 0.85
"""The size of a centre's mark at the corner of a unit, relative to the usual one."""
_PIN_ABROAD = 1.5
"""What a pin outside its province costs, as a multiple of a quarter of its area."""
_PIN_OFFSETS = (
    ((-18.0, -12.5), (18.0, -12.5), (-18.0, 12.5), (18.0, 12.5), (-22.5, 0.0), (22.5, 0.0)),
    ((-18.0, -18.0), (18.0, -18.0), (-18.0, 14.0), (18.0, 14.0), (-22.0, -6.0), (22.0, -6.0)),
)
"""The places of this mark relative to the middle of a unit of the usual size on land, and of a fleet."""
_SWATCH = (((0.0, -13.0), (36.0, -13.0), (36.0, 13.0), (0.0, 13.0)),)
"""The shape of a power's land in the legend."""


def zoomed_scene(
    board: Board, state: State, events: Sequence[AnyEvent], seat: Seat | None
) -> dict[str, Any] | None:
    """Return the context of board.svg for the front of a power, or None if a close-up would show nearly all.

    If seat is None, return the crowded part for observers. window: left, top, right and bottom of the part.
    """
    close_up = crowded_window(board) if seat is None else front_window(board, state, events, seat)
    if close_up is None:
        return None
    zoom, window = close_up
    return {**_closer_scene(board.closer(zoom), state, events), "window": window}


_closer_scenes: dict[float, tuple[Board, State, Sequence[AnyEvent], dict[str, Any]]] = {}
"""By zoom, the last scene. The close-ups of a turn share it."""


def _closer_scene(board: Board, state: State, events: Sequence[AnyEvent]) -> dict[str, Any]:
    kept = _closer_scenes.get(board.chart.zoom)
    if kept is None or kept[0] is not board or kept[1] is not state or kept[2] != events:
        more = {"zoom": board.chart.zoom, "figures": (), "out": (), "signs": ()}
        drawn = {**scene(board, state, events), **more}
        kept = _closer_scenes[board.chart.zoom] = board, state, events, drawn
    return kept[3]


def spots(board: Board, state: State) -> tuple[MapRegion, ...]:
    """Return the provinces of a board in a position, with the ids of their shapes in board.svg."""
    holders = _land_holders(board, state)
    standing: dict[Province, list[str]] = {}
    for unit in (*state.units, *(beaten.unit for beaten in state.beaten)):
        standing.setdefault(unit.at, []).append(unit_title(board, unit.power, unit))
    return tuple(
        MapRegion(
            at=place.id,
            shape=f"p{place.id}",
            name=place.name,
            owner=holders.get(place.id),
            pieces=tuple(standing.get(place.id, ())),
        )
        for place in board.places.values()
    )


def scene(board: Board, state: State, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the context of board.svg for a position and its last events, all of which are public.

    Shapes are SVG path data; a box is left, top, right and bottom. sheets: what never changes on this board;
    held: owned land (lines, ink: its pattern, if its colour alone doesn't tell whose it is); k: the size of
    pieces; ways: the possible retreats; signs, panel: see `_signs`.
    """
    sheets = _sheets(board)
    held, frontiers = _held_lands(board, state, sheets["boxes"])
    strokes, ways = (
        [{**line.template_values(), "colour": ink(board.powers[Seat(line.power)])} for line in lines]
        for lines in (
            order_lines(board, events, state.beaten, state.units),
            retreat_lines(board, state.beaten, state.units),
        )
    )
    centres, units = Counter(state.centres.values()), Counter(unit.power for unit in state.units)
    legend = [
        {**row, "centres": centres[row["power"]], "units": units[row["power"]]} for row in sheets["nations"]
    ]
    drawn = {
        "units": [*_units(board, state, events)],
        "gone": [*_gone_units(board, state, events)],
        "holds": [{"x": x, "y": y} for x, y in holding(board, events)],
        "strokes": strokes,
        "ways": ways,
        **map_marks(board, state, events),
        "centres": [_centre(board, state, centre) for centre in board.centres],
        "sheets": sheets,
    }
    return {
        "title": board.chart.title,
        "window": None,
        "scale": sheets["scale"],
        "key_scale": sheets["key_scale"],
        "table_scale": sheets["table_scale"],
        "title_at": sheets["title"],
        "width": board.chart.size[0],
        "height": sheets["height"],
        "board_height": board.chart.size[1],
        "note": sentence("diplomacy.map.schematic") if sheets["links"] else "",
        "held": held,
        "frontiers": frontiers,
        "k": sizes(board).unit,
        "disc": sizes(board).centre,
        "coded": sizes(board).coded,
        "pin_size": PIN_SIZE,
        "letter": next(iter(board.powers.values())).letter,
        **drawn,
        "legend": legend,
        **_figures(legend, sheets["table_scale"]),
        **_signs(board, drawn),
    }


def _figures(legend: Sequence[Mapping[str, Any]], scale: float) -> dict[str, Any]:
    """Return the figures of the table (x, y, text), and its rows of powers that are out, which are faint."""
    rows = [row for row in legend if "x" in row]
    gone = [row for row in rows if not row["centres"] + row["units"]]
    columns = (("centres", 196), ("units", 246))
    figures = [
        {"x": row["x"] + right * scale, "y": row["y"], "text": row[key]}
        for row in rows
        if row not in gone
        for key, right in columns
    ]
    word = sentence("diplomacy.map.out")
    figures += [{"x": row["x"] + 246 * scale, "y": row["y"], "text": word} for row in gone]
    out = [
        {
            **{"x": round(row["x"] - 2, 1), "y": round(row["y"] - 14 * scale, 1)},
            **{"width": round(196 * scale), "height": round(28 * scale)},
            "box": _padded_box(
                [(row["x"], row["y"] - 14 * scale), (row["x"] + 196 * scale, row["y"] + 14 * scale)], 4
            ),
        }
        for row in gone
    ]
    return {"figures": figures, "out": out}


def _held_lands(
    board: Board, state: State, boxes: Mapping[Province, str]
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Return the owned lands, and the borders between lands of different colours."""
    holders, rings = _land_holders(board, state), atlas(board).rings
    hatches, look_alike = _hatches(board)
    # The land of a centre has its owner's full colour. All other land is pale, and pale shades are alike.
    tints = {
        at: board.powers[owner].colour if at in state.centres else pale(board.powers[owner].colour)
        for at, owner in holders.items()
    }
    held = [
        {
            "id": at,
            "box": boxes[at],
            "fill": tints[at],
            "holder": holders[at],
            "lines": hatch_path(rings[at], hatches[holders[at]])
            if at not in state.centres or holders[at] in look_alike
            else "",
            "ink": ink(board.powers[holders[at]]),
        }
        for at in board.in_board_order(tints)
    ]
    frontiers = [
        border for first, second, border in _land_borders(board.key) if tints.get(first) != tints.get(second)
    ]
    return held, frontiers


def _sheets(board: Board) -> dict[str, Any]:
    """Return the contents of sheets.svg, which is drawn once for each key.

    Keys: key; zoom, width, height, k; ground: colours by kind; shade: that of the water along coasts;
    provinces (id, path, kind); offboard, lakes; coast, inner, waters: lines; names; those of `terrain`;
    background: SVG below and above the provinces; links (path, kind: foot, water, both or none): the borders
    of a schematic drawing; arrows (x, y, angle, title): at borders that lead one way; signs: of these two,
    for the key; river, range, shut: colours; nations: the rows of the table, with their left ends; strip,
    scale, title, table, abbreviations, legend_box: see `MapLegend`; columns: the left ends of the table's
    columns.
    """
    places, (hatches, look_alike) = map_legend(board), _hatches(board)
    ends = [{"x": x, "y": y} for x, y in places.rows] or [{}] * len(board.powers)
    nations = [
        {
            **end,
            "power": power.id,
            "name": str(power.id),
            "letter": power.letter,
            "colour": power.colour,
            "deep": ink(power),
            "kind": board.walker,
            "lines": hatch_path(_SWATCH, hatches[power.id]) if power.id in look_alike else "",
        }
        for power, end in zip(board.powers.values(), ends, strict=True)
    ]
    return {
        "key": board.seal,
        **_fixed_shapes(board.key),
        "zoom": board.chart.zoom,
        "width": board.chart.size[0],
        "height": places.height,
        "strip": places.strip,
        "scale": places.scale,
        "key_scale": places.key_scale,
        "table_scale": places.table_scale,
        "title": places.title,
        "table": places.table,
        "columns": [x for x, y in places.rows if y == nations[0]["y"]],
        "abbreviations": places.names,
        "legend_box": places.box,
        "k": sizes(board).unit,
        "ground": GROUND_COLOURS,
        "shade": SHADE_COLOUR,
        "river": RIVER_COLOUR,
        "range": RANGE_COLOUR,
        "shut": CLOSED,
        "nations": nations,
    }


_LINK_KINDS = {(True, False): "foot", (False, True): "water", (True, True): "both", (False, False): "none"}


@cache
def _fixed_shapes(chart: bytes) -> dict[str, Any]:
    """Return the shapes and names of a board, which are the same in every position."""
    board = compile_board(plain(load(Chart, chart)))
    shapes, fixed = atlas(board), terrain(board)
    links = [
        {"kind": _LINK_KINDS[link.on_foot, link.by_water], "path": path([link.points], closed=False)}
        for link in shapes.links
    ]
    return {
        "links": links,
        "background": shapes.background,
        "signs": [
            *(["one_way"] if fixed["arrows"] else []),
            *dict.fromkeys(f"link_{link['kind']}" for link in links if link["kind"] != "none"),
        ],
        "boxes": {
            place: _padded_box([point for ring in rings for point in ring])
            for place, rings in shapes.rings.items()
        },
        "offboard": path(shapes.backdrop.get("offboard_land", ())),
        "lakes": path(shapes.backdrop.get("decorative_lakes", ())),
        **_line_paths(board, shapes.borders),
        "provinces": [
            {"id": place.id, "name": place.name, "path": path(shapes.rings[place.id]), "kind": place.kind}
            for place in board.places.values()
        ],
        "names": [_name(board, place) for place in board.places],
        **fixed,
        "coasts": [
            {**one, "box": _text_box(one["x"], one["y"], text_width(one["text"], one["size"]), one["size"])}
            for one in fixed["coasts"]
        ],
    }


def _line_paths(board: Board, lines: Sequence[BorderLine]) -> dict[str, str]:
    """Return the paths of lines by kind: coasts of land, borders between lands, and lines on the water."""
    kinds: dict[str, list[Sequence[Point]]] = {"coast": [], "inner": [], "waters": []}
    for line in lines:
        lands = sum(map(board.is_land, line.sides))
        kinds["waters" if not lands else "inner" if lands == 2 else "coast"].append(line.points)
    return {kind: path(points, closed=False) for kind, points in kinds.items()}


def _name(board: Board, place: Province) -> dict[str, Any]:
    drawn = province_labels(board)[place]
    corners = [corner for box in drawn.boxes for corner in (box[:2], box[2:])]
    return {
        "id": place,
        "number": drawn.number,
        "number_size": drawn.number_size,
        "number_at": drawn.number_at,
        "size": drawn.size,
        "turn": drawn.turn,
        "kind": board.places[place].kind,
        "box": _padded_box(corners) if corners else "",
        "lines": [{"text": text, "x": x, "y": y} for text, (x, y) in zip(drawn.lines, drawn.at, strict=True)],
    }


def _text_box(x: float, y: float, width: float, size: float) -> str:
    """Return the box of a text whose baseline has its middle at a point."""
    return _padded_box([(x - width / 2, y - size), (x + width / 2, y + size / 3)])


def _land_holders(board: Board, state: State) -> dict[Province, Seat]:
    """Return each land's holder: the centre's owner, the unit's power, or the power whose home it is."""
    alive = set(state.centres.values())
    held = {
        home: power.id
        for power in board.powers.values()
        if power.id in alive
        for home in power.homes
        if home not in board.centres
    }
    for unit in state.units:
        if unit.power != NEUTRAL and board.is_land(unit.at) and unit.at not in board.centres:
            held[unit.at] = unit.power
    return {**held, **state.centres}


@cache
def _land_borders(chart: bytes) -> tuple[tuple[Province, Province, dict[str, str]], ...]:
    """Return the lines between two lands, each with both lands, its path and its box."""
    board = compile_board(plain(load(Chart, chart)))
    return tuple(
        (*line.sides, {"path": path([line.points], closed=False), "box": _padded_box(line.points)})
        for line in atlas(board).borders
        if len(line.sides) == 2 and all(map(board.is_land, line.sides))
    )


def _padded_box(points: Sequence[tuple[float, float]], room: int = 2) -> str:
    """Return a box around points, with room for a line along them: left, top, right, bottom."""
    (left_edge, top), (right, low) = (
        (min(x for x, _ in points), min(y for _, y in points)),
        (max(x for x, _ in points), max(y for _, y in points)),
    )
    return f"{floor(left_edge) - room} {floor(top) - room} {ceil(right) + room} {ceil(low) + room}"


def _centre(board: Board, state: State, centre: Province) -> dict[str, Any]:
    owner, drawn = state.centres.get(centre), province_labels(board)[centre]
    (x, y), letter = drawn.centre, board.powers[owner].letter if owner else ""
    unit = next((unit for unit in state.units if unit.at == centre), None)
    is_pin = sizes(board).coded and unit is not None
    if is_pin and unit is not None:
        (x, y), letter = _pin(board, state, unit), ""
    elif len(letter) > 1:
        # Three letters don't fit on a disc, so they take the free place of a unit.
        x, y = drawn.piece
    return {
        "id": centre,
        "pin": is_pin,
        "x": x,
        "y": y,
        "letter": letter,
        "colour": ink(board.powers[owner]) if owner else "",
    }


def _pin(board: Board, state: State, unit: Unit) -> Point:
    """Return the place at a unit with a wide code where its centre's pin covers least of names and pieces."""
    drawn, labels = sizes(board), province_labels(board)
    taken = [box for label in labels.values() for box in label.boxes]
    others = {one.at: middle(board, one.spot) for one in state.units}
    others = {centre: labels[centre].piece for centre in state.centres} | others
    taken += [drawn.around(at) for place, at in others.items() if place != unit.at]
    courses = Courses.of(board)
    half, k = PIN_SIZE * CENTRE_DISC_SIZE / 2 * drawn.centre, drawn.unit
    x, y = middle(board, unit.spot)
    places = [(x + across * k, y + down * k) for across, down in _PIN_OFFSETS[unit.kind == "F"]]

    def cost(place: Point) -> float:
        abroad = 0.0 if courses.contains(unit.at, place) else _PIN_ABROAD * half * half
        return abroad + covered_area((square(place, half),), taken)

    at = min(places, key=cost)
    return round(at[0], 1), round(at[1], 1)


def _units(board: Board, state: State, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Yield the units in their places. Units that have to retreat are aside."""
    built = {
        event.unit.at
        for event in events
        if isinstance(event, Resolved)
        and event.unit
        and isinstance(event.order, Build)
        and event.outcome == "built"
    }
    for unit in state.units:
        yield _token(board, unit, "new" if unit.at in built else "")
    for beaten in state.beaten:
        yield _aside(board, beaten.unit, "beaten", dislodged_place(board, beaten))


def _gone_units(board: Board, state: State, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Yield the units that left the board in this turn, at their last places."""
    standing = {unit.at: unit.power for unit in state.units}
    departures = [
        Unit(power=event.power, kind=event.unit.kind, at=event.unit.at, coast=event.unit.coast)
        for event in events
        if isinstance(event, Resolved)
        and event.unit
        # An order to destroy only concerns a canoe-fleet.
        and not isinstance(event.order, Destroy)
        and (event.outcome in ("removed", "destroyed", "lost") or isinstance(event.order, Disband))
    ]
    departures += [event.unit for event in events if isinstance(event, StormThrown) and event.sunk]
    departures += [
        Unit(power=event.unit.power, kind=event.unit.kind, at=event.at)
        for event in events
        if isinstance(event, TabooBroken)
    ]
    for unit in departures:
        if standing.get(unit.at) != unit.power:
            place = second_place(board, unit.at)
            yield _aside(board, unit, "gone", place) if unit.at in standing else _token(board, unit, "gone")


def _token(board: Board, unit: Unit, state: str) -> dict[str, Any]:
    x, y = middle(board, unit.spot)
    power = board.powers.get(unit.power)
    return {
        "kind": unit.kind,
        "power": unit.power,
        "at": unit.at,
        "name": unit_title(board, unit.power, unit),
        "letter": power.letter if power else "",
        "colour": ink(power) if power else _NEUTRAL_COLOUR,
        "state": state,
        "x": round(x, 1),
        "y": round(y, 1),
        "size": 1.0,
        "leads": None,
    }


def _aside(board: Board, unit: Unit, state: str, second: SecondPlace) -> dict[str, Any]:
    """Return a unit at a second place of its province. leads: the end of the line from a place outside."""
    x, y = province_labels(board)[unit.at].piece
    return {
        **_token(board, unit, state),
        "x": round(second.at[0], 1),
        "y": round(second.at[1], 1),
        "size": second.size,
        "leads": {"x": x, "y": y, "box": _padded_box([second.at, (x, y)], 8)} if second.outside else None,
    }


def _signs(board: Board, drawn: Mapping[str, Any]) -> dict[str, Any]:
    """Return the signs on this map, and the panel for them: sign, text, kind, letter, colour, x, y of each.

    Units and centres are always listed; of the other signs only what is drawn.
    """
    lines = [*drawn["strokes"], *drawn["ways"]]
    present = {"failed" if line["failed"] and line["kind"] == "move" else line["kind"] for line in lines}
    present |= {token["state"] for token in (*drawn["units"], *drawn["gone"])}
    neutral = {token["kind"] for token in drawn["units"] if token["power"] == NEUTRAL}
    present |= {sign for key, sign in _SIGN_OF_MARK.items() if drawn[key]}
    present |= {*drawn["sheets"]["signs"]}
    present |= {"pin" for centre in drawn["centres"] if centre["pin"]}
    first, others = board.kinds[0], board.kinds[1:]
    name = UNIT_KIND_NAMES[first]
    texts = {sign: sentence(f"diplomacy.map.{sign}") for sign in _SIGNS if sign in present}
    rows = [
        ("unit", name, first),
        *(("unit", UNIT_KIND_NAMES[other], other) for other in others),
        *(
            ("neutral", sentence("diplomacy.map.neutral", kind=UNIT_KIND_NAMES[kind]), kind)
            for kind in board.kinds
            if kind in neutral
        ),
        ("centre", sentence("diplomacy.map.centre"), first),
        *((sign, texts[sign], first) for sign in _SIGNS if sign in texts),
    ]
    places, panel = map_legend(board).sign_rows(len(rows))
    letter = next(iter(board.powers.values())).letter
    return {
        "panel": panel,
        "signs": [
            {
                "sign": sign,
                "text": text,
                "kind": kind,
                "letter": letter,
                "colour": _NEUTRAL_COLOUR,
                "x": x,
                "y": y,
            }
            for (sign, text, kind), (x, y) in zip(rows, places, strict=True)
        ],
    }


_SIGNS = (
    "pin",
    *("move", "failed", "support", "guard", "hold", "convoy", "retreat", "beaten", "way", "new", "gone"),
    *("canoe", "hull", "die", "taboo"),
    *("one_way", "link_foot", "link_water", "link_both"),
)
"""The signs that are explained if a map has them, in the order of the legend."""
_SIGN_OF_MARK = {"holds": "hold", "canoes": "canoe", "hulls": "hull", "dice": "die", "taboo": "taboo"}


# The other marks of the map: canoe-fleets, storms and the taboo.


_CANOE_OFFSET = (19.0, 9.0)
"""The place of a canoe-fleet, relative to the unit beside it."""
_HULL_DROP = 6.0
"""The distance of a canoe-fleet below its unit afloat."""
_STORM_DIE_OFFSET = (34.0, -12.0)
"""The place of a storm's die, relative to the middle of the water."""


def map_marks(board: Board, state: State, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the marks of a position and its last events.

    Keys: canoes (x, y, count), hulls (x, y: below units afloat), dice (x, y, number, sunk), taboo (x, y).
    """
    standing, k = {unit.at for unit in state.units}, sizes(board).unit

    def where(spot: Province) -> Point:
        return middle(board, spot)

    return {
        "canoes": [
            {**_at(where(place), _CANOE_OFFSET if place in standing else (0.0, 0.0), k), "count": count}
            for place, count in state.canoes.items()
        ],
        "hulls": [
            _at(where(unit.at), (0.0, _HULL_DROP), k) for unit in state.units if is_afloat(board, unit)
        ],
        "dice": [
            {**_at(where(event.unit.at), _STORM_DIE_OFFSET, k), "number": event.number, "sunk": event.sunk}
            for event in events
            if isinstance(event, StormThrown)
        ],
        "taboo": [_at(where(board.chart.taboo))] if state.taboo and board.chart.taboo else [],
    }


def _at(spot: Point, aside: tuple[float, float] = (0.0, 0.0), k: float = 1.0) -> dict[str, Any]:
    return {"x": round(spot[0] + aside[0] * k, 1), "y": round(spot[1] + aside[1] * k, 1)}


# Close-ups: a power's own front, and the crowded part of the board.


ZOOMS = (3.0, 2.5, 2.0)
"""The scales of a close-up relative to the whole board. The largest that has room is used."""
_FRONT_HEIGHT = 1.0
"""The most height of a close-up, relative to its width."""
_SPOT_RADIUS, _NEIGHBOUR_RADIUS = 78.0, 42.0
"""The radius to show around a province of the front, and around a neighbour, in board units."""
_MIN_FRONT_SHARE = 0.6
"""The least share of a front in a close-up. If less fits in one picture, there is no close-up."""


def front_window(
    board: Board, state: State, events: Sequence[AnyEvent], seat: Seat
) -> tuple[float, Box] | None:
    """Return the zoom and the box of a power's close-up, or None if it would show nearly the whole board.

    The front is the places of the power's units and orders, or its centres if it has none of these. The
    neighbouring provinces are included if there's room.
    """
    places = [unit.at for unit in state.units if unit.power == seat]
    places += [beaten_unit.unit.at for beaten_unit in state.beaten if beaten_unit.unit.power == seat]
    for event in events:
        if not isinstance(event, Resolved) or event.power != seat:
            continue
        order = event.order
        places += [event.unit.at] if event.unit else []
        places += [order.to] if isinstance(order, Move | SupportMove | Convoy) else []
        places += [order.other.at] if isinstance(order, SupportHold | SupportMove | Convoy) else []
    places = places or [centre for centre, owner in state.centres.items() if owner == seat]
    provinces = (split_spot(place)[0] for place in places)
    own = board.in_board_order(province for province in provinces if province in board.places)
    near = board.in_board_order(there for here in own for there in (*board.army[here], *board.fleet[here]))
    frame = CloseUpFrame(size=board.chart.size, zooms=ZOOMS, tall=_FRONT_HEIGHT, most=_MIN_FRONT_SHARE)
    return frame.of(
        [frame.around(board.places[province].label, _SPOT_RADIUS) for province in own],
        [frame.around(board.places[province].label, _NEIGHBOUR_RADIUS) for province in near],
    )


def crowded_window(board: Board) -> tuple[float, Box] | None:
    """Return the window on the part of a board with the most provinces close together."""
    return _crowded_window(board.key)


@cache
def _crowded_window(key: bytes) -> tuple[float, Box] | None:
    board = compile_board(plain(load(Chart, key)))
    frame = CloseUpFrame(size=board.chart.size, zooms=ZOOMS[-1:], tall=_FRONT_HEIGHT)
    return frame.of([frame.around(place.label, _NEIGHBOUR_RADIUS) for place in board.places.values()])


# The colours and patterns of a map.


PARCHMENT = "#f6efdf"
GROUND_COLOURS = {"sea": "#b4d0dc", "land": PARCHMENT}
"""The colours of unowned provinces, by kind, as they are drawn over each other."""
SHADE_COLOUR = "#4f8399"
"""The colour of the water's edge along the coasts."""
RIVER_COLOUR, RANGE_COLOUR = "#7fabc0", "#b09f86"
"""The colours of rivers, and of the peaks of ranges."""
_INK_STRENGTH, _GREY = 0.6, 0.08
"""The least saturation of a shade for counters (HSL), and that below which a colour is grey and stays so."""
CLOSED = {"land": "#dcd6c8", "hatch": "#b3aa9b", "peaks": "#6f665a"}
"""The colours of land that units can't enter."""


def ink(power: Power) -> str:
    """Return the dark shade of a power's counters and lines, which have white letters."""
    return power.ink or deep(power.colour)


def hatch(power: Power, number: int) -> int:
    """Return the number of the pattern of a power's land, from 1. number: the power's position, from 0."""
    return power.hatch or number % len(HATCHES) + 1


def _hatches(board: Board) -> tuple[Mapping[Seat, int], frozenset[Seat]]:
    """Return the pattern of each power, and the powers that their colour alone doesn't tell from others."""
    powers = tuple(board.powers.values())
    alike = _look_alikes(tuple(power.colour for power in powers))
    patterns = {power.id: hatch(power, number) for number, power in enumerate(powers)}
    return patterns, frozenset(powers[number].id for number in alike)


@cache
def _look_alikes(colours: tuple[str, ...]) -> tuple[int, ...]:
    """Return the positions of colours that some eyes take for an earlier one, which isn't listed itself."""
    plain_colours: list[str] = []
    alike = list[int]()
    for number, colour in enumerate(colours):
        if all(nearest(colour, other) >= LEAST for other in plain_colours):
            plain_colours.append(colour)
        else:
            alike.append(number)
    return tuple(alike)


@cache
def deep(colour: str) -> str:
    """Return the saturated shade of a colour's hue on which white letters have a contrast of 5 to 1."""
    hue, light, strength = rgb_to_hls(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    strong = min(max(strength, _INK_STRENGTH), 1.0) if strength > _GREY else strength
    shades = (_hex(hls_to_rgb(hue, light * (1 - share / 40), strong)) for share in range(40))
    return next(shade for shade in shades if luminance(shade) <= 0.16)


def luminance(colour: str) -> float:
    """Return the brightness of a colour, from 0 for black to 1 for white (the sRGB formula)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@cache
def pale(colour: str) -> str:
    """Return the light shade of a power's colour, for land without a supply centre."""
    return mix_colours(colour, PARCHMENT, 0.58)


def mix_colours(colour: str, other: str, share: float) -> str:
    """Return a colour mixed with a share of another."""
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return _hex([(first + share * (second - first)) / 255 for first, second in pairs])


def _hex(parts: Sequence[float]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
