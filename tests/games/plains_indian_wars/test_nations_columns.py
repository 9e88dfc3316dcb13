"""Custer's Revenge: columns on their routes, engagements, treaties, casualties, the end; scenario VII."""

from itertools import pairwise

import pytest

from games.dice import SealedDice
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import ColumnFell, ColumnMoved, Drawn, Fought
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT
from games.plains_indian_wars.nations import sequence
from games.plains_indian_wars.nations.execution import (
    apply_hits,
    fight_region,
    may_stand,
    reachable_regions,
    withdrawal_regions,
)
from tests.kit.nations import CUSTER, RULES, adjudicate_plan, plan_phase, state, table
from tests.kit.plains import Fixed, events_of_type, faces, orders, stands

TERRY, GIBBON, CROOK = "7 White 1 Purple 1 Black", "7 Blue 1 Purple 1 Black", "7 Brown 1 Purple 1 Black"


def ride(name, disc_dice, cubes="", rest=None, **fields):
    """Return the position after a column's disc."""
    play = table(CUSTER, cubes, dice=disc_dice, rest=rest, **{"disc": name, **fields})
    sequence.march_column(play, name)
    return play


def battle(region, column, green, *rounds, disc="Green", **fields):
    """Return the position after an engagement with given rolls, which must all be used."""
    play = table(
        CUSTER,
        f"{region}: {green} Green",
        faces(f"T3/{disc}/{region}#1", *rounds),
        **{"disc": disc, "columns": column, **fields},
    )
    fight_region(play, region)
    assert not play.dice.left, play.dice.left
    return play


# The set-up.


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.setup", "PIW2.setup.hand", "PIW2.custer.none")
def test_eight_green_are_in_the_black_hills_and_one_in_each_other_region():
    now = RULES.setup({"scenario": CUSTER}, SealedDice(b"custer", "a", 4)).state
    fresh = table(CUSTER).scenario
    assert fresh.places == {"N10": {"Green": 8}}
    assert (fresh.homes, fresh.bands) == ({"Green": 1}, None)
    assert list(now.hands) == ["Northern"]
    assert len(now.hands["Northern"]) == 3
    assert not {c for here in now.cubes.values() for c in here} - {"Green"}


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.columns")
def test_three_columns_of_nine_are_at_their_starts():
    play = table(CUSTER, columns={})
    play.ready = dict(materials().supply)
    sequence.set_up_columns(play)
    found = {name: (one.at, one.cubes) for name, one in play.columns.items()}
    assert found == {
        "White": ("EASTN", {"White": 7, "Purple": 1, "Black": 1}),
        "Blue": ("NE3", {"Blue": 7, "Purple": 1, "Black": 1}),
        "Brown": ("S2", {"Brown": 7, "Purple": 1, "Black": 1}),
    }


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.bag", "PIW2.custer.turns")
def test_four_discs_make_a_turn_and_five_turns_a_game():
    for entry in range(6):
        outcome = RULES.setup({"scenario": CUSTER}, SealedDice(b"bag", str(entry), 0))
        now, number, drawn = outcome.state, 0, [e for e in outcome.events if isinstance(e, Drawn)]
        while dues := RULES.due(now):
            number += 1
            silence = {NATIONS_SEAT: RULES.default(now, dues[0])}
            outcome = RULES.adjudicate(now, silence, SealedDice(b"bag", str(entry), number))
            drawn += [event for event in outcome.events if isinstance(event, Drawn)]
            now = outcome.state
        assert 1 <= now.turn <= 5
        assert {event.disc for event in drawn if event.turn == 1} == {"Green", "Blue", "Brown", "White"}
        assert len({(event.turn, event.disc) for event in drawn}) == len(drawn)


# Routes.


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.route")
@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("White", ("EASTN", "N11", "N10")),
        ("Blue", ("NE3", "NE4", "NE5", "N10")),
        ("Brown", ("S2", "N2", "N3", "N8", "N10")),
    ],
)
def test_a_column_rides_one_region_at_a_time(name, steps):
    for start, to in pairwise(steps):
        play = ride(name, {}, columns={name: f"{start}: 7 {name} 1 Purple 1 Black"})
        assert play.columns[name].at == to
        assert to in board().near[start]


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.rest", "PIW2.custer.engage")
def test_a_column_in_the_black_hills_stays_and_fights_on():
    shown = faces("T3/Blue/N10#1", "Blue hit blank, Purple blank, Brown blank, Green blank, Orange blank")
    play = ride("Blue", shown, "N10: 1 Green", columns={"Blue": f"N10: {GIBBON}"})
    assert play.columns["Blue"].at == "N10"
    assert events_of_type(play, ColumnMoved) == []
    assert len(events_of_type(play, Fought)) == 1


