"""The lines of whole emails: accepted, corrected, asked back, or ignored."""

import pytest

from games.protocol import LexiconEntry
from games.record import replace_fields
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines
from tests.orders.plain import BOOK, LEXICON, only, reading, told, write


def test_the_evening_letter():
    """The email that illustrates the design: a near miss and a support on one line."""
    first, second = reading("Mohok - Delaware, Oneida S Mohawk to Delaware").orders
    assert (first.line, first.grade, first.said) == ("Mohok - Delaware", "corrected", "W MHK - DEL")
    assert first.problem == 'we read "Mohok" as Mohawk'
    assert (second.line, second.grade, second.said) == (
        "Oneida S Mohawk to Delaware",
        "taken",
        "W ONE S W MHK - DEL",
    )
    assert second.problem is None


def test_what_is_written_is_read_back_for_every_form_and_name():
    """Law 4 of the protocol, over all names."""
    for one in LEXICON:
        for text in (f"W {one.names[1]} - DEL", f"W MHK S W {one.names[1]} - DEL", f"W {one.names[1]} H"):
            verdict = only(text)
            assert (verdict.grade, verdict.said) == ("taken", text)
            assert write(verdict.order) == text


@pytest.mark.parametrize(
    "line",
    [
        "W Mohawk - Delaware",
        "1. Mohawk - Delaware",
        "10) 10-61",
        "* Mohawk → Delaware",
        "*W Mohawk - Delaware*",
        "Iroquois: W Mohawk - Delaware",
        "please Mohawk - Delaware",
        "Mohawk - Delaware, thanks!",
        "Mohawk - Delaware.",
        "W10 - 61",
        "Mohawk - Delaware  # as last time",
        "write:  W MHK - DEL",
        "✓ understood as W MHK - DEL",
        "| – W Mohawk: W MHK - DEL  (kept from before)",
        "Final: Mohawk - Delaware",
        "Mohawk - Delaware - at last",
    ],
)
def test_an_order_in_the_manner_of_people_is_taken(line):
    verdict = only(line)
    assert (verdict.grade, verdict.said, verdict.line) == ("taken", "W MHK - DEL", line)


@pytest.mark.parametrize(
    "line",
    [
        "Hello all,",
        "maybe Huron -> Ottawa, and I support you into Erie next year",
        "I think Mohawk should go to Delaware and Oneida hold",
        "Thanks for the support to Mohawk!",
        "If you leave Erie I will leave Huron",
        "Mohawk",
        "Iroquois",
        "Iroquois:",
        "Orders for Iroquois",
        "Orders for the Iroquois:",
        "My orders:",
        "# Mohawk - Delaware",
        "Good luck, see you in Ottawa",
        "hold",
        "Erie and Huron",
        "",
        "----",
        "I'll hold at Oneida",
    ],
)
def test_talk_and_headings_are_left_alone(line):
    assert reading(line).orders == ()
    assert reading(line).commands == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Mohawk - Delaware?", "W MHK - DEL"),
        ("Mohawk - Delaware (if Dakota agrees)", "W MHK - DEL"),
        ("We move Mohawk to Delaware", "W MHK - DEL"),
        ("Mohawk - Delaware, as agreed", "W MHK - DEL"),
        ("I hold", "W CHB H"),
        ("I support Mohawk", "W CHB S W MHK"),
        ("Mohawk: hold", "W MHK H"),
        ("Mohawk: Delaware", "W MHK - DEL"),
        ("Kan H", "W MHK H"),
    ],
)
def test_what_may_be_meant_otherwise_is_asked_back(line, said):
    verdict = only(line)
    assert (verdict.grade, verdict.said, verdict.instead) == ("doubtful", said, said)
    assert verdict.problem
    assert not verdict.in_force


@pytest.mark.parametrize(
    ("line", "problem", "instead"),
    [
        ("W Mohawk - Nowhereland", "no province is called Nowhereland", None),
        ("W Foo - Bar", "no province is called Foo", None),
        ("Oneida S Xyzzy - Delaware", "no province is called Xyzzy", None),
        ("Mohawk -> Delaware -> Huron", "this isn't an order", "W MHK - DEL"),
        ("mohawk delaware", "this isn't an order", "W MHK - DEL"),
        ("Oneida S", "the line is incomplete", "W ONE S W MHK - DEL"),
        ("W Mohawk attack Delaware", "no province is called attack", "W MHK - DEL"),
        ("Cancel Mohawk - Delaware", "no province is called Cancel", "W MHK - DEL"),
    ],
)
def test_what_looks_like_an_order_is_answered(line, problem, instead):
    verdict = only(line)
    assert (verdict.grade, verdict.order, verdict.problem) == ("unread", None, problem)
    assert verdict.instead == instead


