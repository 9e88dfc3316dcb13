"""Outgoing emails.

An email is first ready. It becomes sending before it is sent, and this is committed. Then the server's reply
decides its state.

States: ready (with a lease once a sender has claimed it), sending (in transit), sent, failed, and unsure: the
sender or the connection died before the server's reply, so delivery is unknown.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Literal

from peewee import BigIntegerField, CompositeKey, ForeignKeyField, IntegerField, Model, Value, fn

from adjudicator.auth import tokens
from adjudicator.clock import DAY, MINUTE, Millis
from adjudicator.config.servers import Rate
from adjudicator.errors import WriteConflict
from adjudicator.model.channel_posts import CHANNEL_PATTERN, channel_named
from adjudicator.model.deadlines import Deadlines, Timing
from adjudicator.model.mail import OutgoingMessage, Receipt
from adjudicator.model.people import ForgetPoster, GamePolicy, KnowPoster, Poster
from adjudicator.storage import attachments, bounces
from adjudicator.storage.bounces import DeadRow
from adjudicator.storage.database import Database, Prepared, lock_unclaimed, slot, slot_values, slots
from adjudicator.storage.tables import (
    ChairRow,
    ClockRow,
    CustomsRow,
    DatabaseText,
    EnclosedRow,
    EntryRow,
    GameRow,
    GoneRow,
    OutRow,
)
from games.protocol import Seat
from games.record import Malformed, Record, load, read_json
from games.record import Value as RecordValue

Fate = Literal["taken", "again", "marked", "dropped"]
EXPIRED_WHY = "it tells of a deadline that is over"
"""The recorded reason for an email about a deadline that has passed. The GM gets no notice about it."""

STATES = ("ready", "sending", "sent", "failed", "unsure")
SEND_LEASE_MS: Millis = 15 * MINUTE
"""The lease on outgoing emails: much longer than the longest measured stall."""
MAX_PER_GAME, SCAN_LIMIT = 7, 2000
"""While others wait, MAX_PER_GAME emails of one game are sent in a row. SCAN_LIMIT of the oldest compete."""
OUTBOX_LOCK = 0x7475_0005
"""The lock number for senders that claim emails."""
BACKOFF: tuple[Millis, ...] = (MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 240 * MINUTE)
"""The delay after each attempt. The last one repeats."""
HELD_PAUSE: Millis = MINUTE
"""The delays after an error that isn't the email's.

A server that is down is tried once a minute, so reports are at most a minute late. If a rate limit applies,
the limit gives the delay.
"""
MAX_DEFERRAL_MS: Millis = 3 * 24 * 60 * MINUTE
"""An email that was only ever delayed fails after this time."""
REPEATED = b"X-Turnpost-Repeated: perhaps; this letter may have reached you before\r\n"
"""The first lines of an email that is sent again although it may have arrived."""

_NOTICE = "failed/"
TELL_PASSWORDS = ("/welcome/", "/keys/")
"""The keys of emails that contain a password have one of these in them."""

_GIVEN = ("key", "message_id", "sender", "recipient", "data", "game", "seat", "letter")
_PUT = Prepared(
    OutRow.insert(
        **{name: slot(name) for name in _GIVEN}, state="ready", created=slot("now"), not_before=slot("now")
    ).on_conflict_ignore()
)

_IS_LETTER = ~(OutRow.recipient**CHANNEL_PATTERN)
"""The condition for emails. Other rows are posts to channels, which are sent channel by channel."""


def _ready(now: Any) -> Any:
    """Return the condition for emails that may be sent. now: an instant, or a slot."""
    free = OutRow.lease.is_null() | (OutRow.lease <= now)
    alive = OutRow.recipient.not_in(DeadRow.select(DeadRow.address))
    return (OutRow.state == "ready") & (OutRow.not_before <= now) & free & alive & _IS_LETTER


def _is_abandoned(now: Any, worker: Any) -> Any:
    """Return the condition for claimed emails that their sender has abandoned.

    worker: the caller. It is sending nothing, so its own claims were left over.
    """
    # Other threads of a worker may be sending posts to channels right now.
    return (OutRow.lease <= now) | ((OutRow.worker == worker) & (OutRow.worker != "") & _IS_LETTER)


def _untold(own: Any) -> Any:
    """Return the query for failed emails without a notice. own: the GM's address, or a slot."""
    notices = OutRow.alias()
    notice = notices.select().where(notices.key == Value(_NOTICE).concat(OutRow.number.cast("text")))
    failed = (OutRow.state == "failed") & (OutRow.why.is_null() | (OutRow.why != EXPIRED_WHY))
    return OutRow.select().where(failed & (OutRow.recipient != own) & _IS_LETTER & ~fn.EXISTS(notice))


