"""Boards compared by games of bots: which leaves the seats the most equal shares."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean

from adjudicator.arena import intervals
from adjudicator.arena.contest import Fixture, contest
from adjudicator.arena.intervals import Span
from adjudicator.errors import Refusal
from games.protocol import Game, Seat


@dataclass(frozen=True)
class Weighed:
    """A draft of a board, and what came of its games: each seat's share of the points.

    spread: how far the shares lie from an even one, as a standard deviation; noise: how far they would lie
    on average if every seat were equal, in as many games without a draw; draws make it less.
    """

    draft: str
    words: str
    games: int
    shares: Mapping[Seat, Span]
    spread: float
    noise: float


def weigh(game: Game, plan: Fixture, count: int, jobs: int = 1) -> Weighed:
    """Play the games of one draft: that of the plan."""
    assert game.drafts is not None, "search refuses others"
    played = list(contest(plan, count, jobs))
    seats = plan.seating.seats
    points = {seat: [one.points(seat) for one in played] for seat in seats}
    even = 1 / len(seats)
    return Weighed(
        draft=plan.draft,
        words=game.drafts.words(plan.draft),
        games=count,
        shares={seat: intervals.mean(some, 0, 1) for seat, some in points.items()},
        spread=sqrt(fmean((fmean(some) - even) ** 2 for some in points.values())),
        noise=sqrt(even * (1 - even) / count),
    )


def search(game: Game, plan: Fixture, count: int, rounds: int, jobs: int = 1) -> Iterator[Weighed]:
    """Weigh the board as it is, then all drafts a step from the best so far, and so on, each once.

    The best is the one with the smallest spread; it ends after so many rounds, or where no step is better.
    Raises Refusal for a kind whose board leaves no choice.
    """
    if game.drafts is None:
        raise Refusal(f"kind {game.about.kind}", "nothing of its board is assumed: it is what it is")
    best = weigh(game, plan, count, jobs)
    yield best
    seen = {best.draft}
    for _ in range(rounds):
        found = best
        for draft in game.drafts.steps(best.draft):
            if draft not in seen:
                seen.add(draft)
                one = weigh(game, replace(plan, draft=draft), count, jobs)
                yield one
                found = min(found, one, key=lambda each: each.spread)
        if found is best:
            return
        best = found
