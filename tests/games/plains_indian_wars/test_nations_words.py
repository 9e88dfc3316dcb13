"""Variant II in texts and on the map: sentences, headlines, tables, tiles, arrows."""

import pytest

from games.messages import load_messages
from games.plains_indian_wars.events import (
    ColumnFell,
    ColumnMoved,
    Decided,
    Forked,
    PartyMoved,
    RailsTorn,
    Rode,
    Struck,
    TrainMoved,
    TurnedBack,
)
from games.plains_indian_wars.map import board_scene
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT
from games.plains_indian_wars.report_text import PlainsTelling
from tests.kit.nations import CUSTER, state, train

TELLING = PlainsTelling()
AT = {"turn": 3, "disc": "Green"}


def sentence(kind, scenario="2.1", **fields):
    line = TELLING.tell(kind(**{**AT, "scenario": scenario, **fields}), None)
    return line.text


def tables(now):
    return {table.title: table.rows for table in TELLING.tables(now) if table.rows}


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        (
            TrainMoved,
            {"trail": "north", "cubes": {"White": 10, "Brown": 8}, "start": "STL", "to": "N5"},
            "The northern train rolled from St. Louis to Omaha (N5): 10 wagons and 8 Brown.",
        ),
        (
            TrainMoved,
            {"trail": "south", "cubes": {"White": 1}, "start": "SE1", "to": "ROCKIES"},
            "The southern train reached the Rockies with 1 wagon.",
        ),
        (
            Forked,
            {"trail": "north", "face": "blank", "to": "N2"},
            "A Purple die showed a blank: the train takes the California Trail by Fort Bridger (N2).",
        ),
        (
            PartyMoved,
            {"line": "union", "cubes": {"Blue": 2}, "start": "N5", "to": "N4"},
            "The party of the Union Pacific, 2 Blue, went on from Omaha (N5) to Fort Kearny (N4).",
        ),
        (
            PartyMoved,
            {"line": "central", "cubes": {}, "start": "N1", "to": "N2"},
            "The work of the Central Pacific went on from Salt Lake City (N1) to Fort Bridger (N2); "
            "nobody was left to go.",
        ),
        (
            ColumnMoved,
            {"column": "Brown", "cubes": {"Brown": 7, "Black": 1}, "start": "S2", "to": "N2"},
            "Crook's column (7 Brown and 1 Black) rode from White River (S2) to Fort Bridger (N2).",
        ),
        (
            ColumnMoved,
            {"column": "White", "cubes": {"White": 7}, "start": "N11", "to": "EASTN", "back": True},
            "Terry's column (7 White) fell back from Fort Lincoln (N11) to The East, north.",
        ),
        (ColumnFell, {"column": "Blue"}, "Nobody is left of Gibbon's column; its disc leaves the game."),
        (
            Struck,
            {
                "card": "NPT-11",
                "colour": "Green",
                "start": "N9",
                "to": "N5",
                "faces": ("hit", "treaty"),
                "fell": {"White": 2},
            },
            "Crazy Horse: Green of Yankton (N9) struck at Omaha (N5), and nobody struck back "
            "(Green hit, treaty): 2 wagons fell.",
        ),
        (
            Rode,
            {"card": "SPT-11", "cubes": {"Orange": 4}, "start": "S9", "to": "SE6"},
            "4 Orange rode from Indian Territory (S9) to Mexico (SE6).",
        ),
        (
            Rode,
            {"card": "SPT-11", "cubes": {"Orange": 4}, "start": "S9", "to": None},
            "4 Orange of Indian Territory (S9) found no place to ride to, and went to the Ready Box.",
        ),
        (
            RailsTorn,
            {"card": "NPT-13", "count": 2, "built": 5},
            "Plum Creek Raid tore 2 spaces off the Union Pacific, which now has 5.",
        ),
        (
            TurnedBack,
            {"colour": "Green", "count": 2, "start": "N4", "to": "N9"},
            "There was no room for 2 Green in Fort Kearny (N4): back to Yankton (N9).",
        ),
        (
            TurnedBack,
            {"colour": "Green", "count": 2, "start": "N4", "to": None},
            "There was no room for 2 Green in Fort Kearny (N4): back to the Ready Box.",
        ),
        (
            Decided,
            {"winners": (NATIONS_SEAT,), "why": "no-wagon-through"},
            "The Plains nations won the game: no wagon reached the Rockies.",
        ),
        (
            Decided,
            {"winners": (), "why": "wagons-through-on-one-trail"},
            "The game is a draw: wagons reached the Rockies on one trail, and none did on the other.",
        ),
    ],
)
def test_each_event_has_its_sentence(kind, fields, said):
    scenario = CUSTER if kind in (ColumnMoved, ColumnFell) else "2.1"
    assert sentence(kind, scenario, **fields) == said