@pytest.mark.parametrize(
    ("label", "problem"),
    [
        ("Dakota", "it begins with Dakota, which isn't your seat"),
        ("East", 'we don\'t know what "East:" means before the order'),
        ("Instead of", 'before the order, "Instead" may cancel it'),
        ("Last turn", 'before the order, "Last turn" may be about another turn'),
    ],
)
def test_a_label_is_asked_back_and_is_a_seat_only_where_there_is_one(label, problem):
    for verdict in reading(f"{label}: W Mohawk - Delaware, Oneida H").orders:
        assert (verdict.grade, verdict.problem) == ("doubtful", problem)
    verdict = only(f"{label}: W Mohawk - Delaware")
    assert (verdict.grade, verdict.said, verdict.problem) == ("doubtful", "W MHK - DEL", problem)


def test_what_could_be_written_now_is_shown_where_it_is_known():
    """Orders of the form that the line resembles; nothing if no such order is possible."""
    book = replace_fields(
        BOOK, examples=lambda: {"support": "W SEN S W ERI", "support-hold": "W SEN S W ERI"}
    )
    (verdict,) = read_lines([FreshLine(text="Mohawk supports")], book).orders
    assert verdict.instead == "W SEN S W ERI"
    (verdict,) = read_lines([FreshLine(text="Mohawk supports")], replace_fields(book, examples=dict)).orders
    assert verdict.instead is None


def test_an_unclear_name_offers_its_meanings():
    verdict = only("W Chip - Cree")
    assert (verdict.grade, verdict.problem) == ("ambiguous", '"Chip" may be Chipewyan or Chippewa')
    assert verdict.candidates == ("W CWY - CRE", "W CHP - CRE")


def test_several_orders_on_a_line():
    assert told("MHK - DEL; ONE S MHK - DEL, SEN H") == [
        "taken W MHK - DEL",
        "taken W ONE S W MHK - DEL",
        "taken W SEN H",
    ]
    assert told("Mohawk - Delaware and Oneida S Mohawk - Delaware; Seneca H") == [
        "taken W MHK - DEL",
        "taken W ONE S W MHK - DEL",
        "taken W SEN H",
    ]
    assert told("Sauk and Fox - Iowa") == ["taken W SFX - IOW"]
    assert told("MHK - DEL, ONE S Xyzzy - DEL") == ["taken W MHK - DEL", "unread None"]
    assert told("I think Crow - Blood, Oneida - Huron") == []


def test_an_order_over_two_lines_is_one():
    assert told("W Plains Cree S W Assiniboine -\nHidatsa") == ["taken W PCR S W ASN - HID"]
    assert told("W Oneida S W Mohawk\n- Seneca H") == ["taken W ONE S W MHK", "taken W SEN H"]


def test_an_order_in_running_prose_is_asked_back():
    above = "I would suggest a long paragraph in which I tell you that I will move"
    assert told(f"{above}\nMohawk - Delaware") == ["doubtful W MHK - DEL"]
    assert told(f"{above}:\nMohawk - Delaware") == ["taken W MHK - DEL"]
    lines = (FreshLine(text=above), FreshLine(text="Mohawk - Delaware", after_gap=True))
    assert [verdict.grade for verdict in read_lines(lines, BOOK).orders] == ["taken"]


def test_an_order_below_half_a_sentence_is_asked_back():
    assert told("If Dakota attacks Erie\nOneida - Huron") == ["doubtful W ONE - HUR"]
    assert told("If Dakota attacks Erie\nthen Oneida - Huron") == ["doubtful W ONE - HUR"]
    assert told("Unless you object,\nOneida - Huron") == ["doubtful W ONE - HUR"]


def test_the_last_order_for_a_unit_counts():
    verdicts = reading("Mohawk - Delaware\nMohawk H\nMohawk - Huron?").orders
    assert [(one.said, one.superseded, one.in_force) for one in verdicts] == [
        ("W MHK - DEL", True, False),
        ("W MHK H", False, True),
        ("W MHK - HUR", False, False),
    ]


def test_orders_without_a_slot_replace_nothing():
    assert [verdict.superseded for verdict in reading("waive\nwaive").orders] == [False, False]


