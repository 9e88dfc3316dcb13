"""Circle the Wagons: trains, guards, the fork, engagements, casualties, the end; scenarios I to III."""

from collections import Counter

import pytest

from games.dice import SealedDice
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import Decided, Forked, Fought, TrainMoved, TurnedBack
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT
from games.plains_indian_wars.nations import sequence
from games.plains_indian_wars.nations.execution import (
    apply_hits,
    may_stand,
    placement_regions,
    reachable_regions,
    tribe_battlefields,
    withdrawal_regions,
)
from games.plains_indian_wars.nations.sequence import acting_tribes, play_tribes_phase
from games.plains_indian_wars.rules import seats
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import Condition
from tests.kit.nations import (
    RULES,
    TRAILS,
    adjudicate_plan,
    fight_engagement,
    plan_phase,
    state,
    table,
    train,
)
from tests.kit.plains import Fixed, events_of_type, faces, number_of, orders, stands

FULL = {"White": 10, "Brown": 8, "Blue": 4}

each_trail = pytest.mark.parametrize(
    ("scenario", "at", "tribe"), [("2.1", "N3", "Green"), ("2.2", "S4", "Orange")]
)
"""Runs a test with an engagement on the Oregon Trail and on the Santa Fe Trail."""


def on_the_trail(scenario, at, tribe, cubes, *rounds, **fields):
    """Return the position after an engagement with a train. The rolls are written for Green."""
    belt = "north" if scenario == "2.1" else "south"
    theirs = [one.replace("Green", tribe) for one in (cubes, *rounds)]
    return fight_engagement(scenario, at, *theirs, trains={belt: at}, **fields)


def opening(scenario, entry=0):
    return RULES.setup({"scenario": scenario}, SealedDice(b"trains", scenario, entry)).state


def passed(scenario, until, entry=0):
    """Return the state at the start of a turn, if the tribes only play cards before."""
    now, number = opening(scenario, entry), 0
    while now.turn < until and (dues := RULES.due(now)):
        number += 1
        silence = {due.seat: RULES.default(now, due) for due in dues}
        now = RULES.adjudicate(now, silence, SealedDice(b"trains", f"{scenario}{entry}", number)).state
    return now


# The set-up.


@pytest.mark.clause("plains-indian-wars", "PIW2.roles.1", "PIW2.roles.3")
@pytest.mark.parametrize("scenario", TRAILS)
def test_the_nations_are_the_only_seat_and_no_us_deck_is_used(scenario):
    now = opening(scenario)
    assert seats({"scenario": scenario}) == (NATIONS_SEAT,)
    assert [due.seat for due in RULES.due(now)] == [NATIONS_SEAT]
    assert set(now.hands) == set(materials().scenarios[scenario].decks) <= {"Northern", "Southern"}


@pytest.mark.clause("plains-indian-wars", "PIW2.setup.tribes", "PIW2.setup.hand", "PIW2.train.none")
@pytest.mark.parametrize(("scenario", "colour", "zone"), [("2.1", "Green", "N"), ("2.2", "Orange", "S")])
def test_a_tribe_has_one_in_each_home_and_three_more_in_two(scenario, colour, zone):
    now = opening(scenario)
    homes = board().regions_in_zones(zone)
    assert Counter(now.cubes[region][colour] for region in homes) == {1: 10, 4: 2}
    assert {c for here in now.cubes.values() for c in here} & {"Green", "Orange"} == {colour}
    (hand,), (deck,) = now.hands.values(), now.decks.values()
    assert (len(hand), len(deck)) == (3, 12)


@pytest.mark.clause("plains-indian-wars", "PIW2.train.setup", "PIW2.santafe.setup")
@pytest.mark.parametrize("scenario", ["2.1", "2.2"])
def test_the_train_has_ten_wagons_eight_settlers_and_four_of_the_cavalry(scenario):
    (places,) = [materials().scenarios[scenario].places["STL"]]
    assert places == FULL
    first = opening(scenario)
    ((_, at),) = first.trains.items()
    assert {colour: first.cubes[at][colour] for colour in FULL} == FULL


