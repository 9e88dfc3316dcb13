"""The Event cards of the U.S., one by one, and Custer."""

import pytest

from games.plains_indian_wars import hands, sequence
from games.plains_indian_wars.events import CardPlayed, CusterFell, CusterRode, Fought, Redrawn, Refilled
from tests.kit.plains import card, carried_out, events_of_type, faces, left_out, number_of, stands, table


def blue(cubes, *lines, event, dice=None, fight=False, **fields):
    hand = {"Cavalry": ("CAV-02", "CAV-03", card(event))}
    return carried_out(
        table(cubes, "Blue", dice or {}, hands=hand, **fields), "play Fort Laramie", *lines, fight=fight
    )


def brown(cubes, *lines, event, dice=None, fight=False, **fields):
    hand = {"Settlers": ("SET-01", "SET-02", card(event))}
    return carried_out(
        table(cubes, "Brown", dice or {}, hands=hand, **fields), "play Civil War Vets", *lines, fight=fight
    )


@pytest.mark.clause("plains-indian-wars", "PIW1.card.miles", "PIW1.green.5")
def test_nelson_miles_reaches_beside_blue_and_fills_the_ready_box():
    play = blue("N3: 1 Blue; N8: 4 Green", "play Nelson Miles in N8", event="Nelson Miles")
    assert stands(play, "N8") == {"Green": 1}
    assert play.ready["Green"] == 29
    assert left_out(blue("N3: 1 Blue; N9: 3 Green", "play Nelson Miles in N9", event="Nelson Miles")) == [
        "no-target"
    ]


@pytest.mark.clause("plains-indian-wars", "PIW1.card.coups", "PIW1.orange.5")
def test_plenty_coups_reaches_purple_regions_and_plains_beside_purple():
    assert stands(blue("SE4: 2 Orange", "play Plenty Coups in SE4", event="Plenty Coups"), "SE4") == {}
    beside = blue("SE2: 1 Purple; S10: 4 Orange", "play Plenty Coups in S10", event="Plenty Coups")
    assert stands(beside, "S10") == {"Orange": 1}
    assert beside.ready["Orange"] == 29
    assert left_out(blue("S10: 4 Orange", "play Plenty Coups in S10", event="Plenty Coups")) == ["no-target"]


@pytest.mark.clause("plains-indian-wars", "PIW1.card.cody", "PIW1.green.5")
def test_buffalo_bill_reaches_regions_on_the_railroad():
    play = brown("N4: 4 Green", "play Buffalo Bill Cody in N4", event="Buffalo Bill Cody")
    assert stands(play, "N4") == {"Green": 1}
    assert left_out(brown("N8: 1 Green", "play Buffalo Bill Cody in N8", event="Buffalo Bill Cody")) == [
        "no-target"
    ]


@pytest.mark.clause("plains-indian-wars", "PIW1.cards.events")
def test_an_event_without_a_target_is_played_and_does_nothing():
    play = brown("", "play Buffalo Bill Cody in N4", event="Buffalo Bill Cody")
    assert left_out(play) == ["nobody-there"]
    assert card("Buffalo Bill Cody") in play.now.played["Settlers"]


