"""``gm site``: the archive, a static web site of all games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from adjudicator.admin import website
from adjudicator.cli.arguments import Json, example, noun
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, pluralise, say

site_app = noun(
    "Build the archive: a static web site of all games.", "gm site build", "gm site build --out DIR"
)


@site_app.command(
    epilog=example(
        "gm site build",
        "gm site build --out /srv/www/games",
        then="Open index.html of that folder, or put the folder on any web server. gm.toml may say where it "
        "is, and that it is built after each turn: [site].",
    )
)
def build(
    ctx: typer.Context,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to; else what [site] dir says, else ./site.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="So many processes at once; else as many as it has cores."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a page for each game, with its map turn by turn, and an index of all.

    What has not changed since the last time is left as it is. It shows what everybody may know: nothing of a
    game that hides something before it is over, and no addresses.
    """
    with house_of(ctx) as house:
        folder = website.folder_of(house, out)
        built = website.build(house, folder, jobs or os.cpu_count() or 1)
    if as_json:
        made, gone = list(built.made), list(built.gone)
        document({"folder": str(folder), "made": made, "gone": gone, "written": built.written})
        return
    say(
        f"{pluralise(len(built.made), 'game')} made anew, {pluralise(built.written, 'file')} written: "
        f"{folder}"
    )
