"""Reports of solo games in the detail that their readers chose."""

from itertools import islice

import pytest

from adjudicator.messages import sentence
from adjudicator.model.people import Style
from adjudicator.reports import messages
from adjudicator.reports.report import Report, apply_reader_style, compile_report
from orders.mail.body import sheet_of
from tests.kit.pages import LettersOfTurn, letters_of_turns

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
