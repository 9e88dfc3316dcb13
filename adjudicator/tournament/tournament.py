"""Games of one kind, and what to make of them: who wins, by seat and by player, and the scores."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, quantiles

from adjudicator.tournament import intervals
from adjudicator.tournament.intervals import Interval
from adjudicator.tournament.match import PlayedGame
from games.protocol import Seat, State, TournamentScore


@dataclass(frozen=True)
class TournamentStanding:
    """The results of a player, or of a seat; all of it for each seat that they played in each game.

    played: in how many seats, all games together; won, drawn: how many of them won, or share a draw; wins:
    the share of them that won (Wilson's interval over all of them); points, score: a win counts one, a
    draw its n-th part, and the last score (Student's interval over the games, since the seats of one game
    hang on each other).
    """

    name: str
    played: int
    won: int
    drawn: int
    wins: Interval
    points: Interval
    score: Interval


@dataclass(frozen=True)
class Tournament:
    """Games of one kind, and what to make of them."""

    seats: tuple[Seat, ...]
    score: TournamentScore[State]
    games: tuple[PlayedGame, ...]

    @cached_property
    def sides(self) -> tuple[Seat, ...]:
        """The seats, and whoever wins or is counted without having one: a side that the rules play."""
        names = dict.fromkeys(self.seats)
        for game in self.games:
            names.update(dict.fromkeys((*game.result.winners, *sorted(game.scores[game.end]))))
        return tuple(names)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The players, in the order of the seats of the first game."""
        return tuple(dict.fromkeys(name for game in self.games for name in game.players.values()))

    def by_seat(self) -> tuple[TournamentStanding, ...]:
        """Return how each side has done, the best first."""
        return self._standings({side: {game.number: (side,) for game in self.games} for side in self.sides})

    def by_player(self) -> tuple[TournamentStanding, ...]:
        """Return how each player has done, whatever their seats were, the best first."""
        return self._standings(
            {
                name: {game.number: _seats_of(game, name) for game in self.games if _seats_of(game, name)}
                for name in self.players
            }
        )

    def _standings(
        self, held: Mapping[str, Mapping[int, tuple[Seat, ...]]]
    ) -> tuple[TournamentStanding, ...]:
        """held: by who is counted, the sides that were his in each game."""
        games = {game.number: game for game in self.games}
        standings = []
        for name, seats in held.items():
            each = [(games[number], seat) for number, some in seats.items() for seat in some]
            won = sum(seat in game.result.winners for game, seat in each)
            points = [fmean(games[number].points(seat) for seat in some) for number, some in seats.items()]
            scores = [fmean(_last(games[number], seat) for seat in some) for number, some in seats.items()]
            standings.append(
                TournamentStanding(
                    name=name,
                    played=len(each),
                    won=won,
                    drawn=sum(seat in game.sharers for game, seat in each),
                    wins=intervals.share_interval(won, len(each)),
                    points=intervals.mean_interval(points, 0, 1),
                    score=intervals.mean_interval(scores),
                )
            )
        return tuple(sorted(standings, key=lambda standing: (-standing.points.value, -standing.score.value)))

    def wins(self) -> Mapping[Seat, int]:
        """Return how many games each side has won, alone or with others, the most first."""
        counted = Counter(seat for game in self.games for seat in game.result.winners)
        return {seat: counted[seat] for seat in sorted(self.sides, key=lambda seat: -counted[seat])}

    def spread(self) -> Mapping[Seat, tuple[float, ...]]:
        """Return the distribution of each side's last scores: the least, the quartiles, the most."""
        quartiles = {}
        for side in self.sides:
            last = sorted(_last(game, side) for game in self.games)
            middle = quantiles(last, n=4, method="inclusive") if len(last) > 1 else last * 3
            quartiles[side] = (last[0], *middle, last[-1])
        return quartiles

    def draws(self) -> int:
        """Return how many games were a draw."""
        return sum(not game.result.winners and not game.is_undecided for game in self.games)

    def count_undecided(self) -> int:
        """Return how many games were given up."""
        return sum(game.is_undecided for game in self.games)

    def endings(self) -> Mapping[str, int]:
        """Return how many games ended for each reason, the most first."""
        return dict(Counter(game.result.reason for game in self.games).most_common())

    def length(self) -> float:
        """Return how long a game lasted on average, in the score's time."""
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
        """Return orders by seat, by kind (the most frequent first) and by time, for each game that lasted so
        long.
        """
        lasted = {time: sum(game.end >= time for game in self.games) for time in self._times()}
        counted: Counter[tuple[int, Seat, str]] = Counter()
        for game in self.games:
            counted.update(game.orders)
        frequencies: dict[Seat, dict[str, dict[int, float]]] = {seat: {} for seat in self.sides}
        totals = Counter[tuple[Seat, str]]()
        for (_, seat, kind), count in counted.items():
            totals[seat, kind] += count
        for (seat, kind), _ in sorted(totals.items(), key=lambda item: (-item[1], item[0])):
            frequencies[seat][kind] = {time: counted[time, seat, kind] / lasted[time] for time in lasted}
        return frequencies

    def _times(self) -> range:
        return range(min(min(game.scores) for game in self.games), max(game.end for game in self.games) + 1)


def _seats_of(game: PlayedGame, name: str) -> tuple[Seat, ...]:
    return tuple(seat for seat, who in game.players.items() if who == name)


def _at(game: PlayedGame, time: int, seat: Seat) -> int:
    return game.scores[min(time, game.end)].get(seat, 0)


def _last(game: PlayedGame, seat: Seat) -> int:
    return game.scores[game.end].get(seat, 0)