# Where Green goes.


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.lands", "PIW2.custer.start")
def test_green_keeps_to_its_plains_and_the_belt_less_canada_and_the_starts():
    play = table(CUSTER)
    open_to = {region for region in board().places if may_stand(play, "Green", region)}
    assert open_to == {*board().regions_in_zones("N"), "NE1", "NE2", "NE4", "NE5"}


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.home")
def test_cubes_come_on_the_board_in_the_plains_only():
    now = state(CUSTER, "NE5: 3 Green; N7: 1 Green")
    (place,) = orders(now, "place 1 Green NE5")
    assert RULES.check(now, NATIONS_SEAT, place).code == "no-home"
    assert RULES.check(now, NATIONS_SEAT, orders(now, "place 1 Green N7")[0]) is None


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.through")
def test_green_moves_through_columns():
    play = table(CUSTER, "N2: 2 Green", columns={"Brown": f"N3: {CROOK}"})
    assert reachable_regions(play, "Green", "N2", 2)["N8"] == 2


@pytest.mark.clause("plains-indian-wars", "PIW2.limit.eight.custer")
def test_eight_green_is_the_limit_at_the_end():
    play = table(CUSTER, "N8: 5 Green; N10: 8 Green")
    plan_phase(play, "play NPT-02", "move 5 Green N8 - N10", "move 2 Green N10 - N7")
    assert stands(play, "N10") == {"Green": 8}
    assert stands(play, "N8") == {"Green": 3}


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.limit", "PIW2.custer.apart")
def test_columns_may_meet_in_the_black_hills_and_stay_apart():
    """There are 16 troopers and scouts, and each column keeps its own cubes."""
    play = ride("Blue", {}, columns={"Blue": f"NE5: {GIBBON}", "Brown": f"N10: {CROOK}"})
    assert play.us_cubes("N10") == 18
    assert stands(play, "N10") == {}
    assert play.count("N10", "Purple") == 2
    assert sum(play.columns["Blue"].cubes.values()) - 1 == play.scenario.limits["us"]


# Engagements.


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.engage")
def test_a_column_that_rides_among_green_fights_at_once():
    play = ride("White", {}, "N11: 2 Green", rest=1)
    (fight,) = events_of_type(play, Fought)
    assert fight.at == "N11"


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.engage")
def test_green_that_moves_among_a_column_fights_on_its_disc():
    before = state(CUSTER, "N7: 2 Green", columns={"Brown": f"N3: {CROOK}"}, bag=())
    outcome = adjudicate_plan(before, Fixed({}, rest=1), "play NPT-02", "move 2 Green N7 - N3")
    fights = [event for event in outcome.events if isinstance(event, Fought)]
    assert [event.at for event in fights][:1] == ["N3"]


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.dice", "PIW2.custer.troopers")
@pytest.mark.parametrize(
    ("column", "thrown"),
    [
        ({"White": "N8: 1 White"}, "Blue hit, Green blank"),
        ({"Brown": "N8: 3 Brown"}, "Blue hit blank, Green blank"),
        ({"Brown": "N8: 1 Brown 1 Purple 1 Black"}, "Blue hit, Purple blank, Brown blank, Green blank"),
        ({"Brown": "N8: 1 Black"}, "Brown hit, Green blank"),
        ({"White": "N8: 1 White", "Brown": "N8: 1 Brown"}, "Blue hit blank, Green blank"),
    ],
)
def test_troopers_of_any_colour_throw_blue_scouts_purple_commanders_brown(column, thrown):
    assert battle("N8", column, 1, thrown).tribe_cubes("N8") == 0


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.dice")
def test_two_scouts_and_two_commanders_throw_two_dice_each():
    both = {"Blue": "N10: 1 Purple 1 Black", "Brown": "N10: 1 Purple 1 Black"}
    play = battle("N10", both, 1, "Purple hit blank, Brown blank blank, Green blank, Orange blank")
    assert play.tribe_cubes("N10") == 0


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.orange")
def test_the_orange_die_is_thrown_in_the_black_hills_only():
    there = battle("N10", {"Blue": "N10: 1 Blue"}, 1, "Blue blank, Green blank, Orange hit")
    assert there.us_cubes("N10") == 0
    elsewhere = battle("N8", {"Brown": "N8: 1 Brown"}, 1, "Blue blank, Green hit")
    assert elsewhere.us_cubes("N8") == 0


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.orange.face")
def test_the_treaty_of_the_orange_die_counts_as_one_of_green():
    play = battle("N10", {"Blue": "N10: 1 Blue"}, 1, "Blue treaty, Green blank, Orange treaty")
    assert play.columns["Blue"].at == "NE5"
    assert play.tribe_cubes("N10") == 1


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.spared")
def test_a_column_at_its_start_is_never_attacked():
    play = table(CUSTER, "NE4: 3 Green")
    assert "NE3" not in reachable_regions(play, "Green", "NE4", 3)
    plan_phase(play, "play NPT-02", "move 3 Green NE4 - NE3")
    assert stands(play, "NE4") == {"Green": 3}


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.most", "PIW2.custer.ties", "PIW2.custer.commander")
@pytest.mark.parametrize(
    ("column", "hits", "left"),
    [
        ({"Blue": "N10: 3 Blue 1 Purple 1 Black"}, 2, {"Blue": 1, "Purple": 1, "Black": 1}),
        ({"Blue": "N10: 1 Blue 1 Purple 1 Black"}, 1, {"Purple": 1, "Black": 1}),
        ({"Blue": "N10: 1 Purple 1 Black"}, 1, {"Black": 1}),
        ({"Blue": "N10: 1 Blue 1 Black", "Brown": "N10: 1 Brown 1 Black"}, 1, {"Brown": 1, "Black": 2}),
        ({"Blue": "N10: 1 Blue 1 Black", "Brown": "N10: 1 Black"}, 2, {"Black": 1}),
    ],
)
def test_troopers_fall_first_among_equals_and_a_commander_last_of_his_column(column, hits, left):
    play = table(CUSTER, columns=column)
    apply_hits(play, "N10", hits)
    assert {c: n for c in play.scenario.fighters if (n := play.count("N10", c))} == left


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.choice")
@pytest.mark.parametrize(("said", "fell"), [({}, "Blue"), ({"strike": ("Brown", "Blue")}, "Brown")])
def test_the_player_chooses_among_troopers_equally_numerous(said, fell):
    both = {"Blue": "N10: 2 Blue 1 Black", "Brown": "N10: 2 Brown 1 Black"}
    play = table(CUSTER, columns=both, standing=said)
    assert apply_hits(play, "N10", 1) == {fell: 1}


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.gone", "PIW2.fallen")
def test_the_fallen_of_a_column_are_out_and_green_s_in_the_casualty_box():
    play = battle("N8", {"Brown": "N8: 1 Brown"}, 1, "Blue hit, Green hit")
    assert (play.gone, play.fallen) == ({"Brown": 1}, {"Green": 1})


