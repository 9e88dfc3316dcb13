"""``gm demo``: the demonstration, played or checked."""

from pathlib import Path
from typing import Annotated

import typer
from rich import console

from adjudicator.cli import lazy_import
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.output import document
from adjudicator.demo import check as proof
from adjudicator.demo import play

app = alone()


@app.command(
    epilog=example(
        "gm demo",
        "gm demo --check",
        then="Afterwards open the file that it names first, and look around in the folder.",
    )
)
def demo(
    folder: Annotated[Path, typer.Option(metavar="DIR", help="Where everything is left.")] = Path("demo"),
    check: Annotated[bool, typer.Option("--check", help="Prove what an earlier demo left there.")] = False,
    as_json: Json = False,
) -> None:
    """Watch two game-years being played by mail on this machine.

    A service is started on loopback, three scripted players write to it, and bots play the other nations.
    All letters, the last report and the maps are left in the folder. --check plays the game again from its
    log and proves that each letter there is one that was sent.
    """
    lazy_import.all_loaded()
    run = proof.check_demo if check else play.play_demo
    code = run(folder, console.Console(stderr=True)) if as_json else run(folder)
    if as_json:
        document({"folder": str(folder.resolve()), "checked": check, "done": code == 0})
    raise typer.Exit(code)
