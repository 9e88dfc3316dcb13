"""Clickable regions: their holders and cubes, and the regions of a sentence."""

import games
from games.plains_indian_wars.events import Fought, LeftOut, Moved, NightRaid, OrderFault
from games.plains_indian_wars.model import Move
from games.plains_indian_wars.report_text import PlainsTelling
from tests.kit.plains import state

GAME = games.kinds()["plains-indian-wars"]
TELLING = PlainsTelling()


def spots(cubes):
    return {one.at: one for one in TELLING.spots(GAME.rules.view(state(cubes), None))}


def where(event):
    mention = TELLING.mention(event)
    return mention.at if mention else ()


def test_a_region_tells_who_stands_there_alone_and_with_what():
    """One side, the other, both or none can be there."""
    found = spots("N3: 2 Green; N5: 3 Blue 1 Brown; S3: 1 Orange 1 Blue")
    assert found["N3"].name == "Cheyenne (N3)"
    assert (found["N3"].owner, found["N3"].pieces) == ("the tribes", ("2 Green",))
    assert (found["N5"].owner, found["N5"].pieces) == ("the United States", ("3 Blue", "1 Brown"))
    assert (found["S3"].owner, len(found["S3"].pieces)) == (None, 2)
    assert (found["N1"].owner, found["N1"].pieces) == (None, ())


def test_what_moved_is_found_where_it_began_and_where_it_went():
    """The arrow has a title and a side. An order that was left out has its start and goal."""
    moved = Moved(turn=1, disc="Blue", cubes={"Blue": 2}, start="N5", to="N3")
    mention = TELLING.mention(moved)
    assert (mention.at, mention.of) == (("N5", "N3"), "U.S.")
    strokes = TELLING.scene(GAME.rules.view(state("N3: 2 Blue"), None), (moved,))["strokes"]
    assert [one["title"] for one in strokes] == [mention.title]
    order = Move(cubes={"Blue": 1}, start="N5", to="N4")
    left = LeftOut(turn=1, disc="Blue", order=order, why=OrderFault(code="too-far"))
    assert where(left) == ("N5", "N4")
    raid = Moved(turn=1, disc="Green", cubes={"Green": 1}, start="N5", to="N3")
    assert TELLING.mention(raid).of == "Tribes"


def test_fights_and_nights_are_found_where_the_dice_fell():
    """A fight is in its region, and a night raid in each region with dice for wagons."""
    fought = Fought(turn=1, disc="Blue", at="N3", cubes={"Blue": 1, "Green": 1}, rounds=(), left={})
    assert where(fought) == ("N3",)
    thrown = {"N4": ("hit",), "N5": ("blank",)}
    night = NightRaid(turn=1, disc="White", trail="north", number=3, thrown=thrown)
    assert where(night) == ("N4", "N5")
    assert TELLING.mention(NightRaid(turn=1, disc="White", trail="north", number=3)) is None
