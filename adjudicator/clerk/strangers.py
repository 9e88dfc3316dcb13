"""Letters that speak for no seat: questions are answered, wishes asked back for proof.

Nothing is done for an address that nothing vouches for. It is asked whether it wants what it asked for, and
its answer is the proof: yes to what that letter of ours names, and to nothing else. Since anybody can have us
write to anybody, such letters are few; wishes are counted apart from questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from adjudicator.clerk.commands import QUESTIONS, WISHES, carry_all_out
from adjudicator.clerk.commands.case import Caller, Done
from adjudicator.clerk.identity import REFUSED, Proof, Seated, by_void_token, is_vouched_for
from adjudicator.clerk.over_allowance import told_over_allowance
from adjudicator.clerk.parse_contexts import commands_alone
from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.ledger.books import Books
from adjudicator.ledger.game_acts import AnyAct
from adjudicator.ledger.letters import Handled, Kept, Outgoing
from adjudicator.ledger.people_acts import Answered, AskBack
from adjudicator.ledger.society import PATIENCE, Request
from adjudicator.office import Office
from adjudicator.reports.messages import Reader, notice, verdict
from adjudicator.reports.reader import caller_of, reader_of
from adjudicator.reports.seats import void_address
from adjudicator.reports.transcript import Transcript
from adjudicator.signs.callers import confirmed, proves, request_mark
from orders.commands import Command
from orders.letters.body import FreshLine
from orders.letters.letter import Letter
from orders.parsing.reading import Reading, read

WISHES_A_DAY, QUESTIONS_A_DAY = 3, 1
"""So many letters a day ask an address back, or answer it, for which nothing vouches."""

ASKED_BACK = (
    "You asked for what stands below, and nothing in your letter shows that it is from you. Answer this "
    "letter, with nothing added, and it is done. If you did not write to us, do nothing, and nothing happens."
)
GONE = (
    "What you say yes to is done already, or it waited for longer than a week and is forgotten. If you still "
    "want it, write it again in answer to this letter, and it is done at once."
)
WHICH = (
    "Your letter asks for nothing by itself. If it is a yes to a letter in which we asked you back, answer "
    "that one: each names what it asks. Or answer this one, and write again what you want. There waits:"
)
UNVOUCHED = (
    "A letter came to us in your name, and nothing in it shows that you wrote it. So nothing was done about "
    "it. Answer any letter that we sent to you, or begin yours with a line  SIGNON game seat password."
)
SEVERAL = (
    "You hold more than one seat, and your letter does not say for which of them it speaks. So nothing was "
    "done about it. Answer the letter of ours that it is about, or begin with one of these lines:"
)


@dataclass(frozen=True)
class Visit:
    """A letter that speaks for no seat. refused: of the SIGNONs by which it claims one, why none counts."""

    kept: Kept
    letter: Letter
    lines: Sequence[FreshLine]
    refused: tuple[str, ...]
    proof: Proof
    books: Books
    office: Office
    now: Millis

    @property
    def reader(self) -> Reader:
        """Who wrote it, as the reader of our answer."""
        return caller_of(self.letter.sender, self.books, self.office, self.now)

    @property
    def caller(self) -> Caller:
        """Who wrote it, as somebody who wants something."""
        return Caller(
            office=self.office,
            books=self.books,
            sender=self.letter.sender,
            received=self.kept.received,
            key=self.kept.fingerprint,
        )

    @cached_property
    def reading(self) -> Reading:
        """What it says."""
        return read(self.lines, commands_alone(self.books))

    @cached_property
    def waiting(self) -> tuple[Request, ...]:
        """What its sender asked for that waits for his answer, and not for too long."""
        found = self.books.society.requests(self.letter.sender)
        return tuple(one for one in found if self.now - one.at < PATIENCE)

    @cached_property
    def confirmed(self) -> tuple[str, ...]:
        """The marks of what it says yes to."""
        return confirmed(self.office.key, self.letter.sender, self.letter.recipients, self.now)

    @cached_property
    def is_proved(self) -> bool:
        """Whether it is from the address that it claims to be from."""
        answers_us = proves(self.office.key, self.letter.sender, self.letter.recipients, self.now)
        return answers_us or is_vouched_for(self.letter, self.kept.raw, self.office)

    @property
    def void(self) -> Seated | None:
        """The seat of the sender's address for which it bears a token that is void."""
        return by_void_token(self.proof.claimed, self.letter.sender, self.books, self.office)

    def key(self, kind: str) -> str:
        """What names the one letter of a kind that the sender gets today."""
        return f"{kind}/{self.letter.sender}/{self.now // DAY}"

    def key_of_few(self, kind: str, most: int) -> str | None:
        """What names the next letter of a kind of which the sender gets a few a day; None: he had them."""
        keys = (f"{self.key(kind)}/{number}" for number in range(1, most + 1))
        return next((key for key in keys if not self.books.has_written(key)), None)


def answer_stranger(visit: Visit) -> Handled:
    """What becomes of a letter that speaks for no seat. Who proves nothing gets few answers, or none."""
    if visit.refused:
        # Where there is one reason alone, nothing of the letter goes to an address that it may have made up.
        told = visit.refused if len(visit.refused) > 1 else (REFUSED.why,)
        return _told(visit, visit.key("refused"), "a SIGNON that does not fit", "Re: SIGNON", told)
    found = visit.reading.commands
    # A subject "orders" is no question of somebody who has none.
    commands = [command for command in found if command.verb != "ORDERS"]
    asked = [command for command in commands if _is_for_anybody(command)]
    if not commands and visit.confirmed:
        return _confirmed(visit)
    if commands and visit.is_proved:
        return _carried_out(visit, commands)
    if visit.waiting and not commands and visit.is_proved:
        return _which(visit)
    if asked:
        return _unproved(visit, asked)
    if visit.proof.known:
        return _nameless(visit)
    return Handled("quarantined", "from nobody we know, with no command", visit.letter.sender)


