"""Size limits of a letter in bytes, headers and parts, and the outcome of one that exceeds them.

Mail programs write nothing of the kind; a sender that does wants to keep us busy.
"""

import re

from adjudicator.auth.sender import prove_identity
from adjudicator.clock import HOUR
from adjudicator.context import RequestContext
from adjudicator.messages import sentence
from adjudicator.model.mail import LetterOutcome, StoredLetter
from adjudicator.reports.messages import Heading, LetterReader, notice
from orders.mail.headers import MAX_HEADER_BLOCK_BYTES, MAX_HEADER_BYTES, MAX_HEADERS, block_of
from orders.mail.letter import Letter
from orders.mail.mime import MAX_MIME_DEPTH, MAX_MIME_PARTS

_HEADER_START = re.compile(rb"(?:^|\n)[!-9;-~]{1,80}[ \t]*:")
_SIZED_HEADER = re.compile(
    rb"(?:^|\n)(?:from|to|cc|subject|date|message-id|in-reply-to|content-[a-z-]{1,30})[ \t]*:"
    rb"[^\n]*+(?:\n(?:[ \t]|\r(?!\n))[^\n]*+)*+",
    re.IGNORECASE,
)
"""A header that is read, with its folded lines. Those that servers add may be longer."""

_NESTED_PART = re.compile(
    rb"content-type[ \t]*:[ \t]*(?:\r?\n[ \t]+)?(?:multipart/|message/rfc822)", re.IGNORECASE
)
_BOUNDARY_PARAMETER = re.compile(
    rb"boundary[ \t]*=[ \t]*(?:\"([^\"\r\n]{1,200})\"|([^\s;\"]{1,200}))", re.IGNORECASE
)


def head_of(raw: bytes) -> bytes:
    """Return the letter's header block, as far as it is ever read."""
    return block_of(raw)


def check_header_size(raw: bytes) -> str | None:
    """Return why a letter's header block is too big, in words; None if it can be read."""
    head = head_of(raw)
    if len(head) >= MAX_HEADER_BLOCK_BYTES:
        return sentence("clerk.limits.long_head", most=MAX_HEADER_BLOCK_BYTES)
    # What can be had for nothing is asked first: hardly a letter comes near to any of this.
    if head.count(b":") > MAX_HEADERS and sum(1 for _ in _HEADER_START.finditer(head)) > MAX_HEADERS:
        return sentence("clerk.limits.many_headers", most=MAX_HEADERS)
    is_long = len(head) > MAX_HEADER_BYTES
    if is_long and any(len(header[0]) > MAX_HEADER_BYTES for header in _SIZED_HEADER.finditer(head)):
        return sentence("clerk.limits.long_header", most=MAX_HEADER_BYTES)
    return None


def check_body_size(raw: bytes, largest: int) -> str | None:
    """Return why the rest of a letter is too big, in words; None if it can be read. largest: in bytes."""
    if len(raw) > largest:
        return sentence("clerk.limits.many_bytes", most=largest)
    low = raw.lower()
    if (
        low.count(b"content-type") > MAX_MIME_DEPTH
        and sum(1 for _ in _NESTED_PART.finditer(raw)) > MAX_MIME_DEPTH
    ):
        return sentence("clerk.limits.nested", most=MAX_MIME_DEPTH)
    if b"boundary" not in low:
        return None
    boundaries = {match[1] or match[2] for match in _BOUNDARY_PARAMETER.finditer(raw)}
    if (
        len(boundaries) > MAX_MIME_DEPTH
        or sum(raw.count(b"\n--" + boundary) for boundary in boundaries) > MAX_MIME_PARTS
    ):
        return sentence("clerk.limits.many_parts", most=MAX_MIME_PARTS)
    return None


def quarantine_oversized(
    kept: StoredLetter, letter: Letter, why: str, context: RequestContext
) -> LetterOutcome:
    """Quarantine a letter of which only the header was opened. why: which limit it exceeds."""
    seated = prove_identity(letter, kept, context.books, context.office).speaker()
    if seated is None:
        return LetterOutcome("quarantined", why, letter.sender)
    to = seated.chair.address or letter.sender
    answer = notice(
        LetterReader(address=to, zone=context.office.zone),
        Heading(f"heavy/{kept.fingerprint}", f"Re: {letter.subject}", answer_to=letter.message_id or None),
        (
            sentence("clerk.limits.not_read", why=why),
            sentence("clerk.limits.write_plainly"),
        ),
    )
    may_reply = context.books.replies_since(to, context.now // HOUR * HOUR) < context.office.answers_an_hour
    return LetterOutcome(
        disposition="quarantined",
        why=why,
        speaker=letter.sender,
        game=seated.position.name,
        seat=seated.seat,
        answers=(answer,) if may_reply else (),
    )
