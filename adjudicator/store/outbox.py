"""Letters that go out. A row goes from ready to sending, committed before the wire, and on by its receipt.

States: ready, sending, sent, failed, and unsure (a sender died between the two; a later release probes).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from adjudicator.clock import Millis
from adjudicator.ledger import Receipt, Sealed
from adjudicator.store.database import Database, storable
from adjudicator.store.tables import ChairRow, OutRow
from games.protocol import Seat
from games.record import Record

STATES = ("ready", "sending", "sent", "failed", "unsure")
MINUTE: Millis = 60_000
LEASE: Millis = 15 * MINUTE
"""How long a sender may have letters in hand: far above the longest stall that was measured."""
BACKOFF: tuple[Millis, ...] = (MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 240 * MINUTE)
"""What is waited after each attempt; the last one again and again."""
PATIENCE: Millis = 3 * 24 * 60 * MINUTE
"""After that long, a letter that was only ever put off has failed."""


class Posted(Record, frozen=True, kw_only=True):
    """A letter of the outbox and how it fares. why: what the other side last said."""

    number: int
    sealed: Sealed
    state: str
    attempts: int
    created: Millis
    not_before: Millis
    settled: Millis | None
    why: str | None


def put(database: Database, sealed: Iterable[Sealed], now: Millis, letter: int | None = None) -> None:
    """Put letters in the outbox, as a part of the caller's transaction; but none whose key is there already.

    letter: the number of the letter that they answer.
    """
    with database.writing():
        for one in sealed:
            query = OutRow.insert(
                key=one.key,
                message_id=one.message_id,
                sender=one.sender,
                recipient=one.to,
                data=one.raw,
                game=one.game,
                seat=one.seat,
                letter=letter,
                state="ready",
                created=now,
                not_before=now,
            )
            database.run(query.on_conflict_ignore())


def claim(database: Database, now: Millis, limit: int = 50, lease_ms: Millis = LEASE) -> tuple[Sealed, ...]:
    """The next letters to be sent, oldest first. They are in the caller's hands for the lease."""
    with database.writing():
        ready = OutRow.select().where((OutRow.state == "ready") & (OutRow.not_before <= now))
        rows = list(database.run(ready.order_by(OutRow.number).limit(limit)))
        numbers = [row.number for row in rows]
        taken = OutRow.update(state="sending", lease=now + lease_ms, attempts=OutRow.attempts + 1)
        database.run(taken.where(OutRow.number.in_(numbers)))
    return tuple(_sealed(row) for row in rows)


def settle(database: Database, receipts: Iterable[Receipt], now: Millis) -> None:
    """Note what became of letters that were claimed. A letter that failed is noted at its seat too."""
    with database.writing():
        for receipt in receipts:
            row = database.first(OutRow.select().where(OutRow.key == receipt.key))
            if row is not None and row.state != "sent":
                _note(database, row, receipt, now)


def recover(database: Database, now: Millis, *, at_start: bool = False) -> int:
    """Make letters ready again whose sender did not come back: same bytes, same Message-ID. Returns how many.

    at_start: there is no other sender, so every letter that is being sent was left by one that died.
    """
    lost = OutRow.state == "sending"
    if not at_start:
        lost &= OutRow.lease <= now
    with database.writing():
        return int(database.run(OutRow.update(state="ready", lease=None, not_before=now).where(lost)))


def list_posted(database: Database, limit: int = 50, states: Sequence[str] = STATES) -> tuple[Posted, ...]:
    """The latest letters in one of the states, latest first."""
    with database.reading():
        rows = OutRow.select().where(OutRow.state.in_(list(states))).order_by(OutRow.number.desc())
        return tuple(_posted(row) for row in database.run(rows.limit(limit)))


def find(database: Database, message_id: str) -> Posted | None:
    """The letter of ours with that Message-ID, angle brackets and all; None if we wrote no such letter."""
    with database.reading():
        row = database.first(OutRow.select().where(OutRow.message_id == message_id.strip()))
        return None if row is None else _posted(row)


def show(database: Database, number: int) -> Posted | None:
    """One letter of the outbox by its number; None if there is none of that number."""
    with database.reading():
        row = database.first(OutRow.select().where(OutRow.number == number))
        return None if row is None else _posted(row)


def answers_to(database: Database, letter: int) -> tuple[Posted, ...]:
    """What was written in answer to a letter that came in, by its number there; oldest first."""
    with database.reading():
        rows = OutRow.select().where(OutRow.letter == letter).order_by(OutRow.number)
        return tuple(_posted(row) for row in database.run(rows))


def counts(database: Database) -> dict[str, int]:
    """How many letters are in each state."""
    with database.reading():
        return {state: database.count(OutRow.select().where(OutRow.state == state)) for state in STATES}


def _note(database: Database, row: Any, receipt: Receipt, now: Millis) -> None:
    why = storable(receipt.why)
    if receipt.outcome == "sent":
        why, columns = None, {"state": "sent", "settled": now}
    elif receipt.outcome == "held":
        retry_at = receipt.retry_at or now + MINUTE
        columns = {"state": "ready", "not_before": retry_at, "attempts": row.attempts - 1}
    elif receipt.outcome == "later" and now - row.created < PATIENCE:
        wait = BACKOFF[min(max(row.attempts, 1), len(BACKOFF)) - 1]
        columns = {"state": "ready", "not_before": receipt.retry_at or now + wait}
    else:
        columns = {"state": "failed", "settled": now}
    database.run(OutRow.update(lease=None, why=why, **columns).where(OutRow.number == row.number))
    if columns["state"] != "ready":
        _note_trouble(database, row, why)


def _note_trouble(database: Database, row: Any, trouble: str | None) -> None:
    at_seat = (ChairRow.game == row.game) & (ChairRow.seat == row.seat) & (ChairRow.address == row.recipient)
    database.run(ChairRow.update(trouble=trouble).where(at_seat))


def _sealed(row: Any) -> Sealed:
    return Sealed(
        key=row.key,
        message_id=row.message_id,
        sender=row.sender,
        to=row.recipient,
        raw=bytes(row.data),
        game=row.game,
        seat=None if row.seat is None else Seat(row.seat),
    )


def _posted(row: Any) -> Posted:
    return Posted(
        number=row.number,
        sealed=_sealed(row),
        state=row.state,
        attempts=row.attempts,
        created=row.created,
        not_before=row.not_before,
        settled=row.settled,
        why=row.why,
    )
