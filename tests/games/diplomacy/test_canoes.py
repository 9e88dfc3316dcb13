"""Canoe-fleets: built, carried, launched, landed, in each other's way (Indianomacy §6; C1 to C19, N6)."""

import pytest

from tests.kit.positions import BOARD, RULES, lines, play, position, season


def refusal(text, phase="S1M", **fields):
    """Why the one order of a text is unlawful: its code; None if it is lawful."""
    state = position(text, phase, **fields)
    (line,) = (line for line in lines(text) if line.order is not None)
    objection = RULES.check(state, line.power, line.order)
    return objection.code if objection else None


@pytest.mark.clause("indianomacy", "1.11")
@pytest.mark.parametrize("phase", ["S1M", "F1M"])
def test_a_war_party_on_a_shore_builds_in_spring_and_in_fall(phase):
    after = season("Iroquois: W Mohawk B canoe | builds", phase, {"Mohawk": "Iroquois"})
    assert after.canoes == {"Mohawk": 1}
    assert after.units == {"Mohawk": "Iroquois"}


@pytest.mark.clause("indianomacy", "1.11")
def test_no_canoe_is_built_inland():
    assert refusal("Iroquois: W Iowa B canoe") == "no-shore"
    after = season("Iroquois: W Iowa B canoe | void: no shore")
    assert after.canoes == {}


@pytest.mark.clause("indianomacy", "1.11")
def test_an_attack_that_fails_spoils_the_building():
    after = season("""
        Iroquois: W Mohawk B canoe   | spoilt: attacked by Abnaki
        Illinois: W Abnaki - Mohawk  | fails: held off by Mohawk
    """)
    assert after.canoes == {}


@pytest.mark.clause("indianomacy", "1.12")
def test_any_number_lie_in_one_province_and_add_nothing_to_a_battle():
    after = season("""
        Iroquois: W Mohawk (7 canoes) H         | holds; dislodged by Abnaki
        Illinois: W Abnaki - Mohawk             | moves
                  W Pequot S W Abnaki - Mohawk  | supports
    """)
    assert after.canoes == {"Mohawk": 7}
    assert season("Iroquois: W Mohawk (7 canoes) B canoe | builds").canoes == {"Mohawk": 8}


@pytest.mark.clause("indianomacy", "1.13")
def test_a_canoe_goes_to_the_water_and_to_a_shore_next_door():
    launched = season("Iroquois: W Mohawk (canoe) - St. Lawrence River canoe | moves")
    assert (launched.units, launched.canoes) == ({"St. Lawrence River": "Iroquois"}, {})
    carried = season("Iroquois: W Mohawk (canoe) - Oneida canoe | moves")
    assert (carried.units, carried.canoes) == ({"Oneida": "Iroquois"}, {"Oneida": 1})


@pytest.mark.clause("indianomacy", "1.13")
def test_a_canoe_never_goes_inland():
    assert refusal("Iroquois: W Mohawk (canoe) - Pequot canoe") == "inland"
    after = season("Iroquois: W Mohawk (canoe) - Pequot canoe | void: inland")
    assert (after.units, after.canoes) == ({"Mohawk": "Iroquois"}, {"Mohawk": 1})


@pytest.mark.clause("indianomacy", "1.13")
def test_only_what_lies_there_is_taken_along():
    assert refusal("Iroquois: W Mohawk - Oneida canoe", canoes={"Oneida": 2}) == "no-canoe"
    assert refusal("Iroquois: W Mohawk (canoe) - Seneca canoe") == "not-adjacent"
    assert refusal("Iroquois: W Mohawk (canoe) - Mohawk canoe") == "stays-put"


@pytest.mark.clause("indianomacy", "1.13")
def test_nootka_is_reached_in_a_canoe_only():
    assert BOARD.army["36"] == ()
    afloat = season("Shoshoni: W Chinook (canoe) - Nootka Sound canoe | moves")
    there = afloat.then("Shoshoni: W Nootka Sound - Nootka | moves")
    assert there.units == {"Nootka": "Shoshoni"}


