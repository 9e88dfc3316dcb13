"""Letters that speak for no seat: questions are answered, wishes asked back for proof.

Nothing is done for an address that nothing vouches for. It is asked whether it wants what it asked for, and
its answer is the proof: yes to what that letter of ours names, and to nothing else. Since anybody can have us
write to anybody, such letters are few; wishes are counted apart from questions.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from adjudicator.catalogue import sentence
from adjudicator.clerk.authentication import Grade, authenticate
from adjudicator.clerk.commands import QUESTIONS, WISHES, carry_all_out
from adjudicator.clerk.commands.beginning import names_kind
from adjudicator.clerk.commands.case import Caller, Done, pictures
from adjudicator.clerk.confirmations import ask_if_sent
from adjudicator.clerk.identity import REFUSED, Proof, Seated, by_void_token
from adjudicator.clerk.invited import games_meant, said
from adjudicator.clerk.over_allowance import told_over_allowance
from adjudicator.clerk.parse_contexts import commands_alone
from adjudicator.clock import DAY, HOUR
from adjudicator.ledger.game_acts import AnyAct
from adjudicator.ledger.headers import HeaderText
from adjudicator.ledger.letters import Handled, Kept, Outgoing
from adjudicator.ledger.people_acts import Answered, AskBack, refusal_key
from adjudicator.ledger.society import PATIENCE, Request
from adjudicator.office import Desk
from adjudicator.reports.help import games_text
from adjudicator.reports.messages import Heading, Reader, notice, verdict
from adjudicator.reports.reader import caller_of, reader_of
from adjudicator.reports.seats import void_address
from adjudicator.reports.times import both
from adjudicator.reports.transcript import Transcript
from adjudicator.signs.callers import confirmed, invitation_mark, proves, request_mark
from games.record import changed
from orders.commands import Command
from orders.letters.body import FreshLine
from orders.letters.letter import Letter
from orders.parsing.reading import Reading, read

WISHES_A_DAY, QUESTIONS_A_DAY, INTRODUCTIONS_A_DAY = 3, 1, 2
"""So many letters a day ask an address back, answer it, tell it what there is, if nothing vouches for it."""

STRANGERS_A_DAY = 500
"""What there is to play is told to so many addresses a day: those that share a number share the letters, too.

So advertisements, and letters in the names of others, have us write no more than that to people.
"""


@dataclass(frozen=True)
class Visit:
    """A letter that speaks for no seat. refused: of the SIGNONs by which it claims one, why none counts."""

    kept: Kept
    letter: Letter
    lines: Sequence[FreshLine]
    refused: tuple[str, ...]
    proof: Proof
    desk: Desk

    @property
    def reader(self) -> Reader:
        """Who wrote it, as the reader of our answer."""
        return caller_of(self.letter.sender, self.desk)

    @property
    def caller(self) -> Caller:
        """Who wrote it, as somebody who wants something."""
        return Caller(
            office=self.desk.office,
            books=self.desk.books,
            sender=self.letter.sender,
            received=self.kept.received,
            key=self.kept.fingerprint,
        )

    @cached_property
    def reading(self) -> Reading:
        """What it says."""
        return read(self.lines, commands_alone(self.desk.books))

    @cached_property
    def waiting(self) -> tuple[Request, ...]:
        """What its sender asked for that waits for his answer, and not for too long."""
        found = self.desk.books.society.requests(self.letter.sender)
        wishes = (one for one in found if one.email is None)
        return tuple(one for one in wishes if self.desk.now - one.at < PATIENCE)

    @cached_property
    def confirmed(self) -> tuple[str, ...]:
        """The marks of what it says yes to."""
        marks = confirmed(self.desk.office.key, self.letter.sender, self.letter.recipients, self.desk.now)
        # A yes to an email that may have been meant for us is no wish of a stranger.
        requests = self.desk.books.society.requests(self.letter.sender) if marks else ()
        return tuple(mark for mark in marks if all(one.mark != mark or not one.email for one in requests))

    @cached_property
    def invited(self) -> tuple[str, ...]:
        """The games to which the letter of ours invited that it answers."""
        return games_meant(self.confirmed, self.desk.office.key, self.letter.sender, self.desk.books)

    @cached_property
    def is_proved(self) -> bool:
        """Whether it is from the address that it claims to be from."""
        answers_us = proves(self.desk.office.key, self.letter.sender, self.letter.recipients, self.desk.now)
        if answers_us:
            return True
        return authenticate(self.letter, self.kept, self.desk.books, self.desk.office) is Grade.PROVED

    @property
    def is_old(self) -> bool:
        """Whether it was written more than a day ago, by its Date; without one, by when it arrived."""
        written = self.kept.received if self.letter.date is None else self.letter.date
        return self.desk.now - written > DAY

    @property
    def void(self) -> Seated | None:
        """The seat of the sender's address for which it bears a token that is void."""
        return by_void_token(self.proof.claimed, self.letter.sender, self.desk.books, self.desk.office)

    def key(self, kind: str) -> str:
        """What names the one letter of a kind that the sender gets today."""
        return f"{kind}/{self.letter.sender}/{self.desk.now // DAY}"

    def key_of_few(self, kind: str, most: int, *, of_all: bool = False) -> str | None:
        """What names the next letter of a kind of which the sender gets a few a day; None: he had them.

        of_all: they are counted whoever gets them.
        """
        day = f"{kind}/{self.desk.now // DAY}" if of_all else self.key(kind)
        keys = (f"{day}/{number}" for number in range(1, most + 1))
        return next((key for key in keys if not self.desk.books.has_written(key)), None)


