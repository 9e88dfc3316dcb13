"""The phases of the U.S.: cards, placements, moves of groups, influence, and Purple's two steps."""

import pytest

from games.plains_indian_wars.events import CardPlayed, Fought, Moved
from tests.kit.plains import card, carried_out, events_of_type, faces, left_out, stands, table

HAND = {"Cavalry": ("CAV-01", "CAV-07", "CAV-10")}
"""Fort Leavenworth has 4 cubes, 3 groups, 2 moves; Buffalo Soldiers 4, 2, 2; Alfred Terry 3, 3, 3."""


@pytest.mark.clause("plains-indian-wars", "PIW1.cards.action", "PIW1.cards.numbers")
def test_one_action_card_is_played_and_gives_its_numbers():
    play = carried_out(
        table("STL: 4 Blue; N3: 1 Blue; S9: 1 Blue; SAC: 1 Blue", hands=HAND),
        *("play Buffalo Soldiers", "place 5 Blue STL", "move 2 Blue STL - N9"),
        *("move 1 Blue N3 - N8", "move 1 Blue S9 - S10", "move 1 Blue SAC - N1"),
    )
    assert [event.card for event in events_of_type(play, CardPlayed)] == [card("Buffalo Soldiers")]
    assert stands(play, "STL") == {"Blue": 6}, "four came, two went"
    assert left_out(play) == ["too-many", "no-activation", "no-activation"]
    assert card("Buffalo Soldiers") not in play.now.hands["Cavalry"]


@pytest.mark.clause("plains-indian-wars", "PIW1.roles.2", "PIW1.move.group", "PIW1.move.stop")
def test_where_the_variant_is_silent_groups_move_as_in_the_base_game():
    """Activations can split a region's cubes or leave none. No cube moves twice, too far or past tribes."""
    play = carried_out(
        table("STL: 4 Blue; S5: 2 Blue; S4: 1 Orange", hands=HAND),
        *("play Buffalo Soldiers", "move 3 Blue STL - N4", "move 1 Blue STL - N5", "move 1 Blue N4 - N3"),
        *("move 1 Blue S5 - S3", "move 2 Blue S5 - S4", "move 1 Blue S5 - S9"),
    )
    assert {one: stands(play, one) for one in ("STL", "N4", "N5", "S5")} == {
        **{"STL": {}, "N4": {"Blue": 3}, "N5": {"Blue": 1}, "S5": {}}
    }
    assert stands(play, "S4") == {"Blue": 2, "Orange": 1}
    assert left_out(play) == ["too-few", "too-far", "too-few"]


@pytest.mark.clause("plains-indian-wars", "PIW1.cards.action")
def test_a_plan_that_names_no_card_plays_the_first_of_the_hand():
    play = carried_out(table("STL: 1 Blue", hands=HAND), "move 1 Blue STL - N5")
    assert [event.card for event in events_of_type(play, CardPlayed)] == [card("Fort Leavenworth")]


@pytest.mark.clause("plains-indian-wars", "PIW1.cards.action")
def test_no_more_than_two_events_are_played():
    hand = {"Settlers": ("SET-01", "SET-14", "SET-15", "SET-13")}
    play = carried_out(
        table("N5: 1 Brown", "Brown", hands=hand),
        *(
            "play Civil War Vets",
            "play Union Pacific RR",
            "play Circle the Wagons",
            "play Pony Express in N5",
        ),
    )
    assert left_out(play) == ["enough-events"]


@pytest.mark.clause("plains-indian-wars", "PIW1.place.blue")
def test_blue_comes_in_the_two_cities_only():
    play = carried_out(
        table("", union=5), "play Fort Laramie", "place 2 Blue STL", "place 1 Blue SAC", "place 1 Blue N5"
    )
    assert stands(play, "STL") == {"Blue": 2}
    assert stands(play, "SAC") == {"Blue": 1}
    assert left_out(play) == ["no-place-there"]


