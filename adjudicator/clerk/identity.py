"""For whom a letter speaks: a seat by its reply token or its password, or nobody we know.

The From line proves nothing. A refusal never says which half of it was wrong.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import games
from adjudicator.addresses import Claim, reply_token, same, short
from adjudicator.ledger import Books, Chair, Position
from adjudicator.office import Office
from adjudicator.passwords import fits
from games.protocol import Seat


@dataclass(frozen=True)
class Seated:
    """The letter speaks for a seat. how: what vouched; stale: the turn of its token, when that is over."""

    position: Position
    seat: Seat
    how: str
    stale: str | None = None

    @property
    def chair(self) -> Chair:
        """Who sits there."""
        return self.position.chairs[self.seat]


@dataclass(frozen=True)
class Refused:
    """Somebody claims a seat and cannot show that it is his."""

    why: str


REFUSED = Refused(
    "That game, seat and password do not belong together. Write  SIGNON game seat password  with the "
    "password from your first letter, or answer a letter that we sent to you."
)


def by_token(claims: Iterable[Claim], books: Books, office: Office) -> Seated | None:
    """The seat whose reply token the letter bears; a token of the present turn goes before older ones."""
    stale: Seated | None = None
    for claim in claims if "token" in office.accept else ():
        position = books.position(claim.game)
        seat = position and seat_named(position, claim.seat)
        if not position or not seat or not claim.token or not position.chairs[seat].is_person:
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
    return stale


def _token(position: Position, seat: Seat, turn: str, office: Office) -> str:
    return reply_token(office.key, position.name, seat, position.chairs[seat].generation, turn)


def by_password(game: str, seat_text: str, password: str, books: Books, office: Office) -> Seated | Refused:
    """The seat that `SIGNON game seat password` names, if the password is its own."""
    position = books.position(game.lower())
    seat = position and seat_named(position, seat_text)
    if "password" not in office.accept or not position or not seat:
        return REFUSED
    sealed = position.chairs[seat].password
    if sealed is None or not position.chairs[seat].is_person or not fits(password, sealed):
        return REFUSED
    return Seated(position, seat, "password")


def seat_named(position: Position, text: str) -> Seat | None:
    """The seat of a game by its name, whatever its capitals."""
    wanted = short(text)
    return next((seat for seat in position.chairs if short(seat) == wanted), None)
