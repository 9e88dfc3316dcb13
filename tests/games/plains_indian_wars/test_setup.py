"""The set-up of Variant I, colour by colour, and its data."""

from collections import Counter
from itertools import pairwise

import pytest

from games import kinds
from games.data import read_clauses, read_json
from games.options import settle, settle_for_new_game
from games.plains_indian_wars.board import PACKAGE, board, compile_board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import CusterRode, Raided
from games.plains_indian_wars.model import US_SEAT, Begin, Instruction
from games.plains_indian_wars.rules import PlainsRules
from games.protocol import Invalid
from tests.kit.dice import any_dice
from tests.kit.plains import Fixed, card

KIND = "plains-indian-wars"
RULES = PlainsRules()
OPTIONS = {"scenario": "1"}


def opening(**dice):
    """Return the set-up with bands of Green in N3 and N8, and of Orange in S1 and S2."""
    script = {"set-up/Green/d12": (3, 8), "set-up/Orange/d12": (1, 2), **dice}
    return RULES.setup(OPTIONS, Fixed(script, rest=1)).state


def everywhere(state, colour, regions):
    return Counter(state.cubes[region][colour] for region in regions)


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.black")
def test_black_begins_beside_the_board():
    state = opening()
    assert (state.union, state.mountains, state.central) == (0, 0, 0)
    assert state.ready["Black"] == 30


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.white")
def test_two_wagons_are_in_st_louis():
    assert opening().cubes["STL"]["White"] == 2


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.purple")
def test_purple_has_one_in_each_region_and_two_in_canada_and_in_mexico():
    state = opening()
    ground = board()
    belts = [one for one in ground.regions_in_zones("NE", "SE") if one not in ("NE6", "SE6")]
    assert everywhere(state, "Purple", belts) == {1: 10}
    assert state.cubes["NE6"] == state.cubes["SE6"] == {"Purple": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.green")
def test_green_has_one_in_each_region_and_three_more_in_two():
    state = opening()
    assert everywhere(state, "Green", board().regions_in_zones("N")) == {1: 10, 4: 2}
    assert state.cubes["N3"]["Green"] == state.cubes["N8"]["Green"] == 4


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.orange")
def test_orange_has_one_in_each_region_and_three_more_in_two():
    state = opening()
    assert everywhere(state, "Orange", board().regions_in_zones("S")) == {1: 10, 4: 2}
    assert state.cubes["S1"]["Orange"] == state.cubes["S2"]["Orange"] == 4


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.doubles")
def test_equal_dice_of_a_tribe_fill_their_region_and_place_no_more():
    """Green rolls 5 and 5: one cube and three more are in N5, and the last three have no room."""
    dice = {"set-up/Green/d12/1": 5, "set-up/Green/d12/2": 5, "set-up/Orange/d12/1": 1}
    outcome = RULES.setup(
        {"scenario": "1", "doubles": "placed"}, Fixed({**dice, "set-up/Orange/d12/2": 2}, rest=1)
    )
    regions = board().regions_in_zones("N")
    assert everywhere(outcome.state, "Green", regions) == {1: 11, 4: 1}
    assert outcome.state.cubes["N5"]["Green"] == 4
    placed = [(event.placed, event.why) for event in outcome.events if isinstance(event, Raided)]
    assert placed == [(3, ""), (0, "limit"), (3, ""), (3, "")]


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.doubles")
def test_a_new_game_places_doubles_and_an_earlier_one_rolls_again():
    about = kinds()[KIND].about
    assert settle_for_new_game(about, {})["doubles"] == "placed"
    assert settle(about.options, {})["doubles"] == "rerolled"
    for number in range(200):
        state = RULES.setup(OPTIONS, any_dice(number)).state
        assert everywhere(state, "Green", board().regions_in_zones("N")) == {1: 10, 4: 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.doubles")
def test_the_regions_of_variant_two_differ():
    for scenario in ("2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7"):
        options = {"scenario": scenario, "doubles": "placed"}
        assert (
            RULES.setup(options, any_dice(5)).state.cubes
            == RULES.setup({"scenario": scenario}, any_dice(5)).state.cubes
        )


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.brown")
def test_brown_has_three_in_each_city_and_three_cards():
    state = opening()
    assert state.cubes["STL"]["Brown"] == state.cubes["SAC"]["Brown"] == 3
    assert len(state.hands["Settlers"]) == 3
    assert len(state.decks["Settlers"]) == 12


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.blue")
def test_blue_has_one_in_each_city_and_three_cards():
    state = opening()
    assert state.cubes["STL"]["Blue"] == state.cubes["SAC"]["Blue"] == 1
    assert len(state.hands["Cavalry"]) == 3


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.custer", "PIW1.setup.custer.when", "PIW1.custer.1")
def test_custer_of_the_set_up_is_asked_for_and_rides_when_the_game_begins():
    """Custer is the eleventh card. Another card is drawn for him, and the player chooses his region."""
    state = opening(**{"T0/set-up/draw/Cavalry/15": 11})
    assert card("Custer") in state.played["Cavalry"]
    assert len(state.hands["Cavalry"]) == 3
    assert state.tied == ("N3", "N8")
    assert "Blue" not in state.cubes["N3"], "he waits until the player has said where"
    (due,) = RULES.due(state)
    assert [owed.slot for owed in due.owes] == ["begin", "custer"]
    where = Instruction(topic="custer", says=("N8",))
    outcome = RULES.adjudicate(state, {US_SEAT: [Begin(), where]}, any_dice())
    (rode,) = [event for event in outcome.events if isinstance(event, CusterRode)]
    assert (rode.at, rode.count, rode.tied) == ("N8", 3, ("N3",))


@pytest.mark.clause("plains-indian-wars", "PIW1.setup.keys")
def test_four_places_are_key_locations():
    assert {place.name: place.key for place in board().places.values() if place.key} == {
        "Black Hills": 2,
        "Salt Lake City": 2,
        "Denver": 2,
        "Phoenix": 2,
    }


@pytest.mark.clause("plains-indian-wars", "PIW1.board.1", "PIW2.board")
def test_the_regions_are_numbered():
    ground = board()
    for zone, most in (("N", 12), ("S", 12), ("NE", 6), ("SE", 6)):
        assert ground.regions_in_zones(zone) == tuple(f"{zone}{number}" for number in range(1, most + 1))
    assert (ground.places["NE6"].name, ground.places["SE6"].name) == ("Canada", "Mexico")


@pytest.mark.clause("plains-indian-wars", "PIW1.board.2", "PIW2.board")
def test_the_trails_are_numbered_and_the_northern_one_forks():
    trails = board().chart.trails
    assert [step.id for step in trails["south"].steps] == [f"W-S{n}" for n in range(1, 7)]
    assert [step.id for step in trails["north"].steps] == [
        *("W-N1", "W-N2", "W-N3", "W-N4"),
        *("W-N5a", "W-N5b", "W-N6"),
    ]
    assert board().by_id["W-N4"].next == ("W-N5a", "W-N5b")
    assert board().by_id["W-N5a"].region == "NE1"


@pytest.mark.clause("plains-indian-wars", "PIW1.roles.1")
def test_the_us_is_the_only_seat():
    """It plans for Blue, Brown and Purple. No player plans for the tribes."""
    game = kinds()[KIND]
    assert game.about.seats(OPTIONS) == (US_SEAT,)
    assert {due.seat for due in RULES.due(opening())} == {US_SEAT}


@pytest.mark.clause("plains-indian-wars", "PIW1.supply")
def test_the_supply_is_that_of_the_box():
    assert materials().supply == {
        **{"Green": 30, "Orange": 30, "Blue": 25, "Brown": 35, "Purple": 20, "White": 20, "Black": 30}
    }


@pytest.mark.clause("plains-indian-wars", "PIW1.cards.decks")
def test_each_deck_has_ten_action_cards_and_five_events():
    for deck in materials().decks.values():
        assert Counter(one.kind for one in deck.cards) == {"action": 10, "event": 5}
        assert all((one.effect is not None) == (one.kind == "event") for one in deck.cards)


@pytest.mark.clause("plains-indian-wars", "PIW1.dice.faces")
def test_the_dice_have_the_faces_of_the_data():
    counted = {colour: Counter(faces) for colour, faces in materials().faces.items()}
    assert counted["Blue"] == {"hit": 3, "blank": 2, "treaty": 1}
    assert counted["Brown"] == counted["Purple"] == {"hit": 2, "blank": 3, "treaty": 1}
    assert counted["Green"] == counted["Orange"] == {"hit": 2, "blank": 2, "treaty": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.map")
def test_the_map_meets_the_fixed_points_of_its_sources():
    near = board().near
    for march in (("S2", "N2", "N3", "N8", "N10"), ("NE3", "NE4", "NE5", "N10"), ("EASTN", "N11", "N10")):
        assert all(other in near[one] for one, other in pairwise(march))
    assert [one for one in near["STL"] if board().is_plains(one)] == ["N5", "S5"]
    assert all(region in near[other] for other in near for region in near[other])


@pytest.mark.clause("plains-indian-wars", "PIW1.map.rail")
def test_the_line_has_five_sections_of_five_and_five_mountain_spaces():
    line = board().chart.railroad
    assert (line.plains_spaces, line.mountain_spaces, len(line.at)) == (25, 5, 30)
    assert all(south in board().near[north] for north, south in line.sections)


def test_every_value_of_the_data_says_where_it_comes_from():
    """The assumed values are shown with the clauses."""
    marks = {"sourced", "deduced", "assumed"}
    assert {place.mark for place in board().places.values()} <= marks
    assert {mark for _, _, mark in board().chart.borders} <= marks
    assert {one.mark for one in materials().cards.values()} <= marks
    assumed = [clause.id for clause in read_clauses(PACKAGE, "clauses.toml") if clause.mark == "assumed"]
    assert {"PIW1.dice.faces", "PIW1.map", "PIW1.map.rail", "PIW1.cards.decks", "PIW1.black.5"} <= set(
        assumed
    )


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda chart: chart["borders"].append(["N1", "N99", "assumed"]), "border N1-N99"),
        (lambda chart: chart["trails"]["north"]["steps"][0].update(region="X"), "step W-N1"),
        (lambda chart: chart["trails"]["south"]["steps"][5].update(next=["W-S9"]), "step W-S6"),
        (lambda chart: chart["regions"][0].pop("zone"), "data/map.json"),
    ],
)
def test_a_map_with_a_fault_names_the_entry(spoil, what):
    chart = read_json(PACKAGE, "data/map.json")
    spoil(chart)
    with pytest.raises(Invalid) as fault:
        compile_board(chart)
    assert what in fault.value.what
