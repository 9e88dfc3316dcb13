"""Engagements: dice, hits, casualties, treaties, blanks, ambushes, and colours that sit out."""

import pytest

from games.plains_indian_wars.engagements import EngagementTerms, battlefields, engage, fight_all
from games.plains_indian_wars.events import Fought
from games.plains_indian_wars.standing_orders import drive_regions
from tests.kit.plains import Fixed, events_of_type, faces, number_of, stands, table

AT = "T2/Blue/N3#1"


def fight(cubes, *rounds, terms=None, region="N3", disc="Blue", **fields):
    """Return the position after an engagement with given rolls, which must all be used."""
    play = table(cubes, disc, faces(f"T2/{disc}/{region}#1", *rounds), **fields)
    engage(play, region, terms or EngagementTerms())
    assert not play.dice.left
    return play


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.dice", "PIW1.engage.1")
@pytest.mark.parametrize(
    ("cubes", "thrown"),
    [
        ("1 Blue 1 Green", "Blue hit, Green blank"),
        ("2 Blue 1 Green", "Blue hit blank, Green blank"),
        ("5 Blue 1 Green", "Blue hit blank, Green blank"),
        ("1 Blue 1 Brown 1 Green", "Blue hit, Brown blank, Green blank"),
    ],
)
def test_a_colour_throws_one_die_for_one_cube_and_two_for_more(cubes, thrown):
    assert stands(fight(f"N3: {cubes}", thrown), "N3").get("Green") is None


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.hits", "PIW1.engage.box", "PIW1.ai.3", "PIW1.green.5")
def test_hits_of_both_sides_count_together_and_fill_the_right_boxes():
    """The last two cubes hit each other. Green goes to the Ready Box, Blue to the Casualty Box."""
    play = fight("N3: 1 Blue 1 Green", "Blue hit, Green hit")
    assert stands(play, "N3") == {}
    assert play.fallen["Blue"] == 1
    assert play.ready["Green"] == 30
    assert "Green" not in play.fallen


