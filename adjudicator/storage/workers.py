"""The workers on a database: processes that poll, process and send. Takes over claims of dead workers.

On a server, a worker has a lock for as long as its connection lasts, so others notice its death at once. A
database file has only one worker.
"""

import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from peewee import SQL, fn

from adjudicator.clock import MINUTE, Millis
from adjudicator.model.mail import OutgoingMessage
from adjudicator.storage import due_games, inbox, outbox
from adjudicator.storage.database import Database, Prepared, slot
from adjudicator.storage.tables import GameRow, LetterRow, MetaRow, OutRow, WorkerRow
from games.record import Record, canonical, load, replace_fields

HEARD_OF: Millis = MINUTE
"""A living worker is updated much more often than this."""
WORKERS_LOCK = 0x7475_0002
"""The lock number that each worker combines with its own number."""


class Worker(Record, frozen=True, kw_only=True):
    """A worker as the others see it. done: how often it completed each step of the service.

    games, letters, sending: the numbers of games, incoming and outgoing emails that it has claimed. until:
    the end of its first lease.
    """

    number: int
    name: str
    host: str
    pid: int
    jobs: tuple[str, ...]
    began: Millis
    seen: Millis
    done: dict[str, int] = {}
    games: int = 0
    letters: int = 0
    sending: int = 0
    until: Millis | None = None


def enter(database: Database, name: str, jobs: Sequence[str], now: Millis) -> int:
    """Register a worker and return its number. If there can be only one worker, remove all others."""
    with database.writing():
        if not database.is_shared:
            database.run(WorkerRow.delete())
        row = WorkerRow.insert(
            name=name, host=socket.gethostname(), pid=os.getpid(), jobs=" ".join(jobs), began=now, seen=now
        )
        number = int(database.run(row))
        # Before others can see the row, otherwise they would think that the worker is dead.
        database.hold(WORKERS_LOCK, number)
    return number


def come_back(database: Database, name: str) -> None:
    """Register a worker again after its connection broke, unless others have declared it dead meanwhile."""
    number = next((row.number for row in _rows(database) if row.name == name), None)
    if number is not None:
        database.hold(WORKERS_LOCK, number)


def beat(database: Database, name: str, done: Mapping[str, int], now: Millis) -> bool:
    """Record that a worker is alive, and its counters. Return False if others have declared it dead."""
    document = canonical(dict(done)).decode()
    with database.writing():
        noted = WorkerRow.update(seen=now, done=document).where(WorkerRow.name == name)
        return bool(database.run(noted))


def leave(database: Database, name: str) -> None:
    """Remove a worker that stops normally, and release claims left after errors.

    Emails in transit are treated as those of a dead worker: `outbox.recover` finds them. Raises StoreFault if
    this can't be written. The other workers notice its end anyway.
    """
    try:
        with database.writing():
            _give_back(database, [name])
            outbox.lapse(database, [name])
            database.run(WorkerRow.delete().where(WorkerRow.name == name))
    finally:
        database.let_go()


def release_dead_workers(database: Database, name: str) -> tuple[str, ...]:
    """Release the claims of dead workers and return their names. name: the caller's.

    For games and incoming emails a wrong guess only costs repeated work. Outgoing emails are released only if
    the death is certain; otherwise their lease ends first.
    """
    gone = [
        row for row in _rows(database) if row.name != name and not database.is_held(WORKERS_LOCK, row.number)
    ]
    names = [row.name for row in gone]
    if names:
        with database.writing():
            _give_back(database, names)
            outbox.lapse(database, [row.name for row in gone if _is_certain(row)])
            database.run(WorkerRow.delete().where(WorkerRow.name.in_(names)))
    return tuple(names)


def _give_back(database: Database, names: Sequence[str]) -> None:
    due_games.give_back(database, names)
    inbox.give_back(database, names)


def living_workers(database: Database, now: Millis) -> tuple[str, ...]:
    """Return the workers that are certainly alive, each named by its process and its machine."""
    return tuple(f"process {row.pid} on {row.host}" for row in _rows(database) if _lives(database, row, now))


def _lives(database: Database, row: Any, now: Millis) -> bool:
    if database.is_shared:
        return database.is_held(WORKERS_LOCK, row.number)
    # The process number can belong to another process by now if the worker hasn't reported for long.
    return row.seen > now - HEARD_OF and row.host == socket.gethostname() and _runs(row.pid)


