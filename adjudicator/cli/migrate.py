"""``gm migrate``: all books moved into another database."""

import sys
from typing import Annotated

import typer

from adjudicator.admin import backup
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, pluralise, say

app = alone()


@app.command(
    epilog=example(
        "gm migrate postgresql://turnpost:password@db.example.org/turnpost",
        "gm migrate turnpost.db",
        "gm migrate --stay",
        then="Name the database in gm.toml afterwards, and start  gm serve  again.",
    )
)
def migrate(
    ctx: typer.Context,
    url: Annotated[
        str | None,
        typer.Argument(metavar="[URL]", help="Where to: a file, or postgresql://user:password@host/name."),
    ] = None,
    stopped: Annotated[
        bool, typer.Option("--stopped", help="Nobody serves, though somebody did until just now.")
    ] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Serve from these books after all, which were moved elsewhere.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Move all books into another database, and prove every game there.

    Stop  gm serve  first. From SQLite to PostgreSQL or back, every table, into a database that is empty. What
    breaks off goes on where it was if the same is typed again. Then all is compared, and every game is
    played again. The old books stay as they are, but nobody serves from them by mistake.
    """
    if stay == (url is not None):
        raise typer.BadParameter("say where to, or --stay", param_hint="URL")
    with house_of(ctx, moved=True, other=url) as house:
        if url is None:
            backup.stay(house)
            if as_json:
                document({"moved": None})
            else:
                say("These books are served from again.")
            return
        moved = backup.move(
            house, url, stopped=stopped, tell=_print_progress if sys.stderr.isatty() else _untold
        )
        file = house.settings.file
    if as_json:
        unproven = [{"game": name, "why": why} for name, why in moved.unproven]
        document({"moved": moved.to, "rows": moved.rows, "games": list(moved.games), "unproven": unproven})
        return
    if moved.resumed:
        say(f"{pluralise(moved.resumed, 'row')} were there already, from the first try.")
    say(f"{pluralise(len(moved.games), 'game')}, {pluralise(moved.rows, 'row')} in all, are in {moved.to}.")
    say(*(f"The log of {name} does not hold, here as there: {why}" for name, why in moved.unproven))
    if len(moved.unproven) < len(moved.games):
        say(
            f"{pluralise(len(moved.games) - len(moved.unproven), 'game')} played again: every state "
            f"identical."
        )
    say(
        "",
        f"Now name it in {file}, in [service]:",
        f'  database = "{_without_password(url)}"',
        "and start  gm serve  again.",
    )


def _print_progress(done: int, of: int) -> None:
    typer.echo(f"\r{done} of {of} rows", nl=done >= of, err=True)


def _untold(done: int, of: int) -> None:
    """Where nobody looks, nothing is counted aloud."""


def _without_password(url: str) -> str:
    """The URL with its password left out."""
    head, at, tail = url.rpartition("@")
    scheme, slashes, user = head.partition("://")
    name, colon, _ = user.partition(":")
    return f"{scheme}{slashes}{name}{colon}{'...' if colon else ''}{at}{tail}"
