"""What sheets.svg draws, once for each scenario: the land, borders, names, trails, the legend."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from games.own_box import DATA
from games.plains_indian_wars.atlas import atlas
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS, Board, Place, board
from games.plains_indian_wars.box import box
from games.plains_indian_wars.components import Scenario
from games.plains_indian_wars.geography import Geography, geography, outline, path
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import COLOURS, Colour, Region
from games.plains_indian_wars.paints import AROUND, GROUND, HELD, PAINT, RIVER, ROAD, WATER
from games.protocol import OptionValue

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

BAND = 190
"""So high is the strip below the map, where the title and the legend stand."""


def sheets(play: Play) -> dict[str, Any]:
    """What sheets.svg draws, once for each scenario: the land, its borders and names, trails, the legend."""
    return {**_land(str(play.now.options["scenario"]), play.now.options.get(DATA)), "legend": [*legend(play)]}


@lru_cache(maxsize=32)
def _land(key: str, data: OptionValue | None) -> dict[str, Any]:
    """All of it that no position changes."""
    lies = box({} if data is None else {DATA: data})
    land, scenario = geography(), lies.materials.scenarios[key]
    return {
        "key": key,
        "whole": True,
        "width": atlas().size[0],
        "height": atlas().size[1],
        "band": atlas().size[1] - BAND,
        "cells": [{"id": one, "path": cell, "fill": ground(one)} for one, cell in atlas().cells.items()],
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
        if has_trails(scenario)
        else [],
        "numbers": [*numbers(lies.board, land)] if has_trails(scenario) else [],
        "rails": _rails(lies.board, land) if has_rails(scenario) else "",
        "names": [*_names(lies.board, scenario)],
        "star": "the goal" if scenario.campaign else "" if nations_play(scenario) else "key location",
        "held": HELD["N"],
        "edge": PAINT["Blue"],
        "discs": bool(scenario.discs),
    }


def ground(region: Region, held: bool = False) -> str:
    """The colour of a region's land."""
    zone = board().places[region].zone
    return (HELD if held else GROUND).get(zone) or AROUND[zone]


def _names(chart: Board, scenario: Scenario) -> Iterator[dict[str, Any]]:
    """Every region's name above its cubes; key locations get a star."""
    for region, name in atlas().names.items():
        place = chart.places[region]
        yield {
            "id": region,
            "number": name.number,
            "lines": [{"text": text, "x": x, "y": y} for text, (x, y), _ in name.lines],
            "zone": place.zone,
            "key": _is_starred(scenario, place),
        }


def _rails(chart: Board, land: Geography) -> str:
    """The line of the railroad from space to space."""
    line = chart.chart.railroad
    plains = land.placed(line.at)[: line.plains_spaces]
    mountains = land.placed(line.at)[line.plains_spaces :]
    east, west = (land.projection.place(land.cities[one]) for one in (ST_LOUIS, SACRAMENTO))
    return path((east, *plains, *reversed(mountains), west))


def numbers(chart: Board, land: Geography) -> Iterator[dict[str, Any]]:
    """The number of each step of the trails, which the night die strikes."""
    for name, at in land.numbers.items():
        x, y = land.projection.place(at)
        yield {"step": name, "number": chart.by_id[name].number, "x": x, "y": y}


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


def legend(play: Play) -> Iterator[dict[str, Any]]:
    """A row for each colour of the scenario, with its boxes; whoever is out of the game counts as fallen."""
    scenario = play.scenario
    roles = COLUMNS if scenario.campaign else WORKERS if scenario.works else GUARDS if scenario.trains else {}
    for colour in COLOURS:
        box = scenario.boxes.get(colour)
        if box is None:
            continue
        lost = {"fallen": play.now.fallen, "gone": play.now.gone}.get(box)
        yield {
            "kind": kind(play, colour),
            "colour": PAINT[colour],
            "letters": LETTERS[colour],
            "name": roles.get(colour) or NAMES[colour],
            "ready": "" if box == "gone" else play.now.ready.get(colour, 0),
            "fallen": "" if lost is None else lost.get(colour, 0),
        }


def kind(play: Play, colour: Colour) -> str:
    """The shape of a colour's tile, so that eyes that see no colours tell them apart."""
    if colour == "White":
        return "wagon" if "White" in play.scenario.called else "pale"
    return SHAPES[colour]


def _is_starred(scenario: Scenario, place: Place) -> bool:
    """Key locations of Variant I, and the goal of a campaign."""
    campaign = scenario.campaign
    return place.id == campaign.goal if campaign else bool(place.key) and not nations_play(scenario)


def has_rails(scenario: Scenario) -> bool:
    """Whether the railroad is built in the scenario."""
    return bool(scenario.works) or not nations_play(scenario)


def has_trails(scenario: Scenario) -> bool:
    """Whether wagons roll in the scenario."""
    return bool(scenario.trains) or not nations_play(scenario)


def nations_play(scenario: Scenario) -> bool:
    """Whether it is a scenario of Variant II."""
    return scenario.plays == "Nations"
