"""Grab Your Pickaxe: parties, railheads, building, engagements, the end; scenarios IV to VI."""

from collections import Counter

import pytest

from games.dice import SealedDice
from games.plains_indian_wars import railroad
from games.plains_indian_wars.board import board
from games.plains_indian_wars.events import Decided, Drawn, Fought, LastTurn, PartyMoved, RailsLaid
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT
from games.plains_indian_wars.nations import sequence
from games.plains_indian_wars.nations.execution import (
    may_stand,
    placement_regions,
    reachable_regions,
    tribe_battlefields,
)
from games.plains_indian_wars.rules import seats
from tests.kit.nations import RAILS, RULES, adjudicate_plan, fight_engagement, state, table
from tests.kit.plains import Fixed, events_of_type, orders, stands

LINE = {"union": 0, "central": 4}


def opening(scenario, entry=0):
    return RULES.setup({"scenario": scenario}, SealedDice(b"rails", scenario, entry)).state


def joined(scenario, colour, cubes, **fields):
    """Return the position after Blue's or Brown's disc."""
    play = table(scenario, cubes, **{"disc": colour, **fields})
    sequence.join_party(play, colour)
    return play


def built(scenario, cubes, dice=None, **fields):
    """Return the position after Black's disc."""
    shown = {f"T3/Black/mountains/Brown{n}": number for n, number in enumerate(dice or (), 1)}
    play = table(scenario, cubes, dice=shown, disc="Black", **fields)
    railroad.build_railroad(play)
    return play


# The set-up.


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.setup", "PIW2.rail.none", "PIW2.setup.tribes")
@pytest.mark.parametrize(("scenario", "starts"), [("2.4", ("N5", "S5")), ("2.5", ("N5",)), ("2.6", ("S5",))])
def test_two_escorts_and_four_workers_are_in_each_region_beside_st_louis(scenario, starts):
    for entry in range(8):
        play = table(scenario)
        sequence.set_up_parties(play)
        places = play.scenario.places
        assert set(places) == set(starts)
        assert all(places[at]["Blue"] == 2 and places[at]["Brown"] == 4 for at in starts)
        now = opening(scenario, entry)
        assert not {c for here in now.cubes.values() for c in here} & {"Purple", "White"}
        assert seats({"scenario": scenario}) == (NATIONS_SEAT,)


@pytest.mark.clause("plains-indian-wars", "PIW2.setup.tribes", "PIW2.setup.hand")
def test_both_tribes_have_one_in_each_home_three_more_in_two_and_three_cards():
    for entry in range(20):
        now = RULES.setup({"scenario": "2.4"}, SealedDice(b"rails", "one", entry))
        came = [event for event in now.events if type(event).__name__ == "Raided"]
        assert Counter((event.colour, event.placed) for event in came) == {("Green", 3): 2, ("Orange", 3): 2}
        assert {name: len(hand) for name, hand in now.state.hands.items()} == {"Northern": 3, "Southern": 3}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.bag", "PIW2.rail.north", "PIW2.rail.south")
@pytest.mark.parametrize(
    ("scenario", "discs"),
    [
        ("2.4", {"Green", "Orange", "Blue", "Brown", "Black"}),
        ("2.5", {"Green", "Blue", "Brown", "Black"}),
        ("2.6", {"Orange", "Blue", "Brown", "Black"}),
    ],
)
def test_every_turn_sees_each_disc_of_the_scenario_once(scenario, discs):
    outcome = RULES.setup({"scenario": scenario}, SealedDice(b"bag", scenario, 0))
    now, drawn, number = outcome.state, Counter(), 0
    drawn.update((event.turn, event.disc) for event in outcome.events if isinstance(event, Drawn))
    while now.turn < 4:
        number += 1
        (due,) = RULES.due(now)
        outcome = RULES.adjudicate(
            now, {NATIONS_SEAT: RULES.default(now, due)}, SealedDice(b"bag", scenario, number)
        )
        drawn.update((event.turn, event.disc) for event in outcome.events if isinstance(event, Drawn))
        now = outcome.state
    for turn in (1, 2, 3):
        assert {disc for at, disc in drawn if at == turn} == discs
    assert set(drawn.values()) == {1}


