"""Authentication: the seat for which a letter speaks, by its reply token, its password or its address.

The From line proves nothing. A refusal never says which half of it was wrong.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import games
from adjudicator.auth.authentication import VERIFIED_FROM, Grade, authenticate
from adjudicator.auth.older_tokens import OlderTokenSearch, TurnHints, turns_with_tokens
from adjudicator.auth.passwords import NOBODYS, is_correct
from adjudicator.clock import Millis
from adjudicator.context import ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import SenderClaim, claims, is_same_token, reply_token, short_seat_name
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.mail import StoredLetter
from adjudicator.model.password_guesses import MOST_LOOKED_AT
from adjudicator.model.repository import Repository
from adjudicator.model.restore_marks import LATER_GENERATIONS
from games.protocol import Seat
from games.record import Value, replace_fields
from orders.mail.letter import Letter

BY_TOKEN, BY_PASSWORD = "token", "password"
"""What may vouch for a sender beside `FROM`, as the settings name it."""

_MAX_VOID_GENERATIONS = 5
"""So many generations of void tokens are known again."""

BY_GAMESMASTER, BY_CONFIRMATION, CONFIRMED_PRESS = "gamesmaster", "confirmed", "confirmed-press"
"""What vouches for a letter of which the gamesmaster says whose it is; for one that its writer confirms.

CONFIRMED_PRESS: its writer confirms that it is press, and says nothing else.
"""


class AuthenticatedSeat(Value, frozen=True):
    """The seat that a letter speaks for. how: what authenticated it;

    stale: its token's turn, when that is over.

    later: the turn to come that it is for, in a game that was restored from a backup; generation: of a
    token that is void, or from before a restore; 0 of any other.
    """

    position: GamePosition
    seat: Seat
    how: str
    stale: str | None = None
    later: str | None = None
    generation: int = 0

    @property
    def chair(self) -> SeatAssignment:
        """Return the assignment of the seat."""
        return self.position.chairs[self.seat]


@dataclass(frozen=True)
class RefusedClaim:
    """A claim to a seat that its sender cannot prove. beyond: after too many others in the letter.

    held: the game, where the claim cannot be checked now.
    """

    beyond: bool = False
    held: str = ""

    @property
    def why(self) -> str:
        """Return the sentence that the sender is told."""
        if self.beyond:
            return sentence("clerk.identity.not_looked_at", most=MOST_LOOKED_AT)
        if self.held:
            return sentence("clerk.identity.held", game=self.held)
        return sentence("clerk.identity.refused")


REFUSED = RefusedClaim()
NOT_CHECKED = RefusedClaim(beyond=True)


class IdentityProof(Value, frozen=True):
    """The evidence in a letter about its speaker, before a password is looked at.

    token: the seat whose reply token it bears; held: the seats of its From address, if that is
    authenticated; doubted: those seats, if the email is genuine and may not have been meant for us;
    unsure: whether there may be more of them, in games that cannot be read now; changed_hands: the seat
    of its token, if that is newer than a restored game knows, and another's there; known: whether that
    address holds a seat at all, claimed: what the letter says without proof.
    """

    token: AuthenticatedSeat | None = None
    held: tuple[AuthenticatedSeat, ...] = ()
    known: bool = False
    claimed: tuple[SenderClaim, ...] = ()
    strict: bool = False
    unsure: bool = False
    changed_hands: AuthenticatedSeat | None = None
    doubted: tuple[AuthenticatedSeat, ...] = ()

    def without_doubt(self) -> "IdentityProof":
        """Return what the email would prove if it was meant for us."""
        return replace_fields(self, held=self.doubted, doubted=()) if self.doubted else self

    def speaker(self) -> AuthenticatedSeat | None:
        """Return the seat for which it speaks without a SIGNON: the token's, else the one it can mean."""
        if self.token is not None:
            agree = any(_is_same(self.token, held) for held in self.held)
            return self.token if agree or not self.strict else None
        (meant, *others) = self._intended_seats() or (None,)
        return meant if not others and not self.strict else None

    def find_seat(self, game: str, seat: str) -> AuthenticatedSeat | None:
        """Return the seat of that name, if it is proved without a password."""
        ways = self._proofs_of(game, seat)
        return ways[0] if len(ways) > self.strict else None

    def accept_password(self, seated: AuthenticatedSeat) -> AuthenticatedSeat | RefusedClaim:
        """Accept a seat whose password was given. It alone is too little where two ways have to agree."""
        position = seated.position
        return seated if not self.strict or self._proofs_of(position.name, seated.seat) else REFUSED

    def _proofs_of(self, game: str, seat: str) -> list[AuthenticatedSeat]:
        proofs = [self.token, *self.held] if self.token else list(self.held)
        return [
            proof
            for proof in proofs
            if proof.position.name == game.lower() and short_seat_name(proof.seat) == short_seat_name(seat)
        ]

    def _intended_seats(self) -> tuple[AuthenticatedSeat, ...]:
        """Return those seats held that the letter claims, else those of the games it names, else all."""
        running = tuple(candidate for candidate in self.held if candidate.position.is_running)
        seats = {(claim.game, claim.seat) for claim in self.claimed}
        named = {claim.game for claim in self.claimed}
        exact = tuple(
            candidate
            for candidate in running
            if (candidate.position.name, short_seat_name(candidate.seat)) in seats
        )
        of_named = exact or tuple(candidate for candidate in running if candidate.position.name in named)
        return of_named or (() if self.unsure else running)


