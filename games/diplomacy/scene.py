"""What board.svg draws: shapes, colours, pieces and lines, as plain values in board units."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import ceil, floor
from typing import Any

from games.diplomacy.atlas import Border, atlas, path
from games.diplomacy.board import Board, Chart, compile_board
from games.diplomacy.colours import CLOSED, GROUND, RANGE, RIVER, hatch, ink, pale
from games.diplomacy.events import AnyEvent, Resolved
from games.diplomacy.front import crowded, front
from games.diplomacy.hatching import hatched
from games.diplomacy.lettering import lettering
from games.diplomacy.marks import lost, marks
from games.diplomacy.model import NEUTRAL, Build, Destroy, Disband, Province, State, Unit
from games.diplomacy.pen import Stroke, middle
from games.diplomacy.phrases import KINDS, drawn_unit
from games.diplomacy.rows import Box
from games.diplomacy.second_places import second_place
from games.diplomacy.sizes import scale, sizes
from games.diplomacy.strokes import holding, strokes, ways_out
from games.diplomacy.terrain import terrain
from games.protocol import Seat
from games.protocol.optional import Spot
from games.record import load, plain

_ROWS = 9
"""For so many nations there is room in the legend."""
_NEUTRAL = "#a9a49b"
_SWATCH = (((0.0, -13.0), (36.0, -13.0), (36.0, 13.0), (0.0, 13.0)),)
"""What the legend shows of a nation's land."""
_FAR = 60
"""No piece or mark reaches further."""


def closer(
    board: Board, state: State, events: Sequence[AnyEvent], seat: Seat | None
) -> dict[str, Any] | None:
    """The context of board.svg for the front of a power; window: its left, top, right and bottom.

    None where that would be nearly the whole board. seat None: the crowded part of the board.
    """
    found = crowded(board) if seat is None else front(board, state, events, seat)
    if found is None:
        return None
    zoom, window = found
    drawn = scene(board.closer(zoom), state, events)
    for key in ("held", "frontiers", "strokes", "ways"):
        drawn[key] = [one for one in drawn[key] if _meets(one["box"], window)]
    for key in ("centres", "units", "gone", "holds", "canoes", "hulls", "dice", "taboo"):
        drawn[key] = [one for one in drawn[key] if _meets(_box([(one["x"], one["y"])], _FAR), window)]
    return {
        **drawn,
        "window": window,
        "sheets": _seen(board, drawn["sheets"], window),
        "extras": (),
        "figures": (),
    }


def spots(board: Board, state: State) -> tuple[Spot, ...]:
    """The provinces of a board in a position, by the shapes that board.svg draws."""
    holders = _holders(board, state)
    standing: dict[Province, list[str]] = {}
    for unit in (*state.units, *(beaten.unit for beaten in state.beaten)):
        standing.setdefault(unit.at, []).append(drawn_unit(board, unit.power, unit))
    return tuple(
        Spot(
            at=place.id,
            shape=f"p{place.id}",
            name=place.name,
            owner=holders.get(place.id),
            pieces=tuple(standing.get(place.id, ())),
        )
        for place in board.places.values()
    )


def _seen(board: Board, sheets: Mapping[str, Any], window: Box) -> dict[str, Any]:
    """What of the sheets is seen of a part of the board. A name that would be cut is left out."""
    lines = [line for line, box in _boxed_borders(board.key) if _meets(box, window)]
    return {
        **sheets,
        "provinces": [one for one in sheets["provinces"] if _meets(sheets["boxes"][one["id"]], window)],
        "coast": path([line.points for line in lines if not _is_inner(board, line.sides)], closed=False),
        "inner": path([line.points for line in lines if _is_inner(board, line.sides)], closed=False),
        "names": [one for one in sheets["names"] if _is_whole(one["boxes"], window)],
    }


def _meets(box: str, window: Box) -> bool:
    left, top, right, low = map(int, box.split())
    return left < window[2] and right > window[0] and top < window[3] and low > window[1]


def _is_whole(boxes: Sequence[Box], window: Box) -> bool:
    left, top, right, low = window
    return all(box[0] >= left and box[1] >= top and box[2] <= right and box[3] <= low for box in boxes)


