"""Letters that wait to be read, taken in hand by one worker: a sender's one after the other.

A lease that has run out, or was left by one who died, is no more: whoever comes next takes the letter over.
"""

# Rule 1: claims are made one at a time, so that nobody takes a sender's second letter while another is just
#         taking the first.
# Rule 2: no sender's letters come before all others': after STRETCH of his it is the others' turn.

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from adjudicator.clock import MINUTE, Millis
from adjudicator.model.mail import StoredLetter
from adjudicator.storage.database import Database
from adjudicator.storage.inbox import letter_of_row
from adjudicator.storage.prepared import Prepared, lock_unclaimed, slot, slot_values, slots
from adjudicator.storage.queue_order import is_fair, order_fairly
from adjudicator.storage.tables import LetterRow

LETTER_LEASE_MS: Millis = 5 * MINUTE
"""How long letters are in one's hands: far above what the longest of them was measured to take."""

LETTERS_AT_ONCE = 20
MAX_LETTERS_PER_SENDER = 10
"""So many letters of one sender are read at a stretch where others wait."""

LETTERS_LOCK = 0x7475_0001
"""The number under which workers agree who takes letters."""

LETTER_SCAN_LIMIT = 5000
"""Among so many of the oldest letters it is everybody's turn; more would make each claim dearer."""

_CLEAR_LETTER_LEASE: dict[str, Any] = {"lease": None, "worker": None}
_WAITS = LetterRow.disposition.is_null()


def claim(
    database: Database,
    now: Millis,
    worker: str,
    limit: int = LETTERS_AT_ONCE,
    lease_ms: Millis = LETTER_LEASE_MS,
) -> tuple[StoredLetter, ...]:
    """Letters that wait and are in nobody else's hands: in this worker's, for the lease, in order."""
    with database.session():
        if not database.ask(_SELECT_CLAIMABLE_LETTER, now=now, worker=worker):
            return ()
        with database.writing():
            database.wait_for_lock(LETTERS_LOCK)
            numbers = _next(database, now, worker, limit)
            waiting = _select_waiting(len(numbers), database.is_shared)
            rows = {row.number: row for row in database.ask(waiting, **slot_values(numbers))}
            if rows:
                until = now + lease_ms
                database.do(_update_claims(len(rows)), lease=until, worker=worker, **slot_values(rows))
    return tuple(letter_of_row(rows[number], worker) for number in numbers if number in rows)


def claim_one(
    database: Database, number: int, now: Millis, worker: str, lease_ms: Millis = LETTER_LEASE_MS
) -> StoredLetter | None:
    """The letter of that number, if it waits and is in nobody's hands: in this worker's, for the lease."""
    here = (LetterRow.number == number) & _WAITS & _free(now, worker)
    with database.writing():
        taken = database.run(LetterRow.update(lease=now + lease_ms, worker=worker).where(here))
        row = database.first(LetterRow.select().where(LetterRow.number == number)) if taken else None
    return None if row is None else letter_of_row(row, worker)


def give_back(database: Database, workers: Sequence[str] | None = None) -> int:
    """Take letters out of the hands of workers (None: of all), for others to read. Returns how many."""
    whose = LetterRow.worker.is_null(False) if workers is None else LetterRow.worker.in_(list(workers))
    with database.writing():
        return int(database.run(LetterRow.update(**_CLEAR_LETTER_LEASE).where(_WAITS & whose)))


def _next(database: Database, now: Millis, worker: str, limit: int) -> list[int]:
    """The numbers of the letters that are read next, in order."""
    # Of letters that were handled nobody is named any more: few rows are asked.
    busy = [row.sender for row in database.ask(_SELECT_BUSY_SENDERS, now=now, worker=worker)]
    if not busy:
        oldest = database.ask(_SELECT_OLDEST_LETTERS, now=now, worker=worker, limit=limit)
        if is_fair((row.sender for row in oldest), MAX_LETTERS_PER_SENDER):
            return [row.number for row in oldest]
    here = _here(now, worker).where(LetterRow.sender.not_in(busy))
    return order_fairly(database, here, _LETTER_ORDER, limit, MAX_LETTERS_PER_SENDER, LETTER_SCAN_LIMIT)


def _free(now: Any, worker: Any) -> Any:
    # What a worker has in hand when he takes more he has left lying, by a fault of the world.
    return LetterRow.lease.is_null() | (LetterRow.lease <= now) | (LetterRow.worker == worker)


def _here(now: Any, worker: Any) -> Any:
    fields = LetterRow.number, LetterRow.sender, LetterRow.received
    return LetterRow.select(*fields).where(_WAITS & _free(now, worker))


@lru_cache(maxsize=2 * LETTERS_AT_ONCE)
def _select_waiting(count: int, shared: bool) -> Prepared:
    """Return the query for the letters of a list that wait to be claimed. shared: as `Database.is_shared`."""
    here = LetterRow.select().where(LetterRow.number.in_(slots(count)) & _WAITS)
    return Prepared(lock_unclaimed(here, shared))


@lru_cache(maxsize=LETTERS_AT_ONCE)
def _update_claims(count: int) -> Prepared:
    """Return the statement that claims a list of letters."""
    mine = LetterRow.number.in_(slots(count))
    return Prepared(LetterRow.update(lease=slot("lease"), worker=slot("worker")).where(mine))


# By the whole of an index: PostgreSQL does not see that the first of its columns is the same in all.
_LETTER_ORDER = (LetterRow.disposition, LetterRow.received, LetterRow.number)
_SELECT_OLDEST_LETTERS = Prepared(
    _here(slot("now"), slot("worker")).order_by(*_LETTER_ORDER).limit(slot("limit"))
)
_SELECT_BUSY_SENDERS = Prepared(
    LetterRow.select(LetterRow.sender)
    .distinct()
    .where(
        # So written an index finds them; by "is not the same" SQLite goes through every letter on the books.
        ((LetterRow.worker < slot("worker")) | (LetterRow.worker > slot("worker")))
        & (LetterRow.lease > slot("now"))
    )
)
_SELECT_CLAIMABLE_LETTER = Prepared(
    LetterRow.select(LetterRow.number).where(_WAITS & _free(slot("now"), slot("worker"))).limit(1)
)
"""Whether there is one: asked at every round."""
