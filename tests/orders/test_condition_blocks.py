"""IF, PHASE and STOP in a letter: what hangs on what, in the Judge's forms and in those of people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import Condition, Form, LexiconEntry, Turn
from games.record import canonical, load, replace_fields
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines
from orders.reading.structure import find_past_turn
from orders.verdict import LineVerdict
from tests.orders.plain import ABBREVIATIONS, BOOK, LEXICON

CONDITIONS = (
    Form(name="unit-at", pattern="(w|wp|war party) {place:province}", example="W MHK"),
    Form(name="unit-of-at", pattern="{nation:nation} [w|wp] {place:province}", example="Dakota W SNT"),
)
NATIONS = (
    LexiconEntry(sort="nation", id="Dakota", names=("Dakota",)),
    LexiconEntry(sort="nation", id="Cree and Cousins", names=("Cree and Cousins",)),
)
TURNS = tuple(
    Turn(name=f"{season}, year {year}, {kind}", short=f"{season[0]}{year}{kind[0].upper()}", kind=kind)
    for year in range(1, 7)
    for season, kind in (("Spring", "moves"), ("Spring", "retreats"), ("Fall", "moves"), ("Winter", "builds"))
)


def phrase(condition: Condition) -> str:
    """The canonical text of a condition."""
    unit = f"W {ABBREVIATIONS[condition.slots['place']]}"
    return f"{condition.slots['nation']} {unit}" if "nation" in condition.slots else unit


JUDGE = replace_fields(
    BOOK,
    conditions=CONDITIONS,
    lexicon=(*LEXICON, *NATIONS),
    turns=lambda: TURNS,
    phrase=phrase,
)


def verdicts(text: str) -> tuple[LineVerdict, ...]:
    """Return the results of an email's lines; an empty line makes a gap."""
    lines, gap = [], True
    for line in text.strip("\n").split("\n"):
        if line.strip():
            lines.append(FreshLine(text=line, after_gap=gap))
        gap = not line.strip()
    return read_lines(tuple(lines), JUDGE).orders


def told(text: str) -> list[str]:
    """Grade, condition and order of each line: ``taken [IF W HUR] W ONE H``."""
    return [
        " ".join(filter(None, (one.grade, one.when and f"[{one.when.text}]", one.said)))
        for one in verdicts(text)
    ]


JUDGES_FORMS = {
    "then": ("IF W Huron THEN\nW Oneida H\nENDIF", ["taken [IF W HUR] W ONE H"]),
    "then may be left out": ("if w huron\nW Oneida H\nendif", ["taken [IF W HUR] W ONE H"]),
    "else": (
        "if w huron then\nw oneida h\nelse\nw oneida - huron\nendif",
        ["taken [IF W HUR] W ONE H", "taken [ELSE] W ONE - HUR"],
    ),
    "else if": (
        "if w huron then\nw one h\nelse if w ottawa then\nw one - hur\nelse\nw one - ott\nendif\nw sen h",
        [
            "taken [IF W HUR] W ONE H",
            "taken [ELSE IF W OTT] W ONE - HUR",
            "taken [ELSE] W ONE - OTT",
            "taken W SEN H",
        ],
    ),
    "not": ("if not w huron then\nw one h\nendif", ["taken [IF NOT W HUR] W ONE H"]),
    "a power's": ("if dakota w huron then\nw one h\nendif", ["taken [IF Dakota W HUR] W ONE H"]),
    "and, or from left to right": (
        "if w huron or w ottawa and not w erie then\nw one h\nendif",
        ["taken [IF (W HUR OR W OTT) AND NOT W ERI] W ONE H"],
    ),
    "brackets": (
        "if w huron or (w ottawa and not (w erie or w miami)) then\nw one h\nendif",
        ["taken [IF W HUR OR (W OTT AND NOT (W ERI OR W MIA))] W ONE H"],
    ),
    "several orders": (
        "if w huron then\nw one h, w sen h\nw mhk h\nendif",
        ["taken [IF W HUR] W ONE H", "taken [IF W HUR] W SEN H", "taken [IF W HUR] W MHK H"],
    ),
    "nested": (
        "if w huron then\nif w erie then\nw one h\nelse\nw one - huron\nendif\nw sen h\nendif\nw mhk h",
        [
            "taken [IF W HUR IF W ERI] W ONE H",
            "taken [IF W HUR ELSE] W ONE - HUR",
            "taken [IF W HUR] W SEN H",
            "taken W MHK H",
        ],
    ),
    "phase": ("PHASE FALL 1 MOVEMENT\nw one h", ["taken [PHASE F1M] W ONE H"]),
    "phase in short": ("phase f1m\nw one h", ["taken [PHASE F1M] W ONE H"]),
    "phase, retreats of the summer": (
        "phase summer 2 retreat\nw one - hur",
        ["taken [PHASE S2R] W ONE - HUR"],
    ),
    "phase, adjustments": ("Phase winter 1 adjustment\nremove one", ["taken [PHASE W1B] D W ONE"]),
    "phase after phase": (
        "w one h\nphase f1m\nw one - hur\nphase s2m\nw one - ott",
        ["taken W ONE H", "taken [PHASE F1M] W ONE - HUR", "taken [PHASE S2M] W ONE - OTT"],
    ),
    "if in a phase": (
        "phase f1m\nif not w huron then\nw one - hur\nelse\nw one h\nendif\nw sen h",
        [
            "taken [PHASE F1M IF NOT W HUR] W ONE - HUR",
            "taken [PHASE F1M ELSE] W ONE H",
            "taken [PHASE F1M] W SEN H",
        ],
    ),
}


