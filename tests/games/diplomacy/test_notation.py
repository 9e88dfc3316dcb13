"""Written orders are read as they were meant: canonical texts, forms and names of the Indianomacy board."""

import re

import pytest

from games.data import read_json
from games.diplomacy.boards.board import compile_board
from games.diplomacy.model import (
    Beaten,
    Build,
    Disband,
    Hold,
    Move,
    Phase,
    Piece,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from games.diplomacy.notation import DiplomacyNotation
from games.protocol import Seat

BOARD = compile_board(read_json("games.diplomacy", "variants/indianomacy/map.json"))
NOTATION = DiplomacyNotation(BOARD)
MHK, ONE, DEL = (Piece(kind="W", at=Province(at)) for at in ("10", "11", "61"))


def position(kind: str = "M", *units: Unit, beaten: tuple[Beaten, ...] = ()) -> State:
    return State(
        options={}, phase=Phase(season="S", year=1, kind=kind), units=units, centres={}, beaten=beaten
    )


def spelled(pattern: str) -> re.Pattern[str]:
    """A form as a regular expression over capital words: an independent reading of the pattern language."""
    expression = ""
    for token in re.findall(r"\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|\S+", pattern):
        if token[0] == "{":
            slot = token[1:-1].partition(":")[0]
            expression += rf"(?P<{slot}>[A-Za-z0-9' .]+?) "
        elif token[0] in "([":
            choices = sorted(token[1:-1].split("|"), key=len, reverse=True)
            optional = token[0] == "[" or "" in choices
            expression += "(?:(?:" + "|".join(re.escape(c) for c in choices if c) + ") )" + "?" * optional
        else:
            expression += re.escape(token) + " "
    return re.compile(expression, re.IGNORECASE)


def read(text: str, view: State) -> set[object]:
    """All orders that some form makes of a text, by abbreviations and names."""
    ids = {name.lower(): term.id for term in NOTATION.lexicon(view) for name in term.names}
    found = set()
    for form in NOTATION.forms:
        match = spelled(form.pattern).fullmatch(text + " ")
        if match and all(value.lower() in ids for value in match.groupdict().values()):
            slots = {slot: ids[value.lower()] for slot, value in match.groupdict().items()}
            found.add(NOTATION.build(view, form.name, slots))
    return found


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (Hold(unit=MHK), "W MHK H"),
        (Move(unit=MHK, to=Province("61")), "W MHK - DEL"),
        (SupportHold(unit=MHK, other=ONE), "W MHK S W ONE"),
        (SupportMove(unit=ONE, other=MHK, to=Province("61")), "W ONE S W MHK - DEL"),
        (Disband(unit=MHK), "W MHK D"),
        (Build(unit=MHK), "W MHK B"),
        (Waive(), "WAIVE"),
    ],
)
def test_a_canonical_text_is_read_back_as_its_order_and_nothing_else(order, text):
    assert NOTATION.write(order) == text
    assert read(text, position()) == {order}


@pytest.mark.parametrize(
    "text",
    [
        "Mohawk to Delaware",
        "move Mohawk to Delaware",
        "MHK - DEL",
        "10 - 61",
        "A Mohawk moves to Delaware",
        "war party Mohawk into Lenape",
        "WP Mohawk attacks Delaware",
        "MHK R DEL",
        "Mohawk retreats to Delaware",
        "retreat Mohawk to Delaware",
    ],
)
def test_a_move_is_written_in_many_ways(text):
    assert read(text, position()) == {Move(unit=MHK, to=Province("61"))}


@pytest.mark.parametrize(
    "text",
    [
        "Oneida S Mohawk - Delaware",
        "ONE supports MHK into DEL",
        "W ONE support W MHK to DEL",
        "11 S 10 - 61",
        "support Mohawk to Delaware with Oneida",
    ],
)
def test_a_support_of_a_move_is_never_taken_for_a_support_to_hold(text):
    assert read(text, position()) == {SupportMove(unit=ONE, other=MHK, to=Province("61"))}


@pytest.mark.parametrize(
    "text", ["ONE S MHK", "ONE S MHK H", "Oneida supports Mohawk to hold", "support Mohawk with Oneida"]
)
def test_a_support_to_hold_is_written_in_many_ways(text):
    assert read(text, position()) == {SupportHold(unit=ONE, other=MHK)}


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("MHK H", Hold(unit=MHK)),
        ("Mohawk stands", Hold(unit=MHK)),
        ("hold Mohawk", Hold(unit=MHK)),
        ("MHK D", Disband(unit=MHK)),
        ("disband MHK", Disband(unit=MHK)),
        ("remove Mohawk", Disband(unit=MHK)),
        ("build MHK", Build(unit=MHK)),
        ("build W in Mohawk", Build(unit=MHK)),
        ("W MHK B", Build(unit=MHK)),
        ("waive a build", Waive()),
    ],
)
def test_other_orders_are_written_in_many_ways(text, order):
    assert read(text, position()) == {order}


def test_every_example_is_read_by_its_own_form():
    for form in NOTATION.forms:
        match = spelled(form.pattern).fullmatch(form.example + " ")
        assert match, form
    for form in NOTATION.conditions:
        assert spelled(form.pattern).fullmatch(form.example + " "), form


def test_the_first_form_of_each_name_reads_its_canonical_text():
    view = position()
    for name in dict.fromkeys(form.name for form in NOTATION.forms):
        first = next(form for form in NOTATION.forms if form.name == name)
        (order,) = read(first.example, view)
        assert NOTATION.write(order) == first.example


def test_in_a_retreat_phase_the_beaten_unit_is_meant():
    beaten = Beaten(
        unit=Unit(power=Seat("Iroquois"), kind="A", at=Province("10")),
        by_from=Province("61"),
        retreats=(Province("11"),),
    )
    winner = Unit(power=Seat("Dakota"), kind="W", at=Province("10"))
    after = NOTATION.build(position("R", winner, beaten=(beaten,)), "move", {"unit": "10", "to": "11"})
    assert after == Move(unit=Piece(kind="A", at=Province("10")), to=Province("11"))
    before = NOTATION.build(position("M", winner), "hold", {"unit": "10"})
    assert before == Hold(unit=Piece(kind="W", at=Province("10")))


def test_names_are_given_full_name_first_and_belong_to_one_province_each():
    terms = [term for term in NOTATION.lexicon(position()) if term.sort == "province"]
    assert len(terms) == 129
    assert terms[53].names[:3] == ("Santee", "SNT", "54")
    owners: dict[str, str] = {}
    for term in terms:
        for name in term.names:
            assert owners.setdefault(name.lower(), term.id) == term.id, name


def test_a_form_that_is_not_ours_is_an_error():
    with pytest.raises(KeyError):
        NOTATION.build(position(), "convoy", {"unit": "10", "other": "11"})
