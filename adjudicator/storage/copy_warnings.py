"""The players who were warned that copies of their emails show others their reply address: once a game."""

from peewee import CompositeKey, ForeignKeyField, Model

from adjudicator.model.people_acts import NoteCopyWarning
from adjudicator.storage.database import Database
from adjudicator.storage.tables import DatabaseText, GameRow
from games.protocol import Seat


class CopyWarningRow(Model):
    """The player of a seat who was told. address: theirs, so that the next player is told too."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    address = DatabaseText()

    class Meta:
        table_name = "copy_warning"
        primary_key = CompositeKey("game", "seat")


def note(database: Database, deed: NoteCopyWarning) -> None:
    """Note that the player of a seat was told, as a part of the caller's transaction."""
    row = CopyWarningRow.insert(game=deed.game, seat=deed.seat, address=deed.address)
    target = [CopyWarningRow.game, CopyWarningRow.seat]
    database.run(row.on_conflict(conflict_target=target, preserve=[CopyWarningRow.address]))


def is_noted(database: Database, game: str, seat: Seat, address: str) -> bool:
    """Return whether the player of a seat was told already."""
    here = (CopyWarningRow.game == game) & (CopyWarningRow.seat == seat) & (CopyWarningRow.address == address)
    return bool(database.count(CopyWarningRow.select().where(here)))