@pytest.mark.parametrize("name", JUDGES_FORMS)
def test_each_of_the_judges_forms_is_read(name: str) -> None:
    text, expected = JUDGES_FORMS[name]
    assert told(text) == expected


PEOPLES_FORMS = {
    "all on one line": (
        "IF W Huron THEN W Oneida H ENDIF\nSeneca H",
        ["taken [IF W HUR] W ONE H", "taken W SEN H"],
    ),
    "both ways on one line": (
        "if W Huron then W Oneida H else W Oneida - Huron endif; ",
        ["taken [IF W HUR] W ONE H", "taken [ELSE] W ONE - HUR"],
    ),
    "one line, no end": ("If W Huron then Oneida H\nSeneca H", ["taken [IF W HUR] W ONE H", "taken W SEN H"]),
    "one line a branch": (
        "If W Huron then Oneida H\nelse if W Erie then Oneida - Erie\nelse Oneida - Huron\nSeneca H",
        [
            "taken [IF W HUR] W ONE H",
            "taken [ELSE IF W ERI] W ONE - ERI",
            "taken [ELSE] W ONE - HUR",
            "taken W SEN H",
        ],
    ),
    "a comma": ("if W Huron, Oneida H", ["taken [IF W HUR] W ONE H"]),
    "a colon": ("If not W Huron: Oneida - Huron", ["taken [IF NOT W HUR] W ONE - HUR"]),
    "no sign at all": ("if W Huron Oneida H endif", ["taken [IF W HUR] W ONE H"]),
    "then on a line of its own": ("IF W Huron\nTHEN\nOneida H\nEND IF", ["taken [IF W HUR] W ONE H"]),
    "a long condition": (
        "IF W Huron AND\nNOT W Erie\nAND NOT W Miami THEN\nOneida H\nENDIF",
        ["taken [IF W HUR AND NOT W ERI AND NOT W MIA] W ONE H"],
    ),
    "the end behind the order": (
        "IF W Huron THEN\nOneida H ENDIF\nSeneca H",
        ["taken [IF W HUR] W ONE H", "taken W SEN H"],
    ),
    "a name with and": (
        "IF Cree and Cousins W Huron AND W Erie THEN Oneida H ENDIF",
        ["taken [IF Cree and Cousins W HUR AND W ERI] W ONE H"],
    ),
    "a phase on the order's line": (
        "PHASE F1M: Oneida H\nSeneca H",
        ["taken [PHASE F1M] W ONE H", "taken W SEN H"],
    ),
    "a phase without a colon": ("PHASE fall 1 moves W Oneida H", ["taken [PHASE F1M] W ONE H"]),
    "bullets": ("* IF W Huron THEN\n- Oneida H\n* ENDIF", ["taken [IF W HUR] W ONE H"]),
}


@pytest.mark.parametrize("name", PEOPLES_FORMS)
def test_people_write_it_otherwise(name: str) -> None:
    text, expected = PEOPLES_FORMS[name]
    assert told(text) == expected


def test_a_condition_that_is_none_is_said_and_its_orders_are_asked_back() -> None:
    found = verdicts("IF Dakota is angry THEN\nOneida H\nELSE\nOneida - Huron\nENDIF\nSeneca H")
    assert [(one.grade, one.said) for one in found] == [
        ("unread", None),
        ("doubtful", "W ONE H"),
        ("doubtful", "W ONE - HUR"),
        ("taken", "W SEN H"),
    ]
    assert found[0].problem == 'this game doesn\'t know the condition "Dakota is angry"'
    assert found[0].instead == "IF W MHK THEN"
    assert found[1].problem == "we couldn't read its condition"


def test_what_follows_an_if_without_an_end_is_asked_back_after_a_gap() -> None:
    assert told("IF W Huron THEN\n\nOneida H\nSeneca H\n\nMohawk H") == [
        "taken [IF W HUR] W ONE H",
        "taken [IF W HUR] W SEN H",
        "doubtful [IF W HUR] W MHK H",
    ]
    assert told("IF W Huron THEN\n\nOneida H\n\nSeneca H\nENDIF\nMohawk H")[1:] == [
        "taken [IF W HUR] W SEN H",
        "taken W MHK H",
    ]


