"""The dice of fights on the map: they match the events, are beside their region, and cover no text."""

from importlib.resources import files
from itertools import combinations

import pytest
from PIL import ImageFont

import games
from games.dice import SealedDice
from games.options import settle
from games.plains_indian_wars.board import board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.dice_slips import crosses, fight_slips
from games.plains_indian_wars.events import (
    EngagementRound,
    Fought,
    Moved,
    NightRaid,
    Retreat,
    Struck,
    WagonsFought,
)
from games.plains_indian_wars.map import board_scene
from games.plains_indian_wars.map_background import CUBE_PAINT
from games.plains_indian_wars.map_layout import LEGEND_STRIP_HEIGHT, atlas, overlap, tile_box
from tests.kit.plains import state


def fought(at, ours="Blue", theirs="Green", left=None, rounds=None, **more):
    thrown = rounds or (
        EngagementRound(faces={ours: ("hit", "blank"), theirs: ("treaty",)}, fell={theirs: 1}),
    )
    return Fought(
        turn=3,
        disc="Blue",
        at=at,
        cubes={ours: 2, theirs: 1},
        rounds=thrown,
        left={ours: 2} if left is None else left,
        **more,
    )


def rows(event):
    (slip,) = fight_slips([event])
    return {row.side: row for row in slip.rows}


def boxes(drawn):
    return [
        (one["left"], one["top"], one["left"] + one["wide"], one["top"] + one["high"])
        for one in drawn["fights"]
    ]


def names():
    return [box for name in atlas().names.values() for _, _, box in name.lines]


def test_a_slip_shows_the_dice_of_both_sides_in_their_colours_and_who_holds_the_field():
    told = rows(fought("N3"))
    assert told["us"].dice == (("Blue", "hit"), ("Blue", "blank"))
    assert told["tribes"].dice == (("Green", "treaty"),)
    assert (told["us"].fell, told["tribes"].fell) == (0, 1)
    assert (told["us"].won, told["tribes"].won) == (True, False)
    (drawn,) = board_scene(state("N3: 2 Blue"), [fought("N3")])["fights"]
    shown = [[(die["colour"], die["face"]) for die in row["dice"]] for row in drawn["rows"]]
    assert shown == [
        [(CUBE_PAINT["Green"], "treaty")],
        [(CUBE_PAINT["Blue"], "hit"), (CUBE_PAINT["Blue"], "blank")],
    ]


def test_rounds_follow_each_other_and_an_ambush_comes_before_them():
    twice = (
        EngagementRound(faces={"Brown": ("blank",), "Orange": ("hit", "hit")}, fell={"Brown": 1}),
        EngagementRound(faces={"Brown": ("hit",), "Orange": ("blank",)}, fell={"Orange": 1}),
    )
    told = rows(fought("S5", "Brown", "Orange", {}, twice, ambush="hit"))
    assert told["tribes"].dice == tuple(("Orange", face) for face in ("hit", "hit", "hit", "blank"))
    assert told["us"].dice == (("Brown", "blank"), ("Brown", "hit"))
    assert not told["us"].won
    assert not told["tribes"].won, "nobody is left"


def test_after_a_treaty_nobody_holds_the_field_while_both_stand_there():
    parted = fought("N3", left={"Blue": 2, "Green": 1}, rounds=(EngagementRound(faces={}, treaty=True),))
    assert [row.won for row in rows(parted).values()] == [False, False]


def test_whoever_had_nowhere_to_go_has_fallen():
    away = Retreat(colour="Green", count=2, to=None), Retreat(colour="Green", count=1, to="N4")
    told = rows(
        fought("N3", rounds=(EngagementRound(faces={"Blue": ("hit",)}, fell={"Green": 1}, withdrew=away),))
    )
    assert told["tribes"].fell == 3


def test_attacks_that_nobody_answers_show_the_dice_of_those_who_threw():
    struck = Struck(
        turn=3, disc="Green", scenario="2.1", card="NPT-01", colour="Green", start="N8", to="N4",
        faces=("hit", "blank"), fell={"Brown": 1},
    )  # fmt: skip
    assert rows(struck)["tribes"].dice == (("Green", "hit"), ("Green", "blank"))
    assert rows(struck)["us"].fell == 1
    raid = NightRaid(turn=3, disc="White", trail="south", number=2, thrown={"S4": ("hit", "hit", "treaty")})
    assert [colour for colour, _ in rows(raid)["tribes"].dice] == ["Orange"] * 3
    assert rows(raid)["us"].fell == 2


def test_wagons_are_fought_over_as_cubes_are():
    event = WagonsFought(
        turn=3,
        disc="Green",
        at="N4",
        cubes={"White": 2, "Green": 1},
        rounds=(EngagementRound(faces={"Brown": ("blank",), "Green": ("hit",)}, fell={"White": 2}),),
        left={"Green": 1},
    )
    told = rows(event)
    assert told["tribes"].won
    assert told["us"].dice == (("Brown", "blank"),)
    assert told["us"].fell == 2