def prove_identity(
    letter: Letter, kept: StoredLetter, books: Repository, service: ServiceContext
) -> IdentityProof:
    """Return the identity that a letter proves.

    kept: with its bytes, in which servers and signatures vouch for it.

    A token that comes from the address of another seat of that game stood in a letter that was passed on.
    """
    claimed = claims(letter.recipients, letter.subject, letter.thread)
    seats = books.seats_of(letter.sender)
    token, changed_hands = (
        authenticate_token(claimed, books, service, TurnHints.of(letter, claimed, kept.waited)),
        None,
    )
    if token is not None:
        here = [seat for game, seat in seats if game == token.position.name]
        token = token if not here or token.seat in here else None
    if token is not None and _is_newer_than_backup(token, letter.sender, books):
        token, changed_hands = None, token
    enough = token is not None and not service.strict and len(seats) < 2
    grade = Grade.UNPROVED if enough or not seats else authenticate(letter, kept, books, service)
    held = () if grade is Grade.UNPROVED else _held_seats(seats, books)
    unsure = 0 < len(held) < len(seats)
    proof = IdentityProof(token, held, bool(seats), claimed, service.strict, unsure, changed_hands)
    return replace_fields(proof, held=(), doubted=held) if grade is Grade.DOUBTFUL else proof


def _is_newer_than_backup(token: AuthenticatedSeat, sender: str, books: Repository) -> bool:
    """Return whether a token is newer than its restored game, and its sender is not the seat's player."""
    mark = books.restore_mark(token.position.name) if token.generation else None
    return mark is not None and mark.is_newer(token.chair, token.generation) and sender != token.chair.address


def _held_seats(seats: Iterable[tuple[str, Seat]], books: Repository) -> tuple[AuthenticatedSeat, ...]:
    positions = ((books.position(game), seat) for game, seat in seats)
    return tuple(
        AuthenticatedSeat(position, seat, VERIFIED_FROM)
        for position, seat in positions
        if position is not None
    )


def _is_same(first: AuthenticatedSeat, other: AuthenticatedSeat) -> bool:
    return first.position.name == other.position.name and first.seat == other.seat


def authenticate_token(
    claims: Iterable[SenderClaim], books: Repository, service: ServiceContext, dates: TurnHints | None = None
) -> AuthenticatedSeat | None:
    """Return the seat whose reply token the letter bears; a token of the present turn goes before older ones.

    dates: what the letter says about its turn. In a game that was restored from a backup a token for a
    turn to come goes before all.
    """
    stale: AuthenticatedSeat | None = None
    of_backup: list[tuple[int, AuthenticatedSeat]] = []
    search = OlderTokenSearch(books, service, dates or TurnHints())
    for claim in claims if "token" in service.accept else ():
        position = books.position(claim.game)
        seat = position and find_seat_by_name(position, claim.seat)
        if not position or not seat or not claim.token or not position.chairs[seat].is_person:
            continue
        if books.restore_mark(claim.game) is not None:
            of_backup += (
                _match_backup_token(claim, position, seat, search) if _is_checked(claim, dates) else ()
            )
            continue
        turn = games.kinds()[position.kind].rules.turn(position.state).short
        if is_same_token(_token(position, seat, turn, service), claim.token):
            return AuthenticatedSeat(position, seat, "token")
        earlier = reversed(books.turns(claim.game))
        old = next(
            (turn for turn in earlier if is_same_token(_token(position, seat, turn, service), claim.token)),
            None,
        )
        if old is not None:
            stale = stale or AuthenticatedSeat(position, seat, "token", stale=old)
    place, latest = max(of_backup, key=lambda token: token[0], default=(-1, None))
    return latest if place >= 0 else stale or latest


def _is_checked(claim: SenderClaim, dates: TurnHints | None) -> bool:
    return dates is None or claim in dates.checked_claims