def test_a_disc_s_heading_says_what_it_stands_for():
    def heading(scenario, disc):
        return TELLING.tell(
            RailsTorn(turn=2, disc=disc, scenario=scenario, card="NPT-13", count=1, built=0), None
        ).heading

    assert heading("2.1", "White") == "Turn 2: The wagon train"
    assert heading("2.4", "Brown") == "Turn 2: Brown, the workers"
    assert heading(CUSTER, "White") == "Turn 2: White, Terry's column with Custer"
    assert heading("1", "White") == "Turn 2: White, the wagons"


def test_the_headline_tells_who_won_and_where_the_us_has_gone():
    rode = [
        ColumnMoved(**AT, scenario=CUSTER, column="White", cubes={"White": 1}, start="EASTN", to="N11"),
        ColumnFell(**AT, scenario=CUSTER, column="Blue"),
        Decided(**AT, scenario=CUSTER, winners=(US_SEAT,), why="black-hills-taken"),
    ]
    assert TELLING.headline(rode) == (
        "The U.S. won the game: the U.S. alone is in the Black Hills. "
        "Terry's column is in Fort Lincoln (N11) and Gibbon's column is no more."
    )


def test_a_train_s_tables_say_what_is_wanted_and_what_comes():
    now = state(**train("2.1", "N6", "4 White 3 Blue", "; N9: 2 Green; NE1: 1 Purple", gone={"White": 6}))
    found = tables(now)
    assert found["What the U.S. is about"] == (
        (
            "Train on the northern trail",
            "4 wagons and 3 Blue in South Pass (N6); next: "
            "Fort Hall (NE1) or Fort Bridger (N2), by a Purple die",
        ),
        ("Guards", "1 Purple in Fort Hall (NE1), with the train alone"),
        ("Turn", "3 of 7"),
    )
    assert ("Out of the game", "6 wagons") in found["The rest of the position"]
    assert ("cubes", "as many as the card says, in N9") in found["Your decisions now"]
    assert "Railroad" not in found
    assert "Discs" not in found


def test_the_parties_tables_say_where_they_work_and_how_much_is_left():
    now = state("2.4", "N4: 2 Blue 3 Brown; N9: 1 Green", union=10, parties={"union": 1}, bag=("Black",))
    found = tables(now)
    assert found["What the U.S. is about"][0] == (
        "Party of the Union Pacific",
        "2 Blue and 3 Brown in Fort Kearny (N4) and none in Dodge City (S4); their section is finished",
    )
    assert found["What the U.S. is about"][1][1].startswith("20 spaces are empty")
    assert found["Discs"] == (
        ("Discs drawn", "Green, Orange, Blue and Brown"),
        ("Discs in the bag", "Black"),
    )
    assert list(dict(found["The rest of the position"])) == ["Ready Box", "Casualty Box", "Railroad"]


@pytest.mark.clause("plains-indian-wars", "PIW2.custer.marker")
def test_the_columns_tables_say_where_they_ride():
    now = state(CUSTER, "N10: 8 Green", columns={"White": "N11: 3 White 1 Black", "Blue": "NE3: 7 Blue"})
    rows = dict(tables(now)["What the U.S. is about"])
    assert rows["Terry's column"] == "3 White and 1 Black in Fort Lincoln (N11); then N10"
    assert rows["Gibbon's column"].endswith("it cannot be attacked there")
    assert rows["Crook's column"] == "destroyed"
    assert rows["Turn"] == "3 of 5"


