"""Compares boards by games of bots, to find the one with the most equal shares for the seats.

Only deprecated options of ``gm tournament`` and their successors in tests/tools need it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, sqrt
from statistics import fmean
from typing import Literal

from adjudicator.tournament import tournament
from adjudicator.tournament.match import PlayedGame
from adjudicator.tournament.tournament import Fixture, Interval, contest, drafts_of
from games.dice import SealedDice
from games.protocol import Game, Seat

Measure = Literal["points", "score"]
"""The measure that seats should have equal shares of: a game's points, or the squares of the last scores.

The squares show a likely winner early. So games of a dozen years say as much as many more whole games.
"""


STARVED_BELOW = 0.5
"""Below this share of its opening score a seat is starved, and its board counts as worse."""

_STARVED = 0.5
"""The penalty per starved seat and share that it lacks, on average."""

_YEARS_BEFORE_WEIGHING = 10
"""The number of years (or other units of the score's time) after which remaining shares are measured."""

_KEEP_ONE_IN = 3
"""Of this many drafts, the best one passes a sieve."""


@dataclass(frozen=True)
class DraftResult:
    """The result of a draft of a board: each seat's share of the measure.

    spread: the standard deviation of the shares from an even share. noise: the spread by chance alone if all
    seats were equal. kept: each seat's score after ten years, as a share of its opening score. wins: the
    share of games with a winner.
    """

    draft: str
    words: str
    games: int
    shares: Mapping[Seat, Interval]
    spread: float
    noise: float
    kept: Mapping[Seat, float]
    wins: float

    @property
    def cost(self) -> float:
        """Return the draft's cost, which is the spread and a penalty for starved seats. Less is better."""
        return self.spread + _STARVED * fmean(max(0.0, STARVED_BELOW - kept) for kept in self.kept.values())


@dataclass(frozen=True)
class DraftSearch:
    """The plan of a search for drafts. count: games per draft. rounds: their number. by: the measure.

    leaps: the number of random drafts per round, each with one thing moved any distance. 0: all neighbours of
    the best draft. sieves: the numbers of games in preliminary trials, one after the other. A third of the
    drafts pass each trial.
    """

    count: int
    rounds: int
    by: Measure = "points"
    leaps: int = 0
    sieves: tuple[int, ...] = ()


def weigh(game: Game, plan: Fixture, count: int, jobs: int = 1, by: Measure = "points") -> DraftResult:
    """Play the games of the plan's draft. Raises Refusal if the kind has only one board."""
    return _Scale(game, plan, jobs, by).weigh(plan.draft, count)


def search(game: Game, plan: Fixture, how: DraftSearch, jobs: int = 1) -> Iterator[DraftResult]:
    """Measure the plan's draft, then others near the best so far, round by round, each once.

    Also yields the results of preliminary trials, with their few games. The best draft has the least cost by
    all its games. The search ends after the last round, or if all neighbours of the best are worse. Raises
    Refusal for a kind with only one board.
    """
    scale = _Scale(game, plan, jobs, how.by)
    best = scale.weigh(plan.draft, how.count)
    yield best
    seen = {best.draft}
    for number in range(how.rounds):
        best_of_round = best
        drafts = [draft for draft in _next(game, plan, how, best.draft, number) if draft not in seen]
        seen.update(drafts)
        for sieve in how.sieves:
            sifted = [scale.weigh(draft, sieve) for draft in drafts]
            yield from sifted
            sifted.sort(key=_cost)
            drafts = [result.draft for result in sifted[: ceil(len(sifted) / _KEEP_ONE_IN)]]
        for draft in drafts:
            result = scale.weigh(draft, how.count)
            yield result
            best_of_round = min(best_of_round, result, key=_cost)
        if best_of_round is best and not how.leaps:
            return
        best = best_of_round


def _cost(result: DraftResult) -> float:
    return result.cost


def _next(game: Game, plan: Fixture, how: DraftSearch, draft: str, number: int) -> tuple[str, ...]:
    drafts = drafts_of(game, plan.options)
    if not how.leaps:
        return drafts.steps(draft)
    dice = SealedDice(plan.seed.encode(), "balance", number)
    return dice.shuffle("leaps", drafts.leaps(draft))[: how.leaps]


@dataclass
class _Scale:
    """Measures drafts. Reuses the games of preliminary trials."""

    game: Game
    plan: Fixture
    jobs: int
    by: Measure
    _played: dict[str, list[PlayedGame]] = field(default_factory=dict)

    def weigh(self, draft: str, count: int) -> DraftResult:
        words = drafts_of(self.game, self.plan.options).describe(draft)
        played = self._played.setdefault(draft, [])
        plan = replace(self.plan, draft=draft)
        played += contest(plan, count, self.jobs, first=len(played))
        some, seats = played[:count], plan.seating.seats
        shares = {seat: [_share(game, seat, self.by) for game in some] for seat in seats}
        even = 1 / len(seats)
        return DraftResult(
            draft=draft,
            words=words,
            games=count,
            shares={seat: tournament.mean_interval(each, 0, 1) for seat, each in shares.items()},
            spread=sqrt(fmean((fmean(each) - even) ** 2 for each in shares.values())),
            # A share varies most about its mean if it is either everything or nothing.
            noise=sqrt(even * (1 - even) / count),
            kept={
                seat: fmean(_later_score(game, seat) for game in some) / self._opening_scores[seat]
                for seat in seats
            },
            wins=fmean(bool(game.result.winners) for game in some),
        )

    @cached_property
    def _opening_scores(self) -> Mapping[Seat, int]:
        """The opening score of each seat on any board, or 1 in place of 0."""
        opening = self.game.rules.setup(self.plan.options, SealedDice(b"", self.plan.kind, 0)).state
        assert self.game.score is not None, "fixture refuses a kind without one"
        score = self.game.score.of(opening)
        return {seat: score.get(seat) or 1 for seat in self.plan.seating.seats}


def _later_score(played: PlayedGame, seat: Seat) -> int:
    """Return the score of a seat after ten years, or at the end of the game."""
    return played.scores[played.time_after(_YEARS_BEFORE_WEIGHING)].get(seat, 0)


def _share(played: PlayedGame, seat: Seat, by: Measure) -> float:
    """Return a seat's share of a game's one point, or of the squares of the last scores."""
    return played.points(seat) if by == "points" else share_of_squares(played, seat, played.end)


def share_of_squares(played: PlayedGame, seat: Seat, time: int) -> float:
    """Return a seat's share of the squares of the scores at a time."""
    scores = played.scores[time]
    return scores.get(seat, 0) ** 2 / max(sum(score**2 for score in scores.values()), 1)


# A search for the danger that bots must see in each seat, so that equal bots win equally often.


_FIRST_STEP = 0.25
"""The growth of a seat's danger in the first rounds, per even share above its due."""
_ROUNDS_TO_HALVE_STEP = 12
"""After this many rounds the step is halved, after twice as many it is a third, and so on."""
_MAX_DANGER = 3.0
"""The maximum danger of a seat, in both directions from 0."""
_MIDGAME_YEARS = 8
"""The year in which scores are measured, besides those at the end."""


@dataclass(frozen=True)
class TuningRound:
    """A round of games. dangers: those that the bots assumed. shares: each seat's share of the measure.

    The points of a game make up half of the measure. The squares of the last scores and of the scores after
    eight years make up a quarter each. With few games, scores say more than wins.
    """

    number: int
    dangers: Mapping[Seat, float]
    shares: Mapping[Seat, float]
    games: tuple[PlayedGame, ...]


def play_rounds(plan: Fixture, count: int, games: int, jobs: int = 1) -> Iterator[TuningRound]:
    """Yield that many rounds of games. The first uses the dangers of the plan, or none.

    Bots whose `with_dangers` is the default ignore the dangers. No game is played twice.
    """
    seats = plan.seating.seats
    dangers = {seat: (plan.dangers or {}).get(seat, 0.0) for seat in seats}
    for number in range(count):
        warned = replace(plan, dangers=dict(dangers))
        played = tuple(contest(warned, (number + 1) * games, jobs, first=number * games))
        shares = {seat: fmean(_blended_share(game, seat) for game in played) for seat in seats}
        yield TuningRound(number, warned.dangers or {}, shares, played)
        dangers = _step_dangers(dangers, shares, number)


def mean_dangers(played: Sequence[TuningRound]) -> Mapping[Seat, float]:
    """Return the mean dangers of the later half of the rounds."""
    later = played[len(played) // 2 :]
    return {seat: fmean(tuning_round.dangers[seat] for tuning_round in later) for seat in played[0].dangers}


def _step_dangers(
    dangers: Mapping[Seat, float], shares: Mapping[Seat, float], number: int
) -> dict[Seat, float]:
    step = _FIRST_STEP / (1 + number / _ROUNDS_TO_HALVE_STEP)
    moved = {seat: danger + step * (len(dangers) * shares[seat] - 1) for seat, danger in dangers.items()}
    middle = fmean(moved.values())
    return {seat: max(-_MAX_DANGER, min(_MAX_DANGER, danger - middle)) for seat, danger in moved.items()}


def _blended_share(played: PlayedGame, seat: Seat) -> float:
    return (
        played.points(seat) / 2
        + share_of_squares(played, seat, played.end) / 4
        + share_of_squares(played, seat, played.time_after(_MIDGAME_YEARS)) / 4
    )
