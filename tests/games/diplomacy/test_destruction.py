"""Canoe-fleets destroyed, and captured (Indianomacy §7, §8; D1 to D7, V7)."""

import pytest

from games.diplomacy.events import CanoesTaken
from games.diplomacy.model import Move
from tests.games.diplomacy.test_canoes import refusal
from tests.kit.positions import RULES, lines, position, season


@pytest.mark.clause("indianomacy", "1.17")
def test_one_canoe_is_destroyed_besides_whatever_the_war_party_does():
    after = season("""
        Iroquois: W Mohawk (2 canoes) - Pequot   | moves
                  destroy Mohawk                 | destroys
                  W Oneida (2 canoes) S W Onondaga | supports
                  destroy Oneida                 | destroys
                  W Onondaga H
    """)
    assert after.canoes == {"Mohawk": 1, "Oneida": 1}


@pytest.mark.clause("indianomacy", "1.17", "V7")
def test_V7_at_most_one_in_a_province_and_season():
    after = season("""
        Iroquois: W Mohawk (3 canoes)
                  destroy Mohawk | destroys
    """)
    assert after.canoes == {"Mohawk": 2}
    twice = season("""
        Iroquois: W Mohawk (3 canoes)
                  destroy Mohawk
                  destroy Mohawk
    """)
    assert twice.canoes == {"Mohawk": 2}
    outcomes = [(event.outcome, event.reason and event.reason.code) for event in twice.events[:3]]
    assert outcomes == [("held", None), ("void", "one-a-season"), ("destroyed", None)]


@pytest.mark.clause("indianomacy", "1.17")
def test_only_who_stands_there_destroys():
    assert refusal("Illinois: W Oneida (canoe)\nIroquois: destroy Oneida") == "not-yours"
    assert refusal("Iroquois: W Oneida\ndestroy Mohawk", canoes={"Mohawk": 1}) == "no-unit"
    assert refusal("Iroquois: W Mohawk\ndestroy Mohawk", canoes={"Oneida": 1}) == "none-there"
    after = season("Iroquois: W Oneida - Mohawk\ndestroy Mohawk | void: no unit", canoes={"Mohawk": 1})
    assert after.canoes == {"Mohawk": 1}


@pytest.mark.clause("indianomacy", "1.18", "D6")
def test_D6_all_canoes_of_the_beaten_fall_to_the_victor_for_next_season():
    after = season("""
        Iroquois: W Mohawk (3 canoes) H         | holds; dislodged by Abnaki
        Illinois: W Abnaki - Mohawk             | moves
                  W Pequot S W Abnaki - Mohawk  | supports
    """)
    (prize,) = after.told(CanoesTaken)
    assert (prize.at, prize.count, prize.was.power, prize.now.power) == ("10", 3, "Iroquois", "Illinois")
    fall = after.then("Iroquois: W Mohawk D")
    launched = fall.then("Illinois: W Mohawk - St. Lawrence River canoe | moves")
    assert launched.canoes == {"Mohawk": 2}


@pytest.mark.clause("indianomacy", "1.18", "D1")
def test_D1_a_destruction_comes_first_and_denies_the_prize():
    after = season("""
        Iroquois: W Mohawk (canoe) H            | holds; dislodged by Abnaki
                  destroy Mohawk                | destroys
        Illinois: W Abnaki - Mohawk             | moves
                  W Pequot S W Abnaki - Mohawk  | supports
    """)
    assert after.canoes == {}
    assert after.told(CanoesTaken) == []


@pytest.mark.clause("indianomacy", "1.18")
def test_a_neutral_that_is_driven_off_loses_its_canoes_too():
    after = season("""
        neutral:  W Delaware (canoe)
        Iroquois: W Mohawk - Delaware            | moves
                  W Oneida S W Mohawk - Delaware | supports
    """)
    assert [prize.now.power for prize in after.told(CanoesTaken)] == ["Iroquois"]
    assert after.canoes == {"Delaware": 1}


@pytest.mark.clause("indianomacy", "D2")
def test_D2_of_two_canoes_one_is_destroyed_and_one_carried():
    after = season("""
        Iroquois: W Mohawk (2 canoes) - Oneida canoe | moves
                  destroy Mohawk                     | destroys
    """)
    assert after.canoes == {"Oneida": 1}


