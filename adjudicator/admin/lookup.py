"""The gamesmaster's view of a game: how it stands, its seats, and what is still owed."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import games
from adjudicator.errors import Refusal
from adjudicator.model.addresses import short_seat_name
from adjudicator.model.games import GamePosition, Suspension
from adjudicator.turns import deadlines
from games.protocol import Seat


class PositionReader(Protocol):
    """Where games are stored."""

    def position(self, game: str) -> GamePosition | None:
        """A game as it stands, or None."""

    def suspension(self, game: str) -> Suspension | None:
        """Return why a game cannot go on, or None."""

    def games(self) -> Sequence[str]:
        """The names of all games."""


class HasPositions(Protocol):
    """An object that gives access to games: the service, or a part of it."""

    @property
    def books(self) -> PositionReader:
        """The read side of the books."""


def position_of(house: HasPositions, name: str) -> GamePosition:
    """A game as it stands."""
    position = house.books.position(name)
    if position is None:
        stuck = house.books.suspension(name)
        if stuck is not None:
            raise Refusal(f"game {name}", f"is held: {stuck.why}", stuck.instead)
        names = ", ".join(house.books.games())
        instead = f"there are: {names}" if names else "begin one with  gm game new KIND NAME"
        raise Refusal(f"game {name}", "there is no such game", instead)
    return position


def seat_of(position: GamePosition, text: str) -> Seat:
    """The seat of a game by its name, whatever its capitals."""
    for seat in position.chairs:
        if short_seat_name(seat) == short_seat_name(text):
            return seat
    seats = ", ".join(position.chairs)
    raise Refusal(f"seat {text}", f"the game {position.name} has no such seat", f"it has: {seats}")


def missing_orders(position: GamePosition) -> Mapping[Seat, tuple[str, ...]]:
    """Return what each seat that is asked for orders still lacks, in words; empty when all is in."""
    if not position.is_running:
        return {}
    return deadlines.missing_orders(games.kinds()[position.kind], position)
