"""Canoe-fleets, storms and the taboo in words and on the map."""

import json
from typing import Any

import pytest

import games
from games.diplomacy.events import CanoesTaken, Reason, Resolved, StormThrown, TabooBroken
from games.diplomacy.model import BuildCanoe, Destroy, Move, Piece, Province, State, Unit
from games.protocol import Event, Seat
from orders.mail.body import FreshLine
from orders.reading.letter_reader import ParseContext, read_lines

GAME = games.kinds()["indianomacy"]
TELLING, NOTATION = GAME.telling, GAME.notation


def unit(power: str, at: str) -> Unit:
    return Unit(power=Seat(power), kind="W", at=Province(at))


def piece(at: str) -> Piece:
    return Piece(kind="W", at=Province(at))


def storm(number: int) -> StormThrown:
    on_the_bay = unit("Dakota", "b")
    return StormThrown(unit=on_the_bay, phase="U1R", label="storm/b/U1", number=number, sunk=number in (1, 6))


def resolved(order: Any, outcome: str, reason: Reason | None = None) -> Resolved:
    place = order.at if isinstance(order, Destroy) else order.unit.at
    return Resolved(power=Seat("Iroquois"), unit=piece(place), order=order, outcome=outcome, reason=reason)


def position(**fields: Any) -> State:
    """A state from a question's fields; nobody is anywhere else."""
    return GAME.whatif.position({"phase": "F1M", "units": {}, **fields})


BROKEN = TabooBroken(unit=unit("Illinois", "69"), at=Province("120"), last_ban=2)
TAKEN = CanoesTaken(at=Province("10"), count=2, was=unit("Iroquois", "10"), now=unit("Dakota", "9"))
FOE = (unit("Dakota", "9"),)

