"""``gm seat``: who sits where, and what he has on file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

import games
from adjudicator.admin import game_admin, lookup, seats
from adjudicator.admin import seats as admin_seats
from adjudicator.cli import views
from adjudicator.cli.arguments import GameName, Json, SeatName, Why, Yes, confirm, example, noun, warrant
from adjudicator.cli.connect import config_of, open_service
from adjudicator.cli.output import document, pluralise, say, table
from adjudicator.cli.views import bot_line, seat_view
from adjudicator.model import orders_on_file
from adjudicator.reports import messages

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from adjudicator.service import Service
    from games.protocol import Seat


seat_app = noun(
    "Give seats to people, and see what they have on file.",
    "gm seat assign beaver iroquois you@example.org",
    'gm seat replace beaver iroquois else@example.org --why "the player has left"',
    "gm seat bot beaver dakota intermediate raider",
    "gm seat show beaver iroquois",
)


@seat_app.command(
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
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.")] = "",
    as_json: Json = False,
) -> None:
    """Give a seat to a person, or back to its bot.

    A person is mailed a welcome with the map, how to order, and a password. What the one before was told,
    reply addresses and password, is void.
    """
    with open_service(ctx) as service:
        to = None if address.lower() == "bot" else address
        game_admin.assign(service, game, seat, to, why)
        position = game_admin.position_of(service, game)
    at = game_admin.seat_of(position, seat)
    if as_json:
        document(seat_view(position, at))
    elif to is None:
        say(f"{at} in {game} is played by its bot from now on.")
    else:
        say(f"{at} in {game} is played by {position.assignments[at].address} from now on.")
        say("The welcome, with the password, is ready to be sent.")


@seat_app.command(
    epilog=example(
        "gm seat bot beaver dakota intermediate",
        "gm seat bot beaver dakota intermediate raider",
        "gm seat bot beaver dakota beginner drawn",
        then="gm rules KIND  lists the levels, the weakest first, and the temperaments.",
    )
)
def bot(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    level: Annotated[str, typer.Argument(metavar="LEVEL", help="How well it plays.")],
    temperament: Annotated[
        str | None,
        typer.Argument(metavar="[TEMPERAMENT|drawn]", help="In which manner; drawn: by the game's dice."),
    ] = None,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.")] = "",
    as_json: Json = False,
) -> None:
    """Say which bot plays a seat while nobody holds it, and from when somebody leaves it."""
    with open_service(ctx) as service:
        game_admin.set_bot(service, game, seat, level, temperament, why)
        position = game_admin.position_of(service, game)
    at = game_admin.seat_of(position, seat)
    details = seat_view(position, at)
    if as_json:
        document(details)
    elif details["address"]:
        say(f"Once nobody holds {at} in {game}, it is played by a {bot_line(details)}.")
    else:
        say(f"{at} in {game} is played by a {bot_line(details)} from now on.")


@seat_app.command(
    epilog=example(
        'gm seat replace beaver iroquois else@example.org --why "the player has left"',
        then="The welcome goes out with  gm serve  or  gm run send.",
    )
)
def replace(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who plays it from now on.")],
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Give a seat that somebody holds to somebody else.

    He is mailed the position and a password; what is on file stays. The one before and all others are told.
    """
    asked = warrant(why, False)
    with open_service(ctx) as service:
        seats.replace_player(service, game, seat, address, asked.why)
        position = game_admin.position_of(service, game)
    _say_changed(position, seat, as_json, "The welcome, with the password, is ready to be sent.")


