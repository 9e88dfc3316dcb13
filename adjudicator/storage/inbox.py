"""Incoming emails: stored first, then settled together with all their effects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from peewee import fn

from adjudicator.auth import tokens
from adjudicator.clock import MINUTE, Millis
from adjudicator.errors import WriteConflict
from adjudicator.model.games import BeginGame, TakeBack
from adjudicator.model.mail import (
    DISPOSITIONS,
    DROPPED,
    POSTPONED,
    WAITING,
    IncomingLetter,
    LetterOutcome,
    OutgoingMessage,
    StoredLetter,
)
from adjudicator.storage import bounces, metadata, outbox, stored_games
from adjudicator.storage import stored_games as stored
from adjudicator.storage.database import Database, Prepared, lock_unclaimed, slot, slot_values, slots
from adjudicator.storage.outbox import is_fair, order_fairly
from adjudicator.storage.tables import GameRow, LetterRow, MetaRow, SeenRow
from games.protocol import Seat
from games.record import Record, Value, canonical, load, replace_fields
from orders.mail import letter as opened

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition, LogEntry
    from adjudicator.storage.stored_games import NewGame


_HEAD_LIMIT_BYTES = 65536
BATCH_LETTERS, BATCH_BYTES = 25, 4_000_000
"""The maximum number of emails that are stored in one transaction."""

_KEEP = Prepared(
    LetterRow.insert(
        **{name: slot(name) for name in ("fingerprint", "received", "data", "sender")}
    ).on_conflict_ignore()
)
_NOTE_PLACE = Prepared(
    SeenRow.insert(**{name: slot(name) for name in ("mailbox", "place", "letter")}).on_conflict(
        conflict_target=[SeenRow.mailbox, SeenRow.place], preserve=[SeenRow.letter]
    )
)
_FACTS = ("disposition", "why", "speaker", "game", "seat", "handled")
_UPDATE_PROCESSED_LETTER = LetterRow.update(**{name: slot(name) for name in _FACTS}, lease=None, worker=None)
_IS_WAITING_LETTER = (LetterRow.number == slot("number")) & LetterRow.disposition.is_null()
_TICK_OFF = Prepared(_UPDATE_PROCESSED_LETTER.where(_IS_WAITING_LETTER))
_TICK_OFF_OURS = Prepared(
    _UPDATE_PROCESSED_LETTER.where(_IS_WAITING_LETTER & (LetterRow.worker == slot("worker")))
)
_UPDATE_LETTER_DATA = Prepared(LetterRow.update(data=slot("data")).where(LetterRow.number == slot("number")))

_OLDEST_UNREAD = Prepared(
    LetterRow.select(LetterRow.received)
    .where(LetterRow.disposition.is_null())
    .order_by(LetterRow.disposition, LetterRow.received, LetterRow.number)
    .limit(1)
)


class ShownLetter(Record, frozen=True, kw_only=True):
    """An email as the GM sees it. disposition None: not processed yet. tries: the number of attempts."""

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


class LetterEffects(Value, frozen=True):
    """The effects of an email in addition to its acts.

    answers: replies to it. told: emails to others. begun: the games that it begins, each with its emails.
    restored: undone actions, each as the game before it, the game after it, and the log entry.
    """

    answers: Sequence[OutgoingMessage] = ()
    told: Sequence[OutgoingMessage] = ()
    begun: Sequence[tuple[NewGame, Sequence[OutgoingMessage]]] = ()
    restored: Sequence[tuple[GamePosition, GamePosition, LogEntry]] = ()


def batches(letters: Iterable[IncomingLetter]) -> Iterator[list[IncomingLetter]]:
    """Yield emails in batches of the size that one transaction stores."""
    batch: list[IncomingLetter] = []
    for arrived in letters:
        batch.append(arrived)
        if len(batch) == BATCH_LETTERS or sum(len(letter.raw) for letter in batch) > BATCH_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def store_letters(database: Database, arrived: Sequence[IncomingLetter], now: Millis) -> int:
    """Store emails unchanged. Commits when it returns. Return the number of new ones.

    Duplicates are skipped. An email of our own, such as our own copy, isn't processed: the outbox only
    records that it came back.
    """
    named = [(*opened.names_of(letter.raw), opened.fingerprint(letter.raw), letter) for letter in arrived]
    with database.writing():
        ours = outbox.confirm(database, [message_id for message_id, *_ in named], now)
        letters = [(mark, letter) for message_id, _, mark, letter in named if message_id not in ours]
        senders = {mark: sender for _, sender, mark, _ in named}
        if not letters:
            return 0
        new = sum(
            database.do(
                _KEEP, fingerprint=mark, received=letter.received, data=letter.raw, sender=senders[mark]
            )
            for mark, letter in letters
        )
        marks = slot_values(mark for mark, _ in letters)
        rows = database.ask(_select_by_fingerprints(len(letters)), **marks)
        numbers = {row.fingerprint: row.number for row in rows}
        for mark, letter in letters:
            database.do(_NOTE_PLACE, mailbox=letter.mailbox, place=letter.place, letter=numbers[mark])
    return new


def known_places(database: Database, mailbox: str, places: Sequence[str]) -> frozenset[str]:
    """Return those of some mailbox places that have their email in the database."""
    seen = SeenRow.select(SeenRow.place).where((SeenRow.mailbox == mailbox) & SeenRow.place.in_(list(places)))
    with database.reading():
        return frozenset(row.place for row in database.run(seen))


def received_at(database: Database, mark: str) -> Millis | None:
    """Return when the email with this fingerprint was received, or None if it isn't in the database."""
    with database.reading():
        row = database.first(LetterRow.select(LetterRow.received).where(LetterRow.fingerprint == mark))
        return None if row is None else int(row.received)


