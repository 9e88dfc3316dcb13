"""What a gamesmaster looks at: a game as it stands, a seat of it, what is still owed."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import games
from adjudicator.errors import Refusal
from adjudicator.ledger.positions import Position
from adjudicator.ledger.stuck import Stuck
from adjudicator.referee import deadlines
from adjudicator.signs.addresses import short
from games.protocol import Seat


class Books(Protocol):
    """Where games are kept."""

    def position(self, game: str) -> Position | None:
        """A game as it stands, or None."""

    def stuck(self, game: str) -> Stuck | None:
        """Why a game cannot go on, or None."""

    def games(self) -> Sequence[str]:
        """The names of all games."""


class WithBooks(Protocol):
    """Whoever has books at hand: the house, or a shelf."""

    @property
    def books(self) -> Books:
        """The read side of the books."""


def position_of(house: WithBooks, name: str) -> Position:
    """A game as it stands."""
    position = house.books.position(name)
    if position is None:
        stuck = house.books.stuck(name)
        if stuck is not None:
            raise Refusal(f"game {name}", f"is held: {stuck.why}", stuck.instead)
        names = ", ".join(house.books.games())
        instead = f"there are: {names}" if names else "begin one with  gm game new KIND NAME"
        raise Refusal(f"game {name}", "there is no such game", instead)
    return position


def seat_of(position: Position, text: str) -> Seat:
    """The seat of a game by its name, whatever its capitals."""
    for seat in position.chairs:
        if short(seat) == short(text):
            return seat
    seats = ", ".join(position.chairs)
    raise Refusal(f"seat {text}", f"the game {position.name} has no such seat", f"it has: {seats}")


def owed(position: Position) -> Mapping[Seat, tuple[str, ...]]:
    """What each seat that is asked for orders still lacks, as people call it; empty when all is in."""
    if not position.running:
        return {}
    return deadlines.owed(games.kinds()[position.kind], position)
