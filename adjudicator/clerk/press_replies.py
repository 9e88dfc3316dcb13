"""Replies to press without orders: asked whether they are to be sent, and sent on a YES."""

import re
from collections.abc import Sequence
from dataclasses import replace

from adjudicator.catalogue import sentence
from adjudicator.clerk.commands.case import Case, Done, told
from adjudicator.clerk.commands.dispatching import (
    pressed_by,
    send_press,
    why_not_sent,
    writer_named,
)
from adjudicator.clerk.invited import said
from adjudicator.ledger.people_acts import Answered, AskBack
from adjudicator.ledger.society import PATIENCE, SEATED, Request
from adjudicator.signs.addresses import short
from orders.commands import Command
from orders.letters.body import FreshLine
from orders.parsing.reading import Reading

_SUBJECT = re.compile(r"\bPress: from (?P<writer>[^\[\]]+?) to ", re.IGNORECASE)
"""How the subject of press goes on (secretary.notifications.press): it tells where a thread is lost."""

_OURS = ("|", ">", "ENDPRESS")
"""So begin lines of the press that a letter answers, where its quotation is not marked."""


def reply_to_press(case: Case, subject: str, lines: Sequence[FreshLine], reading: Reading) -> Done | None:
    """What comes of a letter that says nothing else: it answers press, or our question about such a reply.

    None: it is another letter.
    """
    spoken = (one for one in reading.commands if not _is_empty_frame(one))
    if next(spoken, None) is not None or any(row.in_force for row in reading.orders):
        return None
    if not any(line.source == "body" and line.text.strip() for line in lines):
        return None
    target = _target(case, subject)
    if target is not None:
        return _asked(case, target, lines)
    return _answered(case, said(lines)) if not reading.orders else None


def _is_empty_frame(command: Command) -> bool:
    return command.verb == "PRESS" and not command.text.strip()


def _target(case: Case, subject: str) -> str | None:
    """Whom a reply is for, as PRESS TO names him; None where the letter answers no press."""
    press = pressed_by(case)
    if press is not None:
        return writer_named(case, press)
    found = None if case.replies_to else _SUBJECT.search(subject)
    if found is None:
        return None
    seats = {short(seat): seat for seat in case.seated.position.chairs if seat != case.seat}
    return seats.get(short(found["writer"].strip()))


def _asked(case: Case, target: str, lines: Sequence[FreshLine]) -> Done:
    """The question whether a text is to be sent; or why it would not be."""
    shown = (line for line in lines if line.source == "body" and not line.unsure)
    rows = (line for line in shown if not _is_ours(line.text.strip()))
    text = "\n".join("\n" * line.after_gap + line.text.rstrip() for line in rows).strip()
    command = _command(target, text)
    why = why_not_sent(case, command)
    if why is not None:
        return told(why)
    hearer = _called(target)
    asks = AskBack(
        by=case.seat,
        request=Request(address=case.address, lines=(target, text), at=case.received, mark=_mark(case)),
    )
    quoted = "\n".join(f"| {line}".rstrip() for line in text.splitlines())
    question = sentence("clerk.press_replies.question", hearer=hearer)
    return Done(
        acts=(asks,),
        notes=(f"{question}\n\n{quoted}",),
        question=sentence("clerk.press_replies.send_this", hearer=hearer),
    )


def _is_ours(text: str) -> bool:
    """Whether a line stands in the press that is answered: its heading, its text, the lines to fill in."""
    heading = sentence("secretary.notifications.press", heading="").strip()
    return text.startswith((*_OURS, heading)) or text == sentence("clerk.press_replies.frame")


def _answered(case: Case, answer: str) -> Done | None:
    """What comes of a plain yes or no: to the question that it answers, or to the only one that waits."""
    if answer == "neither":
        return None
    waiting = [one for one in _questions(case) if case.received - one.at < PATIENCE]
    key = case.books.key_of(case.replies_to) if case.replies_to else None
    named = [one for one in waiting if key == _reply_key(one.mark)]
    if not waiting or (case.replies_to and not named and key is not None and key.endswith("/verdict")):
        return None
    if not named and len(waiting) > 1:
        return told(sentence("clerk.press_replies.which"))
    (one,) = named or waiting
    done = Answered(by=case.seat, address=one.address, mark=one.mark)
    if answer == "no":
        return Done(acts=(done,), notes=(sentence("clerk.press_replies.not_sent"),))
    target, text = one.lines
    sent = send_press(replace(case, replies_to=None), _command(target, text))
    return Done(acts=(done, *sent.acts), notes=sent.notes)


def _command(target: str, text: str) -> Command:
    return Command(line=f"PRESS TO {target}", verb="PRESS", args=(target,), text=text)


def _called(target: str) -> str:
    """Whom a text is for, in words."""
    if target == "GM":
        return sentence("clerk.press_replies.the_gamesmaster")
    return sentence("clerk.press_replies.its_writer") if target.startswith("WRITER ") else target


# A question is kept under the seat's address, with the seat, the generation of its tokens and the letter that
# it asks about in its mark, which no mark of a stranger's request is like.


def _mark(case: Case) -> str:
    return f"{_prefix(case)}{case.key}"


def _prefix(case: Case) -> str:
    return f"{SEATED}{case.name}-{short(case.seat)}-{case.seated.chair.generation}-"


def _questions(case: Case) -> list[Request]:
    waiting = case.books.society.requests(case.address)
    return [one for one in waiting if one.mark.startswith(_prefix(case))]


def _reply_key(mark: str) -> str:
    """What names the letter of ours that asked, as `reports.messages.verdict` does."""
    return f"letter/{mark.rpartition('-')[2]}/verdict"