# Escorts and workers.


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.blue", "PIW2.rail.limit", "PIW2.rail.brown")
@pytest.mark.parametrize(("colour", "most"), [("Blue", 2), ("Brown", 4)])
def test_a_disc_fills_the_union_pacific_s_party_up(colour, most):
    play = joined("2.4", colour, f"N5: 1 {colour}; S5: {most} {colour}")
    assert stands(play, "N5") == {colour: most}
    assert stands(play, "S5") == {colour: most}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.north", "PIW2.rail.south")
@pytest.mark.parametrize(("scenario", "at", "other"), [("2.5", "N5", "S5"), ("2.6", "S5", "N5")])
def test_one_sided_railroads_have_a_party_on_their_side_only(scenario, at, other):
    play = joined(scenario, "Brown", "")
    assert (stands(play, at), stands(play, other)) == ({"Brown": 4}, {})


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.western")
def test_the_central_pacific_s_party_comes_when_the_mountains_are_done():
    before = joined("2.4", "Blue", "", mountains=4)
    assert before.now.parties == {"union": 0}
    first = joined("2.4", "Blue", "", mountains=5)
    assert first.now.parties == {"central": 4, "union": 0}
    assert stands(first, "N1") == stands(first, "S1") == {"Blue": 1}
    again = joined("2.4", "Brown", "N1: 1 Blue", mountains=5, parties=LINE)
    assert stands(again, "N1") == {"Blue": 1, "Brown": 2}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.western", "PIW2.rail.limit")
def test_the_central_pacific_s_party_grows_to_the_same_limit():
    play = joined("2.4", "Brown", "N1: 3 Brown; S1: 4 Brown", mountains=5, parties=LINE)
    assert stands(play, "N1") == stands(play, "S1") == {"Brown": 4}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.merge")
def test_where_both_parties_have_met_there_is_room_for_both():
    met = {"union": 2, "central": 2}
    play = joined("2.4", "Brown", "N3: 4 Brown; S3: 7 Brown", mountains=5, parties=met)
    assert stands(play, "N3") == {"Brown": 6}
    assert stands(play, "S3") == {"Brown": 8}
    escorts = joined("2.4", "Blue", "N3: 4 Blue", mountains=5, parties=met)
    assert stands(escorts, "N3") == {"Blue": 4}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.move", "PIW2.rail.addfirst", "PIW2.rail.calm")
def test_a_party_goes_west_when_its_section_is_finished_once_it_is_filled_up():
    play = joined("2.4", "Blue", "N5: 3 Brown 4 Green; N4: 2 Green", union=5)
    assert stands(play, "N4") == {"Blue": 2, "Brown": 3, "Green": 2}
    assert stands(play, "N5") == {"Green": 4}
    assert play.now.parties == {"union": 1}
    assert events_of_type(play, Fought) == []
    assert len(events_of_type(play, PartyMoved)) == 2


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.move")
def test_a_party_stays_while_a_space_of_its_section_is_empty():
    play = joined("2.4", "Brown", "N5: 1 Blue", union=4)
    assert play.now.parties == {"union": 0}
    assert stands(play, "N5") == {"Blue": 1, "Brown": 4}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.move")
def test_the_central_pacific_s_party_goes_east():
    play = joined("2.4", "Blue", "N1: 2 Brown", mountains=5, central=5, parties=LINE)
    assert play.now.parties == {"central": 3, "union": 0}
    assert stands(play, "N2") == {"Blue": 1, "Brown": 2}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.part")
def test_parties_that_have_met_part_where_rails_behind_them_were_torn_up():
    """The tenth space is empty again. Its section is one that the Union Pacific's party has left."""
    met = {"central": 2, "union": 2}
    here = "N3: 4 Blue 8 Brown; S3: 3 Blue 4 Brown"
    play = joined("2.4", "Blue", here, mountains=5, union=9, central=15, parties=met)
    assert play.now.parties == {"central": 1, "union": 3}
    assert stands(play, "N4") == stands(play, "N2") == {"Blue": 2, "Brown": 4}
    assert stands(play, "S4") == {"Blue": 2, "Brown": 4}
    assert stands(play, "S2") == {"Blue": 2}
    assert stands(play, "N3") == stands(play, "S3") == {}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.party")