@pytest.mark.clause("plains-indian-wars", "PIW1.place.brown")
def test_brown_comes_beside_finished_sections_without_tribes_too():
    play = carried_out(
        table("N4: 1 Green", "Brown", union=10),
        *(
            "play Homestead Act",
            "place 1 Brown N5",
            "place 1 Brown S4",
            "place 1 Brown N4",
            "place 1 Brown N3",
        ),
    )
    assert stands(play, "N5") == stands(play, "S4") == {"Brown": 1}
    assert left_out(play) == ["no-place-there", "no-place-there"]


def test_chinese_track_crews_come_in_sacramento_if_in_a_city():
    hand = {"Settlers": ("SET-04", "SET-02", "SET-03")}
    play = carried_out(
        table("", "Brown", hands=hand), "play Chinese Track Crews", "place 2 Brown STL", "place 2 Brown SAC"
    )
    assert left_out(play) == ["other-city"]
    assert stands(play, "SAC") == {"Brown": 2}


def test_no_more_cubes_come_than_the_ready_box_has():
    play = carried_out(table("", ready={"Blue": 1}), "play Fort Laramie", "place 3 Blue STL")
    assert stands(play, "STL") == {"Blue": 1}
    assert left_out(play) == ["ready-box-empty"]


@pytest.mark.clause("plains-indian-wars", "PIW1.move.group", "PIW1.turn.2")
def test_an_activation_may_send_cubes_of_one_region_different_ways():
    """Cubes that were just placed can move too, and no cube has to stay."""
    play = carried_out(
        table("STL: 1 Blue"),
        *("play Fort Laramie", "move 2 Blue STL - N5", "move 3 Blue STL - S4", "place 4 Blue STL"),
    )
    assert stands(play, "N5") == {"Blue": 2}
    assert stands(play, "S4") == {"Blue": 3}
    assert stands(play, "STL") == {}


@pytest.mark.clause("plains-indian-wars", "PIW1.move.once")
def test_a_cube_moves_once_in_a_phase():
    play = carried_out(
        table("N5: 2 Blue; N4: 1 Blue"),
        *("play Fort Laramie", "move 2 Blue N5 - N4", "move 3 Blue N4 - N3", "move 1 Blue N4 - N8"),
    )
    assert left_out(play) == ["too-few"]
    assert stands(play, "N4") == {"Blue": 2}
    assert stands(play, "N8") == {"Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.move.group")
def test_a_group_goes_no_farther_than_the_card_says():
    hand = {"Settlers": ("SET-02", "SET-03", "SET-05")}
    play = carried_out(
        table("STL: 2 Brown", "Brown", hands=hand), "play Homestead Act", "move 1 Brown STL - N4"
    )
    assert left_out(play) == ["too-far"]


@pytest.mark.clause("plains-indian-wars", "PIW1.move.stop")
def test_a_group_stops_where_it_meets_a_tribe():
    play = carried_out(
        table("N5: 2 Blue; N4: 1 Green; N9: 1 Green; S5: 1 Orange; N3: 1 White"),
        *("play Fort Laramie", "move 1 Blue N5 - N3", "move 1 Blue N5 - N4"),
    )
    assert left_out(play) == ["too-far"]
    assert stands(play, "N4") == {"Green": 1, "Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.move.edges")
def test_who_enters_the_rockies_or_the_east_is_in_the_city():
    play = carried_out(
        table("NE2: 1 Blue; N12: 1 Blue"),
        *("play Fort Laramie", "move 1 Blue NE2 - Rockies", "move 1 Blue N12 - STL"),
    )
    assert stands(play, "SAC") == stands(play, "STL") == {"Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.blue.2")
def test_a_blue_cube_takes_two_brown_along():
    play = carried_out(
        table("STL: 2 Blue 9 Brown; N5: 1 Brown", ready={"Blue": 0}),
        *(
            "play Fort Laramie",
            "move 1 Blue 3 Brown STL - S5",
            "move 2 Blue and 4 Brown STL - N5",
            "move 1 Brown N5 - N4",
        ),
    )
    assert left_out(play) == ["no-influence", "no-influence"]
    assert stands(play, "N5") == {"Blue": 2, "Brown": 5}