def answer_stranger(visit: Visit) -> Handled:
    """What becomes of a letter that speaks for no seat. Who proves nothing gets few answers, or none."""
    if visit.refused:
        # Where there is one reason alone, nothing of the letter goes to an address that it may have made up.
        told = visit.refused if len(visit.refused) > 1 else (REFUSED.why,)
        why = sentence("clerk.strangers.signon_does_not_fit")
        return _told(visit, visit.key("refused"), why, "Re: SIGNON", told)
    if visit.proof.changed_hands is not None:
        return _no_longer_seated(visit, visit.proof.changed_hands)
    found = visit.reading.commands
    # A subject "orders" is no question of somebody who has none.
    commands = [command for command in found if command.verb != "ORDERS"]
    asked = [command for command in commands if _is_for_anybody(command)]
    if not commands and visit.confirmed:
        return _to_invitation(visit) if visit.invited else _confirmed(visit)
    if commands and visit.is_proved:
        return _carried_out(visit, commands)
    if visit.waiting and not commands and visit.is_proved:
        return _which(visit)
    if (question := _ask_if_sent(visit)) is not None:
        return question
    if asked:
        return _unproved(visit, asked)
    if visit.proof.known:
        return _nameless(visit)
    # Who quotes what others were sent is no newcomer, and who says nothing asks nothing.
    if not visit.proof.claimed and any(line.text.strip() for line in visit.lines if line.source != "subject"):
        return _greeted(visit)
    return Handled("quarantined", sentence("clerk.strangers.nobody_we_know"), visit.letter.sender)


def _ask_if_sent(visit: Visit) -> Handled | None:
    """The question about a letter that was on its way when its reply address was replaced; None of others."""
    void = visit.void
    if void is None:
        return None
    return ask_if_sent(visit.kept, visit.letter, visit.lines, void, visit.proof, visit.desk)


def _is_for_anybody(command: Command) -> bool:
    """Whether somebody without a seat may ask for it: about a game, only by its name."""
    needs_name = command.verb in ("STATUS", "MAP", "HISTORY", "LETTERS")
    return (command.verb in QUESTIONS or command.verb in WISHES) and (bool(command.args) or not needs_name)


def _to_invitation(visit: Visit) -> Handled:
    """The answer to an invitation: only a plain yes signs up."""
    sender, invited = visit.letter.sender, visit.invited
    match said(visit.lines):
        case "yes":
            lines = [FreshLine(text=f"JOIN {game}", source="body") for game in invited]
            return _carried_out(visit, read(lines, commands_alone(visit.desk.books)).commands)
        case "no":
            why, subject = sentence("clerk.strangers.declined"), f"Re: {visit.letter.subject}"
            told = sentence("clerk.strangers.invited_no_more", game=invited[0])
            return _told(visit, refusal_key(sender), why, subject, (told,))
    why, subject = sentence("clerk.strangers.invited_unclear"), f"Re: {visit.letter.subject}"
    told = sentence("clerk.strangers.yes_or_no", game=invited[0])
    handled = _told(visit, visit.key("invited"), why, subject, (told,))
    mark = invitation_mark(visit.desk.office.key, sender, invited[0])
    again = caller_of(sender, visit.desk, mark=mark).reply_address
    answers = tuple(changed(one, reply_to=HeaderText(again or "")) for one in handled.answers)
    return changed(handled, disposition="quarantined", answers=answers)


