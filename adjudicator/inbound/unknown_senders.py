"""Emails from unknown senders, for no seat: we answer questions, and ask to confirm requests by a reply.

We do nothing for an address that nothing authenticates. We ask whether it wants what it requested, and its
reply is the proof: a yes to what our email names, and to nothing else. Because anyone can make us write to
any address, such emails are limited, and requests are counted apart from questions.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from adjudicator.auth.correspondents import (
    confirmed_marks,
    invitation_mark,
    is_authenticated,
    request_mark,
)
from adjudicator.auth.sender import (
    REFUSED,
    AuthenticatedSeat,
    Grade,
    IdentityProof,
    authenticate,
    find_seat_by_name,
    recognise_void_token,
)
from adjudicator.auth.tokens import remove_passwords
from adjudicator.clock import DAY, HOUR
from adjudicator.context import RequestContext
from adjudicator.inbound.commands import AUTHENTICATED_COMMANDS, PUBLIC_QUESTIONS, run_commands
from adjudicator.inbound.commands.context import CommandContext, CommandResult, collect_pictures
from adjudicator.inbound.commands.joining import keep_word, names_kind
from adjudicator.inbound.confirmations import ask_if_sent, find_inviting_games, read_invitation_reply
from adjudicator.inbound.filing import explain_over_allowance
from adjudicator.inbound.parse_contexts import commands_only
from adjudicator.messages import sentence
from adjudicator.model.addresses import SenderClaim, claims, short_seat_name
from adjudicator.model.games import AnyAct
from adjudicator.model.mail import HeaderText, LetterDraft, LetterOutcome, StoredLetter
from adjudicator.model.people import REQUEST_LIFETIME_MS, Answered, AskBack, Request, refusal_key
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import (
    Heading,
    LetterReader,
    caller_of,
    games_text,
    notice,
    reader_of,
    revoked_address_notice,
    verdict,
)
from adjudicator.reports.times import both
from adjudicator.reports.verdict import Transcript
from games.protocol import Seat
from games.record import Value, replace_fields
from orders.commands import Command
from orders.mail.body import FreshLine
from orders.mail.letter import Letter
from orders.reading.letter_reader import LetterReading, read_lines

MAX_WISHES_PER_DAY, MAX_QUESTIONS_PER_DAY, MAX_INTRODUCTIONS_PER_DAY = 3, 1, 2
"""So many letters a day ask an address back, answer it, tell it what there is, if nothing vouches for it."""

MAX_STRANGERS_PER_DAY = 500
"""What there is to play is told to so many addresses a day: those that share a number share the letters, too.

