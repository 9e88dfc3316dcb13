"""Looks for a board on which all seats of a game get equal shares, by games of bots on many boards.

    .venv/bin/python -m tests.tools.boards indianomacy --seats intermediate --rounds 2 --games 200 --jobs 2

Only a game with `GameOf.drafts` has other boards, and only Indianomacy has it. docs/even-boards.md says how
its board was found. Use `--rounds 0` with `--draft NAME` to measure one board.
"""

from typing import Annotated

import typer

from adjudicator import game_kinds
from adjudicator.cli import board_search, tournament
from adjudicator.cli.arguments import GameOptions, Json, Kind, pair
from adjudicator.cli.output import read_file_options
from adjudicator.errors import Refusal
from adjudicator.tournament.balance import Measure
from adjudicator.tournament.tournament import FixtureRequest

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Rounds = Annotated[int, typer.Option(min=0, help="The number of steps away from the first board.")]
Leaps = Annotated[
    int,
    typer.Option(min=0, help="Measure N random boards per step, also distant ones, not all near ones."),
]
Sieve = Annotated[
    str,
    typer.Option(
        metavar="N,N", help="Play N games on each board first. The best third go on, up to --games."
    ),
]
By = Annotated[Measure, typer.Option(help="Share points evenly, or the squares of the final scores.")]
Seed = Annotated[str, typer.Option(help="The seed of the dice.")]
Jobs = Annotated[int, typer.Option(min=1, help="The number of processes.")]
Draft = Annotated[str, typer.Option(metavar="NAME", help="The first board (default: the board of the game).")]


@app.command()
def search_boards(
    kind: Kind,
    games: tournament.Games = 10,
    rounds: Rounds = 1,
    seats: tournament.Seats = "",
    years: tournament.Years = None,
    option: GameOptions = None,
    leaps: Leaps = 0,
    sieve: Sieve = "",
    by: By = "points",
    draft: Draft = "",
    seed: Seed = "0",
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Measure other boards of a game, up to some steps away, and print the fairest first.

    A draft is the name of a board: "57>56" has a centre in 56 instead of 57.
    """
    game = game_kinds.find_kind(kind)
    options = read_file_options(game, dict(pair(value) for value in option or []))
    request = FixtureRequest(seats, seed=seed, draft=draft)
    plan = tournament.plan_games(game, options, years, request)
    search = board_search.SearchOptions(balance=rounds, leaps=leaps, sieve=sieve, by=by)
    board_search.weigh_boards(game, plan, search, games, jobs, as_json)


def main() -> None:
    """Run the command. Prints a Refusal and exits with 1."""
    try:
        app(prog_name="python -m tests.tools.boards")
    except Refusal as refusal:
        raise SystemExit(str(refusal)) from refusal


if __name__ == "__main__":
    main()
