"""A check that a database on a server can still grow: only writing into it can tell."""

from contextlib import suppress

import peewee

from adjudicator.storage.database import Database

TRIAL_ROWS, TRIAL_ROW_BYTES = 1_000, 1_000
"""A trial takes about as much room as one large email."""

# Its data is not logged, so a trial costs others nothing. It is a new table and needs new room: what deleted
# rows left free elsewhere says nothing of the disk.
_TRIAL = (
    "CREATE UNLOGGED TABLE turnpost_growth_trial AS "
    f"SELECT repeat('x', {TRIAL_ROW_BYTES}) AS filler FROM generate_series(1, {TRIAL_ROWS})"
)


def try_to_grow(database: Database) -> None:
    """Write a megabyte into a table of its own, and undo it. Raises StoreFault where there is no room for it.

    It does nothing where the database is a file: the free space of its disk is known without. Where our user
    may make no tables it tells nothing.
    """
    if not database.is_shared:
        return
    with suppress(_Undone, peewee.ProgrammingError), database.writing():
        database.run(peewee.RawQuery(_TRIAL))
        raise _Undone


class _Undone(Exception):
    """It ends the transaction, and nothing of it stays."""
