"""Emails, kinds, seats and positions that the command line names, and ``gm bot`` and ``gm judge``."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator import external_bots, judge
from adjudicator.cli import connect
from adjudicator.cli.arguments import Json, Kind, alone, example
from adjudicator.errors import Refusal
from adjudicator.inbound import dry_run
from adjudicator.model import addresses
from games import protocol

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from games.protocol import Game, Seat, State


def letter_at(place: str) -> bytes:
    """Return the bytes of an email in a file, or on standard input for ``-``. Raises Refusal."""
    if place == "-":
        return typer.get_binary_stream("stdin").read()
    try:
        return Path(place).read_bytes()
    except OSError as fault:
        raise Refusal(f"Can't read {place}", f"{fault.strerror}") from fault


def position_in(game: Game, place: str | None) -> GamePosition:
    """Return the position in a JSON file, or the opening for None. Raises Refusal."""
    try:
        return dry_run.position_of(game, dry_run.opening_of(game) if place is None else _state(game, place))
    except protocol.Invalid as fault:
        raise Refusal(f"position: {fault.what}".rstrip(": "), fault.why, fault.instead) from fault


def seat_in(position: GamePosition, text: str) -> Seat:
    """Return the seat of that name, in upper or lower case. Raises Refusal."""
    for seat in position.assignments:
        if addresses.short_seat_name(seat) == addresses.short_seat_name(text):
            return seat
    raise Refusal(f'No seat called "{text}"', "", f"Seats: {', '.join(position.assignments)}")


def _state(game: Game, place: str) -> State:
    if game.whatif is None:
        raise Refusal(
            f"Can't read a position of {game.about.kind}",
            "this game doesn't support it",
            "Leave out --position",
        )
    try:
        question = json.loads(letter_at(place))
    except (ValueError, RecursionError) as fault:
        raise Refusal(f"Can't read the position in {place}", f"it isn't JSON: {fault}") from fault
    return game.whatif.position(question)


# JSON questions on standard input get their answers on standard output: one question, or one per line.


Lines = Annotated[
    bool, typer.Option("--lines", help="Read one question per line, and print one answer per line.")
]
"""The option of commands that answer many questions in one process."""


def answer_all(ask: Callable[[Any], Any], lines: bool) -> None:
    """Answer the questions on standard input. Exits with 1 if one of them can't be answered."""
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


# ``gm bot``: read a position in JSON and print a bot's orders with its reasons.


bot_app = alone()


@bot_app.command(
    epilog=example(
        "gm bot indianomacy < position.json",
        "gm bot indianomacy --lines < positions.jsonl > answers.jsonl",
        'gm bot standard --stdio "python3 mybot.py" < position.json',
        then='Use a position as for "gm judge", and add the bot\'s seat: "seat": "Dakota".',
    )
)
def bot(
    ctx: typer.Context,
    kind: Kind,
    lines: Lines = False,
    stdio: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="The command that starts your own bot; see docs/own-bots.md.",
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
    connect.use_own_variants(ctx)
    answer_all(judge.find_bot(kind), lines)


# ``gm judge``: read a position and orders in JSON and print the outcome and the next position.


judge_app = alone()


@judge_app.command(
    "judge",
    epilog=example(
        "gm judge indianomacy < position.json",
        "gm judge indianomacy --lines < positions.jsonl > answers.jsonl",
        then=(
            'A question looks like {"phase": "S1M", "units": {"Dakota": ["W Santee"]}, '
            '"orders": {"Dakota": ["W Santee - Menominee"]}}. See docs/judge.md for the '
            "rest."
        ),
    ),
)
def judge_position(ctx: typer.Context, kind: Kind, lines: Lines = False, as_json: Json = False) -> None:
    """Adjudicate a position given as JSON on standard input."""
    connect.use_own_variants(ctx)
    answer_all(judge.find_judge(kind), lines)