def _is_for_anybody(command: Command) -> bool:
    """Whether somebody without a seat may ask for it: about a game, only by its name."""
    needs_name = command.verb in ("STATUS", "MAP", "HISTORY")
    return (command.verb in QUESTIONS or command.verb in WISHES) and (bool(command.args) or not needs_name)


def _confirmed(visit: Visit) -> Handled:
    """The yes to what a letter of ours asked back, which the address names that was answered."""
    meant = [one for one in visit.waiting if one.mark in visit.confirmed]
    if not meant:
        return _told(visit, visit.key("gone"), "what it confirms waits no longer", "Nothing waits", (GONE,))
    lines = [FreshLine(text=line, source="body") for one in meant for line in one.lines]
    return _carried_out(visit, read(lines, commands_alone(visit.books)).commands, meant)


def _carried_out(visit: Visit, commands: Sequence[Command], meant: Sequence[Request] = ()) -> Handled:
    """What somebody wants whose address is proved. What of it has waited for his answer waits no longer.

    meant: what he says yes to.
    """
    sender, lines = visit.letter.sender, {command.line for command in commands}
    done_with = [one for one in visit.waiting if one in meant or lines.issuperset(one.lines)]
    acts: tuple[AnyAct, ...] = tuple(Answered(by=sender, address=sender, mark=one.mark) for one in done_with)
    done = carry_all_out(visit.caller, commands)
    if visit.books.answers_since(sender, visit.now - HOUR) >= visit.office.answers_an_hour:
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
    why = "it may be a yes, and does not say to what"
    return _told(visit, visit.key("which"), why, f"Re: {visit.letter.subject}", (WHICH, *rows))


def _unproved(visit: Visit, asked: Sequence[Command]) -> Handled:
    """What was asked for by somebody whom nothing vouches for: questions answered, wishes asked back."""
    wishes = [command for command in asked if command.verb in WISHES]
    questions = [command for command in asked if command.verb in QUESTIONS]
    if not wishes:
        return _answered(visit, questions)
    sender, lines = visit.letter.sender, tuple(command.line for command in wishes)
    mark = request_mark(visit.office.key, sender, lines)
    if any(one.mark == mark and one.at // DAY == visit.now // DAY for one in visit.waiting):
        return _answered(visit, questions, "asked back already today, by a letter that waits for its answer")
    key = visit.key_of_few("wish", WISHES_A_DAY)
    if key is None:
        why = f"not asked back: its sender, whom nothing vouches for, was {WISHES_A_DAY} times today"
        return replace(_answered(visit, questions, why), disposition="quarantined")
    request = Request(address=sender, lines=lines, at=visit.now, mark=mark)
    paragraphs = (*_replies(visit, questions), ASKED_BACK, "\n".join(f"| {line}" for line in lines))
    heading = ", ".join(command.verb for command in (*questions, *wishes))
    handled = _told(
        visit,
        key,
        "asked back, since nothing vouches for its sender",
        f"Answer this letter to confirm: {heading}",
        paragraphs,
        mark,
    )
    return replace(handled, acts=(AskBack(by=sender, request=request),))


def _answered(visit: Visit, questions: Sequence[Command], why: str | None = None) -> Handled:
    """The answers to questions of somebody whom nothing vouches for. why: what else is to be said of it."""
    if not questions:
        return Handled("read", why, visit.letter.sender)
    key = visit.key_of_few("question", QUESTIONS_A_DAY)
    if key is None:
        few = f"not answered: its sender, whom nothing vouches for, gets {QUESTIONS_A_DAY} such answer a day"
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
    lines = [f"SIGNON {held.position.name} {held.seat}" for held in visit.proof.held]
    answer = notice(
        visit.reader,
        key=visit.key("unproved"),
        subject=f"Re: {visit.letter.subject}" if lines else "A letter in your name",
        paragraphs=(SEVERAL, *lines) if lines else (UNVOUCHED,),
        answer_to=visit.letter.message_id if lines else None,
    )
    why = "it does not say for which seat it speaks" if lines else "nothing vouches for its sender"
    return Handled("quarantined", why, visit.letter.sender, answers=(answer,))


def _under_a_void_token(visit: Visit, held: Seated) -> Handled:
    """A letter in the name of a seat's player, under a token that is void: he is sent one that is good.

    It goes to where all letters to the seat go, so whoever forges one gets nothing by it.
    """
    reader = reader_of(held.position, held.chair, visit.letter.sender, visit.books, visit.office)
    subject, paragraphs = void_address(held.position.name, held.seat)
    answer = notice(reader, key=visit.key(f"void/{held.seat}"), subject=subject, paragraphs=paragraphs)
    why = "it came under a reply address that is void"
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
        caller_of(sender, visit.books, visit.office, visit.now, mark=mark),
        key=key,
        subject=subject,
        paragraphs=paragraphs,
        answer_to=visit.letter.message_id or None,
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
        picture=next((one.picture for one in reversed(done) if one.picture is not None), None),
    )
