"""Letters that come in: kept before anything else, and settled together with what they set in motion."""

from collections.abc import Sequence
from typing import Any

from peewee import fn

from adjudicator.clock import Millis
from adjudicator.errors import Overtaken
from adjudicator.ledger import Arrived, Handled, Kept, Sealed
from adjudicator.store import outbox
from adjudicator.store.acts import apply
from adjudicator.store.database import Database, storable
from adjudicator.store.tables import LetterRow, SeenRow
from games.protocol import Seat
from games.record import Record
from orders.letter import fingerprint

_HEAD_LIMIT_BYTES = 65536


class Shown(Record, frozen=True, kw_only=True):
    """A letter as the gamesmaster sees it. disposition None: not yet handled; tries: begun that often."""

    number: int
    received: Millis
    raw: bytes
    disposition: str | None
    why: str | None
    speaker: str | None
    game: str | None
    seat: Seat | None
    tries: int
    handled: Millis | None


def keep(database: Database, arrived: Arrived) -> Kept | None:
    """Write a letter down as it is; committed when this returns. None if it is on the books already."""
    mark = fingerprint(arrived.raw)
    with database.writing():
        known = database.first(LetterRow.select(LetterRow.number).where(LetterRow.fingerprint == mark))
        number = known.number if known else database.run(_insert(arrived, mark))
        seen = SeenRow.insert(mailbox=arrived.mailbox, place=arrived.place, letter=number)
        place = [SeenRow.mailbox, SeenRow.place]
        database.run(seen.on_conflict(conflict_target=place, preserve=[SeenRow.letter]))
    if known:
        return None
    return Kept(number=number, received=arrived.received, raw=arrived.raw, fingerprint=mark)


def unhandled(database: Database, limit: int = 50) -> tuple[Kept, ...]:
    """The letters that wait to be read, in the order in which the servers took them."""
    waiting = LetterRow.select().where(LetterRow.disposition.is_null())
    with database.reading():
        rows = database.run(waiting.order_by(LetterRow.received, LetterRow.number).limit(limit))
        return tuple(
            Kept(number=row.number, received=row.received, raw=bytes(row.data), fingerprint=row.fingerprint)
            for row in rows
        )


def strike(database: Database, number: int) -> int:
    """Note that handling a letter begins; committed. Returns how often it has begun, this time included."""
    with database.writing():
        database.run(LetterRow.update(tries=LetterRow.tries + 1).where(LetterRow.number == number))
        return int(database.first(LetterRow.select().where(LetterRow.number == number)).tries)


def forgive(database: Database, number: int) -> None:
    """Take a strike back: it was not the letter's fault that handling it came to nothing."""
    with database.writing():
        database.run(LetterRow.update(tries=LetterRow.tries - 1).where(LetterRow.number == number))


def settle(database: Database, kept: Kept, handled: Handled, sealed: Sequence[Sealed], now: Millis) -> None:
    """Do what a letter asks for, put the answers in the outbox and tick it off: one transaction.

    Raises Overtaken when the letter has been settled meanwhile, or an act is for a turn that is over:
    nothing is done then, and the letter is to be read again. Refusal as `acts.perform`.
    """
    with database.writing():
        _tick_off(database, kept.number, handled, now)
        for act in handled.acts:
            apply(database, act)
        outbox.put(database, sealed, now, letter=kept.number)


def quarantine(database: Database, number: int, why: str, now: Millis, sealed: Sequence[Sealed] = ()) -> None:
    """Set a letter aside for the gamesmaster. sealed: letters that tell of it. Raises as `settle`."""
    with database.writing():
        _tick_off(database, number, Handled(disposition="quarantined", why=why), now)
        outbox.put(database, sealed, now)


def list_letters(database: Database, limit: int = 50) -> tuple[Shown, ...]:
    """The latest letters, latest first; of each, no more than its first 64 KB."""
    head = fn.SUBSTR(LetterRow.data, 1, _HEAD_LIMIT_BYTES)
    others = [field for field in LetterRow._meta.sorted_fields if field is not LetterRow.data]
    with database.reading():
        rows = database.run(
            LetterRow.select(*others, head.alias("data")).order_by(LetterRow.number.desc()).limit(limit)
        )
        return tuple(_shown(row) for row in rows)


def show(database: Database, number: int) -> Shown | None:
    """One letter, whole; None if there is none of that number."""
    with database.reading():
        row = database.first(LetterRow.select().where(LetterRow.number == number))
        return None if row is None else _shown(row)


def _insert(arrived: Arrived, mark: str) -> Any:
    return LetterRow.insert(fingerprint=mark, received=arrived.received, data=arrived.raw)


def _tick_off(database: Database, number: int, handled: Handled, now: Millis) -> None:
    query = LetterRow.update(
        disposition=handled.disposition,
        why=storable(handled.why),
        speaker=storable(handled.speaker),
        game=handled.game,
        seat=handled.seat,
        handled=now,
    )
    if not database.run(query.where((LetterRow.number == number) & LetterRow.disposition.is_null())):
        raise Overtaken(f"letter {number} has been handled")


def _shown(row: Any) -> Shown:
    return Shown(
        number=row.number,
        received=row.received,
        raw=bytes(row.data),
        disposition=row.disposition,
        why=row.why,
        speaker=row.speaker,
        game=row.game,
        seat=None if row.seat is None else Seat(row.seat),
        tries=row.tries,
        handled=row.handled,
    )
