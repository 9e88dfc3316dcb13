"""All the units that a letter orders nothing else: "all hold"."""

import pytest

from games.record import replace_fields
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines
from orders.verdict import LineVerdict
from tests.orders.plain import BOOK, HOLDING, Read, reading
from tests.orders.test_condition_blocks import CONDITIONS, NATIONS, TURNS, phrase

AHEAD = replace_fields(
    HOLDING,
    conditions=CONDITIONS,
    lexicon=(*HOLDING.lexicon, *NATIONS),
    turns=lambda: TURNS,
    phrase=phrase,
)


def verdicts(text: str) -> tuple[LineVerdict, ...]:
    return read_lines(tuple(FreshLine(text=line) for line in text.split("\n")), AHEAD).orders


def told(text: str) -> list[str]:
    return [f"{one.grade} {one.said}" for one in verdicts(text)]


ALL = ["taken W MHK H", "taken W ONE H", "taken W ONO H", "taken W SEN H"]


@pytest.mark.parametrize(
    "line",
    [
        "all hold",
        "All units hold.",
        "- everything holds",
        "please hold all units",
        "HOLD ALL",
        "Everyone stays put!",
        "Iroquois: all hold",
        "hold everywhere",
    ],
)
def test_all_hold_is_an_order_for_each_unit(line: str) -> None:
    assert told(line) == ALL
    assert {one.line for one in verdicts(line)} == {line}


@pytest.mark.parametrize(
    "line",
    ["everything else holds", "all others hold", "the rest holds", "rest: hold", "hold the other units"],
)
def test_the_rest_is_what_has_no_order_wherever_it_stands(line: str) -> None:
    move = ["taken W MHK - DEL", "taken W ONE S W MHK - DEL"]
    assert told(f"Mohawk - Delaware\nOneida S Mohawk - Delaware\n{line}") == [*move, *ALL[2:]]
    assert told(f"{line}\nMohawk - Delaware\nOneida S Mohawk - Delaware") == [*ALL[2:], *move]
    assert told(f"Mohawk - Delaware, Oneida S Mohawk - Delaware, {line}") == [*move, *ALL[2:]]


def test_no_unit_holds_of_which_something_was_said_that_was_not_understood() -> None:
    assert told("Mohawk - Delaware?\nall hold") == ["doubtful W MHK - DEL", *ALL[1:]]
    assert told("Mohawk - Nowhereland\nall hold") == ["unread None", *ALL[1:]]
    assert told("W Chip - Cree\nall hold") == ["ambiguous None", *ALL]


def test_where_each_has_its_order_the_word_changes_nothing() -> None:
    orders = "Mohawk H\nOneida H\nOnondaga H\nSeneca H"
    assert verdicts(f"{orders}\nall hold")[-1].grade == "idle"


def test_below_an_if_it_is_for_those_without_an_order_there() -> None:
    found = verdicts("Mohawk - Delaware\nIF W Huron THEN\nSeneca - Erie\nall hold\nENDIF")
    assert [(one.said, one.when and one.when.text) for one in found if one.in_force] == [
        ("W MHK - DEL", None),
        ("W SEN - ERI", "IF W HUR"),
        ("W MHK H", "IF W HUR"),
        ("W ONE H", "IF W HUR"),
        ("W ONO H", "IF W HUR"),
    ]


def test_of_units_to_come_nobody_knows() -> None:
    (verdict,) = verdicts("PHASE F1M\nall hold")
    assert (verdict.grade, verdict.order) == ("unread", None)
    assert verdict.problem is not None
    assert "Write PHASE F1M, and below it a line for each unit" in verdict.problem


def test_an_order_for_a_later_turn_leaves_the_unit_to_hold_now() -> None:
    assert told("all hold\nPHASE F1M\nMohawk - Delaware") == [*ALL, "taken W MHK - DEL"]


@pytest.mark.parametrize("line", ["all hold?", "(all hold?)"])
def test_a_question_is_asked_back(line: str) -> None:
    found = verdicts(line)
    assert [one.grade for one in found if one.order or one.said] in (["doubtful"], [])
    assert not any(one.in_force for one in found)


@pytest.mark.parametrize(
    "line", ["hold", "I hope all hold the line together", "all of you hold out so well", "all", "the rest"]
)
def test_talk_of_all_is_talk(line: str) -> None:
    assert verdicts(line) == ()


def test_where_nothing_can_hold_it_is_talk() -> None:
    assert reading("all hold", BOOK).orders == ()


def test_each_holds_by_an_order_of_the_game() -> None:
    assert verdicts("all hold")[0].order == Read(form="hold", slots={"unit": "10"})
