"""Letters that are too heavy to be read: whoever shows that a seat is his is told so, and nobody else."""

from adjudicator.clerk.identity import proof_of
from adjudicator.clock import HOUR, Millis
from adjudicator.ledger.books import Books
from adjudicator.ledger.letters import Handled, Kept
from adjudicator.office import Office
from adjudicator.reports.messages import Reader, notice
from orders.letters.letter import Letter


def too_heavy(kept: Kept, letter: Letter, why: str, books: Books, office: Office, now: Millis) -> Handled:
    """What is done about a letter of which only the head was opened. why: what it weighs."""
    seated = proof_of(letter, kept.raw, books, office).speaker()
    if seated is None:
        return Handled("quarantined", why, letter.sender)
    to = seated.chair.address or letter.sender
    answer = notice(
        Reader(address=to, zone=office.zone),
        key=f"heavy/{kept.fingerprint}",
        subject=f"Re: {letter.subject}",
        paragraphs=(
            f"Your letter was not read: {why}. Nothing of it was done.",
            "Write your orders again as plain text, without pictures and without anything attached.",
        ),
        answer_to=letter.message_id or None,
    )
    told = books.answers_since(to, now // HOUR * HOUR) < office.answers_an_hour
    return Handled(
        disposition="quarantined",
        why=why,
        speaker=letter.sender,
        game=seated.position.name,
        seat=seated.seat,
        answers=(answer,) if told else (),
    )
