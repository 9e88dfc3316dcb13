"""The colours of the board, as eyes of every kind see them: cubes stay apart, also from the land."""

from itertools import combinations, product

import pytest

from games.diplomacy.colours import luminance
from games.plains_indian_wars.model import COLOURS
from games.plains_indian_wars.paints import AROUND, GROUND, HELD, INK, PAINT, PAPER, ROAD, WATER
from games.plains_indian_wars.sheets import SHAPES
from tests.kit.sight import LEAST, nearest

LANDS = {*GROUND.values(), *HELD.values(), *AROUND.values(), WATER}


def test_every_colour_of_the_box_has_its_paint():
    assert set(PAINT) == set(COLOURS)


@pytest.mark.parametrize(("one", "other"), [*combinations(PAINT, 2)])
def test_cubes_and_dice_of_any_two_colours_stay_apart(one, other):
    assert nearest(PAINT[one], PAINT[other]) >= LEAST


@pytest.mark.parametrize(("colour", "land"), [*product(PAINT, sorted(LANDS))])
def test_cubes_stay_apart_from_whatever_they_stand_on(colour, land):
    assert nearest(PAINT[colour], land) >= LEAST


@pytest.mark.parametrize("colour", [colour for colour in PAINT if colour != "White"])
def test_dice_and_arrows_stay_apart_from_paper(colour):
    assert nearest(PAINT[colour], PAPER) >= LEAST
    assert 1.05 / (luminance(PAINT[colour]) + 0.05) >= 4.5, "white figures stand out on it"


def test_names_stand_out_on_every_land():
    for land in LANDS:
        assert (luminance(land) + 0.05) / (luminance(INK) + 0.05) >= 4.5, land
        assert nearest(ROAD, land) >= LEAST, land


def test_no_two_colours_have_a_shape_in_common():
    """So that whoever sees no colours at all tells them apart; wagons are wagons."""
    assert len(set(SHAPES.values())) == len(SHAPES) == len(PAINT) - 1
