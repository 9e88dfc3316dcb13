"""The Northern and Southern decks: War Parties, and every Event in each scenario."""

import pytest

from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import CardPlayed, Fought, Placed, RailsTorn, Recovered, Rode, Struck
from games.plains_indian_wars.model import NATIONS_SEAT, PlayAction
from games.plains_indian_wars.nations.execution import raid_targets, strike_targets
from tests.kit.nations import CUSTER, RULES, adjudicate_plan, plan_phase, state, table, train
from tests.kit.plains import Fixed, card, events_of_type, left_out, number_of, orders, stands

CRAZY, ROMAN, RAID, FETTERMAN, SUN = (f"NPT-{n}" for n in range(11, 16))
GERONIMO, LOZEN, KETTLE, WARREN, WALLS = (f"SPT-{n}" for n in range(11, 16))
LEAD, LEAD_SOUTH = "play Sitting Bull", "play Quanah Parker"


def held(*events, deck="Northern", lead=None):
    """Return a hand with an action card and some Events."""
    return {deck: (lead or ("NPT-02" if deck == "Northern" else "SPT-03"), *events)}


def strike_faces(name, to, colour, *shown, disc=None):
    label = f"T3/{disc or colour}/{name}/{to}"
    return {f"{label}/{colour}{n}": number_of(colour, face) for n, face in enumerate(shown, 1)}


@pytest.mark.clause("plains-indian-wars", "PIW2.cards.decks", "PIW2.cards.split")
@pytest.mark.parametrize("name", ["Northern", "Southern"])
def test_a_deck_has_ten_war_parties_and_five_events(name):
    deck = materials().decks[name]
    assert deck.label == "War Party"
    assert [card.kind for card in deck.cards] == ["action"] * 10 + ["event"] * 5
    assert len({card.name for card in deck.cards}) == 15


@pytest.mark.clause("plains-indian-wars", "PIW2.cards.sourced")
@pytest.mark.parametrize(
    ("name", "numbers"),
    [("Rain-in-the-Face", (3, 2, 2)), ("Little Mountain", (4, 3, 2)), ("Lone Wolf", (2, 2, 2))],
)
def test_what_a_play_record_shows_is_so(name, numbers):
    found = materials().cards[card(name)]
    assert (found.cubes, found.groups, found.moves) == numbers
    assert found.mark == "sourced"


@pytest.mark.clause("plains-indian-wars", "PIW2.cards.1", "PIW2.cards.refill")
def test_one_war_party_and_two_events_are_played_and_the_hand_is_filled_up():
    before = state("2.5", "N9: 3 Green", hands=held(RAID, FETTERMAN), union=3, bag=("Black",))
    outcome = adjudicate_plan(
        before, Fixed({}, rest=1), LEAD, "play Plum Creek Raid", "play Fetterman Fight in N5"
    )
    played = [event.card for event in outcome.events if isinstance(event, CardPlayed)]
    assert sorted(played) == ["NPT-02", RAID, FETTERMAN]
    assert len(outcome.state.hands["Northern"]) == 3


@pytest.mark.clause("plains-indian-wars", "PIW2.cards.1")
def test_a_plan_without_a_card_plays_the_first_one():
    play = table("2.5", "N9: 1 Green")
    plan_phase(play)
    assert [event.card for event in events_of_type(play, CardPlayed)] == ["NPT-02"]


@pytest.mark.clause("plains-indian-wars", "PIW2.cards.all", "PIW2.card.target")
@pytest.mark.parametrize("name", [CRAZY, ROMAN, RAID, FETTERMAN, SUN])
def test_every_event_may_be_played_even_if_it_does_nothing(name):
    wants = "" if name in (RAID, SUN) else " in N8"
    play = table(CUSTER, "N1: 1 Green", hands=held(name))
    line = f"play {name}{wants}"
    assert RULES.check(play.freeze(), NATIONS_SEAT, orders(play.freeze(), line)[0]) is None
    plan_phase(play, LEAD, line)
    assert name in play.now.played["Northern"]


@pytest.mark.clause("plains-indian-wars", "PIW2.cards.numbers", "PIW2.card.cubes")
def test_in_the_black_hills_a_war_party_of_ours_brings_two_at_most():
    """The number of Rain-in-the-Face was published, so it stays."""
    play = table(CUSTER, "N8: 1 Green")
    plan_phase(play, LEAD, "place 4 Green N8")
    assert stands(play, "N8") == {"Green": 3}
    assert left_out(play) == ["too-many"]
    known = table(CUSTER, "N8: 1 Green", hands={"Northern": ("NPT-01",)})
    plan_phase(known, "play Rain-in-the-Face", "place 4 Green N8")
    assert stands(known, "N8") == {"Green": 4}
    elsewhere = table("2.5", "N8: 1 Green")
    plan_phase(elsewhere, LEAD, "place 4 Green N8")
    assert stands(elsewhere, "N8") == {"Green": 5}