@pytest.mark.clause("indianomacy", "1.14", "C15")
def test_C15_a_canoe_lands_in_an_empty_province_only():
    after = season("""
        Iroquois: W Lake Ontario - Cayuga  | fails: occupied by Cayuga
        Illinois: W Cayuga H               | holds
        neutral:  W Huron
        Dakota:   W Lake Erie - Huron      | fails: occupied by Huron
    """)
    assert after.units["Lake Ontario"] == "Iroquois"
    assert after.units["Lake Erie"] == "Dakota"


@pytest.mark.clause("indianomacy", "1.14")
def test_a_landing_dislodges_nobody_and_is_dislodged_by_nobody():
    after = season("""
        Iroquois: W Lake Ontario - Cayuga          | fails: walkers aim by Seneca
        Illinois: W Seneca - Cayuga                | moves
                  W Susquehanna S W Seneca - Cayuga | supports
    """)
    assert after.units == {"Lake Ontario": "Iroquois", "Cayuga": "Illinois", "Susquehanna": "Illinois"}


@pytest.mark.clause("indianomacy", "1.15")
def test_a_walker_beats_a_canoe_to_a_shore():
    after = season("""
        Iroquois: W Lake Ontario - Cayuga  | fails: walkers aim by Seneca
        Illinois: W Seneca - Cayuga        | moves
    """)
    assert after.units == {"Lake Ontario": "Iroquois", "Cayuga": "Illinois"}


@pytest.mark.clause("indianomacy", "1.15", "C8")
@pytest.mark.parametrize(
    ("one", "other", "goal"),
    [
        pytest.param("Lake Ontario", "Lake Erie", "Huron", id="two from the water"),
        pytest.param("Seneca (canoe)", "Onondaga (canoe)", "Cayuga", id="two from the shore"),
        pytest.param("Lake Ontario", "Seneca (canoe)", "Cayuga", id="one of each"),
        pytest.param("Lake Erie", "Seneca (canoe)", "Lake Ontario", id="to a water"),
    ],
)
@pytest.mark.parametrize("nation", ["Illinois", "Iroquois"])
def test_C8_two_canoes_to_one_place_stand_each_other_off(one, other, goal, nation):
    name, rival = (text.partition(" (")[0] for text in (one, other))
    after = season(f"""
        Iroquois: W {one} - {goal}{" canoe" * ("(" in one)}     | fails: canoes aim by {rival}
        {nation}: W {other} - {goal}{" canoe" * ("(" in other)} | fails: canoes aim by {name}
    """)
    assert set(after.units) == {name, rival}


@pytest.mark.clause("indianomacy", "C8")
def test_C8_a_canoe_that_is_kept_out_keeps_others_out():
    """The canoe from Seneca can't enter Cayuga, where a walker goes; neither can the one from Onondaga."""
    season("""
        Iroquois: W Seneca (canoe) - Cayuga canoe   | fails: walkers aim by Susquehanna
                  W Onondaga (canoe) - Cayuga canoe | fails: walkers aim by Susquehanna
        Illinois: W Susquehanna - Cayuga            | moves
    """)


@pytest.mark.clause("indianomacy", "1.16", "C7")
def test_C7_a_walker_keeps_the_carrier_out():
    after = season("""
        Iroquois: W Mohawk (canoe) - Oneida canoe | fails: walkers aim by Delaware
        Illinois: W Delaware - Oneida             | moves
    """)
    assert after.units == {"Mohawk": "Iroquois", "Oneida": "Illinois"}
    assert after.canoes == {"Mohawk": 1}


@pytest.mark.clause("indianomacy", "C9")
def test_C9_a_canoe_fails_where_walkers_stand_each_other_off():
    after = season("""
        Iroquois:   W Onondaga (canoe) - Oneida canoe   | fails: walkers aim by Mohawk, Delaware
                    W Mohawk - Oneida                   | fails: stood off by Delaware
        Muskhogean: W Delaware - Oneida                 | fails: stood off by Mohawk
    """)
    assert after.canoes == {"Onondaga": 1}