# This query runs in every round and usually finds nothing.
_ONE = OutRow.select(OutRow.number).limit(1)
_READY = Prepared(_ONE.where(_ready(slot("now"))))
_IS_CLAIMED_EMAIL = OutRow.state.in_(["ready", "sending"]) & OutRow.lease.is_null(False)
_SELECT_CLAIMED_EMAIL = Prepared(_ONE.where(_IS_CLAIMED_EMAIL))
_SELECT_ABANDONED_EMAIL = Prepared(_ONE.where(_IS_CLAIMED_EMAIL & _is_abandoned(slot("now"), slot("worker"))))
_UNSURE = Prepared(_ONE.where(OutRow.state == "unsure"))
_SELECT_NUMBER = Prepared(OutRow.select(OutRow.number).where(OutRow.key == slot("key")))
_UNTOLD = Prepared(_untold(slot("own")).limit(1))
# In this form the query uses an index. With "is not null", SQLite would scan all seats.
_TROUBLED = Prepared(ChairRow.select(ChairRow.seat).where(ChairRow.trouble >= "").limit(1))


class OutboxLetter(Record, frozen=True, kw_only=True):
    """An outgoing email and its state.

    why: the last message of the receiving server. copied: whether a copy to ourselves was sent with its last
    attempt.
    """

    number: int
    sealed: OutgoingMessage
    state: str
    attempts: int
    created: Millis
    not_before: Millis
    settled: Millis | None
    why: str | None
    copied: bool


def put(
    database: Database, sealed: Iterable[OutgoingMessage], now: Millis, letter: int | None = None
) -> None:
    """Put emails in the outbox within the caller's transaction, except those with a known key.

    letter: the number of the email that they reply to.
    """
    with database.writing():
        for message in sealed:
            data, enclosed = attachments.split_letter(message.raw)
            new = database.do(
                _PUT,
                key=message.key,
                message_id=message.message_id,
                sender=message.sender,
                recipient=message.to,
                data=data,
                game=message.game,
                seat=message.seat,
                letter=letter,
                now=now,
            )
            if new and enclosed:
                attachments.keep(database, enclosed, message.drawn)
                number = database.ask(_SELECT_NUMBER, key=message.key)[0].number
                rows = [{"letter": number, "sha": sha} for sha in enclosed]
                database.run(EnclosedRow.insert_many(rows).on_conflict_ignore())


def withdraw(database: Database, keys: Iterable[str]) -> None:
    """Delete emails that no sender has claimed yet, within the caller's transaction."""
    unsent = (OutRow.state == "ready") & OutRow.lease.is_null()
    with database.writing():
        database.run(OutRow.delete().where(unsent & OutRow.key.in_(list(keys))))


def is_quiet(database: Database, own: str, now: Millis, worker: str = "") -> bool:
    """Return whether nothing is waiting to be sent, resolved or reported.

    own: the GM's address, as in `untold`. worker: the caller. Emails that another worker has claimed don't
    count.
    """
    with database.reading():
        letters = database.ask(_SELECT_ABANDONED_EMAIL, now=now, worker=worker) or database.ask(_UNSURE)
        return not (letters or database.ask(_READY, now=now) or database.ask(_UNTOLD, own=own))


def claim(
    database: Database, now: Millis, limit: int = 50, lease_ms: Millis = SEND_LEASE_MS, worker: str = ""
) -> tuple[OutgoingMessage, ...]:
    """Claim the next emails to send, oldest first, without letting one game's emails delay all others.

    They belong to the caller until the lease ends. Emails to disabled addresses wait, and those that
    `expired` are dropped.
    """
    with database.session():
        if not database.ask(_READY, now=now):
            return ()
        drop_expired(database, now)
        rows = _claim_rows(database, now, limit, lease_ms, worker)
        # Outside the lock, because joining emails takes much longer than claiming them.
        whole = [_whole(database, row, now, worker) for row in rows]
    return tuple(letter for letter in whole if letter is not None)


