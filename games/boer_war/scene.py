"""What board.svg draws: points and links, who holds them, leaders, works, what moved and fought."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise
from math import ceil, dist, floor
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import forces
from games.boer_war.atlas import PACKAGE, Atlas, Spot, atlas
from games.boer_war.board import Board, board
from games.boer_war.codes import Point, Side
from games.boer_war.components import Place
from games.boer_war.events import AnyEvent
from games.boer_war.model import SIDE_NAMES, SIDES, View
from games.boer_war.names import ROMAN
from games.boer_war.phrases import places
from games.boer_war.placing import Box, Table, away, name_box, region_box
from games.boer_war.pointing import title
from games.boer_war.strip import strip
from games.data import read_json
from games.pool import Counters

COLOURS: Mapping[Side, str] = {"boers": "#123b24", "empire": "#c8402f"}
HELD: Mapping[Side, str] = {"boers": "#123b24", "empire": "#e9a08d"}
"""The colour of a side's counters and arrows, and of the points that it holds."""

SEA = "#e3ecee"
LANDS: Mapping[str, tuple[str, str]] = {
    "cape": ("Cape Colony", "#ecdfc4"),
    "natal": ("Natal", "#e2e5cb"),
    "free state": ("Orange Free State", "#f2ecd9"),
    "transvaal": ("Transvaal", "#e4ddcb"),
}
"""By region, in the order of drawing: its name and the colour of its land."""

_SPREAD = 210.0
"""Points of a region that lie nearer than that are joined by land."""

_HIGH, _SIEGE, _FIGHT = 26.0, (108.0, 26.0), (30.0, 30.0)
"""Room of a row of chips, of what is told of a siege, and of crossed rifles."""

_COLUMNS = (2, 1, 3)
"""Counters of a point are laid in so many columns, whichever find room first; else each by itself."""

_PANELS = (
    (20.0, 10.0, 470.0, 142.0),
    (470.0, 64.0, 760.0, 92.0),
    (20.0, 142.0, 375.0, 232.0),
    (780.0, 960.0, 1192.0, 1222.0),
)
"""Where the title and the key stand."""

_STRIP, _ROW, _ROWS = 60, 25, 2
"""Room below the map for what was done; the room of a line in it; so many lines it grows by."""

_FAR = 44.0
"""A counter further from its point than that is joined to it by a line."""

Forces = Sequence[tuple[Side, str]]
"""What stands at a point: of which side, and what its counter says."""

_MOST = 6
"""So many chips at most are drawn at a point; the rest become one."""


def scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a position and what led to it; all of it is public.

    Keys: title, width, height; lands, roads, rails, marks on links; points with badges and names; chips of
    leaders and garrisons; sieges; arrows, fights; standing and sides, with their Action counters. named: the
    lands that bear their name, and names: the points.
    """
    chart, ground = atlas(), view.board
    width, height = chart.size
    done = strip(events)
    return {
        "title": "The Second Boer War",
        "window": None,
        "width": width,
        "height": height + _STRIP + ceil(len(done) / _ROWS) * _ROWS * _ROW,
        "map_height": height,
        "sea": SEA,
        "held": HELD,
        "inks": COLOURS,
        "strip": [{**row, "y": height + 62 + _ROW * n} for n, row in enumerate(done)],
        "lands": _lands(),
        "named": _lands(),
        "roads": chart.path(ground.ends(link) for link, way in ground.links.items() if not way.rail),
        "rails": chart.path(ground.ends(link) for link, way in ground.links.items() if way.rail),
        "marks": [*_marks(view, chart, ground)],
        "points": (points := [_point(view, place) for place in ground.places.values()]),
        "names": points,
        **_counters_laid(view, events, chart),
        "arrows": [*_arrows(events, chart)],
        "standing": [*_standing(view)],
        "sides": [
            {"name": SIDE_NAMES[side], "counters": _action_counters(view.counters[side])} for side in SIDES
        ],
    }


@cache
def _lands() -> list[dict[str, Any]]:
    """Each region as thick lines between its points, and where its name stands."""
    chart, ground = atlas(), board()
    names = read_json(PACKAGE, "data/chart.json")["lands"]
    found = []
    for region, (name, colour) in LANDS.items():
        inside = [point for point in ground.points if ground.places[point].region == region]
        near = [
            (a, b) for a, b in combinations(inside, 2) if dist(chart.spots[a].at, chart.spots[b].at) < _SPREAD
        ]
        x, y = names[name]
        found.append({"path": chart.path(near), "colour": colour, "name": name, "x": x, "y": y})
    return found


def _marks(view: View, chart: Atlas, ground: Board) -> Iterator[dict[str, Any]]:
    """Cuts and blockhouses; where both are on a link, side by side."""
    for kind, links, shift in (("blockhouse", view.blockhouses, 11.0), ("cut", view.cuts, -11.0)):
        for link in links:
            x, y = chart.middle(*ground.ends(link))
            both = link in view.blockhouses and link in view.cuts
            yield {"x": round(x + shift, 1) if both else x, "y": y, "kind": kind}


def _point(view: View, place: Place) -> dict[str, Any]:
    spot = atlas().spots[place.id]
    kind = "siege_town" if place.is_siege_town else "capital" if "political" in place.flags else ""
    return {
        "code": place.id,
        "name": spot.name,
        "x": spot.at[0],
        "y": spot.at[1],
        "label": spot.label,
        "holder": view.control[place.id],
        "kind": kind,
        "badges": [*_badges(view, place)],
    }


def _badges(view: View, place: Place) -> Iterator[dict[str, Any]]:
    """What lies at the corners of a point's box: each kind has its own."""
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
    if _is_dug(view, place.id):
        yield {"x": 0, "y": 17, "kind": "works"}


