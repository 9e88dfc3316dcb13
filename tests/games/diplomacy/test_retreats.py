"""Retreats: where to, and what becomes of those that go."""

import pytest

from games.diplomacy.model import Disband, Piece
from tests.kit.positions import BOARD, RULES, season

BEATEN = """
    Illinois: W Delaware H                     | holds; dislodged by Oneida
    Iroquois: W Oneida - Delaware              | moves
              W Onondaga S W Oneida - Delaware | supports
"""


@pytest.mark.clause("indianomacy", "Dip-retreat")
def test_a_beaten_unit_may_go_to_any_bordering_empty_province_but_its_attackers():
    after = season(BEATEN)
    assert after.state.phase.short == "U1R"
    assert after.retreats == {"Delaware": ["Pequot", "Mohawk", "Susquehanna"]}
    (due,) = RULES.due(after.state)
    assert (due.seat, due.kind, [one.slot for one in due.owes]) == ("Illinois", "retreats", ["W 61"])


@pytest.mark.clause("indianomacy", "Dip-retreat")
def test_a_retreat():
    after = season(BEATEN).then("Illinois: W Delaware - Pequot | retreats")
    assert after.units == {"Pequot": "Illinois", "Delaware": "Iroquois", "Onondaga": "Iroquois"}
    assert after.state.phase.short == "F1M"
    assert after.state.beaten == ()


@pytest.mark.clause("indianomacy", "Dip-retreat")
@pytest.mark.parametrize("to", ["Oneida", "Onondaga", "Huron"])
def test_an_unlawful_retreat_disbands(to):
    after = season(BEATEN).then(f"Illinois: W Delaware - {to} | void: no retreat")
    assert after.outcome("Delaware") == "disbands: no order"
    assert after.units == {"Delaware": "Iroquois", "Onondaga": "Iroquois"}


@pytest.mark.clause("indianomacy", "Dip-retreat")
def test_a_province_left_empty_by_a_stand_off_is_closed():
    """DATC 6.H.6."""
    after = season(
        BEATEN
        + """
        Dakota:   W Abnaki - Pequot            | fails: stood off by Mohawk
        Apache:   W Mohawk - Pequot            | fails: stood off by Abnaki
    """
    )
    assert after.contested == ["Pequot"]
    assert after.retreats == {"Delaware": ["Susquehanna"]}


@pytest.mark.clause("indianomacy", "Dip-retreat")
def test_a_beaten_unit_does_not_contest_its_attackers_province():
    """DATC 6.H.9: another beaten unit may retreat to where the winner came from."""
    after = season("""
        Iroquois: W Oneida - Delaware              | moves
                  W Onondaga S W Oneida - Delaware | supports
                  W Abnaki - Mohawk                | moves
                  W Pequot S W Abnaki - Mohawk     | supports
        Illinois: W Delaware - Oneida              | fails: beaten by Oneida; dislodged
                  W Mohawk H                       | holds; dislodged by Abnaki
    """)
    assert after.contested == []
    assert after.retreats == {"Mohawk": ["Oneida"], "Delaware": ["Susquehanna"]}


@pytest.mark.clause("indianomacy", "Dip-retreat-none")
def test_a_unit_without_a_retreat_is_gone_at_once():
    """No orders are due for it, and the year goes on."""
    surrounded = season("""
        Illinois: W Mohawk H                       | holds; dislodged by Oneida
        Iroquois: W Oneida - Mohawk                | moves
                  W Delaware S W Oneida - Mohawk   | supports
                  W Abnaki H                       | holds
                  W Pequot H                       | holds
    """)
    assert surrounded.retreats == {"Mohawk": []}
    assert surrounded.state.phase.short == "F1M"
    assert surrounded.state.beaten == ()
    assert "Illinois" not in surrounded.units.values()


@pytest.mark.clause("indianomacy", "Dip-retreat-two")
def test_two_retreats_to_one_province_disband_each_other():
    """DATC 6.H.7."""
    after = season("""
        Illinois: W Delaware H                       | holds; dislodged by Onondaga
                  W Mohawk H                         | holds; dislodged by Oneida
        Iroquois: W Onondaga - Delaware              | moves
                  W Susquehanna S W Onondaga - Delaware | supports
                  W Oneida - Mohawk                  | moves
                  W Abnaki S W Oneida - Mohawk       | supports
    """)
    done = after.then("""
        Illinois: W Delaware - Pequot | disbands: collided by Mohawk
                  W Mohawk - Pequot   | disbands: collided by Delaware
    """)
    assert "Illinois" not in done.units.values()


@pytest.mark.clause("indianomacy", "V5")
def test_V5_a_beaten_unit_without_an_order_disbands():
    after = season(BEATEN).then("")
    assert after.outcome("Delaware") == "disbands: no order"
    assert after.units == {"Delaware": "Iroquois", "Onondaga": "Iroquois"}


def test_a_beaten_unit_may_give_up():
    after = season(BEATEN).then("Illinois: W Delaware D | disbands")
    assert "Illinois" not in after.units.values()


def test_only_beaten_units_retreat():
    state = season(BEATEN).state
    order = Disband(unit=Piece(kind="W", at="12"))
    objection = RULES.check(state, "Iroquois", order)
    assert objection is not None
    assert (objection.code, objection.detail) == ("not-beaten", {"unit": "12"})


def test_an_objection_names_the_retreats_nearest_to_the_wanted_place():
    state = season(BEATEN).state
    read = season(BEATEN).then("Illinois: W Delaware - Erie | void: no retreat")
    order = next(event.order for event in read.events if event.outcome == "void")
    objection = RULES.check(state, "Illinois", order)
    assert objection is not None
    near = [BOARD.name(one) for one in objection.detail["near"].split()]
    assert near[0] == "Susquehanna"
    assert set(near) == {"Pequot", "Mohawk", "Susquehanna"}
