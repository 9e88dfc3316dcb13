"""Limits of a letter: what it may weigh in bytes, and what becomes of one that is too heavy.

Mail programs write nothing of the kind; whoever does wants to keep us busy.
"""

import re

from adjudicator.catalogue import sentence
from adjudicator.clerk.identity import proof_of
from adjudicator.clock import HOUR
from adjudicator.ledger.letters import Handled, Kept
from adjudicator.office import Desk
from adjudicator.reports.messages import Heading, Reader, notice
from orders.letters.headers import BLOCK_BYTES, HEADER_BYTES, MOST_HEADERS, block_of
from orders.letters.letter import Letter
from orders.letters.mime import DEEPEST, MOST_PARTS

_FIELD = re.compile(rb"(?:^|\n)[!-9;-~]{1,80}[ \t]*:")
_READ = re.compile(
    rb"(?:^|\n)(?:from|to|cc|subject|date|message-id|in-reply-to|content-[a-z-]{1,30})[ \t]*:"
    rb"[^\n]*+(?:\n(?:[ \t]|\r(?!\n))[^\n]*+)*+",
    re.IGNORECASE,
)
"""A header that is read, with its folded lines. Those that servers add may be longer."""

_NESTED = re.compile(
    rb"content-type[ \t]*:[ \t]*(?:\r?\n[ \t]+)?(?:multipart/|message/rfc822)", re.IGNORECASE
)
_BOUNDARY = re.compile(rb"boundary[ \t]*=[ \t]*(?:\"([^\"\r\n]{1,200})\"|([^\s;\"]{1,200}))", re.IGNORECASE)


def head_of(raw: bytes) -> bytes:
    """The letter's head, as far as it is ever read."""
    return block_of(raw)


def weigh_head(raw: bytes) -> str | None:
    """What is wrong with the measures of a letter's head, in words; None if it can be read."""
    head = head_of(raw)
    if len(head) >= BLOCK_BYTES:
        return sentence("clerk.limits.long_head", most=BLOCK_BYTES)
    # What can be had for nothing is asked first: hardly a letter comes near to any of this.
    if head.count(b":") > MOST_HEADERS and sum(1 for _ in _FIELD.finditer(head)) > MOST_HEADERS:
        return sentence("clerk.limits.many_headers", most=MOST_HEADERS)
    is_long = len(head) > HEADER_BYTES
    if is_long and any(len(found[0]) > HEADER_BYTES for found in _READ.finditer(head)):
        return sentence("clerk.limits.long_header", most=HEADER_BYTES)
    return None


def weigh_body(raw: bytes, largest: int) -> str | None:
    """What is wrong with the measures of the rest, in words; None if it can be read. largest: in bytes."""
    if len(raw) > largest:
        return sentence("clerk.limits.many_bytes", most=largest)
    low = raw.lower()
    if low.count(b"content-type") > DEEPEST and sum(1 for _ in _NESTED.finditer(raw)) > DEEPEST:
        return sentence("clerk.limits.nested", most=DEEPEST)
    if b"boundary" not in low:
        return None
    boundaries = {found[1] or found[2] for found in _BOUNDARY.finditer(raw)}
    if len(boundaries) > DEEPEST or sum(raw.count(b"\n--" + one) for one in boundaries) > MOST_PARTS:
        return sentence("clerk.limits.many_parts", most=MOST_PARTS)
    return None


def too_heavy(kept: Kept, letter: Letter, why: str, desk: Desk) -> Handled:
    """What is done about a letter of which only the head was opened. why: what it weighs."""
    seated = proof_of(letter, kept, desk.books, desk.office).speaker()
    if seated is None:
        return Handled("quarantined", why, letter.sender)
    to = seated.chair.address or letter.sender
    answer = notice(
        Reader(address=to, zone=desk.office.zone),
        Heading(f"heavy/{kept.fingerprint}", f"Re: {letter.subject}", answer_to=letter.message_id or None),
        (
            sentence("clerk.limits.not_read", why=why),
            sentence("clerk.limits.write_plainly"),
        ),
    )
    told = desk.books.answers_since(to, desk.now // HOUR * HOUR) < desk.office.answers_an_hour
    return Handled(
        disposition="quarantined",
        why=why,
        speaker=letter.sender,
        game=seated.position.name,
        seat=seated.seat,
        answers=(answer,) if told else (),
    )
