"""The contents of board.svg: shapes, colours, pieces and lines, as plain values in board units."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import ceil, floor
from typing import Any

from games.diplomacy.boards.board import Board, Chart, compile_board
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.map.colours import CLOSED, GROUND_COLOURS, RANGE_COLOUR, RIVER_COLOUR, hatch, ink, pale
from games.diplomacy.map.dislodged_places import second_place
from games.diplomacy.map.front import crowded_window, front_window
from games.diplomacy.map.labels import province_labels
from games.diplomacy.map.marks import lost_units, map_marks
from games.diplomacy.map.order_arrows import OrderLine, middle
from games.diplomacy.map.outlines import BorderLine, atlas, path
from games.diplomacy.map.patterns import hatch_path
from games.diplomacy.map.rows import Box
from games.diplomacy.map.sizes import sizes, unit_scale
from games.diplomacy.map.strokes import holding, order_lines, retreat_lines
from games.diplomacy.map.terrain import terrain
from games.diplomacy.model import NEUTRAL, Build, Destroy, Disband, Province, State, Unit
from games.diplomacy.phrases import UNIT_KIND_NAMES, unit_title
from games.protocol import Seat
from games.protocol.optional import MapRegion
from games.record import load, plain

_MAX_LEGEND_ROWS = 9
"""For so many nations there is room in the legend."""
_NEUTRAL_COLOUR = "#a9a49b"
_SWATCH = (((0.0, -13.0), (36.0, -13.0), (36.0, 13.0), (0.0, 13.0)),)
"""What the legend shows of a nation's land."""
_MAX_MARK_REACH = 60
"""No piece or mark reaches further."""


def zoomed_scene(
    board: Board, state: State, events: Sequence[AnyEvent], seat: Seat | None
) -> dict[str, Any] | None:
    """Return the context of board.svg for the front of a power; window: its left, top, right and bottom.

    None where that would be nearly the whole board. seat None: the crowded part of the board.
    """
    close_up = crowded_window(board) if seat is None else front_window(board, state, events, seat)
    if close_up is None:
        return None
    zoom, window = close_up
    drawn = scene(board.closer(zoom), state, events)
    for key in ("held", "frontiers", "strokes", "ways"):
        drawn[key] = [item for item in drawn[key] if _meets(item["box"], window)]
    for key in ("centres", "units", "gone", "holds", "canoes", "hulls", "dice", "taboo"):
        drawn[key] = [
            item
            for item in drawn[key]
            if _meets(_padded_box([(item["x"], item["y"])], _MAX_MARK_REACH), window)
        ]
    return {
        **drawn,
        "window": window,
        "sheets": _visible_sheets(board, drawn["sheets"], window),
        "extras": (),
        "figures": (),
    }


def spots(board: Board, state: State) -> tuple[MapRegion, ...]:
    """The provinces of a board in a position, by the shapes that board.svg draws."""
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


def _visible_sheets(board: Board, sheets: Mapping[str, Any], window: Box) -> dict[str, Any]:
    """Return the part of the sheets that a part of the board shows. Names that would be cut are left out."""
    lines = [line for line, box in _boxed_borders(board.key) if _meets(box, window)]
    return {
        **sheets,
        "provinces": [
            province for province in sheets["provinces"] if _meets(sheets["boxes"][province["id"]], window)
        ],
        "coast": path([line.points for line in lines if not _is_inner(board, line.sides)], closed=False),
        "inner": path([line.points for line in lines if _is_inner(board, line.sides)], closed=False),
        "names": [name for name in sheets["names"] if _is_whole(name["boxes"], window)],
    }


def _meets(box: str, window: Box) -> bool:
    left_edge, top, right, low = map(int, box.split())
    return left_edge < window[2] and right > window[0] and top < window[3] and low > window[1]


def _is_whole(boxes: Sequence[Box], window: Box) -> bool:
    left_edge, top, right, low = window
    return all(box[0] >= left_edge and box[1] >= top and box[2] <= right and box[3] <= low for box in boxes)