def _claim_rows(database: Database, now: Millis, limit: int, lease_ms: Millis, worker: str) -> list[Any]:
    ready = _ready(now)
    with database.writing():
        # One at a time, otherwise several senders would choose the same emails and all but one would get
        # none.
        database.wait_for_lock(OUTBOX_LOCK)
        whose = fn.COALESCE(OutRow.game, OutRow.recipient).alias("whose")
        ready_ones = OutRow.select(OutRow.number, whose).where(ready)
        numbers = order_fairly(database, ready_ones, (OutRow.number,), limit, MAX_PER_GAME, SCAN_LIMIT)
        order = {number: place for place, number in enumerate(numbers)}
        here = OutRow.select().where(OutRow.number.in_(list(order)) & ready)
        claimable = list(database.run(lock_unclaimed(here, database.is_shared))) if order else []
        rows = sorted(claimable, key=lambda row: order[row.number])
        numbers = [row.number for row in rows]
        if numbers:
            mine = OutRow.number.in_(numbers)
            database.run(OutRow.update(lease=now + lease_ms, worker=worker).where(mine))
    return rows


def claim_next(
    database: Database, recipient: str, now: Millis, worker: str, lease_ms: Millis = SEND_LEASE_MS
) -> OutgoingMessage | None:
    """Claim the next post to a channel for the lease, or return None if none can be sent now.

    Posts go in order. A delayed or claimed post blocks all later ones.
    """
    waits = (OutRow.recipient == recipient) & OutRow.state.in_(["ready", "sending", "unsure"])
    with database.writing():
        database.wait_for_lock(OUTBOX_LOCK)
        row = database.first(OutRow.select().where(waits).order_by(OutRow.number).limit(1))
        if row is None or row.state != "ready" or row.not_before > now or (row.lease or 0) > now:
            return None
        database.run(OutRow.update(lease=now + lease_ms, worker=worker).where(OutRow.number == row.number))
        return _whole(database, row, now, worker)


def unsure_of(database: Database, recipient: str, now: Millis) -> tuple[int, ...]:
    """Return the numbers of the posts to a channel that were in transit when their sender died."""
    lost = (OutRow.state == "unsure") | ((OutRow.state == "sending") & (OutRow.lease <= now))
    theirs = (OutRow.recipient == recipient) & lost
    with database.writing():
        numbers = [row.number for row in database.run(OutRow.select(OutRow.number).where(theirs))]
        if numbers:
            dropped = OutRow.update(state="unsure", lease=None).where(OutRow.number.in_(numbers))
            database.run(dropped)
    return tuple(numbers)


def waiting(database: Database) -> dict[str, int]:
    """Return the number of posts that wait for each channel, by its recipient's name."""
    of_channels = (OutRow.recipient**CHANNEL_PATTERN) & OutRow.state.in_(["ready", "sending", "unsure"])
    count = fn.COUNT(OutRow.number)
    rows = OutRow.select(OutRow.recipient, count.alias("posts")).where(of_channels).group_by(OutRow.recipient)
    with database.reading():
        return {row.recipient: row.posts for row in database.run(rows)}


def _whole(database: Database, row: Any, now: Millis, worker: str) -> OutgoingMessage | None:
    """Return a claimed email, or None if a part of it is lost: then it is marked as failed.

    An email that waits for a picture is released, as it was added after the last pictures were drawn.
    """
    try:
        return _message_of_row(row, attachments.join_letter(database, bytes(row.data)))
    except attachments.PictureNotDrawn:
        columns: dict[str, Any] = {"lease": None, "worker": ""}
    except attachments.LetterPartLost as fault:
        columns = {"state": "failed", "settled": now, "lease": None, "why": str(fault)}
    mine = (OutRow.number == row.number) & (OutRow.state == "ready") & (OutRow.worker == worker)
    with database.writing():
        database.run(OutRow.update(**columns).where(mine))
    return None


def begin(database: Database, key: str, now: Millis, copied: bool = False, worker: str = "") -> bool:
    """Record that sending an email begins. Commits. Return False if the caller has lost its claim.

    copied: a copy to ourselves is sent with it.
    """
    mine = (OutRow.key == key) & (OutRow.state == "ready") & (OutRow.lease > now) & (OutRow.worker == worker)
    with database.writing():
        return bool(database.run(OutRow.update(state="sending", copied=copied).where(mine)))