def _match_backup_token(
    claim: SenderClaim, position: GamePosition, seat: Seat, search: OlderTokenSearch
) -> tuple[tuple[int, AuthenticatedSeat], ...]:
    """Return the seat of a restored game whose token a letter bears, with its turn's place; or nothing."""
    token = search.find_token(claim, position, seat)
    if token is None:
        return ()
    generation = 0 if token.generation == position.chairs[seat].generation else token.generation
    later = token.turn if token.place > 0 else None
    stale = token.turn if token.place < 0 else None
    return ((token.place, AuthenticatedSeat(position, seat, BY_TOKEN, stale, later, generation)),)


def recognise_void_token(
    claims: Iterable[SenderClaim], address: str, books: Repository, service: ServiceContext
) -> AuthenticatedSeat | None:
    """Return the seat of an address of which a letter bears a token that was good once, and is void."""
    for claim in claims:
        position = books.position(claim.game)
        seat = position and find_seat_by_name(position, claim.seat)
        if not position or not seat or not claim.token or position.chairs[seat].address != address:
            continue
        mark, turns = books.restore_mark(position.name), books.turns(position.name)
        lately = _MAX_VOID_GENERATIONS if mark is None else _MAX_VOID_GENERATIONS + LATER_GENERATIONS + 1
        void = range(1, position.chairs[seat].generation)[-lately:]
        present = games.kinds()[position.kind].rules.turn(position.state).short
        issued_for = turns if mark is None else turns_with_tokens(turns, position)
        for generation, turn in product(void, issued_for):
            if is_same_token(reply_token(service.key, position.name, seat, generation, turn), claim.token):
                stale = turn if turn in turns and turn != present else None
                later = turn if turn not in turns else None
                return AuthenticatedSeat(position, seat, "void", stale, later, generation)
    return None


def _token(position: GamePosition, seat: Seat, turn: str, service: ServiceContext) -> str:
    return reply_token(service.key, position.name, seat, position.chairs[seat].generation, turn)


def date_speaker(speaker: AuthenticatedSeat, search: OlderTokenSearch) -> AuthenticatedSeat:
    """Return the speaker, with the turn to come that the letter is for, in a game restored from a backup.

    What was confirmed is for the turn that is due, as the question said.
    """
    if speaker.how in (BY_TOKEN, BY_GAMESMASTER, BY_CONFIRMATION, CONFIRMED_PRESS):
        return speaker
    later = search.turn_to_come(speaker.position, speaker.seat)
    return speaker if later is None else replace_fields(speaker, later=later)


def is_undated(speaker: AuthenticatedSeat, received: Millis, search: OlderTokenSearch) -> bool:
    """Return whether a letter's turn is unknown: it came between a backup and its restore."""
    mark = search.books.restore_mark(speaker.position.name)
    if (
        mark is None
        or speaker.how in (BY_TOKEN, BY_GAMESMASTER, BY_CONFIRMATION, CONFIRMED_PRESS)
        or not mark.made < received <= mark.restored
    ):
        return False
    return search.names_no_turn(speaker.position, speaker.seat)


@dataclass(frozen=True)
class PasswordLock:
    """The sealed password of a seat.

    seated None: no seat, or none that a person holds, so that nothing fits.
    """

    seated: AuthenticatedSeat | None = None
    sealed: str = NOBODYS

    def opens(self, password: str) -> bool:
        """Return whether the password fits. It takes as long where there is no seat at all."""
        return is_correct(password, self.sealed) and self.seated is not None


def find_lock(game: str, seat_text: str, books: Repository) -> PasswordLock:
    """Return the lock that the password after `SIGNON game seat` has to fit."""
    position = books.position(game.lower())
    seat = position and find_seat_by_name(position, seat_text)
    chair = position.chairs[seat] if position and seat else None
    if position is None or chair is None or chair.password is None or not chair.is_person:
        return PasswordLock()
    return PasswordLock(AuthenticatedSeat(position, chair.seat, BY_PASSWORD), chair.password)


def seat_from_command_line(kept: StoredLetter, books: Repository) -> AuthenticatedSeat | None:
    """Return the seat that the gamesmaster gave a letter at the command line; None where they gave none."""
    position = books.position(kept.game) if kept.game and kept.seat else None
    seat = position and find_seat_by_name(position, kept.seat or "")
    return AuthenticatedSeat(position, seat, BY_GAMESMASTER) if position and seat else None


def find_seat_by_name(position: GamePosition, text: str) -> Seat | None:
    """Return the seat of a game by its name, in upper or lower case."""
    wanted = short_seat_name(text)
    return next((seat for seat in position.chairs if short_seat_name(seat) == wanted), None)
