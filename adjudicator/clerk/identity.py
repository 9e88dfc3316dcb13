"""For whom a letter speaks: a seat by its reply token, its password, an address vouched for.

The From line proves nothing. A refusal never says which half of it was wrong.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import games
from adjudicator.catalogue import sentence
from adjudicator.clerk.authentication import FROM, Grade, authenticate
from adjudicator.clerk.older_tokens import Dates, Search, turns_with_tokens
from adjudicator.clock import Millis
from adjudicator.ledger.books import Books
from adjudicator.ledger.letters import Kept
from adjudicator.ledger.positions import Chair, Position
from adjudicator.ledger.restore_marks import LATER_GENERATIONS
from adjudicator.office import Office
from adjudicator.signs.addresses import Claim, claims, reply_token, same, short
from adjudicator.signs.guesses import MOST_LOOKED_AT
from adjudicator.signs.passwords import NOBODYS, fits
from games.protocol import Seat
from games.record import Value, changed
from orders.letters.letter import Letter

TOKEN, PASSWORD = "token", "password"
"""What may vouch for a sender beside `FROM`, as the settings name it."""

_LATELY = 5
"""So many generations of void tokens are known again."""

WORD, CONFIRMED, CONFIRMED_PRESS = "gamesmaster", "confirmed", "confirmed-press"
"""What vouches for a letter of which the gamesmaster says whose it is; for one that its writer confirms.

CONFIRMED_PRESS: its writer confirms that it is press, and says nothing else.
"""


class Seated(Value, frozen=True):
    """The letter speaks for a seat. how: what vouched; stale: the turn of its token, when that is over.

    later: the turn to come that it is for, in a game that was restored from a backup; generation: of a token
    that is void, or from before a restore; 0 of any other.
    """

    position: Position
    seat: Seat
    how: str
    stale: str | None = None
    later: str | None = None
    generation: int = 0

    @property
    def chair(self) -> Chair:
        """Who sits there."""
        return self.position.chairs[self.seat]


@dataclass(frozen=True)
class Refused:
    """Somebody claims a seat and cannot show that it is his. beyond: after too many others in his letter.

    held: the game, where it cannot be looked at now whether he can.
    """

    beyond: bool = False
    held: str = ""

    @property
    def why(self) -> str:
        """What he is told."""
        if self.beyond:
            return sentence("clerk.identity.not_looked_at", most=MOST_LOOKED_AT)
        if self.held:
            return sentence("clerk.identity.held", game=self.held)
        return sentence("clerk.identity.refused")


REFUSED = Refused()
BEYOND = Refused(beyond=True)


class Proof(Value, frozen=True):
    """What a letter proves about its speaker, before a password is looked at.

    token: the seat whose reply token it bears; held: the seats of its From address, if that is vouched for;
    doubted: those seats, if the email is genuine and may not have been meant for us; unsure: whether there
    may be more of them, in games that cannot be read now; changed_hands: the seat of its token, if that is
    newer than a restored game knows, and another's there;
    known: whether that address holds a seat at all, claimed: what the letter says without proof.
    """

    token: Seated | None = None
    held: tuple[Seated, ...] = ()
    known: bool = False
    claimed: tuple[Claim, ...] = ()
    strict: bool = False
    unsure: bool = False
    changed_hands: Seated | None = None
    doubted: tuple[Seated, ...] = ()

    def without_doubt(self) -> "Proof":
        """Return what the email would prove if it was meant for us."""
        return changed(self, held=self.doubted, doubted=()) if self.doubted else self

    def speaker(self) -> Seated | None:
        """For whom it speaks where it does not say: the token's seat, else the one that it can mean."""
        if self.token is not None:
            agree = any(_is_same(self.token, held) for held in self.held)
            return self.token if agree or not self.strict else None
        (meant, *others) = self._meant() or (None,)
        return meant if not others and not self.strict else None

    def named(self, game: str, seat: str) -> Seated | None:
        """The seat of that name, if it is proved without a password."""
        ways = self._ways(game, seat)
        return ways[0] if len(ways) > self.strict else None

    def joined(self, seated: Seated) -> Seated | Refused:
        """A seat whose password was given. It alone is too little where two ways have to agree."""
        position = seated.position
        return seated if not self.strict or self._ways(position.name, seated.seat) else REFUSED

    def _ways(self, game: str, seat: str) -> list[Seated]:
        found = [self.token, *self.held] if self.token else list(self.held)
        return [one for one in found if one.position.name == game.lower() and short(one.seat) == short(seat)]

    def _meant(self) -> tuple[Seated, ...]:
        """Of the seats held those that the letter claims, else those of the games it names, else all."""
        running = tuple(one for one in self.held if one.position.running)
        seats = {(claim.game, claim.seat) for claim in self.claimed}
        named = {claim.game for claim in self.claimed}
        exact = tuple(one for one in running if (one.position.name, short(one.seat)) in seats)
        of_named = exact or tuple(one for one in running if one.position.name in named)
        return of_named or (() if self.unsure else running)


