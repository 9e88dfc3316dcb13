"""Confirmations that the terminal asks for; options answer them too."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from adjudicator.admin import overrides
from adjudicator.cli.connect import hand_of
from adjudicator.errors import Refusal

Why = Annotated[
    str | None, typer.Option("--why", metavar="TEXT", help="The reason, for the log; else you are asked.")
]
Silent = Annotated[
    bool, typer.Option("--silent", help="Leave it out of the next report; it is in the log all the same.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether it is meant.")]


def warrant(why: str | None, silent: bool) -> overrides.OverrideReason:
    """Why something is done, as the option says it or as the gamesmaster answers."""
    if why is None and sys.stdin.isatty():
        why = typer.prompt("Why? This is logged")
    if why is None or not why.strip():
        raise typer.BadParameter('give a reason, which is logged: --why "misread order"', param_hint="--why")
    return overrides.OverrideReason(" ".join(why.split()), silent, hand_of(os.environ))


def confirm(question: str, yes: bool, what: str) -> None:
    """Go on if it is meant. what: as a refusal names it. Where nobody can be asked, `--yes` is needed."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise typer.BadParameter("is needed where nobody can be asked", param_hint="--yes")
    if not typer.confirm(question):
        raise Refusal(what, "was left as it is")