@pytest.mark.clause("plains-indian-wars", "PIW2.train.guard.setup", "PIW2.santafe.guards")
@pytest.mark.parametrize(("scenario", "guards"), [("2.1", {"NE1"}), ("2.2", {"SE1", "SE2"})])
def test_a_purple_cube_guards_each_purple_region_of_the_trail(scenario, guards):
    now = opening(scenario)
    assert {region for region, here in now.cubes.items() if here.get("Purple")} == guards
    assert all(now.cubes[region]["Purple"] == 1 for region in guards)


@pytest.mark.clause("plains-indian-wars", "PIW2.both.setup")
def test_both_trails_have_both_set_ups():
    now = opening("2.3")
    assert all({c: now.cubes[at][c] for c in FULL} == FULL for at in ("N5", "S5"))
    assert sum(here.get("Green", 0) for here in now.cubes.values()) == 18
    assert sum(here.get("Orange", 0) for here in now.cubes.values()) == 18
    assert [region for region in ("NE1", "SE1", "SE2") if now.cubes[region].get("Purple")] == [
        "NE1",
        "SE1",
        "SE2",
    ]


# The way west.


@pytest.mark.clause("plains-indian-wars", "PIW2.train.step", "PIW2.train.turns", "PIW2.train.discs")
@pytest.mark.parametrize(
    ("scenario", "ways"),
    [
        ("2.1", [["N5"], ["N4"], ["N3"], ["N6"], ["NE1", "N2"], ["N1"]]),
        ("2.2", [["S5"], ["S4"], ["S8"], ["S7"], ["SE2"], ["SE1"]]),
    ],
)
def test_turn_n_takes_the_train_to_step_n(scenario, ways):
    for turn, open_to in enumerate(ways, 1):
        for entry in range(6):
            now = passed(scenario, turn, entry)
            if not now.ended:
                assert now.turn == turn
                assert now.bag == ()
                assert next(iter(now.trains.values())) in open_to


@pytest.mark.clause("plains-indian-wars", "PIW2.train.fork", "PIW2.train.fork.when")
@pytest.mark.parametrize(("face", "to"), [("hit", "NE1"), ("treaty", "NE1"), ("blank", "N2")])
def test_a_purple_die_says_at_the_fork_which_way_the_train_takes(face, to):
    die = {"T5/White/fork/Purple1": number_of("Purple", face)}
    play = table(**train("2.1", "N6", turn=5, disc="White"), dice=die)
    sequence.advance_trains(play)
    assert play.now.trains == {"north": to}
    (fork,) = events_of_type(play, Forked)
    assert (fork.face, fork.to) == (face, to)


@pytest.mark.clause("plains-indian-wars", "PIW2.train.fork.when")
def test_the_fork_is_not_thrown_before_turn_five():
    play = table(**train("2.1", "N3", turn=4, disc="White"))
    sequence.advance_trains(play)
    assert play.now.trains == {"north": "N6"}
    assert events_of_type(play, Forked) == []


@pytest.mark.clause("plains-indian-wars", "PIW2.train.exit", "PIW2.santafe.exit", "PIW2.train.win")
@pytest.mark.parametrize(("scenario", "at"), [("2.1", "NE1"), ("2.1", "N1"), ("2.2", "SE1")])
def test_the_last_step_leads_into_the_rockies_and_ends_the_game(scenario, at):
    before = state(**train(scenario, at, "3 White 1 Blue", turn=6))
    outcome = adjudicate_plan(
        before, Fixed({}, rest=1), "play NPT-02" if scenario == "2.1" else "play SPT-03"
    )
    assert outcome.state.ended
    assert outcome.state.arrived == {next(iter(before.trains)): 3}
    assert RULES.result(outcome.state).winners == (US_SEAT,)
    assert RULES.result(outcome.state).reason == "wagons-through"
    assert RULES.due(outcome.state) == ()