def scene(board: Board, state: State, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """Return the context of board.svg for a position and what led to it; all of it is public.

    Shapes come as SVG path data. Keys: title, width, height; sheets: what never changes on this board (see
    `_sheets`); held: the land that is somebody's (id, box, fill, holder, lines: its pattern, ink: the
    colour of that); frontiers; k: the size of pieces; centres; units; gone; holds; strokes; ways: where
    dislodged units may go; legend; and those of `map_marks`. A box says where a thing is drawn: left, top,
    right, bottom.
    """
    fixed = _fixed_shapes(board.key)
    holders, hatches = _land_holders(board, state), _hatches(board)
    rings = atlas(board).rings
    tints = _tints(board, state, holders)
    sheets = _sheets(board)

    return {
        "title": board.chart.title,
        "window": None,
        "width": board.chart.size[0],
        "height": board.chart.size[1],
        "sheets": sheets,
        "held": [
            {
                "id": at,
                "box": fixed["boxes"][at],
                "fill": tints[at],
                "holder": holders[at],
                "lines": hatch_path(rings[at], hatches[holders[at]]),
                "ink": ink(board.powers[holders[at]]),
            }
            for at in board.in_board_order(tints)
        ],
        "frontiers": _frontiers(board, tints),
        "k": unit_scale(board),
        "disc": sizes(board).centre,
        "letter": next(iter(board.powers.values())).letter,
        "centres": [_centre(board, state, centre) for centre in board.centres],
        "units": [*_units(board, state, events)],
        "gone": [*_gone_units(board, state, events)],
        "holds": [{"x": x, "y": y} for x, y in holding(board, events)],
        "strokes": [_with_colour(board, line) for line in order_lines(board, events, state.beaten)],
        "ways": [_with_colour(board, line) for line in retreat_lines(board, state.beaten)],
        **map_marks(board, state, events),
        "legend": (legend := _legend(board, state)),
        "figures": [*_figures(sheets, legend)] if sheets["table"] else [],
    }


def _sheets(board: Board) -> dict[str, Any]:
    """Return the contents of sheets.svg, drawn once for each key: ground, lines and names, the legend.

    Keys: key; width, height, k; ground: colours by kind; provinces (id, path, kind); offboard, lakes,
    coast, inner; names; those of `terrain`, and river, range, shut: the colours of that; nations: the rows
    of the legend; table: where they begin, None if there are too many; notes: the signs, and notes_top:
    where they begin.
    """
    notes, nations = _legend_notes(board), _nations(board)
    top = board.chart.size[1] - 30 - (30 * len(notes) + 12)
    return {
        "key": board.seal,
        **_fixed_shapes(board.key),
        "width": board.chart.size[0],
        "height": board.chart.size[1],
        "k": unit_scale(board),
        "ground": GROUND_COLOURS,
        "river": RIVER_COLOUR,
        "range": RANGE_COLOUR,
        "shut": CLOSED,
        "nations": nations,
        "table": top - 12 - (38 + 30 * len(nations)) if len(nations) <= _MAX_LEGEND_ROWS else None,
        "notes": notes,
        "notes_top": top,
    }


def _with_colour(board: Board, line: OrderLine) -> dict[str, Any]:
    return {**line.template_values(), "colour": ink(board.powers[Seat(line.power)])}


@cache
def _fixed_shapes(chart: bytes) -> dict[str, Any]:
    """Return the shapes and names of a board, which are the same in every position."""
    board = compile_board(plain(load(Chart, chart)))
    shapes = atlas(board)
    coast = [line.points for line in shapes.borders if not _is_inner(board, line.sides)]
    inner = [line.points for line in shapes.borders if _is_inner(board, line.sides)]
    return {
        "boxes": {
            place: _padded_box([point for ring in rings for point in ring])
            for place, rings in shapes.rings.items()
        },
        "offboard": path(shapes.backdrop.get("offboard_land", ())),
        "lakes": path(shapes.backdrop.get("decorative_lakes", ())),
        "coast": path(coast, closed=False),
        "inner": path(inner, closed=False),
        "provinces": [
            {"id": place.id, "name": place.name, "path": path(shapes.rings[place.id]), "kind": place.kind}
            for place in board.places.values()
        ],
        "names": [_name(board, place) for place in board.places],
        **terrain(board),
    }


def _is_inner(board: Board, sides: tuple[Province, ...]) -> bool:
    return len(sides) == 2 and len({board.is_land(side) for side in sides}) == 1


def _name(board: Board, place: Province) -> dict[str, Any]:
    drawn = province_labels(board)[place]
    return {
        "id": place,
        "number": drawn.number,
        "number_size": drawn.number_size,
        "size": drawn.size,
        "kind": board.places[place].kind,
        "boxes": drawn.boxes,
        "lines": [{"text": text, "x": x, "y": y} for text, (x, y) in zip(drawn.lines, drawn.at, strict=True)],
    }


def _land_holders(board: Board, state: State) -> dict[Province, Seat]:
    """Return each land's holder: a centre's owner, other homes' power, else the nation that stands there."""
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


def _tints(board: Board, state: State, holders: Mapping[Province, Seat]) -> dict[Province, str]:
    """The colour of the land: centres in full by owner; all other land pale."""
    return {
        at: board.powers[owner].colour if at in state.centres else pale(board.powers[owner].colour)
        for at, owner in holders.items()
    }


def _hatches(board: Board) -> dict[Seat, int]:
    """The number of the pattern of each nation's land."""
    return {power.id: hatch(power, number) for number, power in enumerate(board.powers.values())}


def _frontiers(board: Board, tints: Mapping[Province, str]) -> list[dict[str, str]]:
    """The borders between lands of different colour."""
    return [
        border for first, second, border in _land_borders(board.key) if tints.get(first) != tints.get(second)
    ]


@cache
def _land_borders(chart: bytes) -> tuple[tuple[Province, Province, dict[str, str]], ...]:
    """The lines between two lands: both, the path and its box."""
    board = compile_board(plain(load(Chart, chart)))
    return tuple(
        (*line.sides, {"path": path([line.points], closed=False), "box": _padded_box(line.points)})
        for line in atlas(board).borders
        if len(line.sides) == 2 and all(map(board.is_land, line.sides))
    )


@cache
def _boxed_borders(chart: bytes) -> tuple[tuple[BorderLine, str], ...]:
    """All borders, each with its box: every front of a board asks which of them are in it."""
    board = compile_board(plain(load(Chart, chart)))
    return tuple((line, _padded_box(line.points)) for line in atlas(board).borders)


def _padded_box(points: Sequence[tuple[float, float]], room: int = 2) -> str:
    """A box round points, with room for a line along them: left, top, right, bottom."""
    (left_edge, top), (right, low) = (
        (min(x for x, _ in points), min(y for _, y in points)),
        (max(x for x, _ in points), max(y for _, y in points)),
    )
    return f"{floor(left_edge) - room} {floor(top) - room} {ceil(right) + room} {ceil(low) + room}"


def _centre(board: Board, state: State, centre: Province) -> dict[str, Any]:
    owner, drawn = state.centres.get(centre), province_labels(board)[centre]
    (x, y), letter = drawn.centre, board.powers[owner].letter if owner else ""
    if len(letter) > 1:
        # No disc holds three letters: they stand where a unit would, if none does.
        is_free = all(unit.at != centre for unit in state.units)
        (x, y), letter = (drawn.piece, letter) if is_free else (drawn.centre, "")
    return {
        "id": centre,
        "x": x,
        "y": y,
        "letter": letter,
        "colour": ink(board.powers[owner]) if owner else "",
    }


def _units(board: Board, state: State, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Yield the units where they stand; beaten units that still have to retreat stand aside."""
    built = {
        event.unit.at for event in events if isinstance(event, Resolved) and event.unit and _is_built(event)
    }
    for unit in state.units:
        yield _token(board, unit, "new" if unit.at in built else "")
    for beaten in state.beaten:
        yield _aside(board, beaten.unit, "beaten")


def _is_built(event: Resolved) -> bool:
    return isinstance(event.order, Build) and event.outcome == "built"


def _gone_units(board: Board, state: State, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Yield the units that left the board in this turn, where they stood last."""
    standing = {unit.at: unit.power for unit in state.units}
    departures = [
        Unit(power=event.power, kind=event.unit.kind, at=event.unit.at, coast=event.unit.coast)
        for event in events
        if isinstance(event, Resolved) and event.unit and _has_left(event)
    ]
    for unit in (*departures, *lost_units(events)):
        if standing.get(unit.at) != unit.power:
            yield _aside(board, unit, "gone") if unit.at in standing else _token(board, unit, "gone")


def _has_left(event: Resolved) -> bool:
    """Return whether the unit of an order is gone; with a destruction it is the canoe-fleet."""
    if isinstance(event.order, Destroy):
        return False
    return event.outcome in ("removed", "destroyed", "lost") or isinstance(event.order, Disband)


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


def _aside(board: Board, unit: Unit, state: str) -> dict[str, Any]:
    """A unit at the second place of its province; leads: where a line ends that leads there from outside."""
    second, (x, y) = second_place(board, unit.at), province_labels(board)[unit.at].piece
    return {
        **_token(board, unit, state),
        "x": round(second.at[0], 1),
        "y": round(second.at[1], 1),
        "size": second.size,
        "leads": {"x": x, "y": y, "box": _padded_box([second.at, (x, y)], 8)} if second.outside else None,
    }


def _nations(board: Board) -> list[dict[str, Any]]:
    hatches = _hatches(board)
    return [
        {
            "power": power.id,
            "name": str(power.id),
            "letter": power.letter,
            "colour": power.colour,
            "deep": ink(power),
            "kind": board.walker,
            "lines": hatch_path(_SWATCH, hatches[power.id]),
        }
        for power in board.powers.values()
    ]


def _legend(board: Board, state: State) -> list[dict[str, Any]]:
    centres, units = Counter(state.centres.values()), Counter(unit.power for unit in state.units)
    return [
        {**row, "centres": centres[row["power"]], "units": units[row["power"]]} for row in _nations(board)
    ]


def _figures(sheets: Mapping[str, Any], legend: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the numbers of centres and units of each nation, for the legend."""
    for number, row in enumerate(legend):
        y = sheets["table"] + 44 + 30 * number
        yield {"x": sheets["width"] - 72, "y": y, "text": row["centres"]}
        yield {"x": sheets["width"] - 26, "y": y, "text": row["units"]}


def _legend_notes(board: Board) -> list[dict[str, str]]:
    """Return the meanings of the map's signs."""
    kind = board.kinds[0]
    letter = next(iter(board.powers.values())).letter
    name = UNIT_KIND_NAMES[kind]
    kinds = {called: kind_letter for kind_letter, called in UNIT_KIND_NAMES.items()}
    afloat = "F" in board.kinds
    signs = [
        ("unit", name),
        *[("unit", UNIT_KIND_NAMES[other]) for other in board.kinds[1:]],
        *([("neutral", f"neutral {name}")] if board.neutral else []),
        ("centre", "centre: owned, free"),
        ("move", "moved"),
        ("failed", "failed"),
        ("support", "supported"),
        ("hold", "held"),
        *([("convoy", "convoyed")] if afloat else []),
        ("retreat", "retreated"),
        ("beaten", "dislodged"),
        ("way", "may retreat"),
        ("new", "just built"),
    ]
    return [
        {
            "sign": sign,
            "text": text,
            "kind": kinds.get(text, kind),
            "letter": letter,
            "colour": _NEUTRAL_COLOUR,
        }
        for sign, text in signs
    ]
