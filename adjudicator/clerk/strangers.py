"""Letters that speak for no seat: who wrote one gets an answer a day, or none."""

from collections.abc import Sequence

from adjudicator.clerk.commands.asking import help_answer
from adjudicator.clerk.identity import REFUSED
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


def answer_stranger(
    letter: Letter, lines: Sequence[FreshLine], refused: bool, known: bool, office: Office, now: Millis
) -> Handled:
    """One answer a day to a stranger who used a command that strangers may use; none to anybody else.

    known: whether the address that it claims to come from holds a seat.
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
    if not asked and known and any(command.verb == "NEW" for command in commands):
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