# Crazy Horse.


@pytest.mark.clause("plains-indian-wars", "PIW2.card.crazy", "PIW2.card.strike")
def test_crazy_horse_strikes_once_and_nobody_answers():
    shown = strike_faces(CRAZY, "N5", "Green", "hit", "treaty")
    play = table("2.5", "N9: 5 Green; N5: 2 Blue 4 Brown", shown, hands=held(CRAZY))
    plan_phase(play, LEAD, "play Crazy Horse in N9 against N5")
    assert stands(play, "N5") == {"Blue": 2, "Brown": 2}
    assert stands(play, "N9") == {"Green": 5}
    (struck,) = events_of_type(play, Struck)
    assert struck.faces == ("hit", "treaty")
    assert events_of_type(play, Fought) == []


@pytest.mark.clause("plains-indian-wars", "PIW2.card.dice")
def test_against_a_train_each_cube_of_the_force_throws():
    shown = strike_faces(CRAZY, "N5", "Green", *(["hit"] * 5))
    play = table(**train("2.1", "N5", more="; N9: 5 Green", hands=held(CRAZY)), dice=shown)
    plan_phase(play, LEAD, "play Crazy Horse in N9 against N5")
    assert stands(play, "N5") == {"White": 5, "Brown": 8, "Blue": 4}


@pytest.mark.clause("plains-indian-wars", "PIW2.card.crazy")
def test_crazy_horse_strikes_after_the_moves_that_stand_before_it():
    shown = strike_faces(CRAZY, "N5", "Green", "hit", "blank")
    play = table("2.5", "N8: 5 Green; N5: 4 Brown", shown, hands=held(CRAZY))
    plan_phase(play, LEAD, "move 4 Green N8 - N9", "play Crazy Horse in N9 against N5")
    assert stands(play, "N5") == {"Brown": 3}


@pytest.mark.clause("plains-indian-wars", "PIW2.card.held", "PIW2.card.spared")
def test_guards_alone_and_columns_at_their_starts_are_spared():
    trail = table(**train("2.1", "N6", more="; N1: 2 Green; N2: 2 Green; NE1: 1 Purple"))
    assert strike_targets(trail, "Green", "N1") == ()
    assert strike_targets(trail, "Green", "N2") == ("N6",)
    assert strike_targets(table(CUSTER, "NE4: 2 Green"), "Green", "NE4") == ()
    assert strike_targets(table(CUSTER, "N7: 2 Green", columns={"Brown": "N3: 1 Black"}), "Green", "N7") == (
        "N3",
    )
    assert strike_targets(table("2.5", "N9: 2 Green; N5: 1 Blue"), "Green", "N9") == ("N5",)


# Roman Nose and Lozen.


@pytest.mark.clause("plains-indian-wars", "PIW2.card.fierce", "PIW2.card.lozen")
@pytest.mark.parametrize(
    ("scenario", "name", "colour", "home", "to"),
    [("2.5", ROMAN, "Green", "N9", "N5"), ("2.6", LOZEN, "Orange", "S9", "S5")],
)
def test_two_cubes_come_and_treaties_are_hits_where_they_fight(scenario, name, colour, home, to):
    deck = "Northern" if colour == "Green" else "Southern"
    play = table(scenario, f"{home}: 1 {colour}; {to}: 4 Brown", hands=held(name, deck=deck))
    lead = LEAD if colour == "Green" else LEAD_SOUTH
    plan = plan_phase(play, lead, f"play {name} in {home}", f"move 3 {colour} {home} - {to}")
    assert stands(play, to)[colour] == 3
    assert [event.count for event in events_of_type(play, Placed)] == [2]
    assert plan.engagement_bonus().fierce == to


@pytest.mark.clause("plains-indian-wars", "PIW2.card.fierce")
def test_treaties_of_the_fierce_are_hits_in_their_engagement():
    before = state("2.5", "N9: 1 Green; N5: 2 Brown", hands=held(ROMAN), bag=("Black",))
    shown = {"T3/Green/N5#1/1/Green1": 5, "T3/Green/N5#1/1/Green2": 6}
    lines = (LEAD, "play Roman Nose in N9", "move 3 Green N9 - N5")
    outcome = adjudicate_plan(before, Fixed(shown, rest=1), *lines)
    (fight,) = [event for event in outcome.events if isinstance(event, Fought)]
    assert fight.rounds[0].fell == {"Green": 2, "Brown": 2}


