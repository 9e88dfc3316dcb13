"""Forms: a span is matched as a whole, as it is spelt, otherwise with the fewest repairs."""

import pytest

from games.protocol import Form, Invalid, LexiconEntry
from orders.reading.forms import Grammar, compile_forms, match_text, ways
from orders.reading.lexicon import NameIndex
from orders.reading.lexicon import index_lexicon as names_of
from orders.words import words
from tests.orders.plain import FORMS, LEXICON

GRAMMAR, NAMES = compile_forms(FORMS), names_of(LEXICON)


def meanings(text):
    return [(one.form.name, one.slots) for one in match_text(text, GRAMMAR, NAMES)]


MOVE = ("move", {"unit": "54", "to": "55"})


@pytest.mark.parametrize(
    "text",
    [
        "W 54-55",
        "54 - 55",
        "SNT-MEN",
        "w snt - men",
        "WP Santee to Menominee",
        "war party Santee moves to Menominee",
        "A Santee → Menominee",
        "Santee m Menominee",
    ],
)
def test_a_move_in_many_manners(text):
    assert meanings(text) == [MOVE]


def test_supports_of_both_kinds():
    assert meanings("SNT S SIS-WAH") == [("support-move", {"unit": "54", "other": "52", "to": "53"})]
    assert meanings("SNT S W SIS") == [("support-hold", {"unit": "54", "other": "52"})]
    assert meanings("Santee supports Sisseton hold") == [("support-hold", {"unit": "54", "other": "52"})]


def test_a_form_matches_the_whole_stretch_or_nothing():
    for text in ("SNT - MEN and more", "so SNT - MEN", "SNT -", "- MEN", "", "SNT MEN"):
        assert meanings(text) == []


def test_hyphened_names_do_not_disturb_the_dash():
    assert meanings("Caribou-Eaters-Cree") == [("move", {"unit": "4", "to": "3"})]
    assert GRAMMAR.match(words("Plains - Cree"), NAMES) == []


def test_letters_are_names_only_where_a_name_fits():
    assert meanings("a - b") == [("move", {"unit": "a", "to": "b"})]
    assert meanings("A Mohawk - Delaware") == [("move", {"unit": "10", "to": "61"})]
    assert meanings("d b") == [("disband", {"unit": "b"})]


def test_repairs_are_named():
    (one,) = match_text("Mohok suports W Oneida", GRAMMAR, NAMES)
    assert one.form.name == "support-hold"
    assert [(repair.typed, repair.taken) for repair in one.repairs] == [
        ("Mohok", "Mohawk"),
        ("suports", "supports"),
    ]


def test_every_meaning_of_an_unclear_name_is_returned():
    assert [slots["unit"] for _, slots in meanings("Chip - Cree")] == ["2", "18"]


def test_an_unfinished_order_is_known():
    assert GRAMMAR.begins(words("W Oneida S W Mohawk -"), NAMES)
    assert not GRAMMAR.begins(words("Oneida and"), NAMES)


def test_choices_with_places_in_them():
    form = Form(name="trade", pattern="trade {what:good} [for {price:good}] (now|)", example="trade corn")
    goods = (
        LexiconEntry(sort="good", id="c", names=("corn",)),
        LexiconEntry(sort="good", id="f", names=("fur",)),
    )
    grammar, names = Grammar((form,)), NameIndex(goods)
    assert [one.slots for one in match_text("trade corn", grammar, names)] == [{"what": "c"}]
    assert [one.slots for one in match_text("trade corn for fur now", grammar, names)] == [
        {"what": "c", "price": "f"}
    ]


def test_a_name_of_another_sort_does_not_fit():
    form = Form(name="paint", pattern="paint {what:colour}", example="paint red")
    terms = (
        LexiconEntry(sort="colour", id="r", names=("red",)),
        LexiconEntry(sort="province", id="1", names=("Rhode",)),
    )
    assert match_text("paint Rhode", Grammar((form,)), NameIndex(terms)) == []


@pytest.mark.parametrize("pattern", ["(a|b", "a]", "[a)", "{unit}", "a (b {c:d)"])
def test_a_bad_pattern_is_named(pattern):
    with pytest.raises(Invalid, match="form"):
        ways(pattern)


def test_a_long_stretch_is_no_order():
    assert meanings("W " * 100 + "MHK H") == []


def test_an_order_may_have_a_hundred_words_and_signs():
    """Like a row of ten cards with their targets; it is read as spelt."""
    form = Form(name="row", pattern=" + ".join(f"{{n{number}:province}}" for number in range(25)), example="")
    line = " + ".join(["Mohawk"] * 25)
    (found,) = match_text(line, compile_forms((form,)), names_of(LEXICON))
    assert len(found.slots) == 25
