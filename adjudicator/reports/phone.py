"""What the HTML of a report shows by default: what a reader looks at on a phone, in a few screens.

All else is in the text of the same email, and HISTORY and STATUS bring it. The heights here are estimates for
a window of 375 pixels; a test measures the real ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil

from adjudicator.messages import sentence
from adjudicator.model.people import Style
from adjudicator.reports import render
from adjudicator.reports.report import MANY_ROWS, Report, apply_reader_style, drop_reasons, drop_routine
from games.protocol import Game, ReportTable, Seat
from games.record import replace_fields

MAX_HEIGHT_PX = 4_500
"""No report is higher in its default form, in a window of 375 pixels."""

_ROOM_PX = 4_250
"""What the parts may have together by our estimate, which is a little too low at times."""

_FIXED_PX = 1_080
"""The masthead, the box of what is due, the two pictures of the board, and the last rows."""

_CHART_PX = 300
_ROW_PX = 21
_ROW_LETTERS = 44
"""The letters in a row of results, which is as high as _ROW_PX."""
_TABLE_ROW_PX = 17
_TABLE_LETTERS = 40


def fit_phone(
    game: Game, report: Report, style: Style, earlier: Sequence[ReportTable], now: Sequence[ReportTable]
) -> Report:
    """Return a report as its HTML shows it by default, with less of it the longer it is.

    It leaves out the bots' reasons unless the reader has asked for them, lists of what is drawn on the map,
    and of a long table the rows of others that didn't change. Where that is too high, it leaves out tables
    that nothing is decided by, then results of others that are no surprise. earlier, now: the tables of the
    position before, and of this one, without columns of changes.
    """
    told = style.reasons is not None
    page = apply_reader_style(report, style, earlier, now)
    if game.campaign is None:
        listed = {
            table.title
            for table in report.tables
            if any(render.counts_what_lists(counting, table) for counting in report.tables)
        }
        counted = [table for table in report.tables if table.title not in listed]
        tables = tuple(_long_tables_since(counted, earlier, now, report.viewer))
        page = replace_fields(page, partial=False, unchanged=(), tables=tables)
    page = replace_fields(
        page,
        for_phone=True,
        bots=page.bots if told else (),
        vacant=page.vacant if told else (),
        chapters=page.chapters if told else tuple(map(drop_reasons, page.chapters)),
    )
    for less in _ever_less(page):
        page = less
        if estimate_height(page) <= _ROOM_PX:
            break
    return page


def _ever_less(page: Report) -> Iterator[Report]:
    """Yield a report with less and less of what a reader can do without."""
    yield page
    while optional := [table for table in page.tables if table.about == "game" and table.rows]:
        longest = max(optional, key=lambda table: (not table.needed, _table_height(table)))
        page = replace_fields(page, tables=tuple(table for table in page.tables if table is not longest))
        yield page
    yield replace_fields(
        page, chapters=tuple(drop_routine(chapter, page.viewer) for chapter in page.chapters)
    )


def _long_tables_since(
    tables: Sequence[ReportTable],
    earlier: Sequence[ReportTable],
    now: Sequence[ReportTable],
    viewer: Seat | None,
) -> Iterator[ReportTable]:
    """Yield the tables. Long ones keep the viewer's rows and those that changed, as do those of what is
    due.
    """
    known = {table.title: frozenset(table.rows) for table in earlier}
    bare: Mapping[str, Mapping[str, tuple[str, ...]]] = {
        table.title: {row[0]: row for row in table.rows} for table in now
    }
    for table in tables:
        own = tuple(row for row in table.rows if row[0] == viewer)
        if table.about == "due" and own:
            yield replace_fields(table, rows=own)
        elif table.about == "game" and len(table.rows) > MANY_ROWS:
            before, rows_now = known.get(table.title, frozenset()), bare.get(table.title, {})
            rows = tuple(
                row for row in table.rows if row[0] == viewer or rows_now.get(row[0], row) not in before
            )
            title = sentence("reports.brief.changed", title=table.title)
            yield replace_fields(table, rows=rows, title=title)
        else:
            yield table


# Estimates of heights, in pixels.


def estimate_height(page: Report) -> int:
    """Return about how high a report is in a window of 375 pixels."""
    texts = (page.headline, page.lead, *page.by_hand, *(piece.text for piece in page.press))
    height = _FIXED_PX + sum(_rows_of(text) * 26 + 14 for text in texts if text)
    height += 38 * len(page.press) + (60 + 20 * len(page.sheet) if page.sheet else 0)
    height += _CHART_PX if page.history else 0
    for chapter in page.chapters:
        height += 60
        for passage in chapter.quiet_together(page.viewer):
            lines = render.routine_together(passage.lines, passage.heading == page.viewer)
            height += 40 + _ROW_PX * sum(_rows_of(line.text) for line in lines)
    return height + sum(map(_table_height, page.tables))


def _rows_of(text: str) -> int:
    return ceil(len(text) / _ROW_LETTERS)


def _table_height(table: ReportTable) -> int:
    if not table.rows:
        return 0
    if table.about == "due" or (table.needed and table.about == "own"):
        return 40 + sum(6 + 20 * _rows_of(" ".join(row)) for row in table.rows)
    rows: Iterable[int] = (
        9 + _TABLE_ROW_PX * max(ceil(sum(map(len, row)) / _TABLE_LETTERS), 1) for row in table.rows
    )
    return 90 + sum(rows)