def waiting_letters(database: Database, limit: int = 50) -> tuple[StoredLetter, ...]:
    """Return the waiting emails in the order of their arrival at our servers."""
    waiting = LetterRow.select().where(LetterRow.disposition.is_null())
    with database.reading():
        rows = database.run(waiting.order_by(LetterRow.received, LetterRow.number).limit(limit))
        return tuple(map(letter_of_row, rows))


def read_until(database: Database) -> Millis | None:
    """Return an instant: all emails received before it were read. None before the first full poll."""
    with database.reading():
        # Asked first, so that the second query sees the emails that this poll has stored.
        polled = metadata.last_poll(database)
        unread = database.ask(_OLDEST_UNREAD)
    return polled if polled is None or not unread else min(polled, int(unread[0].received))


def waiting(database: Database, number: int) -> StoredLetter | None:
    """Return the email with this number if it is waiting."""
    here = (LetterRow.number == number) & LetterRow.disposition.is_null()
    with database.reading():
        row = database.first(LetterRow.select().where(here))
        return None if row is None else letter_of_row(row)


def groups(letters: Iterable[StoredLetter]) -> Iterator[list[StoredLetter]]:
    """Return the next emails to process together.

    One that was tried before is processed alone, as it may crash us.
    """
    for begun, group in groupby(letters, key=lambda kept: kept.tries > 0):
        together = list(group)
        yield from ([kept] for kept in together) if begun else [together]


def strike(database: Database, numbers: Sequence[int]) -> None:
    """Record that processing emails begins. Commits."""
    if numbers:
        with database.writing():
            database.do(_striking(len(numbers)), **slot_values(numbers))


@lru_cache(maxsize=64)
def _striking(count: int) -> Prepared:
    struck = LetterRow.number.in_(slots(count))
    return Prepared(LetterRow.update(tries=LetterRow.tries + 1).where(struck))


def forgive(database: Database, numbers: Sequence[int], worker: str | None = None) -> None:
    """Undo the count of an attempt that failed for a reason outside the emails, and release them.

    worker: release only the emails that it has claimed.
    """
    free = {"lease": None, "worker": None}
    with database.writing():
        struck = LetterRow.number.in_(list(numbers))
        if worker is not None:
            struck &= LetterRow.worker == worker
        database.run(LetterRow.update(tries=LetterRow.tries - 1, **free).where(struck))


def settle(
    database: Database, kept: StoredLetter, handled: LetterOutcome, consequences: LetterEffects, now: Millis
) -> None:
    """Apply an email's acts, put the replies in the outbox and mark it as processed, in one transaction.

    Delivery to an address that acts for its seat is re-enabled. Raises WriteConflict, without changes, if the
    email was settled meanwhile or is claimed by another worker, if an act is for a turn that is over, or if
    another game has the name of a new one. The email must then be read again. Raises Refusal as
    `stored_games.perform` does.
    """
    with database.writing():
        _tick_off(database, kept.number, handled, now, kept.worker)
        if handled.waits or kept.waited:
            note_turns(database, kept.number, handled.waits)
        for before, after, entry in consequences.restored:
            stored.amend(database, before, after, entry, stored_games.SideEffects(now))
        for act in handled.acts:
            if not isinstance(act, BeginGame | TakeBack):
                stored_games.apply(database, act, now)
        if handled.bounce is not None:
            bounces.note(database, handled.bounce, now)
        if handled.disposition == "read" and handled.seat is not None and handled.speaker is not None:
            bounces.enable_address(database, handled.speaker)
        if handled.disposition == "read" and (data := tokens.redact_letter(kept.raw)) is not kept.raw:
            database.do(_UPDATE_LETTER_DATA, number=kept.number, data=data)
        outbox.put(database, consequences.answers, now, letter=kept.number)
        outbox.put(database, consequences.told, now)
        for new, first_letters in consequences.begun:
            if stored.is_taken(database, new.name):
                raise WriteConflict(f"a game {new.name} was created meanwhile")
            stored.create(database, new, first_letters, now)


