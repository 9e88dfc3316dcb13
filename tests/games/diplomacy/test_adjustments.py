"""Builds and removals (rulings N5, V5, V6, V7)."""

import pytest

from games.diplomacy.adjudication.adjustments import farthest, free_homes
from games.diplomacy.boards.variants import load
from games.diplomacy.model import Build, Disband, Piece, Unit, Waive
from games.diplomacy.rules import DiplomacyRules
from games.record import replace_fields
from tests.kit.positions import BOARD, DICE, RULES, VARIANT, play, position

HOMES = {"Mohawk": "Iroquois", "Oneida": "Iroquois", "Onondaga": "Iroquois", "Seneca": "Iroquois"}


def winter(units, centres):
    return position(units, "W1A", centres)


@pytest.mark.clause("indianomacy", "Dip-adjust")
def test_a_nation_builds_up_to_its_centres():
    state = winter("Iroquois: W Mohawk", HOMES)
    (due,) = RULES.due(state)
    assert (due.seat, due.kind, due.accepts, due.takes) == ("Iroquois", "builds", ("Build", "Waive"), 3)
    after = play(state, "Iroquois: W Oneida B | builds\nW Seneca B | builds\nWAIVE | waives")
    assert set(after.units) == {"Mohawk", "Oneida", "Seneca"}
    assert after.state.phase.short == "S2M"


@pytest.mark.clause("indianomacy", "Dip-adjust")
def test_a_nation_removes_down_to_its_centres():
    state = winter("Iroquois: W Mohawk\nW Huron\nW Ottawa", {"Mohawk": "Iroquois"})
    (due,) = RULES.due(state)
    assert (due.accepts, due.takes) == (("Disband",), 2)
    after = play(state, "Iroquois: W Huron D | removed\nW Mohawk D | removed")
    assert set(after.units) == {"Ottawa"}


@pytest.mark.clause("indianomacy", "N5")
def test_N5_no_builds_outside_starting_centres():
    centres = {**HOMES, "Huron": "Iroquois"}
    state = winter("Iroquois: W Mohawk", centres)
    play(
        state,
        """
        Iroquois: W Huron B  | void: not home
                  W Cayuga B | void: not home
        """,
    )


@pytest.mark.clause("indianomacy", "N5")
def test_N5_no_builds_in_a_lost_or_occupied_home():
    centres = {"Mohawk": "Iroquois", "Oneida": "Iroquois", "Onondaga": "Illinois", "Huron": "Iroquois"}
    state = winter("Iroquois: W Mohawk\nIllinois: W Ottawa", centres)
    play(
        state,
        """
        Iroquois: W Mohawk B   | void: home occupied
                  W Onondaga B | void: home lost
                  W Oneida B   | builds
        """,
    )


@pytest.mark.clause("indianomacy", "N5")
def test_N5_a_nation_without_a_free_home_is_not_asked():
    state = winter("Iroquois: W Mohawk", {"Mohawk": "Iroquois", "Huron": "Iroquois"})
    assert RULES.due(state) == ()


@pytest.mark.clause("indianomacy", "V5")
def test_V5_builds_not_ordered_are_waived():
    state = winter("Iroquois: W Mohawk", HOMES)
    after = play(state, "Iroquois: W Oneida B | builds")
    assert set(after.units) == {"Mohawk", "Oneida"}
    silent = [event for event in after.events if getattr(event, "order", 1) is None]
    assert [(event.outcome, event.unit) for event in silent] == [("waived", None)] * 2
    (due,) = RULES.due(state)
    assert RULES.default(state, due) == (Waive(),) * 3


@pytest.mark.clause("indianomacy", "V6")
def test_V6_the_first_builds_count():
    state = winter("Iroquois: W Mohawk\nW Seneca", {**HOMES, "Onondaga": "Illinois"})
    play(
        state,
        """
        Iroquois: W Onondaga B | void: home lost
                  W Oneida B   | builds
                  WAIVE        | void: more than due
        """,
    )