def _confirmed(visit: Visit) -> Handled:
    """The yes to what a letter of ours asked back, which the address names that was answered."""
    meant = [one for one in visit.waiting if one.mark in visit.confirmed]
    if not meant:
        why, subject = (
            sentence("clerk.strangers.nothing_waits"),
            sentence("clerk.strangers.nothing_waits_subject"),
        )
        return _told(visit, visit.key("gone"), why, subject, (sentence("clerk.strangers.nothing_waits_now"),))
    lines = [FreshLine(text=line, source="body") for one in meant for line in one.lines]
    return _carried_out(visit, read(lines, commands_alone(visit.desk.books)).commands, meant)


def _carried_out(visit: Visit, commands: Sequence[Command], meant: Sequence[Request] = ()) -> Handled:
    """What somebody wants whose address is proved. What of it has waited for his answer waits no longer.

    meant: what he says yes to.
    """
    sender, lines = visit.letter.sender, {command.line for command in commands}
    done_with = [one for one in visit.waiting if one in meant or lines.issuperset(one.lines)]
    acts: tuple[AnyAct, ...] = tuple(Answered(by=sender, address=sender, mark=one.mark) for one in done_with)
    done = carry_all_out(visit.caller, commands)
    if visit.desk.books.answers_since(sender, visit.desk.now - HOUR) >= visit.desk.office.answers_an_hour:
        answers: tuple[Outgoing, ...] = ()
    else:
        answers = (verdict(None, _transcript(visit, done), visit.reader),)
    return Handled(
        "read",
        None,
        sender,
        acts=(*acts, *(act for one in done for act in one.acts)),
        answers=answers,
    )


def _which(visit: Visit) -> Handled:
    """A letter of somebody who is proved, which may be a yes, and does not say to what."""
    rows = tuple("\n".join(f"| {line}" for line in one.lines) for one in visit.waiting)
    why, asked = sentence("clerk.strangers.yes_to_what"), sentence("clerk.strangers.there_waits")
    return _told(visit, visit.key("which"), why, f"Re: {visit.letter.subject}", (asked, *rows))