@pytest.mark.clause("plains-indian-wars", "PIW1.card.gatling")
def test_gatling_guns_throw_one_blue_die_more():
    script = faces("T2/Blue/N3#1", "Blue blank blank blank, Green blank", "Blue blank blank hit, Green blank")
    play = blue(
        "N3: 2 Blue 1 Green", "play Gatling Guns in N3", event="Gatling Guns", dice=script, fight=True
    )
    assert not play.dice.left
    assert stands(play, "N3") == {"Blue": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.card.winter")
def test_winter_campaign_moves_one_group_more_and_strikes_first():
    """The group moves three regions, and in the first round Green doesn't roll."""
    script = faces("T2/Blue/N8#1", "Blue hit blank", "Blue hit blank, Green blank")
    play = blue(
        "STL: 2 Blue; N8: 2 Green",
        *("play Winter Campaign in STL", "move 2 Blue STL - N8"),
        event="Winter Campaign",
        dice=script,
        fight=True,
    )
    assert not play.dice.left
    assert stands(play, "N8") == {"Blue": 2}
    assert len(events_of_type(play, Fought)[0].rounds[0].faces) == 1


@pytest.mark.clause("plains-indian-wars", "PIW1.card.winter")
def test_winter_campaign_spends_no_activation():
    cubes = "STL: 1 Blue; N3: 1 Blue; N8: 1 Blue; S9: 1 Blue"
    lines = ("move 1 Blue N3 - N4", "move 1 Blue N8 - N9", "move 1 Blue S9 - S4", "move 1 Blue STL - N4")
    assert left_out(blue(cubes, *lines, event="Winter Campaign")) == ["no-activation"]
    assert left_out(blue(cubes, *lines, "play Winter Campaign in STL", event="Winter Campaign")) == []


@pytest.mark.clause("plains-indian-wars", "PIW1.card.pony")
def test_pony_express_moves_a_group_of_either_colour_three_regions():
    play = brown(
        "STL: 1 Blue 2 Brown",
        "play Pony Express in STL",
        "move 1 Blue 2 Brown STL - N3",
        event="Pony Express",
    )
    assert stands(play, "N3") == {"Blue": 1, "Brown": 2}
    without = brown("STL: 1 Blue 2 Brown", "move 1 Blue STL - N5", event="Pony Express")
    assert left_out(without) == ["no-influence"]


@pytest.mark.clause("plains-indian-wars", "PIW1.card.central", "PIW1.green.4")
def test_central_pacific_keeps_a_region_quiet_and_builds_in_the_west():
    play = brown(
        "N2: 2 Brown 2 Green", "play Central Pacific RR in N2", event="Central Pacific RR", fight=True
    )
    assert play.now.quiet == ("N2",)
    assert play.now.mountains == 1
    assert events_of_type(play, Fought) == []
    done = brown("", "play Central Pacific RR in S1", event="Central Pacific RR", mountains=5)
    assert (done.now.mountains, done.now.central) == (5, 1)


@pytest.mark.clause("plains-indian-wars", "PIW1.card.central")
def test_the_quiet_ends_with_the_turn():
    play = table("", "Black", {"T3/disc/1": 5}, bag=(), quiet=("N2",), circled=3)
    assert sequence._play_disc(play) is True
    assert (play.now.turn, play.now.quiet, play.now.circled) == (3, (), 0)


@pytest.mark.clause("plains-indian-wars", "PIW1.card.union")
def test_union_pacific_builds_two_spaces_where_settlers_stand():
    assert brown("S5: 1 Brown", "play Union Pacific RR", event="Union Pacific RR", union=2).now.union == 4
    assert brown("S5: 1 Brown", "play Union Pacific RR", event="Union Pacific RR", union=4).now.union == 5
    idle = brown("S4: 1 Brown", "play Union Pacific RR", event="Union Pacific RR", union=2)
    assert idle.now.union == 2
    assert left_out(idle) == ["no-workers"]


@pytest.mark.clause("plains-indian-wars", "PIW1.card.circle")
def test_circle_the_wagons_guards_them_until_the_turn_is_over():
    assert brown("", "play Circle the Wagons", event="Circle the Wagons").now.circled == 3


@pytest.mark.clause("plains-indian-wars", "PIW1.custer.3", "PIW1.custer.1")
def test_custer_rides_among_the_most_green_and_fights_at_once():
    script = faces("T2/Blue/N10#1", "Blue hit hit, Green blank blank", "Blue hit blank, Green blank")
    play = table("N3: 2 Green; N10: 3 Green; S3: 4 Orange", dice=script, standing={"custer": ("N3",)})
    hands.ride_custer(play)
    assert not play.dice.left
    assert stands(play, "N10") == {"Blue": 3}
    assert play.ready["Blue"] == 22
    assert events_of_type(play, CusterRode)[0].tied == ()


@pytest.mark.clause("plains-indian-wars", "PIW1.custer.1")
def test_the_player_s_choice_counts_where_regions_are_equal():
    play = table("N3: 2 Green; N10: 2 Green", dice={}, rest=1, standing={"custer": ("N10",)})
    hands.ride_custer(play)
    assert events_of_type(play, CusterRode)[0].at == "N10"


@pytest.mark.clause("plains-indian-wars", "PIW1.custer.2", "PIW1.custer.3")
def test_custer_who_falls_gives_two_points():
    """One of Custer's three cubes comes from the Casualty Box, and blanks don't let them withdraw."""
    script = faces("T2/Blue/N10#1", "Blue blank blank, Green hit hit", "Blue blank, Green hit hit")
    play = table(
        "N10: 4 Green; N8: 1 Blue",
        dice=script,
        ready={"Blue": 2},
        fallen={"Blue": 4},
        standing={"withdraw Blue": ("8",)},
    )
    hands.ride_custer(play)
    assert play.now.custer
    assert events_of_type(play, CusterFell)[0].at == "N10"
    assert play.fallen["Blue"] == 4 - 1 + 3


@pytest.mark.clause("plains-indian-wars", "PIW1.custer.3")
@pytest.mark.parametrize(("ready", "fallen", "left"), [(0, 2, (0, 0)), (1, 1, (0, 0)), (2, 4, (0, 3))])
def test_custer_takes_whom_the_ready_box_lacks_from_the_casualty_box(ready, fallen, left):
    """Custer gets three cubes, or as many as both boxes have."""
    boxes = {"ready": {"Blue": ready}, "fallen": {"Blue": fallen}}
    play = table("N10: 3 Green", quiet=("N10",), **boxes)
    hands.ride_custer(play)
    assert stands(play, "N10").get("Blue") == min(3, ready + fallen)
    assert (play.ready["Blue"], play.fallen["Blue"]) == left


@pytest.mark.clause("plains-indian-wars", "PIW1.custer.4", "PIW1.custer.2")
def test_custer_is_among_those_whom_a_treaty_lets_go():
    script = faces("T2/Blue/N10#1", "Blue blank blank, Green hit hit", "Blue treaty, Green treaty hit")
    play = table("N10: 4 Green", dice=script)
    hands.ride_custer(play)
    assert not play.now.custer
    assert events_of_type(play, CusterFell) == []


@pytest.mark.clause("plains-indian-wars", "PIW1.blue.1", "PIW1.brown.1")
@pytest.mark.parametrize(("disc", "deck"), [("Blue", "Cavalry"), ("Brown", "Settlers")])
def test_the_hand_is_filled_up_to_three_at_the_end_of_the_phase(disc, deck):
    left = {"Cavalry": ("CAV-05", "CAV-06", "CAV-07"), "Settlers": ("SET-05", "SET-06", "SET-07")}
    play = table("", disc, {}, 1, decks=left, bag=("Green",))
    sequence.play_us_phase(play, [])
    assert len(play.now.hands[deck]) == 3
    assert len(play.now.decks[deck]) == 2
    assert len(events_of_type(play, Refilled)) == 1


@pytest.mark.clause("plains-indian-wars", "PIW1.blue.1", "PIW1.custer.3")
def test_custer_drawn_at_the_end_of_a_phase_is_replaced():
    play = table("N3: 1 Green", "Blue", {}, 1, decks={"Cavalry": (card("Custer"), "CAV-12"), "Settlers": ()})
    hands.play_card(play, "CAV-01")
    hands.refill_hand(play, "Cavalry")
    assert card("Custer") in play.now.played["Cavalry"]
    assert card("Nelson Miles") in play.now.hands["Cavalry"]
    assert [event.at for event in events_of_type(play, CusterRode)] == ["N3"]


@pytest.mark.clause("plains-indian-wars", "PIW1.cards.redraw")
def test_a_hand_of_events_goes_back_until_it_has_an_action_card():
    events = (card("Gatling Guns"), card("Winter Campaign"), card("Plenty Coups"))
    play = table("", "Blue", {}, 1, hands={"Cavalry": events}, decks={"Cavalry": ("CAV-01",), "Settlers": ()})
    hands.ensure_action_card(play, "Cavalry")
    assert "CAV-01" in play.now.hands["Cavalry"]
    assert events_of_type(play, Redrawn)[0].times >= 1
    assert len(play.now.hands["Cavalry"]) == 3


@pytest.mark.clause("plains-indian-wars", "PIW1.cards.redraw")
def test_without_any_action_card_one_event_is_given_up_or_played():
    events = (card("Gatling Guns"), card("Plenty Coups"))
    empty = {"Cavalry": (), "Settlers": ()}
    given_up = carried_out(
        table("", "Blue", hands={"Cavalry": events}, decks=empty), "discard Gatling Guns", "place 1 Blue STL"
    )
    assert [(one.card, one.discarded) for one in events_of_type(given_up, CardPlayed)] == [
        (card("Gatling Guns"), True)
    ]
    assert left_out(given_up) == ["too-many"]
    played = carried_out(
        table("NE4: 2 Green", "Blue", hands={"Cavalry": events}, decks=empty),
        *("discard Plenty Coups", "play Plenty Coups in NE4", "play Gatling Guns in N3"),
    )
    assert stands(played, "NE4") == {}
    assert left_out(played) == ["enough-events"]
    assert number_of("Green", "hit") == 1
