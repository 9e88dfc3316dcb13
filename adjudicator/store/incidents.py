"""What stands in the service's way: noted while it lasts, and what was told of it."""

from collections.abc import Sequence

from adjudicator.clock import Millis
from adjudicator.ledger.letters import Sealed
from adjudicator.store import outbox
from adjudicator.store.database import Database
from adjudicator.store.prepared import Prepared, slot
from adjudicator.store.tables import MetaRow
from games.record import Record, canonical, changed, load

_PREFIX = "trouble/"
_CHANNEL = "channel "
_TROUBLE = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))


class Incident(Record, frozen=True, kw_only=True):
    """Something that fails since an instant. told: the keys of our letters that tell of it."""

    name: str
    since: Millis
    last: Millis
    why: str
    told: tuple[str, ...] = ()


def of_channel(name: str) -> str:
    """What the trouble of a channel is called."""
    return _CHANNEL + name


def channel_of(name: str) -> str | None:
    """Of which channel a trouble is; None: of none."""
    return name.removeprefix(_CHANNEL) if name.startswith(_CHANNEL) else None


def note(database: Database, name: str, why: str, now: Millis) -> Incident:
    """Note that something failed, again perhaps. Returns the trouble as it stands now."""
    with database.writing():
        before = find(database, name)
        trouble = (
            changed(before, last=now, why=why)
            if before
            else Incident(name=name, since=now, last=now, why=why)
        )
        _write(database, trouble)
    return trouble


def tell(database: Database, trouble: Incident, letter: Sealed, now: Millis) -> None:
    """Put a letter that tells of a trouble in the outbox, and note that it is told."""
    with database.writing():
        outbox.put(database, [letter], now)
        _write(database, changed(trouble, told=(*trouble.told, letter.key)))


def over(database: Database, name: str) -> None:
    """It works: whatever trouble there was is over."""
    with database.writing():
        database.run(MetaRow.delete().where(MetaRow.key == _PREFIX + name))


def find(database: Database, name: str) -> Incident | None:
    """The trouble of that name, while it lasts."""
    with database.reading():
        row = next(iter(database.ask(_TROUBLE, key=_PREFIX + name)), None)
    return None if row is None else load(Incident, bytes(row.value))


def present(database: Database) -> Sequence[Incident]:
    """All incidents that last, the longest first."""
    with database.reading():
        rows = database.run(MetaRow.select().where(MetaRow.key.startswith(_PREFIX)))
        found = [load(Incident, bytes(row.value)) for row in rows]
    return tuple(sorted(found, key=lambda one: (one.since, one.name)))


def _write(database: Database, trouble: Incident) -> None:
    row = MetaRow.insert(key=_PREFIX + trouble.name, value=canonical(trouble))
    database.run(row.on_conflict(conflict_target=[MetaRow.key], preserve=[MetaRow.value]))
