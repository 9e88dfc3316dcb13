"""Black's disc: the Union Pacific, the mountains, the Central Pacific."""

import pytest

from games.plains_indian_wars import railroad
from games.plains_indian_wars.events import RailsLaid
from tests.kit.plains import events_of_type, number_of, state, table

BLANKS = {f"T2/Black/mountains/Brown{n}": number_of("Brown", "blank") for n in (1, 2)}


def built(cubes="", dice=None, **fields):
    play = table(cubes, "Black", BLANKS if dice is None else dice, **fields)
    railroad.build_railroad(play)
    assert not play.dice.left
    return play.now


@pytest.mark.clause("plains-indian-wars", "PIW1.black.1", "PIW1.black.5")
@pytest.mark.parametrize(("brown", "spaces"), [(0, 0), (1, 1), (2, 1), (3, 2), (5, 2), (6, 3), (8, 3)])
def test_the_union_pacific_grows_by_the_settlers_beside_its_railhead(brown, spaces):
    """Settlers in both regions of the section count together."""
    north = min(brown, 4)
    cubes = f"N5: {north} Brown; S5: {brown - north} Brown; N4: 8 Brown"
    assert built(cubes, ready={"Brown": 0}).union == spaces


@pytest.mark.clause("plains-indian-wars", "PIW1.black.1")
def test_the_railhead_wanders_west():
    assert built("N5: 8 Brown; N3: 3 Brown", union=11).union == 13


@pytest.mark.clause("plains-indian-wars", "PIW1.black.6")
@pytest.mark.parametrize(("cubes", "union"), [("N5: 6 Brown", 5), ("N5: 6 Brown; S4: 1 Brown", 7)])
def test_building_stops_at_a_section_s_end_unless_settlers_stand_beyond(cubes, union):
    assert built(cubes, union=4).union == union


@pytest.mark.clause("plains-indian-wars", "PIW1.black.4")
@pytest.mark.parametrize(
    ("shown", "spaces"), [(("hit", "treaty"), 2), (("blank", "hit"), 1), (("blank", "blank"), 0)]
)
def test_two_brown_dice_build_in_the_mountains(shown, spaces):
    dice = {f"T2/Black/mountains/Brown{n}": number_of("Brown", face) for n, face in enumerate(shown, 1)}
    assert built(dice=dice).mountains == spaces


@pytest.mark.clause("plains-indian-wars", "PIW1.black.4")
def test_the_mountains_have_no_more_than_their_spaces():
    dice = {f"T2/Black/mountains/Brown{n}": number_of("Brown", "hit") for n in (1, 2)}
    assert built(dice=dice, mountains=4).mountains == 5


@pytest.mark.clause("plains-indian-wars", "PIW1.black.2", "PIW1.black.7")
def test_the_central_pacific_builds_once_the_mountains_were_crossed_before():
    dice = {f"T2/Black/mountains/Brown{n}": number_of("Brown", "hit") for n in (1, 2)}
    assert built("N1: 6 Brown", dice, mountains=3).central == 0
    after = built("N1: 4 Brown; S1: 3 Brown", {}, mountains=5)
    assert (after.central, after.mountains) == (3, 5)


@pytest.mark.clause("plains-indian-wars", "PIW1.black.2", "PIW1.black.6")
def test_the_central_pacific_stops_at_a_section_s_end_too():
    assert built("N1: 6 Brown", {}, mountains=5, central=3).central == 5
    assert built("N1: 6 Brown; N2: 1 Brown", {}, mountains=5, central=3).central == 6


@pytest.mark.clause("plains-indian-wars", "PIW1.black.3")
def test_the_line_is_complete_only_with_every_space():
    assert railroad.is_complete(state(union=20, central=5, mountains=5))
    assert not railroad.is_complete(state(union=20, central=5, mountains=4))
    assert not railroad.is_complete(state(union=19, central=5, mountains=5))


@pytest.mark.clause("plains-indian-wars", "PIW1.black.1", "PIW1.black.2")
def test_no_more_is_built_than_is_empty():
    after = built("N3: 8 Brown; S3: 8 Brown", {}, mountains=5, union=13, central=10, ready={"Brown": 0})
    assert after.union + after.central == 25
    assert railroad.is_complete(after)


@pytest.mark.clause("plains-indian-wars", "PIW1.place.brown")
def test_the_regions_served_are_those_beside_finished_sections():
    assert railroad.served_regions(state(union=4)) == ()
    assert railroad.served_regions(state(union=12)) == ("N5", "S5", "N4", "S4")
    assert railroad.served_regions(state(central=5, mountains=4)) == ()
    assert railroad.served_regions(state(central=5, mountains=5)) == ("N1", "S1")


def test_each_line_tells_what_it_got():
    play = table("N5: 1 Brown", "Black", BLANKS)
    railroad.build_railroad(play)
    assert [(event.line, event.count, event.brown) for event in events_of_type(play, RailsLaid)] == [
        ("union", 1, 1),
        ("mountains", 0, None),
    ]
