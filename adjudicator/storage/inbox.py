"""Letters that come in: kept first, and settled together with what they set in motion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from peewee import fn

from adjudicator.auth import redaction
from adjudicator.clock import Millis
from adjudicator.errors import WriteConflict
from adjudicator.model.dispositions import DISPOSITIONS, DROPPED, POSTPONED, WAITING
from adjudicator.model.game_acts import BeginGame, TakeBack
from adjudicator.model.mail import IncomingLetter, LetterOutcome, OutgoingMessage, StoredLetter
from adjudicator.storage import acts, bounces, metadata, outbox, postponed_emails
from adjudicator.storage import stored_games as stored
from adjudicator.storage.database import Database
from adjudicator.storage.prepared import Prepared, slot, slot_values, slots
from adjudicator.storage.tables import LetterRow, SeenRow
from games.protocol import Seat
from games.record import Record, Value
from orders.mail import letter as opened

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition, LogEntry
    from adjudicator.storage.stored_games import NewGame

_HEAD_LIMIT_BYTES = 65536
BATCH_LETTERS, BATCH_BYTES = 25, 4_000_000
"""No more letters than that are kept in one transaction."""

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

_OLDEST_UNREAD = Prepared(
    LetterRow.select(LetterRow.received)
    .where(LetterRow.disposition.is_null())
    .order_by(LetterRow.disposition, LetterRow.received, LetterRow.number)
    .limit(1)
)


class ShownLetter(Record, frozen=True, kw_only=True):
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


class LetterEffects(Value, frozen=True):
    """The effects of a letter besides its acts.

    answers: replies to it; told: letters to others; begun: the games that it begins, each with its
    letters; restored: games in which it takes something back: before it, after it, the entry of their log.
    """

    answers: Sequence[OutgoingMessage] = ()
    told: Sequence[OutgoingMessage] = ()
    begun: Sequence[tuple[NewGame, Sequence[OutgoingMessage]]] = ()
    restored: Sequence[tuple[GamePosition, GamePosition, LogEntry]] = ()


def batches(letters: Iterable[IncomingLetter]) -> Iterator[list[IncomingLetter]]:
    """Letters as many as are kept in one transaction."""
    batch: list[IncomingLetter] = []
    for arrived in letters:
        batch.append(arrived)
        if len(batch) == BATCH_LETTERS or sum(len(letter.raw) for letter in batch) > BATCH_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def store_letters(database: Database, arrived: Sequence[IncomingLetter], now: Millis) -> int:
    """Write letters down as they are: one transaction, committed when this returns. Returns how many are new.

    A letter that is on the books already is not written again. One of our own, and be it the copy that we
    sent to ourselves, is not there to be read: that it came back is noted in the outbox.
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
        _note_places(database, letters)
    return new


def known_places(database: Database, mailbox: str, places: Sequence[str]) -> frozenset[str]:
    """Return those of some places of a mailbox whose letters are in the database."""
    seen = SeenRow.select(SeenRow.place).where((SeenRow.mailbox == mailbox) & SeenRow.place.in_(list(places)))
    with database.reading():
        return frozenset(row.place for row in database.run(seen))


def received_at(database: Database, mark: str) -> Millis | None:
    """When the letter of that fingerprint was received; None if it is not on the books."""
    with database.reading():
        row = database.first(LetterRow.select(LetterRow.received).where(LetterRow.fingerprint == mark))
        return None if row is None else int(row.received)


def waiting_letters(database: Database, limit: int = 50) -> tuple[StoredLetter, ...]:
    """The letters that wait to be read, in the order in which the servers took them."""
    waiting = LetterRow.select().where(LetterRow.disposition.is_null())
    with database.reading():
        rows = database.run(waiting.order_by(LetterRow.received, LetterRow.number).limit(limit))
        return tuple(map(letter_of_row, rows))


def read_until(database: Database) -> Millis | None:
    """Up to when each letter was read that had come by then; None: no poll was finished yet."""
    with database.reading():
        # First: what that poll has kept is seen by the second question.
        polled = metadata.last_poll(database)
        unread = database.ask(_OLDEST_UNREAD)
    return polled if polled is None or not unread else min(polled, int(unread[0].received))


def waiting(database: Database, number: int) -> StoredLetter | None:
    """The letter of that number, if it waits to be read."""
    here = (LetterRow.number == number) & LetterRow.disposition.is_null()
    with database.reading():
        row = database.first(LetterRow.select().where(here))
        return None if row is None else letter_of_row(row)


def groups(letters: Iterable[StoredLetter]) -> Iterator[list[StoredLetter]]:
    """Letters that are begun together; one that was begun before goes alone, for it may be what kills us."""
    for begun, group in groupby(letters, key=lambda kept: kept.tries > 0):
        together = list(group)
        yield from ([kept] for kept in together) if begun else [together]


def strike(database: Database, numbers: Sequence[int]) -> None:
    """Note that handling letters begins; committed."""
    if numbers:
        with database.writing():
            database.do(_striking(len(numbers)), **slot_values(numbers))


