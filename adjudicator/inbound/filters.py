"""Filters: the checks that an email passes before it is read, and the effect of a bounce.
The first check that matches decides. Our own emails are ignored. A bounce is noted.
Automatic emails are ignored, and so is an absence notice without an order. Emails from a mailing list wait
for the GM. All others are read. An email that is too big waits too, and isn't parsed. An email without a
reply still counts: we never drop an order silently.

A bounce is a report that one of our emails was undeliverable, for now or permanently. Each of our emails has
its own sender address, and servers send their reports to it (VERP). So we needn't guess which email a report
is about. Reports follow RFC 3464. Servers that write prose still write a code.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from adjudicator.auth.reply_tokens import NO_REPLY_TOKENS, reply_tokens_of_game
from adjudicator.auth.sender import prove_identity
from adjudicator.clock import HOUR, format_instant
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import find_bounce_address, is_own, valid_address
from adjudicator.model.mail import (
    BOUNCE_WINDOW_MS,
    Bounce,
    LetterDraft,
    LetterOutcome,
    SentLetter,
    StoredLetter,
    has_too_many_bounces,
)
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import Heading, LetterReader, notice
from games.data import read_toml
from games.language import join_list
from games.record import Value
from orders.mail.headers import MAX_HEADER_BLOCK_BYTES, MAX_HEADER_BYTES, MAX_HEADERS, block_of, safe
from orders.mail.letter import Letter, open_letter
from orders.mail.mime import MAX_MIME_DEPTH, MAX_MIME_PARTS
from orders.words import fold

SERVER_SENDER = re.compile(r"^(mailer-daemon|postmaster)@", re.IGNORECASE)
RECEIPT_TYPE = re.compile(r"disposition-notification|feedback-report")
NO_REPLY_SENDER = re.compile(r"^(no-?reply|do-?not-?reply)[^@]*@", re.IGNORECASE)


class FilterResult(Value, frozen=True):
    """The result of the filters for an email: "read", "ignored" or "quarantined", and why.

    weak: it has a mark of automatic emails that a player's email may have too, so it is only read if it is
    authenticated. returned: it reports a bounce of one of our emails. heavy: only its header was examined.
    is_absence: its subject is that of an absence notice, and no other mark shows an automatic email. It is
    read if it has an order.
    """

    disposition: str
    why: str | None = None
    weak: bool = False
    returned: bool = False
    heavy: bool = False
    is_absence: bool = False


IsOurs = Callable[[str], bool]
"""Returns whether a Message-ID is that of an email that we sent."""


@cache
def _subject_prefixes(sort: str) -> tuple[str, ...]:
    """Return the case-folded subject prefixes of a sort."""
    table = read_toml("orders", "robots.toml")[sort]
    return tuple(" ".join(fold(phrase).split()) for several in table.values() for phrase in several)


def _has_subject_prefix(subject: str, sort: str) -> bool:
    """Return whether a subject begins with a prefix of that sort (orders/robots.toml)."""
    return " ".join(fold(subject[:200]).split()).startswith(_subject_prefixes(sort))


def filter_letter(letter: Letter, is_ours: IsOurs, service: ServiceContext) -> FilterResult:
    """Return the result of the first check that matches. An email that matches none is read."""
    marks, kind = letter.marks, letter.marks.get("content-type", "").lower()
    auto = marks.get("auto-submitted", "no").split(";")[0].strip().lower() or "no"
    is_own_letter = is_own(letter.sender, service.address) or "x-turnpost" in marks
    if is_own_letter or is_ours(letter.message_id):
        return FilterResult("ignored", sentence("inbound.filters.our_own"))
    is_report = kind.startswith("multipart/report") and not RECEIPT_TYPE.search(kind)
    # Absence notices arrive at the same address, but no server sends them, and they are marked as automatic.
    is_from_server = SERVER_SENDER.match(letter.sender) or not letter.sender
    if is_report or (
        is_from_server
        and auto == "no"
        and find_bounce_address(service.address, service.key, letter.recipients)
    ):
        return FilterResult("ignored", sentence("inbound.filters.of_a_server"), returned=True)
    if (why := _explain_automatic(letter, auto)) is not None:
        return FilterResult("ignored", why)
    if _has_subject_prefix(letter.subject, "absences"):
        why = sentence("inbound.filters.sender_or_subject_of_a_robot")
        return FilterResult("ignored", why, is_absence=True)
    precedence = marks.get("precedence", "").strip().lower()
    if precedence == "list" or {"list-id", "list-post"} & set(marks):
        return FilterResult("quarantined", sentence("inbound.filters.through_a_list"))
    if not valid_address(letter.sender):
        return FilterResult("quarantined", sentence("inbound.filters.nobody_to_answer"))
    is_perhaps_automatic = precedence in ("bulk", "junk", "auto_reply") or "x-auto-response-suppress" in marks
    return FilterResult("read", weak=is_perhaps_automatic or bool(NO_REPLY_SENDER.match(letter.sender)))


def _explain_automatic(letter: Letter, auto: str) -> str | None:
    """Return what shows that a program wrote an email, or None. auto: the value of Auto-Submitted."""
    if auto != "no":
        return sentence("inbound.filters.of_a_robot", auto=auto)
    if RECEIPT_TYPE.search(letter.marks.get("content-type", "").lower()):
        return sentence("inbound.filters.a_receipt")
    if letter.marks.get("return-path", "-").strip() in ("<>", ""):
        return sentence("inbound.filters.no_return_path")
    if {"x-loop", "x-autoreply", "x-autorespond"} & set(letter.marks):
        return sentence("inbound.filters.a_loop_mark")
    if SERVER_SENDER.match(letter.sender) or _has_subject_prefix(letter.subject, "servers"):
        return sentence("inbound.filters.sender_or_subject_of_a_robot")
    return None


def admit(raw: bytes, is_ours: IsOurs, service: ServiceContext) -> tuple[Letter, FilterResult]:
    """Return an email, parsed as far as its size allows, and the result of the filters.

    If an email is too big, only its header is parsed, or nothing at all.
    """
    if (why := check_header_size(raw)) is not None:
        return Letter(size_bytes=len(raw)), FilterResult("quarantined", why)
    why = check_body_size(raw, service.largest_letter)
    letter = open_letter(raw if why is None else block_of(raw))
    passed = filter_letter(letter, is_ours, service)
    if why is not None and passed.disposition == "read":
        passed = FilterResult("quarantined", why, passed.weak, heavy=True)
    return letter, passed


def open_trusted(raw: bytes) -> tuple[Letter, FilterResult]:
    """Return an email that the GM wants to be read, as if the filters had let it pass."""
    return open_letter(raw), FilterResult("read")


# Size limits of an email in bytes, headers and parts, and the outcome of an email that exceeds them.
#
# Mail programs don't write such emails. They are attempts to keep us busy.


_HEADER_START = re.compile(rb"(?:^|\n)[!-9;-~]{1,80}[ \t]*:")
_SIZED_HEADER = re.compile(
    rb"(?:^|\n)(?:from|to|cc|subject|date|message-id|in-reply-to|content-[a-z-]{1,30})[ \t]*:"
    rb"[^\n]*+(?:\n(?:[ \t]|\r(?!\n))[^\n]*+)*+",
    re.IGNORECASE,
)
"""A header that we read, with its folded lines. Headers that servers add may be longer."""

_NESTED_PART = re.compile(
    rb"content-type[ \t]*:[ \t]*(?:\r?\n[ \t]+)?(?:multipart/|message/rfc822)", re.IGNORECASE
)
_BOUNDARY_PARAMETER = re.compile(
    rb"boundary[ \t]*=[ \t]*(?:\"([^\"\r\n]{1,200})\"|([^\s;\"]{1,200}))", re.IGNORECASE
)


def check_header_size(raw: bytes) -> str | None:
    """Return why an email's header block is too big, in words, or None if it can be read."""
    head = block_of(raw)
    if len(head) >= MAX_HEADER_BLOCK_BYTES:
        return sentence("inbound.limits.long_head", most=MAX_HEADER_BLOCK_BYTES)
    # The cheap test comes first, because hardly any email comes near these limits.
    if head.count(b":") > MAX_HEADERS and sum(1 for _ in _HEADER_START.finditer(head)) > MAX_HEADERS:
        return sentence("inbound.limits.many_headers", most=MAX_HEADERS)
    is_long = len(head) > MAX_HEADER_BYTES
    if is_long and any(len(header[0]) > MAX_HEADER_BYTES for header in _SIZED_HEADER.finditer(head)):
        return sentence("inbound.limits.long_header", most=MAX_HEADER_BYTES)
    return None


