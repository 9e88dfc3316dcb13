"""Letters that speak for no seat: who wrote one gets an answer a day, or none."""

from collections.abc import Sequence

from adjudicator.clerk.commands.asking import help_answer
from adjudicator.clerk.identity import REFUSED, Proof
from adjudicator.clerk.phrasebooks import STRANGERS
from adjudicator.clock import Millis
from adjudicator.ledger import Handled
from adjudicator.office import Office
from adjudicator.reports.letters import Reader, notice
from orders.body import FreshLine
from orders.letter import Letter
from orders.reading import read

DAY: Millis = 24 * 3_600_000

UNPROVED = (
    "A game of your own is begun for players who are known to us, and nothing in your letter shows that you "
    "wrote it. Answer any letter that we sent to you, with your NEW on a line of its own."
)

UNVOUCHED = (
    "A letter came to us in your name, and nothing in it shows that you wrote it. So nothing was done about "
    "it. Answer any letter that we sent to you, or begin yours with a line  SIGNON game seat password."
)
SEVERAL = (
    "You hold more than one seat, and your letter does not say for which of them it speaks. So nothing was "
    "done about it. Answer the letter of ours that it is about, or begin with one of these lines:"
)


def answer_stranger(
    letter: Letter, lines: Sequence[FreshLine], refused: bool, proof: Proof, office: Office, now: Millis
) -> Handled:
    """One answer a day to a stranger who used a command that strangers may use; none to anybody else.

    Who holds the address of a seat is told of a letter in his name that nothing vouches for, once a day.
    """
    reader = Reader(address=letter.sender, zone=office.zone)
    day = now // DAY
    if refused:
        answer = notice(
            reader,
            key=f"refused/{letter.sender}/{day}",
            subject="Re: SIGNON",
            paragraphs=(REFUSED.why,),
            answer_to=letter.message_id or None,
        )
        return Handled("read", "a SIGNON that does not fit", letter.sender, answers=(answer,))
    commands = read(lines, STRANGERS).commands
    asked = [command for command in commands if command.verb == "HELP"]
    if not asked and proof.known and any(command.verb == "NEW" for command in commands):
        answer = notice(
            reader,
            key=f"stranger/{letter.sender}/{day}",
            subject="Re: NEW",
            paragraphs=(UNPROVED,),
            answer_to=letter.message_id or None,
        )
        return Handled(
            "read", "NEW from an address that nothing vouches for", letter.sender, answers=(answer,)
        )
    if not asked and proof.known:
        return _unproved(letter, proof, reader, day)
    if not asked:
        return Handled("quarantined", "from nobody we know, with no command", letter.sender)
    help_ = help_answer(asked[0].args[0] if asked[0].args else "general")
    answer = notice(
        reader,
        key=f"stranger/{letter.sender}/{day}",
        subject=f"Re: {help_.title}",
        paragraphs=tuple(help_.text.split("\n\n")),
        answer_to=letter.message_id or None,
    )
    return Handled("read", None, letter.sender, answers=(answer,))


def _unproved(letter: Letter, proof: Proof, reader: Reader, day: int) -> Handled:
    """A letter in the name of somebody who holds a seat, which speaks for none."""
    lines = [f"SIGNON {held.position.name} {held.seat}" for held in proof.held]
    answer = notice(
        reader,
        key=f"unproved/{letter.sender}/{day}",
        subject=f"Re: {letter.subject}" if lines else "A letter in your name",
        paragraphs=(SEVERAL, *lines) if lines else (UNVOUCHED,),
        answer_to=letter.message_id if lines else None,
    )
    why = "it does not say for which seat it speaks" if lines else "nothing vouches for its sender"
    return Handled("quarantined", why, letter.sender, answers=(answer,))
