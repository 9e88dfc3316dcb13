"""What board.svg draws: cells, cubes, wagons, tracks and what moved, in picture units."""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, degrees, hypot
from typing import Any

from games.plains_indian_wars.atlas import Box, atlas, spaces, tile_box
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS, Place, board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import (
    AnyEvent,
    ColumnMoved,
    Moved,
    PartyMoved,
    TrainMoved,
)
from games.plains_indian_wars.geography import Geography, Point, geography, outline, path
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import COLOURS, SOLDIERS, TRIBES, Colour, Region, View
from games.plains_indian_wars.nations.tables import state_of_play
from games.plains_indian_wars.paints import AROUND, GROUND, HELD, PAINT, RIVER, ROAD, WATER
from games.plains_indian_wars.scoring import points, schedule, totals
from games.plains_indian_wars.slips import laid, slips

LETTERS: Mapping[Colour, str] = {
    "Green": "Gr",
    "Orange": "Or",
    "Blue": "Bl",
    "Brown": "Br",
    "Purple": "Pu",
    "White": "Wh",
    "Black": "Bk",
}
SHAPES: Mapping[Colour, str] = {
    "Green": "disc",
    "Orange": "diamond",
    "Blue": "square",
    "Brown": "house",
    "Purple": "hexagon",
    "Black": "octagon",
}
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

_SHORT = 23.0
"""How far from the middle of tiles an arrow stays."""
_LEGEND, _COLUMN, _ROWS, _LEADING = (500, 44), 350, 4, 34
_READY, _FALLEN = 262, 322
"""The legend's first row in its strip, how rows follow each other, and where their numbers stand."""
_BAND = 190
"""So high is the strip below the map, where the title and the legend stand."""


def scene(view: View, events: Sequence[AnyEvent]) -> dict[str, Any]:
    """The context of board.svg for a position and what led to it.

    sheets: what never changes in a scenario (see `_sheets`); cells: those that the U.S. alone holds, or
    where a treaty rules (id, path, box, fill); cubes: tiles (kind, colour, letters, count, x, y); spaces of
    the railroad; strokes of what moved; fights: slips with the dice that fell; figures: of the legend.
    """
    play = Play(view)
    tiles = [tile for region in play.board.places for tile in _tiles(play, region)]
    rails = [*_spaces(view)] if _has_rails(play) else []
    strokes = [*_strokes(play, events)]
    return {
        "title": board().chart.title,
        "subtitle": play.scenario.title if _nations_play(play) else "",
        "width": atlas().size[0],
        "height": atlas().size[1],
        "band": atlas().size[1] - _BAND,
        "sheets": _sheets(play, str(view.options["scenario"])),
        "cells": [*_cells(play)],
        "cubes": tiles,
        "spaces": rails,
        "strokes": strokes,
        "fights": [*_fights(play, events, tiles, rails)],
        "legend": (legend := [*_legend(play)]),
        "figures": [*_figures(legend)],
        "discs": _discs(view),
        "standing": _standing(play),
    }


def _sheets(play: Play, scenario: str) -> dict[str, Any]:
    """What sheets.svg draws, once for each scenario: the land, its borders and names, trails, the legend."""
    land = geography()
    names = [*_names(play)]
    return {
        "key": scenario,
        "width": atlas().size[0],
        "height": atlas().size[1],
        "band": atlas().size[1] - _BAND,
        "cells": [{"id": one, "path": path, "fill": _ground(one)} for one, path in atlas().cells.items()],
        "around": AROUND[""],
        "water": WATER,
        "river": RIVER,
        "road": ROAD,
        "edges": "".join(path(land.placed(border.line)) for border in land.borders if all(border.between)),
        "great": "".join(path(land.placed(land.rivers[one])) for one in land.great),
        "rivers": "".join(
            path(land.placed(line)) for one, line in land.rivers.items() if one not in land.great
        ),
        "sea": _sea(land),
        "lakes": "".join(outline(land.placed(line)) for line in land.lakes.values()),
        "waters": [*_waters(land)],
        "cities": [{"x": x, "y": y} for x, y in land.placed([*land.cities.values()])],
        "frontiers": "".join(path(land.placed(line)) for line in land.frontiers),
        "trails": [path(land.placed(line)) for course in land.trails.values() for line in course]
        if _has_trails(play)
        else [],
        "numbers": [*_numbers(land)] if _has_trails(play) else [],
        "rails": _rails(land) if _has_rails(play) else "",
        "names": names,
        "legend": [*_legend(play)],
        "star": "the goal" if play.scenario.campaign else "" if _nations_play(play) else "key location",
        "held": HELD["N"],
        "edge": PAINT["Blue"],
        "discs": bool(materials().scenarios[scenario].discs),
    }