@pytest.mark.clause("indianomacy", "C9")
def test_C9_or_it_gets_in_where_a_game_says_so():
    admit = {"standoffs": "admit-canoes"}
    after = season(
        """
        Iroquois:   W Onondaga (canoe) - Oneida canoe   | moves
                    W Mohawk - Oneida                   | fails: stood off by Delaware
        Muskhogean: W Delaware - Oneida                 | fails: stood off by Mohawk
        """,
        options=admit,
    )
    assert after.units["Oneida"] == "Iroquois"
    season(
        """
        Iroquois:   W Onondaga (canoe) - Oneida canoe   | fails: walkers aim by Delaware
        Muskhogean: W Delaware - Oneida                 | moves
        """,
        options=admit,
    )


@pytest.mark.clause("indianomacy", "C1")
def test_C1_a_canoe_is_there_when_the_season_is_over():
    assert refusal("Iroquois: W Mohawk - Oneida canoe") == "no-canoe"
    spring = season("Iroquois: W Mohawk B canoe | builds")
    assert spring.then("Iroquois: W Mohawk - Oneida canoe | moves").units == {"Oneida": "Iroquois"}


@pytest.mark.clause("indianomacy", "C1")
def test_C1_a_builder_that_is_driven_out_gets_none():
    after = season("""
        Iroquois: W Mohawk B canoe              | spoilt: attacked by Abnaki; dislodged
        Illinois: W Abnaki - Mohawk             | moves
                  W Pequot S W Abnaki - Mohawk  | supports
    """)
    assert after.canoes == {}


@pytest.mark.clause("indianomacy", "C2")
def test_C2_a_builder_may_be_supported_where_it_stands():
    season("""
        Iroquois: W Mohawk B canoe              | spoilt: attacked by Abnaki
                  W Oneida S W Mohawk           | supports
        Illinois: W Abnaki - Mohawk             | fails: held off by Mohawk, Oneida
                  W Pequot S W Abnaki - Mohawk  | supports
    """)


@pytest.mark.clause("indianomacy", "C3")
def test_C3_one_canoe_for_each_war_party_and_season():
    after = season("Iroquois: W Mohawk")
    twice = play(after.before, "Iroquois: W Mohawk B canoe | void: replaced\nW Mohawk B canoe")
    assert twice.canoes == {"Mohawk": 1}


@pytest.mark.clause("indianomacy", "C4")
def test_C4_a_canoe_that_nobody_stands_by_lies_there_for_whoever_comes():
    left = season(
        "Iroquois: W Mohawk (canoe) - Pequot | moves\nIllinois: W Oneida H",
        centres={"Mohawk": "Illinois", "Onondaga": "Iroquois"},
    )
    assert left.canoes == {"Mohawk": 1}
    came = left.then("Illinois: W Oneida - Mohawk | moves")
    after = came.then("Illinois: W Mohawk - St. Lawrence River canoe | moves")
    assert (after.units["St. Lawrence River"], after.canoes) == ("Illinois", {})


@pytest.mark.clause("indianomacy", "C4")
def test_C4_whoever_arrives_this_season_cannot_use_it_yet():
    assert refusal("Iroquois: W Oneida - St. Lawrence River canoe", canoes={"Mohawk": 1}) == "no-canoe"


@pytest.mark.clause("indianomacy", "C5")
def test_C5_carrying_is_written_and_else_the_canoe_stays():
    after = season("Iroquois: W Mohawk (canoe) - Oneida | moves")
    assert after.canoes == {"Mohawk": 1}


@pytest.mark.clause("indianomacy", "C5")
def test_C5_to_the_water_without_the_word_is_void():
    assert refusal("Iroquois: W Mohawk (canoe) - St. Lawrence River") == "say-canoe"
    assert refusal("Iroquois: W Mohawk - St. Lawrence River") == "no-canoe"
    after = season("Iroquois: W Mohawk (canoe) - St. Lawrence River | void: say canoe")
    assert after.units == {"Mohawk": "Iroquois"}