def proof_of(letter: Letter, kept: Kept, books: Books, office: Office) -> Proof:
    """What a letter proves. kept: with its bytes, in which servers and signatures vouch for its sender.

    A token that comes from the address of another seat of that game stood in a letter that was passed on.
    """
    claimed = claims(letter.recipients, letter.subject, letter.thread)
    seats = books.seats_of(letter.sender)
    token, changed_hands = by_token(claimed, books, office, Dates.of(letter, claimed, kept.waited)), None
    if token is not None:
        here = [seat for game, seat in seats if game == token.position.name]
        token = token if not here or token.seat in here else None
    if token is not None and _has_changed_hands(token, letter.sender, books):
        token, changed_hands = None, token
    enough = token is not None and not office.strict and len(seats) < 2
    grade = Grade.UNPROVED if enough or not seats else authenticate(letter, kept, books, office)
    held = () if grade is Grade.UNPROVED else _held(seats, books)
    unsure = 0 < len(held) < len(seats)
    proof = Proof(token, held, bool(seats), claimed, office.strict, unsure, changed_hands)
    return changed(proof, held=(), doubted=held) if grade is Grade.DOUBTFUL else proof


def _has_changed_hands(token: Seated, sender: str, books: Books) -> bool:
    """Whether a token is newer than its restored game knows, and comes from somebody else than its player."""
    mark = books.restore_mark(token.position.name) if token.generation else None
    return mark is not None and mark.is_newer(token.chair, token.generation) and sender != token.chair.address


def _held(seats: Iterable[tuple[str, Seat]], books: Books) -> tuple[Seated, ...]:
    positions = ((books.position(game), seat) for game, seat in seats)
    return tuple(Seated(position, seat, FROM) for position, seat in positions if position is not None)


def _is_same(one: Seated, other: Seated) -> bool:
    return one.position.name == other.position.name and one.seat == other.seat


def by_token(
    claims: Iterable[Claim], books: Books, office: Office, dates: Dates | None = None
) -> Seated | None:
    """The seat whose reply token the letter bears; a token of the present turn goes before older ones.

    dates: what the letter says about its turn. In a game that was restored from a backup a token for a turn
    to come goes before all.
    """
    stale: Seated | None = None
    of_backup: list[tuple[int, Seated]] = []
    search = Search(books, office, dates or Dates())
    for claim in claims if "token" in office.accept else ():
        position = books.position(claim.game)
        seat = position and seat_named(position, claim.seat)
        if not position or not seat or not claim.token or not position.chairs[seat].is_person:
            continue
        if books.restore_mark(claim.game) is not None:
            of_backup += _of_backup(claim, position, seat, search) if _is_checked(claim, dates) else ()
            continue
        turn = games.kinds()[position.kind].rules.turn(position.state).short
        if same(_token(position, seat, turn, office), claim.token):
            return Seated(position, seat, "token")
        earlier = reversed(books.turns(claim.game))
        old = next(
            (turn for turn in earlier if same(_token(position, seat, turn, office), claim.token)), None
        )
        if old is not None:
            stale = stale or Seated(position, seat, "token", stale=old)
    place, latest = max(of_backup, key=lambda token: token[0], default=(-1, None))
    return latest if place >= 0 else stale or latest