def settle(
    database: Database, receipts: Iterable[Receipt], now: Millis, wait: Millis = 0, worker: str = ""
) -> None:
    """Record the results of sending claimed emails, unless others have claimed them meanwhile.

    A failure is also recorded at the email's seat. wait: the time after which unsure emails can be resolved.
    """
    by_key = {receipt.key: receipt for receipt in receipts}
    open_still = OutRow.key.in_(list(by_key)) & OutRow.state.in_(["ready", "sending"])
    open_still &= (OutRow.worker == worker) | OutRow.worker.is_null()
    facts = OutRow.select(
        OutRow.number, OutRow.key, OutRow.attempts, OutRow.created, OutRow.game, OutRow.seat, OutRow.recipient
    )
    with database.writing():
        rows = list(database.run(facts.where(open_still)))
        sent = [row for row in rows if by_key[row.key].outcome == "sent"]
        _note_sent(database, sent, now)
        for row in rows:
            if by_key[row.key].outcome != "sent":
                _note(database, row, by_key[row.key], now, wait)


def recover(
    database: Database, now: Millis, wait: Millis = 0, *, at_start: bool = False, worker: str = ""
) -> int:
    """Release emails that their sender has abandoned, if they weren't in transit yet.

    Those in transit become unsure and can be resolved after the wait. at_start: no other sender is running,
    so every claim was left by a dead one. worker: the caller. It is sending nothing, so its own claims were
    left after a database error. Return the number of unsure emails.
    """
    in_hand = OutRow.lease.is_null(False)
    orphans = in_hand if at_start else in_hand & _is_abandoned(now, worker)
    doubtful = {
        "state": "unsure",
        "not_before": now + wait,
        "lease": None,
        "why": "the sender died meanwhile",
    }
    with database.session():
        if not (
            database.ask(_SELECT_CLAIMED_EMAIL)
            if at_start
            else database.ask(_SELECT_ABANDONED_EMAIL, now=now, worker=worker)
        ):
            return 0
        with database.writing():
            unsure = int(database.run(OutRow.update(**doubtful).where(orphans & (OutRow.state == "sending"))))
            database.run(OutRow.update(lease=None).where(orphans & (OutRow.state == "ready")))
    return unsure


def lapse(database: Database, workers: Sequence[str]) -> None:
    """End the leases of dead workers, so that `recover` finds their emails."""
    with database.writing():
        theirs = OutRow.lease.is_null(False) & OutRow.worker.in_(list(workers))
        database.run(OutRow.update(lease=0).where(theirs))


def unsure(database: Database, now: Millis, limit: int = 50) -> tuple[OutboxLetter, ...]:
    """Return the unsure emails that can be resolved now, oldest first."""
    due = OutRow.select().where((OutRow.state == "unsure") & (OutRow.not_before <= now) & _IS_LETTER)
    with database.reading():
        if not database.ask(_UNSURE):
            return ()
        return tuple(
            _letter_of_row(database, row) for row in database.run(due.order_by(OutRow.number).limit(limit))
        )


def clear_up(database: Database, number: int, fate: Fate, now: Millis) -> None:
    """Resolve an unsure email. Does nothing if it isn't unsure any more.

    fate: "taken", it was accepted by the server; "again", send the same bytes again; "marked", send it again
    with a note that it may be a repetition; "dropped", don't send it, although it may not have arrived. A
    marked email that becomes unsure again is never sent a third time: it has failed.
    """
    columns: dict[str, Any]
    letter = OutRow.select().where(OutRow.number == number)
    with database.writing():
        row = database.first(letter.where(OutRow.state == "unsure"))
        if row is None:
            return
        if fate == "taken":
            columns = {"state": "sent", "settled": now, "why": None}
        elif fate == "dropped":
            columns = {"state": "failed", "settled": now, "why": "it may have arrived, and would come twice"}
        elif fate == "marked" and attachments.text_before_parts(bytes(row.data)).startswith(REPEATED):
            columns = {"state": "failed", "settled": now, "why": "it was sent twice, and may have arrived"}
        else:
            data = attachments.add_header(REPEATED, bytes(row.data)) if fate == "marked" else row.data
            columns = {"state": "ready", "not_before": now, "attempts": row.attempts + 1, "data": data}
        # If another worker has just resolved it, it may be sending it.
        database.run(OutRow.update(**columns).where((OutRow.number == number) & (OutRow.state == "unsure")))


