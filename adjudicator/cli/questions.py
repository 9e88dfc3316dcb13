"""Questions in JSON on standard input, answered on standard output: one, or one a line."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from adjudicator import judge

Lines = Annotated[
    bool, typer.Option("--lines", help="Read one question a line, and answer each on a line of its own.")
]
"""The option of the commands that answer many questions in one process."""


def answer_all(ask: Callable[[Any], Any], lines: bool) -> None:
    """Answer what stands on standard input. Exits with 1 if anything there cannot be answered."""
    asked = typer.get_binary_stream("stdin")
    if not lines:
        reply, good = judge.answer_question(ask, asked.read())
        typer.echo(judge.format_json(reply, on_a_line=False))
    else:
        good = True
        for line in asked:
            if line.strip():
                reply, answered = judge.answer_question(ask, line)
                typer.echo(judge.format_json(reply, on_a_line=True))
                good &= answered
    if not good:
        raise typer.Exit(1)
