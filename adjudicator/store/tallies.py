"""Numbers about all games, for whoever watches the service."""

from peewee import SQL, fn

from adjudicator.store.database import Database
from adjudicator.store.tables import EntryRow, GameRow


def entries_by_kind(database: Database) -> dict[str, int]:
    """How many entries the logs of all games have, by the kind of game."""
    query = EntryRow.select(GameRow.kind, fn.COUNT(SQL("*")).alias("count")).join(GameRow)
    with database.reading():
        rows = database.run(query.group_by(GameRow.kind).order_by(GameRow.kind).tuples())
        return {kind: int(count) for kind, count in rows}
