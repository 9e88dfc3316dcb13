"""Replies to our questions from another address than the one we asked: not taken, but explained.

Only the player whom we asked can say YES, from the address that we asked. We explain it at that address and
not to the sender of the reply: nobody learns who plays, and no forged address gets an email. The question
stays as it was.
"""

import games
from adjudicator.auth.correspondents import confirmed_marks, named_marks
from adjudicator.auth.sender import BY_TOKEN, AuthenticatedSeat
from adjudicator.clock import HOUR
from adjudicator.context import RequestContext
from adjudicator.inbound.confirmations import is_in_time
from adjudicator.inbound.parse_contexts import COMMANDS_ONLY_CONTEXT, parse_context
from adjudicator.messages import sentence
from adjudicator.model.mail import LetterOutcome, StoredLetter
from adjudicator.model.people import REQUEST_LIFETIME_MS, EmailInDoubt, Request
from adjudicator.reports.messages import Heading, caller_of, notice
from orders.mail.body import fresh_lines
from orders.mail.letter import Letter
from orders.reading.letter_reader import read_lines

MAX_NOTICES = 3
"""We explain it so many times for each question."""


def explain_answer_from_elsewhere(
    kept: StoredLetter, letter: Letter, context: RequestContext
) -> LetterOutcome | None:
    """Return the outcome of a reply to a question that we asked another address; None of other emails."""
    request = _find_request(letter, context)
    if request is None or _says_more(letter, request, context):
        return None
    address, books = request.address, context.books
    handled = LetterOutcome(
        "quarantined", sentence("clerk.answers_from_elsewhere.why"), letter.sender or None
    )
    keys = (f"from-elsewhere/{request.mark}/{number}" for number in range(MAX_NOTICES))
    key = next((key for key in keys if not books.has_written(key)), None)
    has_enough = books.replies_since(address, context.now // HOUR * HOUR) >= context.office.answers_an_hour
    if key is None or has_enough:
        return handled
    heading = Heading(key, sentence("clerk.answers_from_elsewhere.subject"), replies=True)
    reader = caller_of(address, context, mark=request.mark)
    paragraphs = _paragraphs(kept, letter, request, context)
    return LetterOutcome(
        "quarantined", handled.why, handled.speaker, answers=(notice(reader, heading, paragraphs),)
    )


def _find_request(letter: Letter, context: RequestContext) -> Request | None:
    """Return the request that the address of an email names, if we asked another address about it."""
    key, people = context.office.key, context.books.people
    if confirmed_marks(key, letter.sender, letter.recipients, context.now):
        return None
    for mark in named_marks(letter.recipients):
        for request in people.requests_by_mark(mark):
            if mark in confirmed_marks(key, request.address, letter.recipients, context.now):
                return request
    return None


def _says_more(letter: Letter, request: Request, context: RequestContext) -> bool:
    """Return whether an email has orders or commands of its own, which are read as ever."""
    email = request.email
    position = context.books.position(email.game) if email is not None else None
    book = COMMANDS_ONLY_CONTEXT
    if email is not None and position is not None and email.seat in position.chairs:
        speaker = AuthenticatedSeat(position, email.seat, "question")
        book = parse_context(games.kinds()[position.kind], speaker, context.books)
    reading = read_lines(fresh_lines(letter), book)
    return bool(reading.orders or reading.commands)


def _paragraphs(
    kept: StoredLetter, letter: Letter, request: Request, context: RequestContext
) -> tuple[str, ...]:
    email = request.email
    sort = "wish" if email is None else "press" if email.is_press else "email"
    still_open = _is_open(kept, request, email, context)
    asked = ("\n".join(f"| {line}" for line in request.lines),) if email is None else ()
    game = None if email is None else email.game
    how = (
        sentence("clerk.answers_from_elsewhere.how_to_answer", address=request.address, sort=sort)
        if still_open
        else sentence("clerk.answers_from_elsewhere.instead", sort=sort)
    )
    other_way = (
        (
            sentence("clerk.answers_from_elsewhere.press_from_elsewhere")
            if email.is_press
            else sentence("clerk.answers_from_elsewhere.orders_from_elsewhere"),
        )
        if email is not None and still_open and _tokens_count(letter.sender, email, context)
        else ()
    )
    return (
        sentence("clerk.answers_from_elsewhere.not_accepted", game=game, still_open=still_open),
        *asked,
        *([" ".join((how, *other_way))] if still_open or _is_running(email, context) else []),
        sentence("clerk.answers_from_elsewhere.not_yours"),
    )


def _is_running(email: EmailInDoubt | None, context: RequestContext) -> bool:
    """Return whether what a question was about can be sent again."""
    position = context.books.position(email.game) if email is not None else None
    return email is None or (position is not None and position.is_running)


def _is_open(
    kept: StoredLetter, request: Request, email: EmailInDoubt | None, context: RequestContext
) -> bool:
    """Return whether a YES from the address that we asked would count now."""
    if email is None:
        return context.now - request.at < REQUEST_LIFETIME_MS
    position = context.books.position(email.game)
    return (
        bool(email.turn)
        and position is not None
        and context.books.quarantined_letter(email.letter) is not None
        and is_in_time(position, email, request.address, kept, request)
    )


def _tokens_count(sender: str, email: EmailInDoubt, context: RequestContext) -> bool:
    """Return whether the seat's reply address counts in an email from that address."""
    office = context.office
    seats = [seat for game, seat in context.books.seats_of(sender) if game == email.game]
    return BY_TOKEN in office.accept and not office.strict and (not seats or email.seat in seats)