def quarantine(
    database: Database, number: int, why: str, now: Millis, sealed: Sequence[OutgoingMessage] = ()
) -> None:
    """Quarantine an email for the GM. sealed: emails that report it. Raises as `settle` does."""
    with database.writing():
        _tick_off(database, number, LetterOutcome(disposition="quarantined", why=why), now)
        outbox.put(database, sealed, now)


def reopen(database: Database, number: int, game: str | None = None, seat: Seat | None = None) -> bool:
    """Have an unread email read again. game, seat: the seat that it acts for.

    Return False, without changes, if no email with this number was ignored, quarantined or postponed.
    """
    fresh = {"disposition": None, "why": None, "handled": None, "tries": 0, "game": game, "seat": seat}
    fresh |= {"lease": None, "worker": None}
    with database.writing():
        return bool(database.run(LetterRow.update(**fresh).where(_can_be_reopened(number))))


def drop(database: Database, number: int, now: Millis) -> bool:
    """Discard an unread email permanently. Return False as `reopen` does."""
    gone = {"disposition": DROPPED, "handled": now}
    with database.writing():
        return bool(database.run(LetterRow.update(**gone).where(_can_be_reopened(number))))


def _can_be_reopened(number: int) -> Any:
    there = fn.LENGTH(LetterRow.data) > 0
    return (
        (LetterRow.number == number)
        & LetterRow.disposition.in_(["quarantined", "ignored", POSTPONED])
        & there
    )


def list_letters(
    database: Database, limit: int = 50, disposition: str | None = None
) -> tuple[ShownLetter, ...]:
    """Return the latest emails, newest first, each with at most its first 64 KB.

    disposition: only emails with this disposition, or WAITING.
    """
    head = fn.SUBSTR(LetterRow.data, 1, _HEAD_LIMIT_BYTES)
    others = [field for field in LetterRow._meta.sorted_fields if field is not LetterRow.data]
    query = LetterRow.select(*others, head.alias("data"))
    if disposition == WAITING:
        query = query.where(LetterRow.disposition.is_null())
    elif disposition is not None:
        query = query.where(LetterRow.disposition == disposition)
    with database.reading():
        rows = database.run(query.order_by(LetterRow.number.desc()).limit(limit))
        return tuple(_shown_letter(row) for row in rows)


def counts(database: Database) -> dict[str, int]:
    """Return the number of emails that are "waiting", and the number with each disposition."""
    tally = LetterRow.select(LetterRow.disposition, fn.COUNT(LetterRow.number).alias("count"))
    with database.reading():
        rows = database.run(tally.group_by(LetterRow.disposition))
        numbers = {row.disposition or WAITING: int(row.count) for row in rows}
    return {name: numbers.get(name, 0) for name in DISPOSITIONS}


def show(database: Database, number: int) -> ShownLetter | None:
    """Return a whole email by its number, or None."""
    with database.reading():
        row = database.first(LetterRow.select().where(LetterRow.number == number))
        return None if row is None else _shown_letter(row)


@lru_cache(maxsize=64)
def _select_by_fingerprints(count: int) -> Prepared:
    """Return the numbers of the emails with these fingerprints."""
    here = LetterRow.fingerprint.in_(slots(count))
    return Prepared(LetterRow.select(LetterRow.number, LetterRow.fingerprint).where(here))


def _tick_off(
    database: Database, number: int, handled: LetterOutcome, now: Millis, worker: str | None = None
) -> None:
    facts = {
        "disposition": handled.disposition,
        "why": handled.why,
        "speaker": handled.speaker,
        "game": handled.game,
        "seat": handled.seat,
        "handled": now,
    }
    if worker is None:
        done = database.do(_TICK_OFF, number=number, **facts)
    else:
        # A worker that was stopped for longer than its lease can't settle emails that another worker reads in
        # order.
        done = database.do(_TICK_OFF_OURS, number=number, worker=worker, **facts)
    if not done:
        raise WriteConflict(f"email {number} was settled, or another worker has claimed it")


