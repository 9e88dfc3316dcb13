"""Looks for fair boards and fair dangers by games of bots: deprecated options of ``gm tournament``.

`python -m tests.tools.boards` and `python -m tests.tools.dangers` replace the options, and call this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from adjudicator.cli.arguments import pair
from adjudicator.cli.output import document, heading, pluralise, say, table
from adjudicator.tournament import balance as boards

if TYPE_CHECKING:
    from adjudicator.tournament.balance import DraftResult, Measure, TuningRound
    from adjudicator.tournament.tournament import Fixture
    from games.protocol import Game

# After LAST_DAY the options go, and this module and adjudicator.tournament.balance move to tests/tools.


LAST_DAY = "28 November 2027"
"""The last day on which the deprecated options work: a year after their deprecation."""

_MAX_DANGER_STEPS = 9
"""The maximum number of steps by which a centre counts as nearer or farther."""

# The options. `gm tournament` accepts them without listing them in its help.


Balance = Annotated[int, typer.Option(min=0, metavar="ROUNDS", hidden=True)]
Leaps = Annotated[int, typer.Option(min=0, metavar="N", hidden=True)]
Sieve = Annotated[str, typer.Option(metavar="N,N", hidden=True)]
BalanceMeasure = Annotated[boards.Measure, typer.Option(hidden=True)]
Draft = Annotated[str, typer.Option(metavar="NAME", hidden=True)]
DangerRounds = Annotated[int, typer.Option(min=0, metavar="ROUNDS", hidden=True)]
SeatDangers = Annotated[list[str] | None, typer.Option(metavar="SEAT=STEPS", hidden=True)]


class SearchOptions(NamedTuple):
    """The values of the deprecated options, each under the name of its option."""

    balance: int = 0
    leaps: int = 0
    sieve: str = ""
    by: Measure = "points"
    draft: str = ""
    dangers: int = 0
    danger: Sequence[str] = ()

    def used(self) -> tuple[str, ...]:
        """Return the names of the options whose values aren't the defaults."""
        defaults = SearchOptions()
        return tuple(name for name, value in self._asdict().items() if value != getattr(defaults, name))


def warn(options: SearchOptions) -> None:
    """Say on standard error which given options are deprecated, and what replaces them."""
    for name in options.used():
        tool = "dangers" if name in ("dangers", "danger") else "boards"
        typer.echo(
            f"--{name} is deprecated and works until {LAST_DAY}. "
            f'Use "python -m tests.tools.{tool}" in a copy of the source.',
            err=True,
        )


def check(options: SearchOptions, chart: Path | None) -> None:
    """Raise BadParameter for options that exclude each other. chart: the file of `--chart`."""
    if (options.balance or options.dangers) and chart is not None:
        raise typer.BadParameter("--chart draws games of one kind. Leave out --balance, --dangers or --chart")
    if options.balance and options.dangers:
        raise typer.BadParameter(
            "--balance changes the board and --dangers the bots. Run one after the other"
        )
    if not options.balance and {"leaps", "sieve", "by"} & {*options.used()}:
        raise typer.BadParameter(
            "--leaps, --sieve and --by say how --balance looks for boards. Add --balance 1"
        )


# What the options do.


def read_sieves(text: str, games: int) -> tuple[int, ...]:
    """Return the games per preliminary trial. Raises BadParameter unless the numbers are rising."""
    numbers = [text_part.strip() for text_part in text.split(",")] if text else []
    if not all(text_part.isdecimal() and int(text_part) for text_part in numbers):
        raise typer.BadParameter("--sieve takes numbers of games, like --sieve 8,40")
    sieves = tuple(map(int, numbers))
    if [*sieves, games] != sorted({*sieves, games}):
        raise typer.BadParameter(f"the numbers of --sieve must rise and stay below the {games} of --games")
    return sieves


def read_dangers(given: Sequence[str]) -> dict[str, float]:
    """Return the dangers of seats. Raises BadParameter for anything but a number of steps."""
    dangers = {}
    for seat, steps in map(pair, given):
        try:
            dangers[seat] = float(steps)
        except ValueError:
            dangers[seat] = nan
        if not abs(dangers[seat]) <= _MAX_DANGER_STEPS:
            limit = f"{_MAX_DANGER_STEPS} at most either way"
            raise typer.BadParameter(f"--danger takes a number of steps, {limit}, like --danger {seat}=0.5")
    return dangers


