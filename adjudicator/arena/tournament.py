"""Games of one kind, and what to make of them: who wins, by seat and by player, and the scores."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, quantiles

from adjudicator.arena import intervals
from adjudicator.arena.intervals import Span
from adjudicator.arena.playing import Played
from games.protocol import Score, Seat, State


@dataclass(frozen=True)
class Standing:
    """How a player has done, or whoever sits in a seat; all of it for each seat that he played in each game.

    played: in how many seats, all games together; won, drawn: how many of them won, or share a draw;
    wins: the share of them that won (Wilson's interval over all of them); points, score: a win counts one, a
    draw its n-th part, and the last score (Student's interval over the games, since the seats of one game
    hang on each other).
    """

    name: str
    played: int
    won: int
    drawn: int
    wins: Span
    points: Span
    score: Span


@dataclass(frozen=True)
class Tournament:
    """Games of one kind, and what to make of them."""

    seats: tuple[Seat, ...]
    score: Score[State]
    games: tuple[Played, ...]

    @cached_property
    def sides(self) -> tuple[Seat, ...]:
        """The seats, and whoever wins or is counted without having one: a side that the rules play."""
        found = dict.fromkeys(self.seats)
        for game in self.games:
            found.update(dict.fromkeys((*game.result.winners, *sorted(game.scores[game.end]))))
        return tuple(found)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Who played, in the order of the seats of the first game."""
        return tuple(dict.fromkeys(name for game in self.games for name in game.players.values()))

    def by_seat(self) -> tuple[Standing, ...]:
        """How each side has done, the best first."""
        return self._standings({side: {game.number: (side,) for game in self.games} for side in self.sides})

    def by_player(self) -> tuple[Standing, ...]:
        """How each player has done, whatever his seats were, the best first."""
        return self._standings(
            {
                name: {game.number: _seats_of(game, name) for game in self.games if _seats_of(game, name)}
                for name in self.players
            }
        )

    def _standings(self, held: Mapping[str, Mapping[int, tuple[Seat, ...]]]) -> tuple[Standing, ...]:
        """held: by who is counted, the sides that were his in each game."""
        games = {game.number: game for game in self.games}
        found = []
        for name, seats in held.items():
            each = [(games[number], seat) for number, some in seats.items() for seat in some]
            won = sum(seat in game.result.winners for game, seat in each)
            points = [fmean(games[one].points(seat) for seat in some) for one, some in seats.items()]
            scores = [fmean(_last(games[one], seat) for seat in some) for one, some in seats.items()]
            found.append(
                Standing(
                    name=name,
                    played=len(each),
                    won=won,
                    drawn=sum(seat in game.sharers for game, seat in each),
                    wins=intervals.share(won, len(each)),
                    points=intervals.mean(points, 0, 1),
                    score=intervals.mean(scores),
                )
            )
        return tuple(sorted(found, key=lambda one: (-one.points.value, -one.score.value)))

    def wins(self) -> Mapping[Seat, int]:
        """How many games each side has won, alone or with others, the most first."""
        counted = Counter(seat for game in self.games for seat in game.result.winners)
        return {seat: counted[seat] for seat in sorted(self.sides, key=lambda seat: -counted[seat])}

    def spread(self) -> Mapping[Seat, tuple[float, ...]]:
        """How each side's last scores lie: the least, the quartiles, the most."""
        found = {}
        for side in self.sides:
            last = sorted(_last(game, side) for game in self.games)
            middle = quantiles(last, n=4, method="inclusive") if len(last) > 1 else last * 3
            found[side] = (last[0], *middle, last[-1])
        return found

    def draws(self) -> int:
        """How many games were a draw."""
        return sum(not game.result.winners and not game.is_undecided for game in self.games)

    def undecided(self) -> int:
        """How many games were given up."""
        return sum(game.is_undecided for game in self.games)

    def endings(self) -> Mapping[str, int]:
        """How many games ended for each reason, the most first."""
        return dict(Counter(game.result.reason for game in self.games).most_common())

    def length(self) -> float:
        """How long a game lasted on average, in the score's time."""
        return fmean(game.end + 1 - min(game.scores) for game in self.games)

    def means(self) -> Mapping[int, Mapping[Seat, float]]:
        """The mean score of each side over time; a game that is over counts on with its last score."""
        return {
            time: {seat: fmean(_at(game, time, seat) for game in self.games) for seat in self.sides}
            for time in self._times()
        }

    def means_of_players(self) -> Mapping[int, Mapping[str, float]]:
        """The mean score of a seat of each player over time."""
        held = {
            name: [(game, seat) for game in self.games for seat in _seats_of(game, name)]
            for name in self.players
        }
        return {
            time: {name: fmean(_at(game, time, seat) for game, seat in each) for name, each in held.items()}
            for time in self._times()
        }

    def orders(self) -> Mapping[Seat, Mapping[str, Mapping[int, float]]]:
        """By seat and kind, the most frequent first, and time: orders in a game that lasted so long."""
        lasted = {time: sum(game.end >= time for game in self.games) for time in self._times()}
        counted: Counter[tuple[int, Seat, str]] = Counter()
        for game in self.games:
            counted.update(game.orders)
        found: dict[Seat, dict[str, dict[int, float]]] = {seat: {} for seat in self.sides}
        totals = Counter[tuple[Seat, str]]()
        for (_, seat, kind), count in counted.items():
            totals[seat, kind] += count
        for (seat, kind), _ in sorted(totals.items(), key=lambda one: (-one[1], one[0])):
            found[seat][kind] = {time: counted[time, seat, kind] / lasted[time] for time in lasted}
        return found

    def _times(self) -> range:
        return range(min(min(game.scores) for game in self.games), max(game.end for game in self.games) + 1)


def _seats_of(game: Played, name: str) -> tuple[Seat, ...]:
    return tuple(seat for seat, who in game.players.items() if who == name)


def _at(game: Played, time: int, seat: Seat) -> int:
    return game.scores[min(time, game.end)].get(seat, 0)


def _last(game: Played, seat: Seat) -> int:
    return game.scores[game.end].get(seat, 0)