@pytest.mark.clause(
    "plains-indian-wars", "PIW2.custer.treaty", "PIW2.custer.size", "PIW2.custer.back", "PIW2.custer.green"
)
@pytest.mark.parametrize("green", [1, 8])
def test_treaties_of_both_send_the_column_back_and_void_the_hits(green):
    thrown = "Blue hit treaty, Purple hit, Brown hit, Green treaty"
    if green > 1:
        thrown += " hit"
    play = battle("N8", {"Brown": f"N8: {CROOK}"}, green, thrown)
    assert stands(play, "N8") == {"Green": green}
    assert play.columns["Brown"].at == "N3"
    assert play.columns["Brown"].cubes == {"Brown": 7, "Purple": 1, "Black": 1}


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.again", "PIW2.custer.noambush")
def test_a_retreat_among_green_is_fought_at_once_without_an_ambush():
    play = table(
        CUSTER,
        "N8: 1 Green; N3: 1 Green",
        faces("T3/Green/N8#1", "Blue treaty, Green treaty") | faces("T3/Green/N3#2", "Blue hit, Green blank"),
        columns={"Brown": "N8: 1 Brown"},
    )
    fight_region(play, "N8")
    assert [fight.at for fight in events_of_type(play, Fought)] == ["N8", "N3"]
    assert stands(play, "N3") == {}
    assert not play.dice.left


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.beyond")
def test_a_column_falls_back_to_its_start_and_no_further():
    """No tribe can enter a column's start, so it never has to leave it."""
    play = battle("N11", {"White": "N11: 1 White"}, 1, "Blue treaty, Green treaty")
    assert play.columns["White"].at == "EASTN"
    assert not may_stand(play, "Green", "EASTN")


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.apart")
def test_in_the_black_hills_each_column_goes_back_along_its_own_route():
    both = {"Blue": "N10: 1 Blue", "Brown": "N10: 1 Brown"}
    play = battle("N10", both, 1, "Blue treaty hit, Green treaty, Orange blank")
    assert {name: one.at for name, one in play.columns.items()} == {"Blue": "NE5", "Brown": "N8"}


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.commander")
def test_of_several_columns_the_smallest_loses_first():
    """The two scouts are the most numerous colour, and the smaller column loses its scout."""
    both = {"Blue": "N10: 1 Blue 1 Purple", "Brown": "N10: 1 Purple"}
    play = table(CUSTER, "N10: 1 Green", columns=both)
    assert apply_hits(play, "N10", 1) == {"Purple": 1}
    assert play.columns["Blue"].cubes == {"Blue": 1, "Purple": 1}
    assert "Brown" not in play.columns or not play.columns["Brown"].cubes


