"""Movement seasons, clause by clause: each test is a position."""

import pytest

from tests.kit.positions import season


@pytest.mark.clause("indianomacy", "Dip-move", "1.4")
def test_a_war_party_moves_to_a_neighbour():
    after = season("Dakota: W Santee - Menominee | moves")
    assert after.units == {"Menominee": "Dakota"}


@pytest.mark.clause("indianomacy", "Dip-hold")
def test_an_unsupported_attack_does_not_dislodge():
    season("""
        Dakota:   W Santee - Menominee | fails: held off by Menominee
        Illinois: W Menominee H        | holds
    """)


@pytest.mark.clause("indianomacy", "Dip-hold")
def test_one_support_dislodges_a_unit_that_holds():
    after = season("""
        Dakota:   W Santee - Menominee                | moves
                  W Sauk and Fox S W Santee - Menominee | supports
        Illinois: W Menominee                         | holds; dislodged by Santee
    """)
    assert after.retreats == {"Menominee": ["Chippewa", "Winnebago"]}


@pytest.mark.clause("indianomacy", "Dip-stand-off")
def test_equal_moves_stand_each_other_off():
    after = season("""
        Iroquois: W Oneida - Delaware  | fails: stood off by Pequot
        Illinois: W Pequot - Delaware  | fails: stood off by Oneida
    """)
    assert after.units == {"Oneida": "Iroquois", "Pequot": "Illinois"}


@pytest.mark.clause("indianomacy", "Dip-stand-off")
def test_three_equal_moves_stand_each_other_off():
    season("""
        Iroquois: W Oneida - Delaware      | fails: stood off by Pequot, Susquehanna
        Illinois: W Pequot - Delaware      | fails: stood off by Oneida, Susquehanna
        Dakota:   W Susquehanna - Delaware | fails: stood off by Pequot, Oneida
    """)


@pytest.mark.clause("indianomacy", "Dip-stronger")
def test_the_better_supported_of_two_moves_enters():
    season("""
        Iroquois: W Oneida - Delaware             | moves
                  W Onondaga S W Oneida - Delaware | supports
        Illinois: W Pequot - Delaware             | fails: kept out by Oneida
    """)


