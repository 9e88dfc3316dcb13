"""Green's and Orange's discs, the shortage of cubes, and the first two steps of Purple's disc."""

import pytest

from games.plains_indian_wars import sequence
from games.plains_indian_wars.engagements import EngagementTerms, fight_all
from games.plains_indian_wars.events import Fought, Raided, WagonsFought
from tests.kit.plains import events_of_type, faces, stands, table

GREEN, ORANGE = "T2/Green/d12", "T2/Orange/d12"


def raid(colour, one, two, cubes="", **fields):
    label = f"T2/{colour}"
    script = {f"{label}/d12/1": one, f"{label}/d12/2": two, **fields.pop("dice", {})}
    play = table(cubes, colour, script, **fields)
    sequence.raid_plains(play, colour)
    assert not play.dice.left
    return play


@pytest.mark.clause("plains-indian-wars", "PIW1.green.1", "PIW1.ai.1")
def test_two_dice_bring_two_green_cubes_each():
    play = raid("Green", 3, 11)
    assert stands(play, "N3") == stands(play, "N11") == {"Green": 2}
    assert play.ready["Green"] == 26


@pytest.mark.clause("plains-indian-wars", "PIW1.orange.1", "PIW1.ai.1")
def test_two_dice_bring_two_orange_cubes_each():
    play = raid("Orange", 3, 11)
    assert stands(play, "S3") == stands(play, "S11") == {"Orange": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.green.2", "PIW1.limits.1")
def test_no_more_than_four_green_stand_in_a_region():
    play = raid("Green", 3, 4, "N3: 3 Green; N4: 4 Green")
    assert stands(play, "N3") == stands(play, "N4") == {"Green": 4}
    assert [event.why for event in events_of_type(play, Raided)] == ["limit", "limit"]


@pytest.mark.clause("plains-indian-wars", "PIW1.orange.2", "PIW1.limits.1")
def test_no_more_than_four_orange_stand_in_a_region():
    assert stands(raid("Orange", 3, 9, "S3: 3 Orange"), "S3") == {"Orange": 4}


@pytest.mark.clause("plains-indian-wars", "PIW1.green.doubles")
def test_doubles_bring_four():
    assert stands(raid("Green", 7, 7), "N7") == {"Green": 4}
    assert stands(raid("Green", 7, 7, "N7: 1 Green"), "N7") == {"Green": 4}


@pytest.mark.clause("plains-indian-wars", "PIW1.green.3")
def test_green_placed_among_us_cubes_fights_on_green_s_disc():
    script = {f"{GREEN}/1": 3, f"{GREEN}/2": 12}
    script |= faces("T2/Green/N3#1", "Blue hit hit, Green blank blank")
    play = table("N3: 2 Blue", "Green", script)
    assert sequence._DISC_PROCEDURES["Green"](play) is False
    assert [one.at for one in events_of_type(play, Fought)] == ["N3"]
    assert stands(play, "N3") == {"Blue": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.orange.3")
def test_orange_placed_among_us_cubes_fights_on_orange_s_disc():
    script = {f"{ORANGE}/1": 3, f"{ORANGE}/2": 12}
    script |= faces("T2/Orange/S3#1", "Brown blank, Orange hit blank")
    play = table("S3: 1 Brown", "Orange", script)
    sequence._DISC_PROCEDURES["Orange"](play)
    assert stands(play, "S3") == {"Orange": 2}
    assert play.fallen["Brown"] == 1


@pytest.mark.clause("plains-indian-wars", "PIW1.green.4", "PIW1.green.quiet")
def test_no_green_comes_where_a_card_forbids_the_engagement():
    """The other die still counts."""
    play = raid("Green", 1, 2, "N1: 3 Brown", quiet=("N1",))
    assert stands(play, "N1") == {"Brown": 3}
    assert stands(play, "N2") == {"Green": 2}
    fight_all(play, EngagementTerms())
    assert events_of_type(play, Fought) == []


@pytest.mark.clause("plains-indian-wars", "PIW1.orange.4")
def test_no_orange_comes_where_a_card_forbids_the_engagement():
    assert stands(raid("Orange", 1, 2, "S1: 3 Brown", quiet=("S1",)), "S1") == {"Brown": 3}


@pytest.mark.clause("plains-indian-wars", "PIW1.green.6", "PIW1.orange.6", "PIW1.green.7")
def test_the_tribes_keep_to_their_own_lands():
    """No region is open to both, so they can never share one."""
    ground = table().board
    green = {region for region in ground.places if ground.may_enter("Green", region)}
    orange = {region for region in ground.places if ground.may_enter("Orange", region)}
    assert green == set(ground.regions_in_zones("N", "NE"))
    assert orange == set(ground.regions_in_zones("S", "SE"))
    assert not green & orange


@pytest.mark.clause("plains-indian-wars", "PIW1.shortage", "PIW1.shortage.each")
def test_cubes_that_lack_come_from_a_region_by_lot():
    """The box has one cube, and the die names N9, which lends another one."""
    script = {"T2/Green/shortage/1": 9, "T2/Green/shortage/2": 8}
    play = raid("Green", 3, 4, "N9: 1 Green; N8: 3 Green", ready={"Green": 1}, dice=script)
    assert stands(play, "N3") == {"Green": 2}
    assert stands(play, "N9") == {}
    assert stands(play, "N4") == {"Green": 2}
    assert stands(play, "N8") == {"Green": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.shortage")
@pytest.mark.parametrize("lender", [9, 3])
def test_what_cannot_be_borrowed_is_forfeited(lender):
    """An empty region lends nothing, and a region can't lend to itself."""
    play = raid(
        "Green",
        3,
        3,
        "N3: 1 Green",
        ready={"Green": 0},
        dice={"T2/Green/shortage/1": lender, "T2/Green/shortage/2": lender},
    )
    assert stands(play, "N3") == {"Green": 1}
    assert [event.why for event in events_of_type(play, Raided)] == ["supply", "supply"]


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.1", "PIW1.ai.5")
def test_belts_beside_two_cubes_get_one_more():
    """NE4 has two Green, so NE1, NE2, NE3 and NE5 get one. Plains beside it get none."""
    play = table("NE4: 2 Green; SE3: 2 Orange", "Purple")
    sequence.press_on_belts(play)
    for region in ("NE1", "NE2", "NE3", "NE5"):
        assert stands(play, region) == {"Green": 1}
    for region in ("SE1", "SE2", "SE4", "SE6"):
        assert stands(play, region) == {"Orange": 1}
    assert stands(play, "N6") == stands(play, "NE6") == {}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.1", "PIW1.purple.1.start")
def test_the_tribes_press_on_from_where_two_stood_when_it_began():
    """NE3 then has two, but Canada beside it gets nothing."""
    play = table("NE4: 2 Green; NE3: 1 Green", "Purple")
    sequence.press_on_belts(play)
    assert stands(play, "NE3") == {"Green": 2}
    assert stands(play, "NE6") == {}
    sequence.press_on_belts(play)
    assert stands(play, "NE6") == {"Green": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.1")
def test_canada_and_mexico_give_and_take():
    play = table("NE6: 2 Green; SE4: 2 Orange", "Purple")
    sequence.press_on_belts(play)
    assert stands(play, "NE5") == {"Green": 1}
    assert stands(play, "SE6") == {"Orange": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.2", "PIW1.limits.2")
def test_a_belt_region_takes_two_cubes_and_no_third():
    play = table(
        "NE4: 2 Green; NE5: 2 Green; SE2: 1 Orange", "Purple", {"T2/Purple/d6/NE": 4, "T2/Purple/d6/SE": 2}
    )
    sequence.press_on_belts(play)
    sequence.raid_belts(play)
    assert stands(play, "NE4") == stands(play, "NE5") == {"Green": 2}
    assert stands(play, "SE2") == {"Orange": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.3")
def test_two_dice_bring_two_cubes_into_each_belt():
    play = table("", "Purple", {"T2/Purple/d6/NE": 6, "T2/Purple/d6/SE": 1})
    sequence.raid_belts(play)
    assert stands(play, "NE6") == {"Green": 2}
    assert stands(play, "SE1") == {"Orange": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.shortage.each")
def test_the_shortage_die_is_thrown_on_purple_s_disc_too():
    script = {"T2/Purple/d6/NE": 1, "T2/Purple/d6/SE": 1, "T2/Purple/shortage/NE": 5}
    play = table("N5: 3 Green", "Purple", script, ready={"Green": 0})
    sequence.raid_belts(play)
    assert stands(play, "NE1") == {"Green": 2}
    assert stands(play, "N5") == {"Green": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.when", "PIW1.night.1", "PIW1.engage.7")
def test_tribes_fall_on_wagons_on_their_own_disc_once_nobody_guards_them():
    """The guard falls first, and then the wagon is attacked in the same phase."""
    script = {f"{GREEN}/1": 5, f"{GREEN}/2": 12}
    script |= faces("T2/Green/N5#1", "Brown blank, Green hit blank")
    script |= faces("T2/Green/N5#2", "Green hit blank, Brown blank blank")
    play = table("N5: 1 Brown 1 White", "Green", script)
    sequence._DISC_PROCEDURES["Green"](play)
    assert play.now.lost == 1
    assert [one.at for one in events_of_type(play, WagonsFought)] == ["N5"]


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.when")
def test_wagons_are_left_alone_on_purple_s_disc():
    play = table("NE1: 1 White", "Purple", {"T2/Purple/d6/NE": 1, "T2/Purple/d6/SE": 1})
    assert sequence._DISC_PROCEDURES["Purple"](play) is True
    assert stands(play, "NE1") == {"White": 1, "Green": 2}
    assert events_of_type(play, WagonsFought) == []


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.7")
@pytest.mark.parametrize("guard", ["Blue", "Brown", "Purple"])
def test_wagons_are_left_alone_while_anybody_guards_them(guard):
    play = table(f"NE1: 1 White 1 {guard} 2 Green", "Green")
    sequence.raid_wagons(play, "Green")
    assert events_of_type(play, WagonsFought) == []
