"""``gm backup``: everything in one file."""

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.admin import gamesmaster_backup as backups
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, pluralise, say

app = alone()


@app.command(
    epilog=example(
        "gm backup",
        "gm backup before-the-move.backup",
        then="gm restore FILE  takes it up again, here or elsewhere.",
    )
)
def backup(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where to; else a name with the date and time.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the whole installation into one file: games, letters, secrets, gm.toml, their variants.

    The files of certificates that gm.toml names go along; files that hold passwords or tokens do not. It can
    be done while  gm serve  runs: the file shows one moment. Keep it where nobody else reads it.
    """
    with house_of(ctx) as house:
        kept = backups.back_up(house, file)
    if as_json:
        document({"file": str(kept.file), "made": kept.made, "rows": kept.rows, "games": list(kept.games)})
    else:
        say(f"{pluralise(len(kept.games), 'game')} and all letters are in {kept.file} ({kept.rows} rows).")