def letter_of_row(row: Any, worker: str | None = None) -> StoredLetter:
    """Return an email's row as a value. worker: the worker that claims it."""
    return StoredLetter(
        number=row.number,
        received=row.received,
        raw=bytes(row.data),
        fingerprint=row.fingerprint,
        tries=row.tries,
        game=row.game,
        seat=None if row.seat is None else Seat(row.seat),
        worker=worker,
    )


def _shown_letter(row: Any) -> ShownLetter:
    return ShownLetter(
        number=row.number,
        received=row.received,
        raw=bytes(row.data or b""),
        disposition=row.disposition,
        why=row.why,
        speaker=row.speaker,
        game=row.game,
        seat=None if row.seat is None else Seat(row.seat),
        tries=row.tries,
        handled=row.handled,
    )


# Claims on waiting emails: one worker reads a sender's emails one after another.
#
# A lease no longer counts once it has expired or its worker has died. The next worker takes over the email.


# Rule 1: workers claim one at a time, so that a sender's second email is never read before the first. Rule 2:
# no sender can block the others: after MAX_LETTERS_PER_SENDER emails the next sender's are read.


LETTER_LEASE_MS: Millis = 5 * MINUTE
"""The lease on emails: much longer than the longest measured processing time."""

LETTERS_AT_ONCE = 20
MAX_LETTERS_PER_SENDER = 10
"""The number of emails of one sender that are read in a row while others are waiting."""

LETTERS_LOCK = 0x7475_0001
"""The lock number for workers that claim emails."""

LETTER_SCAN_LIMIT = 5000
"""The turns rotate among this many of the oldest emails. More would make each claim slower."""

_CLEAR_LETTER_LEASE: dict[str, Any] = {"lease": None, "worker": None}
_WAITS = LetterRow.disposition.is_null()


def claim(
    database: Database,
    now: Millis,
    worker: str,
    limit: int = LETTERS_AT_ONCE,
    lease_ms: Millis = LETTER_LEASE_MS,
) -> tuple[StoredLetter, ...]:
    """Claim waiting emails for a worker until the lease ends, and return them in order."""
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
    """Claim the email with this number for a worker, if it is waiting and no worker has claimed it."""
    with database.writing():
        if not database.do(_CLAIM_LETTER, number=number, now=now, lease=now + lease_ms, worker=worker):
            return None
        return letter_of_row(database.ask(_SELECT_LETTER, number=number)[0], worker)


def give_back(database: Database, workers: Sequence[str] | None = None) -> int:
    """Release the emails of some workers (None: of all), for others to read. Return their number."""
    whose = LetterRow.worker.is_null(False) if workers is None else LetterRow.worker.in_(list(workers))
    with database.writing():
        return int(database.run(LetterRow.update(**_CLEAR_LETTER_LEASE).where(_WAITS & whose)))


def _next(database: Database, now: Millis, worker: str, limit: int) -> list[int]:
    """Return the numbers of the emails to read next, in order."""
    # Processed emails no longer name a worker, so the query reads few rows.
    busy = [row.sender for row in database.ask(_SELECT_BUSY_SENDERS, now=now, worker=worker)]
    if not busy:
        oldest = database.ask(_SELECT_OLDEST_LETTERS, now=now, worker=worker, limit=limit)
        if is_fair((row.sender for row in oldest), MAX_LETTERS_PER_SENDER):
            return [row.number for row in oldest]
    here = _here(now, worker).where(LetterRow.sender.not_in(busy))
    return order_fairly(database, here, _LETTER_ORDER, limit, MAX_LETTERS_PER_SENDER, LETTER_SCAN_LIMIT)


def _free(now: Any, worker: Any) -> Any:
    # Emails that a worker still has when it claims more were left over after an error.
    return LetterRow.lease.is_null() | (LetterRow.lease <= now) | (LetterRow.worker == worker)


def _here(now: Any, worker: Any) -> Any:
    fields = LetterRow.number, LetterRow.sender, LetterRow.received
    return LetterRow.select(*fields).where(_WAITS & _free(now, worker))


@lru_cache(maxsize=2 * LETTERS_AT_ONCE)
def _select_waiting(count: int, shared: bool) -> Prepared:
    """Return the query for the waiting emails in a list. shared: as `Database.is_shared`."""
    here = LetterRow.select().where(LetterRow.number.in_(slots(count)) & _WAITS)
    return Prepared(lock_unclaimed(here, shared))


