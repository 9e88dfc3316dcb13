"""Games that cannot go on, on the books: held, and given their letters back when they go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import games
from adjudicator.clock import Millis
from adjudicator.ledger.dispositions import HELD
from adjudicator.ledger.stuck import Stuck
from adjudicator.store import looks, outbox
from adjudicator.store.database import Database
from adjudicator.store.tables import GameRow, LetterRow, StuckRow
from games.record import Malformed, canonical, changed, load

if TYPE_CHECKING:
    from adjudicator.ledger.letters import Sealed

BRING_BACK = "put its folder back (each backup holds it), and start  gm serve  again"
LOST = (
    "gm restore FILE  a backup, or delete the game and  gm game import FILE  an export of it: "
    "both are whole, also those of before the upgrade"
)
"""What helps a game whose log and seats an upgrade of before has deleted."""
MEND = "gm restore  takes up a copy;  gm game export  saves what is there,  gm game delete  strikes it out"


def hold(database: Database, stuck: Stuck, told: Sequence[Sealed], now: Millis) -> None:
    """Note that a game cannot go on, or again. told: letters that tell of it."""
    with database.writing():
        row = StuckRow.insert(game=stuck.game, document=canonical(stuck).decode())
        database.run(row.on_conflict(conflict_target=[StuckRow.game], preserve=[StuckRow.document]))
        outbox.put(database, told, now)


def let_go(database: Database, game: str, grounds: str | None, told: Sequence[Sealed], now: Millis) -> None:
    """Let a game go on: letters that waited for it are read next.

    grounds: by what it was proved, None: it was not. told: letters that tell of it.
    """
    waiting = (LetterRow.disposition == HELD) & (LetterRow.game == game)
    fresh = {"disposition": None, "why": None, "handled": None, "tries": 0}
    with database.writing():
        database.run(StuckRow.delete().where(StuckRow.game == game))
        if grounds is not None:
            note_proven(database, game, grounds, (), now)
        looks.stir(database, [game])
        # For whom a letter speaks the gamesmaster may have said; where he has not, it is found out again.
        database.run(LetterRow.update(**fresh, game=None).where(waiting & LetterRow.seat.is_null()))
        database.run(LetterRow.update(**fresh).where(waiting))
        outbox.put(database, told, now)


def all_stuck(database: Database) -> tuple[Stuck, ...]:
    """All games that are noted as held, by their names."""
    with database.reading():
        rows = list(database.run(StuckRow.select()))
    found = (noted(row.document, row.game_id) for row in rows)
    return tuple(sorted(filter(None, found), key=lambda one: one.game))


def noted(document: str | None, game: str) -> Stuck | None:
    """What is noted of a game that is held; None where nothing is."""
    if document is None:
        return None
    try:
        found: Stuck = load(Stuck, document.encode())
    except Malformed as fault:  # whatever stands there, the game is held
        why = f"the note of why it is held cannot be read: {fault}"
        found = Stuck(game=game, kind="?", sort="unreadable", why=why, instead=MEND)
    return found


def unreadable(row: Any, why: str, instead: str) -> Stuck:
    """Why the game of a row cannot be read, and since when that is known."""
    before = noted(row.stuck, row.name)
    fresh = Stuck(game=row.name, kind=str(row.kind), sort="unreadable", why=why, instead=instead)
    return fresh if before is None else changed(before, sort="unreadable", why=why, instead=instead)


def kind_missing(kind: str) -> str:
    """Why no game of a kind can be played."""
    ill = next((one for one in games.unfit() if one.kind == kind and not one.lame), None)
    if ill is None:
        return f"there is no kind of game called {kind} here"
    return f"its kind {kind} cannot be played, by what lies in {ill.where}: {ill.why}"


def note_proven(database: Database, game: str, grounds: str, told: Sequence[Sealed], now: Millis) -> None:
    """Note by what the log of a game was found to lead to where it stands. told: letters that tell of it."""
    with database.writing():
        database.run(GameRow.update(proven=grounds).where(GameRow.name == game))
        outbox.put(database, told, now)


def kinds_in_play(database: Database) -> tuple[tuple[str, str, str], ...]:
    """Of each game that runs its name, its kind, and by what it was proved."""
    rows = GameRow.select(GameRow.name, GameRow.kind, GameRow.proven).where(GameRow.status == "running")
    with database.reading():
        return tuple((row.name, row.kind, row.proven or "") for row in database.run(rows))


def letters_waiting(database: Database, game: str) -> int:
    """How many letters wait for a game to go on."""
    return database.count(
        LetterRow.select().where((LetterRow.disposition == HELD) & (LetterRow.game == game))
    )
