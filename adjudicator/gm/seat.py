"""``gm seat``: who sits where, and what he has on file."""

from typing import Annotated, Any

import typer

import games
from adjudicator import gamesmaster
from adjudicator.gm.lessons import GameName, Json, SeatName, example, noun
from adjudicator.gm.opening import house_of
from adjudicator.gm.paper import document, say, table
from adjudicator.gm.sight import seat_sight
from adjudicator.house import House
from adjudicator.ledger import Position
from adjudicator.pigeonhole import written
from adjudicator.reports.reader import reader_of
from games.protocol import Seat

app = noun(
    "Give seats to people, and see what they have on file.",
    "gm seat assign beaver iroquois you@example.org",
    "gm seat show beaver iroquois",
)


@app.command(
    epilog=example(
        "gm seat assign beaver iroquois you@example.org",
        "gm seat assign beaver iroquois bot",
        then="The welcome goes out with  gm serve  or  gm run send.",
    )
)
def assign(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    address: Annotated[str, typer.Argument(metavar="ADDRESS|bot", help="Who plays it from now on.")],
    as_json: Json = False,
) -> None:
    """Give a seat to a person, or back to its bot.

    A person is mailed a welcome with the map, how to order, and a password. What the one before was told,
    reply addresses and password, is void.
    """
    with house_of(ctx) as house:
        to = None if address.lower() == "bot" else address
        gamesmaster.assign(house, game, seat, to)
        position = gamesmaster.position_of(house, game)
    at = gamesmaster.seat_of(position, seat)
    if as_json:
        document(seat_sight(position, at))
    elif to is None:
        say(f"{at} in {game} is played by its bot from now on.")
    else:
        say(f"{at} in {game} is played by {position.chairs[at].address} from now on.")
        say("The welcome, with the password, is ready to be sent.")


@app.command(
    epilog=example(
        "gm seat show beaver iroquois",
        then="Whoever writes to the reply address speaks for the seat: show it to nobody else.",
    )
)
def show(ctx: typer.Context, game: GameName, seat: SeatName, as_json: Json = False) -> None:
    """Show a seat: who plays it, its orders on file, its reply address, trouble with its mail."""
    with house_of(ctx) as house:
        position = gamesmaster.position_of(house, game)
        at = gamesmaster.seat_of(position, seat)
        sight = _full_sight(house, position, at)
    if as_json:
        document(sight)
        return
    says = [word for word, said in (("WAIT", sight["wait"]), ("READY", sight["ready"])) if said]
    table(
        ("seat", at),
        [
            ("game", f"{game}, {sight['turn']}"),
            ("player", sight["address"] or f"bot ({sight['bot']})"),
            ("reply address", sight["reply_address"]),
            ("says", ", ".join(says)),
            ("missing", ", ".join(sight["missing"])),
            ("turns missed", sight["missed"]),
            ("trouble", sight["trouble"]),
        ],
    )
    say("", "Orders on file:" if sight["orders"] else "No orders on file.")
    say(*("  " + order for order in sight["orders"]))


def _full_sight(house: House, position: Position, seat: Seat) -> dict[str, Any]:
    game = games.kinds()[position.kind]
    chair = position.chairs[seat]
    reply = None
    if chair.address is not None and position.running:
        reply = reader_of(position, chair, chair.address, house.books, house.office).reply_address
    return {
        "game": position.name,
        "turn": game.rules.turn(position.state).short if position.running else position.status,
        **seat_sight(position, seat),
        "reply_address": reply,
        "orders": [written(game, item) for item in position.filed.get(seat, ())],
    }
