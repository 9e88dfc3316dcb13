"""Tables show their changes since the last report next to the numbers."""

from adjudicator.reports.render import CHANGE_COLUMN_TITLE, with_changes
from adjudicator.reports.report import compile_report
from games.protocol import ReportTable


def table(*rows, columns=("Nation", "Centres", "Where")):
    return ReportTable(title="Standings", columns=columns, rows=rows)


BEFORE = (table(("Elm", "3", "a b c"), ("Oak", "5", "d"), ("Ash", "2", "")),)


def test_a_column_of_numbers_is_followed_by_what_it_gained_and_lost():
    (found,) = with_changes(BEFORE, [table(("Oak", "4", "d"), ("Elm", "5", "a"), ("Ash", "2", ""))])
    assert found.columns == ("Nation", "Centres", CHANGE_COLUMN_TITLE, "Where")
    assert found.rows == (("Oak", "4", "-1", "d"), ("Elm", "5", "+2", "a"), ("Ash", "2", "", ""))


def test_nothing_stands_beside_what_did_not_change():
    after = [table(("Elm", "3", "x"), ("Oak", "5", "y"))]
    assert with_changes(BEFORE, after) == tuple(after)


def test_a_row_that_is_new_has_gained_nothing():
    (found,) = with_changes(BEFORE, [table(("Elm", "4", ""), ("Fir", "9", ""))])
    assert found.rows == (("Elm", "4", "+1", ""), ("Fir", "9", "", ""))


def test_other_tables_are_left_alone():
    """Tables that are new, whose rows begin alike, or whose cells aren't numbers."""
    fresh = ReportTable(title="Baskets", columns=("Nation", "Fruit"), rows=(("Elm", "1"),))
    alike = table(("Elm", "4", ""), ("Elm", "5", ""))
    words = table(("Elm", "four", ""), ("Oak", "5", ""))
    assert with_changes(BEFORE, [fresh, alike, words]) == (fresh, alike, words)
    assert with_changes((), [table(("Elm", "4", ""))]) == (table(("Elm", "4", "")),)


def test_a_report_compares_with_what_was_before_the_first_of_its_turns(kit):
    report = compile_report(kit.game(), kit.position(), kit.played(), kit.ELM)
    assert report.tables[0].rows == (("Ash", "1", "+1"), ("Elm", "11", "+1"), ("Oak", "2", "+1"))
    before = kit.Orchard(baskets={"Ash": 1, "Elm": 7, "Oak": 3})
    told = compile_report(kit.game(), kit.position(), kit.played(before=before), kit.ELM)
    assert told.tables[0].columns == ("Nation", "Fruit", CHANGE_COLUMN_TITLE, "Change")
    assert [row[2] for row in told.tables[0].rows] == ["", "+4", "-1"]
