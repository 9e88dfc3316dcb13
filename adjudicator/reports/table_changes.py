"""Columns of changes for tables: a column beside each that counts, with what it has gained."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.protocol import ReportTable

CHANGE_COLUMN_TITLE = "+/-"
"""The title of a column of changes."""


class _TableColumn(NamedTuple):
    title: str
    cells: tuple[str, ...]


def with_changes(before: Sequence[ReportTable], after: Sequence[ReportTable]) -> tuple[ReportTable, ...]:
    """The tables of a position, each column of numbers followed by what it has gained since another position.

    A column gets none where nothing changed, where its table was not there before, or where two rows of the
    table begin alike. What is a number: digits alone.
    """
    known = {(table.title, table.columns): table for table in before}
    return tuple(_compare_tables(known.get((table.title, table.columns)), table) for table in after)


def _compare_tables(before: ReportTable | None, after: ReportTable) -> ReportTable:
    heads = [row[0] for row in after.rows]
    if before is None or not heads or len(set(heads)) < len(heads):
        return after
    earlier = {row[0]: row for row in before.rows}
    columns = [
        column
        for place, title in enumerate(after.columns)
        for column in _beside(place, title, after.rows, earlier)
    ]
    return ReportTable(
        title=after.title,
        columns=tuple(column.title for column in columns),
        rows=tuple(zip(*(column.cells for column in columns), strict=True)),
        about=after.about,
    )


def _beside(
    place: int, title: str, rows: Sequence[tuple[str, ...]], earlier: Mapping[str, tuple[str, ...]]
) -> tuple[_TableColumn, ...]:
    own = _TableColumn(title, tuple(row[place] for row in rows))
    if place == 0 or not all(cell.isdecimal() for cell in own.cells):
        return (own,)
    gains = tuple(_gain(row[place], earlier.get(row[0], row)[place]) for row in rows)
    return (own, _TableColumn(CHANGE_COLUMN_TITLE, gains)) if any(gains) else (own,)


def _gain(now: str, before: str) -> str:
    gained = int(now) - int(before) if before.isdecimal() else 0
    return f"{gained:+d}" if gained else ""
