"""The seating of a tournament's players, by seat or as a mix, rotated from game to game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.errors import Refusal
from adjudicator.tournament.players import player, weakest
from games.protocol import Game, Seat

OTHER_SEATS = "others"


@dataclass(frozen=True)
class Seating:
    """The player of each seat, both in the game's order. rotates: they move on a seat from game to game."""

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    rotates: bool = False

    def of(self, number: int) -> dict[Seat, str]:
        """Return who plays each seat in a game, counted from 0; in as many games as seats all sit
        everywhere.
        """
        turned = number % len(self.seats) if self.rotates else 0
        order = (*self.players[len(self.players) - turned :], *self.players[: len(self.players) - turned])
        return dict(zip(self.seats, order, strict=True))


def seating(
    game: Game,
    seats: Sequence[Seat],
    text: str,
    *,
    rotates: bool = False,
    foreign: Mapping[str, str] | None = None,
) -> Seating:
    """Return who sits where, read from a text.

    text: ``austria=advanced,others=beginner`` for seats by name (who is not named is played by the weakest
    level), or a mix in the order of the seats, the last of it filling up the rest:
    ``advanced*3,beginner``; "" is the weakest level everywhere. foreign: by name, the commands that start
    bots of others.

    Raises Refusal for names that are not there, seats named twice, and mixes that are too long.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()] or [weakest(game)]
    named = ["=" in part for part in parts]
    if any(named) and not all(named):
        bare = next(part for part in parts if "=" not in part)
        raise Refusal(f"seats {text}", f"{bare} names no seat", f"write {OTHER_SEATS}={bare}")
    players = _by_name(game, seats, parts) if any(named) else _by_mix(seats, parts)
    for name in dict.fromkeys(players):
        player(game, name, foreign)
    return Seating(seats=tuple(seats), players=players, rotates=rotates)


def _by_name(game: Game, seats: Sequence[Seat], parts: Sequence[str]) -> tuple[str, ...]:
    known = {seat.casefold(): seat for seat in seats}
    player_by_seat: dict[str, str] = {}
    for part in parts:
        name, _, who = (side.strip() for side in part.partition("="))
        if name.casefold() != OTHER_SEATS and name.casefold() not in known:
            raise Refusal(f"seat {name}", "there is none of that name", "there are: " + ", ".join(seats))
        if name.casefold() in player_by_seat:
            raise Refusal(f"seat {name}", "is named twice")
        player_by_seat[name.casefold()] = who
    rest = player_by_seat.get(OTHER_SEATS, weakest(game))
    return tuple(player_by_seat.get(seat.casefold(), rest) for seat in seats)


def _by_mix(seats: Sequence[Seat], parts: Sequence[str]) -> tuple[str, ...]:
    players: list[str] = []
    for part in parts:
        name, star, count = (side.strip() for side in part.partition("*"))
        if star and not (count.isdecimal() and int(count)):
            raise Refusal(f"player {part}", f"how many are {count or 'nothing'}?", f"write {name}*2")
        players += [name] * (int(count) if star else 1)
    if len(players) > len(seats):
        raise Refusal(f"{len(players)} players", f"there are {len(seats)} seats", "name fewer")
    return (*players, *[players[-1]] * (len(seats) - len(players)))