So advertisements, and letters in the names of others, have us write no more than that to people.
"""


@dataclass(frozen=True)
class UnseatedLetter:
    """An email for no seat. refused: for each SIGNON in it, why it was rejected."""

    kept: StoredLetter
    letter: Letter
    lines: Sequence[FreshLine]
    refused: tuple[str, ...]
    proof: IdentityProof
    context: RequestContext

    @property
    def reader(self) -> LetterReader:
        """Return its sender, as the reader of our reply."""
        return caller_of(self.letter.sender, self.context)

    @property
    def caller(self) -> CommandContext:
        """The context of its commands."""
        return CommandContext(
            service_context=self.context.service_context,
            repository=self.context.repository,
            sender=self.letter.sender,
            received=self.kept.received,
            now=self.context.now,
            key=self.kept.fingerprint,
        )

    @cached_property
    def reading(self) -> LetterReading:
        """Return what it says."""
        return read_lines(self.lines, commands_only(self.context.repository, self.letter.sender))

    @cached_property
    def pending_requests(self) -> tuple[Request, ...]:
        """Return the sender's requests that wait for their confirmation, and not for too long."""
        requests = self.context.repository.people.requests(self.letter.sender)
        wishes = (request for request in requests if request.email is None and request.gm_commands is None)
        return tuple(request for request in wishes if self.context.now - request.at < REQUEST_LIFETIME_MS)

    @cached_property
    def confirmed_marks(self) -> tuple[str, ...]:
        """Return the marks of the requests that it says yes to."""
        marks = confirmed_marks(
            self.context.service_context.key, self.letter.sender, self.letter.recipients, self.context.now
        )
        # A yes to a question about an email, or to a GM, isn't a yes to a stranger's request.
        requests = self.context.repository.people.requests(self.letter.sender) if marks else ()
        other = {request.mark for request in requests if request.email or request.gm_commands}
        return tuple(mark for mark in marks if mark not in other)

    @cached_property
    def inviting_games(self) -> tuple[str, ...]:
        """The games of the invitation that the email answers."""
        return find_inviting_games(
            self.confirmed_marks,
            self.context.service_context.key,
            self.letter.sender,
            self.context.repository,
        )

    @cached_property
    def is_proved(self) -> bool:
        """Return whether it is from the address that it claims to be from."""
        answers_us = is_authenticated(
            self.context.service_context.key, self.letter.sender, self.letter.recipients, self.context.now
        )
        if answers_us:
            return True
        return (
            authenticate(self.letter, self.kept, self.context.repository, self.context.service_context)
            is Grade.PROVED
        )

    @property
    def is_old(self) -> bool:
        """Return whether it was written more than a day ago, by its Date; without one, by when it arrived."""
        written = self.kept.received if self.letter.date is None else self.letter.date
        return self.context.now - written > DAY

    @property
    def void_seat(self) -> AuthenticatedSeat | None:
        """The sender's seat whose revoked token the email has, or None."""
        return recognise_void_token(
            self.proof.claimed, self.letter.sender, self.context.repository, self.context.service_context
        )

    def daily_key(self, kind: str) -> str:
        """Return the key of the only email of a kind that the sender gets today."""
        return f"{kind}/{self.letter.sender}/{self.context.now // DAY}"

    def next_daily_key(self, kind: str, most: int, *, of_all: bool = False) -> str | None:
        """Return the key of the next email of a kind that is limited per day, or None beyond the limit.

        of_all: whether the limit is for all senders together.
        """
        day = f"{kind}/{self.context.now // DAY}" if of_all else self.daily_key(kind)
        keys = (f"{day}/{number}" for number in range(1, most + 1))
        return next((key for key in keys if not self.context.repository.has_written(key)), None)


def answer_stranger(visit: UnseatedLetter) -> LetterOutcome:
    """Return the outcome of an email for no seat. Without authentication it gets few replies, or none."""
    if visit.refused:
        # Where there is one reason alone, nothing of the letter goes to an address that it may have made up.
        paragraphs = visit.refused if len(visit.refused) > 1 else (REFUSED.why,)
        why = sentence("inbound.unknown_senders.signon_does_not_fit")
        return _reply(visit, visit.daily_key("refused"), why, "Re: SIGNON", paragraphs)
    if visit.proof.changed_hands is not None:
        return _explain_changed_hands(visit, visit.proof.changed_hands)
    all_commands = visit.reading.commands
    # A sender without a seat has no orders, so the subject "orders" isn't a question.
    commands = [command for command in all_commands if command.verb != "ORDERS"]
    asked = [command for command in commands if _is_public_command(command)]
    if not commands and visit.confirmed_marks:
        return _answer_invitation(visit) if visit.inviting_games else _answer_confirmation(visit)
    if visit.is_proved and (commands or visit.pending_requests):
        return _run_and_reply(visit, commands) if commands else _ask_which_request(visit)
    question = None
    if visit.void_seat is not None:
        # The email was under way when its reply address was replaced.
        question = ask_if_sent(
            visit.kept, visit.letter, visit.lines, visit.void_seat, visit.proof, visit.context
        )
    if question is not None or asked:
        return question or _answer_unproved(visit, asked)
    if visit.proof.known:
        return _ask_for_seat(visit)
    # An email that quotes our emails to other people comes from no newcomer, and an empty one asks nothing.
    has_text = any(line.text.strip() for line in visit.lines if line.source != "subject")
    if has_text and not visit.proof.claimed:
        return _greet(visit)
    return LetterOutcome(
        "quarantined", sentence("inbound.unknown_senders.nobody_we_know"), visit.letter.sender
    )


