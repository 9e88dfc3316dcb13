"""Boards compared by games of bots: which leaves the seats the most equal shares."""

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
"""Of what the seats are to have equal shares: of the points of a game, or of the squares of the last scores.

The squares tell who is on the way to win: so games of a dozen years say what takes many more whole ones.
"""


STARVED_BELOW = 0.5
"""A seat that has less than this of what it began with is starved, and its board the worse for it."""

_STARVED = 0.5
"""How much further apart a board counts, for each share that its seats have less than half, on average."""

_YEARS_BEFORE_WEIGHING = 10
"""After so many years, or whatever a kind counts, it is looked at what a seat has left."""

_KEEP_ONE_IN = 3
"""Of so many boards the best one goes on from a sieve."""


@dataclass(frozen=True)
class DraftResult:
    """A draft of a board, and what came of its games: each seat's share of what is measured.

    spread: how far the shares lie from an even one, as a standard deviation; noise: how far chance alone
    puts them at most on average, were every seat equal; kept: what each seat has after ten years, as a share
    of what it began with; wins: the share of the games that somebody won.
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
        """The number by which boards are compared, less being better: the spread, and what starved seats
        lack.
        """
        return self.spread + _STARVED * fmean(max(0.0, STARVED_BELOW - kept) for kept in self.kept.values())


@dataclass(frozen=True)
class DraftSearch:
    """The plan of a search for drafts. count: of games for each; rounds: how many; by: what is to be even.

    leaps: so many drafts are drawn by lot for a round, each with one thing moved however far; 0: all those
    next to the best so far. sieves: by how few games the drafts of a round are weighed before that, one
    number after the other; a third of them go on from each.
    """

    count: int
    rounds: int
    by: Measure = "points"
    leaps: int = 0
    sieves: tuple[int, ...] = ()


def weigh(game: Game, plan: Fixture, count: int, jobs: int = 1, by: Measure = "points") -> DraftResult:
    """Play the games of one draft: that of the plan. Raises Refusal where the board leaves no choice."""
    return _Scale(game, plan, jobs, by).weigh(plan.draft, count)


def search(game: Game, plan: Fixture, how: DraftSearch, jobs: int = 1) -> Iterator[DraftResult]:
    """Weigh the plan's draft, then others near the best so far, round by round, each once.

    What a sieve says of a draft is yielded too, by its few games. The best is the one of the least cost by
    all its games; it ends after so many rounds, or where all that are next to the best are worse. Raises
    Refusal for a kind whose board leaves no choice.
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
    """Where drafts are weighed. Games that were played for a sieve are not played again."""

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
            # No share of a game varies more about its mean than one that is all or nothing.
            noise=sqrt(even * (1 - even) / count),
            kept={
                seat: fmean(_later_score(game, seat) for game in some) / self._opening_scores[seat]
                for seat in seats
            },
            wins=fmean(bool(game.result.winners) for game in some),
        )

    @cached_property
    def _opening_scores(self) -> Mapping[Seat, int]:
        """The opening score of each seat, on whatever board; one where that is nothing."""
        opening = self.game.rules.setup(self.plan.options, SealedDice(b"", self.plan.kind, 0)).state
        assert self.game.score is not None, "fixture refuses a kind without one"
        score = self.game.score.of(opening)
        return {seat: score.get(seat) or 1 for seat in self.plan.seating.seats}


def _later_score(played: PlayedGame, seat: Seat) -> int:
    """Return the score of a seat after ten years, or when the game is over."""
    return played.scores[min(min(played.scores) + _YEARS_BEFORE_WEIGHING - 1, played.end)].get(seat, 0)


def _share(played: PlayedGame, seat: Seat, by: Measure) -> float:
    """Return a seat's share of a game's one point, or of the squares of the last scores."""
    return played.points(seat) if by == "points" else share_of_squares(played, seat, played.end)


def share_of_squares(played: PlayedGame, seat: Seat, time: int) -> float:
    """Return a seat's share of the squares of the scores that there were at a time."""
    scores = played.scores[time]
    return scores.get(seat, 0) ** 2 / max(sum(score**2 for score in scores.values()), 1)


# A search for how dangerous bots must take each seat to be, so that equal bots win alike.


_FIRST_STEP = 0.25
"""By so much the danger of a seat grows in the first rounds for each even share that it got too much."""
_ROUNDS_TO_HALVE_STEP = 12
"""After so many rounds the step is half as large, after twice as many a third, and so on."""
_MAX_DANGER = 3.0
"""No seat is more dangerous than that, or less so than as much below 0."""
_MIDGAME_YEARS = 8
"""After so many years it is looked at who is ahead, beside how the game ends."""


@dataclass(frozen=True)
class TuningRound:
    """A round of games. dangers: as the bots reckoned in it; shares: what each seat got of what counts.

    Half of that are the points of a game, a quarter the squares of the last scores, and a quarter those of
    the scores after eight years: who is ahead tells more of few games than who has won.
    """

    number: int
    dangers: Mapping[Seat, float]
    shares: Mapping[Seat, float]
    games: tuple[PlayedGame, ...]


def play_rounds(plan: Fixture, count: int, games: int, jobs: int = 1) -> Iterator[TuningRound]:
    """Yield that many rounds of games; the first reckons with the dangers of the plan, or with none at all.

    A bot that is not `bot_skills.Wary` plays as it does; no game is played twice.
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
    """Return the result of the rounds: the mean of their later half."""
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
    middle = min(min(played.scores) + _MIDGAME_YEARS - 1, played.end)
    return (
        played.points(seat) / 2
        + share_of_squares(played, seat, played.end) / 4
        + share_of_squares(played, seat, middle) / 4
    )
