"""Hudson Bay: a year to cross, a storm each Summer and Winter (Indianomacy §9; H1 to H6, V8)."""

import pytest

from games.diplomacy.events import Captured, Resolved, StormThrown
from games.protocol import Due
from tests.games.diplomacy.test_canoes import refusal
from tests.kit.dice import Scripted
from tests.kit.positions import RULES, lines, play, position, season

CALM = Scripted({f"storm/b/{half}{year}": 3 for half in "UW" for year in range(1, 9)})
"""Dice on which nothing sinks."""

HOME = {"Mohawk": "Dakota"}
"""A centre for the one who is on the bay, so that he is not removed in Winter."""


def storms(after):
    """Return the rolls: label, number, whether it sank."""
    return [(event.label, event.number, event.sunk) for event in after.told(StormThrown)]


def crossed(phase):
    """On the bay since a phase of the first year, from the Cree."""
    return season("Dakota: W Cree (canoe) - Hudson Bay canoe | moves", phase, HOME, dice=CALM)


@pytest.mark.clause("indianomacy", "1.19", "H1")
@pytest.mark.parametrize(("phase", "out"), [("S1M", "S2M"), ("F1M", "F2M")])
def test_H1_in_one_season_out_not_before_the_same_a_year_later(phase, out):
    after = crossed(phase)
    assert after.state.bay_entered == {"b": phase}
    while after.state.phase.short != out:
        assert refused_exit(after.state) == "still-crossing"
        after = after.then("Dakota: W Hudson Bay - Naskapi | void: still crossing", CALM)
        assert after.units == {"Hudson Bay": "Dakota"}
    landed = after.then("Dakota: W Hudson Bay - Naskapi | moves", CALM)
    assert landed.units == {"Naskapi": "Dakota"}
    assert (landed.state.bay_entered, landed.state.bay_from) == ({}, {})
    assert landed.canoes == {"Naskapi": 1}


def refused_exit(state):
    (line,) = lines("Dakota: W Hudson Bay - Naskapi")
    objection = RULES.check(state, line.power, line.order)
    return objection.code if objection else None


@pytest.mark.clause("indianomacy", "H1")
def test_H1_then_in_any_spring_or_fall():
    for phase in ("S2M", "F2M", "S3M", "F9M"):
        assert refusal("Dakota: W Hudson Bay - Naskapi", phase, bay_entered={"b": "S1M"}) is None
    for phase in ("S1M", "F1M"):
        assert refusal("Dakota: W Hudson Bay - Naskapi", phase, bay_entered={"b": "S1M"}) == "still-crossing"


@pytest.mark.clause("indianomacy", "H2")
def test_H2_out_on_any_shore_also_where_it_went_in():
    entered = {"bay_entered": {"b": "S1M"}, "bay_from": {"b": "3"}}
    assert refusal("Dakota: W Hudson Bay - Cree", "S2M", **entered) is None
    assert refusal("Dakota: W Hudson Bay - Cree", "F1M", **entered) == "still-crossing"


@pytest.mark.clause("indianomacy", "H2")
def test_H2_or_on_another_shore_where_a_game_says_so():
    after = season("Dakota: W Cree (canoe) - Hudson Bay canoe", dice=CALM)
    assert after.state.bay_from == {"b": "3"}
    other = {"options": {"bay_exit": "other-shore"}, "bay_entered": {"b": "S1M"}, "bay_from": {"b": "3"}}
    assert refusal("Dakota: W Hudson Bay - Cree", "S2M", **other) == "same-shore"
    assert refusal("Dakota: W Hudson Bay - Naskapi", "S2M", **other) is None


@pytest.mark.clause("indianomacy", "1.20")
@pytest.mark.parametrize("number", range(1, 7))
def test_on_a_one_or_a_six_the_canoe_goes_down_with_its_war_party(number):
    after = season("Dakota: W Hudson Bay H", dice=Scripted({"storm/b/U1": number}), bay_entered={"b": "S1M"})
    sunk = number in (1, 6)
    assert storms(after) == [("storm/b/U1", number, sunk)]
    assert after.units == ({} if sunk else {"Hudson Bay": "Dakota"})
    assert after.state.bay_entered == ({} if sunk else {"b": "S1M"})
    assert after.canoes == {}


@pytest.mark.clause("indianomacy", "1.20")
def test_a_crossing_meets_two_storms_and_four_in_nine_come_through():
    survivors = 0
    for summer in range(1, 7):
        for winter in range(1, 7):
            dice = Scripted({"storm/b/U1": summer, "storm/b/W1": winter})
            after = season("Dakota: W Cree (canoe) - Hudson Bay canoe", centres=HOME, dice=dice)
            while after.state.phase.short == "F1M":
                after = after.then("", dice)
            survivors += any(unit.at == "b" for unit in after.state.units)
    assert survivors * 9 == 36 * 4


@pytest.mark.clause("indianomacy", "1.20")
def test_other_waters_are_calm():
    rough = Scripted({f"storm/{water}/U1": 6 for water in "acdefghi"})
    after = season("Dakota: W Lake Superior H\nW Nootka Sound H", dice=rough)
    assert storms(after) == []


