"""Reports of solo games in the detail that their readers chose."""

from itertools import islice

import pytest

from adjudicator.messages import sentence
from adjudicator.model.people import Style
from adjudicator.reports import messages
from adjudicator.reports.report import Report, apply_reader_style, compile_report
from games.protocol import ReportTable
from games.record import replace_fields
from orders.mail.body import sheet_of
from tests.kit.game_emails import LettersOfTurn, letters_of_turns

SOLO = ("great-war", "war-chest", "plains-indian-wars", "boer-war")
BRIEF = Style(detail="brief")


def reports(one: LettersOfTurn, style: Style) -> tuple[Report, Report]:
    """The whole report of a deadline, and the one in a style."""
    game, steps = one.game, one.played.steps
    whole = compile_report(game, one.position, one.played, one.seat)
    views = [game.rules.view(state, one.seat) for state in (steps[0].before, one.played.state)]
    return whole, apply_reader_style(whole, style, *map(game.telling.tables, views))


@pytest.mark.parametrize("kind", SOLO)
def test_a_solo_report_in_brief_has_all_that_one_decides_by(kind):
    lengths = []
    for one in islice(letters_of_turns(kind), 4):
        whole, brief = reports(one, BRIEF)
        assert brief.sheet == whole.sheet
        assert brief.wanted == whole.wanted
        by_title = {table.title: table for table in brief.tables}
        for table in whole.tables:
            if table.about != "game":
                assert by_title[table.title] == table, "what is due and what is mine stand there whole"
        rows = {table.title: len(table.rows) for table in whole.tables}
        for table in brief.tables:
            title = table.title.removesuffix(": what changed")
            assert (len(table.rows) < rows[title]) == (title != table.title) or not table.rows
        long, short = (messages.turn_report(one.game, each, one.reader) for each in (whole, brief))
        lengths.append((len(short.text), len(long.text)))
        footer = sentence("reports.report.brief", turn=brief.chapters[-1].turn.short)
        headlines = [chapter.headline for chapter in brief.chapters]
        # Where all that the report tells is news, only what says that it is short is added.
        assert len(short.text) <= len(long.text) + sum(map(len, (footer, *headlines)))
        assert sheet_of(short.text) == sheet_of(long.text)
        assert max(map(len, short.text.split("\n"))) <= 72
        assert sentence("reports.report.brief", turn="").partition(".")[0] in " ".join(short.text.split())
        assert sentence("reports.report.brief", turn="").partition(".")[0] in (short.html or "")
    assert sum(short for short, _ in lengths) < 0.92 * sum(long for _, long in lengths)


def table(*rows: tuple[str, ...], about: str = "game", needed: tuple[str, ...] = ()) -> ReportTable:
    """A table of who is where. The title says what it is about."""
    columns = ("Region", "Tribes", "U.S.")[: len(rows[0])]
    return ReportTable(title=f"Cubes, {about}", columns=columns, rows=rows, about=about, needed=needed)


@pytest.mark.parametrize(
    ("before", "after", "shown", "title"),
    [
        # A region that changed, one that its cubes have left, and one that the player can move from.
        (
            table(("Omaha", "", "2 Blue"), ("Denver", "1 Orange", ""), ("Raton", "", "1 Brown")),
            table(("Omaha", "", "1 Blue"), ("Raton", "", "1 Brown"), ("Brazos", "", "2 Brown")),
            [("Omaha", "", "1 Blue"), ("Brazos", "", "2 Brown"), ("Denver", "nothing now", "")],
            "Cubes, game: what changed",
        ),
        (
            table(("Omaha", "", "2 Blue"), ("Denver", "1 Orange", ""), ("Raton", "", "1 Brown")),
            table(
                ("Omaha", "", "2 Blue"),
                ("Denver", "3 Orange", ""),
                ("Raton", "", "1 Brown"),
                needed=("Raton",),
            ),
            [("Denver", "3 Orange", ""), ("Raton", "", "1 Brown")],
            "Cubes, game: what changed, and yours",
        ),
        # A table of which all is needed is whole, without what is gone.
        (
            table(("Second action", "certain"), ("Third action", "67 %")),
            table(("Second action", "50 %"), needed=("Second action",)),
            [("Second action", "50 %")],
            "Cubes, game",
        ),
        # Regions without cubes share a row.
        (
            table(("Omaha", "", "2 Blue"), ("Denver", "1 Orange", ""), ("Raton", "", "1 Brown")),
            table(("Omaha", "", "2 Blue")),
            [("Denver, Raton", "nothing now", "")],
            "Cubes, game: what changed",
        ),
        # What is due is whole. If anything changed, so are what one holds and a table whose rows begin alike.
        (
            table(("the card", "one of the hand"), about="due"),
            table(("the card", "one of the hand"), about="due"),
            [("the card", "one of the hand")],
            "Cubes, due",
        ),
        (
            table(("Fort Union", "3 cubes"), ("Crow", "2 cubes"), about="own"),
            table(("Fort Union", "3 cubes"), ("Sioux", "2 cubes"), about="own"),
            [("Fort Union", "3 cubes"), ("Sioux", "2 cubes")],
            "Cubes, own",
        ),
        (
            table(("You", "Ensign", "f1"), ("You", "Lancer", "c2")),
            table(("You", "Ensign", "e1"), ("You", "Lancer", "c2")),
            [("You", "Ensign", "e1"), ("You", "Lancer", "c2")],
            "Cubes, game",
        ),
    ],
)
def test_a_table_shows_what_changed_and_what_one_decides_by(before, after, shown, title):
    told = apply_reader_style(solo_report(after), Style(), (before,), (after,))
    (now,) = told.tables
    assert (list(now.rows), now.title) == (shown, title)
    assert told.unchanged == ()


