"""Letters to a suspended game: quarantined until it goes on, and its players are told so."""

from adjudicator.auth.sender import AuthenticatedSeat, IdentityProof, RefusedClaim
from adjudicator.clock import HOUR
from adjudicator.context import RequestContext
from adjudicator.messages import sentence
from adjudicator.model.games import Suspension
from adjudicator.model.mail import HELD, LetterOutcome, StoredLetter
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import Heading, caller_of, notice
from orders.commands import Command
from orders.mail.letter import Letter


def refuse_if_suspended(
    signon: Command | None,
    speaker: AuthenticatedSeat | RefusedClaim | None,
    proof: IdentityProof,
    sender: str,
    books: Repository,
) -> AuthenticatedSeat | RefusedClaim | None:
    """Return the speaker of a section, or a refusal where its game is suspended."""
    if isinstance(speaker, AuthenticatedSeat):
        held = speaker.position.stuck if speaker.position.is_mail_deferred else None
    elif signon is not None:
        held = find_suspension(signon.args[0].lower(), books)
    else:
        held = _suspension_of_letter(proof, sender, books)
    return speaker if held is None else RefusedClaim(held=held.game)


def find_suspension(game: str, books: Repository) -> Suspension | None:
    """Return the suspension for which letters to a game wait;

    None where they are read, or there is no such game.
    """
    position = books.position(game)
    stuck = books.suspension(game) if position is None else position.stuck
    return stuck if stuck is not None and stuck.is_mail_deferred else None


def _suspension_of_letter(proof: IdentityProof, sender: str, books: Repository) -> Suspension | None:
    """Return the suspension of a game that a letter names;

    else that of all its sender's seats, if all have one.
    """
    named = [
        suspension
        for claim in proof.claimed
        if (suspension := find_suspension(claim.game, books)) is not None
    ]
    if named or proof.claimed:
        return next(iter(named), None)
    own = [find_suspension(game, books) for game, _ in books.seats_of(sender)]
    return next(iter(own), None) if None not in own else None


def quarantine_letter(
    kept: StoredLetter, letter: Letter, game: str, context: RequestContext
) -> LetterOutcome:
    """Quarantine a letter until its game goes on. Its sender is told so, no more often than is answered."""
    why, to = sentence("clerk.held.game_is_held", game=game), letter.sender
    since = context.now // HOUR * HOUR
    plays = any(game == name for name, _ in context.books.seats_of(to))
    if not plays or context.books.replies_since(to, since) >= context.office.answers_an_hour:
        return LetterOutcome(HELD, why, to, game=game, seat=kept.seat)
    subject = sentence("clerk.held.subject", game=game)
    heading = Heading(f"{kept.fingerprint}/{HELD}", subject, letter.message_id or None, letter.thread, True)
    paragraphs = (sentence("clerk.held.is_kept", game=game), sentence("clerk.held.no_need"))
    answer = notice(caller_of(to, context), heading, paragraphs)
    return LetterOutcome(HELD, why, to, game=game, seat=kept.seat, answers=(answer,))
