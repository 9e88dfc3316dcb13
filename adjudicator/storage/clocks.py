"""The clocks of games on the books: read with each position, changed with what tells of it.

What is done to a game beside its turns, by hand or by the clock, goes into its minutes: who, what, why.
"""

from __future__ import annotations

from typing import Any

from adjudicator.clock import Millis
from adjudicator.errors import WriteConflict
from adjudicator.model.bounds import GameName, Instant, Text
from adjudicator.model.deadlines import Stop, Timing
from adjudicator.model.games import GamePosition
from adjudicator.model.people_acts import AnyPersonAction
from adjudicator.storage import acts, people, pruning
from adjudicator.storage.database import Database
from adjudicator.storage.due_games import revision_columns
from adjudicator.storage.seats import columns_of
from adjudicator.storage.tables import ChairRow, ClockRow, GameRow, MinuteRow
from games.record import Record, canonical, load, replace_fields

_IS_RUNNING_GAME = GameRow.status == "running"
DELETED = "struck from the books"
"""What is noted of a game that is no more."""

PAUSED_BY_RESTORE = "paused by a restore"
"""What is noted of a game whose clock a restore has stopped."""


class Minute(Record, frozen=True, kw_only=True):
    """One thing done to a game beside its turns: when, by whom ("gm", "clock", a seat), what, and why."""

    game: GameName
    at: Instant
    by: Text
    what: Text
    why: Text = ""


def timing_in(document: str | None) -> Timing:
    """Return the timing of a game's clock from its document; the default timing if there is no document."""
    return Timing() if document is None else load(Timing, document.encode())


def set_timing(database: Database, game: str, timing: Timing) -> None:
    """Write down how a game's clock stands, as a part of the caller's transaction."""
    with database.writing():
        row = ClockRow.insert(game=game, document=canonical(timing).decode())
        database.run(row.on_conflict(conflict_target=[ClockRow.game], preserve=[ClockRow.document]))


def change(
    database: Database,
    before: GamePosition,
    after: GamePosition,
    minute: Minute | None,
    entailed: acts.SideEffects,
) -> None:
    """Write what differs in status, deadline, terms, clock and chairs, with its letters: one transaction.

    minute: what is noted of it, None: it is no news.
    Raises Overtaken, with nothing written, if the game is no longer at the revision of `before`.
    """
    columns = {
        **revision_columns(before.rev),
        "status": after.status,
        "deadline": after.deadline,
        "deadlines": canonical(after.deadlines).decode(),
        "early": after.early,
    }
    unchanged = (GameRow.name == before.name) & (GameRow.rev == before.rev)
    risen: tuple[AnyPersonAction, ...] = ()
    with database.writing():
        if not database.run(GameRow.update(**columns).where(unchanged)):
            raise WriteConflict(f"{before.name} is no longer at revision {before.rev}")
        if after.timing != before.timing:
            set_timing(database, before.name, after.timing)
        for seat, chair in after.chairs.items():
            if chair != before.chairs[seat]:
                at = (ChairRow.game == before.name) & (ChairRow.seat == seat)
                database.run(ChairRow.update(**columns_of(chair)).where(at))
                if chair.address != before.chairs[seat].address:
                    risen = (*acts.leave_seat_actions(before.name, seat), *risen)
        for deed in risen:
            people.apply_action(database, deed)
        if minute is not None:
            note(database, minute)
        acts.apply_side_effects(database, entailed)


def pause_all(database: Database, since: Millis, now: Millis, by: str, why: str) -> list[str]:
    """Stop the clock of every game that runs and is not stopped. Returns their names, in order.

    since: up to when their time had run: what was left then is kept. by, why: for their minutes. It needs no
    kind of game, so that one that cannot be read here is stopped too. A part of the caller's transaction.
    """
    paused = []
    with database.writing():
        rows = list(
            database.run(GameRow.select(GameRow.name, GameRow.rev, GameRow.deadline).where(_IS_RUNNING_GAME))
        )
        for row in sorted(rows, key=lambda row: str(row.name)):
            clock: Any = database.first(ClockRow.select().where(ClockRow.game == row.name))
            timing = timing_in(None if clock is None else clock.document)
            if timing.stop is not None:
                continue
            remaining_ms = 0 if row.deadline is None else max(0, int(row.deadline) - since)
            stop = Stop(kind="pause", since=now, left=remaining_ms, by=by, why=why)
            first = timing.first if timing.first is not None else row.deadline
            set_timing(database, row.name, replace_fields(timing, first=first, stop=stop))
            columns = {**revision_columns(row.rev), "deadline": None}
            database.run(GameRow.update(**columns).where(GameRow.name == row.name))
            note(database, Minute(game=row.name, at=now, by=by, what=PAUSED_BY_RESTORE, why=why))
            paused.append(str(row.name))
    return paused


def note(database: Database, minute: Minute) -> None:
    """Put something into a game's minutes, as a part of the caller's transaction."""
    with database.writing():
        fields = {name: getattr(minute, name) for name in Minute.__struct_fields__}
        database.run(MinuteRow.insert(**fields))


def minutes(database: Database, game: str) -> tuple[Minute, ...]:
    """Return the changes to a game besides its turns, oldest first."""
    rows = MinuteRow.select().where(MinuteRow.game == game).order_by(MinuteRow.number)
    with database.reading():
        return tuple(
            Minute(game=row.game, at=row.at, by=row.by, what=row.what, why=row.why)
            for row in database.run(rows)
        )


def delete(database: Database, game: str, by: str, why: str, now: Millis) -> None:
    """Strike a game from the books with all that belongs to it, its letters too; its minutes stay."""
    with database.writing():
        database.run(GameRow.delete().where(GameRow.name == game))
        pruning.forget_letters_of(database, game)
        note(database, Minute(game=game, at=now, by=by, what=DELETED, why=why))


def was_deleted(database: Database, name: str) -> bool:
    """Return whether a game of that name was deleted from the database."""
    struck = MinuteRow.select(MinuteRow.number).where((MinuteRow.game == name) & (MinuteRow.what == DELETED))
    with database.reading():
        return database.first(struck) is not None


def deleted_names(database: Database) -> frozenset[str]:
    """The names of games that were struck from the books."""
    with database.reading():
        struck = MinuteRow.select(MinuteRow.game).where(MinuteRow.what == DELETED)
        return frozenset(row.game for row in database.run(struck))
