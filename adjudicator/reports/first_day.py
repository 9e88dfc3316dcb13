"""The part of a position that a reader needs on the first day: the opening letter shows no more."""

from collections.abc import Iterable

from games.protocol import ReportTable, Seat
from games.record import replace_fields

MANY_ROWS = 12
"""In a longer table rows that say the same of several things stand together."""


def opening_tables(
    tables: Iterable[ReportTable], viewer: Seat | None, *, begun: bool
) -> tuple[tuple[ReportTable, ...], tuple[str, ...]]:
    """The tables that a first letter shows, and the titles of those that wait for the first report.

    Of what is due from every nation a reader needs his own row. begun: turns were played, so that whoever
    takes a seat now gets the whole position, and all of every table.
    """
    filled = [table for table in tables if table.rows]
    if begun:
        return tuple(filled), ()
    shown = tuple(_together(_of(viewer, table)) for table in filled if not table.later)
    return shown, tuple(_brief(table.title) for table in filled if table.later)


def _of(viewer: Seat | None, table: ReportTable) -> ReportTable:
    own = tuple(row for row in table.rows if row[0] == viewer)
    return replace_fields(table, rows=own) if own and table.about == "due" else table


def _together(table: ReportTable) -> ReportTable:
    """Rows that differ in their first cell alone as one, where the first of them stands."""
    if len(table.rows) <= MANY_ROWS:
        return table
    names: dict[tuple[str, ...], list[str]] = {}
    for first, *others in table.rows:
        names.setdefault(tuple(others), []).append(first)
    rows = tuple((", ".join(some), *others) for others, some in names.items())
    return replace_fields(table, columns=(f"{table.columns[0]} (each)", *table.columns[1:]), rows=rows)


def _brief(title: str) -> str:
    """Return a title up to what it counts: "captured" for "Captured: 0 by you"."""
    name = title.partition(":")[0].partition(",")[0]
    return name[:1].lower() + name[1:]
