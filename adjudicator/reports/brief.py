"""Reports as their readers chose them: of which orders bots say why, and a report in brief."""

from collections.abc import Sequence

from adjudicator.catalogue import sentence
from adjudicator.ledger.letter_choice import Reasons, Style
from adjudicator.reports.report import BotPlay, Chapter, Passage, Report
from games.protocol import Seat, Table
from games.record import changed


def styled(report: Report, style: Style, earlier: Sequence[Table], now: Sequence[Table]) -> Report:
    """A full report as its reader wants it.

    earlier, now: the tables of the position before, and of this one, without columns of changes.
    """
    report = changed(report, bots=_reasons(report, style.says_why))
    if style.says_why != "all":
        report = changed(report, chapters=tuple(_without_why(chapter) for chapter in report.chapters))
    if style.says_why == "off":
        report = changed(report, bot_throws=0)
    if style.detail == "full":
        return report
    return changed(
        report,
        brief=True,
        chapters=tuple(_brief(chapter, report.viewer) for chapter in report.chapters),
        tables=_changed(report.tables, earlier, now, report.viewer),
        vacant=report.vacant if report.bots else (),
        # At the end they are proved, by all that fell and the secret.
        throws=report.throws if report.secret else (),
    )


def _reasons(report: Report, which: Reasons) -> tuple[BotPlay, ...]:
    """What bots ordered and why: of all orders, or of those that are told to have failed."""
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
        told = failed.get((play.turn, play.seat), ())
        orders = tuple(one for one in play.orders if any(text.startswith(f"{one[0]}:") for text in told))
        if orders:
            plays.append(changed(play, orders=orders))
    return tuple(plays)


def _without_why(chapter: Chapter) -> Chapter:
    """Without the sentences in which an automaton says why it did something."""
    kept = [(one.heading, tuple(line for line in one.lines if not line.why)) for one in chapter.passages]
    return changed(chapter, passages=tuple(Passage(heading, lines) for heading, lines in kept if lines))


def _brief(chapter: Chapter, viewer: Seat | None) -> Chapter:
    """Without what others did as was to be expected: where they are stands in the tables."""
    passages = [
        passage
        if passage.heading == viewer
        else Passage(passage.heading, tuple(line for line in passage.lines if not line.routine))
        for passage in chapter.passages
    ]
    return changed(chapter, passages=tuple(passage for passage in passages if passage.lines))


def _changed(
    shown: Sequence[Table], earlier: Sequence[Table], now: Sequence[Table], viewer: Seat | None
) -> tuple[Table, ...]:
    """What is due and what the viewer holds, whole; of all else the rows that are new, and his own."""
    known = {(table.title, table.columns): frozenset(table.rows) for table in earlier}
    found = []
    for table, bare in zip(shown, now, strict=True):
        before = known.get((bare.title, bare.columns))
        if table.about == "game" and before is not None:
            pairs = zip(table.rows, bare.rows, strict=True)
            rows = tuple(row for row, plain in pairs if plain not in before or plain[0] == viewer)
            is_news = any(plain not in before for plain in bare.rows)
            partial = len(rows) < len(table.rows)
            title = sentence("reports.brief.changed", title=table.title) if partial else table.title
            table = Table(title=title, columns=table.columns, rows=rows if is_news else ())
        found.append(table)
    return tuple(found)