def test_cubes_join_where_the_party_works_even_if_nobody_is_left_of_it():
    play = joined("2.4", "Brown", "N5: 1 Green", union=6, parties={"union": 1})
    assert stands(play, "N4") == {"Brown": 4}


# The line.


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.black")
@pytest.mark.parametrize(("brown", "spaces"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)])
def test_the_line_grows_by_the_workers_of_both_regions(brown, spaces):
    play = built("2.4", f"N5: {brown} Brown" if brown else "", dice=(6, 6))
    assert play.now.union == spaces


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.black")
def test_three_spaces_are_the_most():
    assert built("2.4", "N5: 4 Brown; S5: 4 Brown", dice=(6, 6)).now.union == 3


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.table")
@pytest.mark.parametrize(("brown", "spaces"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3)])
def test_one_region_s_workers_build_by_a_table_of_their_own(brown, spaces):
    play = built("2.5", f"N5: {brown} Brown" if brown else "", dice=(6, 6))
    assert play.now.union == spaces


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.party")
def test_a_finished_section_yields_nothing_until_the_party_has_moved_on():
    assert built("2.4", "N5: 4 Brown; S5: 4 Brown", dice=(6, 6), union=4).now.union == 5
    assert built("2.4", "N5: 4 Brown; S5: 4 Brown", dice=(6, 6), union=5).now.union == 5


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.party")
def test_torn_rails_behind_a_party_are_laid_again_by_it():
    play = built("2.4", "N4: 4 Brown", dice=(6, 6), union=4, parties={"union": 1})
    assert play.now.union == 6


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.mountains")
@pytest.mark.parametrize(("dice", "spaces"), [((1, 6), 2), ((3, 4), 0), ((1, 3), 1)])
def test_each_hit_and_treaty_of_two_brown_dice_is_a_mountain_space(dice, spaces):
    play = built("2.4", "", dice=dice)
    assert play.now.mountains == spaces
    assert len([one for one in events_of_type(play, RailsLaid) if one.line == "mountains"]) == 1


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.central")
def test_the_central_pacific_builds_eastward_once_the_mountains_are_done():
    fields_ = {"mountains": 5, "parties": LINE}
    play = built("2.4", "N1: 4 Brown; S1: 4 Brown", **fields_)
    assert (play.now.central, play.now.union) == (3, 0)
    early = built("2.4", "N1: 4 Brown", dice=(1, 1), mountains=4, parties=LINE)
    assert (early.now.mountains, early.now.central) == (5, 0)


# The tribes.


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.lands", "PIW2.rail.open", "PIW2.rail.apart")
def test_each_tribe_keeps_to_its_plains_and_its_belt():
    play = table("2.4")
    ground = board()
    green = {region for region in ground.places if may_stand(play, "Green", region)}
    orange = {region for region in ground.places if may_stand(play, "Orange", region)}
    assert green == set(ground.regions_in_zones("N", "NE"))
    assert orange == set(ground.regions_in_zones("S", "SE"))
    assert not green & orange


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.stop")
def test_the_us_stops_a_group():
    play = table("2.4", "N4: 1 Brown; N8: 1 Blue; N9: 4 Green")
    assert "N4" in reachable_regions(play, "Green", "N9", 2)
    assert "N3" not in reachable_regions(play, "Green", "N9", 2)


@pytest.mark.clause("plains-indian-wars", "PIW2.place.empty")
def test_a_tribe_without_a_region_begins_anew_in_an_empty_one():
    assert placement_regions(table("2.5", "N4: 1 Brown"), "Green") == tuple(
        region for region in board().regions_in_zones("N") if region != "N4"
    )
    assert placement_regions(table("2.5", "N7: 1 Green"), "Green") == ("N7",)