@pytest.mark.clause("plains-indian-wars", "PIW2.withdraw.where")
def test_a_shelter_is_green_s_own_or_empty_and_has_room():
    """Cubes can't withdraw to Fort Kearny with a column, or to Yankton with eight cubes."""
    play = table(
        CUSTER,
        "N8: 2 Green; N7: 3 Green; N9: 8 Green; N3: 1 Green",
        columns={"White": "N4: 2 White"},
    )
    assert withdrawal_regions(play, "Green", "N8") == ("N7", "N3", "N10")


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.blank", "PIW2.custer.stay")
def test_green_withdraws_on_blanks_and_columns_never_do():
    play = battle(
        "N8",
        {"Brown": "N8: 2 Brown"},
        2,
        "Blue blank blank, Green blank treaty",
        "Blue hit blank, Green treaty",
        standing={"withdraw Green": ("2",), "fall back N8": ("N7",)},
    )
    assert stands(play, "N7") == {"Green": 1}
    assert play.columns["Brown"].cubes == {"Brown": 2}


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.ambush")
@pytest.mark.parametrize(("face", "left"), [("hit", 6), ("treaty", 7)])
def test_a_lone_cube_throws_first_when_a_column_rides_in(face, left):
    shown = faces("T3/White/N11#1", "Blue hit blank, Purple blank, Brown blank, Green blank")
    ambush = {"T3/White/N11#1/ambush/Green1": {"hit": 1, "treaty": 5}[face]}
    play = ride("White", shown | ambush, "N11: 1 Green")
    assert play.columns["White"].cubes["White"] == left
    assert events_of_type(play, Fought)[0].ambush == face


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.ambush")
def test_two_cubes_lie_in_no_ambush():
    play = ride("White", {}, "N11: 2 Green", rest=1)
    assert events_of_type(play, Fought)[0].ambush is None


# The end.


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.disc")
def test_the_disc_of_a_column_that_is_no_more_leaves_the_game():
    before = state(
        CUSTER,
        "N8: 8 Green; N10: 8 Green; N1: 1 Green",
        columns={"Brown": "N8: 1 Brown", "Blue": f"NE3: {GIBBON}"},
        bag=("Brown", "Blue"),
        turn=2,
    )
    shown = faces("T2/Green/N8#1", "Blue blank, Green hit hit")
    outcome = adjudicate_plan(before, Fixed(shown, rest=3), "play NPT-02")
    assert [event.column for event in outcome.events if isinstance(event, ColumnFell)] == ["Brown"]
    drawn = [event.disc for event in outcome.events if isinstance(event, Drawn)]
    assert "Brown" not in drawn
    assert "Brown" not in outcome.state.bag


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.win.us")
@pytest.mark.parametrize("who", ["1 White", "1 Purple", "1 Black"])
def test_one_cube_alone_in_the_black_hills_at_the_end_of_a_turn_wins(who):
    before = state(CUSTER, "N1: 1 Green", columns={"White": f"N10: {who}"}, bag=(), turn=2)
    outcome = adjudicate_plan(before, Fixed({}, rest=1), "play NPT-02")
    assert outcome.state.ended
    assert outcome.state.turn == 2
    assert RULES.result(outcome.state).winners == (US_SEAT,)


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.win.us")
def test_a_turn_that_is_not_complete_decides_nothing():
    before = state(CUSTER, "N1: 1 Green", columns={"White": "N10: 1 White"}, bag=("White",), turn=2)
    outcome = adjudicate_plan(before, Fixed({}, rest=1), "play NPT-02")
    assert outcome.state.ended
    assert [event.disc for event in outcome.events if isinstance(event, Drawn)] == ["White"]


@pytest.mark.clause(
    "plains-indian-wars", "PIW2.custer.win.nations", "PIW2.custer.neither", "PIW2.custer.turns"
)
@pytest.mark.parametrize("cubes", ["N10: 1 Green", "N1: 1 Green"])
def test_the_nations_win_when_the_us_does_not_hold_the_black_hills_after_turn_five(cubes):
    before = state(CUSTER, cubes, columns={"White": "N11: 1 White"}, bag=(), turn=5)
    outcome = adjudicate_plan(before, Fixed({}, rest=1), "play NPT-02")
    assert outcome.state.ended
    assert RULES.result(outcome.state).winners == (NATIONS_SEAT,)


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.destroyed")
def test_the_nations_win_at_once_when_no_column_is_left():
    before = state(
        CUSTER, "N8: 8 Green; N1: 1 Green", columns={"Brown": "N8: 1 Brown"}, bag=("Brown",), turn=1
    )
    shown = faces("T1/Green/N8#1", "Blue blank, Green hit hit")
    outcome = adjudicate_plan(before, Fixed(shown, rest=3), "play NPT-02")
    assert outcome.state.ended
    assert RULES.result(outcome.state).reason == "columns-destroyed"
