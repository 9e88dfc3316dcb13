"""Reports as their readers chose them: of which orders bots say why, and a report in brief."""

from collections.abc import Sequence

from adjudicator.messages import sentence
from adjudicator.model.letter_choice import Reasons, Style
from adjudicator.reports.report import BotPlay, Report, ReportPassage, TurnChapter
from games.protocol import ReportTable, Seat
from games.record import replace_fields


def apply_reader_style(
    report: Report, style: Style, earlier: Sequence[ReportTable], now: Sequence[ReportTable]
) -> Report:
    """Return a full report in the form that its reader has chosen.

    earlier, now: the tables of the position before, and of this one, without columns of changes.
    """
    report = replace_fields(report, bots=_reasons(report, style.says_why))
    if style.says_why != "all":
        report = replace_fields(report, chapters=tuple(_without_why(chapter) for chapter in report.chapters))
    if style.says_why == "off":
        report = replace_fields(report, bot_throws=0)
    if style.detail == "full":
        return report
    return replace_fields(
        report,
        brief=True,
        chapters=tuple(_brief(chapter, report.viewer) for chapter in report.chapters),
        tables=_changed_tables(report.tables, earlier, now, report.viewer),
        vacant=report.vacant if report.bots else (),
        # At the end they are proved, by all that fell and the secret.
        throws=report.throws if report.secret else (),
    )


def _reasons(report: Report, which: Reasons) -> tuple[BotPlay, ...]:
    """Return the orders of bots with their reasons: all of them, or only those that failed."""
    if which == "all" or not report.bots:
        return report.bots
    failed = {
        (chapter.turn.name, passage.heading): tuple(line.text for line in passage.lines if line.failed)
        for chapter in report.chapters
        for passage in chapter.passages
        if which == "failed"
    }
    plays = []
    for play in report.bots:
        failed_texts = failed.get((play.turn, play.seat), ())
        orders = tuple(
            order for order in play.orders if any(text.startswith(f"{order[0]}:") for text in failed_texts)
        )
        if orders:
            plays.append(replace_fields(play, orders=orders))
    return tuple(plays)


def _without_why(chapter: TurnChapter) -> TurnChapter:
    """Return a chapter without the sentences in which an automaton says why it did something."""
    kept = [
        (passage.heading, tuple(line for line in passage.lines if not line.why))
        for passage in chapter.passages
    ]
    return replace_fields(
        chapter, passages=tuple(ReportPassage(heading, lines) for heading, lines in kept if lines)
    )


def _brief(chapter: TurnChapter, viewer: Seat | None) -> TurnChapter:
    """Without what others did as was to be expected: where they are stands in the tables."""
    passages = [
        passage
        if passage.heading == viewer
        else ReportPassage(passage.heading, tuple(line for line in passage.lines if not line.routine))
        for passage in chapter.passages
    ]
    return replace_fields(chapter, passages=tuple(passage for passage in passages if passage.lines))


def _changed_tables(
    shown: Sequence[ReportTable],
    earlier: Sequence[ReportTable],
    now: Sequence[ReportTable],
    viewer: Seat | None,
) -> tuple[ReportTable, ...]:
    """Return the tables shortened: whole where they say what is due and what the viewer holds.

    Of all other tables only the rows that are new stay, and the viewer's own.
    """
    known = {(table.title, table.columns): frozenset(table.rows) for table in earlier}
    tables = []
    for table, bare in zip(shown, now, strict=True):
        before = known.get((bare.title, bare.columns))
        if table.about == "game" and before is not None:
            pairs = zip(table.rows, bare.rows, strict=True)
            rows = tuple(row for row, plain in pairs if plain not in before or plain[0] == viewer)
            is_news = any(plain not in before for plain in bare.rows)
            partial = len(rows) < len(table.rows)
            title = sentence("reports.brief.changed", title=table.title) if partial else table.title
            table = ReportTable(title=title, columns=table.columns, rows=rows if is_news else ())
        tables.append(table)
    return tuple(tables)
