"""The map: regions border as in the rules, rivers are in their real places, and nothing covers a name."""

import re
from itertools import combinations, pairwise
from math import hypot

import pytest

import games
from adjudicator.reports.maps import svg
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.map import board_scene
from games.plains_indian_wars.map_layout import (
    TYPE_SIZE,
    Geography,
    atlas,
    encloses,
    geography,
    overlap,
    region_rings,
    space_positions,
    tile_box,
)
from games.plains_indian_wars.model import Region
from games.protocol import Invalid
from games.record import plain, revive
from tests.kit.plains import state

FOUGHT_OVER = board().regions_in_zones("N", "S", "NE", "SE")
NAMES = {region: [box for _, _, box in name.lines] for region, name in atlas().names.items()}
TOUCH = 24.0
"""The shortest border between neighbours, in units of the picture (12 pixels)."""


def pairs(of):
    return {frozenset((one, other)) for one, other, *_ in of}


def stretches(ring):
    return {frozenset(pair) for pair in pairwise((*ring, ring[0]))}


def around(at, far):
    return at[0] - far, at[1] - far, at[0] + far, at[1] + far


def numbers():
    land = geography()
    return {name: around(land.projection.project(at), 12.5) for name, at in land.numbers.items()}


def marks():
    return [*numbers().values(), *(around(at, 10) for at in space_positions(board().chart.railroad))]


def most(region):
    """Return the largest number of colours that can be in a region in any scenario."""
    kinds = [
        {
            colour
            for colour in ("Green", "Orange", "Blue", "Brown", "Purple")
            if board().may_enter(colour, region)
        }
        | ({"White"} if region in board().steps else set())
    ]
    for scenario in materials().scenarios.values():
        if scenario.campaign:
            passed = [one for one in scenario.campaign.columns.values() if region in one.steps]
            kinds.append(
                {colour for one in passed for colour in one.cubes} | ({"Green"} if passed else set())
            )
    return max(map(len, kinds))


# Regions.


def test_regions_have_a_border_on_the_map_exactly_where_the_rules_let_them_have_one():
    drawn = pairs(border.between for border in geography().borders if all(border.between))
    assert drawn == pairs(board().chart.borders) | pairs(board().chart.one_way)


def test_borders_are_long_enough_to_be_seen():
    shared = {}
    for one, other in combinations(atlas().rings, 2):
        common = stretches(atlas().rings[one]) & stretches(atlas().rings[other])
        shared[frozenset((one, other))] = sum(hypot(a[0] - b[0], a[1] - b[1]) for a, b in map(tuple, common))
    two_parts = frozenset(("ROCKIES",))
    for pair, length in shared.items():
        if not pair & two_parts:
            wanted = pair in pairs(board().chart.borders) | pairs(board().chart.one_way)
            assert length >= TOUCH if wanted else not length, (set(pair), length)


def test_no_place_of_the_map_lies_in_two_regions():
    width, height = atlas().size
    reach = {
        region: [(min(axis), max(axis)) for axis in zip(*ring, strict=True)]
        for region, ring in atlas().rings.items()
    }

    def around(x, y):
        return [
            region
            for region, ((left, right), (top, low)) in reach.items()
            if left <= x <= right and top <= y <= low
        ]

    inside = {
        (x, y): [
            region
            for region in around(x + 0.3, y + 0.3)
            if encloses(atlas().rings[region], (x + 0.3, y + 0.3))
        ]
        for x in range(0, width, 12)
        for y in range(0, height, 12)
    }
    assert [at for at, regions in inside.items() if len(regions) > 1] == []
    assert sum(map(len, inside.values())) > 0.6 * len(inside)


def test_a_border_that_ends_nowhere_is_named():
    land = geography()
    loose = plain(land)
    loose["borders"] = [one for one in loose["borders"] if set(one["between"]) != {"N5", "N9"}]
    with pytest.raises(Invalid, match=r"geography.json: N(5|9)"):
        region_rings(revive(Geography, loose))


# The land.


def near(river, at):
    """Return the distance of a river from a place, in degrees."""
    line = geography().rivers[river]
    return min(_far(at, one, other) for one, other in pairwise(line))


def _far(at, one, other):
    dx, dy = other[0] - one[0], other[1] - one[1]
    share = min(1, max(0, ((at[0] - one[0]) * dx + (at[1] - one[1]) * dy) / (dx * dx + dy * dy)))
    return hypot(at[0] - one[0] - share * dx, at[1] - one[1] - share * dy)


@pytest.mark.parametrize(
    ("river", "town", "at"),
    [
        ("Missouri", "Bismarck", (-100.79, 46.81)),
        ("Missouri", "Pierre", (-100.35, 44.37)),
        ("Missouri", "Omaha", (-95.94, 41.26)),
        ("Missouri", "Kansas City", (-94.58, 39.10)),
        ("Missouri", "Fort Benton", (-110.67, 47.82)),
        ("Yellowstone", "Miles City", (-105.84, 46.41)),
        ("Yellowstone", "Billings", (-108.50, 45.78)),
        ("Platte", "Kearney", (-99.08, 40.70)),
        ("North Platte", "Fort Laramie", (-104.52, 42.21)),
        ("South Platte", "Julesburg", (-102.26, 40.99)),
        ("Arkansas", "Dodge City", (-100.02, 37.75)),
        ("Arkansas", "Pueblo", (-104.61, 38.25)),
        ("Arkansas", "Little Rock", (-92.29, 34.75)),
        ("Canadian", "Tucumcari's crossing", (-103.7, 35.35)),
        ("Red", "Texarkana's bend", (-94.05, 33.57)),
        ("Rio Grande", "Albuquerque", (-106.65, 35.08)),
        ("Rio Grande", "El Paso", (-106.49, 31.76)),
        ("Rio Grande", "Laredo", (-99.51, 27.51)),
        ("Colorado", "Yuma", (-114.62, 32.73)),
        ("Snake", "Twin Falls", (-114.46, 42.56)),
        ("Mississippi", "St. Louis", (-90.20, 38.63)),
        ("Mississippi", "Memphis", (-90.05, 35.15)),
    ],
)
def test_rivers_pass_the_towns_that_lie_on_them(river, town, at):
    assert near(river, at) <= 0.25, town


