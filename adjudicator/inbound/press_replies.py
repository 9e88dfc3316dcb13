"""Replies to press without orders: their writer is asked whether to send them, and a YES sends them.

The question is one of `confirmations`: its address names the email, which is quarantined until the YES.
"""

import re
from collections.abc import Sequence

from adjudicator.auth.correspondents import request_mark
from adjudicator.context import RequestContext
from adjudicator.inbound.commands.context import CommandResult, SeatCommandContext, reply_with
from adjudicator.inbound.commands.press import find_answered_press_key, why_not_sent
from adjudicator.inbound.confirmations import answered_at
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.messages import sentence
from adjudicator.model.addresses import short_seat_name
from adjudicator.model.mail import LetterDraft, LetterOutcome, StoredLetter
from adjudicator.model.people import AskBack, EmailInDoubt, Request
from adjudicator.reports.messages import Heading, named_writer, notice, reader_of
from games.record import Value, replace_fields
from orders.commands import Command
from orders.mail.body import FreshLine
from orders.mail.letter import Letter
from orders.reading.letter_reader import LetterReading, read_lines

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
