"""``gm turn deadline``, ``extend``, ``hold``: the time of the turn that is due."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.admin import deadlines, game_admin
from adjudicator.cli.arguments import GameName, Json, example
from adjudicator.cli.confirm import Why, warrant
from adjudicator.cli.connect import house_of
from adjudicator.cli.game_view import game_view
from adjudicator.cli.output import document, say
from adjudicator.clock import format_instant
from adjudicator.config import moments, terms
from adjudicator.turns.calendar import zone_named

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from adjudicator.service import Service

app = typer.Typer()


@app.command(
    epilog=example(
        'gm turn deadline beaver "2026-12-01 20:00" --why "agreed on"',
        'gm turn deadline beaver "fri 20:00" --why "agreed on"',
        then="By the clocks of the game's own time zone. All who play are told.",
    )
)
def deadline(
    ctx: typer.Context,
    game: GameName,
    at: Annotated[str, typer.Argument(metavar="WHEN", help='"2026-12-01 20:00", "fri 20:00" or "20:00".')],
    why: Why = None,
    earlier: Annotated[bool, typer.Option("--earlier", help="It may be earlier than it was.")] = False,
    any_day: Annotated[
        bool, typer.Option("--any-day", help="It may fall on a day that does not count.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Set the deadline of the turn that is due; absences no longer move it. A turn that was held goes on."""
    asked = warrant(why, False)
    with house_of(ctx) as house:
        zone = zone_named(game_admin.position_of(house, game).deadlines.zone)
        wanted = moments.parse_instant(at, zone, house.clock.now())
        position = deadlines.set_deadline(house, game, wanted, asked.why, earlier=earlier, any_day=any_day)
        _say(house, position, as_json)


@app.command(
    epilog=example(
        'gm turn extend beaver 24h --why "the Iroquois have moved house"',
        then="The time is counted on days that count. All who play are told.",
    )
)
def extend(
    ctx: typer.Context,
    game: GameName,
    length: Annotated[
        str, typer.Argument(metavar="LENGTH", help="How much more time there is: 24h, 2d, 1d12h.")
    ],
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Put the deadline of the turn that is due off. A turn that was held goes on."""
    asked, more = warrant(why, False), terms.length_of(f"length {length}", length)
    with house_of(ctx) as house:
        position = deadlines.extend(house, game, more, asked.why)
        _say(house, position, as_json)


@app.command(
    epilog=example(
        'gm turn hold beaver --why "a map is wrong"',
        "gm turn hold beaver --off",
        then="gm turn process GAME  plays it all the same; the next turn has its time as always.",
    )
)
def hold(
    ctx: typer.Context,
    game: GameName,
    off: Annotated[bool, typer.Option("--off", help="Let it go on, with the time that was left.")] = False,
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Keep the turn that is due from being played, by its deadline or early, until you let it go on."""
    if off:
        with house_of(ctx) as house:
            _say(house, deadlines.resume(house, game, why or ""), as_json)
        return
    asked = warrant(why, False)
    with house_of(ctx) as house:
        position = deadlines.hold(house, game, asked.why)
    if as_json:
        document(game_view(position))
    else:
        say(f"The turn of {game} is held. Go on with  gm turn hold {game} --off")


def _say(house: Service, position: GamePosition, as_json: bool) -> None:
    if as_json:
        document(game_view(position))
        return
    if position.deadline is None:
        say(f"{position.name} goes on, and waits for its player: it has no clock.")
    else:
        say(f"Deadline of {position.name}: {format_instant(position.deadline, house.office.zone)}")
