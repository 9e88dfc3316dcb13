"""``gm bot``: positions in JSON in, a bot's orders and its reasons out."""

from contextlib import closing
from typing import Annotated

import typer

from adjudicator import judge
from adjudicator.cli.arguments import Json, Kind, alone, example
from adjudicator.cli.questions import Lines, answer_all
from adjudicator.tournament import external_bots

app = alone()


@app.command(
    epilog=example(
        "gm bot indianomacy < position.json",
        "gm bot indianomacy --lines < positions.jsonl > answers.jsonl",
        'gm bot standard --stdio "python3 mybot.py" < position.json',
        then='The position is that of  gm judge  with the seat that the bot is to play: "seat": "Dakota".',
    )
)
def bot(
    kind: Kind,
    lines: Lines = False,
    stdio: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="Ask a bot of your own: COMMAND starts it. docs/own-bots.md says what it is told.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask a bot what it would order in a position given as JSON, and why."""
    if stdio is not None:
        ask, process = external_bots.ask_external(kind, stdio)
        with closing(process):
            answer_all(ask, lines)
        return
    answer_all(judge.find_bot(kind), lines)
