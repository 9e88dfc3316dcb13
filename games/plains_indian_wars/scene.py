"""What board.svg draws: cells, cubes, wagons, tracks and what moved, in picture units."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, degrees, hypot
from typing import Any

from games.plains_indian_wars.atlas import Point, atlas, scaled
from games.plains_indian_wars.board import CANADA, MEXICO, Place, board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import (
    AnyEvent,
    ColumnMoved,
    Fought,
    Moved,
    PartyMoved,
    Struck,
    TrainMoved,
    WagonsFought,
)
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import COLOURS, SOLDIERS, TRIBES, Colour, Region, View
from games.plains_indian_wars.nations.tables import state_of_play
from games.plains_indian_wars.scoring import points, schedule, totals

PAINT: Mapping[Colour, str] = {
    "Green": "#2f7d4f",
    "Orange": "#c8641a",
    "Blue": "#27528f",
    "Brown": "#7a4a21",
    "Purple": "#6a3d8f",
    "White": "#f4efe2",
    "Black": "#241d18",
}
LETTERS: Mapping[Colour, str] = {
    "Green": "Gr",
    "Orange": "Or",
    "Blue": "Bl",
    "Brown": "Br",
    "Purple": "Pu",
    "White": "Wh",
    "Black": "Bk",
}
GROUND: Mapping[str, str] = {"N": "#c3dab4", "S": "#efd3a6", "NE": "#d9c9e4", "SE": "#d9c9e4"}
"""The land of the northern and southern tribes, and of their enemies."""

HELD: Mapping[str, str] = {"N": "#dbe6e0", "S": "#e9e2d6", "NE": "#e2dfee", "SE": "#e2dfee"}
"""The same land where the U.S. alone stands."""

NAMES: Mapping[Colour, str] = {
    "Green": "Northern tribes",
    "Orange": "Southern tribes",
    "Blue": "Cavalry",
    "Brown": "Settlers",
    "Purple": "Enemies of the tribes",
    "White": "Wagons",
}
GUARDS: Mapping[Colour, str] = {"Purple": "Guards of the trail"}
WORKERS: Mapping[Colour, str] = {"Blue": "Escorts", "Brown": "Workers"}
COLUMNS: Mapping[Colour, str] = {
    "Blue": "Gibbon's cavalry",
    "Brown": "Crook's cavalry",
    "White": "Terry's cavalry",
    "Purple": "Scouts",
    "Black": "Commanders",
}
"""What cubes are in Variant I, where trains roll, where the railroad is built, where columns ride."""

_ROAD = "#8a6a45"
_TILE = 35.0
_SHORT = 20.0
_GATE, _PASS = 1430.0, 312.0
"""Where the trails leave St. Louis, and where they reach the Rockies, counted from the left."""


def scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a position and what led to it.

    cells (id, path, fill, holder), names, tiles (kind, colour, letters, count, x, y), spaces of the railroad,
    trails, keys, strokes of what moved, fights, and the rows of the legend.
    """
    play = Play(view)
    return {
        "title": board().chart.title,
        "subtitle": play.scenario.title if _nations_play(play) else "",
        "width": 1620,
        "height": 1560,
        "cells": [*_cells(play)],
        "names": [*_names(play)],
        "tiles": [tile for region in play.board.places for tile in _tiles(play, region)],
        "spaces": [*_spaces(view)] if play.scenario.works or not _nations_play(play) else [],
        "trails": [*_trails()] if _has_trails(play) else [],
        "strokes": [*_strokes(play, events)],
        "fights": [*_fights(events)],
        "legend": [*_legend(play)],
        "discs": _discs(view),
        "standing": _standing(play),
        "held": HELD["N"],
        "star": "the goal" if play.scenario.campaign else "" if _nations_play(play) else "key location",
    }


def _nations_play(play: Play) -> bool:
    """Whether it is a scenario of Variant II."""
    return play.scenario.plays == "Nations"


def _has_trails(play: Play) -> bool:
    """Whether wagons roll in the scenario."""
    return bool(play.scenario.trains) or not _nations_play(play)


def _is_starred(play: Play, place: Place) -> bool:
    """Key locations of Variant I, and the goal of a campaign."""
    campaign = play.scenario.campaign
    return place.id == campaign.goal if campaign else bool(place.key) and not _nations_play(play)


def _standing(play: Play) -> str:
    """How the game stands: points, or what decides it."""
    if _nations_play(play):
        return state_of_play(play.now)
    nations, us = (points(one) for one in totals(schedule(play.now)))
    return f"Points now: tribes {nations}, U.S. {us}"


def _kind(play: Play, colour: Colour) -> str:
    """Tribes are discs, wagons wagons, all others cubes; a pale cube has dark letters."""
    if colour in TRIBES:
        return "band"
    if colour == "White":
        return "wagon" if "White" in play.scenario.called else "pale"
    return "cube"


def _cells(play: Play) -> Iterator[dict[str, Any]]:
    for region, path in atlas().cells.items():
        yield {
            "id": region,
            "path": path,
            "fill": (HELD if play.is_us_held(region) else GROUND)[play.board.places[region].zone],
            "holder": "us" if play.is_us_held(region) else "",
            "quiet": region in play.now.quiet,
        }


