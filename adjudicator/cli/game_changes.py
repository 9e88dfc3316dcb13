"""``gm game start``, ``terms``, ``pause``, ``end``, ``grant`` and more: the life of a game, and its GMs."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import deadlines, game_admin, gm_mail, overrides, seats
from adjudicator.cli.arguments import (
    GameName,
    Json,
    OneGame,
    Silent,
    Why,
    Yes,
    confirm,
    example,
    pair,
    warrant,
)
from adjudicator.cli.connect import open_service
from adjudicator.cli.output import document, moment, pluralise, say, table
from adjudicator.cli.views import game_view
from adjudicator.clock import format_instant
from adjudicator.config import terms
from adjudicator.config import terms as config_terms
from adjudicator.turns.deadlines import zone_named

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from adjudicator.model.people import GameGm
    from adjudicator.service import Service


lifecycle_app = typer.Typer()


@lifecycle_app.command(
    epilog=example(
        "gm game start beaver",
        then='"gm game new KIND NAME --open" opens a game for players.',
    )
)
def start(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """Start an open game with the players who have joined; bots play the other seats."""
    with open_service(ctx) as service:
        position = game_admin.start(service, name)
        zone = service.service_context.zone
    if as_json:
        document(game_view(position))
        return
    people = sum(assignment.is_person for assignment in position.assignments.values())
    whom = f"with {pluralise(people, 'human player')}" if people else "with bots only"
    say(f"{name} has started {whom}. {'Welcomes are ready to be sent.' if people else ''}".strip())
    if position.deadline is not None:
        say(f"Deadline: {format_instant(position.deadline, zone)}")


@lifecycle_app.command(
    "terms",
    epilog=example(
        "gm game terms beaver",
        'gm game terms beaver moves=48h days_off=sat,sun hours=20:00 --why "agreed on"',
        'gm game terms beaver nmr=extend protect=yes --why "agreed on"',
        then='The current deadline stays; "gm turn deadline" changes it.',
    ),
)
def change_terms(
    ctx: typer.Context,
    name: GameName,
    change: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="The settings to change."),
    ] = None,
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Show or change a game's settings: deadlines, days off, reminders, missing orders, press."""
    given = dict(pair(setting) for setting in change or [])
    asked = warrant(why, False) if given else None
    with open_service(ctx) as service:
        if asked is not None:
            deadlines.set_terms(service, name, given, asked.why)
        agreed = deadlines.terms(service, game_admin.position_of(service, name))
    if as_json:
        document(agreed)
        return
    table(
        ("setting", name, "meaning"),
        [(key, text, config_terms.MEANINGS[key]) for key, text in agreed.items()],
    )


@lifecycle_app.command(
    epilog=example(
        "gm game invite beaver elm@example.org oak@example.org",
        then='"gm game show GAME" shows who has joined.',
    )
)
def invite(
    ctx: typer.Context,
    name: GameName,
    addresses: Annotated[list[str], typer.Argument(metavar="ADDRESS...", help="The addresses to invite.")],
    as_json: Json = False,
) -> None:
    """Invite players to a game. One email to each says what it is, how long it takes and how to join.

    An invitation signs nobody up: players reply with YES or JOIN. Each player is invited to a game only once,
    and never if they have asked for no invitations.
    """
    with open_service(ctx) as service:
        written, left_out = seats.invite(service, name, addresses)
    if as_json:
        document({"game": name, "invited": list(written), "left_out": list(left_out)})
        return
    if written:
        say(f"Invited to {name}: {', '.join(written)}.")
    if left_out:
        say(f"Not invited (playing, invited before, or wanting no invitations): {', '.join(left_out)}.")


@lifecycle_app.command(
    epilog=example(
        'gm game pause beaver --why "holidays"',
        then='"gm game resume GAME" continues it with the time that was left.',
    )
)
def pause(ctx: typer.Context, name: GameName, why: Why = None, as_json: Json = False) -> None:
    """Pause a game: no turn runs and no deadline passes. Players get an email and can still send orders."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        position = deadlines.pause(service, name, asked.why)
    if as_json:
        document(game_view(position))
    else:
        say(f"{name} is paused. To continue it: gm game resume {name}")


@lifecycle_app.command(
    epilog=example(
        "gm game resume beaver",
        'gm game resume beaver --why "all are back"',
        "gm game resume --all",
        then='"gm turn deadline GAME" sets another deadline.',
    )
)
def resume(
    ctx: typer.Context,
    name: OneGame = None,
    every: Annotated[
        bool, typer.Option("--all", help='Resume every game that "gm restore" has paused.')
    ] = False,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="The reason, which the players read too.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Resume a paused or suspended game with the time that was left, at least a day."""
    if every == (name is not None):
        raise typer.BadParameter("name a game, or add --all", param_hint="NAME")
    with open_service(ctx) as service:
        if name is not None:
            position = deadlines.resume(service, name, why)
            _say_deadline(service, position, as_json, f"{name} continues.")
            return
        positions = deadlines.go_on_all(service, why)
        if as_json:
            document([game_view(position) for position in positions])
            return
        for position in positions:
            _say_deadline(service, position, as_json, f"{position.name} continues.")


