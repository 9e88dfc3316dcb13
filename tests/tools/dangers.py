"""Finds out how dangerous bots should consider each seat, so that all seats win equally often.

    .venv/bin/python -m tests.tools.dangers standard --seats advanced --years 25 --rounds 40 --games 4

After each round, a seat that won more than its share counts as more dangerous. docs/bots.md has the dangers
that were found (`danger` of the powers in map.json). Use `--rounds 1` to measure given dangers only.
"""

from typing import Annotated

import typer

from adjudicator import game_kinds
from adjudicator.cli import board_search, tournament
from adjudicator.cli.arguments import GameOptions, Json, Kind, pair
from adjudicator.cli.output import read_file_options
from adjudicator.errors import Refusal
from adjudicator.tournament.tournament import FixtureRequest

app = typer.Typer(add_completion=False, rich_markup_mode=None)

Rounds = Annotated[int, typer.Option(min=1, help="The number of rounds of --games games.")]
Seed = Annotated[str, typer.Option(help="The seed of the dice.")]
Jobs = Annotated[int, typer.Option(min=1, help="The number of processes.")]
Danger = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SEAT=STEPS",
        help=(
            "The danger of a seat in the first round: by how many steps bots consider its centres nearer "
            "(default: 0). May be repeated."
        ),
    ),
]


@app.command()
def find_dangers(
    kind: Kind,
    games: tournament.Games = 10,
    rounds: Rounds = 1,
    seats: tournament.Seats = "",
    years: tournament.Years = None,
    option: GameOptions = None,
    danger: Danger = None,
    seed: Seed = "0",
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Play rounds of games, change the danger of each seat after every round, and print the mean dangers."""
    game = game_kinds.find_kind(kind)
    options = read_file_options(game, dict(pair(value) for value in option or []))
    dangers = board_search.read_dangers(danger or [])
    request = FixtureRequest(seats, seed=seed, dangers=dangers or None)
    plan = tournament.plan_games(game, options, years, request)
    board_search.tune_dangers(plan, rounds, games, jobs, as_json)


def main() -> None:
    """Run the command. Prints a Refusal and exits with 1."""
    try:
        app(prog_name="python -m tests.tools.dangers")
    except Refusal as refusal:
        raise SystemExit(str(refusal)) from refusal


if __name__ == "__main__":
    main()