@pytest.mark.parametrize(("why", "ending"), load_messages("games.plains_indian_wars")["endings"].items())
def test_every_end_has_words(why, ending):
    assert sentence(Decided, CUSTER, winners=(US_SEAT,), why=why).endswith(f"{ending.text}.")


def test_a_hand_shows_what_its_cards_do_in_the_scenario():
    def gives(scenario, **fields):
        hand = {"Northern": ("NPT-02", "NPT-11", "NPT-14")}
        now = state(scenario, "N9: 1 Green", hands=hand, **fields)
        (title,) = [one for one in tables(now) if one.startswith("Northern hand")]
        return dict(tables(now)[title])

    trail = gives("2.1", trains={"north": "N5"})
    assert "6 dice at most" in trail["Crazy Horse"]
    assert trail["Fetterman Fight"].startswith("In the first 3 rounds")
    hills = gives(CUSTER)
    assert hills["Sitting Bull"].startswith("2 cubes")
    assert hills["Fetterman Fight"].startswith("In the first round ")


def test_under_the_headline_stands_how_the_game_stands():
    now = state(**train("2.1", "N4", "3 White 2 Blue"))
    assert TELLING.lead(now, []) == "Turn 3 of 7; wagons: 3 north."
    over = Decided(**AT, scenario="2.1", winners=(US_SEAT,), why="wagons-through")
    assert TELLING.lead(now, [over]) == ""


# The map.


def test_the_map_shows_a_train_with_its_wagons_and_the_way_it_came():
    now = state(**train("2.1", "N4", more=" 3 Green"))
    moved = TrainMoved(
        turn=3, disc="White", scenario="2.1", trail="north", cubes={"White": 10}, start="N5", to="N4"
    )
    drawn = board_scene(now, [moved])
    here = [(tile["kind"], tile["letters"], tile["count"]) for tile in drawn["cubes"]]
    assert here == [("disc", "Gr", 3), ("square", "Bl", 4), ("house", "Br", 8), ("wagon", "Wh", 10)]
    assert len(drawn["strokes"]) == 1
    assert drawn["sheets"]["trails"]
    assert drawn["spaces"] == []
    assert drawn["standing"] == "Turn 3 of 7; wagons: 10 north"


def test_the_map_shows_parties_and_the_tracks():
    drawn = board_scene(state("2.4", "N5: 4 Brown", union=3), [])
    assert sum(space["built"] for space in drawn["spaces"]) == 3
    assert drawn["sheets"]["trails"] == []
    assert drawn["standing"] == "Turn 3; 27 spaces are empty"
    assert [row["name"] for row in drawn["legend"]] == [
        "Northern tribes",
        "Southern tribes",
        "Escorts",
        "Workers",
    ]


def test_the_map_shows_columns_side_by_side_where_they_meet():
    both = {"White": "N10: 7 White 1 Purple 1 Black", "Brown": "N10: 5 Brown 1 Black"}
    drawn = board_scene(state(CUSTER, "N10: 8 Green", columns=both), [])
    tiles = [(tile["letters"], tile["count"], tile["y"]) for tile in drawn["cubes"]]
    assert [one[:2] for one in tiles] == [("Gr", 8), ("Br", 5), ("Pu", 1), ("Wh", 7), ("Bk", 2)]
    assert len({one[2] for one in tiles}) <= 2
    assert next(tile for tile in drawn["cubes"] if tile["letters"] == "Wh")["kind"] == "pale"
    assert [name["id"] for name in drawn["sheets"]["names"] if name["key"]] == ["N10"]


def test_a_column_that_fell_back_has_a_broken_arrow():
    now = state(CUSTER, columns={"Brown": "N3: 7 Brown"})
    back = ColumnMoved(
        turn=3,
        disc="Brown",
        scenario=CUSTER,
        column="Brown",
        cubes={"Brown": 7},
        start="N8",
        to="N3",
        back=True,
    )
    assert [stroke["failed"] for stroke in board_scene(now, [back])["strokes"]] == [True]


def test_the_map_says_how_a_campaign_ended_with_names_as_they_are_written():
    now = state(CUSTER, "N10: 2 Blue", ended=True)
    assert "U.S." in board_scene(now, [])["standing"]
    assert "Black Hills" in board_scene(now, [])["standing"]