@pytest.mark.parametrize("stop", ["quit", "STOP", "end of orders", "End of orders."])
def test_reading_stops_where_told(stop):
    found = reading(f"Oneida H\n{stop}\nMohawk H")
    assert [verdict.said for verdict in found.orders] == ["W ONE H"]
    assert found.lines == ("Oneida H", stop)


def test_a_game_without_conditions_and_later_turns_takes_nothing_under_them():
    conditional = reading("IF W Huron\nTHEN W Oneida - Huron\nELSE\nW Oneida H\nENDIF\nW Seneca H").orders
    assert [one.said for one in conditional if one.in_force] == ["W SEN H"]
    assert all("condition" in one.problem for one in conditional[:-1])
    assert told("if Dakota attacks, Oneida - Huron") == ["unread None"]
    assert told("IF W Huron THEN W Oneida H ENDIF\nW Seneca H") == [
        "unread None",
        "doubtful W ONE H",
        "taken W SEN H",
    ]
    later = reading("W Seneca H\nPHASE F1M\nW Oneida - Huron").orders
    assert [one.grade for one in later] == ["taken", "unread", "doubtful"]
    assert "later turns" in later[1].problem


def test_a_subject_counts_only_as_it_is_spelt():
    subject = FreshLine(text="Mohawk - Delaware", source="subject")
    assert [(one.source, one.grade) for one in read_lines((subject,), BOOK).orders] == [("subject", "taken")]
    talk = replace_fields(subject, text="W Mohawk attack Delaware")
    assert read_lines((talk,), BOOK).orders == ()
    assert read_lines((talk,), BOOK).lines == ()


def test_a_subject_that_says_orders_is_their_title():
    subject = FreshLine(text="orders", source="subject")
    assert read_lines((subject, FreshLine(text="Mohawk H")), BOOK).commands == ()
    assert [command.verb for command in read_lines((subject,), BOOK).commands] == ["ORDERS"]
    body = (FreshLine(text="orders"), FreshLine(text="Mohawk H"))
    assert [command.verb for command in read_lines(body, BOOK).commands] == ["ORDERS"]


def test_the_source_of_a_line_goes_with_its_verdict():
    line = FreshLine(text="MHK - DEL", source="sheet")
    assert [one.source for one in read_lines((line,), BOOK).orders] == ["sheet"]


def test_without_forms_and_names_nothing_is_an_order():
    empty = type(BOOK)(
        commands=BOOK.commands, forms=(), conditions=(), lexicon=(), build=BOOK.build, write=BOOK.write
    )
    found = reading("W Mohawk - Delaware\nhelp", empty)
    assert found.orders == ()
    assert [command.verb for command in found.commands] == ["HELP"]


@pytest.mark.parametrize(
    "lead",
    [
        "My orders: ",
        "My orders are: ",
        "my orders for this turn are: ",
        "Here are our orders for spring: ",
        "Orders for Iroquois, Spring 1: ",
        "Please find below my final orders: ",
        "My moves for S1M are ",
    ],
)
def test_what_announces_orders_on_their_line_is_passed_over(lead):
    assert told(f"{lead}Mohawk - Delaware, Oneida H. See you!") == ["taken W MHK - DEL", "taken W ONE H"]


@pytest.mark.parametrize(
    "lead", ["His orders are: ", "Your orders should be: ", "My orders last year were: ", "Not my orders: "]
)
def test_what_announces_other_orders_is_not(lead):
    assert not any(one.in_force for one in reading(f"{lead}Mohawk - Delaware, Oneida H").orders)


@pytest.mark.parametrize("tail", ["Thanks!", "Good luck, all.", "Cheers and best wishes", "see you tomorrow"])
def test_courtesy_beside_an_order_changes_nothing(tail):
    assert told(f"Mohawk - Delaware. {tail}") == ["taken W MHK - DEL"]


@pytest.mark.parametrize("tail", ["Unless you object.", "If that is fine", "as agreed", "no wait"])
def test_anything_else_beside_it_may(tail):
    assert not any(one.in_force for one in reading(f"Mohawk - Delaware, {tail}").orders)


def test_orders_with_nothing_between_them_are_told_apart():
    assert told("10-61 11 s 10-61 14 h") == [
        "taken W MHK - DEL",
        "taken W ONE S W MHK - DEL",
        "taken W SEN H",
    ]
    assert told("W Mohawk - Delaware W Seneca H") == ["taken W MHK - DEL", "taken W SEN H"]
    assert told("Mohawk - Delaware Mohawk") == ["unread None"]