def scene(board: Board, state: State, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a position and what led to it; all of it is public.

    Shapes come as SVG path data. Keys: title, width, height; sheets: what never changes on this board (see
    `_sheets`); held: the land that is somebody's (id, box, fill, holder, lines: its pattern, ink:
    the colour of that); frontiers; k: the size of pieces; centres; units; gone; holds; strokes; ways: where
    dislodged units may go; legend; and those of `marks`. A box says where a thing is drawn: left, top, right,
    bottom.
    """
    fixed = _fixed(board.key)
    holders, hatches = _holders(board, state), _hatches(board)
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
                "lines": hatched(rings[at], hatches[holders[at]]),
                "ink": ink(board.powers[holders[at]]),
            }
            for at in board.sorted(tints)
        ],
        "frontiers": _frontiers(board, tints),
        "k": scale(board),
        "disc": sizes(board).centre,
        "letter": next(iter(board.powers.values())).letter,
        "centres": [_centre(board, state, centre) for centre in board.centres],
        "units": [*_units(board, state, events)],
        "gone": [*_gone(board, state, events)],
        "holds": [{"x": x, "y": y} for x, y in holding(board, events)],
        "strokes": [_coloured(board, line) for line in strokes(board, events, state.beaten)],
        "ways": [_coloured(board, line) for line in ways_out(board, state.beaten)],
        **marks(board, state, events),
        "legend": (legend := _legend(board, state)),
        "figures": [*_figures(sheets, legend)] if sheets["table"] else [],
    }


def _sheets(board: Board) -> dict[str, Any]:
    """What sheets.svg draws, which is drawn once for each key: the ground, its lines and names, the legend.

    Keys: key; width, height, k; ground: colours by kind; provinces (id, path, kind); offboard, lakes, coast,
    inner; names; those of `terrain`, and river, range, shut: the colours of that; nations: the rows of the
    legend; table: where they begin, None if there are too many; notes: the signs, and notes_top: where they
    begin.
    """
    notes, nations = _notes(board), _nations(board)
    top = board.chart.size[1] - 30 - (30 * len(notes) + 12)
    return {
        "key": board.seal,
        **_fixed(board.key),
        "width": board.chart.size[0],
        "height": board.chart.size[1],
        "k": scale(board),
        "ground": GROUND,
        "river": RIVER,
        "range": RANGE,
        "shut": CLOSED,
        "nations": nations,
        "table": top - 12 - (38 + 30 * len(nations)) if len(nations) <= _ROWS else None,
        "notes": notes,
        "notes_top": top,
    }


def _coloured(board: Board, line: Stroke) -> dict[str, Any]:
    return {**line.told(), "colour": ink(board.powers[Seat(line.power)])}


@cache
def _fixed(chart: bytes) -> dict[str, Any]:
    """The shapes and names of a board, whoever plays on it."""
    board = compile_board(plain(load(Chart, chart)))
    shapes = atlas(board)
    coast = [line.points for line in shapes.borders if not _is_inner(board, line.sides)]
    inner = [line.points for line in shapes.borders if _is_inner(board, line.sides)]
    return {
        "boxes": {
            place: _box([point for ring in rings for point in ring]) for place, rings in shapes.rings.items()
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
    drawn = lettering(board)[place]
    return {
        "id": place,
        "number": drawn.number,
        "number_size": drawn.number_size,
        "size": drawn.size,
        "kind": board.places[place].kind,
        "boxes": drawn.boxes,
        "lines": [{"text": text, "x": x, "y": y} for text, (x, y) in zip(drawn.lines, drawn.at, strict=True)],
    }


def _holders(board: Board, state: State) -> dict[Province, Seat]:
    """Whose land is whose: centres by owner; homes that are none, and other land where somebody stands."""
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
    return [border for one, two, border in _land_borders(board.key) if tints.get(one) != tints.get(two)]


@cache
def _land_borders(chart: bytes) -> tuple[tuple[Province, Province, dict[str, str]], ...]:
    """The lines between two lands: both, the path and its box."""
    board = compile_board(plain(load(Chart, chart)))
    return tuple(
        (*line.sides, {"path": path([line.points], closed=False), "box": _box(line.points)})
        for line in atlas(board).borders
        if len(line.sides) == 2 and all(map(board.is_land, line.sides))
    )


@cache
def _boxed_borders(chart: bytes) -> tuple[tuple[Border, str], ...]:
    """All borders, each with its box: every front of a board asks which of them are in it."""
    board = compile_board(plain(load(Chart, chart)))
    return tuple((line, _box(line.points)) for line in atlas(board).borders)


def _box(points: Sequence[tuple[float, float]], room: int = 2) -> str:
    """A box round points, with room for a line along them: left, top, right, bottom."""
    (left, top), (right, low) = (
        (min(x for x, _ in points), min(y for _, y in points)),
        (max(x for x, _ in points), max(y for _, y in points)),
    )
    return f"{floor(left) - room} {floor(top) - room} {ceil(right) + room} {ceil(low) + room}"


def _centre(board: Board, state: State, centre: Province) -> dict[str, Any]:
    owner, drawn = state.centres.get(centre), lettering(board)[centre]
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
    """Who stands where; beaten units that still have to retreat stand aside."""
    built = {
        event.unit.at for event in events if isinstance(event, Resolved) and event.unit and _built(event)
    }
    for unit in state.units:
        yield _token(board, unit, "new" if unit.at in built else "")
    for beaten in state.beaten:
        yield _aside(board, beaten.unit, "beaten")


def _built(event: Resolved) -> bool:
    return isinstance(event.order, Build) and event.outcome == "built"


def _gone(board: Board, state: State, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """Units that left the board in this turn, where they stood last."""
    standing = {unit.at: unit.power for unit in state.units}
    left = [
        Unit(power=event.power, kind=event.unit.kind, at=event.unit.at, coast=event.unit.coast)
        for event in events
        if isinstance(event, Resolved) and event.unit and _has_left(event)
    ]
    for unit in (*left, *lost(events)):
        if standing.get(unit.at) != unit.power:
            yield _aside(board, unit, "gone") if unit.at in standing else _token(board, unit, "gone")


def _has_left(event: Resolved) -> bool:
    """Whether the unit of an order is gone; of a destruction it is the canoe-fleet that is."""
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
        "name": drawn_unit(board, unit.power, unit),
        "letter": power.letter if power else "",
        "colour": ink(power) if power else _NEUTRAL,
        "state": state,
        "x": round(x, 1),
        "y": round(y, 1),
        "size": 1.0,
        "leads": None,
    }


def _aside(board: Board, unit: Unit, state: str) -> dict[str, Any]:
    """A unit at the second place of its province; leads: where a line ends that leads there from outside."""
    second, (x, y) = second_place(board, unit.at), lettering(board)[unit.at].piece
    return {
        **_token(board, unit, state),
        "x": round(second.at[0], 1),
        "y": round(second.at[1], 1),
        "size": second.size,
        "leads": {"x": x, "y": y, "box": _box([second.at, (x, y)], 8)} if second.outside else None,
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
            "lines": hatched(_SWATCH, hatches[power.id]),
        }
        for power in board.powers.values()
    ]


def _legend(board: Board, state: State) -> list[dict[str, Any]]:
    centres, units = Counter(state.centres.values()), Counter(unit.power for unit in state.units)
    return [
        {**row, "centres": centres[row["power"]], "units": units[row["power"]]} for row in _nations(board)
    ]


def _figures(sheets: Mapping[str, Any], legend: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """How many centres and units each nation has, in the legend."""
    for number, row in enumerate(legend):
        y = sheets["table"] + 44 + 30 * number
        yield {"x": sheets["width"] - 72, "y": y, "text": row["centres"]}
        yield {"x": sheets["width"] - 26, "y": y, "text": row["units"]}


def _notes(board: Board) -> list[dict[str, str]]:
    """What the signs of the map mean."""
    kind = board.kinds[0]
    letter = next(iter(board.powers.values())).letter
    name = KINDS[kind]
    kinds = {called: one for one, called in KINDS.items()}
    afloat = "F" in board.kinds
    signs = [
        ("unit", name),
        *[("unit", KINDS[other]) for other in board.kinds[1:]],
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
        {"sign": sign, "text": text, "kind": kinds.get(text, kind), "letter": letter, "colour": _NEUTRAL}
        for sign, text in signs
    ]
