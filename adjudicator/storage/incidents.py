"""The incidents that keep the service from working: noted while they last, with the letters about them."""

from collections.abc import Sequence

from adjudicator.clock import Millis
from adjudicator.model.mail import OutgoingMessage
from adjudicator.storage import outbox
from adjudicator.storage.database import Database
from adjudicator.storage.prepared import Prepared, slot
from adjudicator.storage.tables import MetaRow
from games.record import Record, canonical, load, replace_fields

_INCIDENT_KEY_PREFIX = "trouble/"
_CHANNEL_INCIDENT_PREFIX = "channel "
_TROUBLE = Prepared(MetaRow.select(MetaRow.value).where(MetaRow.key == slot("key")))


class Incident(Record, frozen=True, kw_only=True):
    """Something that fails since an instant. told: the keys of our letters that tell of it."""

    name: str
    since: Millis
    last: Millis
    why: str
    told: tuple[str, ...] = ()


def channel_incident_name(name: str) -> str:
    """Return the name of a channel's incident."""
    return _CHANNEL_INCIDENT_PREFIX + name


def channel_of(name: str) -> str | None:
    """Return the channel of an incident; None if it is not about a channel."""
    return name.removeprefix(_CHANNEL_INCIDENT_PREFIX) if name.startswith(_CHANNEL_INCIDENT_PREFIX) else None


def note(database: Database, name: str, why: str, now: Millis) -> Incident:
    """Note that something failed, again perhaps. Returns the trouble as it stands now."""
    with database.writing():
        before = find(database, name)
        trouble = (
            replace_fields(before, last=now, why=why)
            if before
            else Incident(name=name, since=now, last=now, why=why)
        )
        _write(database, trouble)
    return trouble


def tell(database: Database, trouble: Incident, letter: OutgoingMessage, now: Millis) -> None:
    """Put a letter that tells of a trouble in the outbox, and note that it is told."""
    with database.writing():
        outbox.put(database, [letter], now)
        _write(database, replace_fields(trouble, told=(*trouble.told, letter.key)))


def over(database: Database, name: str) -> None:
    """It works: whatever trouble there was is over."""
    with database.writing():
        database.run(MetaRow.delete().where(MetaRow.key == _INCIDENT_KEY_PREFIX + name))


def find(database: Database, name: str) -> Incident | None:
    """The trouble of that name, while it lasts."""
    with database.reading():
        row = next(iter(database.ask(_TROUBLE, key=_INCIDENT_KEY_PREFIX + name)), None)
    return None if row is None else load(Incident, bytes(row.value))


def current_incidents(database: Database) -> Sequence[Incident]:
    """All incidents that last, the longest first."""
    with database.reading():
        rows = database.run(MetaRow.select().where(MetaRow.key.startswith(_INCIDENT_KEY_PREFIX)))
        incidents = [load(Incident, bytes(row.value)) for row in rows]
    return tuple(sorted(incidents, key=lambda incident: (incident.since, incident.name)))


def _write(database: Database, trouble: Incident) -> None:
    row = MetaRow.insert(key=_INCIDENT_KEY_PREFIX + trouble.name, value=canonical(trouble))
    database.run(row.on_conflict(conflict_target=[MetaRow.key], preserve=[MetaRow.value]))