def untold(database: Database, own: str, limit: int = 50) -> tuple[OutboxLetter, ...]:
    """Return the failed emails without a notice, oldest first.

    own: the GM's address. A failed email to the GM can't be reported by another email to the GM.
    """
    with database.reading():
        if not database.ask(_UNTOLD, own=own):
            return ()
        failed = _untold(own).order_by(OutRow.number).limit(limit)
        return tuple(_letter_of_row(database, row) for row in database.run(failed))


def notice_key(number: int) -> str:
    """Return the key of the email that reports a failed one."""
    return f"{_NOTICE}{number}"


@lru_cache(maxsize=64)
def _select_by_message_ids(count: int) -> Prepared:
    """Return the query for the states of the emails with some Message-IDs. count: the number of these."""
    here = OutRow.message_id.in_(slots(count))
    return Prepared(OutRow.select(OutRow.message_id, OutRow.state).where(here))


def confirm(database: Database, message_ids: Sequence[str], now: Millis) -> frozenset[str]:
    """Mark our emails that came back as sent. Return which of the ids are ours."""
    ids = [message_id for message_id in message_ids if message_id]
    with database.writing():
        ours = database.ask(_select_by_message_ids(len(ids)), **slot_values(ids))
        if any(row.state != "sent" for row in ours):
            gone = OutRow.update(state="sent", settled=now, lease=None, why=None)
            database.run(gone.where(OutRow.message_id.in_(ids) & (OutRow.state != "sent")))
    return frozenset(row.message_id for row in ours)


def list_posted(
    database: Database, limit: int = 50, states: Sequence[str] = STATES
) -> tuple[OutboxLetter, ...]:
    """Return the latest emails in one of these states, newest first."""
    with database.reading():
        rows = OutRow.select().where(OutRow.state.in_(list(states))).order_by(OutRow.number.desc())
        return tuple(_letter_of_row(database, row) for row in database.run(rows.limit(limit)))


class PutOff(Record, frozen=True, kw_only=True):
    """The number of emails with an error message, and the message of the latest one."""

    count: int
    why: str


def put_off(
    database: Database, states: Sequence[str] = ("ready", "unsure"), created_by: Millis | None = None
) -> PutOff | None:
    """Return the number of emails in these states with an error message, or None if there are none.

    created_by: count only emails created by then. The emails' content isn't read.
    """
    here = OutRow.state.in_(list(states)) & OutRow.why.is_null(False) & (OutRow.why != "") & _IS_LETTER
    if created_by is not None:
        here &= OutRow.created <= created_by
    with database.reading():
        latest = database.first(OutRow.select(OutRow.why).where(here).order_by(OutRow.number.desc()))
        if latest is None:
            return None
        return PutOff(count=database.count(OutRow.select().where(here)), why=latest.why)


def find(database: Database, message_id: str) -> OutboxLetter | None:
    """Return our email with this Message-ID (including angle brackets), or None."""
    with database.reading():
        row = database.first(OutRow.select().where(OutRow.message_id == message_id.strip()))
        return None if row is None else _letter_of_row(database, row)


def show(database: Database, number: int) -> OutboxLetter | None:
    """Return the email with this number, or None."""
    with database.reading():
        row = database.first(OutRow.select().where(OutRow.number == number))
        return None if row is None else _letter_of_row(database, row, drawn=True)


def answers_to(database: Database, letter: int) -> tuple[OutboxLetter, ...]:
    """Return the replies to the incoming email with this number, oldest first."""
    with database.reading():
        rows = OutRow.select().where(OutRow.letter == letter).order_by(OutRow.number)
        return tuple(_letter_of_row(database, row) for row in database.run(rows))


def counts(database: Database) -> dict[str, int]:
    """Return the number of emails in each state."""
    with database.reading():
        return {state: database.count(OutRow.select().where(OutRow.state == state)) for state in STATES}


def _note_sent(database: Database, rows: Sequence[Any], now: Millis) -> None:
    gone = OutRow.update(state="sent", settled=now, lease=None, why=None, attempts=OutRow.attempts + 1)
    database.run(gone.where(OutRow.number.in_([row.number for row in rows])))
    _forget_passwords(database, rows)
    if any(row.seat is not None for row in rows) and database.ask(_TROUBLED):
        still = bounces.bouncing_addresses(database, [row.recipient for row in rows], now)
        for row in rows:
            if row.recipient not in still:
                _note_trouble(database, row, None)


