"""``gm turn``: the turn that is due, looked at, given time, played by hand."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from adjudicator.cli import hours, play_turn, preview
from adjudicator.cli.arguments import GameName, Json, example, noun
from adjudicator.cli.connect import config_of

app = noun(
    "Look at the turn that is due, give it time, play it by hand.",
    "gm turn preview beaver",
    'gm turn extend beaver 24h --why "the Iroquois have moved house"',
    "gm turn process beaver",
)
app.add_typer(preview.app)
app.add_typer(hours.app)


@app.command(
    epilog=example(
        "gm turn process beaver",
        "gm turn process beaver --yes",
        then="The reports go out with  gm serve  or  gm run send.",
    )
)
def process(
    ctx: typer.Context,
    game: GameName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, whoever is missing.")] = False,
    as_json: Json = False,
) -> None:
    """Play a game's turn at once, without waiting for its deadline.

    Units of people whose orders are missing do what the rules say of civil disorder. On a terminal you are
    asked first when somebody is missing.
    """
    ask = typer.confirm if sys.stdin.isatty() else None
    play_turn.process(config_of(ctx), game, yes=yes, as_json=as_json, ask=ask)
