"""``gm mail compose``: a letter of the gamesmaster's own to players of a game."""

import sys
from typing import Annotated

import typer

from adjudicator.admin import composing
from adjudicator.cli.arguments import GameName, Json, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, pluralise, say

app = typer.Typer()


@app.command(
    epilog=example(
        'gm mail compose beaver --subject "A pause" --text "We go on after the holidays."',
        'gm mail compose beaver iroquois dakota --subject "Your treaty" < letter.txt',
        then="It goes out with  gm serve  or  gm run send; gm mail list --out  shows it.",
    )
)
def compose(
    ctx: typer.Context,
    game: GameName,
    seats: Annotated[
        list[str] | None, typer.Argument(metavar="SEAT...", help="To whom; else to all people who play.")
    ] = None,
    subject: Annotated[str, typer.Option(metavar="TEXT", help="What stands above it.", prompt=True)] = "",
    text: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The letter; else it is read from standard input.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write to players of a game yourself. An empty line begins a new paragraph.

    Each letter comes from the service and can be answered with orders. Observers get none; for press, which
    they read too, there is  gm press.
    """
    if text is None:
        if sys.stdin.isatty():
            say("Write the letter; an end of file (Ctrl-D) ends it.")
        text = sys.stdin.read()
    with house_of(ctx) as house:
        letters = composing.compose(house, game, seats or (), subject, text)
    if as_json:
        document(
            [{"seat": letter.seat, "to": letter.to, "subject": letter.subject.strip()} for letter in letters]
        )
    else:
        readers = ", ".join(str(letter.seat) for letter in letters)
        say(f"{pluralise(len(letters), 'letter')} ready to be sent: {readers}.")
