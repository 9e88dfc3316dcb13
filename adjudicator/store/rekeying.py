"""The reply tokens of a seat made void on the books: nothing else about it changes."""

from typing import Any

from adjudicator.clock import Millis
from adjudicator.ledger.game_acts import Rekey
from adjudicator.ledger.hours import Timing
from adjudicator.ledger.positions import Chair
from adjudicator.store.database import Database
from adjudicator.store.tables import ChairRow, ClockRow, MinuteRow
from games.record import canonical, changed, load


def rekey(database: Database, act: Rekey, chair: Chair, now: Millis) -> None:
    """Raise a seat's generation, as a part of the caller's transaction, and note why in the minutes.

    Whoever sits there is the same: the turns in which he was silent go on being counted.
    """
    after = changed(chair, generation=chair.generation + 1)
    here = (ChairRow.game == act.game) & (ChairRow.seat == act.seat)
    with database.writing():
        database.run(ChairRow.update(generation=after.generation).where(here))
        _move_lapses(database, act.game, chair.lapse_key, after.lapse_key)
        what = f"{act.seat}: a new reply address"
        database.run(MinuteRow.insert(game=act.game, at=now, by=act.by, what=what, why=act.why))


def _move_lapses(database: Database, game: str, old: str, new: str) -> None:
    clock = ClockRow.game == game
    row: Any = database.first(ClockRow.select(ClockRow.document).where(clock))
    timing = load(Timing, row.document.encode()) if row is not None else Timing()
    if old in timing.lapses:
        lapses = {new if key == old else key: turns for key, turns in timing.lapses.items()}
        document = canonical(changed(timing, lapses=lapses)).decode()
        database.run(ClockRow.update(document=document).where(clock))