def tune_dangers(plan: Fixture, count: int, games: int, jobs: int, as_json: bool) -> None:
    """Play rounds of games, and print the result of each as soon as it is known."""
    played = []
    for tuning_round in boards.play_rounds(plan, count, games, jobs):
        played.append(tuning_round)
        if not as_json:
            won = ", ".join(" and ".join(game.result.winners) or "nobody" for game in tuning_round.games)
            say(f"round {tuning_round.number + 1}: won by {won}")
    if as_json:
        document(dangers_data(played))
    else:
        show_dangers(played)


def weigh_boards(
    game: Game, plan: Fixture, options: SearchOptions, games: int, jobs: int, as_json: bool
) -> None:
    """Compare boards, and print the result of each as soon as it is known. games: their number per board."""
    sieves = read_sieves(options.sieve, games)
    how = boards.DraftSearch(games, options.balance, options.by, options.leaps, sieves)
    weighed = []
    for result in boards.search(game, plan, how, jobs):
        weighed.append(result)
        if not as_json:
            chance = f"chance alone: up to {_percent(result.noise)}"
            say(
                f"{result.words}: {pluralise(result.games, 'game')}, shares {_percent(result.spread)} "
                f"apart ({chance})"
            )
    weighed.sort(key=lambda result: (-result.games, result.cost))
    if as_json:
        document([draft_data(result) for result in weighed])
    else:
        show_drafts(weighed, how.by)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def show_dangers(played: Sequence[TuningRound]) -> None:
    """Print the results of rounds for each seat: the mean danger and the wins in the later half."""
    dangers = boards.mean_dangers(played)
    games = [game for tuning_round in played[len(played) // 2 :] for game in tuning_round.games]
    heading(f"The danger of each seat in steps, and its results in {pluralise(len(games), 'game')}")
    rows = [
        (
            seat,
            f"{danger:+.2f}",
            f"{played[-1].dangers[seat]:+.2f}",
            sum(seat in game.result.winners for game in games),
            f"{100 * fmean(game.points(seat) for game in games):.1f}",
        )
        for seat, danger in dangers.items()
    ]
    table(("seat", "danger", "in the last round", "won", "points, %"), rows)


def dangers_data(played: Sequence[TuningRound]) -> dict[str, Any]:
    """Return the same as plain values, for programs."""
    return {
        "dangers": {seat: round(danger, 3) for seat, danger in boards.mean_dangers(played).items()},
        "rounds": [
            {
                "round": tuning_round.number + 1,
                "dangers": {seat: round(danger, 3) for seat, danger in tuning_round.dangers.items()},
                "shares": {seat: round(share, 4) for seat, share in tuning_round.shares.items()},
                "winners": [list(game.result.winners) for game in tuning_round.games],
            }
            for tuning_round in played
        ],
    }


def show_drafts(results: Sequence[DraftResult], by: Measure) -> None:
    """Print the results of boards, in the given order: each seat's share in percent, and the games won."""
    of = "points" if by == "points" else "squares of the last scores"
    heading(f"Shares of the {of} and games won, the fairest board first")
    seats = list(results[0].shares)
    rows = [
        (
            result.draft or "-",
            result.words,
            f"{100 * result.spread:.1f}",
            *(f"{100 * result.shares[seat].value:.1f}" for seat in seats),
            f"{100 * result.wins:.0f}",
            f"{min(result.kept.values()):.1f}",
            result.games,
        )
        for result in results
    ]
    table(("draft", "difference", "spread", *seats, "won", "kept at least", "games"), rows)


def draft_data(result: DraftResult) -> dict[str, Any]:
    """Return the result of one board as plain values, for programs."""
    return {
        "draft": result.draft,
        "words": result.words,
        "games": result.games,
        "spread": result.spread,
        "noise": result.noise,
        "wins": result.wins,
        "kept": dict(result.kept),
        "cost": result.cost,
        "shares": {seat: span.as_list() for seat, span in result.shares.items()},
    }
