"""Sentences, tables, and the map."""

import re
from itertools import pairwise

import pytest

from games import kinds
from games.plains_indian_wars.engagements import EngagementTerms, engage
from games.plains_indian_wars.events import CardPlayed, Ended, NightRaid, Raided, RailsLaid, WagonsMoved
from games.plains_indian_wars.map import board_scene
from games.plains_indian_wars.model import US_SEAT
from games.plains_indian_wars.report_text import PlainsTelling
from games.plains_indian_wars.rules import PlainsRules
from games.plains_indian_wars.scoring import points_text, schedule, totals
from games.plains_indian_wars.working_state import WorkingState
from tests.kit.plains import card, carried_out, faces, number_of, orders, state, table

TELLING = PlainsTelling()


def said(play):
    return [TELLING.tell(event, None).text for event in play.events]


def test_an_engagement_is_told_throw_by_throw():
    script = {"T2/Blue/N3#1/ambush/Green1": number_of("Green", "hit")}
    script |= faces(
        "T2/Blue/N3#1",
        "Blue blank, Brown blank blank, Green treaty",
        "Blue treaty, Brown hit blank, Green treaty",
    )
    play = table(
        "N3: 2 Blue 2 Brown 1 Green 0 Purple", dice=script, standing={"lose": ("Blue", "Brown", "Purple")}
    )
    play.entered.add("N3")
    engage(play, "N3", EngagementTerms())
    assert said(play) == [
        "Cheyenne (N3): 2 Blue and 2 Brown against 1 Green. Ambush: hit, 1 U.S. cube fell. "
        "1) Blue blank; Brown blank, blank; Green treaty: nobody fell. "
        "2) Blue treaty; Brown hit, blank; Green treaty: treaty, no hit counts. "
        "The treaty parted them: 1 Green withdrew to Powder River (N7). There now: 1 Blue and 2 Brown."
    ]


TALES = [
    (
        Raided(
            turn=2,
            disc="Green",
            colour="Green",
            at="N3",
            number=3,
            wanted=2,
            placed=2,
            borrowed=1,
            lender="N9",
        ),
        "2 Green appeared in Cheyenne (N3) (die 3), 1 of them from Yankton (N9), "
        "because the Ready Box was empty.",
    ),
    (
        Raided(turn=2, disc="Green", colour="Green", at="N3", number=3, wanted=2, placed=0, why="quiet"),
        "No Green cube arrived in Cheyenne (N3) (die 3): a card forbids it.",
    ),
    (
        Raided(turn=2, disc="Purple", colour="Orange", at="SE6", number=0, wanted=1, placed=1),
        "1 Orange pressed on to Mexico (SE6).",
    ),
    (
        NightRaid(turn=2, disc="White", trail="north", number=5, thrown={"NE1": ("hit", "blank")}),
        "Night on the northern trail, die 5: Fort Hall (NE1) hit, blank; 1 wagon lost.",
    ),
    (
        WagonsMoved(turn=2, disc="White", count=2, start="N1", to="ROCKIES"),
        "2 wagons rolled from Salt Lake City (N1) to The Rockies.",
    ),
    (
        RailsLaid(turn=2, disc="Black", line="mountains", count=1, built=4, dice=("hit", "blank")),
        "The mountain line got 1 space (Brown dice: hit, blank) and now has 4.",
    ),
    (CardPlayed(turn=2, disc="Blue", card="CAV-14", discarded=True), "Gatling Guns was discarded."),
]


@pytest.mark.parametrize(("event", "sentence"), TALES)
def test_each_event_is_one_sentence(event, sentence):
    assert TELLING.tell(event, None).text == sentence


@pytest.mark.parametrize(
    ("cubes", "cubes_shown", "groups_shown"),
    [
        ("NE1: 1 Purple", "place 1 Purple NE1", "move 1 Purple NE1 - NE2"),
        ("SE4: 2 Purple", "place 1 Purple NE1", "move 1 Purple SE4 - "),
        ("NE1: 1 Purple 2 Green; NE5: 1 Purple", "place 1 Purple NE1", "move 1 Purple NE5 - "),
        ("", "place 1 Purple NE1", "none can move now"),
    ],
    ids=["north", "south", "tribes", "none"],
)
def test_the_decisions_of_purple_show_orders_that_are_possible_now(cubes, cubes_shown, groups_shown):
    now = state(cubes, "Purple")
    rows = dict(TELLING.tables(now)[0].rows)
    assert cubes_shown in rows["cubes"]
    assert groups_shown in rows["groups"]
    for line in re.findall(r"(?:place|move) 1 Purple \w+(?: - \w+)?", f"{rows['cubes']} {rows['groups']}"):
        (order,) = orders(now, line)
        assert PlainsRules().check(now, US_SEAT, order) is None