@pytest.mark.clause("indianomacy", "Dip-stand-off")
def test_equal_supports_stand_off_too():
    season("""
        Iroquois: W Oneida - Delaware                 | fails: stood off by Pequot
                  W Onondaga S W Oneida - Delaware    | supports
        Illinois: W Pequot - Delaware                 | fails: stood off by Oneida
                  W Susquehanna S W Pequot - Delaware | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-swap")
def test_two_units_do_not_change_places():
    season("""
        Iroquois: W Oneida - Mohawk | fails: swap by Mohawk
        Illinois: W Mohawk - Oneida | fails: swap by Oneida
    """)


@pytest.mark.clause("indianomacy", "Dip-swap", "Dip-own-unit")
def test_two_units_of_a_nation_do_not_change_places_even_with_support():
    season("""
        Iroquois: W Oneida - Mohawk              | fails: swap by Mohawk
                  W Mohawk - Oneida              | fails: swap by Oneida
                  W Delaware S W Oneida - Mohawk | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-ring")
def test_a_ring_of_three_turns():
    after = season("""
        Iroquois: W Oneida - Mohawk     | moves
        Illinois: W Mohawk - Delaware   | moves
        Dakota:   W Delaware - Oneida   | moves
    """)
    assert after.units == {"Mohawk": "Iroquois", "Delaware": "Illinois", "Oneida": "Dakota"}


@pytest.mark.clause("indianomacy", "Dip-ring")
def test_a_ring_of_one_nation_turns_with_a_support_from_outside():
    season("""
        Iroquois: W Oneida - Mohawk              | moves
                  W Mohawk - Delaware            | moves
                  W Delaware - Oneida            | moves
                  W Onondaga S W Delaware - Oneida | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-ring", "Dip-stand-off")
def test_a_rival_stops_a_ring():
    season("""
        Iroquois: W Oneida - Mohawk        | fails: held off by Mohawk
        Illinois: W Mohawk - Delaware      | fails: held off by Delaware
        Apache:   W Delaware - Oneida      | fails: held off by Oneida
        Dakota:   W Susquehanna - Delaware | fails: held off by Delaware
    """)


@pytest.mark.clause("indianomacy", "Dip-ring")
def test_a_rival_weaker_than_the_ring_does_not_stop_it():
    season("""
        Iroquois: W Oneida - Mohawk   | moves
                  W Mohawk - Delaware | moves
                  W Delaware - Oneida | moves
                  W Pequot S W Mohawk - Delaware   | supports
        Illinois: W Susquehanna - Delaware | fails: kept out by Mohawk
    """)


@pytest.mark.clause("indianomacy", "Dip-own-unit", "Dip-ring")
def test_no_self_dislodgement_in_a_broken_ring():
    """A supported move behind a stopped ring does not beat its own nation's unit (DATC 6.C.8)."""
    season("""
        Iroquois:   W Oneida - Delaware           | fails: held off by Delaware
                    W Mohawk - Oneida             | fails: own unit by Oneida
                    W Onondaga S W Mohawk - Oneida | supports
        Illinois:   W Delaware - Mohawk           | fails: held off by Mohawk
        Muskhogean: W Pequot - Delaware           | fails: held off by Delaware
    """)


@pytest.mark.clause("indianomacy", "Dip-own-support", "Dip-ring")
def test_no_help_to_dislodge_an_own_unit_in_a_broken_ring():
    """DATC 6.C.9."""
    season("""
        Iroquois:   W Oneida - Delaware           | fails: held off by Delaware
                    W Onondaga S W Mohawk - Oneida | supports
        Illinois:   W Delaware - Mohawk           | fails: held off by Mohawk
        Muskhogean: W Pequot - Delaware           | fails: held off by Delaware
        Dakota:     W Mohawk - Oneida             | fails: own support by Oneida, Onondaga
    """)


def test_a_row_moves_up_when_its_head_moves():
    season("""
        Iroquois: W Oneida - Mohawk   | moves
        Illinois: W Mohawk - Abnaki   | moves
        Dakota:   W Onondaga - Oneida | moves
    """)


def test_a_row_stays_when_its_head_stays():
    season("""
        Iroquois: W Oneida - Mohawk   | fails: held off by Mohawk
        Illinois: W Mohawk - Abnaki   | fails: held off by Abnaki
        Dakota:   W Onondaga - Oneida | fails: held off by Oneida
        Apache:   W Abnaki H          | holds
    """)


@pytest.mark.clause("indianomacy", "Dip-support-hold")
def test_a_support_to_hold_prevents_dislodgement():
    season("""
        Iroquois: W Oneida - Delaware             | fails: held off by Delaware, Pequot
                  W Onondaga S W Oneida - Delaware | supports
        Illinois: W Delaware H                    | holds
                  W Pequot S W Delaware           | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-support-hold")
def test_a_supporting_unit_may_be_supported_to_hold():
    """DATC 6.D.4: its support is cut, yet it holds."""
    season("""
        Illinois: W Delaware S W Pequot            | cut by Oneida
                  W Pequot S W Delaware            | supports
        Iroquois: W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | fails: held off by Delaware, Pequot
    """)


@pytest.mark.clause("indianomacy", "Dip-support-hold")
def test_a_unit_ordered_to_move_cannot_be_supported_to_hold():
    """DATC 6.D.7."""
    season("""
        Illinois: W Delaware - Susquehanna         | fails: stood off by Seneca; dislodged
                  W Pequot S W Delaware            | void: tries to move by Delaware
        Iroquois: W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | moves
        Dakota:   W Seneca - Susquehanna           | fails: stood off by Delaware
    """)


@pytest.mark.clause("indianomacy", "Dip-support-move")
def test_a_support_to_move_must_match_the_order_given():
    """DATC 6.D.9 and 6.D.25: the supporter's own order fails, and it holds."""
    season("""
        Iroquois: W Oneida S W Mohawk - Delaware | void: no such move by Mohawk
                  W Mohawk H                     | holds
        Illinois: W Pequot - Mohawk              | fails: held off by Mohawk
    """)


@pytest.mark.clause("indianomacy", "Dip-support-move", "Dip-void")
def test_a_support_for_another_goal_does_not_count():
    season("""
        Iroquois: W Oneida S W Mohawk - Delaware | void: no such move by Mohawk
                  W Mohawk - Pequot              | fails: held off by Pequot
        Illinois: W Pequot H                     | holds
    """)


@pytest.mark.clause("indianomacy", "Dip-void")
def test_a_unit_with_a_void_support_can_be_supported():
    """DATC 6.D.25 and 6.D.26."""
    season("""
        Illinois: W Delaware S W Pequot - Mohawk   | void: no such move by Pequot
                  W Pequot S W Delaware            | supports
        Iroquois: W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | fails: held off by Delaware, Pequot
    """)


@pytest.mark.clause("indianomacy", "Dip-void")
def test_a_unit_with_an_unlawful_move_holds_and_can_be_supported():
    """DATC 6.D.28: an impossible move is a hold."""
    season("""
        Illinois: W Delaware - Choctaw             | void: not adjacent
                  W Pequot S W Delaware            | supports
        Iroquois: W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | fails: held off by Delaware, Pequot
    """)


@pytest.mark.clause("indianomacy", "Dip-void")
def test_a_unit_with_an_unlawful_move_can_be_dislodged():
    after = season("""
        Illinois: W Delaware - Choctaw             | void: not adjacent; dislodged
        Iroquois: W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | moves
    """)
    assert after.retreats == {"Delaware": ["Pequot", "Mohawk", "Susquehanna"]}


@pytest.mark.clause("indianomacy", "Dip-support-reach")
def test_a_unit_does_not_support_where_it_cannot_go():
    """DATC 6.A.10."""
    season("""
        Illinois: W Delaware H                   | holds
        Iroquois: W Seneca S W Oneida - Delaware | void: support too far
                  W Oneida - Delaware            | fails: held off by Delaware
    """)


@pytest.mark.clause("indianomacy", "Dip-cut")
def test_a_move_cuts_a_support_to_move():
    """DATC 6.D.3."""
    season("""
        Iroquois: W Onondaga S W Oneida - Delaware | cut by Susquehanna
                  W Oneida - Delaware              | fails: held off by Delaware
        Illinois: W Delaware H                     | holds
                  W Susquehanna - Onondaga         | fails: held off by Onondaga
    """)


@pytest.mark.clause("indianomacy", "Dip-cut")
def test_a_move_cuts_a_support_to_hold():
    """DATC 6.D.2."""
    season("""
        Iroquois: W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | moves
                  W Mohawk - Pequot                | fails: held off by Pequot
        Illinois: W Delaware H                     | holds; dislodged by Oneida
                  W Pequot S W Delaware            | cut by Mohawk
    """)


@pytest.mark.clause("indianomacy", "Dip-cut")
def test_a_dislodged_unit_still_cuts():
    """DATC 6.D.21: the attack counts though the attacker is dislodged at home."""
    season("""
        Iroquois:   W Onondaga S W Oneida - Delaware  | cut by Susquehanna
                    W Oneida - Delaware               | fails: held off by Delaware
        Muskhogean: W Delaware H                      | holds
        Illinois:   W Susquehanna - Onondaga          | fails: held off by Onondaga; dislodged
        Dakota:     W Seneca - Susquehanna            | moves
                    W Erie S W Seneca - Susquehanna   | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-cut-by-target")
def test_the_unit_attacked_does_not_cut_the_support_against_itself():
    """DATC 6.D.15."""
    season("""
        Iroquois: W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | moves
        Illinois: W Delaware - Onondaga            | fails: held off by Onondaga; dislodged
    """)


@pytest.mark.clause("indianomacy", "Dip-cut-by-target")
def test_the_unit_attacked_cuts_the_support_by_dislodging_the_supporter():
    """DATC 6.D.17."""
    season("""
        Iroquois: W Onondaga S W Oneida - Delaware    | cut; dislodged by Delaware
                  W Oneida - Delaware                 | fails: stood off by Pequot
        Illinois: W Delaware - Onondaga               | moves
                  W Susquehanna S W Delaware - Onondaga | supports
                  W Pequot - Delaware                 | fails: stood off by Oneida
    """)


@pytest.mark.clause("indianomacy", "Dip-cut-by-target")
def test_a_supporter_that_survives_keeps_supporting():
    """DATC 6.D.18."""
    season("""
        Iroquois: W Onondaga S W Oneida - Delaware    | supports
                  W Oneida - Delaware                 | moves
                  W Cayuga S W Onondaga               | supports
        Illinois: W Delaware - Onondaga               | fails: held off by Onondaga, Cayuga; dislodged
                  W Susquehanna S W Delaware - Onondaga | supports
        Dakota:   W Pequot - Delaware                 | fails: kept out by Oneida
    """)


@pytest.mark.clause("indianomacy", "Dip-cut-own")
def test_a_nation_does_not_cut_its_own_support():
    """DATC 6.D.20."""
    season("""
        Iroquois: W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | moves
                  W Susquehanna - Onondaga         | fails: own unit by Onondaga
        Illinois: W Delaware H                     | holds; dislodged by Oneida
    """)


@pytest.mark.clause("indianomacy", "Dip-own-unit")
def test_no_unit_dislodges_one_of_its_own_nation():
    """DATC 6.D.10."""
    season("""
        Iroquois: W Delaware H                     | holds
                  W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | fails: own unit by Delaware
    """)


@pytest.mark.clause("indianomacy", "Dip-own-unit")
def test_foreign_support_does_not_make_a_unit_dislodge_its_own():
    season("""
        Iroquois: W Delaware H                     | holds
                  W Oneida - Delaware              | fails: own unit by Delaware
        Illinois: W Onondaga S W Oneida - Delaware | supports
                  W Mohawk S W Oneida - Delaware   | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-hold")
def test_a_unit_that_failed_to_move_defends_alone():
    """The supports of its move do not help it at home."""
    season("""
        Illinois: W Delaware - Pequot              | fails: held off by Pequot, Abnaki; dislodged
                  W Mohawk S W Delaware - Pequot   | supports
        Dakota:   W Pequot H                       | holds
                  W Abnaki S W Pequot              | supports
        Iroquois: W Oneida - Delaware              | moves
                  W Onondaga S W Oneida - Delaware | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-own-unit")
def test_no_unit_dislodges_an_own_one_that_comes_back():
    """DATC 6.D.11."""
    season("""
        Iroquois: W Delaware - Pequot              | fails: stood off by Abnaki
                  W Onondaga S W Oneida - Delaware | supports
                  W Oneida - Delaware              | fails: own unit by Delaware
        Illinois: W Abnaki - Pequot                | fails: stood off by Delaware
    """)


@pytest.mark.clause("indianomacy", "Dip-own-support")
def test_no_help_to_dislodge_an_own_unit():
    """DATC 6.D.12."""
    season("""
        Iroquois: W Delaware H                     | holds
                  W Onondaga S W Oneida - Delaware | supports
        Illinois: W Oneida - Delaware              | fails: own support by Delaware, Onondaga
    """)


@pytest.mark.clause("indianomacy", "Dip-own-support")
def test_no_help_to_dislodge_an_own_unit_that_comes_back():
    """DATC 6.D.13."""
    season("""
        Iroquois: W Delaware - Pequot              | fails: stood off by Abnaki
                  W Onondaga S W Oneida - Delaware | supports
        Illinois: W Oneida - Delaware              | fails: own support by Delaware, Onondaga
                  W Abnaki - Pequot                | fails: stood off by Delaware
    """)


@pytest.mark.clause("indianomacy", "Dip-own-support")
def test_an_own_support_does_not_save_a_unit_beaten_without_it():
    """DATC 6.D.14."""
    season("""
        Iroquois: W Delaware H                     | holds; dislodged by Oneida
                  W Onondaga S W Oneida - Delaware | supports
        Illinois: W Oneida - Delaware              | moves
                  W Mohawk S W Oneida - Delaware   | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-own-support")
def test_a_support_against_an_own_unit_still_keeps_others_out():
    """DATC 6.E.12: the support does not dislodge, but it counts against rivals."""
    season("""
        Iroquois: W Delaware - Mohawk              | fails: held off by Mohawk
                  W Onondaga S W Oneida - Delaware | supports
        Illinois: W Oneida - Delaware              | fails: own support by Delaware, Onondaga
        Dakota:   W Susquehanna - Delaware         | fails: stood off by Oneida
                  W Mohawk S W Susquehanna - Delaware | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-head-to-head")
def test_the_stronger_of_two_units_meeting_dislodges_the_other():
    after = season("""
        Iroquois: W Oneida - Delaware              | moves
                  W Onondaga S W Oneida - Delaware | supports
        Illinois: W Delaware - Oneida              | fails: beaten by Oneida; dislodged
    """)
    assert after.units == {"Delaware": "Iroquois", "Onondaga": "Iroquois"}


@pytest.mark.clause("indianomacy", "Dip-beaten")
def test_a_beaten_unit_keeps_nobody_out_of_its_attackers_province():
    """DATC 6.E.1."""
    season("""
        Iroquois: W Oneida - Delaware              | moves
                  W Mohawk - Oneida                | moves
                  W Onondaga S W Oneida - Delaware | supports
        Illinois: W Delaware - Oneida              | fails: beaten by Oneida; dislodged
    """)


@pytest.mark.clause("indianomacy", "Dip-own-unit", "Dip-head-to-head")
def test_no_self_dislodgement_head_to_head():
    """DATC 6.E.2."""
    season("""
        Iroquois: W Oneida - Delaware              | fails: swap by Delaware
                  W Delaware - Oneida              | fails: swap by Oneida
                  W Onondaga S W Oneida - Delaware | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-own-support", "Dip-head-to-head")
def test_no_help_to_dislodge_an_own_unit_head_to_head():
    """DATC 6.E.3."""
    season("""
        Iroquois: W Oneida - Delaware              | fails: beaten by Delaware
                  W Onondaga S W Delaware - Oneida | supports
        Illinois: W Delaware - Oneida              | fails: own support by Oneida, Onondaga
    """)


@pytest.mark.clause("indianomacy", "Dip-beleaguered")
def test_a_beleaguered_garrison_stays():
    season("""
        Illinois: W Delaware H                          | holds
        Iroquois: W Oneida - Delaware                   | fails: stood off by Pequot
                  W Onondaga S W Oneida - Delaware      | supports
        Dakota:   W Pequot - Delaware                   | fails: stood off by Oneida
                  W Mohawk S W Pequot - Delaware        | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-beleaguered")
def test_the_stronger_of_two_attacks_beats_a_beleaguered_garrison():
    season("""
        Illinois: W Delaware H                          | holds; dislodged by Oneida
        Iroquois: W Oneida - Delaware                   | moves
                  W Onondaga S W Oneida - Delaware      | supports
                  W Susquehanna S W Oneida - Delaware   | supports
        Dakota:   W Pequot - Delaware                   | fails: kept out by Oneida
                  W Mohawk S W Pequot - Delaware        | supports
    """)


@pytest.mark.clause("indianomacy", "Dip-beleaguered", "Dip-own-unit")
def test_an_own_supported_attack_beleaguers_too():
    """DATC 6.E.7: a support for a foreign attack on an own unit keeps a third one out."""
    season("""
        Illinois: W Delaware H                          | holds
                  W Onondaga S W Oneida - Delaware      | supports
        Iroquois: W Oneida - Delaware                   | fails: own support by Delaware, Onondaga
        Dakota:   W Pequot - Delaware                   | fails: stood off by Oneida
                  W Mohawk S W Pequot - Delaware        | supports
    """)


def test_a_unit_that_moves_off_may_be_followed_against_its_own_support():
    """DATC 6.E.9: the province is left, so nobody is dislodged and every support counts."""
    season("""
        Illinois: W Delaware - Susquehanna              | moves
                  W Onondaga S W Oneida - Delaware      | supports
        Iroquois: W Oneida - Delaware                   | moves
                  W Mohawk S W Oneida - Delaware        | supports
        Dakota:   W Pequot - Delaware                   | fails: kept out by Oneida
    """)


def test_a_loser_that_was_not_dislodged_still_stands_others_off():
    """DATC 6.E.4: beleaguered, the weaker of two that met keeps a third unit out of the other's province."""
    after = season("""
        Muskhogean: W Chickasaw - Cherokee                   | fails: stood off by Yuchi
                    W Tuscarora S W Chickasaw - Cherokee     | supports
                    W Hopewell Mounds S W Chickasaw - Cherokee | supports
        Illinois:   W Cherokee - Chickasaw                   | fails: beaten by Chickasaw
                    W Choctaw S W Cherokee - Chickasaw       | supports
        Iroquois:   W Yuchi - Cherokee                       | fails: stood off by Chickasaw
                    W Catawba S W Yuchi - Cherokee           | supports
                    W Lower Creek S W Yuchi - Cherokee       | supports
        Caddoan:    W Quapaw - Chickasaw                     | fails: stood off by Cherokee
                    W Shawnee S W Quapaw - Chickasaw         | supports
    """)
    assert after.retreats == {}


def test_a_loser_dislodged_by_a_third_unit_still_stands_others_off():
    """DATC 6.E.5: only the unit that met it could take that power away."""
    after = season("""
        Muskhogean: W Chickasaw - Cherokee                   | fails: kept out by Yuchi
                    W Tuscarora S W Chickasaw - Cherokee     | supports
                    W Hopewell Mounds S W Chickasaw - Cherokee | supports
        Illinois:   W Cherokee - Chickasaw                   | fails: beaten by Chickasaw; dislodged
                    W Choctaw S W Cherokee - Chickasaw       | supports
        Iroquois:   W Yuchi - Cherokee                       | moves
                    W Catawba S W Yuchi - Cherokee           | supports
                    W Lower Creek S W Yuchi - Cherokee       | supports
                    W Upper Creek S W Yuchi - Cherokee       | supports
        Caddoan:    W Quapaw - Chickasaw                     | fails: stood off by Cherokee
                    W Shawnee S W Quapaw - Chickasaw         | supports
    """)
    assert after.retreats == {"Cherokee": []}
