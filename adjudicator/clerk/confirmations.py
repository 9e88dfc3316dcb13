"""Emails that we ask about: the player of the seat sees what we read, and a YES carries it out.

Three sorts of emails are asked about. A genuine one may not have been meant for us: players mail each other
orders, and anybody may pass such an email on. One under a reply address that was replaced while it was on its
way may be somebody else's. One that answers press and has no orders may be press (`press_replies`). Nothing
of any is done. The player is asked once, at the address of the seat.
The address to which the question is answered names the email, so a YES to one is no YES to another. It counts
as long as an order would: until the deadline and its grace, in the turn in which the question was asked. What
is late is decided by when the email came. Press may be sent for a week.
"""

from collections.abc import Callable, Iterator, Sequence

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.held import deaf, put_by
from adjudicator.clerk.identity import CONFIRMED, CONFIRMED_PRESS, Proof, Seated
from adjudicator.clerk.invited import said
from adjudicator.clerk.keys import keys_held
from adjudicator.clerk.parse_contexts import parse_context
from adjudicator.clerk.signons import spoken
from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.ledger.letters import Handled, Kept, Outgoing
from adjudicator.ledger.people_acts import QUESTION, AskBack, ConfirmEmail
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import PATIENCE, EmailInDoubt, Request
from adjudicator.office import Desk
from adjudicator.referee.deadlines import is_late
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import caller_of, reader_of
from adjudicator.reports.times import both
from adjudicator.signs.addresses import claims, reply_token
from adjudicator.signs.callers import confirmed, person_address, request_mark
from adjudicator.signs.redaction import passwordless
from games.protocol import Seat, Turn
from games.record import changed
from orders.commands import Command
from orders.letters.body import FreshLine, fresh_lines
from orders.letters.dkim_signatures import content_hash
from orders.letters.letter import Letter
from orders.parsing.reading import Reading, read

QUESTIONS_A_DAY = 6
"""A seat is asked no more often than that in a day."""

OLDEST: Millis = DAY
"""Nobody is asked about an email that is older than this."""

MAX_ROWS = 40
"""Lines of an email that the question shows."""

Part = tuple[Command | None, Sequence[FreshLine]]
"""The SIGNON with which a part of an email begins (None: without one), and its lines."""


# The question.


def ask_if_meant(
    kept: Kept, letter: Letter, parts: Sequence[Part], proof: Proof, desk: Desk
) -> Handled | None:
    """Return what becomes of an email that speaks for a seat only if it was meant for us; None for others."""
    if not proof.doubted:
        return None
    speakers = spoken([signon for signon, _ in parts], proof.without_doubt(), letter.sender, desk).speakers
    told: dict[tuple[str, Seat], tuple[Seated, list[FreshLine]]] = {}
    for (_, lines), speaker in zip(parts, speakers, strict=True):
        if isinstance(speaker, Seated):
            told.setdefault((speaker.position.name, speaker.seat), (speaker, []))[1].extend(lines)
    if letter.date is None or desk.now - letter.date > OLDEST:
        return Handled("quarantined", sentence("clerk.confirmations.too_old"), letter.sender)
    if not told:
        return None
    shown = [(speaker, tuple(_rows(lines, speaker, desk))) for speaker, lines in told.values()]
    # Of several seats the first of which it says something: for the others it is to be sent again.
    speaker, rows = next((one for one in shown if one[1]), shown[0])
    if not rows:
        why = sentence("clerk.confirmations.nothing_to_send")
        return changed(_quarantined(letter, speaker), why=why)
    return _ask(kept, letter, speaker, rows, desk)


def ask_if_sent(
    kept: Kept, letter: Letter, lines: Sequence[FreshLine], void: Seated, proof: Proof, desk: Desk
) -> Handled | None:
    """Return what becomes of an email under a reply address that was replaced; None if nobody is asked.

    Its player is asked if it arrived before the address that is good since was sent. void: the seat, whose
    player's address it is from. With `strict` that address has to be authenticated as well.
    """
    is_shown = any(
        (one.position.name, one.seat) == (void.position.name, void.seat)
        for one in (*proof.held, *proof.doubted)
    )
    if desk.now - kept.received > OLDEST or void.later or (proof.strict and not is_shown):
        return None
    rows = tuple(_rows(lines, void, desk))
    if not rows or _was_sent_before(void, kept, desk):
        return None
    return _ask(kept, letter, void, rows, desk, is_replaced=True)