def _forget_passwords(database: Database, rows: Sequence[Any]) -> None:
    """Delete the passwords in emails that were sent."""
    telling = [row.number for row in rows if any(word in row.key for word in TELL_PASSWORDS)]
    for row in database.run(OutRow.select().where(OutRow.number.in_(telling))) if telling else ():
        data, _ = attachments.split_letter(
            tokens.redact_letter(attachments.join_available(database, bytes(row.data)))
        )
        database.run(OutRow.update(data=data).where(OutRow.number == row.number))


def _note(database: Database, row: Any, receipt: Receipt, now: Millis, wait: Millis) -> None:
    columns = _columns(row, receipt, now, wait)
    database.run(OutRow.update(lease=None, why=receipt.why, **columns).where(OutRow.number == row.number))
    if columns["state"] == "failed":
        _note_trouble(database, row, receipt.why)
    if receipt.outcome == "refused" and row.game is not None and channel_named(row.recipient) is None:
        # A mail server of our own rejects a wrong address at once. Others accept it and send a bounce later.
        bounces.note_refused(database, row.number, row.recipient, receipt.why or "refused", now)


def _columns(row: Any, receipt: Receipt, now: Millis, wait: Millis) -> dict[str, Any]:
    attempts = row.attempts + 1
    if receipt.outcome == "held":
        return {"state": "ready", "not_before": receipt.retry_at or now + HELD_PAUSE}
    if receipt.outcome == "unsure":
        return {"state": "unsure", "not_before": now + wait, "attempts": attempts}
    if receipt.outcome == "later" and now - row.created < MAX_DEFERRAL_MS:
        pause = BACKOFF[min(attempts, len(BACKOFF)) - 1]
        return {"state": "ready", "not_before": receipt.retry_at or now + pause, "attempts": attempts}
    return {"state": "failed", "settled": now, "attempts": attempts}


def _note_trouble(database: Database, row: Any, trouble: str | None) -> None:
    at_seat = (ChairRow.game == row.game) & (ChairRow.seat == row.seat) & (ChairRow.address == row.recipient)
    database.run(ChairRow.update(trouble=trouble).where(at_seat))


def _message_of_row(row: Any, raw: bytes) -> OutgoingMessage:
    return OutgoingMessage(
        key=row.key,
        message_id=row.message_id,
        sender=row.sender,
        to=row.recipient,
        raw=raw,
        game=row.game,
        seat=None if row.seat is None else Seat(row.seat),
    )


def _letter_of_row(database: Database, row: Any, *, drawn: bool = False) -> OutboxLetter:
    return OutboxLetter(
        number=row.number,
        sealed=_message_of_row(row, attachments.join_available(database, bytes(row.data), drawn=drawn)),
        state=row.state,
        attempts=row.attempts,
        created=row.created,
        not_before=row.not_before,
        settled=row.settled,
        why=row.why,
        copied=bool(row.copied),
    )


# The posters of seats and the threads of games, in the database.


class PosterRow(Model):
    """The poster for a seat in its game's thread.

    name "": the seat has no poster any more. used: the number of words used.
    """

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    seat = DatabaseText()
    address = DatabaseText()
    place = DatabaseText()
    name = DatabaseText()
    used = IntegerField()
    since = BigIntegerField()

    class Meta:
        table_name = "poster"
        primary_key = CompositeKey("game", "seat")


class TopicRow(Model):
    """The number of a game's thread in a forum that has an API."""

    game = ForeignKeyField(GameRow, on_delete="CASCADE")
    place = DatabaseText()
    topic = DatabaseText()

    class Meta:
        table_name = "topic"
        primary_key = CompositeKey("game", "place")


POSTING: tuple[type[Model], ...] = (PosterRow, TopicRow)


def store_poster(database: Database, action: KnowPoster) -> None:
    """Record the poster for a seat. Raises WriteConflict if another word was used meanwhile."""
    poster = action.poster
    here = (PosterRow.game == action.game) & (PosterRow.seat == poster.seat)
    with database.writing():
        row = database.first(PosterRow.select().where(here))
        if (row.used if row else 0) != action.before:
            raise WriteConflict(f"{poster.seat} in {action.game} has a new poster")
        database.run(PosterRow.delete().where(here))
        columns = {"address": poster.address, "place": poster.place, "name": poster.name, "used": poster.used}
        database.run(PosterRow.insert(game=action.game, seat=poster.seat, since=poster.since, **columns))