def check_body_size(raw: bytes, largest: int) -> str | None:
    """Return why the rest of an email is too big, in words, or None if it can be read. largest: in bytes."""
    if len(raw) > largest:
        return sentence("inbound.limits.many_bytes", most=largest)
    low = raw.lower()
    if (
        low.count(b"content-type") > MAX_MIME_DEPTH
        and sum(1 for _ in _NESTED_PART.finditer(raw)) > MAX_MIME_DEPTH
    ):
        return sentence("inbound.limits.nested", most=MAX_MIME_DEPTH)
    if b"boundary" not in low:
        return None
    boundaries = {match[1] or match[2] for match in _BOUNDARY_PARAMETER.finditer(raw)}
    if (
        len(boundaries) > MAX_MIME_DEPTH
        or sum(raw.count(b"\n--" + boundary) for boundary in boundaries) > MAX_MIME_PARTS
    ):
        return sentence("inbound.limits.many_parts", most=MAX_MIME_PARTS)
    return None


def quarantine_oversized(
    kept: StoredLetter, letter: Letter, why: str, context: RequestContext
) -> LetterOutcome:
    """Quarantine an email that was only parsed up to the end of its header. why: the exceeded limit."""
    seated = prove_identity(letter, kept, context.repository, context.service_context).speaker()
    if seated is None:
        return LetterOutcome("quarantined", why, letter.sender)
    to = seated.assignment.address or letter.sender
    answer = notice(
        LetterReader(address=to, zone=context.service_context.zone),
        Heading(f"heavy/{kept.fingerprint}", f"Re: {letter.subject}", answer_to=letter.message_id or None),
        (
            sentence("inbound.limits.not_read", why=why),
            sentence("inbound.limits.write_plainly"),
        ),
    )
    may_reply = (
        context.repository.replies_since(to, context.now // HOUR * HOUR)
        < context.service_context.answers_an_hour
    )
    return LetterOutcome(
        disposition="quarantined",
        why=why,
        speaker=letter.sender,
        game=seated.position.name,
        seat=seated.seat,
        answers=(answer,) if may_reply else (),
    )


# Bounces.


DELIVERY_STATUS_PART, ARRIVAL_ACTIONS = "delivery-status", frozenset({"delivered", "relayed", "expanded"})
_REPORT_ACTION = re.compile(r"^action:[ \t]*([a-z]+)", re.IGNORECASE | re.MULTILINE)
_REPORT_STATUS = re.compile(r"^status:[ \t]*([245])\.\d{1,3}\.\d{1,3}", re.IGNORECASE | re.MULTILINE)
_REPORT_DIAGNOSIS = re.compile(
    r"^diagnostic-code:(?:[ \t]*[a-z]+;)?[ \t]*([^\n]{1,500}(?:\n[ \t][^\n]{1,500}){0,4})",
    re.IGNORECASE | re.MULTILINE,
)
_SMTP_CODE = re.compile(r"(?<![\d.])([45])(?:\d\d(?=[ -])|\.\d{1,3}\.\d{1,3}(?!\.?\d))")
_MAX_BOUNCE_REASON_CHARS = 200


def handle_bounce(letter: Letter, context: RequestContext) -> LetterOutcome:
    """Return the outcome of an email that the filters recognised as a server's report."""
    sender = find_bounce_address(
        context.service_context.address, context.service_context.key, letter.recipients
    )
    posting = context.repository.bounces.sent_letter(sender) if sender else None
    if posting is None:
        return _ignore(sentence("inbound.bounces.no_letter_of_ours"), letter)
    hard, why = read_delivery_report(letter)
    why = _redact_reason(why, posting, context.repository, context.service_context)
    if hard is None:
        return _ignore(sentence("inbound.bounces.arrived", number=posting.number), letter, posting)
    bounce = Bounce(letter=posting.number, address=posting.to, hard=hard, why=why)
    before = [
        earlier
        for earlier in context.repository.bounces.bounces_since(posting.to, context.now - BOUNCE_WINDOW_MS)
        if earlier.letter != posting.number
    ]
    dead = has_too_many_bounces((*before, bounce)) and not context.repository.bounces.is_disabled(posting.to)
    if dead:
        bounce = Bounce(letter=posting.number, address=posting.to, hard=hard, why=why, dead=True)
    notices = (_disabled_notice(bounce, context),) if dead else ()
    reason = sentence(
        "inbound.bounces.came_back", number=posting.number, address=posting.to, hard=hard, why=why
    )
    return _ignore(reason, letter, posting, bounce, notices)


def _redact_reason(why: str, posting: SentLetter, repository: Repository, service: ServiceContext) -> str:
    """Return the server's reason without reply tokens, because it may repeat any part of our email."""
    keys = reply_tokens_of_game(posting.game, repository, service) if posting.game else NO_REPLY_TOKENS
    return keys.redact(why)


def read_delivery_report(letter: Letter) -> tuple[bool | None, str]:
    """Return whether our email was rejected permanently (None: it was delivered), and the server's reason."""
    reports = [part.text for part in letter.parts if part.name == DELIVERY_STATUS_PART and part.text.strip()]
    if not reports:
        prose = "\n".join(part.text for part in letter.parts if part.kind == "plain")
        line = next((line for line in prose.splitlines() if _SMTP_CODE.search(line)), letter.subject)
        return _first_code(line) == "5", safe(line)[:_MAX_BOUNCE_REASON_CHARS]
    text = "\n".join(reports)
    actions = {action.lower() for action in _REPORT_ACTION.findall(text)}
    if actions and actions <= ARRIVAL_ACTIONS:
        return None, ""
    diagnosis, code = _REPORT_DIAGNOSIS.search(text), _REPORT_STATUS.search(text)
    why = safe(diagnosis[1]) if diagnosis else safe(code[0]) if code else safe(letter.subject)
    final = code[1] == "5" if code else _first_code(why) == "5"
    return "failed" in actions and final, why[:_MAX_BOUNCE_REASON_CHARS]


def _first_code(text: str) -> str | None:
    match = _SMTP_CODE.search(text)
    return match[1] if match else None


def _disabled_notice(bounce: Bounce, context: RequestContext) -> LetterDraft:
    """Return the notice to the GM that an address is disabled; none goes to the address itself."""
    at = format_instant(context.now, context.service_context.zone)
    seats = join_list(
        sentence("inbound.bounces.seat_in_game", seat=seat, game=game)
        for game, seat in context.repository.seats_of(bounce.address)
    )
    paragraphs = (
        sentence("inbound.bounces.given_up", address=bounce.address, seats=seats, at=at, why=bounce.why)
        if seats
        else sentence("inbound.bounces.given_up_no_player", address=bounce.address, at=at, why=bounce.why),
        sentence("inbound.bounces.nothing_more_is_sent"),
        f"gm mail revive {bounce.address}",
        sentence("inbound.bounces.another_address"),
    )
    reader = LetterReader(address=context.service_context.address, zone=context.service_context.zone)
    key = f"dead/{bounce.address}/{bounce.letter}"
    subject = sentence("inbound.bounces.given_up_subject", address=bounce.address)
    return notice(reader, Heading(key, subject), paragraphs)


def _ignore(
    why: str,
    letter: Letter,
    posting: SentLetter | None = None,
    bounce: Bounce | None = None,
    answers: Sequence[LetterDraft] = (),
) -> LetterOutcome:
    return LetterOutcome(
        disposition="ignored",
        why=why,
        speaker=letter.sender or None,
        game=posting.game if posting else None,
        seat=posting.seat if posting else None,
        answers=tuple(answers),
        bounce=bounce,
    )
