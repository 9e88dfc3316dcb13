"""Press on the books: kept as it was written, for those who may read it."""

from typing import Any

from adjudicator.auth.seat_marks import mask_seats
from adjudicator.clock import Millis
from adjudicator.model.people import Press
from adjudicator.storage.database import Database
from adjudicator.storage.tables import PressRow
from games.protocol import Seat
from games.record import canonical, load

_BLIND = " blind"
"""So ends the kind of what answers grey press, in its row."""


def write(database: Database, game: str, press: Press, key: str) -> None:
    """Keep what somebody wrote, as a part of the caller's transaction; but once for a key."""
    row = PressRow.insert(
        key=key,
        game=game,
        turn=press.turn,
        seat=press.seat,
        kind=f"{press.kind}{_BLIND}" if press.blind else press.kind,
        hearers=None if press.to is None else canonical(press.to).decode(),
        text=press.text,
        written=press.at,
    )
    with database.writing():
        database.run(row.on_conflict_ignore())


def list_press(database: Database, game: str, since: Millis = 0) -> tuple[Press, ...]:
    """The press of a game written since an instant, oldest first."""
    here = (PressRow.game == game) & (PressRow.written >= since)
    with database.reading():
        rows = database.run(PressRow.select().where(here).order_by(PressRow.number))
        return tuple(press_of(row) for row in rows)


def of_key(database: Database, key: str) -> Press | None:
    """Return the press of a key, or None."""
    with database.reading():
        row = database.first(PressRow.select().where(PressRow.key == key))
    return None if row is None else press_of(row)


def press_of(row: Any) -> Press:
    """Return a row as the value that is read."""
    return Press(
        number=row.number,
        turn=row.turn,
        seat=None if row.seat is None else Seat(row.seat),
        kind=row.kind.removesuffix(_BLIND),
        to=None if row.hearers is None else load(tuple[Seat, ...], row.hearers.encode()),
        # Grey press that was kept before its seats were masked is masked here, for all who read it.
        text=mask_seats(row.text) if row.kind == "grey" else row.text,
        at=row.written,
        blind=row.kind.endswith(_BLIND),
    )