def forget_poster(database: Database, action: ForgetPoster) -> None:
    """Remove the posters of some seats. The words that identified them stay used."""
    here = (PosterRow.game == action.game) & (PosterRow.seat == action.seat)
    database.run(PosterRow.update(name="").where(here))


def posters_of_game(database: Database, game: str) -> tuple[Poster, ...]:
    """Return the posters for the seats of a game, by seat."""
    with database.reading():
        rows = database.run(PosterRow.select().where(PosterRow.game == game))
        return tuple(sorted(map(_poster, rows), key=lambda poster: poster.seat))


def threads(database: Database) -> Mapping[str, tuple[str, ...]]:
    """Return the names of the running games that are played in each forum, in order."""
    joined = CustomsRow.select(CustomsRow.game, CustomsRow.document).join(GameRow)
    there = CustomsRow.document.contains('"forum":"') & ~CustomsRow.document.contains('"forum":""')
    games_by_forum: dict[str, list[str]] = {}
    with database.reading():
        for name, document in database.run(joined.where(there & (GameRow.status == "running")).tuples()):
            customs: GamePolicy = load(GamePolicy, document.encode())
            games_by_forum.setdefault(customs.forum, []).append(name)
    return {forum: tuple(sorted(names)) for forum, names in games_by_forum.items()}


def topic(database: Database, game: str, place: str) -> str | None:
    """Return the number of a game's thread in a forum, or None if it hasn't been started."""
    with database.reading():
        row = database.first(TopicRow.select().where((TopicRow.game == game) & (TopicRow.place == place)))
        return None if row is None else row.topic


def topics(database: Database, place: str) -> Mapping[str, tuple[str, Millis | None]]:
    """Return the topics of a forum by number: the running games played there, and their deadlines."""
    with database.reading():
        names = threads(database).get(place, ())
        if not names:
            return {}
        here = (TopicRow.place == place) & TopicRow.game.in_(names)
        query = TopicRow.select(TopicRow.topic, TopicRow.game, GameRow.deadline)
        rows = database.run(query.join(GameRow, on=(GameRow.name == TopicRow.game)).where(here).tuples())
        return {
            number: (game, deadline) for number, game, deadline in sorted(rows, key=lambda row: str(row[1]))
        }


def note_topic(database: Database, game: str, place: str, number: str) -> None:
    """Record the number of a game's thread in a forum."""
    row = TopicRow.insert(game=game, place=place, topic=number)
    with database.writing():
        database.run(
            row.on_conflict(conflict_target=[TopicRow.game, TopicRow.place], preserve=[TopicRow.topic])
        )


def _poster(row: Any) -> Poster:
    return Poster(
        seat=Seat(row.seat),
        address=row.address,
        place=row.place,
        name=row.name,
        used=row.used,
        since=row.since,
    )


# Recent emails to each domain. All senders share one rate limit in the database.


PACE_LOCK = 0x7475_0006
"""The lock number for senders that count emails."""


def admit(database: Database, domain: str, rate: Rate, now: Millis) -> Millis:
    """Return the delay before one more email to a domain. If it is 0, the email counts as sent."""
    here = GoneRow.domain == domain
    with database.writing():
        database.wait_for_lock(PACE_LOCK)
        # No rate reaches back further than a day.
        past = (here & (GoneRow.at <= now - rate.within)) | (GoneRow.at <= now - DAY)
        database.run(GoneRow.delete().where(past))
        latest = GoneRow.select(GoneRow.at).where(here).order_by(GoneRow.at.desc(), GoneRow.number.desc())
        full = database.first(latest.offset(rate.count - 1))
        if full is not None:
            return int(full.at) + rate.within - now
        database.run(GoneRow.insert(domain=domain, at=now))
    return 0


# Reminders and notices of deadlines that pass before they can be sent are dropped.


DEADLINE_EMAIL_KINDS = frozenset(
    {"reminder", "nudge", "due", "extended", "heeded", "outage", "wound-up", "moved", "corrected"}
)
"""The third part of the key of an email that only reports a deadline.

The first part is the game. The second is the number of its log entries when it was written.
"""

# This query runs in every round and usually finds nothing.
_TELLS_OF_DEADLINE = reduce(or_, (OutRow.key ** f"%/{kind}/%" for kind in sorted(DEADLINE_EMAIL_KINDS)))
_SELECT_WAITING_EMAILS = Prepared(
    OutRow.select(OutRow.number, OutRow.key, OutRow.game, OutRow.created).where(
        (OutRow.state == "ready") & OutRow.game.is_null(False) & _TELLS_OF_DEADLINE
    )
)


