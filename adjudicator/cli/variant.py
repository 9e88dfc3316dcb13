"""``gm variant``: a further variant of a game, looked over before it is played."""

from pathlib import Path
from typing import Annotated

import typer

from adjudicator import game_kinds
from adjudicator.cli.arguments import Json, example, noun
from adjudicator.cli.image_file import check_name, write_image
from adjudicator.cli.output import document, heading, say, table

app = noun("Look over a variant's folder of data before it is played.", "gm variant check my-variant")


@app.command(
    epilog=example(
        "gm variant check my-variant",
        "gm variant check my-variant --out my-variant.png",
        then="docs/variants.md says what belongs into the folder, and where it is put to be played.",
    )
)
def check(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="With map.json and rulebook.toml.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="FILE.svg or FILE.png: the opening, drawn.")
    ] = None,
    borders: Annotated[
        bool, typer.Option("--borders", help="Who borders whom, province by province.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check a variant: what is wrong by file and entry, a census, what is odd, and a drawing."""
    check_name(out, "--out")
    survey = game_kinds.check_variant(folder)
    if out is not None:
        write_image(out, game_kinds.draw_opening(survey))
    if as_json:
        document(
            {
                "kind": survey.game.about.kind,
                "title": survey.game.about.title,
                "tables": {content.title: [list(row) for row in content.rows] for content in survey.tables},
                "findings": list(survey.findings),
                "file": str(out) if out else None,
            }
        )
        return
    say(f"{survey.game.about.title} can be played.")
    for content in survey.tables[: None if borders else 1]:
        heading(content.title)
        table(content.columns, content.rows)
    heading("What is odd")
    say(*(survey.findings or ("nothing",)))
    if out is not None:
        say("", f"The opening is drawn in {out}.")