@pytest.mark.clause("plains-indian-wars", "PIW2.limit.eight")
def test_eight_cubes_is_the_limit():
    before = state("2.4", "N9: 6 Green; N8: 5 Green")
    outcome = adjudicate_plan(before, Fixed({}, rest=1), "play NPT-02", "move all Green N8 - N9")
    assert outcome.state.cubes["N9"] == {"Green": 8}
    assert outcome.state.cubes["N8"] == {"Green": 3}


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.engage")
def test_a_tribe_fights_on_its_own_disc_only():
    play = table("2.4", "N5: 2 Green 1 Brown; S5: 2 Orange 1 Brown")
    assert tribe_battlefields(play, ("Green",)) == ("N5",)
    assert tribe_battlefields(play, ("Orange",)) == ("S5",)


@pytest.mark.clause(
    "plains-indian-wars", "PIW2.rail.dice", "PIW2.rail.most", "PIW2.rail.boxes", "PIW2.fallen"
)
def test_workers_and_escorts_throw_by_their_number_and_workers_fall_first_among_equals():
    """Both hits of the roll are taken by the workers, who are as many as the escorts."""
    play = fight_engagement(
        "2.4", "N5", "2 Blue 2 Brown 2 Green", "Blue hit hit, Brown blank blank, Green hit hit"
    )
    assert stands(play, "N5") == {"Blue": 2}
    assert play.ready["Brown"] == 35
    assert (play.fallen, play.gone) == ({"Green": 2}, {})


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.treaty", "PIW2.rail.blank")
def test_treaties_are_nothing_and_only_the_tribe_withdraws():
    play = fight_engagement(
        "2.4",
        "S5",
        "1 Blue 2 Orange",
        "Blue treaty, Orange treaty blank",
        "Blue blank, Orange hit",
        standing={"withdraw Orange": ("2",)},
    )
    assert stands(play, "S5") == {"Orange": 1}
    assert sum(play.tribe_cubes(region) for region in board().near["S5"]) == 1


# The end.


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.end", "PIW2.rail.win")
def test_the_completed_line_ends_the_game_after_the_turn():
    before = state(
        "2.5",
        "N1: 4 Brown; N9: 1 Green",
        mountains=5,
        union=20,
        central=4,
        parties={"union": 3, "central": 4},
        bag=("Black", "Blue"),
    )
    outcome = adjudicate_plan(before, Fixed({}, rest=1), "play NPT-02")
    last = [event for event in outcome.events if isinstance(event, LastTurn)]
    drawn = [event.disc for event in outcome.events if isinstance(event, Drawn)]
    assert [one.why for one in last] == ["railroad"]
    assert sorted(drawn) == ["Black", "Blue"]
    assert RULES.result(outcome.state).winners == (US_SEAT,)
    assert RULES.result(outcome.state).reason == "railroad-complete"


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.end", "PIW2.rail.win")
def test_the_last_card_ends_the_game_after_the_turn_and_the_nations_win():
    before = state(
        "2.5", "N9: 1 Green", hands={"Northern": ("NPT-02",)}, decks={"Northern": ()}, bag=("Black", "Brown")
    )
    outcome = adjudicate_plan(before, Fixed({}, rest=6), "play NPT-02")
    assert [event.why for event in outcome.events if isinstance(event, LastTurn)] == ["Northern"]
    assert len([event for event in outcome.events if isinstance(event, Drawn)]) == 2
    assert isinstance(outcome.events[-1], Decided)
    assert RULES.result(outcome.state).winners == (NATIONS_SEAT,)


@pytest.mark.clause("plains-indian-wars", "PIW2.cards.redraw")
def test_without_an_action_card_anywhere_an_event_is_given_up():
    before = state(
        "2.5", "N9: 1 Green", hands={"Northern": ("NPT-11", "NPT-14")}, decks={"Northern": ()}, bag=("Black",)
    )
    (due,) = RULES.due(before)
    assert "Discard" in due.accepts
    assert "PlayAction" not in due.accepts
    outcome = adjudicate_plan(before, Fixed({}, rest=6), "discard NPT-14")
    assert outcome.state.played == {"Northern": ("NPT-14",)}


@pytest.mark.parametrize("scenario", RAILS)
def test_whose_phase_it_is_shows_in_the_turn_s_name(scenario):
    now = opening(scenario)
    assert RULES.turn(now).short == f"T{now.turn}{'G' if now.disc == 'Green' else 'O'}"
    assert RULES.check(now, NATIONS_SEAT, orders(now, "begin")[0]).code == "not-now"
