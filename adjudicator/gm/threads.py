"""``gm orders read``: orders that stand in a forum, pasted into a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.errors import Refusal
from adjudicator.gamesmaster import conduct, forum_orders
from adjudicator.gm.help_examples import GameName, Json
from adjudicator.gm.opening import house_of
from adjudicator.gm.output import counted, document, heading, say

if TYPE_CHECKING:
    from adjudicator.ledger.positions import Position
    from games.protocol import Seat


EXAMPLES = (
    "gm orders read beaver --from thread.txt",
    "gm orders read beaver --from thread.txt --who jane=iroquois --who joe=dakota",
    "gm orders read beaver --from post.txt --seat iroquois --dry-run",
)
THEN = 'A line  NAME:  begins what somebody wrote, as in  "Iroquois: Mohawk - Delaware".'


def read(
    ctx: typer.Context,
    game: GameName,
    source: Annotated[str, typer.Option("--from", metavar="FILE", help="The thread; - is standard input.")],
    who: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SEAT", help="Whose orders an author of the forum writes; may be repeated."
        ),
    ] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="All of FILE is that seat's, whoever wrote it.")
    ] = None,
    mail: Annotated[bool, typer.Option("--mail", help="Mail each player his answer too.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be filed.")] = False,
    as_json: Json = False,
) -> None:
    """Read orders out of a forum's thread or post, and file them.

    Each line is judged as in a letter, and the answer is the one that the player would get by mail: paste it
    below his post, or let it be mailed.
    """
    text = _text(source)
    with house_of(ctx) as house:
        position = conduct.position_of(house, game)
        whose = conduct.seat_of(position, seat) if seat else None
        thread = forum_orders.read_thread(house, position, text, _authors(position, who or []), whose)
        if not dry_run:
            forum_orders.file_thread(house, thread, mail)
    if as_json:
        document({"game": game, "filed": not dry_run, "seats": [_plain(one) for one in thread.heard]})
        return
    for one in thread.heard:
        heading(one.seat)
        say("", one.answer.text.rstrip())
    for post in thread.unknown:
        named = f"{post.author} is nobody in the game" if post.author else "nobody is named above it"
        say("", f"Left out: {counted(len(post.lines), 'line')} from line {post.at} on, since {named}.")
    filed = sum(one.act is not None for one in thread.heard)
    say("", f"Only looked at: nothing is filed in {game}." if dry_run else _done(game, filed))


def _done(game: str, filed: int) -> str:
    return (
        f"Orders of {counted(filed, 'seat')} are filed in {game}." if filed else f"Nothing changed in {game}."
    )


def _text(source: str) -> str:
    if source == "-":
        return sys.stdin.read()
    try:
        return Path(source).read_text(encoding="utf-8")
    except OSError as fault:
        raise Refusal(source, f"cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise Refusal(source, "is no text in UTF-8", "save it as UTF-8, or paste it afresh") from fault


def _authors(position: Position, given: list[str]) -> dict[str, Seat]:
    found = {}
    for one in given:
        name, sign, seat = one.partition("=")
        if not sign or not name.strip():
            raise typer.BadParameter(f"{one} is not NAME=SEAT", param_hint="--who")
        found[name.strip()] = conduct.seat_of(position, seat.strip())
    return found


def _plain(heard: forum_orders.Heard) -> dict[str, Any]:
    return {
        "seat": heard.seat,
        "changed": heard.act is not None,
        "orders": [
            {"line": row.line, "grade": row.grade, "read_as": row.said, "problem": row.problem}
            for row in heard.filed.rows
        ],
        "answer": heard.answer.text,
    }
