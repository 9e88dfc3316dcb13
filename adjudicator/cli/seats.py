"""``gm seat`` and ``gm player``: the players of seats, and all people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import game_admin, lookup, seats
from adjudicator.admin import seats as admin_seats
from adjudicator.cli import views
from adjudicator.cli.arguments import GameName, Json, SeatName, Why, Yes, confirm, example, noun, warrant
from adjudicator.cli.connect import config_of, open_service
from adjudicator.cli.output import document, pluralise, say, table
from adjudicator.cli.views import bot_line, seat_view, turnout_line
from adjudicator.errors import Refusal
from adjudicator.model import orders_on_file
from adjudicator.reports import messages
from games.record import format_indented

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from adjudicator.service import Service
    from games.protocol import Seat


seat_app = noun(
    "Assign seats to players and bots, and show saved orders.",
    "gm seat assign beaver iroquois you@example.org",
    'gm seat replace beaver iroquois else@example.org --why "the player has left"',
    "gm seat bot beaver dakota intermediate raider",
    "gm seat show beaver iroquois",
)


@seat_app.command(
    epilog=example(
        "gm seat assign beaver iroquois you@example.org",
        "gm seat assign beaver iroquois bot",
        then='"gm serve" or "gm run send" sends the welcome.',
    )
)
def assign(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS|bot", help='The address of the new player, or "bot".')
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.")] = "",
    as_json: Json = False,
) -> None:
    """Assign a seat to a player, or give it back to its bot.

    The player gets a welcome email with the map, how to order and a password. The reply addresses and
    password of the previous player no longer work.
    """
    with open_service(ctx) as service:
        to = None if address.lower() == "bot" else address
        game_admin.assign(service, game, seat, to, why)
        position = game_admin.position_of(service, game)
        turnout = turnout_line(lookup.turnout_of(service, to, service.clock.now())) if to else ""
    at = game_admin.seat_of(position, seat)
    if as_json:
        document(seat_view(position, at))
    elif to is None:
        say(f"A bot now plays {at} in {game}.")
    else:
        say(f"{position.assignments[at].address} now plays {at} in {game}.")
        say(turnout)
        say("The welcome, with the password, is ready to be sent.")


@seat_app.command(
    epilog=example(
        "gm seat bot beaver dakota intermediate",
        "gm seat bot beaver dakota intermediate raider",
        "gm seat bot beaver dakota beginner drawn",
        "gm seat bot crown england mine",
        then='"gm rules KIND" lists the levels, the weakest first, and the personalities.',
    )
)
def bot(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    level: Annotated[
        str,
        typer.Argument(metavar="LEVEL", help='The level of the bot, or one of your own ("gm seat bots").'),
    ],
    temperament: Annotated[
        str | None,
        typer.Argument(
            metavar="[TEMPERAMENT|drawn]", help="The personality of the bot; drawn: a random one."
        ),
    ] = None,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.")] = "",
    as_json: Json = False,
) -> None:
    """Choose the bot that plays a seat when no player holds it."""
    with open_service(ctx) as service:
        game_admin.set_bot(service, game, seat, level, temperament, why)
        position = game_admin.position_of(service, game)
    at = game_admin.seat_of(position, seat)
    details = seat_view(position, at)
    if as_json:
        document(details)
    elif details["address"]:
        say(f"If no player holds {at} in {game}, a {bot_line(details)} will play it.")
    else:
        say(f"A {bot_line(details)} now plays {at} in {game}.")


@seat_app.command(
    "bots",
    epilog=example(
        "gm seat bots",
        "gm seat bots --agree mine",
        then='"gm seat bot GAME SEAT NAME" gives a seat to one of them.',
    ),
)
def own_bots(
    ctx: typer.Context,
    agree: Annotated[
        str | None,
        typer.Option("--agree", metavar="NAME", help="Agree to start this bot's command on this machine."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List your own bots in gm.toml, and agree to start their commands.

    A gm.toml from another person's backup could name any command, so none starts before you agree. If a
    command changes, agree again.
    """
    views.show_own_bots(config_of(ctx), agree, as_json=as_json)