@pytest.mark.clause("plains-indian-wars", "PIW1.orange.5")
def test_orange_casualties_go_to_the_orange_ready_box():
    play = fight("S3: 2 Blue 2 Orange", "Blue hit hit, Orange blank blank", region="S3")
    assert play.ready["Orange"] == 30


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.most")
def test_casualties_come_from_the_colour_most_numerous_at_that_moment():
    """Two hits on three Brown and two Blue: a Brown falls, then both are equal, and Brown falls first."""
    play = fight(
        "N3: 2 Blue 3 Brown 3 Green",
        "Blue blank blank, Brown blank blank, Green hit hit",
        "Blue hit hit, Brown hit, Green blank blank",
    )
    assert stands(play, "N3") == {"Blue": 2, "Brown": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.most")
def test_the_last_cube_of_a_colour_takes_no_hit_for_the_others():
    """Two hits on a Blue and a Brown cube: Brown falls first, then Blue."""
    play = fight("N3: 1 Blue 1 Brown 2 Green", "Blue blank, Brown blank, Green hit hit")
    assert stands(play, "N3") == {"Green": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.most", "PIW1.standing")
def test_the_player_says_who_falls_among_equals():
    play = fight(
        "N3: 2 Blue 2 Brown 2 Green",
        "Blue hit hit, Brown blank blank, Green hit blank",
        standing={"lose": ("Blue", "Brown", "Purple")},
    )
    assert stands(play, "N3") == {"Blue": 1, "Brown": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.treaty", "PIW1.engage.treaty.where")
def test_a_treaty_voids_the_hits_and_the_smaller_side_leaves():
    play = fight("N3: 3 Blue 2 Green", "Blue hit treaty, Green hit treaty")
    assert stands(play, "N3") == {"Blue": 3}
    (fought,) = events_of_type(play, Fought)
    assert sum(one.count for one in fought.retreats if one.colour == "Green") == 2
    assert {one.to for one in fought.retreats} <= set(play.board.near["N3"])


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.treaty")
def test_one_treaty_alone_does_nothing():
    play = fight("N3: 2 Blue 1 Green", "Blue treaty treaty, Green hit", "Blue hit, Green treaty")
    assert stands(play, "N3") == {"Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.blank", "PIW1.engage.5")
def test_one_blank_lets_one_cube_withdraw():
    play = fight(
        "N3: 2 Brown 2 Green; N4: 1 Blue",
        "Brown blank hit, Green blank blank",
        "Brown hit, Green blank",
        standing={"withdraw Brown": ("2",)},
    )
    assert stands(play, "N3") == {"Brown": 1}
    assert stands(play, "N4") == {"Blue": 1, "Brown": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.3", "PIW1.blue.4")
def test_the_us_player_decides_whither_the_tribes_go_and_whither_his_own():
    driven = fight("N3: 3 Blue 1 Green", "Blue treaty blank, Green treaty", standing={"drive N3": ("N7",)})
    assert stands(driven, "N7") == {"Green": 1}
    fallen_back = fight(
        "N3: 1 Blue 2 Green; N2: 1 Blue",
        "Blue treaty, Green treaty blank",
        standing={"fall back N3": ("N4",)},
    )
    assert stands(fallen_back, "N4") == {"Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.equal")
@pytest.mark.parametrize(("said", "stays"), [({}, "Blue"), ({"equal": ("US",)}, "Green")])
def test_between_equals_the_us_player_says_who_leaves(said, stays):
    play = fight("N3: 1 Blue 1 Green", "Blue treaty, Green treaty", standing=said)
    assert stands(play, "N3") == {stays: 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.nowhere")
def test_who_must_leave_and_has_nowhere_to_go_falls():
    """The U.S. holds every neighbour of N12 that Green may enter."""
    play = fight(
        "N12: 2 Blue 1 Green; N11: 1 Blue; NE5: 1 Purple", "Blue treaty blank, Green treaty", region="N12"
    )
    assert play.tribe_cubes("N12") == 0
    assert play.ready["Green"] == 30


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.treaty.where", "PIW1.limits.1", "PIW1.green.6")
def test_driven_cubes_keep_to_their_land_and_to_its_limits():
    """N5 borders on N4, N9 and S5. N4 and N9 have room for one more, and Green never goes south."""
    play = fight(
        "N5: 4 Blue 3 Green; N4: 3 Green; N9: 3 Green", "Blue treaty blank, Green treaty blank", region="N5"
    )
    assert (play.tribe_cubes("N4"), play.tribe_cubes("N9"), play.tribe_cubes("S5")) == (4, 4, 0)
    (fought,) = events_of_type(play, Fought)
    assert {one.to for one in fought.retreats} == {"N4", "N9", None}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.blank", "PIW1.engage.5")
def test_blanks_let_cubes_withdraw_where_the_player_said_so():
    play = fight(
        "N3: 2 Brown 2 Green; N4: 1 Blue",
        "Brown blank blank, Green hit blank",
        standing={"withdraw Brown": ("1",)},
    )
    assert stands(play, "N3") == {"Green": 2}
    assert stands(play, "N4") == {"Blue": 1, "Brown": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.blank")
def test_nobody_withdraws_above_the_number_said_or_without_a_blank():
    play = fight(
        "N3: 2 Brown 1 Green",
        "Brown blank blank, Green blank",
        "Brown hit blank, Green hit",
        standing={"withdraw Brown": ("1",)},
    )
    assert stands(play, "N3") == {"Brown": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.4", "PIW1.ai.4", "PIW1.blue.3")
def test_tribes_never_withdraw_on_blanks():
    play = fight("N3: 2 Blue 2 Green", "Blue blank blank, Green blank blank", "Blue hit hit, Green blank hit")
    assert events_of_type(play, Fought)[0].rounds[0].withdrew == ()
    assert stands(play, "N3") == {"Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.blank", "PIW1.move.edges")
def test_a_withdrawal_over_the_rockies_ends_in_sacramento():
    play = fight(
        "NE2: 1 Blue 2 Green; NE1: 1 Green; NE3: 1 Green; NE4: 1 Green",
        "Blue blank, Green blank blank",
        region="NE2",
        standing={"withdraw Blue": ("8",)},
    )
    assert stands(play, "SAC") == {"Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.12", "PIW1.purple.7")
def test_blue_never_withdraws_into_canada_nor_purple_out_of_its_belt():
    play = fight(
        "NE3: 1 Blue 1 Purple 1 Green; NE2: 1 Green; NE4: 1 Green; NE5: 1 Green",
        "Blue blank, Purple blank, Green blank",
        "Blue hit, Green blank",
        region="NE3",
        standing={"withdraw Blue": ("8",), "withdraw Purple": ("8",)},
    )
    assert stands(play, "NE6") == {"Purple": 1}
    assert stands(play, "NE3") == {"Blue": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.ambush", "PIW1.engage.6")
@pytest.mark.parametrize(("face", "left"), [("hit", 1), ("treaty", 2), ("blank", 2)])
def test_a_lone_cube_throws_first_at_those_who_ride_in(face, left):
    play = table(
        "N3: 2 Blue 1 Green",
        dice={
            f"{AT}/ambush/Green1": number_of("Green", face),
            f"{AT}/1/Blue1": 1,
            **({f"{AT}/1/Blue2": 5} if left == 2 else {}),
            f"{AT}/1/Green1": 3,
        },
    )
    play.entered.add("N3")
    engage(play, "N3", EngagementTerms())
    assert events_of_type(play, Fought)[0].ambush == face
    assert stands(play, "N3") == {"Blue": left}
    assert not play.dice.left


@pytest.mark.clause("plains-indian-wars", "PIW1.ambush")
@pytest.mark.parametrize(("cubes", "moved"), [("2 Blue 2 Green", True), ("2 Blue 1 Green", False)])
def test_there_is_no_ambush_by_two_nor_without_a_move(cubes, moved):
    play = table(f"N3: {cubes}", dice={}, rest=1)
    play.entered |= {"N3"} if moved else set()
    engage(play, "N3", EngagementTerms())
    assert events_of_type(play, Fought)[0].ambush is None


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.14", "PIW1.purple.13")
@pytest.mark.parametrize(("said", "fights"), [({}, "Brown"), ({"sit out": ("Brown",)}, "Purple")])
def test_one_of_brown_and_purple_sits_out(said, fights):
    other = {"Brown": "Purple", "Purple": "Brown"}[fights]
    play = fight(
        "NE4: 1 Blue 1 Brown 1 Purple 1 Green",
        f"Blue hit, {fights} blank, Green blank",
        region="NE4",
        standing=said,
    )
    (fought,) = events_of_type(play, Fought)
    assert fought.aside == {other: 1}
    assert set(fought.cubes) == {"Blue", fights, "Green"}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.14")
def test_whoever_is_fewer_sits_out_while_nothing_was_said():
    play = fight(
        "NE4: 1 Blue 1 Brown 2 Purple 1 Green", "Blue hit, Purple blank blank, Green blank", region="NE4"
    )
    assert events_of_type(play, Fought)[0].aside == {"Brown": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.ambush", "PIW1.purple.again")
def test_who_fights_on_rides_into_no_second_ambush():
    """A lone cube's ambush hits Purple and then Blue. Brown sat out, and isn't ambushed again."""
    script = {"T2/Blue/NE4#1/ambush/Green1": number_of("Green", "hit")}
    script |= faces("T2/Blue/NE4#1", "Blue blank, Green hit")
    script |= faces("T2/Blue/NE4#2", "Brown hit, Green blank")
    play = table("NE4: 1 Blue 1 Brown 1 Purple 1 Green", dice=script, standing={"sit out": ("Brown",)})
    play.entered.add("NE4")
    engage(play, "NE4", EngagementTerms())
    assert [one.ambush for one in events_of_type(play, Fought)] == ["hit", None]
    assert stands(play, "NE4") == {"Brown": 1}


@pytest.mark.clause("plains-indian-wars", "PIW1.engage.treaty.where")
@pytest.mark.parametrize(
    ("cubes", "whither"),
    [
        ("", ("N7", "N9", "N3", "N4", "N10")),
        ("N7: 2 Green; N3: 1 Green", ("N9", "N7", "N4", "N3", "N10")),
        ("N9: 1 Brown; N4: 4 Green", ("N7", "N3", "N10")),
    ],
    ids=["off trails, off the Black Hills", "where fewest are", "neither to the U.S. nor to four"],
)
def test_tribes_are_driven_to_where_they_are_least_worth(cubes, whither):
    """The tribes leave Pine Ridge, and the player gave no instruction."""
    assert drive_regions(table(f"N8: 2 Green; {cubes}"), "N8", "Green") == whither


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.again")
def test_who_sat_out_fights_on_when_the_others_are_gone():
    script = faces(
        "T2/Blue/NE4#1", "Blue blank, Purple blank blank, Green hit hit", "Blue blank, Green hit hit"
    )
    script |= faces("T2/Blue/NE4#2", "Brown hit blank, Green blank blank", "Brown hit blank, Green blank")
    play = table("NE4: 1 Blue 2 Brown 2 Purple 2 Green", dice=script, standing={"sit out": ("Brown",)})
    engage(play, "NE4", EngagementTerms())
    assert [set(one.cubes) for one in events_of_type(play, Fought)] == [
        {"Blue", "Purple", "Green"},
        {"Brown", "Green"},
    ]
    assert stands(play, "NE4") == {"Brown": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.purple.9")
def test_treaties_are_nothing_where_the_terms_say_so():
    play = fight(
        "NE4: 2 Purple 1 Green",
        "Purple treaty hit, Green treaty",
        region="NE4",
        disc="Purple",
        terms=EngagementTerms(treaties=False),
    )
    assert stands(play, "NE4") == {"Purple": 2}


@pytest.mark.clause("plains-indian-wars", "PIW1.ai.2", "PIW1.engage.2")
def test_all_engagements_are_fought_in_the_order_that_the_player_wants():
    everywhere = "N3: 2 Blue 1 Green; N8: 2 Blue 1 Green; S4: 2 Blue 1 Orange; S9: 2 Blue; S10: 2 Orange"
    play = table(everywhere, dice={}, rest=1, standing={"fight": ("S4", "N8")})
    assert battlefields(play) == ("N3", "N8", "S4")
    fight_all(play, EngagementTerms())
    assert [one.at for one in events_of_type(play, Fought)] == ["S4", "N8", "N3"]


@pytest.mark.clause("plains-indian-wars", "PIW1.limits.3", "PIW1.limits.4")
def test_nobody_retreats_into_a_full_region_but_a_city_takes_any_number():
    play = fight(
        "N5: 1 Blue 2 Green; N4: 8 Blue; N9: 1 Green; S5: 8 Brown; STL: 1 Brown",
        "Blue treaty, Green treaty blank",
        region="N5",
        ready={"Blue": 0},
    )
    assert stands(play, "STL") == {"Brown": 1, "Blue": 1}
    assert play.us_room("STL") == 99


def test_fixed_dice_refuse_what_nobody_said():
    """A roll that the test didn't give is an error."""
    with pytest.raises(AssertionError, match="nobody said"):
        Fixed({}).roll("x", 6)
