"""The close-up of a side's front: fights with their dice, moves and cubes, and no slip or name is cut."""

import pytest

from games.close_up import CloseUpFrame, is_inside
from games.plains_indian_wars.board import board
from games.plains_indian_wars.events import EngagementRound, Fought, Moved, Raided
from games.plains_indian_wars.map import FRONT_ZOOMS, front_scene
from games.plains_indian_wars.map_layout import LEGEND_STRIP_HEIGHT, atlas
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT
from tests.kit.plains import state

FOUGHT_OVER = board().regions_in_zones("N", "S", "NE", "SE")


def fought(at):
    rounds = (EngagementRound(faces={"Blue": ("hit",), "Green": ("treaty",)}, fell={"Green": 1}),)
    return Fought(turn=3, disc="Blue", at=at, cubes={"Blue": 1, "Green": 1}, rounds=rounds, left={"Blue": 1})


def seen(drawn, region):
    (x, y), (left, top, right, low) = atlas().at[region], drawn["window"]
    return left < x < right and top < y < low


@pytest.mark.parametrize("region", FOUGHT_OVER)
def test_a_fight_is_seen_with_its_dice_and_the_name_of_its_region(region):
    drawn = front_scene(state("S5: 3 Blue; N12: 2 Green"), US_SEAT, (fought(region),))
    assert seen(drawn, region)
    assert len(drawn["fights"]) == 1
    assert region in {one["id"] for one in drawn["sheets"]["names"]}
    assert "figures" in drawn
    assert drawn["window"][3] <= atlas().size[1] - LEGEND_STRIP_HEIGHT, "the legend has no part in it"


def test_what_was_fought_for_comes_before_where_cubes_merely_stand():
    west = "NE1: 1 Purple; NE2: 1 Purple; NE3: 1 Purple; NE4: 1 Purple; S12: 1 Blue"
    assert seen(front_scene(state(west), US_SEAT, ()), "NE2")
    drawn = front_scene(state(west), US_SEAT, (fought("S12"),))
    assert seen(drawn, "S12")
    assert not seen(drawn, "NE2")


def test_where_there_is_room_for_all_of_it_it_is_as_large_as_can_be():
    drawn = front_scene(
        state("N5: 2 Blue"), US_SEAT, (Moved(turn=2, disc="Blue", cubes={"Blue": 2}, start="N5", to="N9"),)
    )
    left, _, right, _ = drawn["window"]
    assert atlas().size[0] / (right - left) == pytest.approx(max(FRONT_ZOOMS), abs=0.1)
    assert seen(drawn, "N5")
    assert seen(drawn, "N9")
    assert len(drawn["strokes"]) == 1


def test_each_side_sees_its_own_front_and_who_has_nothing_on_the_map_none():
    here = state("N1: 2 Blue; S12: 4 Orange")
    assert seen(front_scene(here, US_SEAT, ()), "N1")
    assert seen(front_scene(here, NATIONS_SEAT, ()), "S12")
    assert not seen(front_scene(here, NATIONS_SEAT, ()), "N1")
    assert front_scene(state("S12: 4 Orange"), US_SEAT, ()) is None
    came = Raided(turn=2, disc="Orange", colour="Orange", at="S11", number=3, wanted=2, placed=2)
    assert seen(front_scene(state("S12: 4 Orange"), US_SEAT, (came,)), "S11")


def test_a_close_up_shows_what_weighs_most_where_not_all_has_room():
    frame = CloseUpFrame(size=(1000.0, 1000.0), zooms=(4.0, 2.0), tall=1.0)
    corners = [(0.0, 0.0, 100.0, 100.0), (900.0, 0.0, 1000.0, 100.0), (900.0, 900.0, 1000.0, 1000.0)]
    zoom, box = frame.of(corners, weights=[1.0, 1.0, 3.0])
    assert zoom == 2.0
    assert is_inside(box, corners[2])
    assert frame.of(corners[:1])[0] == 4.0
    assert frame.of([]) is None
    assert CloseUpFrame(size=(1000.0, 1000.0), zooms=(4.0,), tall=1.0, most=0.5).of(corners) is None
