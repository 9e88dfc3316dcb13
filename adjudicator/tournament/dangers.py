"""A search for how dangerous bots must reckon each seat of a board, so that equal bots win alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from adjudicator.tournament.balance import share_of_squares
from adjudicator.tournament.contest import Fixture, contest
from adjudicator.tournament.match import PlayedGame
from games.protocol import Seat

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
        shares = {seat: fmean(_share(game, seat) for game in played) for seat in seats}
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


def _share(played: PlayedGame, seat: Seat) -> float:
    middle = min(min(played.scores) + _MIDGAME_YEARS - 1, played.end)
    return (
        played.points(seat) / 2
        + share_of_squares(played, seat, played.end) / 4
        + share_of_squares(played, seat, middle) / 4
    )
