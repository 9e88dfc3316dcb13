"""Press that waits for its readers, in the database."""

from typing import Any

from peewee import BigIntegerField, CompositeKey, ForeignKeyField, Model

from adjudicator.errors import WriteConflict
from adjudicator.model.people import HeldPress
from adjudicator.model.people_acts import HoldPress, ReleasePress
from adjudicator.storage.database import Database
from adjudicator.storage.prepared import Prepared
from adjudicator.storage.press import press_of
from adjudicator.storage.tables import DatabaseText, GameRow, PressRow


class HeldPressRow(Model):
    """A piece of press that waits for one of its readers. press: its key; since: when it began to wait.

    reader: a seat, the address of an observer, or the GM.
    """

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    press = DatabaseText()
    reader = DatabaseText()
    since = BigIntegerField()

    class Meta:
        table_name = "held_press"
        primary_key = CompositeKey("press", "reader")


_MAX_KEYS_PER_QUERY = 500
"""So many keys are looked up by one question."""

# Asked at every round.
_SELECT_ANY_HELD_PRESS = Prepared(HeldPressRow.select(HeldPressRow.game).limit(1))


def hold(database: Database, deed: HoldPress) -> None:
    """Have press wait for a reader, as a part of the caller's transaction."""
    row = HeldPressRow.insert(game=deed.game, press=deed.key, reader=deed.reader, since=deed.at)
    database.run(row.on_conflict_ignore())


def release(database: Database, deed: ReleasePress) -> None:
    """Have press wait no longer, as a part of the caller's transaction.

    Raises Overtaken where some of it went out meanwhile.
    """
    here = (HeldPressRow.reader == deed.reader) & HeldPressRow.press.in_(list(deed.keys))
    if int(database.run(HeldPressRow.delete().where(here))) != len(deed.keys):
        raise WriteConflict(f"press to {deed.reader} in {deed.game} went out meanwhile")


def list_held_press(database: Database, game: str | None) -> tuple[HeldPress, ...]:
    """Return the press that waits, as it was written. game: of that one; None: of all games."""
    with database.session():
        if not database.ask(_SELECT_ANY_HELD_PRESS):
            return ()
    with database.reading():
        waiting = HeldPressRow.select()
        rows = list(database.run(waiting if game is None else waiting.where(HeldPressRow.game == game)))
        written: list[Any] = []
        keys = sorted({row.press for row in rows})
        for at in range(0, len(keys), _MAX_KEYS_PER_QUERY):
            some = PressRow.select().where(PressRow.key.in_(keys[at : at + _MAX_KEYS_PER_QUERY]))
            written += database.run(some)
    press = {row.key: press_of(row) for row in written}
    pieces = (
        HeldPress(
            game=row.game_id, key=row.press, press=press[row.press], reader=row.reader, since=int(row.since)
        )
        for row in rows
        if row.press in press
    )
    return tuple(sorted(pieces, key=lambda piece: (piece.press.number, piece.reader)))