@lru_cache(maxsize=64)
def _striking(count: int) -> Prepared:
    struck = LetterRow.number.in_(slots(count))
    return Prepared(LetterRow.update(tries=LetterRow.tries + 1).where(struck))


def forgive(database: Database, numbers: Sequence[int], worker: str | None = None) -> None:
    """Take a strike back: it was not the letters' fault that handling them came to nothing.

    They are in nobody's hands then. worker: but those alone that he has in hand still.
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
    """Do what a letter asks for, put the answers in the outbox and tick it off: one transaction.

    An address that speaks for its seat is alive.
    Raises Overtaken when the letter was settled meanwhile or is in other hands, an act is for a turn that is
    over, or the name of a game is taken: nothing is done then, and the letter is to be read again. Refusal
    as `acts.perform`.
    """
    with database.writing():
        _tick_off(database, kept.number, handled, now, kept.worker)
        if handled.waits or kept.waited:
            postponed_emails.note_turns(database, kept.number, handled.waits)
        for before, after, entry in consequences.restored:
            stored.amend(database, before, after, entry, acts.SideEffects(now))
        for act in handled.acts:
            if not isinstance(act, BeginGame | TakeBack):
                acts.apply(database, act, now)
        if handled.bounce is not None:
            bounces.note(database, handled.bounce, now)
        if handled.disposition == "read" and handled.seat is not None and handled.speaker is not None:
            bounces.enable_address(database, handled.speaker)
        if handled.disposition == "read" and (data := redaction.redact_letter(kept.raw)) is not kept.raw:
            database.run(LetterRow.update(data=data).where(LetterRow.number == kept.number))
        outbox.put(database, consequences.answers, now, letter=kept.number)
        outbox.put(database, consequences.told, now)
        for new, first_letters in consequences.begun:
            if stored.is_taken(database, new.name):
                raise WriteConflict(f"a game {new.name} has been begun")
            stored.create(database, new, first_letters, now)


def quarantine(
    database: Database, number: int, why: str, now: Millis, sealed: Sequence[OutgoingMessage] = ()
) -> None:
    """Set a letter aside for the gamesmaster. sealed: letters that tell of it. Raises as `settle`."""
    with database.writing():
        _tick_off(database, number, LetterOutcome(disposition="quarantined", why=why), now)
        outbox.put(database, sealed, now)


def reopen(database: Database, number: int, game: str | None = None, seat: Seat | None = None) -> bool:
    """Have a letter read again that was not read. game, seat: for whom it speaks.

    False where there is none of that number that was ignored, set aside or postponed; nothing is done then.
    """
    fresh = {"disposition": None, "why": None, "handled": None, "tries": 0, "game": game, "seat": seat}
    fresh |= {"lease": None, "worker": None}
    with database.writing():
        return bool(database.run(LetterRow.update(**fresh).where(_can_be_reopened(number))))


def drop(database: Database, number: int, now: Millis) -> bool:
    """Put a letter away for good that was not read. False as in `reopen`."""
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
    """The latest letters, latest first; of each, no more than its first 64 KB.

    disposition: only those of which that was decided, or which are WAITING.
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
    """Return the number of letters "waiting" to be read, and the number under each disposition."""
    tally = LetterRow.select(LetterRow.disposition, fn.COUNT(LetterRow.number).alias("count"))
    with database.reading():
        rows = database.run(tally.group_by(LetterRow.disposition))
        numbers = {row.disposition or WAITING: int(row.count) for row in rows}
    return {name: numbers.get(name, 0) for name in DISPOSITIONS}


def show(database: Database, number: int) -> ShownLetter | None:
    """One letter, whole; None if there is none of that number."""
    with database.reading():
        row = database.first(LetterRow.select().where(LetterRow.number == number))
        return None if row is None else _shown_letter(row)


@lru_cache(maxsize=64)
def _select_by_fingerprints(count: int) -> Prepared:
    """The numbers of the letters that have so many fingerprints."""
    here = LetterRow.fingerprint.in_(slots(count))
    return Prepared(LetterRow.select(LetterRow.number, LetterRow.fingerprint).where(here))


def _note_places(database: Database, letters: Sequence[tuple[str, IncomingLetter]]) -> None:
    rows = database.ask(_select_by_fingerprints(len(letters)), **slot_values(mark for mark, _ in letters))
    numbers = {row.fingerprint: row.number for row in rows}
    for mark, letter in letters:
        database.do(_NOTE_PLACE, mailbox=letter.mailbox, place=letter.place, letter=numbers[mark])


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
        # Whoever was stopped for longer than his lease settles nothing that another reads in order.
        done = database.do(_TICK_OFF_OURS, number=number, worker=worker, **facts)
    if not done:
        raise WriteConflict(f"letter {number} has been handled, or is in other hands")


def letter_of_row(row: Any, worker: str | None = None) -> StoredLetter:
    """A row of the letters as the value that is handled. worker: who has it in hand."""
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