def _counters_laid(view: View, events: Sequence[AnyEvent], chart: Atlas) -> dict[str, Any]:
    """Chips, sieges and fights, each where it covers no name, no point and nothing else."""
    regions = [region_box(land["name"], land["x"], land["y"]) for land in _lands()]
    points = [box for place in view.board.places.values() for box in _taken(view, place)]
    spots = [spot.at for spot in chart.spots.values()]
    table = Table(chart.size, spots, [*_PANELS, *regions, *points])
    sieges = [*_sieges(view, chart, table)]
    return {
        "sieges": sieges,
        "chips": [
            {**chip, "at": point} for point in view.board.points for chip in _chips(view, chart, table, point)
        ],
        "fights": [*_fights(events, chart, table)],
    }


def _taken(view: View, place: Place) -> Iterator[Box]:
    """The box of a point with its badges, and that of its name."""
    spot = atlas().spots[place.id]
    (x, y), marked = (
        spot.at,
        bool([*_badges(view, place)]) or place.is_siege_town or "political" in place.flags,
    )
    wide, high = (36.0, 20.0) if marked else (27.0, 14.0)
    yield x - wide, y - high, x + wide, y + (26.0 if _is_dug(view, place.id) else high)
    yield name_box(spot)


def _chips(view: View, chart: Atlas, table: Table, point: Point) -> Iterator[dict[str, Any]]:
    """Leaders and garrison of a point in rows, the Empire's first."""
    here = [*_forces(view, point)]
    if not here:
        return
    if len(here) > _MOST:
        here = [*here[: _MOST - 1], (here[-1][0], f"+ {len(here) - _MOST + 1} more")]
    spot = chart.spots[point]
    together = _laid(here, table, spot)
    if together is None:
        for side in SIDES:
            own = [one for one in here if one[0] == side]
            yield from (_laid(own, table, spot) if own else None) or _apart(own, table, spot)
    else:
        yield from together


def _laid(here: Forces, table: Table, spot: Spot) -> list[dict[str, Any]] | None:
    """Counters as one stack, in the first shape for which there is room; None if there is for none."""
    wide = max(_chip_length(text) for _, text in here) + 2
    for columns in _COLUMNS if len(here) > 1 else (1,):
        rows = ceil(len(here) / columns)
        box = table.find(spot.at, wide * min(columns, len(here)), _HIGH * rows, spot.chips)
        if box is not None:
            return [*_stack(here, box, columns, wide, table, spot)]
    return None


def _apart(here: Forces, table: Table, spot: Spot) -> Iterator[dict[str, Any]]:
    """Counters each by itself."""
    for one in here:
        wide = _chip_length(one[1]) + 2
        yield from _stack([one], table.lay(spot.at, wide, _HIGH, spot.chips), 1, wide, table, spot)


def _stack(
    here: Forces, box: Box, columns: int, wide: float, table: Table, spot: Spot
) -> Iterator[dict[str, Any]]:
    """Counters in rows inside a box, each row in its middle."""
    for number, (side, text) in enumerate(here):
        row, column = divmod(number, columns)
        in_row = min(columns, len(here) - columns * row)
        middle = (box[0] + box[2]) / 2
        yield {
            "x": round(middle + (column - (in_row - 1) / 2) * wide, 1),
            "y": round(box[1] + _HIGH * (row + 0.5), 1),
            "half": int(wide / 2) - 1,
            "side": side,
            "text": text,
            "to": _leader(box, table, spot) if number == 0 else None,
        }


