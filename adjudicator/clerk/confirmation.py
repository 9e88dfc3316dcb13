"""Emails that are asked back: their player is shown the lines, and YES carries them out.

So it is with an email under a reply address that was replaced while the email was on its way. Nobody but
whoever reads the seat's mailbox can say YES, since the question holds the address that is good now.
"""

from collections.abc import Sequence

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.identity import Seated, by_void_token
from adjudicator.clerk.invited import said
from adjudicator.clerk.keys import keys_held
from adjudicator.clock import DAY, spoken
from adjudicator.ledger.letters import QUESTION, Handled, Kept, Question
from adjudicator.office import Desk
from adjudicator.referee.deadlines import is_late
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import reader_of
from adjudicator.signs.addresses import Claim, claims, reply_token, short
from adjudicator.signs.redaction import passwordless
from games.record import Value, changed
from orders.letters.body import FreshLine
from orders.letters.letter import Letter, open_letter

MAX_QUESTIONS_PER_DAY = 6
"""A seat is asked no more often, whoever writes in its player's name."""

MAX_AGE_MS = DAY
"""An older email is not asked back: the game has gone on."""

MAX_LINES_SHOWN = 60


class Confirmed(Value, frozen=True):
    """An email that its player meant, as YES says. seated: for whom it speaks.

    is_too_late: the turn was over when YES came; is_done: YES was said before.
    """

    first: Kept
    seated: Seated
    is_too_late: bool = False
    is_done: bool = False


def ask_back(kept: Kept, lines: Sequence[FreshLine], void: Seated, desk: Desk) -> Handled | None:
    """Return the question about an email under a void token; None where it is not asked back.

    void: the seat, which its sender holds. The email has to have arrived before the address that is good
    since was sent.
    """
    rows = [line.text.strip() for line in lines if line.source != "subject" and line.text.strip()]
    key = _next_key(void, desk)
    if not rows or key is None or desk.now - kept.received > MAX_AGE_MS or _was_sent_before(void, kept, desk):
        return None
    position, seat = void.position, void.seat
    sender = void.chair.address or ""
    shown = [passwordless(row) for row in rows[:MAX_LINES_SHOWN]]
    # Also the void tokens, which nobody could use, but which people would answer to.
    keys = keys_held(sender, desk.books, desk.office)
    quoted = "\n".join(f"| {keys.redacted(row)}" for row in shown)
    turn = games.kinds()[position.kind].rules.turn(position.state)
    reader = reader_of(position, void.chair, sender, desk.books, desk.office)
    until = None if position.deadline is None else spoken(position.deadline, reader.zone)
    paragraphs = (
        sentence("clerk.confirmation.replaced", seat=seat, game=position.name),
        sentence("clerk.confirmation.lines", more=len(rows) - len(shown)),
        quoted,
        sentence("clerk.confirmation.say_yes", turn=turn.name, until=until),
    )
    subject = sentence("clerk.confirmation.subject", seat=seat)
    why = sentence("clerk.confirmation.asked")
    answer = notice(reader, Heading(key, subject, replies=True), paragraphs)
    return Handled("read", why, sender, position.name, answers=(answer,))


def find_confirmed(
    kept: Kept, letter: Letter, lines: Sequence[FreshLine], seated: object, desk: Desk
) -> Confirmed | None:
    """Return the email that a YES confirms; None where the email says something else, or nothing was asked.

    seated: for whom the YES speaks.
    """
    if not isinstance(seated, Seated) or said(lines) != "yes":
        return None
    question = _question(letter, desk)
    if question is None:
        return None
    _, game, seat, turn, *_ = question.key.split("/")
    if (game, seat) != (seated.position.name, short(seated.seat)):
        return None
    first = open_letter(question.first.raw)
    void = by_void_token(_claims_of(first), seated.chair.address or "", desk.books, desk.office)
    present = games.kinds()[seated.position.kind].rules.turn(seated.position.state).short
    return Confirmed(
        question.first,
        Seated(seated.position, seated.seat, seated.how, void.stale if void else None),
        is_too_late=turn != present or is_late(seated.position, kept.received),
        is_done=desk.books.has_written(f"letter/{question.first.fingerprint}/verdict"),
    )


def refuse_confirmed(confirmed: Confirmed, kept: Kept, letter: Letter, desk: Desk) -> Handled:
    """Return the reply to a YES that comes to nothing: it came too late, or was said before."""
    seated = confirmed.seated
    if confirmed.is_done:
        why = told = sentence("clerk.confirmation.done_already")
    else:
        why = told = sentence("clerk.confirmation.too_late")
    position, sender = seated.position, seated.chair.address or letter.sender
    reader = reader_of(position, seated.chair, sender, desk.books, desk.office)
    heading = Heading(
        f"letter/{kept.fingerprint}/confirmation",
        f"Re: {letter.subject}",
        letter.message_id or None,
        replies=True,
    )
    answers = (notice(reader, heading, (told,)),)
    return Handled("read", why, letter.sender, position.name, seated.seat, answers=answers)


def restore_email(confirmed: Confirmed, letter: Letter) -> Letter:
    """Return the email that is confirmed, to be answered as the YES is. letter: the YES."""
    first = open_letter(confirmed.first.raw)
    return changed(
        first,
        message_id=letter.message_id,
        thread=letter.thread,
        answers=letter.answers,
        sender=letter.sender,
    )


def _question(letter: Letter, desk: Desk) -> Question | None:
    ids = filter(None, (letter.answers, *reversed(letter.thread)))
    found = (desk.books.question(one) for one in ids)
    return next((one for one in found if one is not None), None)


def _next_key(void: Seated, desk: Desk) -> str | None:
    """Return what names the next question to a seat today; None where there were enough."""
    name, turn = void.position.name, games.kinds()[void.position.kind].rules.turn(void.position.state)
    stem = f"{QUESTION}/{name}/{short(void.seat)}/{turn.short}/{desk.now // DAY}"
    keys = (f"{stem}/{number}" for number in range(1, MAX_QUESTIONS_PER_DAY + 1))
    return next((key for key in keys if not desk.books.has_written(key)), None)


def _was_sent_before(void: Seated, kept: Kept, desk: Desk) -> bool:
    """Return whether an address that replaced the void one was sent to its holder before the email came."""
    name, seat, key = void.position.name, void.seat, desk.office.key
    # After a restore generations were left out: no address has them.
    later = range(void.generation + 1, void.chair.generation + 1)
    good = {
        reply_token(key, name, seat, generation, turn)
        for generation in later
        for turn in desk.books.turns(name)
    }
    return any(
        at <= kept.received and any(claim.token in good for claim in claims((), "", (message_id,)))
        for message_id, at in desk.books.sent_to(name, seat)
    )


def _claims_of(letter: Letter) -> tuple[Claim, ...]:
    return claims(letter.recipients, letter.subject, letter.thread)
