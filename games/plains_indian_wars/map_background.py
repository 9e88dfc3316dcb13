"""The background of the map, drawn once for each scenario: the land, borders, names, trails, the legend."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from games.messages import sentence
from games.own_box import DATA
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS, Board, BoardRegion, board
from games.plains_indian_wars.components import Scenario
from games.plains_indian_wars.map_layout import (
    LEGEND_STRIP_HEIGHT,
    Geography,
    atlas,
    geography,
    svg_outline,
    svg_path,
)
from games.plains_indian_wars.model import CUBE_COLOURS, Colour, Region
from games.plains_indian_wars.owner_data import BOXES
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import OptionValue

COLOUR_LETTERS: Mapping[Colour, str] = {
    "Green": "Gr",
    "Orange": "Or",
    "Blue": "Bl",
    "Brown": "Br",
    "Purple": "Pu",
    "White": "Wh",
    "Black": "Bk",
}
TILE_SHAPES: Mapping[Colour, str] = {
    "Green": "disc",
    "Orange": "diamond",
    "Blue": "square",
    "Brown": "house",
    "Purple": "hexagon",
    "Black": "octagon",
}
CUBE_ROLES: Mapping[Colour, str] = {
    "Green": "Northern tribes",
    "Orange": "Southern tribes",
    "Blue": "Cavalry",
    "Brown": "Settlers",
    "Purple": "Enemies of the tribes",
    "White": "Wagons",
}
GUARD_ROLES: Mapping[Colour, str] = {"Purple": "Guards of the trail"}
WORKER_ROLES: Mapping[Colour, str] = {"Blue": "Escorts", "Brown": "Workers"}
COLUMN_ROLES: Mapping[Colour, str] = {
    "Blue": "Gibbon's cavalry",
    "Brown": "Crook's cavalry",
    "White": "Terry's cavalry",
    "Purple": "Scouts",
    "Black": "Commanders",
}
"""The meaning of each colour: in Variant I, with wagon trains, with the railroad and with columns."""


LEGEND_CORNER, LEGEND_WIDTH, LEGEND_ROWS, LEGEND_ROW_HEIGHT = (44.0, 176.0), 1150.0, 3, 44.0
"""The place of the legend's first row, and the legend's width, its rows in a column, and their height."""


def background(play: WorkingState) -> dict[str, Any]:
    """Return the context of sheets.svg: the land, its borders and names, the trails and the legend."""
    return {
        **_land_layer(str(play.now.options["scenario"]), play.now.options.get(DATA)),
        "legend": [*legend(play)],
    }


@lru_cache(maxsize=32)
def _land_layer(key: str, data: OptionValue | None) -> dict[str, Any]:
    """Return the part of the background that is the same in all positions of a scenario."""
    owner_box = BOXES.read_data_option(data)
    land, scenario = geography(), owner_box.materials.scenarios[key]
    return {
        "key": key,
        "whole": True,
        "width": atlas().size[0],
        "height": atlas().size[1],
        "band": atlas().size[1] - LEGEND_STRIP_HEIGHT,
        "cells": [
            {"id": region, "path": cell, "fill": land_colour(region)}
            for region, cell in atlas().cells.items()
        ],
        "around": NEUTRAL_LAND_COLOURS[""],
        "water": WATER,
        "river": RIVER,
        "road": ROAD,
        "edges": "".join(
            svg_path(land.project_line(border.line)) for border in land.borders if all(border.between)
        ),
        "great": "".join(svg_path(land.project_line(land.rivers[river])) for river in land.great),
        "rivers": "".join(
            svg_path(land.project_line(line))
            for river, line in land.rivers.items()
            if river not in land.great
        ),
        "sea": _sea_path(land),
        "lakes": "".join(svg_outline(land.project_line(line)) for line in land.lakes.values()),
        "waters": [*_water_names(land)],
        "cities": [{"x": x, "y": y} for x, y in land.project_line([*land.cities.values()])],
        "frontiers": "".join(svg_path(land.project_line(line)) for line in land.frontiers),
        "trails": [svg_path(land.project_line(line)) for course in land.trails.values() for line in course]
        if has_trails(scenario)
        else [],
        "numbers": [*step_numbers(owner_box.board, land)] if has_trails(scenario) else [],
        "rails": _rail_line(owner_box.board, land) if has_rails(scenario) else "",
        "names": [*_region_names(owner_box.board, scenario)],
        "star": _star_text(scenario),
        "held": HELD_LAND_COLOURS["N"],
        "edge": CUBE_PAINT["Blue"],
        "discs": bool(scenario.discs),
    }


def land_colour(region: Region, held: bool = False) -> str:
    """Return the colour of a region's land. held: whether only the U.S. is there."""
    zone = board().places[region].zone
    return (HELD_LAND_COLOURS if held else LAND_COLOURS).get(zone) or NEUTRAL_LAND_COLOURS[zone]


def _region_names(chart: Board, scenario: Scenario) -> Iterator[dict[str, Any]]:
    """Yield the name of every region; key locations have a star."""
    for region, name in atlas().names.items():
        place = chart.places[region]
        yield {
            "id": region,
            "number": name.number,
            "lines": [{"text": text, "x": x, "y": y} for text, (x, y), _ in name.lines],
            "zone": place.zone,
            "key": _is_starred(scenario, place),
        }


