"""Many games of one kind played by bots in every seat: who wins, and how the scores go."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles
from typing import Any

from adjudicator.errors import Refusal
from games.dice import Dice, LabelledDice, SealedDice
from games.options import settle
from games.protocol import Game, Invalid, Options, OptionValue, Order, Result, Score, Seat

MOST_TURNS = 5_000
"""No game of bots is longer; one that is has a bug, and is given up."""


@dataclass(frozen=True)
class Played:
    """One game. scores: by what has passed of the score's time, what each seat had when that was over."""

    number: int
    result: Result
    turns: int
    scores: Mapping[int, Mapping[Seat, int]]

    @property
    def end(self) -> int:
        """When it ended, in the score's time."""
        return max(self.scores)


@dataclass(frozen=True)
class Tournament:
    """Games of one kind, and what to make of them."""

    seats: tuple[Seat, ...]
    score: Score
    games: tuple[Played, ...]

    @property
    def sides(self) -> tuple[Seat, ...]:
        """The seats, and whoever wins or is counted without having one: a side that the rules play."""
        found = dict.fromkeys(self.seats)
        for game in self.games:
            found.update(dict.fromkeys((*game.result.winners, *sorted(game.scores[game.end]))))
        return tuple(found)

    def wins(self) -> Mapping[Seat, int]:
        """How many games each side has won, alone or with others, the most first."""
        counted = Counter(seat for game in self.games for seat in game.result.winners)
        return {seat: counted[seat] for seat in sorted(self.sides, key=lambda seat: -counted[seat])}

    def spread(self) -> Mapping[Seat, tuple[float, ...]]:
        """How each side's last scores lie: the least, the quartiles, the most."""
        found = {}
        for side in self.sides:
            last = sorted(game.scores[game.end].get(side, 0) for game in self.games)
            middle = quantiles(last, n=4, method="inclusive") if len(last) > 1 else last * 3
            found[side] = (last[0], *middle, last[-1])
        return found

    def draws(self) -> int:
        """How many games nobody has won."""
        return sum(not game.result.winners for game in self.games)

    def endings(self) -> Mapping[str, int]:
        """How many games ended for each reason, the most first."""
        return dict(Counter(game.result.reason for game in self.games).most_common())

    def length(self) -> float:
        """How long a game lasted on average, in the score's time."""
        return fmean(game.end + 1 - min(game.scores) for game in self.games)

    def means(self) -> Mapping[int, Mapping[Seat, float]]:
        """The mean score of each side over time; a game that is over counts on with its last score."""
        last = max(game.end for game in self.games)
        first = min(min(game.scores) for game in self.games)
        return {
            time: {
                seat: fmean(game.scores[min(time, game.end)].get(seat, 0) for game in self.games)
                for seat in self.sides
            }
            for time in range(first, last + 1)
        }


def contest(game: Game, count: int, options: Mapping[str, OptionValue], seed: str) -> Iterator[Played]:
    """Play games one after the other. The same seed gives the same games.

    Raises Refusal for a kind without bots or a score, and for options that it does not have.
    """
    if game.score is None or not game.bots:
        raise Refusal(f"kind {game.about.kind}", "has no bots that play it alone, or nothing to count")
    try:
        settled = settle(game.about.options, options)
    except Invalid as fault:
        raise Refusal(fault.what, fault.why, fault.instead) from fault
    for number in range(count):
        yield play(game, game.score, settled, number, seed)


def ending_after(game: Game, years: int) -> Mapping[str, OptionValue]:
    """The options of a game that is a draw after so many years. Raises Refusal for a kind without years."""
    if game.score is None or not any(option.name == "last_year" for option in game.about.options):
        raise Refusal(f"kind {game.about.kind}", "counts no years, so that its games have no last one")
    opening = game.rules.setup(settle(game.about.options, {}), SealedDice(b"", game.about.kind, 0)).state
    return {"last_year": game.score.when(opening) + years - 1}


def play(game: Game, score: Score, options: Options, number: int, seed: str) -> Played:
    """Play one game to its end, the weakest bot in every seat."""
    secret, rules = f"tournament {seed}".encode(), game.rules
    name = f"{game.about.kind}-{number}"
    state = rules.setup(options, SealedDice(secret, name, 0)).state
    scores: dict[int, Mapping[Seat, int]] = {}
    turns = 0
    while (result := rules.result(state)) is None:
        turns += 1
        assert turns < MOST_TURNS, f"{name} does not end"
        dice = SealedDice(secret, name, turns)
        state = rules.adjudicate(state, ask_bots(game, state, dice), dice).state
        scores[score.when(state)] = dict(score.of(state))
    return Played(number=number, result=result, turns=turns, scores=_filled(scores))


def ask_bots(game: Game, state: Any, dice: Dice) -> Mapping[Seat, Sequence[Order]]:
    """The orders of the weakest bot for all that is due."""
    bot = next(iter(game.bots.values()))
    return {
        due.seat: [
            choice.order
            for choice in bot.orders(
                game.rules.view(state, due.seat), due, LabelledDice(dice, f"bot/{due.seat}/")
            )
        ]
        for due in game.rules.due(state)
    }


def _filled(scores: Mapping[int, Mapping[Seat, int]]) -> Mapping[int, Mapping[Seat, int]]:
    """The scores without gaps: where nothing was counted, the last count holds."""
    filled: dict[int, Mapping[Seat, int]] = {}
    for time in range(min(scores), max(scores) + 1):
        filled[time] = scores[time] if time in scores else filled[time - 1]
    return filled
