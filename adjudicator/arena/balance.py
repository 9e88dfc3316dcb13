"""Boards compared by games of bots: which leaves the seats the most equal shares."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean
from typing import Literal

from adjudicator.arena import intervals
from adjudicator.arena.contest import Fixture, contest, drafts_of
from adjudicator.arena.intervals import Span
from adjudicator.arena.playing import Played
from games.dice import SealedDice
from games.protocol import Game, Seat

Measure = Literal["points", "score"]
"""Of what the seats are to have equal shares: of the points of a game, or of the squares of the last scores.

The squares tell who is on the way to win: so games of a dozen years say what takes many more whole ones.
"""


@dataclass(frozen=True)
class Weighed:
    """A draft of a board, and what came of its games: each seat's share of what is measured.

    spread: how far the shares lie from an even one, as a standard deviation; noise: how far chance alone
    puts them at most on average, were every seat equal; wins: the share of the games that somebody won.
    """

    draft: str
    words: str
    games: int
    shares: Mapping[Seat, Span]
    spread: float
    noise: float
    wins: float


@dataclass(frozen=True)
class Search:
    """How drafts are looked for. count: of games for each; rounds: how many; by: what is to be even.

    leaps: so many drafts are drawn by lot for a round, each with one thing moved however far; 0: all those
    next to the best so far.
    """

    count: int
    rounds: int
    by: Measure = "points"
    leaps: int = 0


def weigh(game: Game, plan: Fixture, count: int, jobs: int = 1, by: Measure = "points") -> Weighed:
    """Play the games of one draft: that of the plan. Raises Refusal where the board leaves no choice."""
    words = drafts_of(game, plan.options).words(plan.draft)
    played = list(contest(plan, count, jobs))
    seats = plan.seating.seats
    found = {seat: [_share(one, seat, by) for one in played] for seat in seats}
    even = 1 / len(seats)
    return Weighed(
        draft=plan.draft,
        words=words,
        games=count,
        shares={seat: intervals.mean(some, 0, 1) for seat, some in found.items()},
        spread=sqrt(fmean((fmean(some) - even) ** 2 for some in found.values())),
        # No share of a game varies more about its mean than one that is all or nothing.
        noise=sqrt(even * (1 - even) / count),
        wins=fmean(bool(one.result.winners) for one in played),
    )


def search(game: Game, plan: Fixture, how: Search, jobs: int = 1) -> Iterator[Weighed]:
    """Weigh the plan's draft, then others near the best so far, round by round, each once.

    The best is the one with the smallest spread; it ends after so many rounds, or where all that are next to
    the best are worse. Raises Refusal for a kind whose board leaves no choice.
    """
    best = weigh(game, plan, how.count, jobs, how.by)
    yield best
    seen = {best.draft}
    for number in range(how.rounds):
        found = best
        for draft in _next(game, plan, how, best.draft, number):
            if draft not in seen:
                seen.add(draft)
                one = weigh(game, replace(plan, draft=draft), how.count, jobs, how.by)
                yield one
                found = min(found, one, key=lambda each: each.spread)
        if found is best and not how.leaps:
            return
        best = found


def _next(game: Game, plan: Fixture, how: Search, draft: str, number: int) -> tuple[str, ...]:
    drafts = drafts_of(game, plan.options)
    if not how.leaps:
        return drafts.steps(draft)
    dice = SealedDice(plan.seed.encode(), "balance", number)
    return dice.shuffle("leaps", drafts.leaps(draft))[: how.leaps]


def _share(played: Played, seat: Seat, by: Measure) -> float:
    """What a seat has of a game's one point, or of the squares of the last scores."""
    if by == "points":
        return played.points(seat)
    last = played.scores[played.end]
    return last.get(seat, 0) ** 2 / max(sum(score**2 for score in last.values()), 1)
