"""Undeliverable emails, and addresses with disabled delivery."""

from collections.abc import Sequence

from peewee import BigIntegerField, BooleanField, ForeignKeyField, Model

from adjudicator.clock import Millis
from adjudicator.model.mail import BOUNCE_WINDOW_MS, Bounce, SentLetter, has_too_many_bounces
from adjudicator.storage.database import Database, Prepared, slot
from adjudicator.storage.tables import ChairRow, DatabaseText, OutRow
from games.protocol import Seat
from games.record import Record, replace_fields


class BounceRow(Model):
    """An outgoing email that was undeliverable.

    hard: permanently, not only for now. why: the server's message.
    """

    letter = ForeignKeyField(OutRow, primary_key=True, on_delete="CASCADE")
    address = DatabaseText(index=True)
    at = BigIntegerField()
    hard = BooleanField()
    why = DatabaseText()

    class Meta:
        table_name = "bounce"


class DeadRow(Model):
    """An address with disabled delivery, because too many emails to it were undeliverable."""

    address = DatabaseText(primary_key=True)
    since = BigIntegerField()
    why = DatabaseText()

    class Meta:
        table_name = "dead"


RETURNED: tuple[type[Model], ...] = (BounceRow, DeadRow)

# This runs for every email to a seat.
_REVIVE = Prepared(DeadRow.delete().where(DeadRow.address == slot("address")))


class DisabledAddress(Record, frozen=True, kw_only=True):
    """An address with disabled delivery. why: the message of its last undeliverable email."""

    address: str
    since: Millis
    why: str


class DatabaseBounceRepository:
    """Implements `BounceRepository` on a database. Raises StoreFault."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sent_letter(self, sender: str) -> SentLetter | None:
        """Return the outgoing email with this envelope sender."""
        facts = OutRow.select(OutRow.number, OutRow.recipient, OutRow.game, OutRow.seat)
        with self._database.reading():
            row = self._database.first(facts.where(OutRow.sender == sender))
        if row is None:
            return None
        seat = None if row.seat is None else Seat(row.seat)
        return SentLetter(number=row.number, to=row.recipient, game=row.game, seat=seat)

    def bounces_since(self, address: str, since: Millis) -> tuple[Bounce, ...]:
        """Return the undeliverable emails to an address since an instant."""
        query = BounceRow.select().where((BounceRow.address == address) & (BounceRow.at >= since))
        with self._database.reading():
            return tuple(
                Bounce(letter=row.letter_id, address=row.address, hard=row.hard, why=row.why)
                for row in self._database.run(query)
            )

    def is_disabled(self, address: str) -> bool:
        """Return whether delivery to an address is disabled: nothing is sent there any more."""
        return bool(self._database.count(DeadRow.select().where(DeadRow.address == address)))


def note(database: Database, bounce: Bounce, now: Millis) -> None:
    """Record an undeliverable email, also at its reader's seats. Runs in the caller's transaction."""
    row = {"letter": bounce.letter, "address": bounce.address, "at": now, "why": bounce.why}
    # A rejection after a delay replaces the delay.
    was_hard = (BounceRow.letter == bounce.letter) & BounceRow.hard
    with database.writing():
        hard = bounce.hard or database.first(BounceRow.select().where(was_hard)) is not None
        fresh = BounceRow.insert(**row, hard=hard)
        kept = [BounceRow.at, BounceRow.hard, BounceRow.why]
        database.run(fresh.on_conflict(conflict_target=[BounceRow.letter], preserve=kept))
        if bounce.dead:
            dead = DeadRow.insert(address=bounce.address, since=now, why=bounce.why)
            database.run(dead.on_conflict_ignore())
        if hard or bounce.dead:
            seats = ChairRow.address == bounce.address
            database.run(ChairRow.update(trouble=bounce.why).where(seats))


def note_refused(database: Database, letter: int, address: str, why: str, now: Millis) -> None:
    """Record that a server rejected an email permanently before accepting it, like an undeliverable one.

    Runs in the caller's transaction.
    """
    repository = DatabaseBounceRepository(database)
    refused = Bounce(letter=letter, address=address, hard=True, why=why)
    before = [
        bounce
        for bounce in repository.bounces_since(address, now - BOUNCE_WINDOW_MS)
        if bounce.letter != letter
    ]
    dead = has_too_many_bounces((*before, refused)) and not repository.is_disabled(address)
    note(database, replace_fields(refused, dead=dead), now)


def enable_address(database: Database, address: str) -> bool:
    """Re-enable delivery to an address and forget its undeliverable emails.

    Return whether it was disabled.
    """
    with database.writing():
        was_dead = bool(database.do(_REVIVE, address=address))
        if was_dead:
            database.run(BounceRow.delete().where(BounceRow.address == address))
            database.run(ChairRow.update(trouble=None).where(ChairRow.address == address))
    return was_dead


def disabled_addresses(database: Database) -> tuple[DisabledAddress, ...]:
    """Return the addresses with disabled delivery, the longest first."""
    with database.reading():
        rows = database.run(DeadRow.select().order_by(DeadRow.since, DeadRow.address))
        return tuple(DisabledAddress(address=row.address, since=row.since, why=row.why) for row in rows)


def bouncing_addresses(database: Database, addresses: Sequence[str], now: Millis) -> frozenset[str]:
    """Return the addresses with recent bounces.

    These count as undeliverable even if a server accepts another email. Emails that a server rejected at once
    don't count: an accepted email shows that such an address works again.
    """
    recent = BounceRow.address.in_(list(addresses)) & (BounceRow.at > now - BOUNCE_WINDOW_MS)
    back = BounceRow.select(BounceRow.address).join(OutRow).where(recent & (OutRow.state != "failed"))
    with database.reading():
        return frozenset(row.address for row in database.run(back))