@pytest.mark.clause("plains-indian-wars", "PIW2.card.fierce")
def test_only_the_first_engagement_with_them_is_fierce():
    play = table(
        "2.4",
        "N4: 4 Green; N5: 1 Brown; N3: 1 Brown",
        hands={"Northern": ("NPT-02", ROMAN)},
        standing={"fight": ("N5",)},
    )
    plan = plan_phase(play, LEAD, "play Roman Nose in N4", "move 3 Green N4 - N3", "move 3 Green N4 - N5")
    assert plan.engagement_bonus().fierce == "N5"


# Plum Creek and Warren.


@pytest.mark.clause("plains-indian-wars", "PIW2.card.rails")
@pytest.mark.parametrize(
    ("cubes", "union", "left"),
    [
        ("N4: 1 Green", 7, 5),
        ("N5: 1 Green", 7, 5),
        ("N5: 1 Green", 1, 0),
        ("N3: 1 Green", 7, 7),
        ("N5: 1 Green", 0, 0),
    ],
)
def test_plum_creek_tears_two_spaces_off_where_green_stands_by(cubes, union, left):
    play = table("2.5", cubes, hands=held(RAID), union=union, parties={"union": 1})
    plan_phase(play, LEAD, "play Plum Creek Raid")
    assert play.now.union == left
    assert sum(event.count for event in events_of_type(play, RailsTorn)) == union - left


@pytest.mark.clause("plains-indian-wars", "PIW2.rail.joined")
def test_a_joined_line_has_no_open_end():
    play = table("2.5", "N3: 1 Green", hands=held(RAID), union=15, central=10, parties={"union": 2})
    plan_phase(play, LEAD, "play Plum Creek Raid")
    assert play.now.union == 15
    assert left_out(play) == ["no-target"]


@pytest.mark.clause("plains-indian-wars", "PIW2.card.raid")
@pytest.mark.parametrize(
    ("scenario", "name", "colour", "at", "near"),
    [("2.1", RAID, "Green", "N5", "N9"), ("2.2", WARREN, "Orange", "S5", "S9")],
)
def test_where_no_railroad_is_built_settlers_and_wagons_are_raided(scenario, name, colour, at, near):
    shown = strike_faces(name, at, colour, "hit", "treaty")
    deck = "Northern" if colour == "Green" else "Southern"
    where = train(
        scenario, at, "2 White 2 Brown 4 Blue", f"; {near}: 1 {colour}", hands=held(name, deck=deck)
    )
    play = table(**where, dice=shown)
    plan_phase(play, LEAD if colour == "Green" else LEAD_SOUTH, f"play {name} in {at}")
    assert stands(play, at) == {"White": 1, "Brown": 1, "Blue": 4}


@pytest.mark.clause("plains-indian-wars", "PIW2.card.raid.custer")
def test_columns_have_neither_settlers_nor_wagons():
    play = table(CUSTER, "N7: 3 Green", hands=held(RAID), columns={"Brown": "N3: 7 Brown"})
    assert raid_targets(play, "Green") == ()
    plan_phase(play, LEAD, "play Plum Creek Raid")
    assert play.columns["Brown"].cubes == {"Brown": 7}
    assert left_out(play) == ["no-target"]


# Fetterman and Adobe Walls.


@pytest.mark.clause("plains-indian-wars", "PIW2.card.alone")
@pytest.mark.parametrize(
    ("scenario", "name", "colour", "at"), [("2.5", FETTERMAN, "Green", "N5"), ("2.6", WALLS, "Orange", "S5")]
)
def test_in_the_first_round_only_the_tribe_throws(scenario, name, colour, at):
    deck = "Northern" if colour == "Green" else "Southern"
    before = state(
        scenario,
        f"{at}: 2 {colour} 1 Brown; {at[0]}1: 1 {colour}",
        hands=held(name, deck=deck),
        bag=("Black",),
    )
    shown = {f"T3/{colour}/{at}#1/1/{colour}{n}": 1 for n in (1, 2)}
    lead = LEAD if colour == "Green" else LEAD_SOUTH
    outcome = adjudicate_plan(before, Fixed(shown, rest=3), lead, f"play {name} in {at}")
    (fight,) = [event for event in outcome.events if isinstance(event, Fought)]
    assert set(fight.rounds[0].faces) == {colour}
    assert fight.left == {colour: 2}