SENTENCES: list[tuple[Event, str]] = [
    (resolved(BuildCanoe(unit=piece("10")), "built"), "W MHK B CANOE: built."),
    (
        resolved(BuildCanoe(unit=piece("10")), "disrupted", Reason(code="attacked", by=FOE)),
        "the building of a canoe-fleet in Mohawk was disrupted: attacked by Pequot (Dakota).",
    ),
    (
        resolved(BuildCanoe(unit=piece("44")), "void", Reason(code="no-shore")),
        "no canoe-fleet was built in Lemhi Shoshoni: the province has no shore.",
    ),
    (
        resolved(Move(unit=piece("10"), to=Province("c"), canoe=True), "moved"),
        "W MHK - STL CANOE: Mohawk → St. Lawrence River, with a canoe-fleet.",
    ),
    (
        resolved(Move(unit=piece("c"), to=Province("10")), "bounced", Reason(code="occupied", by=FOE)),
        "St. Lawrence River → Mohawk turned back: Pequot (Dakota) stayed there.",
    ),
    (resolved(Destroy(at=Province("10")), "destroyed"), "DESTROY MHK: destroyed."),
    (
        resolved(Destroy(at=Province("10")), "void", Reason(code="none-there")),
        "no canoe-fleet in Mohawk was destroyed: there wasn't a canoe-fleet.",
    ),
    (
        resolved(Move(unit=piece("69"), to=Province("120")), "moved", Reason(code="taboo")),
        "Miami → Hopewell Mounds: it broke the taboo and was removed at once.",
    ),
    (TAKEN, "Dakota captured two canoe-fleets in Mohawk from Mohawk (Iroquois)."),
    (
        BROKEN,
        "Illinois entered Hopewell Mounds from Miami and broke the taboo. Its War Party is removed, and it "
        "can't build in the Winters of years 1 and 2.",
    ),
    (storm(4), "Dakota on Hudson Bay survived: the roll was 4, and only a 1 or a 6 sinks it."),
    (
        storm(6),
        "Dakota on Hudson Bay sank with its canoe-fleet: the roll was 6, and a 1 or a 6 sinks it.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_everything_that_happens_on_the_water_is_told(event, sentence):
    line = TELLING.tell(event, None)
    assert line is not None
    assert line.text.endswith(sentence)
    assert line.failed == (
        event == BROKEN
        or event == storm(6)
        or getattr(event, "outcome", "") in ("bounced", "disrupted", "void")
    )


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_no_sentence_of_the_water_is_an_order_when_it_is_quoted_back(event, sentence):
    view = position()
    book = ParseContext(
        commands=(),
        forms=NOTATION.forms,
        conditions=NOTATION.conditions,
        lexicon=NOTATION.lexicon(view),
        build=lambda form, slots: NOTATION.build(view, form, slots),
        write=NOTATION.write,
    )
    line = TELLING.tell(event, None)
    assert line is not None
    assert not [
        one for one in read_lines([FreshLine(text=line.text, source="body")], book).orders if one.in_force
    ]


def test_the_headline_has_the_taboo_and_the_storms():
    assert TELLING.headline([BROKEN, storm(6)]) == (
        "Illinois broke the taboo of Hopewell Mounds. A storm on Hudson Bay sank Dakota."
    )
    assert TELLING.headline([storm(3)]) == "Dakota survived a storm on Hudson Bay."
    built = resolved(BuildCanoe(unit=piece("10")), "built")
    assert TELLING.headline([built]) == "Iroquois built one canoe-fleet."
    assert TELLING.headline([built, built]) == "Iroquois built two canoe-fleets."


def test_the_tables_say_what_lies_ashore_who_is_afloat_and_who_may_not_build():
    units = {"Dakota": ["W HBY", "W SNT"]}
    view = position(
        units=units, bay_entered={"b": "S1M"}, canoes={"10": 2}, taboo=False, build_ban={"Illinois": 2}
    )
    tables = {table.title: table.rows for table in TELLING.tables(view)}
    assert tables["Canoe-fleets ashore"] == (("Mohawk", "2"),)
    assert tables["War Parties afloat"] == (("Dakota", "Hudson Bay", "S1M"),)
    assert tables["Broke the taboo"] == (("Illinois", "year 2"),)
    dry = [table.title for table in TELLING.tables(position(units={"Dakota": ["W SNT"]}))]
    assert dry == ["Standings", "Positions", "Supply centres"]


@pytest.mark.long
def test_the_map_shows_canoes_with_their_count_and_hulls_under_those_afloat():
    view = position(units={"Dakota": ["W d", "W SNT"]}, canoes={"54": 1, "10": 3})
    scene = TELLING.scene(view, ())
    assert [one["count"] for one in scene["canoes"]] == [3, 1]
    places = {one["at"]: (one["x"], one["y"]) for one in scene["units"]}
    (hull,) = scene["hulls"]
    assert hull["x"] == places["d"][0]
    assert scene["canoes"][1]["x"] > places["54"][0], "beside the War Party, which covers no canoe-fleet"
    assert [one["sign"] for one in scene["signs"]] == ["unit", "centre", "canoe", "hull", "taboo"]
    assert json.dumps(scene)


def test_the_map_shows_the_storm_s_die_and_who_went_down():
    view = position(units={"Dakota": ["W SNT"]}, taboo=False)
    scene = TELLING.scene(view, [storm(6)])
    assert [(one["number"], one["sunk"]) for one in scene["dice"]] == [(6, True)]
    assert [(one["at"], one["state"]) for one in scene["gone"]] == [("b", "gone")]
    assert [one["sign"] for one in scene["signs"]] == ["unit", "centre", "gone", "die"]


def test_the_map_shows_the_taboo_until_it_is_broken_and_then_who_broke_it():
    whole = TELLING.scene(position(), ())
    assert len(whole["taboo"]) == 1
    move = resolved(Move(unit=piece("69"), to=Province("120")), "moved", Reason(code="taboo"))
    broken = TELLING.scene(position(taboo=False), [move, BROKEN])
    assert broken["taboo"] == []
    assert [(one["at"], one["power"]) for one in broken["gone"]] == [("120", "Illinois")]
    assert [line["kind"] for line in broken["strokes"]] == ["move"]


def test_who_burns_a_canoe_fleet_and_walks_off_is_not_drawn_as_gone():
    view = position(units={"Iroquois": ["W ONE"]})
    walked = resolved(Move(unit=piece("10"), to=Province("11")), "moved")
    assert TELLING.scene(view, [walked, resolved(Destroy(at=Province("10")), "destroyed")])["gone"] == []


def test_the_map_and_the_tables_follow_the_options_of_the_game():
    """Under the other reading of the lost centres Nootka is none, and Sarcee is."""
    view = position(options={"centres": "home-rival"})
    centres = {one["id"] for one in TELLING.scene(view, ())["centres"]}
    assert "34" in centres
    assert "36" not in centres