@pytest.mark.clause("plains-indian-wars", "PIW2.train.last", "PIW2.santafe.last")
@pytest.mark.parametrize("scenario", ["2.1", "2.2"])
def test_the_tribe_plays_no_turn_in_which_the_train_leaves(scenario):
    """On the Oregon Trail the sixth turn ends the game at once, on the others the seventh."""
    for entry in range(12):
        now = passed(scenario, 8, entry)
        last = {"NE1": 6}.get(fork_of(scenario, entry), 7)
        assert (now.ended, now.turn, now.disc) == (True, last, None)


def fork_of(scenario, entry):
    now = passed(scenario, 5, entry)
    return next(iter(now.trains.values()), "")


@pytest.mark.clause("plains-indian-wars", "PIW2.train.calm")
def test_a_train_that_meets_a_tribe_starts_no_engagement():
    play = table(**train("2.1", "N5", more="; N4: 5 Green", disc="White"))
    sequence.advance_trains(play)
    assert stands(play, "N4") == {**FULL, "Green": 5}
    assert events_of_type(play, Fought) == []


@pytest.mark.clause("plains-indian-wars", "PIW2.train.guards", "PIW2.santafe.guards.stay")
@pytest.mark.parametrize(("scenario", "at"), [("2.1", "NE1"), ("2.2", "SE2")])
def test_guards_stay_where_they_are(scenario, at):
    play = table(**train(scenario, at, "2 White 1 Purple", disc="White"))
    sequence.advance_trains(play)
    assert stands(play, at) == {"Purple": 1}
    (moved,) = events_of_type(play, TrainMoved)
    assert moved.cubes == {"White": 2}


# Where the tribe goes.


@pytest.mark.clause("plains-indian-wars", "PIW2.place.home")
def test_cubes_are_placed_at_home_where_the_tribe_alone_is():
    play = table(**train("2.1", "N3", more=" 2 Green; N8: 1 Green; NE1: 1 Green"))
    assert placement_regions(play, "Green") == ("N8",)
    nowhere = table(**train("2.1", "N3", more=" 2 Green"))
    assert placement_regions(nowhere, "Green") == ()
    refused = RULES.check(nowhere.freeze(), NATIONS_SEAT, orders(nowhere.freeze(), "place 1 Green N8")[0])
    assert refused.code == "not-held"


@pytest.mark.clause("plains-indian-wars", "PIW2.train.lands", "PIW2.santafe.lands")
@pytest.mark.parametrize(
    ("scenario", "colour", "at", "shut"),
    [
        ("2.1", "Green", "N6", ("NE1", "NE4", "S2", "EASTN")),
        ("2.2", "Orange", "S7", ("SE2", "SE1", "SE4", "N3", "SE6")),
        ("2.2", "Orange", "SE2", ("SE1", "SE4")),
    ],
)
def test_a_tribe_keeps_to_its_plains_but_where_the_train_is(scenario, colour, at, shut):
    play = table(**train(scenario, at))
    home = "N" if colour == "Green" else "S"
    assert all(may_stand(play, colour, region) for region in (*board().regions_in_zones(home), at))
    assert not any(may_stand(play, colour, region) for region in shut)


@pytest.mark.clause("plains-indian-wars", "PIW2.train.lands")
def test_a_purple_region_is_open_while_the_train_is_in_it():
    assert may_stand(table(**train("2.1", "NE1")), "Green", "NE1")


@pytest.mark.clause("plains-indian-wars", "PIW2.train.through")
def test_a_group_moves_into_and_through_the_train():
    play = table(**train("2.1", "N4", more="; N9: 3 Green"))
    assert reachable_regions(play, "Green", "N9", 2)["N4"] == 1
    assert reachable_regions(play, "Green", "N9", 2)["N3"] == 2


@pytest.mark.clause("plains-indian-wars", "PIW2.train.stay")
def test_cubes_left_with_a_guard_may_stay_or_go_home_and_do_not_fight():
    play = table(**train("2.2", "SE1", "2 White", more="; SE2: 2 Orange 1 Purple"))
    assert tribe_battlefields(play, ("Orange",)) == ()
    assert set(reachable_regions(play, "Orange", "SE2", 1)) == {"S6", "S7", "S10", "SE1"}


