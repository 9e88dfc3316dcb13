"""The marks of restored games, in the table of what the service remembers."""

from __future__ import annotations

from adjudicator.clock import Millis
from adjudicator.model.games import SeatAssignment
from adjudicator.model.restore_marks import GenerationWindow, RestoreMark, open_window
from adjudicator.storage.database import Database, Prepared, slot
from adjudicator.storage.seats import chair_of
from adjudicator.storage.tables import ChairRow, GameRow, MetaRow
from games.protocol import Seat
from games.record import canonical, load, replace_fields

_RESTORE_MARK_KEY_PREFIX = "restored/"
_SELECT_RESTORE_MARK = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))
_UPSERT_RESTORE_MARK = Prepared(
    MetaRow.insert(key=slot("key"), value=slot("value")).on_conflict(
        conflict_target=[MetaRow.key], preserve=[MetaRow.value]
    )
)


def read_mark(database: Database, game: str) -> RestoreMark | None:
    """Return the mark of a game, or None where it was never restored."""
    with database.session():
        rows = database.ask(_SELECT_RESTORE_MARK, key=_RESTORE_MARK_KEY_PREFIX + game)
    return load(RestoreMark, bytes(rows[0].value)) if rows else None


def write_mark(database: Database, game: str, mark: RestoreMark) -> None:
    """Write the mark of a game, as a part of the caller's transaction."""
    with database.writing():
        database.do(_UPSERT_RESTORE_MARK, key=_RESTORE_MARK_KEY_PREFIX + game, value=canonical(mark))


def mark_all(
    database: Database, made: Millis, now: Millis
) -> list[tuple[str, SeatAssignment, SeatAssignment]]:
    """Mark every game as restored, and give each seat tokens that nobody was sent before.

    made: when the backup was made. Seats that only bots have held keep their generation. Returns the seats
    that have another one: the game, the seat before and after. A part of the caller's transaction.
    """
    raised: list[tuple[str, SeatAssignment, SeatAssignment]] = []
    with database.writing():
        names = sorted(row.name for row in database.run(GameRow.select(GameRow.name)))
        for name in names:
            before, windows = read_mark(database, name), dict[Seat, GenerationWindow]()
            rows = list(database.run(ChairRow.select().where(ChairRow.game == name)))
            for chair in map(chair_of, rows):
                if not chair.is_person and chair.generation == 1:
                    continue
                window = open_window(chair, before)
                if chair.is_person:
                    windows[chair.seat] = window
                here = (ChairRow.game == name) & (ChairRow.seat == chair.seat)
                database.run(ChairRow.update(generation=window.current).where(here))
                raised.append((name, chair, replace_fields(chair, generation=window.current)))
            write_mark(database, name, RestoreMark(made=made, restored=now, seats=windows))
    return raised


def narrow_window(database: Database, game: str, seat: Seat, seen: int, generation: int) -> None:
    """Keep a seat's older tokens good when one of them was seen by others, but for those up to that one.

    seen: its generation, 0: the present one was seen; generation: the seat's new one. A part of the caller's
    transaction.
    """
    mark = read_mark(database, game)
    window = None if mark is None else mark.seats.get(seat)
    if mark is None or window is None or window.current + 1 != generation:
        return
    kept = replace_fields(window, low=max(window.low, seen + 1), current=generation)
    write_mark(database, game, replace_fields(mark, seats={**mark.seats, seat: kept}))


def note_stopped(database: Database, game: str, since: Millis) -> None:
    """Note that the restore stopped a game's clock, as a part of the caller's transaction."""
    mark = read_mark(database, game)
    if mark is not None:
        write_mark(database, game, replace_fields(mark, stopped=since))
