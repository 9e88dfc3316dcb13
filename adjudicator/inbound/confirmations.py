"""Emails that we ask about: the player of the seat sees how we read the email, and a YES carries it out.

We ask about three sorts of emails:

- A genuine email that may not have been meant for us. Players mail each other orders, and anyone can pass
  such an email on.
- An email to a reply address that was replaced while the email was on its way. Someone else may have sent it.
- An email that answers press and has no orders. It may be press, which a YES sends.

We ask the player once, at the address of the seat, and do nothing with the email without a YES. The reply
address of the question names the email, so a YES to one question doesn't confirm another email. A YES counts
as long as an order would: until the deadline and its grace period, in the turn of the question. The time when
the email arrived decides. Press may be sent for a week.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from adjudicator.auth.correspondents import (
    confirmed_marks,
    invitation_mark,
    named_marks,
    person_address,
    request_mark,
)
from adjudicator.auth.reply_tokens import reply_tokens_held
from adjudicator.auth.sender import (
    BY_CONFIRMATION,
    BY_TOKEN,
    CONFIRMED_PRESS,
    AuthenticatedSeat,
    Grade,
    IdentityProof,
    authenticate,
)
from adjudicator.auth.tokens import remove_passwords
from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.context import RequestContext
from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.commands.press import find_answered_press_key, why_not_sent
from adjudicator.inbound.parse_contexts import COMMANDS_ONLY_CONTEXT, parse_context
from adjudicator.inbound.postponed_letters import find_suspension, quarantine_letter
from adjudicator.inbound.signon import find_speakers
from adjudicator.messages import sentence
from adjudicator.model.addresses import claims, reply_token, short_seat_name
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import LetterDraft, LetterOutcome, StoredLetter
from adjudicator.model.people import (
    FORGET_AFTER_MS,
    FORGET_COMMAND,
    QUESTION,
    REQUEST_LIFETIME_MS,
    Answered,
    AnyPersonAction,
    AskBack,
    ConfirmEmail,
    EmailInDoubt,
    GmJob,
    QueueGmJob,
    Request,
    ScheduleForgetting,
)
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import Heading, caller_of, named_writer, notice, reader_of
from adjudicator.reports.times import both
from adjudicator.turns.deadlines import is_late
from games.protocol import Seat, Turn
from games.record import Value, replace_fields
from orders.commands import Command
from orders.mail.body import FreshLine, fresh_lines
from orders.mail.dkim_signatures import content_hash
from orders.mail.letter import Letter
from orders.reading.letter_reader import LetterReading, read_lines

MAX_SEAT_QUESTIONS_PER_DAY = 6
"""The most questions to a seat in a day."""

MAX_ASKED_EMAIL_AGE: Millis = DAY
"""We don't ask about older emails."""

MAX_QUOTED_ROWS = 40
"""The most lines of an email that a question shows."""

Part = tuple[Command | None, Sequence[FreshLine]]
"""The SIGNON at the start of a part of an email, or None, and the lines of the part."""


def ask_if_meant(
    kept: StoredLetter, letter: Letter, parts: Sequence[Part], proof: IdentityProof, context: RequestContext
) -> LetterOutcome | None:
    """Return the outcome of an email that counts only if it was meant for us, or None for other emails."""
    if not proof.doubted:
        return None
    speakers = find_speakers(
        [signon for signon, _ in parts], proof.without_doubt(), letter.sender, context
    ).speakers
    lines_by_seat: dict[tuple[str, Seat], tuple[AuthenticatedSeat, list[FreshLine]]] = {}
    for (_, lines), speaker in zip(parts, speakers, strict=True):
        if isinstance(speaker, AuthenticatedSeat):
            lines_by_seat.setdefault((speaker.position.name, speaker.seat), (speaker, []))[1].extend(lines)
    if letter.date is None or context.now - letter.date > MAX_ASKED_EMAIL_AGE:
        return LetterOutcome("quarantined", sentence("inbound.confirmations.too_old"), letter.sender)
    if not lines_by_seat:
        return None
    shown = [
        (speaker, tuple(_describe_rows(lines, speaker, context))) for speaker, lines in lines_by_seat.values()
    ]
    # We ask about the first seat with something to do. The player must send the rest again.
    speaker, rows = next((candidate for candidate in shown if candidate[1]), shown[0])
    if not rows:
        why = sentence("inbound.confirmations.nothing_to_send")
        return replace_fields(_quarantine(letter, speaker), why=why)
    return _ask(kept, letter, speaker, rows, context)