@pytest.mark.clause("indianomacy", "C5")
def test_C5_afloat_the_word_is_understood():
    for word in ("", " canoe"):
        after = season(f"Iroquois: W Lake Ontario - Cayuga{word} | moves")
        assert (after.units, after.canoes) == ({"Cayuga": "Iroquois"}, {"Cayuga": 1})
    passed = season("Iroquois: W Lake Ontario - Lake Erie | moves")
    assert (passed.units, passed.canoes) == ({"Lake Erie": "Iroquois"}, {})


@pytest.mark.clause("indianomacy", "C6")
def test_C6_a_portage_leads_from_one_water_to_another():
    """Delaware lies on Chesapeake Bay, Oneida on the St. Lawrence."""
    after = season("Iroquois: W Delaware (canoe) - Oneida canoe | moves")
    assert after.canoes == {"Oneida": 1}


@pytest.mark.clause("indianomacy", "C6")
def test_C6_or_only_along_one_water_where_a_game_says_so():
    narrow = {"portage": "same-water"}
    assert refusal("Iroquois: W Delaware (canoe) - Oneida canoe", options=narrow) == "other-water"
    assert refusal("Iroquois: W Mohawk (canoe) - Oneida canoe", options=narrow) is None


@pytest.mark.clause("indianomacy", "C10", "V4")
def test_C10_a_canoe_enters_what_is_left_in_the_same_season():
    after = season("""
        Iroquois: W Lake Ontario - Cayuga | moves
                  W Cayuga - Susquehanna  | moves
    """)
    assert after.units == {"Cayuga": "Iroquois", "Susquehanna": "Iroquois"}
    season("""
        Iroquois: W Lake Ontario - Cayuga | fails: occupied by Cayuga
                  W Cayuga - Susquehanna  | fails: held off by Susquehanna
        Illinois: W Susquehanna H         | holds
    """)


@pytest.mark.clause("indianomacy", "C10", "V4")
def test_C10_a_canoe_that_leaves_opens_a_province():
    after = season("""
        Iroquois: W Cayuga (canoe) - Lake Ontario canoe | moves
        Illinois: W Susquehanna - Cayuga                | moves
    """)
    assert after.units == {"Lake Ontario": "Iroquois", "Cayuga": "Illinois"}


@pytest.mark.clause("indianomacy", "C10")
def test_C10_a_ring_of_three_turns():
    after = season("""
        Iroquois: W Lake Ontario - Cayuga      | moves
        Illinois: W Cayuga - Seneca            | moves
        Dakota:   W Seneca (canoe) - Lake Ontario canoe | moves
    """)
    assert after.units == {"Cayuga": "Iroquois", "Seneca": "Illinois", "Lake Ontario": "Dakota"}
    assert after.canoes == {"Cayuga": 1}


@pytest.mark.clause("indianomacy", "C10")
def test_C10_a_swap_of_two_canoes_fails():
    after = season("""
        Iroquois: W Lake Ontario - Cayuga                | fails: met by Cayuga
        Illinois: W Cayuga (canoe) - Lake Ontario canoe  | fails: met by Lake Ontario
    """)
    assert after.units == {"Lake Ontario": "Iroquois", "Cayuga": "Illinois"}


@pytest.mark.clause("indianomacy", "C11")
def test_C11_a_canoe_cuts_no_support():
    season("""
        Iroquois: W Lake Ontario - Onondaga             | fails: occupied by Onondaga
        Illinois: W Onondaga S W Oneida                 | supports
                  W Oneida H                            | holds
        Dakota:   W Mohawk - Oneida                     | fails: held off by Oneida, Onondaga
                  W Delaware S W Mohawk - Oneida        | supports
    """)


@pytest.mark.clause("indianomacy", "C11", "N6")
def test_C11_a_canoe_spoils_no_building():
    after = season("""
        Iroquois: W Lake Ontario - Onondaga  | fails: occupied by Onondaga
        Illinois: W Onondaga B canoe         | builds
    """)
    assert after.canoes == {"Onondaga": 1}


