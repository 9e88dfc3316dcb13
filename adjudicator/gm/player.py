"""``gm player``: the people who play, wait and watch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.gamesmaster import players
from adjudicator.gm.confirm import Yes, confirm
from adjudicator.gm.help_examples import Json, example, noun
from adjudicator.gm.opening import house_of
from adjudicator.gm.output import counted, document, say, table
from adjudicator.reports import campaign_record

if TYPE_CHECKING:
    from adjudicator.gamesmaster.players import Acquaintance
    from adjudicator.reports.campaign_record import Chapter

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
    with house_of(ctx) as house:
        found = players.acquaintances(house)
    if as_json:
        document([_sight(one) for one in found])
    elif not found:
        say("Nobody is on the books yet. Give somebody a seat:  gm seat assign GAME SEAT ADDRESS")
    else:
        table(
            ("address", "name", "zone", "plays", "waits for", "watches"),
            [
                (
                    one.person.address,
                    one.person.name,
                    one.person.zone,
                    ", ".join(f"{seat} ({game})" for game, seat in one.plays),
                    ", ".join(one.waits_for),
                    ", ".join(one.watches),
                )
                for one in found
            ],
        )


@app.command(
    epilog=example(
        "gm player show iroquois@example.org", then="gm seat show GAME SEAT  tells of one of his seats."
    )
)
def show(ctx: typer.Context, address: Address, as_json: Json = False) -> None:
    """Show somebody: his seats, what he waits for and watches, his record in games played alone."""
    with house_of(ctx) as house:
        one = players.acquaintance(house, address)
        record = players.record(house, one.person.address)
    if as_json:
        document({**_sight(one), "record": [_chapter(chapter) for chapter in record]})
        return
    _print(one, as_json)
    if record:
        say("", campaign_record.record_text(record))


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
        one = players.describe(house, address, name, zone)
    _print(one, as_json)


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
        one = players.acquaintance(house, into)
    if as_json:
        document({"seats": seats, **_sight(one)})
        return
    say(f"{address} is {into} from now on, with {counted(seats, 'seat')}.")


def _print(one: Acquaintance, as_json: bool) -> None:
    if as_json:
        document(_sight(one))
        return
    table(
        ("player", one.person.address),
        [
            ("name", one.person.name),
            ("zone", one.person.zone),
            ("plays", ", ".join(f"{seat} in {game}" for game, seat in one.plays)),
            ("waits for", ", ".join(one.waits_for)),
            ("watches", ", ".join(one.watches)),
        ],
    )


def _chapter(one: Chapter) -> dict[str, Any]:
    """The games of a case: their ends, the best, and what bots got; counts as they are kept."""
    game, got = one.best
    bots = one.bots and {
        "bot": one.bots.bot,
        "games": one.bots.games,
        "won": round(one.bots.share("won"), 4),
        "beaten": round(one.bots.beaten(one.case, got), 4),
    }
    return {
        "kind": one.kind,
        "case": one.case.name,
        "apart": list(one.apart),
        "won": one.ended("won"),
        "drawn": one.ended("drawn"),
        "lost": one.ended("lost"),
        "counted": one.case.thing,
        "parts": one.case.parts,
        "best": {"game": game, "end": got.end, "count": got.count},
        "games": [{"game": name, "end": each.end, "count": each.count} for name, each in one.played],
        "bots": bots,
    }


def _sight(one: Acquaintance) -> dict[str, Any]:
    return {
        "address": one.person.address,
        "name": one.person.name,
        "zone": one.person.zone,
        "plays": [{"game": game, "seat": seat} for game, seat in one.plays],
        "waits_for": list(one.waits_for),
        "watches": list(one.watches),
    }
