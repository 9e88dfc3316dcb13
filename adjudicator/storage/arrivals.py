"""A game that comes from another installation, written into the books as a whole."""

from collections.abc import Sequence
from typing import Any

import games
from adjudicator.clock import Millis
from adjudicator.errors import Refusal
from adjudicator.model.filed_orders import pack_items
from adjudicator.model.games import GamePosition, LogEntry
from adjudicator.storage import clocks
from adjudicator.storage.acts import SideEffects, apply_side_effects
from adjudicator.storage.database import Database
from adjudicator.storage.seats import columns_of
from adjudicator.storage.tables import ChairRow, EntryRow, FiledRow, GameRow
from games.record import canonical


def bring_in(
    database: Database,
    position: GamePosition,
    log: Sequence[tuple[LogEntry, bytes]],
    minutes: Sequence[clocks.Minute],
    entailed: SideEffects,
) -> None:
    """Open the books of a game as it stands, with its log, what people did, and its letters: one transaction.

    Raises Refusal for a name that is taken.
    """
    name = position.name
    with database.writing():
        if not database.run(_game(position, log[0][0].at).on_conflict_ignore().as_rowcount()):
            raise Refusal(f"game {name}", "there is a game of that name already", _KEEPS_ITS_NAME)
        for entry, state in log:
            row = EntryRow.insert(game=name, number=entry.number, entry=canonical(entry), state=state)
            database.run(row)
        for place, chair in enumerate(position.chairs.values()):
            database.run(ChairRow.insert(game=name, place=place, **columns_of(chair)))
        for seat, items in position.filed.items():
            database.run(FiledRow.insert(game=name, seat=seat, orders=canonical(pack_items(items))))
        clocks.set_timing(database, name, position.timing)
        for minute in minutes:
            clocks.note(database, minute)
        apply_side_effects(database, entailed)


_KEEPS_ITS_NAME = "its dice are sealed under its name, so that it cannot get another; delete the other game"


def _game(position: GamePosition, created: Millis) -> Any:
    return GameRow.insert(
        name=position.name,
        kind=position.kind,
        options=canonical(dict(position.options)).decode(),
        status=position.status,
        entries=position.entries,
        rev=0,
        head_sha=position.head_sha,
        state=canonical(position.state),
        turn=games.kinds()[position.kind].rules.turn(position.state).short,
        deadline=position.deadline,
        deadlines=canonical(position.deadlines).decode(),
        early=position.early,
        secret=position.secret,
        created=created,
        played=position.played,
        by_hand=position.by_hand,
        forced=canonical(dict(position.forced)).decode(),
        pepper=position.pepper,
        proven=position.proven,
    )
