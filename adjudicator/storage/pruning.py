"""Deletes data that isn't needed forever: the bytes of settled emails, and parts that no email has.

The other columns stay: sender, time, result, Message-ID. Logs of games are never touched.
"""

from dataclasses import dataclass
from typing import Any

from peewee import fn

from adjudicator.clock import DAY, Millis
from adjudicator.storage import attachments, outbox
from adjudicator.storage.database import Database
from adjudicator.storage.tables import EntryRow, LetterRow, OutRow, PartRow

PRUNE_BATCH_ROWS = 200
_PRUNABLE_DISPOSITIONS = ("read", "ignored", "dropped")
_GONE = ("sent", "failed")
EMPTIED_DATA = b""
"""The placeholder for deleted bytes."""


def prune(database: Database, before: Millis, *, pictures: bool) -> int:
    """Delete the bytes of settled emails from before a time. Return their number.

    pictures: whether to keep the pictures of running games.
    """
    there_in, there_out = fn.LENGTH(LetterRow.data) > 0, fn.LENGTH(OutRow.data) > 0
    old_in = (LetterRow.received < before) & LetterRow.disposition.in_(_PRUNABLE_DISPOSITIONS) & there_in
    old_out = (OutRow.created < before) & OutRow.state.in_(_GONE) & there_out
    count = _empty_rows(database, LetterRow, old_in) + _empty_rows(database, OutRow, old_out)
    with database.writing():
        attachments.forget(database, pictures=pictures)
    return count


def _empty_rows(database: Database, model: Any, old: Any) -> int:
    """Delete the bytes of old rows, a few rows per transaction so that others don't wait long.

    Return the number of rows.
    """
    count, last = 0, 0
    while True:
        with database.writing():
            rows = model.select(model.number).where(old & (model.number > last)).order_by(model.number)
            numbers = [row.number for row in database.run(rows.limit(PRUNE_BATCH_ROWS))]
            database.run(model.update(data=EMPTIED_DATA).where(model.number.in_(numbers)))
        count += len(numbers)
        if len(numbers) < PRUNE_BATCH_ROWS:
            return count
        last = numbers[-1]


def forget_letters_of(database: Database, game: str) -> None:
    """Delete the emails of a deleted game, within the caller's transaction.

    The records of incoming emails stay, so that none is received twice. Unread ones count as read. Notices
    about failed outgoing emails are deleted too, since the emails' numbers can be reused.
    """
    blank = {"data": EMPTIED_DATA, "speaker": None, "seat": None}
    handled = (LetterRow.game == game) & LetterRow.disposition.is_null(False)
    database.run(LetterRow.update(**blank).where(handled))
    ours = (OutRow.game == game) & (OutRow.state != "sending")
    failed = OutRow.select(OutRow.number).where(ours & (OutRow.state == "failed"))
    keys = [outbox.notice_key(row.number) for row in database.run(failed)]
    database.run(OutRow.delete().where(ours | OutRow.key.in_(keys)))
    attachments.forget(database)


@dataclass(frozen=True)
class StorageSizes:
    """The sizes in bytes: in total, of incoming and outgoing emails, of their files, of the logs.

    a_day: the average per day of last week's emails, without files.
    """

    all: int
    letters_in: int
    letters_out: int
    parts: int
    logs: int
    a_day: int


def sizes(database: Database, now: Millis) -> StorageSizes:
    """Return the size of the database and its growth."""
    week = now - 7 * DAY
    with database.reading():
        lately = _bytes(database, LetterRow, LetterRow.data, LetterRow.received >= week)
        lately += _bytes(database, OutRow, OutRow.data, OutRow.created >= week)
        return StorageSizes(
            all=database.size(),
            letters_in=_bytes(database, LetterRow, LetterRow.data),
            letters_out=_bytes(database, OutRow, OutRow.data),
            parts=_bytes(database, PartRow, PartRow.data) + _bytes(database, PartRow, PartRow.drawing),
            logs=_bytes(database, EntryRow, EntryRow.entry) + _bytes(database, EntryRow, EntryRow.state),
            a_day=lately // 7,
        )


def _bytes(database: Database, model: Any, column: Any, where: Any = True) -> int:
    total = model.select(fn.SUM(fn.LENGTH(column)).alias("total"))
    row = database.first(total if where is True else total.where(where))
    return int(row.total or 0)
