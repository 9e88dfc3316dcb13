"""``gm man``: manual pages of all commands, for man(1)."""

from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.manual import PROGRAM_NAME, pages
from adjudicator.cli.output import document, pluralise, say
from adjudicator.errors import Refusal

app = alone()


@app.command(
    epilog=example(
        "gm man --to ~/.local/share/man",
        "gm man --to /usr/local/share/man",
        "gm man game > gm-game.1",
        then="Then  man gm  shows the first of them, and  man gm-game  that of  gm game.",
    )
)
def man(
    ctx: typer.Context,
    command: Annotated[
        str, typer.Argument(metavar="[COMMAND]", help="Whose page is printed; of gm itself if left out.")
    ] = "",
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIR", help="Write all pages into man1 of this folder.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print a manual page for man, or write all of them where man finds them."""
    root = ctx.find_root()
    page_texts = pages(root.command, root)
    if to is not None:
        folder = _write_pages(page_texts, to / "man1")
        if as_json:
            document({"folder": str(folder), "pages": sorted(page_texts)})
        else:
            say(f"{pluralise(len(page_texts), 'page')} written into {folder}.")
        return
    name = f"{PROGRAM_NAME}-{command}" if command else PROGRAM_NAME
    if name not in page_texts:
        raise Refusal(f"command {command}", "there is no such command", "gm --help  lists them")
    if as_json:
        document({"name": name, "page": page_texts[name]})
    else:
        typer.echo(page_texts[name], nl=False)


def _write_pages(page_texts: dict[str, str], folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, page in page_texts.items():
            (folder / f"{name}.1").write_text(page, encoding="utf-8")
    except OSError as fault:
        raise Refusal(str(folder), f"cannot be written: {fault.strerror}") from fault
    return folder