@pytest.mark.clause("plains-indian-wars", "PIW1.brown.2")
def test_two_brown_cubes_take_a_blue_one_along():
    play = carried_out(
        table("STL: 2 Blue 5 Brown", "Brown"),
        *(
            "play Civil War Vets",
            "move 3 Brown 2 Blue STL - N5",
            "move 4 Brown 2 Blue STL - S5",
            "move 1 Blue STL - N5",
        ),
    )
    assert left_out(play) == ["no-influence", "too-few"]
    assert stands(play, "S5") == {"Blue": 2, "Brown": 4}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.12")
def test_blue_does_not_ride_into_canada_and_may_not_be_taken_there():
    play = carried_out(
        table("NE5: 1 Blue 2 Brown", "Brown"),
        "play Civil War Vets",
        "move 2 Brown 1 Blue NE5 - NE6",
        "move 2 Brown NE5 - NE6",
    )
    assert left_out(play) == ["barred"]
    assert stands(play, "NE6") == {"Brown": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.13")
def test_brown_does_not_end_with_purple_unless_blue_is_there():
    play = carried_out(
        table("N6: 2 Brown; NE1: 1 Purple; NE4: 1 Purple 1 Blue", "Brown"),
        *("play Civil War Vets", "move 1 Brown N6 - NE1", "move 1 Brown N6 - NE4"),
    )
    assert left_out(play) == ["apart"]
    assert stands(play, "NE4") == {"Blue": 1, "Brown": 1, "Purple": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.13")
def test_blue_does_not_leave_brown_alone_with_purple():
    play = carried_out(
        table("NE4: 1 Purple 1 Blue 2 Brown"),
        "play Fort Laramie",
        "move 1 Blue NE4 - N7",
        "move 1 Blue 2 Brown NE4 - N7",
    )
    assert left_out(play) == ["left-together"]
    assert stands(play, "N7") == {"Blue": 1, "Brown": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.part")
def test_brown_left_with_purple_by_losses_steps_aside():
    play = carried_out(table("NE4: 2 Brown 1 Purple; N6: 1 Brown", "Brown"), "play Civil War Vets")
    assert stands(play, "NE4") == {"Purple": 1}
    assert stands(play, "N6") == {"Brown": 3}
    assert [event.parted for event in events_of_type(play, Moved)] == [True]


@pytest.mark.clause("plains-indian-wars", "PIW1.limits.3", "PIW1.limits.4", "PIW1.move.limit")
def test_eight_us_cubes_may_stand_in_a_region_and_any_number_in_a_city():
    play = carried_out(
        table("N5: 5 Blue 2 Brown; STL: 12 Brown 4 Blue; N4: 1 Blue", ready={"Blue": 4}),
        *("play Fort Laramie", "move 2 Blue STL - N5", "move 1 Blue N4 - N5", "place 4 Blue STL"),
    )
    assert left_out(play) == ["no-room"]
    assert stands(play, "N5") == {"Blue": 6, "Brown": 2}
    assert stands(play, "STL") == {"Blue": 8, "Brown": 12}


@pytest.mark.clause("plains-indian-wars", "PIW1.move.recover")
def test_an_activation_brings_the_casualties_back():
    hand = {"Cavalry": ("CAV-07", "CAV-08", "CAV-09")}
    play = carried_out(
        table("N5: 1 Blue; N4: 1 Blue", hands=hand, fallen={"Blue": 5}),
        *("play Buffalo Soldiers", "recover", "move 1 Blue N5 - N9", "move 1 Blue N4 - N3"),
    )
    assert play.fallen["Blue"] == 0
    assert play.ready["Blue"] == 23
    assert left_out(play) == ["no-activation"]


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.4")
def test_purple_comes_once_in_each_belt_even_among_tribes():
    play = carried_out(
        table("NE6: 2 Green", "Purple"),
        "place a Purple cube in NE6",
        "place 1 Purple SE4",
        "place 1 Purple SE2",
    )
    assert stands(play, "NE6") == {"Green": 2, "Purple": 1}
    assert stands(play, "SE4") == {"Purple": 1}
    assert left_out(play) == ["too-many"]


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.13", "PIW1.purple.4")
def test_purple_does_not_come_where_brown_stands_without_blue():
    play = carried_out(
        table("NE1: 1 Brown; SE1: 1 Brown 1 Blue", "Purple"), "place 1 Purple NE1", "place 1 Purple SE1"
    )
    assert left_out(play) == ["apart"]
    assert stands(play, "SE1") == {"Blue": 1, "Brown": 1, "Purple": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.5", "PIW1.purple.7")
def test_purple_activates_one_region_in_each_belt_for_two_spaces():
    play = carried_out(
        table("NE2: 2 Purple; NE5: 1 Purple; SE1: 2 Purple", "Purple"),
        *(
            "move 2 Purple NE2 - NE6",
            "move 1 Purple NE5 - NE3",
            "move 1 Purple SE1 - SE4",
            "move 1 Purple SE1 - S1",
        ),
    )
    assert stands(play, "NE6") == {"Purple": 2}
    assert stands(play, "SE4") == {"Purple": 1}
    assert left_out(play) == ["no-activation", "barred"]


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.5.held", "PIW1.purple.5")
def test_purple_does_not_activate_what_tribes_have_entered():
    play = carried_out(table("NE2: 2 Purple 1 Green", "Purple"), "move 2 Purple NE2 - NE3")
    assert left_out(play) == ["not-controlled"]


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.6")
def test_purple_recovers_in_place_of_one_activation():
    play = carried_out(
        table("NE2: 1 Purple; SE2: 1 Purple", "Purple", fallen={"Purple": 3}),
        *("recover", "move 1 Purple NE2 - NE3", "move 1 Purple SE2 - SE3"),
    )
    assert play.fallen["Purple"] == 0
    assert left_out(play) == ["no-activation"]


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.8", "PIW1.purple.9", "PIW1.purple.10")
def test_on_purple_s_disc_treaties_are_nothing_and_blanks_are_ours_alone():
    """Both roll a treaty and blanks. Purple withdraws by an instruction, and Green stays."""
    script = faces("T2/Purple/NE4#1", "Purple treaty blank, Green treaty blank")
    play = carried_out(
        table("NE4: 1 Purple 2 Green; NE1: 1 Purple", "Purple", script, standing={"withdraw Purple": ("2",)}),
        "place 1 Purple NE4",
        fight=False,
    )
    assert stands(play, "NE4") == {"Green": 2, "Purple": 2}
    script |= faces(
        "T2/Purple/NE4#1", "Purple treaty blank, Green treaty blank", "Purple hit, Green hit blank"
    )
    script |= {"T2/Purple/NE4#1/3/Green1": 3}
    play = carried_out(
        table(
            "NE4: 1 Purple 2 Green; NE1: 1 Purple", "Purple", script, 1, standing={"withdraw Purple": ("2",)}
        ),
        "place 1 Purple NE4",
        fight=True,
    )
    (fought,) = events_of_type(play, Fought)
    assert not any(one.treaty for one in fought.rounds)
    assert [one.colour for one in fought.rounds[0].withdrew] == ["Purple"]


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.11")
@pytest.mark.parametrize("colour", ["Blue", "Brown"])
def test_on_other_discs_treaties_count_in_purple_regions(colour):
    script = faces(f"T2/{colour}/NE4#1", f"{colour} treaty blank, Green treaty")
    hand = "play Fort Laramie" if colour == "Blue" else "play Civil War Vets"
    play = carried_out(table(f"NE4: 2 {colour} 1 Green", colour, script), hand, fight=True)
    assert stands(play, "NE4") == {colour: 2}
    assert events_of_type(play, Fought)[0].retreats[0].colour == "Green"


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.11")
def test_treaties_count_in_canada_on_brown_s_disc():
    script = faces("T2/Brown/NE6#1", "Brown treaty blank, Green treaty")
    play = carried_out(table("NE6: 2 Brown 1 Green", "Brown", script), "play Civil War Vets", fight=True)
    assert stands(play, "NE6") == {"Brown": 2}