@pytest.mark.parametrize("region", board().regions_in_zones("N", "S", "NE", "SE"))
def test_a_slip_lies_by_its_region_over_no_name_and_no_cube(region):
    full = "; ".join(
        f"{one}: 1 Blue"
        for one in board().regions_in_zones("N", "S", "NE", "SE")
        if one not in ("NE6", "SE6")
    )
    drawn = board_scene(state(full), [fought(region)])
    (box,) = boxes(drawn)
    taken = [*names(), *(tile_box((one["x"], one["y"])) for one in drawn["cubes"])]
    assert not [other for other in taken if overlap(box, other)]
    at = atlas().at[region]
    assert abs((box[0] + box[2]) / 2 - at[0]) <= 160
    assert abs((box[1] + box[3]) / 2 - at[1]) <= 160


@pytest.mark.parametrize(
    ("start", "goal"), [("N5", "N9"), ("N9", "N5"), ("N4", "N9"), ("N7", "NE5"), ("N3", "N6")]
)
def test_a_slip_lies_over_no_arrow(start, goal):
    """A fight where the arrow ends and one where it begins."""
    went = Moved(turn=3, disc="Blue", start=start, to=goal, cubes={"Blue": 1})
    drawn = board_scene(state(f"{start}: 1 Blue; {goal}: 2 Blue"), [went, fought(start), fought(goal)])
    (arrow,) = drawn["strokes"]
    ends = (arrow["x1"], arrow["y1"]), (arrow["x2"], arrow["y2"])
    assert len(boxes(drawn)) == 2
    assert not [box for box in boxes(drawn) if crosses(*ends, box)]


def test_many_fights_of_one_turn_lie_beside_each_other_and_their_leaders_cross_no_name():
    regions = ("N3", "N4", "N6", "N8", "N10", "S3", "S8", "NE4", "SE2", "S9")
    drawn = board_scene(
        state("; ".join(f"{one}: 2 Blue" for one in regions)), [fought(one) for one in regions]
    )
    found = boxes(drawn)
    assert len(found) == len(regions)
    assert not any(overlap(one, other) for one, other in combinations(found, 2))
    crossed = 0
    for box, fight in zip(found, drawn["fights"], strict=True):
        assert not [name for name in names() if overlap(box, name)]
        lead = fight["lead"]
        ends = (lead["x1"], lead["y1"]), (lead["x2"], lead["y2"])
        crossed += any(crosses(*ends, name) for name in names())
    assert crossed <= 1, "names lie above leaders, and each slip has the number of its region"
    assert [fight["number"] for fight in drawn["fights"]] == [*regions]


def test_dice_of_a_side_are_in_rows_of_equal_length():
    many = EngagementRound(faces={"Blue": ("hit",) * 10, "Green": ("blank",) * 8})
    drawn = board_scene(state("S4: 2 Blue"), [fought("S4", rounds=(many,))])
    rows = {row["side"]: [die["y"] for die in row["dice"]] for row in drawn["fights"][0]["rows"]}
    assert [rows["us"].count(y) for y in sorted({*rows["us"]})] == [5, 5]
    assert [rows["tribes"].count(y) for y in sorted({*rows["tribes"]})] == [8]


@pytest.mark.parametrize("scenario", [*materials().scenarios])
def test_the_legend_has_room_for_each_name_and_number(scenario):
    """At a size of 24, which has 7.5 pixels on a phone of 375."""
    font = ImageFont.truetype(str(files("adjudicator.reports").joinpath("fonts/DejaVuSansCondensed.ttf")), 24)
    game = next(one for one in games.kinds().values() if one.package == "games.plains_indian_wars")
    drawn = board_scene(game.rules.view(opening(game, scenario), None), ())
    rows = drawn["legend"]
    assert rows
    assert len({(row["x"], row["y"]) for row in rows}) == len(rows)
    for row in rows:
        words = row["name"] + (" (Wh)" if row["kind"] == "wagon" else "")
        assert row["x"] + 30 + font.getlength(words) < row["ready_x"] - 34, words
        assert row["ready_x"] + 30 < row["fallen_x"] < 1200 - 10
        assert 140 < row["y"] < LEGEND_STRIP_HEIGHT - 60


def opening(game, scenario):
    options = settle(game.about.options, {"scenario": scenario})
    return game.rules.setup(options, SealedDice(b"legend", "legend", 0)).state


def test_dice_are_as_large_as_what_is_read():
    many = EngagementRound(faces={"Blue": ("hit",) * 9, "Green": ("blank",) * 8})
    drawn = board_scene(state("S4: 2 Blue"), [fought("S4", rounds=(many,))])
    (fight,) = drawn["fights"]
    places = [(die["x"], die["y"]) for row in fight["rows"] for die in row["dice"]]
    assert len(places) == 17
    assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= 20 for a, b in combinations(places, 2))
    (left, top, right, low) = boxes(drawn)[0]
    left += fight["tab"]
    assert all(left + 10 <= x <= right - 10 and top + 10 <= y <= low - 10 for x, y in places)
