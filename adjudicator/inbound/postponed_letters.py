"""An email for a turn to come, in a restored game: kept until that turn is due.

Its orders are filed at once, as those under PHASE are, where the game takes orders ahead. When the turn is
due the whole email is read as if it came then: commands are done, and orders are looked at again.
"""

from adjudicator.auth.sender import (
    AuthenticatedSeat,
    IdentityProof,
    RefusedClaim,
    takes_orders_ahead,
    turn_name,
)
from adjudicator.clock import HOUR, format_instant
from adjudicator.context import RequestContext
from adjudicator.inbound.commands.context import SeatCommandContext
from adjudicator.inbound.filing import FilingResult, file_orders
from adjudicator.messages import sentence
from adjudicator.model.games import Suspension
from adjudicator.model.mail import HELD, LetterOutcome, StoredLetter
from adjudicator.model.orders_on_file import Item, is_flag, turn_of
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import Heading, caller_of, notice, zone_of
from games.record import Value, replace_fields
from orders.commands import Command
from orders.conditions import NOW
from orders.mail.letter import Letter
from orders.reading.letter_reader import LetterReading
from orders.verdict import LineVerdict

_SIGN_VERBS = ("SIGNON", "SIGNOFF")
"""Commands that say who speaks. They are never kept for later."""


class PostponedEmail(Value, frozen=True):
    """The immediate effects of an email for a later turn: the saved orders, and the text for its writer."""

    filed: FilingResult
    notes: tuple[str, ...]


def postpone(case: SeatCommandContext, reading: LetterReading, has_later: bool) -> PostponedEmail:
    """Return the immediate effects of an email that is read when its turn is due.

    has_later: whether its writer has written since, by an email that was read: then its orders wait too.
    """
    seated, turn = case.seated, case.seated.later
    assert turn is not None, "it is for a turn to come"
    position = seated.position
    on_books = position.filed.get(seated.seat, ())
    name, takes_orders = turn_name(position, turn), takes_orders_ahead(position, turn)
    filed = FilingResult(rows=(), orders=on_books)
    if takes_orders and not has_later and (reading.orders or _has_clear(reading)):
        filed = _file_ahead(case, reading, turn, on_books)
    waiting = [command.verb for command in reading.commands if command.verb not in _SIGN_VERBS]
    mark = case.repository.restore_mark(position.name)
    assert mark is not None, "no other game knows of turns to come"
    at = format_instant(mark.made, zone_of(case.address, case.repository, case.service_context))
    notes = [
        sentence("inbound.postponed.we_were_restored", made=at, turn=name),
        sentence("inbound.postponed.orders_are_saved", turn=name)
        if any(row.in_force for row in filed.rows)
        else sentence("inbound.postponed.all_of_it_waits", turn=name),
    ]
    if waiting:
        notes.append(
            sentence("inbound.postponed.commands_wait", verbs=list(dict.fromkeys(waiting)), turn=name)
        )
    return PostponedEmail(filed=filed, notes=tuple(notes))


def _has_clear(reading: LetterReading) -> bool:
    return any(command.verb == "CLEAR" for command in reading.commands)


def _file_ahead(
    case: SeatCommandContext, reading: LetterReading, turn: str, on_books: tuple[Item, ...]
) -> FilingResult:
    """Return what is on file once the orders of an email are filed for a turn to come.

    No rejected line of it keeps the present turn from being processed early.
    """
    before = on_books
    if _has_clear(reading):
        before = tuple(item for item in on_books if turn_of(item) != turn)
    rows = [_place_under_turn(row, turn) for row in reading.orders]
    filed = file_orders(case.game, replace_fields(case.seated, later=None), rows, before, case.received)
    flags = tuple(item for item in on_books if is_flag(item))
    return replace_fields(filed, notes=(), flags=flags, left_out=0)


def _place_under_turn(row: LineVerdict, turn: str) -> LineVerdict:
    """Return a row as if PHASE were above it."""
    if row.rest:
        # Which units there will be then nobody knows.
        return replace_fields(row, grade="idle", problem=sentence("inbound.postponed.read_then", turn=turn))
    when = row.when or NOW
    return row if when.turn is not None else replace_fields(row, when=replace_fields(when, turn=turn))


def is_read_again(kept: StoredLetter) -> bool:
    """Return whether an email was kept for a turn that is due now: its game is known, and its seat is not."""
    return kept.game is not None and kept.seat is None


def drop_orders(reading: LetterReading) -> LetterReading:
    """Return a reading without its orders: they are on file, as its writer has changed them since."""
    commands = tuple(command for command in reading.commands if command.verb != "CLEAR")
    return replace_fields(reading, orders=(), commands=commands)


# Emails to a suspended game are quarantined until it continues, and their senders get a reply.


def refuse_if_suspended(
    signon: Command | None,
    speaker: AuthenticatedSeat | RefusedClaim | None,
    proof: IdentityProof,
    sender: str,
    repository: Repository,
) -> AuthenticatedSeat | RefusedClaim | None:
    """Return the speaker of a section, or a refusal if its game is suspended."""
    if isinstance(speaker, AuthenticatedSeat):
        held = speaker.position.stuck if speaker.position.is_mail_deferred else None
    elif signon is not None:
        held = find_suspension(signon.args[0].lower(), repository)
    else:
        held = _suspension_of_letter(proof, sender, repository)
    return speaker if held is None else RefusedClaim(held=held.game)


def find_suspension(game: str, repository: Repository) -> Suspension | None:
    """Return the suspension that delays emails to a game.

    Returns None if emails to the game are read, or if the game doesn't exist.
    """
    position = repository.position(game)
    stuck = repository.suspension(game) if position is None else position.stuck
    return stuck if stuck is not None and stuck.is_mail_deferred else None


def _suspension_of_letter(proof: IdentityProof, sender: str, repository: Repository) -> Suspension | None:
    """Return the suspension of the game that an email names.

    If it names none, return a suspension only if all games of its sender are suspended.
    """
    named = [
        suspension
        for claim in proof.claimed
        if (suspension := find_suspension(claim.game, repository)) is not None
    ]
    if named or proof.claimed:
        return next(iter(named), None)
    own = [find_suspension(game, repository) for game, _ in repository.seats_of(sender)]
    return next(iter(own), None) if None not in own else None


def quarantine_letter(
    kept: StoredLetter, letter: Letter, game: str, context: RequestContext
) -> LetterOutcome:
    """Quarantine an email until its game continues. Its sender gets a reply, within the hour's limit."""
    why, to = sentence("inbound.quarantined.game_is_held", game=game), letter.sender
    since = context.now // HOUR * HOUR
    plays = any(game == name for name, _ in context.repository.seats_of(to))
    if not plays or context.repository.replies_since(to, since) >= context.service_context.answers_an_hour:
        return LetterOutcome(HELD, why, to, game=game, seat=kept.seat)
    subject = sentence("inbound.quarantined.subject", game=game)
    heading = Heading(f"{kept.fingerprint}/{HELD}", subject, letter.message_id or None, letter.thread, True)
    paragraphs = (sentence("inbound.quarantined.is_kept", game=game), sentence("inbound.quarantined.no_need"))
    answer = notice(caller_of(to, context), heading, paragraphs)
    return LetterOutcome(HELD, why, to, game=game, seat=kept.seat, answers=(answer,))