@seat_app.command(
    epilog=example(
        'gm seat kick beaver iroquois --why "no orders in three turns"',
        'gm seat kick beaver iroquois --no-offer --why "asked to leave"',
        then="Whoever waits for a seat of the game is mailed the position, and may take it.",
    )
)
def kick(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    why: Why = None,
    offer: Annotated[
        bool, typer.Option("--offer/--no-offer", help="Offer the seat to whoever is on the waiting list.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Take a seat from a person; its bot plays it until somebody takes it over."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        seats.kick(service, game, seat, asked.why, offer=offer)
        position = game_admin.position_of(service, game)
    _say_changed(position, seat, as_json, "The seat may be taken by mail:  JOIN" if offer else None)


@seat_app.command(
    epilog=example(
        'gm seat rekey beaver iroquois --why "the password was shown around"',
        then="The new ones go to the player alone, with  gm serve  or  gm run send.",
    )
)
def rekey(ctx: typer.Context, game: GameName, seat: SeatName, why: Why = None, as_json: Json = False) -> None:
    """Make the reply addresses and the password of a seat void, and mail its player new ones."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        seats.rekey(service, game, seat, asked.why)
        position = game_admin.position_of(service, game)
    _say_changed(position, seat, as_json, "The new keys are ready to be sent; the old ones are void.")


@seat_app.command(
    "show",
    epilog=example(
        "gm seat show beaver iroquois",
        then="Whoever writes to the reply address speaks for the seat: show it to nobody else.",
    ),
)
def show_seat(ctx: typer.Context, game: GameName, seat: SeatName, as_json: Json = False) -> None:
    """Show a seat: who plays it, its orders on file, its reply address, trouble with its mail."""
    with open_service(ctx) as service:
        position = game_admin.position_of(service, game)
        at = game_admin.seat_of(position, seat)
        details = _full_details(service, position, at)
    if as_json:
        document(details)
        return
    says = [word for word, is_set in (("WAIT", details["wait"]), ("READY", details["ready"])) if is_set]
    table(
        ("seat", at),
        [
            ("game", f"{game}, {details['turn']}"),
            ("player", details["address"] or bot_line(details)),
            ("its bot", bot_line(details) if details["address"] else None),
            ("reply address", details["reply_address"]),
            ("says", ", ".join(says)),
            ("missing", ", ".join(details["missing"])),
            ("turns missed", details["missed"]),
            ("trouble", details["trouble"]),
        ],
    )
    say("", "Orders on file:" if details["orders"] else "No orders on file.")
    say(*("  " + order for order in details["orders"]))


def _say_changed(position: GamePosition, seat: str, as_json: bool, then: str | None) -> None:
    at = game_admin.seat_of(position, seat)
    if as_json:
        document(seat_view(position, at))
        return
    player = position.assignments[at].address or "its bot"
    say(f"{at} in {position.name} is played by {player}.")
    if then:
        say(f"{then} {position.name} {at}" if then.endswith("JOIN") else then)


def _full_details(service: Service, position: GamePosition, seat: Seat) -> dict[str, Any]:
    game = games.kinds()[position.kind]
    assignment = position.assignments[seat]
    reply = None
    if assignment.address is not None and position.is_running:
        reply = messages.reader_of(
            position, assignment, assignment.address, service.repository, service.service_context
        ).reply_address
    return {
        "game": position.name,
        "turn": game.rules.turn(position.state).short if position.is_running else position.status,
        **seat_view(position, seat),
        "reply_address": reply,
        "orders": [orders_on_file.write_item(game, item) for item in position.filed.get(seat, ())],
    }


# ``gm player``: show and change the people who play, wait and watch.


player_app = noun(
    "See who plays, waits and watches; names and time zones.",
    "gm player list",
    "gm player show iroquois@example.org",
    'gm player set iroquois@example.org --name "Player of the Iroquois" --zone Europe/Berlin',
)

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="By which somebody is known.")]


@player_app.command(
    "list", epilog=example("gm player list", then="gm player show ADDRESS  tells more of one.")
)
def list_players(ctx: typer.Context, as_json: Json = False) -> None:
    """List everybody in the database."""
    views.show_players(config_of(ctx), as_json=as_json)


@player_app.command(
    "show",
    epilog=example(
        "gm player show iroquois@example.org", then="gm seat show GAME SEAT  tells of one of his seats."
    ),
)
def show_player(ctx: typer.Context, address: Address, as_json: Json = False) -> None:
    """Show somebody: his seats, what he waits for and watches, his record in games played alone."""
    views.show_person(config_of(ctx), address, as_json=as_json)


@player_app.command(
    "set", epilog=example('gm player set iroquois@example.org --name "The Iroquois" --zone Berlin')
)
def set_player(
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
        raise typer.BadParameter("add --name or --zone")
    with open_service(ctx) as service:
        person_report = admin_seats.set_person_details(service, address, name, zone)
    if as_json:
        document(views.details_of(person_report))
    else:
        views.say_person(person_report)


@player_app.command(
    "merge",
    epilog=example(
        "gm player merge old@example.org new@example.org --yes",
        then="New letters go to the new address; send the player a report of his games.",
    ),
)
def merge_players(
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
    with open_service(ctx) as service:
        seats = admin_seats.merge_people(service, address, into)
        person_report = lookup.find_person(service, into)
    if as_json:
        document({"seats": seats, **views.details_of(person_report)})
        return
    say(f"{address} is {into} from now on, with {pluralise(seats, 'seat')}.")