@lifecycle_app.command(
    epilog=example(
        'gm game end beaver --winner iroquois --why "all others have conceded"',
        'gm game end beaver --why "given up by all" --yes',
        then="Everyone gets the final position and the secret of the dice.",
    )
)
def end(
    ctx: typer.Context,
    name: GameName,
    winner: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT", help="The winning seat (default: none). May be repeated."),
    ] = None,
    why: Why = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """End a game now, without its rules. The log records who did it and why."""
    asked = warrant(why, False)
    confirm(f"End {name} for good?", yes, f"game {name}")
    with open_service(ctx) as service:
        position = game_admin.end(service, name, winner or (), asked.why)
    if as_json:
        document(game_view(position))
    else:
        say(f"{name} is over: {asked.why}. The last emails are ready to be sent.")


@lifecycle_app.command(
    epilog=example(
        'gm game delete beaver --why "a trial" --yes',
        then="Export a copy first: gm game export beaver --out beaver.json",
    )
)
def delete(
    ctx: typer.Context, name: GameName, why: Why = None, yes: Yes = False, as_json: Json = False
) -> None:
    """Delete a game with its log and emails. Nobody gets an email. This can't be undone."""
    asked = warrant(why, False)
    confirm(f"Delete {name} with its log, for good?", yes, f"game {name}")
    with open_service(ctx) as service:
        game_admin.delete(service, name, asked.why)
    if as_json:
        document({"game": name, "deleted": True})
    else:
        say(f"{name} is deleted.")


@lifecycle_app.command(
    epilog=example(
        'gm game update-variant beaver --why "Port was no supply centre"',
        then='"gm doctor" names the games whose variant has changed since they began.',
    )
)
def update_variant(
    ctx: typer.Context, name: GameName, why: Why = None, silent: Silent = False, as_json: Json = False
) -> None:
    """Move a game to the installed edition of its variant, and tell its players.

    A game is played by its variant as it began, whatever happens to the files. This command is the exception.
    """
    asked = warrant(why, silent)
    with open_service(ctx) as service:
        done = overrides.update_variant(service, name, asked)
    if as_json:
        document(game_view(done.after))
        return
    say(f"{name} goes on by the installed edition of {done.after.game.about.title}.")
    if people := sum(assignment.is_person for assignment in done.after.assignments.values()):
        say(f"{pluralise(people, 'email')} to the players ready to be sent.")


def _say_deadline(service: Service, position: GamePosition, as_json: bool, sentence: str) -> None:
    if as_json:
        document(game_view(position))
        return
    if position.deadline is None:
        say(f"{sentence} Deadline: none. It waits for its player.")
    else:
        say(f"{sentence} Deadline: {format_instant(position.deadline, service.service_context.zone)}")


# ``gm game grant``, ``revoke``, ``gms``: who else is a GM of a game, by email.


GmAddress = Annotated[str, typer.Argument(metavar="ADDRESS", help="The address of the GM or assistant.")]


class Role(StrEnum):
    """A right in one game."""

    gm = "gm"
    assistant = "assistant"


@lifecycle_app.command(
    epilog=example(
        "gm game grant beaver friend@example.org gm",
        "gm game grant beaver friend@example.org assistant",
        then='"gm game revoke GAME ADDRESS" takes it away. Grant it again to send a new reply address.',
    )
)
def grant(
    ctx: typer.Context,
    name: GameName,
    address: GmAddress,
    role: Annotated[
        Role,
        typer.Argument(metavar="gm|assistant", help="gm: run it by email; assistant: only read."),
    ],
    as_json: Json = False,
) -> None:
    """Make a person a GM of one game, or an assistant. They run it by email, and have no other game.

    They get an email with their own reply address and the commands. A GM does what you do here, and is asked
    back before anything changes. An assistant reads who is missing and the log, without orders and press.
    """
    with open_service(ctx) as service:
        gm = gm_mail.grant(service, name, address, role.value)
    if as_json:
        document(_gm_view(gm))
        return
    what = "a GM" if role is Role.gm else "an assistant of the GM"
    say(f"{gm.address} is now {what} of {name} (number {gm.number} in its log).")
    say("The email with the reply address and the commands is ready to be sent.")


@lifecycle_app.command(
    epilog=example("gm game revoke beaver friend@example.org", then='"gm game gms GAME" lists the GMs.')
)
def revoke(ctx: typer.Context, name: GameName, address: GmAddress, as_json: Json = False) -> None:
    """Take a person's right in a game away. They get an email, and their reply address stops working."""
    with open_service(ctx) as service:
        gm = gm_mail.revoke(service, name, address)
    if as_json:
        document(_gm_view(gm))
    else:
        say(f"{gm.address} is no longer a GM of {name}.")