def test_the_49th_parallel_is_straight():
    """The border of Canada's region follows it from the Rockies to the Lake of the Woods."""
    land = geography()
    north = max(land.frontiers, key=lambda line: line[0][1])
    level = land.projection.project((0, 49.0))[1]
    plains = [land.projection.project(at) for at in north if -116 <= at[0] <= -95.5]
    edges = [at for one in land.borders if "NE6" in one.between and one.between[1] for at in one.line]
    for across, down in [*plains, *(land.projection.project(at) for at in edges if at[1] > 45)]:
        assert abs(down - level) <= 1.0, across


def test_trails_lead_through_the_regions_of_their_steps_in_order():
    land = geography()
    for belt, trail in board().chart.trails.items():
        courses = land.trails[belt]
        passed = [
            region
            for course in courses
            for at in course
            for region, ring in atlas().rings.items()
            if encloses(ring, land.projection.project(at))
        ]
        assert {step.region for step in trail.steps} <= set(passed)
        allowed = {step.region for step in trail.steps} | {"STL", "ROCKIES", "SAC"}
        assert set(passed) <= allowed, set(passed) - allowed


def test_the_numbers_of_a_trail_stand_in_the_regions_of_its_steps():
    land = geography()
    assert set(land.numbers) == set(board().by_id)
    for name, at in land.numbers.items():
        region = board().by_id[name].region
        assert encloses(atlas().rings[region], land.projection.project(at)), (name, region)


def test_the_railroad_runs_between_the_regions_of_its_sections():
    line = board().chart.railroad
    for number, at in enumerate(space_positions(board().chart.railroad)[: line.plains_spaces]):
        pair = line.sections[number // line.spaces_in_a_section]
        beside = {
            region
            for region, ring in atlas().rings.items()
            for down in (-14, 14)
            if encloses(ring, (at[0], at[1] + down))
        }
        assert beside == set(pair), (number, beside)


# What stands on it.


@pytest.mark.parametrize("region", FOUGHT_OVER)
def test_cubes_at_full_stack_stay_within_their_region_and_off_every_name(region):
    for count in range(1, most(region) + 1):
        boxes = [tile_box(at) for at in atlas().tiles(region, count)]
        for box in boxes:
            left, top, right, low = box
            corners = ((left, top), (right, top), (left, low), (right, low))
            assert all(encloses(atlas().rings[region], corner) for corner in corners), (count, box)
            assert not [one for one, names in NAMES.items() for name in names if overlap(box, name)], count
            assert not [mark for mark in marks() if overlap(box, mark)], (count, box)
        assert not any(overlap(one, other) for one, other in combinations(boxes, 2))


def test_names_lie_beside_each_other_and_beside_every_mark():
    for (one, boxes), (other, others) in combinations(NAMES.items(), 2):
        assert not any(overlap(box, beside) for box in boxes for beside in others), (one, other)
    for region, boxes in NAMES.items():
        assert not any(overlap(box, mark) for box in boxes for mark in marks()), region


def test_names_begin_in_their_regions():
    """The middle of each name is inside its region, so that it can't be read as a neighbour's name."""
    for region, name in atlas().names.items():
        for _, (x, y), _ in name.lines:
            assert encloses(atlas().rings[region], (x, y - 6)), region


def test_all_lettering_can_be_read_at_600_pixels():
    game = games.kinds()["plains-indian-wars"]
    drawn = svg(game, state("N5: 2 Blue 2 Brown 1 White; N3: 11 Green"), ())
    assert drawn is not None
    sizes = [float(size) for size in re.findall(r'font-size[:=]"?([\d.]+)', drawn)]
    assert sizes
    assert min(sizes) * 600 / atlas().size[0] >= 9
    assert TYPE_SIZE * 600 / atlas().size[0] >= 9
    assert not [part for part in re.findall(r"scale\(([\d.]+)\)", drawn) if float(part) < 1]


def test_every_region_has_its_cell_and_its_box():
    for region in (*FOUGHT_OVER, Region("STL"), Region("SAC"), Region("EASTN"), Region("EASTS")):
        left, top, right, low = atlas().box(region)
        x, y = atlas().at[region]
        assert left < x < right, region
        assert top < y < low, region
        assert encloses(atlas().rings[region], (x, y)), region


def test_the_scene_draws_a_tile_for_every_colour_where_it_stands():
    drawn = board_scene(state("N10: 3 Green 2 Blue 1 Brown"), ())
    places = {(one["letters"], one["count"]): (one["x"], one["y"]) for one in drawn["cubes"]}
    assert set(places) == {("Gr", 3), ("Bl", 2), ("Br", 1)}
    assert all(encloses(atlas().rings[Region("N10")], at) for at in places.values())