def test_the_decisions_say_when_no_purple_cube_is_left_to_place():
    rows = dict(TELLING.tables(state("NE1: 1 Purple", "Purple", ready={"Purple": 0}))[0].rows)
    assert rows["cubes"] == "none has room:  no cube north  and  no cube south  complete the plan"


def test_events_stand_under_their_disc():
    assert TELLING.tell(TALES[0][0], None).heading == "Turn 2: Green, the northern tribes"


def test_the_headline_says_who_won_an_engagement():
    script = faces("T2/Blue/N3#1", "Blue hit blank, Green hit")
    play = table("N3: 2 Blue 1 Green", dice=script)
    engage(play, "N3", EngagementTerms())
    assert TELLING.headline(play.events) == "Blue beat Green in Cheyenne (N3)."
    assert TELLING.headline([]) == "The board is set up."


def test_the_tables_show_what_there_is_to_decide():
    now = state(
        "N3: 2 Green; N5: 1 White", hands={"Cavalry": ("CAV-01", card("Nelson Miles"))}, bag=("White",)
    )
    tables = {one.title: one for one in TELLING.tables(now)}
    assert tables["Cavalry hand: 13 more in the deck, 15 plays left"].rows[0] == (
        "Fort Leavenworth",
        "4 cubes, 3 groups, 2 moves",
    )
    assert tables["Cubes by region"].rows == (
        ("Cheyenne (N3)", "2 Green", ""),
        ("Omaha (N5)", "", "1 wagon"),
    )
    rest = dict(tables["The rest of the position"].rows)
    assert rest["Discs in the bag"] == "White"
    assert rest["Ready Box"].startswith("28 Green, ")
    assert rest["Railroad"].startswith("Union Pacific 0, mountains 0, Central Pacific 0; ")
    assert tables["Victory points, if the game ended now"].rows[-1] == ("Total", "4", "½")


def test_standing_instructions_are_shown_with_what_goes_by_itself():
    now = state("", standing={"withdraw Blue": ("2",), "fall back N3": ("N4",), "equal": ("US",)})
    (table_,) = [one for one in TELLING.tables(now) if one.title == "Standing instructions"]
    rows = dict(table_.rows)
    assert rows["when cubes of a colour withdraw on blanks"] == "Blue at 2"
    assert rows["where U.S. cubes go when they leave a region"] == "N3 to N4"
    assert rows["who leaves after a treaty between equals"] == "we"
    assert (
        rows["which colour loses a cube when several are equally numerous"] == "Brown, then Purple, then Blue"
    )


# The map.


def test_the_scene_shows_cubes_by_shape_and_letters_and_who_holds_what():
    play = carried_out(
        table("N3: 2 Green; N5: 2 Blue 1 White", union=2, quiet=("N1",)), "move 1 Blue N5 - N4"
    )
    drawn = board_scene(play.freeze(), play.events)
    tiles = {(one["kind"], one["letters"], one["count"]) for one in drawn["cubes"]}
    assert tiles == {("disc", "Gr", 2), ("square", "Bl", 1), ("wagon", "Wh", 1)}
    held = {one["id"] for one in drawn["cells"] if one["holder"] == "us"}
    assert held == {"N4", "N5"}
    assert [one["id"] for one in drawn["cells"] if one["quiet"]] == ["N1"]
    assert sum(one["built"] for one in drawn["spaces"]) == 2
    assert len(drawn["spaces"]) == 30
    assert len(drawn["strokes"]) == 1


def test_tiles_of_one_region_do_not_overlap():
    drawn = board_scene(state("N5: 2 Blue 2 Brown 1 White; NE1: 1 Blue 1 Brown 1 Purple 1 White 1 Green"), ())
    places = sorted((one["y"], one["x"]) for one in drawn["cubes"])
    for (y, x), (below, beside) in pairwise(places):
        assert y != below or beside - x >= 31


def test_letters_and_shapes_tell_the_colours_apart():
    play = WorkingState(state("N3: 1 Green; S3: 1 Orange; N5: 1 Blue 1 Brown; NE2: 1 Purple"))
    drawn = board_scene(play.freeze(), ())
    assert len({one["letters"] for one in drawn["cubes"]}) == 5
    assert len({one["kind"] for one in drawn["cubes"]}) == 5
    assert kinds()["plains-indian-wars"].package == "games.plains_indian_wars"


def test_how_it_stands_is_told_while_it_is_counted():
    view = state("N3: 2 Blue; S3: 1 Orange")
    nations, us = (points_text(one) for one in totals(schedule(view)))
    assert TELLING.lead(view, ()) == (f"The score is now {us} for the U.S. and {nations} for the tribes.")
    ended = Ended(turn=9, disc=None, winner=US_SEAT, rows=schedule(view))
    assert TELLING.lead(view, (ended,)) == ""
