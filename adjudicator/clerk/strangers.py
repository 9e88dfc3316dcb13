"""Letters that speak for no seat: what anybody may ask is answered, what he wants is asked back for proof.

Nothing is done for an address that nothing vouches for: it is told once a day, and its answer is the proof.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.clerk.commands import QUESTIONS, WISHES, carry_all_out
from adjudicator.clerk.commands.case import Caller, Done
from adjudicator.clerk.identity import REFUSED, Proof, is_vouched_for
from adjudicator.clerk.phrasebooks import commands_alone
from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.ledger.acts import AnyAct
from adjudicator.ledger.books import Books
from adjudicator.ledger.deeds import Answered, AskBack
from adjudicator.ledger.letters import Handled, Kept, Outgoing
from adjudicator.ledger.society import Request
from adjudicator.office import Office
from adjudicator.reports.letters import Reader, notice, verdict
from adjudicator.reports.reader import caller_of
from adjudicator.reports.transcript import Transcript
from adjudicator.signs.callers import proves
from orders.body import FreshLine
from orders.commands import Command
from orders.letter import Letter
from orders.reading import read

PATIENCE: Millis = 7 * DAY
"""So long what was asked for waits for its answer."""

ASKED_BACK = (
    "You asked for what stands below, and nothing in your letter shows that it is from you. Answer this "
    "letter, with nothing added, and it is done. If you did not write to us, do nothing, and nothing happens."
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
    """A letter that speaks for no seat. refused: whether it claims one by a SIGNON that does not fit."""

    kept: Kept
    letter: Letter
    lines: Sequence[FreshLine]
    refused: bool
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

    @property
    def is_proved(self) -> bool:
        """Whether it is from the address that it claims to be from."""
        answers_us = proves(self.office.key, self.letter.sender, self.letter.recipients, self.now)
        return answers_us or is_vouched_for(self.letter, self.kept.raw, self.office)

    def key(self, kind: str) -> str:
        """What names the one letter of a kind that the sender gets today."""
        return f"{kind}/{self.letter.sender}/{self.now // DAY}"


def answer_stranger(visit: Visit) -> Handled:
    """What becomes of a letter that speaks for no seat. Who proves nothing gets one answer a day, or none."""
    if visit.refused:
        return _told(visit, "refused", "a SIGNON that does not fit", "Re: SIGNON", (REFUSED.why,))
    found = read(visit.lines, commands_alone(visit.books)).commands
    # A subject "orders" is no question of somebody who has none.
    commands = [command for command in found if command.verb != "ORDERS"]
    asked = [command for command in commands if _is_for_anybody(command)]
    if (commands or visit.books.society.request(visit.letter.sender)) and visit.is_proved:
        return _carried_out(visit, commands)
    if asked:
        return _unproved(visit, asked)
    if visit.proof.known:
        return _nameless(visit)
    return Handled("quarantined", "from nobody we know, with no command", visit.letter.sender)


def _is_for_anybody(command: Command) -> bool:
    """Whether somebody without a seat may ask for it: about a game, only by its name."""
    needs_name = command.verb in ("STATUS", "MAP", "HISTORY")
    return (command.verb in QUESTIONS or command.verb in WISHES) and (bool(command.args) or not needs_name)


def _carried_out(visit: Visit, commands: Sequence[Command]) -> Handled:
    """What somebody wants whose address is proved; without a command, what he was asked back for."""
    pending = visit.books.society.request(visit.letter.sender)
    acts: tuple[AnyAct, ...] = ()
    if pending is not None:
        acts = (Answered(by=visit.letter.sender, address=visit.letter.sender),)
        if not commands and visit.now - pending.at < PATIENCE:
            lines = [FreshLine(text=line, source="body") for line in pending.lines]
            commands = read(lines, commands_alone(visit.books)).commands
    done = carry_all_out(visit.caller, commands)
    if visit.books.answers_since(visit.letter.sender, visit.now - HOUR) >= visit.office.answers_an_hour:
        answers: tuple[Outgoing, ...] = ()
    else:
        answers = (verdict(None, _transcript(visit, done), visit.reader),)
    return Handled(
        "read",
        None,
        visit.letter.sender,
        acts=(*acts, *(act for one in done for act in one.acts)),
        answers=answers,
    )


def _unproved(visit: Visit, asked: Sequence[Command]) -> Handled:
    """What was asked for by somebody whom nothing vouches for: questions answered, wishes asked back."""
    wishes = [command for command in asked if command.verb in WISHES]
    questions = [command for command in asked if command.verb in QUESTIONS]
    done = carry_all_out(visit.caller, questions)
    paragraphs = [*(note for one in done for note in one.notes)]
    paragraphs += [part for one in done for answer in one.answered for part in answer.text.split("\n\n")]
    acts: tuple[AnyAct, ...] = ()
    if wishes:
        lines = tuple(command.line for command in wishes)
        request = Request(address=visit.letter.sender, lines=lines, at=visit.now)
        acts = (AskBack(by=visit.letter.sender, request=request),)
        paragraphs += [ASKED_BACK, "\n".join(f"| {line}" for line in lines)]
    why = "asked back, since nothing vouches for its sender" if wishes else None
    heading = ", ".join(command.verb for command in (*questions, *wishes))
    subject = f"Answer this letter to confirm: {heading}" if wishes else f"Re: {heading}"
    return _told(visit, "stranger", why, subject, tuple(paragraphs), acts)


def _nameless(visit: Visit) -> Handled:
    """A letter in the name of somebody who holds a seat, which speaks for none."""
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


def _told(
    visit: Visit,
    kind: str,
    why: str | None,
    subject: str,
    paragraphs: tuple[str, ...],
    acts: tuple[AnyAct, ...] = (),
) -> Handled:
    """An answer of which a sender gets one a day."""
    answer = notice(
        visit.reader,
        key=visit.key(kind),
        subject=subject,
        paragraphs=paragraphs,
        answer_to=visit.letter.message_id or None,
    )
    return Handled("read", why, visit.letter.sender, acts=acts, answers=(answer,))


def _transcript(visit: Visit, done: Sequence[Done]) -> Transcript:
    return Transcript(
        fingerprint=visit.kept.fingerprint,
        subject=visit.letter.subject,
        answers=visit.letter.message_id or None,
        thread=visit.letter.thread,
        notes=tuple(note for one in done for note in one.notes),
        answered=tuple(answer for one in done for answer in one.answered),
        picture=next((one.picture for one in reversed(done) if one.picture is not None), None),
    )
