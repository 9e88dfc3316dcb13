"""Plain text keeps to its columns."""

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.reports import typeset
from games.protocol import Line, Table

TEXT = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=400)
CELLS = st.lists(st.text("abc -+0123456789", max_size=60), min_size=3, max_size=3)


@given(TEXT)
def test_no_paragraph_is_wider_than_72_columns(text):
    assert all(len(row) <= 72 for row in typeset.paragraph(text, "From you:  ").split("\n"))


@given(TEXT, st.booleans())
def test_every_row_of_a_told_line_stands_behind_a_bar(text, failed):
    rows = typeset.told(Line(heading="Elm", text=text, failed=failed)).split("\n")
    assert all(row.startswith("|") and len(row) <= 72 for row in rows)


@given(st.lists(CELLS, max_size=4))
def test_no_table_is_wider_than_72_columns(rows):
    table = Table(title="", columns=("Nation", "Place", "Fruit"), rows=tuple(map(tuple, rows)))
    assert all(len(row) <= 72 for row in typeset.table(table).split("\n"))


def test_the_order_that_failed_is_underlined_and_its_reason_is_not():
    line = Line(heading="Elm", text="W MHK - DEL: bounced, stood off by W SIS.", failed=True)
    assert typeset.told(line) == "| W MHK - DEL: bounced, stood off by W SIS.\n| ~~~~~~~~~~~"


def test_a_failed_sentence_without_a_stop_is_underlined_as_far_as_its_first_row():
    line = Line(heading="Elm", text="word " * 20, failed=True)
    first, under, *_ = typeset.told(line).split("\n")
    assert len(first) == len(under)


def test_a_stop_inside_a_word_does_not_end_an_order():
    assert typeset.order_length("W St.Louis - 4.5: moved") == len("W St.Louis - 4.5")


def test_numbers_stand_to_the_right_and_words_to_the_left():
    table = Table(title="", columns=("Nation", "+/-"), rows=(("Elm", "+11"), ("Ash", "-2")))
    assert typeset.table(table, indent="") == "Nation  +/-\n------  ---\nElm     +11\nAsh      -2"


def test_a_long_cell_goes_on_in_further_rows():
    table = Table(title="", columns=("Nation", "Where"), rows=(("Elm", "MHK DEL " * 12),))
    rows = typeset.table(table, indent="").split("\n")
    assert rows[2].startswith("Elm     MHK")
    assert rows[3].startswith("        MHK")


def test_a_table_without_rows_has_its_titles():
    assert typeset.table(Table(title="", columns=("A", "B"), rows=()), indent="") == "A  B\n-  -"


def test_prose_is_set_anew_and_rows_are_kept():
    assert typeset.letter_text("one\ntwo\n\n  x   y\n  z") == "one two\n\n  x   y\n  z"


def test_a_kept_row_that_is_too_long_is_broken_behind_its_bar():
    rows = typeset.letter_text("| " + "word " * 30).split("\n")
    assert len(rows) > 1
    assert all(row.startswith("| ") and len(row) <= 72 for row in rows)