@pytest.mark.clause("indianomacy", "C11")
def test_C11_canoes_that_stand_each_other_off_leave_a_retreat_open():
    after = season("""
        Iroquois: W Lake Ontario - Seneca               | fails: canoes aim by Huron
                  W Huron (canoe) - Seneca canoe        | fails: canoes aim by Lake Ontario
        Illinois: W Cayuga H                            | holds; dislodged by Susquehanna
        Dakota:   W Susquehanna - Cayuga                | moves
                  W Onondaga S W Susquehanna - Cayuga   | supports
    """)
    assert after.retreats == {"Cayuga": ["Seneca"]}


@pytest.mark.clause("indianomacy", "C12", "1.14")
def test_C12_who_is_afloat_gives_no_support():
    assert refusal("Iroquois: W Lake Ontario S W Cayuga\nIllinois: W Cayuga") == "afloat"
    assert refusal("Iroquois: W Lake Ontario S W Cayuga - Seneca\nIllinois: W Cayuga") == "afloat"


@pytest.mark.clause("indianomacy", "C12")
def test_C12_a_move_by_canoe_has_no_support():
    assert refusal("Iroquois: W Lake Ontario\nW Seneca S W Lake Ontario - Cayuga") == "supports-canoe"
    assert refusal("Iroquois: W Seneca\nW Huron S W Seneca - Lake Ontario") == "supports-canoe"
    after = season("""
        Iroquois: W Mohawk (canoe) - Oneida canoe   | fails: occupied by Oneida
                  W Delaware S W Mohawk - Oneida    | void: goes by canoe by Mohawk
        Illinois: W Oneida H                        | holds
    """)
    assert after.units["Oneida"] == "Illinois"


@pytest.mark.clause("indianomacy", "C13")
def test_C13_a_carrier_that_fails_defends_alone():
    after = season("""
        Iroquois: W Mohawk (canoe) - Oneida canoe  | fails: occupied by Oneida; dislodged
                  W Oneida S W Mohawk              | void: tries to move by Mohawk
        Illinois: W Abnaki - Mohawk                | moves
                  W Pequot S W Abnaki - Mohawk     | supports
    """)
    assert after.canoes == {"Mohawk": 1}
    season("""
        Iroquois: W Mohawk (canoe) - Oneida canoe  | fails: occupied by Oneida
                  W Oneida H
        Illinois: W Abnaki - Mohawk                | fails: held off by Mohawk
    """)


@pytest.mark.clause("indianomacy", "C13")
def test_C13_an_order_void_from_the_start_is_a_hold_and_may_be_supported():
    season("""
        Iroquois: W Mohawk - Oneida canoe          | void: no canoe
                  W Oneida S W Mohawk              | supports
        Illinois: W Abnaki - Mohawk                | fails: held off by Mohawk, Oneida
                  W Pequot S W Abnaki - Mohawk     | supports
    """)


@pytest.mark.clause("indianomacy", "C13")
def test_C13_nobody_attacks_who_is_afloat():
    assert refusal("Iroquois: W Lake Ontario\nIllinois: W Seneca - Lake Ontario") == "no-canoe"


@pytest.mark.clause("indianomacy", "C14")
def test_C14_one_war_party_on_a_water():
    after = season("""
        Iroquois: W Lake Ontario H                       | holds
        Illinois: W Cayuga (canoe) - Lake Ontario canoe  | fails: occupied by Lake Ontario
    """)
    assert after.canoes == {"Cayuga": 1}


@pytest.mark.clause("indianomacy", "C16")
def test_C16_who_landed_takes_the_centre_at_the_end_of_fall():
    spring = season("Shoshoni: W Nootka Sound - Nootka", centres={"Chinook": "Shoshoni"})
    assert spring.state.centres == {"39": "Shoshoni"}
    fall = spring.then("Shoshoni: W Nootka B canoe")
    assert fall.state.centres == {"36": "Shoshoni", "39": "Shoshoni"}