class _DeadlineNotice(RecordValue, frozen=True):
    """A waiting email about a deadline.

    entries: the number of log entries of its game when it was written. created: the time of writing.
    """

    number: int
    game: str
    entries: int
    created: Millis


def drop_expired(database: Database, now: Millis) -> int:
    """Drop waiting emails about a deadline that has passed or a turn that was processed.

    An email stays if its turn's deadline was extended or the game is paused. One written after the deadline
    stays as long as orders count. Return the number of dropped emails. Raises StoreFault.
    """
    expired = [email.number for email in _waiting_notices(database) if _is_over(database, email, now)]
    if not expired:
        return 0
    # A claimed email may be sent at any moment.
    free = OutRow.lease.is_null() | (OutRow.lease <= now)
    theirs = OutRow.number.in_(expired) & (OutRow.state == "ready") & free
    with database.writing():
        gone = OutRow.update(state="failed", settled=now, lease=None, why=EXPIRED_WHY).where(theirs)
        return int(database.run(gone))


def _waiting_notices(database: Database) -> Iterator[_DeadlineNotice]:
    for row in database.ask(_SELECT_WAITING_EMAILS):
        game, *parts = row.key.split("/")
        if game == row.game and len(parts) > 1 and parts[1] in DEADLINE_EMAIL_KINDS and parts[0].isdecimal():
            yield _DeadlineNotice(row.number, game, int(parts[0]), row.created)


def _is_over(database: Database, email: _DeadlineNotice, now: Millis) -> bool:
    columns = (GameRow.status, GameRow.deadline, GameRow.deadlines)
    game = database.first(GameRow.select(*columns).where(GameRow.name == email.game))
    if game is None or game.status != "running" or _was_played(database, email):
        return True
    if game.deadline is not None:
        # An email written after the deadline says so, and until when orders count.
        grace = _grace(game.deadlines) if email.created > game.deadline else 0
        return bool(game.deadline + grace < now)
    clock = database.first(ClockRow.select().where(ClockRow.game == email.game))
    stop = None if clock is None else load(Timing, clock.document.encode()).stop
    # A turn that waits for the GM because of missing orders has passed its deadline.
    return stop is not None and stop.kind == "nmr"


def _grace(written: str) -> Millis:
    try:
        deadlines: Deadlines = load(Deadlines, written.encode())
    except Malformed:  # a game with unreadable settings is suspended
        return 0
    return deadlines.grace


def _was_played(database: Database, email: _DeadlineNotice) -> bool:
    """Return whether the turn of an email was processed since."""
    later = EntryRow.select(EntryRow.entry).where(
        (EntryRow.game == email.game) & (EntryRow.number >= email.entries)
    )
    return any(read_json(bytes(row.entry))["kind"] == "turn" for row in database.run(later))


# The order of a queue: many entries of one party don't delay a few entries of another.


def order_fairly(
    database: Database, queue: Any, order: Sequence[Any], limit: int, stretch: int, horizon: int
) -> list[int]:
    """Return the numbers of the next rows: first up to `stretch` rows of each party, then as many again.

    queue: an unordered selection of number and party. order: the columns of the order of arrival. limit: the
    maximum number of rows returned. horizon: how many of the oldest rows are considered. If no party has more
    than `stretch` of the next rows, they keep the order of arrival.
    """
    ordered = queue.order_by(*order)
    oldest = _pairs(database, ordered.limit(limit))
    if is_fair((party for _, party in oldest), stretch):
        return [number for number, _ in oldest]
    before: Counter[str] = Counter()
    ranked = []
    for place, (number, party) in enumerate(_pairs(database, ordered.limit(horizon))):
        ranked.append((before[party] // stretch, place, number))
        before[party] += 1
    return [number for _, _, number in sorted(ranked)[:limit]]


def is_fair(parties: Iterable[str], stretch: int) -> bool:
    """Return whether no party has more than `stretch` entries among the oldest ones of a queue."""
    return all(count <= stretch for count in Counter(parties).values())


def _pairs(database: Database, selection: Any) -> list[tuple[int, str]]:
    return [(number, party) for number, party, *_ in database.run(selection.tuples())]