def ask_if_sent(
    kept: StoredLetter,
    letter: Letter,
    lines: Sequence[FreshLine],
    void: AuthenticatedSeat,
    proof: IdentityProof,
    context: RequestContext,
) -> LetterOutcome | None:
    """Return the outcome of an email to a replaced reply address, or None if we don't ask about it.

    We ask its player if the email arrived before we sent the new address. void: the seat of the replaced
    address, if the sender is its player. With `strict`, the sender's address must be authenticated too.
    """
    is_shown = any(
        (holder.position.name, holder.seat) == (void.position.name, void.seat)
        for holder in (*proof.held, *proof.doubted)
    )
    if context.now - kept.received > MAX_ASKED_EMAIL_AGE or void.later or (proof.strict and not is_shown):
        return None
    rows = tuple(_describe_rows(lines, void, context))
    if not rows or _was_sent_before(void, kept, context):
        return None
    return _ask(kept, letter, void, rows, context, is_replaced=True)


def _ask(
    kept: StoredLetter,
    letter: Letter,
    speaker: AuthenticatedSeat,
    rows: Sequence[str],
    context: RequestContext,
    *,
    is_replaced: bool = False,
) -> LetterOutcome:
    """Return the question about an email, unless we asked it before or have asked the seat enough today.

    is_replaced: whether we ask because the reply address was replaced.
    """
    position, seat = speaker.position, speaker.seat
    handled = _quarantine(letter, speaker)
    mark = request_mark(context.service_context.key, letter.sender, ("?EMAIL", content_hash(kept.raw)))
    if any(earlier.mark == mark for earlier in context.repository.people.requests(letter.sender)):
        return replace_fields(handled, why=sentence("inbound.confirmations.asked_already"))
    if (
        context.repository.questions_since(position.name, seat, context.now // DAY * DAY)
        >= MAX_SEAT_QUESTIONS_PER_DAY
    ):
        return replace_fields(
            handled, why=sentence("inbound.confirmations.asked_enough", most=MAX_SEAT_QUESTIONS_PER_DAY)
        )
    email = EmailInDoubt(
        letter=kept.fingerprint,
        game=position.name,
        seat=seat,
        turn=_turn_of(position).short,
        stale=speaker.stale or "",
    )
    request = Request(address=letter.sender, lines=email.lines, at=context.now, mark=mark)
    question = _write_question(letter, speaker, rows, mark, context, is_replaced=is_replaced)
    return replace_fields(
        handled,
        why=sentence("inbound.confirmations.asked", is_replaced=is_replaced),
        acts=(AskBack(by=letter.sender, request=request),),
        answers=(question,),
    )


def _quarantine(letter: Letter, speaker: AuthenticatedSeat) -> LetterOutcome:
    return LetterOutcome("quarantined", None, letter.sender, game=speaker.position.name, seat=speaker.seat)


def _turn_of(position: GamePosition) -> Turn:
    return position.game.rules.turn(position.state)


def _write_question(
    letter: Letter,
    speaker: AuthenticatedSeat,
    rows: Sequence[str],
    mark: str,
    context: RequestContext,
    *,
    is_replaced: bool,
) -> LetterDraft:
    position = speaker.position
    reader = reader_of(
        position, speaker.assignment, letter.sender, context.repository, context.service_context
    )
    # The address names the question that a YES answers.
    reader = replace_fields(reader, reply_address=answered_at(letter.sender, mark, context))
    if not is_replaced:
        # With the seat's token in the address, a reply with orders would count as orders. That is only right
        # if the player wrote to a replaced address: then this email gives them the valid one.
        reader = replace_fields(reader, token=None)
    until = None if position.deadline is None else position.deadline + position.deadlines.grace
    keys = reply_tokens_held(letter.sender, context.repository, context.service_context)
    subject, *shown = (
        keys.redact(remove_passwords(text)) for text in (letter.subject, *rows[:MAX_QUOTED_ROWS])
    )
    more = len(rows) - len(shown)
    if is_replaced:
        question, why_we_ask = (
            sentence("inbound.confirmations.question_if_sent"),
            sentence("inbound.confirmations.replaced"),
        )
    else:
        question, why_we_ask = (
            sentence("inbound.confirmations.question"),
            sentence("inbound.confirmations.why_we_ask", address=context.service_context.address),
        )
    paragraphs = (
        question,
        "\n".join(f"| {row}" for row in shown),
        *([sentence("inbound.confirmations.more_lines", count=more)] if more > 0 else []),
        sentence(
            "inbound.confirmations.about",
            game=position.name,
            seat=speaker.seat,
            turn=_turn_of(position).name,
            subject=subject,
            deadline=None if until is None else both(until, reader.zone),
            is_replaced=is_replaced,
        ),
        why_we_ask,
    )
    heading = Heading(
        f"{QUESTION}{mark}",
        sentence("inbound.confirmations.subject", is_replaced=is_replaced),
        answer_to=letter.message_id or None,
        thread=letter.thread,
        replies=True,
    )
    return notice(reader, heading, paragraphs)


def answered_at(address: str, mark: str, context: RequestContext) -> str:
    """Return the reply address of a question. It names the question."""
    return person_address(
        context.service_context.key, context.service_context.address, address, context.now, mark
    )


def _describe_rows(
    lines: Sequence[FreshLine], speaker: AuthenticatedSeat, context: RequestContext
) -> Iterator[str]:
    """Yield the lines that would have an effect: orders as they are read, and commands with their text.

    Orders at the address of an earlier turn are late. Without commands, the email would have no effect.
    """
    if not speaker.position.is_running:
        return
    reading = read_lines(lines, parse_context(speaker.position.game, speaker, context.repository))
    commands = [command for command in reading.commands if command.verb != "SIGNOFF"]
    if speaker.stale is not None and not commands:
        return
    for row in reading.orders:
        line = " ".join(row.line.split())
        if row.said is None:
            yield sentence("inbound.confirmations.unread_line", line=line)
        elif speaker.stale is not None:
            yield sentence("inbound.confirmations.late_line", line=line, turn=speaker.stale)
        else:
            is_plain = row.said == line
            yield line if is_plain else sentence("inbound.confirmations.read_as", line=line, said=row.said)
    for command in commands:
        yield command.line
        yield from (line for line in command.text.split("\n") if line.strip())


def _was_sent_before(void: AuthenticatedSeat, kept: StoredLetter, context: RequestContext) -> bool:
    """Return whether we sent a newer address than the replaced one to its holder before the email arrived."""
    name, seat, key = void.position.name, void.seat, context.service_context.key
    # A restore skips generations. No address has a skipped one.
    later = range(void.generation + 1, void.assignment.generation + 1)
    good = {
        reply_token(key, name, seat, generation, turn)
        for generation in later
        for turn in context.repository.turns(name)
    }
    return any(
        at <= kept.received and any(claim.token in good for claim in claims((), "", (message_id,)))
        for message_id, at in context.repository.sent_to(name, seat)
    )


def answer_to_question(
    kept: StoredLetter,
    letter: Letter,
    context: RequestContext,
    read_again: Callable[[StoredLetter, AuthenticatedSeat], LetterOutcome],
) -> LetterOutcome | None:
    """Return the outcome of an answer to a question about an email, or None for other emails.

    read_again: reads the confirmed email as it arrived, for the seat of the question.
    """
    marks = confirmed_marks(context.service_context.key, letter.sender, letter.recipients, context.now)
    requests = context.repository.people.requests(letter.sender) if marks else ()
    wishes = [wish for wish in requests if wish.mark in marks and wish.lines == (FORGET_COMMAND,)]
    if wishes:
        return _answer_wish_to_be_forgotten(letter, wishes[0], context)
    of_gm = next((asked for asked in requests if asked.mark in marks and asked.gm_commands), None)
    if of_gm is not None:
        return _answer_of_gm(kept, letter, of_gm, context)
    questions = (
        (asked, asked.email) for asked in requests if asked.mark in marks and asked.email is not None
    )
    request, email = next(questions, (None, None))
    if request is None or email is None:
        return None
    if (answer := read_invitation_reply(fresh_lines(letter))) == "neither":
        return _answer_unclear(letter, request, email, context)
    if find_suspension(email.game, context.repository) is not None:
        return quarantine_letter(kept, letter, email.game, context)
    done = replace_fields(request, lines=replace_fields(email, turn="").lines)
    handled = LetterOutcome("read", None, letter.sender, acts=(AskBack(by=letter.sender, request=done),))
    original = context.repository.quarantined_letter(email.letter)
    position = context.repository.position(email.game)
    if answer == "no":
        why = sentence("inbound.confirmations.declined_why")
        of_email = sentence("inbound.confirmations.declined")
        text = sentence("inbound.press_replies.declined") if email.is_press else of_email
    elif original is None or not email.turn:
        why = sentence("inbound.confirmations.dealt_with_why")
        text = sentence("inbound.confirmations.dealt_with")
    elif position is None or not is_in_time(position, email, letter.sender, kept, request):
        why = sentence("inbound.confirmations.too_late_why")
        text = (
            sentence("inbound.press_replies.too_late")
            if email.is_press
            else sentence("inbound.confirmations.too_late")
        )
    else:
        how = CONFIRMED_PRESS if email.is_press else BY_CONFIRMATION
        again = read_again(original, AuthenticatedSeat(position, email.seat, how, email.stale or None))
        confirm = _confirmation(letter.sender, kept, email, context.now)
        return replace_fields(
            handled,
            why=sentence("inbound.confirmations.confirms", number=original.number),
            game=email.game,
            seat=email.seat,
            acts=(*handled.acts, confirm, *again.acts),
            answers=again.answers,
        )
    return _reply(letter, replace_fields(handled, why=why), text, context)


def _answer_wish_to_be_forgotten(
    letter: Letter, wish: Request, context: RequestContext
) -> LetterOutcome | None:
    """Return the outcome of an answer to whether its writer wants to be forgotten; None without YES or NO.

    Until the time has come, they can take it back by a reply.
    """
    answer, address = read_invitation_reply(fresh_lines(letter)), letter.sender
    if answer == "neither" or context.now - wish.at >= REQUEST_LIFETIME_MS:
        return None
    acts: tuple[AnyPersonAction, ...] = (Answered(by=address, address=address, mark=wish.mark),)
    text = sentence("inbound.privacy.declined")
    if answer == "yes":
        due = context.now + FORGET_AFTER_MS
        acts = (*acts, ScheduleForgetting(by=address, address=address, due=due, at=context.now))
        reader = caller_of(address, context)
        text = sentence("inbound.privacy.will_be_forgotten", when=both(due, reader.zone))
    return _reply(letter, LetterOutcome("read", None, address, acts=acts), text, context)


def _answer_of_gm(
    kept: StoredLetter, letter: Letter, request: Request, context: RequestContext
) -> LetterOutcome | None:
    """Return the outcome of a GM's answer to the question about their commands. A YES queues them."""
    asked = request.gm_commands
    assert asked is not None, "it was found by them"
    service, answer = context.service_context, read_invitation_reply(fresh_lines(letter))
    if context.repository.people.gms(asked.game).find(letter.sender) is None:
        return LetterOutcome("quarantined", sentence("inbound.gm_mail.no_longer_why"), letter.sender)
    if service.strict and authenticate(letter, kept, context.repository, service) is not Grade.PROVED:
        return LetterOutcome("quarantined", sentence("inbound.gm_reasons.yes_unproved"), letter.sender)
    if answer == "neither":
        neither = LetterOutcome("quarantined", sentence("inbound.confirmations.neither"), letter.sender)
        return _reply(letter, neither, sentence("inbound.gm_mail.yes_or_no"), context, request.mark)
    is_over = context.now - request.at >= REQUEST_LIFETIME_MS
    done = Answered(by=letter.sender, address=letter.sender, mark=request.mark)
    if answer == "no" or is_over:
        why, text = sentence("inbound.gm_mail.declined_why"), sentence("inbound.gm_mail.declined")
        if answer != "no":
            why, text = sentence("inbound.gm_mail.too_late_why"), sentence("inbound.gm_mail.too_late")
        return _reply(letter, LetterOutcome("read", why, letter.sender, acts=(done,)), text, context)
    job = GmJob(
        letter=kept.fingerprint,
        game=asked.game,
        address=letter.sender,
        lines=asked.commands,
        at=context.now,
        subject=letter.subject,
        message_id=letter.message_id or None,
        turn=asked.turn,
        confirmed=True,
    )
    why = sentence("inbound.gm_reasons.says_yes")
    return LetterOutcome("read", why, letter.sender, acts=(done, QueueGmJob(by=letter.sender, job=job)))


def _confirmation(sender: str, kept: StoredLetter, email: EmailInDoubt, now: Millis) -> ConfirmEmail:
    """Return the act that records a YES to an email."""
    return ConfirmEmail(
        by=sender,
        why=sentence("inbound.confirmations.confirmed", number=kept.number),
        letter=email.letter,
        game=email.game,
        seat=email.seat,
        at=now,
    )


def accept_doubtful_orders(reading: LetterReading) -> LetterReading:
    """Return the reading without doubts, because its writer saw it and said YES."""
    orders = tuple(
        replace_fields(row, grade="taken", problem=None, instead=None)
        if row.grade == "doubtful" and row.order is not None
        else row
        for row in reading.orders
    )
    return replace_fields(reading, orders=orders)


def is_in_time(
    position: GamePosition, email: EmailInDoubt, sender: str, kept: StoredLetter, request: Request
) -> bool:
    """Return whether a YES still counts: in the turn of the question, from its player, not too late."""
    turn = _turn_of(position).short
    assignment = position.assignments.get(email.seat)
    is_theirs = assignment is not None and assignment.address == sender
    if email.is_press:
        return is_theirs and kept.received - request.at < REQUEST_LIFETIME_MS
    return is_theirs and position.is_running and turn == email.turn and not is_late(position, kept.received)


def _answer_unclear(
    letter: Letter, request: Request, email: EmailInDoubt, context: RequestContext
) -> LetterOutcome | None:
    """Return the outcome of an answer without YES or NO, or None if it has orders."""
    position = context.repository.position(email.game)
    if position is None or email.seat not in position.assignments:
        return None
    reading: LetterReading = read_lines(
        fresh_lines(letter),
        parse_context(
            position.game,
            AuthenticatedSeat(position, email.seat, "question"),
            context.repository,
        ),
    )
    if reading.orders or reading.commands:
        return None
    handled = LetterOutcome("quarantined", sentence("inbound.confirmations.neither"), letter.sender)
    text = (
        sentence("inbound.press_replies.yes_or_no")
        if email.is_press
        else sentence("inbound.confirmations.yes_or_no")
    )
    return _reply(letter, handled, text, context, request.mark)


def _reply(
    letter: Letter, handled: LetterOutcome, text: str, context: RequestContext, mark: str | None = None
) -> LetterOutcome:
    """Return the outcome of an answer, with a reply to its writer unless they have had too many."""
    if (
        context.repository.replies_since(letter.sender, context.now // HOUR * HOUR)
        >= context.service_context.answers_an_hour
    ):
        return handled
    heading = Heading(
        f"answered/{letter.sender}/{letter.message_id}",
        f"Re: {letter.subject}",
        answer_to=letter.message_id or None,
        thread=letter.thread,
        replies=True,
    )
    return replace_fields(
        handled, answers=(notice(caller_of(letter.sender, context, mark=mark), heading, (text,)),)
    )


# Answers to invitations: a yes signs up, a no declines, and anything else is neither.


InvitationReply = Literal["yes", "no", "neither"]

_ACCEPTING_WORDS: tuple[str, ...] = (
    "yes",
    "yep",
    "yeah",
    "sure",
    "ok",
    "okay",
    "gladly",
    "with pleasure",
    "i'm in",
    "im in",
    "i am in",
)
_ACCEPTING_WORDS += ("count me in", "join", "ja", "gerne", "oui", "si", "sí", "sim")
_DECLINING_WORDS = (
    "no",
    "nope",
    "nein",
    "non",
    "not now",
    "no interest",
    "not interested",
    "unsubscribe",
    "stop",
)
_POLITE_ENDINGS = (
    "please",
    "thanks",
    "thank you",
    "danke",
    "merci",
    *_ACCEPTING_WORDS,
    *_DECLINING_WORDS[-5:],
)
"""Words that may follow a yes or no and change nothing."""


def find_inviting_games(
    marks: Iterable[str], key: bytes, address: str, repository: Repository
) -> tuple[str, ...]:
    """Return the games that we invited an address to, by the marks in the reply addresses of an email."""
    wanted = set(marks)
    if not wanted:
        return ()
    names = [*repository.games(), *(offer.name for offer in repository.people.offers())]
    return tuple(name for name in names if invitation_mark(key, address, name) in wanted)


def read_invitation_reply(lines: Sequence[FreshLine]) -> InvitationReply:
    """Return the meaning of an answer. Only its first line counts, and only if it says nothing more.

    If there is any doubt, it is neither: a wrong yes would give a seat to someone who doesn't want to play.
    """
    texts = [line.text.strip(" \t.!*_").casefold() for line in lines if line.source != "subject"]
    first = next((text for text in texts if text), "")
    word, _, rest = first.partition(",") if "," in first else _split_first_word(first)
    if rest.strip() and rest.strip() not in _POLITE_ENDINGS:
        return "neither"
    return (
        "yes" if word.strip() in _ACCEPTING_WORDS else "no" if word.strip() in _DECLINING_WORDS else "neither"
    )


def _split_first_word(text: str) -> tuple[str, str, str]:
    """Split a text at the first space after one of the words. Without such a space, return the whole text."""
    for word in sorted((*_ACCEPTING_WORDS, *_DECLINING_WORDS), key=len, reverse=True):
        if text == word or text.startswith(f"{word} "):
            return word, " ", text.removeprefix(word)
    return text, "", ""


# Replies to our questions from another address than the one we asked.
#
# We don't accept them. We explain that at the address that we asked, and not to the sender of the reply. So
# nobody learns who plays, and no forged address gets an email. The question stays open.


MAX_NOTICES = 3
"""The most explanations for each question."""


def explain_answer_from_elsewhere(
    kept: StoredLetter, letter: Letter, context: RequestContext
) -> LetterOutcome | None:
    """Return the outcome of a reply to a question that we asked another address, or None for other emails."""
    key = context.service_context.key
    marks = named_marks(letter.recipients)
    if not marks or confirmed_marks(key, letter.sender, letter.recipients, context.now):
        return None
    requests = (
        request
        for mark in marks
        for request in context.repository.people.requests_by_mark(mark)
        if mark in confirmed_marks(key, request.address, letter.recipients, context.now)
    )
    request = next(requests, None)
    if request is None:
        return _explain_invitation_from_elsewhere(letter, marks, context)
    if _says_more(letter, request, context):
        return None
    paragraphs = _paragraphs(kept, letter, request, context)
    return _explain_from_elsewhere(request.address, request.mark, paragraphs, letter, context)


def _explain_invitation_from_elsewhere(
    letter: Letter, marks: Sequence[str], context: RequestContext
) -> LetterOutcome | None:
    """Return the outcome of a yes or no to another address's invitation, or None for other emails.

    marks: those in the addresses of the email.
    """
    if read_invitation_reply(fresh_lines(letter)) == "neither":
        return None
    key, repository = context.service_context.key, context.repository
    for game in (*repository.games(), *(offer.name for offer in repository.people.offers())):
        for address in repository.invited_addresses(game):
            mark = invitation_mark(key, address, game)
            if mark in marks and mark in confirmed_marks(key, address, letter.recipients, context.now):
                paragraphs = (
                    sentence("inbound.other_addresses.invitation", game=game, address=address),
                    sentence("inbound.other_addresses.not_yours"),
                )
                return _explain_from_elsewhere(address, mark, paragraphs, letter, context)
    return None


def _explain_from_elsewhere(
    address: str, mark: str, paragraphs: tuple[str, ...], letter: Letter, context: RequestContext
) -> LetterOutcome:
    """Return the outcome of a reply from elsewhere, explained at the address that we asked.

    mark: the mark of our question. A reply to the explanation names it again.
    """
    repository = context.repository
    handled = LetterOutcome("quarantined", sentence("inbound.other_addresses.why"), letter.sender or None)
    keys = (f"from-elsewhere/{mark}/{number}" for number in range(MAX_NOTICES))
    key = next((key for key in keys if not repository.has_written(key)), None)
    has_enough = (
        repository.replies_since(address, context.now // HOUR * HOUR)
        >= context.service_context.answers_an_hour
    )
    if key is None or has_enough:
        return handled
    heading = Heading(key, sentence("inbound.other_addresses.subject"), replies=True)
    reader = caller_of(address, context, mark=mark)
    return replace_fields(handled, answers=(notice(reader, heading, paragraphs),))


def _says_more(letter: Letter, request: Request, context: RequestContext) -> bool:
    """Return whether an email also has orders or commands, which are read as usual."""
    email = request.email
    position = context.repository.position(email.game) if email is not None else None
    book = COMMANDS_ONLY_CONTEXT
    if email is not None and position is not None and email.seat in position.assignments:
        speaker = AuthenticatedSeat(position, email.seat, "question")
        book = parse_context(position.game, speaker, context.repository)
    reading = read_lines(fresh_lines(letter), book)
    return bool(reading.orders or reading.commands)


def _paragraphs(
    kept: StoredLetter, letter: Letter, request: Request, context: RequestContext
) -> tuple[str, ...]:
    email = request.email
    sort = "wish" if email is None else "press" if email.is_press else "email"
    still_open = _is_open(kept, request, email, context)
    asked = ("\n".join(f"| {remove_passwords(line)}" for line in request.wishes),) if email is None else ()
    game = None if email is None else email.game
    how = (
        sentence("inbound.other_addresses.how_to_answer", address=request.address, sort=sort)
        if still_open
        else sentence("inbound.other_addresses.instead", sort=sort)
    )
    other_way = (
        (
            sentence("inbound.other_addresses.press_from_elsewhere")
            if email.is_press
            else sentence("inbound.other_addresses.orders_from_elsewhere"),
        )
        if email is not None and still_open and _tokens_count(letter.sender, email, context)
        else ()
    )
    return (
        sentence("inbound.other_addresses.not_accepted", game=game, still_open=still_open),
        *asked,
        *([" ".join((how, *other_way))] if still_open or _is_running(email, context) else []),
        sentence("inbound.other_addresses.not_yours"),
    )


def _is_running(email: EmailInDoubt | None, context: RequestContext) -> bool:
    """Return whether the content of the email in question can be sent again."""
    position = context.repository.position(email.game) if email is not None else None
    return email is None or (position is not None and position.is_running)


def _is_open(
    kept: StoredLetter, request: Request, email: EmailInDoubt | None, context: RequestContext
) -> bool:
    """Return whether a YES from the address that we asked would count now."""
    if email is None:
        return context.now - request.at < REQUEST_LIFETIME_MS
    position = context.repository.position(email.game)
    return (
        bool(email.turn)
        and position is not None
        and context.repository.quarantined_letter(email.letter) is not None
        and is_in_time(position, email, request.address, kept, request)
    )


def _tokens_count(sender: str, email: EmailInDoubt, context: RequestContext) -> bool:
    """Return whether the seat's reply address counts in an email from that address."""
    service_context = context.service_context
    seats = [seat for game, seat in context.repository.seats_of(sender) if game == email.game]
    return (
        BY_TOKEN in service_context.accept
        and not service_context.strict
        and (not seats or email.seat in seats)
    )


# Replies to press without orders.


_SUBJECT = re.compile(r"\bPress: from (?P<writer>[^\[\]]+?) to ", re.IGNORECASE)
"""The subject of press (outbound.notifications.press_subject) names its writer where a thread is lost."""

_OURS = ("|", ">", "ENDPRESS")
"""The lines of the press that an email answers begin so where its quotation is not marked."""


class PressReply(Value, frozen=True):
    """A text that answers press. target: its reader, as PRESS TO names them; "": one of several."""

    target: str
    text: str

    @property
    def command(self) -> Command:
        """Return the command that sends it."""
        return Command(line=f"PRESS TO {self.target}", verb="PRESS", args=(self.target,), text=self.text)

    @property
    def hearer(self) -> str:
        """Return the reader in words."""
        if self.target == "GM":
            return sentence("inbound.press_replies.the_gamesmaster")
        is_unsigned = self.target.startswith("WRITER ")
        return sentence("inbound.press_replies.its_writer") if is_unsigned else self.target


def ask_to_send(
    kept: StoredLetter,
    letter: Letter,
    lines: Sequence[FreshLine],
    case: SeatCommandContext,
    context: RequestContext,
) -> LetterOutcome | None:
    """Return the question whether to send an email to the writer of the press it answers; None for others."""
    if _target(case, letter.subject) is None:
        return None
    # If the email isn't a reply to press, its lines are read again elsewhere.
    reading = read_lines(lines, parse_context(case.game, case.seated, case.repository))
    reply = find_press_reply(case, letter.subject, lines, reading)
    if reply is None or not reply.target or why_not_sent(case, reply.command) is not None:
        return None
    mark = request_mark(context.service_context.key, case.address, ("?PRESS", kept.fingerprint))
    email = EmailInDoubt(
        letter=kept.fingerprint, game=case.name, seat=case.seat, turn=case.turn, is_press=True
    )
    request = Request(address=case.address, lines=email.lines, at=context.now, mark=mark)
    return LetterOutcome(
        "quarantined",
        sentence("inbound.press_replies.asked", hearer=reply.hearer),
        letter.sender,
        game=case.name,
        seat=case.seat,
        acts=(AskBack(by=case.address, request=request),),
        answers=(_question(letter, reply, case, mark, context),),
    )


def _question(
    letter: Letter, reply: PressReply, case: SeatCommandContext, mark: str, context: RequestContext
) -> LetterDraft:
    reader = reader_of(
        case.seated.position,
        case.seated.assignment,
        case.address,
        context.repository,
        context.service_context,
    )
    heading = Heading(
        f"send-press/{mark}",
        sentence("inbound.press_replies.send_this_subject", hearer=reply.hearer),
        answer_to=letter.message_id or None,
        thread=letter.thread,
        replies=True,
    )
    paragraphs = (
        sentence("inbound.press_replies.question", hearer=reply.hearer),
        "\n".join(f"| {line}".rstrip() for line in reply.text.splitlines()),
        sentence("inbound.press_replies.how_else", target=reply.target),
    )
    reader = replace_fields(reader, reply_address=answered_at(case.address, mark, context))
    return notice(reader, heading, paragraphs)


def explain_not_sent(case: SeatCommandContext, reply: PressReply) -> CommandResult:
    """Say that an email that answers press was not sent, and how to send it."""
    if not reply.target:
        return reply_with(sentence("inbound.press_replies.answers_several"))
    why = why_not_sent(case, reply.command)
    return reply_with(why or sentence("inbound.press_replies.not_sent", target=reply.target))


def find_press_reply(
    case: SeatCommandContext, subject: str, lines: Sequence[FreshLine], reading: LetterReading
) -> PressReply | None:
    """Return the text of an email that answers press and says nothing else; None for others."""
    target = _target(case, subject)
    # A reply may still have the frame of our email, which is an empty PRESS.
    if target is None or any(command.verb != "PRESS" or command.text.strip() for command in reading.commands):
        return None
    if any(row.in_force for row in reading.orders):
        return None
    body = [line for line in lines if line.source == "body" and not line.unsure]
    shown = [line for line in body if not _is_ours(line.text.strip())]
    text = "\n".join("\n" * line.after_gap + line.text.rstrip() for line in shown).strip()
    read_as_orders = {" ".join(row.line.split()) for row in reading.orders}
    is_orders = all(" ".join(line.text.split()) in read_as_orders for line in shown if line.text.strip())
    return None if not text or is_orders else PressReply(target, text)


def _target(case: SeatCommandContext, subject: str) -> str | None:
    """Return the reader of a reply, as PRESS TO names them; "": one of several, None: it doesn't answer
    press.
    """
    key = find_answered_press_key(case)
    if key is not None:
        press = case.repository.people.press_of(key.rpartition("/")[0])
        if press is None or not press.is_heard_by(case.seat) or press.seat == case.seat:
            return ""
        if press.seat is not None and case.repository.people.policy(case.name).reach == "public":
            return "ALL"
        return named_writer(case.service_context.key, case.name, press)
    match = None if case.replies_to else _SUBJECT.search(subject)
    if match is None:
        return None
    seats = {short_seat_name(seat): seat for seat in case.seated.position.assignments if seat != case.seat}
    return seats.get(short_seat_name(match["writer"].strip()))


def _is_ours(text: str) -> bool:
    """Return whether a line is from the email with press: its heading, its text, or the lines to fill in."""
    heading = sentence("outbound.notifications.press_to_all_subject", writer="\0").partition("\0")[0]
    is_frame = text.upper().startswith("PRESS TO ")
    return is_frame or text.startswith((*_OURS, heading)) or text == sentence("inbound.press_replies.frame")
