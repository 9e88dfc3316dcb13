"""The colours of the board for all kinds of colour vision: cubes differ from each other and from the land."""

from itertools import combinations, product

import pytest

from games.colour_vision import LEAST, nearest
from games.diplomacy.map.scene import luminance
from games.plains_indian_wars.map_background import (
    CUBE_PAINT,
    HELD_LAND_COLOURS,
    INK,
    LAND_COLOURS,
    NEUTRAL_LAND_COLOURS,
    PAPER,
    ROAD,
    TILE_SHAPES,
    WATER,
)
from games.plains_indian_wars.model import CUBE_COLOURS

LANDS = {*LAND_COLOURS.values(), *HELD_LAND_COLOURS.values(), *NEUTRAL_LAND_COLOURS.values(), WATER}


def test_every_colour_of_the_box_has_its_paint():
    assert set(CUBE_PAINT) == set(CUBE_COLOURS)


@pytest.mark.parametrize(("one", "other"), [*combinations(CUBE_PAINT, 2)])
def test_cubes_and_dice_of_any_two_colours_stay_apart(one, other):
    assert nearest(CUBE_PAINT[one], CUBE_PAINT[other]) >= LEAST


@pytest.mark.parametrize(("colour", "land"), [*product(CUBE_PAINT, sorted(LANDS))])
def test_cubes_stay_apart_from_whatever_they_stand_on(colour, land):
    assert nearest(CUBE_PAINT[colour], land) >= LEAST


@pytest.mark.parametrize("colour", [colour for colour in CUBE_PAINT if colour != "White"])
def test_dice_and_arrows_stay_apart_from_paper(colour):
    assert nearest(CUBE_PAINT[colour], PAPER) >= LEAST
    assert 1.05 / (luminance(CUBE_PAINT[colour]) + 0.05) >= 4.5, "white figures stand out on it"


def test_names_stand_out_on_every_land():
    for land in LANDS:
        assert (luminance(land) + 0.05) / (luminance(INK) + 0.05) >= 4.5, land
        assert nearest(ROAD, land) >= LEAST, land


def test_no_two_colours_have_a_shape_in_common():
    """Players without colour vision can tell them apart. Wagons look like wagons."""
    assert len(set(TILE_SHAPES.values())) == len(TILE_SHAPES) == len(CUBE_PAINT) - 1