def _is_public_command(command: Command) -> bool:
    """Return whether a sender without a seat may ask for it: about a game, only by its name."""
    needs_name = command.verb in ("STATUS", "MAP", "HISTORY", "LETTERS")
    return (command.verb in PUBLIC_QUESTIONS or command.verb in AUTHENTICATED_COMMANDS) and (
        bool(command.args) or not needs_name
    )


def _answer_invitation(visit: UnseatedLetter) -> LetterOutcome:
    """Return the outcome of an answer to an invitation: only a plain yes signs up."""
    sender, invited = visit.letter.sender, visit.inviting_games
    match read_invitation_reply(visit.lines):
        case "yes":
            lines = [FreshLine(text=f"JOIN {game}", source="body") for game in invited]
            return _run_and_reply(
                visit,
                read_lines(lines, commands_only(visit.context.repository, visit.letter.sender)).commands,
            )
        case "no":
            why, subject = sentence("inbound.unknown_senders.declined"), f"Re: {visit.letter.subject}"
            text = sentence("inbound.unknown_senders.invited_no_more", game=invited[0])
            return _reply(visit, refusal_key(sender), why, subject, (text,))
    why, subject = sentence("inbound.unknown_senders.invited_unclear"), f"Re: {visit.letter.subject}"
    text = sentence("inbound.unknown_senders.yes_or_no", game=invited[0])
    handled = _reply(visit, visit.daily_key("invited"), why, subject, (text,))
    mark = invitation_mark(visit.context.service_context.key, sender, invited[0])
    again = caller_of(sender, visit.context, mark=mark).reply_address
    answers = tuple(replace_fields(reply, reply_to=HeaderText(again or "")) for reply in handled.answers)
    return replace_fields(handled, disposition="quarantined", answers=answers)


def _answer_confirmation(visit: UnseatedLetter) -> LetterOutcome:
    """Return the outcome of a yes to our question, which the reply address identifies."""
    meant = [request for request in visit.pending_requests if request.mark in visit.confirmed_marks]
    if not meant:
        why, subject = (
            sentence("inbound.unknown_senders.nothing_waits"),
            sentence("inbound.unknown_senders.nothing_waits_subject"),
        )
        return _reply(
            visit,
            visit.daily_key("gone"),
            why,
            subject,
            (sentence("inbound.unknown_senders.nothing_waits_now"),),
        )
    lines = [FreshLine(text=line, source="body") for request in meant for line in request.lines]
    return _run_and_reply(
        visit, read_lines(lines, commands_only(visit.context.repository, visit.letter.sender)).commands, meant
    )


def _run_and_reply(
    visit: UnseatedLetter, commands: Sequence[Command], meant: Sequence[Request] = ()
) -> LetterOutcome:
    """Run the commands of a sender whose address is proved. Their pending requests for these are closed.

    meant: the requests that they say yes to.
    """
    sender, lines = visit.letter.sender, {command.line for command in commands}
    done_with = [
        request for request in visit.pending_requests if request in meant or lines.issuperset(request.lines)
    ]
    acts: tuple[AnyAct, ...] = tuple(
        Answered(by=sender, address=sender, mark=request.mark) for request in done_with
    )
    done = run_commands(visit.caller, commands)
    if (
        visit.context.repository.replies_since(sender, visit.context.now - HOUR)
        >= visit.context.service_context.answers_an_hour
    ):
        answers: tuple[LetterDraft, ...] = ()
    else:
        answers = (verdict(None, _build_transcript(visit, done), visit.reader),)
    return LetterOutcome(
        "read",
        None,
        sender,
        acts=(*acts, *(act for result in done for act in result.acts)),
        answers=answers,
    )


def _ask_which_request(visit: UnseatedLetter) -> LetterOutcome:
    """Ask an authenticated sender, whose email may be a yes, which request they mean."""
    rows = tuple(
        "\n".join(f"| {remove_passwords(line)}" for line in request.lines)
        for request in visit.pending_requests
    )
    why, asked = (
        sentence("inbound.unknown_senders.yes_to_what"),
        sentence("inbound.unknown_senders.there_waits"),
    )
    return _reply(visit, visit.daily_key("which"), why, f"Re: {visit.letter.subject}", (asked, *rows))