def test_a_phase_that_is_no_turn_is_said_and_its_orders_are_asked_back() -> None:
    found = verdicts("PHASE F9M\nOneida H\nPHASE S2M\nSeneca H")
    assert [(one.grade, one.when and one.when.text) for one in found] == [
        ("unread", None),
        ("doubtful", None),
        ("taken", "PHASE S2M"),
    ]
    assert (
        found[0].problem
        == "F9M isn't a turn that you can send orders for. Those are the turns from S1M to W6B"
    )
    assert found[0].instead == "PHASE F1M"


@pytest.mark.parametrize(
    ("text", "short"),
    [("S2M", "S2M"), ("fall 1 moves", "F1M"), ("spring 2", "S2M"), ("Winter 2 adjustments", "W2B")],
)
def test_a_turn_that_is_over_is_known_as_such(text: str, short: str) -> None:
    """The service says that it is too late, not the reader."""
    later = replace_fields(JUDGE, turns=lambda: TURNS[8:])
    (found,) = read_lines((FreshLine(text=f"PHASE {text}: Oneida H"),), later).orders
    assert (found.grade, found.when and found.when.text) == ("taken", f"PHASE {short}")
    assert find_past_turn("F9M", TURNS) is None
    assert find_past_turn("fall", TURNS) is None


def test_an_else_without_an_if_is_said() -> None:
    found = verdicts("ELSE\nOneida H\nENDIF\nSeneca H")
    assert [(one.grade, one.said) for one in found] == [
        ("unread", None),
        ("doubtful", "W ONE H"),
        ("taken", "W SEN H"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "if you attack Huron I will hold",
        "If only W Huron were mine",
        "We could stop if you agree",
        "phase two of my plan begins",
        "The next phase will tell",
        "else we are lost",
        "then again, who knows",
        "If you leave Erie then I will leave Huron",
    ],
)
def test_talk_with_such_words_is_left_alone(text: str) -> None:
    assert told(text) == []


def test_a_condition_of_people_before_an_order_is_no_condition_of_the_game() -> None:
    (found,) = verdicts("if Dakota agrees, Oneida - Huron")
    assert (found.grade, found.said) == ("unread", None)
    assert found.instead == "IF W MHK THEN Oneida - Huron ENDIF"


def test_a_stop_is_no_order() -> None:
    (found,) = verdicts("stop if w huron or dakota w erie")
    assert (found.grade, found.said, found.stop, found.order) == (
        "taken",
        "STOP IF W HUR OR Dakota W ERI",
        True,
        None,
    )
    (wrong,) = verdicts("stop if attacked")
    assert (wrong.grade, wrong.instead) == ("unread", "STOP IF W MHK")


def test_an_order_is_replaced_where_a_later_one_always_counts() -> None:
    """Both branches of an IF are kept side by side; an order without a condition replaces them all."""
    both = verdicts("IF W Huron THEN\nOneida H\nELSE\nOneida - Huron\nENDIF")
    assert [one.superseded for one in both] == [False, False]
    after = verdicts("IF W Huron THEN Oneida H ENDIF\nOneida - Ottawa\nPHASE F1M\nOneida H")
    assert [one.superseded for one in after] == [True, False, False]
    before = verdicts("Oneida H\nIF W Huron THEN Oneida - Huron ENDIF\nIF W Huron THEN Oneida - Erie ENDIF")
    assert [one.superseded for one in before] == [False, True, False]


def test_what_is_typed_beside_a_sheet_governs_none_of_its_lines() -> None:
    lines = (
        FreshLine(text="PHASE F1M"),
        FreshLine(text="Seneca H", source="sheet", after_gap=True),
        FreshLine(text="IF W Huron THEN Oneida H ENDIF", source="sheet", after_gap=True),
        FreshLine(text="Mohawk H", after_gap=True),
    )
    found = read_lines(lines, JUDGE).orders
    assert [one.when and one.when.text for one in found] == [None, "IF W HUR", "PHASE F1M"]


CANONICAL = [
    "IF NOT (W HUR OR W OTT) THEN W ONE H ENDIF",
    "PHASE F1M: W ONE - HUR",
    "PHASE F1M: IF W HUR THEN IF NOT W ERI THEN W ONE H ENDIF ENDIF",
]


@pytest.mark.parametrize("text", CANONICAL)
def test_what_is_printed_on_one_line_is_read_back(text: str) -> None:
    """As on the order sheet."""
    (found,) = verdicts(text)
    assert found.grade == "taken"
    assert found.when.around(found.said) == text
    assert load(LineVerdict, canonical(replace_order(found))).when == found.when


