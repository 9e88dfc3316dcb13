"""The layout on a phone: when a table is folded, and what is never split."""

import pytest
from markupsafe import Markup

from adjudicator.reports.render import folds, is_short, rows_whole, whole
from games.protocol import ReportTable

LEADERS = ReportTable(
    title="Leaders",
    columns=("Code", "Leader", "At", "SP", "of", "Command", "Move", ""),
    rows=(("JOU", "Joubert", "EST", "4", "6", "1", "2", "C-in-C"),),
)
STANDINGS = ReportTable(
    title="Standings",
    columns=("Nation", "Supply centres", "+/-", "Units", "+/-"),
    rows=(("Constantinople", "3", "+1", "2", ""), ("neutral", "1", "", "0", "")),
)


def test_a_table_folds_that_has_too_many_columns_for_a_phone():
    assert folds(LEADERS)
    assert not folds(STANDINGS)


def test_a_table_folds_that_has_too_long_words_for_a_phone():
    """Many short words go on in further rows; a long one needs its room, and so does a title."""
    for cell, wide in (("Bloemfontein " * 9, False), ("x" * 40, True)):
        assert folds(ReportTable(title="", columns=("What", "Where"), rows=(("camp", cell),))) is wide
    assert folds(ReportTable(title="", columns=("What", "REORGANIZATIONS", "REINFORCEMENTS"), rows=()))


def test_tables_with_the_same_columns_fold_together():
    """The row of either side looks alike, however long the names in it are."""
    mine = ReportTable(title="yours", columns=STANDINGS.columns, rows=(("x" * 15, "3", "", "2", ""),))
    assert folds(mine)
    assert folds(STANDINGS, (mine,))
    assert not folds(STANDINGS, (LEADERS,))


@pytest.mark.parametrize("order", [(str, Markup), (Markup, str)])
def test_html_stays_html_and_text_becomes_it_whichever_came_first(order):
    said = f"<b>{order[0].__name__}</b>"
    told = {kind: whole(kind(said)) for kind in order}
    assert told == {str: said.replace("<", "&lt;").replace(">", "&gt;"), Markup: said}


def test_no_code_is_parted():
    kept = '<span style="white-space: nowrap">{}</span>'
    for code in ("R-JK2", "KIM-VRY", "C-in-C", "SHA-256"):
        assert whole(f"<{code}>, x") == f"&lt;{kept.format(code)}&gt;, x"
    for text in ("stand-offs", "St-Petersburg", "F CON - BUL", "887852b458665-e1b3e01444", "-12"):
        assert whole(text) == text


@pytest.mark.parametrize(
    ("cell", "short"), [("1 Orange", True), ("face-up", True), ("7", False), ("2 Brown and 1", False)]
)
def test_a_short_cell_stays_in_one_row(cell, short):
    assert is_short(cell) is short


def test_columns_of_a_kept_row_close_up_only_where_one_is_too_long():
    short = ("| MAP       the map", "|   indented", "a deadline that is told in a row with no columns")
    assert rows_whole(short) == short
    gap = '<span class="gap">{}</span>'
    assert rows_whole(("| MAP     the map as it is now, & more", "|   WAIT  <no>")) == (
        f"| MAP{gap.format('     ')}the map as it is now, &amp; more",
        f"|   WAIT{gap.format('  ')}&lt;no&gt;",
    )
