"""White's disc: new wagons, moves west and night raids; and raids of tribes by day."""

import pytest

from games.plains_indian_wars import sequence
from games.plains_indian_wars.events import NightRaid, WagonsFought, WagonsMoved
from tests.kit.plains import events_of_type, faces, number_of, stands, table


def night(cubes, north, south, dice=None, **fields):
    script = {"T2/White/night/north": north, "T2/White/night/south": south, **(dice or {})}
    play = table(cubes, "White", script, **fields)
    sequence.raid_by_night(play)
    assert not play.dice.left
    return play


def attack(cubes, *rounds, region="N5", **fields):
    play = table(cubes, "Green", faces(f"T2/Green/{region}#1", *rounds), **fields)
    sequence.raid_wagons(play, "Green")
    assert not play.dice.left
    return play


@pytest.mark.clause("plains-indian-wars", "PIW1.white.1", "PIW1.white.6")
def test_two_wagons_come_and_one_goes_onto_each_trail():
    play = table("", "White")
    sequence.bring_wagons(play)
    assert stands(play, "STL") == {"White": 2}
    sequence.advance_wagons(play)
    assert stands(play, "N5") == stands(play, "S5") == {"White": 1}
    assert play.ready["White"] == 18


@pytest.mark.clause("plains-indian-wars", "PIW1.white.6")
def test_no_wagon_comes_when_none_is_left():
    play = table("", "White", ready={"White": 0})
    sequence.bring_wagons(play)
    sequence.advance_wagons(play)
    assert play.regions_with(("White",)) == ()


@pytest.mark.clause("plains-indian-wars", "PIW1.white.4")
def test_on_the_first_turn_the_wagons_of_the_set_up_go():
    play = table("STL: 2 White", "White", turn=1)
    sequence.bring_wagons(play)
    sequence.advance_wagons(play)
    assert stands(play, "N5") == stands(play, "S5") == {"White": 1}
    assert stands(play, "STL") == {}


@pytest.mark.clause("plains-indian-wars", "PIW1.white.2", "PIW1.white.3")
def test_wagons_go_one_step_and_only_west():
    play = table("N5: 1 White; N4: 2 White; S8: 1 White; SE2: 1 White", "White", ready={"White": 0})
    sequence.advance_wagons(play)
    assert [stands(play, one).get("White", 0) for one in ("N5", "N4", "N3", "S8", "S7", "SE2", "SE1")] == [
        *(0, 1, 2, 0, 1, 0, 1)
    ]


@pytest.mark.clause("plains-indian-wars", "PIW1.white.2", "PIW1.wagons.6")
@pytest.mark.parametrize("last", ["NE1", "N1", "SE1"])
def test_the_last_step_of_each_trail_leads_over_the_rockies(last):
    play = table(f"{last}: 2 White", "White", ready={"White": 0})
    sequence.advance_wagons(play)
    assert play.now.through == 2
    assert play.regions_with(("White",)) == ()