def _ground(region: Region, held: bool = False) -> str:
    """The colour of a region's land."""
    zone = board().places[region].zone
    return (HELD if held else GROUND).get(zone) or AROUND[zone]


def _rails(land: Geography) -> str:
    """The line of the railroad from space to space."""
    line = board().chart.railroad
    plains = land.placed(line.at)[: line.plains_spaces]
    mountains = land.placed(line.at)[line.plains_spaces :]
    east, west = (land.projection.place(land.cities[one]) for one in (ST_LOUIS, SACRAMENTO))
    return path((east, *plains, *reversed(mountains), west))


def _sea(land: Geography) -> str:
    """All of the sheet but the land, for a path that is filled by the even-odd rule."""
    width, height = atlas().size
    return f"M-40-40H{width + 40}V{height + 40}H-40Z" + "".join(
        outline(land.placed(line)) for line in land.shores
    )


def _waters(land: Geography) -> Iterator[dict[str, Any]]:
    """Names of rivers, of the gulf, and of the parallel."""
    for one in land.waters:
        x, y = land.projection.place(one.at)
        yield {"text": one.name, "x": x, "y": y, "turn": one.turn}


def _numbers(land: Geography) -> Iterator[dict[str, Any]]:
    """The number of each step of the trails, which the night die strikes."""
    for name, at in land.numbers.items():
        x, y = land.projection.place(at)
        yield {"step": name, "number": board().by_id[name].number, "x": x, "y": y}


def _nations_play(play: Play) -> bool:
    """Whether it is a scenario of Variant II."""
    return play.scenario.plays == "Nations"


def _has_rails(play: Play) -> bool:
    """Whether the railroad is built in the scenario."""
    return bool(play.scenario.works) or not _nations_play(play)


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
    """The shape of a colour's tile, so that eyes that see no colours tell them apart."""
    if colour == "White":
        return "wagon" if "White" in play.scenario.called else "pale"
    return SHAPES[colour]


def _cells(play: Play) -> Iterator[dict[str, Any]]:
    """The regions that look different from what is on the sheet: held by the U.S., or under a treaty."""
    for region, cell in atlas().cells.items():
        held = board().places[region].zone in HELD and play.is_us_held(region)
        quiet = region in play.now.quiet
        if held or quiet:
            left, top, right, low = atlas().box(region)
            yield {
                "id": region,
                "path": cell,
                "box": f"{left - 4:.0f} {top - 4:.0f} {right + 4:.0f} {low + 4:.0f}",
                "fill": _ground(region, held),
                "holder": "us" if held else "",
                "quiet": quiet,
            }


def _names(play: Play) -> Iterator[dict[str, Any]]:
    """Every region's name above its cubes; key locations get a star."""
    for region, name in atlas().names.items():
        place = board().places[region]
        yield {
            "id": region,
            "number": name.number,
            "lines": [{"text": text, "x": x, "y": y} for text, (x, y), _ in name.lines],
            "zone": place.zone,
            "key": _is_starred(play, place),
        }


def _tiles(play: Play, region: Region) -> Iterator[dict[str, Any]]:
    """Cubes and wagons of a region, side by side."""
    order: tuple[Colour, ...] = (*TRIBES, *SOLDIERS, "White", "Black")
    here = [(colour, n) for colour in order if (n := play.count(region, colour))]
    if region in atlas().rings:
        for (colour, count), (x, y) in zip(here, atlas().tiles(region, len(here)), strict=True):
            yield {
                "kind": _kind(play, colour),
                "colour": PAINT[colour],
                "letters": LETTERS[colour],
                "count": count,
                "x": round(x, 1),
                "y": round(y, 1),
            }


def _spaces(view: View) -> Iterator[dict[str, Any]]:
    """The spaces of the railroad from St. Louis, then the mountains from Sacramento."""
    line = board().chart.railroad
    plains = line.plains_spaces
    for number, (x, y) in enumerate(spaces()):
        if number < plains:
            built = number < view.union or number >= plains - view.central
        else:
            built = number - plains < view.mountains
        yield {"x": x, "y": y, "built": built, "mountain": number >= plains}


