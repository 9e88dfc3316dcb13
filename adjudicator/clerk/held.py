"""Letters to a game that is held: kept until it goes on, and its players are told so."""

from adjudicator.catalogue import sentence
from adjudicator.clerk.identity import Proof, Refused, Seated
from adjudicator.clock import HOUR
from adjudicator.ledger.books import Books
from adjudicator.ledger.dispositions import HELD
from adjudicator.ledger.letters import Handled, Kept
from adjudicator.ledger.stuck import Stuck
from adjudicator.office import Desk
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import caller_of
from orders.commands import Command
from orders.letters.letter import Letter


def unless_held(
    signon: Command | None, speaker: Seated | Refused | None, proof: Proof, sender: str, books: Books
) -> Seated | Refused | None:
    """Who speaks in a section, where its game is not held."""
    if isinstance(speaker, Seated):
        held = speaker.position.stuck if speaker.position.is_deaf else None
    elif signon is not None:
        held = deaf(signon.args[0].lower(), books)
    else:
        held = _meant(proof, sender, books)
    return speaker if held is None else Refused(held=held.game)


def deaf(game: str, books: Books) -> Stuck | None:
    """Why letters to a game wait; None where they are read, or there is no such game."""
    position = books.position(game)
    stuck = books.stuck(game) if position is None else position.stuck
    return stuck if stuck is not None and stuck.is_deaf else None


def _meant(proof: Proof, sender: str, books: Books) -> Stuck | None:
    """The game that is held of those a letter names; else that of all its sender's seats."""
    named = [found for claim in proof.claimed if (found := deaf(claim.game, books)) is not None]
    if named or proof.claimed:
        return next(iter(named), None)
    own = [deaf(game, books) for game, _ in books.seats_of(sender)]
    return next(iter(own), None) if None not in own else None


def put_by(kept: Kept, letter: Letter, game: str, desk: Desk) -> Handled:
    """The letter waits until its game goes on. Who plays in it is told so, no more often than is answered."""
    why, to = sentence("clerk.held.game_is_held", game=game), letter.sender
    since = desk.now // HOUR * HOUR
    plays = any(game == name for name, _ in desk.books.seats_of(to))
    if not plays or desk.books.answers_since(to, since) >= desk.office.answers_an_hour:
        return Handled(HELD, why, to, game=game, seat=kept.seat)
    subject = sentence("clerk.held.subject", game=game)
    heading = Heading(f"{kept.fingerprint}/{HELD}", subject, letter.message_id or None, letter.thread, True)
    told = (sentence("clerk.held.is_kept", game=game), sentence("clerk.held.no_need"))
    answer = notice(caller_of(to, desk), heading, told)
    return Handled(HELD, why, to, game=game, seat=kept.seat, answers=(answer,))