def _rail_line(chart: Board, land: Geography) -> str:
    """Return the path of the railroad through its spaces."""
    line = chart.chart.railroad
    plains = land.project_line(line.at)[: line.plains_spaces]
    mountains = land.project_line(line.at)[line.plains_spaces :]
    east, west = (land.projection.project(land.cities[city]) for city in (ST_LOUIS, SACRAMENTO))
    return svg_path((east, *plains, *reversed(mountains), west))


def step_numbers(chart: Board, land: Geography) -> Iterator[dict[str, Any]]:
    """Yield the number of each trail step with its place. The night die names these numbers."""
    for name, at in land.numbers.items():
        x, y = land.projection.project(at)
        yield {"step": name, "number": chart.by_id[name].number, "x": x, "y": y}


def _sea_path(land: Geography) -> str:
    """Return the path of everything except the land, which is filled by the even-odd rule."""
    width, height = atlas().size
    return f"M-40-40H{width + 40}V{height + 40}H-40Z" + "".join(
        svg_outline(land.project_line(line)) for line in land.shores
    )


def _water_names(land: Geography) -> Iterator[dict[str, Any]]:
    """Yield the names of the rivers, the gulf and the parallel, with their places."""
    for water in land.waters:
        x, y = land.projection.project(water.at)
        yield {"text": water.name, "x": x, "y": y, "turn": water.turn}


def legend(play: WorkingState) -> Iterator[dict[str, Any]]:
    """Yield a row for each colour of the scenario with the numbers of its boxes.

    Cubes that are out of the game count as fallen.
    """
    scenario = play.scenario
    roles = (
        COLUMN_ROLES
        if scenario.campaign
        else WORKER_ROLES
        if scenario.works
        else GUARD_ROLES
        if scenario.trains
        else {}
    )
    shown = [colour for colour in CUBE_COLOURS if scenario.boxes.get(colour) is not None]
    columns = 2 if len(shown) <= 2 * LEGEND_ROWS else 3
    wide = LEGEND_WIDTH / columns
    for number, colour in enumerate(shown):
        box = scenario.boxes[colour]
        column, row = divmod(number, LEGEND_ROWS)
        left_edge = LEGEND_CORNER[0] + wide * column
        lost = {"fallen": play.now.fallen, "gone": play.now.gone}.get(box)
        yield {
            "kind": tile_shape(play, colour),
            "colour": CUBE_PAINT[colour],
            "letters": COLOUR_LETTERS[colour],
            "name": roles.get(colour) or CUBE_ROLES[colour],
            "ready": "" if box == "gone" else play.now.ready.get(colour, 0),
            "fallen": "" if lost is None else lost.get(colour, 0),
            "x": left_edge,
            "y": LEGEND_CORNER[1] + LEGEND_ROW_HEIGHT * row,
            "ready_x": left_edge + wide - (70 if columns > 2 else 180),
            "fallen_x": left_edge + wide - (10 if columns > 2 else 76),
        }


def tile_shape(play: WorkingState, colour: Colour) -> str:
    """Return the shape of a colour's tile, so that colour-blind players can tell the colours apart."""
    if colour == "White":
        return "wagon" if "White" in play.scenario.called else "pale"
    return TILE_SHAPES[colour]


def _is_starred(scenario: Scenario, place: BoardRegion) -> bool:
    """Return whether a region has a star: key locations of Variant I, and the goal of a campaign."""
    campaign = scenario.campaign
    return place.id == campaign.goal if campaign else bool(place.key) and not is_variant_ii(scenario)


def _star_text(scenario: Scenario) -> str:
    """Return what a star means in the legend; "" in scenarios without stars."""
    if scenario.campaign:
        return sentence("plains_indian_wars.map.goal")
    return "" if is_variant_ii(scenario) else sentence("plains_indian_wars.map.key")


def has_rails(scenario: Scenario) -> bool:
    """Return whether the railroad is built in the scenario."""
    return bool(scenario.works) or not is_variant_ii(scenario)


def has_trails(scenario: Scenario) -> bool:
    """Return whether wagons roll in the scenario."""
    return bool(scenario.trains) or not is_variant_ii(scenario)


def is_variant_ii(scenario: Scenario) -> bool:
    """Return whether it is a scenario of Variant II."""
    return scenario.plays == "Nations"


# The colours of cubes, dice, lines and land.


CUBE_PAINT: Mapping[Colour, str] = {
    "Green": "#206148",
    "Orange": "#b1630f",
    "Blue": "#2670e3",
    "Brown": "#542405",
    "Purple": "#4a0d77",
    "White": "#ffffff",
    "Black": "#100e0c",
}
"""The colours of cubes, dice and arrows. Colour-blind players can tell each from each other."""

LAND_COLOURS: Mapping[str, str] = {"N": "#bdd3a6", "S": "#e8c98f", "NE": "#cfbcdc", "SE": "#cfbcdc"}
"""The colours of the land of the northern and southern tribes, and of their enemies."""

HELD_LAND_COLOURS: Mapping[str, str] = {"N": "#c3cfd0", "S": "#cfc9bb", "NE": "#c1bfd3", "SE": "#c1bfd3"}
"""The colours of the same land if only the U.S. is there."""

NEUTRAL_LAND_COLOURS: Mapping[str, str] = {"CITY": "#d8cfba", "EDGE": "#d2c4a8", "": "#ddd5c2"}
"""The colours of land around the cities, at the edges, and outside the game."""

WATER, RIVER, INK, ROAD, PAPER = "#b4cdd6", "#7fa6b8", "#2b2018", "#7a5526", "#fffdf6"