@lifecycle_app.command(
    "gms",
    epilog=example("gm game gms beaver", then='"gm game grant GAME ADDRESS gm" makes somebody a GM.'),
)
def list_gms(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """List the GMs and assistants of a game, and the looks of GMs who play at hidden orders."""
    with open_service(ctx) as service:
        if service.repository.people.offer(name) is None:
            game_admin.position_of(service, name)
        gms = service.repository.people.gms(name)
    views = [_gm_view(gm) for gm in gms.members]
    looks = [
        {
            "gm": look.gm,
            "turn": look.turn,
            "at": moment(look.at),
            "why": look.why,
            "announced": look.announced,
        }
        for look in gms.looks
    ]
    if as_json:
        document({"game": name, "gms": views, "looks": looks})
        return
    if not views:
        say(f"{name} has no GM by email. To make somebody one: gm game grant {name} ADDRESS gm")
        return
    table(("number", "address", "right"), [(each["number"], each["address"], each["role"]) for each in views])
    if looks:
        say("", "Looks at hidden orders:")
        table(("gm", "turn", "why"), [(look["gm"], look["turn"], look["why"]) for look in looks])


def _gm_view(gm: GameGm) -> dict[str, Any]:
    return {"number": gm.number, "address": gm.address, "role": gm.role, "since": moment(gm.since)}


# ``gm turn deadline``, ``extend``, ``hold``: change the deadline of the current turn.


hours_app = typer.Typer()


@hours_app.command(
    epilog=example(
        'gm turn deadline beaver "2026-12-01 20:00" --why "agreed on"',
        'gm turn deadline beaver "fri 20:00" --why "agreed on"',
        then="The time is in the game's own time zone. All players get an email.",
    )
)
def deadline(
    ctx: typer.Context,
    game: GameName,
    at: Annotated[
        str,
        typer.Argument(metavar="WHEN", help='The new deadline: "2026-12-01 20:00", "fri 20:00" or "20:00".'),
    ],
    why: Why = None,
    earlier: Annotated[
        bool, typer.Option("--earlier", help="Allow an earlier deadline than before.")
    ] = False,
    any_day: Annotated[bool, typer.Option("--any-day", help="Allow a day that the game skips.")] = False,
    as_json: Json = False,
) -> None:
    """Set the deadline of the current turn. Absences no longer move it. A turn on hold goes on."""
    asked = warrant(why, False)
    with open_service(ctx) as service:
        zone = zone_named(game_admin.position_of(service, game).deadlines.zone)
        wanted = terms.parse_instant(at, zone, service.clock.now())
        position = deadlines.set_deadline(service, game, wanted, asked.why, earlier=earlier, any_day=any_day)
        _say(service, position, as_json)


@hours_app.command(
    epilog=example(
        'gm turn extend beaver 24h --why "the Iroquois have moved house"',
        then="Days that the game skips don't count. All players get an email.",
    )
)
def extend(
    ctx: typer.Context,
    game: GameName,
    length: Annotated[str, typer.Argument(metavar="LENGTH", help="How much time to add: 24h, 2d, 1d12h.")],
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Extend the deadline of the current turn. A turn on hold goes on."""
    asked, more = warrant(why, False), terms.length_of(f"length {length}", length)
    with open_service(ctx) as service:
        position = deadlines.extend(service, game, more, asked.why)
        _say(service, position, as_json)


@hours_app.command(
    epilog=example(
        'gm turn hold beaver --why "a map is wrong"',
        "gm turn hold beaver --off",
        then='"gm turn process GAME" still runs it. The next turn gets its usual time.',
    )
)
def hold(
    ctx: typer.Context,
    game: GameName,
    off: Annotated[
        bool, typer.Option("--off", help="Release the turn, with the time that was left.")
    ] = False,
    why: Why = None,
    as_json: Json = False,
) -> None:
    """Hold the current turn: it won't run, early or at its deadline, until you release it."""
    if off:
        with open_service(ctx) as service:
            _say(service, deadlines.resume(service, game, why or ""), as_json)
        return
    asked = warrant(why, False)
    with open_service(ctx) as service:
        position = deadlines.hold(service, game, asked.why)
    if as_json:
        document(game_view(position))
    else:
        say(f"The turn of {game} is on hold. To release it: gm turn hold {game} --off")


def _say(service: Service, position: GamePosition, as_json: bool) -> None:
    if as_json:
        document(game_view(position))
        return
    if position.deadline is None:
        say(f"{position.name} continues. Deadline: none. It waits for its player.")
    else:
        say(f"Deadline of {position.name}: {format_instant(position.deadline, service.service_context.zone)}")
