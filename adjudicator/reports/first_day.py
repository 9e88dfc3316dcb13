"""What of a position its reader needs on the first day: the letter that opens a game shows no more."""

from collections.abc import Iterable

from games.protocol import Seat, Table
from games.record import changed

MANY_ROWS = 12
"""In a longer table rows that say the same of several things stand together."""


def to_begin(
    tables: Iterable[Table], viewer: Seat | None, *, begun: bool
) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """The tables that a first letter shows, and the titles of those that wait for the first report.

    Of what is due from every nation a reader needs his own row. begun: turns were played, so that whoever
    takes a seat now gets the whole position, and all of every table.
    """
    filled = [table for table in tables if table.rows]
    if begun:
        return tuple(filled), ()
    shown = tuple(_together(_of(viewer, table)) for table in filled if not table.later)
    return shown, tuple(_brief(table.title) for table in filled if table.later)


def _of(viewer: Seat | None, table: Table) -> Table:
    own = tuple(row for row in table.rows if row[0] == viewer)
    return changed(table, rows=own) if own and table.about == "due" else table


def _together(table: Table) -> Table:
    """Rows that differ in their first cell alone as one, where the first of them stands."""
    if len(table.rows) <= MANY_ROWS:
        return table
    names: dict[tuple[str, ...], list[str]] = {}
    for first, *others in table.rows:
        names.setdefault(tuple(others), []).append(first)
    rows = tuple((", ".join(some), *others) for others, some in names.items())
    return changed(table, columns=(f"{table.columns[0]} (each)", *table.columns[1:]), rows=rows)


def _brief(title: str) -> str:
    """A title up to what it counts: "captured" of "Captured: 0 by you"."""
    said = title.partition(":")[0].partition(",")[0]
    return said[:1].lower() + said[1:]