def _unproved(visit: Visit, asked: Sequence[Command]) -> Handled:
    """What was asked for by somebody whom nothing vouches for: questions answered, wishes asked back."""
    wishes = [command for command in asked if command.verb in WISHES and not _is_at_a_loss(command)]
    questions = [command for command in asked if command not in wishes]
    if all(_is_at_a_loss(command) for command in asked):
        return _introduced(visit, f"Re: {visit.letter.subject}", _replies(visit, asked))
    if not wishes:
        return _answered(visit, questions)
    sender, lines = visit.letter.sender, tuple(command.line for command in wishes)
    mark = request_mark(visit.desk.office.key, sender, lines)
    if any(one.mark == mark and one.at // DAY == visit.desk.now // DAY for one in visit.waiting):
        return _answered(visit, questions, sentence("clerk.strangers.asked_already"))
    key = visit.key_of_few("wish", WISHES_A_DAY)
    if key is None:
        why = sentence("clerk.strangers.not_asked", most=WISHES_A_DAY)
        return changed(_answered(visit, questions, why), disposition="quarantined")
    request = Request(address=sender, lines=lines, at=visit.desk.now, mark=mark)
    quoted = "\n".join(f"| {line}" for line in lines)
    paragraphs = (*_replies(visit, questions), sentence("clerk.strangers.asked_back"), quoted)
    verbs = [command.verb for command in (*questions, *wishes)]
    subject = sentence("clerk.strangers.asked_subject", verbs=verbs)
    handled = _told(visit, key, sentence("clerk.strangers.asked"), subject, paragraphs, mark)
    return changed(handled, acts=(AskBack(by=sender, request=request),))


def _is_at_a_loss(command: Command) -> bool:
    """Whether it is a NEW that names no game which there is."""
    return command.verb == "NEW" and not names_kind(command)


def _greeted(visit: Visit) -> Handled:
    """What somebody is told who is new here and wrote in plain words. The gamesmaster may read it, too."""
    subject = sentence("clerk.strangers.welcome_subject")
    told = (sentence("clerk.strangers.welcome"), *games_text().split("\n\n"))
    handled = _introduced(visit, subject, (*told, sentence("clerk.strangers.help_explains")))
    return changed(handled, disposition="quarantined", why=handled.why or sentence("clerk.strangers.greeted"))


def _introduced(visit: Visit, subject: str, paragraphs: tuple[str, ...]) -> Handled:
    """What there is to play, for somebody who does not know; few a day, and not too many to all together.

    An email of days ago gets no such reply: its sender waits for none, or wrote to somebody else.
    """
    if visit.is_old:
        return Handled("quarantined", sentence("clerk.strangers.old"), visit.letter.sender)
    slot = zlib.crc32(visit.letter.sender.lower().encode()) % STRANGERS_A_DAY
    key = visit.key_of_few(f"welcome/{slot}", INTRODUCTIONS_A_DAY, of_all=True)
    if key is None:
        return Handled("quarantined", sentence("clerk.strangers.nobody_we_know"), visit.letter.sender)
    return _told(visit, key, None, subject, paragraphs)


def _answered(visit: Visit, questions: Sequence[Command], why: str | None = None) -> Handled:
    """The answers to questions of somebody whom nothing vouches for. why: what else is to be said of it."""
    if not questions:
        return Handled("read", why, visit.letter.sender)
    key = visit.key_of_few("question", QUESTIONS_A_DAY)
    if key is None:
        few = sentence("clerk.strangers.not_answered", most=QUESTIONS_A_DAY)
        return Handled("read", "; ".join(filter(None, (why, few))), visit.letter.sender)
    heading = ", ".join(command.verb for command in questions)
    return _told(visit, key, why, f"Re: {heading}", _replies(visit, questions))


def _replies(visit: Visit, questions: Sequence[Command]) -> tuple[str, ...]:
    done = carry_all_out(visit.caller, questions)
    notes = (note for one in done for note in one.notes)
    texts = (part for one in done for answer in one.answered for part in answer.text.split("\n\n"))
    return (*told_over_allowance(visit.reading), *notes, *dict.fromkeys(texts))


def _nameless(visit: Visit) -> Handled:
    """A letter in the name of somebody who holds a seat, which speaks for none."""
    if (void := visit.void) is not None:
        return _under_a_void_token(visit, void)
    lines = [f"SIGNON {one.position.name} {one.seat}" for one in visit.proof.without_doubt().held]
    if lines:
        why, subject = sentence("clerk.strangers.for_which_seat"), f"Re: {visit.letter.subject}"
        said = sentence("clerk.strangers.several_seats")
    else:
        why, subject = (
            sentence("clerk.strangers.nothing_vouches"),
            sentence("clerk.strangers.unvouched_subject"),
        )
        said = sentence("clerk.strangers.unvouched")
    answer = notice(
        visit.reader,
        Heading(visit.key("unproved"), subject, answer_to=visit.letter.message_id if lines else None),
        (said, *lines),
    )
    return Handled("quarantined", why, visit.letter.sender, answers=(answer,))


def _no_longer_seated(visit: Visit, held: Seated) -> Handled:
    """A letter under a token that is newer than our backup, of somebody who does not hold the seat in it."""
    name, seat = held.position.name, held.seat
    mark = visit.desk.books.restore_mark(name)
    made = both(mark.made if mark is not None else visit.desk.now, visit.desk.office.zone)
    told = sentence("clerk.postponed.not_your_seat", made=made, seat=seat, game=name)
    why = sentence("clerk.postponed.changed_hands", sender=visit.letter.sender, seat=seat)
    subject = sentence("clerk.postponed.not_your_seat_subject")
    handled = _told(visit, visit.key("not-your-seat"), why, subject, (told,))
    return changed(handled, disposition="quarantined")


def _under_a_void_token(visit: Visit, held: Seated) -> Handled:
    """A letter in the name of a seat's player, under a token that is void: he is sent one that is good.

    It goes to where all letters to the seat go, so whoever forges one gets nothing by it.
    """
    reader = reader_of(held.position, held.chair, visit.letter.sender, visit.desk.books, visit.desk.office)
    subject, paragraphs = void_address(held.position.name, held.seat)
    answer = notice(reader, Heading(visit.key(f"void/{held.seat}"), subject), paragraphs)
    why = sentence("clerk.strangers.void_address")
    return Handled("quarantined", why, visit.letter.sender, answers=(answer,))


def _told(
    visit: Visit,
    key: str,
    why: str | None,
    subject: str,
    paragraphs: tuple[str, ...],
    mark: str | None = None,
) -> Handled:
    """An answer of which a sender gets one under each key. mark: of what it asks back."""
    sender = visit.letter.sender
    answer = notice(
        caller_of(sender, visit.desk, mark=mark),
        Heading(key, subject, answer_to=visit.letter.message_id or None),
        paragraphs,
    )
    return Handled("read", why, sender, answers=(answer,))


def _transcript(visit: Visit, done: Sequence[Done]) -> Transcript:
    return Transcript(
        fingerprint=visit.kept.fingerprint,
        subject=visit.letter.subject,
        answers=visit.letter.message_id or None,
        thread=visit.letter.thread,
        notes=(
            *told_over_allowance(visit.reading, visit.letter),
            *(note for one in done for note in one.notes),
        ),
        answered=tuple(answer for one in done for answer in one.answered),
        **pictures(done),
    )