@pytest.mark.clause("indianomacy", "H3")
def test_H3_a_storm_comes_when_spring_and_when_fall_closes_though_nobody_retreats():
    spring = season("Dakota: W Cree (canoe) - Hudson Bay canoe", centres=HOME, dice=CALM)
    assert (storms(spring), spring.state.phase.short) == ([("storm/b/U1", 3, False)], "F1M")
    fall = spring.then("", CALM)
    assert storms(fall) == [("storm/b/W1", 3, False)]


@pytest.mark.clause("indianomacy", "H3")
def test_H3_who_enters_in_fall_meets_winter_first():
    after = season("Dakota: W Cree (canoe) - Hudson Bay canoe", "F1M", HOME, dice=CALM)
    assert storms(after) == [("storm/b/W1", 3, False)]


@pytest.mark.clause("indianomacy", "H3")
def test_H3_the_storm_waits_for_the_retreats():
    after = season("""
        Dakota:   W Hudson Bay H
                  W Mohawk H                    | holds; dislodged by Abnaki
        Illinois: W Abnaki - Mohawk             | moves
                  W Pequot S W Abnaki - Mohawk  | supports
    """)
    assert storms(after) == []
    summer = after.then("Dakota: W Mohawk - Oneida | retreats", CALM)
    assert storms(summer) == [("storm/b/U1", 3, False)]


@pytest.mark.clause("indianomacy", "H3")
def test_H3_ownership_comes_before_the_storm_and_builds_after_it():
    """The one who sinks in Winter is replaced at once."""
    after = season(
        "Dakota: W Hudson Bay H\nW Santee H",
        "F1M",
        {"Yankton Sioux": "Dakota"},
        dice=Scripted({"storm/b/W1": 6}),
        bay_entered={"b": "S1M"},
    )
    sorts = [type(event) for event in after.events if not isinstance(event, Resolved)]
    assert sorts == [Captured, StormThrown]
    assert after.state.phase.short == "W1A"
    assert RULES.due(after.state) == (Due(seat="Dakota", kind="builds", accepts=("Build", "Waive"), takes=1),)


@pytest.mark.clause("indianomacy", "H4")
def test_H4_who_finds_the_shore_taken_stays_and_meets_the_next_storms():
    after = season(
        """
        Dakota:  W Hudson Bay - Naskapi  | fails: occupied by Naskapi
        Shoshoni: W Naskapi H
        """,
        "S2M",
        dice=CALM,
        bay_entered={"b": "S1M"},
        bay_from={"b": "3"},
    )
    assert storms(after) == [("storm/b/U2", 3, False)]
    assert after.state.bay_entered == {"b": "S1M"}
    assert refused_exit(after.state) is None


@pytest.mark.clause("indianomacy", "H5")
def test_H5_the_dice_of_the_game_are_thrown_under_a_label_that_anyone_can_check():
    state = position("Dakota: W Hudson Bay", bay_entered={"b": "S1M"})
    with pytest.raises(KeyError):
        play(state, "", Scripted({}))
    assert storms(play(state, "", CALM)) == [("storm/b/U1", 3, False)]


@pytest.mark.clause("indianomacy", "H6")
def test_H6_a_second_canoe_bounces_while_one_is_on_the_bay():
    after = season(
        """
        Dakota:   W Hudson Bay H
        Shoshoni: W Cree (canoe) - Hudson Bay canoe  | fails: occupied by Hudson Bay
        """,
        dice=CALM,
        bay_entered={"b": "S1M"},
    )
    assert after.canoes == {"Cree": 1}


@pytest.mark.clause("indianomacy", "H6")
def test_H6_it_enters_if_the_other_may_leave_and_does():
    after = season(
        """
        Dakota:   W Hudson Bay - Naskapi             | moves
        Shoshoni: W Cree (canoe) - Hudson Bay canoe  | moves
        """,
        "S2M",
        dice=CALM,
        bay_entered={"b": "S1M"},
        bay_from={"b": "4"},
    )
    assert after.units == {"Hudson Bay": "Shoshoni", "Naskapi": "Dakota"}
    assert (after.state.bay_entered, after.state.bay_from) == ({"b": "S2M"}, {"b": "3"})


@pytest.mark.clause("indianomacy", "V8")
def test_V8_an_early_exit_aims_at_nothing_and_keeps_nobody_out():
    after = season(
        """
        Dakota:   W Hudson Bay - Naskapi         | void: still crossing
        Shoshoni: W Cree (canoe) - Naskapi canoe | moves
        """,
        dice=CALM,
        bay_entered={"b": "S1M"},
    )
    assert after.units == {"Hudson Bay": "Dakota", "Naskapi": "Shoshoni"}


def test_who_is_removed_from_the_bay_is_forgotten_there():
    state = position("Dakota: W Hudson Bay\nW Santee", "W1A", {"Santee": "Dakota"}, bay_entered={"b": "S1M"})
    after = play(state, "Dakota: W Hudson Bay D | removed")
    assert after.state.bay_entered == {}


def test_whoever_goes_to_the_bay_is_warned():
    state = position("Dakota: W Cree (canoe)")
    orders = [line.order for line in lines("Dakota: W Cree - Hudson Bay canoe")]
    assert [concern.code for concern in RULES.concerns(state, "Dakota", orders)] == ["enters-storms"]