@lru_cache(maxsize=LETTERS_AT_ONCE)
def _update_claims(count: int) -> Prepared:
    """Return the statement that claims a list of emails."""
    mine = LetterRow.number.in_(slots(count))
    return Prepared(LetterRow.update(lease=slot("lease"), worker=slot("worker")).where(mine))


# With all columns of the index: PostgreSQL doesn't see that the first column is constant here.
_LETTER_ORDER = (LetterRow.disposition, LetterRow.received, LetterRow.number)
_SELECT_OLDEST_LETTERS = Prepared(
    _here(slot("now"), slot("worker")).order_by(*_LETTER_ORDER).limit(slot("limit"))
)
_SELECT_BUSY_SENDERS = Prepared(
    LetterRow.select(LetterRow.sender)
    .distinct()
    .where(
        # In this form the query uses an index. With "is distinct from", SQLite would scan all emails.
        ((LetterRow.worker < slot("worker")) | (LetterRow.worker > slot("worker")))
        & (LetterRow.lease > slot("now"))
    )
)
_SELECT_CLAIMABLE_LETTER = Prepared(
    LetterRow.select(LetterRow.number).where(_WAITS & _free(slot("now"), slot("worker"))).limit(1)
)
"""Selects an email that can be claimed, if there is one. This query runs in every round."""
_CLAIM_LETTER = Prepared(
    LetterRow.update(lease=slot("lease"), worker=slot("worker")).where(
        (LetterRow.number == slot("number")) & _WAITS & _free(slot("now"), slot("worker"))
    )
)
_SELECT_LETTER = Prepared(LetterRow.select().where(LetterRow.number == slot("number")))


# Emails that wait for a coming turn in restored games, and the turn that each waits for.


_POSTPONED_KEY_PREFIX = "postponed/"
_IS_POSTPONED = LetterRow.disposition == POSTPONED
_SELECT_POSTPONED_OF_GAME = Prepared(
    LetterRow.select(LetterRow.number)
    .where(_IS_POSTPONED & (LetterRow.game == slot("game")))
    .order_by(LetterRow.received, LetterRow.number)
)
_SELECT_POSTPONED_OF_ENDED_GAMES = Prepared(
    LetterRow.select(LetterRow.number)
    .join(GameRow, on=(GameRow.name == LetterRow.game))
    .where(_IS_POSTPONED & (GameRow.status != "running"))
)
_SELECT_POSTPONED_NOTE = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))


def note_turns(database: Database, number: int, turns: Mapping[str, str]) -> None:
    """Record the turns that an email waits for, by game, or none. Runs in the caller's transaction."""
    with database.writing():
        database.run(MetaRow.delete().where(MetaRow.key == f"{_POSTPONED_KEY_PREFIX}{number}"))
        if turns:
            database.run(MetaRow.insert(key=f"{_POSTPONED_KEY_PREFIX}{number}", value=canonical(dict(turns))))


def list_waiting(database: Database, game: str) -> dict[int, str]:
    """Return the emails that wait for a turn of a game: by their numbers, oldest first, with the turn of
    each."""
    with database.reading():
        numbers = [int(row.number) for row in database.ask(_SELECT_POSTPONED_OF_GAME, game=game)]
        return {number: _turns(database, number).get(game, "") for number in numbers}


def add_turns(database: Database, kept: StoredLetter) -> StoredLetter:
    """Return an email with the turns that it waited for, if it did."""
    if kept.game is None or kept.seat is not None:
        return kept
    with database.reading():
        return replace_fields(kept, waited=_turns(database, kept.number))


def find_of_ended_games(database: Database) -> tuple[int, ...]:
    """Return the emails that wait for turns that no longer occur, since the games are over."""
    with database.session():
        return tuple(int(row.number) for row in database.ask(_SELECT_POSTPONED_OF_ENDED_GAMES))


def reopen_postponed(database: Database, numbers: Sequence[int]) -> None:
    """Have the emails read next that waited for a turn. The game of each stays recorded."""
    fresh = {"disposition": None, "why": None, "handled": None, "tries": 0, "lease": None, "worker": None}
    with database.writing():
        here = LetterRow.number.in_(list(numbers)) & _IS_POSTPONED
        database.run(LetterRow.update(**fresh).where(here))


def _turns(database: Database, number: int) -> dict[str, str]:
    rows = database.ask(_SELECT_POSTPONED_NOTE, key=f"{_POSTPONED_KEY_PREFIX}{number}")
    return load(dict[str, str], bytes(rows[0].value)) if rows else {}