@pytest.mark.clause("indianomacy", "V6")
def test_V6_the_first_removals_count():
    state = winter("Iroquois: W Mohawk\nW Huron\nW Ottawa", {"Mohawk": "Iroquois", "Huron": "Iroquois"})
    after = play(
        state,
        """
        Iroquois: W Ottawa D | removed
                  W Huron D  | void: more than due
        """,
    )
    assert set(after.units) == {"Mohawk", "Huron"}


@pytest.mark.clause("indianomacy", "V6")
def test_V6_missing_removals_fall_on_the_farthest():
    state = winter("Iroquois: W Mohawk\nW Ottawa\nW Cree\nW Huron", {"Mohawk": "Iroquois"})
    (due,) = RULES.due(state)
    going = [BOARD.name(order.unit.at) for order in RULES.default(state, due)]
    assert going == ["Cree", "Ottawa", "Huron"]
    after = play(state, "Iroquois: W Huron D | removed")
    assert set(after.units) == {"Mohawk"}
    assert after.outcome("Ottawa") == "removed: no order"


def going(units, count):
    """The first units of the Iroquois to go, of these."""
    state = replace_fields(winter("", {}), units=tuple(units))
    return farthest(BOARD, VARIANT.rulebook, state, "Iroquois", count)


@pytest.mark.clause("indianomacy", "V6")
def test_V6_steps_count_over_land_and_water():
    """Montagnais lies two steps from Mohawk by the St. Lawrence, though far on foot."""
    units = [Unit(power="Iroquois", kind="W", at=at) for at in ("6", "62")]
    assert [BOARD.name(unit.at) for unit in going(units, 1)] == ["Montagnais"]
    assert BOARD.steps(["10"])["6"] == 2


@pytest.mark.clause("indianomacy", "V6")
def test_V6_among_equals_the_lower_number_goes_and_one_afloat_counts_one_more():
    units = [Unit(power="Iroquois", kind="W", at=at) for at in ("17", "9", "8", "c")]
    order = [unit.at for unit in going(units, 4)]
    assert order == ["17", "c", "8", "9"]


@pytest.mark.clause("indianomacy", "V7")
def test_V7_of_two_builds_in_one_place_one_stands():
    state = winter("Iroquois: W Mohawk", {"Mohawk": "Iroquois", "Oneida": "Iroquois", "Huron": "Iroquois"})
    assert RULES.due(state)[0].takes == 1
    after = RULES.adjudicate(state, {"Iroquois": [Build(unit=Piece(kind="W", at="11"))] * 2}, DICE)
    outcomes = [(event.outcome, event.reason and event.reason.code) for event in after.events]
    assert sorted(outcomes, key=str) == [("built", None), ("void", "replaced")]


def test_a_rulebook_may_let_a_nation_build_wherever_it_owns():
    state = winter("Iroquois: W Mohawk", {**HOMES, "Huron": "Iroquois"})
    loose = replace_fields(VARIANT.rulebook, builds_in="owned")
    free = free_homes(BOARD, loose, state, "Iroquois")
    assert [BOARD.name(one) for one in free] == ["Oneida", "Onondaga", "Seneca", "Huron"]
    rules = DiplomacyRules(replace_fields(VARIANT, rulebook=loose))
    assert rules.check(state, "Iroquois", Build(unit=Piece(kind="W", at="15"))) is None


def test_nothing_is_built_or_removed_that_is_not_due():
    state = winter("Iroquois: W Mohawk\nIllinois: W Peoria\nW Iowa", {**HOMES, "Peoria": "Illinois"})
    rules = RULES
    mohawk, peoria = Piece(kind="W", at="10"), Piece(kind="W", at="70")
    assert rules.check(state, "Iroquois", Disband(unit=mohawk)).code == "no-removals"
    assert rules.check(state, "Illinois", Build(unit=peoria)).code == "no-builds"
    assert rules.check(state, "Illinois", Waive()).code == "no-builds"
    assert rules.check(state, "Illinois", Disband(unit=mohawk)).code == "not-yours"
    assert rules.check(state, "Iroquois", Build(unit=Piece(kind="A", at="11"))).code == "wrong-kind"


def test_a_variant_is_compiled_once():
    assert load("indianomacy") is VARIANT
