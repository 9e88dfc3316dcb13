"""War Parties in civil disorder (Indianomacy §4, rulings N1 to N4)."""

import pytest

from games.diplomacy.events import Captured
from games.diplomacy.model import NEUTRAL, Hold, Move, Piece, SupportHold, SupportMove
from tests.kit.positions import BOARD, DICE, RULES, play, position, season


@pytest.mark.clause("indianomacy", "1.5")
def test_ten_neutral_war_parties_stand_at_the_start():
    state = RULES.setup({}, DICE).state
    names = {BOARD.name(unit.at) for unit in state.units if unit.power == NEUTRAL}
    assert names == {
        *("Assiniboine", "Cherokee", "Chippewa", "Cree", "Delaware"),
        *("Huron", "Navaho", "Pawnee", "Paiute", "Taos"),
    }


@pytest.mark.clause("indianomacy", "1.6")
def test_a_neutral_is_never_asked_and_takes_no_orders():
    state = RULES.setup({}, DICE).state
    assert NEUTRAL not in {due.seat for due in RULES.due(state)}
    delaware = Piece(kind="W", at="61")
    mohawk = Piece(kind="W", at="10")
    for order in (
        Hold(unit=delaware),
        Move(unit=delaware, to="60"),
        SupportHold(unit=delaware, other=mohawk),
    ):
        objection = RULES.check(state, NEUTRAL, order)
        assert objection is not None
        assert objection.code == "not-due"
        done = RULES.adjudicate(state, {NEUTRAL: [order]}, DICE)
        assert [event.outcome for event in done.events if event.power == NEUTRAL] == ["void"]
        assert done.state.units == state.units


@pytest.mark.clause("indianomacy", "1.6")
def test_nobody_may_support_a_neutral_to_move():
    state = RULES.setup({}, DICE).state
    order = SupportMove(unit=Piece(kind="W", at="12"), other=Piece(kind="W", at="61"), to="60")
    objection = RULES.check(state, "Iroquois", order)
    assert objection is not None
    assert objection.code == "neutral-stays"


@pytest.mark.clause("indianomacy", "1.6", "1.7")
def test_a_supported_attack_takes_a_neutral_off():
    after = season("""
        neutral:  W Delaware                       | removed; dislodged by Mohawk
        Iroquois: W Mohawk - Delaware              | moves
                  W Oneida S W Mohawk - Delaware   | supports
    """)
    assert after.units == {"Delaware": "Iroquois", "Oneida": "Iroquois"}
    assert after.retreats == {}
    assert after.state.phase.short == "F1M"


@pytest.mark.clause("indianomacy", "1.7", "N1")
def test_N1_one_unsupported_attack_is_turned_back():
    season("""
        neutral:  W Delaware
        Iroquois: W Mohawk - Delaware | fails: held off by Delaware
    """)


@pytest.mark.clause("indianomacy", "N1")
def test_N1_a_cut_support_does_not_count():
    season("""
        neutral:  W Delaware
        Iroquois: W Mohawk - Delaware              | fails: held off by Delaware
                  W Oneida S W Mohawk - Delaware   | cut by Onondaga
        Illinois: W Onondaga - Oneida              | fails: held off by Oneida
    """)


@pytest.mark.clause("indianomacy", "1.7")
def test_a_supported_neutral_needs_a_stronger_attack():
    season("""
        neutral:  W Delaware
        Iroquois: W Mohawk - Delaware              | fails: held off by Delaware, Pequot
                  W Oneida S W Mohawk - Delaware   | supports
        Illinois: W Pequot S W Delaware            | supports
    """)


@pytest.mark.clause("indianomacy", "N4")
def test_N4_two_nations_may_support_a_neutral():
    season("""
        neutral:  W Delaware
        Iroquois: W Mohawk - Delaware              | fails: held off by Delaware, Pequot, Susquehanna
                  W Oneida S W Mohawk - Delaware   | supports
                  W Onondaga S W Mohawk - Delaware | supports
        Illinois: W Pequot S W Delaware            | supports
        Dakota:   W Susquehanna S W Delaware       | supports
    """)


@pytest.mark.clause("indianomacy", "N4")
def test_N4_its_attacker_may_support_it_too():
    season("""
        neutral:  W Delaware
        Iroquois: W Mohawk - Delaware              | fails: held off by Delaware, Oneida
                  W Oneida S W Delaware            | supports
    """)


@pytest.mark.clause("indianomacy", "N2")
def test_N2_a_neutral_centre_is_nobodys_until_taken():
    state = RULES.setup({}, DICE).state
    assert all(unit.at not in state.centres for unit in state.units if unit.power == NEUTRAL)


@pytest.mark.clause("indianomacy", "N2", "Dip-ownership")
def test_N2_a_neutral_owns_nothing_and_its_conqueror_owns_at_the_end_of_fall():
    spring = season("""
        neutral:  W Delaware
                  W Huron
        Iroquois: W Mohawk - Delaware              | moves
                  W Oneida S W Mohawk - Delaware   | supports
    """)
    assert spring.state.centres == {}
    fall = play(spring.state, "Iroquois: W Oneida - Onondaga | moves")
    taken = [event for event in fall.events if isinstance(event, Captured)]
    assert Captured(centre="61", was=None, now="Iroquois") in taken
    assert fall.state.centres == {"12": "Iroquois", "61": "Iroquois"}


@pytest.mark.clause("indianomacy", "N3")
def test_N3_neutrals_are_never_removed_or_built():
    state = position("neutral: W Delaware\nIroquois: W Mohawk", "W1A", {"Mohawk": "Iroquois"})
    assert RULES.due(state) == ()
    fall = position(
        """
        neutral:  W Huron
        Iroquois: W Mohawk
        """,
        "F1M",
        {"Mohawk": "Iroquois"},
    )
    after = play(fall, "Iroquois: W Mohawk H")
    assert after.state.phase.short == "S2M"
    assert after.units == {"Mohawk": "Iroquois", "Huron": NEUTRAL}