def _ask(
    kept: Kept,
    letter: Letter,
    speaker: Seated,
    rows: Sequence[str],
    desk: Desk,
    *,
    is_replaced: bool = False,
) -> Handled:
    """Return the question about an email, unless it was asked before, or the seat was asked enough today.

    is_replaced: we ask since its reply address was replaced.
    """
    position, seat = speaker.position, speaker.seat
    handled = _quarantined(letter, speaker)
    mark = request_mark(desk.office.key, letter.sender, ("?EMAIL", content_hash(kept.raw)))
    if any(one.mark == mark for one in desk.books.society.requests(letter.sender)):
        return changed(handled, why=sentence("clerk.confirmations.asked_already"))
    if desk.books.questions_since(position.name, seat, desk.now // DAY * DAY) >= QUESTIONS_A_DAY:
        return changed(handled, why=sentence("clerk.confirmations.asked_enough", most=QUESTIONS_A_DAY))
    email = EmailInDoubt(
        letter=kept.fingerprint,
        game=position.name,
        seat=seat,
        turn=_turn_of(position).short,
        stale=speaker.stale or "",
    )
    request = Request(address=letter.sender, lines=email.lines, at=desk.now, mark=mark)
    question = _question(letter, speaker, rows, mark, desk, is_replaced=is_replaced)
    return changed(
        handled,
        why=sentence("clerk.confirmations.asked", is_replaced=is_replaced),
        acts=(AskBack(by=letter.sender, request=request),),
        answers=(question,),
    )


def _quarantined(letter: Letter, speaker: Seated) -> Handled:
    return Handled("quarantined", None, letter.sender, game=speaker.position.name, seat=speaker.seat)


def _turn_of(position: Position) -> Turn:
    return games.kinds()[position.kind].rules.turn(position.state)


def _question(
    letter: Letter, speaker: Seated, rows: Sequence[str], mark: str, desk: Desk, *, is_replaced: bool
) -> Outgoing:
    position = speaker.position
    reader = reader_of(position, speaker.chair, letter.sender, desk.books, desk.office)
    # The address names what a YES is to.
    reader = changed(reader, reply_address=answered_at(letter.sender, mark, desk))
    if not is_replaced:
        # With a token of the seat in it other words than YES would be a letter of orders. So they are where
        # a token was all that showed who wrote: this email tells the player the one that is good now.
        reader = changed(reader, token=None)
    until = None if position.deadline is None else position.deadline + position.deadlines.grace
    keys = keys_held(letter.sender, desk.books, desk.office)
    subject, *shown = (keys.redacted(passwordless(text)) for text in (letter.subject, *rows[:MAX_ROWS]))
    more = len(rows) - len(shown)
    if is_replaced:
        question, why_we_ask = (
            sentence("clerk.confirmations.question_if_sent"),
            sentence("clerk.confirmations.replaced"),
        )
    else:
        question, why_we_ask = (
            sentence("clerk.confirmations.question"),
            sentence("clerk.confirmations.why_we_ask", address=desk.office.address),
        )
    paragraphs = (
        question,
        "\n".join(f"| {row}" for row in shown),
        *([sentence("clerk.confirmations.more_lines", count=more)] if more > 0 else []),
        sentence(
            "clerk.confirmations.about",
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
        sentence("clerk.confirmations.subject", is_replaced=is_replaced),
        answer_to=letter.message_id or None,
        thread=letter.thread,
        replies=True,
    )
    return notice(reader, heading, paragraphs)


def answered_at(address: str, mark: str, desk: Desk) -> str:
    """Return the address at which a question is answered: it names the question."""
    return person_address(desk.office.key, desk.office.address, address, desk.now, mark)


def _rows(lines: Sequence[FreshLine], speaker: Seated, desk: Desk) -> Iterator[str]:
    """Yield what of some lines would be done: orders as they are read, and commands with their text.

    Orders under an address of a turn that is over are late: without commands nothing would be done.
    """
    if not speaker.position.running:
        return
    reading = read(lines, parse_context(games.kinds()[speaker.position.kind], speaker, desk.books))
    commands = [command for command in reading.commands if command.verb != "SIGNOFF"]
    if speaker.stale is not None and not commands:
        return
    for row in reading.orders:
        line = " ".join(row.line.split())
        if row.said is None:
            yield sentence("clerk.confirmations.unread_line", line=line)
        elif speaker.stale is not None:
            yield sentence("clerk.confirmations.late_line", line=line, turn=speaker.stale)
        else:
            is_plain = row.said == line
            yield line if is_plain else sentence("clerk.confirmations.read_as", line=line, said=row.said)
    for command in commands:
        yield command.line
        yield from (line for line in command.text.split("\n") if line.strip())


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


# The answer to it.


def answer_to_question(
    kept: Kept, letter: Letter, desk: Desk, read_again: Callable[[Kept, Seated], Handled]
) -> Handled | None:
    """Return what becomes of an answer to such a question; None if an email is none.

    read_again: reads the email that is confirmed, as it came, for the seat that it speaks for.
    """
    marks = confirmed(desk.office.key, letter.sender, letter.recipients, desk.now)
    requests = desk.books.society.requests(letter.sender) if marks else ()
    asked = ((one, one.email) for one in requests if one.mark in marks and one.email is not None)
    if (found := next(asked, None)) is None:
        return None
    request, email = found
    answer = said(fresh_lines(letter))
    if answer == "neither":
        return _unclear(letter, request, email, desk)
    if deaf(email.game, desk.books) is not None:
        return put_by(kept, letter, email.game, desk)
    done = changed(request, lines=changed(email, turn="").lines)
    handled = Handled("read", None, letter.sender, acts=(AskBack(by=letter.sender, request=done),))
    if answer == "no":
        why = sentence("clerk.confirmations.declined_why")
        text = (
            sentence("clerk.press_replies.declined")
            if email.is_press
            else sentence("clerk.confirmations.declined")
        )
        return _told(letter, changed(handled, why=why), text, desk)
    original = desk.books.quarantined(email.letter)
    if original is None or not email.turn:
        why = sentence("clerk.confirmations.dealt_with_why")
        return _told(letter, changed(handled, why=why), sentence("clerk.confirmations.dealt_with"), desk)
    position = desk.books.position(email.game)
    is_in_time = position is not None and _is_in_time(position, email, letter, kept, request)
    if position is None or not is_in_time:
        why = sentence("clerk.confirmations.too_late_why")
        text = (
            sentence("clerk.press_replies.too_late")
            if email.is_press
            else sentence("clerk.confirmations.too_late")
        )
        return _told(letter, changed(handled, why=why), text, desk)
    confirm = ConfirmEmail(
        by=letter.sender,
        why=sentence("clerk.confirmations.confirmed", number=kept.number),
        letter=email.letter,
        game=email.game,
        seat=email.seat,
        at=desk.now,
    )
    how = CONFIRMED_PRESS if email.is_press else CONFIRMED
    again = read_again(original, Seated(position, email.seat, how, email.stale or None))
    return changed(
        handled,
        why=sentence("clerk.confirmations.confirms", number=original.number),
        game=email.game,
        seat=email.seat,
        acts=(*handled.acts, confirm, *again.acts),
        answers=again.answers,
    )


def as_confirmed(reading: Reading) -> Reading:
    """Return what an email says whose writer saw how we read it, and said YES: no order is doubtful then."""
    orders = tuple(
        changed(row, grade="taken", problem=None, instead=None)
        if row.grade == "doubtful" and row.order is not None
        else row
        for row in reading.orders
    )
    return changed(reading, orders=orders)


def _is_in_time(
    position: Position, email: EmailInDoubt, letter: Letter, kept: Kept, request: Request
) -> bool:
    """Return whether a YES still counts: in the turn of the question, from its player, not too late."""
    turn = _turn_of(position).short
    chair = position.chairs.get(email.seat)
    is_theirs = chair is not None and chair.address == letter.sender
    if email.is_press:
        return is_theirs and kept.received - request.at < PATIENCE
    return is_theirs and position.running and turn == email.turn and not is_late(position, kept.received)


def _unclear(letter: Letter, request: Request, email: EmailInDoubt, desk: Desk) -> Handled | None:
    """Return what becomes of an answer that is neither YES nor NO; None if it has orders of its own."""
    position = desk.books.position(email.game)
    if position is None or email.seat not in position.chairs:
        return None
    reading: Reading = read(
        fresh_lines(letter),
        parse_context(games.kinds()[position.kind], Seated(position, email.seat, "question"), desk.books),
    )
    if reading.orders or reading.commands:
        return None
    handled = Handled("quarantined", sentence("clerk.confirmations.neither"), letter.sender)
    text = (
        sentence("clerk.press_replies.yes_or_no")
        if email.is_press
        else sentence("clerk.confirmations.yes_or_no")
    )
    return _told(letter, handled, text, desk, request.mark)


def _told(letter: Letter, handled: Handled, text: str, desk: Desk, mark: str | None = None) -> Handled:
    """Return what becomes of an answer, with a word about it to its writer, unless they had too many."""
    if desk.books.answers_since(letter.sender, desk.now // HOUR * HOUR) >= desk.office.answers_an_hour:
        return handled
    heading = Heading(
        f"answered/{letter.sender}/{letter.message_id}",
        f"Re: {letter.subject}",
        answer_to=letter.message_id or None,
        thread=letter.thread,
        replies=True,
    )
    return changed(handled, answers=(notice(caller_of(letter.sender, desk, mark=mark), heading, (text,)),))
