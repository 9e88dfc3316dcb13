"""Signed content of emails that were accepted, and emails that their writers confirm."""

from typing import Any

from peewee import BigIntegerField, Model

from adjudicator.auth import tokens
from adjudicator.clock import DAY, Millis
from adjudicator.errors import WriteConflict
from adjudicator.model.mail import StoredLetter
from adjudicator.model.people import QUESTION, ConfirmEmail, NoteSignature
from adjudicator.storage.database import Database, Prepared, slot
from adjudicator.storage.tables import DatabaseText, LetterRow, OutRow
from games.protocol import Seat

KEPT_FOR: Millis = 30 * DAY
"""So long a hash is kept. An email may come 8 days after it was read; the rest is for mail that is late."""


class SignatureRow(Model):
    """Signed content that was accepted. content: its hash; letter: the email's fingerprint."""

    content = DatabaseText(primary_key=True)
    letter = DatabaseText()
    accepted = BigIntegerField(index=True)

    class Meta:
        table_name = "signature"


SIGNATURE_TABLES: tuple[type[Model], ...] = (SignatureRow,)

_ACCEPTED = Prepared(SignatureRow.select(SignatureRow.letter).where(SignatureRow.content == slot("content")))
_INSERT_SIGNATURE = Prepared(
    SignatureRow.insert(
        **{name: slot(name) for name in ("content", "letter", "accepted")}
    ).on_conflict_ignore()
)
_FORGET = Prepared(SignatureRow.delete().where(SignatureRow.accepted < slot("before")))


def accepted_in(database: Database, content: str) -> str | None:
    """Return the fingerprint of the email in which signed content was accepted; None if it was in none."""
    with database.session():
        rows = database.ask(_ACCEPTED, content=content)
    return str(rows[0].letter) if rows else None


def note(database: Database, deed: NoteSignature) -> None:
    """Write down that signed content was accepted.

    Raises Overtaken if it was accepted in another email meanwhile.
    """
    with database.writing():
        database.do(_FORGET, before=deed.at - KEPT_FOR)
        if not database.do(_INSERT_SIGNATURE, content=deed.content, letter=deed.letter, accepted=deed.at):
            raise WriteConflict("what is signed in this email was accepted in another one meanwhile")


def quarantined_letter(database: Database, fingerprint: str) -> StoredLetter | None:
    """Return the email of that fingerprint, if it is quarantined and its bytes are still kept."""
    with database.reading():
        row = database.first(LetterRow.select().where(_is_quarantined(fingerprint)))
        if row is None or not row.data:
            return None
        return StoredLetter(
            number=row.number, received=row.received, raw=bytes(row.data), fingerprint=fingerprint
        )


def confirm(database: Database, deed: ConfirmEmail) -> None:
    """Write down that a quarantined email is read. Raises Overtaken if it was dealt with meanwhile."""
    email = quarantined_letter(database, deed.letter)
    if email is None:
        raise WriteConflict("the email was dealt with meanwhile")
    facts = {
        "disposition": "read",
        "why": deed.why or None,
        "speaker": deed.by,
        "game": deed.game,
        "seat": deed.seat,
        "handled": deed.at,
        "data": tokens.redact_letter(email.raw),
    }
    here = (LetterRow.number == email.number) & (LetterRow.disposition == "quarantined")
    if not database.run(LetterRow.update(**facts).where(here)):
        raise WriteConflict("the email was dealt with meanwhile")


def questions_since(database: Database, game: str, seat: Seat, since: Millis) -> int:
    """Return how often a seat was asked since an instant about emails in its player's name."""
    here = (OutRow.game == game) & (OutRow.seat == seat) & (OutRow.created >= since)
    return database.count(OutRow.select().where(here & OutRow.key.startswith(QUESTION)))


def _is_quarantined(fingerprint: str) -> Any:
    return (LetterRow.fingerprint == fingerprint) & (LetterRow.disposition == "quarantined")