# Limits.


@pytest.mark.clause("plains-indian-wars", "PIW2.limit.six", "PIW2.limit.end")
def test_six_cubes_is_the_limit_once_all_have_moved():
    """Nine cubes are in N4 for a while. Three of them move on, and six stay."""
    play = table(**train("2.1", "N5", more="; N9: 4 Green; N4: 5 Green", turn=3))
    plan_phase(play, "play NPT-02", "move 4 Green N9 - N4", "move 3 Green N4 - N3")
    assert stands(play, "N4") == {"Green": 6}
    assert stands(play, "N3") == {"Green": 3}


@pytest.mark.clause("plains-indian-wars", "PIW2.limit.end")
def test_whoever_is_too_many_in_the_end_goes_back():
    """The latest cubes go back first. Earlier ones follow if their return makes another region too full."""
    play = table(**train("2.1", "N5", more="; N9: 6 Green; N4: 6 Green; N3: 5 Green"))
    plan_phase(play, "play NPT-02", "place 1 Green N9", "move 6 Green N4 - N3", "move 7 Green N9 - N4")
    assert stands(play, "N3") == {"Green": 6}
    assert stands(play, "N4") == {"Green": 6}
    assert stands(play, "N9") == {"Green": 6}
    assert play.ready["Green"] == 12
    assert [(one.start, one.to, one.count) for one in events_of_type(play, TurnedBack)] == [
        ("N3", "N4", 5),
        ("N4", "N9", 6),
    ]


@pytest.mark.clause("plains-indian-wars", "PIW2.limit.train")
def test_the_train_never_grows():
    for entry in range(4):
        sizes = []
        for turn in range(1, 7):
            now = passed("2.1", turn, entry)
            if not now.ended:
                here = now.cubes[now.trains["north"]]
                sizes.append(sum(here.get(colour, 0) for colour in FULL))
        assert sizes[0] == 22
        assert sizes == sorted(sizes, reverse=True)


# Engagements.


@pytest.mark.clause("plains-indian-wars", "PIW2.train.engage", "PIW2.train.defend")
def test_an_engagement_follows_the_moves_of_the_tribe():
    before = state(**train("2.1", "N5", "1 White 8 Brown 4 Blue", more="; N9: 2 Green; N1: 1 Green"))
    dice = Fixed({}, rest=1)
    outcome = adjudicate_plan(before, dice, "play NPT-02", "move 2 Green N9 - N5")
    (fight,) = [event for event in outcome.events if isinstance(event, Fought)]
    assert (fight.at, fight.cubes["Green"]) == ("N5", 2)


@pytest.mark.clause("plains-indian-wars", "PIW2.train.guards.alone")
def test_guards_are_never_attacked_for_themselves():
    play = table(**train("2.1", "N6", more=" 2 Green; NE1: 1 Purple 3 Green"))
    assert tribe_battlefields(play, ("Green",)) == ("N6",)


@pytest.mark.clause(
    "plains-indian-wars",
    "PIW2.train.dice.tribe",
    "PIW2.train.dice",
    "PIW2.train.wagondice",
    "PIW2.santafe.fight",
)
@pytest.mark.parametrize(
    ("cubes", "thrown"),
    [
        ("4 Blue 8 Brown 10 White 1 Green", "Blue hit blank, Brown blank blank, Green blank"),
        ("1 Blue 2 Brown 3 White 1 Green", "Blue hit, Brown blank blank, Green blank"),
        ("2 Blue 1 Brown 3 White 1 Green", "Blue hit blank, Brown blank blank, Green blank"),
        ("1 Brown 1 Green", "Brown hit, Green blank"),
        ("1 White 1 Green", "Brown hit, Green blank"),
        ("3 White 1 Green", "Brown hit blank, Green blank"),
    ],
)
@each_trail
def test_the_train_throws_by_its_settlers_cavalry_and_wagons(scenario, at, tribe, cubes, thrown):
    assert on_the_trail(scenario, at, tribe, cubes, thrown).tribe_cubes(at) == 0


