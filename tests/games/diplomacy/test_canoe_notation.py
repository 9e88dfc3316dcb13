"""Orders for canoe-fleets as players write them, read by the reader that reads their letters."""

import pytest

import games
from games.dice import SealedDice
from games.diplomacy.model import BuildCanoe, Destroy, Move, Piece, Province, Unit
from games.protocol import Seat
from games.record import replace_fields
from orders.mail.body import FreshLine
from orders.reading.letter_reader import ParseContext, read_lines

GAME = games.kinds()["indianomacy"]
NOTATION = GAME.notation
OPENING = GAME.rules.setup({}, SealedDice(b"s", "g", 0)).state
AFLOAT = replace_fields(
    OPENING, units=(*OPENING.units, Unit(power=Seat("Iroquois"), kind="W", at=Province("c")))
)


def taken(text: str) -> list[str]:
    """The canonical texts of what is in force in a line, read in a position with a War Party on the river."""
    book = ParseContext(
        commands=(),
        forms=NOTATION.forms,
        conditions=NOTATION.conditions,
        lexicon=NOTATION.lexicon(AFLOAT),
        build=lambda form, slots: NOTATION.build(AFLOAT, form, slots),
        write=NOTATION.write,
    )
    return [
        one.said or ""
        for one in read_lines([FreshLine(text=text, source="body")], book).orders
        if one.in_force
    ]


@pytest.mark.parametrize(
    "text",
    [
        "W MHK B CANOE",
        "W MHK canoe",
        "10 build canoe",
        "Mohawk builds a canoe-fleet",
        "build canoe 10",
        "build a canoe in Mohawk",
        "canoe fleet at Mohawk",
    ],
)
def test_the_ways_to_build_a_canoe(text):
    assert taken(text) == ["W MHK B CANOE"]


@pytest.mark.parametrize(
    "text",
    [
        "W MHK - STL CANOE",
        "W MHK-STL canoe",
        "10-c with canoe",
        "10 - c + canoe",
        "Mohawk to St. Lawrence River in a canoe",
        "Mohawk with canoe - STL",
        "canoe 10-c",
        "launch canoe from Mohawk to Saint Lawrence",
        "move Mohawk to STL with its canoe",
    ],
)
def test_the_ways_to_take_a_canoe_along(text):
    assert taken(text) == ["W MHK - STL CANOE"]


@pytest.mark.parametrize(
    "text",
    ["DESTROY MHK", "destroy MHK", "destroy canoe 10", "Mohawk destroys its canoe", "burn a canoe at Mohawk"],
)
def test_the_ways_to_destroy_a_canoe(text):
    assert taken(text) == ["DESTROY MHK"]


@pytest.mark.parametrize("text", ["W STL-ALG", "c-17", "W STL - ALG canoe", "canoe c-17"])
def test_C5_afloat_a_canoe_goes_without_saying(text):
    assert taken(text) == ["W STL - ALG"]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("W 54-55", "W SNT - MEN"),
        ("Santee - Menominee", "W SNT - MEN"),
        ("SNT S SIS-WAH", "W SNT S W SIS - WAH"),
        ("Chipoewa - Assinboine", "W CHP - ASN"),
        ("Powbaten H", "W POW H"),
    ],
)
def test_old_spellings_numbers_and_names_are_read(text, canonical):
    assert taken(text) == [canonical]


def test_an_extra_order_may_stand_beside_the_main_one():
    assert taken("W MHK - c canoe, destroy canoe MHK") == ["W MHK - STL CANOE", "DESTROY MHK"]


def test_building_a_war_party_is_not_building_a_canoe():
    assert taken("build Mohawk") == ["W MHK B"]


@pytest.mark.parametrize(
    "order",
    [
        BuildCanoe(unit=Piece(kind="W", at=Province("10"))),
        Move(unit=Piece(kind="W", at=Province("10")), to=Province("11"), canoe=True),
        Move(unit=Piece(kind="W", at=Province("c")), to=Province("17")),
        Destroy(at=Province("10")),
    ],
)
def test_what_is_written_is_read_back(order):
    assert taken(NOTATION.write(order)) == [NOTATION.write(order)]
