"""The colours of maps, as eyes of every kind see them: powers stay apart from each other and the ground."""

from colorsys import rgb_to_hls
from itertools import combinations, product

import pytest

import games
from games.colour_vision import LEAST, apart, nearest
from games.diplomacy.boards.board import Power
from games.diplomacy.map.labels import sizes
from games.diplomacy.map.patterns import HATCHES
from games.diplomacy.map.scene import (
    CLOSED,
    GROUND_COLOURS,
    RANGE_COLOUR,
    RIVER_COLOUR,
    deep,
    hatch,
    ink,
    luminance,
    pale,
)

BOARDS = ("standard", "fleet-rome", "indianomacy")


def powers(kind: str) -> tuple[Power, ...]:
    return tuple(games.kinds()[kind].rules.board.powers.values())


@pytest.mark.parametrize(
    ("one", "two", "far"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
        ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_that_were_published_with_the_formula(one, two, far):
    assert apart(one, two) == pytest.approx(far, abs=1e-4)


@pytest.mark.parametrize("kind", BOARDS)
def test_counters_and_lines_of_any_two_powers_stay_apart(kind: str) -> None:
    for one, two in combinations(powers(kind), 2):
        assert nearest(ink(one), ink(two)) >= LEAST, (one.id, two.id)


@pytest.mark.parametrize("kind", BOARDS)
def test_counters_and_lines_stay_apart_from_whatever_they_are_drawn_on(kind: str) -> None:
    """Water, nobody's land, rivers and ranges on it, and everybody's land, full and pale."""
    everyone = powers(kind)
    grounds = [*GROUND_COLOURS.values(), RIVER_COLOUR, RANGE_COLOUR, CLOSED["land"], CLOSED["hatch"]]
    grounds += [*(one.colour for one in everyone), *(pale(one.colour) for one in everyone)]
    for power, ground in product(everyone, grounds):
        assert nearest(ink(power), ground) >= LEAST, (power.id, ground)


def test_rivers_and_ranges_are_faint_beside_what_is_printed() -> None:
    """Less than half as far from nobody's land as the lettering is, and still told from it by every eye."""
    paper = GROUND_COLOURS["land"]
    for colour in (RIVER_COLOUR, RANGE_COLOUR):
        assert LEAST <= nearest(colour, paper) <= nearest("#2b2018", paper) / 2


@pytest.mark.parametrize("kind", BOARDS)
def test_lands_stay_apart_from_each_other_and_from_what_nobody_holds(kind: str) -> None:
    everyone = powers(kind)
    for one, two in combinations(everyone, 2):
        assert nearest(one.colour, two.colour) >= LEAST, (one.id, two.id)
    for power, ground in product(everyone, GROUND_COLOURS.values()):
        assert nearest(power.colour, ground) >= LEAST, (power.id, ground)


@pytest.mark.parametrize("kind", [*BOARDS, "chaos"])
def test_white_letters_stand_out_on_every_counter(kind: str) -> None:
    for power in powers(kind):
        assert 1.05 / (luminance(ink(power)) + 0.05) >= 4.5, power.id


@pytest.mark.parametrize("kind", [*BOARDS, "chaos"])
def test_names_can_be_read_on_every_land(kind: str) -> None:
    """In the colour of the lettering, without its light outline."""
    for power in powers(kind):
        assert (luminance(power.colour) + 0.05) / (luminance("#2b2018") + 0.05) >= 3.0, power.id


def test_counters_of_chaos_have_the_hue_of_their_land() -> None:
    """And are as saturated as can be told at once: dark shades of pale lands all looked grey before."""
    for power in powers("chaos"):
        (land, _, _), (counter, _, strength) = (
            rgb_to_hls(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))
            for colour in (power.colour, ink(power))
        )
        assert abs((land - counter + 0.5) % 1 - 0.5) <= 0.02, power.id
        assert strength >= 0.55, power.id
    assert deep("#808080") == "#6d6d6d", "a grey stays grey"


def test_what_colours_do_not_tell_apart_among_34_powers_patterns_do():
    """And so do letters, each different, 9 pixels high on a map 600 pixels wide."""
    everyone = powers("chaos")
    patterns = {power.id: hatch(power, number) for number, power in enumerate(everyone)}
    assert len({power.letter for power in everyone}) == len(everyone) == 34
    for one, two in combinations(everyone, 2):
        if patterns[one.id] == patterns[two.id]:
            assert nearest(one.colour, two.colour) >= LEAST, (one.id, two.id)
    game = games.kinds()["chaos"]
    assert 16.2 * sizes(game.rules.board).unit * 600 / game.rules.board.chart.size[0] >= 9


def test_seats_of_chaos_that_begin_side_by_side_look_different() -> None:
    """For all eyes: neighbours were 1.4 apart before, and so were seats with one province between them."""
    board = games.kinds()["chaos"].rules.board
    homes = {power.homes[0]: power for power in powers("chaos")}
    beside = {at: {*board.army[at], *board.fleet[at]} for at in board.places}
    near = {frozenset((one, two)) for one, two in combinations(homes, 2) if two in beside[one]}
    next_but_one = {frozenset((one, two)) for one, two in combinations(homes, 2) if beside[one] & beside[two]}
    assert len(near) == 35
    assert len(next_but_one | near) == 116
    for pairs, least in ((near, 13), (next_but_one, 5)):
        for pair in pairs:
            assert nearest(*(homes[home].colour for home in pair)) >= least, pair


def test_every_land_has_a_pattern():
    for kind in (*BOARDS, "chaos"):
        numbers = [hatch(power, number) for number, power in enumerate(powers(kind))]
        assert set(numbers) <= set(range(1, len(HATCHES) + 1))
        if len(numbers) <= len(HATCHES):
            assert len(set(numbers)) == len(numbers)
