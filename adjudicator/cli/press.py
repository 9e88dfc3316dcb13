"""``gm press``: what players write to each other, and what the gamesmaster writes to them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.admin import game_admin, players
from adjudicator.auth import reply_tokens as reply_keys
from adjudicator.cli.arguments import GameName, Json, example, noun
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, heading, say, stamp
from adjudicator.clock import format_instant
from games import record

if TYPE_CHECKING:
    from adjudicator.model.people import Press

app = noun(
    "Write to the players of a game, and read what they write to each other.",
    'gm press send beaver "The deadline moves to Friday."',
    "gm press show beaver",
)


@app.command(
    epilog=example(
        'gm press send beaver "The deadline moves to Friday."',
        'gm press send beaver --to iroquois --to dakota "Please read the rules on canoes."',
        "gm press send beaver - < notice.txt",
        then="It goes out with  gm serve  or  gm run send,  and stands in the next report.",
    )
)
def send(
    ctx: typer.Context,
    game: GameName,
    text: Annotated[str, typer.Argument(metavar="TEXT|-", help="What to say; - reads it from a pipe.")],
    to: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT", help="To whom; all, if nobody is named. May be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write to the players of a game as the gamesmaster, and to those who watch."""
    content = sys.stdin.read() if text == "-" else text
    with house_of(ctx) as house:
        press = players.write(house, game, to or (), content)
    if as_json:
        document(_sight(press))
    else:
        say(f"{press.heading}: ready to be sent.")


@app.command(
    epilog=example("gm press show beaver", then="Press is secret between those who wrote and read it.")
)
def show(ctx: typer.Context, game: GameName, as_json: Json = False) -> None:
    """Show all press of a game, with those who wrote it, signed or not."""
    with house_of(ctx) as house:
        game_admin.position_of(house, game)
        keys, zone = reply_keys.reply_tokens_of_game(game, house.books, house.office), house.office.zone
        dispatches = [
            record.replace_fields(dispatch, text=keys.redact(dispatch.text))
            for dispatch in house.books.people.press(game)
        ]
    if as_json:
        document([_sight(press) for press in dispatches])
    elif not dispatches:
        say(f"Nobody has written anything in {game}.")
    for press in dispatches if not as_json else ():
        to = ", ".join(press.to) if press.to else "all"
        whom = f"{press.seat or 'the gamesmaster'} to {to} ({press.kind})"
        heading(f"{press.turn}, {format_instant(press.at, zone)}: {whom}")
        say(press.text)


def _sight(press: Press) -> dict[str, object]:
    """A piece of press. from: null is the gamesmaster; to: null is everybody."""
    return {
        "turn": press.turn,
        "at": stamp(press.at),
        "from": press.seat,
        "to": None if press.to is None else list(press.to),
        "kind": press.kind,
        "text": press.text,
    }
