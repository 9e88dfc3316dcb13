"""What board.svg draws: points and links, who holds them, leaders, works, what moved and fought."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise
from math import dist
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import forces
from games.boer_war.atlas import PACKAGE, Atlas, atlas
from games.boer_war.board import Board, board
from games.boer_war.codes import Point, Side
from games.boer_war.components import Place, materials
from games.boer_war.events import AnyEvent
from games.boer_war.model import SIDE_NAMES, SIDES, View
from games.boer_war.names import ROMAN
from games.boer_war.phrases import places
from games.data import read_json
from games.pool import Counters

COLOURS: Mapping[Side, str] = {"boers": "#1f4a2c", "empire": "#a3202a"}
_LANDS: Mapping[str, tuple[str, str]] = {
    "cape": ("Cape Colony", "#ecdfc4"),
    "natal": ("Natal", "#e2e5cb"),
    "free state": ("Orange Free State", "#f2ecd9"),
    "transvaal": ("Transvaal", "#e4ddcb"),
}
"""By region, in the order of drawing: its name and the colour of its land."""

_SPREAD = 210.0
"""Points of a region that lie nearer than that are joined by land."""

_WIDE, _HIGH, _APART, _WORKS = 62.0, 22.0, 28.0, 8.0
"""Room of a chip; how far from the middle of its point the first row is drawn, further below works."""

_MOST = 6
"""So many chips at most are drawn at a point; the rest become one."""


def scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a position and what led to it; all of it is public.

    Keys: title, width, height; lands, roads, rails, marks on links; points with badges and names; chips of
    leaders and garrisons; sieges; arrows, fights; standing and sides, with their Action counters.
    """
    chart, ground = atlas(), board()
    width, height = chart.size
    return {
        "title": "The Second Boer War",
        "width": width,
        "height": height,
        "lands": _lands(),
        "roads": chart.path(ground.ends(link) for link, way in ground.links.items() if not way.rail),
        "rails": chart.path(ground.ends(link) for link, way in ground.links.items() if way.rail),
        "marks": [*_marks(view, chart, ground)],
        "points": [_point(view, place) for place in ground.places.values()],
        "chips": [chip for point in ground.points for chip in _chips(view, point)],
        "sieges": [*_sieges(view, chart)],
        "arrows": [*_arrows(events, chart)],
        "fights": [*_fights(events, chart)],
        "standing": [*_standing(view)],
        "sides": [{"name": SIDE_NAMES[side], "counters": _counters(view.counters[side])} for side in SIDES],
    }


@cache
def _lands() -> list[dict[str, Any]]:
    """Each region as thick lines between its points, and where its name stands."""
    chart, ground = atlas(), board()
    names = read_json(PACKAGE, "data/chart.json")["lands"]
    found = []
    for region, (name, colour) in _LANDS.items():
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


def _chips(view: View, point: Point) -> Iterator[dict[str, Any]]:
    """Leaders and garrison of a point in rows of two, the garrison's side nearest to it."""
    here = [*_forces(view, point)]
    if len(here) > _MOST:
        here = [*here[: _MOST - 1], (here[-1][0], f"+ {len(here) - _MOST + 1} more")]
    spot = atlas().spots[point]
    sign = 1 if spot.chips == "below" else -1
    apart = _APART + (_WORKS if sign > 0 and _is_dug(view, point) else 0)
    for number, (side, text) in enumerate(here):
        row, column = divmod(number, 2)
        in_row = min(2, len(here) - 2 * row)
        yield {
            "x": round(spot.at[0] + (column - (in_row - 1) / 2) * _WIDE, 1),
            "y": round(spot.at[1] + sign * (apart + _HIGH * row), 1),
            "side": side,
            "text": text,
        }


def _is_dug(view: View, point: Point) -> bool:
    return any(point in trenches for trenches in view.trenches.values())


def _forces(view: View, point: Point) -> Iterator[tuple[Side, str]]:
    for side in ("empire", "boers"):
        for leader in forces.leaders_at(view, point, side):
            yield side, f"{leader} {view.leaders[leader].sp}"
        if side == "empire" and point in view.garrisons:
            yield side, f"+ {view.garrisons[point]}"


def _sieges(view: View, chart: Atlas) -> Iterator[dict[str, Any]]:
    for point, level in view.sieges.items():
        x, y = chart.spots[point].at
        of = materials().places[point].resistance
        yield {"x": x, "y": y + 38, "text": f"siege {level}/{of}"}


def _arrows(events: Sequence[AnyEvent], chart: Atlas) -> Iterator[dict[str, Any]]:
    """Each link that somebody went along; a repulse has no head, and retreats are broken lines."""
    for event in events:
        if isinstance(event, event_types.Went):
            for a, b in pairwise(event.path):
                yield {**chart.stroke(a, b), "colour": COLOURS[event.side], "failed": False, "dashes": ""}
        elif isinstance(event, event_types.Battle) and event.came is not None:
            stroke = chart.stroke(event.came, event.at)
            colour = COLOURS[event.attacker.side]
            yield {**stroke, "colour": colour, "failed": not event.won, "dashes": ""}
        elif isinstance(event, event_types.Retreated) and event.beaten:
            stroke = chart.stroke(event.at, event.to)
            yield {**stroke, "colour": COLOURS[event.side], "failed": False, "dashes": "6 5"}


def _fights(events: Sequence[AnyEvent], chart: Atlas) -> Iterator[dict[str, float]]:
    """Where there was fighting."""
    where = {event.at for event in events if isinstance(event, event_types.Battle | event_types.Skirmish)}
    for point in sorted(where):
        x, y = chart.spots[point].at
        yield {"x": round(x + 44, 1), "y": y}


def _counters(counters: Counters) -> list[dict[str, Any]]:
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