def _chip_length(text: str) -> float:
    """How wide a chip is: its letters, 18 high and bold, and some room."""
    return 16 + sum(6.4 if letter == " " else 14.0 if letter.isupper() else 13.0 for letter in text)


def _leader(box: Box, table: Table, spot: Spot) -> tuple[float, float, float, float] | None:
    """A line from counters to their point, if they lie far off or nearer to another."""
    x, y = min(max(spot.at[0], box[0]), box[2]), min(max(spot.at[1], box[1]), box[3])
    is_clear = table.is_plain(box, spot.at) and away(box, spot.at) <= _FAR
    return None if is_clear else (x, y, *spot.at)


def _is_dug(view: View, point: Point) -> bool:
    return any(point in trenches for trenches in view.trenches.values())


def _forces(view: View, point: Point) -> Iterator[tuple[Side, str]]:
    for side in ("empire", "boers"):
        for leader in forces.leaders_at(view, point, side):
            yield side, f"{leader} {view.leaders[leader].sp}"
        if side == "empire" and point in view.garrisons:
            yield side, f"+ {view.garrisons[point]}"


def _sieges(view: View, chart: Atlas, table: Table) -> Iterator[dict[str, Any]]:
    for point, level in view.sieges.items():
        box = table.lay(chart.spots[point].at, *_SIEGE, "below")
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        of = view.box.places[point].resistance
        yield {
            "x": x,
            "y": y,
            "at": point,
            "text": f"siege {level}/{of}",
            "to": _leader(box, table, chart.spots[point]),
        }


def _arrows(events: Sequence[AnyEvent], chart: Atlas) -> Iterator[dict[str, Any]]:
    """Each arrow with the box in which it lies."""
    for line in _strokes(events, chart):
        x, y = (line["x1"], line["x2"]), (line["y1"], line["y2"])
        yield {**line, "box": (floor(min(x)) - 14, floor(min(y)) - 14, ceil(max(x)) + 14, ceil(max(y)) + 14)}


def _strokes(events: Sequence[AnyEvent], chart: Atlas) -> Iterator[dict[str, Any]]:
    """Each link that somebody went along; a repulse has no head, and retreats are broken lines."""
    for event in events:
        if isinstance(event, event_types.Went):
            for a, b in pairwise(event.path):
                stroke = {**chart.stroke(a, b), "title": title(event)}
                yield {**stroke, "colour": COLOURS[event.side], "failed": False, "dashes": ""}
        elif isinstance(event, event_types.Battle) and event.came is not None:
            stroke = {**chart.stroke(event.came, event.at), "title": title(event)}
            colour = COLOURS[event.attacker.side]
            yield {**stroke, "colour": colour, "failed": not event.won, "dashes": ""}
        elif isinstance(event, event_types.Retreated) and event.beaten:
            stroke = {**chart.stroke(event.at, event.to), "title": title(event)}
            yield {**stroke, "colour": COLOURS[event.side], "failed": False, "dashes": "6 5"}


def _fights(events: Sequence[AnyEvent], chart: Atlas, table: Table) -> Iterator[dict[str, Any]]:
    """Where there was fighting."""
    where = {event.at for event in events if isinstance(event, event_types.Battle | event_types.Skirmish)}
    for point in sorted(where):
        box = table.lay(chart.spots[point].at, *_FIGHT, "above")
        yield {"x": (box[0] + box[2]) / 2, "y": (box[1] + box[3]) / 2, "at": point}


def _action_counters(counters: Counters) -> list[dict[str, Any]]:
    """The eleven Action counters of a side, and which lie open."""
    rows = ((1, counters.ones, 4), (2, counters.twos, 4), (3, counters.threes, 3))
    return [{"number": n, "open": place < left} for n, left, all_ in rows for place in range(all_)]


def _standing(view: View) -> Iterator[str]:
    strength = " : ".join(str(view.sp_on_map(side)) for side in SIDES)
    yield f"Turn {ROMAN[view.turn]}, strength of Boers and Empire {strength}"
    if view.is_guerrilla:
        yield f"Camps {len(view.camps)}, commandos recruited {view.recruits}"
    else:
        yield f"Completed sieges: {places(view.fallen)}"
