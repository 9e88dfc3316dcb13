"""Suspended games in the database: suspending them, and resuming them together with their emails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import games
from adjudicator.clock import Millis
from adjudicator.model.games import Suspension
from adjudicator.model.mail import HELD
from adjudicator.storage import due_games, outbox
from adjudicator.storage.database import Database
from adjudicator.storage.tables import GameRow, LetterRow, StuckRow
from games.record import Malformed, canonical, load, replace_fields

if TYPE_CHECKING:
    from adjudicator.model.mail import OutgoingMessage

BRING_BACK = 'Put its folder back (each backup contains it), and start "gm serve" again'
LOGS_LOST_REMEDY = (
    'Use "gm restore" with a backup, or delete the game and use "gm game import" with an export of it. '
    "Backups and exports from before the upgrade are complete"
)
"""The advice for a game that lost its log and seats in an earlier upgrade."""
MEND = 'Use "gm restore" with a backup, "gm game export" to save the game, or "gm game delete" to delete it'


def suspend_game(
    database: Database, stuck: Suspension, letters: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Suspend a game that can't continue, or record a new reason. letters: emails that report this."""
    with database.writing():
        row = StuckRow.insert(game=stuck.game, document=canonical(stuck).decode())
        database.run(row.on_conflict(conflict_target=[StuckRow.game], preserve=[StuckRow.document]))
        outbox.put(database, letters, now)


def resume_game(
    database: Database, game: str, grounds: str | None, letters: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Resume a game. Emails that waited for it are read next.

    grounds: the rules version that verified its log, or None. letters: emails that report this.
    """
    waiting = (LetterRow.disposition == HELD) & (LetterRow.game == game)
    fresh = {"disposition": None, "why": None, "handled": None, "tries": 0}
    with database.writing():
        database.run(StuckRow.delete().where(StuckRow.game == game))
        if grounds is not None:
            note_proven(database, game, grounds, (), now)
        due_games.recheck(database, [game])
        # The GM may have named an email's sender. Otherwise it is determined again.
        database.run(LetterRow.update(**fresh, game=None).where(waiting & LetterRow.seat.is_null()))
        database.run(LetterRow.update(**fresh).where(waiting))
        outbox.put(database, letters, now)


def suspended_games(database: Database) -> tuple[Suspension, ...]:
    """Return all suspended games by name."""
    with database.reading():
        rows = list(database.run(StuckRow.select()))
    suspensions = (read_suspension(row.document, row.game_id) for row in rows)
    return tuple(sorted(suspensions, key=lambda suspension: suspension.game))


def read_suspension(document: str, game: str) -> Suspension:
    """Return the suspension of a game."""
    try:
        suspension: Suspension = load(Suspension, document.encode())
    except Malformed as fault:  # even if the record is unreadable, the game is suspended
        why = f"the record of its suspension can't be read: {fault}"
        suspension = Suspension(game=game, kind="?", sort="unreadable", why=why, instead=MEND)
    return suspension


def unreadable_game(row: Any, why: str, instead: str) -> Suspension:
    """Return the suspension of a game with an unreadable row. An earlier suspension keeps its time."""
    if row.stuck is None:
        return Suspension(game=row.name, kind=str(row.kind), sort="unreadable", why=why, instead=instead)
    before = read_suspension(row.stuck, row.name)
    return replace_fields(before, sort="unreadable", why=why, instead=instead)


def kind_missing(kind: str) -> str:
    """Return the reason why games of this kind can't be played."""
    ill = games.why_unplayable(kind)
    if ill is None:
        return f"there is no kind of game called {kind} here"
    return f"its kind {kind} can't be played because of an error in {ill.where}: {ill.why}"


def note_proven(
    database: Database, game: str, grounds: str, letters: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Record the rules version that verified a game's log. letters: emails that report this."""
    with database.writing():
        database.run(GameRow.update(proven=grounds).where(GameRow.name == game))
        outbox.put(database, letters, now)


def kinds_in_play(database: Database) -> tuple[tuple[str, str, str], ...]:
    """Return the name of each running game, its kind, and the rules version that verified it."""
    rows = GameRow.select(GameRow.name, GameRow.kind, GameRow.proven).where(GameRow.status == "running")
    with database.reading():
        return tuple((row.name, row.kind, row.proven or "") for row in database.run(rows))


def letters_waiting(database: Database, game: str) -> int:
    """Return the number of emails that wait for a suspended game."""
    return database.count(
        LetterRow.select().where((LetterRow.disposition == HELD) & (LetterRow.game == game))
    )
