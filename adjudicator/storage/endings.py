"""Games that end without their rules: one more entry in the log, and no more turns."""

from adjudicator.clock import Millis
from adjudicator.errors import WriteConflict
from adjudicator.model.game_acts import EndGame
from adjudicator.model.games import LogEntry
from adjudicator.storage.database import Database
from adjudicator.storage.tables import ChairRow, EntryRow, FiledRow, GameRow
from games.protocol import GameResult
from games.record import canonical, load, plain

END_ENTRY_KIND = "end"
"""What the log calls such an entry."""


def end(database: Database, act: EndGame, now: Millis) -> None:
    """Close a game's log, as a part of the caller's transaction. Raises Overtaken if it is over already."""
    with database.writing():
        game = database.first(GameRow.select().where(GameRow.name == act.game))
        if game is None or game.status == "finished":
            raise WriteConflict(f"{act.game} is over")
        before = _last(database, act.game)
        entry = LogEntry(
            number=game.entries,
            kind=END_ENTRY_KIND,
            turn=game.turn,
            at=now,
            options=plain(act.result),
            by=act.by,
            why=act.why,
            state_sha=before.state_sha,
            previous_sha=game.head_sha,
        ).with_salts(bytes(game.pepper or b""))
        columns = {
            "status": "finished",
            "deadline": None,
            "entries": entry.number + 1,
            "head_sha": entry.sha,
        }
        database.run(
            EntryRow.insert(game=act.game, number=entry.number, entry=canonical(entry), state=game.state)
        )
        database.run(GameRow.update(**columns).where(GameRow.name == act.game))
        database.run(FiledRow.delete().where(FiledRow.game == act.game))
        database.run(ChairRow.update(wait=False, ready=False).where(ChairRow.game == act.game))


def agreed_result(database: Database, game: str) -> GameResult | None:
    """Return the result that was agreed on; None if the rules ended the game, or if nothing has yet."""
    entry = _last(database, game)
    if entry.kind != END_ENTRY_KIND:
        return None
    return GameResult(winners=tuple(entry.options["winners"]), reason=entry.options["reason"])


def _last(database: Database, game: str) -> LogEntry:
    entries = EntryRow.select(EntryRow.entry).where(EntryRow.game == game)
    row = database.first(entries.order_by(EntryRow.number.desc()))
    entry: LogEntry = load(LogEntry, bytes(row.entry))
    return entry
