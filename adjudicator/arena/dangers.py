"""How dangerous each seat of a board is to be reckoned, so that equal bots win alike from all.

After each round of games a seat that got more than its share counts as more dangerous, and one that got less
as less so; the rounds change less and less (stochastic approximation), and what counts is the mean of the
later half of them (Polyak's averaging).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from adjudicator.arena.balance import squares
from adjudicator.arena.contest import Fixture, contest
from adjudicator.arena.playing import Played
from games.protocol import Seat

_STEP = 0.25
"""By so much the danger of a seat grows in the first rounds for each even share that it got too much."""
_CALM = 12
"""After so many rounds the step is half as large, after twice as many a third, and so on."""
_MOST = 3.0
"""No seat is more dangerous than that, or less so than as much below 0."""
_MIDDLE = 8
"""After so many years it is looked at who is ahead, beside how the game ends."""


@dataclass(frozen=True)
class Round:
    """A round of games. dangers: as the bots reckoned in it; shares: what each seat got of what counts.

    Half of that are the points of a game, a quarter the squares of the last scores, and a quarter those of
    the scores after eight years: who is ahead tells more of few games than who has won.
    """

    number: int
    dangers: Mapping[Seat, float]
    shares: Mapping[Seat, float]
    games: tuple[Played, ...]


def rounds(plan: Fixture, count: int, games: int, jobs: int = 1) -> Iterator[Round]:
    """So many rounds of games; the first reckons with the dangers of the plan, or with none at all.

    A bot that is not `bot_skills.Wary` plays as it does; no game is played twice.
    """
    seats = plan.seating.seats
    dangers = {seat: (plan.dangers or {}).get(seat, 0.0) for seat in seats}
    for number in range(count):
        warned = replace(plan, dangers=dict(dangers))
        played = tuple(contest(warned, (number + 1) * games, jobs, first=number * games))
        shares = {seat: fmean(_share(one, seat) for one in played) for seat in seats}
        yield Round(number, warned.dangers or {}, shares, played)
        dangers = _stepped(dangers, shares, number)


def settled(played: Sequence[Round]) -> Mapping[Seat, float]:
    """What the rounds come to: the mean of their later half."""
    later = played[len(played) // 2 :]
    return {seat: fmean(one.dangers[seat] for one in later) for seat in played[0].dangers}


def _stepped(dangers: Mapping[Seat, float], shares: Mapping[Seat, float], number: int) -> dict[Seat, float]:
    step = _STEP / (1 + number / _CALM)
    moved = {seat: danger + step * (len(dangers) * shares[seat] - 1) for seat, danger in dangers.items()}
    middle = fmean(moved.values())
    return {seat: max(-_MOST, min(_MOST, danger - middle)) for seat, danger in moved.items()}


def _share(played: Played, seat: Seat) -> float:
    middle = min(min(played.scores) + _MIDDLE - 1, played.end)
    return played.points(seat) / 2 + squares(played, seat, played.end) / 4 + squares(played, seat, middle) / 4