def _answer_unproved(visit: UnseatedLetter, asked: Sequence[Command]) -> LetterOutcome:
    """Answer an unproved sender's questions, and ask them to confirm their wishes."""
    wishes = [
        command for command in asked if command.verb in AUTHENTICATED_COMMANDS and not _names_no_kind(command)
    ]
    questions = [command for command in asked if command not in wishes]
    if all(_names_no_kind(command) for command in asked):
        return _introduce(visit, f"Re: {visit.letter.subject}", _replies(visit, asked))
    if not wishes:
        return _answer_questions(visit, questions)
    key = visit.next_daily_key("wish", MAX_WISHES_PER_DAY)
    # A right word of a game isn't stored, but what stands for it from this sender.
    kept = [keep_word(visit.caller, command) if key else (command.line, ()) for command in wishes]
    sender, lines = visit.letter.sender, tuple(line for line, _ in kept)
    mark = request_mark(visit.context.service_context.key, sender, lines)
    if any(
        earlier.mark == mark and earlier.at // DAY == visit.context.now // DAY
        for earlier in visit.pending_requests
    ):
        return _answer_questions(visit, questions, sentence("inbound.unknown_senders.asked_already"))
    if key is None:
        why = sentence("inbound.unknown_senders.not_asked", most=MAX_WISHES_PER_DAY)
        return replace_fields(_answer_questions(visit, questions, why), disposition="quarantined")
    request = Request(address=sender, lines=lines, at=visit.context.now, mark=mark)
    quoted = "\n".join(f"| {command.line}" for command in wishes)
    paragraphs = (*_replies(visit, questions), sentence("inbound.unknown_senders.asked_back"), quoted)
    verbs = [command.verb for command in (*questions, *wishes)]
    subject = sentence("inbound.unknown_senders.asked_subject", verbs=verbs)
    handled = _reply(visit, key, sentence("inbound.unknown_senders.asked"), subject, paragraphs, mark)
    guessed = (act for _, acts in kept for act in acts)
    return replace_fields(handled, acts=(AskBack(by=sender, request=request), *guessed))


def _names_no_kind(command: Command) -> bool:
    """Return whether it is a NEW that names no game which there is."""
    return command.verb == "NEW" and not names_kind(command)


def _greet(visit: UnseatedLetter) -> LetterOutcome:
    """Greet a new sender who wrote without commands. The GM may read the email too."""
    subject = sentence("inbound.unknown_senders.welcome_subject")
    paragraphs = (sentence("inbound.unknown_senders.welcome"), *games_text().split("\n\n"))
    handled = _introduce(visit, subject, (*paragraphs, sentence("inbound.unknown_senders.help_explains")))
    return replace_fields(
        handled, disposition="quarantined", why=handled.why or sentence("inbound.unknown_senders.greeted")
    )


def _introduce(visit: UnseatedLetter, subject: str, paragraphs: tuple[str, ...]) -> LetterOutcome:
    """Tell a sender which games there are: few emails a day to each, and a limit for all of them.

    An email that is days old gets no such reply: its sender no longer waits for one.
    """
    if visit.is_old:
        return LetterOutcome("quarantined", sentence("inbound.unknown_senders.old"), visit.letter.sender)
    slot = zlib.crc32(visit.letter.sender.lower().encode()) % MAX_STRANGERS_PER_DAY
    key = visit.next_daily_key(f"welcome/{slot}", MAX_INTRODUCTIONS_PER_DAY, of_all=True)
    if key is None:
        return LetterOutcome(
            "quarantined", sentence("inbound.unknown_senders.nobody_we_know"), visit.letter.sender
        )
    return _reply(visit, key, None, subject, paragraphs)


def _answer_questions(
    visit: UnseatedLetter, questions: Sequence[Command], why: str | None = None
) -> LetterOutcome:
    """Answer the questions of an unauthenticated sender. why: another reason to note with the email."""
    if not questions:
        return LetterOutcome("read", why, visit.letter.sender)
    key = visit.next_daily_key("question", MAX_QUESTIONS_PER_DAY)
    if key is None:
        few = sentence("inbound.unknown_senders.not_answered", count=MAX_QUESTIONS_PER_DAY)
        return LetterOutcome("read", "; ".join(filter(None, (why, few))), visit.letter.sender)
    heading = ", ".join(command.verb for command in questions)
    return _reply(visit, key, why, f"Re: {heading}", _replies(visit, questions))