def test_a_name_for_what_was_left_out_is_offered():
    assert only("seneca erie").instead == "W SEN - ERI"


def test_what_the_game_doubts_is_asked_back():
    book = replace_fields(BOOK, doubt=lambda form, slots: "it is not yours" if form == "hold" else None)
    verdict = reading("Mohawk H\nSeneca - Erie", book).orders[0]
    assert (verdict.grade, verdict.said, verdict.problem) == ("doubtful", "W MHK H", "it is not yours")
    assert reading("Seneca - Erie", book).orders[0].grade == "taken"


def test_orders_behind_somebody_elses_name_are_asked_back():
    line = "Dakota suggested: Mohawk - Delaware, Oneida H"
    assert not any(one.in_force for one in reading(line).orders)
    assert told("Iroquois: Mohawk - Delaware, Oneida H") == ["taken W MHK - DEL", "taken W ONE H"]


def test_an_abbreviation_ends_no_sentence():
    assert not any("MHK - DEL" in one for one in told("Oneida suport. Mohawk - Delaware") if "taken" in one)


@pytest.mark.parametrize(
    "line",
    [
        "Mohawk - Delaware unless Dakota goes there",
        "Probably Mohawk - Delaware",
        "Mohawk - Delaware for sure",
    ],
)
def test_an_order_with_words_around_it_is_asked_back(line):
    assert told(line) == ["doubtful W MHK - DEL"]


@pytest.mark.parametrize(
    "heading",
    [
        "Here are my orders, unless Dakota attacks Erie:",
        "If he agrees:",
        "Option 1:",
        "Plan B",
        "Your orders:",
        "What I suggest to him, in his words:",
        "Last turn I had:",
        "DRAFT - do not process yet",
        "This is a test, please ignore.",
    ],
)
def test_orders_below_an_idea_are_asked_back_till_a_gap_comes(heading):
    lines = [
        FreshLine(text=heading, after_gap=True),
        FreshLine(text="Mohawk - Delaware", after_gap=True),
        FreshLine(text="Oneida H"),
        FreshLine(text="Seneca H", after_gap=True),
    ]
    found = read_lines(lines, BOOK).orders
    assert [one.grade for one in found] == ["doubtful", "doubtful", "taken"]
    assert found[0].problem == f"it is below this line: {heading}"


@pytest.mark.parametrize(
    "heading",
    [
        "My orders:",
        "These are my final orders for your files:",
        "Hello all, if you read this I made it home.",
        "Plan your trip well",
        "Iroquois:",
        "I would like to do this:",
    ],
)
def test_an_announcement_of_ones_own_is_none(heading):
    assert told(f"{heading}\nMohawk - Delaware\nOneida H") == ["taken W MHK - DEL", "taken W ONE H"]


def test_below_another_nations_name_orders_are_asked_back():
    nations = (*LEXICON, LexiconEntry(sort="nation", id="Dakota", names=("Dakota",)))
    book = replace_fields(BOOK, lexicon=nations)
    found = reading("Orders for the Dakota:\nMohawk - Delaware\nIroquois:\nOneida H", book).orders
    assert [one.grade for one in found] == ["doubtful", "taken"]


@pytest.mark.parametrize(
    "line",
    [
        "[x] Mohawk - Delaware",
        "#1 Mohawk - Delaware",
        "Order 2: Mohawk - Delaware",
        "Mohawk - Delaware this turn",
    ],
)
def test_marks_before_and_behind_an_order_are_no_part_of_it(line):
    assert told(line) == ["taken W MHK - DEL"]


@pytest.mark.parametrize("line", ["cancel my orders", "CLEAR", "Withdraw all orders", "cancel all"])
def test_all_orders_are_taken_back_in_many_words(line):
    assert [one.verb for one in reading(line).commands] == ["CLEAR"]


def test_numbers_and_letters_may_be_glued_together():
    assert told("10H, 14H") == ["taken W MHK H", "taken W SEN H"]
    assert told("W10-61\n11S10-61") == ["taken W MHK - DEL", "taken W ONE S W MHK - DEL"]
    assert told("on the 10th we meet") == []


def test_a_lone_letter_is_no_slip_in_a_name():
    assert not any(one.in_force for one in reading("W Mohawk C - Delaware").orders)
    assert only("W Mo hawk - Delaware").said == "W MHK - DEL"
