"""Emails to a deleted game, or to the address of a seat that their writer lost.

Nothing is done about such an email. Its writer is told why, since they meant well: they answered an email of
ours that was theirs once.
"""

from adjudicator.auth.sender import IdentityProof, find_seat_by_name
from adjudicator.clock import DAY
from adjudicator.context import RequestContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import SenderClaim, claims, short_seat_name
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import caller_of
from games.protocol import Seat
from games.record import Value
from orders.mail.letter import Letter

MAX_REPLIES_PER_DAY = 3
"""The From line proves nothing, so an address gets no more of these replies."""


class FormerSeat(Value, frozen=True):
    """The seat that an email was written to.

    seat None: the game was deleted; is_lent: a substitute plays it.
    """

    game: str
    seat: Seat | None = None
    is_lent: bool = False
    is_free: bool = False


def find_former_seat(letter: Letter, proof: IdentityProof, books: Repository) -> FormerSeat | None:
    """Return the deleted game or the lost seat that an email was written to; None where it was to neither.

    A good token, or a mark of a seat that its sender holds, goes before. Where the email speaks for a seat by
    its sender's address alone, only the addresses it went to count: an old thread may stand below any email.
    """
    if proof.token is not None:
        return None
    claimed = claims(letter.recipients, "", ()) if proof.speaker() is not None else proof.claimed
    held = (
        {(game, short_seat_name(seat)) for game, seat in books.seats_of(letter.sender)} if claimed else set()
    )
    if any((claim.game, claim.seat) in held for claim in claimed):
        return None
    candidates = (_former_seat(claim, letter.sender, books) for claim in claimed)
    return next((candidate for candidate in candidates if candidate is not None), None)


def answer_former_seat(former: FormerSeat, letter: Letter, context: RequestContext) -> LetterOutcome:
    """Return the outcome of an email to a deleted game or a lost seat: a reply, a few times a day."""
    game, seat, sender = former.game, former.seat, letter.sender
    why, subject, paragraphs = (
        _explain_deleted_game(game) if seat is None else _explain_lost_seat(former, game, seat)
    )
    keys = (f"former/{sender}/{context.now // DAY}/{number}" for number in range(1, MAX_REPLIES_PER_DAY + 1))
    key = next((candidate for candidate in keys if not context.books.has_written(candidate)), None)
    if key is None:
        return LetterOutcome("quarantined", why, sender)
    heading = Heading(key, subject, answer_to=letter.message_id or None)
    return LetterOutcome(
        "read", why, sender, answers=(notice(caller_of(sender, context), heading, paragraphs),)
    )


def _explain_deleted_game(game: str) -> tuple[str, str, tuple[str, ...]]:
    """Return why the email comes to nothing, and the subject and the paragraphs of the reply."""
    return (
        sentence("clerk.former_seats.deleted_why"),
        sentence("clerk.former_seats.deleted_subject", game=game),
        (sentence("clerk.former_seats.deleted", game=game), sentence("clerk.former_seats.deleted_list")),
    )


def _explain_lost_seat(former: FormerSeat, game: str, seat: Seat) -> tuple[str, str, tuple[str, ...]]:
    """Return the same for a lost seat."""
    why = sentence("clerk.former_seats.removed_why")
    if former.is_lent:
        subject = sentence("clerk.former_seats.lent_subject", seat=seat, game=game)
        return why, subject, (sentence("clerk.former_seats.lent", game=game, seat=seat),)
    subject = sentence("clerk.former_seats.removed_subject", seat=seat, game=game)
    free = (sentence("clerk.former_seats.removed_free", game=game),) if former.is_free else ()
    intro = sentence("clerk.former_seats.removed", game=game, seat=seat)
    return why, subject, (intro, *free, sentence("clerk.former_seats.removed_mistake"))


def _former_seat(claim: SenderClaim, sender: str, books: Repository) -> FormerSeat | None:
    position = books.position(claim.game)
    if position is None:
        is_deleted = books.suspension(claim.game) is None and books.was_deleted(claim.game)
        return FormerSeat(claim.game) if is_deleted else None
    seat = find_seat_by_name(position, claim.seat)
    if seat is None or not books.has_written_to(claim.game, seat, sender):
        return None
    loan = position.timing.loans.get(seat)
    is_lent = loan is not None and loan.owner == sender
    return FormerSeat(claim.game, seat, is_lent, seat in books.people.vacancies(claim.game))