def _strokes(play: Play, events: Sequence[AnyEvent]) -> Iterator[dict[str, Any]]:
    """What moved, as arrows up to the tiles; whoever fell back with a broken one."""
    for event in events:
        if isinstance(event, Moved | TrainMoved | PartyMoved | ColumnMoved) and any(event.cubes.values()):
            start, end = atlas().at[event.start], atlas().at[event.to]
            tiles = sum(bool(play.count(event.to, colour)) for colour in COLOURS)
            length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
            leave, stop = _SHORT / length, min(0.6, (_SHORT + 11 * max(0, tiles - 1)) / length)
            x1, y1 = start[0] + (end[0] - start[0]) * leave, start[1] + (end[1] - start[1]) * leave
            x2, y2 = end[0] - (end[0] - start[0]) * stop, end[1] - (end[1] - start[1]) * stop
            lead = next(iter(event.cubes))
            yield {
                "x1": round(x1, 1),
                "y1": round(y1, 1),
                "x2": round(x2, 1),
                "y2": round(y2, 1),
                "box": _around((x1, y1), (x2, y2), 16),
                "angle": round(degrees(atan2(y2 - y1, x2 - x1)), 1),
                "failed": isinstance(event, ColumnMoved) and event.back,
                "colour": ROAD if lead == "White" else PAINT[lead],
            }


def _around(one: Point, other: Point, far: float) -> str:
    """The box of a piece that goes from one place to another, so much wider on each side."""
    left, right = sorted((one[0], other[0]))
    top, low = sorted((one[1], other[1]))
    return f"{left - far:.0f} {top - far:.0f} {right + far:.0f} {low + far:.0f}"


def _square(one: Mapping[str, Any], far: float) -> Box:
    """The box of a mark that reaches so far to each side."""
    return one["x"] - far, one["y"] - far, one["x"] + far, one["y"] + far


def _fights(
    play: Play,
    events: Sequence[AnyEvent],
    tiles: Sequence[Mapping[str, Any]],
    rails: Sequence[Mapping[str, Any]],
) -> Iterator[dict[str, Any]]:
    """The dice of each fight on a slip beside its region, over no name, cube or space of the railroad."""
    sheet = atlas()
    read = [box for name in sheet.names.values() for _, _, box in name.lines]
    read += [tile_box((one["x"], one["y"])) for one in tiles]
    seen = [_square(one, 11) for one in rails]
    seen += [_square(one, 13) for one in _numbers(geography())] if _has_trails(play) else []
    some = [slip for slip in slips(events) if slip.at in sheet.rings]
    for one in laid(some, sheet, read, seen, sheet.size[1] - _BAND):
        left, top, right, low = one.box
        x, y = sheet.at[one.slip.at]
        yield {
            "left": left,
            "top": top,
            "wide": round(right - left, 1),
            "high": round(low - top, 1),
            "box": f"{left - 3:.0f} {top - 3:.0f} {right + 3:.0f} {low + 3:.0f}",
            "lead": {"x1": x, "y1": y, "x2": round((left + right) / 2, 1), "y2": round((top + low) / 2, 1)},
            "lead_box": _around((x, y), ((left + right) / 2, (top + low) / 2), 8),
            "rows": [
                {
                    "side": row.side,
                    "won": row.won,
                    "fell": row.fell,
                    "y": round(middle, 1),
                    "dice": [
                        {"colour": PAINT[colour], "face": face, "x": round(x, 1), "y": round(y, 1)}
                        for colour, face, x, y in dice
                    ],
                }
                for row, middle, dice in one.slip.dice(left, top)
            ],
        }


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


def _figures(legend: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The numbers of the legend, where its rows have them."""
    for place, row in enumerate(legend):
        for key, across in (("ready", _READY), ("fallen", _FALLEN)):
            x, y = _LEGEND[0] + _COLUMN * (place // _ROWS) + across, _LEGEND[1] + _LEADING * (place % _ROWS)
            yield {"x": x, "y": y, "text": row[key]}


def _discs(view: View) -> list[dict[str, Any]]:
    """The discs, and which were drawn this turn; none where a scenario has none."""
    discs = materials().scenarios[str(view.options["scenario"])].discs
    return [
        {"colour": PAINT[one], "letters": LETTERS[one], "drawn": bool(view.turn) and one not in view.bag}
        for one in discs
    ]