def test_a_table_without_a_change_is_named():
    same = table(("Omaha", "", "2 Blue"), ("Denver", "1 Orange", ""))
    told = apply_reader_style(solo_report(same), Style(), (same,), (same,))
    assert (told.tables, told.unchanged) == ((), ("cubes",))


def test_a_hand_that_did_not_change_is_named_unless_it_is_played_from_now():
    def told(needed):
        hand = table(("Fort Union", "3 cubes"), ("Crow", "2 cubes"), about="own", needed=needed)
        return apply_reader_style(solo_report(hand), Style(), (hand,), (hand,))

    assert (told(()).tables, told(()).unchanged) == ((), ("cubes",))
    assert len(told(("Fort Union", "Crow")).tables[0].rows) == 2


def test_many_rows_that_changed_alike_are_one():
    """Up to six rows stay as they are."""
    regions = [f"Region {number}" for number in range(7)]
    before = table(*((region, "1 Green", "") for region in regions))
    after = table(*((region, "", "1 Purple") for region in regions[:-1]), (regions[-1], "", "2 Purple"))
    (now,) = apply_reader_style(solo_report(after), Style(), (before,), (after,)).tables
    assert now.columns[0] == "Region (each)"
    assert now.rows == ((", ".join(regions[:-1]), "", "1 Purple"), (regions[-1], "", "2 Purple"))
    few = replace_fields(after, rows=after.rows[:5])
    (now,) = apply_reader_style(solo_report(few), Style(), (before,), (few,)).tables
    assert len(now.rows) == 6  # with those that are gone


def solo_report(*tables: ReportTable) -> Report:
    """A report of a turn with these tables alone."""
    one = next(letters_of_turns("war-chest"))
    return replace_fields(compile_report(one.game, one.position, one.played, one.seat), tables=tables)


@pytest.mark.parametrize("kind", SOLO)
def test_a_solo_report_of_changes_misses_nothing_of_the_position(kind):
    lengths = []
    for one in islice(letters_of_turns(kind), 1, 6):
        whole, changes = reports(one, Style())
        earlier, now = (
            one.game.telling.tables(one.game.rules.view(state, one.seat))
            for state in (one.played.steps[0].before, one.played.state)
        )
        assert (changes.sheet, changes.wanted, changes.chapters) == (
            whole.sheet,
            whole.wanted,
            whole.chapters,
        )
        known = {bare.title: bare.rows for bare in earlier}
        titles = [each.title.split(": what changed")[0] for each in changes.tables]
        for table, bare in zip(whole.tables, now, strict=True):
            here = changes.tables[titles.index(table.title)].rows if table.title in titles else ()
            for row, plain in zip(table.rows, bare.rows, strict=True):
                by_it = table.about == "due" or plain[0] in bare.needed
                is_here = any(row[0] in shown[0].split(", ") and row[1:] == shown[1:] for shown in here)
                assert row in here or is_here or (not by_it and plain in known[bare.title])
        text = messages.turn_report(one.game, changes, one.reader).text
        assert max(map(len, text.split("\n"))) <= 72
        assert "STATUS shows the whole position." in " ".join(text.split())
        assert "\nDICE\n" not in text
        lengths.append((len(text), len(messages.turn_report(one.game, whole, one.reader).text)))
    assert sum(short for short, _ in lengths) < 0.97 * sum(long for _, long in lengths)


def test_who_wants_no_reasons_gets_none_of_an_automaton():
    """The Great War's AI says them among what happened."""
    seen = 0
    for one in islice(letters_of_turns("great-war"), 3):
        whole, without = reports(one, Style(reasons="off"))
        said, left = (
            [line.text for chapter in each.chapters for passage in chapter.passages for line in passage.lines]
            for each in (whole, without)
        )
        why = [text for text in said if text.startswith("The AI's reason:")]
        assert [text for text in said if text not in why] == left
        seen += len(why)
    assert seen
