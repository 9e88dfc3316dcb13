"""``gm map``: a game's map, as a file or on the standard output."""

from pathlib import Path
from typing import Annotated

import typer

import games
from adjudicator import gamesmaster
from adjudicator.errors import Refusal
from adjudicator.gm.lessons import GameName, Json, alone, example
from adjudicator.gm.opening import house_of
from adjudicator.gm.paper import document, say
from adjudicator.reports import picture

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
    if out is not None and out.suffix.lower() not in (".svg", ".png"):
        raise typer.BadParameter(f"{out.name} ends neither in .svg nor in .png", param_hint="--out")
    with house_of(ctx) as house:
        position = gamesmaster.position_of(house, game)
        drawn = gamesmaster.drawing(house, game)
    if out is not None:
        _write(out, picture.png(drawn) if out.suffix.lower() == ".png" else drawn.encode())
    if as_json:
        turn = games.kinds()[position.kind].rules.turn(position.state).short
        document(
            {"game": game, "turn": turn, "file": str(out) if out else None, "svg": None if out else drawn}
        )
    elif out is None:
        typer.echo(drawn)
    else:
        say(f"The map of {game} is in {out}.")


def _write(out: Path, content: bytes) -> None:
    try:
        out.write_bytes(content)
    except OSError as fault:
        raise Refusal(str(out), f"cannot be written: {fault.strerror}") from fault