def replace_order(verdict: LineVerdict) -> LineVerdict:
    """The verdict without its order, which is the game's."""
    return LineVerdict(line=verdict.line, grade=verdict.grade, when=verdict.when)


WORDS = st.sampled_from(
    [
        *(
            "IF",
            "THEN",
            "ELSE",
            "ELSE IF",
            "ENDIF",
            "AND",
            "OR",
            "NOT",
            "(",
            ")",
            "PHASE",
            "STOP IF",
            "\n",
            "\n\n",
        ),
        *("W Huron", "Dakota W Erie", "Oneida H", "W Oneida - Huron", "F1M", "fall 2 moves", ",", ":", "you"),
    ]
)


@given(st.lists(WORDS, max_size=25))
def test_no_heap_of_these_words_breaks_the_reader(heap: list[str]) -> None:
    """And all accepted conditions can be printed and read back."""
    for one in verdicts(" ".join(heap) or "x"):
        if one.grade == "taken" and one.order is not None and one.when is not None:
            assert [again.said for again in verdicts(one.when.around(one.said))] == [one.said]


def test_a_slip_in_a_condition_is_corrected_and_said_with_every_order_under_it() -> None:
    found = verdicts("IF W Hurron THEN\nOneida - Huron\nELSE\nOneida H\nENDIF\nSeneca H")
    assert [(one.grade, one.when and one.when.text, one.said) for one in found] == [
        ("corrected", "IF W HUR", "W ONE - HUR"),
        ("corrected", "ELSE", "W ONE H"),
        ("taken", None, "W SEN H"),
    ]
    assert {one.problem for one in found[:2]} == {'we read "Hurron" as Huron'}


def test_a_slip_in_one_of_several_conditions_is_corrected_too() -> None:
    assert told("IF (W Erie OR Dakotta W Ottawa) THEN Oneida H ENDIF") == [
        "corrected [IF W ERI OR Dakota W OTT] W ONE H"
    ]


def test_a_condition_that_is_guessed_at_is_asked_back() -> None:
    found = verdicts("IF W Hur THEN Oneida H ENDIF\nIF W Kan THEN Seneca H ENDIF")
    assert [one.grade for one in found] == ["taken", "doubtful"]
    assert found[1].problem == 'in its condition, we read "Kan" as Mohawk'


def test_talk_is_not_mended_into_a_condition() -> None:
    assert told("If Hurron falls, Oneida is next") == []
    assert told("if you reach Hurron then good luck") == []


def test_the_end_of_a_line_closes_its_brackets() -> None:
    assert told("IF (W Huron OR (W Erie AND W Ottawa\nOneida H\nENDIF") == [
        "taken [IF W HUR OR (W ERI AND W OTT)] W ONE H"
    ]
    assert told("IF W Huron) THEN\nOneida H\nENDIF")[0].startswith("unread")


@pytest.mark.parametrize("said", ["f 1 m", "phase Fall 1 mov", "w 1 b", "s 2 ret"])
def test_of_a_turn_the_first_letters_do(said: str) -> None:
    turn = {"f": "F1M", "p": "F1M", "w": "W1B", "s": "S2R"}[said[0]]
    order = {"F1M": "W ONE - HUR", "W1B": "D W ONE", "S2R": "W ONE - HUR"}[turn]
    assert told(f"PHASE {said.removeprefix('phase ')}\n{order}") == [f"taken [PHASE {turn}] {order}"]


@pytest.mark.parametrize(
    "heading", ["Fall 1:", "My orders for fall", "Fall, year 1", "FALL 1 MOVES", "Iroquois, Fall 1"]
)
def test_a_heading_of_a_later_turn_is_no_phase_and_its_orders_are_asked_back(heading: str) -> None:
    found = verdicts(f"Spring 1:\nOneida H\n\n{heading}\nOneida - Huron\n\nSpring 1\nSeneca H")
    assert [(one.grade, one.said) for one in found] == [
        ("taken", "W ONE H"),
        ("doubtful", "W ONE - HUR"),
        ("taken", "W SEN H"),
    ]
    assert "write PHASE F1M" in (found[1].problem or "")


def test_what_announces_orders_for_a_later_turn_on_their_line_is_asked_back() -> None:
    assert told("My orders for fall: Oneida - Huron") == ["doubtful W ONE - HUR"]
    assert told("My orders for spring: Oneida - Huron") == ["taken W ONE - HUR"]


@pytest.mark.parametrize("end", ["ENDPHASE", "end phase", "EndPhase."])
def test_what_stands_below_the_end_of_a_phase_is_for_the_present_turn(end: str) -> None:
    assert told(f"PHASE F1M\nIF W Huron THEN\nOneida H\n{end}\nSeneca H") == [
        "taken [PHASE F1M IF W HUR] W ONE H",
        "taken W SEN H",
    ]