@seat_app.command(
    epilog=example(
        'gm seat replace beaver iroquois else@example.org --why "the player has left"',
        then='"gm serve" or "gm run send" sends the welcome.',
    )
)
def replace(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help='The address of the new player, or "bot".')
    ],
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Replace the player of a seat.

    The new player gets the position and a password; saved orders stay. The previous player and all others get
    an email.
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
        then=("Players on the waiting list get an email with the position, and can take the seat."),
    )
)
def kick(
    ctx: typer.Context,
    game: GameName,
    seat: SeatName,
    why: Why = None,
    offer: Annotated[
        bool, typer.Option("--offer/--no-offer", help="Offer the seat to the players on the waiting list.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Remove a player from a seat. Its bot plays until another player takes it over."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        seats.kick(service, game, seat, asked.why, offer=offer)
        position = game_admin.position_of(service, game)
    _say_changed(position, seat, as_json, "To take the seat, players email: JOIN" if offer else None)


@seat_app.command(
    epilog=example(
        'gm seat rekey beaver iroquois --why "the password was shown around"',
        then='"gm serve" or "gm run send" sends the new ones to the player only.',
    )
)
def rekey(ctx: typer.Context, game: GameName, seat: SeatName, why: Why = None, as_json: Json = False) -> None:
    """Replace the reply addresses and password of a seat, and email its player the new ones."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        seats.rekey(service, game, seat, asked.why)
        position = game_admin.position_of(service, game)
    _say_changed(
        position,
        seat,
        as_json,
        "The new reply address and password are ready to be sent. The old ones no longer work.",
    )


@seat_app.command(
    epilog=example(
        "gm seat waiting fox",
        then='"gm seat admit fox ADDRESS" lets in a player who waits for your consent.',
    ),
)
def waiting(ctx: typer.Context, game: GameName, as_json: Json = False) -> None:
    """List those who have signed up for a game or wait for a seat, and who needs your consent and why.

    Nobody else learns why they wait.
    """
    views.show_waiting(config_of(ctx), game, as_json=as_json)


@seat_app.command(
    epilog=example(
        'gm seat admit fox else@example.org --why "they were ill last year"',
        then="In a running game they get an email for each free seat, and take one with JOIN.",
    ),
)
def admit(
    ctx: typer.Context,
    game: GameName,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The player who waits.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.")] = "",
    as_json: Json = False,
) -> None:
    """Consent to a seat for a player who has to wait for that.

    They wait because of their record, because there are two newcomers already, or because of a block.
    """
    with open_service(ctx) as service:
        can_join = seats.admit(service, game, address, why)
    if as_json:
        document({"game": game, "address": lookup.address_of(address), "can_join": can_join})
        return
    say(f"{lookup.address_of(address)} can have a seat in {game}.")
    if can_join:
        say("An email about the free seat is ready to be sent.")


@seat_app.command(
    "show",
    epilog=example(
        "gm seat show beaver iroquois",
        then="Keep the reply address secret: anyone who has it can send orders for the seat.",
    ),
)
def show_seat(ctx: typer.Context, game: GameName, seat: SeatName, as_json: Json = False) -> None:
    """Show a seat: its player, saved orders, reply address and mail problems."""
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
    say("", "Saved orders:" if details["orders"] else "No saved orders.")
    say(*("  " + order for order in details["orders"]))


def _say_changed(position: GamePosition, seat: str, as_json: bool, then: str | None) -> None:
    at = game_admin.seat_of(position, seat)
    if as_json:
        document(seat_view(position, at))
        return
    player = position.assignments[at].address or "its bot"
    say(f"Player of {at} in {position.name}: {player}.")
    if then:
        say(f"{then} {position.name} {at}" if then.endswith("JOIN") else then)


def _full_details(service: Service, position: GamePosition, seat: Seat) -> dict[str, Any]:
    game = position.game
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
    "Show who plays, waits and observes; set names; export or forget a person.",
    "gm player list",
    "gm player show iroquois@example.org",
    'gm player ban else@example.org --why "threats in press"',
    'gm player set iroquois@example.org --name "Player of the Iroquois" --zone Europe/Berlin',
    "gm player export iroquois@example.org --out iroquois.json",
)

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="The player's address.")]


@player_app.command(
    "list", epilog=example("gm player list", then='"gm player show ADDRESS" shows one of them.')
)
def list_players(
    ctx: typer.Context,
    banned: Annotated[bool, typer.Option("--banned", help="List those who are banned, and why.")] = False,
    as_json: Json = False,
) -> None:
    """List all players."""
    if banned:
        views.show_bans(config_of(ctx), as_json=as_json)
    else:
        views.show_players(config_of(ctx), as_json=as_json)


@player_app.command(
    epilog=example(
        'gm player ban else@example.org --why "threats in press"',
        then='"gm player unban ADDRESS" takes it back.',
    ),
)
def ban(ctx: typer.Context, address: Address, why: Why = None, as_json: Json = False) -> None:
    """Let a player into no further game.

    They can't join, start or observe games, and are taken off all waiting lists. If they try, they read that
    the GM has decided so. Their seats in running games stay theirs: "gm seat kick" takes one away.
    """
    asked = warrant(why, False)
    with open_service(ctx) as service:
        report = admin_seats.ban_player(service, address, asked.why)
    if as_json:
        document(views.details_of(report))
        return
    say(f"{report.person.address} can't join, start or observe games here any more.")
    for game, seat in report.plays:
        say(f"They still play {seat} in {game}. To remove them:")
        say(f"  gm seat kick {game} {seat.lower()} --why REASON")


@player_app.command(epilog=example("gm player unban else@example.org"))
def unban(ctx: typer.Context, address: Address, as_json: Json = False) -> None:
    """Let a banned player play again."""
    with open_service(ctx) as service:
        admin_seats.lift_ban(service, address)
    if as_json:
        document({"address": lookup.address_of(address), "banned": None})
        return
    say(f"{lookup.address_of(address)} can play again.")


@player_app.command(
    "show",
    epilog=example(
        "gm player show iroquois@example.org", then='"gm seat show GAME SEAT" shows one of their seats.'
    ),
)
def show_player(ctx: typer.Context, address: Address, as_json: Json = False) -> None:
    """Show a player: their seats, what they wait for and observe, and their solo record."""
    views.show_person(config_of(ctx), address, as_json=as_json)


@player_app.command(
    "set", epilog=example('gm player set iroquois@example.org --name "The Iroquois" --zone Berlin')
)
def set_player(
    ctx: typer.Context,
    address: Address,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help='The name that others see; "" removes it.')
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(metavar="ZONE", help='The player\'s time zone, like Europe/Berlin; "" removes it.'),
    ] = None,
    as_json: Json = False,
) -> None:
    """Set a player's name, and the time zone of the deadlines in their emails.

    Players set their time zone themselves with TIMEZONE in an email.
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
        then="From now on, emails go to the new address.",
    ),
)
def merge_players(
    ctx: typer.Context,
    address: Address,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The address that stays.")],
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Change a player's address in all their games.

    Reply addresses sent to the old address no longer work; passwords still do.
    """
    confirm(f"Move all seats of {address} to {into}?", yes, f"player {address}")
    with open_service(ctx) as service:
        seats = admin_seats.merge_people(service, address, into)
        person_report = lookup.find_person(service, into)
    if as_json:
        document({"seats": seats, **views.details_of(person_report)})
        return
    say(f"{address} is now {into}, with {pluralise(seats, 'seat')}.")


@player_app.command(
    "export",
    epilog=example(
        "gm player export iroquois@example.org --out iroquois.json",
        then="Players get the same file by email with MY DATA, up to 5 MB.",
    ),
)
def export_player(
    ctx: typer.Context,
    address: Address,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write the file (default: standard output).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write everything that is stored about a person as JSON.

    It leaves out what others wrote about them or to them, and what they may not see in running games.
    """
    with open_service(ctx) as service:
        data = admin_seats.export_person(service, address, service.clock.now())
    if out is None:
        document(data)
        return
    try:
        out.touch(mode=0o600)
        out.write_bytes(format_indented(data))
    except OSError as fault:
        raise Refusal(f"Can't write {out}", f"{fault.strerror}") from fault
    if as_json:
        document({"file": str(out), "address": data["address"]})
    else:
        say(f"Wrote {out}.")


@player_app.command(
    "forget",
    epilog=example(
        "gm player forget iroquois@example.org --yes",
        then='"gm player export" writes down first what is stored about them.',
    ),
)
def forget_player(ctx: typer.Context, address: Address, yes: Yes = False, as_json: Json = False) -> None:
    """Delete everything that names a person: their address, name, emails and press.

    Their seats in running games become free. Games stay playable and can be verified. This can't be undone.
    Players ask for it by email with FORGET ME, and can take it back for a week.
    """
    confirm(f"Forget {address}? This can't be undone.", yes, f"player {address}")
    with open_service(ctx) as service:
        report = admin_seats.forget_person(service, address)
    erased = report.erased
    if as_json:
        counts = {
            name: getattr(erased, name) for name in ("seats", "press", "emails", "log_entries", "waiting")
        }
        resealed = [{"game": game, "from": first} for game, first in erased.resealed]
        document({**counts, "resealed": resealed, "scrubbed": report.scrubbed, "notes": list(report.notes)})
        return
    if erased.waiting:
        say(
            f"{pluralise(erased.waiting, 'email')} about this person must be sent or read first. "
            'Their seats are free. "gm serve" does the rest, within three days at the latest.'
        )
    else:
        say(
            f"Forgotten. Deleted: {pluralise(erased.emails, 'email')}, {erased.press} pieces of press, "
            f"{pluralise(erased.seats, 'seat')} in games that are over."
        )
    say(*(f"The log of {game} was sealed again from entry {first} on." for game, first in erased.resealed))
    if not report.scrubbed:
        say('The database is in use. "gm serve" overwrites the space of what was deleted as soon as it can.')
    say(*report.notes)


@player_app.command(
    "keep",
    epilog=example("gm player keep iroquois@example.org", then="Players do the same by email with KEEP ME."),
)
def keep_player(ctx: typer.Context, address: Address, as_json: Json = False) -> None:
    """Keep a person who asked to be forgotten, or whom [keep] would forget."""
    with open_service(ctx) as service:
        was_planned = admin_seats.keep_person(service, address)
    if as_json:
        document({"address": address, "was_to_be_forgotten": was_planned})
    elif was_planned:
        say(f"{address} won't be forgotten.")
    else:
        say(f"{address} wasn't going to be forgotten. The time of [keep] people begins again.")