@pytest.mark.clause("plains-indian-wars", "PIW2.train.guards.help")
def test_a_guard_throws_a_die_beside_the_train():
    thrown = "Blue blank, Purple hit, Green blank"
    play = fight_engagement("2.1", "NE1", "1 Blue 1 Purple 1 Green", thrown, trains={"north": "NE1"})
    assert stands(play, "NE1") == {"Blue": 1, "Purple": 1}


@pytest.mark.clause(
    "plains-indian-wars", "PIW2.train.hits", "PIW2.train.most", "PIW2.fallen", "PIW2.santafe.fight"
)
@each_trail
def test_a_round_s_casualties_come_from_the_largest_colour(scenario, at, tribe):
    """Two hits on ten wagons and eight settlers remove two wagons."""
    thrown = "Blue hit hit, Brown blank blank, Green hit hit"
    play = on_the_trail(scenario, at, tribe, "4 Blue 8 Brown 9 White 2 Green", thrown)
    assert stands(play, at) == {"Blue": 4, "Brown": 8, "White": 7}
    assert play.fallen[tribe] == 2
    assert play.gone == {"White": 2}


@pytest.mark.clause("plains-indian-wars", "PIW2.train.ties", "PIW2.train.surplus", "PIW2.train.gone")
@pytest.mark.parametrize(
    ("cubes", "hits", "left"),
    [
        ("2 Blue 2 Brown 2 Purple 2 White", 1, {"Blue": 2, "Brown": 1, "Purple": 2, "White": 2}),
        ("2 Blue 1 Brown 2 Purple 2 White", 1, {"Blue": 1, "Brown": 1, "Purple": 2, "White": 2}),
        ("1 Purple 1 White", 1, {"White": 1}),
        ("3 White 3 Brown", 2, {"White": 3, "Brown": 1}),
        ("1 Blue 1 Brown 1 White", 2, {"White": 1}),
        ("1 White", 2, {}),
    ],
)
def test_among_equals_settlers_fall_first_and_wagons_last(cubes, hits, left):
    play = table(**train("2.1", "N3", cubes))
    apply_hits(play, "N3", hits)
    assert stands(play, "N3") == left


@pytest.mark.clause("plains-indian-wars", "PIW2.train.treaty", "PIW2.santafe.fight")
@each_trail
def test_treaties_are_nothing(scenario, at, tribe):
    play = on_the_trail(scenario, at, tribe, "1 Blue 2 Green", "Blue treaty, Green treaty hit")
    assert stands(play, at) == {tribe: 2}


@pytest.mark.clause("plains-indian-wars", "PIW2.train.blank", "PIW2.withdraw.where", "PIW2.santafe.fight")
@each_trail
def test_the_tribe_withdraws_a_cube_for_each_blank_and_the_train_stays(scenario, at, tribe):
    to = {"N3": "N8", "S4": "S9"}[at]
    play = on_the_trail(
        scenario,
        at,
        tribe,
        "1 Blue 3 Green",
        "Blue blank, Green blank blank",
        "Blue hit, Green treaty",
        standing={f"withdraw {tribe}": ("3",), f"fall back {at}": (to,)},
    )
    assert stands(play, to) == {tribe: 2}
    assert stands(play, at) == {"Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW2.withdraw.where", "PIW2.limit.six")
def test_who_withdraws_keeps_to_the_land_and_its_limits():
    """N5 borders on N4 (full), N9 (without a train now), S5 and St. Louis. N9 has room for one more."""
    play = table(**train("2.1", "N5", more=" 3 Green; N4: 6 Green; N9: 5 Green"))
    assert withdrawal_regions(play, "Green", "N5") == ("N9",)


# The end.