def _names(play: Play) -> Iterator[dict[str, Any]]:
    """Every region's name above its cubes; key locations get a star, trail steps their number."""
    for place in play.board.places.values():
        if place.zone == "EDGE":
            continue
        x, y = atlas().at[place.id]
        step = play.board.steps.get(place.id)
        yield {
            "id": place.id,
            "number": "" if place.zone == "CITY" or place.id in (CANADA, MEXICO) else place.id,
            "name": place.name,
            "people": place.people,
            "step": step.id if step and _has_trails(play) else "",
            "key": _is_starred(play, place),
            "x": x,
            "y": round(y - 23, 1),
        }


def _tiles(play: Play, region: Region) -> Iterator[dict[str, Any]]:
    """Cubes and wagons of a region, side by side."""
    order: tuple[Colour, ...] = (*TRIBES, *SOLDIERS, "White", "Black")
    here = [(colour, n) for colour in order if (n := play.count(region, colour))]
    x, y = atlas().at[region]
    width = _TILE if len(here) < 4 else _TILE - 2
    for place, (colour, count) in enumerate(here):
        yield {
            "kind": _kind(play, colour),
            "colour": PAINT[colour],
            "letters": LETTERS[colour],
            "count": count,
            "x": round(x + (place - (len(here) - 1) / 2) * width, 1),
            "y": round(y + 3, 1),
        }


def _spaces(view: View) -> Iterator[dict[str, Any]]:
    """The spaces of the railroad from St. Louis, then the mountains from Sacramento."""
    line = board().chart.railroad
    plains = line.plains_spaces
    for number, at in enumerate(line.at):
        x, y = scaled(at)
        if number < plains:
            built = number < view.union or number >= plains - view.central
        else:
            built = number - plains < view.mountains
        yield {"x": x, "y": y, "built": built, "mountain": number >= plains}


def _trails() -> Iterator[str]:
    """Each trail as the points of a line from St. Louis to the Rockies; a fork makes two lines."""
    ground, at = board(), atlas().at
    for trail in ground.chart.trails.values():
        for step in trail.steps:
            for following in step.next:
                goal = ground.by_id[following].region if following in ground.by_id else Region("ROCKIES")
                yield _line(
                    _low(at[step.region]), _low(at[goal]) if goal != "ROCKIES" else _west(at[step.region])
                )
        yield _line((_GATE, at[Region("STL")][1]), _low(at[trail.steps[0].region]))


def _low(point: Point) -> Point:
    return point[0], point[1] + 26


def _west(point: Point) -> Point:
    return _PASS, point[1] + 40


def _line(start: Point, end: Point) -> str:
    return f"M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}"


def _strokes(play: Play, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """What moved, as arrows up to the tiles; whoever fell back with a broken one."""
    for event in events:
        if isinstance(event, Moved | TrainMoved | PartyMoved | ColumnMoved) and any(event.cubes.values()):
            start, end = atlas().at[event.start], atlas().at[event.to]
            tiles = sum(bool(play.count(event.to, colour)) for colour in COLOURS)
            length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
            leave, stop = _SHORT / length, min(0.6, (_SHORT + 11 * max(0, tiles - 1)) / length)
            x1, y1 = start[0] + (end[0] - start[0]) * leave, start[1] + 3 + (end[1] - start[1]) * leave
            x2, y2 = end[0] - (end[0] - start[0]) * stop, end[1] + 3 - (end[1] - start[1]) * stop
            lead = next(iter(event.cubes))
            yield {
                "x1": round(x1, 1),
                "y1": round(y1, 1),
                "x2": round(x2, 1),
                "y2": round(y2, 1),
                "angle": round(degrees(atan2(y2 - y1, x2 - x1)), 1),
                "failed": isinstance(event, ColumnMoved) and event.back,
                "colour": _ROAD if lead == "White" else PAINT[lead],
            }


def _fights(events: Sequence[AnyEvent]) -> Iterator[dict[str, float]]:
    """Where there was fighting."""
    where = {event.at for event in events if isinstance(event, Fought | WagonsFought)}
    where |= {event.to for event in events if isinstance(event, Struck)}
    for region in board().sorted(where):
        x, y = atlas().at[region]
        yield {"x": round(x + 52, 1), "y": round(y - 2, 1)}


def _legend(play: Play) -> Iterator[dict[str, Any]]:
    """A row for each colour of the scenario, with its boxes; whoever is out of the game counts as fallen."""
    scenario = play.scenario
    roles = COLUMNS if scenario.campaign else WORKERS if scenario.works else GUARDS if scenario.trains else {}
    for colour in COLOURS:
        box = scenario.boxes.get(colour)
        if box is None:
            continue
        lost = {"fallen": play.now.fallen, "gone": play.now.gone}.get(box)
        yield {
            "kind": _kind(play, colour),
            "colour": PAINT[colour],
            "letters": LETTERS[colour],
            "name": roles.get(colour) or NAMES[colour],
            "ready": "" if box == "gone" else play.now.ready.get(colour, 0),
            "fallen": "" if lost is None else lost.get(colour, 0),
        }


def _discs(view: View) -> list[dict[str, Any]]:
    """The discs, and which were drawn this turn; none where a scenario has none."""
    discs = materials().scenarios[str(view.options["scenario"])].discs
    return [
        {"colour": PAINT[one], "letters": LETTERS[one], "drawn": bool(view.turn) and one not in view.bag}
        for one in discs
    ]
