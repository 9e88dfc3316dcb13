"""``gm orders read``: orders that stand in a forum, pasted into a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import forums, game_admin
from adjudicator.cli.arguments import GameName, Json
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, heading, pluralise, say
from adjudicator.errors import Refusal

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from games.protocol import Seat


READ_EXAMPLES = (
    "gm orders read beaver --from thread.txt",
    "gm orders read beaver --from thread.txt --who jane=iroquois --who joe=dakota",
    "gm orders read beaver --from post.txt --seat iroquois --dry-run",
)
READ_NOTE = 'A line  NAME:  begins what somebody wrote, as in  "Iroquois: Mohawk - Delaware".'


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
        position = game_admin.position_of(house, game)
        whose = game_admin.seat_of(position, seat) if seat else None
        thread = forums.read_thread(house, position, text, _authors(position, who or []), whose)
        if not dry_run:
            forums.file_thread(house, thread, mail)
    if as_json:
        document(
            {"game": game, "filed": not dry_run, "seats": [_plain(seat_posts) for seat_posts in thread.heard]}
        )
        return
    for seat_posts in thread.heard:
        heading(seat_posts.seat)
        say("", seat_posts.answer.text.rstrip())
    for post in thread.unknown:
        named = f"{post.author} is nobody in the game" if post.author else "nobody is named above it"
        say("", f"Left out: {pluralise(len(post.lines), 'line')} from line {post.at} on, since {named}.")
    filed = sum(seat_posts.act is not None for seat_posts in thread.heard)
    say("", f"Only looked at: nothing is filed in {game}." if dry_run else _filed_text(game, filed))


def _filed_text(game: str, filed: int) -> str:
    return (
        f"Orders of {pluralise(filed, 'seat')} are filed in {game}."
        if filed
        else f"Nothing changed in {game}."
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


def _authors(position: GamePosition, given: list[str]) -> dict[str, Seat]:
    seat_by_author = {}
    for text in given:
        name, sign, seat = text.partition("=")
        if not sign or not name.strip():
            raise typer.BadParameter(f"{text} is not NAME=SEAT", param_hint="--who")
        seat_by_author[name.strip()] = game_admin.seat_of(position, seat.strip())
    return seat_by_author


def _plain(heard: forums.SeatPosts) -> dict[str, Any]:
    return {
        "seat": heard.seat,
        "changed": heard.act is not None,
        "orders": [
            {"line": row.line, "grade": row.grade, "read_as": row.said, "problem": row.problem}
            for row in heard.filed.rows
        ],
        "answer": heard.answer.text,
    }