@pytest.mark.clause("plains-indian-wars", "PIW2.train.end", "PIW2.train.win")
def test_the_game_ends_at_once_when_no_wagon_is_left():
    before = state(**train("2.1", "N3", "1 White 1 Blue", more=" 2 Green; N1: 1 Green"))
    shown = faces("T3/Green/N3#1", "Blue blank, Brown blank, Green hit hit")
    outcome = adjudicate_plan(before, Fixed(shown, rest=1), "play NPT-02")
    assert outcome.state.ended
    assert isinstance(outcome.events[-1], Decided)
    assert RULES.result(outcome.state).winners == (NATIONS_SEAT,)
    assert RULES.result(outcome.state).reason == "no-wagon-through"


@pytest.mark.clause("plains-indian-wars", "PIW2.train.win", "PIW2.santafe.win")
@pytest.mark.parametrize(("scenario", "at"), [("2.1", "N1"), ("2.2", "SE1")])
def test_others_who_survive_do_not_win_the_game_for_the_us(scenario, at):
    """The last wagon falls, and settlers and cavalry are left."""
    before = state(**train(scenario, at, "1 White 1 Brown 1 Blue", more="", turn=6))
    play = WorkingState(before, Fixed({}, rest=1))
    play.eliminate(at, "White", 1)
    play_tribes_phase(play, ())
    assert play.now.ended
    assert RULES.result(play.freeze()).winners == (NATIONS_SEAT,)


# Both trails.


@pytest.mark.clause("plains-indian-wars", "PIW2.both.together", "PIW2.both.order")
def test_both_tribes_move_before_either_fights():
    cubes = "N5: 1 White 4 Blue; N9: 2 Green; N1: 1 Green; S5: 1 White 4 Blue; S9: 2 Orange; S1: 1 Orange"
    before = state("2.3", cubes, trains={"north": "N5", "south": "S5"})
    lines = ("play NPT-02", "move 2 Green N9 - N5", "play SPT-03", "move 2 Orange S9 - S5")
    outcome = adjudicate_plan(before, Fixed({}, rest=1), *lines)
    kinds = [type(event).__name__ for event in outcome.events]
    assert kinds.index("Fought") > max(n for n, kind in enumerate(kinds) if kind == "Moved")
    moved = [event.disc for event in outcome.events if type(event).__name__ == "Moved"]
    assert moved == ["Green", "Orange"]


@pytest.mark.clause("plains-indian-wars", "PIW2.both.together")
def test_one_plan_is_wanted_with_a_card_of_each_tribe():
    (due,) = RULES.due(opening("2.3"))
    assert [owed.slot for owed in due.owes] == ["card north", "card south"]


@pytest.mark.clause("plains-indian-wars", "PIW2.both.win")
@pytest.mark.parametrize(
    ("arrived", "winners"),
    [
        ({"north": 1, "south": 2}, (US_SEAT,)),
        ({"north": 1}, ()),
        ({"south": 1, "north": 0}, ()),
        ({}, (NATIONS_SEAT,)),
    ],
)
def test_one_trail_through_is_a_draw(arrived, winners):
    over = state("2.3", arrived=arrived, ended=True)
    assert RULES.result(over).winners == winners


@pytest.mark.clause("plains-indian-wars", "PIW2.both.finished")
def test_a_tribe_whose_train_is_finished_plays_no_more():
    now = state("2.3", "S4: 1 White; S1: 1 Orange; N1: 1 Green", trains={"south": "S4"})
    assert acting_tribes(now) == ("Orange",)
    (due,) = RULES.due(now)
    assert [owed.slot for owed in due.owes] == ["card south"]
    refused = RULES.check(now, NATIONS_SEAT, orders(now, "move 1 Green N1 - N2")[0])
    assert refused.code == "other-tribe"


def test_conditions_ask_who_stands_in_a_region():
    now = state(**train("2.1", "N3", more=" 2 Green; N8: 1 Green"))

    def holds(form, region):
        return RULES.holds(now, NATIONS_SEAT, Condition(form=form, slots={"region": region}))

    assert (holds("tribes-in", "N3"), holds("ours", "N3")) == (True, False)
    assert (holds("tribes-in", "N8"), holds("ours", "N8")) == (True, True)
    assert not holds("tribes-in", "S3")
