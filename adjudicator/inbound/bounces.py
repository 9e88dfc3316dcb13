"""Bounces: reports that one of our emails was undeliverable, for now or permanently.

Each of our emails has its own sender address, and servers send their reports to it (VERP). So we needn't
guess which email a report is about. Reports follow RFC 3464. Servers that write prose still write a code.
"""

import re
from collections.abc import Sequence

from adjudicator.auth.reply_tokens import NO_REPLY_TOKENS, reply_tokens_of_game
from adjudicator.clock import format_instant
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import find_bounce_address
from adjudicator.model.mail import (
    BOUNCE_WINDOW_MS,
    Bounce,
    LetterDraft,
    LetterOutcome,
    SentLetter,
    has_too_many_bounces,
)
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import Heading, LetterReader, notice
from games.language import join_list
from orders.mail.headers import safe
from orders.mail.letter import Letter

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