def current_workers(database: Database) -> tuple[Worker, ...]:
    """Return all workers on this database with their claims, ordered by their start."""
    with database.reading():
        held = {
            model: {
                name: (int(count), until)
                for name, count, until in database.run(
                    model.select(model.worker, fn.COUNT(SQL("*")), fn.MIN(model.lease))
                    .where(model.worker.is_null(False) & model.lease.is_null(False) & still)
                    .group_by(model.worker)
                    .tuples()
                )
            }
            for model, still in (
                (GameRow, GameRow.status == "running"),
                (LetterRow, LetterRow.disposition.is_null()),
                (OutRow, OutRow.state.in_(["ready", "sending"])),
            )
        }
        rows = _rows(database)
    return tuple(_worker(row, [held[model].get(row.name, (0, None)) for model in held]) for row in rows)


def _rows(database: Database) -> list[Any]:
    with database.reading():
        return list(database.run(WorkerRow.select().order_by(WorkerRow.number)))


def _worker(row: Any, held: Sequence[tuple[int, Millis | None]]) -> Worker:
    (games, _), (letters, _), (sending, _) = held
    return Worker(
        number=row.number,
        name=row.name,
        host=row.host,
        pid=row.pid,
        jobs=tuple(row.jobs.split()),
        began=row.began,
        seen=row.seen,
        done=load(dict[str, int], row.done.encode()),
        games=games,
        letters=letters,
        sending=sending,
        until=min((until for _, until in held if until is not None), default=None),
    )


def _is_certain(row: Any) -> bool:
    """Return whether a process of this machine has ended. Its number may be our own by now."""
    if row.host != socket.gethostname():
        return False
    return row.pid == os.getpid() or not _runs(row.pid)


def _runs(pid: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True


# Incidents that stop the service from working, stored while they last, with the emails about them.


_INCIDENT_KEY_PREFIX = "trouble/"
_CHANNEL_INCIDENT_PREFIX = "channel "
_TROUBLE = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))


class Incident(Record, frozen=True, kw_only=True):
    """A failure since an instant. told: the keys of our emails that report it."""

    name: str
    since: Millis
    last: Millis
    why: str
    told: tuple[str, ...] = ()


def channel_incident_name(name: str) -> str:
    """Return the name of a channel's incident."""
    return _CHANNEL_INCIDENT_PREFIX + name


def channel_of(name: str) -> str | None:
    """Return the channel of an incident, or None if it isn't about a channel."""
    return name.removeprefix(_CHANNEL_INCIDENT_PREFIX) if name.startswith(_CHANNEL_INCIDENT_PREFIX) else None


def note(database: Database, name: str, why: str, now: Millis) -> Incident:
    """Record a failure, or its repetition. Return the current incident."""
    with database.writing():
        before = find(database, name)
        trouble = (
            replace_fields(before, last=now, why=why)
            if before
            else Incident(name=name, since=now, last=now, why=why)
        )
        _write(database, trouble)
    return trouble


def tell(
    database: Database, trouble: Incident, key: str, letters: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Put emails and posts about an incident in the outbox, and record that it was reported under a key."""
    with database.writing():
        outbox.put(database, letters, now)
        _write(database, replace_fields(trouble, told=(*trouble.told, key)))


def over(database: Database, name: str) -> None:
    """Delete an incident, if there is one with this name: the service works again."""
    with database.writing():
        database.run(MetaRow.delete().where(MetaRow.key == _INCIDENT_KEY_PREFIX + name))


def find(database: Database, name: str) -> Incident | None:
    """Return the current incident with this name, or None."""
    with database.reading():
        row = next(iter(database.ask(_TROUBLE, key=_INCIDENT_KEY_PREFIX + name)), None)
    return None if row is None else load(Incident, bytes(row.value))


def current_incidents(database: Database) -> Sequence[Incident]:
    """Return all current incidents, the longest first."""
    with database.reading():
        rows = database.run(MetaRow.select().where(MetaRow.key.startswith(_INCIDENT_KEY_PREFIX)))
        incidents = [load(Incident, bytes(row.value)) for row in rows]
    return tuple(sorted(incidents, key=lambda incident: (incident.since, incident.name)))


def _write(database: Database, trouble: Incident) -> None:
    row = MetaRow.insert(key=_INCIDENT_KEY_PREFIX + trouble.name, value=canonical(trouble))
    database.run(row.on_conflict(conflict_target=[MetaRow.key], preserve=[MetaRow.value]))
