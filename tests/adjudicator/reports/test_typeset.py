"""Plain text keeps to its columns."""

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.reports import render
from games.protocol import ReportLine, ReportTable

TEXT = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=400)
CELLS = st.lists(st.text("abc -+0123456789", max_size=60), min_size=3, max_size=3)


@given(TEXT)
def test_no_paragraph_is_wider_than_72_columns(text):
    assert all(len(row) <= 72 for row in render.paragraph(text, "From you:  ").split("\n"))


@given(TEXT, st.booleans())
def test_every_row_of_a_told_line_stands_behind_a_bar(text, failed):
    rows = render.report_sentence(ReportLine(heading="Elm", text=text, failed=failed)).split("\n")
    assert all(row.startswith("|") and len(row) <= 72 for row in rows)


@given(st.lists(CELLS, max_size=4))
def test_no_table_is_wider_than_72_columns(rows):
    table = ReportTable(title="", columns=("Nation", "Place", "Fruit"), rows=tuple(map(tuple, rows)))
    assert all(len(row) <= 72 for row in render.table(table).split("\n"))


def test_an_order_that_failed_bears_a_cross_and_its_sentence_is_whole():
    """The rows of a sentence are together."""
    line = ReportLine(heading="Elm", text="W MHK - DEL: bounced, stood off by W SIS.", failed=True)
    assert render.report_sentence(line) == "| x W MHK - DEL: bounced, stood off by W SIS."
    rows = render.report_sentence(ReportLine(heading="Elm", text="word " * 30, failed=True)).split("\n")
    assert len(rows) > 2
    assert rows[0].startswith("| x word")
    assert all(row.startswith("|   word") for row in rows[1:])


def test_a_row_of_short_names_is_broken_between_them():
    cell = ", ".join(["A BUD", "F SPA/SC", "A VIE"] * 5)
    table = ReportTable(title="", columns=("Nation", "Units"), rows=(("France", cell),))
    rows = render.table(table).split("\n")[2:]
    assert len(rows) > 1
    assert all(row.endswith((",", "A VIE")) for row in rows)
    assert "\N{NO-BREAK SPACE}" not in "".join(rows)


def test_a_stop_inside_a_word_does_not_end_an_order():
    assert render.order_length("W St.Louis - 4.5: moved") == len("W St.Louis - 4.5")


def test_numbers_stand_to_the_right_and_words_to_the_left():
    table = ReportTable(title="", columns=("Nation", "+/-"), rows=(("Elm", "+11"), ("Ash", "-2")))
    assert render.table(table, indent="") == "Nation  +/-\n------  ---\nElm     +11\nAsh      -2"


def test_a_long_cell_goes_on_in_further_rows():
    table = ReportTable(title="", columns=("Nation", "Where"), rows=(("Elm", "MHK DEL " * 12),))
    rows = render.table(table, indent="").split("\n")
    assert rows[2].startswith("Elm     MHK")
    assert rows[3].startswith("        MHK")


def test_a_table_without_rows_has_its_titles():
    assert render.table(ReportTable(title="", columns=("A", "B"), rows=()), indent="") == "A  B\n-  -"


def test_a_table_without_titles_and_one_of_what_is_due_have_no_head():
    rows = (("Bag", "3 coins"), ("Hand", "none"))
    plain = "Bag   3 coins\nHand  none"
    assert render.table(ReportTable(title="", columns=("", ""), rows=rows), indent="") == plain
    due = ReportTable(title="", columns=("What", "How"), rows=rows, about="due")
    assert render.table(due, indent="") == plain
    own = ReportTable(title="", columns=("What", "How"), rows=rows, about="own")
    assert render.table(own, indent="").startswith("What  How\n----  -------\n")


def test_prose_is_set_anew_and_rows_are_kept():
    assert render.letter_text("one\ntwo\n\n  x   y\n  z") == "one two\n\n  x   y\n  z"


def test_a_kept_row_that_is_too_long_is_broken_behind_its_bar():
    rows = render.letter_text("| " + "word " * 30).split("\n")
    assert len(rows) > 1
    assert all(row.startswith("| ") and len(row) <= 72 for row in rows)


def test_orders_are_told_together_by_what_the_events_say_and_not_by_how_a_sentence_reads():
    """A sentence that only looks like a carried-out order keeps its own row."""
    held = [
        ReportLine(
            heading="x", text=f"A {at}: it stayed.", routine=True, done=f"A {at}", outcome="held", held=True
        )
        for at in ("WAR", "RUM")
    ]
    moved = [
        ReportLine(heading="x", text=f"{order}!", routine=True, done=order, outcome="moved")
        for order in ("A VIE - TRI", "F GRE - AEG")
    ]
    alike = [ReportLine(heading="x", text=f"A {at} H: held.", routine=True) for at in ("PAR", "MAR")]
    told = [line.text for line in render.routine_together([*held, *alike, *moved])]
    assert told == [
        "Held: A WAR, A RUM.",
        "A PAR H: held.",
        "A MAR H: held.",
        "Moved: A VIE - TRI, F GRE - AEG.",
    ]
    own = [line.text for line in render.routine_together([*held, *moved], own=True)]
    assert own == ["Held: A WAR, A RUM.", "A VIE - TRI!", "F GRE - AEG!"]
    assert render.held_units(held) == ("A WAR", "A RUM")
    assert render.held_units([*held, *alike]) == ()