@pytest.mark.clause("plains-indian-wars", "PIW1.white.5", "PIW1.standing")
@pytest.mark.parametrize(("said", "to"), [({}, "NE1"), ({"trail": ("California",)}, "N2")])
def test_the_player_says_which_way_at_the_fork(said, to):
    play = table("N6: 1 White", "White", ready={"White": 0}, standing=said)
    sequence.advance_wagons(play)
    assert stands(play, to) == {"White": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.white.fork")
@pytest.mark.parametrize(
    ("said", "oregon", "california"),
    [(("Oregon", "1"), 1, 2), (("California", "2"), 1, 2), (("California", "9"), 0, 3), ((), 3, 0)],
)
def test_wagons_of_one_region_part_at_the_fork(said, oregon, california):
    standing = {"trail": said} if said else {}
    play = table("N6: 3 White; S5: 2 White", "White", ready={"White": 0}, standing=standing)
    sequence.advance_wagons(play)
    assert (play.count("NE1", "White"), play.count("N2", "White")) == (oregon, california)
    assert play.count("S4", "White") == 2  # where no trail forks nothing parts
    moved = [(event.count, event.to) for event in events_of_type(play, WagonsMoved) if event.start == "N6"]
    assert sorted(moved) == sorted((n, to) for n, to in ((oregon, "NE1"), (california, "N2")) if n)


@pytest.mark.clause("plains-indian-wars", "PIW1.white.order")
def test_the_night_comes_after_the_advance():
    """The wagon is hit in its new region."""
    script = {
        "T2/White/night/north": 2,
        "T2/White/night/south": 6,
        "T2/White/night/N4/1/Green1": number_of("Green", "hit"),
    }
    play = table("N5: 1 White", "White", script, ready={"White": 0})
    sequence._DISC_PROCEDURES["White"](play)
    assert play.now.lost == 1


@pytest.mark.clause("plains-indian-wars", "PIW1.night.2", "PIW1.night.3", "PIW1.ai.5")
def test_by_night_each_wagon_of_the_step_is_thrown_for_once():
    """Two of three wagons are hit without a tribe nearby. Wagons of other steps are safe."""
    dice = {
        "T2/White/night/N3/1/Green1": number_of("Green", "hit"),
        "T2/White/night/N3/2/Green1": number_of("Green", "treaty"),
        "T2/White/night/N3/3/Green1": number_of("Green", "hit"),
        "T2/White/night/S5/1/Orange1": number_of("Orange", "blank"),
    }
    play = night("N3: 3 White; N4: 1 White; S5: 1 White", 3, 1, dice)
    assert stands(play, "N3") == stands(play, "N4") == stands(play, "S5") == {"White": 1}
    assert play.now.lost == 2
    assert [event.number for event in events_of_type(play, NightRaid)] == [3, 1]


@pytest.mark.clause("plains-indian-wars", "PIW1.night.4")
def test_a_northern_five_strikes_both_branches():
    hit = number_of("Green", "hit")
    dice = {"T2/White/night/NE1/1/Green1": hit, "T2/White/night/N2/1/Green1": hit}
    assert night("NE1: 1 White; N2: 1 White", 5, 6, dice).now.lost == 2


@pytest.mark.clause("plains-indian-wars", "PIW1.night.1", "PIW1.wagons.3")
def test_wagons_arriving_among_tribes_start_nothing():
    play = table(
        "N5: 1 White; N4: 3 Green",
        "White",
        {"T2/White/night/north": 6, "T2/White/night/south": 6},
        ready={"White": 0},
    )
    sequence._DISC_PROCEDURES["White"](play)
    assert stands(play, "N4") == {"Green": 3, "White": 1}
    assert events_of_type(play, WagonsFought) == []


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.1", "PIW1.wagons.2", "PIW1.wagons.3")
def test_tribes_throw_by_number_and_wagons_two_brown_dice():
    play = attack("N5: 3 White 1 Green", "Green hit, Brown blank blank", "Green hit, Brown hit blank")
    assert stands(play, "N5") == {"White": 1}
    assert play.now.lost == 2
    assert play.ready["Green"] == 30


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.1", "PIW1.wagons.3")
def test_it_goes_on_until_one_side_is_gone():
    play = attack(
        "N5: 1 White 2 Green", "Green blank blank, Brown blank blank", "Green blank hit, Brown blank hit"
    )
    assert stands(play, "N5") == {"Green": 1}
    assert play.now.lost == 1


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.4", "PIW1.wagons.once")
def test_a_treaty_lets_the_wagons_go_west():
    """The hits don't count. The wagons move to N4, where the tribe's other cubes don't attack them."""
    play = attack("N5: 2 White 2 Green; N4: 2 Green", "Green treaty hit, Brown treaty hit")
    assert stands(play, "N5") == {"Green": 2}
    assert stands(play, "N4") == {"Green": 2, "White": 2}
    assert [one.at for one in events_of_type(play, WagonsFought)] == ["N5"]


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.4")
@pytest.mark.parametrize(
    ("thrown", "left", "lost"),
    [("Green treaty, Brown hit blank", {"White": 1}, 0), ("Green hit, Brown treaty blank", {"Green": 1}, 1)],
)
def test_one_side_s_treaty_lets_no_wagon_go(thrown, left, lost):
    play = attack("N5: 1 White 1 Green", thrown)
    assert stands(play, "N5") == left
    assert play.now.lost == lost
    assert events_of_type(play, WagonsMoved) == []


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.once")
def test_wagons_that_stood_there_before_are_attacked_all_the_same():
    """Two wagons come from N5 after a treaty. Only the one that was in N4 before is attacked."""
    script = faces("T2/Green/N5#1", "Green treaty hit, Brown treaty hit")
    script |= faces("T2/Green/N4#2", "Green hit hit, Brown blank blank")
    play = table("N5: 2 White 2 Green; N4: 2 Green 1 White", "Green", script, standing={"fight": ("N5",)})
    sequence.raid_wagons(play, "Green")
    assert stands(play, "N4") == {"Green": 2, "White": 2}
    assert play.now.lost == 1


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.4", "PIW1.wagons.6")
def test_wagons_that_escape_over_the_rockies_are_through():
    play = attack("NE1: 2 White 2 Green", "Green treaty blank, Brown treaty blank", region="NE1")
    assert play.now.through == 2


@pytest.mark.clause("plains-indian-wars", "PIW1.wagons.5")
def test_wagons_that_outlive_their_attackers_stay():
    play = attack("N5: 1 White 1 Green", "Green blank, Brown hit blank")
    assert stands(play, "N5") == {"White": 1}
    assert events_of_type(play, WagonsMoved) == []


@pytest.mark.clause("plains-indian-wars", "PIW1.card.circle")
def test_circled_wagons_throw_three_dice_and_sleep_well():
    play = attack("N5: 1 White 1 Green", "Green blank, Brown blank blank hit", circled=3)
    assert stands(play, "N5") == {"White": 1}
    assert night("N3: 2 White", 3, 1, circled=3).now.lost == 0


@pytest.mark.clause("plains-indian-wars", "PIW1.limits.5")
def test_wagons_do_not_count_in_any_limit():
    play = table("N5: 3 White 8 Blue; N4: 4 White")
    assert play.us_room("N5") == 0
    assert play.us_room("N4") == 8
