"""``gm player``: the people who play, wait and watch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.admin import acquaintances, players
from adjudicator.cli import look_players
from adjudicator.cli.arguments import Json, example, noun
from adjudicator.cli.confirm import Yes, confirm
from adjudicator.cli.connect import config_of, house_of
from adjudicator.cli.output import document, pluralise, say

if TYPE_CHECKING:
    from adjudicator.admin.acquaintances import PersonReport

app = noun(
    "See who plays, waits and watches; names and time zones.",
    "gm player list",
    "gm player show iroquois@example.org",
    'gm player set iroquois@example.org --name "Player of the Iroquois" --zone Europe/Berlin',
)

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="By which somebody is known.")]


@app.command("list", epilog=example("gm player list", then="gm player show ADDRESS  tells more of one."))
def list_players(ctx: typer.Context, as_json: Json = False) -> None:
    """List everybody on the books."""
    look_players.show_all(config_of(ctx), as_json=as_json)


@app.command(
    epilog=example(
        "gm player show iroquois@example.org", then="gm seat show GAME SEAT  tells of one of his seats."
    )
)
def show(ctx: typer.Context, address: Address, as_json: Json = False) -> None:
    """Show somebody: his seats, what he waits for and watches, his record in games played alone."""
    look_players.show(config_of(ctx), address, as_json=as_json)


@app.command("set", epilog=example('gm player set iroquois@example.org --name "The Iroquois" --zone Berlin'))
def describe(
    ctx: typer.Context,
    address: Address,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help='What others may call him; "" strikes it out.')
    ] = None,
    zone: Annotated[
        str | None, typer.Option(metavar="ZONE", help='Where he lives, as Europe/Berlin; "" strikes it out.')
    ] = None,
    as_json: Json = False,
) -> None:
    """Note what somebody is called, and by which clocks he is told deadlines.

    Players set their zone themselves with a TIMEZONE in a letter.
    """
    if name is None and zone is None:
        raise typer.BadParameter("say --name or --zone")
    with house_of(ctx) as house:
        person_report = players.describe(house, address, name, zone)
    _print(person_report, as_json)


@app.command(
    epilog=example(
        "gm player merge old@example.org new@example.org --yes",
        then="New letters go to the new address; send the player a report of his games.",
    )
)
def merge(
    ctx: typer.Context,
    address: Address,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The address that stays.")],
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Let somebody go by another address in all his games.

    What was mailed to the old address speaks for his seats no longer; his passwords stay.
    """
    confirm(f"Everything of {address} goes to {into}. Go on?", yes, f"player {address}")
    with house_of(ctx) as house:
        seats = players.merge(house, address, into)
        person_report = acquaintances.of(house, into)
    if as_json:
        document({"seats": seats, **look_players.sight_of(person_report)})
        return
    say(f"{address} is {into} from now on, with {pluralise(seats, 'seat')}.")


def _print(person_report: PersonReport, as_json: bool) -> None:
    if as_json:
        document(look_players.sight_of(person_report))
        return
    look_players.say_person(person_report)