def _replies(visit: UnseatedLetter, questions: Sequence[Command]) -> tuple[str, ...]:
    done = run_commands(visit.caller, questions)
    notes = (note for result in done for note in result.notes)
    texts = (part for result in done for answer in result.answered for part in answer.text.split("\n\n"))
    return (*explain_over_allowance(visit.reading), *notes, *dict.fromkeys(texts))


def _ask_for_seat(visit: UnseatedLetter) -> LetterOutcome:
    """Ask a player which of their seats an email is for."""
    if (void := visit.void_seat) is not None:
        return _send_valid_address(visit, void)
    lines = [f"SIGNON {proof.position.name} {proof.seat}" for proof in visit.proof.without_doubt().held]
    if lines:
        why, subject = sentence("inbound.unknown_senders.for_which_seat"), f"Re: {visit.letter.subject}"
        text = sentence("inbound.unknown_senders.several_seats")
    else:
        why, subject = (
            sentence("inbound.unknown_senders.nothing_vouches"),
            sentence("inbound.unknown_senders.unvouched_subject"),
        )
        text = sentence("inbound.unknown_senders.unvouched")
    answer = notice(
        visit.reader,
        Heading(visit.daily_key("unproved"), subject, answer_to=visit.letter.message_id if lines else None),
        (text, *lines),
    )
    return LetterOutcome("quarantined", why, visit.letter.sender, answers=(answer,))


def _explain_changed_hands(visit: UnseatedLetter, held: AuthenticatedSeat) -> LetterOutcome:
    """Answer an email with a token newer than our backup, if its sender doesn't hold the seat there."""
    name, seat = held.position.name, held.seat
    mark = visit.context.repository.restore_mark(name)
    made = both(mark.made if mark is not None else visit.context.now, visit.context.service_context.zone)
    text = sentence("inbound.postponed.not_your_seat", made=made, seat=seat, game=name)
    why = sentence("inbound.postponed.changed_hands", sender=visit.letter.sender, seat=seat)
    subject = sentence("inbound.postponed.not_your_seat_subject")
    handled = _reply(visit, visit.daily_key("not-your-seat"), why, subject, (text,))
    return replace_fields(handled, disposition="quarantined")


def _send_valid_address(visit: UnseatedLetter, held: AuthenticatedSeat) -> LetterOutcome:
    """Send a valid reply address to the player of a seat, after an email with a revoked token.

    It goes to the address of all emails to the seat, so a forger gains nothing.
    """
    reader = reader_of(
        held.position,
        held.assignment,
        visit.letter.sender,
        visit.context.repository,
        visit.context.service_context,
    )
    subject, paragraphs = revoked_address_notice(held.position.name, held.seat)
    answer = notice(reader, Heading(visit.daily_key(f"void/{held.seat}"), subject), paragraphs)
    why = sentence("inbound.unknown_senders.void_address")
    return LetterOutcome("quarantined", why, visit.letter.sender, answers=(answer,))


def _reply(
    visit: UnseatedLetter,
    key: str,
    why: str | None,
    subject: str,
    paragraphs: tuple[str, ...],
    mark: str | None = None,
) -> LetterOutcome:
    """Return a reply. A sender gets one for each key. mark: the mark of the question in it."""
    sender = visit.letter.sender
    answer = notice(
        caller_of(sender, visit.context, mark=mark),
        Heading(key, subject, answer_to=visit.letter.message_id or None),
        paragraphs,
    )
    return LetterOutcome("read", why, sender, answers=(answer,))


def _build_transcript(visit: UnseatedLetter, done: Sequence[CommandResult]) -> Transcript:
    return Transcript(
        fingerprint=visit.kept.fingerprint,
        subject=visit.letter.subject,
        answers=visit.letter.message_id or None,
        thread=visit.letter.thread,
        notes=(
            *explain_over_allowance(visit.reading, visit.letter),
            *(note for result in done for note in result.notes),
        ),
        answered=tuple(answer for result in done for answer in result.answered),
        **collect_pictures(done),
    )


