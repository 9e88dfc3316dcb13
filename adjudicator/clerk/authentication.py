"""Whether an email shows that its From address wrote it, to us, lately.

The From line proves nothing by itself, and a genuine email to somebody else is no email to us: players send
each other orders all day, and anybody may pass them on. So a From address is PROVED if its own server handed
the email to ours, or by a signature that covers to whom the email was addressed, once, and within days of its
date. docs/security.md has the exact rule. An email that is genuine and fails the rest is DOUBTFUL.
"""

from collections.abc import Sequence
from enum import Enum

from adjudicator.clerk.authentication_results import passed_signatures, results_of, sent_by, vouches
from adjudicator.clock import DAY, Millis
from adjudicator.ledger.books import Books
from adjudicator.ledger.letters import Handled, Kept
from adjudicator.ledger.people_acts import NoteSignature
from adjudicator.office import Office
from games.record import changed
from orders.letters.dkim_signatures import content_hash, covers_recipients, read_signatures
from orders.letters.headers import Header, divide, first, has_plain_headers, read_headers
from orders.letters.letter import Letter, envelope_of
from orders.letters.mailboxes import agreed_addresses, sole_mailbox

FROM = "verified-from"
"""What stands in the settings for a From address that is authenticated."""

MAX_AGE: Millis = 7 * DAY
MAX_AHEAD: Millis = DAY
"""How long before its arrival, and after it, an email may be dated whose signature counts."""


class Grade(Enum):
    """How far an email shows who wrote it."""

    PROVED = "proved"
    DOUBTFUL = "doubtful"
    UNPROVED = "unproved"


def authenticate(letter: Letter, kept: Kept, books: Books, office: Office, also: Sequence[str] = ()) -> Grade:
    """Return how far an email shows that its From address wrote it, to us.

    also: further addresses that are ours in this email, such as the list in which a game is played.
    """
    raw = kept.raw.removeprefix(envelope_of(kept.raw))
    headers = read_headers(divide(raw)[0])
    domain = letter.sender.rpartition("@")[2]
    results = results_of(raw, office.authserv_id) if office.authserv_id else ()
    is_signed = first(headers, "dkim-signature") is not None
    if FROM not in office.accept or not domain or not (results or is_signed):
        return Grade.UNPROVED
    if not _names_one_sender(letter, raw, headers):
        return Grade.UNPROVED
    if sent_by(results, letter.sender):
        return Grade.PROVED
    written_to_us = (
        _is_addressed_to_us(headers, office, also)
        and is_dated_lately(letter, kept)
        and is_accepted_nowhere_else(kept, books)
    )
    groups = passed_signatures(results, read_signatures(headers), domain)
    if written_to_us and any(all(covers_recipients(one, headers) for one in group) for group in groups):
        return Grade.PROVED
    is_genuine = vouches(results, domain)
    if is_genuine and not written_to_us:
        return Grade.DOUBTFUL
    good = office.signed(raw, domain) if office.signed is not None and is_signed else ()
    if written_to_us and any(covers_recipients(one, headers) for one in good):
        return Grade.PROVED
    return Grade.DOUBTFUL if is_genuine or good else Grade.UNPROVED


def is_dated_lately(letter: Letter, kept: Kept) -> bool:
    """Return whether an email is dated within days of its arrival."""
    return letter.date is not None and -MAX_AHEAD <= kept.received - letter.date <= MAX_AGE


def is_accepted_nowhere_else(kept: Kept, books: Books) -> bool:
    """Return whether what is signed in an email was accepted in no other. The same email may come again."""
    return books.accepted_in(content_hash(kept.raw)) in (None, kept.fingerprint)


def note_signature(kept: Kept, handled: Handled, books: Books, now: Millis) -> Handled:
    """Return what becomes of an email, and that what is signed in it counts in no other if it was accepted.

    Also if something else than its signature showed who wrote it: a copy of it has no more than that.
    """
    is_accepted = handled.disposition == "read" and (handled.seat is not None or handled.acts)
    if not is_accepted or first(read_headers(divide(kept.raw)[0]), "dkim-signature") is None:
        return handled
    content = content_hash(kept.raw)
    if books.accepted_in(content) is not None:
        return handled
    noted = NoteSignature(by=handled.speaker or "", content=content, letter=kept.fingerprint, at=now)
    return changed(handled, acts=(*handled.acts, noted))


def _names_one_sender(letter: Letter, raw: bytes, headers: Sequence[Header]) -> bool:
    """Return whether every program reads the same sender in the header block."""
    senders = [header.value for header in headers if header.name == "from"]
    return has_plain_headers(raw) and len(senders) == 1 and sole_mailbox(senders[0]) == letter.sender


def _is_addressed_to_us(headers: Sequence[Header], office: Office, also: Sequence[str]) -> bool:
    """Return whether To or Cc names an address of ours, to our reader of headers and to the standard one."""
    for header in headers:
        if header.name in ("to", "cc"):
            named = agreed_addresses(header.value)
            if any(office.is_ours(address) or address in also for address in named):
                return True
    return False
