"""Email authentication: did the From address write this email, to us, and lately?

The From line proves nothing by itself, and a genuine email to somebody else is no email to us: players
send each other orders all day, and anybody may pass them on. So a From address is PROVED if its own
server handed the email to ours, or by a signature that covers to whom the email was addressed, once, and
within days of its date. docs/security.md has the exact rule. An email that is genuine and fails the rest
is DOUBTFUL.
"""

from collections.abc import Sequence
from enum import Enum

from adjudicator.auth.authentication_results import (
    authenticates_domain,
    is_sent_by,
    passed_signatures,
    results_of,
)
from adjudicator.clock import DAY, Millis
from adjudicator.context import ServiceContext
from adjudicator.model.mail import LetterOutcome, StoredLetter
from adjudicator.model.people_acts import NoteSignature
from adjudicator.model.repository import Repository
from games.record import replace_fields
from orders.mail.dkim_signatures import content_hash, covers_recipients, read_signatures
from orders.mail.headers import Header, first, has_plain_headers, read_headers, split_message
from orders.mail.letter import Letter, envelope_of
from orders.mail.mailboxes import agreed_addresses, sole_mailbox

VERIFIED_FROM = "verified-from"
"""What stands in the settings for a From address that is authenticated."""

MAX_SIGNED_EMAIL_AGE: Millis = 7 * DAY
MAX_SIGNED_EMAIL_LEAD: Millis = DAY
"""How long before its arrival, and after it, an email may be dated whose signature counts."""


class Grade(Enum):
    """The degree to which an email shows who wrote it."""

    PROVED = "proved"
    DOUBTFUL = "doubtful"
    UNPROVED = "unproved"


def authenticate(
    letter: Letter, kept: StoredLetter, books: Repository, service: ServiceContext, also: Sequence[str] = ()
) -> Grade:
    """Return how far an email shows that its From address wrote it, to us.

    also: further addresses that are ours in this email, such as the list in which a game is played.
    """
    raw = kept.raw.removeprefix(envelope_of(kept.raw))
    headers = read_headers(split_message(raw)[0])
    domain = letter.sender.rpartition("@")[2]
    results = results_of(raw, service.authserv_id) if service.authserv_id else ()
    is_signed = first(headers, "dkim-signature") is not None
    if VERIFIED_FROM not in service.accept or not domain or not (results or is_signed):
        return Grade.UNPROVED
    if not _names_one_sender(letter, raw, headers):
        return Grade.UNPROVED
    if is_sent_by(results, letter.sender):
        return Grade.PROVED
    written_to_us = (
        _is_addressed_to_us(headers, service, also)
        and is_dated_lately(letter, kept)
        and is_accepted_nowhere_else(kept, books)
    )
    groups = passed_signatures(results, read_signatures(headers), domain)
    if written_to_us and any(
        all(covers_recipients(signature, headers) for signature in group) for group in groups
    ):
        return Grade.PROVED
    is_genuine = authenticates_domain(results, domain)
    if is_genuine and not written_to_us:
        return Grade.DOUBTFUL
    good = service.signed(raw, domain) if service.signed is not None and is_signed else ()
    if written_to_us and any(covers_recipients(signature, headers) for signature in good):
        return Grade.PROVED
    return Grade.DOUBTFUL if is_genuine or good else Grade.UNPROVED


def is_dated_lately(letter: Letter, kept: StoredLetter) -> bool:
    """Return whether an email is dated within days of its arrival."""
    return (
        letter.date is not None
        and -MAX_SIGNED_EMAIL_LEAD <= kept.received - letter.date <= MAX_SIGNED_EMAIL_AGE
    )


def is_accepted_nowhere_else(kept: StoredLetter, books: Repository) -> bool:
    """Return whether what is signed in an email was accepted in no other. The same email may come again."""
    return books.accepted_in(content_hash(kept.raw)) in (None, kept.fingerprint)


def note_signature(
    kept: StoredLetter, handled: LetterOutcome, books: Repository, now: Millis
) -> LetterOutcome:
    """Return the outcome of an email, and note that its signed content counts in no other.

    It is noted if the email was accepted, even by something else than its signature: a copy of it has no
    more than that.
    """
    is_accepted = handled.disposition == "read" and (handled.seat is not None or handled.acts)
    if not is_accepted or first(read_headers(split_message(kept.raw)[0]), "dkim-signature") is None:
        return handled
    content = content_hash(kept.raw)
    if books.accepted_in(content) is not None:
        return handled
    noted = NoteSignature(by=handled.speaker or "", content=content, letter=kept.fingerprint, at=now)
    return replace_fields(handled, acts=(*handled.acts, noted))


def _names_one_sender(letter: Letter, raw: bytes, headers: Sequence[Header]) -> bool:
    """Return whether every program reads the same sender in the header block."""
    senders = [header.value for header in headers if header.name == "from"]
    return has_plain_headers(raw) and len(senders) == 1 and sole_mailbox(senders[0]) == letter.sender


def _is_addressed_to_us(headers: Sequence[Header], service: ServiceContext, also: Sequence[str]) -> bool:
    """Return whether To or Cc names an address of ours, to our reader of headers and to the standard one."""
    for header in headers:
        if header.name in ("to", "cc"):
            named = agreed_addresses(header.value)
            if any(service.is_ours(address) or address in also for address in named):
                return True
    return False