def _is_checked(claim: Claim, dates: Dates | None) -> bool:
    return dates is None or claim in dates.checked_claims


def _of_backup(
    claim: Claim, position: Position, seat: Seat, search: Search
) -> tuple[tuple[int, Seated], ...]:
    """The seat of a restored game whose token a letter bears, with the place of its turn; or nothing."""
    token = search.token(claim, position, seat)
    if token is None:
        return ()
    generation = 0 if token.generation == position.chairs[seat].generation else token.generation
    later = token.turn if token.place > 0 else None
    stale = token.turn if token.place < 0 else None
    return ((token.place, Seated(position, seat, TOKEN, stale, later, generation)),)


def by_void_token(claims: Iterable[Claim], address: str, books: Books, office: Office) -> Seated | None:
    """The seat of an address of which a letter bears a token that was good once, and is void."""
    for claim in claims:
        position = books.position(claim.game)
        seat = position and seat_named(position, claim.seat)
        if not position or not seat or not claim.token or position.chairs[seat].address != address:
            continue
        mark, turns = books.restore_mark(position.name), books.turns(position.name)
        lately = _LATELY if mark is None else _LATELY + LATER_GENERATIONS + 1
        void = range(1, position.chairs[seat].generation)[-lately:]
        present = games.kinds()[position.kind].rules.turn(position.state).short
        issued_for = turns if mark is None else turns_with_tokens(turns, position)
        for generation, turn in product(void, issued_for):
            if same(reply_token(office.key, position.name, seat, generation, turn), claim.token):
                stale = turn if turn in turns and turn != present else None
                later = turn if turn not in turns else None
                return Seated(position, seat, "void", stale, later, generation)
    return None


def _token(position: Position, seat: Seat, turn: str, office: Office) -> str:
    return reply_token(office.key, position.name, seat, position.chairs[seat].generation, turn)


def date_speaker(speaker: Seated, search: Search) -> Seated:
    """Who speaks, with the turn to come that his letter is for, in a game that was restored from a backup.

    What was confirmed is for the turn that is due, as the question said.
    """
    if speaker.how in (TOKEN, WORD, CONFIRMED, CONFIRMED_PRESS):
        return speaker
    later = search.turn_to_come(speaker.position, speaker.seat)
    return speaker if later is None else changed(speaker, later=later)


def is_undated(speaker: Seated, received: Millis, search: Search) -> bool:
    """Whether nobody can tell for which turn a letter is: it came between a backup and its restore."""
    mark = search.books.restore_mark(speaker.position.name)
    if (
        mark is None
        or speaker.how in (TOKEN, WORD, CONFIRMED, CONFIRMED_PRESS)
        or not mark.made < received <= mark.restored
    ):
        return False
    return search.names_no_turn(speaker.position, speaker.seat)


@dataclass(frozen=True)
class Lock:
    """What a password has to fit. seated None: no seat, or none that a person holds, so that nothing does."""

    seated: Seated | None = None
    sealed: str = NOBODYS

    def opens(self, password: str) -> bool:
        """Whether the password fits. It takes as long where there is no seat at all."""
        return fits(password, self.sealed) and self.seated is not None


def lock_named(game: str, seat_text: str, books: Books) -> Lock:
    """What the password has to fit that stands behind `SIGNON game seat`."""
    position = books.position(game.lower())
    seat = position and seat_named(position, seat_text)
    chair = position.chairs[seat] if position and seat else None
    if position is None or chair is None or chair.password is None or not chair.is_person:
        return Lock()
    return Lock(Seated(position, chair.seat, PASSWORD), chair.password)


def by_word(kept: Kept, books: Books) -> Seated | None:
    """The seat for which a letter is to speak by the gamesmaster's word; None where they gave none."""
    position = books.position(kept.game) if kept.game and kept.seat else None
    seat = position and seat_named(position, kept.seat or "")
    return Seated(position, seat, WORD) if position and seat else None


def seat_named(position: Position, text: str) -> Seat | None:
    """The seat of a game by its name, whatever its capitals."""
    wanted = short(text)
    return next((seat for seat in position.chairs if short(seat) == wanted), None)