# Emails to a deleted game, or to the address of a seat that their writer lost.
#
# Such an email has no effect. Its writer gets the reason, because they replied to an email that we once sent
# them.


MAX_REPLIES_PER_DAY = 3
"""The From line proves nothing, so an address gets no more of these replies."""


class FormerSeat(Value, frozen=True):
    """The seat that an email was written to.

    seat None: the game was deleted; is_lent: a substitute plays it.
    """

    game: str
    seat: Seat | None = None
    is_lent: bool = False
    is_free: bool = False


def find_former_seat(letter: Letter, proof: IdentityProof, repository: Repository) -> FormerSeat | None:
    """Return the deleted game or the lost seat that an email was written to, or None.

    A valid token, or the sender's own seat, comes first. If the email is for a seat only by its sender's
    address, only its recipient addresses count, because any email may quote an old thread.
    """
    if proof.token is not None:
        return None
    claimed = claims(letter.recipients, "", ()) if proof.speaker() is not None else proof.claimed
    held = (
        {(game, short_seat_name(seat)) for game, seat in repository.seats_of(letter.sender)}
        if claimed
        else set()
    )
    if any((claim.game, claim.seat) in held for claim in claimed):
        return None
    candidates = (_former_seat(claim, letter.sender, repository) for claim in claimed)
    return next((candidate for candidate in candidates if candidate is not None), None)


def answer_former_seat(former: FormerSeat, letter: Letter, context: RequestContext) -> LetterOutcome:
    """Return the outcome of an email to a deleted game or a lost seat: a reply, a few times a day."""
    game, seat, sender = former.game, former.seat, letter.sender
    why, subject, paragraphs = (
        _explain_deleted_game(game) if seat is None else _explain_lost_seat(former, game, seat)
    )
    keys = (f"former/{sender}/{context.now // DAY}/{number}" for number in range(1, MAX_REPLIES_PER_DAY + 1))
    key = next((candidate for candidate in keys if not context.repository.has_written(candidate)), None)
    if key is None:
        return LetterOutcome("quarantined", why, sender)
    heading = Heading(key, subject, answer_to=letter.message_id or None)
    return LetterOutcome(
        "read", why, sender, answers=(notice(caller_of(sender, context), heading, paragraphs),)
    )


def _explain_deleted_game(game: str) -> tuple[str, str, tuple[str, ...]]:
    """Return why the email has no effect, and the subject and the paragraphs of the reply."""
    return (
        sentence("inbound.former_seats.deleted_why"),
        sentence("inbound.former_seats.deleted_subject", game=game),
        (sentence("inbound.former_seats.deleted", game=game), sentence("inbound.former_seats.deleted_list")),
    )


def _explain_lost_seat(former: FormerSeat, game: str, seat: Seat) -> tuple[str, str, tuple[str, ...]]:
    """Return the same for a lost seat."""
    why = sentence("inbound.former_seats.removed_why")
    if former.is_lent:
        subject = sentence("inbound.former_seats.lent_subject", seat=seat, game=game)
        return why, subject, (sentence("inbound.former_seats.lent", game=game, seat=seat),)
    subject = sentence("inbound.former_seats.removed_subject", seat=seat, game=game)
    free = (sentence("inbound.former_seats.removed_free", game=game),) if former.is_free else ()
    intro = sentence("inbound.former_seats.removed", game=game, seat=seat)
    return why, subject, (intro, *free, sentence("inbound.former_seats.removed_mistake"))


def _former_seat(claim: SenderClaim, sender: str, repository: Repository) -> FormerSeat | None:
    position = repository.position(claim.game)
    if position is None:
        is_deleted = repository.suspension(claim.game) is None and repository.was_deleted(claim.game)
        return FormerSeat(claim.game) if is_deleted else None
    seat = find_seat_by_name(position, claim.seat)
    if seat is None or not repository.has_written_to(claim.game, seat, sender):
        return None
    loan = position.timing.loans.get(seat)
    is_lent = loan is not None and loan.owner == sender
    return FormerSeat(claim.game, seat, is_lent, seat in repository.people.vacancies(claim.game))
