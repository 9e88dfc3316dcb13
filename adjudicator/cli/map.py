"""``gm map``: a game's map, as a file or on the standard output."""

from pathlib import Path
from typing import Annotated

import typer

import games
from adjudicator.admin import game_admin
from adjudicator.cli.arguments import GameName, Json, alone, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.image_file import check_name, write_image
from adjudicator.cli.output import document, say

app = alone()


@app.command(
    "map",
    epilog=example(
        "gm map beaver --out beaver.png",
        "gm map beaver --out beaver.svg",
        "gm map beaver > beaver.svg",
        then="SVG prints sharply at any size; PNG is what the reports carry.",
    ),
)
def draw(
    ctx: typer.Context,
    game: GameName,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="FILE.svg or FILE.png; else SVG is printed.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Draw the map of a game: the position now, and what happened last."""
    check_name(out, "--out")
    with house_of(ctx) as house:
        position = game_admin.position_of(house, game)
        drawn = game_admin.drawing(house, game)
    if out is not None:
        write_image(out, drawn)
    if as_json:
        turn = games.kinds()[position.kind].rules.turn(position.state).short
        document(
            {"game": game, "turn": turn, "file": str(out) if out else None, "svg": None if out else drawn}
        )
    elif out is None:
        typer.echo(drawn)
    else:
        say(f"The map of {game} is in {out}.")