@pytest.mark.clause("indianomacy", "C17")
def test_C17_a_carrier_and_a_walker_do_not_swap():
    weak = season("""
        Iroquois: W Mohawk (canoe) - Oneida canoe  | fails: walkers aim by Delaware
        Illinois: W Delaware - Oneida              | moves
    """)
    assert weak.canoes == {"Mohawk": 1}
    season("""
        Iroquois: W Mohawk (canoe) - Oneida canoe  | fails: met by Oneida
        Illinois: W Oneida - Mohawk                | fails: swap by Mohawk
    """)
    after = season("""
        Iroquois: W Mohawk (canoe) - Oneida canoe  | fails: met by Oneida; dislodged
        Illinois: W Oneida - Mohawk                | moves
                  W Delaware S W Oneida - Mohawk   | supports
    """)
    assert (after.units["Mohawk"], after.canoes) == ("Illinois", {"Mohawk": 1})


@pytest.mark.clause("indianomacy", "C18")
def test_C18_the_other_canoe_stays_behind():
    after = season("Iroquois: W Mohawk (2 canoes) - Oneida canoe | moves")
    assert after.canoes == {"Mohawk": 1, "Oneida": 1}


@pytest.mark.clause("indianomacy", "C19")
def test_C19_who_is_afloat_may_stay_afloat_and_builds_nothing():
    after = season("Iroquois: W Lake Ontario H | holds", centres={"Mohawk": "Iroquois"})
    for _ in range(4):
        after = after.then("")
    assert after.units == {"Lake Ontario": "Iroquois"}
    assert refusal("Iroquois: W Lake Ontario B canoe") == "afloat"


@pytest.mark.clause("indianomacy", "C19")
def test_C19_who_is_afloat_may_be_removed_in_winter_with_its_canoe():
    state = position("Iroquois: W Lake Ontario\nW Mohawk", "W1A", {"Mohawk": "Iroquois"})
    after = play(state, "Iroquois: W Lake Ontario D | removed")
    assert (after.units, after.canoes) == ({"Mohawk": "Iroquois"}, {})


@pytest.mark.clause("indianomacy", "N6")
@pytest.mark.parametrize("nation", ["Iroquois", "Illinois"])
def test_N6_a_move_of_ones_own_nation_spoils_nothing(nation):
    own = nation == "Iroquois"
    after = season(f"""
        Iroquois: W Mohawk B canoe   | {"builds" if own else "spoilt: attacked by Abnaki"}
        {nation}: W Abnaki - Mohawk
    """)
    assert after.canoes == ({"Mohawk": 1} if own else {})


@pytest.mark.clause("indianomacy", "N6")
def test_N6_or_whoever_aims_there_spoils_it_where_a_game_says_so():
    season(
        """
        Iroquois: W Onondaga B canoe         | spoilt: attacked by Oneida, Lake Ontario
                  W Oneida - Onondaga
        Illinois: W Lake Ontario - Onondaga
        """,
        options={"attacked": "anyone"},
    )


@pytest.mark.clause("indianomacy", "V4")
def test_V4_what_was_captured_or_left_is_counted_when_all_have_moved():
    after = season("""
        Iroquois: W Mohawk (2 canoes) - Oneida canoe       | moves
                  W Onondaga B canoe                       | builds
        Illinois: W Abnaki - Mohawk                        | moves
    """)
    assert after.canoes == {"Mohawk": 1, "Oneida": 1, "Onondaga": 1}


@pytest.mark.clause("indianomacy", "V2")
def test_V2_canoes_are_no_units():
    state = position("Iroquois: W Mohawk (30 canoes)", "W1A", {"Mohawk": "Iroquois"})
    assert RULES.due(state) == ()
    after = season("Iroquois: W Mohawk (30 canoes) H", "F1M", {"Mohawk": "Iroquois"})
    assert RULES.result(after.state) is None