@pytest.mark.clause("plains-indian-wars", "PIW2.card.alone.rounds")
@pytest.mark.parametrize(("scenario", "rounds"), [("2.1", 3), ("2.3", 12), ("2.5", 1), ("2.7", 1)])
def test_how_long_a_tribe_throws_alone_is_a_number_of_the_scenario(scenario, rounds):
    assert materials().scenarios[scenario].alone == rounds
    trains = {"trains": {"north": "N5"}} if scenario in ("2.1", "2.3") else {}
    play = table(scenario, "N9: 1 Green", hands={"Northern": ("NPT-02", FETTERMAN)}, **trains)
    plan = plan_phase(play, LEAD, "play Fetterman Fight in N9", colour="Green")
    assert plan.engagement_bonus().alone == {"N9": rounds}


# Sun Dance and Black Kettle.


@pytest.mark.clause("plains-indian-wars", "PIW2.card.muster")
@pytest.mark.parametrize(
    ("scenario", "name", "colour", "home"), [("2.5", SUN, "Green", "N9"), ("2.6", KETTLE, "Orange", "S9")]
)
@pytest.mark.parametrize(("fallen", "placed"), [(5, 6), (1, 5)])
def test_the_fallen_come_back_and_two_of_them_may_be_placed(scenario, name, colour, home, fallen, placed):
    deck = "Northern" if colour == "Green" else "Southern"
    play = table(
        scenario,
        f"{home}: 1 {colour}",
        hands=held(name, deck=deck),
        fallen={colour: fallen},
    )
    plan_phase(play, LEAD if colour == "Green" else LEAD_SOUTH, f"place 9 {colour} {home}", f"play {name}")
    assert play.fallen[colour] == 0
    assert [event.count for event in events_of_type(play, Recovered)] == [fallen]
    assert stands(play, home) == {colour: 1 + placed}


# Geronimo.


@pytest.mark.clause("plains-indian-wars", "PIW2.card.geronimo")
def test_geronimo_strikes_every_neighbour_and_rides_to_mexico():
    """S5 and S4 border on S9. The northern workers in N5 aren't reached."""
    shown = strike_faces(GERONIMO, "S5", "Orange", "hit", "hit") | strike_faces(
        GERONIMO, "S4", "Orange", "treaty", "blank"
    )
    play = table(
        "2.6", "S9: 4 Orange; S5: 2 Blue 4 Brown; S4: 1 Brown", shown, hands=held(GERONIMO, deck="Southern")
    )
    plan_phase(play, LEAD_SOUTH, "play Geronimo in S9")
    assert stands(play, "S5") == {"Blue": 2, "Brown": 2}
    assert stands(play, "S4") == {}
    assert stands(play, "SE6") == {"Orange": 4}
    (rode,) = events_of_type(play, Rode)
    assert (rode.start, rode.to) == ("S9", "SE6")


@pytest.mark.clause("plains-indian-wars", "PIW2.card.geronimo.where")
@pytest.mark.parametrize(("said", "to"), [("", "S1"), (" against S7", "S7"), (" against S8", "S1")])
def test_where_mexico_is_closed_the_force_rides_home(said, to):
    """It rides to the region of the order if possible, otherwise to the region with the most room."""
    shown = strike_faces(GERONIMO, "S5", "Orange", "blank", "blank")
    where = train(
        "2.2", "S5", more="; S9: 2 Orange; S8: 6 Orange; S7: 3 Orange", hands=held(GERONIMO, deck="Southern")
    )
    play = table(**where, dice=shown)
    plan_phase(play, LEAD_SOUTH, f"play Geronimo in S9{said}")
    assert events_of_type(play, Rode)[0].to == to


@pytest.mark.clause("plains-indian-wars", "PIW2.card.geronimo.where")
def test_whoever_finds_no_room_goes_to_the_ready_box():
    shown = strike_faces(GERONIMO, "S5", "Orange", "blank", "blank")
    play = table(
        "2.6",
        "S9: 4 Orange; SE6: 6 Orange; S5: 1 Brown",
        shown,
        hands=held(GERONIMO, deck="Southern"),
    )
    ready = play.ready["Orange"]
    plan_phase(play, LEAD_SOUTH, "play Geronimo in S9")
    assert stands(play, "SE6") == {"Orange": 8}
    assert play.ready["Orange"] == ready + 2


def test_silence_plays_the_first_war_party():
    now = state("2.5", "N9: 1 Green")
    (due,) = RULES.due(now)
    assert RULES.default(now, due) == (PlayAction(card="NPT-02"),)