@pytest.mark.clause("indianomacy", "D2")
@pytest.mark.parametrize("first", [True, False])
def test_D2_a_valid_carrying_order_keeps_the_only_canoe(first):
    orders = ["W Mohawk (canoe) - Oneida canoe | moves", "destroy Mohawk | void: carried off"]
    after = season("Iroquois: " + "\n".join(orders if first else ["W Mohawk (canoe)", *orders[::-1]][1:]))
    assert after.canoes == {"Oneida": 1}


@pytest.mark.clause("indianomacy", "D2")
def test_D2_an_invalid_carrying_order_contradicts_nothing():
    after = season("""
        Iroquois: W Mohawk (canoe) - Pequot canoe | void: inland
                  destroy Mohawk                  | destroys
    """)
    assert after.canoes == {}


@pytest.mark.clause("indianomacy", "D2")
def test_D2_a_carrying_order_that_fails_keeps_it_too():
    after = season("""
        Iroquois: W Mohawk (canoe) - Oneida canoe | fails: occupied by Oneida
                  destroy Mohawk                  | void: carried off
                  W Oneida H
    """)
    assert after.canoes == {"Mohawk": 1}


@pytest.mark.clause("indianomacy", "D2")
def test_D2_or_the_canoe_is_destroyed_where_a_game_says_so():
    after = season(
        """
        Iroquois: W Mohawk (canoe) - Oneida canoe | void: canoe destroyed
                  destroy Mohawk                  | destroys
                  W Onondaga S W Mohawk           | void: support too far
                  W Delaware S W Mohawk           | supports
        """,
        options={"destruction": "destroyed"},
    )
    assert (after.units["Mohawk"], after.canoes) == ("Iroquois", {})


@pytest.mark.clause("indianomacy", "D2")
def test_D2_the_player_is_told_of_the_contradiction():
    text = "Iroquois: W Mohawk (canoe) - Oneida canoe\ndestroy Mohawk"
    orders = [line.order for line in lines(text)]
    (concern,) = RULES.concerns(position(text), "Iroquois", orders)
    assert (concern.code, concern.detail["unit"], concern.detail["to"]) == ("destroys-carried", "10", "11")
    two = position("Iroquois: W Mohawk (2 canoes)")
    assert RULES.concerns(two, "Iroquois", orders) == ()
    walk = [Move(unit=orders[0].unit, to="11"), orders[1]]
    assert RULES.concerns(position(text), "Iroquois", walk) == ()


@pytest.mark.clause("indianomacy", "D3")
def test_D3_what_is_built_this_season_survives():
    after = season("""
        Iroquois: W Mohawk (canoe) B canoe | builds
                  destroy Mohawk           | destroys
    """)
    assert after.canoes == {"Mohawk": 1}
    assert refusal("Iroquois: W Mohawk\ndestroy Mohawk") == "none-there"


@pytest.mark.clause("indianomacy", "D4")
def test_D4_nobody_destroys_what_he_sits_in():
    assert refusal("Iroquois: W Lake Ontario\ndestroy Lake Ontario") == "afloat"


@pytest.mark.clause("indianomacy", "D5")
def test_D5_a_retreat_is_on_foot_and_on_land():
    after = season("""
        Iroquois: W Mohawk (canoe) H            | holds; dislodged by Abnaki
        Illinois: W Abnaki - Mohawk             | moves
                  W Pequot S W Abnaki - Mohawk  | supports
    """)
    assert after.retreats == {"Mohawk": ["Oneida", "Delaware"]}
    retreat = after.then("Iroquois: W Mohawk - Oneida canoe | void: on foot")
    assert "Oneida" not in retreat.units
    flight = after.then("Iroquois: W Mohawk - St. Lawrence River | void: no retreat")
    assert flight.canoes == {"Mohawk": 1}


@pytest.mark.clause("indianomacy", "D7")
def test_D7_who_walks_in_after_the_defender_left_may_use_them():
    after = season("""
        Iroquois: W Mohawk (canoe) - Pequot | moves
        Illinois: W Oneida - Mohawk         | moves
    """)
    assert after.told(CanoesTaken) == []
    assert after.then("Illinois: W Mohawk - Abnaki canoe | moves").canoes == {"Abnaki": 1}
